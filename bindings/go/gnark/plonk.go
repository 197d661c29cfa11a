// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"slices"
	"sync"

	"github.com/consensys/gnark-crypto/ecc"
	fr377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	fft377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr/fft"
	fr381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	fft381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	fr254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	fft254 "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	fr761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	fft761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr/fft"
	"github.com/consensys/gnark/backend/plonk"
	plonk377 "github.com/consensys/gnark/backend/plonk/bls12-377"
	plonk381 "github.com/consensys/gnark/backend/plonk/bls12-381"
	plonk254 "github.com/consensys/gnark/backend/plonk/bn254"
	plonk761 "github.com/consensys/gnark/backend/plonk/bw6-761"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	cs377 "github.com/consensys/gnark/constraint/bls12-377"
	cs381 "github.com/consensys/gnark/constraint/bls12-381"
	cs254 "github.com/consensys/gnark/constraint/bn254"
	cs761 "github.com/consensys/gnark/constraint/bw6-761"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend/cs"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// PlonkProvingKey is a resident proving key of gnark's PLONK. Any number of goroutines may prove with it at once, each with its own
// Context. PLONK is experimental.
type PlonkProvingKey struct {
	curve   ecc.ID
	key     *sumac.PlonkKey
	encoder *sumac.PlonkVerifyingKey
}

type polynomial[E any] interface{ Coefficients() []E }

// plonkTrace is what gnark computes from a circuit for its prover.
type plonkTrace struct {
	curve       ecc.ID
	gates       uint64
	vectors     []io.WriterTo // the values of Ql, Qr, Qm, Qo, Qk, and of Qcp for each commitment
	permutation []int64
}

// take fills a trace with a curve's polynomials: the selectors of all circuits, and those of the circuit's commitments.
func take[E any, P polynomial[E]](to *plonkTrace, curve ecc.ID, permutation []int64, vector func([]E) io.WriterTo, committed []P, selectors ...P) {
	to.curve, to.permutation = curve, permutation
	for _, p := range append(selectors, committed...) {
		to.vectors = append(to.vectors, vector(p.Coefficients()))
	}
}

// gatesOf returns the number of gates of a circuit of PLONK. gnark's circuits of Groth16 have the same types.
func gatesOf(circuit constraint.ConstraintSystem) (uint64, error) {
	if circuit == nil {
		return 0, fmt.Errorf("there is no circuit")
	}
	if _, isPlonk := circuit.GetCommitments().(constraint.PlonkCommitments); !isPlonk {
		return 0, &sumac.Error{Status: sumac.ErrMismatch, Message: fmt.Sprintf("%T is a circuit of Groth16, and not of PLONK", circuit)}
	}
	return uint64(circuit.GetNbPublicVariables() + circuit.GetNbConstraints()), nil
}

func traceOf(circuit constraint.ConstraintSystem) (*plonkTrace, error) {
	gates, err := gatesOf(circuit)
	if err != nil {
		return nil, err
	}
	to := &plonkTrace{gates: gates}
	switch s := circuit.(type) {
	case *cs254.SparseR1CS:
		t := plonk254.NewTrace(s, fft254.NewDomain(to.gates, fft254.WithoutPrecompute()))
		take(to, ecc.BN254, t.S, func(v []fr254.Element) io.WriterTo { return (*fr254.Vector)(&v) }, t.Qcp, t.Ql, t.Qr, t.Qm, t.Qo, t.Qk)
	case *cs381.SparseR1CS:
		t := plonk381.NewTrace(s, fft381.NewDomain(to.gates, fft381.WithoutPrecompute()))
		take(to, ecc.BLS12_381, t.S, func(v []fr381.Element) io.WriterTo { return (*fr381.Vector)(&v) }, t.Qcp, t.Ql, t.Qr, t.Qm, t.Qo, t.Qk)
	case *cs377.SparseR1CS:
		t := plonk377.NewTrace(s, fft377.NewDomain(to.gates, fft377.WithoutPrecompute()))
		take(to, ecc.BLS12_377, t.S, func(v []fr377.Element) io.WriterTo { return (*fr377.Vector)(&v) }, t.Qcp, t.Ql, t.Qr, t.Qm, t.Qo, t.Qk)
	case *cs761.SparseR1CS:
		t := plonk761.NewTrace(s, fft761.NewDomain(to.gates, fft761.WithoutPrecompute()))
		take(to, ecc.BW6_761, t.S, func(v []fr761.Element) io.WriterTo { return (*fr761.Vector)(&v) }, t.Qcp, t.Ql, t.Qr, t.Qm, t.Qo, t.Qk)
	default:
		return nil, &sumac.Error{Status: sumac.ErrMismatch, Message: fmt.Sprintf("%T is no circuit of a curve that sumac proves with", circuit)}
	}
	return to, nil
}

func (t *plonkTrace) write(w io.Writer, pk plonk.ProvingKey) error {
	if pk == nil {
		return fmt.Errorf("there is no proving key")
	}
	if _, err := pk.WriteRawTo(w); err != nil {
		return err
	}
	if _, err := w.Write([]byte("sumactrc")); err != nil {
		return err
	}
	if err := binary.Write(w, binary.BigEndian, []uint64{1, t.gates}); err != nil {
		return err
	}
	for _, vector := range t.vectors {
		if _, err := vector.WriteTo(w); err != nil {
			return err
		}
	}
	return binary.Write(w, binary.BigEndian, t.permutation)
}

// WritePlonkKey writes a proving key and the trace of its circuit, which gnark's files of keys do not have, in the format that
// `sumac plonk` opens.
func WritePlonkKey(w io.Writer, circuit constraint.ConstraintSystem, pk plonk.ProvingKey) error {
	trace, err := traceOf(circuit)
	if err != nil {
		return err
	}
	return trace.write(w, pk)
}

// OpenPlonk makes the key of a circuit resident. Each proof is verified before it is returned.
func OpenPlonk(c *sumac.Context, circuit constraint.ConstraintSystem, pk plonk.ProvingKey, options ...sumac.PlonkKeyOption) (*PlonkProvingKey, error) {
	trace, err := traceOf(circuit)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := trace.write(&file, pk); err != nil {
		return nil, err
	}
	key, err := c.NewPlonkKey(file.Bytes(), options...)
	if err != nil {
		return nil, err
	}
	return &PlonkProvingKey{trace.curve, key, key.Verifying()}, nil
}

// OpenPlonkFile makes a key resident from a file of [WritePlonkKey] or of [PlonkProvingKey.Save].
func OpenPlonkFile(c *sumac.Context, path string, options ...sumac.PlonkKeyOption) (*PlonkProvingKey, error) {
	key, err := c.OpenPlonkKey(path, options...)
	if err != nil {
		return nil, err
	}
	info := key.Info()
	if info.Format != sumac.Gnark {
		key.Close()
		return nil, &sumac.Error{Status: sumac.ErrMismatch, Message: path + ": a key of snarkjs, and not of gnark"}
	}
	curve := map[string]ecc.ID{"bn254": ecc.BN254, "bls12-381": ecc.BLS12_381, "bls12-377": ecc.BLS12_377, "bw6-761": ecc.BW6_761}[info.G1.Name]
	return &PlonkProvingKey{curve, key, key.Verifying()}, nil
}

// Save writes a prepared key, which is opened faster than gnark's: no point is decompressed, and no polynomial transformed.
func (k *PlonkProvingKey) Save(c *sumac.Context, path string) error { return k.key.Save(c, path) }

// Close frees the key.
func (k *PlonkProvingKey) Close() { k.key.Close() }

// PlonkNumbers are the random numbers of the commitments of one solution, which [PlonkProvingKey.Hint] draws.
type PlonkNumbers struct {
	one     sync.Mutex
	numbers []byte
}

// Hint returns a solver option that answers gnark's hint for commitments with the key. It is for callers who solve a circuit
// themselves and then call [PlonkProvingKey.ProveSolution] with the same numbers. If gnark solves several commitments at once, they
// use the Context one after another.
func (k *PlonkProvingKey) Hint(c *sumac.Context, numbers *PlonkNumbers) solver.Option {
	info := k.key.Info()
	size := info.G1.ScalarBytes
	numbers.numbers = make([]byte, 2*size*int(info.Commitments))
	return solver.OverrideHint(solver.GetHintID(cs.Bsb22CommitmentComputePlaceholder), func(_ *big.Int, in, out []*big.Int) error {
		values := make([]byte, (len(in)-1)*size)
		for i, value := range in[1:] {
			slices.Reverse(value.FillBytes(values[i*size : (i+1)*size]))
		}
		numbers.one.Lock()
		defer numbers.one.Unlock()
		which := int(in[0].Int64())
		drawn, hash, err := k.key.Commit(c, which, values)
		if err != nil {
			return err
		}
		copy(numbers.numbers[2*size*which:], drawn)
		slices.Reverse(hash)
		out[0].SetBytes(hash)
		return nil
	})
}

// Prove solves the circuit with gnark and proves with sumac.
func (k *PlonkProvingKey) Prove(c *sumac.Context, circuit constraint.ConstraintSystem, full witness.Witness, options ...solver.Option) (plonk.Proof, error) {
	var numbers PlonkNumbers
	solution, err := circuit.Solve(full, append(slices.Clip(options), k.Hint(c, &numbers))...)
	if err != nil {
		return nil, err
	}
	return k.ProveSolution(c, solution, &numbers)
}

// ProveSolution computes a proof from the result of ConstraintSystem.Solve, which must be a *SparseR1CSSolution of the key's curve.
func (k *PlonkProvingKey) ProveSolution(c *sumac.Context, solution any, numbers *PlonkNumbers) (plonk.Proof, error) {
	info := k.key.Info()
	raw := make([]byte, 0, info.WitnessBytes)
	fits := numbers != nil
	switch s := solution.(type) {
	case *cs254.SparseR1CSSolution:
		fits = fits && k.curve == ecc.BN254
		raw = appendValues(raw, info, s.L, s.R, s.O, func(e *fr254.Element) [4]uint64 { return e.Bits() })
	case *cs381.SparseR1CSSolution:
		fits = fits && k.curve == ecc.BLS12_381
		raw = appendValues(raw, info, s.L, s.R, s.O, func(e *fr381.Element) [4]uint64 { return e.Bits() })
	case *cs377.SparseR1CSSolution:
		fits = fits && k.curve == ecc.BLS12_377
		raw = appendValues(raw, info, s.L, s.R, s.O, func(e *fr377.Element) [4]uint64 { return e.Bits() })
	case *cs761.SparseR1CSSolution:
		fits = fits && k.curve == ecc.BW6_761
		raw = appendValues(raw, info, s.L, s.R, s.O, func(e *fr761.Element) [6]uint64 { return e.Bits() })
	default:
		fits = false
	}
	if fits {
		raw = append(raw, numbers.numbers...)
	}
	if !fits || len(raw) != info.WitnessBytes {
		return nil, &sumac.Error{Status: sumac.ErrMismatch, Message: fmt.Sprintf("a solution (%T) of another circuit or curve than the key's, %v", solution, k.curve)}
	}
	proofs, err := k.key.Prove(c, raw)
	if err != nil {
		return nil, err
	}
	file, err := k.encoder.EncodeProof(c, proofs, sumac.GnarkRaw)
	if err != nil {
		return nil, err
	}
	proof := plonk.NewProof(k.curve)
	_, err = proof.ReadFrom(bytes.NewReader(file))
	return proof, err
}

// VerifyPlonk says whether a proof is valid. sumac verifies it, not gnark.
func VerifyPlonk(c *sumac.Context, proof plonk.Proof, vk plonk.VerifyingKey, public witness.Witness) (bool, error) {
	file, err := write(vk.WriteRawTo)
	if err != nil {
		return false, err
	}
	verifying, err := c.NewPlonkVerifyingKey(file)
	if err != nil {
		return false, err
	}
	defer verifying.Close()
	return verifyFiles(c, verifying, proof, public)
}

// appendValues appends the values of a solution in sumac's form: canonical and little-endian.
func appendValues[E any, W [4]uint64 | [6]uint64](raw []byte, info sumac.PlonkInfo, l, r, o []E, bits func(*E) W) []byte {
	for _, part := range [][]E{l, r, o} {
		if uint64(len(part)) != info.Domain {
			return nil
		}
		for i := range part {
			words := bits(&part[i])
			for j := range len(words) {
				raw = binary.LittleEndian.AppendUint64(raw, words[j])
			}
		}
	}
	return raw
}

// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package gnark computes Groth16 and PLONK proofs for programs that use gnark. The programs compile, set up, solve and verify circuits
// with gnark's interface. sumac keeps the keys, and computes the proofs on its CPU or GPU backend.
//
// Curves are BN254, BLS12-381, BLS12-377 and BW6-761. If a verifying key is given, each proof is verified before it is returned.
//
// A circuit may commit to wires (Commit; gadgets such as range checks do so). Proving keys do not name these wires, so that
// [Open] takes them as an option, [CommitmentWires].
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
	fr381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	fr254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	fr761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/backend/groth16"
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

// ProvingKey is a resident proving key of gnark. Any number of goroutines may prove with it at once, each with its own Context.
type ProvingKey struct {
	curve     ecc.ID
	key       *sumac.Groth16Key
	encoder   *sumac.Groth16VerifyingKey
	verifying bool // each proof is verified before it is returned
}

// Hash says how the values of commitments are hashed.
type Hash string

const (
	XMDSHA256 Hash = "xmd-sha256" // gnark's default: hash_to_field of RFC 9380 with SHA-256
	SHA256    Hash = "sha256"     // backend.WithProverHashToFieldFunction(sha256.New())
	Keccak256 Hash = "keccak256"  // the hash that solidity.WithProverTargetSolidityVerifier selects
)

// CommitmentWires returns the wires of a circuit's commitments, an option of [Open].
func CommitmentWires(circuit constraint.ConstraintSystem) sumac.CommitmentWires {
	var wires sumac.CommitmentWires
	commitments, _ := circuit.GetCommitments().(constraint.Groth16Commitments)
	for _, c := range commitments {
		wires = append(wires, uint32(c.CommitmentIndex))
		for _, wire := range c.PrivateCommitted {
			wires = append(wires, uint32(wire))
		}
	}
	return wires
}

// Open makes a key resident. If vk is not nil, each proof is verified with it before the proof is returned. Otherwise no proof
// is verified. The key of a circuit with commitments needs the option [CommitmentWires].
func Open(c *sumac.Context, pk groth16.ProvingKey, vk groth16.VerifyingKey, options ...sumac.KeyOption) (*ProvingKey, error) {
	return OpenHashing(c, pk, vk, XMDSHA256, options...)
}

// OpenHashing does what [Open] does, for commitments with another hash than gnark's default. For such a hash it needs vk.
func OpenHashing(c *sumac.Context, pk groth16.ProvingKey, vk groth16.VerifyingKey, hash Hash, options ...sumac.KeyOption) (*ProvingKey, error) {
	if pk == nil || (vk == nil && hash != XMDSHA256) {
		return nil, fmt.Errorf("there is no proving key, or no verifying key for another hash than the default")
	}
	k := &ProvingKey{curve: pk.CurveID(), verifying: vk != nil}
	if vk != nil {
		verifying, err := openVerifying(c, vk, hash)
		if err != nil {
			return nil, err
		}
		defer verifying.Close() // the key keeps it
		options = append(slices.Clip(options), verifying)
	}
	file, err := write(pk.WriteRawTo)
	if err != nil {
		return nil, err
	}
	if k.key, err = c.NewGroth16Key(file, options...); err != nil {
		return nil, err
	}
	k.encoder = k.key.Verifying()
	return k, nil
}

func openVerifying(c *sumac.Context, vk groth16.VerifyingKey, hash Hash) (*sumac.Groth16VerifyingKey, error) {
	file, err := write(vk.WriteRawTo)
	if err != nil {
		return nil, err
	}
	return c.NewGroth16VerifyingKeyHashing(file, string(hash))
}

func write(to func(io.Writer) (int64, error)) ([]byte, error) {
	var file bytes.Buffer
	_, err := to(&file)
	return file.Bytes(), err
}

// Close frees the key.
func (k *ProvingKey) Close() { k.key.Close() }

// Hint returns a solver option that answers gnark's hint for commitments with the key. It is for callers who solve a circuit
// themselves and then call [ProvingKey.ProveSolution]. If gnark solves several commitments at once, they use the Context one
// after another.
func (k *ProvingKey) Hint(c *sumac.Context) solver.Option {
	var one sync.Mutex
	size := k.key.Info().G1.ScalarBytes
	return solver.OverrideHint(solver.GetHintID(cs.Bsb22CommitmentComputePlaceholder), func(_ *big.Int, in, out []*big.Int) error {
		values := make([]byte, (len(in)-1)*size)
		for i, value := range in[1:] {
			slices.Reverse(value.FillBytes(values[i*size : (i+1)*size]))
		}
		one.Lock()
		defer one.Unlock()
		_, hash, err := k.key.Commit(c, int(in[0].Int64()), values)
		if err != nil {
			return err
		}
		slices.Reverse(hash)
		out[0].SetBytes(hash)
		return nil
	})
}

// Prove solves the circuit with gnark and proves with sumac.
func (k *ProvingKey) Prove(c *sumac.Context, circuit constraint.ConstraintSystem, full witness.Witness, options ...solver.Option) (groth16.Proof, error) {
	solution, err := circuit.Solve(full, append(slices.Clip(options), k.Hint(c))...)
	if err != nil {
		return nil, err
	}
	return k.ProveSolution(c, solution)
}

// ProveSolution computes a proof from the result of ConstraintSystem.Solve, which must be an *R1CSSolution of the key's curve.
func (k *ProvingKey) ProveSolution(c *sumac.Context, solution any) (groth16.Proof, error) {
	info := k.key.Info()
	raw := make([]byte, 0, info.WitnessBytes)
	fits := true
	switch s := solution.(type) {
	case *cs254.R1CSSolution:
		fits = k.curve == ecc.BN254
		raw = appendSolution(raw, info, s.W, s.A, s.B, func(e *fr254.Element) [4]uint64 { return e.Bits() })
	case *cs381.R1CSSolution:
		fits = k.curve == ecc.BLS12_381
		raw = appendSolution(raw, info, s.W, s.A, s.B, func(e *fr381.Element) [4]uint64 { return e.Bits() })
	case *cs377.R1CSSolution:
		fits = k.curve == ecc.BLS12_377
		raw = appendSolution(raw, info, s.W, s.A, s.B, func(e *fr377.Element) [4]uint64 { return e.Bits() })
	case *cs761.R1CSSolution:
		fits = k.curve == ecc.BW6_761
		raw = appendSolution(raw, info, s.W, s.A, s.B, func(e *fr761.Element) [6]uint64 { return e.Bits() })
	default:
		fits = false
	}
	if !fits || len(raw) != info.WitnessBytes {
		return nil, &sumac.Error{Status: sumac.ErrMismatch, Message: fmt.Sprintf("a solution (%T) of another circuit or curve than the key's, %v", solution, k.curve)}
	}
	proofs, err := k.key.Prove(c, raw, sumac.Unverified(!k.verifying))
	if err != nil {
		return nil, err
	}
	file, err := k.encoder.EncodeProof(c, proofs, sumac.GnarkRaw)
	if err != nil {
		return nil, err
	}
	proof := groth16.NewProof(k.curve)
	_, err = proof.ReadFrom(bytes.NewReader(file))
	return proof, err
}

// Verify says whether a proof is valid. sumac verifies it, not gnark.
func Verify(c *sumac.Context, proof groth16.Proof, vk groth16.VerifyingKey, public witness.Witness) (bool, error) {
	return VerifyHashing(c, proof, vk, public, XMDSHA256)
}

// VerifyHashing does what [Verify] does, for commitments with another hash than gnark's default.
func VerifyHashing(c *sumac.Context, proof groth16.Proof, vk groth16.VerifyingKey, public witness.Witness, hash Hash) (bool, error) {
	verifying, err := openVerifying(c, vk, hash)
	if err != nil {
		return false, err
	}
	defer verifying.Close()
	return verifyFiles(c, verifying, proof, public)
}

// verifier is a verifying key of sumac, which knows gnark's formats.
type verifier interface {
	DecodeProof(c *sumac.Context, bytes []byte, format, name string) ([]byte, error)
	DecodePublics(c *sumac.Context, bytes []byte, format, name string) ([]byte, error)
	Verify(c *sumac.Context, publics, proofs []byte) (bool, error)
}

// verifyFiles verifies what gnark writes of a proof and of its public witness.
func verifyFiles(c *sumac.Context, verifying verifier, proof interface {
	WriteRawTo(w io.Writer) (int64, error)
}, public witness.Witness) (bool, error) {
	file, err := write(proof.WriteRawTo)
	if err != nil {
		return false, err
	}
	raw, err := verifying.DecodeProof(c, file, sumac.GnarkRaw, "proof")
	if err != nil {
		return false, err
	}
	if file, err = write(public.WriteTo); err != nil {
		return false, err
	}
	publics, err := verifying.DecodePublics(c, file, sumac.GnarkRaw, "public witness")
	if err != nil {
		return false, err
	}
	return verifying.Verify(c, publics, raw)
}

// appendSolution appends the wires w and the vectors A*w and B*w, which are padded with zeros. It writes them in sumac's form:
// canonical and little-endian.
func appendSolution[E any, W [4]uint64 | [6]uint64](raw []byte, info sumac.Groth16Info, w, a, b []E, bits func(*E) W) []byte {
	if uint64(len(w)) != info.Wires || uint64(len(a)) > info.Domain || len(a) != len(b) {
		return nil
	}
	size := info.G1.ScalarBytes
	end := 0
	for k, part := range [][]E{w, a, b} {
		if k > 0 {
			end += int(info.Domain) * size
		} else {
			end += len(w) * size
		}
		for i := range part {
			words := bits(&part[i])
			for j := range len(words) {
				raw = binary.LittleEndian.AppendUint64(raw, words[j])
			}
		}
		raw = append(raw, make([]byte, end-len(raw))...)
	}
	return raw
}

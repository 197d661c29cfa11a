// SPDX-License-Identifier: Apache-2.0 OR MIT

// Package gnark computes Groth16 proofs for programs that use gnark. The programs compile, set up, solve and verify circuits
// with gnark's interface. sumac keeps the keys, and computes the proofs on its CPU or GPU backend.
//
// Curves are BN254, BLS12-381, BLS12-377 and BW6-761. sumac can't verify proofs over the last two. If their verifying key is
// given, gnark verifies such proofs before they are returned. Circuits with commitments are not supported.
package gnark

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

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

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// ProvingKey is a resident proving key of gnark. Any number of goroutines may prove with it at once, each with its own Context.
type ProvingKey struct {
	curve     ecc.ID
	key       *sumac.Groth16Key
	encoder   *sumac.Groth16VerifyingKey
	verifying groth16.VerifyingKey // if sumac can't verify proofs over the curve, gnark verifies them with this key
	pairing   bool
}

// Open makes a key resident. If vk is not nil, each proof is verified with it before the proof is returned. Otherwise no proof
// is verified.
func Open(c *sumac.Context, pk groth16.ProvingKey, vk groth16.VerifyingKey, options ...sumac.KeyOption) (*ProvingKey, error) {
	if pk == nil {
		return nil, fmt.Errorf("there is no proving key")
	}
	k := &ProvingKey{curve: pk.CurveID(), verifying: vk}
	k.pairing = k.curve == ecc.BN254 || k.curve == ecc.BLS12_381
	if vk != nil {
		file, err := write(vk.WriteRawTo)
		if err != nil {
			return nil, err
		}
		verifying, err := c.NewGroth16VerifyingKey(file)
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

func write(to func(io.Writer) (int64, error)) ([]byte, error) {
	var file bytes.Buffer
	_, err := to(&file)
	return file.Bytes(), err
}

// Close frees the key.
func (k *ProvingKey) Close() { k.key.Close() }

// Prove solves the circuit with gnark and proves with sumac.
func (k *ProvingKey) Prove(c *sumac.Context, circuit constraint.ConstraintSystem, full witness.Witness, options ...solver.Option) (groth16.Proof, error) {
	solution, err := circuit.Solve(full, options...)
	if err != nil {
		return nil, err
	}
	proof, err := k.ProveSolution(c, solution)
	if err != nil || k.verifying == nil || k.pairing {
		return proof, err
	}
	public, err := full.Public()
	if err != nil {
		return nil, err
	}
	if err := groth16.Verify(proof, k.verifying, public); err != nil {
		return nil, fmt.Errorf("the proof does not hold: %w", err)
	}
	return proof, nil
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
	proofs, err := k.key.Prove(c, raw, sumac.Unverified(k.verifying == nil || !k.pairing))
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

// Verify says whether a proof over BN254 or BLS12-381 is valid. sumac verifies it, not gnark.
func Verify(c *sumac.Context, proof groth16.Proof, vk groth16.VerifyingKey, public witness.Witness) (bool, error) {
	file, err := write(vk.WriteRawTo)
	if err != nil {
		return false, err
	}
	verifying, err := c.NewGroth16VerifyingKey(file)
	if err != nil {
		return false, err
	}
	defer verifying.Close()
	if file, err = write(proof.WriteRawTo); err != nil {
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

// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"encoding/json"
	"math/big"
	"path/filepath"
	"reflect"
	"testing"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

func sameJSON(t *testing.T, a, b []byte) {
	t.Helper()
	var x, y any
	ok(t, json.Unmarshal(a, &x))
	ok(t, json.Unmarshal(b, &y))
	if !reflect.DeepEqual(x, y) {
		t.Errorf("%s is not %s", a, b)
	}
}

func TestGroth16(t *testing.T) {
	c := newContext(t)
	for folder, name := range map[string]string{"tiny-bn254": "bn254", "tiny-bls12-381": "bls12-381", "poseidon-bn254": "bn254"} {
		t.Run(folder, func(t *testing.T) {
			curve(t, name, "g2")
			file := func(name string) string { return data(t, "groth16", folder, name) }
			key := must(c.OpenGroth16Key(file("key.zkey")))(t)
			info, verifying := key.Info(), key.Verifying()
			if info.G1.Group != "g1" || info.G2.Group != "g2" || !info.HasVerifyingKey || info.Wires == 0 {
				t.Error(info)
			}
			witness := must(key.OpenWitness(c, file("witness.wtns")))(t)
			same(t, must(key.ReadWitness(c, read(t, "groth16", folder, "witness.wtns")))(t), witness)
			ok(t, key.CheckWitness(c, witness, file("circuit.r1cs")))
			// snarkjs computed these public inputs and this proof.
			text := read(t, "groth16", folder, "public.json")
			publics := must(verifying.DecodePublics(c, text, sumac.SnarkJS, "public.json"))(t)
			same(t, must(key.Publics(c, witness))(t), publics)
			var decimals []string
			ok(t, json.Unmarshal(text, &decimals))
			var integers []*big.Int
			for _, decimal := range decimals {
				integers = append(integers, number(t, decimal))
			}
			same(t, publics, info.G1.Scalars(integers...))
			sameJSON(t, must(verifying.EncodePublics(c, publics, sumac.SnarkJS))(t), text)
			other := read(t, "groth16", folder, "proof.json")
			proof := must(verifying.DecodeProof(c, other, sumac.SnarkJS, "proof.json"))(t)
			sameJSON(t, must(verifying.EncodeProof(c, proof, sumac.SnarkJS))(t), other)
			holds := func(v *sumac.Groth16VerifyingKey, publics, proof []byte, expected bool) {
				t.Helper()
				if must(v.Verify(c, publics, proof))(t) != expected {
					t.Errorf("Verify returned %v, not %v", !expected, expected)
				}
			}
			holds(verifying, publics, proof, true)
			// With the random numbers of the reference the proof has the same bytes. Proofs with fresh random numbers are
			// valid, alone and in a batch.
			randomness := info.G1.Scalars(number(t, "0x123456789abcdef0fedcba9876543210"), number(t, "0x2468ace13579bdf"))
			fixed := must(key.Prove(c, witness, sumac.Randomness(randomness)))(t)
			same(t, fixed, read(t, "groth16", folder, "expected.bin"))
			same(t, must(key.Prove(c, witness, sumac.Randomness(randomness), sumac.Unverified(true)))(t), fixed)
			wires := must(c.NewScalars(info.G1, witness))(t)
			same(t, must(key.ProveVector(c, wires, 1, sumac.Randomness(randomness)))(t), fixed)
			two := append(append([]byte{}, witness...), witness...)
			proofs := must(key.Prove(c, two))(t)
			holds(verifying, publics, proofs[info.ProofBytes:], true)
			wrong := append([]byte{}, publics...)
			wrong[0] ^= 1
			holds(verifying, wrong, proof, false)
			for second, expected := range map[*byte]bool{&publics[0]: true, &wrong[0]: false} {
				all := append(append([]byte{}, publics...), publics...)
				all[len(publics)] = *second
				holds(verifying, all, proofs, expected)
			}
			// Proofs and public inputs survive encoding and decoding.
			for _, format := range []string{sumac.SnarkJS, sumac.Gnark, sumac.GnarkRaw} {
				same(t, must(verifying.DecodeProof(c, must(verifying.EncodeProof(c, fixed, format))(t), format, "proof"))(t), fixed)
				same(t, must(verifying.DecodePublics(c, must(verifying.EncodePublics(c, publics, format))(t), format, "public"))(t), publics)
			}
			_, err := verifying.EncodeProof(c, fixed, "json")
			fails(t, err, sumac.ErrUnknownFormat)
			// Keys are opened from memory and as prepared keys. Verifying keys are opened without a proving key.
			path := filepath.Join(t.TempDir(), "prepared")
			ok(t, key.Save(c, path))
			memory := must(c.NewGroth16Key(read(t, "groth16", folder, "key.zkey"), sumac.CheckCurve, sumac.PrecomputeFactor(1)))(t)
			prepared := must(c.OpenGroth16Key(path, sumac.CheckNone))(t)
			for _, again := range []*sumac.Groth16Key{memory, prepared} {
				same(t, must(again.Prove(c, witness, sumac.Randomness(randomness)))(t), fixed)
			}
			alone := must(c.OpenGroth16VerifyingKey(file("verification_key.json")))(t)
			holds(alone, publics, fixed, true)
			holds(must(c.NewGroth16VerifyingKey(read(t, "groth16", folder, "verification_key.json")))(t), publics, fixed, true)
			if alone.Info().Wires != 0 || alone.Info().Publics != info.Publics {
				t.Error(alone.Info())
			}
			// A wrong witness, wrong lengths and closed keys are refused.
			bad := append([]byte{}, witness...)
			bad[len(bad)-info.G1.ScalarBytes] ^= 1
			_, err = key.Prove(c, bad)
			fails(t, err, sumac.ErrNotSatisfied)
			fails(t, key.CheckWitness(c, bad, file("circuit.r1cs")), sumac.ErrNotSatisfied)
			_, err = key.Prove(c, witness[1:])
			fails(t, err, sumac.ErrBadLength)
			_, err = key.Prove(c, witness, sumac.Randomness(randomness[1:]))
			fails(t, err, sumac.ErrBadLength)
			_, err = key.ProveVector(c, wires, 1000)
			fails(t, err, sumac.ErrBadLength)
			_, err = verifying.Verify(c, publics[1:], proof)
			fails(t, err, sumac.ErrBadLength)
			_, err = verifying.Verify(c, publics, proofs)
			fails(t, err, sumac.ErrBadLength)
			_, err = verifying.Verify(c, nil, nil)
			fails(t, err, sumac.ErrBadLength)
			_, err = key.Publics(c, witness[1:])
			fails(t, err, sumac.ErrBadLength)
			key.Close()
			_, err = verifying.Verify(c, publics, proof)
			fails(t, err, sumac.ErrBadArgument)
			_, err = key.Prove(c, witness)
			fails(t, err, sumac.ErrBadArgument)
		})
	}
}

func TestGnarkFiles(t *testing.T) {
	c := newContext(t)
	curve(t, "bn254", "g2")
	file := func(name string) string { return data(t, "gnark", "bn254", name) }
	verifying := must(c.OpenGroth16VerifyingKey(file("vk.compressed")))(t)
	bare := must(c.OpenGroth16Key(file("pk.raw")))(t)
	_, err := bare.Prove(c, must(bare.OpenWitness(c, file("solution")))(t))
	fails(t, err, sumac.ErrNotSupported)
	key := must(c.OpenGroth16Key(file("pk.compressed"), verifying))(t)
	verifying.Close() // the proving key keeps the verifying key alive
	_, err = c.OpenGroth16Key(file("pk.compressed"), verifying)
	fails(t, err, sumac.ErrBadArgument)
	proof := must(key.Prove(c, must(key.OpenWitness(c, file("solution")))(t)))(t)
	alone := must(c.OpenGroth16VerifyingKey(file("vk.raw")))(t)
	publics := must(alone.DecodePublics(c, read(t, "gnark", "bn254", "public"), sumac.Gnark, "public"))(t)
	for _, one := range [][]byte{proof, must(alone.DecodeProof(c, read(t, "gnark", "bn254", "proof.raw"), sumac.GnarkRaw, "proof"))(t)} {
		if !must(alone.Verify(c, publics, one))(t) {
			t.Error("the proof does not hold")
		}
	}
}

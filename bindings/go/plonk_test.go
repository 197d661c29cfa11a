// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"crypto/sha256"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// TestPlonk makes keys and proofs that have the bytes of snarkjs', because the random numbers are those of tests/compat/plonk.
func TestPlonk(t *testing.T) {
	c := newContext(t)
	for folder, name := range map[string]string{"tiny-bn254": "bn254", "forms-bn254": "bn254", "tiny-bls12-381": "bls12-381",
		"fflonk-tiny-bn254": "bn254"} {
		t.Run(folder, func(t *testing.T) {
			curve(t, name, "g2")
			file := func(name string) string { return data(t, "plonk", folder, name) }
			circuit, isFflonk := strings.CutPrefix(folder, "fflonk-")
			powers, protocol := name+".ptau", sumac.ProtocolPlonk
			if isFflonk {
				powers, protocol = "fflonk-"+powers, sumac.ProtocolFflonk
			}
			zkey := filepath.Join(t.TempDir(), "key")
			ok(t, c.PlonkSetup(data(t, "plonk", circuit, "circuit.r1cs"), data(t, "plonk", powers), zkey, protocol))
			contents := must(os.ReadFile(zkey))(t)
			hash := sha256.Sum256(contents)
			same(t, hash[:], read(t, "plonk", folder, "key.sha256"))
			key := must(c.OpenPlonkKey(zkey, sumac.Compact(true), sumac.CheckCurve))(t)
			info, verifying := key.Info(), key.Verifying()
			var numbers []*big.Int
			if info.Protocol != protocol {
				t.Error("a key of another protocol")
			}
			for i := int64(1); i <= int64(info.BlindingBytes/32); i++ {
				power := new(big.Int).Exp(big.NewInt(1000003), big.NewInt(i), nil)
				numbers = append(numbers, power.Add(power, big.NewInt(i)))
			}
			witness := must(key.OpenWitness(c, data(t, "plonk", circuit, "witness.wtns")))(t)
			same(t, must(key.ReadWitness(c, read(t, "plonk", circuit, "witness.wtns")))(t), witness)
			publics := must(key.Publics(c, witness))(t)
			proof := must(key.Prove(c, witness, sumac.Blinding(info.G1.Scalars(numbers...)), sumac.Unverified(true)))(t)
			same(t, must(verifying.EncodeProof(c, proof, sumac.SnarkJS))(t), read(t, "plonk", folder, "proof.json"))
			same(t, must(verifying.EncodePublics(c, publics, sumac.SnarkJS))(t), read(t, "plonk", folder, "public.json"))
			same(t, must(verifying.DecodeProof(c, read(t, "plonk", folder, "proof.json"), sumac.SnarkJS, "proof.json"))(t), proof)
			same(t, must(verifying.DecodePublics(c, read(t, "plonk", folder, "public.json"), sumac.SnarkJS, "public.json"))(t), publics)
			two := must(key.Prove(c, append(append([]byte{}, witness...), witness...)))(t)
			inputs := append(append([]byte{}, publics...), publics...)
			other := must(c.OpenPlonkVerifyingKey(file("verification_key.json")))(t)
			if !must(other.Verify(c, inputs, two))(t) || other.Info().Domain != info.Domain {
				t.Error("two proofs do not hold")
			}
			inputs[0] ^= 1
			if must(must(c.NewPlonkVerifyingKey(contents))(t).Verify(c, inputs, two))(t) {
				t.Error("a wrong public input is accepted")
			}
			again := must(c.NewPlonkKey(contents, sumac.PrecomputeFactor(2)))(t)
			if again.Info().KeyBytes <= info.KeyBytes {
				t.Error("a key that keeps values is not larger")
			}
			witness[info.G1.ScalarBytes] ^= 1
			_, err := key.Prove(c, witness)
			fails(t, err, sumac.ErrNotSatisfied)
			_, err = key.Prove(c, witness, sumac.Blinding{1})
			fails(t, err, sumac.ErrBadLength)
			key.Close()
		})
	}
}

// TestPlonkGnark makes a proof with the bytes of gnark's, because the random numbers are gnark's.
func TestPlonkGnark(t *testing.T) {
	c := newContext(t)
	curve(t, "bn254", "g2")
	file := func(name string) []byte { return read(t, "gnark-plonk", "several-bn254", name) }
	key := must(c.NewPlonkKey(file("key")))(t)
	info, verifying := key.Info(), key.Verifying()
	if info.Commitments != 3 || info.Format != sumac.Gnark || info.Publics != 2 {
		t.Error(info)
	}
	witness := must(key.ReadWitness(c, file("solution")))(t)
	proof := must(key.Prove(c, witness, sumac.Blinding(file("blinding"))))(t)
	same(t, must(verifying.EncodeProof(c, proof, sumac.Gnark))(t), file("proof"))
	same(t, must(verifying.DecodeProof(c, file("proof.raw"), sumac.GnarkRaw, "proof"))(t), proof)
	same(t, must(verifying.EncodePublics(c, must(key.Publics(c, witness))(t), sumac.Gnark))(t), file("public"))
	numbers, hash, err := key.Commit(c, 0, make([]byte, 32))
	if err != nil || len(numbers) != 64 || len(hash) != 32 {
		t.Error(len(numbers), len(hash), err)
	}
	for _, which := range []int{-1, 3} {
		_, _, err = key.Commit(c, which, make([]byte, 32))
		fails(t, err, sumac.ErrBadArgument)
	}
	key.Close()
}

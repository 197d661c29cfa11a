// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	fp381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	kzg381 "github.com/consensys/gnark-crypto/ecc/bls12-381/kzg"
	fp254 "github.com/consensys/gnark-crypto/ecc/bn254/fp"
	kzg254 "github.com/consensys/gnark-crypto/ecc/bn254/kzg"
	"github.com/consensys/gnark-crypto/kzg"
	"github.com/consensys/gnark/backend/plonk"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/test/unsafekzg"

	sumac "github.com/sumac-msm/sumac/bindings/go"
	"github.com/sumac-msm/sumac/bindings/go/gnark"
)

func words[E ~[4]uint64 | ~[6]uint64](coordinates ...E) (file []byte) {
	for _, coordinate := range coordinates {
		for i := range len(coordinate) {
			file = binary.LittleEndian.AppendUint64(file, coordinate[i])
		}
	}
	return file
}

// ptauOf is a .ptau with the powers of an SRS of gnark. The other points are zeros.
func ptauOf(srs kzg.SRS) []byte {
	var prime, first, second []byte
	var points int
	switch s := srs.(type) {
	case *kzg254.SRS:
		prime, points = fp254.Modulus().Bytes(), len(s.Pk.G1)
		for _, p := range s.Pk.G1 {
			first = append(first, words(p.X, p.Y)...)
		}
		for _, p := range s.Vk.G2 {
			second = append(second, words(p.X.A0, p.X.A1, p.Y.A0, p.Y.A1)...)
		}
	case *kzg381.SRS:
		prime, points = fp381.Modulus().Bytes(), len(s.Pk.G1)
		for _, p := range s.Pk.G1 {
			first = append(first, words(p.X, p.Y)...)
		}
		for _, p := range s.Vk.G2 {
			second = append(second, words(p.X.A0, p.X.A1, p.Y.A0, p.Y.A1)...)
		}
	}
	slices.Reverse(prime)
	power := bits.Len(uint(points))
	le32 := func(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
	section := func(kind, size int, contents ...[]byte) []byte {
		head := binary.LittleEndian.AppendUint64(le32(kind), uint64(size))
		all := slices.Concat(append([][]byte{head}, contents...)...)
		return append(all, make([]byte, len(head)+size-len(all))...)
	}
	return slices.Concat([]byte("ptau"), le32(1), le32(3),
		section(1, 4+len(prime)+8, le32(len(prime)), prime, le32(power), le32(power)),
		section(2, (2<<power-1)*2*len(prime), first), section(3, 1<<power*4*len(prime), second))
}

func fileOf(t *testing.T, contents []byte) string {
	path := filepath.Join(t.TempDir(), "powers.ptau")
	ok(t, os.WriteFile(path, contents, 0o666))
	return path
}

func rawBytes(t *testing.T, key io.WriterTo) []byte {
	var file bytes.Buffer
	_, err := key.(interface {
		WriteRawTo(w io.Writer) (int64, error)
	}).WriteRawTo(&file)
	ok(t, err)
	return file.Bytes()
}

// compilePlonk compiles a circuit, and makes its powers of tau, with gnark.
func compilePlonk(t *testing.T, id ecc.ID, commitments int) (constraint.ConstraintSystem, frontend.Circuit, kzg.SRS, kzg.SRS) {
	empty, assigned := circuitOf(uint64(5 + commitments))
	empty.count = commitments
	system, _, _ := setupPlonk(t, id, empty)
	srs, lagrange, err := unsafekzg.NewSRS(system, unsafekzg.WithToxicSeed([]byte("powers")))
	ok(t, err)
	return system, assigned, srs, lagrange
}

// TestPlonkSetup compares keys from a .ptau with those of gnark's Setup. gnark proves with them, and sumac, and gnark verifies.
func TestPlonkSetup(t *testing.T) {
	c := newContext(t)
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381} {
		for commitments := range 3 {
			t.Run(fmt.Sprintf("%v,commitments=%d", id, commitments), func(t *testing.T) {
				system, assigned, srs, lagrange := compilePlonk(t, id, commitments)
				theirs, theirVerifying, err := plonk.Setup(system, srs, lagrange)
				ok(t, err)
				pk, vk, err := gnark.PlonkSetup(c, system, fileOf(t, ptauOf(srs)))
				ok(t, err)
				if !bytes.Equal(rawBytes(t, pk), rawBytes(t, theirs)) || !bytes.Equal(rawBytes(t, vk), rawBytes(t, theirVerifying)) {
					t.Fatal("other bytes than gnark's")
				}
				full, public := newWitness(t, id, assigned)
				proof, err := plonk.Prove(system, pk, full)
				ok(t, err)
				ok(t, plonk.Verify(proof, vk, public))
				key, err := gnark.OpenPlonk(c, system, pk)
				ok(t, err)
				defer key.Close()
				proof, err = key.Prove(c, system, full)
				ok(t, err)
				ok(t, plonk.Verify(proof, vk, public))
			})
		}
	}
}

func TestPlonkSetupRefuses(t *testing.T) {
	c := newContext(t)
	system, _, srs, _ := compilePlonk(t, ecc.BN254, 0)
	other, _, otherPowers, _ := compilePlonk(t, ecc.BLS12_377, 0)
	if _, ok := otherPowers.(*kzg254.SRS); ok {
		t.Fatal("powers of another curve")
	}
	groth16, err := frontend.Compile(ecc.BN254.ScalarField(), r1cs.NewBuilder, &circuit{n: 3})
	ok(t, err)
	short := *srs.(*kzg254.SRS)
	short.Pk.G1 = short.Pk.G1[:5]
	_, _, powers381, _ := compilePlonk(t, ecc.BLS12_381, 0)
	outside := ptauOf(srs)
	outside[bytes.Index(outside, words(srs.(*kzg254.SRS).Pk.G1[3].X))] ^= 1
	for _, bad := range []struct {
		name    string
		circuit constraint.ConstraintSystem
		powers  []byte
		status  sumac.Status
		words   string
	}{
		{"too few powers", system, ptauOf(&short), sumac.ErrBadLength, "powers of tau in g1, and the circuit needs"},
		{"powers of another curve", system, ptauOf(powers381), sumac.ErrBadFile, "not of elements of 32 bytes, as of bn254"},
		{"a point that is not on the curve", system, outside, sumac.ErrNotOnCurve, "3"},
		{"no powers", system, []byte("ptau"), sumac.ErrBadFile, ""},
		{"a circuit of Groth16", groth16, ptauOf(srs), sumac.ErrMismatch, "a circuit of Groth16, and not of PLONK"},
		{"a circuit of another curve", other, ptauOf(srs), sumac.ErrMismatch, "no circuit of a curve for which"},
	} {
		_, _, err := gnark.PlonkSetup(c, bad.circuit, fileOf(t, bad.powers))
		if !errors.Is(err, bad.status) || !strings.Contains(err.Error(), bad.words) {
			t.Errorf("%s: %v", bad.name, err)
		}
	}
	// The setup for snarkjs says whose constraint system it got.
	for _, each := range []constraint.ConstraintSystem{system, other, groth16} {
		var written bytes.Buffer
		_, err := each.WriteTo(&written)
		ok(t, err)
		err = c.PlonkSetup(fileOf(t, written.Bytes()), fileOf(t, ptauOf(srs)), filepath.Join(t.TempDir(), "key"))
		if !errors.Is(err, sumac.ErrBadFile) || !strings.Contains(err.Error(), "PlonkSetup() of the module bindings/go/gnark") {
			t.Error(err)
		}
	}
	if err := gnark.WritePlonkKey(io.Discard, groth16, nil); !errors.Is(err, sumac.ErrMismatch) {
		t.Error(err)
	}
	if _, _, err := gnark.PlonkSetup(c, nil, ""); err == nil {
		t.Error("a key without a circuit")
	}
	if _, _, err := gnark.PlonkSetup(c, system, filepath.Join(t.TempDir(), "none")); !errors.Is(err, sumac.ErrCannotOpen) {
		t.Error(err)
	}
}

// SPDX-License-Identifier: Apache-2.0 OR MIT

package gnark_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	fr377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	hash377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr/hash_to_field"
	fr381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	hash381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/hash_to_field"
	fr254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	hash254 "github.com/consensys/gnark-crypto/ecc/bn254/fr/hash_to_field"
	fr761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	hash761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr/hash_to_field"
	"github.com/consensys/gnark/backend"
	"github.com/consensys/gnark/backend/plonk"
	"github.com/consensys/gnark/constraint/solver"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs"
	"github.com/consensys/gnark/frontend/cs/scs"
	"github.com/consensys/gnark/test/unsafekzg"

	"github.com/sumac-msm/sumac/bindings/go/gnark"
)

type filesCircuit struct {
	X, Y    frontend.Variable `gnark:",public"`
	A, B, C frontend.Variable
	count   int // of commitments
}

func (c *filesCircuit) Define(api frontend.API) error {
	product := api.Mul(c.A, c.B)
	for i := range c.count {
		value, err := api.(frontend.Committer).Commit([]frontend.Variable{c.A, c.B, product}[:1+i]...)
		if err != nil {
			return err
		}
		api.AssertIsDifferent(value, c.X)
		product = api.Mul(product, api.Add(value, 1))
		product = api.DivUnchecked(product, api.Add(value, 1))
	}
	api.AssertIsEqual(api.Add(product, api.Mul(c.C, c.C, 3)), c.X)
	if c.count == 0 { // without constants the commitment Qk is infinity
		api.AssertIsEqual(api.Mul(c.A, c.C), c.Y)
	} else {
		api.AssertIsEqual(api.Add(api.Mul(c.A, c.C), 7), c.Y)
	}
	return nil
}

// digests is a stream of SHA-256 digests of a counter, and fives an endless one of bytes 5. gnark draws the numbers of commitments at
// the same time as others, so that for circuits with commitments all numbers are equal.
type digests struct {
	count uint64
	left  []byte
}

func (s *digests) Read(p []byte) (int, error) {
	for i := range p {
		if len(s.left) == 0 {
			digest := sha256.Sum256(binary.BigEndian.AppendUint64(nil, s.count))
			s.count++
			s.left = digest[:]
		}
		p[i], s.left = s.left[0], s.left[1:]
	}
	return len(p), nil
}

type fives struct{}

func (fives) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte{5}, len(p)))
	return len(p), nil
}

type filesCurve struct {
	id   ecc.ID
	hash func(domain []byte) hash.Hash
	draw func() []byte // a random number, big-endian
}

var filesCurves = map[string]filesCurve{
	"bn254": {ecc.BN254, hash254.New, func() []byte {
		var e fr254.Element
		b := must(e.SetRandom()).Bytes()
		return b[:]
	}},
	"bls12-381": {ecc.BLS12_381, hash381.New, func() []byte {
		var e fr381.Element
		b := must(e.SetRandom()).Bytes()
		return b[:]
	}},
	"bls12-377": {ecc.BLS12_377, hash377.New, func() []byte {
		var e fr377.Element
		b := must(e.SetRandom()).Bytes()
		return b[:]
	}},
	"bw6-761": {ecc.BW6_761, hash761.New, func() []byte {
		var e fr761.Element
		b := must(e.SetRandom()).Bytes()
		return b[:]
	}},
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestWritePlonkFiles writes the files of tests/data/gnark-plonk.tar.xz into a folder, SUMAC_GNARK_FILES. Keys are those that sumac
// opens, in gnark's raw encoding or, where noted, with compressed points. The lines of pairings, which sumac does not read, are zeros.
func TestWritePlonkFiles(t *testing.T) {
	root := os.Getenv("SUMAC_GNARK_FILES")
	if root == "" {
		t.Skip("SUMAC_GNARK_FILES is not set")
	}
	for _, f := range []struct {
		name, curve  string
		count        int
		isCompressed bool
	}{{"bn254", "bn254", 0, false}, {"bls12-381", "bls12-381", 0, true}, {"bls12-377", "bls12-377", 1, false},
		{"bw6-761", "bw6-761", 1, true}, {"several-bn254", "bn254", 3, true}} {
		folder := filepath.Join(root, f.name)
		ok(t, os.MkdirAll(folder, 0o777))
		writePlonkFiles(t, folder, filesCurves[f.curve], f.count, f.isCompressed)
	}
}

func writePlonkFiles(t *testing.T, folder string, curve filesCurve, count int, isCompressed bool) {
	put := func(name string, contents []byte) { ok(t, os.WriteFile(filepath.Join(folder, name), contents, 0o666)) }
	system := must(frontend.Compile(curve.id.ScalarField(), scs.NewBuilder, &filesCircuit{count: count}))
	srs, lagrange, err := unsafekzg.NewSRS(system, unsafekzg.WithToxicSeed([]byte("sumac")))
	ok(t, err)
	pk, vk, err := plonk.Setup(system, srs, lagrange)
	ok(t, err)
	full, public := newWitness(t, curve.id, &filesCircuit{X: 35 + 3*11*11, Y: 5*11 + 7*min(count, 1), A: 5, B: 7, C: 11})

	raw := new(bytes.Buffer)
	ok(t, gnark.WritePlonkKey(raw, system, pk))
	toBytes := func(to func(io.Writer) (int64, error)) []byte {
		var b bytes.Buffer
		must(to(&b))
		return b.Bytes()
	}
	rawKey, key := toBytes(pk.WriteRawTo), raw.Bytes()
	verifying := toBytes(vk.WriteRawTo)
	if isCompressed {
		key = append(toBytes(pk.WriteTo), key[len(rawKey):]...)
		verifying = toBytes(vk.WriteTo)
	}
	lines := map[ecc.ID]int{ecc.BN254: 66 * 128, ecc.BLS12_381: 63 * 192, ecc.BLS12_377: 63 * 192, ecc.BW6_761: 189 * 192}[curve.id] * 4
	end := len(verifying) - 4 - 8*count
	clear(key[end-lines : end])
	put("key", key)

	reader := rand.Reader
	defer func() { rand.Reader = reader }()
	random := func() io.Reader {
		if count > 0 {
			return fives{}
		}
		return &digests{}
	}
	draw := func(count int) (drawn []byte) {
		for range count {
			number := curve.draw()
			slices.Reverse(number)
			drawn = append(drawn, number...)
		}
		return drawn
	}
	// With statistical zero knowledge gnark first draws two numbers that hide the quotient, which are 0 without it.
	rand.Reader = random()
	proof := must(plonk.Prove(system, pk, full, backend.WithStatisticalZeroKnowledge()))
	ok(t, plonk.Verify(proof, vk, public))
	put("proof.statistical", toBytes(proof.WriteTo))
	rand.Reader = random()
	last := draw(2)
	put("blinding.statistical", append(draw(9), last...))
	rand.Reader = random()
	proof = must(plonk.Prove(system, pk, full))
	ok(t, plonk.Verify(proof, vk, public))
	put("proof", toBytes(proof.WriteTo))
	put("proof.raw", toBytes(proof.WriteRawTo))
	put("public", toBytes(public.WriteTo))
	rand.Reader = random()
	put("blinding", append(draw(9), make([]byte, len(last))...))

	// The solver needs the values of gnark's commitments, which are the last points of the proof.
	points := toBytes(proof.WriteRawTo)
	size := map[ecc.ID]int{ecc.BN254: 64, ecc.BLS12_381: 96, ecc.BLS12_377: 96, ecc.BW6_761: 192}[curve.id]
	points = points[len(points)-count*size:]
	hint := solver.OverrideHint(solver.GetHintID(cs.Bsb22CommitmentComputePlaceholder), func(_ *big.Int, in, out []*big.Int) error {
		h, which := curve.hash([]byte("BSB22-Plonk")), int(in[0].Int64())
		h.Write(points[which*size : (which+1)*size])
		out[0].SetBytes(h.Sum(nil))
		return nil
	})
	solution := must(system.Solve(full, hint)).(io.WriterTo)
	file := toBytes(solution.WriteTo)
	if count > 0 {
		file = binary.BigEndian.AppendUint32(file, uint32(2*count))
		for range 2 * count {
			file = append(file, curve.draw()...)
		}
	}
	put("solution", file)
}

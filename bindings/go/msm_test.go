// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

func number(t testing.TB, text string) *big.Int {
	k, is := new(big.Int).SetString(text, 0)
	if !is {
		t.Fatalf("%q is no number", text)
	}
	return k
}

// vectorPoint converts a point of the test vectors, which is null, or has coordinates of one or two numbers.
func vectorPoint(t testing.TB, c *sumac.Curve, text json.RawMessage) []byte {
	if string(text) == "null" {
		return make([]byte, c.PointBytes)
	}
	var p struct{ X, Y json.RawMessage }
	ok(t, json.Unmarshal(text, &p))
	var coordinates []*big.Int
	for _, coordinate := range []json.RawMessage{p.X, p.Y} {
		parts := make([]string, 1)
		if c.Degree == 2 {
			ok(t, json.Unmarshal(coordinate, &parts))
		} else {
			ok(t, json.Unmarshal(coordinate, &parts[0]))
		}
		for _, part := range parts {
			coordinates = append(coordinates, number(t, part))
		}
	}
	return must(c.Point(coordinates...))(t)
}

func TestVectors(t *testing.T) {
	context := newContext(t)
	tested := 0
	for _, c := range sumac.Curves() {
		var file struct {
			Cases []struct {
				Name    string
				Bases   []json.RawMessage
				Scalars []string
				Result  json.RawMessage
			}
		}
		text, err := os.ReadFile(data(t, "vectors", c.Name+"_"+c.Group+".json"))
		if os.IsNotExist(err) {
			continue // this curve exists only in the tests
		}
		ok(t, err)
		ok(t, json.Unmarshal(text, &file))
		for _, one := range file.Cases {
			var points, scalars []byte
			for i, base := range one.Bases {
				points = append(points, vectorPoint(t, c, base)...)
				scalars = append(scalars, little(c.ScalarBytes, number(t, one.Scalars[i]))...)
			}
			bases := must(context.NewBases(c, points, sumac.CheckSubgroup))(t)
			if result := must(bases.MSM(context, scalars))(t); !bytes.Equal(result, vectorPoint(t, c, one.Result)) {
				t.Errorf("%v, %s: %x", c, one.Name, result)
			}
			bases.Close()
			tested++
		}
	}
	if tested < 20 {
		t.Errorf("only %d cases", tested)
	}
}

func TestMSM(t *testing.T) {
	context := newContext(t)
	for _, name := range []string{"bn254", "bls12-381", "secp256k1"} {
		t.Run(name, func(t *testing.T) {
			g := oracle(t, name)
			points, scalars := g.random(12, 5)
			raw, size := g.raw(points...), g.curve.ScalarBytes
			bases := must(context.NewBases(g.curve, raw))(t)
			defer bases.Close()
			if bases.Count() != 12 || bases.Curve() != g.curve || bases.Tables() != sumac.Multiples || bases.PrecomputeFactor() != 1 || bases.Bytes() == 0 {
				t.Error(bases)
			}
			all := g.curve.Scalars(scalars...)
			expected := g.raw(g.sum(points, scalars))
			same(t, must(bases.MSM(context, all))(t), expected)
			same(t, must(bases.MSM(context, all, sumac.Tuning("c=5,plan=auto,reduction=halving")))(t), expected)
			same(t, must(must(context.NewBases(g.curve, nil))(t).MSM(context, nil))(t), g.raw(nil))
			same(t, must(bases.MSM(context, nil, sumac.Offsets{0, 0}))(t), g.raw(nil))
			same(t, must(bases.MSM(context, g.curve.Scalars(scalars[:7]...), sumac.N(7)))(t), g.raw(g.sum(points[:7], scalars[:7])))

			// Columns have small integers, with and without a sign.
			for _, bytes := range []int{1, 2, 3, 4, 8} {
				var small, signed []*big.Int
				for i, k := range scalars {
					small = append(small, new(big.Int).Mod(k, new(big.Int).Lsh(big.NewInt(1), uint(8*bytes))))
					half := new(big.Int).Rsh(small[i], 1)
					if i%2 == 1 {
						half.Neg(half)
					}
					signed = append(signed, half)
				}
				same(t, must(bases.MSM(context, little(bytes, small...), sumac.ScalarBytes(uint32(bytes))))(t), g.raw(g.sum(points, small)))
				same(t, must(bases.MSM(context, little(bytes, signed...), sumac.ScalarBytes(uint32(bytes)), sumac.ScalarSigned(true)))(t),
					g.raw(g.sum(points, signed)))
			}
			signed := []int64{-1, 5, -1 << 40, 7, 0, 1 << 62, -3, 2, 2, 2, 2, -9}
			var big64 []*big.Int
			for _, k := range signed {
				big64 = append(big64, big.NewInt(k))
			}
			same(t, must(bases.MSM(context, sumac.Bytes(signed), sumac.ScalarBytes(8), sumac.ScalarSigned(true)))(t), g.raw(g.sum(points, big64)))

			// Scalars have a declared number of bits, or are cut to it.
			var low []*big.Int
			for _, k := range scalars {
				low = append(low, new(big.Int).And(k, big.NewInt(1<<20-1)))
			}
			same(t, must(bases.MSM(context, little(size, low...), sumac.ScalarBits(20)))(t), g.raw(g.sum(points, low)))
			same(t, must(bases.MSM(context, all, sumac.ScalarBits(20), sumac.CutScalars(true)))(t), g.raw(g.sum(points, low)))
			_, err := bases.MSM(context, all, sumac.ScalarBits(20))
			fails(t, err, sumac.ErrScalarTooLarge)

			// The MSMs of a batch use the same bases, different bases, sets in turns, different lengths, or bases from a given
			// index on.
			parts := func(n, sets, first int) (all []byte) {
				for j := 0; j < 12/n; j++ {
					all = append(all, g.raw(g.sum(points[first+j%sets*n:], scalars[j*n:(j+1)*n]))...)
				}
				return all
			}
			same(t, must(bases.MSM(context, all, sumac.N(4), sumac.Batch(3)))(t), parts(4, 1, 0))
			same(t, must(bases.MSM(context, all, sumac.N(4), sumac.Batch(3), sumac.First(5)))(t), parts(4, 1, 5))
			same(t, must(bases.MSM(context, all, sumac.Batch(4), sumac.BaseSets(4)))(t), parts(3, 4, 0))
			same(t, must(bases.MSM(context, all, sumac.N(3), sumac.Batch(4), sumac.BaseSets(2), sumac.First(1)))(t), parts(3, 2, 1))
			offsets := []uint64{0, 3, 3, 10, 12}
			for _, separate := range []bool{false, true} {
				var lengths []byte
				for j, from := range offsets[:4] {
					first := points
					if separate {
						first = points[from:]
					}
					lengths = append(lengths, g.raw(g.sum(first, scalars[from:offsets[j+1]]))...)
				}
				sets := uint32(0)
				if separate {
					sets = uint32(len(offsets) - 1)
				}
				same(t, must(bases.MSM(context, all, sumac.Offsets(offsets), sumac.BaseSets(sets)))(t), lengths)
			}

			// Points are read and written in Montgomery form.
			shift := func(bytes int, integers []*big.Int, modulus *big.Int) (all []*big.Int) {
				for _, k := range integers {
					all = append(all, new(big.Int).Mod(new(big.Int).Lsh(k, uint(8*bytes)), modulus))
				}
				return all
			}
			coordinates := must(sumac.Integers(raw, g.curve.FieldBytes))(t)
			montgomery := must(context.NewBases(g.curve, little(g.curve.FieldBytes, shift(g.curve.FieldBytes, coordinates, g.p)...), sumac.Montgomery, sumac.CheckCurve))(t)
			sum := must(sumac.Integers(expected, g.curve.FieldBytes))(t)
			same(t, must(montgomery.MSM(context, little(size, shift(size, scalars, g.r)...), sumac.ScalarForm(sumac.Montgomery), sumac.ResultForm(sumac.Montgomery)))(t),
				little(g.curve.FieldBytes, shift(g.curve.FieldBytes, sum, g.p)...))

			// Records have a flag for infinity, as records of arkworks do.
			var records []byte
			for i := range points {
				records = append(records, raw[i*g.curve.PointBytes:(i+1)*g.curve.PointBytes]...)
				flag := make([]byte, 8)
				if points[i] == nil {
					flag[0] = 1
				}
				records = append(records, flag...)
			}
			flagged := must(context.NewBases(g.curve, records, sumac.Stride(g.curve.PointBytes+8), sumac.InfinityAt(g.curve.PointBytes)))(t)
			same(t, must(flagged.MSM(context, all))(t), expected)

			// Bases with multiples and with tables are saved and opened.
			path := filepath.Join(t.TempDir(), "table")
			for _, options := range [][]sumac.BasesOption{
				{sumac.PrecomputeFactor(3)}, {sumac.Windows, sumac.Tuning("c=4")}, {sumac.AutoTable, sumac.TypicalBatch(4), sumac.TypicalN(3)},
			} {
				with := must(context.NewBases(g.curve, raw, options...))(t)
				same(t, must(with.MSM(context, all))(t), expected)
				ok(t, with.Save(context, path, ""))
				for _, wanted := range []*sumac.Curve{nil, g.curve} {
					again := must(context.OpenBases(wanted, path, "", 0, sumac.All, sumac.CheckNone))(t)
					if again.Tables() != with.Tables() || again.PrecomputeFactor() != with.PrecomputeFactor() {
						t.Error("another table")
					}
					same(t, must(again.MSM(context, all))(t), expected)
				}
			}

			// Get returns points, and OpenBases opens a part of a file.
			two := make([]byte, 2*g.curve.PointBytes)
			ok(t, bases.Get(context, two, 3))
			same(t, two, g.raw(points[3:5]...))
			ok(t, bases.Save(context, path, "raw"))
			if n := must(context.CountBases(g.curve, path, "raw"))(t); n != 12 {
				t.Error(n)
			}
			part := must(context.OpenBases(g.curve, path, "", 3, 2))(t)
			same(t, must(part.MSM(context, g.curve.Scalars(scalars[:2]...)))(t), g.raw(g.sum(points[3:], scalars[:2])))
			same(t, must(must(context.OpenBases(g.curve, path, "raw", 0, sumac.All))(t).MSM(context, all))(t), expected)

			// MSMFiles reads files of bases and scalars, and ReadScalars reads the file of scalars.
			scalarsPath := filepath.Join(t.TempDir(), "scalars")
			ok(t, os.WriteFile(scalarsPath, all, 0o600))
			same(t, must(context.ReadScalars(g.curve, scalarsPath))(t), all)
			result, report, err := context.MSMFiles(g.curve, path, scalarsPath, sumac.Chunk(5), sumac.Checkpoint(path+".checkpoint"), sumac.CheckpointInterval(-1))
			ok(t, err)
			same(t, result, expected)
			if report.N != 12 || report.Chunk != 5 {
				t.Error(report)
			}

			// Partial results are combined as if several processes had computed them.
			partial := func(from, to int) []byte {
				return must(bases.MSMPartial(context, g.curve.Scalars(scalars[from:to]...), sumac.First(from), sumac.N(to-from)))(t)
			}
			same(t, must(context.CombinePartials(g.curve, 1, partial(0, 5), partial(5, 12)))(t), expected)
			same(t, must(context.CombinePartials(g.curve, 2))(t), g.raw(nil, nil))

			// Calls are prepared, and use memory outside Go's memory.
			call := must(bases.Prepare(context, 4, sumac.Batch(3)))(t)
			same(t, must(call.Run(all))(t), parts(4, 1, 0))
			same(t, must(call.Run(all))(t), parts(4, 1, 0))
			if plan := must(call.Plan())(t); plan.Numbers["n"] != 4 || plan.Numbers["batch"] != 3 || plan.Kinds["combine"] != "horner" {
				t.Error(plan)
			}
			block := must(context.NewPinned(len(all) + len(expected)))(t)
			defer block.Close()
			copy(block.Bytes(), all)
			address := uintptr(unsafe.Pointer(unsafe.SliceData(block.Bytes())))
			at := sumac.At{Scalars: address, Results: address + uintptr(len(all))}
			ok(t, bases.MSMAt(context, at, 12))
			same(t, block.Bytes()[len(all):], expected)
			clear(block.Bytes()[len(all):])
			prepared := must(bases.PrepareAt(context, sumac.At{}, 12))(t)
			ok(t, prepared.RunAt(at.Scalars, at.Results))
			same(t, block.Bytes()[len(all):], expected)

			// Plans have names of stages, numbers and sizes of memory.
			for _, plan := range []*sumac.Plan{must(bases.Plan(context, 12))(t), must(context.Plan(g.curve, 12, nil))(t)} {
				if plan.Name != "auto" || plan.Numbers["c"] == 0 || plan.Numbers["precompute_factor"] != 1 || plan.Milliseconds <= 0 ||
					plan.Bytes["workspace"] == 0 || len(plan.Kinds) < 5 {
					t.Error(plan)
				}
				if plans := must(context.Plans(g.curve))(t); plans.Kinds["combine"][plan.Kinds["combine"]] == "" {
					t.Error("nothing is said of the kind")
				}
			}
		})
	}
}

func TestKnown(t *testing.T) {
	context := newContext(t)
	c := curve(t, "bn254", "g1")
	bases := must(context.NewKnownBases(c, 1000, 7))(t)
	logarithms := must(context.KnownLogarithms(c, 1000, 7))(t)
	other := must(context.KnownLogarithms(c, 1000, 8))(t) // these serve as scalars
	same(t, must(bases.MSM(context, other))(t), must(context.KnownAnswer(c, other, logarithms))(t))
}

func TestFormats(t *testing.T) {
	context := newContext(t)
	c := curve(t, "bls12-381", "g1")
	names := make(map[string]bool)
	for _, f := range sumac.Formats() {
		names[f.Name] = f.CanRead && f.Description != ""
	}
	if !names["raw"] || !names["zcash-compressed"] {
		t.Error(names)
	}
	generator := must(c.Generator())(t)
	records := must(context.EncodePoints(c, append(generator, make([]byte, 96)...), "zcash-compressed"))(t)
	expected := number(t, "0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb").Bytes()
	same(t, records, append(append(expected, 0xc0), make([]byte, 47)...))
	same(t, must(context.DecodePoints(c, records, "zcash-compressed", sumac.CheckSubgroup))(t), append(generator, make([]byte, 96)...))
	same(t, must(context.DecodePoints(c, generator, "", sumac.CheckDefault))(t), generator)
	for _, file := range []string{"gnark-compressed.bls12_381_g1", "gnark-dump.bls12_381_g1", "arkworks-compressed.bls12_381_g1"} {
		bases := must(context.OpenBases(c, data(t, "formats", file), strings.Split(file, ".")[0], 0, sumac.All, sumac.CheckSubgroup))(t)
		if bases.Count() == 0 {
			t.Error(file)
		}
	}
}

func TestCurves(t *testing.T) {
	if sumac.Version() == "" || sumac.VersionNumber() < 100 {
		t.Error(sumac.Version())
	}
	c := curve(t, "BN_254", "")
	if c.String() != "bn254 g1" || c != curve(t, "alt_bn128", "G1") || c.FieldBits != 254 || c.ScalarBytes != 32 || c.PointBytes != 64 || !c.CofactorIsOne ||
		c.Modulus().String() != "21888242871839275222246405745257275088696311157297823662689037894645226208583" ||
		c.Order().String() != "21888242871839275222246405745257275088548364400416034343698204186575808495617" {
		t.Error(*c)
	}
	root := must(sumac.Integers(must(c.RootOfUnity(3))(t), 32))(t)[0]
	if new(big.Int).Exp(root, big.NewInt(4), c.Order()).Cmp(new(big.Int).Sub(c.Order(), big.NewInt(1))) != 0 {
		t.Error("the root's order is not 8")
	}
}

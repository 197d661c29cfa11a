// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

func TestVectorOperations(t *testing.T) {
	context := newContext(t)
	c := curve(t, "bls12-381", "g1")
	r := c.Order()
	_, a := oracle(t, "bls12-381").random(8, 1)
	_, b := oracle(t, "bls12-381").random(8, 2)
	vector := func(k ...*big.Int) *sumac.Vector { return must(context.NewScalars(c, c.Scalars(k...)))(t) }
	has := func(v *sumac.Vector, expected ...*big.Int) {
		t.Helper()
		same(t, must(v.Bytes(context))(t), c.Scalars(expected...))
	}
	each := func(f func(i int) *big.Int) (all []*big.Int) {
		for i := range a {
			all = append(all, f(i))
		}
		return all
	}
	x, y := vector(a...), vector(b...)
	if x.Count() != 8 || x.Kind() != sumac.ScalarVector || x.Curve() != c {
		t.Error(x)
	}
	z := must(context.NewVector(c, sumac.ScalarVector, 8))(t)
	ok(t, x.Add(context, y, 1, z))
	has(z, each(func(i int) *big.Int { return new(big.Int).Add(a[i], b[i]) })...)
	ok(t, x.Subtract(context, y, 1, z))
	has(z, each(func(i int) *big.Int { return new(big.Int).Sub(a[i], b[i]) })...)
	two := vector(b[:2]...)
	ok(t, x.Multiply(context, two, 4, z))
	has(z, each(func(i int) *big.Int { return new(big.Int).Mul(a[i], b[i/4]) })...)
	ok(t, z.Invert(context))
	has(z, each(func(i int) *big.Int {
		return new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Mul(a[i], b[i/4]), r), r)
	})...)
	ok(t, z.Fill(context, c.Scalars(b[0])))
	ok(t, z.ScalePowers(context, nil, c.Scalars(big.NewInt(3)), 4))
	has(z, each(func(i int) *big.Int { return new(big.Int).Mul(b[0], big.NewInt([]int64{1, 3, 9, 27}[i%4])) })...)
	ok(t, x.Sum(context, 4, two))
	sum := func(k []*big.Int) *big.Int {
		s := new(big.Int)
		for _, one := range k {
			s.Add(s, one)
		}
		return s
	}
	has(two, sum(a[:4]), sum(a[4:]))
	ok(t, x.Transpose(context, 2, 4, z))
	has(z, a[0], a[4], a[1], a[5], a[2], a[6], a[3], a[7])
	ok(t, z.BitReverse(context, 4))
	has(z, a[0], a[1], a[4], a[5], a[2], a[3], a[6], a[7])
	ok(t, x.Gather(context, 2, []uint64{3, 0, 3, 1}, z))
	has(z, a[6], a[7], a[0], a[1], a[6], a[7], a[2], a[3])
	ok(t, y.Copy(context, sumac.Slice{First: 1, Runs: 2, Length: 1, Stride: 4}, z, sumac.Slice{Runs: 2, Length: 1, Stride: 2}))
	has(z, b[1], a[7], b[5], a[1], a[6], a[7], a[2], a[3])
	// Elements are written and read in each layout.
	part := make([]byte, 64)
	ok(t, x.Get(context, part, 3, sumac.BigEndian(true)))
	same(t, part, append(a[3].FillBytes(make([]byte, 32)), a[4].FillBytes(make([]byte, 32))...))
	ok(t, z.Set(context, part, 0, sumac.BigEndian(true)))
	ok(t, z.Get(context, part, 0))
	same(t, part, c.Scalars(a[3], a[4]))
	ok(t, z.Get(context, part[:32], 0, sumac.Montgomery))
	same(t, part[:32], c.Scalars(new(big.Int).Lsh(a[3], 256)))
}

func TestScans(t *testing.T) {
	context, c := newContext(t), curve(t, "bls12-381", "g1")
	r := c.Order()
	_, a := oracle(t, "bls12-381").random(8, 5)
	vector := func(k ...*big.Int) *sumac.Vector { return must(context.NewScalars(c, c.Scalars(k...)))(t) }
	x, y, z := vector(a...), vector(a[:2]...), vector(a...)
	ok(t, x.MultiplyAdd(context, y, 4, x, z))
	var expected []*big.Int
	for i, k := range a {
		product := new(big.Int).Mul(k, a[i/4])
		expected = append(expected, product.Add(product, k))
	}
	same(t, must(z.Bytes(context))(t), c.Scalars(expected...))
	for _, length := range []int{4, 8} {
		for _, operation := range []sumac.Scan{sumac.ScanSum, sumac.ScanProduct} {
			for _, exclusive := range []bool{false, true} {
				z := vector(a...)
				ok(t, z.Scan(context, length, operation, exclusive))
				expected, after := expected[:0], new(big.Int)
				for i, k := range a {
					before := after
					if i%length == 0 {
						before = big.NewInt(int64(operation))
					}
					if after = new(big.Int).Add(before, k); operation == sumac.ScanProduct {
						after.Mod(after.Mul(before, k), r)
					}
					if expected = append(expected, after); exclusive {
						expected[i] = before
					}
				}
				same(t, must(z.Bytes(context))(t), c.Scalars(expected...))
			}
		}
	}
	// The values are those of q (x^4 - 1) at x = 7 root^i.
	ok(t, x.DivideByVanishing(context, 4, sumac.Shift(c.Scalars(big.NewInt(7)))))
	root := must(sumac.Integers(must(c.RootOfUnity(3))(t), 32))(t)[0]
	place, products := big.NewInt(7), []*big.Int(nil)
	for _, q := range must(sumac.Integers(must(x.Bytes(context))(t), 32))(t) {
		below := new(big.Int).Exp(place, big.NewInt(4), r)
		products = append(products, q.Mul(q, below.Sub(below, big.NewInt(1))))
		place = new(big.Int).Mod(new(big.Int).Mul(place, root), r)
	}
	same(t, c.Scalars(products...), c.Scalars(a...))
	// Columns of integers become scalars.
	ok(t, sumac.SetIntegers(context, z, []uint8{9, 0, 255, 7}, 0))
	ok(t, sumac.SetIntegers(context, z, []int32{-1 << 31, 1<<31 - 1}, 4))
	ok(t, sumac.SetIntegers(context, z, []int64{-3}, 6))
	ok(t, sumac.SetIntegers(context, z, []uint64{1<<64 - 1}, 7))
	two := func(k int64) *big.Int { return big.NewInt(k) }
	same(t, must(z.Bytes(context))(t), c.Scalars(two(9), two(0), two(255), two(7), two(-1<<31), two(1<<31-1), two(-3), new(big.Int).SetUint64(1<<64-1)))
	fails(t, z.Set(context, make([]byte, 6), 0, sumac.ScalarBytes(3)), sumac.ErrBadArgument)
	fails(t, z.Set(context, make([]byte, 6), 0, sumac.ScalarBytes(-1)), sumac.ErrBadArgument)
	fails(t, z.Set(context, make([]byte, 6), 0, sumac.ScalarBytes(4)), sumac.ErrBadLength)
}

// TestViews checks that views and the caller's memory show the same scalars, which live as long as one of them. A call with
// both counts as one use.
func TestViews(t *testing.T) {
	context, c := newContext(t), curve(t, "bn254", "g1")
	words := func(k ...int64) (memory []byte) {
		for _, one := range k {
			memory = append(memory, c.Scalars(new(big.Int).Lsh(big.NewInt(one), 256))...)
		}
		return memory
	}
	numbers := func(k ...int64) []byte {
		var all []*big.Int
		for _, one := range k {
			all = append(all, big.NewInt(one))
		}
		return c.Scalars(all...)
	}
	memory := words(1, 2, 3, 4)
	v := must(context.WrapHost(c, memory))(t)
	same(t, must(v.Bytes(context))(t), numbers(1, 2, 3, 4))
	view := must(v.View(context, 1, 3))(t)
	inner := must(view.View(context, 1, 2))(t)
	ok(t, inner.Fill(context, numbers(9)))
	same(t, memory, words(1, 2, 9, 9))
	if v.Memory() != unsafe.Pointer(&memory[0]) || inner.Memory() != unsafe.Pointer(&memory[64]) {
		t.Error("the memory is elsewhere")
	}
	ok(t, view.Add(context, view, 1, view))
	left, right := must(v.View(context, 0, 2))(t), must(v.View(context, 2, 2))(t)
	ok(t, left.Add(context, right, 1, left)) // one view reads the vector, and the other view writes it
	same(t, must(v.Bytes(context))(t), numbers(19, 22, 18, 18))
	// While a call reads a view, no other call may write its vector or another view of it.
	working, function := withProgress(t)
	bases, scalars := work(t, working)
	long := must(working.NewScalars(c, scalars))(t)
	part, result, calls := must(long.View(working, 0, 1<<14))(t), must(working.NewVector(c, sumac.PointVector, 1))(t), 0
	*function = func(float64) error {
		calls++
		second := must(long.View(context, 7, 1))(t)
		for _, one := range []*sumac.Vector{long, part, second} {
			fails(t, one.Fill(context, numbers(1)), sumac.ErrBadArgument)
		}
		same(t, must(second.Bytes(context))(t), scalars[7*32:8*32])
		return nil
	}
	ok(t, bases.MSMVectors(working, part, 0, 1<<14, result, 0))
	ok(t, long.Fill(context, numbers(1)))
	if calls == 0 {
		t.Error("progress is not reported")
	}
	v.Close()
	view.Close()
	fails(t, view.Fill(context, numbers(5)), sumac.ErrBadArgument)
	ok(t, inner.Fill(context, numbers(5)))
	same(t, memory[64:], words(5, 5))
	for _, wrong := range [][2]int{{0, 3}, {3, 0}, {-1, 1}, {0, -1}} {
		_, err := inner.View(context, wrong[0], wrong[1])
		fails(t, err, sumac.ErrBadArgument)
	}
	_, err := context.WrapHost(c, memory[1:33])
	fails(t, err, sumac.ErrBadArgument)
	_, err = context.WrapHost(c, memory[8:])
	fails(t, err, sumac.ErrBadLength)
	_, err = context.WrapDevice(c, unsafe.Pointer(&memory[0]), 32)
	fails(t, err, sumac.ErrBadArgument)
	if must(context.WrapHost(c, nil))(t).Count() != 0 || result.Memory() != nil || v.Memory() != nil {
		t.Error("nothing has memory")
	}
	// Memory to which nothing else refers is pinned as long as a view needs it.
	lost := words(6, 7)
	var collected atomic.Bool
	runtime.AddCleanup(&lost[0], func(int) { collected.Store(true) }, 0)
	whole := must(context.WrapHost(c, lost))(t)
	own := must(whole.View(context, 1, 1))(t)
	whole.Close()
	lost = nil
	for range 5 {
		runtime.GC()
		runtime.Gosched()
	}
	if collected.Load() {
		t.Error("the memory of a view is collected")
	}
	same(t, must(own.Bytes(context))(t), numbers(7))
	same(t, unsafe.Slice((*byte)(own.Memory()), 32), words(7))
	runtime.KeepAlive(own)
}

// evaluate returns the value of a polynomial at x.
func evaluate(coefficients []*big.Int, x, r *big.Int) *big.Int {
	y := new(big.Int)
	for i := len(coefficients) - 1; i >= 0; i-- {
		y.Mul(y, x).Add(y, coefficients[i]).Mod(y, r)
	}
	return y
}

func TestTransforms(t *testing.T) {
	context := newContext(t)
	for _, name := range []string{"bn254", "bls12-381"} {
		g := oracle(t, name)
		_, f := g.random(8, 3)
		root := must(sumac.Integers(must(g.curve.RootOfUnity(3))(t), g.curve.ScalarBytes))(t)[0]
		shift := big.NewInt(7)
		var values, onCoset []*big.Int
		x := big.NewInt(1)
		for range 8 {
			values = append(values, evaluate(f, x, g.r))
			onCoset = append(onCoset, evaluate(f, new(big.Int).Mul(x, shift), g.r))
			x = new(big.Int).Mod(new(big.Int).Mul(x, root), g.r)
		}
		v := must(context.NewScalars(g.curve, g.curve.Scalars(f...)))(t)
		ok(t, v.NTT(context))
		same(t, must(v.Bytes(context))(t), g.curve.Scalars(values...))
		ok(t, v.NTT(context, sumac.Inverse(true)))
		same(t, must(v.Bytes(context))(t), g.curve.Scalars(f...))
		ok(t, v.NTT(context, sumac.Shift(g.curve.Scalars(shift)), sumac.ValueOrder(sumac.BitReversedOrder)))
		var reversed []*big.Int
		for _, i := range []int{0, 4, 2, 6, 1, 5, 3, 7} {
			reversed = append(reversed, onCoset[i])
		}
		same(t, must(v.Bytes(context))(t), g.curve.Scalars(reversed...))
		// A transform of points turns multiples of the generator by the coefficients into multiples of the generator by the
		// values.
		var points, transformed []*big.Int
		for i := range f {
			points = append(points, f[i])
			transformed = append(transformed, values[i])
		}
		p := must(context.NewPoints(g.curve, g.raw(points...)))(t)
		ok(t, p.NTT(context))
		same(t, must(p.Bytes(context))(t), g.raw(transformed...))
		// MSMs accept a vector's scalars, and bases can be made of a vector's points.
		bases := must(context.NewBasesOfVector(p, 2, 4))(t)
		scalars := must(context.NewScalars(g.curve, g.curve.Scalars(f...)))(t)
		results := must(context.NewVector(g.curve, sumac.PointVector, 3))(t)
		ok(t, bases.MSMVectors(context, scalars, 0, 4, results, 1, sumac.Batch(2)))
		same(t, must(results.Bytes(context))(t), g.raw(nil, g.sum(transformed[2:], f[:4]), g.sum(transformed[2:], f[4:])))
	}
}

// TestShplonk opens f = X^3 at 0 and 1, and g = 5 + X at 1. The secret is 2, the factors are 1 and 7, and z is 4. Then h is
// (X^3 - X)/(X (X - 1)) + 7 = X + 8, and l/(X - 4) is (X^3 - 4 + 7*4*(X - 1) - 12 h)/(X - 4) = X^2 + 4X + 32.
func TestShplonk(t *testing.T) {
	context := newContext(t)
	g := oracle(t, "bn254")
	c := g.curve
	integers := func(values ...int64) []*big.Int {
		var list []*big.Int
		for _, v := range values {
			list = append(list, big.NewInt(v))
		}
		return list
	}
	vector := func(values ...int64) *sumac.Vector {
		return must(context.NewScalars(c, c.Scalars(integers(values...)...)))(t)
	}
	points := func(values ...int64) []byte { return g.raw(integers(values...)...) }
	srs := must(context.NewBases(c, points(1, 2, 4, 8), sumac.CheckSubgroup))(t)
	polynomials, z := vector(0, 0, 0, 1, 5, 1, 0, 0), vector(4)
	openings := sumac.Openings{Points: vector(0, 1), Factors: vector(1, 7), Opened: []byte{1, 1, 0, 1}}
	quotient, point := must(context.NewVector(c, sumac.ScalarVector, 4))(t), must(context.NewVector(c, sumac.PointVector, 1))(t)
	ok(t, context.ShplonkQuotient(srs, polynomials, 4, openings, quotient, point))
	same(t, must(quotient.Bytes(context))(t), c.Scalars(integers(8, 1, 0, 0)...))
	same(t, must(point.Bytes(context))(t), points(10))
	ok(t, context.ShplonkOpen(srs, polynomials, 4, openings, quotient, z, point))
	same(t, must(point.Bytes(context))(t), points(44))

	commitments, proof := must(context.NewPoints(c, points(8, 7)))(t), must(context.NewPoints(c, points(10, 44)))(t)
	second := must(sumac.FindCurve("bn254", "g2"))(t)
	one := must(context.NewBases(second, must(second.Generator())(t)))(t)
	g2 := append(must(second.Generator())(t), must(one.MSM(context, second.Scalars(big.NewInt(2))))(t)...)
	if !must(context.ShplonkVerify(c, points(1), g2, commitments, openings, vector(0, 1, 9, 6), z, proof))(t) ||
		must(context.ShplonkVerify(c, points(1), g2, commitments, openings, vector(0, 1, 9, 7), z, proof))(t) {
		t.Error("the proof holds with its values alone")
	}
	openings.Opened = openings.Opened[1:]
	fails(t, context.ShplonkQuotient(srs, polynomials, 4, openings, quotient, point), sumac.ErrBadLength)
	_, err := context.ShplonkVerify(c, points(1), g2[1:], commitments, openings, vector(0, 1, 9, 6), z, proof)
	fails(t, err, sumac.ErrBadLength)

	digest := sha256.Sum256([]byte("abc"))
	expected := new(big.Int).Mod(new(big.Int).SetBytes(digest[:]), g.r)
	same(t, must(context.Challenge(c, "sha256", []byte("abc")))(t), c.Scalars(expected))
	_, err = context.Challenge(c, "md5", nil)
	fails(t, err, sumac.ErrBadArgument)
}

func TestSRS(t *testing.T) {
	context := newContext(t)
	g := oracle(t, "bn254")
	c, secret, n := g.curve, big.NewInt(123456789), 8
	var powers []*big.Int
	s := big.NewInt(1)
	for range n {
		powers = append(powers, s)
		s = new(big.Int).Mod(new(big.Int).Mul(s, secret), g.r)
	}
	srs := must(context.NewBases(c, g.raw(powers...), sumac.CheckSubgroup))(t)
	_, f := g.random(2*n, 9)
	_, z := g.random(2, 10)
	polynomials := must(context.NewScalars(c, c.Scalars(f...)))(t)
	commitments := must(context.NewVector(c, sumac.PointVector, 2))(t)
	ok(t, context.CommitSRS(srs, polynomials, n, commitments))
	at := func(k int, x *big.Int) *big.Int { return evaluate(f[k*n:(k+1)*n], x, g.r) }
	same(t, must(commitments.Bytes(context))(t), g.raw(at(0, secret), at(1, secret)))
	// A proof is the generator times the quotient's value at the secret.
	proof := func(k int, x *big.Int) *big.Int {
		below := new(big.Int).Sub(secret, x)
		q := new(big.Int).Sub(at(k, secret), at(k, x))
		return q.Mul(q, below.ModInverse(below.Mod(below, g.r), g.r))
	}
	places := must(context.NewScalars(c, c.Scalars(z...)))(t)
	proofs := must(context.NewVector(c, sumac.PointVector, 2))(t)
	ok(t, context.OpenSRS(srs, polynomials, n, places, nil, proofs))
	same(t, must(proofs.Bytes(context))(t), g.raw(proof(0, z[0]), proof(1, z[1])))
	values := must(context.NewVector(c, sumac.ScalarVector, 2))(t)
	ok(t, context.OpenSRS(srs, polynomials, n, places, values, nil))
	second := must(sumac.FindCurve("bn254", "g2"))(t)
	one := must(context.NewBases(second, must(second.Generator())(t)))(t)
	g2 := append(must(second.Generator())(t), must(one.MSM(context, second.Scalars(secret)))(t)...)
	if !must(context.VerifySRS(c, g.raw(powers[0]), g2, commitments, places, values, proofs))(t) ||
		must(context.VerifySRS(c, g.raw(powers[0]), g2, commitments, places, places, proofs))(t) {
		t.Error("openings hold with their values alone")
	}
	_, err := context.VerifySRS(c, g.raw(powers[0]), g2[1:], commitments, places, values, proofs)
	fails(t, err, sumac.ErrBadLength)
	ok(t, context.OpenSRS(srs, polynomials, n, places, places, nil))
	same(t, must(places.Bytes(context))(t), c.Scalars(at(0, z[0]), at(1, z[1])))

	fk20 := must(context.NewFK20(srs, n, 1, 0))(t)
	if fk20.N() != n || fk20.CellElements() != 1 || fk20.TableBytes() == 0 {
		t.Error(fk20)
	}
	path := filepath.Join(t.TempDir(), "fk20")
	ok(t, fk20.Save(context, path))
	var expected []*big.Int
	root := must(sumac.Integers(must(c.RootOfUnity(4))(t), 32))(t)[0]
	for k := range 2 {
		x := big.NewInt(1)
		for range 2 * n {
			expected = append(expected, proof(k, x))
			x = new(big.Int).Mod(new(big.Int).Mul(x, root), g.r)
		}
	}
	for _, k := range []*sumac.FK20{fk20, must(context.NewFK20(srs, n, 1, 1))(t), must(context.OpenFK20(srs, n, 1, path))(t)} {
		all := must(context.NewVector(c, sumac.PointVector, 4*n))(t)
		ok(t, k.Prove(context, polynomials, 2, sumac.NaturalOrder, all))
		same(t, must(all.Bytes(context))(t), g.raw(expected...))
		k.Close()
		fails(t, k.Prove(context, polynomials, 2, sumac.NaturalOrder, all), sumac.ErrBadArgument)
	}
}

func TestPairings(t *testing.T) {
	context := newContext(t)
	for _, name := range []string{"bn254", "bls12-381"} {
		g := oracle(t, name)
		g2 := curve(t, name, "g2")
		second := must(context.NewBases(g2, must(g2.Generator())(t)))(t)
		q := func(k int64) []byte {
			return must(second.MSM(context, g2.Scalars(big.NewInt(k))))(t)
		}
		// e(6G, H) e(-2G, 3H) = 1
		first := g.raw(big.NewInt(6), big.NewInt(-2))
		for k, expected := range map[int64]bool{3: true, 4: false} {
			if is := must(context.PairingCheck(g.curve, first, append(q(1), q(k)...), sumac.CheckDefault))(t); is != expected {
				t.Error(name, k, is)
			}
			prepared := must(context.NewPairingPoints(g2, q(1), sumac.CheckDefault))(t)
			if is := must(context.PairingCheckPrepared(prepared, first, q(k), sumac.CheckCurve))(t); is != expected {
				t.Error(name, k, is)
			}
			prepared.Close()
			_, err := context.PairingCheckPrepared(prepared, first, q(k), sumac.CheckCurve)
			fails(t, err, sumac.ErrBadArgument)
		}
		_, err := context.PairingCheck(g.curve, first, q(1), sumac.CheckDefault)
		fails(t, err, sumac.ErrBadLength)
		wrong := append([]byte(nil), first...)
		wrong[0] ^= 1
		_, err = context.PairingCheck(g.curve, wrong, append(q(1), q(3)...), sumac.CheckDefault)
		fails(t, err, sumac.ErrNotOnCurve)
	}
	_, err := context.PairingCheck(curve(t, "secp256k1", "g1"), nil, nil, sumac.CheckDefault)
	fails(t, err, sumac.ErrNotSupported)
}

// TestPairingValues compares values with those that gnark-crypto computed, and checks that they are bilinear.
func TestPairingValues(t *testing.T) {
	for _, name := range []string{"bls12-377", "bls12-381", "bn254", "bw6-761"} {
		t.Run(name, func(t *testing.T) {
			context, g1, g2 := newContext(t), curve(t, name, "g1"), curve(t, name, "g2")
			var file struct {
				Cases []struct {
					G1, G2 json.RawMessage
					Value  string
				}
			}
			ok(t, json.Unmarshal(read(t, "pairings", "gnark", name+".json"), &file))
			for _, one := range file.Cases {
				value := must(context.PairingValue(g1, vectorPoint(t, g1, one.G1), vectorPoint(t, g2, one.G2), sumac.CheckDefault))(t)
				slices.Reverse(value)
				same(t, value, must(hex.DecodeString(one.Value))(t))
			}
			p, q := vectorPoint(t, g1, file.Cases[0].G1), vectorPoint(t, g2, file.Cases[0].G2)
			times := func(c *sumac.Curve, point []byte, k *big.Int) []byte {
				bases := must(context.NewBases(c, point))(t)
				defer bases.Close()
				return must(bases.MSM(context, c.Scalars(k)))(t)
			}
			// e(2P, 3Q) = e(P, Q) e(5P, Q)
			expected := must(context.PairingValue(g2, append(times(g1, p, big.NewInt(5)), p...), append(q, q...), sumac.CheckNone))(t)
			same(t, must(context.PairingValue(g1, times(g1, p, big.NewInt(2)), times(g2, q, big.NewInt(3)), sumac.CheckDefault))(t), expected)
			one := make([]byte, len(expected))
			one[0] = 1
			same(t, must(context.PairingValue(g1, nil, nil, sumac.CheckDefault))(t), one)
			minus := times(g1, p, new(big.Int).Sub(g1.Order(), big.NewInt(1)))
			same(t, must(context.PairingValue(g1, append(minus, p...), append(q, q...), sumac.CheckDefault))(t), one)
			_, err := context.PairingValue(g1, p, append(q, q...), sumac.CheckDefault)
			fails(t, err, sumac.ErrBadLength)
		})
	}
	_, err := newContext(t).PairingValue(nil, nil, nil, sumac.CheckDefault)
	fails(t, err, sumac.ErrBadArgument)
}

func TestMaps(t *testing.T) {
	context := newContext(t)
	g1 := curve(t, "bls12-381", "g1")
	raw := func(number string) []byte {
		bytes := must(hex.DecodeString(number))(t)
		slices.Reverse(bytes)
		return bytes
	}
	// This is a vector of RFC 9380's suite BLS12381G1_XMD:SHA-256_SSWU_NU_, for the empty message.
	u := raw("156c8a6a2c184569d69a76be144b5cdc5141d2d2ca4fe341f011e25e3969c55ad9e9b9ce2eb833c81a908e5fa4ac5f03")
	x := raw("184bb665c37ff561a89ec2122dd343f20e0f4cbcaec84e3c3052ea81d1834e192c426074b02ed3dca4e7676ce4ce48ba")
	y := raw("04407b8d35af4dacc809927071fc0405218f1401a6d15af775810e4e460064bcc9468beeba82fdc751be70476c888bf3")
	same(t, must(context.MapToGroup(g1, u))(t), append(x, y...))
	same(t, must(context.MapToGroup(g1, nil))(t), nil)
	_, err := context.MapToGroup(g1, u[1:])
	fails(t, err, sumac.ErrBadLength)
	_, err = context.MapToGroup(g1, bytes.Repeat([]byte{255}, 48))
	fails(t, err, sumac.ErrBadEncoding)
	_, err = context.MapToGroup(curve(t, "secp256k1", "g1"), make([]byte, 32))
	fails(t, err, sumac.ErrNotSupported)
	_, err = context.MapToGroup(nil, u)
	fails(t, err, sumac.ErrBadArgument)
}

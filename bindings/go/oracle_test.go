// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sumac"
)

// Where the unpacked archives of tests/data are.
func data(t testing.TB, path ...string) string {
	folder := os.Getenv("SUMAC_TEST_DATA")
	if folder == "" {
		t.Skip("SUMAC_TEST_DATA does not say where the test data is")
	}
	return filepath.Join(append([]string{folder}, path...)...)
}

func read(t testing.TB, path ...string) []byte {
	t.Helper()
	return must(os.ReadFile(data(t, path...)))(t)
}

func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// An error of this kind, with a sentence.
func fails(t testing.TB, err error, status sumac.Status) {
	t.Helper()
	var e *sumac.Error
	if !errors.Is(err, status) || !errors.As(err, &e) || e.Message == "" || err.Error() != e.Message {
		t.Fatalf("%#v, and not %v", err, status)
	}
}

func same(t testing.TB, a, b []byte) {
	t.Helper()
	if !bytes.Equal(a, b) {
		t.Fatalf("%x\nis not\n%x", a, b)
	}
}

func curve(t testing.TB, name, group string) *sumac.Curve {
	t.Helper()
	c, err := sumac.FindCurve(name, group)
	if errors.Is(err, sumac.UnknownCurve) {
		t.Skipf("the library has no %s %s", name, group)
	}
	ok(t, err)
	return c
}

func newContext(t testing.TB) *sumac.Context {
	t.Helper()
	c := must(sumac.NewContext(&sumac.ContextConfig{Backend: "cpu", Threads: 2}))(t)
	t.Cleanup(c.Close)
	return c
}

// Plain affine arithmetic on y^2 = x^3 + b over Fp; nil is infinity. Of points that were made from the generator the
// logarithm is known.
type point struct{ x, y, logarithm *big.Int }

type group struct {
	curve *sumac.Curve
	p, r  *big.Int
	g     *point
}

func oracle(t testing.TB, name string) *group {
	c := curve(t, name, "g1")
	g := must(sumac.Integers(must(c.Generator())(t), c.FieldBytes))(t)
	return &group{c, c.Modulus(), c.Order(), &point{g[0], g[1], big.NewInt(1)}}
}

func (g *group) add(a, b *point) *point {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	slope, below := new(big.Int), new(big.Int)
	if a.x.Cmp(b.x) == 0 {
		if new(big.Int).Mod(new(big.Int).Add(a.y, b.y), g.p).Sign() == 0 {
			return nil
		}
		slope.Mul(a.x, a.x).Mul(slope, big.NewInt(3))
		below.Lsh(a.y, 1)
	} else {
		slope.Sub(b.y, a.y)
		below.Sub(b.x, a.x)
	}
	slope.Mul(slope, below.ModInverse(below.Mod(below, g.p), g.p)).Mod(slope, g.p)
	x := new(big.Int).Mul(slope, slope)
	x.Sub(x, a.x).Sub(x, b.x).Mod(x, g.p)
	y := new(big.Int).Sub(a.x, x)
	y.Mul(y, slope).Sub(y, a.y).Mod(y, g.p)
	return &point{x, y, nil}
}

func (g *group) times(k *big.Int) (product *point) {
	k = new(big.Int).Mod(k, g.r)
	for i := k.BitLen() - 1; i >= 0; i-- {
		product = g.add(product, product)
		if k.Bit(i) == 1 {
			product = g.add(product, g.g)
		}
	}
	if product != nil {
		product.logarithm = k
	}
	return product
}

func (g *group) raw(points ...*point) (all []byte) {
	for _, p := range points {
		one, _ := g.curve.Point()
		if p != nil {
			one, _ = g.curve.Point(p.x, p.y)
		}
		all = append(all, one...)
	}
	return all
}

func (g *group) sum(points []*point, scalars []*big.Int) *point {
	logarithm := new(big.Int)
	for i, k := range scalars {
		if points[i] != nil {
			logarithm.Add(logarithm, new(big.Int).Mul(k, points[i].logarithm))
		}
	}
	return g.times(logarithm)
}

// Points and scalars that follow from a seed; the second point is infinity.
func (g *group) random(n int, seed int64) (points []*point, scalars []*big.Int) {
	source := rand.New(rand.NewSource(seed))
	for i := 0; i < n; i++ {
		points = append(points, g.times(new(big.Int).Rand(source, g.r)))
		scalars = append(scalars, new(big.Int).Rand(source, g.r))
	}
	if n > 1 {
		points[1] = nil
	}
	return points, scalars
}

// Integers as little-endian two's complement of so many bytes.
func little(size int, integers ...*big.Int) (all []byte) {
	for _, k := range integers {
		one := make([]byte, size)
		new(big.Int).Mod(k, new(big.Int).Lsh(big.NewInt(1), uint(8*size))).FillBytes(one)
		slices.Reverse(one)
		all = append(all, one...)
	}
	return all
}

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

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// data returns a path in the folder of the unpacked archives of tests/data.
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

// fails ends the test unless the error has this status and a message.
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
	if errors.Is(err, sumac.ErrUnknownCurve) {
		t.Skipf("the library has no %s %s", name, group)
	}
	ok(t, err)
	return c
}

func newContext(t testing.TB) *sumac.Context {
	t.Helper()
	c := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(2)))(t)
	t.Cleanup(c.Close)
	return c
}

// group computes points from their logarithms to the base of the generator. A nil logarithm stands for infinity. The library's
// reference code, which contains no MSM, computes the points. TestVectors tests points from another source.
type group struct {
	curve   *sumac.Curve
	p, r    *big.Int
	context *sumac.Context
}

func oracle(t testing.TB, name string) *group {
	c := curve(t, name, "g1")
	return &group{c, c.Modulus(), c.Order(), newContext(t)}
}

func (g *group) raw(logarithms ...*big.Int) (all []byte) {
	for _, k := range logarithms {
		one := make([]byte, g.curve.PointBytes)
		if k != nil {
			one, _ = g.context.KnownAnswer(g.curve, g.curve.Scalars(k), g.curve.Scalars(big.NewInt(1)))
		}
		all = append(all, one...)
	}
	return all
}

func (g *group) sum(points, scalars []*big.Int) *big.Int {
	logarithm := new(big.Int)
	for i, k := range scalars {
		if points[i] != nil {
			logarithm.Add(logarithm, new(big.Int).Mul(k, points[i]))
		}
	}
	return logarithm
}

// random draws points and scalars from a seed; the second point is infinity.
func (g *group) random(n int, seed int64) (points, scalars []*big.Int) {
	source := rand.New(rand.NewSource(seed))
	for i := 0; i < n; i++ {
		points = append(points, new(big.Int).Rand(source, g.r))
		scalars = append(scalars, new(big.Int).Rand(source, g.r))
	}
	if n > 1 {
		points[1] = nil
	}
	return points, scalars
}

// little encodes integers as little-endian two's complement of `size` bytes.
func little(size int, integers ...*big.Int) (all []byte) {
	for _, k := range integers {
		one := make([]byte, size)
		new(big.Int).Mod(k, new(big.Int).Lsh(big.NewInt(1), uint(8*size))).FillBytes(one)
		slices.Reverse(one)
		all = append(all, one...)
	}
	return all
}

// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"encoding/binary"
	"math/big"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Version is the library's version, "major.minor.patch".
func Version() string { return C.GoString(C.sumac_version()) }

// VersionNumber is 10000*major + 100*minor + patch.
func VersionNumber() int { return int(C.sumac_version_number()) }

// Curve is one of the two groups of a curve. Each Curve of the library exists once, so that pointers can be compared.
type Curve struct {
	Name, Group   string // for example "bls12-381" and "g1"
	FieldBits     int    // number of bits of p
	FieldBytes    int    // size of an element of Fp
	Degree        int    // 1: coordinates lie in Fp; 2: they lie in Fp2
	ScalarBits    int    // number of bits of r
	ScalarBytes   int    // size of a scalar
	PointBytes    int    // size of a raw affine point
	CofactorIsOne bool   // true: every point of the curve lies in the subgroup

	c              *C.sumac_group
	modulus, order *big.Int
}

// constant is the handle of all curves, which are never closed.
var constant = &handle{what: "curve"}

func (c *Curve) lifetime() *handle {
	if c.c == nil {
		return nil
	}
	return constant
}

// bigOf converts little-endian bytes to an integer.
func bigOf(bytes []byte) *big.Int {
	reversed := slices.Clone(bytes)
	slices.Reverse(reversed)
	return new(big.Int).SetBytes(reversed)
}

func bigOfWords(words *C.uint64_t, bytes C.uint32_t) *big.Int {
	var little []byte
	for _, word := range unsafe.Slice((*uint64)(words), bytes/8) {
		little = binary.LittleEndian.AppendUint64(little, word)
	}
	return bigOf(little)
}

var registry = sync.OnceValue(func() (all []*Curve) {
	for i := C.size_t(0); i < C.sumac_group_count(); i++ {
		c := C.sumac_group_at(i)
		all = append(all, &Curve{C.GoString(c.curve), C.GoString(c.name), int(c.field_bits), int(c.field_bytes), int(c.degree),
			int(c.scalar_bits), int(c.scalar_bytes), int(c.point_bytes), c.cofactor_is_one != 0,
			c, bigOfWords(c.modulus, c.field_bytes), bigOfWords(c.order, c.scalar_bytes)})
	}
	return all
})

// curveOf returns the Curve that wraps a pointer of the library.
func curveOf(c *C.sumac_group) *Curve {
	for _, curve := range registry() {
		if curve.c == c {
			return curve
		}
	}
	return nil
}

// Curves returns all curves and groups of the library.
func Curves() []*Curve { return slices.Clone(registry()) }

// FindCurve finds a curve by its name, whose case, hyphens and underscores do not matter. The group "" means "g1". If the
// library was built without the curve, the error names the curves that it has.
func FindCurve(name, group string) (*Curve, error) {
	var memory scratch
	defer memory.free()
	n, g := memory.text(name), memory.option(group)
	if memory.err != nil {
		return nil, memory.err
	}
	var c *C.sumac_group
	if status := C.sumac_group_find(n, g, &c); status != C.SUMAC_OK {
		var has []string
		for _, curve := range registry() {
			has = append(has, curve.String())
		}
		return nil, refuse(Status(status), "this build has no curve %q with a group %q; it has %s", name, group, strings.Join(has, ", "))
	}
	return curveOf(c), nil
}

// String returns the names of the curve and the group, for example "bn254 g1".
func (c *Curve) String() string { return c.Name + " " + c.Group }

// Modulus returns p.
func (c *Curve) Modulus() *big.Int { return new(big.Int).Set(c.modulus) }

// Order returns r.
func (c *Curve) Order() *big.Int { return new(big.Int).Set(c.order) }

// Generator returns the generator of the subgroup as a raw point.
func (c *Curve) Generator() ([]byte, error) {
	if err := need(c); err != nil {
		return nil, err
	}
	point := make([]byte, c.PointBytes)
	if status := C.sumac_group_generator(c.c, start(point), C.size_t(len(point))); status != C.SUMAC_OK {
		return nil, refuse(Status(status), "the generator of %s was not written", c)
	}
	return point, nil
}

// RootOfUnity returns, as a raw scalar, the root of unity of order 2^log2 that transforms use.
func (c *Curve) RootOfUnity(log2 uint32) ([]byte, error) {
	if err := need(c); err != nil {
		return nil, err
	}
	root := make([]byte, c.ScalarBytes)
	if status := C.sumac_root_of_unity(c.c, C.uint32_t(log2), start(root), C.size_t(len(root))); status != C.SUMAC_OK {
		return nil, refuse(Status(status), "%v has no root of unity of order 2^%d", c, log2)
	}
	return root, nil
}

// Scalars converts integers to raw scalars, reduced modulo r.
func (c *Curve) Scalars(integers ...*big.Int) []byte {
	return c.encode(c.order, c.ScalarBytes, integers)
}

// Point makes a raw point of its coordinates x and y, which are reduced modulo p. Over Fp2 each coordinate consists of two
// arguments. Without arguments the point is infinity.
func (c *Curve) Point(coordinates ...*big.Int) ([]byte, error) {
	if err := need(c); err != nil {
		return nil, err
	}
	if len(coordinates) == 0 {
		return make([]byte, c.PointBytes), nil
	}
	if len(coordinates) != 2*c.Degree {
		return nil, refuse(ErrBadLength, "a point of %v has %d coordinates, not %d", c, 2*c.Degree, len(coordinates))
	}
	return c.encode(c.modulus, c.FieldBytes, coordinates), nil
}

func (c *Curve) encode(modulus *big.Int, size int, integers []*big.Int) []byte {
	all := make([]byte, len(integers)*size)
	for i, integer := range integers {
		one := all[i*size : (i+1)*size]
		new(big.Int).Mod(integer, modulus).FillBytes(one)
		slices.Reverse(one)
	}
	return all
}

// Integers converts raw values of `size` bytes each to integers. The values are raw scalars or, if size is [Curve.FieldBytes],
// the coordinates of raw points.
func Integers(raw []byte, size int) ([]*big.Int, error) {
	if size <= 0 {
		return nil, refuse(ErrBadArgument, "an integer of %d bytes", size)
	}
	n, err := countElements("integers", len(raw), size)
	if err != nil {
		return nil, err
	}
	all := make([]*big.Int, n)
	for i := range all {
		all[i] = bigOf(raw[i*size : (i+1)*size])
	}
	return all, nil
}

// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// VectorKind is the kind of a vector's elements.
type VectorKind int

const (
	ScalarVector VectorKind = C.SUMAC_VECTOR_SCALARS // integers modulo r
	PointVector  VectorKind = C.SUMAC_VECTOR_POINTS  // points of the group
)

// Order is the order in which values on roots of unity are listed.
type Order int

const (
	NaturalOrder     Order = C.SUMAC_ORDER_NATURAL      // value i belongs to the i-th power of the root
	BitReversedOrder Order = C.SUMAC_ORDER_BIT_REVERSED // the order in Ethereum's blobs
)

// Vector has scalars or points in the memory where the Context computes. Any number of calls may read it at once, or one call
// may write it.
type Vector struct {
	handle *handle
	c      *C.sumac_vector
	curve  *Curve
	kind   VectorKind
	count  int
}

func (v *Vector) lifetime() *handle { return v.handle }

// NewVector makes a vector of `count` elements, which are zeros or points at infinity.
func (c *Context) NewVector(curve *Curve, kind VectorKind, count int) (*Vector, error) {
	memory := scratch{err: need(c, curve)}
	size := memory.size("the number of elements", count)
	var vector *C.sumac_vector
	if err := memory.do(c, func() C.sumac_status {
		return C.sumac_vector_create(c.c, curve.c, C.sumac_vector_kind(kind), size, &vector)
	}); err != nil {
		return nil, err
	}
	return newVector(vector, curve, func() {}), nil
}

// newVector makes a vector. The objects in `needed` own its memory, or free releases it.
func newVector(vector *C.sumac_vector, curve *Curve, free func(), needed ...*handle) *Vector {
	v := &Vector{c: vector, curve: curve, kind: VectorKind(C.sumac_vector_kind_of(vector)), count: int(C.sumac_vector_count(vector))}
	v.handle = own(v, "vector", func() {
		C.sumac_vector_destroy(vector)
		free()
	}, needed...)
	return v
}

// WrapHost makes a vector of scalars in memory of the host, for a context that computes on the CPU. The memory is not copied,
// but pinned until the vector is closed. It must contain scalars as gnark stores them: in Montgomery form, little-endian and
// less than r, which is not checked. [Bytes] returns the memory of gnark's elements.
func (c *Context) WrapHost(curve *Curve, memory []byte) (*Vector, error) {
	pinner := new(runtime.Pinner)
	if len(memory) != 0 {
		pinner.Pin(unsafe.SliceData(memory))
	}
	v, err := c.wrap(curve, start(memory), len(memory), pinner.Unpin)
	if err != nil {
		pinner.Unpin()
	}
	return v, err
}

// WrapDevice makes a vector of scalars in memory of the context's GPU. WrapHost describes their form. The memory must outlive
// the vector.
func (c *Context) WrapDevice(curve *Curve, memory unsafe.Pointer, bytes int) (*Vector, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	if !c.OnDevice() {
		return nil, refuse(ErrBadArgument, "the memory is a GPU's, and the context computes on the CPU")
	}
	return c.wrap(curve, memory, bytes, func() {})
}

func (c *Context) wrap(curve *Curve, memory unsafe.Pointer, bytes int, free func()) (*Vector, error) {
	arguments := scratch{err: need(c, curve)}
	if arguments.err == nil && bytes%curve.ScalarBytes != 0 {
		arguments.err = refuse(ErrBadLength, "%d bytes are not a multiple of the %d bytes of a scalar", bytes, curve.ScalarBytes)
	}
	count := arguments.size("the number of bytes", bytes)
	var vector *C.sumac_vector
	if err := arguments.do(c, func() C.sumac_status {
		return C.sumac_vector_wrap(c.c, curve.c, memory, count/C.size_t(curve.ScalarBytes), &vector)
	}); err != nil {
		return nil, err
	}
	return newVector(vector, curve, free), nil
}

// View makes a vector of `count` elements of v, from index `first`, without a copy. The view keeps their memory, even if v is
// closed. A call that uses the view also counts as a use of v.
func (v *Vector) View(c *Context, first, count int) (*Vector, error) {
	memory := scratch{err: need(c, v)}
	from, n := memory.size("the first element", first), memory.size("the number of elements", count)
	var view *Vector
	err := memory.do(c, func() C.sumac_status {
		var made *C.sumac_vector
		status := C.sumac_vector_view(c.c, v.c, from, n, &made)
		if status == C.SUMAC_OK { // this call keeps v until the view is made
			view = newVector(made, v.curve, func() {}, v.handle)
			if view.handle.of = v.handle.of; view.handle.of == nil {
				view.handle.of = v.handle
			}
		}
		return status
	}, reading(v))
	return deliver(view, err)
}

// Memory is the address of the scalars, on the context's GPU or the host, in the form that WrapHost describes. For points it is
// nil. The memory may be read and written between calls until v is closed. runtime.KeepAlive(v) keeps the garbage collector
// from closing v earlier.
func (v *Vector) Memory() unsafe.Pointer {
	if need(v) != nil || v.handle.acquire(false) != nil {
		return nil
	}
	defer v.handle.release()
	return C.sumac_vector_memory(v.c)
}

// NewScalars makes a vector of raw scalars, each less than r.
func (c *Context) NewScalars(curve *Curve, scalars []byte) (*Vector, error) {
	return c.newVectorOf(curve, ScalarVector, scalars)
}

// NewPoints makes a vector of raw points, which are not checked.
func (c *Context) NewPoints(curve *Curve, points []byte) (*Vector, error) {
	return c.newVectorOf(curve, PointVector, points)
}

func (c *Context) newVectorOf(curve *Curve, kind VectorKind, elements []byte) (*Vector, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	n, err := countElements("elements", len(elements), curve.elementBytes(kind))
	if err != nil {
		return nil, err
	}
	v, err := c.NewVector(curve, kind, n)
	if err != nil {
		return nil, err
	}
	if err := v.Set(c, elements, 0); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

func (c *Curve) elementBytes(kind VectorKind) int {
	if kind == PointVector {
		return c.PointBytes
	}
	return c.ScalarBytes
}

// Count is the number of elements.
func (v *Vector) Count() int { return v.count }

// Curve is the curve of the elements.
func (v *Vector) Curve() *Curve { return v.curve }

// Kind is the kind of the elements.
func (v *Vector) Kind() VectorKind { return v.kind }

// Close frees the vector.
func (v *Vector) Close() { closeObject(v) }

// Set writes elements to the vector, from index `first`. The slice determines their number.
func (v *Vector) Set(c *Context, elements []byte, first int, options ...ElementOption) error {
	layout, err := elementLayout(options)
	if err != nil {
		return err
	}
	from, n, err := v.part(c, elements, first, int(layout.scalar_bytes))
	if err != nil {
		return err
	}
	return c.do(func() C.sumac_status {
		return C.sumac_vector_set(c.c, v.c, start(elements), length(elements), from, n, layout)
	}, writing(v))
}

// Integer is a type constraint. SetIntegers makes scalars from values of these types.
type Integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~int8 | ~int16 | ~int32 | ~int64 | ~int
}

// SetIntegers writes integers as scalars, from index `first`. A negative integer i becomes r + i.
func SetIntegers[T Integer](c *Context, v *Vector, integers []T, first int) error {
	var zero T
	size := int(unsafe.Sizeof(zero))
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(integers))), size*len(integers))
	return v.Set(c, bytes, first, ScalarBytes(size), ScalarSigned(zero-1 < zero))
}

// Get reads as many elements as fit in the slice, from index `first`. It converts points to affine coordinates.
func (v *Vector) Get(c *Context, elements []byte, first int, options ...ElementOption) error {
	layout, err := elementLayout(options)
	if err != nil {
		return err
	}
	from, n, err := v.part(c, elements, first, 0)
	if err != nil {
		return err
	}
	return c.do(func() C.sumac_status {
		return C.sumac_vector_get(c.c, v.c, from, n, layout, start(elements), length(elements))
	}, reading(v))
}

// part returns the index and the number of the vector's elements that a slice of elements stands for. Each has `size` bytes,
// or as many as the curve's elements have if `size` is 0.
func (v *Vector) part(c *Context, elements []byte, first, size int) (from, n C.size_t, err error) {
	if err := need(c, v); err != nil {
		return 0, 0, err
	}
	var memory scratch
	from = memory.size("the first element", first)
	if memory.size("the bytes of a scalar", size); memory.err != nil {
		return 0, 0, memory.err
	}
	if size == 0 {
		size = v.curve.elementBytes(v.kind)
	}
	count, err := countElements("elements", len(elements), size)
	return from, C.size_t(count), err
}

// Bytes returns all elements in raw form.
func (v *Vector) Bytes(c *Context) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	elements := make([]byte, v.count*v.curve.elementBytes(v.kind))
	if err := v.Get(c, elements, 0); err != nil {
		return nil, err
	}
	return elements, nil
}

// Slice selects Runs*Length elements of a vector. Run k has Length elements and begins at First + k*Stride.
type Slice struct{ First, Runs, Length, Stride int }

func (s Slice) c(memory *scratch) *C.sumac_slice {
	c := new(C.sumac_slice)
	*c = C.sumac_slice{size: C.sizeof_sumac_slice}
	c.first, c.runs = memory.size("the first element", s.First), memory.size("the number of runs", s.Runs)
	c.length, c.stride = memory.size("the length", s.Length), memory.size("the stride", s.Stride)
	return c
}

// Copy copies a slice of v to a slice of another vector, which must have the same number of runs and the same length.
func (v *Vector) Copy(c *Context, from Slice, to *Vector, toSlice Slice) error {
	memory := scratch{err: need(c, v, to)}
	a, b := from.c(&memory), toSlice.c(&memory)
	return memory.do(c, func() C.sumac_status { return C.sumac_vector_copy(c.c, v.c, a, to.c, b) }, reading(v), writing(to))
}

// Gather copies the row of v whose index is rows[i] to row i of another vector. Each row has `length` elements.
func (v *Vector) Gather(c *Context, length int, rows []uint64, to *Vector) error {
	return v.into(c, to, length, func(size C.size_t) C.sumac_status {
		return C.sumac_vector_gather(c.c, v.c, size, (*C.uint64_t)(start(rows)), C.size_t(len(rows)), to.c)
	})
}

// into makes a call with one size, which reads v and the other vectors, and writes the result.
func (v *Vector) into(c *Context, result *Vector, size int, f func(size C.size_t) C.sumac_status, others ...*Vector) error {
	uses := []use{reading(v), writing(result)}
	for _, other := range others {
		if err := need(other); err != nil {
			return err
		}
		uses = append(uses, reading(other))
	}
	memory := scratch{err: need(c, v, result)}
	s := memory.size("the length", size)
	return memory.do(c, func() C.sumac_status { return f(s) }, uses...)
}

// checkScalar refuses a scalar whose length is not that of a raw scalar of the vector's curve.
func (v *Vector) checkScalar(what string, scalar []byte) error {
	return checkLength(what, len(scalar), v.curve.ScalarBytes)
}

// Fill sets all elements to one raw scalar.
func (v *Vector) Fill(c *Context, scalar []byte) error {
	if err := need(c, v); err != nil {
		return err
	}
	if err := v.checkScalar("the scalar", scalar); err != nil {
		return err
	}
	return c.do(func() C.sumac_status { return C.sumac_vector_fill(c.c, v.c, start(scalar), length(scalar)) }, writing(v))
}

// Add computes result[i] = v[i] + other[(i/each) mod other.Count()]. `each` is at least 1. The vector `result` is
// as long as v, and may be v or `other`.
func (v *Vector) Add(c *Context, other *Vector, each int, result *Vector) error {
	return v.into(c, result, each, func(each C.size_t) C.sumac_status {
		return C.sumac_vector_add(c.c, v.c, other.c, each, result.c)
	}, other)
}

// Subtract computes result[i] = v[i] - other[(i/each) mod other.Count()], with the arguments of Add.
func (v *Vector) Subtract(c *Context, other *Vector, each int, result *Vector) error {
	return v.into(c, result, each, func(each C.size_t) C.sumac_status {
		return C.sumac_vector_subtract(c.c, v.c, other.c, each, result.c)
	}, other)
}

// Multiply computes result[i] = v[i] * other[(i/each) mod other.Count()] for scalars, with the arguments of Add.
func (v *Vector) Multiply(c *Context, other *Vector, each int, result *Vector) error {
	return v.into(c, result, each, func(each C.size_t) C.sumac_status {
		return C.sumac_vector_multiply(c.c, v.c, other.c, each, result.c)
	}, other)
}

// MultiplyAdd computes result[i] = v[i] * other[(i/each) mod other.Count()] + addend[i]. The vector `addend` is as long as
// v, and may be the same as `result`.
func (v *Vector) MultiplyAdd(c *Context, other *Vector, each int, addend, result *Vector) error {
	return v.into(c, result, each, func(each C.size_t) C.sumac_status {
		return C.sumac_vector_multiply_add(c.c, v.c, other.c, each, addend.c, result.c)
	}, other, addend)
}

// Invert replaces every scalar by its inverse, and leaves 0 unchanged.
func (v *Vector) Invert(c *Context) error {
	return v.into(c, v, 0, func(C.size_t) C.sumac_status { return C.sumac_vector_invert(c.c, v.c) })
}

// ScalePowers multiplies element i by factor * ratio^(i mod row). If `factor` or `ratio` is nil, its value is 1.
func (v *Vector) ScalePowers(c *Context, factor, ratio []byte, row int) error {
	if err := need(c, v); err != nil {
		return err
	}
	for _, scalar := range [][]byte{factor, ratio} {
		if scalar != nil {
			if err := v.checkScalar("the factor or ratio", scalar); err != nil {
				return err
			}
		}
	}
	return v.into(c, v, row, func(row C.size_t) C.sumac_status {
		return C.sumac_vector_scale_powers(c.c, v.c, startOrNull(factor), length(factor), startOrNull(ratio), length(ratio), row)
	})
}

// Sum computes result[j], the sum of row j of v. Each row has `length` elements.
func (v *Vector) Sum(c *Context, length int, result *Vector) error {
	return v.into(c, result, length, func(length C.size_t) C.sumac_status {
		return C.sumac_vector_sum(c.c, v.c, length, result.c)
	})
}

// Scan says whether [Vector.Scan] computes sums or products.
type Scan int

const (
	ScanSum     Scan = C.SUMAC_SCAN_SUM     // sums
	ScanProduct Scan = C.SUMAC_SCAN_PRODUCT // products of scalars
)

// Scan replaces each element by the sum or product of the elements of its row up to and including itself. Each row has
// `length` elements. If `exclusive` is true, the element itself is left out, and the first element of a row becomes 0, or 1 for
// products.
func (v *Vector) Scan(c *Context, length int, operation Scan, exclusive bool) error {
	return v.into(c, v, length, func(length C.size_t) C.sumac_status {
		return C.sumac_vector_scan(c.c, v.c, length, C.sumac_scan(operation), flag(exclusive))
	})
}

// Transpose transposes concatenated matrices, and writes them to another vector.
func (v *Vector) Transpose(c *Context, rows, columns int, result *Vector) error {
	var memory scratch
	r := memory.size("the number of rows", rows)
	if memory.err != nil {
		return memory.err
	}
	return v.into(c, result, columns, func(columns C.size_t) C.sumac_status {
		return C.sumac_vector_transpose(c.c, v.c, r, columns, result.c)
	})
}

// BitReverse exchanges elements i and rev(i) of each row of `length` elements.
func (v *Vector) BitReverse(c *Context, length int) error {
	return v.into(c, v, length, func(length C.size_t) C.sumac_status {
		return C.sumac_vector_bit_reverse(c.c, v.c, length)
	})
}

func (v *Vector) transform(c *Context, options []TransformOption, f func(config *C.sumac_transform_config) C.sumac_status) error {
	if err := need(c, v); err != nil {
		return err
	}
	var memory scratch
	defer memory.free()
	to := transformOptions{c: new(C.sumac_transform_config), memory: &memory}
	*to.c = C.sumac_transform_config{size: C.sizeof_sumac_transform_config}
	for _, option := range options {
		if option != nil {
			option.setTransform(&to)
		}
	}
	if memory.err != nil {
		return memory.err
	}
	if to.shift != nil {
		if err := v.checkScalar("the shift", to.shift); err != nil {
			return err
		}
	}
	if to.root != nil {
		if err := v.checkScalar("the root", to.root); err != nil {
			return err
		}
	}
	return c.do(func() C.sumac_status { return f(to.c) }, writing(v))
}

// NTT computes the number-theoretic transform of each row, in place. Points must lie in the subgroup. A point is multiplied by
// a root of unity as by a scalar.
func (v *Vector) NTT(c *Context, options ...TransformOption) error {
	return v.transform(c, options, func(config *C.sumac_transform_config) C.sumac_status {
		vector := v.c
		return C.sumac_vector_ntt(c.c, vector, config)
	})
}

// DivideByVanishing divides the value at each x of a coset by x^n - 1, in place. Its options are those of the transform that
// computed the values.
func (v *Vector) DivideByVanishing(c *Context, n int, options ...TransformOption) error {
	var memory scratch
	size := memory.size("n", n)
	if memory.err != nil {
		return memory.err
	}
	return v.transform(c, options, func(config *C.sumac_transform_config) C.sumac_status {
		return C.sumac_vector_divide_by_vanishing(c.c, v.c, size, config)
	})
}

// MSMVectors computes MSMs like [Bases.MSM]. Each MSM uses n scalars of a vector, the first MSM those from index `first`.
// The results are written to a vector of points, from index `resultFirst`.
func (b *Bases) MSMVectors(c *Context, scalars *Vector, first, n int, results *Vector, resultFirst int, options ...MSMOption) error {
	memory := scratch{err: need(c, b, scalars, results)}
	config := msmConfig(options, &memory).c
	from, count, to := memory.size("the first scalar", first), memory.size("n", n), memory.size("the first result", resultFirst)
	return memory.do(c, func() C.sumac_status {
		return C.sumac_msm_vectors(c.c, b.c, scalars.c, from, count, config, results.c, to)
	}, reading(b), reading(scalars), writing(results))
}

// NewBasesOfVector makes bases of n points of a vector, from index `first`.
func (c *Context) NewBasesOfVector(points *Vector, first, n int, options ...BasesOption) (*Bases, error) {
	memory := scratch{err: need(c, points)}
	config, from, count := basesConfig(options, &memory), memory.size("the first point", first), memory.size("n", n)
	return c.makeBases(&memory, func(bases **C.sumac_bases) C.sumac_status {
		return C.sumac_bases_create_from_vector(c.c, points.c, from, count, config, bases)
	}, reading(points))
}

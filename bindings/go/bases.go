// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import "unsafe"

// Bases are points on a backend, ready for use. They are immutable, and any number of contexts and goroutines may use them at
// once.
type Bases struct {
	handle *handle
	c      *C.sumac_bases
	curve  *Curve
	count  int
	factor uint32
	tables Tables
	bytes  uint64
}

func (b *Bases) lifetime() *handle { return b.handle }

func wrapBases(c *C.sumac_bases) *Bases {
	info := C.sumac_bases_info{size: C.sizeof_sumac_bases_info}
	C.sumac_bases_describe(c, &info) // this fails only if c is null
	b := &Bases{c: c, curve: curveOf(info.group), count: int(info.count), factor: uint32(info.precompute_factor),
		tables: Tables(info.tables), bytes: uint64(info.bytes)}
	b.handle = own(b, "bases", func() { C.sumac_bases_destroy(c) })
	return b
}

// makeBases makes a call that creates bases, and wraps them.
func (c *Context) makeBases(memory *scratch, f func(bases **C.sumac_bases) C.sumac_status, uses ...use) (*Bases, error) {
	var bases *C.sumac_bases
	if err := memory.do(c, func() C.sumac_status { return f(&bases) }, uses...); err != nil {
		return nil, err
	}
	return wrapBases(bases), nil
}

// NewBases makes bases of all raw points in the slice. Without options the points are canonical and packed, infinity is zeros,
// and every point is checked to lie on the curve.
func (c *Context) NewBases(curve *Curve, points []byte, options ...BasesOption) (*Bases, error) {
	memory := scratch{err: need(c, curve)}
	config, stride := basesConfig(options, &memory), memory.curve(curve).PointBytes
	if config.stride != 0 {
		stride = int(config.stride)
	}
	n := memory.count("points", len(points), stride)
	return c.makeBases(&memory, func(bases **C.sumac_bases) C.sumac_status {
		return C.sumac_bases_create(c.c, curve.c, start(points), C.size_t(len(points)), n, config, bases)
	})
}

// NewBasesAt makes bases of n points in the memory of the Context's GPU.
func (c *Context) NewBasesAt(curve *Curve, points uintptr, n int, options ...BasesOption) (*Bases, error) {
	memory := scratch{err: need(c, curve)}
	config, size := basesConfig(options, &memory), memory.size("n", n)
	config.location = C.SUMAC_LOCATION_DEVICE
	return c.makeBases(&memory, func(bases **C.sumac_bases) C.sumac_status {
		return C.sumac_go_bases_create(c.c, curve.c, C.uintptr_t(points), size, config, bases)
	})
}

// All, as a count, means all elements from the first one to the end.
const All = -1

// OpenBases makes bases of n points of a file, from index `first`. If n is [All], it reads all points from there on. The format
// is one of [Formats]. If it is "", a file that begins like a table of [Bases.Save] is read as one, and any other file is raw.
// If the curve is nil, the file must be a table, because only a table contains the name of its curve. A trusted table is opened
// faster with [CheckNone].
func (c *Context) OpenBases(curve *Curve, path, format string, first, n int, options ...BasesOption) (*Bases, error) {
	var memory scratch
	var wanted *C.sumac_group
	if curve != nil {
		wanted = memory.curve(curve).c
	}
	p, f, config := memory.text(path), memory.option(format), basesConfig(options, &memory)
	from, count := memory.size("the first base", first), C.size_t(C.SUMAC_ALL)
	if n != All {
		count = memory.size("n", n)
	}
	return c.makeBases(&memory, func(bases **C.sumac_bases) C.sumac_status {
		return C.sumac_bases_open(c.c, wanted, p, f, from, count, config, bases)
	})
}

// CountBases returns the number of bases in a file.
func (c *Context) CountBases(curve *Curve, path, format string) (int, error) {
	memory := scratch{err: need(c, curve)}
	p, f := memory.text(path), memory.option(format)
	var n C.size_t
	err := memory.do(c, func() C.sumac_status { return C.sumac_bases_file_count(c.c, curve.c, p, f, &n) })
	return int(n), err
}

// Curve is the curve of the bases.
func (b *Bases) Curve() *Curve { return b.curve }

// Count is the number of bases. Multiples are not counted.
func (b *Bases) Count() int { return b.count }

// PrecomputeFactor is the number of multiples that are kept for each base or, with [Windows], the number of windows.
func (b *Bases) PrecomputeFactor() uint32 { return b.factor }

// Tables says which tables are kept for the bases.
func (b *Bases) Tables() Tables { return b.tables }

// Bytes is the size in bytes of the memory that the bases occupy.
func (b *Bases) Bytes() uint64 { return b.bytes }

// Close frees the bases.
func (b *Bases) Close() { closeObject(b) }

// Get copies as many raw bases as fit into a slice, from index `first`.
func (b *Bases) Get(c *Context, points []byte, first int) error {
	if err := need(c, b); err != nil {
		return err
	}
	var memory scratch
	defer memory.free()
	from := memory.size("the first base", first)
	n, err := countElements("points", len(points), b.curve.PointBytes)
	if err != nil {
		return err
	}
	return memory.do(c, func() C.sumac_status {
		return C.sumac_bases_get(c.c, b.c, from, C.size_t(n), start(points), C.size_t(len(points)))
	}, reading(b))
}

// Save writes the bases to a file in one of [Formats]. If it fails, the file does not change. If the format is "", the file is
// a table, which also contains the multiples of the bases.
func (b *Bases) Save(c *Context, path, format string) error {
	memory := scratch{err: need(c, b)}
	p, f := memory.text(path), memory.option(format)
	return memory.do(c, func() C.sumac_status { return C.sumac_bases_save(c.c, b.c, p, f) }, reading(b))
}

// NewKnownBases makes n bases with known discrete logarithms. Tests and benchmarks of any size can then check their results.
func (c *Context) NewKnownBases(curve *Curve, n int, seed uint64, options ...BasesOption) (*Bases, error) {
	memory := scratch{err: need(c, curve)}
	config, size := basesConfig(options, &memory), memory.size("n", n)
	return c.makeBases(&memory, func(bases **C.sumac_bases) C.sumac_status {
		return C.sumac_known_bases_create(c.c, curve.c, size, C.uint64_t(seed), config, bases)
	})
}

// KnownLogarithms returns the discrete logarithms of the bases of [Context.NewKnownBases], as raw scalars.
func (c *Context) KnownLogarithms(curve *Curve, n int, seed uint64) ([]byte, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	bytes := product(n, curve.ScalarBytes)
	if n < 0 || n > 1<<31 || bytes < 0 {
		return nil, refuse(ErrNotSupported, "the number of known logarithms must be 0 to 2^31, not %d", n)
	}
	logarithms, err := zeroedResults(bytes)
	if err != nil {
		return nil, err
	}
	return deliver(logarithms, c.do(func() C.sumac_status {
		return C.sumac_known_logarithms(c.c, curve.c, C.size_t(n), C.uint64_t(seed), start(logarithms), C.size_t(len(logarithms)))
	}))
}

// KnownAnswer computes the result of an MSM over bases with these logarithms, by one plain scalar multiplication.
func (c *Context) KnownAnswer(curve *Curve, scalars, logarithms []byte) ([]byte, error) {
	memory := scratch{err: need(c, curve)}
	curve = memory.curve(curve)
	n := memory.count("scalars", len(scalars), curve.ScalarBytes)
	memory.exactly("logarithms", len(logarithms), len(scalars))
	result := make([]byte, curve.PointBytes)
	return deliver(result, memory.do(c, func() C.sumac_status {
		return C.sumac_known_answer(c.c, curve.c, start(scalars), C.size_t(len(scalars)), start(logarithms), C.size_t(len(logarithms)), n,
			start(result), C.size_t(len(result)))
	}))
}

// Format is a format in which files have points.
type Format struct {
	Name, Description string
	CanRead, CanWrite bool
}

// Formats returns all formats of points in files.
func Formats() (all []Format) {
	for i := C.size_t(0); i < C.sumac_format_count(); i++ {
		f := C.sumac_format_at(i)
		all = append(all, Format{C.GoString(f.name), C.GoString(f.description), f.can_read != 0, f.can_write != 0})
	}
	return all
}

// DecodePoints decodes packed records of a format to raw points.
func (c *Context) DecodePoints(curve *Curve, records []byte, format string, check Check) ([]byte, error) {
	var memory scratch
	f, size := c.record(curve, format, &memory)
	n := memory.count("records", len(records), size)
	points := make([]byte, int(n)*memory.curve(curve).PointBytes)
	return deliver(points, memory.do(c, func() C.sumac_status {
		return C.sumac_points_decode(c.c, curve.c, start(records), length(records), n, f, C.sumac_check(check), start(points), length(points))
	}))
}

// EncodePoints encodes raw points as records of a format.
func (c *Context) EncodePoints(curve *Curve, points []byte, format string) ([]byte, error) {
	var memory scratch
	f, size := c.record(curve, format, &memory)
	n := memory.count("points", len(points), memory.curve(curve).PointBytes)
	records := make([]byte, int(n)*size)
	return deliver(records, memory.do(c, func() C.sumac_status {
		return C.sumac_points_encode(c.c, curve.c, start(points), length(points), n, f, start(records), length(records))
	}))
}

// MapToGroup maps each coordinate to a point of the subgroup. It applies RFC 9380's map and clears the cofactor, as EIP-2537's
// maps do. Elements and points are raw.
func (c *Context) MapToGroup(curve *Curve, elements []byte) ([]byte, error) {
	memory := scratch{err: need(c, curve)}
	curve = memory.curve(curve)
	n := memory.count("elements", len(elements), curve.PointBytes/2)
	points := make([]byte, int(n)*curve.PointBytes)
	return deliver(points, memory.do(c, func() C.sumac_status {
		return C.sumac_map_to_group(c.c, curve.c, start(elements), length(elements), n, start(points), length(points))
	}))
}

// record returns a format's name for C, and the size in bytes of a record of the format.
func (c *Context) record(curve *Curve, format string, memory *scratch) (*C.char, int) {
	memory.fail(need(c, curve))
	f, bytes := memory.option(format), C.size_t(1)
	if memory.err == nil {
		memory.fail(c.do(func() C.sumac_status { return C.sumac_points_record_bytes(c.c, curve.c, f, &bytes) }))
	}
	return f, int(bytes)
}

// ReadScalars reads a file of raw scalars.
func (c *Context) ReadScalars(curve *Curve, path string) ([]byte, error) {
	memory := scratch{err: need(c, curve)}
	p := memory.text(path)
	var scalars unsafe.Pointer
	var bytes C.size_t
	if err := memory.do(c, func() C.sumac_status { return C.sumac_scalars_read(c.c, curve.c, p, &scalars, &bytes) }); err != nil {
		return nil, err
	}
	return takeBytes(scalars, int(bytes)), nil
}

// takeBytes copies memory that the library allocated, and frees it.
func takeBytes(memory unsafe.Pointer, bytes int) []byte {
	defer C.sumac_free(memory)
	return append([]byte{}, unsafe.Slice((*byte)(memory), bytes)...)
}

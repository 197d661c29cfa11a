// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import (
	"math"
	"math/bits"
	"time"
	"unsafe"
)

// checkEmptySums limits the number of MSMs without bases. Their input does not limit the memory of their results, and Go ends a
// program that asks for too much memory.
func checkEmptySums(batch int) error {
	const most = 1 << 20
	if batch > most {
		return refuse(ErrBadLength, "there are %d MSMs without bases, but at most %d are allowed", batch, most)
	}
	return nil
}

// sizes has the numbers of bytes that a call reads and writes in its caller's memory, and the number of bases that it needs.
type sizes struct {
	scalars, results, partial int
	bases                     uint64
}

// measure returns the sizes of a call. The library compares them with the sizes that it computes itself.
func measure(curve *Curve, n C.size_t, options msmOptions) (s sizes, err error) {
	batch, each, offsets := uint64(1), curve.ScalarBytes, options.offsets
	if options.c.scalar_bytes != 0 {
		each = int(options.c.scalar_bytes)
	}
	if options.c.batch != 0 {
		batch = uint64(options.c.batch)
	} else if len(offsets) > 1 {
		batch = uint64(len(offsets) - 1)
	}
	s.bases = uint64(options.c.first)
	if len(offsets) > 0 && uint64(len(offsets)) != batch+1 {
		return s, refuse(ErrBadLength, "there are %d offsets, and a batch of %d needs one more", len(offsets), batch)
	}
	over, scalars := bits.Mul64(batch, uint64(n))
	if len(offsets) > 0 {
		over, scalars = 0, offsets[len(offsets)-1]
	}
	if over != 0 || scalars > math.MaxInt {
		return s, refuse(ErrBadLength, "%d MSMs of %d scalars are more than any memory holds", batch, uint64(n))
	}
	sets := max(1, min(uint64(options.c.base_sets), batch))
	s.bases += sets * uint64(n) // if this is not less than 2^64, the call is refused for lack of bases
	s.scalars, s.results = product(int(scalars), each), product(int(batch), curve.PointBytes)
	s.partial = int(C.sumac_partial_bytes(curve.c, C.uint32_t(batch)))
	if s.scalars < 0 || s.results < 0 || s.partial <= 0 {
		return s, refuse(ErrBadLength, "%d scalars or %d results are more than any memory holds", scalars, batch)
	}
	return s, nil
}

// measure returns the n of a call and its sizes. It returns an error if the number of scalars does not fit.
func (b *Bases) measure(scalars []byte, options msmOptions, memory *scratch) (n C.size_t, s sizes, err error) {
	if memory.err != nil {
		return 0, s, memory.err
	}
	all := options.n == 0 && options.offsets == nil
	switch {
	case all:
		each, err := measure(b.curve, 1, options)
		if err != nil {
			return 0, each, err
		}
		count, err := countElements("scalars", len(scalars), each.scalars)
		if err != nil {
			return 0, each, err
		}
		n = C.size_t(count)
	case options.n != 0:
		n = memory.size("N", options.n)
	default:
		n = C.size_t(b.count)
	}
	if memory.err != nil {
		return 0, s, memory.err
	}
	if s, err = measure(b.curve, n, options); err != nil {
		return 0, s, err
	}
	if err = checkLength("scalars", len(scalars), s.scalars); err != nil {
		return 0, s, err
	}
	if all && s.bases < uint64(b.count) {
		return 0, s, refuse(ErrBadLength, "there are %d bases, but scalars for %d: set N to use only these bases", b.count, s.bases)
	}
	if s.scalars == 0 {
		err = checkEmptySums(s.results / b.curve.PointBytes)
	}
	return n, s, err
}

// MSM computes one or more sums of multiples of bases, and returns them as raw affine points, one after another. There must be
// as many scalars as bases, unless the options contain [N] or [Offsets].
func (b *Bases) MSM(c *Context, scalars []byte, options ...MSMOption) ([]byte, error) {
	return b.sum(c, scalars, options, func(s sizes) int { return s.results },
		func(n C.size_t, config *C.sumac_msm_config, results []byte) C.sumac_status {
			return C.sumac_msm(c.c, b.c, start(scalars), C.size_t(len(scalars)), n, config, start(results), C.size_t(len(results)))
		})
}

// MSMPartial does the same as MSM, but returns partial results, which [Context.CombinePartials] adds to those of other
// processes.
func (b *Bases) MSMPartial(c *Context, scalars []byte, options ...MSMOption) ([]byte, error) {
	return b.sum(c, scalars, options, func(s sizes) int { return s.partial },
		func(n C.size_t, config *C.sumac_msm_config, partial []byte) C.sumac_status {
			return C.sumac_msm_partial(c.c, b.c, start(scalars), C.size_t(len(scalars)), n, config, start(partial), C.size_t(len(partial)))
		})
}

func (b *Bases) sum(c *Context, scalars []byte, options []MSMOption, bytes func(s sizes) int,
	f func(n C.size_t, config *C.sumac_msm_config, results []byte) C.sumac_status) ([]byte, error) {
	if err := need(c, b); err != nil {
		return nil, err
	}
	var memory scratch
	defer memory.free()
	set := msmConfig(options, &memory)
	n, s, err := b.measure(scalars, set, &memory)
	if err != nil {
		return nil, err
	}
	results := make([]byte, bytes(s))
	return deliver(results, memory.do(c, func() C.sumac_status { return f(n, set.c, results) }, reading(b)))
}

// MSMNeeds is the time and memory that a call is predicted to take.
type MSMNeeds struct {
	Time                        time.Duration
	WorkspaceBytes, PinnedBytes uint64
}

// Estimate predicts the time and the memory of MSMs of n bases each.
func (b *Bases) Estimate(c *Context, n int, options ...MSMOption) (MSMNeeds, error) {
	memory := scratch{err: need(c, b)}
	config, size := msmConfig(options, &memory).c, memory.size("n", n)
	needs := new(C.sumac_msm_needs)
	*needs = C.sumac_msm_needs{size: C.sizeof_sumac_msm_needs}
	err := memory.do(c, func() C.sumac_status { return C.sumac_msm_estimate(c.c, b.c, size, config, needs) }, reading(b))
	return MSMNeeds{time.Duration(float64(needs.milliseconds) * float64(time.Millisecond)), uint64(needs.workspace_bytes), uint64(needs.pinned_bytes)}, err
}

// PartialBytes is the size in bytes of a partial result of `batch` MSMs. For a batch of 0 it is 0.
func PartialBytes(curve *Curve, batch uint32) int {
	if need(curve) != nil {
		return 0
	}
	return int(C.sumac_partial_bytes(curve.c, C.uint32_t(batch)))
}

// CombinePartials adds one or more partial results of [Bases.MSMPartial]. Each has the results of `batch` MSMs.
func (c *Context) CombinePartials(curve *Curve, batch uint32, partials ...[]byte) ([]byte, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	if batch == 0 {
		return nil, refuse(ErrBadArgument, "batch is 0, and must be at least 1")
	}
	bytes := PartialBytes(curve, batch)
	var memory scratch
	defer memory.free()
	pointers := make([]unsafe.Pointer, len(partials))
	for i, partial := range partials {
		if err := checkLength("a partial result", len(partial), bytes); err != nil {
			return nil, err
		}
		pointers[i] = pinned(&memory, partial)
	}
	if len(partials) == 0 {
		if err := checkEmptySums(int(batch)); err != nil {
			return nil, err
		}
	}
	results := make([]byte, int(batch)*curve.PointBytes)
	return deliver(results, c.do(func() C.sumac_status {
		return C.sumac_partial_combine(c.c, curve.c, (*unsafe.Pointer)(start(pointers)), C.size_t(bytes), C.size_t(len(partials)), C.uint32_t(batch),
			start(results), C.size_t(len(results)))
	}))
}

// At has addresses in memory that does not belong to Go: C's memory, such as [Pinned], or that of the Context's GPU.
type At struct {
	Scalars, Results                 uintptr
	ScalarsOnDevice, ResultsOnDevice bool
}

func (at At) set(config *C.sumac_msm_config) {
	if at.ScalarsOnDevice {
		config.scalars_location = C.SUMAC_LOCATION_DEVICE
	}
	if at.ResultsOnDevice {
		config.result_location = C.SUMAC_LOCATION_DEVICE
	}
}

// MSMAt computes MSMs of n bases each, with scalars and results at addresses. The addresses are not checked, but Offsets are.
// If the call is queued ([Context.SetStream]), the memory of scalars and results must not be used otherwise until the work is
// done.
func (b *Bases) MSMAt(c *Context, at At, n int, options ...MSMOption) error {
	if err := need(c, b); err != nil {
		return err
	}
	var memory scratch
	defer memory.free()
	config, size := msmConfig(options, &memory).c, memory.size("n", n)
	if memory.err != nil {
		return memory.err
	}
	at.set(config)
	return c.do(func() C.sumac_status {
		return C.sumac_go_msm(c.c, b.c, C.uintptr_t(at.Scalars), size, config, C.uintptr_t(at.Results))
	}, reading(b))
}

// Call is a prepared MSM. It is planned and has its workspace, so that it can be run repeatedly with other scalars. It belongs
// to its Context, which can't run another call at the same time.
type Call struct {
	handle  *handle
	c       *C.sumac_call
	context *Context
	at      At
	sizes   sizes
}

func (call *Call) lifetime() *handle { return call.handle }

// Prepare prepares MSMs of n bases each. If c was returned by [Context.With], runs of the Call end when that context.Context is
// done.
func (b *Bases) Prepare(c *Context, n int, options ...MSMOption) (*Call, error) {
	return b.PrepareAt(c, At{}, n, options...)
}

// PrepareAt prepares MSMs for [Call.RunAt]. The argument `at` says whether scalars and results lie on the device. RunAt
// replaces its addresses.
func (b *Bases) PrepareAt(c *Context, at At, n int, options ...MSMOption) (*Call, error) {
	if err := need(c, b); err != nil {
		return nil, err
	}
	var memory scratch
	defer memory.free()
	set, size := msmConfig(options, &memory), memory.size("n", n)
	if memory.err != nil {
		return nil, memory.err
	}
	if set.offsets != nil {
		return nil, refuse(ErrNotSupported, "a prepared call has no offsets")
	}
	s, err := measure(b.curve, size, set)
	if err == nil && s.scalars == 0 {
		err = checkEmptySums(s.results / b.curve.PointBytes)
	}
	if err != nil {
		return nil, err
	}
	at.set(set.c)
	var prepared *C.sumac_call
	if err := memory.do(c, func() C.sumac_status {
		return C.sumac_msm_prepare(c.c, b.c, size, set.c, &prepared)
	}, reading(b)); err != nil {
		return nil, err
	}
	call := &Call{c: prepared, context: c, at: at, sizes: s}
	call.handle = own(call, "prepared call", func() { C.sumac_call_destroy(prepared) }, c.handle, b.handle)
	return call, nil
}

// Run computes the MSMs.
func (call *Call) Run(scalars []byte) ([]byte, error) {
	if err := need(call); err != nil {
		return nil, err
	}
	if call.at != (At{}) {
		return nil, refuse(ErrBadArgument, "the call was prepared for memory outside Go")
	}
	if err := checkLength("scalars", len(scalars), call.sizes.scalars); err != nil {
		return nil, err
	}
	results := make([]byte, call.sizes.results)
	return deliver(results, call.context.do(func() C.sumac_status {
		return C.sumac_call_run(call.c, start(scalars), C.size_t(len(scalars)), start(results), C.size_t(len(results)))
	}, reading(call)))
}

// RunAt computes the MSMs with scalars and results at addresses, which are those of the host or device as `at` said in
// [Bases.PrepareAt].
func (call *Call) RunAt(scalars, results uintptr) error {
	if err := need(call); err != nil {
		return err
	}
	return call.context.do(func() C.sumac_status {
		return C.sumac_go_call_run(call.c, C.uintptr_t(scalars), C.uintptr_t(results))
	}, reading(call))
}

// Close ends the prepared call.
func (call *Call) Close() { closeObject(call) }

// FilesReport describes how MSMFiles divided its work.
type FilesReport struct {
	N, Resumed, Chunk, MemoryBytes uint64
	Load, MSM                      time.Duration
}

// MSMFiles computes one MSM of the bases in one file and the scalars in another. It reads the files in chunks, in a limited
// amount of memory.
func (c *Context) MSMFiles(curve *Curve, basesPath, scalarsPath string, options ...FilesOption) ([]byte, *FilesReport, error) {
	if err := need(c, curve); err != nil {
		return nil, nil, err
	}
	var memory scratch
	bases, scalars := memory.text(basesPath), memory.text(scalarsPath)
	to := filesOptions{new(C.sumac_files_config), newMSMOptions(&memory)}
	*to.c = C.sumac_files_config{size: C.sizeof_sumac_files_config}
	for _, option := range options {
		if option != nil {
			option.setFiles(&to)
		}
	}
	report := new(C.sumac_files_report)
	*report = C.sumac_files_report{size: C.sizeof_sumac_files_report}
	result := make([]byte, curve.PointBytes)
	if err := memory.do(c, func() C.sumac_status {
		return C.sumac_msm_files(c.c, curve.c, bases, scalars, to.c, to.msm.c, start(result), C.size_t(len(result)), report)
	}); err != nil {
		return nil, nil, err
	}
	seconds := func(s C.double) time.Duration { return time.Duration(float64(s) * float64(time.Second)) }
	return result, &FilesReport{uint64(report.n), uint64(report.resumed), uint64(report.chunk), uint64(report.memory_bytes),
		seconds(report.load_seconds), seconds(report.msm_seconds)}, nil
}

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

// MSMConfig is options of a multi-scalar multiplication. The zero value is one MSM of all bases and full canonical scalars.
// Calls with an argument n do not look at N.
type MSMConfig struct {
	ScalarBits uint32 // every scalar is less than 2^ScalarBits, which is checked; 0: any
	N          int    // bases of each MSM; 0: all from First on, or with Offsets as many as they say
	Batch      uint32 // how many MSMs; 0: one, or as many as Offsets say
	BaseSets   uint32 // how many sets of n bases the MSMs use in turns; 0: all use the same n bases
	First      int    // the first base that is used
	ScalarForm Form
	ResultForm Form
	CutScalars bool // only the lowest ScalarBits bits of each scalar count
	// MSMs of different lengths: MSM j has the scalars from Offsets[j] to before Offsets[j+1].
	Offsets      []uint64
	ScalarBytes  uint32 // bytes of each scalar, from 1 to the curve's; 0: the curve's
	ScalarSigned bool   // scalars are two's complement
	Tuning       string // choices by hand, such as "c=16,chunks=4": sumac/experimental.h explains them
}

// c converts the options for C. Their pointers are pinned, or are C's, as long as the scratch lives.
func (config *MSMConfig) c(memory *scratch) *C.sumac_msm_config {
	if config == nil {
		return nil
	}
	c := new(C.sumac_msm_config)
	*c = C.sumac_msm_config{size: C.sizeof_sumac_msm_config}
	c.scalar_bits = C.uint32_t(config.ScalarBits)
	c.batch = config.batch(memory)
	c.base_sets = C.uint32_t(config.BaseSets)
	c.first = memory.size("the first base", config.First)
	c.scalar_form = C.uint32_t(config.ScalarForm)
	c.result_form = C.uint32_t(config.ResultForm)
	c.cut_scalars = flag(config.CutScalars)
	c.offsets = (*C.uint64_t)(pinned(memory, config.Offsets))
	c.offset_count = C.size_t(len(config.Offsets))
	c.scalar_bytes = C.uint32_t(config.ScalarBytes)
	c.scalar_signed = flag(config.ScalarSigned)
	c.tuning = memory.option(config.Tuning)
	return c
}

func (config *MSMConfig) batch(memory *scratch) C.uint32_t {
	if config.Offsets != nil && len(config.Offsets) == 0 {
		memory.fail(refuse(BadLength, "there are no offsets, and one MSM has 2"))
	}
	return C.uint32_t(config.Batch)
}

// checkEmptySums bounds the MSMs of no bases: no input bounds the memory of their results, and Go ends a program that asks for
// too much.
func checkEmptySums(batch int) error {
	const most = 1 << 20
	if batch > most {
		return refuse(BadLength, "there are %d MSMs of no bases, and may be %d", batch, most)
	}
	return nil
}

// sizes has the bytes that a call reads and writes in its caller's memory, and the number of bases that it needs.
type sizes struct {
	scalars, results, partial int
	bases                     uint64
}

// measure returns the sizes of a call. The library compares them with those that it works out.
func measure(curve *Curve, n C.size_t, options *C.sumac_msm_config, config *MSMConfig) (s sizes, err error) {
	batch, each := uint64(1), curve.ScalarBytes
	var offsets []uint64
	if options != nil {
		offsets = config.Offsets
		if options.scalar_bytes != 0 {
			each = int(options.scalar_bytes)
		}
		if options.batch != 0 {
			batch = uint64(options.batch)
		} else if len(offsets) > 1 {
			batch = uint64(len(offsets) - 1)
		}
		s.bases = uint64(options.first)
	}
	if len(offsets) > 0 && uint64(len(offsets)) != batch+1 {
		return s, refuse(BadLength, "there are %d offsets, and a batch of %d needs one more", len(offsets), batch)
	}
	over, scalars := bits.Mul64(batch, uint64(n))
	if len(offsets) > 0 {
		over, scalars = 0, offsets[len(offsets)-1]
	}
	if over != 0 || scalars > math.MaxInt {
		return s, refuse(BadLength, "%d MSMs of %d scalars are more than any memory holds", batch, uint64(n))
	}
	sets := uint64(1)
	if options != nil {
		sets = max(1, min(uint64(options.base_sets), batch))
	}
	s.bases += sets * uint64(n) // less than 2^64, or the call is refused because there are fewer bases
	s.scalars, s.results = product(int(scalars), each), product(int(batch), curve.PointBytes)
	s.partial = int(C.sumac_partial_bytes(curve.c, C.uint32_t(batch)))
	if s.scalars < 0 || s.results < 0 || s.partial <= 0 {
		return s, refuse(BadLength, "%d scalars or %d results are more than any memory holds", scalars, batch)
	}
	return s, nil
}

// measure returns the n of a call and its sizes, and refuses another number of scalars.
func (b *Bases) measure(scalars []byte, config *MSMConfig, options *C.sumac_msm_config, memory *scratch) (n C.size_t, s sizes, err error) {
	all := config == nil || config.N == 0 && config.Offsets == nil
	switch {
	case all:
		each, err := measure(b.curve, 1, options, config)
		if err != nil {
			return 0, each, err
		}
		count, err := countElements("scalars", len(scalars), each.scalars)
		if err != nil {
			return 0, each, err
		}
		n = C.size_t(count)
	case config.N != 0:
		n = memory.size("N", config.N)
	default:
		n = C.size_t(b.count)
	}
	if memory.err != nil {
		return 0, s, memory.err
	}
	if s, err = measure(b.curve, n, options, config); err != nil {
		return 0, s, err
	}
	if err = checkLength("scalars", len(scalars), s.scalars); err != nil {
		return 0, s, err
	}
	if all && s.bases < uint64(b.count) {
		return 0, s, refuse(BadLength, "there are %d bases, and scalars for %d: set N if the others are to be left out", b.count, s.bases)
	}
	if s.scalars == 0 {
		err = checkEmptySums(s.results / b.curve.PointBytes)
	}
	return n, s, err
}

// MSM computes one or more sums of multiples of bases, whose raw affine points come one after another. There are as many scalars
// as bases, unless config has N or Offsets.
func (b *Bases) MSM(c *Context, scalars []byte, config *MSMConfig) ([]byte, error) {
	return b.sum(c, scalars, config, func(s sizes) int { return s.results },
		func(n C.size_t, options *C.sumac_msm_config, results []byte) C.sumac_status {
			return C.sumac_msm(c.c, b.c, start(scalars), C.size_t(len(scalars)), n, options, start(results), C.size_t(len(results)))
		})
}

// MSMPartial is MSM, but returns partial results, which [Context.CombinePartials] adds to those of other processes.
func (b *Bases) MSMPartial(c *Context, scalars []byte, config *MSMConfig) ([]byte, error) {
	return b.sum(c, scalars, config, func(s sizes) int { return s.partial },
		func(n C.size_t, options *C.sumac_msm_config, partial []byte) C.sumac_status {
			return C.sumac_msm_partial(c.c, b.c, start(scalars), C.size_t(len(scalars)), n, options, start(partial), C.size_t(len(partial)))
		})
}

func (b *Bases) sum(c *Context, scalars []byte, config *MSMConfig, bytes func(s sizes) int,
	f func(n C.size_t, options *C.sumac_msm_config, results []byte) C.sumac_status) ([]byte, error) {
	if err := need(c, b); err != nil {
		return nil, err
	}
	var memory scratch
	defer memory.free()
	options := config.c(&memory)
	n, s, err := b.measure(scalars, config, options, &memory)
	if err != nil {
		return nil, err
	}
	results := make([]byte, bytes(s))
	return deliver(results, memory.do(c, func() C.sumac_status { return f(n, options, results) }, reading(b)))
}

// MSMNeeds is what a call is predicted to take.
type MSMNeeds struct {
	Time                        time.Duration
	WorkspaceBytes, PinnedBytes uint64
}

// Estimate predicts the time and the memory of MSMs of n bases each.
func (b *Bases) Estimate(c *Context, n int, config *MSMConfig) (MSMNeeds, error) {
	memory := scratch{err: need(c, b)}
	options, size := config.c(&memory), memory.size("n", n)
	needs := new(C.sumac_msm_needs)
	*needs = C.sumac_msm_needs{size: C.sizeof_sumac_msm_needs}
	err := memory.do(c, func() C.sumac_status { return C.sumac_msm_estimate(c.c, b.c, size, options, needs) }, reading(b))
	return MSMNeeds{time.Duration(float64(needs.milliseconds) * float64(time.Millisecond)), uint64(needs.workspace_bytes), uint64(needs.pinned_bytes)}, err
}

// PartialBytes is the size of a partial result of `batch` MSMs; 0 for a batch of 0.
func PartialBytes(curve *Curve, batch uint32) int {
	if need(curve) != nil {
		return 0
	}
	return int(C.sumac_partial_bytes(curve.c, C.uint32_t(batch)))
}

// CombinePartials adds at least one partial result of [Bases.MSMPartial], each of batch MSMs.
func (c *Context) CombinePartials(curve *Curve, batch uint32, partials ...[]byte) ([]byte, error) {
	if err := need(c, curve); err != nil {
		return nil, err
	}
	if batch == 0 {
		return nil, refuse(BadArgument, "batch is 0, and must be at least 1")
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

// At names memory outside Go's: C's, such as [Pinned], or that of the Context's GPU.
type At struct {
	Scalars, Results                 uintptr
	ScalarsOnDevice, ResultsOnDevice bool
}

func (at At) set(options *C.sumac_msm_config) {
	if at.ScalarsOnDevice {
		options.scalars_location = C.SUMAC_LOCATION_DEVICE
	}
	if at.ResultsOnDevice {
		options.result_location = C.SUMAC_LOCATION_DEVICE
	}
}

// MSMAt is MSM of n bases each, with scalars and results at addresses, which are not checked; Offsets are. If the call is queued
// ([Context.SetStream]), scalars and results belong to it until its work is done.
func (b *Bases) MSMAt(c *Context, at At, n int, config *MSMConfig) error {
	if err := need(c, b); err != nil {
		return err
	}
	if config == nil {
		config = &MSMConfig{}
	}
	var memory scratch
	defer memory.free()
	options, size := config.c(&memory), memory.size("n", n)
	if memory.err != nil {
		return memory.err
	}
	at.set(options)
	return c.do(func() C.sumac_status {
		return C.sumac_go_msm(c.c, b.c, C.uintptr_t(at.Scalars), size, options, C.uintptr_t(at.Results))
	}, reading(b))
}

// Call is a prepared MSM: planned, with its workspace, to be run repeatedly with other scalars. It belongs to its Context, and
// a run counts as the Context's one call.
type Call struct {
	handle  *handle
	c       *C.sumac_call
	context *Context
	at      At
	sizes   sizes
}

func (call *Call) lifetime() *handle { return call.handle }

// Prepare prepares MSMs of n bases each. Calls of the Call end when c, as [Context.With] has it, does.
func (b *Bases) Prepare(c *Context, n int, config *MSMConfig) (*Call, error) {
	return b.PrepareAt(c, At{}, n, config)
}

// PrepareAt is Prepare for [Call.RunAt], which replaces the addresses of scalars and results in `at`.
func (b *Bases) PrepareAt(c *Context, at At, n int, config *MSMConfig) (*Call, error) {
	if err := need(c, b); err != nil {
		return nil, err
	}
	if config == nil {
		config = &MSMConfig{}
	}
	var memory scratch
	defer memory.free()
	options, size := config.c(&memory), memory.size("n", n)
	if config.Offsets != nil {
		return nil, refuse(NotSupported, "a prepared call has no offsets")
	}
	s, err := measure(b.curve, size, options, config)
	if err == nil && s.scalars == 0 {
		err = checkEmptySums(s.results / b.curve.PointBytes)
	}
	if err != nil {
		return nil, err
	}
	at.set(options)
	var prepared *C.sumac_call
	if err := memory.do(c, func() C.sumac_status {
		return C.sumac_msm_prepare(c.c, b.c, size, options, &prepared)
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
		return nil, refuse(BadArgument, "the call was prepared for other memory than Go's")
	}
	if err := checkLength("scalars", len(scalars), call.sizes.scalars); err != nil {
		return nil, err
	}
	results := make([]byte, call.sizes.results)
	return deliver(results, call.context.do(func() C.sumac_status {
		return C.sumac_call_run(call.c, start(scalars), C.size_t(len(scalars)), start(results), C.size_t(len(results)))
	}, reading(call)))
}

// RunAt is Run with scalars and results at addresses, in the memory that [Bases.PrepareAt] was told of.
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

// FilesConfig has the options of an MSM of files. The zero value has the defaults.
type FilesConfig struct {
	Format          string // of the bases; "": a table if the file begins like one, else raw
	Check           Check  // of the bases; by default that they lie on the curve
	OutsideSubgroup bool
	First           uint64 // the first base and scalar that are used
	N               uint64 // how many; 0: all
	MemoryLimit     uint64 // most bytes of the host's memory; 0: the Context's limit, or half of what the system has left
	Chunk           uint64 // bases of a chunk; 0: what is fastest
	Checkpoint      string // a file for interrupted work; "": none
	// The least time from one checkpoint to the next; 0: two seconds; negative: after each chunk.
	CheckpointInterval time.Duration
}

// FilesReport describes how MSMFiles divided its work.
type FilesReport struct {
	N, Resumed, Chunk, MemoryBytes uint64
	Load, MSM                      time.Duration
}

// MSMFiles is one MSM of the bases in one file and the scalars in another, through bounded memory.
func (c *Context) MSMFiles(curve *Curve, basesPath, scalarsPath string, files *FilesConfig, config *MSMConfig) ([]byte, *FilesReport, error) {
	if err := need(c, curve); err != nil {
		return nil, nil, err
	}
	if files == nil {
		files = &FilesConfig{}
	}
	var memory scratch
	bases, scalars := memory.text(basesPath), memory.text(scalarsPath)
	options := config.c(&memory)
	f := new(C.sumac_files_config)
	*f = C.sumac_files_config{size: C.sizeof_sumac_files_config}
	f.format = memory.option(files.Format)
	f.check = C.uint32_t(files.Check)
	f.outside_subgroup = flag(files.OutsideSubgroup)
	f.first = C.uint64_t(files.First)
	f.n = C.uint64_t(files.N)
	f.memory_limit = C.uint64_t(files.MemoryLimit)
	f.chunk = C.uint64_t(files.Chunk)
	f.checkpoint = memory.option(files.Checkpoint)
	if files.CheckpointInterval != 0 { // the library takes 0 as the default, and has no time between checkpoints less than 1 ms
		f.checkpoint_milliseconds = C.uint64_t(max(files.CheckpointInterval.Milliseconds(), 1))
	}
	report := new(C.sumac_files_report)
	*report = C.sumac_files_report{size: C.sizeof_sumac_files_report}
	result := make([]byte, curve.PointBytes)
	if err := memory.do(c, func() C.sumac_status {
		return C.sumac_msm_files(c.c, curve.c, bases, scalars, f, options, start(result), C.size_t(len(result)), report)
	}); err != nil {
		return nil, nil, err
	}
	seconds := func(s C.double) time.Duration { return time.Duration(float64(s) * float64(time.Second)) }
	return result, &FilesReport{uint64(report.n), uint64(report.resumed), uint64(report.chunk), uint64(report.memory_bytes),
		seconds(report.load_seconds), seconds(report.msm_seconds)}, nil
}

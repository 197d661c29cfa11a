// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import "time"

// ContextOption is an option of [NewContext] and [NewPool].
type ContextOption interface{ setContext(*contextOptions) }

// BasesOption is an option of calls that make [Bases]: how points are read, and what is kept for them.
type BasesOption interface{ setBases(*basesOptions) }

// MSMOption is an option of [Bases.MSM] and of calls like it.
type MSMOption interface{ setMSM(*msmOptions) }

// FilesOption is an option of [Context.MSMFiles].
type FilesOption interface{ setFiles(*filesOptions) }

// KZGOption is an option of [Context.OpenKZGSetup] and [Context.NewKZGSetup].
type KZGOption interface{ setKZG(*kzgOptions) }

// KeyOption is an option of [Context.OpenGroth16Key] and [Context.NewGroth16Key]. A [Groth16VerifyingKey] is one, too: it verifies
// proofs of gnark's proving keys, which come without, and stays open as long as they.
type KeyOption interface{ setKey(*keyOptions) }

// ProveOption is an option of [Groth16Key.Prove] and [Groth16Key.ProveVector].
type ProveOption interface{ setProve(*proveOptions) }

// TransformOption is an option of [Vector.NTT] and [Vector.DivideByVanishing].
type TransformOption interface{ setTransform(*transformOptions) }

// ElementOption is an option of [Vector.Set] and [Vector.Get]: how elements are written in the host's memory.
type ElementOption interface{ setElements(*elementOptions) }

// ---- Of several kinds of calls ----

// Tuning has choices by hand, such as "variant=portable" for a context, or "c=16" for bases and MSMs: sumac/experimental.h explains
// them.
type Tuning string

func (o Tuning) setContext(to *contextOptions) { to.c.tuning = to.memory.option(string(o)) }
func (o Tuning) setBases(to *basesOptions)     { to.c.tuning = to.memory.option(string(o)) }
func (o Tuning) setMSM(to *msmOptions)         { to.c.tuning = to.memory.option(string(o)) }
func (o Tuning) setFiles(to *filesOptions)     { o.setMSM(&to.msm) }

// Check is how far points are checked. That coordinates are less than p is always checked. Without this option bases, files and
// elements must lie on the curve; the points of a setup or key must lie in the subgroup.
type Check int

const (
	CheckDefault  Check = iota // what each call says
	CheckCurve                 // check that they lie on the curve
	CheckSubgroup              // check that they lie in the subgroup of order r, too
	CheckNone                  // no other check: for points that are known to lie on the curve
)

func (o Check) setBases(to *basesOptions)      { to.c.check = C.uint32_t(o) }
func (o Check) setFiles(to *filesOptions)      { to.c.check = C.uint32_t(o) }
func (o Check) setKZG(to *kzgOptions)          { to.c.check = C.uint32_t(o) }
func (o Check) setKey(to *keyOptions)          { to.c.check = C.uint32_t(o) }
func (o Check) setElements(to *elementOptions) { to.c.check = C.uint32_t(o) }

// OutsideSubgroup says that points may lie outside the subgroup.
type OutsideSubgroup bool

func (o OutsideSubgroup) setBases(to *basesOptions) { to.c.outside_subgroup = flag(bool(o)) }
func (o OutsideSubgroup) setFiles(to *filesOptions) { to.c.outside_subgroup = flag(bool(o)) }

// Form is how integers modulo p or r are written: the coordinates of bases, and elements of vectors. [ScalarForm] and [ResultForm] are
// those of MSMs.
type Form int

const (
	Canonical  Form = C.SUMAC_FORM_CANONICAL  // as they are
	Montgomery Form = C.SUMAC_FORM_MONTGOMERY // times R = 2^(64*words), as gnark-crypto, arkworks and blst have them in memory
)

func (o Form) setBases(to *basesOptions)      { to.c.form = C.uint32_t(o) }
func (o Form) setElements(to *elementOptions) { to.c.form = C.uint32_t(o) }

// MemoryLimit is the most bytes of workspace that a context's call uses, or of the host's memory that an MSM of files does. Without it:
// the planner's own bound, and for files the context's, or half of what the system has left.
type MemoryLimit uint64

func (o MemoryLimit) setContext(to *contextOptions) { to.c.memory_limit = C.uint64_t(o) }
func (o MemoryLimit) setFiles(to *filesOptions)     { to.c.memory_limit = C.uint64_t(o) }

// PrecomputeFactor is how many multiples are kept of each base. Without it bases have none, and a proving key the fastest number within a
// quarter of the memory.
type PrecomputeFactor uint32

func (o PrecomputeFactor) setBases(to *basesOptions) { to.c.precompute_factor = C.uint32_t(o) }
func (o PrecomputeFactor) setKey(to *keyOptions)     { to.c.precompute_factor = C.uint32_t(o) }

// TableBytes is the most bytes of tables other than multiples, or of a setup's. Without it: 64 MiB.
type TableBytes uint64

func (o TableBytes) setBases(to *basesOptions) { to.c.table_bytes = C.uint64_t(o) }
func (o TableBytes) setKZG(to *kzgOptions)     { to.c.table_bytes = C.uint64_t(o) }

// ScalarBits is how many bits the largest scalar has, of an MSM or of those that multiples are made for. Without it: as many as r.
type ScalarBits uint32

func (o ScalarBits) setBases(to *basesOptions) { to.c.scalar_bits = C.uint32_t(o) }
func (o ScalarBits) setMSM(to *msmOptions)     { to.c.scalar_bits = C.uint32_t(o) }
func (o ScalarBits) setFiles(to *filesOptions) { o.setMSM(&to.msm) }

// ScalarBytes is how many bytes each scalar has, from 1 to the curve's; elements of a vector are set from 1, 2, 4 or 8. Without it: the
// curve's.
type ScalarBytes int

func (o ScalarBytes) setMSM(to *msmOptions) {
	to.c.scalar_bytes = C.uint32_t(to.memory.size("the bytes of a scalar", int(o)))
}
func (o ScalarBytes) setFiles(to *filesOptions) { o.setMSM(&to.msm) }
func (o ScalarBytes) setElements(to *elementOptions) {
	to.c.scalar_bytes = C.uint32_t(to.memory.size("the bytes of a scalar", int(o)))
}

// ScalarSigned says that scalars are two's complement.
type ScalarSigned bool

func (o ScalarSigned) setMSM(to *msmOptions)          { to.c.scalar_signed = flag(bool(o)) }
func (o ScalarSigned) setFiles(to *filesOptions)      { o.setMSM(&to.msm) }
func (o ScalarSigned) setElements(to *elementOptions) { to.c.scalar_signed = flag(bool(o)) }

// N is how many bases an MSM uses. Without it: as many as there are scalars, or all of a file.
type N int

func (o N) setMSM(to *msmOptions)     { to.n = int(o) }
func (o N) setFiles(to *filesOptions) { to.c.n = C.uint64_t(to.msm.memory.size("N", int(o))) }

// First is the first base that an MSM uses, and of a file the first scalar, too.
type First int

func (o First) setMSM(to *msmOptions) { to.c.first = to.memory.size("the first base", int(o)) }
func (o First) setFiles(to *filesOptions) {
	to.c.first = C.uint64_t(to.msm.memory.size("the first base", int(o)))
}

// ---- Of contexts ----

type contextOptions struct {
	c          *C.sumac_context_config
	memory     *scratch
	progress   Progress
	trace      Trace
	devices    []int32
	weights    []uint32
	allDevices bool
}

// Backend is "auto" (the fastest that is found), "cpu" or "cuda". Without it: auto.
type Backend string

func (o Backend) setContext(to *contextOptions) { to.c.backend = to.memory.option(string(o)) }

// Threads is how many CPU threads a call uses at most. Without it: as many as the process may run on.
type Threads uint32

func (o Threads) setContext(to *contextOptions) { to.c.threads = C.uint32_t(o) }

// Devices are the numbers of the GPUs that share each call out. Without it: the first alone.
type Devices []int32

func (o Devices) setContext(to *contextOptions) { to.devices = append([]int32{}, o...) }

// AllDevices says that all GPUs share each call out.
type AllDevices bool

func (o AllDevices) setContext(to *contextOptions) { to.allDevices = bool(o) }

// DeviceWeights are how much of the work each of [Devices] gets, in proportion. Without it: all the same.
type DeviceWeights []uint32

func (o DeviceWeights) setContext(to *contextOptions) { to.weights = append([]uint32{}, o...) }

// ReplicaLimit is the most bytes of bases that each of several devices keeps all of. Without it: 64 MiB.
type ReplicaLimit uint64

func (o ReplicaLimit) setContext(to *contextOptions) { to.c.replica_limit = C.uint64_t(o) }

// Progress is called as work proceeds, with 0 <= done <= 1, while its call waits. An error ends the call, whose error wraps it; so does
// a panic.
type Progress func(done float64) error

func (o Progress) setContext(to *contextOptions) { to.progress = o }

// Trace is called after each span of work, possibly by several threads at the same time. A panic ends the call.
type Trace func(TraceEvent)

func (o Trace) setContext(to *contextOptions) { to.trace = o }

// ---- Of bases ----

// basesOptions has a pointer to what C reads, because calls read it when the options have been set.
type basesOptions struct {
	c      *C.sumac_bases_config
	memory *scratch
}

// Stride is the bytes from one point to the next. Without it: [Curve].PointBytes. A file's format decides this, the [Form] and
// [InfinityAt] itself.
type Stride int

func (o Stride) setBases(to *basesOptions) { to.c.stride = to.memory.size("the stride", int(o)) }

// InfinityAt is where each [Stride] has a byte that is not 0 if the point is infinity. Without it infinity is written as zeros.
type InfinityAt int

func (o InfinityAt) setBases(to *basesOptions) {
	to.c.infinity = C.SUMAC_INFINITY_FLAG
	to.c.infinity_offset = to.memory.size("the infinity's offset", int(o))
}

// Tables is what is kept for each base.
type Tables int

const (
	Multiples Tables = C.SUMAC_TABLES_MULTIPLES // as many as [PrecomputeFactor] says
	Windows   Tables = C.SUMAC_TABLES_WINDOWS   // every multiple that a digit of a window selects
	AutoTable Tables = C.SUMAC_TABLES_AUTO      // whichever is predicted to be faster
)

func (o Tables) setBases(to *basesOptions) { to.c.tables = C.uint32_t(o) }

// TypicalBatch is how many MSMs the calls have that multiples are chosen for.
type TypicalBatch uint32

func (o TypicalBatch) setBases(to *basesOptions) { to.c.typical_batch = C.uint32_t(o) }

// TypicalN is how many bases each MSM has that multiples are chosen for. Without it: all.
type TypicalN int

func (o TypicalN) setBases(to *basesOptions) {
	to.c.typical_n = to.memory.size("the typical n", int(o))
}

// Replicated says that each of several devices keeps all bases.
type Replicated bool

func (o Replicated) setBases(to *basesOptions) { to.c.replicated = flag(bool(o)) }

// PageLocked says that bases which the GPU has no memory for stay in page-locked memory of the host.
type PageLocked bool

func (o PageLocked) setBases(to *basesOptions) { to.c.page_locked = flag(bool(o)) }

// basesConfig converts options for C. Their pointers are C's, or pinned, as long as the scratch lives.
func basesConfig(options []BasesOption, memory *scratch) *C.sumac_bases_config {
	to := basesOptions{c: new(C.sumac_bases_config), memory: memory}
	*to.c = C.sumac_bases_config{size: C.sizeof_sumac_bases_config}
	for _, option := range options {
		if option != nil {
			option.setBases(&to)
		}
	}
	return to.c
}

// ---- Of MSMs ----

type msmOptions struct {
	c       *C.sumac_msm_config
	memory  *scratch
	n       int
	offsets []uint64
}

// Batch is how many MSMs a call has. Without it: one, or as many as [Offsets] say.
type Batch uint32

func (o Batch) setMSM(to *msmOptions) { to.c.batch = C.uint32_t(o) }

// BaseSets is how many sets of n bases the MSMs use in turns. Without it all use the same n bases.
type BaseSets uint32

func (o BaseSets) setMSM(to *msmOptions) { to.c.base_sets = C.uint32_t(o) }

// ScalarForm is the [Form] of scalars.
type ScalarForm Form

func (o ScalarForm) setMSM(to *msmOptions)     { to.c.scalar_form = C.uint32_t(o) }
func (o ScalarForm) setFiles(to *filesOptions) { o.setMSM(&to.msm) }

// ResultForm is the [Form] of results.
type ResultForm Form

func (o ResultForm) setMSM(to *msmOptions)     { to.c.result_form = C.uint32_t(o) }
func (o ResultForm) setFiles(to *filesOptions) { o.setMSM(&to.msm) }

// CutScalars says that only the lowest [ScalarBits] bits of each scalar count.
type CutScalars bool

func (o CutScalars) setMSM(to *msmOptions)     { to.c.cut_scalars = flag(bool(o)) }
func (o CutScalars) setFiles(to *filesOptions) { o.setMSM(&to.msm) }

// Offsets are of MSMs of different lengths: MSM j has the scalars from Offsets[j] to before Offsets[j+1].
type Offsets []uint64

func (o Offsets) setMSM(to *msmOptions) {
	if len(o) == 0 {
		to.memory.fail(refuse(ErrBadLength, "there are no offsets, and one MSM has 2"))
	}
	to.offsets = o
	to.c.offsets, to.c.offset_count = (*C.uint64_t)(pinned(to.memory, o)), C.size_t(len(o))
}

// msmConfig converts options for C, as basesConfig does.
func msmConfig(options []MSMOption, memory *scratch) msmOptions {
	to := newMSMOptions(memory)
	for _, option := range options {
		if option != nil {
			option.setMSM(&to)
		}
	}
	return to
}

func newMSMOptions(memory *scratch) msmOptions {
	to := msmOptions{c: new(C.sumac_msm_config), memory: memory}
	*to.c = C.sumac_msm_config{size: C.sizeof_sumac_msm_config}
	return to
}

// ---- Of MSMs of files ----

type filesOptions struct {
	c   *C.sumac_files_config
	msm msmOptions
}

// BasesFormat is one of [Formats], of the bases. Without it: a table of [Bases.Save] if the file begins like one, else raw.
type BasesFormat string

func (o BasesFormat) setFiles(to *filesOptions) { to.c.format = to.msm.memory.option(string(o)) }

// Chunk is how many bases are read at a time. Without it: what is fastest.
type Chunk uint64

func (o Chunk) setFiles(to *filesOptions) { to.c.chunk = C.uint64_t(o) }

// Checkpoint names a file for interrupted work.
type Checkpoint string

func (o Checkpoint) setFiles(to *filesOptions) { to.c.checkpoint = to.msm.memory.option(string(o)) }

// CheckpointInterval is the least time from one checkpoint to the next; if it is negative there is one after each chunk. Without it: two
// seconds.
type CheckpointInterval time.Duration

func (o CheckpointInterval) setFiles(to *filesOptions) {
	if o != 0 { // the library takes 0 as the default, and has no time between checkpoints less than 1 ms
		to.c.checkpoint_milliseconds = C.uint64_t(max(time.Duration(o).Milliseconds(), 1))
	}
}

// ---- Of setups, keys and proofs ----

type kzgOptions struct{ c *C.sumac_kzg_config }

// Cells says that the tables are derived that proofs of cells need, unless they come from a file of [KZGSetup.Save].
type Cells bool

func (o Cells) setKZG(to *kzgOptions) { to.c.cells = flag(bool(o)) }

func kzgConfig(options []KZGOption) *C.sumac_kzg_config {
	to := kzgOptions{new(C.sumac_kzg_config)}
	*to.c = C.sumac_kzg_config{size: C.sizeof_sumac_kzg_config}
	for _, option := range options {
		if option != nil {
			option.setKZG(&to)
		}
	}
	return to.c
}

type keyOptions struct {
	c         *C.sumac_groth16_key_config
	verifying *Groth16VerifyingKey
	err       error // what is wrong with it
}

func (v *Groth16VerifyingKey) setKey(to *keyOptions) { to.verifying, to.err = v, need(v) }

type proveOptions struct {
	c          *C.sumac_groth16_prove_config
	randomness []byte
}

// Randomness has r and s of each proof, raw, for tests. Without it they come from the system's random numbers.
type Randomness []byte

func (o Randomness) setProve(to *proveOptions) { to.randomness = o }

// Unverified says that proofs are returned without verifying them.
type Unverified bool

func (o Unverified) setProve(to *proveOptions) { to.c.unverified = flag(bool(o)) }

// ---- Of vectors ----

type transformOptions struct {
	c      *C.sumac_transform_config
	memory *scratch
	shift  []byte
}

// Length is that of each row that is transformed. Without it: the whole vector is one.
type Length int

func (o Length) setTransform(to *transformOptions) {
	to.c.length = to.memory.size("the length", int(o))
}

// Inverse says that the transform is the inverse one.
type Inverse bool

func (o Inverse) setTransform(to *transformOptions) { to.c.inverse = flag(bool(o)) }

// ValueOrder is the [Order] of values. Without it: natural.
type ValueOrder Order

func (o ValueOrder) setTransform(to *transformOptions) { to.c.value_order = C.uint32_t(o) }

// CoefficientOrder is the [Order] of coefficients. Without it: natural.
type CoefficientOrder Order

func (o CoefficientOrder) setTransform(to *transformOptions) { to.c.coefficient_order = C.uint32_t(o) }

// Shift is that of a coset, one raw scalar. Without it there is none.
type Shift []byte

func (o Shift) setTransform(to *transformOptions) {
	to.shift = o
	to.c.shift, to.c.shift_bytes = pinned(to.memory, o), length(o)
}

// Coefficients is how many of each row may differ from 0, or of an inverse transform are wanted. Without it: all.
type Coefficients int

func (o Coefficients) setTransform(to *transformOptions) {
	to.c.coefficients = to.memory.size("the number of coefficients", int(o))
}

type elementOptions struct {
	c      *C.sumac_element_layout
	memory scratch
}

// BigEndian says that scalars are big-endian; points are always raw.
type BigEndian bool

func (o BigEndian) setElements(to *elementOptions) {
	to.c.byte_order = C.SUMAC_LITTLE_ENDIAN
	if o {
		to.c.byte_order = C.SUMAC_BIG_ENDIAN
	}
}

func elementLayout(options []ElementOption) (*C.sumac_element_layout, error) {
	to := elementOptions{c: new(C.sumac_element_layout)}
	*to.c = C.sumac_element_layout{size: C.sizeof_sumac_element_layout}
	for _, option := range options {
		if option != nil {
			option.setElements(&to)
		}
	}
	return to.c, to.memory.err
}

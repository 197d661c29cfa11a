// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import "time"

// ContextOption is an option of [NewContext] and [NewPool].
type ContextOption interface{ setContext(*contextOptions) }

// BasesOption is an option of calls that make [Bases]. It says how points are read or what is kept for them.
type BasesOption interface{ setBases(*basesOptions) }

// MSMOption is an option of [Bases.MSM] and of calls like it.
type MSMOption interface{ setMSM(*msmOptions) }

// FilesOption is an option of [Context.MSMFiles].
type FilesOption interface{ setFiles(*filesOptions) }

// KZGOption is an option of [Context.OpenKZGSetup] and [Context.NewKZGSetup].
type KZGOption interface{ setKZG(*kzgOptions) }

// PlonkKeyOption is an option of [Context.OpenPlonkKey] and [Context.NewPlonkKey].
type PlonkKeyOption interface {
	setPlonkKey(*C.sumac_plonk_key_config)
}

// PlonkSetupOption is an option of [Context.PlonkSetup].
type PlonkSetupOption interface {
	setPlonkSetup(to *C.sumac_plonk_setup_config, memory *scratch)
}

// PlonkProveOption is an option of [PlonkKey.Prove].
type PlonkProveOption interface{ setPlonkProve(*plonkProveOptions) }

// KeyOption is an option of [Context.OpenGroth16Key] and [Context.NewGroth16Key]. A [Groth16VerifyingKey] is also a KeyOption,
// because a proving key of gnark contains no verifying key. Proofs are then verified with the given key, which stays open as
// long as the proving key.
type KeyOption interface{ setKey(*keyOptions) }

// ProveOption is an option of [Groth16Key.Prove] and [Groth16Key.ProveVector].
type ProveOption interface{ setProve(*proveOptions) }

// TransformOption is an option of [Vector.NTT] and [Vector.DivideByVanishing].
type TransformOption interface{ setTransform(*transformOptions) }

// ElementOption is an option of [Vector.Set] and [Vector.Get]. It says how elements are written in the host's memory.
type ElementOption interface{ setElements(*elementOptions) }

// ---- Options of several kinds of calls ----

// Tuning sets values that the library otherwise chooses, such as "variant=portable" for a context, or "c=16" for bases and
// MSMs. sumac/experimental.h explains the names.
type Tuning string

func (o Tuning) setContext(to *contextOptions) { to.c.tuning = to.memory.option(string(o)) }
func (o Tuning) setBases(to *basesOptions)     { to.c.tuning = to.memory.option(string(o)) }
func (o Tuning) setMSM(to *msmOptions)         { to.c.tuning = to.memory.option(string(o)) }
func (o Tuning) setFiles(to *filesOptions)     { o.setMSM(&to.msm) }

// Check says which checks points must pass. Every call checks that coordinates are less than p. Without this option, bases,
// points of files and points that are set in a vector must lie on the curve, and the points of a setup or key must lie in the
// subgroup.
type Check int

const (
	CheckDefault  Check = iota // the checks that the call makes without this option
	CheckCurve                 // check that points lie on the curve
	CheckSubgroup              // check that points lie in the subgroup of order r
	CheckNone                  // check only coordinates, because the points are known to lie on the curve
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

// Form says how integers modulo p or r are written: the coordinates of bases, and the elements of vectors. [ScalarForm] and
// [ResultForm] say it for the scalars and results of MSMs.
type Form int

const (
	Canonical  Form = C.SUMAC_FORM_CANONICAL  // the integer itself
	Montgomery Form = C.SUMAC_FORM_MONTGOMERY // the integer times R = 2^(64*words), as gnark-crypto, arkworks and blst store it
)

func (o Form) setBases(to *basesOptions)      { to.c.form = C.uint32_t(o) }
func (o Form) setElements(to *elementOptions) { to.c.form = C.uint32_t(o) }

// MemoryLimit is the largest number of bytes of workspace that a call of a context may use, or of the host's memory that an MSM
// of files may use. Without it the planner limits the workspace. An MSM of files then has the limit of its context. If the
// context has none, the MSM may use half of the memory that the system has left.
type MemoryLimit uint64

func (o MemoryLimit) setContext(to *contextOptions) { to.c.memory_limit = C.uint64_t(o) }
func (o MemoryLimit) setFiles(to *filesOptions)     { to.c.memory_limit = C.uint64_t(o) }

// PrecomputeFactor is the number of multiples that are kept of each base. The base itself counts, so 1 means no others. Without
// this option bases have no multiples. A proving key on a GPU, with a domain of at least 2^16 elements, then has the largest of
// 4, 2 and 1 with which its bases take at most a quarter of the GPU's free memory. Other proving keys then have no multiples. A
// prepared key has the multiples with which it was saved.
type PrecomputeFactor uint32

func (o PrecomputeFactor) setBases(to *basesOptions) { to.c.precompute_factor = C.uint32_t(o) }
func (o PrecomputeFactor) setKey(to *keyOptions)     { to.c.precompute_factor = C.uint32_t(o) }

// TableBytes is the largest size in bytes of a setup's tables or of the tables of bases. For bases it does not limit
// [Multiples]. Without it the size is at most 64 MiB.
type TableBytes uint64

func (o TableBytes) setBases(to *basesOptions) { to.c.table_bytes = C.uint64_t(o) }
func (o TableBytes) setKZG(to *kzgOptions)     { to.c.table_bytes = C.uint64_t(o) }

// ScalarBits is the number of bits of the largest scalar of an MSM. For bases with multiples or tables, it is the number of
// bits of the largest scalar that will be used with them. Without it the largest scalar has as many bits as r.
type ScalarBits uint32

func (o ScalarBits) setBases(to *basesOptions) { to.c.scalar_bits = C.uint32_t(o) }
func (o ScalarBits) setMSM(to *msmOptions)     { to.c.scalar_bits = C.uint32_t(o) }
func (o ScalarBits) setFiles(to *filesOptions) { o.setMSM(&to.msm) }

// ScalarBytes is the number of bytes of each scalar, at most [Curve].ScalarBytes. Elements of a vector can be set from scalars
// of 1, 2, 4 or 8 bytes. Without this option each scalar has [Curve].ScalarBytes bytes.
type ScalarBytes int

func (o ScalarBytes) setMSM(to *msmOptions) {
	to.c.scalar_bytes = C.uint32_t(to.memory.size("the bytes of a scalar", int(o)))
}
func (o ScalarBytes) setFiles(to *filesOptions) { o.setMSM(&to.msm) }
func (o ScalarBytes) setElements(to *elementOptions) {
	to.c.scalar_bytes = C.uint32_t(to.memory.size("the bytes of a scalar", int(o)))
}

// ScalarSigned says that scalars are written in two's complement.
type ScalarSigned bool

func (o ScalarSigned) setMSM(to *msmOptions)          { to.c.scalar_signed = flag(bool(o)) }
func (o ScalarSigned) setFiles(to *filesOptions)      { o.setMSM(&to.msm) }
func (o ScalarSigned) setElements(to *elementOptions) { to.c.scalar_signed = flag(bool(o)) }

// N is the number of bases that an MSM uses. Without it an MSM uses as many bases as it has scalars, and an MSM of files uses
// all bases of the file.
type N int

func (o N) setMSM(to *msmOptions)     { to.n = int(o) }
func (o N) setFiles(to *filesOptions) { to.c.n = C.uint64_t(to.msm.memory.size("N", int(o))) }

// First is the index of the first base that an MSM uses. For an MSM of files it is also the index of the first scalar.
type First int

func (o First) setMSM(to *msmOptions) { to.c.first = to.memory.size("the first base", int(o)) }
func (o First) setFiles(to *filesOptions) {
	to.c.first = C.uint64_t(to.msm.memory.size("the first base", int(o)))
}

// ---- Options of contexts ----

type contextOptions struct {
	c          *C.sumac_context_config
	memory     *scratch
	progress   Progress
	trace      Trace
	devices    []int32
	weights    []uint32
	allDevices bool
}

// Backend is the name of the backend: "cpu", "cuda", or "auto" for the fastest one that is found. Without it the backend is
// "auto".
type Backend string

func (o Backend) setContext(to *contextOptions) { to.c.backend = to.memory.option(string(o)) }

// Threads is the largest number of CPU threads that a call may use. Without it a call uses one thread for each CPU on which the
// process may run.
type Threads uint32

func (o Threads) setContext(to *contextOptions) { to.c.threads = C.uint32_t(o) }

// Devices are the numbers of the GPUs among which the work of each call is divided. Without it calls use only the first GPU.
type Devices []int32

func (o Devices) setContext(to *contextOptions) { to.devices = append([]int32{}, o...) }

// AllDevices says that the work of each call is divided among all GPUs.
type AllDevices bool

func (o AllDevices) setContext(to *contextOptions) { to.allDevices = bool(o) }

// DeviceWeights are the shares of the work that the [Devices] get, as ratios. Without it all devices get the same share.
type DeviceWeights []uint32

func (o DeviceWeights) setContext(to *contextOptions) { to.weights = append([]uint32{}, o...) }

// ReplicaLimit is the largest size in bytes of bases that are kept whole on each of several devices. Larger bases are divided
// among the devices. Without it the limit is 64 MiB.
type ReplicaLimit uint64

func (o ReplicaLimit) setContext(to *contextOptions) { to.c.replica_limit = C.uint64_t(o) }

// Progress is called as work proceeds, with 0 <= done <= 1, and the work waits until it returns. If it returns an error or
// panics, the call ends, and returns an error that wraps the error or panic.
type Progress func(done float64) error

func (o Progress) setContext(to *contextOptions) { to.progress = o }

// Trace is called after each span of work, possibly by several threads at the same time. If it panics, the call ends.
type Trace func(TraceEvent)

func (o Trace) setContext(to *contextOptions) { to.trace = o }

// ---- Options of bases ----

// basesOptions has a pointer to the configuration that C reads, because C reads it after basesConfig has returned.
type basesOptions struct {
	c      *C.sumac_bases_config
	memory *scratch
}

// Stride is the distance in bytes from one point to the next. Without it the distance is [Curve].PointBytes. For a file, the
// format determines Stride, [Form] and [InfinityAt].
type Stride int

func (o Stride) setBases(to *basesOptions) { to.c.stride = to.memory.size("the stride", int(o)) }

// InfinityAt is the offset, from the beginning of each point, of a byte that is not 0 if the point is infinity. Without it
// infinity is written as zeros.
type InfinityAt int

func (o InfinityAt) setBases(to *basesOptions) {
	to.c.infinity = C.SUMAC_INFINITY_FLAG
	to.c.infinity_offset = to.memory.size("the infinity's offset", int(o))
}

// Tables says which tables are kept for each base.
type Tables int

const (
	Multiples Tables = C.SUMAC_TABLES_MULTIPLES // multiples of the base, whose number is [PrecomputeFactor]
	Windows   Tables = C.SUMAC_TABLES_WINDOWS   // every multiple that a digit of a window can select
	AutoTable Tables = C.SUMAC_TABLES_AUTO      // the kind that is predicted to be faster
)

func (o Tables) setBases(to *basesOptions) { to.c.tables = C.uint32_t(o) }

// TypicalBatch is the number of MSMs in a typical call. The library chooses multiples that are fast for such calls.
type TypicalBatch uint32

func (o TypicalBatch) setBases(to *basesOptions) { to.c.typical_batch = C.uint32_t(o) }

// TypicalN is the number of bases that a typical MSM uses. The library chooses multiples that are fast for such MSMs. Without
// it a typical MSM uses all bases.
type TypicalN int

func (o TypicalN) setBases(to *basesOptions) {
	to.c.typical_n = to.memory.size("the typical n", int(o))
}

// Replicated says that each of several devices keeps all bases.
type Replicated bool

func (o Replicated) setBases(to *basesOptions) { to.c.replicated = flag(bool(o)) }

// PageLocked says that bases stay in page-locked memory of the host if the GPU has too little memory for them.
type PageLocked bool

func (o PageLocked) setBases(to *basesOptions) { to.c.page_locked = flag(bool(o)) }

// basesConfig converts options for C. The pointers in the result point to C's memory or to pinned memory, as long as the
// scratch lives.
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

// ---- Options of MSMs ----

type msmOptions struct {
	c       *C.sumac_msm_config
	memory  *scratch
	n       int
	offsets []uint64
}

// Batch is the number of MSMs of a call. Without it a call computes one MSM, or as many as [Offsets] define.
type Batch uint32

func (o Batch) setMSM(to *msmOptions) { to.c.batch = C.uint32_t(o) }

// BaseSets is the number of sets of n bases. MSM j uses set j mod BaseSets. Without it all MSMs use the same n bases.
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

// CutScalars says that an MSM uses only the lowest [ScalarBits] bits of each scalar.
type CutScalars bool

func (o CutScalars) setMSM(to *msmOptions)     { to.c.cut_scalars = flag(bool(o)) }
func (o CutScalars) setFiles(to *filesOptions) { o.setMSM(&to.msm) }

// Offsets assign scalars to MSMs of different lengths: MSM j has the scalars from Offsets[j] up to, but not including,
// Offsets[j+1].
type Offsets []uint64

func (o Offsets) setMSM(to *msmOptions) {
	if len(o) == 0 {
		to.memory.fail(refuse(ErrBadLength, "there are no offsets, but one MSM needs 2"))
	}
	to.offsets = o
	to.c.offsets, to.c.offset_count = (*C.uint64_t)(pinned(to.memory, o)), C.size_t(len(o))
}

// msmConfig converts options for C. Its pointers are valid as long as the scratch lives.
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

// ---- Options of MSMs of files ----

type filesOptions struct {
	c   *C.sumac_files_config
	msm msmOptions
}

// BasesFormat is the format of the file of bases, one of [Formats]. Without it a file that begins like a table of [Bases.Save]
// is read as such a table, and any other file has the format "raw".
type BasesFormat string

func (o BasesFormat) setFiles(to *filesOptions) { to.c.format = to.msm.memory.option(string(o)) }

// Chunk is the number of bases that are read at a time. Without it the library chooses the fastest number.
type Chunk uint64

func (o Chunk) setFiles(to *filesOptions) { to.c.chunk = C.uint64_t(o) }

// Checkpoint is the path of a file that records progress. If work was interrupted, the next call continues from this file.
type Checkpoint string

func (o Checkpoint) setFiles(to *filesOptions) { to.c.checkpoint = to.msm.memory.option(string(o)) }

// CheckpointInterval is the shortest time between two checkpoints. If it is negative, a checkpoint is written after each chunk.
// Without it the time is two seconds.
type CheckpointInterval time.Duration

func (o CheckpointInterval) setFiles(to *filesOptions) {
	if o != 0 { // for the library 0 means its default time, and 1 ms is the shortest time
		to.c.checkpoint_milliseconds = C.uint64_t(max(time.Duration(o).Milliseconds(), 1))
	}
}

// ---- Options of setups, keys and proofs ----

type kzgOptions struct{ c *C.sumac_kzg_config }

// Cells says that the tables for proofs of cells are computed, unless the setup comes from a file of [KZGSetup.Save] that has
// them.
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
	wires     CommitmentWires
	err       error // what is wrong with the verifying key
}

func (v *Groth16VerifyingKey) setKey(to *keyOptions) { to.verifying, to.err = v, need(v) }

// CommitmentWires has wires that gnark's proving keys do not name. For each commitment it lists the wire that has the
// commitment's value (CommitmentIndex), and then the committed private wires (PrivateCommitted).
type CommitmentWires []uint32

func (o CommitmentWires) setKey(to *keyOptions) { to.wires = o }

type proveOptions struct {
	c          *C.sumac_groth16_prove_config
	randomness []byte
}

// Randomness has the raw random numbers r and s of each proof, for tests. Without it the system's random number generator
// chooses them.
type Randomness []byte

func (o Randomness) setProve(to *proveOptions) { to.randomness = o }

// Unverified says that proofs are returned without verifying them.
type Unverified bool

func (o Unverified) setProve(to *proveOptions) { to.c.unverified = flag(bool(o)) }

func (o Check) setPlonkKey(to *C.sumac_plonk_key_config) { to.check = C.uint32_t(o) }
func (o PrecomputeFactor) setPlonkKey(to *C.sumac_plonk_key_config) {
	to.precompute_factor = C.uint32_t(o)
}

// Compact says that a key of PLONK does not keep the values of its polynomials on the quotient's cosets.
type Compact bool

func (o Compact) setPlonkKey(to *C.sumac_plonk_key_config) { to.compact = flag(bool(o)) }

// Protocol is the protocol of a key of PLONK.
type Protocol string

// These are the protocols. FFLONK is only for BN254.
const (
	ProtocolPlonk  Protocol = "plonk"
	ProtocolFflonk Protocol = "fflonk"
)

func (o Protocol) setPlonkSetup(to *C.sumac_plonk_setup_config, memory *scratch) {
	to.protocol = memory.text(string(o))
}

type plonkProveOptions struct {
	c        *C.sumac_plonk_prove_config
	blinding []byte
}

// Blinding has the raw random numbers of each proof of PLONK, for tests. Without it the system's random number generator chooses
// them.
type Blinding []byte

func (o Blinding) setPlonkProve(to *plonkProveOptions)   { to.blinding = o }
func (o Unverified) setPlonkProve(to *plonkProveOptions) { to.c.unverified = flag(bool(o)) }

// ---- Options of vectors ----

type transformOptions struct {
	c      *C.sumac_transform_config
	memory *scratch
	shift  []byte
	root   []byte
}

// Length is the length of each row that is transformed. Without it the whole vector is one row.
type Length int

func (o Length) setTransform(to *transformOptions) {
	to.c.length = to.memory.size("the length", int(o))
}

// Inverse says that the inverse transform is computed.
type Inverse bool

func (o Inverse) setTransform(to *transformOptions) { to.c.inverse = flag(bool(o)) }

// ValueOrder is the [Order] of values. Without it the order is natural.
type ValueOrder Order

func (o ValueOrder) setTransform(to *transformOptions) { to.c.value_order = C.uint32_t(o) }

// CoefficientOrder is the [Order] of coefficients. Without it the order is natural.
type CoefficientOrder Order

func (o CoefficientOrder) setTransform(to *transformOptions) { to.c.coefficient_order = C.uint32_t(o) }

// Shift is the raw scalar that shifts the domain to a coset. Without it the domain is not shifted.
type Shift []byte

func (o Shift) setTransform(to *transformOptions) {
	to.shift = o
	to.c.shift, to.c.shift_bytes = pinned(to.memory, o), length(o)
}

// Root is the raw scalar that takes the place of RootOfUnity, for values that another library lists by a root of its own. Its
// order is the length of a row.
type Root []byte

func (o Root) setTransform(to *transformOptions) {
	to.root = o
	to.c.root, to.c.root_bytes = pinned(to.memory, o), length(o)
}

// Coefficients is the number of coefficients of each row that may differ from 0. For an inverse transform it is the number of
// coefficients that are computed. Without it the transform uses all coefficients.
type Coefficients int

func (o Coefficients) setTransform(to *transformOptions) {
	to.c.coefficients = to.memory.size("the number of coefficients", int(o))
}

type elementOptions struct {
	c      *C.sumac_element_layout
	memory scratch
}

// BigEndian says that scalars are big-endian. It does not change points, which are always raw.
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

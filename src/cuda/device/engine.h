/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The CUDA engine's own declarations. One cuda_engine is one context's stream on one device; a curve
 * contributes a cuda_curve, compiled from code.cu and its stages with -DSUMAC_CURVE_HEADER. Everything that
 * needs no field element is compiled once.
 *
 * Work is issued on the engine's stream; a stage waits only where the host must know a number (accumulate) or
 * wants the results (deliver). Every call of the runtime is checked by CUDA_TRY, which leaves a sentence in
 * the engine.
 */
#ifndef SUMAC_CUDA_DEVICE_ENGINE_H
#define SUMAC_CUDA_DEVICE_ENGINE_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "pipeline/engine.h"
#include "pipeline/plan_sizes.h"

/* The loads, copied and awaited by themselves: each copy slice's scalars, and its bases; of two chunks. */
enum { TRANSFER_LOADS = 2 * 2 * COPY_SLICES_MAX };

/* What a pass works with while another one is worked on: pipeline.h's in-flight passes. */
struct cuda_in_flight_pass {
    cudaStream_t stream;
    cudaEvent_t counted; /* accumulate's counts have come to the mailbox */
    cudaEvent_t done;    /* what the stream held when the passes had been issued */
    uint32_t *mailbox;   /* MAILBOX_WORDS words of pinned host memory for numbers that the host waits for */
};

struct cuda_engine {
    int device;
    int multiprocessors;
    bool launches_early; /* it can launch a kernel's blocks before the one before has ended */
    cuda_in_flight_pass in_flight_passes[PLAN_MAX_IN_FLIGHT_PASSES];
    cuda_in_flight_pass *in_flight_pass; /* that of the pass; the first one's outside of passes */
    cudaStream_t stream;                 /* the in-flight pass's */
    cudaStream_t copies;                 /* of scalars and visiting bases: copies.cu */
    cudaEvent_t arrived[TRANSFER_LOADS]; /* the load is on the device */
    cudaEvent_t before;                  /* what a caller's stream held; and what it is to wait for */
    cudaEvent_t after;
    cudaEvent_t vacated;         /* after it nothing reads what the last chunk is copied over */
    cudaEvent_t begun;           /* the first in-flight pass has come to a sub-batch's first pass */
    size_t shared_bytes;         /* that a block can have */
    int fills[TRANSFER_LOADS];   /* the load goes through `filling` */
    struct filling *filling;     /* its threads; null until they are needed */
    const void *pair_kernels[2]; /* for which pair_shared_bytes holds: in place, gathered */
    size_t pair_shared_bytes[2];
    uint32_t *too_large;           /* a word of the first mailbox, for all in-flight passes */
    unsigned long long *first_bad; /* likewise */
    struct delivery *delivery;     /* of the last call: deliver.h */
    void *vector_scratch;          /* vectors.h; null until it is needed */
    struct decoder *decoder;       /* decode.h; likewise */
    uint64_t failing_call; /* for tests: 1: the next call of the runtime fails, 2: the one after; 0: none */
    char description[512]; /* a name of 256 bytes, and numbers */
    char message[256];
};

/* Which word is whose. */
enum {
    MAIL_LARGEST, /* as accumulate's counts from COUNT_LARGEST on: accumulate.h */
    MAIL_ENTRIES,
    MAIL_LEFT,
    MAIL_TOO_LARGE = MAIL_LEFT + 32,
    MAIL_FIRST_BAD = MAIL_TOO_LARGE + 2, /* of 64 bits: an even place, and two words */
    MAILBOX_WORDS = MAIL_FIRST_BAD + 2
};

/* What is known of records that are imported: the first bad one's index, and below it what is wrong; or that
 * all are good. */
enum { FIRST_BAD_STATUS_BITS = 8 };
constexpr unsigned long long NONE_BAD = ~0ULL;

static inline cuda_engine *engine_of(const msm_job *job)
{
    return static_cast<cuda_engine *>(job->engine);
}

/* Keep the sentence for a failed call; the status that belongs to the error. */
sumac_status cuda_fail(cuda_engine *engine, cudaError_t error, const char *what);

/* The same for an allocation of so many bytes for something. */
sumac_status cuda_allocation_failed(cuda_engine *engine, cudaError_t error, uint64_t bytes, const char *what);

/* Whether a test wants this call to fail: device_ops.fail_call. Threads of the engine ask as well. */
static inline int cuda_is_failing(cuda_engine *engine)
{
    uint64_t left = __atomic_load_n(&engine->failing_call, __ATOMIC_RELAXED);
    while (left != 0 && !__atomic_compare_exchange_n(&engine->failing_call, &left, left - 1, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return left == 1;
}

/* Every call of the runtime whose failure matters goes through one of these. */
#define CUDA_CALL(engine, call) (cuda_is_failing(engine) ? cudaErrorLaunchFailure : (call))
#define CUDA_ALLOCATE(engine, call) (cuda_is_failing(engine) ? cudaErrorMemoryAllocation : (call))

#define CUDA_TRY(engine, call)                                                                               \
    do {                                                                                                     \
        const cudaError_t cuda_try_error = CUDA_CALL(engine, call);                                          \
        if (cuda_try_error != cudaSuccess) {                                                                 \
            return cuda_fail(engine, cuda_try_error, #call);                                                 \
        }                                                                                                    \
    } while (0)

#define STATUS_TRY(call)                                                                                     \
    do {                                                                                                     \
        const sumac_status status_try_result = (call);                                                       \
        if (status_try_result != SUMAC_OK) {                                                                 \
            return status_try_result;                                                                        \
        }                                                                                                    \
    } while (0)

/* Begin and end of a stage's span; with a trace the end waits for the stream, so that the span is the
 * stage's. */
double cuda_stage_begin(const msm_job *job);
sumac_status cuda_stage_end(const msm_job *job, const msm_pass *pass, const char *name, double begin);

/* Blocks of `threads` that cover n items; at most 2^31 - 1. */
static inline unsigned blocks_for(uint64_t n, unsigned threads)
{
    return static_cast<unsigned>((n + threads - 1) / threads);
}

/* The same for blocks that go on to the next n: as many as fill the device `times` times over. */
static inline unsigned blocks_to_fill(const cuda_engine *engine, unsigned times, uint64_t n, unsigned threads)
{
    const unsigned most = static_cast<unsigned>(engine->multiprocessors) * times;
    const unsigned blocks = blocks_for(n, threads);
    return blocks < most ? blocks : most;
}

/* ---- The kinds of stages, none of which knows a curve ---- */

extern const stage_kind cuda_recode_signed;
extern const stage_kind cuda_recode_negated;
extern const stage_kind cuda_recode_glv;
extern const stage_kind cuda_recode_unsigned;
extern const stage_kind cuda_sort_counting;
extern const stage_kind cuda_sort_lookup;
extern const stage_kind cuda_accumulate_quads;
extern const stage_kind cuda_accumulate_rounds;
extern const stage_kind cuda_reduce_halving;
extern const stage_kind cuda_reduce_running_sum;
extern const stage_kind cuda_reduce_none;
extern const stage_kind cuda_combine_host;
extern const stage_kind cuda_combine_device;

/* The named plans, and the kinds of theirs alone: what the build puts there from src/plans. Both end with
 * null. */
extern const named_plan *const cuda_plans[];
extern const stage_kind *const cuda_plan_kinds[];

/* Take so many bytes of the scratch block from *end on; what they begin at is a multiple of 256. */
static inline uint64_t scratch_take(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 255) / 256 * 256;
    return offset;
}

/* reduce_halving.cu: how many rounds are affine, for vectors of 2^bits points. Falls as there are fewer
 * vectors. */
uint32_t cuda_tail_level(uint32_t bits, uint64_t vectors);

/* ---- In-flight passes: memory.cu ---- */

/* Have the engine's stream be that of the pass, which begins. */
sumac_status cuda_take_in_flight_pass(const msm_job *job, const msm_pass *pass);
/* All passes are issued: go on with the first in-flight pass when the others are done. */
sumac_status cuda_join_in_flight_passes(const msm_job *job);

/* ---- What the kinds cost: costs.cu ---- */

stage_cost cuda_cost_of_feed(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_recode(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_sort(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_lookup(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_quads(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_rounds(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_halving(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_running_sum(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_one_bucket(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_host_combine(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_device_combine(const plan_request *request, const msm_plan *plan);

/* As backend.elapsed. */
double cuda_elapsed(msm_plan *plan, const stage_cost *sum);

/* plan.copy_slices and copy_slice_growth; `wanted` copy slices, or 0: as many as pay. */
void cuda_choose_copy_slices(const sumac_curve *curve, msm_plan *plan, uint32_t wanted);

/* ---- Memory: memory.cu ---- */

extern const device_ops cuda_device;
extern const struct vector_ops cuda_vectors; /* vector_moves.cu */
void *cuda_allocate(void *engine, uint64_t bytes);
void cuda_release(void *memory);
/* A slice of records in the device's memory, imported: as device_ops.fill_table. Waits. */
sumac_status cuda_import_slice(cuda_engine *engine, const struct cuda_curve *code, const table_slice *slice,
                               uint64_t *bad);

/* After waiting: the status of what *first_bad of the engine has found, SUMAC_OK where that is nothing. *bad
 * is the index of a record that is refused, and else stays. */
sumac_status cuda_first_bad(const cuda_engine *engine, uint64_t *bad);

/* ---- A curve's kernels ---- */

/* Threads of a block of every per-curve kernel. Products of pairs are kept in whole rows of so many. */
enum { PAIR_BLOCK = 128 };

/*
 * Pairs of points to be added, in one of two kinds.
 *   gathered: pair k is the two entries[2k], entries[2k + 1] = 2*index + negative into the table `points`;
 * its sum goes to out[target[k]]. in place, where entries is null: pair k is points[left] and points[left +
 * stride]; its sum replaces the left one. left = lefts[k]. The number of pairs is *count on the device where
 * count is not null, else limit; it never exceeds limit.
 */
struct pair_round {
    const void *points;
    const uint32_t *entries;
    const uint32_t *targets;
    const uint32_t *lefts;
    const uint32_t *count;
    uint64_t limit;
    uint32_t stride;
    void *out;
    void *products; /* limit field elements, in whole rows */
    bool shares;    /* the device works on another pass as well */
};

/* Where a bucket's entries begin, and so its slots: see accumulate_rounds.cu. */
struct slot_map {
    const uint32_t *starts;
    uint64_t buckets;
};

#ifdef __CUDACC__
/* With m entries in the bucket the next one's first slot is at least ceil(m/2) slots on. */
static __device__ __forceinline__ uint32_t first_slot(uint64_t b, uint32_t start)
{
    return (uint32_t)((start + b + 1) / 2);
}
#endif

/* Room for the list of sums that are to be added: merge.cu. */
struct merge_lists {
    uint32_t *lefts; /* buckets of them */
    uint32_t *count;
    void *products; /* as pair_round's, for a pair a bucket */
};

/* reduce's vectors of 2^bits affine points after `level` rounds, and room for their live points as XYZZ. */
struct vector_tail {
    const void *points;
    void *tail;
    uint32_t bits;
    uint32_t level;
    uint32_t vectors;
};

/* A bucket's points are added by up to 2^(FINISH_CLASSES - 1) quads, all those of a block. */
enum { FINISH_CLASSES = 6 };

/*
 * Buckets of which few points are left: finish.cu. Class j lists, from entries[first[j]] on, those that have
 * 2^j quads: the bucket's first slot, and S - 1 for the S slots that it had before round 2. Of those every
 * 2^*shift-th has a point left.
 */
struct finish_lists {
    const uint2 *entries;
    uint32_t first[FINISH_CLASSES];
    const uint32_t *counts; /* of each class's buckets */
    const uint32_t *shift;
    uint64_t additions; /* that are left at most; a bucket has no more quads than additions */
    void *slot_points;
};

/*
 * For g < count: the point at points[g*terms*stride] becomes the sum over t < terms of 2^(doublings*t) times
 * the point at points[(g*terms + t)*stride].
 */
struct horner_sums {
    void *points; /* XYZZ */
    uint64_t count;
    uint32_t terms;
    uint32_t stride;
    uint32_t doublings;
};

/* Compressed points [first, first + n) of a call, in the device's memory: codec/compressed.h. */
struct decode_slice {
    const uint8_t *records;
    void *raw;    /* n raw canonical points, at a multiple of 16 bytes */
    void *points; /* room for n points, for the check */
    uint64_t first;
    uint64_t n;
    sumac_check check;
};

struct cuda_curve {
    const char *name;
    const char *group;
    size_t affine_bytes;
    size_t element_bytes;
    size_t xyzz_bytes;
    sumac_status (*sum_pairs)(cuda_engine *engine, const pair_round *round);
    /* out[slot] = the point of an entry, for a list of (slot, entry): *count of them on the device, at most
     * limit. */
    sumac_status (*copy_singles)(cuda_engine *engine, const void *table, const uint2 *singles,
                                 const uint32_t *count, uint64_t limit, void *out);
    /* The first slot of each bucket listed = the sum of its points. */
    sumac_status (*finish)(cuda_engine *engine, const finish_lists *lists);
    /* sums[b] = the bucket's first slot, or infinity. */
    sumac_status (*collect)(cuda_engine *engine, const slot_map *map, const void *slot_points, void *sums);
    /* The same for a later copy slice: sums[b] += the bucket's first slot. sums has twice as many points as
     * there are buckets. */
    sumac_status (*merge)(cuda_engine *engine, const slot_map *map, const void *slot_points,
                          const merge_lists *lists, void *sums);
    /* The last rounds of reduce, and the parts of each module: set, or added to. */
    sumac_status (*reduce_tail)(cuda_engine *engine, const vector_tail *work, int add, void *parts);
    /* Each module's sum by a running sum over its buckets: its only part, set or added to. */
    sumac_status (*running_sum)(cuda_engine *engine, const void *sums, uint32_t buckets, uint64_t modules,
                                int add, void *parts);
    /* Sums of terms that are doublings apart, in place: horner.cu. */
    sumac_status (*horner)(cuda_engine *engine, const horner_sums *sums);
    /* XYZZ points to raw ones, in place: each of `count` at the beginning of its point, which lie `stride`
     * points apart. */
    sumac_status (*export_points)(cuda_engine *engine, void *points, uint64_t count, uint64_t stride,
                                  sumac_form form);
    /* The table's points from a part's records. *first_bad is NONE_BAD and page-locked; it is there when the
     * stream's work is done. */
    sumac_status (*import_points)(cuda_engine *engine, const table_slice *slice,
                                  unsigned long long *first_bad);
    /* Raw points of compressed ones; *first_bad as import_points's, by the number among the call's points.
     * Null where p leaves no bits for the flags. */
    sumac_status (*decode_points)(cuda_engine *engine, const decode_slice *slice,
                                  unsigned long long *first_bad);
    /* The multiples of the points, which are in the table's first block: of tables of digits, the first one
     * of every window. */
    sumac_status (*multiples)(cuda_engine *engine, const table_slice *slice);
    /* Of tables of digits, where the first multiple of every window is there: the others. */
    sumac_status (*window_tables)(cuda_engine *engine, const table_slice *slice);
    /* The points' images under the curve's endomorphism, behind them. */
    sumac_status (*endomorphism_images)(cuda_engine *engine, const table_slice *slice);
    const struct scalar_vector_ops *scalar_vectors; /* of the field of scalars */
    const struct point_vector_ops *point_vectors;
};

/* Null when the engine was built without the curve. */
const cuda_curve *cuda_curve_of(const sumac_curve *curve);

extern const cuda_curve *const cuda_registry[]; /* ends with null; generated */

#endif

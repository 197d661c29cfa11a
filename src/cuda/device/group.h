/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A group's kernels, and the structs that they take. The kernels are compiled from the sources that CMake lists per
 * curve, with -DSUMAC_CURVE_HEADER, and collected in code.cu. Code that needs no field element is compiled once and
 * calls them through this table.
 */
#ifndef SUMAC_CUDA_DEVICE_GROUP_H
#define SUMAC_CUDA_DEVICE_GROUP_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "pipeline/pipeline.h"
#include "pipeline/table_slice.h"
#include "sumac/sumac.h"

struct cuda_engine;
struct point_vector_ops;
struct scalar_vector_ops;

/* Blocks of all per-curve kernels have PAIR_BLOCK threads, and products of pairs are kept in whole rows of PAIR_BLOCK. */
enum { PAIR_BLOCK = 128 };

/*
 * In a round, pairs of points are added. There are two kinds of rounds:
 *   gathered: the points of pair k are those of entries[2k] and entries[2k + 1], which are 2*index + negative with an index
 * into the table `points`; the sum goes to out[targets[k]].
 *   in place, if entries is null: pair k is points[left] and points[left + stride] with left = lefts[k]; the sum replaces
 * the left point. The number of pairs is *count, in the device's memory, or limit if count is null; it never exceeds limit.
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
    void *products; /* memory for limit field elements, in whole rows */
    bool shares;    /* the device works on another pass as well */
};

/* The starts of the buckets' entries determine the buckets' slots: accumulate_rounds.cu. */
struct slot_map {
    const uint32_t *starts;
    uint64_t buckets;
};

#ifdef __CUDACC__
/* If bucket b has m entries, the first slot of bucket b + 1 is at least ceil(m/2) slots after that of bucket b. */
static __device__ __forceinline__ uint32_t first_slot(uint64_t b, uint32_t start)
{
    return (uint32_t)((start + b + 1) / 2);
}
#endif

/* This memory is for the list of bucket sums that merge adds: accumulate_rounds_slots.cu. */
struct merge_lists {
    uint32_t *lefts; /* one for each bucket */
    uint32_t *count;
    void *products; /* pair_round.products for one pair of each bucket */
};

/* reduce's vectors of 2^bits points have had `level` rounds; `tail` is memory for their remaining points as XYZZ. If
 * the vectors are XYZZ already, they have had no round. */
struct vector_tail {
    const void *points;
    bool are_xyzz;
    void *tail;
    uint32_t bits;
    uint32_t level;
    uint32_t vectors;
};

/* A group of quads adds up points; the largest group has all 2^QUAD_GROUP_LEVELS quads of a block.
 * accumulate_rounds_finish.cu has a class of buckets for each size of a group. */
enum { QUAD_GROUP_LEVELS = 5, FINISH_CLASSES = QUAD_GROUP_LEVELS + 1 };

/*
 * accumulate_xyzz_quads_sums.cu adds these bucket lists up as XYZZ points. A task is the work of a group of 2^level
 * quads: at most 2^task_bits entries of one bucket. A bucket has as many tasks as it needs, at least one.
 */
struct quad_tasks {
    const void *table;
    const uint32_t *entries;
    const uint32_t *starts;
    uint64_t buckets;
    uint64_t count; /* the number of tasks, at most */
    uint32_t task_bits;
    uint32_t level;
    bool several; /* a bucket may have several tasks */
    bool adds;    /* the buckets' earlier sums are added to */
    void *parts;  /* memory for the sum of each task */
    void *sums;
};

/*
 * accumulate_rounds_finish.cu adds up these buckets, of which few points are left. From entries[first[j]] on class j
 * lists the buckets to which 2^j quads are assigned. An entry is the bucket's first slot, and S - 1 if the bucket had S
 * slots before round 2. Every 2^*shift-th of the S slots has a point left.
 */
struct finish_lists {
    const uint2 *entries;
    uint32_t first[FINISH_CLASSES];
    const uint32_t *counts; /* the numbers of buckets of the classes */
    const uint32_t *shift;
    uint64_t additions; /* additions left, at most; a bucket has no more quads than additions */
    void *slot_points;
};

/*
 * For each g < count the point at points[g*terms*stride] becomes the sum over t < terms of 2^(doublings*t) times
 * the point at points[(g*terms + t)*stride].
 */
struct horner_sums {
    void *points; /* XYZZ */
    uint64_t count;
    uint32_t terms;
    uint32_t stride;
    uint32_t doublings;
};

/* The compressed points [first, first + n) of a call are in the device's memory: codec/compressed.h. */
struct decode_slice {
    const uint8_t *records;
    void *raw;    /* n raw canonical points, at a multiple of 16 bytes */
    void *points; /* memory for n points, for the check */
    uint64_t first;
    uint64_t n;
    sumac_check check;
};

struct cuda_group {
    const char *curve; /* curve and name are as in sumac_group */
    const char *name;
    size_t affine_bytes;
    size_t element_bytes;
    size_t xyzz_bytes;
    sumac_status (*sum_pairs)(cuda_engine *engine, cudaStream_t stream, const pair_round *round);
    /* For each (slot, entry) of a list, set out[slot] to the point of the entry. The list's length is *count, in the
     * device's memory, and at most limit. */
    sumac_status (*copy_singles)(cuda_engine *engine, cudaStream_t stream, const void *table,
                                 const uint2 *singles, const uint32_t *count, uint64_t limit, void *out);
    /* Set sums[b] to the sum of bucket b's points, or add the sum to it if tasks->adds. */
    sumac_status (*sum_buckets)(cuda_engine *engine, cudaStream_t stream, const quad_tasks *tasks);
    /* Set the first slot of each listed bucket to the sum of the bucket's points. */
    sumac_status (*finish)(cuda_engine *engine, cudaStream_t stream, const finish_lists *lists);
    /* Set sums[b] to the first slot of bucket b, or to infinity if the bucket has no entries. */
    sumac_status (*collect)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                            const void *slot_points, void *sums);
    /* Add the first slot of bucket b to sums[b]. This is for later copy slices. */
    sumac_status (*merge)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                          const void *slot_points, const merge_lists *lists, const bucket_sums *sums);
    /* Do the last rounds of reduce, and set each module's parts, or add to them if `add` is 1. */
    sumac_status (*reduce_tail)(cuda_engine *engine, cudaStream_t stream, const vector_tail *work, int add,
                                void *parts);
    /* Compute each module's sum by a running sum over its buckets, and set the module's only part, or add to it. */
    sumac_status (*running_sum)(cuda_engine *engine, cudaStream_t stream, const void *sums, uint32_t buckets,
                                uint64_t modules, int add, void *parts);
    /* Compute horner_sums in place: combine_horner.cu. */
    sumac_status (*horner)(cuda_engine *engine, const horner_sums *sums);
    /* Convert `count` XYZZ points to raw points, in place. Each raw point lies at the beginning of its XYZZ point. The
     * XYZZ points lie `stride` points apart. */
    sumac_status (*export_points)(cuda_engine *engine, void *points, uint64_t count, uint64_t stride,
                                  sumac_form form);
    /* Import the table's points from a slice's records. *first_bad lies in page-locked memory and is NONE_BAD before;
     * it is valid when the stream's work is done. */
    sumac_status (*import_points)(cuda_engine *engine, const table_slice *slice,
                                  unsigned long long *first_bad);
    /* Compute the multiples of the points in the table's first block; for window tables, the first multiple of every
     * window. */
    sumac_status (*multiples)(cuda_engine *engine, const table_slice *slice);
    /* Complete window tables in which the first multiple of every window is present. */
    sumac_status (*window_tables)(cuda_engine *engine, const table_slice *slice);
    /* Write the points' images under the curve's endomorphism behind the points. */
    sumac_status (*endomorphism_images)(cuda_engine *engine, const table_slice *slice);
    /* Decompress points to raw ones. *first_bad is as in import_points(), but counts the points of the call. The
     * function is null if p leaves no bits for the flags. */
    sumac_status (*decode_points)(cuda_engine *engine, const decode_slice *slice,
                                  unsigned long long *first_bad);
    const scalar_vector_ops *scalar_vectors; /* operations of the scalar field */
    const point_vector_ops *point_vectors;
};

/* Return the group's table, or null if the engine was built without the group. */
const cuda_group *cuda_group_of(const sumac_group *group);

extern const cuda_group *const cuda_registry[]; /* ends with null; generated */

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A curve's kernels, and the structs that they take. The kernels are compiled from the sources that CMake lists per curve,
 * with -DSUMAC_CURVE_HEADER, and collected in code.cu. Code that needs no field element is compiled once and calls them
 * through this table.
 */
#ifndef SUMAC_CUDA_DEVICE_CURVE_H
#define SUMAC_CUDA_DEVICE_CURVE_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "pipeline/pipeline.h"
#include "pipeline/table_slice.h"
#include "sumac/sumac.h"

struct cuda_engine;
struct point_vector_ops;
struct scalar_vector_ops;

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

/* The starts of the buckets' entries, from which the buckets' slots follow: accumulate_rounds.cu. */
struct slot_map {
    const uint32_t *starts;
    uint64_t buckets;
};

#ifdef __CUDACC__
/* If a bucket has m entries, the next one's first slot is at least ceil(m/2) slots on. */
static __device__ __forceinline__ uint32_t first_slot(uint64_t b, uint32_t start)
{
    return (uint32_t)((start + b + 1) / 2);
}
#endif

/* Memory for the list of sums that are to be added: accumulate_rounds_slots.cu. */
struct merge_lists {
    uint32_t *lefts; /* buckets of them */
    uint32_t *count;
    void *products; /* as pair_round's, for a pair a bucket */
};

/* reduce's vectors of 2^bits points after `level` rounds, and memory for their live points as XYZZ. Vectors that are
 * XYZZ already have had no round. */
struct vector_tail {
    const void *points;
    bool are_xyzz;
    void *tail;
    uint32_t bits;
    uint32_t level;
    uint32_t vectors;
};

/* Points are added up by groups of up to 2^QUAD_GROUP_LEVELS quads, all those of a block. accumulate_rounds_finish.cu has a
 * class of buckets for each size of a group. */
enum { QUAD_GROUP_LEVELS = 5, FINISH_CLASSES = QUAD_GROUP_LEVELS + 1 };

/*
 * Bucket lists to be added up as XYZZ points: accumulate_xyzz_quads_sums.cu. A task is the work of 2^level quads: at most
 * 2^task_bits entries of a bucket, which has as many tasks as it needs, or one.
 */
struct quad_tasks {
    const void *table;
    const uint32_t *entries;
    const uint32_t *starts;
    uint64_t buckets;
    uint64_t count; /* of tasks, at most */
    uint32_t task_bits;
    uint32_t level;
    bool several; /* a bucket may have several tasks */
    bool adds;    /* to the earlier sums */
    void *parts;  /* memory for the sum of each task */
    void *sums;
};

/*
 * Buckets of which few points are left: accumulate_rounds_finish.cu. Class j lists, from entries[first[j]] on, those that have
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
    void *points; /* memory for n points, for the check */
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
    sumac_status (*sum_pairs)(cuda_engine *engine, cudaStream_t stream, const pair_round *round);
    /* out[slot] = the point of an entry, for a list of (slot, entry): *count of them on the device, at most
     * limit. */
    sumac_status (*copy_singles)(cuda_engine *engine, cudaStream_t stream, const void *table,
                                 const uint2 *singles, const uint32_t *count, uint64_t limit, void *out);
    /* sums[b] = the sum of the bucket's points, or added to it. */
    sumac_status (*sum_buckets)(cuda_engine *engine, cudaStream_t stream, const quad_tasks *tasks);
    /* The first slot of each bucket listed = the sum of its points. */
    sumac_status (*finish)(cuda_engine *engine, cudaStream_t stream, const finish_lists *lists);
    /* sums[b] = the bucket's first slot, or infinity. */
    sumac_status (*collect)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                            const void *slot_points, void *sums);
    /* A later copy slice adds: sums[b] += the first slot of bucket b. */
    sumac_status (*merge)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                          const void *slot_points, const merge_lists *lists, const bucket_sums *sums);
    /* The last rounds of reduce, and the parts of each module: set, or added to. */
    sumac_status (*reduce_tail)(cuda_engine *engine, cudaStream_t stream, const vector_tail *work, int add,
                                void *parts);
    /* Each module's sum by a running sum over its buckets: its only part, set or added to. */
    sumac_status (*running_sum)(cuda_engine *engine, cudaStream_t stream, const void *sums, uint32_t buckets,
                                uint64_t modules, int add, void *parts);
    /* Sums of terms that differ by doublings, in place: combine_horner.cu. */
    sumac_status (*horner)(cuda_engine *engine, const horner_sums *sums);
    /* Make `count` XYZZ points raw, in place: a raw point lies at the beginning of its XYZZ point, and those lie
     * `stride` points apart. */
    sumac_status (*export_points)(cuda_engine *engine, void *points, uint64_t count, uint64_t stride,
                                  sumac_form form);
    /* Import the table's points from a slice's records. *first_bad lies in page-locked memory and is NONE_BAD before;
     * it is valid when the stream's work is done. */
    sumac_status (*import_points)(cuda_engine *engine, const table_slice *slice,
                                  unsigned long long *first_bad);
    /* The multiples of the points, which are in the table's first block: of window tables, the first one
     * of every window. */
    sumac_status (*multiples)(cuda_engine *engine, const table_slice *slice);
    /* Fill window tables in, in which the first multiple of every window is present. */
    sumac_status (*window_tables)(cuda_engine *engine, const table_slice *slice);
    /* The points' images under the curve's endomorphism, behind them. */
    sumac_status (*endomorphism_images)(cuda_engine *engine, const table_slice *slice);
    /* Raw points of compressed ones; *first_bad as import_points's, by the number among the call's points.
     * Null where p leaves no bits for the flags. */
    sumac_status (*decode_points)(cuda_engine *engine, const decode_slice *slice,
                                  unsigned long long *first_bad);
    const scalar_vector_ops *scalar_vectors; /* of the field of scalars */
    const point_vector_ops *point_vectors;
};

/* Null when the engine was built without the curve. */
const cuda_curve *cuda_curve_of(const sumac_curve *curve);

extern const cuda_curve *const cuda_registry[]; /* ends with null; generated */

#endif

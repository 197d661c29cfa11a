/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions compute the sizes of a plan's chunks, copy slices, passes and tasks. The library uses this file, and
 * so do its engines, which are not linked with the library.
 *
 * A chunk's scalars, and its bases if these are host-resident, are copied to a device in copy slices: while one is
 * copied, the device works on the previous one. All copy slices of a chunk add into the same buckets. The device first
 * waits for the first copy slice, so this should be small. Copy slice i + 1 is plan.copy_slice_growth times as large as
 * copy slice i, because the work on a slice takes about that many times as long as its copy.
 */
#ifndef SUMAC_PIPELINE_PLAN_SIZES_H
#define SUMAC_PIPELINE_PLAN_SIZES_H

#include "pipeline/pipeline.h"

/* With at most this many copy slices, growth^(copy slices) stays below 2^31, so that no product with a chunk's size
 * overflows. */
#define COPY_SLICES_MAX 4u
#define COPY_SLICE_GROWTH_MAX 64u

/* A task adds up plan.task_entries bases, which is at least this many. */
#define TASK_MIN_ENTRIES ((uint64_t)256)

/* Return the scalar at which copy slice i of a chunk of n scalars begins, 0 <= i <= copy slices. Copy slice 0 is empty
 * only if n is 0. If chunks add into the same buckets, every chunk after the first is copied during the work on the
 * previous chunk, so it consists of copy slice 0 alone. */
static inline uint64_t copy_slice_start(const msm_plan *plan, uint64_t chunk_first, uint64_t n, uint32_t i)
{
    if (plan->keeps_buckets && chunk_first > 0) {
        return i == 0 ? 0 : n;
    }
    uint64_t before = i > 0 ? 1 : 0, all = 1, size = 1;
    for (uint32_t p = 1; p < plan->copy_slices; p++) {
        size *= plan->copy_slice_growth;
        before += p < i ? size : 0;
        all += size;
    }
    return (n * before + all - 1) / all;
}

/* plan_chunk() returns how many scalars the plan's largest chunk has, and plan_copy_slice() how many the largest copy
 * slice of any chunk has. */
static inline uint64_t plan_chunk(const msm_plan *plan)
{
    return plan->chunks <= 1 ? plan->n : plan->n / plan->chunks + (plan->n % plan->chunks != 0);
}

static inline uint64_t plan_copy_slice(const msm_plan *plan)
{
    if (plan->keeps_buckets) {
        return plan_chunk(plan);
    }
    uint64_t all = 1, last = 1;
    for (uint32_t p = 1; p < plan->copy_slices; p++) {
        last *= plan->copy_slice_growth;
        all += last;
    }
    return (plan_chunk(plan) * last + all - 1) / all;
}

/* Return whether passes add to the buckets that earlier ones have left. */
static inline int plan_merges(const msm_plan *plan)
{
    return plan->copy_slices > 1 || plan->keeps_buckets;
}

/* Return how many chunks have their inputs on a device at once. There are two if one chunk is copied during the work on
 * another. */
static inline uint32_t plan_turns(const msm_plan *plan)
{
    return plan->chunks > 1 ? 2 : 1;
}

/* Return log2 of the buckets of a module, which are a power of two. */
static inline uint32_t plan_bucket_bits(const msm_plan *plan)
{
    return plan->buckets > 1 ? 63 - (uint32_t)__builtin_clzll(plan->buckets) : 0;
}

/* Return the most entries of a pass. */
static inline uint64_t plan_pass_entries(const msm_plan *plan)
{
    return plan->modules_per_pass * plan_multiples(plan) * plan_copy_slice(plan);
}

/* Return the least size of a task. The longest list of the reduction must fit in a task. */
static inline uint64_t plan_least_task(const msm_plan *plan)
{
    const uint64_t column = (uint64_t)1 << (plan_bucket_bits(plan) + 1) / 2;
    return column < TASK_MIN_ENTRIES ? TASK_MIN_ENTRIES : column;
}

#endif

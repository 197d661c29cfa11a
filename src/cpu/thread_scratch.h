/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A thread's part of the scratch block, typed for the curve that is compiled, and how a task adds its lists
 * up: one addition after another (affine_sum.h), or in lanes.
 */
#ifndef SUMAC_CPU_THREAD_SCRATCH_H
#define SUMAC_CPU_THREAD_SCRATCH_H

#include "cpu/scratch.h"
#ifdef SUMAC_VARIANT_AVX512
#include "avx512/segments.h"
#else
#include "cpu/affine_sum.h"
#endif

/* Capacity in points. */
typedef struct task_scratch {
    affine *items;     /* capacity: the sums of the lists */
    uint32_t *starts;  /* capacity + 1: list s is entries starts[s] .. starts[s + 1] - 1 */
    uint32_t *targets; /* capacity: the caller's, where the sum of list s goes */
    uint32_t *indices; /* capacity: the caller's, for lists that it makes up */
#ifdef SUMAC_VARIANT_AVX512
    lanes_scratch lanes;
#else
    fe *products;
#endif
} task_scratch;

static inline task_scratch thread_scratch(const scratch_layout *layout, void *scratch, uint32_t thread)
{
    char *part = (char *)scratch + layout->thread_bytes * thread;
    task_scratch typed;
    typed.items = (affine *)(void *)(part + layout->items);
    typed.starts = (uint32_t *)(void *)(part + layout->starts);
    typed.targets = (uint32_t *)(void *)(part + layout->targets);
    typed.indices = (uint32_t *)(void *)(part + layout->indices);
#ifdef SUMAC_VARIANT_AVX512
    (void)lanes_scratch_place(&typed.lanes, part + layout->sums, layout->capacity);
#else
    typed.products = (fe *)(void *)(part + layout->sums);
#endif
    return typed;
}

static inline uint64_t task_sums_bytes(uint64_t entries)
{
#ifdef SUMAC_VARIANT_AVX512
    lanes_scratch measured;
    return lanes_scratch_place(&measured, NULL, entries);
#else
    return (entries / 2 + 1) * sizeof(fe);
#endif
}

/* items[s] = the sum of list s of the table's points, read through pairs = 2*index + negative; no list is
 * empty. starts is overwritten. */
static inline void task_sum_lists(const task_scratch *scratch, const affine *table, const uint32_t *pairs,
                                  uint32_t lists)
{
#ifdef SUMAC_VARIANT_AVX512
    lanes_segments_sum(&scratch->lanes, scratch->items, scratch->starts, lists, table, pairs);
#else
    const segment_scratch segments = {scratch->items, scratch->products, scratch->starts, NULL, NULL};
    segments_sum(&segments, table, pairs, lists);
#endif
}

#endif

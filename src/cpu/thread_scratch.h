/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines a thread's part of the scratch block, typed for the compiled curve. A task adds up its lists in it, by
 * scalar code (affine_sum.h) or in lanes.
 */
#ifndef SUMAC_CPU_THREAD_SCRATCH_H
#define SUMAC_CPU_THREAD_SCRATCH_H

#include "math/variant.h"
#include "pipeline/pipeline.h"
#ifdef SUMAC_LISTS_IN_LANES
#include "lanes/segments.h"
#else
#include "cpu/affine_sum.h"
#endif

/* These are byte offsets in a thread's part of the scratch block. The block begins with the parts of all threads. */
typedef struct task_layout {
    uint64_t capacity; /* plan.task_entries */
    uint64_t items;
    uint64_t sums; /* the scratch memory of the code that adds up the lists */
    uint64_t starts;
    uint64_t targets;
    uint64_t indices;
    uint64_t thread_bytes;
    uint64_t bytes; /* the bytes of all threads' parts; a kind's other arrays lie behind them */
} task_layout;

/* Reserve `bytes` bytes behind *end, and return their offset, a multiple of 64. */
static inline uint64_t scratch_take(uint64_t *end, uint64_t bytes)
{
    const uint64_t offset = *end;
    *end = (offset + bytes + 63) / 64 * 64;
    return offset;
}

/* The capacity of these arrays is a number of points. */
typedef struct task_scratch {
    affine *items;     /* `capacity` points: the sums of the lists */
    uint32_t *starts;  /* capacity + 1 numbers: list s is entries starts[s] .. starts[s + 1] - 1 */
    uint32_t *targets; /* `capacity` numbers, in which the caller stores where the sum of list s goes */
    uint32_t *indices; /* `capacity` numbers for the caller's lists */
#ifdef SUMAC_LISTS_IN_LANES
    lanes_scratch lanes;
#else
    fe *products;
#endif
} task_scratch;

static inline uint64_t task_sums_bytes(uint64_t entries)
{
#ifdef SUMAC_LISTS_IN_LANES
    lanes_scratch measured;
    return lanes_scratch_at(&measured, NULL, entries);
#else
    return (entries / 2 + 1) * sizeof(fe);
#endif
}

static inline task_layout task_layout_of(const msm_plan *plan)
{
    task_layout layout = {.capacity = plan->task_entries};
    uint64_t *end = &layout.thread_bytes;
    layout.items = scratch_take(end, layout.capacity * sizeof(affine));
    layout.sums = scratch_take(end, task_sums_bytes(layout.capacity));
    layout.starts = scratch_take(end, (layout.capacity + 1) * sizeof(uint32_t));
    layout.targets = scratch_take(end, layout.capacity * sizeof(uint32_t));
    layout.indices = scratch_take(end, layout.capacity * sizeof(uint32_t));
    layout.bytes = layout.thread_bytes * plan->threads;
    return layout;
}

static inline task_scratch thread_scratch(const task_layout *layout, void *scratch, uint32_t thread)
{
    char *part = (char *)scratch + layout->thread_bytes * thread;
    task_scratch typed;
    typed.items = (affine *)(void *)(part + layout->items);
    typed.starts = (uint32_t *)(void *)(part + layout->starts);
    typed.targets = (uint32_t *)(void *)(part + layout->targets);
    typed.indices = (uint32_t *)(void *)(part + layout->indices);
#ifdef SUMAC_LISTS_IN_LANES
    (void)lanes_scratch_at(&typed.lanes, part + layout->sums, layout->capacity);
#else
    typed.products = (fe *)(void *)(part + layout->sums);
#endif
    return typed;
}

/* Set items[s] to the sum of list s. Its entries 2*index + negative name points of the table. No list is empty, and
 * `starts` is overwritten. */
static inline void task_sum_lists(const task_scratch *scratch, const affine *table, const uint32_t *entries,
                                  uint32_t lists)
{
#ifdef SUMAC_LISTS_IN_LANES
    lanes_segments_sum(&scratch->lanes, scratch->items, scratch->starts, lists, table, entries);
#else
    const segment_scratch segments = {scratch->items, scratch->products, scratch->starts};
    segments_sum(&segments, table, entries, lists);
#endif
}

#endif

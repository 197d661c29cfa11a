/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file sorts by counting: it makes bucket lists of digits. If a pass has fewer modules than threads, the digits of
 * a module are cut into slices. The buckets of a module are counted in blocks:
 *   1. count   counts[slice][bucket] = digits of the slice in the bucket
 *   2. totals  the entries of each block of buckets, and from them where each block begins
 *   3. starts  where each bucket begins, and in it each slice: counts becomes that position
 *   4. scatter every digit's entry to its position
 * Within a bucket the entries keep the order of the bases.
 */
#include <string.h>

#include "base/integers.h"
#include "cpu/engine.h"
#include "pipeline/parallel.h"
#include "pipeline/plan_sizes.h"

/* The positions of entries are prefetched this many codes ahead. If a module has 2^17 or more entries, the positions
 * are not in the second-level cache. Without prefetching, stores waited for their lines, and this step took twice as
 * long (docs/internals/log.md). */
#define SCATTER_AHEAD 24

/* A task counts this many buckets of a module. */
#define SORT_BLOCK ((uint64_t)2048)

/* These are byte offsets into the scratch block. */
typedef struct sort_layout {
    uint32_t slices;       /* slices per module: one for each thread if modules are fewer than threads */
    uint64_t counts;       /* slices * modules_per_pass * buckets words */
    uint64_t block_totals; /* a word for each block of buckets of each module */
    uint64_t bytes;
} sort_layout;

static sort_layout layout_of(const msm_plan *plan)
{
    const uint64_t modules = plan->modules_per_pass;
    sort_layout layout = {.slices = (uint32_t)ceil_divide(plan->threads, modules)};
    layout.block_totals = (uint64_t)layout.slices * modules * plan->buckets * sizeof(uint32_t);
    layout.bytes = layout.block_totals + modules * ceil_divide(plan->buckets, SORT_BLOCK) * sizeof(uint32_t);
    return layout;
}

static uint64_t scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return layout_of(plan).bytes;
}

typedef struct sort_work {
    const msm_job *job;
    const msm_pass *pass;
    const uint32_t *codes;
    bucket_lists *lists;
    uint32_t *counts;      /* [(slice*modules + module)*buckets + bucket] */
    uint32_t *block_total; /* the entries of block [module*blocks + block]; later its first position */
    uint64_t blocks;       /* blocks per module */
    uint64_t buckets;      /* buckets per module */
    uint64_t module_codes; /* f*n */
    uint32_t slices;
} sort_work;

typedef struct sort_slice {
    uint64_t module;
    uint64_t first; /* codes [first, end) of the module */
    uint64_t end;
    uint32_t *counts;
} sort_slice;

static sort_slice slice_of(const sort_work *work, size_t index)
{
    const uint64_t module = index / work->slices;
    const uint64_t slice = index % work->slices;
    return (sort_slice){
        module,
        work->module_codes * slice / work->slices,
        work->module_codes * (slice + 1) / work->slices,
        work->counts + (slice * work->pass->modules + module) * work->buckets,
    };
}

static void count_task(void *arguments, size_t index, uint32_t thread)
{
    const sort_work *work = arguments;
    const sort_slice slice = slice_of(work, index);
    const uint32_t *codes = work->codes + slice.module * work->module_codes;
    (void)thread;
    memset(slice.counts, 0, work->buckets * sizeof(uint32_t));
    for (uint64_t i = slice.first; i < slice.end; i++) {
        if (codes[i] != 0) {
            slice.counts[(codes[i] >> 1) - 1]++;
        }
    }
}

/* A block has buckets [first, end) of a module. */
typedef struct bucket_block {
    uint64_t module;
    uint64_t first;
    uint64_t end;
} bucket_block;

static bucket_block block_of(const sort_work *work, size_t index)
{
    const uint64_t first = index % work->blocks * SORT_BLOCK;
    return (bucket_block){index / work->blocks, first, smaller(first + SORT_BLOCK, work->buckets)};
}

static void total_task(void *arguments, size_t index, uint32_t thread)
{
    const sort_work *work = arguments;
    const bucket_block block = block_of(work, index);
    uint32_t total = 0;
    (void)thread;
    for (uint32_t slice = 0; slice < work->slices; slice++) {
        const uint32_t *counts = work->counts + (slice * work->pass->modules + block.module) * work->buckets;
        for (uint64_t b = block.first; b < block.end; b++) {
            total += counts[b];
        }
    }
    work->block_total[index] = total;
}

static void starts_task(void *arguments, size_t index, uint32_t thread)
{
    const sort_work *work = arguments;
    const bucket_block block = block_of(work, index);
    uint32_t position = work->block_total[index];
    (void)thread;
    for (uint64_t b = block.first; b < block.end; b++) {
        work->lists->starts[block.module * work->buckets + b] = position;
        for (uint32_t slice = 0; slice < work->slices; slice++) {
            uint32_t *count = work->counts + (slice * work->pass->modules + block.module) * work->buckets + b;
            const uint32_t next = position + *count;
            *count = position;
            position = next;
        }
    }
}

static void scatter_task(void *arguments, size_t index, uint32_t thread)
{
    const sort_work *work = arguments;
    const msm_job *job = work->job;
    const sort_slice slice = slice_of(work, index);
    const uint32_t *codes = work->codes + slice.module * work->module_codes;
    uint32_t *entries = work->lists->entries;
    const uint64_t first_base = pass_first_base(job, work->pass, slice.module);
    uint64_t i = slice.first;
    (void)thread;
    while (i < slice.end) {
        const uint64_t t = i / work->pass->n;
        const uint64_t end = smaller((t + 1) * work->pass->n, slice.end);
        const uint64_t base = t * job->bases.count + first_base - t * work->pass->n;
        for (; i < end; i++) {
            const uint32_t later = i + SCATTER_AHEAD < end ? codes[i + SCATTER_AHEAD] : 0;
            if (later != 0) {
                __builtin_prefetch(&entries[slice.counts[(later >> 1) - 1]], 1);
            }
            if (codes[i] != 0) {
                entries[slice.counts[(codes[i] >> 1) - 1]++] = (uint32_t)((base + i) << 1) | (codes[i] & 1);
            }
        }
    }
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *scratch)
{
    const sort_layout layout = layout_of(job->plan);
    const parallel_team team = parallel_team_of(job, pass, "sort");
    sort_work work = {
        .job = job,
        .pass = pass,
        .codes = digits->codes,
        .lists = lists,
        .counts = (uint32_t *)(void *)((char *)scratch + layout.counts),
        .block_total = (uint32_t *)(void *)((char *)scratch + layout.block_totals),
        .blocks = ceil_divide(job->plan->buckets, SORT_BLOCK),
        .buckets = job->plan->buckets,
        .module_codes = pass->n * plan_multiples(job->plan),
        .slices = layout.slices,
    };
    uint32_t begin = 0;
    parallel_for(&team, pass->modules * work.slices, count_task, &work);
    parallel_for(&team, pass->modules * work.blocks, total_task, &work);
    for (uint64_t b = 0; b < pass->modules * work.blocks; b++) {
        const uint32_t count = work.block_total[b];
        work.block_total[b] = begin;
        begin += count;
    }
    lists->starts[pass->modules * work.buckets] = begin;
    parallel_for(&team, pass->modules * work.blocks, starts_task, &work);
    parallel_for(&team, pass->modules * work.slices, scatter_task, &work);
    return SUMAC_OK;
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    (void)plan;
    return !request->all_digits;
}

const stage_kind cpu_sort_counting = {
    .stage = STAGE_SORT,
    .name = "counting",
    .about = "counts each bucket's digits and puts every entry, a base with a sign, where its bucket begins "
             "and goes on",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .accepts = accepts,
    .scratch_bytes = scratch_bytes,
    .cost = cpu_cost_of_sort,
    .run = {.sort = run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates by size. The buckets of all modules of the pass are put in the order of their size, the largest
 * first, and one thread adds up a bucket in XYZZ. So no thread begins a large bucket when the others are done. If a
 * bucket has more than large_bucket_factor times the mean number of entries, it is divided into parts_each parts.
 * Threads add up these parts first, and then one thread adds up the sums of the parts. "fullest-first" divides no
 * bucket.
 */
#include <string.h>

#include "base/integers.h"
#include "pipeline/parallel.h"
#include "cpu/stages.h"
#include "plans/cpu/xyzz_sums.h"
#include "pipeline/plan_sizes.h"

/* If the caller sets no large_bucket_factor, this is the factor. */
#define LARGE_BUCKET_FACTOR 10u

/* A large bucket has LARGE_PARTS parts for each thread. */
#define LARGE_PARTS ((uint64_t)4)

/* Buckets are sorted by the number of bits of their size; those of one class stay in the order of their numbers. */
#define SIZE_CLASSES 33u

/* A task has BUCKETS_OF_TASK buckets. */
#define BUCKETS_OF_TASK ((uint64_t)64)

typedef struct size_work {
    const msm_pass *pass;
    const bucket_lists *lists;
    xyzz *sums;
    uint32_t *order;  /* all buckets, largest first; the first `large` are large */
    xyzz *parts;      /* [large bucket * parts_each + part], of size_most_large() buckets */
    uint64_t buckets; /* buckets of the pass */
    uint64_t large;
    uint64_t parts_each;
} size_work;

static uint64_t size_parts(const msm_plan *plan)
{
    return LARGE_PARTS * plan->threads;
}

/* Return how many buckets are divided at most. One thread adds up each of the others. Fewer than 1/factor of the
 * buckets exceed `factor` times the mean, but the caller may choose a small factor. */
static uint64_t size_most_large(const msm_plan *plan)
{
    return smaller(plan->modules_per_pass * plan->buckets, 64);
}

static uint64_t size_parts_offset(const msm_plan *plan)
{
    return (plan->modules_per_pass * plan->buckets * sizeof(uint32_t) + 63) / 64 * 64;
}

static uint64_t size_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    return size_parts_offset(plan) + size_most_large(plan) * size_parts(plan) * code->xyzz_bytes;
}

static uint32_t size_of_bucket(const size_work *work, uint64_t bucket)
{
    return work->lists->starts[bucket + 1] - work->lists->starts[bucket];
}

/* Return the class of a size, by its number of bits; class 0 has the largest sizes. */
static uint32_t size_class(uint32_t size)
{
    return size == 0 ? SIZE_CLASSES - 1 : (uint32_t)__builtin_clz(size);
}

/* Order the buckets: large ones first, then class by class. */
static void order_buckets(size_work *work, uint64_t threshold, uint64_t most_large)
{
    uint64_t positions[SIZE_CLASSES] = {0};
    uint64_t begin = 0;
    for (uint64_t b = 0; b < work->buckets; b++) {
        const uint32_t size = size_of_bucket(work, b);
        if (size > threshold && work->large < most_large) {
            work->order[work->large++] = (uint32_t)b;
        } else {
            positions[size_class(size)]++;
        }
    }
    begin = work->large;
    for (uint32_t c = 0; c < SIZE_CLASSES; c++) {
        const uint64_t count = positions[c];
        positions[c] = begin;
        begin += count;
    }
    uint64_t seen = 0; /* the number of large buckets so far; they are in the order of their numbers */
    for (uint64_t b = 0; b < work->buckets; b++) {
        if (seen < work->large && work->order[seen] == b) {
            seen++;
        } else {
            work->order[positions[size_class(size_of_bucket(work, b))]++] = (uint32_t)b;
        }
    }
}

static void size_add(xyzz *sum, const size_work *work, uint64_t begin, uint64_t end)
{
    xyzz_set_infinity(sum);
    for (uint64_t i = begin; i < end; i++) {
        xyzz_add_entry(sum, work->pass->inputs.bases, work->lists->entries[i]);
    }
}

/* Add up a part of a large bucket. */
static void part_task(void *arguments, size_t index, uint32_t thread)
{
    const size_work *work = arguments;
    const uint32_t bucket = work->order[index / work->parts_each];
    const uint64_t part = index % work->parts_each, size = size_of_bucket(work, bucket);
    const uint64_t start = work->lists->starts[bucket];
    (void)thread;
    size_add(&work->parts[index], work, start + size * part / work->parts_each,
             start + size * (part + 1) / work->parts_each);
}

static void size_task(void *arguments, size_t index, uint32_t thread)
{
    const size_work *work = arguments;
    const uint64_t end = smaller((index + 1) * BUCKETS_OF_TASK, work->buckets);
    (void)thread;
    for (uint64_t i = index * BUCKETS_OF_TASK; i < end; i++) {
        const uint32_t bucket = work->order[i];
        if (i < work->large) {
            xyzz *parts = &work->parts[i * work->parts_each];
            xyzz_tree_sum(parts, work->parts_each);
            work->sums[bucket] = parts[0];
        } else {
            size_add(&work->sums[bucket], work, work->lists->starts[bucket], work->lists->starts[bucket + 1]);
        }
    }
}

/* If the factor is 0, no bucket is cut. */
static sumac_status size_accumulate(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                    bucket_sums *sums, void *scratch, uint64_t factor)
{
    const msm_plan *plan = job->plan;
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    size_work work = {
        .pass = pass,
        .lists = lists,
        .sums = sums->points,
        .order = scratch,
        .parts = (xyzz *)(void *)((char *)scratch + size_parts_offset(plan)),
        .buckets = pass->modules * plan->buckets,
        .parts_each = size_parts(plan),
    };
    const uint64_t mean = ceil_divide(lists->starts[work.buckets], work.buckets);
    order_buckets(&work, factor * larger(1, mean),
                  factor == 0 ? 0 : smaller(size_most_large(plan), work.buckets));
    parallel_for(&team, work.large * work.parts_each, part_task, &work);
    parallel_for(&team, ceil_divide(work.buckets, BUCKETS_OF_TASK), size_task, &work);
    return SUMAC_OK;
}

static sumac_status size_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                             bucket_sums *sums, void *scratch)
{
    const uint64_t factor = job->large_bucket_factor == 0 ? LARGE_BUCKET_FACTOR : job->large_bucket_factor;
    return size_accumulate(job, pass, lists, sums, scratch, factor);
}

static sumac_status fullest_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                bucket_sums *sums, void *scratch)
{
    return size_accumulate(job, pass, lists, sums, scratch, 0);
}

const stage_kind SUMAC_SYMBOL(accumulate_by_size) = {
    .stage = STAGE_ACCUMULATE,
    .name = "by-size",
    .about =
        "takes the buckets of all modules, the largest first, each a thread's, in XYZZ; those of more than "
        "large_bucket_factor times the mean are shared out among the threads",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = size_scratch_bytes,
    .cost = xyzz_cost_of_buckets,
    .run = {.accumulate = size_run},
};

const stage_kind SUMAC_SYMBOL(accumulate_fullest_first) = {
    .stage = STAGE_ACCUMULATE,
    .name = "fullest-first",
    .about = "takes the buckets of all modules, the fullest first, each a thread's, in XYZZ",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = size_scratch_bytes,
    .cost = xyzz_cost_of_buckets,
    .run = {.accumulate = fullest_run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates by ranges. Each module's sorted entries are cut into ranges of about equal length, which end at
 * the boundaries of buckets, so that no two threads share a bucket. A thread adds up the buckets of its range in XYZZ,
 * point after point. If the last window of unsigned digits has few bits, it has few and large buckets, which would keep
 * only a few threads busy. The entries of each of its buckets are therefore divided equally among all ranges, and the
 * sums of these shares are added up as a tree.
 */
#include "base/integers.h"
#include "pipeline/parallel.h"
#include "cpu/stages.h"
#include "plans/cpu/xyzz_sums.h"

/* The number of ranges of a pass is about this number times the threads. */
#define RANGES_A_THREAD ((uint64_t)2)

/* If the last window has at most this many bits, it is handled separately, because it has too few buckets for the
 * threads. */
#define APART_BITS 2u
#define APART_BUCKETS ((1u << APART_BITS) - 1)

typedef struct ranges_work {
    const msm_plan *plan;
    const msm_pass *pass;
    const bucket_lists *lists;
    xyzz *buckets;
    xyzz *shares;    /* [(module*APART_BUCKETS + bucket)*ranges + range] */
    uint64_t ranges; /* ranges of a module */
    uint32_t apart;  /* buckets of a last window that is handled apart; 0 if no window is */
} ranges_work;

static uint64_t ranges_of(const msm_plan *plan)
{
    return ceil_divide(RANGES_A_THREAD * plan->threads, plan->modules_per_pass);
}

/* If the last window is handled separately, return the number of its buckets, 2^rest - 1; otherwise return 0. It is
 * handled separately if it has few bits and does not share its buckets with other windows. */
static uint32_t ranges_apart(const msm_plan *plan)
{
    const uint32_t rest = plan->scalar_bits - (plan->windows - 1) * plan->c;
    const int alone = plan->kinds[STAGE_RECODE]->unsigned_digits && plan->modules == plan->windows;
    return alone && plan->windows > 1 && rest <= APART_BITS && rest < plan->c ? (1u << rest) - 1 : 0;
}

static int is_apart(const ranges_work *work, uint64_t module)
{
    return work->apart > 0 &&
           (work->pass->first_module + module) % work->plan->modules == work->plan->modules - 1;
}

static void sum_entries(xyzz *sum, const ranges_work *work, uint64_t begin, uint64_t end)
{
    xyzz_set_infinity(sum);
    for (uint64_t i = begin; i < end; i++) {
        xyzz_add_entry(sum, work->pass->inputs.bases, work->lists->entries[i]);
    }
}

/* Return the first bucket of a range. This is the first bucket that begins at or after the first entry of the range. */
static uint64_t range_border(const ranges_work *work, const uint32_t *starts, uint64_t range)
{
    const uint64_t buckets = work->plan->buckets, count = starts[buckets] - starts[0];
    const uint64_t position = starts[0] + count * range / work->ranges;
    if (range == 0 || range == work->ranges || count == 0) {
        return range == 0 ? 0 : buckets;
    }
    const uint64_t bucket = xyzz_bucket_of(starts, buckets, position);
    return starts[bucket] == position ? bucket : bucket + 1;
}

static void ranges_task(void *arguments, size_t task, uint32_t thread)
{
    const ranges_work *work = arguments;
    const uint64_t module = task / work->ranges, range = task % work->ranges;
    const uint32_t *starts = work->lists->starts + module * work->plan->buckets;
    (void)thread;
    if (is_apart(work, module)) {
        for (uint64_t b = 0; b < work->apart; b++) {
            const uint64_t count = starts[b + 1] - starts[b];
            sum_entries(&work->shares[(module * APART_BUCKETS + b) * work->ranges + range], work,
                        starts[b] + count * range / work->ranges,
                        starts[b] + count * (range + 1) / work->ranges);
        }
        return;
    }
    const uint64_t end = range_border(work, starts, range + 1);
    for (uint64_t b = range_border(work, starts, range); b < end; b++) {
        sum_entries(&work->buckets[module * work->plan->buckets + b], work, starts[b], starts[b + 1]);
    }
}

/* Add up the shares of a window that is handled separately. */
static void apart_task(void *arguments, size_t module, uint32_t thread)
{
    const ranges_work *work = arguments;
    xyzz *buckets = work->buckets + module * work->plan->buckets;
    (void)thread;
    if (!is_apart(work, module)) {
        return;
    }
    for (uint64_t b = 0; b < work->plan->buckets; b++) {
        xyzz_set_infinity(&buckets[b]);
    }
    for (uint64_t b = 0; b < work->apart; b++) {
        xyzz *shares = &work->shares[(module * APART_BUCKETS + b) * work->ranges];
        xyzz_tree_sum(shares, work->ranges);
        buckets[b] = shares[0];
    }
}

static uint64_t ranges_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    return ranges_apart(plan) == 0
               ? 0
               : plan->modules_per_pass * APART_BUCKETS * ranges_of(plan) * code->xyzz_bytes;
}

static sumac_status ranges_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                               bucket_sums *sums, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    ranges_work work = {
        job->plan, pass, lists, sums->points, scratch, ranges_of(job->plan), ranges_apart(job->plan)};
    parallel_for(&team, pass->modules * work.ranges, ranges_task, &work);
    if (work.apart > 0) {
        parallel_for(&team, pass->modules, apart_task, &work);
    }
    return SUMAC_OK;
}

const stage_kind SUMAC_SYMBOL(accumulate_ranges) = {
    .stage = STAGE_ACCUMULATE,
    .name = "ranges",
    .about =
        "cuts a module's entries into equal ranges with borders where buckets begin, and adds each bucket up "
        "in XYZZ, point after point; a last window of one or two bits is shared out equally and added up as "
        "a tree",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = ranges_scratch_bytes,
    .cost = xyzz_cost_of_buckets,
    .run = {.accumulate = ranges_run},
};

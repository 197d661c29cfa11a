/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates and reduces in one pass over the sorted digits. It adds the points of a range in the order of
 * their digits, from the largest digit down. t is the sum of the points so far, and s the sum of each of these points
 * times the difference of its digit and the current one. The result of the range is s + d*t, where d is its smallest
 * digit:
 *
 *     t := t + P_i,    s := s + (d_i - d_(i-1))*t
 *
 * No bucket is kept. A module's list is cut into ranges of equal length, even within buckets. Each range leaves one
 * sum, in which every point counts as often as its digit says, and reduce adds these up.
 */
#include "base/integers.h"
#include "pipeline/parallel.h"
#include "cpu/stages.h"
#include "plans/cpu/xyzz_sums.h"
#include "pipeline/counts.h"

/* A pass has at least this many ranges for each thread, so that ranges are short and all threads end at about the same
 * time. */
#define RANGES_OF_THREAD ((uint64_t)4)

typedef struct differences_work {
    const msm_plan *plan;
    const affine *table;
    const bucket_lists *lists;
    xyzz *sums;
    uint64_t ranges; /* ranges of a module */
} differences_work;

static uint64_t differences_module_sums(const msm_plan *plan)
{
    return plan->threads == 1 ? 1 : ceil_divide(RANGES_OF_THREAD * plan->threads, plan->modules_per_pass);
}

/* Set s := s + difference*t. If the digits are neighbours, the difference is 1 and needs no doubling. */
static void add_difference(xyzz *s, const xyzz *t, uint32_t difference)
{
    xyzz product;
    if (difference == 1) {
        xyzz_add(s, s, t);
        return;
    }
    xyzz_times(&product, t, difference);
    xyzz_add(s, s, &product);
}

static void differences_task(void *arguments, size_t task, uint32_t thread)
{
    const differences_work *work = arguments;
    const uint64_t module = task / work->ranges, range = task % work->ranges;
    const uint32_t *starts = work->lists->starts + module * work->plan->buckets;
    const uint64_t count = starts[work->plan->buckets] - starts[0];
    const uint64_t begin = starts[0] + count * range / work->ranges;
    uint64_t position = starts[0] + count * (range + 1) / work->ranges;
    xyzz t, s;
    (void)thread;
    xyzz_set_infinity(&t);
    xyzz_set_infinity(&s);
    uint64_t bucket = begin < position ? xyzz_bucket_of(starts, work->plan->buckets, position - 1) : 0;
    while (position > begin) {
        const uint64_t first = larger(begin, starts[bucket]);
        while (position > first) {
            position--;
            xyzz_add_entry(&t, work->table, work->lists->entries[position]);
        }
        const uint64_t below = position > begin ? xyzz_bucket_of(starts, bucket, position - 1) + 1 : 0;
        add_difference(&s, &t, (uint32_t)(bucket + 1 - below)); /* bucket b has the digit b + 1 */
        bucket = below - 1;
    }
    work->sums[task] = s;
}

static sumac_status differences_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                    bucket_sums *sums, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    differences_work work = {job->plan, pass->inputs.bases, lists, sums->points, plan_module_sums(job->plan)};
    (void)scratch;
    parallel_for(&team, pass->modules * work.ranges, differences_task, &work);
    return SUMAC_OK;
}

/* Each entry costs one addition to t. Each bucket that is not empty costs one addition to s, and doublings and
 * additions for a difference over 1. */
static stage_cost differences_cost(const plan_request *request, const msm_plan *plan)
{
    const stage_costs *costs = request->code->costs;
    const plan_counts counts = plan_counts_of(plan);
    const double full_buckets =
        counts.modules * ((double)plan->buckets * counts.finite + (double)plan_module_sums(plan));
    const double far = full_buckets * (1 - counts.finite);
    const double bits = counts.finite > 0 ? log2(1 / counts.finite) : 0;
    const double more = far * (1 + 1.5 * bits);
    const stage_cost cost = {
        .work = (counts.entries * XYZZ_MIXED_PART * costs->xyzz_addition +
                 full_buckets * costs->xyzz_addition + more * costs->xyzz_addition) *
                1e-6,
        .additions = counts.entries + full_buckets + more,
    };
    return cost;
}

const stage_kind SUMAC_SYMBOL(accumulate_differences) = {
    .stage = STAGE_ACCUMULATE,
    .name = "differences",
    .about = "goes through the sorted digits d of a module from the largest down, t := t + P_i and s := s + "
             "(d_i - "
             "d_(i-1))*t, which is accumulation and reduction in one and keeps no buckets",
    .takes = BUCKET_LISTS,
    .leaves = RANGE_SUMS,
    .by_name = 1,
    .sums_of_module = differences_module_sums,
    .cost = differences_cost,
    .run = {.accumulate = differences_run},
};

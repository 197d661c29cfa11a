/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates and reduces in one pass over the sorted digits, by the formulas of
 * src/plans/cpu/accumulate_differences.c. It keeps no bucket: each range of a module leaves one sum, in which every point
 * already counts as often as its digit says. The kernel, in xyzz_sums.cu, collects the differences of digits in queues,
 * so that all lanes of a warp multiply at the same time.
 */
#include <cmath>

#include "plans/cuda/xyzz.h"
#include "pipeline/counts.h"

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *scratch)
{
    const range_differences work = {
        .table = pass->inputs.bases,
        .entries = lists->entries,
        .starts = lists->starts,
        .modules = pass->modules,
        .buckets = job->plan->buckets,
        .ranges = xyzz_module_threads(job->plan),
        .sums = sums->points,
        .adds = pass->first != pass->chunk_first,
    };
    (void)scratch;
    return xyzz_of(cuda_group_of(job->group))->sum_differences(engine_of(job), stream_of(pass), &work);
}

/* Each entry costs one addition to t. Each bucket that has entries costs one addition to s. If a difference of digits
 * is more than 1, it costs a multiplication of t, by doublings and additions. A range adds at most one such bucket. */
static stage_cost cost(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double ranges = counts.modules * static_cast<double>(xyzz_module_threads(plan));
    const double filled = counts.modules * static_cast<double>(plan->buckets) * counts.finite + ranges;
    const double bits = counts.finite > 0 ? log2(1 / counts.finite) : 0;
    const double more = filled * (1 - counts.finite) * (1 + 1.5 * bits) + ranges * 1.5 * plan->c;
    const stage_cost points = xyzz_cost_of_points(request, filled + more, 1.5 * plan->c * counts.passes);
    stage_cost all = xyzz_cost_of_entries(request, counts.entries, counts.passes * 8);
    all.work += points.work;
    all.waiting += points.waiting;
    all.additions += points.additions;
    return all;
}

extern const stage_kind cuda_accumulate_differences = {
    .stage = STAGE_ACCUMULATE,
    .name = "differences",
    .about = "goes through the sorted digits d of a module from the largest down, t := t + P_i and s := s + "
             "(d_i - d_(i-1))*t, which is accumulation and reduction in one and keeps no buckets",
    .takes = BUCKET_LISTS,
    .leaves = RANGE_SUMS,
    .by_name = 1,
    .sums_of_module = xyzz_module_threads,
    .cost = cost,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};

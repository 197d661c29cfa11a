/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind reduces by running sums: for each bucket b, from the last one down, run += B_b and sum += run. This leaves
 * one part for each module. A module is divided into segments of 2^s buckets, each of which counts its buckets from 0
 * on. Then weighted = the sum of weighted_j + 2^s * the sum of j*total_j over all segments j, and the module's part is
 * weighted + total.
 */
#include "pipeline/parallel.h"
#include "cpu/reduce.h"
#include "cpu/stages.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

/* A module has at most 2^SEGMENT_BITS segments, so that threads can share it. */
#define SEGMENT_BITS 5

static uint32_t segment_bits_of(const msm_plan *plan)
{
    return plan_bucket_bits(plan) < SEGMENT_BITS ? 0 : SEGMENT_BITS;
}

/* Set *weighted to the sum of i*points[i], and *total to the sum of points[i], for 0 <= i < count. */
static void running_sum(xyzz *weighted, xyzz *total, const affine *points, uint64_t count)
{
    xyzz run, sum;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&sum);
    for (uint64_t i = count; i-- > 1;) {
        xyzz_add_affine(&run, &run, &points[i]);
        xyzz_add(&sum, &sum, &run);
    }
    xyzz_add_affine(total, &run, &points[0]);
    *weighted = sum;
}

typedef struct segment_work {
    const affine *buckets;
    uint32_t bits;         /* log2 of a module's buckets */
    uint32_t segment_bits; /* log2 of the segments of a module */
    xyzz *weighted;        /* [module << segment_bits | segment] */
    xyzz *total;
    module_target target;
} segment_work;

static void segment_task(void *arguments, size_t index, uint32_t thread)
{
    const segment_work *work = arguments;
    const uint64_t length = (uint64_t)1 << (work->bits - work->segment_bits);
    (void)thread;
    running_sum(&work->weighted[index], &work->total[index], work->buckets + index * length, length);
}

/* Combine the segments of one module. A running sum over the segments gives their totals the right weights. */
static void segment_join_task(void *arguments, size_t module, uint32_t thread)
{
    const segment_work *work = arguments;
    const uint64_t segments = (uint64_t)1 << work->segment_bits;
    const xyzz *weighted = work->weighted + module * segments;
    const xyzz *total = work->total + module * segments;
    xyzz run, totals_weighted, sum;
    (void)thread;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&totals_weighted);
    xyzz_set_infinity(&sum);
    for (uint64_t j = segments; j-- > 0;) {
        xyzz_add(&sum, &sum, &weighted[j]);
        xyzz_add(&run, &run, &total[j]);
        if (j > 0) {
            xyzz_add(&totals_weighted, &totals_weighted, &run);
        }
    }
    xyzz_double_times(&totals_weighted, &totals_weighted, work->bits - work->segment_bits);
    xyzz_add(&sum, &sum, &totals_weighted);
    xyzz_add(&sum, &sum, &run);
    add_part(&work->target, module, &sum);
}

static uint64_t running_sum_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return 2 * ((uint64_t)plan->modules_per_pass << segment_bits_of(plan)) * sizeof(xyzz);
}

static sumac_status running_sum_run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                    module_sums *modules, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    segment_work work = {
        .buckets = sums->points,
        .bits = plan_bucket_bits(job->plan),
        .segment_bits = segment_bits_of(job->plan),
        .weighted = scratch,
        .target = module_target_of(job->plan, pass, modules),
    };
    const uint64_t segments = pass->modules << work.segment_bits;
    work.total = work.weighted + segments;
    parallel_for(&team, segments, segment_task, &work);
    parallel_for(&team, pass->modules, segment_join_task, &work);
    return SUMAC_OK;
}

/* A bucket costs two additions. */
static stage_cost running_sum_cost(const plan_request *request, const msm_plan *plan)
{
    const double additions = cost_of_row((cost_row){.bucket = 2}, plan);
    return (stage_cost){.work = additions * request->code->costs->xyzz_addition * 1e-6,
                        .additions = additions};
}

static int running_sum_accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->reduction == REDUCTION_RUNNING_SUM && !request->all_digits;
}

const stage_kind SUMAC_SYMBOL(reduce_running_sum) = {
    .stage = STAGE_REDUCE,
    .name = "running-sum",
    .about = "adds up the sums of all buckets from each one on, two additions a bucket, in segments that are "
             "put together at the end",
    .takes = AFFINE_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = running_sum_accepts,
    .scratch_bytes = running_sum_scratch_bytes,
    .cost = running_sum_cost,
    .run = {.reduce = running_sum_run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This kind reduces by one running sum, the "big triangle": for each bucket b of a module, from the last one down, run
 * += B_b and sum += run. One thread does this for a module, and leaves one part. */
#include "pipeline/parallel.h"
#include "cpu/reduce.h"
#include "cpu/stages.h"
#include "pipeline/counts.h"

typedef struct triangle_work {
    const xyzz *buckets;
    uint64_t count; /* buckets of a module */
    module_target target;
} triangle_work;

static void triangle_task(void *arguments, size_t module, uint32_t thread)
{
    const triangle_work *work = arguments;
    const xyzz *buckets = work->buckets + module * work->count;
    xyzz run, sum;
    (void)thread;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&sum);
    for (uint64_t b = work->count; b-- > 0;) {
        xyzz_add(&run, &run, &buckets[b]);
        xyzz_add(&sum, &sum, &run);
    }
    add_part(&work->target, module, &sum);
}

static sumac_status triangle_run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                 module_sums *modules, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    triangle_work work = {sums->points, job->plan->buckets, module_target_of(job->plan, pass, modules)};
    (void)scratch;
    parallel_for(&team, pass->modules, triangle_task, &work);
    return SUMAC_OK;
}

static int triangle_accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->reduction != REDUCTION_HALVING;
}

static stage_cost triangle_cost(const plan_request *request, const msm_plan *plan)
{
    const double additions = 2 * plan_counts_of(plan).modules * (double)plan->buckets;
    const stage_cost cost = {.work = additions * request->code->costs->xyzz_addition * 1e-6,
                             .additions = additions};
    return cost;
}

const stage_kind SUMAC_SYMBOL(reduce_triangle) = {
    .stage = STAGE_REDUCE,
    .name = "triangle",
    .about = "adds up the sums of all buckets from each one on, two additions a bucket, a module a thread",
    .takes = XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = triangle_accepts,
    .cost = triangle_cost,
    .run = {.reduce = triangle_run},
};

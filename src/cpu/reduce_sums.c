/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This kind reduces by plain sums. It is used if the stage `accumulate` leaves weighted sums. One thread for each module
 * adds them up. */
#include "cpu/reduce.h"
#include "cpu/stages.h"
#include "pipeline/counts.h"
#include "pipeline/parallel.h"

typedef struct sums_work {
    const xyzz *sums;
    uint64_t count; /* sums of a module */
    module_target target;
} sums_work;

static void sums_task(void *arguments, size_t module, uint32_t thread)
{
    const sums_work *work = arguments;
    xyzz sum = work->sums[module * work->count];
    (void)thread;
    for (uint64_t i = 1; i < work->count; i++) {
        xyzz_add(&sum, &sum, &work->sums[module * work->count + i]);
    }
    add_part(&work->target, module, &sum);
}

static sumac_status sums_run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                             module_sums *modules, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    sums_work work = {sums->points, plan_module_sums(job->plan), module_target_of(job->plan, pass, modules)};
    (void)scratch;
    parallel_for(&team, pass->modules, sums_task, &work);
    return SUMAC_OK;
}

static int sums_accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->reduction != REDUCTION_HALVING;
}

static stage_cost sums_cost(const plan_request *request, const msm_plan *plan)
{
    const double additions = plan_counts_of(plan).modules * (double)(plan_module_sums(plan) - 1);
    const stage_cost cost = {.work = additions * request->code->costs->xyzz_addition * 1e-6,
                             .additions = additions};
    return cost;
}

const stage_kind SUMAC_NON_MSM_SYMBOL(reduce_sums) = {
    .stage = STAGE_REDUCE,
    .name = "sums",
    .about = "adds up the sums of a module's ranges one after another, with one thread for each module",
    .takes = RANGE_SUMS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = sums_accepts,
    .cost = sums_cost,
    .run = {.reduce = sums_run},
};

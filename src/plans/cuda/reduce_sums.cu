/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This kind reduces by sums without weights. It follows a kind of the stage `accumulate` that has already weighted its
 * sums. Either one thread adds up all sums of a module, or a tree does. */
#include "plans/cuda/xyzz.h"
#include "pipeline/counts.h"

static strided_sums sums_of(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                            const module_sums *modules)
{
    strided_sums all = {};
    all.points = sums->points;
    all.out = xyzz_module_parts(job, pass, modules);
    all.groups = pass->modules;
    all.group_points = all.count = all.limit = plan_module_sums(job->plan);
    all.width = all.stride = all.parts = 1;
    all.adds = pass_adds_to_parts(job->plan, pass);
    return all;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                        module_sums *modules, void *scratch)
{
    const strided_sums all = sums_of(job, pass, sums, modules);
    (void)scratch;
    return xyzz_of(cuda_group_of(job->group))->sum_strided(engine_of(job), stream_of(pass), &all);
}

static sumac_status run_tree(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                             module_sums *modules, void *scratch)
{
    const strided_sums all = sums_of(job, pass, sums, modules);
    return xyzz_tree_sums(engine_of(job), stream_of(pass), cuda_group_of(job->group), &all, scratch);
}

static uint64_t tree_bytes(const group_code *code, const msm_plan *plan)
{
    return xyzz_tree_points(plan->modules_per_pass * plan_module_sums(plan)) * code->xyzz_bytes;
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->reduction != REDUCTION_HALVING;
}

static stage_cost cost(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double sums = static_cast<double>(plan_module_sums(plan));
    return xyzz_cost_of_points(request, counts.modules * (sums - 1), counts.passes * (sums - 1));
}

static stage_cost cost_of_tree(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    return xyzz_cost_of_points(request, counts.modules * static_cast<double>(plan_module_sums(plan) - 1),
                               counts.passes * 32);
}

extern const stage_kind cuda_reduce_sums = {
    .stage = STAGE_REDUCE,
    .name = "sums",
    .about = "adds up the sums of a module's ranges one after another, with one thread for each module",
    .takes = RANGE_SUMS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = accepts,
    .cost = cost,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run>},
};

extern const stage_kind cuda_reduce_tree_sums = {
    .stage = STAGE_REDUCE,
    .name = "tree-sums",
    .about = "adds up the sums of a module's ranges as a tree",
    .takes = RANGE_SUMS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = accepts,
    .scratch_bytes = tree_bytes,
    .cost = cost_of_tree,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run_tree>},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This kind reduces by splitting windows into two of half as many bits (plans/window_splits.h). It needs unsigned digits,
 * which fit in c bits. It leaves c parts for each module. */
#include "plans/window_splits.h"

#include "plans/cuda/xyzz.h"
#include "pipeline/counts.h"

static uint64_t scratch_bytes(const group_code *code, const msm_plan *plan)
{
    const uint64_t buckets = static_cast<uint64_t>(plan->modules_per_pass) << plan->c;
    return (2 * split_points(plan->modules_per_pass, plan->c) + xyzz_tree_points(buckets)) * code->xyzz_bytes;
}

/* Split each of the windows. `out` gets the first halves of all windows, then the second halves. */
static sumac_status split(cuda_engine *engine, cudaStream_t stream, const cuda_group *group,
                          strided_sums *windows, uint32_t bits, char *out, void *tree)
{
    const uint64_t width = static_cast<uint64_t>(1) << split_bits(bits);
    const uint64_t groups = windows->groups;
    strided_sums low = *windows, high = *windows;
    low.limit = high.limit = static_cast<uint64_t>(1) << bits;
    low.width = high.width = width;
    low.step = high.stride = 1;
    low.stride = high.step = high.count = width;
    low.count = low.limit / width;
    low.out = out;
    high.out = out + groups * width * group->xyzz_bytes;
    TRY(xyzz_tree_sums(engine, stream, group, &low, tree));
    TRY(xyzz_tree_sums(engine, stream, group, &high, tree));
    *windows = {};
    windows->points = out;
    windows->groups = 2 * groups;
    windows->group_points = width;
    return SUMAC_OK;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                        module_sums *modules, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    const msm_plan *plan = job->plan;
    const uint64_t bytes = split_points(plan->modules_per_pass, plan->c) * group->xyzz_bytes;
    char *memory = static_cast<char *>(scratch);
    strided_sums windows = {};
    windows.points = sums->points;
    windows.groups = pass->modules;
    windows.group_points = plan->buckets;
    windows.shift = 1; /* digit d is in bucket d - 1 */
    uint32_t number = 0;
    for (uint32_t bits = plan->c; bits > 1; bits = split_bits(bits), number++) {
        TRY(split(engine, stream, group, &windows, bits, memory + number % 2 * bytes, memory + 2 * bytes));
    }
    picked_points parts = {};
    parts.points = windows.points;
    parts.out = xyzz_module_parts(job, pass, modules);
    parts.groups = pass->modules;
    parts.group_points = windows.group_points;
    parts.count = plan->c;
    for (uint32_t bit = 0; bit < plan->c; bit++) {
        const uint64_t window = split_path_of(plan->c, bit).window * pass->modules;
        parts.positions[bit] = static_cast<uint32_t>(window * windows.group_points + 1 - windows.shift);
    }
    parts.adds = pass_adds_to_parts(plan, pass);
    return xyzz_of(group)->pick(engine, stream, &parts);
}

/* Digits must fit in c bits, so they must be unsigned. */
static int accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = plan->c;
    return plan->kinds[STAGE_RECODE]->unsigned_digits && request->reduction != REDUCTION_RUNNING_SUM;
}

/* The first split costs two additions for each bucket, and the others few. */
static stage_cost cost(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double buckets = static_cast<double>(plan->buckets);
    return xyzz_cost_of_points(request, counts.modules * 2 * buckets,
                               counts.passes * 20 * split_path_of(plan->c, 0).splits);
}

extern const stage_kind cuda_reduce_splitting = {
    .stage = STAGE_REDUCE,
    .name = "splitting",
    .about = "splits each window into two of half as many bits, again and again, until there is one for each "
             "bit of the digits",
    .takes = XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_HALVING,
    .accepts = accepts,
    .scratch_bytes = scratch_bytes,
    .cost = cost,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run>},
};

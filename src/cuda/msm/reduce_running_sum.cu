/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This kind reduces by running sums, which leaves one part of each module. It is used for windows of a few bits, and
 * for comparison. With window tables a module has one bucket, which is its part: this code sets the part, or adds to
 * it. */
#include "cuda/msm/stage.h"

/* Two lanes compute a running sum (reduce_running_sum_lanes.cu), so it pays only for many small modules. */
static const uint32_t SEARCHED_C = 6;

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                        module_sums *modules, void *scratch)
{
    const cuda_group *group = cuda_group_of(job->group);
    char *parts = static_cast<char *>(modules->points) + pass->first_module * group->xyzz_bytes;
    (void)scratch;
    return group->running_sum(engine_of(job), stream_of(pass), sums->points,
                              static_cast<uint32_t>(job->plan->buckets), pass->modules,
                              pass_adds_to_parts(job->plan, pass), parts);
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return !request->all_digits && (request->reduction == REDUCTION_RUNNING_SUM ||
                                    (request->reduction == REDUCTION_AUTO && plan->c <= SEARCHED_C));
}

const stage_kind cuda_reduce_running_sum = {
    .stage = STAGE_REDUCE,
    .name = "running-sum",
    .about = "adds up the sums of all buckets from each one on, two additions a bucket",
    .takes = AFFINE_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = accepts,
    .cost = cuda_cost_of_running_sum,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run>},
};

static int accepts_one_bucket(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->all_digits;
}

const stage_kind cuda_reduce_none = {
    .stage = STAGE_REDUCE,
    .name = "none",
    .about = "has nothing to do, as there is one bucket",
    .takes = AFFINE_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = accepts_one_bucket,
    .cost = cuda_cost_of_one_bucket,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run>},
};

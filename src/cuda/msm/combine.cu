/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file combines: it makes results of module parts, by Horner's rule. Part l of module j counts 2^(c*j + l) times.
 *
 * Batches are combined on the device: an MSM is a few hundred successive doublings, each of which takes a GPU 3.5 us of
 * latency, regardless of the number of MSMs (combine_horner.cu). The sums are left in the format of a vector's points.
 *
 * A few MSMs are combined on the host, where a doubling takes 0.25 us. Each part costs the host an addition, so the
 * device first adds up groups of plan.fold neighbouring parts, all groups at once. When the groups' sums have arrived,
 * complete_on_host() does the rest.
 */
#include "cuda/msm/stage.h"

/* ---- On the device ---- */

static sumac_status run_on_device(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const cuda_group *group = cuda_group_of(job->group);
    const msm_plan *plan = job->plan;
    const uint64_t stride = static_cast<uint64_t>(plan->modules) * plan->module_parts;
    const horner_sums parts = {modules->points, static_cast<uint64_t>(plan->batch) * plan->modules,
                               plan->module_parts, 1, 1};
    const horner_sums sums = {modules->points, plan->batch, plan->modules, plan->module_parts, plan->c};
    if (parts.terms > 1) {
        TRY(group->horner(engine, &parts));
    }
    if (sums.terms > 1) {
        TRY(group->horner(engine, &sums));
    }
    if (!job->results_as_elements) {
        TRY(group->export_points(engine, modules->points, plan->batch, stride, job->result_form));
    }
    CUDA_TRY(engine,
             cudaMemcpy2DAsync(results, job->result_bytes, modules->points, stride * group->xyzz_bytes,
                               job->result_bytes, plan->batch, cudaMemcpyDefault, engine->stream));
    return SUMAC_OK;
}

const stage_kind cuda_combine_device = {
    .stage = STAGE_COMBINE,
    .name = "horner-device",
    .about = "puts the modules together by Horner's rule, on the device",
    .takes = MODULE_PARTS,
    .leaves = RESULTS,
    .cost = cuda_cost_of_device_combine,
    .run = {.combine = cuda_run<STAGE_COMBINE, run_on_device>},
};

/* ---- On the host ---- */

/* Return the number of folded parts of an MSM. */
static uint32_t folded_parts(const msm_plan *plan)
{
    return plan->modules * plan->module_parts / plan->fold;
}

static sumac_status run_for_host(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const cuda_group *group = cuda_group_of(job->group);
    const msm_plan *plan = job->plan;
    const horner_sums folded = {modules->points, static_cast<uint64_t>(plan->batch) * folded_parts(plan),
                                plan->fold, 1, 1};
    (void)results;
    TRY(buffer_want(engine, &engine->combine_parts, folded.count * group->xyzz_bytes,
                    "the parts of results, page-locked"));
    if (folded.terms > 1) {
        TRY(group->horner(engine, &folded));
    }
    CUDA_TRY(engine, cudaMemcpy2DAsync(engine->combine_parts.memory, group->xyzz_bytes, modules->points,
                                       plan->fold * group->xyzz_bytes, group->xyzz_bytes, folded.count,
                                       cudaMemcpyDeviceToHost, engine->stream));
    return SUMAC_OK;
}

/* Combine on the host. Each folded part is treated as a window of one part. Its window has `fold` bits or, if a module
 * has one part, c bits. */
static void complete_on_host(const msm_job *job, void *results)
{
    const msm_plan *plan = job->plan;
    const horner_terms terms = {engine_of(job)->combine_parts.memory, plan->batch, folded_parts(plan), 1,
                                plan->module_parts > 1 ? plan->fold : plan->c};
    job->code->combine(job, &terms, results);
}

/* Accept a batch that is one sub-batch, and choose the fastest plan->fold among the divisors of a module's parts. */
static int accepts_host(const plan_request *request, msm_plan *plan)
{
    msm_plan candidate = *plan;
    double least = 0;
    for (uint32_t fold = 1; fold <= plan->module_parts; fold++) {
        candidate.fold = fold;
        const double cost = cuda_cost_of_host_combine(request, &candidate).work;
        if (plan->module_parts % fold == 0 && (fold == 1 || cost < least)) {
            plan->fold = fold;
            least = cost;
        }
    }
    return plan->sub_batch == plan->batch;
}

const stage_kind cuda_combine_host = {
    .stage = STAGE_COMBINE,
    .name = "horner-host",
    .about = "puts the modules together by Horner's rule, on the host",
    .takes = MODULE_PARTS,
    .leaves = RESULTS,
    .accepts = accepts_host,
    .complete = complete_on_host,
    .cost = cuda_cost_of_host_combine,
    .run = {.combine = cuda_run<STAGE_COMBINE, run_for_host>},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * combine on the device: for batches. Part l of module j counts 2^(c*j + l) times. An MSM is a few hundred
 * doublings one after another, for which a GPU has only latency: 3.5 us each, however many MSMs do theirs at
 * once (combine_horner.cu). Its modules' sums are elements of a vector of points as they are.
 */
#include "cuda/msm/costs.h"
#include "cuda/msm/kinds.h"
#include "cuda/msm/stage.h"
#include "curves/curve_code.h"

static sumac_status run(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const msm_plan *plan = job->plan;
    const double begin = cuda_stage_begin(job);
    const uint64_t stride = static_cast<uint64_t>(plan->modules) * plan->module_parts;
    const horner_sums parts = {modules->points, static_cast<uint64_t>(plan->batch) * plan->modules,
                               plan->module_parts, 1, 1};
    const horner_sums sums = {modules->points, plan->batch, plan->modules, plan->module_parts, plan->c};
    if (parts.terms > 1) {
        TRY(curve->horner(engine, &parts));
    }
    if (sums.terms > 1) {
        TRY(curve->horner(engine, &sums));
    }
    if (!job->results_as_elements) {
        TRY(curve->export_points(engine, modules->points, plan->batch, stride, job->result_form));
    }
    CUDA_TRY(engine,
             cudaMemcpy2DAsync(results, job->result_bytes, modules->points, stride * curve->xyzz_bytes,
                               job->result_bytes, plan->batch, cudaMemcpyDefault, engine->stream));
    return cuda_stage_end(job, NULL, "combine", begin);
}

const stage_kind cuda_combine_device = {
    .stage = STAGE_COMBINE,
    .name = "horner-device",
    .about = "puts the modules together by Horner's rule, on the device",
    .takes = MODULE_PARTS,
    .leaves = RESULTS,
    .cost = cuda_cost_of_device_combine,
    .run = {.combine = run},
};

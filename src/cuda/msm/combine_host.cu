/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * combine on the host: for a few MSMs. A doubling takes the host 0.25 us, and a GPU 3.5. The device takes
 * plan.fold neighbouring parts together first, all groups at once, as each costs the host an addition.
 * deliver.cu has the host's code run when the parts have arrived.
 */
#include "cuda/msm/costs.h"
#include "cuda/msm/kinds.h"
#include "cuda/msm/stage.h"
#include "cuda/transfer/deliver.h"

static sumac_status run(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const msm_plan *plan = job->plan;
    const double begin = cuda_stage_begin(job);
    const uint32_t count = plan->modules * plan->module_parts / plan->fold; /* of an MSM */
    const horner_sums folded = {modules->points, static_cast<uint64_t>(plan->batch) * count, plan->fold, 1,
                                1};
    delivery *work = engine->delivery;
    (void)results;
    STATUS_TRY(pinned_want(engine, &work->parts, folded.count * curve->xyzz_bytes,
                           "the parts of results, page-locked"));
    if (folded.terms > 1) {
        STATUS_TRY(curve->horner(engine, &folded));
    }
    CUDA_TRY(engine, cudaMemcpy2DAsync(work->parts.memory, curve->xyzz_bytes, modules->points,
                                       plan->fold * curve->xyzz_bytes, curve->xyzz_bytes, folded.count,
                                       cudaMemcpyDeviceToHost, engine->stream));
    /* As of windows of so many bits, with one part each. */
    work->terms = {work->parts.memory, plan->batch, count, 1, plan->module_parts > 1 ? plan->fold : plan->c};
    return cuda_stage_end(job, NULL, "combine", begin);
}

/* Of a batch in one sub-batch; with the best number of parts to take together, a divisor of a module's. */
static int accepts(const plan_request *request, msm_plan *plan)
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
    .leaves = RAW_POINTS,
    .accepts = accepts,
    .cost = cuda_cost_of_host_combine,
    .run = {.combine = run},
};

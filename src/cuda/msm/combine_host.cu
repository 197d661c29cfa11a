/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * combine on the host: for a few MSMs. A doubling takes the host 0.25 us, and a GPU 3.5. The device takes
 * plan.fold neighbouring parts together first, all groups at once, as each costs the host an addition. When they have
 * arrived the host does the rest: complete().
 */
#include "cuda/msm/combine_host.h"

#include <new>

#include "cuda/msm/costs.h"
#include "cuda/msm/kinds.h"
#include "cuda/msm/stage.h"
#include "curves/curve_code.h"

/* One call's at a time: what run() leaves to complete(). */
struct host_combine {
    pinned_buffer parts;
    horner_terms terms;
};

void combine_host_close(cuda_engine *engine)
{
    if (engine->host_combine != NULL) {
        pinned_free(&engine->host_combine->parts);
        delete engine->host_combine;
        engine->host_combine = NULL;
    }
}

static sumac_status run(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const msm_plan *plan = job->plan;
    const double begin = cuda_stage_begin(job);
    const uint32_t count = plan->modules * plan->module_parts / plan->fold; /* of an MSM */
    const horner_sums folded = {modules->points, static_cast<uint64_t>(plan->batch) * count, plan->fold, 1,
                                1};
    (void)results;
    if (engine->host_combine == NULL) {
        engine->host_combine = new (std::nothrow) host_combine();
    }
    host_combine *left = engine->host_combine;
    if (left == NULL) {
        return cuda_allocation_failed(engine, cudaErrorMemoryAllocation, sizeof *left,
                                      "the parts of results");
    }
    TRY(pinned_want(engine, &left->parts, folded.count * curve->xyzz_bytes,
                    "the parts of results, page-locked"));
    if (folded.terms > 1) {
        TRY(curve->horner(engine, &folded));
    }
    CUDA_TRY(engine, cudaMemcpy2DAsync(left->parts.memory, curve->xyzz_bytes, modules->points,
                                       plan->fold * curve->xyzz_bytes, curve->xyzz_bytes, folded.count,
                                       cudaMemcpyDeviceToHost, engine->stream));
    /* As of windows of so many bits, with one part each. */
    left->terms = {left->parts.memory, plan->batch, count, 1, plan->module_parts > 1 ? plan->fold : plan->c};
    return cuda_stage_end(job, NULL, "combine", begin);
}

static void complete(const msm_job *job, void *results)
{
    job->code->combine(job, &engine_of(job)->host_combine->terms, results);
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
    .leaves = RESULTS,
    .accepts = accepts,
    .complete = complete,
    .cost = cuda_cost_of_host_combine,
    .run = {.combine = run},
};

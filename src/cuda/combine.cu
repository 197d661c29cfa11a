/*
 * combine: module parts -> results, on the host: a few hundred doublings one after another, for which a GPU
 * has only latency. Part l of module j counts 2^(c*j + l) times and a module has c parts, so the CPU's
 * combine does it as modules of windows of one bit.
 */
#include <cstdlib>

#include "cuda/engine.h"

sumac_status cuda_combine(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const double begin = cuda_stage_begin(job);
    sumac_plan plan = *job->plan;
    plan.modules = plan.modules * plan.module_parts;
    plan.c = 1;
    msm_job host_job = *job;
    host_job.plan = &plan;
    host_job.trace.report = NULL;
    const size_t bytes = static_cast<size_t>(plan.batch) * plan.modules * job->code->xyzz_bytes;
    void *parts = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (parts == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    const module_sums host_modules = {parts};
    sumac_status status = cuda_device.download(engine, parts, modules->points, bytes);
    if (status == SUMAC_OK) {
        status = job->code->stages->combine(&host_job, &host_modules, results);
    }
    free(parts);
    return status != SUMAC_OK ? status : cuda_stage_end(job, NULL, "combine", begin);
}

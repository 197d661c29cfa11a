/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * combine: module parts -> results. Part l of module j counts 2^(c*j + l) times. An MSM is a few hundred
 * doublings one after another, for which a GPU has only latency: 3.5 us each, however many MSMs do theirs at
 * once (horner.cu), where the host needs 0.25 us. So the device combines batches, and the host a few MSMs;
 * then the device takes neighbouring parts together first, all groups at once, as that costs the host an
 * addition a part. costs.cu says where the border is.
 *
 * Of an asynchronous job the stream does that, too: it calls the host's code when what it needs has arrived,
 * and brings results for the device there. Results of several lots gather in page-locked memory and are
 * delivered with the last one's.
 */
#include <cstring>
#include <new>

#include "cuda/engine.h"

enum { DELIVER_BLOCK = 128 };

/* What the host's part of combine reads: one call's at a time. */
struct combining {
    msm_plan plan;
    msm_job job;
    bool device_combined;  /* `gathered` has the results */
    uint64_t result_bytes; /* of all lots */
    uint8_t *results;      /* where the host's code brings them */
    uint32_t *too_large;   /* the mailbox's word */
    uint64_t memory_bytes; /* page-locked: */
    char *memory;
    uint32_t *delivers; /* 1 where there are results */
    char *parts;
    uint8_t *gathered; /* results of all lots, and those that a kernel brings to the device */
};

void combine_close(cuda_engine *engine)
{
    if (engine->combining != NULL) {
        (void)cudaFreeHost(engine->combining->memory);
        delete engine->combining;
        engine->combining = NULL;
    }
}

/* Room for a call's parts and results. No call is under way. */
static sumac_status want_combining(cuda_engine *engine, uint64_t part_bytes, uint64_t result_bytes)
{
    const uint64_t parts_end = 64 + (part_bytes + 63) / 64 * 64;
    if (engine->combining == NULL || engine->combining->memory_bytes < parts_end + result_bytes) {
        combine_close(engine);
        combining *created = new (std::nothrow) combining();
        if (created == NULL) {
            return cuda_allocation_failed(engine, cudaErrorMemoryAllocation, sizeof *created, "the results");
        }
        const cudaError_t error =
            CUDA_ALLOCATE(engine, cudaMallocHost(&created->memory, parts_end + result_bytes));
        if (error != cudaSuccess) {
            delete created;
            return cuda_allocation_failed(engine, error, parts_end + result_bytes,
                                          "the results, page-locked");
        }
        created->memory_bytes = parts_end + result_bytes;
        engine->combining = created;
    }
    engine->combining->delivers = reinterpret_cast<uint32_t *>(engine->combining->memory);
    engine->combining->parts = engine->combining->memory + 64;
    engine->combining->gathered = reinterpret_cast<uint8_t *>(engine->combining->memory) + parts_end;
    return SUMAC_OK;
}

/* The host's part: results from parts, or where the device has combined, to where they belong. */
static sumac_status finish_results(const combining *work)
{
    const module_sums modules = {work->parts};
    if (!work->device_combined) {
        return work->job.code->stages->combine(&work->job, &modules, work->results);
    }
    if (work->results != work->gathered) {
        memcpy(work->results, work->gathered, work->result_bytes);
    }
    return SUMAC_OK;
}

/* Called by the stream. */
static void finish_later(void *argument)
{
    combining *work = static_cast<combining *>(argument);
    const sumac_status status = *work->too_large != 0 ? SUMAC_SCALAR_TOO_LARGE : finish_results(work);
    *work->delivers = status == SUMAC_OK;
    *work->job.status_later = status;
}

static __global__ void __launch_bounds__(DELIVER_BLOCK)
    deliver_kernel(uint8_t *to, const uint8_t *from, uint64_t bytes, const uint32_t *delivers)
{
    const uint64_t i = blockIdx.x * (uint64_t)DELIVER_BLOCK + threadIdx.x;
    if (i < bytes && *delivers != 0) {
        to[i] = from[i];
    }
}

/* The results of all lots: now, or when the stream comes to it. */
static sumac_status deliver(const msm_job *job, combining *work, uint8_t *results)
{
    cuda_engine *engine = engine_of(job);
    const bool by_kernel = job->status_later != NULL && job->result_place == SUMAC_PLACE_DEVICE;
    work->results = by_kernel ? work->gathered : results;
    if (job->status_later == NULL) {
        CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
        return finish_results(work);
    }
    *job->status_later = SUMAC_DEVICE_FAILED; /* unless the stream comes so far */
    CUDA_TRY(engine, cudaLaunchHostFunc(engine->stream, finish_later, work));
    if (by_kernel) {
        deliver_kernel<<<blocks_for(work->result_bytes, DELIVER_BLOCK), DELIVER_BLOCK, 0, engine->stream>>>(
            results, work->gathered, work->result_bytes, work->delivers);
        CUDA_TRY(engine, cudaGetLastError());
    }
    return SUMAC_OK;
}

/* `count` records of so many bytes, which lie `stride` points apart, one behind the other to the host. */
static sumac_status download_strided(cuda_engine *engine, void *to, const void *points, uint64_t bytes,
                                     uint64_t stride, uint64_t count, uint64_t xyzz_bytes)
{
    CUDA_TRY(engine, cudaMemcpy2DAsync(to, bytes, points, stride * xyzz_bytes, bytes, count,
                                       cudaMemcpyDeviceToHost, engine->stream));
    return SUMAC_OK;
}

/* The lot's results, raw, to where the call's are gathered. */
static sumac_status combine_on_device(const msm_job *job, const module_sums *modules, combining *work)
{
    cuda_engine *engine = engine_of(job);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const msm_plan *plan = job->plan;
    const uint64_t point_bytes = job->curve->info.point_bytes;
    const uint64_t stride = static_cast<uint64_t>(plan->modules) * plan->module_parts;
    const horner_sums parts = {modules->points, static_cast<uint64_t>(plan->batch) * plan->modules,
                               plan->module_parts, 1, 1};
    const horner_sums results = {modules->points, plan->batch, plan->modules, plan->module_parts, plan->c};
    if (parts.terms > 1) {
        STATUS_TRY(curve->horner(engine, &parts));
    }
    if (results.terms > 1) {
        STATUS_TRY(curve->horner(engine, &results));
    }
    STATUS_TRY(curve->export_points(engine, modules->points, plan->batch, stride, job->result_form));
    return download_strided(engine, work->gathered + job->first_msm * point_bytes, modules->points,
                            point_bytes, stride, plan->batch, curve->xyzz_bytes);
}

/* The parts to the host, of which it makes results as of windows of `fold` bits. */
static sumac_status download_parts(const msm_job *job, const module_sums *modules, uint32_t fold,
                                   combining *work)
{
    cuda_engine *engine = engine_of(job);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const horner_sums folded = {
        modules->points, static_cast<uint64_t>(work->plan.batch) * work->plan.modules, fold, 1, 1,
    };
    if (fold > 1) {
        STATUS_TRY(curve->horner(engine, &folded));
    }
    return download_strided(engine, work->parts, modules->points, curve->xyzz_bytes, fold, folded.count,
                            curve->xyzz_bytes);
}

sumac_status cuda_combine(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const double begin = cuda_stage_begin(job);
    STATUS_TRY(cuda_join_tracks(job));
    const msm_plan *plan = job->plan;
    const uint64_t point_bytes = job->curve->info.point_bytes;
    const combine_choice choice = cuda_choose_combine(job->curve, plan);
    /* Results of several lots are written when all are there, so that they have to gather. */
    const bool on_device = choice.on_device || plan->batch < job->call_batch;
    const uint64_t terms = static_cast<uint64_t>(plan->modules) * plan->module_parts / choice.fold;
    STATUS_TRY(want_combining(engine, on_device ? 0 : plan->batch * terms * job->code->xyzz_bytes,
                              job->call_batch * point_bytes));
    combining *work = engine->combining;
    work->plan = *plan;
    work->plan.modules = static_cast<uint32_t>(terms);
    work->plan.c = plan->module_parts > 1 ? choice.fold : plan->c;
    work->plan.module_parts = 1;
    work->job = *job;
    work->job.plan = &work->plan;
    work->job.trace.report = NULL;
    work->device_combined = on_device;
    work->result_bytes = job->call_batch * point_bytes;
    work->too_large = engine->too_large;
    STATUS_TRY(on_device ? combine_on_device(job, modules, work)
                         : download_parts(job, modules, choice.fold, work));
    if (job->first_msm + plan->batch == job->call_batch) {
        STATUS_TRY(deliver(job, work, static_cast<uint8_t *>(results) - job->first_msm * point_bytes));
    }
    return cuda_stage_end(job, NULL, "combine", begin);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file delivers the results to the caller's memory, on the host or on the device. The results of all sub-batches
 * are gathered first, so that none is delivered before all are known. If the device completes them for the caller's
 * device memory, they are gathered on the device, else in page-locked memory.
 *
 * A call that is not queued waits for the stream. For a queued call, whose results go to the caller's memory on the device,
 * the stream does the rest. If the host has to complete them, or if a scalar may be too large, the stream calls the host's
 * code, and then a kernel copies the results unless a scalar was too large.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/transfer/transfer.h"

#include <cstring>
#include <new>

#include "curves/group_code.h"

enum { DELIVER_BLOCK = 128 };

static const stage_kind *combine_of(const msm_job *job)
{
    return job->plan->kinds[STAGE_COMBINE];
}

static sumac_status begin(const msm_job *job, void *results, void **points)
{
    cuda_engine *engine = engine_of(job);
    delivery *work = &engine->last_delivery;
    const uint64_t bytes = static_cast<uint64_t>(job->plan->batch) * job->result_bytes;
    (void)results;
    if (job->result_location == SUMAC_LOCATION_DEVICE && combine_of(job)->complete == NULL) {
        TRY(buffer_want(engine, &work->on_device, bytes, "the results"));
        *points = work->on_device.memory;
    } else {
        TRY(buffer_want(engine, &work->on_host, bytes, "the results, page-locked"));
        *points = work->on_host.memory;
    }
    return buffer_want(engine, &work->delivers, sizeof(uint32_t), "the results, page-locked");
}

/* Call this after the device's part of combine. If combine has a part for the host, do it. */
static void complete(const msm_job *job, void *points)
{
    if (combine_of(job)->complete != NULL) {
        combine_of(job)->complete(job, points);
    }
}

/* A queued call leaves a function on its stream. These are the arguments of the function, which frees them. The call
 * has returned by then, and later calls may have been queued. */
struct queued_results {
    msm_job job;
    msm_plan plan;
    void *points;
};

static void complete_later(void *argument)
{
    queued_results *queued = static_cast<queued_results *>(argument);
    const msm_job *job = &queued->job;
    cuda_engine *engine = engine_of(job);
    const bool fails = *engine->too_large != 0;
    *engine->too_large = 0;
    if (!fails) {
        complete(job, queued->points);
    } else if (*job->status_later == SUMAC_OK) {
        *job->status_later = SUMAC_SCALAR_TOO_LARGE;
    }
    *reinterpret_cast<uint32_t *>(engine->last_delivery.delivers.memory) = !fails;
    delete queued;
}

static __global__ void __launch_bounds__(DELIVER_BLOCK)
    deliver_kernel(uint8_t *to, const uint8_t *from, uint64_t bytes, const uint32_t *delivers)
{
    const uint64_t i = blockIdx.x * (uint64_t)DELIVER_BLOCK + threadIdx.x;
    if (i < bytes && *delivers != 0) {
        to[i] = from[i];
    }
}

static sumac_status deliver_now(const msm_job *job, void *points, void *results, uint64_t bytes)
{
    cuda_engine *engine = engine_of(job);
    TRY(cuda_wait(engine));
    complete(job, points);
    if (job->result_location == SUMAC_LOCATION_HOST) {
        memcpy(results, points, bytes);
        return SUMAC_OK;
    }
    CUDA_TRY(engine, cudaMemcpyAsync(results, points, bytes, cudaMemcpyDefault, engine->stream));
    return cuda_wait(engine);
}

static sumac_status deliver_later(const msm_job *job, void *points, void *results, uint64_t bytes)
{
    cuda_engine *engine = engine_of(job);
    if (combine_of(job)->complete == NULL && job->checked_bits == 0) {
        CUDA_TRY(engine, cudaMemcpyAsync(results, points, bytes, cudaMemcpyDeviceToDevice, engine->stream));
        return SUMAC_OK;
    }
    queued_results *queued = new (std::nothrow) queued_results;
    if (queued == NULL) {
        return cuda_out_of_memory(engine, sizeof *queued, "a queued call");
    }
    *queued = {*job, *job->plan, points};
    queued->job.plan = &queued->plan;
    queued->job.trace.report = NULL;
    const cudaError_t error = CUDA_CALL(engine, cudaLaunchHostFunc(engine->stream, complete_later, queued));
    if (error != cudaSuccess) {
        delete queued;
        return cuda_fail(engine, error, "the launch of a function of the host");
    }
    return cuda_launch(engine, engine->stream, deliver_kernel, blocks_for(bytes, DELIVER_BLOCK),
                       DELIVER_BLOCK, static_cast<uint8_t *>(results), static_cast<const uint8_t *>(points),
                       bytes, reinterpret_cast<const uint32_t *>(engine->last_delivery.delivers.memory));
}

static sumac_status end(const msm_job *job, void *points, void *results)
{
    const uint64_t bytes = static_cast<uint64_t>(job->plan->batch) * job->result_bytes;
    return (job->status_later == NULL ? deliver_now : deliver_later)(job, points, results, bytes);
}

const deliver_ops cuda_deliver = {
    .begin = begin,
    .end = end,
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * deliver: results to the caller's memory, on the host or on the device. The results of all sub-batches are gathered
 * first, so that none is delivered before all are known: on the device if it completes them for the caller's device
 * memory, else in page-locked memory.
 *
 * A synchronous call waits for the stream. In an asynchronous call the stream does the rest: it calls the host's code when
 * the data for that have arrived, and if no scalar was too large, a kernel copies results to the caller's device memory.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/transfer/transfer.h"

#include <cstring>

#include "curves/curve_code.h"

enum { DELIVER_BLOCK = 128 };

static sumac_status begin(const msm_job *job, void *results, void **points)
{
    cuda_engine *engine = engine_of(job);
    delivery *work = &engine->last_delivery;
    (void)results;
    work->bytes = static_cast<uint64_t>(job->plan->batch) * job->result_bytes;
    work->combine = job->plan->kinds[STAGE_COMBINE];
    work->too_large = engine->too_large;
    if (job->result_location == SUMAC_LOCATION_DEVICE && work->combine->complete == NULL) {
        TRY(buffer_want(engine, &work->on_device, work->bytes, "the results"));
        work->points = work->on_device.memory;
    } else {
        TRY(buffer_want(engine, &work->on_host, work->bytes, "the results, page-locked"));
        work->points = work->on_host.memory;
    }
    TRY(buffer_want(engine, &work->delivers, sizeof(uint32_t), "the results, page-locked"));
    *points = work->points;
    return SUMAC_OK;
}

/* After the device's part of combine: do the host's part, if there is one. */
static void complete(const delivery *work, const msm_job *job)
{
    if (work->combine->complete != NULL) {
        work->combine->complete(job, work->points);
    }
}

/* The stream calls this host function. */
static void complete_later(void *argument)
{
    delivery *work = static_cast<delivery *>(argument);
    const bool fails = *work->too_large != 0;
    if (!fails) {
        complete(work, &work->job);
    }
    if (!fails && work->results != NULL) {
        memcpy(work->results, work->points, work->bytes);
    }
    *reinterpret_cast<uint32_t *>(work->delivers.memory) = !fails;
    *work->job.status_later = fails ? SUMAC_SCALAR_TOO_LARGE : SUMAC_OK;
}

static __global__ void __launch_bounds__(DELIVER_BLOCK)
    deliver_kernel(uint8_t *to, const uint8_t *from, uint64_t bytes, const uint32_t *delivers)
{
    const uint64_t i = blockIdx.x * (uint64_t)DELIVER_BLOCK + threadIdx.x;
    if (i < bytes && *delivers != 0) {
        to[i] = from[i];
    }
}

static sumac_status deliver_now(const msm_job *job, const void *points, void *results)
{
    cuda_engine *engine = engine_of(job);
    const delivery *work = &engine->last_delivery;
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    complete(work, job);
    if (job->result_location == SUMAC_LOCATION_HOST) {
        memcpy(results, points, work->bytes);
        return SUMAC_OK;
    }
    CUDA_TRY(engine, cudaMemcpyAsync(results, points, work->bytes, cudaMemcpyDefault, engine->stream));
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return SUMAC_OK;
}

static sumac_status end(const msm_job *job, const void *points, void *results)
{
    cuda_engine *engine = engine_of(job);
    delivery *work = &engine->last_delivery;
    if (job->status_later == NULL) {
        return deliver_now(job, points, results);
    }
    work->job = *job;
    work->job.trace.report = NULL; /* the call has returned by then */
    work->results = job->result_location == SUMAC_LOCATION_HOST ? results : NULL;
    *job->status_later = SUMAC_DEVICE_FAILED; /* replaced when the stream reaches complete_later() */
    CUDA_TRY(engine, cudaLaunchHostFunc(engine->stream, complete_later, work));
    if (work->results == NULL) {
        TRY(cuda_launch(engine, engine->stream, deliver_kernel, blocks_for(work->bytes, DELIVER_BLOCK),
                        DELIVER_BLOCK, static_cast<uint8_t *>(results), static_cast<const uint8_t *>(points),
                        work->bytes, reinterpret_cast<const uint32_t *>(work->delivers.memory)));
    }
    return SUMAC_OK;
}

const deliver_ops cuda_deliver = {
    .begin = begin,
    .end = end,
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reports the engine's failures, and creates, orders and awaits its in-flight passes. */
#include "cuda/device/engine.h"

/* ---- Failures ---- */

sumac_status cuda_fail(cuda_engine *engine, cudaError_t error, const char *what)
{
    (void)cudaGetLastError();
    return refuse(&engine->message,
                  error == cudaErrorMemoryAllocation ? SUMAC_OUT_OF_MEMORY : SUMAC_DEVICE_FAILED,
                  "the GPU failed: %s (%s)", cudaGetErrorString(error), what);
}

sumac_status cuda_allocation_failed(cuda_engine *engine, cudaError_t error, uint64_t bytes, const char *what)
{
    if (error != cudaErrorMemoryAllocation) {
        return cuda_fail(engine, error, what);
    }
    (void)cudaGetLastError();
    return refuse(&engine->message, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for %s",
                  static_cast<unsigned long long>(bytes), what);
}

int cuda_is_failing(cuda_engine *engine)
{
    uint64_t left = __atomic_load_n(&engine->failing_call, __ATOMIC_RELAXED);
    while (left != 0 && !__atomic_compare_exchange_n(&engine->failing_call, &left, left - 1, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return left == 1;
}

/* ---- In-flight passes ---- */

cudaError_t passes_create(cuda_engine *engine)
{
    CUDA_FORWARD(create_event(&engine->begun));
    for (cuda_in_flight_pass &in_flight_pass : engine->in_flight_passes) {
        CUDA_FORWARD(cudaStreamCreateWithFlags(&in_flight_pass.own.handle, cudaStreamNonBlocking));
        in_flight_pass.stream = in_flight_pass.own;
        CUDA_FORWARD(create_event(&in_flight_pass.counted));
        CUDA_FORWARD(create_event(&in_flight_pass.done));
        CUDA_FORWARD(cudaMallocHost(&in_flight_pass.mailbox, MAILBOX_WORDS * sizeof(uint32_t)));
    }
    uint32_t *mailbox = engine->in_flight_passes[0].mailbox;
    engine->stream = engine->in_flight_passes[0].stream;
    engine->too_large = &mailbox[MAIL_TOO_LARGE];
    *engine->too_large = 0;
    engine->first_bad = reinterpret_cast<unsigned long long *>(&mailbox[MAIL_FIRST_BAD]);
    return cudaSuccess;
}

sumac_status passes_begin(const msm_job *job, msm_pass *pass)
{
    cuda_engine *engine = engine_of(job);
    cuda_in_flight_pass *in_flight = &engine->in_flight_passes[pass_in_flight_pass(job->plan, pass)];
    pass->in_flight = in_flight;
    if (job->plan->in_flight_passes == 1) {
        return SUMAC_OK;
    }
    if (pass->first_module == 0) { /* this pass has the first in-flight pass's stream, the engine's */
        CUDA_TRY(engine, cudaEventRecord(engine->begun, in_flight->stream));
    }
    if (pass->first_module == job->plan->modules_per_pass) { /* here the second in-flight pass begins */
        CUDA_TRY(engine, cudaStreamWaitEvent(in_flight->stream, engine->begun, 0));
    }
    return SUMAC_OK;
}

sumac_status passes_join(const msm_job *job)
{
    cuda_engine *engine = engine_of(job);
    for (uint32_t t = 1; t < job->plan->in_flight_passes; t++) {
        const cuda_in_flight_pass *other = &engine->in_flight_passes[t];
        CUDA_TRY(engine, cudaEventRecord(other->done, other->stream));
        CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, other->done, 0));
    }
    return SUMAC_OK;
}

void passes_settle(cuda_engine *engine)
{
    for (const cuda_in_flight_pass &in_flight_pass : engine->in_flight_passes) {
        (void)cudaStreamSynchronize(in_flight_pass.stream);
    }
}

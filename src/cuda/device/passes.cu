/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cuda/device/passes.h"

#include "cuda/device/engine.h"
#include "cuda/device/errors.h"
#include "cuda/device/streams.h"

static cudaError_t create_in_flight_pass(cuda_in_flight_pass *in_flight_pass)
{
    cudaError_t error = cudaStreamCreateWithFlags(&in_flight_pass->stream, cudaStreamNonBlocking);
    error = error == cudaSuccess ? create_event(&in_flight_pass->counted) : error;
    error = error == cudaSuccess ? create_event(&in_flight_pass->done) : error;
    return error == cudaSuccess ? cudaMallocHost(&in_flight_pass->mailbox, MAILBOX_WORDS * sizeof(uint32_t))
                                : error;
}

cudaError_t passes_create(cuda_engine *engine)
{
    cudaError_t error = create_event(&engine->begun);
    for (uint32_t t = 0; t < PLAN_MAX_IN_FLIGHT_PASSES && error == cudaSuccess; t++) {
        error = create_in_flight_pass(&engine->in_flight_passes[t]);
    }
    if (error == cudaSuccess) {
        uint32_t *mailbox = engine->in_flight_passes[0].mailbox;
        engine->stream = engine->in_flight_passes[0].stream;
        engine->too_large = &mailbox[MAIL_TOO_LARGE];
        engine->first_bad = (unsigned long long *)&mailbox[MAIL_FIRST_BAD];
    }
    return error;
}

void passes_destroy(cuda_engine *engine)
{
    destroy_event(engine->begun);
    for (const cuda_in_flight_pass &in_flight_pass : engine->in_flight_passes) {
        destroy_event(in_flight_pass.counted);
        destroy_event(in_flight_pass.done);
        destroy_stream(in_flight_pass.stream);
        (void)cudaFreeHost(in_flight_pass.mailbox);
    }
}

sumac_status passes_begin(const msm_job *job, msm_pass *pass)
{
    cuda_engine *engine = engine_of(job);
    cuda_in_flight_pass *own = &engine->in_flight_passes[pass_in_flight_pass(job->plan, pass)];
    pass->in_flight = own;
    if (job->plan->in_flight_passes == 1) {
        return SUMAC_OK;
    }
    if (pass->first_module == 0) { /* on the engine's stream, which the first one has */
        CUDA_TRY(engine, cudaEventRecord(engine->begun, own->stream));
    }
    if (pass->first_module == job->plan->modules_per_pass) { /* the second in-flight pass's first pass */
        CUDA_TRY(engine, cudaStreamWaitEvent(own->stream, engine->begun, 0));
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

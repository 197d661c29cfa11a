/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* In-flight passes: the streams that work on passes at the same time, and where each tells the host numbers. */
#ifndef SUMAC_CUDA_DEVICE_PASSES_H
#define SUMAC_CUDA_DEVICE_PASSES_H

#include <cstdint>

#include <cuda_runtime.h>

#include "pipeline/pipeline.h"

struct cuda_engine;

/* What a pass works with while another one is worked on: pipeline.h's in-flight passes. */
struct cuda_in_flight_pass {
    cudaStream_t stream;
    cudaEvent_t counted; /* accumulate's counts have come to the mailbox */
    cudaEvent_t done;    /* what the stream held when the passes had been issued */
    uint32_t *mailbox;   /* MAILBOX_WORDS words of pinned host memory for numbers that the host waits for */
};

/* Which word is whose. */
enum {
    MAIL_LARGEST, /* as accumulate's counts from COUNT_LARGEST on: accumulate_rounds_lists.h */
    MAIL_ENTRIES,
    MAIL_LEFT,
    MAIL_TOO_LARGE = MAIL_LEFT + 32,
    MAIL_FIRST_BAD = MAIL_TOO_LARGE + 2, /* of 64 bits: an even place, and two words */
    MAILBOX_WORDS = MAIL_FIRST_BAD + 2
};

/* Of an engine that is opened, and that is closed, perhaps with only some of them created. */
cudaError_t passes_create(cuda_engine *engine);
void passes_destroy(cuda_engine *engine);

/* A pass begins, on one of them: pass.in_flight becomes a cuda_in_flight_pass. */
sumac_status passes_begin(const msm_job *job, msm_pass *pass);
/* All passes are issued: what the engine's stream gets from now on follows them all. */
sumac_status passes_join(const msm_job *job);
/* Wait until none has anything under way, also after a failure. */
void passes_settle(cuda_engine *engine);

/* That of a pass which has begun. */
static inline const cuda_in_flight_pass *in_flight_of(const msm_pass *pass)
{
    return static_cast<const cuda_in_flight_pass *>(pass->in_flight);
}

#endif

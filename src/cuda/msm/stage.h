/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kinds of stages are written with: the engine, the pass's stream, and the span of a stage in a trace. */
#ifndef SUMAC_CUDA_MSM_STAGE_H
#define SUMAC_CUDA_MSM_STAGE_H

#include "cuda/device/curve.h"
#include "cuda/device/engine.h"
#include "cuda/device/errors.h"
#include "cuda/device/launch.h"
#include "cuda/device/memory.h"
#include "cuda/device/passes.h"

/* What a stage queues its work on: the stream of its pass. */
static inline cudaStream_t stream_of(const msm_pass *pass)
{
    return in_flight_of(pass)->stream;
}

/* Begin and end of a stage's span; with a trace the end waits for the stream, so that the span is the
 * stage's. */
double cuda_stage_begin(const msm_job *job);
sumac_status cuda_stage_end(const msm_job *job, const msm_pass *pass, const char *name, double begin);

#endif

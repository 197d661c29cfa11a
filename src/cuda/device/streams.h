/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Events and streams, and those that were perhaps not created. */
#ifndef SUMAC_CUDA_DEVICE_STREAMS_H
#define SUMAC_CUDA_DEVICE_STREAMS_H

#include <cuda_runtime.h>

static inline cudaError_t create_event(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDisableTiming);
}

static inline void destroy_event(cudaEvent_t event)
{
    if (event != NULL) {
        (void)cudaEventDestroy(event);
    }
}

static inline void destroy_stream(cudaStream_t stream)
{
    if (stream != NULL) {
        (void)cudaStreamDestroy(stream);
    }
}

#endif

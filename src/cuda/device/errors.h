/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Failures: a sentence in the engine, and a status. Every call of the runtime whose failure matters goes through one of
 * the macros, so that a test can have any of them fail.
 */
#ifndef SUMAC_CUDA_DEVICE_ERRORS_H
#define SUMAC_CUDA_DEVICE_ERRORS_H

#include <cstdint>

#include <cuda_runtime.h>

#include "base/try.h"
#include "sumac/sumac.h"

struct cuda_engine;

/* Keep the sentence for a failed call; the status that belongs to the error. */
sumac_status cuda_fail(cuda_engine *engine, cudaError_t error, const char *what);

/* The same for an allocation of so many bytes for something. */
sumac_status cuda_allocation_failed(cuda_engine *engine, cudaError_t error, uint64_t bytes, const char *what);

/* Whether a test wants this call to fail: device_ops.fail_call. Threads of the engine ask as well. */
int cuda_is_failing(cuda_engine *engine);

#define CUDA_CALL(engine, call) (cuda_is_failing(engine) ? cudaErrorLaunchFailure : (call))
#define CUDA_ALLOCATE(engine, call) (cuda_is_failing(engine) ? cudaErrorMemoryAllocation : (call))

#define CUDA_TRY(engine, call)                                                                               \
    do {                                                                                                     \
        const cudaError_t cuda_try_error = CUDA_CALL(engine, call);                                          \
        if (cuda_try_error != cudaSuccess) {                                                                 \
            return cuda_fail(engine, cuda_try_error, #call);                                                 \
        }                                                                                                    \
    } while (0)

#endif

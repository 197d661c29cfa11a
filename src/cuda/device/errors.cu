/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sentences on failures, and calls that fail because a test wants them to. */
#include "cuda/device/errors.h"

#include <cstdio>

#include "cuda/device/engine.h"

sumac_status cuda_fail(cuda_engine *engine, cudaError_t error, const char *what)
{
    (void)cudaGetLastError();
    (void)snprintf(engine->message, sizeof engine->message, "the GPU failed: %s (%s)",
                   cudaGetErrorString(error), what);
    return error == cudaErrorMemoryAllocation ? SUMAC_OUT_OF_MEMORY : SUMAC_DEVICE_FAILED;
}

sumac_status cuda_allocation_failed(cuda_engine *engine, cudaError_t error, uint64_t bytes, const char *what)
{
    if (error != cudaErrorMemoryAllocation) {
        return cuda_fail(engine, error, what);
    }
    (void)cudaGetLastError();
    (void)snprintf(engine->message, sizeof engine->message, "there is no memory of %llu bytes for %s",
                   static_cast<unsigned long long>(bytes), what);
    return SUMAC_OUT_OF_MEMORY;
}

int cuda_is_failing(cuda_engine *engine)
{
    uint64_t left = __atomic_load_n(&engine->failing_call, __ATOMIC_RELAXED);
    while (left != 0 && !__atomic_compare_exchange_n(&engine->failing_call, &left, left - 1, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return left == 1;
}

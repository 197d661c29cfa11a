/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Common code of kernels: launches that overlap, and divisions. */
#ifndef SUMAC_CUDA_DEVICE_KERNELS_CUH
#define SUMAC_CUDA_DEVICE_KERNELS_CUH

#include "cuda/device/engine.h"

/*
 * ---- Short kernels one after another ----
 *
 * The blocks of each come while the one before still runs, and first wait until it has ended, so that it is the work alone
 * that takes time.
 */

/* A kernel that is launched in this way calls this before all else that touches memory, in each thread: then whatever
 * was before the one before has ended, too. */
static __device__ __forceinline__ void await_kernel_before(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion(); /* once all blocks are here, the next ones may come */
    cudaGridDependencySynchronize();
#endif
}

/* Launch such a kernel: `arguments` are the addresses of its parameters. */
static inline sumac_status launch_early(cuda_engine *engine, cudaStream_t stream, const void *kernel,
                                        unsigned blocks, unsigned threads, void **arguments)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = engine->launches_early ? 1 : 0;
    CUDA_TRY(engine, cudaLaunchKernelExC(&config, kernel, arguments));
    return SUMAC_OK;
}

/* ---- Division of 32-bit numbers by one that does not change ---- */

struct divider {
    uint32_t divisor;
    uint32_t reciprocal; /* floor((2^32 - 1)/divisor): the quotient from it is right or one too small */
};

static inline divider divider_of(uint64_t divisor)
{
    const uint32_t d = divisor == 0 ? 1 : static_cast<uint32_t>(divisor);
    return {d, 0xffffffffu / d};
}

static __device__ __forceinline__ uint32_t divide(uint32_t a, divider d)
{
    const uint32_t quotient = __umulhi(a, d.reciprocal);
    return quotient + (a - quotient * d.divisor >= d.divisor);
}

#endif

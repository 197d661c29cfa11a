/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Short kernels one after another: the blocks of each come while the one before still runs, and first wait until it has
 * ended, so that it is the work alone that takes time.
 */
#ifndef SUMAC_CUDA_DEVICE_EARLY_CUH
#define SUMAC_CUDA_DEVICE_EARLY_CUH

#include "cuda/device/engine.h"
#include "cuda/device/errors.h"

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

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has the kernels' common code: launches that overlap, and divisions. */
#ifndef SUMAC_CUDA_DEVICE_KERNELS_CUH
#define SUMAC_CUDA_DEVICE_KERNELS_CUH

#include "cuda/device/engine.h"

/* ---- Launches ---- */

/* exactly<T>::type is T, but is not deduced from an argument: the argument is converted to the kernel's parameter type. */
template <class parameter> struct exactly {
    typedef parameter type;
};

/* Launch a kernel with these arguments, and `shared` bytes of shared memory in addition to its static shared memory. If
 * `blocks` is 0, do nothing. */
template <class... parameters>
sumac_status launch_with_shared(cuda_engine *engine, cudaStream_t stream, void (*kernel)(parameters...),
                                unsigned blocks, unsigned threads, size_t shared,
                                typename exactly<parameters>::type... arguments)
{
    void *addresses[] = {const_cast<void *>(static_cast<const void *>(&arguments))...};
    if (blocks == 0) {
        return SUMAC_OK;
    }
    const cudaError_t error = CUDA_CALL(engine, cudaLaunchKernel(reinterpret_cast<const void *>(kernel),
                                                                 blocks, threads, addresses, shared, stream));
    return error == cudaSuccess ? SUMAC_OK : cuda_fail(engine, error, "the launch of a kernel");
}

template <class... parameters>
sumac_status cuda_launch(cuda_engine *engine, cudaStream_t stream, void (*kernel)(parameters...),
                         unsigned blocks, unsigned threads, typename exactly<parameters>::type... arguments)
{
    return launch_with_shared(engine, stream, kernel, blocks, threads, 0, arguments...);
}

/*
 * Short successive kernels are launched early: a kernel's blocks start while the previous kernel still runs, and wait
 * until it has ended, so that launches take no time. Each thread of such a kernel must call await_kernel_before()
 * before it accesses memory. The previous kernel did so, too; therefore all earlier kernels have then ended.
 */
static __device__ __forceinline__ void await_kernel_before(void)
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion(); /* when all blocks have called this, the blocks of the next
                                                  kernel may start */
    cudaGridDependencySynchronize();
#endif
}

template <class... parameters>
sumac_status launch_early(cuda_engine *engine, cudaStream_t stream, void (*kernel)(parameters...),
                          unsigned blocks, unsigned threads, typename exactly<parameters>::type... arguments)
{
    void *addresses[] = {const_cast<void *>(static_cast<const void *>(&arguments))...};
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = engine->launches_early ? 1 : 0;
    const cudaError_t error =
        CUDA_CALL(engine, cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(kernel), addresses));
    return error == cudaSuccess ? SUMAC_OK : cuda_fail(engine, error, "the launch of a kernel");
}

/* ---- Division of 32-bit numbers by one that does not change ---- */

struct divider {
    uint32_t divisor;
    uint32_t reciprocal; /* floor((2^32 - 1)/divisor), whose quotient is right or one too small */
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

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This is the fake runtime for C++. If clang compiles CUDA (`-x cuda --cuda-host-only`), it also declares the functions
 * that kernels call. The compiler reads kernels but makes no code of them, so that these functions need no definitions.
 */
#ifndef SUMAC_TESTS_CUDA_FAKE_CUDA_RUNTIME_H
#define SUMAC_TESTS_CUDA_FAKE_CUDA_RUNTIME_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "cuda_runtime_api.h"

template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    return cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}

template <class T> cudaError_t cudaMallocHost(T **memory, size_t bytes)
{
    return cudaMallocHost(reinterpret_cast<void **>(memory), bytes);
}

struct uint2 {
    unsigned x, y;
};

struct uint3 {
    unsigned x, y, z;
};

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

struct alignas(16) ulonglong2 {
    unsigned long long x, y;
};

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};

enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization };

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        int programmaticStreamSerializationAllowed;
    } val;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

/* A launch `kernel<<<...>>>(...)` is compiled to calls of these functions. */
extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = nullptr);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments);
}

#ifdef __CUDA__

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __grid_constant__

template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}

template <class T> cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;

static inline __host__ __device__ uint2 make_uint2(unsigned x, unsigned y)
{
    return {x, y};
}

static inline __host__ __device__ uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

__device__ void *memcpy(void *to, const void *from, size_t bytes);
__device__ void *memset(void *to, int value, size_t bytes);

__device__ void __syncthreads();
__device__ int __syncthreads_or(int value);
__device__ void __syncwarp(unsigned lanes = ~0u);
__device__ void __threadfence();
__device__ unsigned __ballot_sync(unsigned lanes, int value);
__device__ int __any_sync(unsigned lanes, int value);
__device__ int __all_sync(unsigned lanes, int value);
__device__ unsigned __reduce_max_sync(unsigned lanes, unsigned value);
__device__ unsigned __reduce_add_sync(unsigned lanes, unsigned value);
template <class T> __device__ T __shfl_sync(unsigned lanes, T value, int lane, int width = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned lanes, T value, int mask, int width = 32);
template <class T> __device__ T __shfl_up_sync(unsigned lanes, T value, unsigned by, int width = 32);
template <class T> __device__ T __shfl_down_sync(unsigned lanes, T value, unsigned by, int width = 32);

__device__ int __popc(unsigned value);
__device__ int __ffs(int value);
__device__ int __ffsll(long long value);
__device__ int __clz(int value);
__device__ int __clzll(long long value);
__device__ unsigned __brev(unsigned value);
__device__ unsigned long long __brevll(unsigned long long value);
__device__ unsigned __umulhi(unsigned a, unsigned b);
__device__ unsigned __byte_perm(unsigned a, unsigned b, unsigned which);
__device__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by);
__device__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by);
__device__ float __ull2float_rd(unsigned long long value);
__device__ float __fmul_rd(float a, float b);
__device__ size_t __cvta_generic_to_shared(const void *memory);
template <class T> __device__ T __ldcg(const T *from);

__device__ unsigned atomicAdd(unsigned *to, unsigned value);
__device__ unsigned atomicMax(unsigned *to, unsigned value);
__device__ unsigned atomicMin(unsigned *to, unsigned value);
__device__ unsigned long long atomicMin(unsigned long long *to, unsigned long long value);

#endif

#endif

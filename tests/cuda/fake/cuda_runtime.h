/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * As much of CUDA's runtime as src/cuda/transfer calls, for a host without a GPU: a stream is a thread with a queue, the
 * device's memory is the host's. What the real one promises holds here and nothing else does: work of a stream is done
 * in its order, follows what its caller did before, and what others see of it they see by an event or by waiting for the
 * stream. So the thread sanitizer knows of each wait that lacks.
 */
#ifndef SUMAC_TESTS_CUDA_FAKE_CUDA_RUNTIME_H
#define SUMAC_TESTS_CUDA_FAKE_CUDA_RUNTIME_H

#include <cstddef>
#include <functional>

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorLaunchFailure };
enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

typedef struct fake_stream *cudaStream_t;
typedef struct fake_event *cudaEvent_t;

struct cudaPointerAttributes {
    cudaMemoryType type;
};

struct uint2 {
    unsigned x, y;
};

const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaSetDevice(int device);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);

/* Of page-locked and device memory only: a copy from pageable memory ends the test. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                              size_t rows, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream);

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory);
cudaError_t cudaFreeHost(void *memory);
cudaError_t fake_malloc_host(void **memory, size_t bytes);

template <class T> cudaError_t cudaMallocHost(T **memory, size_t bytes)
{
    return fake_malloc_host(reinterpret_cast<void **>(memory), bytes);
}

/* In place of a kernel. */
void fake_launch(cudaStream_t stream, std::function<void()> kernel);

#endif

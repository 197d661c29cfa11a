/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/device.h"

#include "support/abort.h"
#ifdef SUMAC_RANDOM_CUDA
#include <cuda_runtime_api.h>
#endif

/* ---- Functions of a fake runtime ---- */

#ifdef SUMAC_TESTS_CUDA_FAKE_CUDA_RUNTIME_API_H
#include "fake.h"

int device_computes(void)
{
    return 0;
}

long device_fail(long number, int from_then_on)
{
    return fake_fail(number, from_then_on);
}

void device_leave(uint64_t bytes)
{
    static const uint64_t reserve = (uint64_t)512 << 20; /* cuda_memory_free() */
    fake_leave(bytes == UINT64_MAX ? (uint64_t)80 << 30 : bytes == 0 ? 0 : reserve + bytes);
}

void device_expect_nothing_left(void)
{
    fake_expect_nothing_left();
}
#else
int device_computes(void)
{
    return 1;
}

long device_fail(long number, int from_then_on)
{
    (void)number;
    (void)from_then_on;
    return 0;
}

void device_leave(uint64_t bytes)
{
    (void)bytes;
}

void device_expect_nothing_left(void)
{
}
#endif

/* ---- Memory and streams ---- */

#ifdef SUMAC_RANDOM_CUDA
static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        test_abort("%s: %s", what, cudaGetErrorString(error));
    }
}

int device_count(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

void *device_take(int device, const void *host, size_t bytes)
{
    void *memory = NULL;
    must(cudaSetDevice(device), "choosing a device");
    must(cudaMalloc(&memory, bytes > 0 ? bytes : 1), "memory of a device");
    must(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice), "copying to a device");
    return memory;
}

void device_give(int device, void *memory, void *host, size_t bytes)
{
    must(cudaSetDevice(device), "choosing a device");
    if (host != NULL) {
        must(cudaMemcpy(host, memory, bytes, cudaMemcpyDeviceToHost), "copying from a device");
    }
    must(cudaFree(memory), "freeing a device's memory");
}

void *device_stream_make(int device)
{
    cudaStream_t stream = NULL;
    must(cudaSetDevice(device), "choosing a device");
    must(cudaStreamCreate(&stream), "a stream");
    return stream;
}

void device_stream_free(int device, void *stream)
{
    must(cudaSetDevice(device), "choosing a device");
    must(cudaStreamDestroy(stream), "freeing a stream");
}
#else
int device_count(void)
{
    return 0;
}

void *device_take(int device, const void *host, size_t bytes)
{
    (void)host;
    test_abort("device %d has no %zu bytes: this program is built without CUDA", device, bytes);
}

void device_give(int device, void *memory, void *host, size_t bytes)
{
    (void)memory;
    (void)host;
    test_abort("device %d has no %zu bytes: this program is built without CUDA", device, bytes);
}

void *device_stream_make(int device)
{
    test_abort("device %d has no streams: this program is built without CUDA", device);
}

void device_stream_free(int device, void *stream)
{
    (void)stream;
    test_abort("device %d has no streams: this program is built without CUDA", device);
}
#endif

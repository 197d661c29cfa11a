/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file allocates memory of the device and of the host, and does single copies. */
#include <cstring>

#include "cuda/device/engine.h"

/* Blocks of at most POOLED_BYTES come from the device's memory pool, which keeps some freed memory. A call over vectors
 * allocates and frees ten blocks; without the pool the driver would map and clear the memory of each. Once the stream
 * has reached a block's allocation, any stream may use the block. */
static const uint64_t POOLED_BYTES = (uint64_t)256 << 20;
static const uint64_t POOL_PART = 64; /* the pool keeps 1/POOL_PART of the device's memory */

cudaError_t pool_keep(int device, uint64_t device_bytes)
{
    cudaMemPool_t pool;
    uint64_t kept = device_bytes / POOL_PART;
    CUDA_FORWARD(cudaDeviceGetDefaultMemPool(&pool, device));
    return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
}

void pool_trim(int device)
{
    cudaMemPool_t pool;
    if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) {
        (void)cudaMemPoolTrimTo(pool, 0);
    }
}

void *cuda_allocate_pinned(void *engine, uint64_t bytes)
{
    void *memory = NULL;
    if (CUDA_ALLOCATE(static_cast<cuda_engine *>(engine), cudaMallocHost(&memory, bytes == 0 ? 64 : bytes)) !=
        cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    return memory;
}

void cuda_release_pinned(void *memory)
{
    (void)cudaFreeHost(memory);
}

static cudaError_t allocate_block(const cuda_engine *engine, void **memory, uint64_t bytes)
{
    const bool is_pooled = bytes <= POOLED_BYTES;
    cudaError_t error =
        is_pooled ? cudaMallocAsync(memory, bytes, engine->stream) : cudaMalloc(memory, bytes);
    if (is_pooled && error == cudaSuccess) {
        error = cudaStreamSynchronize(engine->stream);
        if (error != cudaSuccess) {
            (void)cudaFree(*memory);
        }
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        pool_trim(engine->device);
        error = cudaMalloc(memory, bytes);
    }
    return error;
}

void *cuda_allocate(void *handle, uint64_t bytes)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    void *memory = NULL;
    if (CUDA_ALLOCATE(engine, allocate_block(engine, &memory, bytes == 0 ? 64 : bytes)) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    return memory;
}

void cuda_release(void *memory)
{
    (void)cudaFree(memory);
}

void *cuda_allocate_in_order(void *handle, uint64_t bytes)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    void *memory = NULL;
    cudaError_t error =
        CUDA_ALLOCATE(engine, cudaMallocAsync(&memory, bytes == 0 ? 64 : bytes, engine->stream));
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        pool_trim(engine->device);
        error = CUDA_ALLOCATE(engine, cudaMallocAsync(&memory, bytes == 0 ? 64 : bytes, engine->stream));
    }
    (void)cudaGetLastError();
    return error == cudaSuccess ? memory : NULL;
}

void cuda_release_in_order(void *handle, void *memory)
{
    if (memory != NULL) {
        (void)cudaFreeAsync(memory, static_cast<cuda_engine *>(handle)->stream);
    }
}

/* When this returns, no copy is running any more, even after a failure. */
static sumac_status copy_and_wait(void *handle, void *to, const void *from, uint64_t bytes,
                                  cudaMemcpyKind kind)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    cudaError_t error = CUDA_CALL(engine, cudaMemcpyAsync(to, from, bytes, kind, engine->stream));
    if (error == cudaSuccess) {
        error = CUDA_CALL(engine, cudaStreamSynchronize(engine->stream));
    }
    if (error == cudaSuccess) {
        return SUMAC_OK;
    }
    (void)cudaStreamSynchronize(engine->stream);
    return cuda_fail(engine, error,
                     kind == cudaMemcpyHostToDevice   ? "a copy to the device"
                     : kind == cudaMemcpyDeviceToHost ? "a copy from the device"
                                                      : "a copy between devices");
}

/* This is host data of a queued call. A function on the stream brings it to page-locked memory. From there the device
 * copies them. It could also copy from pageable memory, but then the runtime would make its caller wait for the
 * stream. */
struct brought_data {
    char *to;
    uint64_t bytes;
    char data[];
};

static void bring_data(void *argument)
{
    brought_data *brought = static_cast<brought_data *>(argument);
    memcpy(brought->to, brought->data, brought->bytes);
    free(brought);
}

sumac_status cuda_bring(cuda_engine *engine, void *to, const void *from, uint64_t bytes)
{
    TRY(buffer_want(engine, &engine->brought, bytes, "data of the host, page-locked"));
    brought_data *brought = static_cast<brought_data *>(malloc(sizeof *brought + bytes));
    if (brought == NULL) {
        return cuda_out_of_memory(engine, bytes, "data of the host");
    }
    brought->to = engine->brought.memory;
    brought->bytes = bytes;
    memcpy(brought->data, from, bytes);
    const cudaError_t error = CUDA_CALL(engine, cudaLaunchHostFunc(engine->stream, bring_data, brought));
    if (error != cudaSuccess) {
        free(brought);
        return cuda_fail(engine, error, "the launch of a function of the host");
    }
    CUDA_TRY(engine,
             cudaMemcpyAsync(to, engine->brought.memory, bytes, cudaMemcpyHostToDevice, engine->stream));
    return SUMAC_OK;
}

sumac_status cuda_upload(void *engine, void *to, const void *from, uint64_t bytes)
{
    return copy_and_wait(engine, to, from, bytes, cudaMemcpyHostToDevice);
}

sumac_status cuda_begin_upload(void *handle, void *to, const void *from, uint64_t bytes)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    CUDA_TRY(engine, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, engine->copies));
    return SUMAC_OK;
}

sumac_status cuda_end_upload(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    CUDA_TRY(engine, cudaStreamSynchronize(engine->copies));
    return SUMAC_OK;
}

sumac_status cuda_download(void *engine, void *to, const void *from, uint64_t bytes)
{
    return copy_and_wait(engine, to, from, bytes, cudaMemcpyDeviceToHost);
}

sumac_status cuda_copy_across(void *engine, void *to, const void *from, uint64_t bytes)
{
    return copy_and_wait(engine, to, from, bytes, cudaMemcpyDefault);
}

/* Enable a peer's access to the device's memory. Memory of the pool and other memory need one call each. If one of
 * these calls fails, copies go through the host. */
void cuda_connect(void *handle, int32_t other)
{
    const int device = static_cast<cuda_engine *>(handle)->device;
    int can_access = 0;
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    if (other == device || cudaDeviceCanAccessPeer(&can_access, other, device) != cudaSuccess ||
        !can_access) {
        (void)cudaGetLastError();
        return;
    }
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = other;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) {
        (void)cudaMemPoolSetAccess(pool, &access, 1);
    }
    (void)cudaSetDevice(other);
    (void)cudaDeviceEnablePeerAccess(device, 0); /* fails if access is enabled already, which is fine */
    (void)cudaSetDevice(device);
    (void)cudaGetLastError();
}

uint64_t cuda_memory_free(void *engine)
{
    size_t available = 0, total = 0;
    (void)engine;
    /* Some memory is left for the runtime, for kernels that need a stack, and for other contexts. */
    const size_t reserve = (size_t)512 << 20;
    return cudaMemGetInfo(&available, &total) == cudaSuccess && available > reserve ? available - reserve : 1;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file opens, describes and closes the engine's handle, and orders the engine's work with callers' streams. */
#include <cstdio>
#include <cstring>
#include <new>

#include "cuda/msm/stage.h"
#include "cuda/transfer/transfer.h"

static sumac_status unavailable(sumac_message *why, const char *problem, cudaError_t error)
{
    (void)cudaGetLastError();
    return refuse(why, SUMAC_BACKEND_UNAVAILABLE, "%s: %s", problem, cudaGetErrorString(error));
}

/* Create the engine's streams, events and mailboxes. */
static cudaError_t create_objects(cuda_engine *engine)
{
    CUDA_FORWARD(cudaStreamCreateWithFlags(&engine->copies.handle, cudaStreamNonBlocking));
    CUDA_FORWARD(create_events(engine->arrived));
    for (scoped_event *event : {&engine->before, &engine->vacated}) {
        CUDA_FORWARD(create_event(event));
    }
    return passes_create(engine);
}

/* Close an engine. If opening it has failed, some of its objects may be missing. */
static void cuda_close(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    if (engine == NULL) {
        return;
    }
    const int device = engine->device;
    (void)cudaSetDevice(device);
    transfer_close(engine);
    delete engine;
    pool_trim(device);
    (void)cudaGetLastError();
}

/* This kernel is never launched. It only serves to find the PTX version that the engine was compiled to. */
static __global__ void version_kernel(void)
{
}

/* Tell whether a kernel's blocks may start before the previous kernel has ended. The device must support this, and the
 * code must wait for the previous kernel (kernels.cuh). It does not wait if the driver compiled it from the PTX of an
 * older device. */
static bool can_launch_early(const cudaDeviceProp *properties)
{
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, version_kernel);
    (void)cudaGetLastError();
    return properties->major >= 9 && error == cudaSuccess && attributes.ptxVersion >= 90;
}

static uint32_t cuda_count(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? static_cast<uint32_t>(count) : 0;
}

static cuda_engine *create_engine(int device, const cudaDeviceProp *properties)
{
    cuda_engine *engine = new (std::nothrow) cuda_engine();
    int driver = 0; /* 1000 * major + 10 * minor */
    if (engine == NULL) {
        return NULL;
    }
    (void)cudaDriverGetVersion(&driver);
    engine->device = device;
    engine->multiprocessors = properties->multiProcessorCount;
    engine->launches_early = can_launch_early(properties);
    engine->shared_bytes = properties->sharedMemPerBlockOptin;
    (void)snprintf(engine->description, sizeof engine->description,
                   "%s, compute capability %d.%d, %d multiprocessors, %.0f GiB, driver for CUDA %d.%d",
                   properties->name, properties->major, properties->minor, properties->multiProcessorCount,
                   static_cast<double>(properties->totalGlobalMem) / (1 << 30), driver / 1000,
                   driver % 1000 / 10);
    return engine;
}

static sumac_status cuda_open(int32_t device, void **engine, sumac_message *why)
{
    int count = 0;
    cudaDeviceProp properties;
    *engine = NULL;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver) {
        return unavailable(why, "the NVIDIA driver is missing or too old", error);
    }
    if (error != cudaSuccess || count == 0) {
        return unavailable(why, "no CUDA device was found", error != cudaSuccess ? error : cudaErrorNoDevice);
    }
    if (device >= count) {
        return refuse(why, SUMAC_BACKEND_UNAVAILABLE, "there is no CUDA device %d, only %d of them", device,
                      count);
    }
    error = cudaSetDevice(device);
    if (error == cudaSuccess) {
        error = cudaGetDeviceProperties(&properties, device);
    }
    if (error != cudaSuccess) {
        return unavailable(why, "the CUDA device can't be used", error);
    }
    cuda_engine *created = create_engine(device, &properties);
    if (created == NULL) {
        return refuse(why, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a context",
                      sizeof *created);
    }
    error = create_objects(created);
    if (error == cudaSuccess) {
        error = pool_keep(device, properties.totalGlobalMem);
    }
    if (error != cudaSuccess) {
        cuda_close(created);
        return unavailable(why, "the CUDA device can't be used", error);
    }
    *engine = created;
    return SUMAC_OK;
}

static const char *cuda_describe(const void *engine)
{
    return static_cast<const cuda_engine *>(engine)->description;
}

static int32_t cuda_ordinal(const void *engine)
{
    return static_cast<const cuda_engine *>(engine)->device;
}

/* Forget the thread's last error, which may be that of an earlier call, for example of one that freed memory. */
static void cuda_enter(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    (void)cudaSetDevice(engine->device);
    (void)cudaGetLastError();
    engine->message.text[0] = '\0';
    engine->queues = false;
}

static void cuda_queue(void *engine, int queues)
{
    static_cast<cuda_engine *>(engine)->queues = queues != 0;
}

static const char *cuda_message(const void *engine)
{
    return static_cast<const cuda_engine *>(engine)->message.text;
}

static memory_location cuda_location_of(void *handle, const void *memory)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        (void)cudaGetLastError();
        return MEMORY_HOST;
    }
    switch (attributes.type) {
    case cudaMemoryTypeDevice:
        return attributes.device == static_cast<cuda_engine *>(handle)->device ? MEMORY_DEVICE
                                                                               : MEMORY_OTHER_DEVICE;
    case cudaMemoryTypeManaged:
        return MEMORY_BOTH;
    default:
        return MEMORY_HOST;
    }
}

/* The engine has two queues, its stream and its copies. Order the later work of both behind the work of another
 * stream. */
static sumac_status follow(cuda_engine *engine, cudaStream_t other)
{
    CUDA_TRY(engine, cudaEventRecord(engine->before, other));
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->before, 0));
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->copies, engine->before, 0));
    return SUMAC_OK;
}

static bool has_callers_stream(const cuda_engine *engine)
{
    return engine->stream != engine->in_flight_passes[0].own;
}

static sumac_status cuda_follow(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    return has_callers_stream(engine) ? SUMAC_OK : follow(engine, NULL);
}

static sumac_status cuda_set_stream(void *handle, void *stream)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    cuda_in_flight_pass *first = &engine->in_flight_passes[0];
    const cudaStream_t before = engine->stream;
    if (stream != NULL) { /* recording an event shows whether there is such a stream */
        const cudaError_t error =
            CUDA_CALL(engine, cudaEventRecord(engine->before, static_cast<cudaStream_t>(stream)));
        if (error == cudaErrorInvalidResourceHandle || error == cudaErrorInvalidValue) {
            (void)cuda_fail(engine, error, "the stream is none of the context's device");
            return SUMAC_BAD_ARGUMENT;
        }
        CUDA_TRY(engine, error);
    }
    engine->stream = first->stream = stream == NULL ? first->own : static_cast<cudaStream_t>(stream);
    const sumac_status status = follow(engine, before);
    if (status != SUMAC_OK) {
        engine->stream = first->stream = before;
    }
    return status;
}

static sumac_status cuda_join(void *handle)
{
    return cuda_wait(static_cast<cuda_engine *>(handle));
}

static void cuda_settle(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    transfer_settle(engine);
    passes_settle(engine);
    *engine->too_large = 0;
    (void)cudaGetLastError();
}

static uint64_t cuda_fail_call(void *engine, uint64_t number)
{
    return __atomic_exchange_n(&static_cast<cuda_engine *>(engine)->failing_call, number, __ATOMIC_RELAXED);
}

static int cuda_has_group(const sumac_group *group)
{
    return cuda_group_of(group) != NULL;
}

const device_ops cuda_device = {
    .count = cuda_count,
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    .ordinal = cuda_ordinal,
    .allocate_pinned = cuda_allocate_pinned,
    .release_pinned = cuda_release_pinned,
    .enter = cuda_enter,
    .message = cuda_message,
    .upload = cuda_upload,
    .begin_upload = cuda_begin_upload,
    .end_upload = cuda_end_upload,
    .download = cuda_download,
    .copy_across = cuda_copy_across,
    .connect = cuda_connect,
    .fill_table = cuda_fill_table,
    .decode = cuda_decode,
    .has_group = cuda_has_group,
    .can_decode = cuda_can_decode,
    .memory_free = cuda_memory_free,
    .location_of = cuda_location_of,
    .allocate_in_order = cuda_allocate_in_order,
    .release_in_order = cuda_release_in_order,
    .follow = cuda_follow,
    .set_stream = cuda_set_stream,
    .queue = cuda_queue,
    .join = cuda_join,
    .settle = cuda_settle,
    .fail_call = cuda_fail_call,
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine's handle, memory and copies. */
#include <cstdio>
#include <cstring>
#include <new>

#include "base/clock.h"
#include "cuda/device/engine.h"
#include "cuda/transfer/copies.h"
#include "cuda/transfer/deliver.h"
#include "cuda/vector/decode.h"

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

double cuda_stage_begin(const msm_job *job)
{
    return job->trace.report == NULL ? 0 : clock_seconds();
}

sumac_status cuda_stage_end(const msm_job *job, const msm_pass *pass, const char *name, double begin)
{
    if (job->trace.report != NULL) {
        CUDA_TRY(engine_of(job), cudaStreamSynchronize(engine_of(job)->stream));
        const sumac_trace_event event = {sizeof event, name,           0, pass == NULL ? 0 : pass->index,
                                         begin,        clock_seconds()};
        job->trace.report(job->trace.user, &event);
    }
    return SUMAC_OK;
}

static sumac_status unavailable(char *message, size_t bytes, const char *problem, cudaError_t error)
{
    (void)cudaGetLastError();
    (void)snprintf(message, bytes, "%s: %s", problem, cudaGetErrorString(error));
    return SUMAC_BACKEND_UNAVAILABLE;
}

static cudaError_t create_event(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDisableTiming);
}

static cudaError_t create_in_flight_pass(cuda_in_flight_pass *in_flight_pass)
{
    cudaError_t error = cudaStreamCreateWithFlags(&in_flight_pass->stream, cudaStreamNonBlocking);
    error = error == cudaSuccess ? create_event(&in_flight_pass->counted) : error;
    error = error == cudaSuccess ? create_event(&in_flight_pass->done) : error;
    return error == cudaSuccess ? cudaMallocHost(&in_flight_pass->mailbox, MAILBOX_WORDS * sizeof(uint32_t))
                                : error;
}

static void use_in_flight_pass(cuda_engine *engine, uint32_t number)
{
    engine->in_flight_pass = &engine->in_flight_passes[number];
    engine->stream = engine->in_flight_pass->stream;
}

/* The streams and events of an engine, and its mailboxes. */
static cudaError_t create_objects(cuda_engine *engine)
{
    cudaError_t error = cudaStreamCreateWithFlags(&engine->copies, cudaStreamNonBlocking);
    for (uint32_t p = 0; p < TRANSFER_LOADS && error == cudaSuccess; p++) {
        error = create_event(&engine->arrived[p]);
    }
    for (cudaEvent_t *event : {&engine->before, &engine->after, &engine->vacated, &engine->begun}) {
        error = error == cudaSuccess ? create_event(event) : error;
    }
    for (uint32_t t = 0; t < PLAN_MAX_IN_FLIGHT_PASSES && error == cudaSuccess; t++) {
        error = create_in_flight_pass(&engine->in_flight_passes[t]);
    }
    if (error == cudaSuccess) {
        use_in_flight_pass(engine, 0);
        engine->too_large = &engine->in_flight_pass->mailbox[MAIL_TOO_LARGE];
        engine->first_bad = (unsigned long long *)&engine->in_flight_pass->mailbox[MAIL_FIRST_BAD];
    }
    return error;
}

static void destroy_event(cudaEvent_t event)
{
    if (event != NULL) {
        (void)cudaEventDestroy(event);
    }
}

static void destroy_stream(cudaStream_t stream)
{
    if (stream != NULL) {
        (void)cudaStreamDestroy(stream);
    }
}

/* Also for an engine of which only some objects were created. */
/* Blocks of at most so many bytes come from the device's pool, which keeps a part of what is given back: a
 * call over vectors makes and frees ten, for each of which the driver would map and clear memory anew. The
 * pool's block is there when the stream comes to it; it may be used on any stream. */
static const uint64_t POOLED_BYTES = (uint64_t)256 << 20;
static const uint64_t POOL_PART = 64; /* of the device's memory */

static cudaError_t keep_pool(int device, uint64_t device_bytes)
{
    cudaMemPool_t pool;
    uint64_t kept = device_bytes / POOL_PART;
    const cudaError_t error = cudaDeviceGetDefaultMemPool(&pool, device);
    return error == cudaSuccess ? cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept)
                                : error;
}

/* What nobody uses goes back to the device. */
static void trim_pool(int device)
{
    cudaMemPool_t pool;
    if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) {
        (void)cudaMemPoolTrimTo(pool, 0);
    }
}

static void cuda_close(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    if (engine == NULL) {
        return;
    }
    (void)cudaSetDevice(engine->device);
    deliver_close(engine);
    (void)cudaFree(engine->vector_scratch);
    transfer_close(engine);
    decode_close(engine);
    for (cudaEvent_t event : engine->arrived) {
        destroy_event(event);
    }
    for (cudaEvent_t event : {engine->before, engine->after, engine->vacated, engine->begun}) {
        destroy_event(event);
    }
    destroy_stream(engine->copies);
    for (const cuda_in_flight_pass &in_flight_pass : engine->in_flight_passes) {
        destroy_event(in_flight_pass.counted);
        destroy_event(in_flight_pass.done);
        destroy_stream(in_flight_pass.stream);
        (void)cudaFreeHost(in_flight_pass.mailbox);
    }
    trim_pool(engine->device);
    (void)cudaGetLastError();
    delete engine;
}

sumac_status cuda_take_in_flight_pass(const msm_job *job, const msm_pass *pass)
{
    cuda_engine *engine = engine_of(job);
    if (job->plan->in_flight_passes == 1) {
        return SUMAC_OK;
    }
    if (pass->first_module == 0) {
        CUDA_TRY(engine, cudaEventRecord(engine->begun, engine->stream));
    }
    use_in_flight_pass(engine, pass_in_flight_pass(job->plan, pass));
    if (pass->first_module == job->plan->modules_per_pass) { /* the second in-flight pass's first pass */
        CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->begun, 0));
    }
    return SUMAC_OK;
}

sumac_status cuda_join_in_flight_passes(const msm_job *job)
{
    cuda_engine *engine = engine_of(job);
    use_in_flight_pass(engine, 0);
    for (uint32_t t = 1; t < job->plan->in_flight_passes; t++) {
        CUDA_TRY(engine,
                 cudaEventRecord(engine->in_flight_passes[t].done, engine->in_flight_passes[t].stream));
        CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->in_flight_passes[t].done, 0));
    }
    return SUMAC_OK;
}

/* There to be asked for what was compiled: all of the engine is compiled alike. */
static __global__ void version_kernel(void)
{
}

/* Whether a kernel's blocks may come before the kernel before has ended. The device must be able to, and the
 * code must wait for that kernel (points.cu), which it does not where the driver made it from an older
 * device's PTX. */
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

static sumac_status cuda_open(int32_t device, void **engine, char *message, size_t bytes)
{
    int count = 0;
    cudaDeviceProp properties;
    *engine = NULL;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver) {
        return unavailable(message, bytes, "the NVIDIA driver is missing or too old", error);
    }
    if (error != cudaSuccess || count == 0) {
        return unavailable(message, bytes, "no CUDA device was found",
                           error != cudaSuccess ? error : cudaErrorNoDevice);
    }
    if (device >= count) {
        (void)snprintf(message, bytes, "there is no CUDA device %d, only %d of them", device, count);
        return SUMAC_BACKEND_UNAVAILABLE;
    }
    device = device < 0 ? 0 : device;
    error = cudaSetDevice(device);
    if (error == cudaSuccess) {
        error = cudaGetDeviceProperties(&properties, device);
    }
    if (error != cudaSuccess) {
        return unavailable(message, bytes, "the CUDA device can't be used", error);
    }
    cuda_engine *created = new (std::nothrow) cuda_engine;
    if (created == NULL) {
        (void)snprintf(message, bytes, "there is no memory of %zu bytes for a context", sizeof *created);
        return SUMAC_OUT_OF_MEMORY;
    }
    memset(created, 0, sizeof *created);
    created->device = device;
    created->multiprocessors = properties.multiProcessorCount;
    created->launches_early = can_launch_early(&properties);
    created->shared_bytes = properties.sharedMemPerBlockOptin;
    int driver = 0; /* 1000 * major + 10 * minor */
    (void)cudaDriverGetVersion(&driver);
    (void)snprintf(created->description, sizeof created->description,
                   "%s, compute capability %d.%d, %d multiprocessors, %.0f GiB, driver for CUDA %d.%d",
                   properties.name, properties.major, properties.minor, properties.multiProcessorCount,
                   static_cast<double>(properties.totalGlobalMem) / (1 << 30), driver / 1000,
                   driver % 1000 / 10);
    error = create_objects(created);
    if (error == cudaSuccess) {
        error = keep_pool(device, properties.totalGlobalMem);
    }
    if (error != cudaSuccess) {
        cuda_close(created);
        return unavailable(message, bytes, "the CUDA device can't be used", error);
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

static void *cuda_allocate_pinned(void *engine, uint64_t bytes)
{
    void *memory = NULL;
    if (CUDA_ALLOCATE(static_cast<cuda_engine *>(engine), cudaMallocHost(&memory, bytes == 0 ? 64 : bytes)) !=
        cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    return memory;
}

static void cuda_release_pinned(void *memory)
{
    (void)cudaFreeHost(memory);
}

static void cuda_enter(void *engine)
{
    (void)cudaSetDevice(static_cast<cuda_engine *>(engine)->device);
    static_cast<cuda_engine *>(engine)->message[0] = '\0';
}

static const char *cuda_message(const void *engine)
{
    return static_cast<const cuda_engine *>(engine)->message;
}

static cudaError_t allocate_block(const cuda_engine *engine, void **memory, uint64_t bytes)
{
    cudaError_t error = cudaErrorMemoryAllocation;
    if (bytes <= POOLED_BYTES) {
        error = cudaMallocAsync(memory, bytes, engine->stream);
        error = error == cudaSuccess ? cudaStreamSynchronize(engine->stream) : error;
    } else {
        error = cudaMalloc(memory, bytes);
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        trim_pool(engine->device);
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

/* When this returns, nothing is under way any more, also after a failure. */
static sumac_status copy_and_wait(void *handle, void *to, const void *from, uint64_t bytes,
                                  cudaMemcpyKind kind)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    cudaError_t error = CUDA_CALL(engine, cudaMemcpyAsync(to, from, bytes, kind, engine->stream));
    if (error == cudaSuccess) {
        error = CUDA_CALL(engine, cudaStreamSynchronize(engine->stream));
    }
    if (error != cudaSuccess) {
        (void)cudaStreamSynchronize(engine->stream);
        return cuda_fail(engine, error,
                         kind == cudaMemcpyHostToDevice ? "a copy to the device" : "a copy from the device");
    }
    return SUMAC_OK;
}

static sumac_status cuda_upload(void *engine, void *to, const void *from, uint64_t bytes)
{
    return copy_and_wait(engine, to, from, bytes, cudaMemcpyHostToDevice);
}

static sumac_status cuda_download(void *engine, void *to, const void *from, uint64_t bytes)
{
    return copy_and_wait(engine, to, from, bytes, cudaMemcpyDeviceToHost);
}

/* The copies have their own stream, so that a slice is copied while the device makes multiples of the slice
 * before. */
static sumac_status copy_slice(cuda_engine *engine, const cuda_curve *code, const table_slice *slice)
{
    char *to = static_cast<char *>(slice->table) + slice->first * code->affine_bytes;
    CUDA_TRY(engine, cudaMemcpyAsync(to, slice->points, slice->n * code->affine_bytes, cudaMemcpyHostToDevice,
                                     engine->copies));
    CUDA_TRY(engine, cudaEventRecord(engine->arrived[0], engine->copies));
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->arrived[0], 0));
    return SUMAC_OK;
}

sumac_status cuda_first_bad(const cuda_engine *engine, uint64_t *bad)
{
    const unsigned long long first_bad = *engine->first_bad;
    if (first_bad == NONE_BAD) {
        return SUMAC_OK;
    }
    *bad = first_bad >> FIRST_BAD_STATUS_BITS;
    return static_cast<sumac_status>(first_bad & ((1u << FIRST_BAD_STATUS_BITS) - 1));
}

/* Waits, so that nothing is made of bad points. */
sumac_status cuda_import_slice(cuda_engine *engine, const cuda_curve *code, const table_slice *slice,
                               uint64_t *bad)
{
    *engine->first_bad = NONE_BAD;
    STATUS_TRY(code->import_points(engine, slice, engine->first_bad));
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return cuda_first_bad(engine, bad);
}

static sumac_status cuda_fill_table(void *handle, const sumac_curve *curve, const table_slice *slice,
                                    uint64_t *bad)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    const cuda_curve *code = cuda_curve_of(curve);
    *bad = slice->n;
    STATUS_TRY(slice->layout == NULL ? copy_slice(engine, code, slice)
                                     : cuda_import_slice(engine, code, slice, bad));
    if (slice->glv_terms > 1) {
        return code->endomorphism_images(engine, slice);
    }
    STATUS_TRY(code->multiples(engine, slice));
    return slice->digits > 1 ? code->window_tables(engine, slice) : SUMAC_OK;
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

static sumac_status cuda_follow(void *handle, void *stream, void *event)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    cudaError_t error = event == NULL ? cudaSuccess : cudaEventQuery(static_cast<cudaEvent_t>(event));
    if (error == cudaSuccess || error == cudaErrorNotReady) {
        error = CUDA_CALL(engine, cudaEventRecord(engine->before, static_cast<cudaStream_t>(stream)));
    }
    if (error == cudaErrorInvalidResourceHandle || error == cudaErrorInvalidValue) {
        (void)cuda_fail(engine, error, "the stream or the event is none of the context's device");
        return SUMAC_BAD_ARGUMENT;
    }
    CUDA_TRY(engine, error);
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->before, 0));
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->copies, engine->before, 0));
    return SUMAC_OK;
}

static sumac_status cuda_lead(void *handle, void *stream, void *event)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    CUDA_TRY(engine, cudaEventRecord(engine->after, engine->stream));
    CUDA_TRY(engine, cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), engine->after, 0));
    if (event != NULL) {
        CUDA_TRY(engine, cudaEventRecord(static_cast<cudaEvent_t>(event), static_cast<cudaStream_t>(stream)));
    }
    return SUMAC_OK;
}

static sumac_status cuda_join(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return SUMAC_OK;
}

static void cuda_settle(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    transfer_settle(engine);
    for (const cuda_in_flight_pass &in_flight_pass : engine->in_flight_passes) {
        (void)cudaStreamSynchronize(in_flight_pass.stream);
    }
    use_in_flight_pass(engine, 0);
    (void)cudaGetLastError();
}

static uint64_t cuda_fail_call(void *engine, uint64_t number)
{
    return __atomic_exchange_n(&static_cast<cuda_engine *>(engine)->failing_call, number, __ATOMIC_RELAXED);
}

static int cuda_has_curve(const sumac_curve *curve)
{
    return cuda_curve_of(curve) != NULL;
}

static uint64_t cuda_memory_free(void *engine)
{
    size_t available = 0, total = 0;
    (void)engine;
    /* Some is left for the runtime: kernels with a stack, and what other contexts take meanwhile. */
    const size_t reserve = (size_t)512 << 20;
    return cudaMemGetInfo(&available, &total) == cudaSuccess && available > reserve ? available - reserve : 1;
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
    .download = cuda_download,
    .fill_table = cuda_fill_table,
    .decode = cuda_decode,
    .has_curve = cuda_has_curve,
    .can_decode = cuda_can_decode,
    .memory_free = cuda_memory_free,
    .location_of = cuda_location_of,
    .follow = cuda_follow,
    .lead = cuda_lead,
    .join = cuda_join,
    .settle = cuda_settle,
    .fail_call = cuda_fail_call,
};

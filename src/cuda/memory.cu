/* The engine's handle, memory and copies. */
#include <cstdio>
#include <cstring>
#include <new>

#include "cuda/engine.h"
#include "pipeline/clock.h"

sumac_status cuda_fail(cuda_engine *engine, cudaError_t error, const char *what)
{
    (void)cudaGetLastError();
    (void)snprintf(engine->message, sizeof engine->message, "the GPU failed: %s (%s)",
                   cudaGetErrorString(error), what);
    return error == cudaErrorMemoryAllocation ? SUMAC_OUT_OF_MEMORY : SUMAC_DEVICE_FAILED;
}

double cuda_stage_begin(const msm_job *job)
{
    return job->trace.report == NULL ? 0 : clock_seconds();
}

sumac_status cuda_stage_end(const msm_job *job, const msm_pass *pass, const char *name, double begin)
{
    if (job->trace.report != NULL) {
        CUDA_TRY(engine_of(job), cudaStreamSynchronize(engine_of(job)->stream));
        const sumac_trace_event event = {name, 0, pass == NULL ? 0 : pass->index, begin, clock_seconds()};
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
        (void)snprintf(message, bytes, "there is no memory for a context");
        return SUMAC_OUT_OF_MEMORY;
    }
    memset(created, 0, sizeof *created);
    created->device = device;
    created->multiprocessors = properties.multiProcessorCount;
    error = cudaStreamCreateWithFlags(&created->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess) {
        error = cudaMallocHost(&created->mailbox, MAILBOX_WORDS * sizeof(uint32_t));
    }
    if (error != cudaSuccess) {
        if (created->stream != NULL) {
            (void)cudaStreamDestroy(created->stream);
        }
        delete created;
        return unavailable(message, bytes, "the CUDA device can't be used", error);
    }
    *engine = created;
    return SUMAC_OK;
}

static void cuda_close(void *handle)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    if (engine != NULL) {
        (void)cudaSetDevice(engine->device);
        (void)cudaFreeHost(engine->mailbox);
        (void)cudaStreamDestroy(engine->stream);
        delete engine;
    }
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

void *cuda_allocate(uint64_t bytes)
{
    void *memory = NULL;
    if (cudaMalloc(&memory, bytes == 0 ? 64 : bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    return memory;
}

void cuda_release(void *memory)
{
    (void)cudaFree(memory);
}

static sumac_status cuda_upload(void *handle, void *to, const void *from, uint64_t bytes)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    CUDA_TRY(engine, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, engine->stream));
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return SUMAC_OK;
}

static sumac_status cuda_download(void *handle, void *to, const void *from, uint64_t bytes)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    CUDA_TRY(engine, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, engine->stream));
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return SUMAC_OK;
}

static sumac_status cuda_multiples(void *handle, const sumac_curve *curve, void *table, uint64_t count,
                                   uint32_t factor, uint32_t shift)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    STATUS_TRY(cuda_curve_of(curve)->multiples(engine, table, count, factor, shift));
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return SUMAC_OK;
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

/* The buckets' bits, and one for the sum of all; see reduce.cu. */
static uint32_t cuda_module_parts(const sumac_plan *plan)
{
    return plan->c;
}

/*
 * Costs on an H200, in milliseconds, as docs/gpu-log.md has them; other GPUs differ by a factor that is about
 * the same for every plan. An addition is bound by memory as much as by products, so its cost grows more
 * slowly than they do.
 */
static double cuda_predict(const sumac_curve *curve, const sumac_plan *plan)
{
    const double words = (curve->info.field_bits + 63) / 64 / 6.0; /* 1 for 12 words of 32 bits */
    const double element = (curve->info.degree == 2 ? 3.0 : 1.0) * words;
    const double addition = 3.3e-7 * element;
    const double pair = 3.0e-8;           /* recoded and sorted */
    const double round = 0.075 * element; /* of accumulate, when it has few pairs: one inversion's latency */
    const double tail_round = 0.02 * element;
    const double scalar = 5.8e-7 * curve->info.scalar_bytes / 32; /* copied from pinned memory */
    const double passes = static_cast<double>(plan->passes) * plan->chunks;
    const double modules = static_cast<double>(plan->batch) * plan->modules * plan->chunks;
    const double digits = static_cast<double>(plan->batch) * plan->n * plan->windows;
    const double buckets = modules * static_cast<double>(plan->buckets);
    const double load = digits / buckets;
    /* Pairs with infinity, which empty buckets make, go a slow way. */
    const double additions = digits + 2 * buckets + (load < 4 ? 3 * buckets / (1 + load) : 0);
    /* The top window has few values when c does not divide the bits well, and so the largest buckets. */
    const int top_bits = static_cast<int>(plan->scalar_bits) - (plan->negate_large_scalars ? 1 : 0) -
                         static_cast<int>(plan->c * (plan->windows - 1));
    double top_load = static_cast<double>(plan->n);
    for (int bit = 0; bit < top_bits; bit++) {
        top_load /= 2;
    }
    double rounds = 0;
    for (double most = load + top_load + 4; most > 1; most /= 2) {
        rounds += 1;
    }
    return 0.1 + additions * addition + digits * pair + plan->batch * static_cast<double>(plan->n) * scalar +
           passes * (rounds * round + (plan->c - 1) * tail_round) + modules * plan->c * 5e-4;
}

const device_ops cuda_device = {
    .open = cuda_open,
    .close = cuda_close,
    .enter = cuda_enter,
    .message = cuda_message,
    .upload = cuda_upload,
    .download = cuda_download,
    .multiples = cuda_multiples,
    .has_curve = cuda_has_curve,
    .memory_free = cuda_memory_free,
    .module_parts = cuda_module_parts,
    .predict = cuda_predict,
};

/*
 * combine: module parts -> results, on the host: a few hundred doublings one after another, for which a GPU
 * has only latency. Part l of module j counts 2^(c*j + l) times and a module has c parts, so the CPU's
 * combine does it as modules of windows of one bit.
 *
 * Of an asynchronous job the stream does that, too: it calls the host's code when the parts have arrived, and
 * brings results for the device there.
 */
#include <new>

#include "cuda/engine.h"

enum { DELIVER_BLOCK = 128 };

/* What the host's part of combine reads: one call's at a time. */
struct combining {
    sumac_plan plan;
    msm_job job;
    uint8_t *results;      /* where the host's code writes them */
    uint32_t *too_large;   /* the mailbox's word */
    uint64_t memory_bytes; /* page-locked: */
    char *memory;
    uint32_t *delivers; /* 1 where there are results */
    char *parts;
    uint8_t *for_device;
};

void combine_close(cuda_engine *engine)
{
    if (engine->combining != NULL) {
        (void)cudaFreeHost(engine->combining->memory);
        delete engine->combining;
        engine->combining = NULL;
    }
}

/* Room for a call's parts and results. No call is under way. */
static sumac_status want_combining(cuda_engine *engine, uint64_t part_bytes, uint64_t result_bytes)
{
    const uint64_t parts_end = 64 + (part_bytes + 63) / 64 * 64;
    if (engine->combining == NULL || engine->combining->memory_bytes < parts_end + result_bytes) {
        combine_close(engine);
        combining *created = new (std::nothrow) combining();
        if (created == NULL) {
            return cuda_allocation_failed(engine, cudaErrorMemoryAllocation, sizeof *created, "the results");
        }
        const cudaError_t error =
            CUDA_ALLOCATE(engine, cudaMallocHost(&created->memory, parts_end + result_bytes));
        if (error != cudaSuccess) {
            delete created;
            return cuda_allocation_failed(engine, error, parts_end + result_bytes,
                                          "the results, page-locked");
        }
        created->memory_bytes = parts_end + result_bytes;
        engine->combining = created;
    }
    engine->combining->delivers = reinterpret_cast<uint32_t *>(engine->combining->memory);
    engine->combining->parts = engine->combining->memory + 64;
    engine->combining->for_device = reinterpret_cast<uint8_t *>(engine->combining->memory) + parts_end;
    return SUMAC_OK;
}

static sumac_status combine_parts(const combining *work)
{
    const module_sums modules = {work->parts};
    return work->job.code->stages->combine(&work->job, &modules, work->results);
}

/* Called by the stream. */
static void combine_later(void *argument)
{
    combining *work = static_cast<combining *>(argument);
    const sumac_status status = *work->too_large != 0 ? SUMAC_SCALAR_TOO_LARGE : combine_parts(work);
    *work->delivers = status == SUMAC_OK;
    *work->job.status_later = status;
}

static __global__ void __launch_bounds__(DELIVER_BLOCK)
    deliver_kernel(uint8_t *to, const uint8_t *from, uint64_t bytes, const uint32_t *delivers)
{
    const uint64_t i = blockIdx.x * (uint64_t)DELIVER_BLOCK + threadIdx.x;
    if (i < bytes && *delivers != 0) {
        to[i] = from[i];
    }
}

static sumac_status queue_combine(cuda_engine *engine, combining *work, void *results, uint64_t result_bytes)
{
    const bool to_device = work->job.result_place == SUMAC_PLACE_DEVICE;
    work->results = to_device ? work->for_device : static_cast<uint8_t *>(results);
    *work->job.status_later = SUMAC_DEVICE_FAILED; /* unless the stream comes so far */
    CUDA_TRY(engine, cudaLaunchHostFunc(engine->stream, combine_later, work));
    if (to_device) {
        deliver_kernel<<<blocks_for(result_bytes, DELIVER_BLOCK), DELIVER_BLOCK, 0, engine->stream>>>(
            static_cast<uint8_t *>(results), work->for_device, result_bytes, work->delivers);
        CUDA_TRY(engine, cudaGetLastError());
    }
    return SUMAC_OK;
}

sumac_status cuda_combine(const msm_job *job, const module_sums *modules, void *results)
{
    cuda_engine *engine = engine_of(job);
    const double begin = cuda_stage_begin(job);
    const sumac_plan *plan = job->plan;
    const uint64_t part_bytes =
        static_cast<uint64_t>(plan->batch) * plan->modules * plan->module_parts * job->code->xyzz_bytes;
    const uint64_t result_bytes = static_cast<uint64_t>(plan->batch) * job->curve->info.point_bytes;
    STATUS_TRY(want_combining(engine, part_bytes, result_bytes));
    combining *work = engine->combining;
    work->plan = *plan;
    work->plan.modules = plan->modules * plan->module_parts;
    work->plan.c = 1;
    work->job = *job;
    work->job.plan = &work->plan;
    work->job.trace.report = NULL;
    work->too_large = &engine->mailbox[MAIL_TOO_LARGE];
    CUDA_TRY(engine, cudaMemcpyAsync(work->parts, modules->points, part_bytes, cudaMemcpyDeviceToHost,
                                     engine->stream));
    if (job->status_later != NULL) {
        STATUS_TRY(queue_combine(engine, work, results, result_bytes));
    } else {
        CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
        work->results = static_cast<uint8_t *>(results);
        STATUS_TRY(combine_parts(work));
    }
    return cuda_stage_end(job, NULL, "combine", begin);
}

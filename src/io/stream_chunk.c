/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/stream_chunk.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "base/try.h"
#include "executor/msm.h"
#include "io/memory.h"

/* ---- The size of chunks ---- */

/* If a memory limit allows only chunks that are smaller than this, it is refused, because the work would take many
 * times as long. But the caller may ask for smaller chunks. */
#define LEAST_CHUNK ((uint64_t)1024)

/* A chunk has at most this many bases, because a table numbers its bases in 31 bits. */
#define LARGEST_CHUNK ((uint64_t)1 << 31)

/* This is the plan of a chunk of some size within the limit. */
typedef struct chunk_plan {
    int fits;
    uint64_t workspace_limit; /* bytes left for the workspace or, on a GPU, for page-locked memory */
    uint64_t missing;         /* how many bytes are missing if the chunk does not fit */
    uint64_t executors_bytes; /* bytes of workspace, or page-locked memory, of all executors */
    double milliseconds;
} chunk_plan;

static sumac_status plan_chunk(sumac_context *context, const chunk_request *request, uint64_t n,
                               chunk_plan *chunk)
{
    executor *first = context_executor(context);
    const int on_device = first->backend->device != NULL;
    const uint32_t executors = context_executors(context)->count;
    sumac_bases shape;
    msm_plan plan;
    TRY(bases_shape(context, request->group, (size_t)n, request->bases, &shape));
    /* On the CPU, each executor has a separate workspace and, if bases are replicated, separate bases. */
    const uint64_t copies = shape.replicated && !on_device ? executors : 1;
    const uint64_t base_bytes =
        copies * context_code(context, request->group)->affine_bytes + request->group->scalar_bytes;
    const uint64_t fixed = request->fixed + n * base_bytes;
    chunk->workspace_limit = request->limit > fixed ? request->limit - fixed : 0;
    const uint64_t limit = on_device ? planning_limit(first) : larger(chunk->workspace_limit / executors, 1);
    const uint32_t largest =
        shape.replicated ? 0 : executors_largest(context_executors(context), n, shape.cut_unit);
    const size_t share = (size_t)ceil_divide(n, executors);
    msm_call call;
    plan_request planned;
    msm_call_make(&call, first, request->group, share, request->msm);
    planning_request(&planned, first, &shape, largest, &call, limit);
    planned.limit_is_given |= !on_device;
    const sumac_status status = plan_make(&planned, &plan, &chunk->missing);
    if (status != SUMAC_OK && (status != SUMAC_MEMORY_LIMIT || on_device)) {
        /* Plan again to get the message. */
        return planning_make(first, &shape, largest, &call, limit, &plan);
    }
    const uint64_t each = status == SUMAC_MEMORY_LIMIT ? limit + chunk->missing
                          : on_device                  ? plan.bytes_pinned
                                                       : plan.bytes_workspace;
    chunk->executors_bytes = executors * each;
    const uint64_t needed = fixed + chunk->executors_bytes;
    chunk->fits = needed <= request->limit;
    chunk->missing = chunk->fits ? 0 : needed - request->limit;
    chunk->milliseconds = plan.milliseconds;
    return SUMAC_OK;
}

static int fits(sumac_context *context, const chunk_request *request, uint64_t n, chunk_plan *chunk)
{
    return plan_chunk(context, request, n, chunk) == SUMAC_OK && chunk->fits;
}

/* Predict how long the work takes for all bases in chunks of n, by the planner. The time is infinite if such a chunk
 * does not fit. */
static double predict(sumac_context *context, const chunk_request *request, uint64_t n)
{
    const uint64_t whole_chunks = request->n / n, rest = request->n % n;
    chunk_plan whole, last = {.milliseconds = 0};
    if (!fits(context, request, n, &whole) || (rest > 0 && !fits(context, request, rest, &last))) {
        return INFINITY;
    }
    return (double)whole_chunks * whole.milliseconds + last.milliseconds;
}

/* Chunks of `least` bases fit. Return the chunk size that is predicted to be the fastest. The larger a chunk is, the
 * less memory remains for the workspace. So the planner's prediction decides between the largest chunk that fits and
 * some smaller ones. All chunks have equal size, up to rounding. */
static uint64_t fastest_chunk(sumac_context *context, const chunk_request *request, uint64_t least)
{
    uint64_t most = least, high = smaller(request->n, LARGEST_CHUNK);
    while (most < high) { /* chunks of `most` fit; chunks of high + 1 do not fit, or have more than all
                             bases */
        chunk_plan chunk;
        const uint64_t middle = most + (high - most + 1) / 2;
        if (fits(context, request, middle, &chunk)) {
            most = middle;
        } else {
            high = middle - 1;
        }
    }
    uint64_t best = most;
    double least_time = INFINITY;
    for (uint64_t eighths = 8; eighths >= 4; eighths--) {
        const uint64_t part = larger(1, most / 8 * eighths + most % 8 * eighths / 8);
        const uint64_t candidate = ceil_divide(request->n, ceil_divide(request->n, part));
        const double milliseconds = predict(context, request, candidate);
        if (milliseconds < least_time) {
            least_time = milliseconds;
            best = candidate;
        }
    }
    return best;
}

sumac_status chunk_choose_sizes(sumac_context *context, const chunk_request *request, chunk_sizes *sizes)
{
    const uint64_t given = smaller(request->chunk, smaller(request->n, LARGEST_CHUNK));
    const uint64_t least = given != 0 ? given : smaller(request->n, LEAST_CHUNK);
    chunk_plan chunk;
    *sizes = (chunk_sizes){0, 0, request->fixed};
    TRY(plan_chunk(context, request, larger(1, least), &chunk));
    if (request->n == 0) { /* with no bases nothing is planned; bad options have been refused before */
        return SUMAC_OK;
    }
    if (!chunk.fits) {
        return fail(context, SUMAC_MEMORY_LIMIT,
                    "the memory limit of %" PRIu64 " bytes is %" PRIu64
                    " bytes too small for chunks of %" PRIu64 " bases",
                    request->limit, chunk.missing, least);
    }
    sizes->chunk = given != 0 ? given : fastest_chunk(context, request, least);
    const sumac_status status = plan_chunk(context, request, sizes->chunk, &chunk);
    context_message(context)->text[0] = '\0'; /* clear the message about a size that did not fit */
    sizes->workspace = chunk.workspace_limit;
    sizes->total = request->limit - chunk.workspace_limit + chunk.executors_bytes;
    return status;
}

/* On a host blocks have this size, because its threads need some milliseconds for a mebibyte. One thread reads a whole
 * block. */
#define BLOCK_BYTES ((size_t)1 << 20)
#define WHOLE_BLOCK ((size_t)1 << 30)

/* For a device blocks have this size, because it needs only 0.2 ms for a mebibyte. Locking four such blocks takes 12
 * ms, and they stay in a processor's cache until the device has read them. If the memory is less than LARGE_LEAST,
 * smaller blocks are used. */
#define LARGE_BLOCK_BYTES ((size_t)8 << 20)
#define LARGE_LEAST ((uint64_t)512 << 20)
#define SLICE_BYTES ((size_t)1 << 20)

reader_shape chunk_reader_shape(const sumac_context *context, uint64_t limit)
{
    if (context_executor(context)->engine == NULL) {
        return (reader_shape){1, BLOCK_BYTES, WHOLE_BLOCK};
    }
    const uint32_t threads = (uint32_t)smaller(context->threads, READER_MOST_THREADS);
    return limit < LARGE_LEAST ? (reader_shape){threads, BLOCK_BYTES, WHOLE_BLOCK}
                               : (reader_shape){threads, LARGE_BLOCK_BYTES, SLICE_BYTES};
}

uint64_t chunk_fixed_bytes(const stream_inputs *inputs)
{
    return reader_ring_bytes(inputs->files) +
           POINT_IMPORTER_BYTES * (inputs->shape.block_bytes / BLOCK_BYTES);
}

/* ---- The memory of a chunk ---- */

/* If half of the device's free memory suffices, allocate device memory. The other half is left for the call's
 * workspace. */
static void allocate_on_device(chunk_memory *memory, uint64_t n)
{
    sumac_context *context = memory->inputs->context;
    const sumac_group *group = memory->inputs->group;
    const executor *first = context_executor(context);
    const size_t scalar_bytes = group->scalar_bytes;
    const size_t affine_bytes = context_code(context, group)->affine_bytes;
    if (first->engine == NULL || context->executors.count > 1) {
        return;
    }
    executor_enter(first);
    if (n * (scalar_bytes + affine_bytes) > first->backend->device->memory_free(first->engine) / 2) {
        return;
    }
    memory->scalars = first->backend->allocate(first->engine, n * scalar_bytes);
    if (memory->scalars != NULL) {
        memory->staging = first->backend->allocate(first->engine, memory->inputs->shape.block_bytes);
        memory->scalars_on_device = memory->staging != NULL;
    }
    if (memory->scalars != NULL && memory->staging == NULL) {
        first->backend->release(memory->scalars);
        memory->scalars = NULL;
    }
}

sumac_status chunk_allocate(chunk_memory *memory, const stream_inputs *inputs, uint64_t n)
{
    sumac_context *context = inputs->context;
    const executor *first = context_executor(context);
    const char *bases_path = inputs->files[INPUT_BASES].file.path;
    const uint64_t bytes = reader_ring_bytes(inputs->files);
    memory->inputs = inputs;
    TRY(memory_require(context, bases_path, bytes));
    executor_enter(first);
    memory->blocks = first->engine == NULL ? malloc((size_t)bytes)
                                           : first->backend->device->allocate_pinned(first->engine, bytes);
    if (memory->blocks == NULL) {
        return memory_failed(context, bases_path, bytes);
    }
    allocate_on_device(memory, n);
    if (!memory->scalars_on_device) {
        memory->scalars =
            memory_allocate(context, inputs->files[INPUT_SCALARS].file.path, n * inputs->group->scalar_bytes);
    }
    return memory_got(memory->scalars);
}

void chunk_free(chunk_memory *memory)
{
    if (memory->inputs == NULL) {
        return;
    }
    sumac_context *context = memory->inputs->context;
    const executor *first = context_executor(context);
    bases_abandon(context, memory->bases);
    if (memory->scalars_on_device) {
        first->backend->release(memory->scalars);
        first->backend->release(memory->staging);
    } else {
        free(memory->scalars);
    }
    if (first->engine == NULL) {
        free(memory->blocks);
    } else if (memory->blocks != NULL) {
        first->backend->device->release_pinned(memory->blocks);
    }
}

sumac_status chunk_copy_scalars(chunk_memory *memory, uint64_t offset, const uint8_t *bytes, size_t count)
{
    executor *first = context_executor(memory->inputs->context);
    if (!memory->scalars_on_device) {
        memcpy(memory->scalars + offset, bytes, count);
        return SUMAC_OK;
    }
    executor_enter(first);
    return executor_done(
        first, first->backend->device->upload(first->engine, memory->scalars + offset, bytes, count));
}

sumac_status chunk_find_large_scalar(const chunk_memory *memory, uint64_t n, sumac_form form, uint32_t bits,
                                     uint64_t *first)
{
    const stream_inputs *inputs = memory->inputs;
    executor *self = context_executor(inputs->context);
    const scalar_layout layout = {inputs->group->scalar_bytes, 0};
    if (!memory->scalars_on_device) {
        *first = first_large_scalar(inputs->group, memory->scalars, layout, (size_t)n, form, bits);
        return SUMAC_OK;
    }
    /* Download the scalars piece by piece. */
    const uint64_t capacity = ((uint64_t)1 << 18) / layout.bytes;
    TAKE_MEMORY(uint8_t, piece, inputs->context, inputs->files[INPUT_SCALARS].file.path,
                capacity * layout.bytes);
    uint64_t found = 0, count = 0;
    for (*first = 0; found == count && *first < n; *first += found) {
        count = smaller(n - *first, capacity);
        TRY(executor_done(self, self->backend->device->download(self->engine, piece,
                                                                memory->scalars + *first * layout.bytes,
                                                                count * layout.bytes)));
        found = first_large_scalar(inputs->group, piece, layout, (size_t)count, form, bits);
    }
    return SUMAC_OK;
}

sumac_status chunk_begin_bases(chunk_memory *memory, uint64_t n, const sumac_bases_config *config,
                               point_importer *importer)
{
    const stream_inputs *inputs = memory->inputs;
    sumac_context *context = inputs->context;
    const record_file *file = &inputs->files[INPUT_BASES];
    *importer = (point_importer){.context = context,
                                 .path = file->file.path,
                                 .unit = "byte",
                                 .format = inputs->records,
                                 .check = config->check,
                                 .total = n,
                                 .has_blocks = 1,
                                 .capacity = file->block_records,
                                 .staging = memory->staging};
    if (memory->bases == NULL || context_executor(context)->backend->device != NULL) {
        sumac_bases_destroy(memory->bases);
        memory->bases = NULL;
        if (importer->staging != NULL) {
            sumac_bases shape;
            TRY(bases_shape(context, inputs->group, (size_t)n, config, &shape));
            TRY(point_importer_allocate_on_device(importer, &shape, &memory->bases));
        }
        if (memory->bases == NULL) {
            TRY(bases_for_points(context, inputs->group, file->file.path, n, config, &memory->bases));
        }
    }
    importer->bases = memory->bases;
    return point_importer_begin(importer);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/stream_chunk.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/handles.h"
#include "base/integers.h"
#include "executor/msm.h"
#include "io/memory.h"

/* Of the host, whose threads have a mebibyte for some milliseconds: one thread's work. */
#define BLOCK_BYTES ((size_t)1 << 20)

/* Of a device, which has as much in 0.2 ms. Four blocks take 12 ms to lock, and stay in a processor's cache until the
 * device has read them. Who leaves less memory than LARGE_LEAST has the others. */
#define LARGE_BLOCK_BYTES ((size_t)8 << 20)
#define LARGE_LEAST ((uint64_t)512 << 20)

/* What a thread reads of them at a time. */
#define SLICE_BYTES ((size_t)1 << 20)

/* In place of a slice, a block that is read as a whole. */
#define WHOLE_BLOCK ((size_t)1 << 30)

/* Scalars that are looked at for a sentence. */
#define SENTENCE_BYTES ((size_t)1 << 18)

reader_shape chunk_reader_shape(const sumac_context *context, uint64_t limit)
{
    if (context_executor(context)->engine == NULL) {
        return (reader_shape){1, BLOCK_BYTES, WHOLE_BLOCK};
    }
    const uint32_t threads = (uint32_t)smaller(context->threads, READER_MOST_THREADS);
    return limit < LARGE_LEAST ? (reader_shape){threads, BLOCK_BYTES, WHOLE_BLOCK}
                               : (reader_shape){threads, LARGE_BLOCK_BYTES, SLICE_BYTES};
}

uint64_t chunk_fixed_bytes(const record_file *inputs, const reader_shape *shape)
{
    return reader_ring_bytes(block_bytes_of(inputs)) +
           POINT_IMPORTER_BYTES * (shape->block_bytes / BLOCK_BYTES);
}

/* Memory of the device, half of what is left of which is for the call's workspace. */
static void begin_on_device(chunk_memory *memory, const reader_shape *shape, uint64_t n)
{
    const executor *own = context_executor(memory->context);
    const size_t scalar_bytes = memory->curve->info.scalar_bytes;
    const size_t affine_bytes = context_code(memory->context, memory->curve)->affine_bytes;
    if (own->engine == NULL || memory->context->executors.count > 1) {
        return;
    }
    executor_enter(own);
    if (n * (scalar_bytes + affine_bytes) > own->backend->device->memory_free(own->engine) / 2) {
        return;
    }
    memory->device_scalars = own->backend->allocate(own->engine, n * scalar_bytes);
    if (memory->device_scalars != NULL) {
        memory->staging = own->backend->allocate(own->engine, shape->block_bytes);
    }
    if (memory->device_scalars != NULL && memory->staging == NULL) {
        own->backend->release(memory->device_scalars);
        memory->device_scalars = NULL;
    }
}

static sumac_status allocate_scalars(chunk_memory *memory, uint64_t n)
{
    const uint64_t bytes = larger(1, n * memory->curve->info.scalar_bytes);
    sumac_status status;
    memory->scalars = memory_allocate(memory->context, memory->scalars_path, bytes, &status);
    return status;
}

static sumac_status allocate_blocks(chunk_memory *memory, const record_file *inputs)
{
    const executor *own = context_executor(memory->context);
    const uint64_t bytes = reader_ring_bytes(block_bytes_of(inputs));
    sumac_status status = memory_require(memory->context, memory->bases_path, bytes);
    if (status == SUMAC_OK) {
        executor_enter(own);
        memory->blocks = own->engine == NULL ? malloc((size_t)bytes)
                                             : own->backend->device->allocate_pinned(own->engine, bytes);
        status =
            memory->blocks == NULL ? memory_failed(memory->context, memory->bases_path, bytes) : SUMAC_OK;
    }
    return status;
}

sumac_status chunk_memory_begin(chunk_memory *memory, const record_file *inputs, const reader_shape *shape,
                                uint64_t n)
{
    const sumac_status status = allocate_blocks(memory, inputs);
    if (status == SUMAC_OK) {
        begin_on_device(memory, shape, n);
    }
    return status != SUMAC_OK || memory->device_scalars != NULL ? status : allocate_scalars(memory, n);
}

void chunk_memory_end(chunk_memory *memory)
{
    const executor *own = context_executor(memory->context);
    bases_abandon(memory->context, memory->bases);
    if (memory->device_scalars != NULL) {
        own->backend->release(memory->device_scalars);
        own->backend->release(memory->staging);
    }
    free(memory->scalars);
    if (own->engine == NULL) {
        free(memory->blocks);
    } else if (memory->blocks != NULL) {
        own->backend->device->release_pinned(memory->blocks);
    }
}

sumac_location chunk_scalars_location(const chunk_memory *memory)
{
    return memory->device_scalars != NULL ? SUMAC_LOCATION_DEVICE : SUMAC_LOCATION_HOST;
}

const void *chunk_scalars(const chunk_memory *memory)
{
    return memory->device_scalars != NULL ? memory->device_scalars : memory->scalars;
}

sumac_status chunk_take_scalars(chunk_memory *memory, uint64_t offset, const uint8_t *bytes, size_t count)
{
    executor *own = context_executor(memory->context);
    if (memory->device_scalars == NULL) {
        memcpy(memory->scalars + offset, bytes, count);
        return SUMAC_OK;
    }
    executor_enter(own);
    return executor_done(
        own, own->backend->device->upload(own->engine, memory->device_scalars + offset, bytes, count));
}

/* The same of scalars on the device, piece by piece. */
static sumac_status find_on_device(const chunk_memory *memory, uint64_t n, sumac_form form, uint32_t bits,
                                   uint64_t *first)
{
    executor *own = context_executor(memory->context);
    const size_t scalar_bytes = memory->curve->info.scalar_bytes;
    sumac_status status;
    uint8_t *piece = memory_allocate(memory->context, memory->scalars_path, SENTENCE_BYTES, &status);
    uint64_t found = 0, count = 0;
    for (*first = 0; status == SUMAC_OK && found == count && *first < n; *first += found) {
        count = smaller(n - *first, SENTENCE_BYTES / scalar_bytes);
        status = executor_done(own, own->backend->device->download(
                                        own->engine, piece, memory->device_scalars + *first * scalar_bytes,
                                        count * scalar_bytes));
        if (status == SUMAC_OK) {
            found = first_large_scalar(memory->curve, piece, (scalar_layout){(uint32_t)scalar_bytes, 0},
                                       (size_t)count, form, bits);
        }
    }
    free(piece);
    return status;
}

sumac_status chunk_first_large_scalar(const chunk_memory *memory, uint64_t n, sumac_form form, uint32_t bits,
                                      uint64_t *first)
{
    if (memory->device_scalars != NULL) {
        return find_on_device(memory, n, form, bits, first);
    }
    *first = first_large_scalar(memory->curve, memory->scalars,
                                (scalar_layout){memory->curve->info.scalar_bytes, 0}, (size_t)n, form, bits);
    return SUMAC_OK;
}

/* Bases that the device imports need no memory of the host. */
static sumac_status bases_on_device(chunk_memory *memory, uint64_t n, const sumac_bases_config *config)
{
    sumac_bases shape;
    const sumac_status status = bases_shape(memory->context, memory->curve, (size_t)n, config, &shape);
    memory->bases_are_sent =
        status == SUMAC_OK && memory->staging != NULL && bases_are_sent(memory->context, &shape, n);
    if (!memory->bases_are_sent) {
        return status;
    }
    const sumac_status allocated =
        bases_allocate_table(memory->context, &shape, 0,
                             context_code(memory->context, memory->curve)->affine_bytes, &memory->bases);
    if (allocated == SUMAC_OUT_OF_MEMORY) { /* they may stay on the host */
        context_executor(memory->context)->message.text[0] = '\0';
        memory->bases_are_sent = 0;
        return SUMAC_OK;
    }
    return allocated;
}

sumac_status chunk_bases(chunk_memory *memory, uint64_t n, const sumac_bases_config *config)
{
    if (memory->bases != NULL && context_executor(memory->context)->backend->device == NULL) {
        return SUMAC_OK;
    }
    sumac_bases_destroy(memory->bases);
    memory->bases = NULL;
    const sumac_status status = bases_on_device(memory, n, config);
    return status != SUMAC_OK || memory->bases_are_sent
               ? status
               : bases_for_points(memory->context, memory->curve, memory->bases_path, n, config,
                                  &memory->bases);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/stream_reader.h"

#include <fcntl.h>
#include <signal.h>

#include "base/integers.h"

size_t reader_block_bytes(const record_file *inputs)
{
    size_t most = 0;
    for (int i = 0; i < INPUTS; i++) {
        most = larger(most, inputs[i].block_records * inputs[i].record_bytes);
    }
    return most;
}

/* Return the memory of one block. Its records begin in the first unit of the memory, and end in the last one. */
static size_t block_memory(const record_file *inputs)
{
    return (reader_block_bytes(inputs) / DIRECT_UNIT + 2) * DIRECT_UNIT;
}

uint64_t reader_ring_bytes(const record_file *inputs)
{
    return READER_BLOCKS * (uint64_t)block_memory(inputs) + DIRECT_UNIT;
}

/* ---- Slices, which threads read in parallel ---- */

typedef struct read_slice {
    record_block *block;
    uint64_t begin, end; /* the bytes of the file */
    uint64_t next_chunk,
        next_count; /* the number of records of the next chunk if the system shall cache them afterwards,
                       otherwise 0 */
} read_slice;

static uint64_t chunk_length(const records_reader *reader)
{
    return smaller(reader->end - reader->next, reader->chunk);
}

static uint64_t end_of(const records_reader *reader, const record_block *block)
{
    return block->offset + block->records * reader->inputs[block->which].record_bytes;
}

/* Assign the next records to the next block, and advance the reader past them. */
static void start_block(records_reader *reader)
{
    record_block *block = &reader->blocks[reader->started % READER_BLOCKS];
    const record_file *input = &reader->inputs[reader->which];
    const uint64_t chunk = chunk_length(reader);
    block->which = reader->which;
    block->records = (size_t)smaller(chunk - reader->assigned, input->block_records);
    block->offset = input->data + (reader->next + reader->assigned) * input->record_bytes;
    const size_t before = (size_t)(block->offset % DIRECT_UNIT);
    block->bytes = block->memory + before;
    block->missing = 0;
    block->error = 0;
    reader->slice = 0;
    reader->slices =
        (size_t)ceil_divide(before + block->records * input->record_bytes, reader->shape.slice_bytes);
    block->slices_left = reader->slices;
    reader->started++;
    reader->assigned += block->records;
    if (reader->assigned == chunk) {
        reader->assigned = 0;
        reader->which++;
    }
    if (reader->which == INPUTS) {
        reader->which = 0;
        reader->next += chunk;
    }
}

/* Claim the next slice. Return 0 if no slice is left, or no block is free for it. */
static int claim_slice(records_reader *reader, read_slice *slice)
{
    slice->next_count = 0;
    if (reader->slice == reader->slices) {
        if (reader->has_failed || reader->next == reader->end ||
            reader->started == reader->released + READER_BLOCKS) {
            return 0;
        }
        const uint64_t next = reader->next;
        start_block(reader);
        if (reader->next != next) {
            slice->next_chunk = reader->next;
            slice->next_count = chunk_length(reader);
        }
    }
    record_block *block = &reader->blocks[(reader->started - 1) % READER_BLOCKS];
    const uint64_t step = reader->shape.slice_bytes;
    const uint64_t start = block->offset - block->offset % DIRECT_UNIT + reader->slice * step;
    slice->block = block;
    slice->begin = larger(block->offset, start);
    slice->end = smaller(end_of(reader, block), start + step);
    reader->slice++;
    return 1;
}

/* Mark those blocks as ready, in order, of which all slices were read. */
static void finish_blocks(records_reader *reader)
{
    reader->is_finishing = 1;
    while (reader->ready < reader->started) {
        record_block *block = &reader->blocks[reader->ready % READER_BLOCKS];
        if (block->slices_left > 0) {
            break;
        }
        if (reader->has_sums && block->missing == 0) {
            (void)pthread_mutex_unlock(&reader->mutex);
            checksum_add(&reader->running[block->which], block->bytes,
                         (size_t)(end_of(reader, block) - block->offset));
            block->sum = reader->running[block->which];
            (void)pthread_mutex_lock(&reader->mutex);
        }
        reader->ready++;
        (void)pthread_cond_broadcast(&reader->changed);
    }
    reader->is_finishing = 0;
}

/* Ask the system to cache the next chunk during the work on this one. The cache is not part of the call's memory, and
 * the system frees it when memory is needed elsewhere. If this fails, the call is only slower. */
static void announce_chunk(const records_reader *reader, const read_slice *slice)
{
#ifdef POSIX_FADV_WILLNEED /* macOS does not have it */
    for (int i = 0; i < INPUTS && slice->next_count > 0; i++) {
        const record_file *input = &reader->inputs[i];
        const uint64_t offset = input->file.start + input->data + slice->next_chunk * input->record_bytes;
        (void)posix_fadvise(input->file.descriptor, (off_t)offset,
                            (off_t)(slice->next_count * input->record_bytes), POSIX_FADV_WILLNEED);
    }
#else
    (void)reader, (void)slice;
#endif
}

/* Read a claimed slice. The caller holds the mutex before and after the call. */
static void read_claimed(records_reader *reader, const read_slice *slice)
{
    record_block *block = slice->block;
    const record_file *input = &reader->inputs[block->which];
    uint8_t *bytes = block->bytes + (slice->begin - block->offset);
    const size_t count = (size_t)(slice->end - slice->begin);
    int error = 0;
    (void)pthread_mutex_unlock(&reader->mutex);
    const size_t got = direct_read_at(&input->direct, slice->begin, bytes, count);
    const size_t missing =
        got < count ? input_read_at(&input->file, slice->begin + got, bytes + got, count - got, &error) : 0;
    announce_chunk(reader, slice);
    (void)pthread_mutex_lock(&reader->mutex);
    const size_t missing_in_block = (size_t)(end_of(reader, block) - slice->end + missing);
    if (missing > 0 && missing_in_block > block->missing) { /* keep the position of the earliest missing
                                                               bytes */
        block->missing = missing_in_block;
        block->error = error;
        reader->has_failed = 1;
    }
    block->slices_left--;
    if (!reader->is_finishing) {
        finish_blocks(reader);
    }
}

static void *read_ahead(void *arguments)
{
    records_reader *reader = arguments;
    read_slice slice;
    (void)pthread_mutex_lock(&reader->mutex);
    while (!reader->is_stopping) {
        if (claim_slice(reader, &slice)) {
            read_claimed(reader, &slice);
        } else {
            (void)pthread_cond_wait(&reader->changed, &reader->mutex);
        }
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return NULL;
}

/* ---- The reader ---- */

void reader_start(records_reader *reader, record_file *inputs, const reader_shape *shape, void *memory,
                  uint64_t next, uint64_t end, uint64_t chunk, const checksum *sums)
{
    *reader = (records_reader){.inputs = inputs,
                               .shape = *shape,
                               .next = next,
                               .end = end,
                               .chunk = chunk,
                               .has_sums = sums != NULL};
    uint8_t *first = (uint8_t *)memory + (DIRECT_UNIT - (uintptr_t)memory % DIRECT_UNIT) % DIRECT_UNIT;
    for (size_t i = 0; i < READER_BLOCKS; i++) {
        reader->blocks[i].memory = first + i * block_memory(inputs);
    }
    for (int i = 0; i < INPUTS && sums != NULL; i++) {
        reader->running[i] = sums[i];
    }
    (void)pthread_mutex_init(&reader->mutex, NULL);
    (void)pthread_cond_init(&reader->changed, NULL);
    sigset_t all, before; /* signals are for the program's threads */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (reader->thread_count < shape->threads &&
           pthread_create(&reader->threads[reader->thread_count], NULL, read_ahead, reader) == 0) {
        reader->thread_count++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void reader_stop(records_reader *reader)
{
    (void)pthread_mutex_lock(&reader->mutex);
    reader->is_stopping = 1;
    (void)pthread_cond_broadcast(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
    for (uint32_t i = 0; i < reader->thread_count; i++) {
        (void)pthread_join(reader->threads[i], NULL);
    }
    (void)pthread_cond_destroy(&reader->changed);
    (void)pthread_mutex_destroy(&reader->mutex);
}

const record_block *reader_wait(records_reader *reader)
{
    read_slice slice;
    (void)pthread_mutex_lock(&reader->mutex);
    while (reader->ready == reader->released) {
        if (reader->thread_count == 0 && claim_slice(reader, &slice)) {
            read_claimed(reader, &slice);
        } else {
            (void)pthread_cond_wait(&reader->changed, &reader->mutex);
        }
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return &reader->blocks[reader->released % READER_BLOCKS];
}

void reader_release(records_reader *reader)
{
    (void)pthread_mutex_lock(&reader->mutex);
    reader->released++;
    (void)pthread_cond_broadcast(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
}

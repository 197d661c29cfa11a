/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/stream_reader.h"

#include <fcntl.h>
#include <signal.h>

#include "base/integers.h"

size_t block_bytes_of(const record_file *inputs)
{
    size_t most = 0;
    for (int i = 0; i < INPUTS; i++) {
        const size_t bytes = inputs[i].block_records * inputs[i].record_bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Of one block: its records begin in the first unit, and end in the last. */
static size_t memory_of_block(size_t block_bytes)
{
    return (block_bytes / DIRECT_UNIT + 2) * DIRECT_UNIT;
}

uint64_t reader_ring_bytes(size_t block_bytes)
{
    return READER_BLOCKS * (uint64_t)memory_of_block(block_bytes) + DIRECT_UNIT;
}

/* ---- Slices, which threads read at the same time ---- */

typedef struct record_range {
    uint64_t first, n;
} record_range;

typedef struct read_slice {
    record_block *block;
    uint64_t begin, end;   /* of the file */
    record_range announce; /* if any: to ask the system for, afterwards */
} read_slice;

static uint64_t chunk_length(const records_reader *reader)
{
    return smaller(reader->end - reader->next, reader->chunk);
}

static uint64_t end_of(const records_reader *reader, const record_block *block)
{
    return block->offset + block->records * reader->inputs[block->which].record_bytes;
}

/* The records that come next are the next block's; the reader goes on behind them. */
static void begin_block(records_reader *reader)
{
    record_block *block = &reader->blocks[reader->begun % READER_BLOCKS];
    const record_file *input = &reader->inputs[reader->which];
    const uint64_t chunk = chunk_length(reader);
    block->which = reader->which;
    block->records = (size_t)smaller(chunk - reader->taken, input->block_records);
    block->offset = input->data + (reader->next + reader->taken) * input->record_bytes;
    const size_t before = (size_t)(block->offset % DIRECT_UNIT);
    block->bytes = block->memory + before;
    block->missing = 0;
    block->error = 0;
    reader->slice = 0;
    reader->slices =
        (size_t)ceil_divide(before + block->records * input->record_bytes, reader->shape.slice_bytes);
    block->slices_left = reader->slices;
    reader->begun++;
    reader->taken += block->records;
    if (reader->taken == chunk) {
        reader->taken = 0;
        reader->which++;
    }
    if (reader->which == INPUTS) {
        reader->which = 0;
        reader->next += chunk;
    }
}

/* The next slice; 0: there is no room for one, or none is left. */
static int take_slice(records_reader *reader, read_slice *slice)
{
    slice->announce = (record_range){0, 0};
    if (reader->slice == reader->slices) {
        if (reader->failed || reader->next == reader->end || reader->begun == reader->given + READER_BLOCKS) {
            return 0;
        }
        const uint64_t next = reader->next;
        begin_block(reader);
        if (reader->next != next) {
            slice->announce = (record_range){reader->next, chunk_length(reader)};
        }
    }
    record_block *block = &reader->blocks[(reader->begun - 1) % READER_BLOCKS];
    const uint64_t step = reader->shape.slice_bytes;
    const uint64_t start = block->offset - block->offset % DIRECT_UNIT + reader->slice * step;
    slice->block = block;
    slice->begin = larger(block->offset, start);
    slice->end = smaller(end_of(reader, block), start + step);
    reader->slice++;
    return 1;
}

/* Blocks of which every slice was read are filled, in their order. */
static void fill_blocks(records_reader *reader)
{
    reader->is_filling = 1;
    while (reader->filled < reader->begun) {
        record_block *block = &reader->blocks[reader->filled % READER_BLOCKS];
        if (block->slices_left > 0) {
            break;
        }
        if (reader->sums && block->missing == 0) {
            (void)pthread_mutex_unlock(&reader->mutex);
            checksum_add(&reader->running[block->which], block->bytes,
                         (size_t)(end_of(reader, block) - block->offset));
            block->sum = reader->running[block->which];
            (void)pthread_mutex_lock(&reader->mutex);
        }
        reader->filled++;
        (void)pthread_cond_broadcast(&reader->changed);
    }
    reader->is_filling = 0;
}

/* Ask the system for the next chunk while this one is worked on: its memory is not the call's, and is given
 * up for whoever needs it. What comes of it matters to nothing but speed. */
static void announce(const records_reader *reader, record_range range)
{
#ifdef POSIX_FADV_WILLNEED /* not of macOS */
    for (int i = 0; i < INPUTS && range.n > 0; i++) {
        const record_file *input = &reader->inputs[i];
        const uint64_t offset = input->file.start + input->data + range.first * input->record_bytes;
        (void)posix_fadvise(input->file.descriptor, (off_t)offset, (off_t)(range.n * input->record_bytes),
                            POSIX_FADV_WILLNEED);
    }
#else
    (void)reader, (void)range;
#endif
}

/* How many bytes are missing. */
static size_t read_bytes(const record_file *input, const read_slice *slice, int *error)
{
    uint8_t *bytes = slice->block->bytes + (slice->begin - slice->block->offset);
    const size_t count = (size_t)(slice->end - slice->begin);
    const size_t got = direct_read_at(&input->direct, slice->begin, bytes, count);
    *error = 0;
    return got == count ? 0
                        : input_read_at(&input->file, slice->begin + got, bytes + got, count - got, error);
}

/* A slice that was taken; the mutex is held on entry and on return. */
static void read_one(records_reader *reader, const read_slice *slice)
{
    record_block *block = slice->block;
    int error;
    (void)pthread_mutex_unlock(&reader->mutex);
    const uint64_t missing = read_bytes(&reader->inputs[block->which], slice, &error);
    announce(reader, slice->announce);
    (void)pthread_mutex_lock(&reader->mutex);
    const size_t from_there = (size_t)(end_of(reader, block) - slice->end + missing);
    if (missing > 0 && from_there > block->missing) { /* the first ones that are */
        block->missing = from_there;
        block->error = error;
        reader->failed = 1;
    }
    block->slices_left--;
    if (!reader->is_filling) {
        fill_blocks(reader);
    }
}

static void *read_ahead(void *arguments)
{
    records_reader *reader = arguments;
    read_slice slice;
    (void)pthread_mutex_lock(&reader->mutex);
    while (!reader->ending) {
        if (take_slice(reader, &slice)) {
            read_one(reader, &slice);
        } else {
            (void)pthread_cond_wait(&reader->changed, &reader->mutex);
        }
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return NULL;
}

/* ---- The reader ---- */

/* Signals are left to the program's own threads. */
static void start_threads(records_reader *reader)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (reader->thread_count < reader->shape.threads &&
           pthread_create(&reader->threads[reader->thread_count], NULL, read_ahead, reader) == 0) {
        reader->thread_count++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void reader_begin(records_reader *reader, record_file *inputs, const reader_shape *shape, void *memory,
                  uint64_t next, uint64_t end, uint64_t chunk, const checksum *sums)
{
    *reader = (records_reader){
        .inputs = inputs, .shape = *shape, .next = next, .end = end, .chunk = chunk, .sums = sums != NULL};
    const size_t bytes = memory_of_block(block_bytes_of(inputs));
    uint8_t *first = (uint8_t *)memory + (DIRECT_UNIT - (uintptr_t)memory % DIRECT_UNIT) % DIRECT_UNIT;
    for (size_t i = 0; i < READER_BLOCKS; i++) {
        reader->blocks[i].memory = first + i * bytes;
    }
    for (int i = 0; i < INPUTS && sums != NULL; i++) {
        reader->running[i] = sums[i];
    }
    (void)pthread_mutex_init(&reader->mutex, NULL);
    (void)pthread_cond_init(&reader->changed, NULL);
    start_threads(reader);
}

void reader_end(records_reader *reader)
{
    (void)pthread_mutex_lock(&reader->mutex);
    reader->ending = 1;
    (void)pthread_cond_broadcast(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
    for (uint32_t i = 0; i < reader->thread_count; i++) {
        (void)pthread_join(reader->threads[i], NULL);
    }
    (void)pthread_cond_destroy(&reader->changed);
    (void)pthread_mutex_destroy(&reader->mutex);
}

const record_block *reader_take(records_reader *reader)
{
    read_slice slice;
    (void)pthread_mutex_lock(&reader->mutex);
    while (reader->filled == reader->given) {
        if (reader->thread_count == 0 && take_slice(reader, &slice)) {
            read_one(reader, &slice);
        } else {
            (void)pthread_cond_wait(&reader->changed, &reader->mutex);
        }
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return &reader->blocks[reader->given % READER_BLOCKS];
}

void reader_give(records_reader *reader)
{
    (void)pthread_mutex_lock(&reader->mutex);
    reader->given++;
    (void)pthread_cond_broadcast(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/msm_files_reader.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

size_t block_bytes_of(const record_file *inputs)
{
    size_t most = 0;
    for (int i = 0; i < INPUTS; i++) {
        const size_t bytes = inputs[i].block_records * inputs[i].record_bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static uint64_t chunk_length(const records_reader *reader)
{
    const uint64_t left = reader->end - reader->next;
    return left < reader->chunk ? left : reader->chunk;
}

/* Ask the system for the next chunk while this one is worked on: its memory is not the call's, and is given
 * up for whoever needs it. What comes of it matters to nothing but speed. */
static void announce_chunk(const records_reader *reader)
{
    const uint64_t n = chunk_length(reader);
    for (int i = 0; i < INPUTS && n > 0; i++) {
        const record_file *input = &reader->inputs[i];
        const uint64_t offset = input->file.start + input->data + reader->next * input->record_bytes;
        (void)posix_fadvise(input->file.descriptor, (off_t)offset, (off_t)(n * input->record_bytes),
                            POSIX_FADV_WILLNEED);
    }
}

/* Read the next records into a block, and go on behind them. */
static void fill_block(records_reader *reader, record_block *block)
{
    const record_file *input = &reader->inputs[reader->which];
    const uint64_t chunk = chunk_length(reader);
    const uint64_t left = chunk - reader->taken;
    block->which = reader->which;
    block->records = left < input->block_records ? (size_t)left : input->block_records;
    block->offset = input->data + (reader->next + reader->taken) * input->record_bytes;
    const size_t bytes = block->records * input->record_bytes;
    block->missing = input_read_at(&input->file, block->offset, block->bytes, bytes, &block->error);
    if (reader->sums && block->missing == 0) {
        checksum_add(&reader->running[reader->which], block->bytes, bytes);
        block->sum = reader->running[reader->which];
    }
    reader->taken += block->records;
    if (reader->taken == chunk) {
        reader->taken = 0;
        reader->which++;
    }
    if (reader->which == INPUTS) {
        reader->which = 0;
        reader->next += chunk;
        announce_chunk(reader);
    }
}

static void *read_ahead(void *arguments)
{
    records_reader *reader = arguments;
    int ends = reader->next == reader->end;
    while (!ends) {
        (void)pthread_mutex_lock(&reader->mutex);
        while (reader->filled == reader->given + READER_BLOCKS && !reader->ending) {
            (void)pthread_cond_wait(&reader->changed, &reader->mutex);
        }
        ends = reader->ending;
        record_block *block = &reader->blocks[reader->filled % READER_BLOCKS];
        (void)pthread_mutex_unlock(&reader->mutex);
        if (ends) {
            break;
        }
        fill_block(reader, block);
        ends = block->missing > 0 || reader->next == reader->end;
        (void)pthread_mutex_lock(&reader->mutex);
        reader->filled++;
        (void)pthread_cond_signal(&reader->changed);
        (void)pthread_mutex_unlock(&reader->mutex);
    }
    return NULL;
}

/* Signals are left to the program's own threads. */
static void start_thread(records_reader *reader)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    reader->has_thread = pthread_create(&reader->thread, NULL, read_ahead, reader) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int reader_begin(records_reader *reader, record_file *inputs, uint64_t next, uint64_t end, uint64_t chunk,
                 const checksum *sums)
{
    *reader =
        (records_reader){.inputs = inputs, .next = next, .end = end, .chunk = chunk, .sums = sums != NULL};
    uint8_t *memory = malloc(READER_BLOCKS * block_bytes_of(inputs));
    if (memory == NULL) {
        return 0;
    }
    for (int i = 0; i < READER_BLOCKS; i++) {
        reader->blocks[i].bytes = memory + (size_t)i * block_bytes_of(inputs);
    }
    for (int i = 0; i < INPUTS && sums != NULL; i++) {
        reader->running[i] = sums[i];
    }
    (void)pthread_mutex_init(&reader->mutex, NULL);
    (void)pthread_cond_init(&reader->changed, NULL);
    start_thread(reader);
    return 1;
}

void reader_end(records_reader *reader)
{
    if (reader->has_thread) {
        (void)pthread_mutex_lock(&reader->mutex);
        reader->ending = 1;
        (void)pthread_cond_signal(&reader->changed);
        (void)pthread_mutex_unlock(&reader->mutex);
        (void)pthread_join(reader->thread, NULL);
    }
    (void)pthread_cond_destroy(&reader->changed);
    (void)pthread_mutex_destroy(&reader->mutex);
    free(reader->blocks[0].bytes);
}

const record_block *reader_take(records_reader *reader)
{
    const record_block *block = &reader->blocks[reader->given % READER_BLOCKS];
    if (!reader->has_thread) {
        fill_block(reader, &reader->blocks[reader->given % READER_BLOCKS]);
        return block;
    }
    (void)pthread_mutex_lock(&reader->mutex);
    while (reader->filled == reader->given) {
        (void)pthread_cond_wait(&reader->changed, &reader->mutex);
    }
    (void)pthread_mutex_unlock(&reader->mutex);
    return block;
}

void reader_give(records_reader *reader)
{
    (void)pthread_mutex_lock(&reader->mutex);
    reader->given++;
    (void)pthread_cond_signal(&reader->changed);
    (void)pthread_mutex_unlock(&reader->mutex);
}

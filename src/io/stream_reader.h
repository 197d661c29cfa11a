/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Reading bases and scalars ahead: threads read into a ring of blocks while its owner works on the blocks before. For each
 * chunk come its scalars, then its bases. A block is read in slices, each by whichever thread is free: one thread reads
 * 2 to 5 GB/s, and a GPU takes 50.
 *
 * It calls pread() and maps nothing: a mapped file that is cut off ends the process by a signal.
 */
#ifndef SUMAC_IO_STREAM_READER_H
#define SUMAC_IO_STREAM_READER_H

#include <pthread.h>

#include "codec/checksum.h"
#include "io/direct_input.h"
#include "io/input.h"

enum { INPUT_SCALARS, INPUT_BASES, INPUTS };

enum { READER_BLOCKS = 4, READER_MOST_THREADS = 16 };

/* The threads that read files, and how much they read at a time. */
typedef struct reader_shape {
    uint32_t threads;   /* at most READER_MOST_THREADS */
    size_t block_bytes; /* of raw points or scalars */
    size_t slice_bytes; /* a multiple of DIRECT_UNIT; slices of a file begin at such multiples */
} reader_shape;

/* A file of records. */
typedef struct record_file {
    input_file file;     /* of a known size */
    direct_input direct; /* of a file that starts where its descriptor does */
    uint64_t data;       /* the byte at which record 0 begins */
    uint64_t count;      /* records */
    size_t record_bytes;
    size_t block_records; /* records of a block at most */
} record_file;

/* Records of one file that follow each other. */
typedef struct record_block {
    uint8_t *memory; /* at a multiple of DIRECT_UNIT */
    uint8_t *bytes;  /* in it */
    int which;       /* INPUT_SCALARS or INPUT_BASES */
    uint64_t offset; /* the byte of the file at which they begin */
    size_t records;
    size_t slices_left; /* to be read */
    size_t missing;     /* bytes: the file ends, or reading failed */
    int error;          /* errno, if it failed */
    checksum sum;       /* of this file's records from the first one that is used to this block's end */
} record_block;

typedef struct records_reader {
    record_file *inputs;
    reader_shape shape;
    int has_sums;
    checksum running[INPUTS];
    record_block blocks[READER_BLOCKS];
    /* The mutex guards all below, and the blocks' slices_left, missing and error. */
    uint64_t next, end; /* records that are to be read */
    uint64_t chunk;
    int which;         /* the file whose records come next, */
    uint64_t assigned; /* and how many of its records of this chunk belong to blocks already */
    /* Blocks are numbered in their order, block i is blocks[i % READER_BLOCKS];
     * released <= ready <= started <= released + READER_BLOCKS. */
    uint64_t started, ready, released;
    size_t slice,
        slices;       /* of the last block that was started: the next one to read, and how many there are */
    int is_finishing; /* a thread adds blocks to checksums, in their order */
    int has_failed;   /* no block is started any more */
    int is_stopping;
    uint32_t thread_count; /* 0: the system had no thread, and each block is read when it is waited for */
    pthread_t threads[READER_MOST_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} records_reader;

/* `inputs` and `sums` are INPUTS of them, by these numbers. */

/* Bytes of a block that holds either file's records. */
size_t reader_block_bytes(const record_file *inputs);

/* Bytes of a ring of such blocks. */
uint64_t reader_ring_bytes(const record_file *inputs);

/* Begin to read records [next, end) of both files in chunks, to reader_ring_bytes() of the caller's memory. The reader
 * does not move until reader_stop(). `sums` are the checksums of the records before, or null where none are wanted. */
void reader_start(records_reader *reader, record_file *inputs, const reader_shape *shape, void *memory,
                  uint64_t next, uint64_t end, uint64_t chunk, const checksum *sums);
void reader_stop(records_reader *reader);

/* Wait for the next block, of those that are left; the caller releases it before it waits for another. A block with
 * missing bytes is the last one. */
const record_block *reader_wait(records_reader *reader);
void reader_release(records_reader *reader);

#endif

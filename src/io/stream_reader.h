/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A reader reads bases and scalars ahead: its threads fill a ring of blocks while its owner works on earlier blocks.
 * The scalars of each chunk come before its bases. A block is read in slices, each by any free thread, because one
 * thread reads 2 to 5 GB/s, and a GPU takes 50 GB/s.
 *
 * The reader calls pread() and does not map files, because truncating a mapped file ends the process by a signal.
 */
#ifndef SUMAC_IO_STREAM_READER_H
#define SUMAC_IO_STREAM_READER_H

#include <pthread.h>

#include "codec/checksum.h"
#include "io/direct_input.h"
#include "io/input.h"

enum { INPUT_SCALARS, INPUT_BASES, INPUTS };

enum { READER_BLOCKS = 4, READER_MOST_THREADS = 16 };

/* A shape says how many threads read files, and how many bytes they read at a time. */
typedef struct reader_shape {
    uint32_t threads;   /* at most READER_MOST_THREADS */
    size_t block_bytes; /* bytes of raw points or scalars */
    size_t slice_bytes; /* a multiple of DIRECT_UNIT; slices begin at multiples of DIRECT_UNIT in the file */
} reader_shape;

/* This is a file of records. */
typedef struct record_file {
    input_file file;     /* a file whose size is known */
    direct_input direct; /* used if the file begins at its descriptor's offset 0 */
    uint64_t data;       /* the offset of record 0 */
    uint64_t count;      /* the number of records */
    size_t record_bytes;
    size_t block_records; /* the most records of a block */
} record_file;

/* A block has contiguous records of one file. */
typedef struct record_block {
    uint8_t *memory; /* at a multiple of DIRECT_UNIT */
    uint8_t *bytes;  /* the records, within `memory` */
    int which;       /* INPUT_SCALARS or INPUT_BASES */
    uint64_t offset; /* the offset of the records in the file */
    size_t records;
    size_t slices_left; /* the number of slices that are not read yet */
    size_t missing;     /* the number of missing bytes if the file ends or reading fails */
    int error;          /* errno if reading failed, otherwise 0 */
    checksum sum;       /* the checksum of this file's records from the first one that is used to the end of
                           this block */
} record_block;

typedef struct records_reader {
    record_file *inputs;
    reader_shape shape;
    int has_sums;
    checksum running[INPUTS];
    record_block blocks[READER_BLOCKS];
    /* The mutex guards everything below, and the blocks' slices_left, missing and error. */
    uint64_t next, end; /* the range of the records that will be read */
    uint64_t chunk;
    int which;         /* the file whose records come next */
    uint64_t assigned; /* how many of its records of this chunk are assigned to blocks */
    /* Blocks are numbered in order; block i is blocks[i % READER_BLOCKS], and
     * released <= ready <= started <= released + READER_BLOCKS. */
    uint64_t started, ready, released;
    size_t slice,
        slices; /* of the block that was started last: the next slice to read, and the number of slices */
    int is_finishing; /* a thread is adding blocks to checksums, in order */
    int has_failed;   /* no more blocks will be started */
    int is_stopping;
    uint32_t thread_count; /* if 0, the system had no thread, and reader_wait() reads each block */
    pthread_t threads[READER_MOST_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} records_reader;

/* In the following functions `inputs` and `sums` are arrays of INPUTS elements. INPUT_SCALARS and INPUT_BASES are their
 * indices. */

/* Return the size of a block that can hold either file's records. */
size_t reader_block_bytes(const record_file *inputs);

/* Return the size of a ring of blocks of reader_block_bytes() each. */
uint64_t reader_ring_bytes(const record_file *inputs);

/* Begin to read records [next, end) of both files in chunks, into reader_ring_bytes() of the caller's memory. The
 * reader must not be moved before reader_stop(). `sums` are the checksums of earlier records; if it is null, no
 * checksums are computed. */
void reader_start(records_reader *reader, record_file *inputs, const reader_shape *shape, void *memory,
                  uint64_t next, uint64_t end, uint64_t chunk, const checksum *sums);
void reader_stop(records_reader *reader);

/* Wait for the next block. Call this only while blocks are left, and only after the previous block was released. If
 * bytes of a block are missing, it is the last one. */
const record_block *reader_wait(records_reader *reader);
void reader_release(records_reader *reader);

#endif

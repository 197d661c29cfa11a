/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Read bases and scalars ahead: threads fill a ring of blocks while the owner works on earlier blocks. Each chunk's
 * scalars come before its bases. A block is read in slices, each by any free thread, because one thread reads 2 to 5
 * GB/s and a GPU takes 50.
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

/* The number of threads that read files, and the sizes in which they read. */
typedef struct reader_shape {
    uint32_t threads;   /* at most READER_MOST_THREADS */
    size_t block_bytes; /* bytes of raw points or scalars */
    size_t slice_bytes; /* multiple of DIRECT_UNIT; slices begin at such offsets of the file */
} reader_shape;

/* A file of records. */
typedef struct record_file {
    input_file file;     /* a file of known size */
    direct_input direct; /* used if the file begins at its descriptor's offset 0 */
    uint64_t data;       /* offset of record 0 */
    uint64_t count;      /* number of records */
    size_t record_bytes;
    size_t block_records; /* most records of a block */
} record_file;

/* Contiguous records of one file. */
typedef struct record_block {
    uint8_t *memory; /* at a multiple of DIRECT_UNIT */
    uint8_t *bytes;  /* the records, within `memory` */
    int which;       /* INPUT_SCALARS or INPUT_BASES */
    uint64_t offset; /* offset of the records in the file */
    size_t records;
    size_t slices_left; /* number of slices not yet read */
    size_t missing;     /* missing bytes, if the file ends or reading fails */
    int error;          /* errno if reading failed, otherwise 0 */
    checksum sum;       /* checksum of this file's records from the first one used to this block's end */
} record_block;

typedef struct records_reader {
    record_file *inputs;
    reader_shape shape;
    int has_sums;
    checksum running[INPUTS];
    record_block blocks[READER_BLOCKS];
    /* The mutex guards everything below, and the blocks' slices_left, missing and error. */
    uint64_t next, end; /* range of the records to be read */
    uint64_t chunk;
    int which;         /* the file whose records come next */
    uint64_t assigned; /* how many of its records of this chunk are assigned to blocks */
    /* Blocks are numbered in order; block i is blocks[i % READER_BLOCKS], and
     * released <= ready <= started <= released + READER_BLOCKS. */
    uint64_t started, ready, released;
    size_t slice,
        slices; /* of the last block that was started: the next slice to read, and the number of slices */
    int is_finishing; /* a thread is adding blocks to checksums, in order */
    int has_failed;   /* no more blocks are started */
    int is_stopping;
    uint32_t thread_count; /* if 0, the system had no thread, and reader_wait() reads each block */
    pthread_t threads[READER_MOST_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} records_reader;

/* In the following functions `inputs` and `sums` are arrays of INPUTS elements, indexed by INPUT_SCALARS and
 * INPUT_BASES. */

/* Return the size of a block that can hold either file's records. */
size_t reader_block_bytes(const record_file *inputs);

/* Return the size of a ring of such blocks. */
uint64_t reader_ring_bytes(const record_file *inputs);

/* Begin to read records [next, end) of both files in chunks, into reader_ring_bytes() of the caller's memory. The
 * reader must not be moved before reader_stop(). `sums` are the checksums of earlier records, or null if none are
 * wanted. */
void reader_start(records_reader *reader, record_file *inputs, const reader_shape *shape, void *memory,
                  uint64_t next, uint64_t end, uint64_t chunk, const checksum *sums);
void reader_stop(records_reader *reader);

/* Wait for the next block; call this only while blocks are left. The caller releases a block before waiting for
 * another. A block with missing bytes is the last one. */
const record_block *reader_wait(records_reader *reader);
void reader_release(records_reader *reader);

#endif

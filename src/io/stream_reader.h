/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Reading bases and scalars ahead: threads fill a ring of blocks while its owner works on what came before. Chunk after
 * chunk come the chunk's scalars, then its bases. A block is read in slices, each by whichever thread is free: one thread
 * reads 2 to 5 GB/s, and a GPU takes 50.
 *
 * pread() and not a mapping: a mapped file that is cut off ends the process by a signal.
 */
#ifndef SUMAC_IO_STREAM_READER_H
#define SUMAC_IO_STREAM_READER_H

#include <pthread.h>

#include "codec/checksum.h"
#include "io/direct_input.h"
#include "io/input.h"

enum { INPUT_SCALARS, INPUT_BASES, INPUTS };

enum { READER_BLOCKS = 4, READER_MOST_THREADS = 16 };

/* How it is read. */
typedef struct reader_shape {
    uint32_t threads;   /* at most READER_MOST_THREADS */
    size_t block_bytes; /* of raw points or scalars */
    size_t slice_bytes; /* of the file, from a multiple of DIRECT_UNIT on, which it is one of */
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
    uint8_t *memory; /* from a multiple of DIRECT_UNIT on */
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
    int sums; /* whether checksums are wanted */
    checksum running[INPUTS];
    record_block blocks[READER_BLOCKS];
    /* The mutex guards all below, and the blocks' slices_left, missing and error. */
    uint64_t next, end; /* records that are to be read */
    uint64_t chunk;
    int which;      /* the file that comes next, */
    uint64_t taken; /* and how many of its records of this chunk are in blocks that have begun */
    /* Blocks are numbered in their order, block i is blocks[i % READER_BLOCKS]; given <= filled <= begun <=
     * given + READER_BLOCKS. */
    uint64_t begun, filled, given;
    size_t slice, slices; /* of the last block that has begun: the next one to read, and how many there are */
    int is_filling;       /* a thread adds blocks to checksums, in their order */
    int failed;           /* no block begins any more */
    int ending;
    uint32_t thread_count; /* 0: each block is read when it is taken: the system had no thread */
    pthread_t threads[READER_MOST_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} records_reader;

/* `inputs` and `sums` are INPUTS of them, by these numbers. */

/* Bytes of a block that holds either file's records. */
size_t block_bytes_of(const record_file *inputs);

/* Bytes of a ring of such blocks. */
uint64_t reader_ring_bytes(size_t block_bytes);

/* Begin to read records [next, end) of both files in chunks, to reader_ring_bytes() of memory, the caller's. The reader
 * does not move until reader_end(). `sums` are the checksums of the records before, or null where none are wanted. */
void reader_begin(records_reader *reader, record_file *inputs, const reader_shape *shape, void *memory,
                  uint64_t next, uint64_t end, uint64_t chunk, const checksum *sums);
void reader_end(records_reader *reader);

/* The next block, which the caller gives back before it takes another; there is one. After one with missing
 * bytes comes none. */
const record_block *reader_take(records_reader *reader);
void reader_give(records_reader *reader);

#endif

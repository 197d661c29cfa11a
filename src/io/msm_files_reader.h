/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Reading bases and scalars ahead: a thread fills a ring of blocks while its owner works on what came before.
 * Chunk after chunk come the chunk's scalars, then its bases.
 *
 * pread() and not a mapping: a mapped file that is cut off ends the process by a signal.
 */
#ifndef SUMAC_IO_MSM_FILES_READER_H
#define SUMAC_IO_MSM_FILES_READER_H

#include <pthread.h>

#include "codec/checksum.h"
#include "io/input.h"

enum { INPUT_SCALARS, INPUT_BASES, INPUTS };

enum {
    READER_BLOCKS = 4,
    READER_BLOCK_BYTES = 1 << 20 /* of scalars; of bases as many as a point_importer's buffer has */
};

/* A file of records. */
typedef struct record_file {
    input_file file; /* of a known size */
    uint64_t data;   /* the byte at which record 0 begins */
    uint64_t count;  /* records */
    size_t record_bytes;
    size_t block_records; /* records of a block at most */
} record_file;

/* Records of one file that follow each other. */
typedef struct record_block {
    uint8_t *bytes;
    int which;       /* INPUT_SCALARS or INPUT_BASES */
    uint64_t offset; /* the byte of the file at which they begin */
    size_t records;
    size_t missing; /* bytes: the file ends, or reading failed */
    int error;      /* errno, if it failed */
    checksum sum;   /* of this file's records from the first one that is used to this block's end */
} record_block;

typedef struct records_reader {
    record_file *inputs;
    uint64_t next, end; /* records that are to be read */
    uint64_t chunk;
    int which;      /* the file that comes next, */
    uint64_t taken; /* and how many of its records of this chunk are read */
    int sums;       /* whether checksums are wanted */
    checksum running[INPUTS];
    record_block blocks[READER_BLOCKS];
    /* Blocks are numbered in their order, block i is blocks[i % READER_BLOCKS]; given <= filled <=
     * given + READER_BLOCKS. The mutex guards these and `ending`. */
    uint64_t filled, given;
    int ending;
    int has_thread; /* else each block is read when it is taken: the system had no thread */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} records_reader;

/* `inputs` and `sums` are INPUTS of them, by these numbers. */

/* Bytes of a block that holds either file's records. */
size_t block_bytes_of(const record_file *inputs);

/* Begin to read records [next, end) of both files in chunks. The reader does not move until
 * reader_end(), which is due after success only. `sums` are the checksums of the records before, or
 * null where none are wanted. 0 when memory is short. */
int reader_begin(records_reader *reader, record_file *inputs, uint64_t next, uint64_t end, uint64_t chunk,
                 const checksum *sums);
void reader_end(records_reader *reader);

/* The next block, which the caller gives back before it takes another; there is one. After one with missing
 * bytes comes none. */
const record_block *reader_take(records_reader *reader);
void reader_give(records_reader *reader);

#endif

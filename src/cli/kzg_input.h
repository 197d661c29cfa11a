/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read the inputs of the commands `kzg ...`: blobs, setups, lists of cells, and commitments, proofs and
 * elements in hexadecimal. */
#ifndef SUMAC_CLI_KZG_INPUT_H
#define SUMAC_CLI_KZG_INPUT_H

#include "session.h"
#include "sumac/kzg.h"

void close_kzg_setup(sumac_kzg_setup **setup);

/* Decode hexadecimal text to exactly `count` bytes. The text may begin with 0x, and may end with white space. `bytes`
 * and `text` may be the same memory. Messages call the text `name`. */
int decode_hex(const char *name, const unsigned char *text, size_t size, unsigned char *bytes, size_t count);

/* Decode the value of an option. If the value is null, `bytes` stays unchanged. */
int decode_hex_option(const char *name, const char *text, unsigned char *bytes, size_t count);

/* Read a file of exactly `count` records of `record_bytes` bytes. Messages call the records `what`. The caller frees
 * *data. */
int read_records(const char *path, const char *what, size_t count, size_t record_bytes, unsigned char **data);

/* Read the setup that --setup names or, without --setup, the one that is installed with the program. If `blobs` is not
 * 0 and the file has no tables, make tables for proofs of the cells of `blobs` blobs; --table-limit bounds them. All
 * ranks call this together. */
int read_kzg_setup(const session *opened, const options *given, size_t blobs, sumac_kzg_setup **setup);

/* This list has the numbers of --cells, such as "0..63,70". They must be ascending and less than SUMAC_KZG_CELLS, and
 * at least `least` of them are needed. If the text is null, the list has all cells. */
typedef struct cell_list {
    uint64_t indices[SUMAC_KZG_CELLS];
    size_t count;
} cell_list;
int parse_cells(const char *text, size_t least, cell_list *cells);

/* ---- Files of many blobs, or of many blobs' known cells, one blob after another ---- */

/* A file of blobs is read one sub-batch at a time, so that memory does not grow with the file. Over ranks, each rank
 * reads its whole part at once. */
typedef struct blob_file {
    const char *path; /* the path, which is not copied */
    int descriptor;   /* -1 if the file is not open */
    size_t record_bytes;
    size_t size;            /* the size of a regular file when it was opened, otherwise 0 */
    bool may_be_text;       /* the file may be one blob in hexadecimal */
    size_t first, count;    /* the sub-batch has blobs [first, first + count) of the file; it is empty at the
                               end of the file */
    size_t all;             /* the number of blobs that all ranks have read */
    unsigned char *records; /* `count` records of record_bytes; every element is less than r */
    size_t capacity;        /* the size of `records` in bytes */
    bool is_part;           /* `records` is a rank's part */
} blob_file;

/* This value is a file that is not open, which blob_file_close() accepts. */
#define BLOB_FILE_CLOSED ((blob_file){.descriptor = -1})

/* Open a file of blobs or, if known_cells is not 0, a file that has that many cells of each blob. The caller must call
 * blob_file_close() in any case. */
int blob_file_open(blob_file *file, const char *path, size_t known_cells);

/* Read the next sub-batch. If the file has no blob or ends within one, or an element is not less than r, that is bad
 * input. All ranks call this together. */
int blob_file_next(blob_file *file);

void blob_file_close(blob_file *file);

#endif

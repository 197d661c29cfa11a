/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Inputs of the commands `kzg ...`: blobs, setups, lists of cells, and commitments, proofs and elements in
 * hexadecimal. */
#ifndef SUMAC_CLI_KZG_INPUT_H
#define SUMAC_CLI_KZG_INPUT_H

#include "session.h"
#include "sumac/kzg.h"

void close_kzg_setup(sumac_kzg_setup **setup);

/* Decode hexadecimal text, with or without 0x and white space at its end, to exactly `count` bytes. `bytes` and `text`
 * may be the same memory; messages call the text `name`. */
int decode_hex(const char *name, const unsigned char *text, size_t size, unsigned char *bytes, size_t count);

/* Decode an option's value. If it is null, `bytes` stays unchanged. */
int decode_hex_option(const char *name, const char *text, unsigned char *bytes, size_t count);

/* Read a file of exactly `count` records of `record_bytes`, which messages call `what`. The caller frees *data. */
int read_records(const char *path, const char *what, size_t count, size_t record_bytes, unsigned char **data);

/* Read the setup that --setup names, or the one installed with the program. Prepare it for proofs of the cells of
 * `blobs` blobs, with tables of at most --table-limit if that is given, unless `blobs` is 0 or the file has tables. All
 * ranks call this together. */
int read_kzg_setup(const session *opened, const options *given, size_t blobs, sumac_kzg_setup **setup);

/* The numbers of --cells, such as "0..63,70": ascending and less than SUMAC_KZG_CELLS. A null text means all cells. At
 * least `least` of them are needed. */
typedef struct cell_list {
    uint64_t indices[SUMAC_KZG_CELLS];
    size_t count;
} cell_list;
int parse_cells(const char *text, size_t least, cell_list *cells);

/* ---- Files of many blobs, or of many blobs' known cells, one blob after another ---- */

/* One sub-batch is read at a time, so that memory does not grow with the file; over ranks, each reads its part at
 * once. */
typedef struct blob_file {
    const char *path; /* not copied */
    int descriptor;   /* -1 if the file is not open */
    size_t record_bytes;
    size_t size;            /* size of a regular file when it was opened, otherwise 0 */
    bool may_be_text;       /* the file may be one blob in hexadecimal */
    size_t first, count;    /* the sub-batch: blobs [first, first + count) of the file; empty at its end */
    size_t all;             /* number of blobs read by all ranks */
    unsigned char *records; /* count of record_bytes each; every element is less than r */
    size_t capacity;        /* size of `records` in bytes */
    bool is_part;           /* `records` is a rank's part */
} blob_file;

/* A file that is not open, for blob_file_close(). */
#define BLOB_FILE_CLOSED ((blob_file){.descriptor = -1})

/* Open a file of blobs or, if known_cells is not 0, of that many cells of each blob. Call blob_file_close() in any
 * case. */
int blob_file_open(blob_file *file, const char *path, size_t known_cells);

/* Read the next sub-batch. A file that has no blob or ends within one, and an element that is not less than r, are bad
 * input. All ranks call this together. */
int blob_file_next(blob_file *file);

void blob_file_close(blob_file *file);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of many blobs, or of known cells of many blobs, one behind the other: read a sub-batch at a time, so that memory
 * does not grow with the file; over ranks each reads its part at once. */
#ifndef SUMAC_CLI_KZG_BLOBS_H
#define SUMAC_CLI_KZG_BLOBS_H

#include "options.h"

typedef struct blob_file {
    const char *path; /* not copied */
    int descriptor;   /* -1: not open */
    size_t record_bytes;
    size_t size;         /* of a regular file, when it was opened; else 0 */
    bool may_be_text;    /* the file may be one blob in hexadecimal */
    size_t first, count; /* the sub-batch: blobs [first, first + count) of the file; none: it is at its end */
    size_t all;          /* so many blobs have been read, by all ranks */
    unsigned char *records; /* count of record_bytes each; every element is less than r */
    size_t capacity;        /* of `records`, in bytes */
    bool is_part;           /* `records` is a rank's part */
} blob_file;

/* A file that is not open, for blob_file_close(). */
#define BLOB_FILE_CLOSED ((blob_file){.descriptor = -1})

/* Open a file of blobs, or where known_cells is not 0, of so many cells of each blob; blob_file_close() is due in any
 * case. */
int blob_file_open(blob_file *file, const char *path, size_t known_cells);

/* Read the next sub-batch. A file without a blob, or that ends within one, and an element that is not less than r are
 * bad input. Ranks call it together. */
int blob_file_next(blob_file *file);

void blob_file_close(blob_file *file);

#endif

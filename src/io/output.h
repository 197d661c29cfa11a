/*
 * Writing files so that a path never holds a part of one: into a temporary file in the same directory, which
 * is renamed when it is complete and on disk. What is not a regular file (a pipe, a device) is written
 * directly.
 */
#ifndef SUMAC_IO_OUTPUT_H
#define SUMAC_IO_OUTPUT_H

#include "api/internal.h"

typedef struct output_file {
    sumac_context *context;
    const char *path; /* as the caller calls it */
    int descriptor;
    char *target;    /* the path with symbolic links resolved; null when writing directly */
    char *temporary; /* null when writing directly, and once it is renamed or removed */
    uint64_t offset;
} output_file;

/* output_close() also after a failure. */
sumac_status output_open(output_file *file, sumac_context *context, const char *path);

sumac_status output_write(output_file *file, const void *bytes, size_t count);

/* Complete the file if `status`, what writing it came to, is SUMAC_OK; else remove what was written, and
 * leave a file that was there before as it was. Returns the first failure. */
sumac_status output_close(output_file *file, sumac_status status);

#endif

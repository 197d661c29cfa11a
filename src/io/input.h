/* Reading files: every failure becomes one sentence that names the file, and where it happened. */
#ifndef SUMAC_IO_INPUT_H
#define SUMAC_IO_INPUT_H

#include "api/internal.h"

typedef struct input_file {
    sumac_context *context;
    const char *path;
    int descriptor;
    int has_size;    /* a regular file, or one that input_measure() has read into memory */
    uint64_t size;   /* where has_size */
    uint64_t offset; /* of the next byte that will be read */
    uint8_t *memory; /* all bytes of a file that had no size of its own, else null */
} input_file;

/* Open a file, a pipe or a device; a directory is SUMAC_CANNOT_OPEN. input_close() also after a failure. */
sumac_status input_open(input_file *file, sumac_context *context, const char *path);
void input_close(input_file *file);

/* Make the size known: what is not a regular file is read to its end and kept in memory. Before any other
 * read. */
sumac_status input_measure(input_file *file);

/* Read `wanted` bytes, fewer only at the end of the file. */
sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got);

/* Read exactly `wanted` bytes; SUMAC_BAD_FILE where the file ends before. */
sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted);

/* SUMAC_BAD_FILE unless everything has been read. */
sumac_status input_expect_end(input_file *file);

/* 1 if `path` is a regular file that begins with these bytes; 0 if not, or if it cannot be read. */
int input_begins_with(const char *path, const void *bytes, size_t count);

/* The text of an errno value, in a buffer of the caller: strerror() is not safe with threads. */
#define SYSTEM_ERROR_BYTES 128
const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES]);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading files: every failure becomes one sentence that names the file, and where it happened. */
#ifndef SUMAC_IO_INPUT_H
#define SUMAC_IO_INPUT_H

#include "codec/byte_source.h"
#include "codec/file_kinds.h"
#include "base/refusal.h"
#include "sumac/sumac.h"

typedef struct input_file {
    sumac_context *context;
    const char *path;
    int descriptor;
    int has_size;        /* a regular file, or one that input_measure() has read into memory */
    uint64_t size;       /* where has_size */
    uint64_t start;      /* where in a regular file its first byte lies: a descriptor may stand anywhere */
    uint64_t offset;     /* of the next byte that will be read */
    uint8_t *memory;     /* all bytes of a file that had no size of its own, else null */
    const uint8_t *lent; /* the bytes of a file that a caller has in memory, else null */
    uint8_t ahead[16];
    size_t ahead_count; /* bytes in `ahead`, which input_begins_with() has read */
    size_t ahead_taken;
} input_file;

/* Open a file, a pipe, a device or a descriptor by its name (/dev/stdin); a directory is SUMAC_CANNOT_OPEN.
 * input_close() also after a failure. */
sumac_status input_open(input_file *file, sumac_context *context, const char *path);
void input_close(input_file *file);

/* A file's bytes that are in memory, and stay the caller's; `name` stands for its path. */
void input_open_bytes(input_file *file, sumac_context *context, const void *bytes, size_t size,
                      const char *name);

/*
 * Make the size known: what is not a regular file is read to its end and kept in memory. Before any other
 * read. A file that goes on after the `most` bytes that the caller can use at most is SUMAC_BAD_FILE, and
 * read no further. With INPUT_OF_ANY_SIZE what is kept is bounded by the system's memory, and on the CPU by
 * the context's memory_limit: SUMAC_MEMORY_LIMIT.
 */
#define INPUT_OF_ANY_SIZE UINT64_MAX
sumac_status input_measure(input_file *file, uint64_t most);

/* Whether a file that is said to have no bytes has none; then its size is known. Before any other read. */
sumac_status input_expect_nothing(input_file *file, int *is_empty);

/* Go on at a byte, at most its size, of a file whose size is known. */
sumac_status input_seek(input_file *file, uint64_t offset);

/* Whether these bytes, at most 16, come first; *begins is 0 also for a shorter file. They stay to be read.
 * Before any other read. */
sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins);

/* Read `wanted` bytes, fewer only at the end of the file. */
sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got);

/* Read exactly `wanted` bytes; SUMAC_BAD_FILE where the file ends before. */
sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted);

/* Read so many bytes of a file of known size from anywhere in it, on any thread; how many are missing is returned, and in
 * *error errno or 0. */
size_t input_read_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count, int *error);

/* Read on without keeping it: `wanted` bytes, fewer only at the end of the file. */
sumac_status input_skip(input_file *file, uint64_t wanted, uint64_t *got);

/* SUMAC_BAD_FILE unless everything has been read. */
sumac_status input_expect_end(input_file *file);

/* The file as its bytes, for a codec; of known size. */
byte_source input_source(input_file *file);

/* file_likely_text() of a file of known size. */
const char *input_likely_text(const input_file *file, char text[FILE_LIKELY_BYTES]);

/* The sentence on bytes of the file that were refused, if `status` says so. An empty refusal is of a failure that has its
 * sentence already. Returns the status. */
sumac_status input_refuse(const input_file *file, sumac_status status, const sumac_message *why);

/* The text of an errno value, in a buffer of the caller: strerror() is not safe with threads. */
#define SYSTEM_ERROR_BYTES 128
const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES]);

#endif

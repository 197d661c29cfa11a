/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading files: every failure becomes one sentence that names the file, and where in it. */
#ifndef SUMAC_IO_INPUT_H
#define SUMAC_IO_INPUT_H

#include <stdatomic.h>

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
    sumac_message why; /* a codec's sentence, for input_refuse() */
} input_file;

/* A file that is not open: for input_close(). */
#define INPUT_CLOSED ((input_file){.descriptor = -1})

/* Open a file, a pipe, a device or a descriptor by its name (/dev/stdin); a directory is SUMAC_CANNOT_OPEN.
 * input_close() also after a failure. */
sumac_status input_open(input_file *file, sumac_context *context, const char *path);
void input_close(input_file *file);

/* Open a file, or without a path one whose bytes are in memory, and stay the caller's; messages call it `name`. */
sumac_status input_open_either(input_file *file, sumac_context *context, const char *path, const void *bytes,
                               size_t size, const char *name);

/*
 * Make the size known, before any other read: a file that is not regular is read to its end and kept in memory. A file
 * that goes on after `most` bytes is SUMAC_BAD_FILE, and read no further. With INPUT_OF_ANY_SIZE the kept bytes are
 * bounded by the system's memory, and on the CPU by the context's memory_limit: SUMAC_MEMORY_LIMIT.
 */
#define INPUT_OF_ANY_SIZE UINT64_MAX
sumac_status input_measure(input_file *file, uint64_t most);

/* Verify, before any other read, that a file of size 0 is really empty; then its size is known. */
sumac_status input_expect_nothing(input_file *file, int *is_empty);

/* Move to a byte, at most its size, of a file whose size is known. */
sumac_status input_seek(input_file *file, uint64_t offset);

/* Find, before any other read, if the file begins with these bytes, at most 16; *begins is 0 for a shorter file, too. They
 * stay to be read. */
sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins);

/* Read `wanted` bytes, fewer only at the end of the file. */
sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got);

/* Read exactly `wanted` bytes; SUMAC_BAD_FILE where the file ends before. */
sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted);

/* Read `count` bytes from anywhere in a file of known size, on any thread. Returns how many are missing, with errno in
 * *error, or 0 where the file ends. */
size_t input_read_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count, int *error);

/* Bytes of a file that several threads read, a slice at a time. */
typedef struct input_slices {
    const input_file *file; /* of known size */
    uint64_t offset;        /* in the file */
    uint8_t *bytes;
    size_t count;
    _Atomic int is_incomplete; /* some slice could not be read */
} input_slices;

size_t input_slice_count(const input_slices *slices);
void input_read_slice(input_slices *slices, size_t index);

/* After all slices, on one thread: the file stands behind them. Bytes that could not be read are read once more, for the
 * message. */
sumac_status input_finish_slices(input_file *file, input_slices *slices);

/* Skip `wanted` bytes, fewer only at the end of the file. */
sumac_status input_skip(input_file *file, uint64_t wanted, uint64_t *got);

/* SUMAC_BAD_FILE unless everything has been read. */
sumac_status input_expect_end(input_file *file);

/* The bytes of a file of known size, for a codec. */
byte_source input_source(input_file *file);

/* file_likely_text() of a file of known size. */
const char *input_likely_text(const input_file *file, char text[FILE_LIKELY_BYTES]);

/* Return the status of a codec's call, which got &file->why. If it refused the file's bytes its sentence is reported behind the
 * file's path; without one the failure has been reported already. */
sumac_status input_refuse(input_file *file, sumac_status status);

/* The text of an errno value, in the caller's buffer: strerror() is not safe with threads. */
#define SYSTEM_ERROR_BYTES 128
const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES]);

#endif

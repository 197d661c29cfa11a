/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Read files. Every failure becomes one message that names the file and the position in it. */
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
    int has_size;    /* the file is regular, or input_measure() has read it into memory */
    uint64_t size;   /* set if has_size is */
    uint64_t start;  /* a regular file's offset of the first byte: a descriptor's position may be anywhere */
    uint64_t offset; /* offset of the next byte to be read */
    uint8_t *memory; /* all bytes of a file that has no size, otherwise null */
    const uint8_t *lent; /* the bytes of a file in the caller's memory, otherwise null */
    uint8_t ahead[16];
    size_t ahead_count; /* number of bytes in `ahead`, which input_begins_with() has read */
    size_t ahead_taken;
    sumac_message why; /* a codec's message, for input_refuse() */
} input_file;

/* A file that is not open, for input_close(). */
#define INPUT_CLOSED ((input_file){.descriptor = -1})

/* Open a file, pipe, device or descriptor by its name (/dev/stdin); a directory is SUMAC_CANNOT_OPEN. Call
 * input_close() also after a failure. */
sumac_status input_open(input_file *file, sumac_context *context, const char *path);
void input_close(input_file *file);

/* Open a file or, if path is null, bytes in memory, which the caller keeps and messages call `name`. */
sumac_status input_open_either(input_file *file, sumac_context *context, const char *path, const void *bytes,
                               size_t size, const char *name);

/*
 * Determine the size, before any other read: a file that is not regular is read to its end and kept in memory. A file
 * that is longer than `most` bytes is SUMAC_BAD_FILE, and is not read further. With INPUT_OF_ANY_SIZE, the kept bytes
 * are bounded by the system's memory, and on the CPU by the context's memory_limit: SUMAC_MEMORY_LIMIT.
 */
#define INPUT_OF_ANY_SIZE UINT64_MAX
sumac_status input_measure(input_file *file, uint64_t most);

/* Verify, before any other read, that a file of size 0 is really empty; then its size is known. */
sumac_status input_expect_nothing(input_file *file, int *is_empty);

/* Move to an offset of at most the size, in a file of known size. */
sumac_status input_seek(input_file *file, uint64_t offset);

/* Test, before any other read, if the file begins with these bytes, at most 16. *begins is 0 for a shorter file, too.
 * The bytes can still be read afterwards. */
sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins);

/* Read `wanted` bytes, or fewer only at the end of the file. */
sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got);

/* Read exactly `wanted` bytes; SUMAC_BAD_FILE if the file ends before. */
sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted);

/* Read `count` bytes at any offset of a file of known size, on any thread. Return how many are missing; *error is then
 * an errno value, or 0 if the file ends. */
size_t input_read_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count, int *error);

/* Bytes of a file that several threads read, one slice at a time. */
typedef struct input_slices {
    const input_file *file; /* a file of known size */
    uint64_t offset;        /* offset in the file */
    uint8_t *bytes;
    size_t count;
    _Atomic int is_incomplete; /* some slice could not be read */
} input_slices;

size_t input_slice_count(const input_slices *slices);
void input_read_slice(input_slices *slices, size_t index);

/* After all slices, on one thread: move the file behind them. If bytes could not be read, read them again to get the
 * message. */
sumac_status input_finish_slices(input_file *file, input_slices *slices);

/* Skip `wanted` bytes, or fewer only at the end of the file. */
sumac_status input_skip(input_file *file, uint64_t wanted, uint64_t *got);

/* Return SUMAC_BAD_FILE unless everything has been read. */
sumac_status input_expect_end(input_file *file);

/* Return a source of the bytes of a file of known size, for a codec. */
byte_source input_source(input_file *file);

/* Return file_likely_text() of a file of known size. */
const char *input_likely_text(const input_file *file, char text[FILE_LIKELY_BYTES]);

/* Return the status of a codec's call that had &file->why. If the codec refused the file's bytes, report its message
 * after the file's path; if that message is empty, the failure has been reported already. */
sumac_status input_refuse(input_file *file, sumac_status status);

/* Write the text of an errno value to the caller's buffer. strerror() is not safe with threads. */
#define SYSTEM_ERROR_BYTES 128
const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES]);

#endif

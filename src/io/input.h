/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read files. Every failure becomes one message, which names the file and the position in it. */
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
    uint64_t size;   /* the size, if has_size is set */
    uint64_t start;  /* in a regular file, the offset of the first byte, because a descriptor may be at any
                        position */
    uint64_t offset; /* the offset of the next byte */
    uint8_t *memory; /* all bytes of a file that has no size, otherwise null */
    const uint8_t *lent; /* the bytes of a file in the caller's memory, otherwise null */
    uint8_t ahead[16];
    size_t ahead_count; /* the number of bytes in `ahead`, which input_begins_with() has read */
    size_t ahead_taken;
    sumac_message why; /* a codec's message, for input_refuse() */
} input_file;

/* This value is a file that is not open, which input_close() accepts. */
#define INPUT_CLOSED ((input_file){.descriptor = -1})

/* Open a file, pipe, device or descriptor by its name, such as /dev/stdin. A directory is refused with
 * SUMAC_CANNOT_OPEN. The caller must call input_close(), also after a failure. */
sumac_status input_open(input_file *file, sumac_context *context, const char *path);
void input_close(input_file *file);

/* Open a file or, if `path` is null, bytes in memory. The caller must keep the bytes until input_close(); messages call
 * them `name`. */
sumac_status input_open_either(input_file *file, sumac_context *context, const char *path, const void *bytes,
                               size_t size, const char *name);

/*
 * Determine the size of a file. This must be called before any other read. If the file is not regular, it is read to
 * its end and kept in memory. If it is longer than `most` bytes, it is not read further, and the function returns
 * SUMAC_BAD_FILE. With INPUT_OF_ANY_SIZE, a file that is kept is limited by the system's memory and, on the CPU, by the
 * context's memory_limit; the function then returns SUMAC_MEMORY_LIMIT.
 */
#define INPUT_OF_ANY_SIZE UINT64_MAX
sumac_status input_measure(input_file *file, uint64_t most);

/* A file whose reported size is 0 may still have bytes. Find out whether it is empty; if it is, its size is known
 * afterwards. This must be called before any other read. */
sumac_status input_expect_nothing(input_file *file, int *is_empty);

/* Move to an offset, which is at most the size of the file. The size must be known. */
sumac_status input_seek(input_file *file, uint64_t offset);

/* Test whether the file begins with these bytes, which are at most 16. If the file is shorter, *begins becomes 0. This
 * must be called before any other read. The bytes can still be read afterwards. */
sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins);

/* Read `wanted` bytes; only if the file ends before, read fewer. */
sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got);

/* Read exactly `wanted` bytes. If the file ends before, return SUMAC_BAD_FILE. */
sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted);

/* Read `count` bytes at any offset of a file whose size is known. Any thread may call this. Return how many bytes could
 * not be read. If some could not, *error becomes an errno value, or 0 if the file has ended. */
size_t input_read_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count, int *error);

/* These are bytes of a file that several threads read. A thread reads one slice at a time. */
typedef struct input_slices {
    const input_file *file; /* a file whose size is known */
    uint64_t offset;        /* the offset in the file */
    uint8_t *bytes;
    size_t count;
    _Atomic int is_incomplete; /* some slice could not be read */
} input_slices;

size_t input_slice_count(const input_slices *slices);
void input_read_slice(input_slices *slices, size_t index);

/* Call this on one thread when all slices were read. It moves the position in the file behind the slices. If bytes
 * could not be read, it reads them again to get the message. */
sumac_status input_finish_slices(input_file *file, input_slices *slices);

/* Skip `wanted` bytes; only if the file ends before, skip fewer. */
sumac_status input_skip(input_file *file, uint64_t wanted, uint64_t *got);

/* Return SUMAC_BAD_FILE unless everything has been read. */
sumac_status input_expect_end(input_file *file);

/* Return a source by which a codec reads the bytes of a file. The size of the file must be known. */
byte_source input_source(input_file *file);

/* Return file_likely_text() for a file whose size is known. */
const char *input_likely_text(const input_file *file, char text[FILE_LIKELY_BYTES]);

/* A codec was called with &file->why, and returned this status. Return it. If the codec refused the file's bytes,
 * report its message after the file's path. If the message is empty, the failure has been reported already. */
sumac_status input_refuse(input_file *file, sumac_status status);

/* Write the text of an errno value to the caller's buffer. strerror() is not used, because it is not safe with
 * threads. */
#define SYSTEM_ERROR_BYTES 128
const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES]);

#endif

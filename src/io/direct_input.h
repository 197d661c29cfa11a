/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Read those bytes of a file that are not in the system's cache directly from disk. A disk may be faster than filling
 * the cache, and bytes that are read once need not be kept. Not all systems and files support it, so callers need
 * another way. */
#ifndef SUMAC_IO_DIRECT_INPUT_H
#define SUMAC_IO_DIRECT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* Offsets, addresses and lengths are multiples of this. */
#define DIRECT_UNIT ((size_t)4096)

typedef struct direct_input {
    int descriptor; /* -1 if the file is closed or does not support direct reading */
    void *
        pages; /* a mapping of the file, through which mincore() tells what is cached; the mapping is never read */
    uint64_t size;
} direct_input;

/* Open the file of a descriptor, which has `size` bytes. Call direct_close() in any case. */
void direct_open(direct_input *input, int descriptor, uint64_t size);
void direct_close(direct_input *input);

/* Read from the file, on any thread, unless all bytes are cached; then nothing is read. `bytes` and `offset` must have
 * equal remainders modulo DIRECT_UNIT; the first and last unit of memory are overwritten as a whole. Return how many
 * bytes were read, which is less than `count` at the end of the file and after a failure. */
size_t direct_read_at(const direct_input *input, uint64_t offset, uint8_t *bytes, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading a file past the system's cache, where its bytes are not in there: a disk may be faster than the cache is filled,
 * and what is read once need not be kept. Not every system and file has it: callers must be able to read otherwise. */
#ifndef SUMAC_IO_DIRECT_INPUT_H
#define SUMAC_IO_DIRECT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* Offsets, addresses and lengths are multiples of this. */
#define DIRECT_UNIT ((size_t)4096)

typedef struct direct_input {
    int descriptor; /* -1: none, or the system does not read this file past its cache */
    void *
        pages; /* a mapping of the file, through which the system is asked what is cached; nothing is read there */
    uint64_t size;
} direct_input;

/* Open the file of a descriptor, which has so many bytes. direct_close() in any case. */
void direct_open(direct_input *input, int descriptor, uint64_t size);
void direct_close(direct_input *input);

/* Read from the file, on any thread, unless all of these bytes are cached: then nothing is read. `bytes` and `offset` have
 * the same remainder modulo DIRECT_UNIT, and the units in which the bytes begin and end are written as wholes. Returns how
 * many bytes were read, from the first on: fewer at the end of the file and after a failure. */
size_t direct_read_at(const direct_input *input, uint64_t offset, uint8_t *bytes, size_t count);

#endif

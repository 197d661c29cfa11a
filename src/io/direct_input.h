/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading a file past the system's cache where it is not in there: a disk may be faster than the cache is filled, and what
 * is read once need not be kept. Only where the system has all of it: who reads so must be able to read otherwise. */
#ifndef SUMAC_IO_DIRECT_INPUT_H
#define SUMAC_IO_DIRECT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* What offsets, addresses and lengths are multiples of. */
#define DIRECT_UNIT ((size_t)4096)

typedef struct direct_input {
    int descriptor; /* -1: there is none, or the system does not read this file past its cache */
    void *pages;    /* all of the file, of which nothing is touched: only whether they are cached is asked */
    uint64_t size;
} direct_input;

/* For the file of a descriptor, which has so many bytes. direct_close() in any case. */
void direct_open(direct_input *input, int descriptor, uint64_t size);
void direct_close(direct_input *input);

/* Read from the file, unless all of that is cached. bytes leaves the same rest as `offset` when divided by DIRECT_UNIT, and
 * the units that its ends lie in are written as wholes. Returns how many bytes were read, from the first on: fewer at the
 * end of the file, where something is amiss, and of what is cached none. On any thread. */
size_t direct_read_at(const direct_input *input, uint64_t offset, uint8_t *bytes, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read bytes of a file directly from the disk if they are not in the system's cache. The disk may be
 * faster than the cache can be filled, and bytes that are read only once need not be cached. Not all systems and files
 * support this, so a caller needs another way to read, too. */
#ifndef SUMAC_IO_DIRECT_INPUT_H
#define SUMAC_IO_DIRECT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* The offset, the address and the length of a direct read are multiples of this. */
#define DIRECT_UNIT ((size_t)4096)

typedef struct direct_input {
    int descriptor; /* -1 if the file is closed or does not support direct reading */
    void *pages;    /* a mapping of the file that is never read; mincore() shows what is cached */
    uint64_t size;
} direct_input;

/* Open the file of a descriptor, which has `size` bytes. Call direct_close() in any case. */
void direct_open(direct_input *input, int descriptor, uint64_t size);
void direct_close(direct_input *input);

/* If all bytes are cached, read nothing; otherwise read them from the disk. Any thread may call this. `bytes` and
 * `offset` must have equal remainders modulo DIRECT_UNIT. The units in which the memory begins and ends are overwritten
 * as a whole. Return how many bytes were read; at the end of the file and after a failure these are fewer than
 * `count`. */
size_t direct_read_at(const direct_input *input, uint64_t offset, uint8_t *bytes, size_t count);

#endif

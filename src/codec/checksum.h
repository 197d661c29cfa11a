/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The sections and headers of a container have this checksum. It is XXH64 with seed 0, a public algorithm
 * (github.com/Cyan4973/xxHash, doc/xxhash_spec.md), so that other programs can compute it, too (`xxhsum -H64`). It
 * finds damage, but does not protect against forgery.
 */
#ifndef SUMAC_CODEC_CHECKSUM_H
#define SUMAC_CODEC_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct checksum {
    uint64_t lanes[4];
    uint8_t pending[32]; /* the bytes after the last whole stripe of 32 */
    size_t pending_count;
    uint64_t total;
} checksum;

void checksum_begin(checksum *state);
void checksum_add(checksum *state, const void *bytes, size_t count);
uint64_t checksum_result(const checksum *state);

/* Return the checksum of bytes in memory. */
uint64_t checksum_of(const void *bytes, size_t count);

#endif

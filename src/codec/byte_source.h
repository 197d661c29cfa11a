/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The bytes of a file, for a format that looks for what it wants among them. */
#ifndef SUMAC_CODEC_BYTE_SOURCE_H
#define SUMAC_CODEC_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"

typedef struct byte_source {
    uint64_t size;
    void *owner;
    /* Read `count` bytes from byte `offset` on, which must lie within `size`. After a failure the owner has the sentence. */
    sumac_status (*read)(void *owner, uint64_t offset, uint8_t *bytes, size_t count);
} byte_source;

#endif

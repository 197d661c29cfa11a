/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A byte source gives random access to the bytes of a file, for formats whose parts must be searched for. */
#ifndef SUMAC_CODEC_BYTE_SOURCE_H
#define SUMAC_CODEC_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/status.h"

typedef struct byte_source {
    uint64_t size;
    void *owner;
    /* Read `count` bytes from `offset` on, which must lie within `size`. On failure the owner stores the message. */
    sumac_status (*read)(void *owner, uint64_t offset, uint8_t *bytes, size_t count);
} byte_source;

#endif

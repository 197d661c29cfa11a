/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads witnesses of circom (.wtns, version 2). A witness has the order of the field, and the values of the
 * wires, which are canonical and little-endian. */
#ifndef SUMAC_CODEC_WTNS_H
#define SUMAC_CODEC_WTNS_H

#include "codec/binfile.h"

#define WTNS_MAGIC "wtns"
#define WTNS_KIND ".wtns"
enum { WTNS_VERSION = 2, WTNS_HEADER = 1, WTNS_VALUES = 2, WTNS_MOST_HEADER_BYTES = 8 + 64 };

/* This is section 1. Pointers point into the bytes of the section. */
typedef struct wtns_header {
    uint32_t scalar_bytes;
    const uint8_t *order;
    uint32_t wires;
} wtns_header;

sumac_status wtns_decode_header(const uint8_t *bytes, uint64_t size, wtns_header *header, sumac_message *why);

#endif

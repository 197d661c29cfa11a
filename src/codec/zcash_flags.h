/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The three bits of a record's first byte that a coordinate leaves free, as Zcash and Ethereum use them. */
#ifndef SUMAC_CODEC_ZCASH_FLAGS_H
#define SUMAC_CODEC_ZCASH_FLAGS_H

enum {
    FLAG_COMPRESSED = 0x80,
    FLAG_INFINITY = 0x40,
    FLAG_LARGER = 0x20, /* only in compressed points: y is the larger of y and -y */
    FLAGS = 0xe0
};

#endif

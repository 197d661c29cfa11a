/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A coordinate leaves three bits of a record's first byte free. They are these flags, as Zcash and Ethereum define
 * them. */
#ifndef SUMAC_CODEC_ZCASH_FLAGS_H
#define SUMAC_CODEC_ZCASH_FLAGS_H

enum {
    FLAG_COMPRESSED = 0x80,
    FLAG_INFINITY = 0x40,
    FLAG_LARGER = 0x20, /* in compressed points only: y is the larger of y and -y */
    FLAGS = 0xe0
};

#endif

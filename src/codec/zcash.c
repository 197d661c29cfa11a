/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the formats `zcash-compressed` and `zcash-uncompressed`, in which Zcash's and Ethereum's
 * specifications encode points of BLS12-381. A coordinate is big-endian, and over Fp2 c1 is before c0, so that all
 * bytes of a raw coordinate are reversed. A coordinate leaves three bits of the first byte free, which are flags. Each
 * point has exactly one encoding, and anything else is refused. compressed.h decodes the first format on a device.
 */
#include "codec/format.h"

/* The three flag bits, from the highest one on, mean that the point is compressed, that it is infinity, and that y is
 * the larger one. */
const point_format zcash_compressed_format = {
    .info = FORMAT_READ_WRITE("zcash-compressed",
                              "BLS12-381 as Zcash and Ethereum write it: x big-endian with flag bits"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .encoding = {.big_endian = 1,
                 .c1_first = 1,
                 .x_only = 1,
                 .flag_bits = 3,
                 .flags = {RECORD_UNCOMPRESSED, RECORD_UNCOMPRESSED, RECORD_UNCOMPRESSED, RECORD_UNCOMPRESSED,
                           RECORD_SMALLER, RECORD_LARGER, RECORD_INFINITY, RECORD_OTHER_BITS}},
    .is_compressed = 1,
};

const point_format zcash_uncompressed_format = {
    .info = FORMAT_READ_WRITE("zcash-uncompressed",
                              "BLS12-381 as Zcash writes it: x and y big-endian with flag bits"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .encoding = {.big_endian = 1,
                 .c1_first = 1,
                 .flag_bits = 3,
                 .flags = {RECORD_POINT, RECORD_COMPRESSED_SIGN, RECORD_INFINITY, RECORD_OTHER_BITS,
                           RECORD_COMPRESSED, RECORD_COMPRESSED, RECORD_COMPRESSED, RECORD_COMPRESSED}},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the format `eip2537`, in which Ethereum's precompiles of EIP-2537 get points. Each element of Fp
 * has 64 bytes and is big-endian; its first 16 bytes are zero. Over Fp2 c0 is first. If all bytes are zero, the point
 * is infinity.
 */
#include "codec/format.h"

const point_format eip2537_format = {
    .info = FORMAT_READ_WRITE("eip2537",
                              "BLS12-381 as Ethereum's precompiles take it: 64-byte big-endian coordinates"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .encoding = {.width = ELEMENT_OF_64, .big_endian = 1, .zero_is_infinity = 1},
};

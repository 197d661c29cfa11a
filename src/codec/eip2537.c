/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `eip2537`: points as Ethereum's precompiles of EIP-2537 take them. Each element of Fp has 64 bytes,
 * big-endian, of which the first 16 are zero; over Fp2 c0 is first. Infinity is all zero bytes.
 */
#include "codec/format.h"

const point_format eip2537_format = {
    .info = FORMAT_READ_WRITE("eip2537",
                              "BLS12-381 as Ethereum's precompiles take it: 64-byte big-endian coordinates"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .encoding = {.width = ELEMENT_OF_64, .big_endian = 1, .zero_is_infinity = 1},
};

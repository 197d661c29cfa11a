/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `eip2537`: points as Ethereum's precompiles of EIP-2537 take them. Each element of Fp is 64
 * bytes, big-endian, of which the first 16 are zero; over Fp2 c0 then c1; infinity is all zero bytes.
 */
#include <string.h>

#include "codec/bytes.h"
#include "codec/format.h"

enum { ELEMENT_BYTES = 64 };

static size_t record_bytes(const sumac_curve_info *info)
{
    return (size_t)2 * info->degree * ELEMENT_BYTES;
}

static int decode_point(uint8_t *raw, const uint8_t *record, const sumac_curve_info *info)
{
    const size_t padding = ELEMENT_BYTES - info->field_bytes;
    for (size_t i = 0; i < 2 * info->degree; i++) {
        if (!all_zero(record + i * ELEMENT_BYTES, padding)) {
            return 0;
        }
        reverse_bytes(raw + i * info->field_bytes, record + i * ELEMENT_BYTES + padding, info->field_bytes);
    }
    return 1;
}

static decode_outcome decode(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                             const convert_ops *convert, sumac_check check)
{
    (void)convert;
    (void)check;
    for (size_t i = 0; i < n; i++) {
        if (!decode_point(raw + i * info->point_bytes, records + i * record_bytes(info), info)) {
            return (decode_outcome){SUMAC_BAD_ENCODING, i,
                                    "has a coordinate whose first 16 bytes are not zero"};
        }
    }
    return (decode_outcome){.status = SUMAC_OK};
}

static void encode(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                   const convert_ops *convert)
{
    const size_t padding = ELEMENT_BYTES - info->field_bytes;
    (void)convert;
    for (size_t i = 0; i < 2 * info->degree; i++) {
        memset(record + i * ELEMENT_BYTES, 0, padding);
        reverse_bytes(record + i * ELEMENT_BYTES + padding, raw + i * info->field_bytes, info->field_bytes);
    }
}

const point_format eip2537_format = {
    .info = FORMAT_READ_WRITE("eip2537",
                              "BLS12-381 as Ethereum's precompiles take it: 64-byte big-endian coordinates"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_RECORDS,
    .record_bytes = record_bytes,
    .decode = decode,
    .encode = encode,
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The format `raw`: points as include/sumac/sumac.h lays them out. */
#include <string.h>

#include "codec/format.h"

static decode_outcome decode(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                             const convert_ops *convert, sumac_check check)
{
    (void)convert;
    (void)check;
    memcpy(raw, records, n * info->point_bytes);
    return (decode_outcome){.status = SUMAC_OK};
}

static void encode(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                   const convert_ops *convert)
{
    (void)convert;
    memcpy(record, raw, info->point_bytes);
}

const point_format raw_format = {
    .info = FORMAT_READ_WRITE("raw", "x then y, little-endian, canonical; infinity is all zero bytes"),
    .holds = holds_every_curve,
    .layout = LAYOUT_RECORDS,
    .record_bytes = raw_point_bytes,
    .decode = decode,
    .encode = encode,
    .is_raw = 1,
    .form = SUMAC_FORM_CANONICAL,
};

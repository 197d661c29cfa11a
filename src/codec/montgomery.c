/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Records as libraries have points in memory: x then y, little-endian, in Montgomery form; infinity is all
 * zero bytes. gnark's dumps, halo2's raw parameters and snarkjs's files consist of them. */
#include "codec/format.h"

static decode_outcome decode(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                             const convert_ops *convert, sumac_check check)
{
    const point_layout layout = {.form = SUMAC_FORM_MONTGOMERY, .stride = info->point_bytes};
    uint64_t point[POINT_MOST_BYTES / 8];
    (void)check;
    for (size_t i = 0; i < n; i++) {
        size_t bad;
        const sumac_status status = convert->import_points(point, records + i * info->point_bytes, 1, &layout,
                                                           SUMAC_CHECK_NONE, &bad);
        if (status != SUMAC_OK) {
            return (decode_outcome){.status = status, .bad = i};
        }
        convert->export_points(raw + i * info->point_bytes, point, 1, SUMAC_FORM_CANONICAL);
    }
    return (decode_outcome){.status = SUMAC_OK};
}

static void encode(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                   const convert_ops *convert)
{
    const point_layout layout = {.form = SUMAC_FORM_CANONICAL, .stride = info->point_bytes};
    uint64_t point[POINT_MOST_BYTES / 8];
    size_t bad;
    (void)convert->import_points(point, raw, 1, &layout, SUMAC_CHECK_NONE, &bad); /* coordinates below p */
    convert->export_points(record, point, 1, SUMAC_FORM_MONTGOMERY);
}

const point_format montgomery_records = {
    .holds = holds_every_curve,
    .layout = LAYOUT_RECORDS,
    .record_bytes = raw_point_bytes,
    .decode = decode,
    .encode = encode,
    .is_raw = 1,
    .form = SUMAC_FORM_MONTGOMERY,
};

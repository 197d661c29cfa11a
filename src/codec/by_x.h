/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoding records that have the x of a point, and which of the two y belongs to it. */
#ifndef SUMAC_CODEC_BY_X_H
#define SUMAC_CODEC_BY_X_H

#include "codec/format.h"

typedef struct compressed_records {
    const uint8_t *records;
    size_t record_bytes;
    /* x of a record to the first half of a raw point, and the side of its y; or infinity, all of it, and
     * LIFT_NONE. What is wrong with the record, or null. */
    const char *(*decode_x)(uint8_t *raw, uint8_t *side, const uint8_t *record, const sumac_curve_info *info);
} compressed_records;

/* Decode records as point_format's decode does. The outcome is that of the first bad record: a record before one that is
 * malformed may have an x without a y. */
decode_outcome decode_by_x(uint8_t *raw, const compressed_records *compressed, size_t n,
                           const sumac_curve_info *info, const convert_ops *convert, sumac_check check);

#endif

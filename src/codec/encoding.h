/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encodings of single points. */
#ifndef SUMAC_CODEC_ENCODING_H
#define SUMAC_CODEC_ENCODING_H

#include "curves/curve_code.h"

/* Records that are decoded at a time at most: what a thread takes. */
#define DECODE_MOST 64

/* How one point is written in a fixed number of bytes. */
typedef struct point_encoding {
    size_t (*bytes)(const sumac_curve_info *info);
    /* n <= DECODE_MOST records to raw canonical points: SUMAC_OK; or with the first bad one's index in *bad
     * SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP and in *problem, where there is more to
     * say than the status does, what is wrong. */
    sumac_status (*decode)(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                           const convert_ops *convert, sumac_check check, size_t *bad, const char **problem);
    /* A raw canonical point to a record. */
    void (*encode)(uint8_t *record, const uint8_t *raw, const sumac_curve_info *info,
                   const convert_ops *convert);
    /* decode does as `check` says; else the caller checks the raw points, their coordinates too. */
    int checks;
    /* Records are those of codec/compressed.h, which a device decodes, too. */
    int is_compressed;
} point_encoding;

/* What decoding n records came to. */
typedef struct decode_outcome {
    sumac_status status;
    size_t bad;          /* the first record that failed */
    const char *problem; /* as point_encoding.decode's */
} decode_outcome;

#endif

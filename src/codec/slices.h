/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoding and encoding many records on the caller's threads, DECODE_MOST at a time. */
#ifndef SUMAC_CODEC_SLICES_H
#define SUMAC_CODEC_SLICES_H

#include "codec/format.h"

struct parallel_team;

typedef struct slices_job {
    const point_format *format; /* of records */
    const sumac_curve_info *info;
    const convert_ops *convert;
    const uint8_t *from; /* records, or to encode raw canonical points */
    uint8_t *to;
    size_t n;
    sumac_check check; /* of points that are decoded */
    /* run(team, count, task, arguments) calls the task for each index < count; thread is unique among the
     * calls that run at the same time. */
    const struct parallel_team *team;
    void (*run)(const struct parallel_team *team, size_t count,
                void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);
    decode_outcome *outcomes; /* slices_count(n) of them */
    /* Memory in which points are checked, DECODE_MOST affine ones for each thread; null: what the format's
     * decode does not check is left to the caller. */
    char *affine;
    size_t affine_bytes; /* of one point */
} slices_job;

size_t slices_count(size_t n);

/* Decode all records. The outcome is that of the first bad one. */
decode_outcome slices_decode(slices_job *job);

/* Encode all points. A raw point whose coordinates are not below p is refused. */
decode_outcome slices_encode(slices_job *job);

#endif

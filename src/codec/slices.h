/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions decode and encode many records on the caller's threads. A thread takes DECODE_MOST records at a
 * time. */
#ifndef SUMAC_CODEC_SLICES_H
#define SUMAC_CODEC_SLICES_H

#include "codec/format.h"

struct parallel_team;

typedef struct slices_job {
    const point_format *format; /* the format of the records */
    const sumac_group *info;
    const convert_ops *convert;
    const uint8_t *from; /* records; for encoding, raw canonical points */
    uint8_t *to;
    size_t n;
    sumac_check check; /* the check of the decoded points */
    /* run(team, count, task, arguments) calls the task for each index < count. `thread` is unique among calls that run
     * at the same time. */
    const struct parallel_team *team;
    void (*run)(const struct parallel_team *team, size_t count,
                void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);
    decode_outcome *outcomes; /* slices_count(n) outcomes */
    /* Points are checked in this memory, which has DECODE_MOST affine points for each thread. If it is null, points are
     * checked only as far as decoding them does that, and the caller does the rest. */
    char *affine;
    size_t affine_bytes; /* the size of one point */
} slices_job;

size_t slices_count(size_t n);

/* Decode all records. The outcome describes the first bad one. */
decode_outcome slices_decode(slices_job *job);

/* Encode all points. If a coordinate of a raw point is not less than p, the point is refused. */
decode_outcome slices_encode(slices_job *job);

#endif

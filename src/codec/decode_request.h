/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A request to an engine to decode many compressed points. */
#ifndef SUMAC_CODEC_DECODE_REQUEST_H
#define SUMAC_CODEC_DECODE_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/sumac.h"

struct parallel_team;

/* Decode compressed points to raw canonical ones. Both are packed and in host memory; records are those of
 * codec/compressed.h. */
typedef struct decode_request {
    const uint8_t *records;
    uint8_t *raw; /* written if all points are good; a device failure may leave it partly written */
    uint64_t n;
    sumac_check check; /* decoding alone ensures that a point is on the curve */
    /* The host's threads, which copy data: pipeline/parallel.h. */
    const struct parallel_team *team;
    void (*parallel)(const struct parallel_team *team, size_t count,
                     void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);
    /* Null, or called after each slice with the number of points decoded so far. If it does not return SUMAC_OK, the
     * work ends and nothing is written. */
    sumac_status (*ask)(void *user, uint64_t decoded);
    void *user;
} decode_request;

#endif

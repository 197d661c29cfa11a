/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A request to an engine to decode many compressed points. */
#ifndef SUMAC_CODEC_DECODE_REQUEST_H
#define SUMAC_CODEC_DECODE_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/sumac.h"

struct parallel_team;

/* Compressed points to raw canonical ones, both in the host's memory, packed; records are those of
 * codec/compressed.h. */
typedef struct decode_request {
    const uint8_t *records;
    uint8_t *raw; /* written when all points are good; after a failure of the device perhaps in part */
    uint64_t n;
    sumac_check check; /* a decoded point is on the curve in any case */
    /* The host's threads, which copy: pipeline/parallel.h. */
    const struct parallel_team *team;
    void (*parallel)(const struct parallel_team *team, size_t count,
                     void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);
    /* Null, or asked after each slice, with the points that are decoded: anything but SUMAC_OK ends the work, with
     * nothing written. */
    sumac_status (*ask)(void *user, uint64_t decoded);
    void *user;
} decode_request;

#endif

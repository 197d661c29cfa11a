/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header declares the request by which an engine decodes many compressed points. */
#ifndef SUMAC_CODEC_DECODE_REQUEST_H
#define SUMAC_CODEC_DECODE_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/sumac.h"

struct parallel_team;

/* An engine decodes `records`, which are points in the form of codec/compressed.h, to raw canonical points. Both are
 * packed and in host memory. */
typedef struct decode_request {
    const uint8_t *records;
    uint8_t *raw; /* written if all points are good; a device failure may leave it partly written */
    uint64_t n;
    sumac_check check; /* decoding alone ensures that a point is on the curve */
    /* The engine copies data by the host's threads, which pipeline/parallel.h describes. */
    const struct parallel_team *team;
    void (*parallel)(const struct parallel_team *team, size_t count,
                     void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments);
    /* If this is not null, it is called after each slice, and gets the number of points that are decoded. If it does
     * not return SUMAC_OK, the work ends and nothing is written. */
    sumac_status (*ask)(void *user, uint64_t decoded);
    void *user;
} decode_request;

#endif

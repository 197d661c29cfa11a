/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The layout of points in the caller's memory. */
#ifndef SUMAC_CODEC_POINT_LAYOUT_H
#define SUMAC_CODEC_POINT_LAYOUT_H

#include <stddef.h>

#include "sumac/sumac.h"

/* Bytes of the largest point, two coordinates in Fp2, raw or affine. */
enum { POINT_MOST_BYTES = 4 * 12 * 8 };

typedef struct point_layout {
    sumac_form form;
    size_t stride; /* bytes from record to record */
    sumac_infinity infinity;
    size_t infinity_offset;
} point_layout;

#endif

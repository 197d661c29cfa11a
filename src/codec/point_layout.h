/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A layout says how points lie in the caller's memory. */
#ifndef SUMAC_CODEC_POINT_LAYOUT_H
#define SUMAC_CODEC_POINT_LAYOUT_H

#include <stddef.h>

#include "sumac/sumac.h"

/* The largest point, raw or affine, has two coordinates in Fp2. */
enum { POINT_MOST_BYTES = 4 * 12 * 8 };

typedef struct point_layout {
    sumac_form form;
    size_t stride; /* the distance between records in bytes */
    sumac_infinity infinity;
    size_t infinity_offset;
} point_layout;

#endif

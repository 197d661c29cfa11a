/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A curve's functions between raw points and affine ones. */
#ifndef SUMAC_CODEC_CONVERT_H
#define SUMAC_CODEC_CONVERT_H

#include "sumac/sumac.h"

/* How points lie in the caller's memory. */
typedef struct point_layout {
    sumac_form form;
    size_t stride; /* bytes from record to record */
    sumac_infinity infinity;
    size_t infinity_offset;
} point_layout;

/* Which root lift_x takes; LIFT_NONE: the point is complete. */
enum { LIFT_SMALLER, LIFT_LARGER, LIFT_NONE };

/* Field elements in and out, checks and square roots: src/cpu/convert.c. Raw points are as sumac.h says. */
typedef struct convert_ops {
    /* n records to affine points. On failure *bad is the index of the first bad record and the status says
     * why: SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP. */
    sumac_status (*import_points)(void *points, const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check, size_t *bad);
    /* n affine points to packed raw records. */
    void (*export_points)(uint8_t *records, const void *points, size_t n, sumac_form form);
    /* Complete n raw canonical points of which only x is set: y = sqrt(x^3 + b), of the two roots the
     * lexicographically larger (comparing the canonical integer; over Fp2 c1 first) or the smaller, as
     * sides[i] says. The points then lie on the curve; in the subgroup too where `check` asks for that. On
     * failure *bad is the index of the first bad one: SUMAC_BAD_ENCODING if x >= p, SUMAC_NOT_ON_CURVE if
     * there is no root, SUMAC_NOT_IN_SUBGROUP. Complete points (LIFT_NONE) are left to the caller. */
    sumac_status (*lift_x)(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check, size_t *bad);
    /* 1 if y of a raw canonical point is the larger of y and -y. */
    int (*y_is_larger)(const uint8_t *raw);
    /* 1 if the affine point has order dividing r, by the curve's fast test; and by multiplication with r. */
    int (*is_in_subgroup)(const void *point);
    int (*is_in_subgroup_by_order)(const void *point);
} convert_ops;

#endif

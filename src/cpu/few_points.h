/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file declares few_points.c, which the avx512 variant has where lanes test for the subgroup (lanes/subgroup.h). */
#ifndef SUMAC_CPU_FEW_POINTS_H
#define SUMAC_CPU_FEW_POINTS_H

#include "math/curve.h"
#include "math/point.h"
#include "math/variant.h"

#define FEW_POINTS 8

/* *contained becomes the mask of those of 0 < n <= FEW_POINTS points that are in the subgroup or infinity. Return 0 if
 * memory is short or scalar code must do it. */
int SUMAC_SYMBOL(few_in_subgroup)(uint32_t *contained, const affine *points, size_t n);

/* These are compiled if SUMAC_ONE_POINT_LANES is defined. The first one does as subgroup_contains(). The second one sets y to a root
 * of x^3 + b, and *contained to 1 if (x, y) is in the subgroup, otherwise to 0; it returns 0 if there is no root. No point is
 * infinity. */
int SUMAC_SYMBOL(one_in_subgroup)(const affine *point);
int SUMAC_SYMBOL(one_lift)(fe *y, int *contained, const fe *x);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The subgroup's test of math/subgroup.h for sixteen points at a time: k*P = image of P, for curves with such
 * a test. In points of the subgroup the chain of doublings and additions meets no exception. In others it
 * may: an addition then leaves all sixteen to scalar code, and a doubling of a point of order 2 makes Z = 0,
 * from where Z stays 0, which no point of the subgroup has at the end.
 */
#ifndef SUMAC_AVX512_SUBGROUP_LANES_H
#define SUMAC_AVX512_SUBGROUP_LANES_H

#include "avx512/point_lanes.h"
#include "math/subgroup.h"

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI || CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI
#define SUMAC_SUBGROUP_LANES

/* Sixteen stored points as x and 2y with the factor S, below 2; returns the lanes of infinity. */
SUMAC_LONG_FN uint32_t subgroup_load(fev *x, fev *t, const affine *const points[FPV_LANES],
                                     const lanes_numbers *numbers)
{
    affine_lanes loaded;
    lanes_load(&loaded, points, 0);
    const uint32_t infinite = affine_lanes_infinite(&loaded);
    fev_mul_reduced(x, &loaded.x, &numbers->factor);
    fev_times_operand(&loaded.y, &loaded.y, 2);
    fev_mul_reduced(t, &loaded.y, &numbers->factor);
    return infinite;
}

/* The lanes in which a*b/S = c. In: as of fev_mul; c below 2. */
SUMAC_LONG_FN uint32_t subgroup_equal_lanes(const fev *a, const fev *b, const fev *c)
{
    fev difference;
    fev_mul_less(&difference, a, b, c, FE_DEGREE == 2 ? 4 : 3);
    fev_canonical(&difference, &difference);
    return fev_zero_lanes(&difference);
}

/* *contained becomes the lanes whose points are in the subgroup, infinity among them. 0 where that is left to
 * scalar code. */
SUMAC_BIG_FN int subgroup_lanes(uint32_t *contained, const affine *const points[FPV_LANES],
                                const lanes_numbers *numbers)
{
    signed char digits[SUBGROUP_DIGITS];
    affine images[FPV_LANES];
    const affine *image_places[FPV_LANES];
    fev x, t, minus_t, image_x, image_t, power, ratio;
    jacobian_lanes sum;
    const uint32_t infinite = subgroup_load(&x, &t, points, numbers);
    fev_copy(&minus_t, &t);
    fev_negate_lanes_operand(&minus_t, ALL_LANES);
    fev_copy(&sum.x, &x);
    fev_copy(&sum.t, &t);
    fev_copy(&sum.z, &numbers->one);
    sum.infinite = infinite;
    for (uint32_t i = subgroup_scalar_digits(digits) - 1; i-- > 0;) {
        jacobian_lanes_double(&sum);
        if (digits[i] != 0 &&
            !jacobian_lanes_add(&sum, &x, digits[i] > 0 ? &t : &minus_t, infinite, &numbers->one, &ratio)) {
            return 0;
        }
    }
    for (int lane = 0; lane < FPV_LANES; lane++) {
        subgroup_image(&images[lane], points[lane]);
        image_places[lane] = &images[lane];
    }
    (void)subgroup_load(&image_x, &image_t, image_places, numbers);
    fev_sqr(&power, &sum.z);
    const uint32_t same_x = subgroup_equal_lanes(&image_x, &power, &sum.x);
    fev_mul(&power, &power, &sum.z);
    const uint32_t same_t = subgroup_equal_lanes(&image_t, &power, &sum.t);
    fev_mul_reduced(&power, &sum.z, &numbers->stored_one);
    fev_canonical(&power, &power);
    *contained = (same_x & same_t & ~fev_zero_lanes(&power) & ALL_LANES) | infinite;
    return 1;
}

#endif

#endif

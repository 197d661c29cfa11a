/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file does the subgroup test of math/subgroup.h, k*P = image of P, for sixteen points at a time, on curves with
 * such a test. For points of the subgroup the chain of doublings and additions meets no exception. For other points it
 * may meet one. If an addition does, scalar code does all sixteen points. A doubling of a point of order 2 gives Z = 0,
 * which stays 0, whereas a point of the subgroup never ends with Z = 0.
 *
 * phi(P) = lambda*P is tested as (lambda + 1)*P = -phi^2(P), which is the same as phi^2 + phi + 1 = 0; and lambda + 1 is
 * the square of CURVE_SUBGROUP_ROOT, so the test multiplies twice by that, which has few digits that are not 0. The
 * second multiplication begins with a point Q whose Z is not 1. On y^2 = x^3 + b*Z^6, which is isomorphic to the curve
 * and whose b no formula reads, Q is the affine (X, Y), so that additions cost the same in both. With
 * CURVE_SUBGROUP_PSI_SUM the only multiplication begins with such a point.
 */
#ifndef SUMAC_LANES_SUBGROUP_H
#define SUMAC_LANES_SUBGROUP_H

#include "lanes/jacobian.h"
#include "math/subgroup.h"

#if SUBGROUP_HAS_SCALAR
#define SUMAC_SUBGROUP_LANES
#if FE_DEGREE == 1 || FP2_BETA == 1
#define SUMAC_ONE_POINT_LANES /* one point has one_point.h */
#endif

/* These are constants and scratch memory for testing points. They are too large for a thread's stack. The constants are
 * computed once for many points. */
typedef struct {
    lanes_numbers numbers;
    jacobian_lanes sum;
    fev x, t[2], z, ratio;
    fev point_x, point_t;
} subgroup_lanes_scratch;

/* Load sixteen stored points as x and 2y with the factor S, below 2; return the lanes that are infinity. */
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

/* scratch->sum = k*sum for points (x, t) with Z = 1, or the negative of that; then *negative changes from 0 to 1 or back.
 * Returns 0 if scalar code must do it. */
SUMAC_LONG_FN int subgroup_lanes_multiply(subgroup_lanes_scratch *scratch, const uint64_t k[2], int *negative)
{
    signed char digits[SUBGROUP_DIGITS];
    jacobian_lanes *const sum = &scratch->sum;
    fev *const x = &scratch->x, *const t = scratch->t; /* t and -t */
    uint32_t doublings = 0;
    int is_minus = 0; /* 1: sum is the negative of the value by the digits so far */
    fev_copy(x, &sum->x);
    fev_copy(&t[0], &sum->t);
    fev_copy(&t[1], &sum->t);
    fev_negate_lanes_operand(&t[1], ALL_LANES);
    for (uint32_t i = subgroup_scalar_digits(digits, k) - 1; i-- > 0;) {
        doublings++;
        if (digits[i] != 0 || i == 0) {
            is_minus ^= jacobian_lanes_double_times(sum, doublings);
            doublings = 0;
        }
        if (digits[i] != 0 && !jacobian_lanes_add(sum, x, &t[is_minus ^ (digits[i] < 0)], sum->infinite,
                                                  &scratch->numbers.one, &scratch->ratio)) {
            return 0;
        }
    }
    *negative ^= is_minus;
    return 1;
}

#if SUBGROUP_HAS_PSI

/* Load sixteen stored points, one for each lane. */
SUMAC_FN void subgroup_load_images(fev *x, fev *t, const affine images[FPV_LANES],
                                   const lanes_numbers *numbers)
{
    const affine *pointers[FPV_LANES];
    for (int lane = 0; lane < FPV_LANES; lane++) {
        pointers[lane] = &images[lane];
    }
    (void)subgroup_load(x, t, pointers, numbers);
}

#endif

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM

/* From sum = P = (x, t), and the same points stored, to the sum of math/subgroup.h that is multiplied, with its Z. Returns
 * 0 if scalar code has to do it. */
SUMAC_LONG_FN int subgroup_lanes_begin(subgroup_lanes_scratch *scratch, const fev *x, const fev *t,
                                       const affine *const points[FPV_LANES])
{
    affine images[3][FPV_LANES];
    jacobian_lanes *const sum = &scratch->sum;
    fev *const image_x = &scratch->x, *const image_t = &scratch->t[0];
    const fev *const one = &scratch->numbers.one;
    for (int lane = 0; lane < FPV_LANES; lane++) {
        affine powers[3];
        subgroup_psi_powers(powers, points[lane]);
        for (int i = 0; i < 3; i++) {
            images[i][lane] = powers[i];
        }
    }
    subgroup_load_images(&sum->x, &sum->t, images[0], &scratch->numbers);
    fev_copy(&sum->z, one);
    jacobian_lanes_double(sum);
    for (int i = 1; i < 3; i++) {
        subgroup_load_images(image_x, image_t, images[i], &scratch->numbers);
        if (!jacobian_lanes_add(sum, image_x, image_t, sum->infinite, one, &scratch->ratio)) {
            return 0;
        }
    }
    return jacobian_lanes_add(sum, x, t, sum->infinite, one, &scratch->ratio);
}

#else

/* Here the multiplied point is P itself. */
SUMAC_FN int subgroup_lanes_begin(subgroup_lanes_scratch *scratch, const fev *x, const fev *t,
                                  const affine *const points[FPV_LANES])
{
    (void)points;
    fev_copy(&scratch->sum.x, x);
    fev_copy(&scratch->sum.t, t);
    fev_copy(&scratch->sum.z, &scratch->numbers.one);
    return 1;
}

#endif

/* Compute the endomorphism's image of P = (x, t), which for P in the subgroup is k*P, or k*k*P, or k times the sum of
 * math/subgroup.h. x and t are as subgroup_load() gives them, or operands below 4. */
SUMAC_LONG_FN void subgroup_lanes_endomorphism(fev *endomorphism_x, fev *endomorphism_t, const fev *x,
                                               const fev *t, const affine *const points[FPV_LANES],
                                               const lanes_numbers *numbers)
{
#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI
    /* -phi^2(x, y) = (beta^2*x, -y), beta^2 = -1 - beta */
    (void)points;
    fev_mul_reduced(endomorphism_x, x, &numbers->beta);
    for (int part = 0; part < FE_DEGREE; part++) {
        fpv_add_operand(&endomorphism_x->c[part], &endomorphism_x->c[part], &x->c[part]);
    }
    fev_settle(endomorphism_x, endomorphism_x);
    fev_linear(endomorphism_x, endomorphism_x, -1, 2);
    fev_linear(endomorphism_t, t, -1, 2);
#elif CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI_SUM
    /* -P */
    (void)points;
    (void)numbers;
    fev_copy(endomorphism_x, x);
    fev_linear(endomorphism_t, t, -1, 2);
#else
    affine images[FPV_LANES];
    (void)x;
    (void)t;
    for (int lane = 0; lane < FPV_LANES; lane++) {
        subgroup_endomorphism(&images[lane], points[lane]);
    }
    subgroup_load_images(endomorphism_x, endomorphism_t, images, numbers);
#endif
}

/* *contained becomes the lanes whose points (x, t), as subgroup_load() gives them, are in the subgroup, and those that are
 * infinite. `points` are the same points, stored; with CURVE_SUBGROUP_PHI they are not read. Returns 0 if scalar code has to
 * do it. */
SUMAC_BIG_FN int subgroup_lanes_loaded(uint32_t *contained, const fev *x, const fev *t, uint32_t infinite,
                                       const affine *const points[FPV_LANES], subgroup_lanes_scratch *scratch)
{
    const lanes_numbers *const numbers = &scratch->numbers;
    jacobian_lanes *const sum = &scratch->sum;
    fev *const z = &scratch->z;
    /* The multiplication no longer needs its points: their memory is used again. */
    fev *const endomorphism_x = &scratch->x, *const endomorphism_t = &scratch->t[0],
               *const power = &scratch->t[1];
    int negative = 0;
    sum->infinite = infinite;
    if (!subgroup_lanes_begin(scratch, x, t, points)) {
        return 0;
    }
    fev_copy(z, &sum->z);
    for (int pass = 0; pass < SUBGROUP_PASSES; pass++) {
        fev_copy(&sum->z, &numbers->one);
        if (!subgroup_lanes_multiply(scratch, subgroup_scalar, &negative)) {
            return 0;
        }
        fev_mul(z, z, &sum->z);
    }
    subgroup_lanes_endomorphism(endomorphism_x, endomorphism_t, x, t, points, numbers);
    if (negative) {
        fev_linear(endomorphism_t, endomorphism_t, -1, 2);
    }
    fev_sqr(power, z);
    const uint32_t same_x = fev_product_equal_lanes(endomorphism_x, power, &sum->x);
    fev_mul(power, power, z);
    const uint32_t same_t = fev_product_equal_lanes(endomorphism_t, power, &sum->t);
    fev_mul_reduced(power, z, &numbers->stored_one);
    fev_canonical(power, power);
    *contained = (same_x & same_t & ~fev_zero_lanes(power) & ALL_LANES) | infinite;
    return 1;
}

/* Do as subgroup_lanes_loaded() for stored points. */
SUMAC_BIG_FN int subgroup_lanes(uint32_t *contained, const affine *const points[FPV_LANES],
                                subgroup_lanes_scratch *scratch)
{
    fev *const x = &scratch->point_x, *const t = &scratch->point_t;
    const uint32_t infinite = subgroup_load(x, t, points, &scratch->numbers);
    return subgroup_lanes_loaded(contained, x, t, infinite, points, scratch);
}

#endif

#endif

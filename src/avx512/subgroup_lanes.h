/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The subgroup's test of math/subgroup.h for sixteen points at a time: k*P = image of P, for curves with such
 * a test. In points of the subgroup the chain of doublings and additions meets no exception. In others it
 * may: an addition then leaves all sixteen to scalar code, and a doubling of a point of order 2 makes Z = 0,
 * from where Z stays 0, which no point of the subgroup has at the end.
 *
 * phi(P) = lambda*P is tested as (lambda + 1)*P = -phi^2(P), which is the same as phi^2 + phi + 1 = 0; and
 * lambda + 1 is the square of CURVE_SUBGROUP_ROOT, whose few digits that are not 0 are gone through twice.
 * The second time begins with a point Q that has a Z. On y^2 = x^3 + b*Z^6, which is isomorphic to the curve
 * and whose b no formula reads, Q is the affine (X, Y), so that additions cost as much as they do the first
 * time.
 */
#ifndef SUMAC_AVX512_SUBGROUP_LANES_H
#define SUMAC_AVX512_SUBGROUP_LANES_H

#include "avx512/jacobian_lanes.h"
#include "math/subgroup.h"

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI || CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PSI
#define SUMAC_SUBGROUP_LANES

/* What points are tested with and in, too much for a thread's stack; the numbers are made once for many
 * points. */
typedef struct {
    lanes_numbers numbers;
    jacobian_lanes sum;
    fev x, t[2], z, ratio;
    fev point_x, point_t;
} subgroup_lanes_scratch;

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

#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI
SUMAC_CONST uint64_t subgroup_lanes_scalar[2] = CURVE_SUBGROUP_ROOT;
#define SUBGROUP_LANES_PASSES 2
#else
SUMAC_CONST uint64_t subgroup_lanes_scalar[2] = CURVE_SUBGROUP_SCALAR;
#define SUBGROUP_LANES_PASSES 1
#endif

/* scratch->sum = k*sum for k = subgroup_lanes_scalar and points (x, t) with Z = 1; or its negative, and then
 * *negative is the other of 0 and 1. 0 where that is left to scalar code. */
SUMAC_LONG_FN int subgroup_lanes_multiply(subgroup_lanes_scratch *scratch, int *negative)
{
    signed char digits[SUBGROUP_DIGITS];
    jacobian_lanes *const sum = &scratch->sum;
    fev *const x = &scratch->x, *const t = scratch->t; /* t and -t */
    uint32_t doublings = 0;
    int is_minus = 0; /* sum is the negative of what the digits say */
    fev_copy(x, &sum->x);
    fev_copy(&t[0], &sum->t);
    fev_copy(&t[1], &sum->t);
    fev_negate_lanes_operand(&t[1], ALL_LANES);
    for (uint32_t i = subgroup_scalar_digits(digits, subgroup_lanes_scalar) - 1; i-- > 0;) {
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

/* What k*P, or k*k*P, is for P = (x, t) of the subgroup: x and t as of subgroup_load, or operands below 4. */
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
#else
    affine images[FPV_LANES];
    const affine *endomorphism_offsets[FPV_LANES];
    (void)x;
    (void)t;
    for (int lane = 0; lane < FPV_LANES; lane++) {
        subgroup_endomorphism(&images[lane], points[lane]);
        endomorphism_offsets[lane] = &images[lane];
    }
    (void)subgroup_load(endomorphism_x, endomorphism_t, endomorphism_offsets, numbers);
#endif
}

/* *contained becomes the lanes whose points (x, t), as of subgroup_load, are in the subgroup, and those that
 * are infinite. `points` are the same, stored; with CURVE_SUBGROUP_PHI they are not looked at. 0 where that
 * is left to scalar code. */
SUMAC_BIG_FN int subgroup_lanes_loaded(uint32_t *contained, const fev *x, const fev *t, uint32_t infinite,
                                       const affine *const points[FPV_LANES], subgroup_lanes_scratch *scratch)
{
    const lanes_numbers *const numbers = &scratch->numbers;
    jacobian_lanes *const sum = &scratch->sum;
    fev *const z = &scratch->z;
    /* Where the multiplication had the points. */
    fev *const endomorphism_x = &scratch->x, *const endomorphism_t = &scratch->t[0],
               *const power = &scratch->t[1];
    int negative = 0;
    sum->infinite = infinite;
    fev_copy(&sum->x, x);
    fev_copy(&sum->t, t);
    fev_copy(z, &numbers->one);
    for (int pass = 0; pass < SUBGROUP_LANES_PASSES; pass++) {
        fev_copy(&sum->z, &numbers->one);
        if (!subgroup_lanes_multiply(scratch, &negative)) {
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

/* The same for stored points. */
SUMAC_BIG_FN int subgroup_lanes(uint32_t *contained, const affine *const points[FPV_LANES],
                                subgroup_lanes_scratch *scratch)
{
    fev *const x = &scratch->point_x, *const t = &scratch->point_t;
    const uint32_t infinite = subgroup_load(x, t, points, &scratch->numbers);
    return subgroup_lanes_loaded(contained, x, t, infinite, points, scratch);
}

#endif

#endif

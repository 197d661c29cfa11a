/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * If p = 3 mod 4, this file computes sixteen points at a time from their x: a root of a = x^3 + b is a^((p + 1)/4), by
 * sliding windows of five bits. Coordinates have the factor S, as in jacobian.h; input and output are integers.
 */
#ifndef SUMAC_LANES_SQRT_H
#define SUMAC_LANES_SQRT_H

#include "lanes/fev_formulas.h"
#include "math/sqrt.h"

#if FE_DEGREE == 1 && FP_TWO_ADICITY == 1
#define SUMAC_SQRT_LANES

#define SQRT_WINDOW 5
#define SQRT_POWERS (1 << (SQRT_WINDOW - 1)) /* the number of odd powers */

/* These are constants and scratch memory for lifting points. They are too large for a thread's stack. The constants are
 * computed once for many points. */
typedef struct {
    fev integer; /* S^2: an integer times this, over S, is the integer with the factor S */
    fev unit;    /* 1: a number with the factor S times this, over S, is an integer */
    fev b;
    fev powers[SQRT_POWERS]; /* powers[i] = a^(2*i + 1) */
} sqrt_lanes_scratch;

/* r = a^((p - 3)/4), whose exponent is fp_sqrt_exponent. In: an operand. `powers` becomes the odd powers of a. */
SUMAC_BIG_FN void sqrt_lanes_power(fev *r, const fev *a, fev powers[SQRT_POWERS])
{
    fev square;
    int position = 64 * FP_LIMBS - 1;
    int begun = 0;
    fev_copy(&powers[0], a);
    fev_sqr(&square, a);
    for (int i = 1; i < SQRT_POWERS; i++) {
        fev_mul(&powers[i], &powers[i - 1], &square);
    }
    while (position >= 0) {
        int end = position - SQRT_WINDOW + 1; /* the window's lowest bit */
        uint32_t window = 0;
        if (!fp_sqrt_exponent_bit(position)) {
            end = position;
        } else {
            while (!fp_sqrt_exponent_bit(end)) {
                end++;
            }
        }
        for (; position >= end; position--) {
            window = window << 1 | fp_sqrt_exponent_bit(position);
            if (begun) {
                fev_sqr(r, r);
            }
        }
        if (window != 0 && begun) {
            fev_mul(r, r, &powers[window >> 1]);
        } else if (window != 0) {
            fev_copy(r, &powers[window >> 1]);
            begun = 1;
        }
    }
}

SUMAC_FN void sqrt_lanes_numbers_make(sqrt_lanes_scratch *r)
{
    fev factor;
    fe unit;
    fe_set_zero(&unit);
    unit.l[0] = 1;
    fev_broadcast(&r->unit, &unit);
    lanes_one_doubled(&r->integer, 64 * FP_LIMBS + 4 * SLOPE_SHIFT); /* R*R*(S/R)^2 */
    lanes_constant(&factor, 2);
    fev_broadcast(&r->b, &curve_b);
    fev_mul_reduced(&r->b, &r->b, &factor);
}

/* Lift points: points[i].x are integers below p, and points[i].y become one of the two y, as integers. x and t = 2*y
 * become the same with the factor S, below 2. Returns the lanes in which the curve has such a point; in the others y and
 * t are undefined. */
SUMAC_BIG_FN uint32_t sqrt_lanes_lift(affine points[FPV_LANES], fev *x, fev *t, sqrt_lanes_scratch *scratch)
{
    fev a, y;
    affine_lanes loaded;
    const affine *pointers[FPV_LANES];
    uint64_t limbs[FP_LIMBS][FPV_LANES];
    for (int lane = 0; lane < FPV_LANES; lane++) {
        pointers[lane] = &points[lane];
    }
    lanes_load(&loaded, pointers, 0);
    fev_mul_reduced(x, &loaded.x, &scratch->integer);
    fev_sqr(&a, x);
    fev_mul_reduced(&a, &a, x);
    fev_add_operand(&a, &a, &scratch->b);
    fev_settle(&a, &a);
    sqrt_lanes_power(&y, &a, scratch->powers);
    fev_mul_reduced(&y, &y, &a);
    const uint32_t lifted = fev_product_equal_lanes(&y, &y, &a);
    fev_linear(t, &y, 2, 0);
    fev_settle(t, t);
    fev_mul_reduced(&y, &y, &scratch->unit);
    fev_canonical(&y, &y);
    lanes_to_limbs(limbs, &y);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        lane_coordinate(&points[lane].y, limbs, lane);
    }
    return lifted;
}

#endif

#endif

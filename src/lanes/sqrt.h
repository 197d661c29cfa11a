/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * If p = 3 mod 4 and, over Fp2, u^2 = -1, this file computes roots in lanes, and sixteen points at a time from their x. A
 * root in Fp takes one power, to (p - 3)/4 by sliding windows of five bits, and one in Fp2 takes two. Coordinates have the
 * factor S, as in jacobian.h; input and output of points are integers.
 */
#ifndef SUMAC_LANES_SQRT_H
#define SUMAC_LANES_SQRT_H

#include "lanes/fev_formulas.h"
#include "math/sqrt.h"

#if FP_TWO_ADICITY == 1 && (FE_DEGREE == 1 || FP2_BETA == 1)
#define SUMAC_SQRT_LANES

#define SQRT_WINDOW 5
#define SQRT_POWERS (1 << (SQRT_WINDOW - 1)) /* the number of odd powers */

/* This is scratch memory for a power: powers[i] = a^(2*i + 1). It is too large for a thread's stack. */
typedef struct {
    fpv powers[SQRT_POWERS];
} sqrt_lanes_scratch;

/* These constants for lifting points are computed once for many points. */
typedef struct {
    fev integer; /* S^2: an integer times this, over S, is the integer with the factor S */
    fev half;    /* 1/2: 2*y with the factor S times this, over S, is the integer y */
    fev b;
    sqrt_lanes_scratch power;
} lift_lanes_scratch;

/* r = a*b/S and a^2/S in Fp, below 3. In: operands whose bounds multiply to at most 16, and over Fp2 to at most 64. */
SUMAC_BIG_FN void sqrt_lanes_mul(fpv *r, const fpv *a, const fpv *b)
{
    const fpv_ending ending = {0, NULL, 0};
    fpv_mul_ending(r, a, b, ending);
}

SUMAC_BIG_FN void sqrt_lanes_sqr(fpv *r, const fpv *a)
{
    const fpv_ending ending = {0, NULL, 0};
    fpv_sqr_ending(r, a, ending);
}

/* r = a*b/S, below 2. In: as sqrt_lanes_mul(). */
SUMAC_BIG_FN void sqrt_lanes_mul_reduced(fpv *r, const fpv *a, const fpv *b)
{
    const fpv_ending ending = {0, NULL, 1};
    fpv_mul_ending(r, a, b, ending);
}

/* Return the lanes in which a^2/S = b. In: an operand a below 4; b below 2. */
SUMAC_BIG_FN uint32_t sqrt_lanes_is_square_of(const fpv *b, const fpv *a)
{
    fpv difference;
    const fpv_ending ending = {0, b, 3};
    fpv_sqr_ending(&difference, a, ending);
    fpv_canonical(&difference, &difference);
    return fpv_zero_lanes(&difference);
}

/* r = factor*a + offset*p, below 2. In: as fpv_linear(), with a result below 7. */
SUMAC_FN void sqrt_lanes_linear(fpv *r, const fpv *a, int factor, unsigned offset)
{
    fpv_linear(r, a, factor, offset);
    fpv_settle(r, r);
}

/* r = a^((p - 3)/4), whose exponent is fp_sqrt_exponent, below 3. In: an operand below 4, or over Fp2 below 8. */
SUMAC_BIG_FN void sqrt_lanes_power(fpv *r, const fpv *a, sqrt_lanes_scratch *scratch)
{
    fpv *const powers = scratch->powers;
    fpv square;
    int position = 64 * FP_LIMBS - 1;
    int begun = 0;
    fpv_copy(&powers[0], a);
    sqrt_lanes_sqr(&square, a);
    for (int i = 1; i < SQRT_POWERS; i++) {
        sqrt_lanes_mul(&powers[i], &powers[i - 1], &square);
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
                sqrt_lanes_sqr(r, r);
            }
        }
        if (window != 0 && begun) {
            sqrt_lanes_mul(r, r, &powers[window >> 1]);
        } else if (window != 0) {
            fpv_copy(r, &powers[window >> 1]);
            begun = 1;
        }
    }
}

#if FE_DEGREE == 2

/* norm = the norm of a, below 2. In: an operand below 4. */
SUMAC_FN void fev_norm(fpv *norm, const fev *a)
{
    fpv square;
    sqrt_lanes_sqr(norm, &a->c[0]);
    sqrt_lanes_sqr(&square, &a->c[1]);
    fpv_add_operand(norm, norm, &square);
    fpv_settle(norm, norm);
}

/*
 * Set t to twice a root of a, below 2, where n is a root of the norm of a. If the norm or a has no root, t is undefined.
 * In: a and n below 2; t is not a.
 *
 * This is fp2_sqrt_by_norm() with H = 4*h = 2*(a0 + n), e = H^((p - 3)/4) and s = e*H. If h is a square, s^2 = H and
 * 1/s = e, and twice the root is s + 2*a1*e*u. Otherwise s^2 = -H, and it is -2*a1*e + s*u.
 */
SUMAC_BIG_FN void sqrt_lanes_by_norm(fev *t, const fev *a, const fpv *n, sqrt_lanes_scratch *scratch)
{
    fpv h, e, other, negative;
    fpv_add_operand(&h, &a->c[0], n);
    fpv_settle(&h, &h);
    fpv_canonical(&e, &h);
    sqrt_lanes_linear(&other, &a->c[0], 2, 0);
    fpv_cmov(&h, &other, fpv_zero_lanes(&e)); /* n = -a0 and a1 = 0; take the other root of the norm */
    sqrt_lanes_linear(&h, &h, 2, 0);
    sqrt_lanes_power(&e, &h, scratch);
    sqrt_lanes_mul_reduced(&t->c[0], &e, &h);
    const uint32_t others = ~sqrt_lanes_is_square_of(&h, &t->c[0]);
    sqrt_lanes_mul_reduced(&other, &e, &a->c[1]);
    sqrt_lanes_linear(&negative, &other, -2, 4);
    sqrt_lanes_linear(&other, &other, 2, 0);
    fpv_copy(&t->c[1], &other);
    fpv_cmov(&t->c[1], &t->c[0], others);
    fpv_cmov(&t->c[0], &negative, others);
}

#endif

/* Set t to twice a root of a, below 2, and return the lanes in which a has a root; in the others t is undefined. In: a
 * below 2; t is not a. */
SUMAC_BIG_FN uint32_t sqrt_lanes(fev *t, const fev *a, sqrt_lanes_scratch *scratch)
{
#if FE_DEGREE == 2
    fpv norm, root;
    fev four;
    fev_norm(&norm, a);
    sqrt_lanes_power(&root, &norm, scratch);
    sqrt_lanes_mul_reduced(&root, &root, &norm);
    sqrt_lanes_by_norm(t, a, &root, scratch);
    fev_linear(&four, a, 2, 0);
    fev_settle(&four, &four);
    fev_linear(&four, &four, 2, 0);
    fev_settle(&four, &four);
    return fev_product_equal_lanes(t, t, &four);
#else
    fpv *const root = &t->c[0];
    sqrt_lanes_power(root, &a->c[0], scratch);
    sqrt_lanes_mul_reduced(root, root, &a->c[0]);
    const uint32_t found = sqrt_lanes_is_square_of(&a->c[0], root);
    sqrt_lanes_linear(root, root, 2, 0);
    return found;
#endif
}

/* r = 1/2 mod p, in all lanes. 2*y with the factor S times this, over S, is the integer y. */
SUMAC_FN void lanes_integer_half(fev *r)
{
    fe half;
    fe_set_one(&half);
    fe_halve(&half, &half);
    fp_from_mont((fp *)(void *)&half, (const fp *)(const void *)&half); /* over Fp2 this is c0; c1 is 0 */
    fev_broadcast(r, &half);
}

/* ---- points from their x ---- */

SUMAC_FN void lift_lanes_numbers_make(lift_lanes_scratch *r)
{
    fev factor;
    lanes_integer_half(&r->half);
    lanes_one_doubled(&r->integer, 64 * FP_LIMBS + 4 * SLOPE_SHIFT); /* R*R*(S/R)^2 */
    lanes_constant(&factor, 2);
    fev_broadcast(&r->b, &curve_b);
    fev_mul_reduced(&r->b, &r->b, &factor);
}

/* Lift points: points[i].x are integers below p, and points[i].y become one of the two y, as integers. x and t = 2*y
 * become the same with the factor S, below 2. Returns the lanes in which the curve has such a point; in the others y and
 * t are undefined. */
SUMAC_BIG_FN uint32_t lift_lanes(affine points[FPV_LANES], fev *x, fev *t, lift_lanes_scratch *scratch)
{
    fev a;
    affine_lanes loaded;
    const affine *pointers[FPV_LANES];
    uint64_t limbs[FE_DEGREE * FP_LIMBS][FPV_LANES];
    for (int lane = 0; lane < FPV_LANES; lane++) {
        pointers[lane] = &points[lane];
    }
    lanes_load(&loaded, pointers, 0);
    fev_mul_reduced(x, &loaded.x, &scratch->integer);
    fev_sqr(&a, x);
    fev_mul_reduced(&a, &a, x);
    fev_add_operand(&a, &a, &scratch->b);
    fev_settle(&a, &a);
    const uint32_t lifted = sqrt_lanes(t, &a, &scratch->power);
    fev_mul_reduced(&a, t, &scratch->half);
    fev_canonical(&a, &a);
    lanes_to_limbs(limbs, &a);
    for (int lane = 0; lane < FPV_LANES; lane++) {
        lane_coordinate(&points[lane].y, limbs, lane);
    }
    return lifted;
}

#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file multiplies sixteen points at a time, each by a separate scalar, and computes sixteen butterflies.
 * Coordinates have the factor S as in jacobian.h, whose formulas the chains use.
 *
 * The table of a point has Z = 1 without an inversion. The reason is that y^2 = x^3 + b*z^6 is isomorphic to the curve,
 * that no formula reads its b, and that on it the Jacobian point (X, Y, z) is the affine point (X, Y). Multiples 1 .. 8
 * are computed on that curve, and scaled to the Z of the last one. The Z of the result is multiplied by that Z and by
 * z.
 *
 * If points to be added may be equal or opposite, scalar code does all sixteen. A scalar's chain hardly ever meets such
 * points in a group of large order (docs/internals/transforms.md); in butterflies that depends on the input.
 */
#ifndef SUMAC_LANES_MULTIPLES_H
#define SUMAC_LANES_MULTIPLES_H

#include "lanes/jacobian.h"
#include "vector/point_digits.h"

/* The table has POINT_DIGIT_MOST multiples of sixteen points, with one Z for each lane; the images have the same T. */
typedef struct {
    fev x[POINT_DIGIT_HALVES][POINT_DIGIT_MOST];
    fev t[POINT_DIGIT_MOST];
} multiples_lanes;

/* This is scratch memory for multiples of sixteen points. It is too large for a thread's stack. */
typedef struct {
    multiples_lanes table;
    fev ratios[POINT_DIGIT_MOST]; /* ratios[m]: the Z of entry m over that of entry m - 1 */
    fev x, t, z;                  /* the points, and Z of their multiples */
    fev step_x, step_t;           /* the addend of an addition */
    jacobian_lanes sum;
} multiples_scratch;

/*
 * Set scratch->table to multiples 1, 2, 3 .. of scratch->x and t, below 2, or to 1, 3, 5 .. if `odd`, and scratch->z to
 * their Z. Returns 0 if two multiples may have the same x in a lane outside of `infinite`; the lanes of `infinite` have
 * no point. The odd multiples are sums with 2P, computed on the curve on which 2P has Z = 1.
 */
SUMAC_LONG_FN int multiples_lanes_make(multiples_scratch *scratch, int odd, uint32_t infinite,
                                       const lanes_numbers *numbers)
{
    multiples_lanes *const table = &scratch->table;
    fev *const ratios = scratch->ratios, *const z = &scratch->z;
    fev *const step_x = &scratch->step_x, *const step_t = &scratch->step_t;
    const fev *const x = &scratch->x, *const t = &scratch->t;
    jacobian_lanes *const sum = &scratch->sum;
    fev ratio, power;
    fev_copy(&sum->x, x);
    fev_copy(&sum->t, t);
    fev_copy(&sum->z, &numbers->one);
    sum->infinite = infinite;
    jacobian_lanes_double(sum);
    fev_copy(&table->x[0][0], x);
    fev_copy(&table->t[0], t);
    fev_copy(z, &numbers->one);
    if (odd) {
        fev_copy(z, &sum->z);
        fev_sqr(&power, z);
        fev_mul_reduced(&table->x[0][0], x, &power);
        fev_mul(&power, &power, z);
        fev_mul_reduced(&table->t[0], t, &power);
        fev_copy(step_x, &sum->x);
        fev_copy(step_t, &sum->t);
        fev_copy(&sum->x, &table->x[0][0]);
        fev_copy(&sum->t, &table->t[0]);
        fev_copy(&sum->z, &numbers->one);
    } else {
        fev_copy(step_x, x);
        fev_copy(step_t, t);
        fev_copy(&ratios[1], t); /* the Z of 2P */
    }
    for (int m = 1; m < POINT_DIGIT_MOST; m++) {
        if ((odd || m > 1) && !jacobian_lanes_add(sum, step_x, step_t, infinite, &numbers->one, &ratios[m])) {
            return 0;
        }
        fev_copy(&table->x[0][m], &sum->x);
        fev_copy(&table->t[m], &sum->t);
    }
    fev_mul(z, z, &sum->z);
    fev_copy(&ratio, &ratios[POINT_DIGIT_MOST - 1]);
    for (int m = POINT_DIGIT_MOST - 1; m-- > 0;) {
        fev_sqr(&power, &ratio);
        fev_mul_reduced(&table->x[0][m], &table->x[0][m], &power);
        fev_mul(&power, &power, &ratio);
        fev_mul_reduced(&table->t[m], &table->t[m], &power);
        if (m > 0) {
            fev_mul(&ratio, &ratio, &ratios[m]);
        }
    }
#if CURVE_HAS_GLV
    for (int m = 0; m < POINT_DIGIT_MOST; m++) {
        fev_mul_reduced(&table->x[1][m], &table->x[0][m], &numbers->beta);
    }
#endif
    return 1;
}

/* Select one of eight entries for each lane; lanes whose magnitude is 0 get 0. */
SUMAC_FN void fev_pick(fev *r, const fev entries[POINT_DIGIT_MOST], const uint32_t lanes[POINT_DIGIT_MOST])
{
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int v = 0; v < FPV_VECTORS; v++) {
            __m512i t[FPV_DIGITS];
            SUMAC_UNROLL
            for (int i = 0; i < FPV_DIGITS; i++) {
                t[i] = _mm512_setzero_si512();
            }
            SUMAC_UNROLL
            for (int m = 0; m < POINT_DIGIT_MOST; m++) {
                const __mmask8 mask = (__mmask8)(lanes[m] >> (8 * v));
                SUMAC_UNROLL
                for (int i = 0; i < FPV_DIGITS; i++) {
                    t[i] = _mm512_mask_mov_epi64(t[i], mask, entries[m].c[part].d[v][i]);
                }
            }
            fpv_store(&r->c[part], v, t);
        }
    }
}

/* Select the points that the lanes add for one half and position; return the lanes that add none. */
SUMAC_BIG_FN uint32_t multiples_lanes_pick(fev *x, fev *t, const multiples_lanes *table, int half,
                                           const uint8_t codes[FPV_LANES])
{
    const __m512i code = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)codes));
    const __m512i magnitude = _mm512_srli_epi32(code, 1);
    const uint32_t negative = _mm512_test_epi32_mask(code, _mm512_set1_epi32(1));
    uint32_t lanes[POINT_DIGIT_MOST];
    for (int m = 0; m < POINT_DIGIT_MOST; m++) {
        lanes[m] = _mm512_cmpeq_epi32_mask(magnitude, _mm512_set1_epi32(m + 1));
    }
    fev_pick(x, table->x[half], lanes);
    fev_pick(t, table->t, lanes);
    fev_negate_lanes_operand(t, negative);
    return _mm512_testn_epi32_mask(code, code);
}

/* Set scratch->sum, which must be infinity, to the lanes' scalars times the points whose multiples 1, 2, 3 .. the table
 * has, except in the lanes of `infinite`. Returns 0 if jacobian_lanes_add() does. */
SUMAC_LONG_FN int multiples_lanes_chain(multiples_scratch *scratch,
                                        const point_digits *const digits[FPV_LANES], uint32_t positions,
                                        uint32_t infinite, const lanes_numbers *numbers)
{
    const multiples_lanes *const table = &scratch->table;
    fev *const x = &scratch->step_x, *const t = &scratch->step_t, *const ratio = &scratch->ratios[0];
    jacobian_lanes *const sum = &scratch->sum;
    for (uint32_t w = positions; w-- > 0;) {
        for (int i = 0; i < POINT_DIGIT_BITS && sum->infinite != ALL_LANES; i++) {
            jacobian_lanes_double(sum);
        }
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            uint8_t codes[FPV_LANES];
            for (int lane = 0; lane < FPV_LANES; lane++) {
                codes[lane] = digits[lane]->codes[half][w];
            }
            const uint32_t absent = multiples_lanes_pick(x, t, table, half, codes) | infinite;
            if (absent != ALL_LANES && !jacobian_lanes_add(sum, x, t, absent, &numbers->one, ratio)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Do as multiples_lanes_chain() with one scalar that all lanes share, and a table of multiples 1, 3, 5 .. */
SUMAC_LONG_FN int multiples_lanes_sparse_chain(multiples_scratch *scratch, const point_digits *digits,
                                               uint32_t infinite, const lanes_numbers *numbers)
{
    const multiples_lanes *const table = &scratch->table;
    fev *const t = &scratch->step_t, *const ratio = &scratch->ratios[0];
    jacobian_lanes *const sum = &scratch->sum;
    uint8_t codes[POINT_DIGIT_HALVES][POINT_SPARSE_POSITIONS];
    uint32_t positions = 0;
    for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
        const uint32_t count = point_digits_sparse(codes[half], digits, half);
        positions = count > positions ? count : positions;
    }
    for (uint32_t w = positions; w-- > 0;) {
        if (sum->infinite != ALL_LANES) {
            jacobian_lanes_double(sum);
        }
        for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
            const uint32_t code = codes[half][w];
            if (code == 0 || infinite == ALL_LANES) {
                continue;
            }
            fev_copy(t, &table->t[code >> 2]);
            fev_negate_lanes_operand(t, (code & 1) != 0 ? ALL_LANES : 0);
            if (!jacobian_lanes_add(sum, &table->x[half][code >> 2], t, infinite, &numbers->one, ratio)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Multiply the points by the lanes' scalars, whose digits have `positions` positions. Returns 0, and leaves the points,
 * if scalar code must do it. */
SUMAC_LONG_FN int xyzz_lanes_multiply(xyzz_lanes *points, const point_digits *const digits[FPV_LANES],
                                      uint32_t positions, multiples_scratch *scratch,
                                      const lanes_numbers *numbers)
{
    jacobian_lanes *const sum = &scratch->sum;
    fev *const x = &scratch->x, *const t = &scratch->t, *const z = &scratch->z;
    int same = 1;
    for (int lane = 1; lane < FPV_LANES; lane++) {
        same &= digits[lane] == digits[0];
    }
    /* Convert from XYZZ: Z = ZZ, X = X ZZ, Y = Y ZZZ. */
    fev_mul_reduced(x, &points->x, &points->zz);
    fev_mul_reduced(t, &points->y, &points->zzz);
    fev_linear(t, t, 2, 0);
    fev_settle(t, t);
    if (!multiples_lanes_make(scratch, same, points->infinite, numbers)) {
        return 0;
    }
    fev_set_zero(&sum->x);
    fev_set_zero(&sum->t);
    fev_set_zero(&sum->z);
    sum->infinite = ALL_LANES;
    if (!(same ? multiples_lanes_sparse_chain(scratch, digits[0], points->infinite, numbers)
               : multiples_lanes_chain(scratch, digits, positions, points->infinite, numbers))) {
        return 0;
    }
    fev_mul(z, z, &points->zz);
    fev_mul(z, z, &sum->z);
    xyzz_lanes_from_jacobian(points, sum, z, numbers);
    return 1;
}

/*
 * Set (lower, upper) to (lower + upper, lower - upper), or to (lower + upper, upper - lower) if `reverse`;
 * x and y are below 2. Returns 0, and leaves the points, if a lane has infinity, or points that may be equal or opposite.
 * The sum is add-2008-s; sum and difference together take 14M + 3S instead of 24M + 4S:
 *   U = X1 ZZ2 | P = X2 ZZ1 - U | S = Y1 ZZZ2 | R = Y2 ZZZ1 - S | N = Y2 ZZZ1 + S | A = PPP + 2Q, Q = U PP
 *   sum         X3 = R^2 - A | Y3 = R(Q - X3) - S PPP
 *   difference  X3 = N^2 - A | Y3 = N(X3 - Q) - S PPP
 */
SUMAC_LONG_FN int xyzz_lanes_butterfly(xyzz_lanes *lower, xyzz_lanes *upper, int reverse)
{
    fev u, p, s, r, n, pp, ppp, q, a, x3, difference;
    if ((lower->infinite | upper->infinite) != 0) {
        return 0;
    }
    fev_mul_reduced(&u, &lower->x, &upper->zz);
    fev_mul_less(&p, &upper->x, &lower->zz, &u, FE_DEGREE == 2 ? 4 : 3); /* (-1/4 .. 3) - (0 .. 2) */
    if (SUMAC_UNLIKELY((fev_suspicious_lanes(&p) & ALL_LANES) != 0)) {
        return 0;
    }
    fev_mul_reduced(&s, &lower->y, &upper->zzz);
    fev_mul_reduced(&n, &upper->y, &lower->zzz);
    fev_sub(&r, &n, &s);
    fev_add_operand(&n, &n, &s);
    fev_sqr(&pp, &p);
    fev_mul_reduced(&ppp, &p, &pp);
    fev_mul_reduced(&q, &u, &pp);
    fev_add_twice(&a, &ppp, &q);
    fev_sqr_less(&x3, &r, &a, 3); /* (0 .. 3) - (0 .. 2) */
    fev_sub(&difference, &q, &x3);
    fev_mul_sub_mul(&lower->y, &r, &difference, &s, &ppp);
    fev_copy(&lower->x, &x3);
    fev_sqr_less(&x3, &n, &a, 3);
    if (reverse) {
        fev_sub(&difference, &q, &x3);
        fev_negate_lanes_operand(&s, ALL_LANES);
    } else {
        fev_sub(&difference, &x3, &q);
    }
    fev_mul_sub_mul(&upper->y, &n, &difference, &s, &ppp);
    fev_copy(&upper->x, &x3);
    fev_mul(&pp, &pp, &lower->zz);
    fev_mul(&lower->zz, &pp, &upper->zz);
    fev_copy(&upper->zz, &lower->zz);
    fev_mul(&ppp, &ppp, &lower->zzz);
    fev_mul(&lower->zzz, &ppp, &upper->zzz);
    fev_copy(&upper->zzz, &lower->zzz);
    return 1;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has products in Fp2 for AVX2 and FMA. There are not enough registers for the columns of several products,
 * so each component is a sum of two products and one reduction. fev.h includes this file. c0 is never negative: with w
 * of fev.h,
 *   a*b     c0 = (a0*b0 + FP2_BETA*a1*(4p - b1))/S in [0, w + FP2_BETA*4*k*p/S + 2) times p, for b below 4
 *   a^2     c0 as for a*b, or for FP2_BETA = 1 (a0 + a1)*(a0 - a1 + 4p)/S; c1 = 2*a0*a1/S
 * In rounds.h w and 4*k*p/S are at most 1 for FP2_BETA = 1, and for the others both together below 2^-8.
 */
#ifndef SUMAC_LANES_FP2_AVX2_H
#define SUMAC_LANES_FP2_AVX2_H

/* FP2_BETA*(4p - b) of one vector as a factor. In: an operand below 4. */
FPV_INLINE void fpv_factor_negate(fpv_factor *r, const vec b[FPV_DIGITS])
{
    vec t[FPV_DIGITS];
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const vec digit = vec_and(b[i], vec_broadcast(FPV_MASK));
        t[i] = vec_sub(vec_broadcast(4 * FP2_BETA * fpv_modulus_digit(i)), fpv_times(digit, FP2_BETA));
    }
    fpv_carry(t);
    fpv_factor_set(r, t);
}

/* r = a*b/S. In: an operand a below k, and b below 4. */
FPV_INLINE void fev_mul_ending(fev *r, const fev *a, const fev *b, const fpv_ending endings[2])
{
    SUMAC_VERIFY_CHECK(fpv_operand_is_below(&b->c[0], 4) && fpv_operand_is_below(&b->c[1], 4));
    for (int v = 0; v < FPV_VECTORS; v++) {
        fpv_factor left[2], right[2], crossed[2];
        vec c0[FPV_DIGITS], c1[FPV_DIGITS];
        fpv_factor_set(&left[0], a->c[0].d[v]);
        fpv_factor_set(&left[1], a->c[1].d[v]);
        fpv_factor_set(&right[0], b->c[0].d[v]);
        fpv_factor_negate(&right[1], b->c[1].d[v]);
        fpv_factor_set(&crossed[0], b->c[1].d[v]);
        crossed[1] = right[0];
        fpv_mul_pair_factors(c0, left, right);
        fpv_mul_pair_factors(c1, left, crossed);
        fpv_columns_end(&r->c[0], v, c0, endings[0]);
        fpv_columns_end(&r->c[1], v, c1, endings[1]);
    }
}

/* r = a^2/S. In: an operand below 4. */
FPV_INLINE void fev_sqr_ending(fev *r, const fev *a, const fpv_ending endings[2])
{
    fpv sum, difference, twice;
    fpv_add_operand(&twice, &a->c[0], &a->c[0]);
    fpv_add_operand(&sum, &a->c[0], &a->c[1]);
    fpv_sub_operand(&difference, &a->c[0], &a->c[1], 4);
    for (int v = 0; v < FPV_VECTORS; v++) {
        fpv_factor left[2], right[2];
        vec c0[FPV_DIGITS], c1[FPV_DIGITS];
        fpv_factor_set(&right[0], a->c[1].d[v]);
        fpv_factor_set(&left[0], twice.d[v]);
        fpv_mul_factors(c1, left, right);
        if (FP2_BETA == 1) {
            fpv_factor_set(&left[0], sum.d[v]);
            fpv_factor_set(&right[0], difference.d[v]);
            fpv_mul_factors(c0, left, right);
        } else {
            left[1] = right[0];
            fpv_factor_set(&left[0], a->c[0].d[v]);
            right[0] = left[0];
            fpv_factor_negate(&right[1], a->c[1].d[v]);
            fpv_mul_pair_factors(c0, left, right);
        }
        fpv_columns_end(&r->c[0], v, c0, endings[0]);
        fpv_columns_end(&r->c[1], v, c1, endings[1]);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Products for AVX-512 IFMA compute all columns first, and then remove one column after another. One vector's
 * columns and an operand fit the 32 registers with up to 8 digits.
 */
#ifndef SUMAC_LANES_PRODUCT_AVX512_H
#define SUMAC_LANES_PRODUCT_AVX512_H

#include "lanes/fpv.h"

#define FPV_COLUMNS (2 * FPV_DIGITS)

/* Add the low halves of a[j]*b to t[j], and the high halves to t[j + 1], for the digits of a from `from` on. */
FPV_INLINE void fpv_row(vec *t, const vec a[FPV_DIGITS], vec b, int from)
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        t[j] = j < from ? t[j] : _mm512_madd52lo_epu64(t[j], a[j], b);
    }
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        t[j + 1] = j < from ? t[j + 1] : _mm512_madd52hi_epu64(t[j + 1], a[j], b);
    }
}

FPV_INLINE void fpv_columns_clear(vec t[FPV_COLUMNS])
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_COLUMNS; j++) {
        t[j] = vec_zero();
    }
}

/* t = a*b, of one vector. In: operands. */
FPV_INLINE void fpv_product(vec t[FPV_COLUMNS], const vec a[FPV_DIGITS], const vec b[FPV_DIGITS])
{
    fpv_columns_clear(t);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(t + i, a, b[i], 0);
    }
}

/* t = a*a, of one vector: products of different digits are computed once and doubled. In: an operand. */
FPV_INLINE void fpv_square(vec t[FPV_COLUMNS], const vec a[FPV_DIGITS])
{
    fpv_columns_clear(t);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(t + i, a, a[i], i + 1);
    }
    SUMAC_UNROLL
    for (int j = 1; j < FPV_COLUMNS - 1; j++) {
        t[j] = vec_add(t[j], t[j]);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a[i], a[i]);
        t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a[i], a[i]);
    }
}

/*
 * Divide by S modulo p. In: signed columns t. Out: the columns from FPV_DIGITS on, before carries. The
 * FPV_DIGITS - 1 multiples of I amount to less than p*2^52, so that the result for t <= k*p*S is less than (k + 2)*p,
 * and not less than t/S.
 */
FPV_INLINE void fpv_columns_divide(vec t[FPV_COLUMNS])
{
    vec inverse[FPV_DIGITS], modulus[FPV_DIGITS];
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        inverse[j] = vec_broadcast(fpv_constant_digit(fpv_digit_inverse, j));
        modulus[j] = vec_broadcast(fpv_constant_digit(fp_modulus, j));
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS - 1; i++) {
        t[i + 1] = vec_add_carry(t[i + 1], t[i]);
        fpv_row(t + i + 1, inverse, t[i], 0);
    }
    vec *const last = t + FPV_DIGITS - 1;
    const vec q = _mm512_madd52lo_epu64(vec_zero(), last[0], vec_broadcast(FP_INV & FPV_MASK));
    fpv_row(last, modulus, q, 0);
    last[1] = vec_add_carry(last[1], last[0]);
}

/* t = a*b/S, of one vector, before carries. In: operands. */
FPV_INLINE void fpv_mul_digits(vec t[FPV_DIGITS], const vec a[FPV_DIGITS], const vec b[FPV_DIGITS])
{
    vec columns[FPV_COLUMNS];
    fpv_product(columns, a, b);
    fpv_columns_divide(columns);
    fpv_digits_copy(t, columns + FPV_DIGITS);
}

/* t = a*a/S, of one vector, before carries. In: an operand. */
FPV_INLINE void fpv_sqr_digits(vec t[FPV_DIGITS], const vec a[FPV_DIGITS])
{
    vec columns[FPV_COLUMNS];
    fpv_square(columns, a);
    fpv_columns_divide(columns);
    fpv_digits_copy(t, columns + FPV_DIGITS);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Multiplication in lanes, a*b/S mod p: all columns of the product first, and then one column after another
 * is taken away. With q = t[0] mod 2^52 the column's q is replaced by q*I*2^52 for I = 2^-52 mod p, which is
 * the same modulo p and lies in higher columns. q is there at once, whereas the multiple of p that clears the
 * column (Montgomery's) wants a product before it; but q*I may be 2^52*p, and so the last column is taken
 * away by a multiple of p. One vector's columns and an operand fit the 32 registers with up to 8 digits.
 */
#ifndef SUMAC_LANES_FPV_MUL_H
#define SUMAC_LANES_FPV_MUL_H

#include "lanes/fpv.h"

#define FPV_COLUMNS (2 * FPV_DIGITS)

SUMAC_CONST uint64_t fpv_digit_inverse[FP_LIMBS] = FP_DIGIT_INVERSE;

/* t[j] += low halves of a[j]*b, t[j + 1] += high halves, for the digits of a from `from` on. */
FPV_INLINE void fpv_row(__m512i *t, const __m512i a[FPV_DIGITS], __m512i b, int from)
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

FPV_INLINE void fpv_columns_clear(__m512i t[FPV_COLUMNS])
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_COLUMNS; j++) {
        t[j] = _mm512_setzero_si512();
    }
}

/* t = a*b, of one vector. In: operands. */
FPV_INLINE void fpv_product(__m512i t[FPV_COLUMNS], const __m512i a[FPV_DIGITS], const __m512i b[FPV_DIGITS])
{
    fpv_columns_clear(t);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(t + i, a, b[i], 0);
    }
}

/* t = a*a, of one vector: products of different digits are made once and doubled. In: an operand. */
FPV_INLINE void fpv_square(__m512i t[FPV_COLUMNS], const __m512i a[FPV_DIGITS])
{
    fpv_columns_clear(t);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        fpv_row(t + i, a, a[i], i + 1);
    }
    SUMAC_UNROLL
    for (int j = 1; j < FPV_COLUMNS - 1; j++) {
        t[j] = _mm512_add_epi64(t[j], t[j]);
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a[i], a[i]);
        t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a[i], a[i]);
    }
}

/*
 * Divide by S modulo p. In: signed columns t. Out: the columns from FPV_DIGITS on, before carries. The
 * FPV_DIGITS
 * - 1 multiples of I amount to less than p*2^52, so that (t, k*p*S at most) becomes less than (k + 2)*p, and
 * not less than t/S.
 */
FPV_INLINE void fpv_columns_divide(__m512i t[FPV_COLUMNS])
{
    __m512i inverse[FPV_DIGITS], modulus[FPV_DIGITS];
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        inverse[j] = fpv_broadcast(fpv_constant_digit(fpv_digit_inverse, j));
        modulus[j] = fpv_broadcast(fpv_constant_digit(fp_modulus, j));
    }
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS - 1; i++) {
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srai_epi64(t[i], 52));
        fpv_row(t + i + 1, inverse, t[i], 0);
    }
    __m512i *const last = t + FPV_DIGITS - 1;
    const __m512i q =
        _mm512_madd52lo_epu64(_mm512_setzero_si512(), last[0], fpv_broadcast(FP_INV & FPV_MASK));
    fpv_row(last, modulus, q, 0);
    last[1] = _mm512_add_epi64(last[1], _mm512_srai_epi64(last[0], 52));
}

/* How a product ends: as an operand, with `add`*p added; or, where the offset is not 0, reduced, see
 * fpv_reduce, with `less` (null: nothing) subtracted before. */
typedef struct {
    unsigned add;
    const fpv *less;
    int offset;
} fpv_ending;

/* Columns of vector v, as they are after a division, to r. */
FPV_INLINE void fpv_columns_end(fpv *r, int v, __m512i t[FPV_DIGITS], fpv_ending ending)
{
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        if (ending.less != NULL) {
            t[j] = _mm512_sub_epi64(t[j], ending.less->d[v][j]);
        } else if (ending.add != 0) {
            t[j] = _mm512_add_epi64(t[j], fpv_broadcast(ending.add * fpv_modulus_digit(j)));
        }
    }
    if (ending.offset != 0) {
        fpv_reduce(t, ending.offset);
    } else {
        fpv_carry_operand(t);
    }
    fpv_store(r, v, t);
}

/* r = a*b/S; r may alias the operands. */
FPV_INLINE void fpv_mul_ending(fpv *r, const fpv *a, const fpv *b, fpv_ending ending)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_COLUMNS];
        fpv_product(t, a->d[v], b->d[v]);
        fpv_columns_divide(t);
        fpv_columns_end(r, v, t + FPV_DIGITS, ending);
    }
}

/* r = a*a/S; r may alias a. */
FPV_INLINE void fpv_sqr_ending(fpv *r, const fpv *a, fpv_ending ending)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        __m512i t[FPV_COLUMNS];
        fpv_square(t, a->d[v]);
        fpv_columns_divide(t);
        fpv_columns_end(r, v, t + FPV_DIGITS, ending);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has products for AVX2 and FMA. For the most common numbers of digits they are in assembly. A factor is one
 * vector's digits as doubles; vec_avx2.h explains how these are multiplied. In: factors. Out of all functions: columns
 * before carries.
 */
#ifndef SUMAC_LANES_PRODUCT_AVX2_H
#define SUMAC_LANES_PRODUCT_AVX2_H

#include "lanes/fpv.h"

typedef struct {
    __m256d d[FPV_DIGITS];
} fpv_factor;

/* The table has FP_LANE_DIGITS, each in four lanes: I of fpv_mul.h, p, and -1/p mod 2^52. */
#define FPV_FOUR(digit) {digit, digit, digit, digit},
SUMAC_CONST double fpv_field[][VEC_LANES] __attribute__((aligned(32))) = {FP_LANE_DIGITS(FPV_FOUR)};
SUMAC_STATIC_ASSERT(sizeof fpv_field == (2 * FPV_DIGITS + 1) * sizeof(vec),
                    "tools/gen_curves.py counts digits alike");

#if FPV_DIGITS == 5 || FPV_DIGITS == 7 || FPV_DIGITS == 8

/* math/x86_64/lanes.S has these functions. They compute t = a*b/S, and t = (a[0]*b[0] + a[1]*b[1])/S. */
#define FPV_MUL_FACTORS SUMAC_CONCAT(sumac_x86_64_lanes_mul_, FPV_DIGITS_NUMBER)
#define FPV_MUL_PAIR_FACTORS SUMAC_CONCAT(sumac_x86_64_lanes_mul_pair_, FPV_DIGITS_NUMBER)
#if FPV_DIGITS == 5
#define FPV_DIGITS_NUMBER 5
#elif FPV_DIGITS == 7
#define FPV_DIGITS_NUMBER 7
#else
#define FPV_DIGITS_NUMBER 8
#endif
void FPV_MUL_FACTORS(vec t[FPV_DIGITS], const fpv_factor *a, const fpv_factor *b,
                     const double field[][VEC_LANES]);
void FPV_MUL_PAIR_FACTORS(vec t[FPV_DIGITS], const fpv_factor a[2], const fpv_factor b[2],
                          const double field[][VEC_LANES]);

/* The assembly writes to an array of its own, because clang keeps an array whose address it gives away in memory: every later
 * step would load and store it. */
FPV_INLINE void fpv_mul_factors(vec t[FPV_DIGITS], const fpv_factor *a, const fpv_factor *b)
{
    vec product[FPV_DIGITS];
    FPV_MUL_FACTORS(product, a, b, fpv_field);
    fpv_digits_copy(t, product);
}

FPV_INLINE void fpv_mul_pair_factors(vec t[FPV_DIGITS], const fpv_factor a[2], const fpv_factor b[2])
{
    vec product[FPV_DIGITS];
    FPV_MUL_PAIR_FACTORS(product, a, b, fpv_field);
    fpv_digits_copy(t, product);
}

#else

#include "lanes/rows_avx2.h"

FPV_INLINE void fpv_mul_factors(vec t[FPV_DIGITS], const fpv_factor *a, const fpv_factor *b)
{
    fpv_rows_divide(t, a, b, 1);
}

FPV_INLINE void fpv_mul_pair_factors(vec t[FPV_DIGITS], const fpv_factor a[2], const fpv_factor b[2])
{
    fpv_rows_divide(t, a, b, 2);
}

#endif

/* Convert the digits of an operand to a factor. */
FPV_INLINE void fpv_factor_set(fpv_factor *r, const vec a[FPV_DIGITS])
{
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        r->d[i] = vec_to_doubles(a[i]);
    }
}

/* t = a*b/S, of one vector. In: operands. */
FPV_INLINE void fpv_mul_digits(vec t[FPV_DIGITS], const vec a[FPV_DIGITS], const vec b[FPV_DIGITS])
{
    fpv_factor x, y;
    fpv_factor_set(&x, a);
    fpv_factor_set(&y, b);
    fpv_mul_factors(t, &x, &y);
}

/* t = a*a/S, of one vector. In: an operand. */
FPV_INLINE void fpv_sqr_digits(vec t[FPV_DIGITS], const vec a[FPV_DIGITS])
{
    fpv_factor x;
    fpv_factor_set(&x, a);
    fpv_mul_factors(t, &x, &x);
}

#endif

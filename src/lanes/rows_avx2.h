/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file, which product_avx2.h includes, has the products of math/x86_64/lanes.S for other numbers of digits, whose
 * columns lie in memory.
 *
 * A column is a sum of words that are 2^52 or 2^104 as doubles, plus digits. It starts at a value that compensates for
 * these exponents, so that it is correct when all words are added.
 */
#ifndef SUMAC_LANES_ROWS_AVX2_H
#define SUMAC_LANES_ROWS_AVX2_H

/* Return the number of rows that begin at columns first .. last and reach `column`. */
FPV_INLINE int fpv_rows_at(int column, int first, int last)
{
    const int from = column - FPV_DIGITS + 1 > first ? column - FPV_DIGITS + 1 : first;
    const int to = column < last ? column : last;
    return to < from ? 0 : to - from + 1;
}

/* Return the number of low halves that the rows of products and of the reduction add to a column. */
FPV_INLINE uint64_t fpv_low_halves(int column, int products)
{
    return (uint64_t)(products * fpv_rows_at(column, 0, FPV_DIGITS - 1) +
                      fpv_rows_at(column, 1, FPV_DIGITS - 1) +
                      fpv_rows_at(column, FPV_DIGITS - 1, FPV_DIGITS - 1));
}

/* Add the low halves of a[j]*b to t[j], and the high halves to t[j + 1]. */
FPV_INLINE void fpv_row(vec *t, const double a[][VEC_LANES], __m256d b)
{
    const __m256d two_to_104 = _mm256_set1_pd(0x1p104), both = _mm256_set1_pd(0x1p104 + 0x1p52);
    vec before = vec_zero();
    SUMAC_UNROLL
    for (int j = 0; j < FPV_DIGITS; j++) {
        const __m256d factor = _mm256_load_pd(a[j]);
        const __m256d high = _mm256_fmadd_pd(factor, b, two_to_104);
        const __m256d low = _mm256_fmadd_pd(factor, b, _mm256_sub_pd(both, high));
        t[j] = vec_add(vec_add(t[j], before), _mm256_castpd_si256(low));
        before = _mm256_castpd_si256(high);
    }
    t[FPV_DIGITS] = vec_add(t[FPV_DIGITS], before);
}

SUMAC_BIG_FN void fpv_rows_divide(vec r[FPV_DIGITS], const fpv_factor *a, const fpv_factor *b, int products)
{
    vec t[2 * FPV_DIGITS];
    for (int j = 0; j < 2 * FPV_DIGITS; j++) {
        t[j] = vec_broadcast(-(fpv_low_halves(j, products) * (UINT64_C(0x433) << 52) +
                               fpv_low_halves(j - 1, products) * (UINT64_C(0x467) << 52)));
    }
    for (int k = 0; k < products; k++) {
        for (int i = 0; i < FPV_DIGITS; i++) {
            fpv_row(t + i, (const double(*)[VEC_LANES])(const void *)a[k].d, b[k].d[i]);
        }
    }
    for (int i = 0; i < FPV_DIGITS - 1; i++) {
        t[i + 1] = vec_add_carry(t[i + 1], t[i]);
        fpv_row(t + i + 1, fpv_field, vec_to_doubles(t[i]));
    }
    vec *const last = t + FPV_DIGITS - 1;
    const __m256d digit = vec_to_doubles(last[0]), factor = _mm256_load_pd(fpv_field[2 * FPV_DIGITS]);
    const __m256d high = _mm256_fmadd_pd(digit, factor, _mm256_set1_pd(0x1p104));
    const __m256d low = _mm256_fmadd_pd(digit, factor, _mm256_sub_pd(_mm256_set1_pd(0x1p104 + 0x1p52), high));
    fpv_row(last, fpv_field + FPV_DIGITS, vec_to_doubles(_mm256_castpd_si256(low)));
    last[1] = vec_add_carry(last[1], last[0]);
    fpv_digits_copy(r, t + FPV_DIGITS);
}

#endif

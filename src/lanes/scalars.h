/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions move elements of one prime field between memory and lanes, sixteen at a time, for vectors of scalars.
 * Elements in memory have the factor R and are reduced; lanes have the same factor. A number to multiply by is a
 * `factor`: it has S in place of R, so that the product of an element and a factor is an element.
 */
#ifndef SUMAC_LANES_SCALARS_H
#define SUMAC_LANES_SCALARS_H

#include "lanes/four_limbs.h"
#include "lanes/fpv_mul.h"

/* S/R = 2^FACTOR_SHIFT. */
#define FACTOR_SHIFT (2 * SLOPE_SHIFT)

/* limbs[j] = limb j of VEC_LANES elements. */
SUMAC_FN void limbs_gather(vec limbs[FP_LIMBS], const void *const records[VEC_LANES])
{
    enum { FOURS = FP_LIMBS / 4 * 4, TWOS = FP_LIMBS / 2 * 2 };
    if (FOURS > 0) { /* avoids a warning of gcc about the loop */
        for (int first = 0; first < FOURS; first += 4) {
            transpose_four_limbs(limbs + first, records, first);
        }
    }
    if (TWOS > FOURS) {
        transpose_two_limbs(limbs + FOURS, records, FOURS);
    }
    if (FP_LIMBS > TWOS) {
        uint64_t last[VEC_LANES];
        for (int i = 0; i < VEC_LANES; i++) {
            last[i] = ((const fp *)records[i])->l[FP_LIMBS - 1];
        }
        limbs[FP_LIMBS - 1] = vec_load(last);
    }
}

/* Load first[i*stride] to lane i, i < count; the other lanes repeat lane 0. */
SUMAC_FN void scalar_lanes_load(fpv *r, const fp *first, size_t stride, uint32_t count)
{
    for (uint32_t v = 0; v < FPV_VECTORS; v++) {
        const void *records[VEC_LANES];
        vec limbs[FP_LIMBS];
        for (uint32_t i = 0; i < VEC_LANES; i++) {
            records[i] = first + (VEC_LANES * v + i < count ? (VEC_LANES * v + i) * stride : 0);
        }
        limbs_gather(limbs, records);
        digits_from_limbs(r->d[v], limbs);
    }
}

/* Store four limbs of VEC_LANES elements to their records, as the inverse of transpose_four_limbs. */
#if VEC_LANES == 8
SUMAC_FN void scatter_four_limbs(void *const records[8], const vec limbs[4])
{
    const vec low_parts = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const vec high_parts = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    for (int odd = 0; odd < 2; odd++) {
        const vec low =
            odd ? _mm512_unpackhi_epi64(limbs[0], limbs[1]) : _mm512_unpacklo_epi64(limbs[0], limbs[1]);
        const vec high =
            odd ? _mm512_unpackhi_epi64(limbs[2], limbs[3]) : _mm512_unpacklo_epi64(limbs[2], limbs[3]);
        for (int half = 0; half < 2; half++) {
            const vec two = _mm512_permutex2var_epi64(low, half ? high_parts : low_parts, high);
            _mm256_storeu_si256(records[4 * half + odd], _mm512_castsi512_si256(two));
            _mm256_storeu_si256(records[4 * half + odd + 2], _mm512_extracti64x4_epi64(two, 1));
        }
    }
}
#else
SUMAC_FN void scatter_four_limbs(void *const records[4], const vec limbs[4])
{
    vec rows[4] = {limbs[0], limbs[1], limbs[2], limbs[3]};
    vec_transpose(rows);
    SUMAC_UNROLL
    for (int i = 0; i < 4; i++) {
        vec_store(records[i], rows[i]);
    }
}
#endif

/* Store lane i to first[i*stride], i < count. In: below 1. */
SUMAC_FN void scalar_lanes_put(fp *first, size_t stride, uint32_t count, const fpv *a)
{
    for (uint32_t v = 0; v < FPV_VECTORS; v++) {
        vec limbs[FP_LIMBS];
        limbs_from_digits(limbs, a->d[v]);
        if (FP_LIMBS == 4 && VEC_LANES * (v + 1) <= count) {
            void *records[VEC_LANES];
            for (uint32_t i = 0; i < VEC_LANES; i++) {
                records[i] = first + (VEC_LANES * v + i) * stride;
            }
            scatter_four_limbs(records, limbs);
            continue;
        }
        uint64_t words[FP_LIMBS][VEC_LANES];
        for (int j = 0; j < FP_LIMBS; j++) {
            vec_store(words[j], limbs[j]);
        }
        for (uint32_t i = 0; i < VEC_LANES && VEC_LANES * v + i < count; i++) {
            for (int j = 0; j < FP_LIMBS; j++) {
                first[(VEC_LANES * v + i) * stride].l[j] = words[j][i];
            }
        }
    }
}

/*
 * r = a modulo p, for p >= 2^16. In: below 16. Out: below 2. fpv_reduce allows eight multiples of p, this function
 * sixteen; as no carries are open, the quotient's error is smaller than in fpv_reduce.
 */
SUMAC_STATIC_ASSERT(17 * FPV_LOWER_DIGITS < 1 << 15, "the quotient is at most one too small");
SUMAC_FN void fpv_settle_wide(fpv *r, const fpv *a)
{
    const uint64_t reciprocal = (UINT64_C(1) << 52) / (fpv_modulus_top() + FPV_LOWER_DIGITS);
    SUMAC_VERIFY_CHECK(fpv_is_below(a, 16));
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        const vec q = vec_multiply_high(fpv_top(a->d[v]), reciprocal);
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = vec_sub_multiple(a->d[v][i], q, fpv_modulus_digit(i));
        }
        fpv_carry(t);
        fpv_store(r, v, t);
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 2));
}

/* Store like scalar_lanes_put(), but for any value below 16. */
SUMAC_FN void scalar_lanes_store(fp *first, size_t stride, uint32_t count, const fpv *a)
{
    fpv reduced;
    fpv_settle_wide(&reduced, a);
    fpv_canonical(&reduced, &reduced);
    scalar_lanes_put(first, stride, count, &reduced);
}

/* Convert an element to a factor that is not reduced, but below S. In: below 1. */
SUMAC_FN void scalar_lanes_factor(fpv *r, const fpv *a)
{
    fpv_shift_left(r, a, FACTOR_SHIFT);
}

/* r = a*b for an element below 1 and a factor below S, or an element below 16 and a factor below 1: below 3.
 * r may alias both. */
SUMAC_FN void scalar_lanes_multiply(fpv *r, const fpv *a, const fpv *factor)
{
    fpv_mul_ending(r, a, factor, (fpv_ending){0, NULL, 0});
    for (int v = 0; v < FPV_VECTORS; v++) {
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            r->d[v][i] = vec_and(r->d[v][i], vec_broadcast(FPV_MASK));
        }
    }
    SUMAC_VERIFY_CHECK(fpv_is_below(r, 3));
}

#endif

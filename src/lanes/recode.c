/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file recodes in lanes. Lane l has scalar i + l, and a vector has one limb of eight scalars. The digits are those
 * of recode_signed_digit in math/recode.h. The number of limbs is always passed as a constant, so that the functions
 * are compiled for each number.
 */
#include "lanes/recode.h"

#include "lanes/four_limbs.h"
#include "math/scalar.h"

#define EIGHT 8
#define MAX_LIMBS 6 /* the most limbs of a scalar that is recoded in lanes */
#define FOR_EACH_COUNT static inline __attribute__((always_inline))

/* Scalars are prefetched this many ahead, because the processor stops prefetching at the end of each page. */
#define FETCH_AHEAD 128

/* r = a - b. Return the lanes where a < b. */
FOR_EACH_COUNT __mmask8 subtract(__m512i *r, const __m512i *a, const __m512i *b, int limbs)
{
    __mmask8 borrow = 0;
    SUMAC_UNROLL
    for (int i = 0; i < limbs; i++) {
        const __m512i difference = _mm512_sub_epi64(a[i], b[i]);
        const __mmask8 below = _mm512_cmplt_epu64_mask(a[i], b[i]);
        const __mmask8 equal = _mm512_cmpeq_epi64_mask(a[i], b[i]);
        r[i] = _mm512_mask_sub_epi64(difference, borrow, difference, vec_broadcast(1));
        borrow = (__mmask8)(below | (equal & borrow));
    }
    return borrow;
}

/* Without optimisation gcc 12 defines the gathering load by a macro that converts the sign of the mask.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* Load the limbs of eight neighbouring scalars: four together, the others one by one. */
FOR_EACH_COUNT void load_eight(__m512i *k, const uint8_t *scalars, int limbs)
{
    const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i offsets = _mm512_mullo_epi64(lanes, vec_broadcast((uint64_t)limbs));
    const void *records[EIGHT];
    for (int i = 0; i < EIGHT; i++) {
        records[i] = scalars + (size_t)i * 8 * (size_t)limbs;
    }
    transpose_four_limbs(k, records, 0);
    SUMAC_UNROLL
    for (int i = 4; i < limbs; i++) {
        k[i] = _mm512_i64gather_epi64(offsets, scalars + 8 * i, 8);
    }
}

#pragma GCC diagnostic pop

/*
 * Reduce k modulo r. If the last limb is less than that of r, which is nearly always the case, k is reduced already.
 * Otherwise r is subtracted SUBTRACTIONS times in the lanes in which k >= r. This suffices if r nearly fills its limbs.
 * Lanes that are still not reduced are reduced one by one.
 */
FOR_EACH_COUNT void reduce_eight(__m512i *k, const __m512i *r, const scalar_field *field, int limbs)
{
    enum { SUBTRACTIONS = 8 };
    __m512i t[MAX_LIMBS];
    if (SUMAC_LIKELY(_mm512_cmplt_epu64_mask(k[limbs - 1], r[limbs - 1]) == 0xff)) {
        return;
    }
    for (int round = 0; round < SUBTRACTIONS; round++) {
        const __mmask8 less = subtract(t, k, r, limbs);
        if (less == 0xff) {
            return;
        }
        SUMAC_UNROLL
        for (int i = 0; i < limbs; i++) {
            k[i] = _mm512_mask_mov_epi64(t[i], less, k[i]);
        }
    }
    uint64_t words[MAX_LIMBS][EIGHT], scalar[MAX_LIMBS];
    for (int i = 0; i < limbs; i++) {
        _mm512_storeu_si512(words[i], k[i]);
    }
    for (int lane = 0; lane < EIGHT; lane++) {
        for (int i = 0; i < limbs; i++) {
            scalar[i] = words[i][lane];
        }
        scalar_reduce(scalar, field);
        for (int i = 0; i < limbs; i++) {
            words[i][lane] = scalar[i];
        }
    }
    for (int i = 0; i < limbs; i++) {
        k[i] = _mm512_loadu_si512(words[i]);
    }
}

/* Replace k > r/2 by r - k; return the lanes in which that is done. The last limbs decide unless they equal those of r/2.
 */
FOR_EACH_COUNT __mmask8 negate_large_eight(__m512i *k, const __m512i *r, int limbs)
{
    const __m512i half = _mm512_srli_epi64(r[limbs - 1], 1);
    __m512i t[MAX_LIMBS], unused[MAX_LIMBS];
    (void)subtract(t, r, k, limbs);
    __mmask8 negative = _mm512_cmpgt_epu64_mask(k[limbs - 1], half);
    if (SUMAC_UNLIKELY(_mm512_cmpeq_epi64_mask(k[limbs - 1], half) != 0)) {
        negative = subtract(unused, t, k, limbs); /* r - k < k, as r is odd */
    }
    SUMAC_UNROLL
    for (int i = 0; i < limbs; i++) {
        k[i] = _mm512_mask_mov_epi64(k[i], negative, t[i]);
    }
    return negative;
}

/* The codes of one window; k has two zeros after the scalar's limbs. */
FOR_EACH_COUNT __m256i window_codes(const __m512i *k, int limbs, uint32_t window, uint32_t c,
                                    __m512i negative)
{
    const __m512i one = vec_broadcast(1);
    __m512i bits;
    if (window == 0) {
        bits = _mm512_slli_epi64(k[0], 1);
    } else {
        const uint32_t position = window * c - 1;
        const uint32_t limb = position / 64 < (uint32_t)limbs ? position / 64 : (uint32_t)limbs;
        bits = _mm512_shrdv_epi64(k[limb], k[limb + 1], vec_broadcast(position % 64));
    }
    bits = _mm512_and_si512(bits, vec_broadcast(((uint64_t)2 << c) - 1));
    const __m512i sign = _mm512_srl_epi64(bits, _mm_cvtsi32_si128((int)c));
    __m512i magnitude = _mm512_srli_epi64(_mm512_add_epi64(bits, one), 1);
    const __mmask8 is_negative = _mm512_test_epi64_mask(sign, sign);
    magnitude = _mm512_mask_sub_epi64(magnitude, is_negative, vec_broadcast((uint64_t)1 << c), magnitude);
    const __m512i code = _mm512_or_si512(_mm512_slli_epi64(magnitude, 1), _mm512_xor_si512(sign, negative));
    return _mm512_cvtepi64_epi32(_mm512_maskz_mov_epi64(_mm512_test_epi64_mask(magnitude, magnitude), code));
}

FOR_EACH_COUNT uint64_t recode(const recode_run *run, const int limbs)
{
    const size_t scalar_bytes = 8 * (size_t)limbs;
    const uint64_t count = run->count / EIGHT * EIGHT;
    __m512i r[MAX_LIMBS];
    for (int i = 0; i < limbs; i++) {
        r[i] = vec_broadcast(run->field->modulus[i]);
    }
    for (uint64_t i = 0; i < count; i += EIGHT) {
        __m512i k[MAX_LIMBS + 2];
        if (i + FETCH_AHEAD < count) {
            const uint8_t *const later = run->scalars + (i + FETCH_AHEAD) * scalar_bytes;
            for (size_t line = 0; line < EIGHT * scalar_bytes; line += 64) {
                __builtin_prefetch(later + line);
            }
        }
        load_eight(k, run->scalars + i * scalar_bytes, limbs);
        reduce_eight(k, r, run->field, limbs);
        const __mmask8 is_negative = run->negate_large ? negate_large_eight(k, r, limbs) : 0;
        const __m512i negative = _mm512_maskz_mov_epi64(is_negative, vec_broadcast(1));
        k[limbs] = k[limbs + 1] = _mm512_setzero_si512();
        for (uint32_t j = 0; j < run->module_count; j++) {
            for (uint32_t t = 0; t < run->factor; t++) {
                const uint32_t window = t * run->modules + run->first_module + j;
                const __m256i codes = window < run->windows ? window_codes(k, limbs, window, run->c, negative)
                                                            : _mm256_setzero_si256();
                uint32_t *target = run->codes + ((uint64_t)j * run->factor + t) * run->stride + i;
                _mm256_storeu_si256((__m256i *)(void *)target, codes);
            }
        }
    }
    return count;
}

uint64_t sumac_avx512_recode(const recode_run *run)
{
    switch (run->field->limbs) {
    case 4:
        return recode(run, 4);
    case 5:
        return recode(run, 5);
    case 6:
        return recode(run, 6);
    default:
        return 0;
    }
}

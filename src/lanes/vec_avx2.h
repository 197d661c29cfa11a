/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has the operations of vec.h for AVX2 and FMA. Digits are multiplied as doubles, whose fraction has 52 bits,
 * too (Emmart's method). For integers a, b below 2^52 and rounding towards zero
 *
 *   high = fma(a, b, 2^104)                     has floor(a*b/2^52) as its fraction
 *   low = fma(a, b, (2^104 + 2^52) - high)      is 2^52 + a*b mod 2^52, exactly, with that as its fraction
 *
 * and adding the bits of high and low as words adds up the fractions; the exponents add a known number to a word.
 * Therefore the processor rounds towards zero between vec_begin() and vec_end().
 */
#ifndef SUMAC_LANES_VEC_AVX2_H
#define SUMAC_LANES_VEC_AVX2_H

#include <immintrin.h>

#define VEC_LANES 4
typedef __m256i vec;

#define VEC_DIGIT_MASK ((UINT64_C(1) << 52) - 1)

/* Set rounding towards zero without traps, and return the program's setting for vec_end(). Code that computes with doubles
 * must not be inlined into functions that call these, because compilers move arithmetic past them. */
FPV_INLINE uint32_t vec_begin(void)
{
    const uint32_t saved = _mm_getcsr();
    _mm_setcsr(_MM_MASK_MASK | _MM_ROUND_TOWARD_ZERO);
    return saved;
}

FPV_INLINE void vec_end(uint32_t saved)
{
    _mm_setcsr(saved);
}

FPV_INLINE vec vec_zero(void)
{
    return _mm256_setzero_si256();
}

FPV_INLINE vec vec_broadcast(uint64_t value)
{
    return _mm256_set1_epi64x((long long)value);
}

FPV_INLINE vec vec_load(const void *words)
{
    return _mm256_loadu_si256((const __m256i *)words);
}

FPV_INLINE void vec_store(void *words, vec a)
{
    _mm256_storeu_si256((__m256i *)words, a);
}

FPV_INLINE vec vec_add(vec a, vec b)
{
    return _mm256_add_epi64(a, b);
}

FPV_INLINE vec vec_sub(vec a, vec b)
{
    return _mm256_sub_epi64(a, b);
}

FPV_INLINE vec vec_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

FPV_INLINE vec vec_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

FPV_INLINE vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

FPV_INLINE vec vec_shift_left(vec a, unsigned bits)
{
    return _mm256_slli_epi64(a, (int)bits);
}

FPV_INLINE vec vec_shift_right(vec a, unsigned bits)
{
    return _mm256_srli_epi64(a, (int)bits);
}

/* AVX2 has no signed shift of 64-bit words, so a + 2^63 is shifted without sign. */
FPV_INLINE vec vec_shift_right_signed(vec a, unsigned bits)
{
    const vec shifted = vec_shift_right(vec_xor(a, vec_broadcast(UINT64_C(1) << 63)), bits);
    return vec_sub(shifted, vec_broadcast((UINT64_C(1) << 63) >> bits));
}

FPV_INLINE vec vec_funnel_left(vec high, vec low, int bits)
{
    return vec_or(vec_shift_left(high, (unsigned)bits), vec_shift_right(low, (unsigned)(64 - bits)));
}

FPV_INLINE vec vec_funnel_right(vec low, vec high, unsigned bits)
{
    return vec_or(vec_shift_right(low, bits), vec_shift_left(high, 64 - bits));
}

FPV_INLINE vec vec_add_carry(vec next, vec a)
{
    const vec carry = vec_shift_right(vec_xor(a, vec_broadcast(UINT64_C(1) << 63)), 52);
    return vec_add(vec_sub(next, vec_broadcast(1 << 11)), carry);
}

FPV_INLINE uint32_t vec_negative_lanes(vec a)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(a));
}

FPV_INLINE uint32_t vec_equal_lanes(vec a, vec b)
{
    return vec_negative_lanes(_mm256_cmpeq_epi64(a, b));
}

FPV_INLINE uint32_t vec_zero_lanes(vec a)
{
    return vec_equal_lanes(a, vec_zero());
}

/* Return words whose bits are all 1 in these lanes, and 0 in the others. */
FPV_INLINE vec vec_of_lanes(uint32_t lanes)
{
    const vec bits = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(vec_and(vec_broadcast(lanes), bits), bits);
}

FPV_INLINE vec vec_select(vec unset, uint32_t lanes, vec set)
{
    return _mm256_blendv_epi8(unset, set, vec_of_lanes(lanes));
}

FPV_INLINE vec vec_sub_lanes(vec unset, uint32_t lanes, vec a, vec b)
{
    return vec_select(unset, lanes, vec_sub(a, b));
}

FPV_INLINE vec vec_exchange(vec a, int distance)
{
    return distance == 1 ? _mm256_permute4x64_epi64(a, 0xb1) : _mm256_permute4x64_epi64(a, 0x4e);
}

/* Convert the low 52 bits of each word to doubles. */
FPV_INLINE __m256d vec_to_doubles(vec a)
{
    const vec exponent = vec_broadcast(UINT64_C(0x433) << 52);
    const vec digit = vec_or(vec_and(a, vec_broadcast(VEC_DIGIT_MASK)), exponent);
    return _mm256_sub_pd(_mm256_castsi256_pd(digit), _mm256_castsi256_pd(exponent));
}

FPV_INLINE vec vec_multiply_high(vec a, uint64_t constant)
{
    const __m256d high =
        _mm256_fmadd_pd(vec_to_doubles(a), vec_to_doubles(vec_broadcast(constant)), _mm256_set1_pd(0x1p104));
    return vec_and(_mm256_castpd_si256(high), vec_broadcast(VEC_DIGIT_MASK));
}

FPV_INLINE vec vec_add_multiple(vec a, vec q, int offset, uint64_t constant)
{
    const vec low = _mm256_mul_epu32(q, vec_broadcast(constant & UINT32_MAX));
    const vec high = vec_shift_left(_mm256_mul_epu32(q, vec_broadcast(constant >> 32)), 32);
    return vec_sub(vec_sub(vec_add(a, vec_broadcast((uint64_t)offset * constant)), low), high);
}

FPV_INLINE vec vec_sub_multiple(vec a, vec q, uint64_t constant)
{
    return vec_add_multiple(a, q, 0, constant);
}

/* Transpose four rows of four 64-bit words: first pairs of words, then halves of 128 bits. */
FPV_INLINE void vec_transpose(vec r[4])
{
    vec pairs[4];
    SUMAC_UNROLL
    for (int i = 0; i < 4; i += 2) {
        pairs[i] = _mm256_unpacklo_epi64(r[i], r[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi64(r[i], r[i + 1]);
    }
    SUMAC_UNROLL
    for (int i = 0; i < 2; i++) {
        r[i] = _mm256_permute2x128_si256(pairs[i], pairs[i + 2], 0x20);
        r[i + 2] = _mm256_permute2x128_si256(pairs[i], pairs[i + 2], 0x31);
    }
}

/* These are sixteen words of 32 bits, one for each lane. */
typedef struct {
    __m256i half[2];
} lane_words;

FPV_INLINE lane_words words_load(const uint32_t words[16])
{
    const lane_words a = {{vec_load(words), vec_load(words + 8)}};
    return a;
}

FPV_INLINE void words_store(uint32_t words[16], lane_words a)
{
    vec_store(words, a.half[0]);
    vec_store(words + 8, a.half[1]);
}

FPV_INLINE lane_words words_add(lane_words a, uint32_t value)
{
    const __m256i values = _mm256_set1_epi32((int)value);
    const lane_words sum = {{_mm256_add_epi32(a.half[0], values), _mm256_add_epi32(a.half[1], values)}};
    return sum;
}

FPV_INLINE lane_words words_double(lane_words a)
{
    const lane_words twice = {{_mm256_slli_epi32(a.half[0], 1), _mm256_slli_epi32(a.half[1], 1)}};
    return twice;
}

FPV_INLINE lane_words words_half(lane_words a)
{
    const lane_words half = {{_mm256_srli_epi32(a.half[0], 1), _mm256_srli_epi32(a.half[1], 1)}};
    return half;
}

/* Return the lanes whose words have their top bit set. */
FPV_INLINE uint32_t words_top(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(low)) |
           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(high)) << 8;
}

/* The first function returns the lanes whose word is more than the value; words are less than 2^31. The second function
 * returns those lanes of a mask whose word is odd. */
FPV_INLINE uint32_t words_above(lane_words a, uint32_t value)
{
    const __m256i values = _mm256_set1_epi32((int)value);
    return words_top(_mm256_cmpgt_epi32(a.half[0], values), _mm256_cmpgt_epi32(a.half[1], values));
}

FPV_INLINE uint32_t words_odd(lane_words a, uint32_t lanes)
{
    return lanes & words_top(_mm256_slli_epi32(a.half[0], 31), _mm256_slli_epi32(a.half[1], 31));
}

/* Load table[indices] in the lanes of the mask, and 0 in the others. A gathering load would not be faster. */
FPV_INLINE lane_words words_gather(const uint32_t *table, lane_words indices, uint32_t lanes)
{
    uint32_t words[16];
    words_store(words, indices);
    for (uint32_t lane = 0; lane < 16; lane++) {
        words[lane] = (lanes >> lane & 1) != 0 ? table[words[lane]] : 0;
    }
    return words_load(words);
}

#endif

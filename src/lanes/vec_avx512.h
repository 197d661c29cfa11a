/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the operations of vec.h for AVX-512 with F, DQ, VL, IFMA and VBMI2. */
#ifndef SUMAC_LANES_VEC_AVX512_H
#define SUMAC_LANES_VEC_AVX512_H

#include <immintrin.h>

#define VEC_LANES 8
typedef __m512i vec;

/* AVX-512 IFMA needs no change of the processor's state. */
FPV_INLINE uint32_t vec_begin(void)
{
    return 0;
}

FPV_INLINE void vec_end(uint32_t saved)
{
    (void)saved;
}

FPV_INLINE vec vec_zero(void)
{
    return _mm512_setzero_si512();
}

FPV_INLINE vec vec_broadcast(uint64_t value)
{
    return _mm512_set1_epi64((long long)value);
}

FPV_INLINE vec vec_load(const void *words)
{
    return _mm512_loadu_si512(words);
}

FPV_INLINE void vec_store(void *words, vec a)
{
    _mm512_storeu_si512(words, a);
}

FPV_INLINE vec vec_add(vec a, vec b)
{
    return _mm512_add_epi64(a, b);
}

FPV_INLINE vec vec_sub(vec a, vec b)
{
    return _mm512_sub_epi64(a, b);
}

FPV_INLINE vec vec_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

FPV_INLINE vec vec_or(vec a, vec b)
{
    return _mm512_or_si512(a, b);
}

FPV_INLINE vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

FPV_INLINE vec vec_shift_left(vec a, unsigned bits)
{
    return _mm512_slli_epi64(a, bits);
}

FPV_INLINE vec vec_shift_right(vec a, unsigned bits)
{
    return _mm512_srli_epi64(a, bits);
}

FPV_INLINE vec vec_shift_right_signed(vec a, unsigned bits)
{
    return _mm512_srai_epi64(a, bits);
}

/* This is a macro because the instruction needs a constant number of bits, which a parameter is not without
 * optimisation. */
#define vec_funnel_left(high, low, bits) _mm512_shldi_epi64(high, low, bits)

FPV_INLINE vec vec_funnel_right(vec low, vec high, unsigned bits)
{
    return _mm512_shrdv_epi64(low, high, vec_broadcast(bits));
}

FPV_INLINE vec vec_add_carry(vec next, vec a)
{
    return _mm512_add_epi64(next, _mm512_srai_epi64(a, 52));
}

FPV_INLINE uint32_t vec_zero_lanes(vec a)
{
    return _mm512_testn_epi64_mask(a, a);
}

FPV_INLINE uint32_t vec_equal_lanes(vec a, vec b)
{
    return _mm512_cmpeq_epi64_mask(a, b);
}

FPV_INLINE uint32_t vec_negative_lanes(vec a)
{
    return _mm512_cmplt_epi64_mask(a, _mm512_setzero_si512());
}

FPV_INLINE vec vec_select(vec unset, uint32_t lanes, vec set)
{
    return _mm512_mask_mov_epi64(unset, (__mmask8)lanes, set);
}

FPV_INLINE vec vec_sub_lanes(vec unset, uint32_t lanes, vec a, vec b)
{
    return _mm512_mask_sub_epi64(unset, (__mmask8)lanes, a, b);
}

FPV_INLINE vec vec_exchange(vec a, int distance)
{
    switch (distance) {
    case 1:
        return _mm512_permutex_epi64(a, 0xb1);
    case 2:
        return _mm512_permutex_epi64(a, 0x4e);
    default:
        return _mm512_shuffle_i64x2(a, a, 0x4e);
    }
}

FPV_INLINE vec vec_multiply_high(vec a, uint64_t constant)
{
    return _mm512_madd52hi_epu64(_mm512_setzero_si512(), a, vec_broadcast(constant));
}

/* The eight possible products form a constant vector, from which a permutation selects. */
FPV_INLINE vec vec_add_multiple(vec a, vec q, int offset, uint64_t constant)
{
    const long long digit = (long long)constant;
    const vec multiples = _mm512_setr_epi64(offset * digit, (offset - 1) * digit, (offset - 2) * digit,
                                            (offset - 3) * digit, (offset - 4) * digit, (offset - 5) * digit,
                                            (offset - 6) * digit, (offset - 7) * digit);
    return _mm512_add_epi64(a, _mm512_permutexvar_epi64(q, multiples));
}

/* The sixteen products form two constant vectors. */
FPV_INLINE vec vec_sub_multiple(vec a, vec q, uint64_t constant)
{
    const long long p = (long long)constant;
    const vec few = _mm512_setr_epi64(0, p, 2 * p, 3 * p, 4 * p, 5 * p, 6 * p, 7 * p);
    const vec many = _mm512_setr_epi64(8 * p, 9 * p, 10 * p, 11 * p, 12 * p, 13 * p, 14 * p, 15 * p);
    return _mm512_sub_epi64(a, _mm512_permutex2var_epi64(few, q, many));
}

/* Transpose eight rows of eight 64-bit words: first pairs of words, then quarters of 128 bits. */
FPV_INLINE void vec_transpose(vec r[8])
{
    vec pairs[8], fours[8];
    SUMAC_UNROLL
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
    }
    SUMAC_UNROLL
    for (int i = 0; i < 2; i++) {
        fours[i] = _mm512_shuffle_i64x2(pairs[i], pairs[i + 2], 0x88);
        fours[i + 2] = _mm512_shuffle_i64x2(pairs[i], pairs[i + 2], 0xdd);
        fours[i + 4] = _mm512_shuffle_i64x2(pairs[i + 4], pairs[i + 6], 0x88);
        fours[i + 6] = _mm512_shuffle_i64x2(pairs[i + 4], pairs[i + 6], 0xdd);
    }
    SUMAC_UNROLL
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0x88);
        r[i + 4] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0xdd);
    }
}

/* These are sixteen words of 32 bits, one for each lane. */
typedef __m512i lane_words;

FPV_INLINE lane_words words_load(const uint32_t words[16])
{
    return _mm512_loadu_si512(words);
}

FPV_INLINE void words_store(uint32_t words[16], lane_words a)
{
    _mm512_storeu_si512(words, a);
}

FPV_INLINE lane_words words_add(lane_words a, uint32_t value)
{
    return _mm512_add_epi32(a, _mm512_set1_epi32((int)value));
}

FPV_INLINE lane_words words_double(lane_words a)
{
    return _mm512_slli_epi32(a, 1);
}

FPV_INLINE lane_words words_half(lane_words a)
{
    return _mm512_srli_epi32(a, 1);
}

/* The first function returns the lanes whose word is more than the value; words are less than 2^31. The second function
 * returns those lanes of a mask whose word is odd. */
FPV_INLINE uint32_t words_above(lane_words a, uint32_t value)
{
    return _mm512_cmpgt_epu32_mask(a, _mm512_set1_epi32((int)value));
}

FPV_INLINE uint32_t words_odd(lane_words a, uint32_t lanes)
{
    return _mm512_mask_test_epi32_mask((__mmask16)lanes, a, _mm512_set1_epi32(1));
}

/* Without optimisation gcc 12 defines the gathering load by a macro that converts the sign of the mask.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* Load table[indices] in the lanes of the mask, 0 in others. Indices are less than 2^31. */
FPV_INLINE lane_words words_gather(const uint32_t *table, lane_words indices, uint32_t lanes)
{
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)lanes, indices, table, 4);
}

#pragma GCC diagnostic pop

#endif

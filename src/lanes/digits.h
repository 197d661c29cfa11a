/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Limbs of 64 bits to digits of 52 and back, of the eight elements of a vector: only bits move. */
#ifndef SUMAC_LANES_DIGITS_H
#define SUMAC_LANES_DIGITS_H

#include "lanes/fpv.h"

/* One vector's digits from FP_LIMBS limbs. */
SUMAC_FN void digits_from_limbs(__m512i digits[FPV_DIGITS], const __m512i limbs[FP_LIMBS])
{
    const __m512i mask = fpv_broadcast(FPV_MASK);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const int word = 52 * i / 64;
        const int shift = 52 * i % 64;
        __m512i digit =
            word < FP_LIMBS ? _mm512_srli_epi64(limbs[word], (unsigned)shift) : _mm512_setzero_si512();
        if (shift > 12 && word + 1 < FP_LIMBS) {
            digit = _mm512_shrdv_epi64(limbs[word], limbs[word + 1], fpv_broadcast((uint64_t)shift));
        }
        digits[i] = _mm512_and_si512(digit, mask);
    }
}

/* FP_LIMBS limbs of one vector. In: digits below 2^52, value < 2^(64*FP_LIMBS). */
SUMAC_FN void limbs_from_digits(__m512i limbs[FP_LIMBS], const __m512i digits[FPV_DIGITS])
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        const int digit = 64 * i / 52;
        const int shift = 64 * i % 52;
        __m512i limb = _mm512_srli_epi64(digits[digit], (unsigned)shift);
        if (digit + 1 < FPV_DIGITS) {
            limb = _mm512_or_si512(limb, _mm512_slli_epi64(digits[digit + 1], (unsigned)(52 - shift)));
        }
        if (shift > 40 && digit + 2 < FPV_DIGITS) {
            limb = _mm512_or_si512(limb, _mm512_slli_epi64(digits[digit + 2], (unsigned)(104 - shift)));
        }
        limbs[i] = limb;
    }
}

#endif

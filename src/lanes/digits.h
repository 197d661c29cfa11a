/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Limbs of 64 bits to digits of 52 and back, of a vector's elements: only bits move. */
#ifndef SUMAC_LANES_DIGITS_H
#define SUMAC_LANES_DIGITS_H

#include "lanes/fpv.h"

/* One vector's digits from FP_LIMBS limbs. */
SUMAC_FN void digits_from_limbs(vec digits[FPV_DIGITS], const vec limbs[FP_LIMBS])
{
    const vec mask = fpv_broadcast(FPV_MASK);
    SUMAC_UNROLL
    for (int i = 0; i < FPV_DIGITS; i++) {
        const int word = 52 * i / 64;
        const int shift = 52 * i % 64;
        vec digit = word < FP_LIMBS ? vec_shift_right(limbs[word], (unsigned)shift) : vec_zero();
        if (shift > 12 && word + 1 < FP_LIMBS) {
            digit = vec_funnel_right(limbs[word], limbs[word + 1], (unsigned)shift);
        }
        digits[i] = vec_and(digit, mask);
    }
}

/* FP_LIMBS limbs of one vector. In: digits below 2^52, value < 2^(64*FP_LIMBS). */
SUMAC_FN void limbs_from_digits(vec limbs[FP_LIMBS], const vec digits[FPV_DIGITS])
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        const int digit = 64 * i / 52;
        const int shift = 64 * i % 52;
        vec limb = vec_shift_right(digits[digit], (unsigned)shift);
        if (digit + 1 < FPV_DIGITS) {
            limb = vec_or(limb, vec_shift_left(digits[digit + 1], (unsigned)(52 - shift)));
        }
        if (shift > 40 && digit + 2 < FPV_DIGITS) {
            limb = vec_or(limb, vec_shift_left(digits[digit + 2], (unsigned)(104 - shift)));
        }
        limbs[i] = limb;
    }
}

#endif

/*
 * Signed digits of an integer, each found by itself (Booth's recoding, radix 2^c): no carry runs from window
 * to window, so that any window may be computed alone, on a thread of its own. Common to host and device.
 *
 * With k_i the bits of k, window w of c bits has the digit
 *   d_w = k[w*c + c - 2 .. w*c] + k_(w*c - 1) - 2^(c-1) * k_(w*c + c - 1),   k_(-1) = 0,
 * and the sum of d_w * 2^(c*w) telescopes to k where the bits from windows*c - 1 on are 0. -2^(c-1) <= d_w <=
 * 2^(c-1). A digit is coded as 2*|d| + (d < 0), and 0 as 0.
 */
#ifndef SUMAC_MATH_RECODE_H
#define SUMAC_MATH_RECODE_H

#include "portable.h"

/* Bits [position, position + count) of k, count <= 32; bits past the limbs are 0. */
SUMAC_FN uint32_t recode_bits(const uint64_t *k, uint32_t limbs, uint32_t position, uint32_t count)
{
    const uint32_t limb = position / 64;
    const uint32_t shift = position % 64;
    uint64_t bits = 0;
    if (limb < limbs) {
        bits = k[limb] >> shift;
        if (shift + count > 64 && limb + 1 < limbs) {
            bits |= k[limb + 1] << (64 - shift);
        }
    }
    return (uint32_t)(bits & (((uint64_t)1 << count) - 1));
}

/* A digit's code from the bits of its window and the one below them. c <= 24. */
SUMAC_FN uint32_t recode_signed_code(uint32_t bits, uint32_t c, uint32_t negate)
{
    const uint32_t rounded = (bits + 1) >> 1;
    const uint32_t negative = bits >> c;
    const uint32_t magnitude = negative ? ((uint32_t)1 << c) - rounded : rounded;
    return magnitude == 0 ? 0 : (magnitude << 1 | (negative ^ negate));
}

/* The code of window w's digit; negate is 1 where the scalar itself counts as negative. */
SUMAC_FN uint32_t recode_signed_digit(const uint64_t *k, uint32_t limbs, uint32_t w, uint32_t c,
                                      uint32_t negate)
{
    const uint32_t bits = w == 0 ? recode_bits(k, limbs, 0, c) << 1 : recode_bits(k, limbs, w * c - 1, c + 1);
    return recode_signed_code(bits, c, negate);
}

#endif

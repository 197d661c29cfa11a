/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes the signed digits of an integer independently of one another (Booth's recoding, radix 2^c). No carry
 * runs from window to window, so any thread may compute any window. Host and device use this file.
 *
 * If k_i are the bits of k, window w of c bits has the digit
 *   d_w = k[w*c + c - 2 .. w*c] + k_(w*c - 1) - 2^(c-1) * k_(w*c + c - 1),   k_(-1) = 0,
 * where -2^(c-1) <= d_w <= 2^(c-1). If the bits of k from windows*c - 1 on are 0, the sum of d_w * 2^(c*w) telescopes to
 * k. A digit is coded as 2*|d| + (d < 0), and 0 as 0.
 */
#ifndef SUMAC_MATH_RECODE_H
#define SUMAC_MATH_RECODE_H

#include "math/scalar.h"

/* Return bits [position, position + count) of k, where count <= 32. Bits past the limbs are 0. */
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

/* Return a digit's code from the bits of its window and the bit below them. c <= 24. */
SUMAC_FN uint32_t recode_signed_code(uint32_t bits, uint32_t c, uint32_t negate)
{
    const uint32_t rounded = (bits + 1) >> 1;
    const uint32_t negative = bits >> c;
    const uint32_t magnitude = negative ? ((uint32_t)1 << c) - rounded : rounded;
    return magnitude == 0 ? 0 : (magnitude << 1 | (negative ^ negate));
}

/* Return the code of window w's digit; negate is 1 if the scalar itself counts as negative. */
SUMAC_FN uint32_t recode_signed_digit(const uint64_t *k, uint32_t limbs, uint32_t w, uint32_t c,
                                      uint32_t negate)
{
    const uint32_t bits = w == 0 ? recode_bits(k, limbs, 0, c) << 1 : recode_bits(k, limbs, w * c - 1, c + 1);
    return recode_signed_code(bits, c, negate);
}

/* Return 1 if k, of at most window_bits bits, is 2^(window_bits - 1). -k is then the least signed scalar, and the digits of
 * k add up to -k. */
SUMAC_FN int recode_is_least(const uint64_t *k, uint32_t limbs, uint32_t window_bits)
{
    return scalar_bits(k, limbs) == window_bits;
}

/* Return the code of window w's unsigned digit: k is the sum of d_w * 2^(c*w), 0 <= d_w < 2^c <= 2^24. */
SUMAC_FN uint32_t recode_unsigned_digit(const uint64_t *k, uint32_t limbs, uint32_t w, uint32_t c,
                                        uint32_t negate)
{
    const uint32_t digit = recode_bits(k, limbs, w * c, c);
    return digit == 0 ? 0 : digit << 1 | negate;
}

/*
 * Top-window balancing. If the top window has only few bits of r/2, the top digit of k <= r/2 has few values, whose
 * buckets are much larger than the others. Interval s = [s*r/2, (s + 1)*r/2) has exactly one v that is k or -k
 * modulo r:
 *   s even: v = s/2 * r + k,          s odd: v = (s + 1)/2 * r - k, which counts with the other sign,
 * so that scalars are spread over the intervals below 2^(windows*c - 1).
 */

/* Return the interval for scalar i of an MSM. It depends on the index, so that every pass over i finds the same one, and
 * scalars are spread: multiples of the golden section modulo 1 are spread evenly, whatever the number of intervals is,
 * and no period in the order of the scalars agrees with them. Scalars whose top limb is 0, among them those of few bits,
 * stay in interval 0, because they have few digits that are not 0. Uniform scalars hardly ever have a top limb of 0,
 * because the top limb of each r in the registry is nearly full, or is the only one. */
SUMAC_FN uint32_t recode_interval(const uint64_t *k, uint32_t limbs, uint64_t i,
                                  uint32_t top_window_balancing)
{
    const uint32_t fraction = (uint32_t)i * 0x9e3779b9u;
    return k[limbs - 1] == 0 ? 0 : (uint32_t)((uint64_t)fraction * top_window_balancing >> 32);
}

/* Move k <= r/2 to the interval, in place; return the bits of v from 64*limbs on. interval < 2^25. */
SUMAC_FN uint32_t recode_balanced(uint64_t *k, const uint64_t *modulus, uint32_t limbs, uint32_t interval)
{
    const uint64_t odd = interval & 1, multiple = (interval + 1) / 2;
    uint64_t carry = odd; /* m*r - k is m*r + (2^(64*limbs) - 1 - k) + 1 - 2^(64*limbs) */
    for (uint32_t limb = 0; limb < limbs; limb++) {
        k[limb] = limb_multiply_add(modulus[limb], multiple, k[limb] ^ (0 - odd), &carry);
    }
    return (uint32_t)(carry - odd);
}

#endif

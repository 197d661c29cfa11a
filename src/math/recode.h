/* SPDX-License-Identifier: Apache-2.0 OR MIT */
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

#include "math/scalar.h"

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

/*
 * Spreading. Where c does not divide the bits of r/2 well, the top digit of k <= r/2 has few values, whose
 * buckets are much larger than the others. Interval s = [s*r/2, (s + 1)*r/2) has just one v that is k or -k
 * modulo r:
 *   s even: v = s/2 * r + k,          s odd: v = (s + 1)/2 * r - k, which counts with the other sign,
 * so scalars are shared out among as many intervals as there are below 2^(windows*c - 1).
 */

/* The interval for scalar i of an MSM, from its index alone, so that every pass over i finds the same one:
 * multiples of the golden section modulo 1 are spread evenly whatever the number of intervals, and no period
 * in the order of the scalars agrees with them. Scalars whose top limb is 0, those of few bits among them,
 * stay in interval 0: they have few digits that are not 0. Uniform ones have a top limb, as those of the
 * registry's r are nearly full or the only one. */
SUMAC_FN uint32_t recode_interval(const uint64_t *k, uint32_t limbs, uint64_t i, uint32_t spread)
{
    const uint32_t fraction = (uint32_t)i * 0x9e3779b9u;
    return k[limbs - 1] == 0 ? 0 : (uint32_t)((uint64_t)fraction * spread >> 32);
}

/* k <= r/2 to the interval, in place; returns the bits of v from 64*limbs on. interval < 2^25. */
SUMAC_FN uint32_t recode_spread(uint64_t *k, const uint64_t *modulus, uint32_t limbs, uint32_t interval)
{
    const uint64_t odd = interval & 1, multiple = (interval + 1) / 2;
    uint64_t carry = odd; /* m*r - k is m*r + (2^(64*limbs) - 1 - k) + 1 - 2^(64*limbs) */
    for (uint32_t limb = 0; limb < limbs; limb++) {
        k[limb] = limb_multiply_add(modulus[limb], multiple, k[limb] ^ (0 - odd), &carry);
    }
    return (uint32_t)(carry - odd);
}

/*
 * Digits in base q = odd * 2^shift, odd <= 31, shift >= 1, which come one after another from the lowest on.
 * With h = q/2 and S = 1 + q + .. + q^(W-1), v is the sum of d_w * q^w with 1 - h <= d_w <= h just where the
 * e_w = d_w + h - 1 of [0, q) are the digits of v + (h - 1)*S. An integer has W such digits where it is at
 * least 0 and at most q^W - 1 = (q - 1)*S; so W digits hold the integers from (1 - h)*S to (q - h)*S = h*S,
 * and no others.
 */

/* Words of 32 bits of v + (h - 1)*S: with no more windows than v <= B needs, h*(1 + q + .. + q^(W-2)) < B and
 * so v + (h - 1)*S < q^W <= 2*B*q, where q <= 2^24 and 2*B < 2^(64*limbs). */
#define RECODE_RADIX_WORDS(limbs) (2 * (limbs) + 1)

typedef struct recode_radix {
    uint64_t reciprocal; /* floor(2^64/odd) + 1 */
    uint32_t odd;
    uint32_t shift;
    uint32_t half; /* h */
    uint32_t c;    /* 2^(c-1) < q < 2^c */
    uint32_t windows;
    uint32_t bias[RECODE_RADIX_WORDS(SCALAR_MAX_LIMBS)]; /* (h - 1)*S */
} recode_radix;

/* words = k + (h - 1)*S, to begin with. */
SUMAC_FN void recode_radix_begin(uint32_t *words, const uint64_t *k, uint32_t limbs,
                                 const recode_radix *radix)
{
    uint64_t carry = 0;
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t word = 0; word < 2 * limbs; word++) {
        carry += (uint64_t)(uint32_t)(k[word / 2] >> word % 2 * 32) + radix->bias[word];
        words[word] = (uint32_t)carry;
        carry >>= 32;
    }
    words[2 * limbs] = (uint32_t)carry + radix->bias[2 * limbs];
}

/* The code of digit w, which is taken off: the words become their quotient by q. For w = 0, 1, 2 .. in this
 * order. Before digit w they hold less than q^(windows - w) < 2^(c*(windows - w)). */
SUMAC_FN uint32_t recode_radix_digit(uint32_t *words, uint32_t limbs, uint32_t w, const recode_radix *radix,
                                     uint32_t negate)
{
    const uint32_t count = (radix->c * (radix->windows - w) + 31) / 32;
    const uint32_t low = words[0] & (((uint32_t)1 << radix->shift) - 1);
    uint32_t rest = 0, above = 0;
    SUMAC_UNROLL_ON_DEVICE
    for (uint32_t word = 2 * limbs + 1; word-- > 0;) {
        if (word < count) {
            const uint32_t own = words[word];
            const uint32_t shifted = own >> radix->shift | above << (32 - radix->shift);
            const uint64_t dividend = (uint64_t)rest << 32 | shifted;
            /* The reciprocal is at most 1 more than 2^64/odd; the dividend is below 2^37, so that the
             * quotient is less than 2^-27 too large, and its floor is right as its fraction is at most 1 -
             * 1/odd. */
            const uint32_t quotient = (uint32_t)((sumac_u128)dividend * radix->reciprocal >> 64);
            rest = shifted - quotient * radix->odd; /* modulo 2^32 as the dividend's low word */
            words[word] = quotient;
            above = own;
        }
    }
    const uint32_t digit = rest << radix->shift | low; /* e_w */
    const uint32_t zero = radix->half - 1;
    const uint32_t negative = digit < zero;
    const uint32_t magnitude = negative ? zero - digit : digit - zero;
    return magnitude == 0 ? 0 : (magnitude << 1 | (negative ^ negate));
}

#endif

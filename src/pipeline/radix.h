/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The radix of the digits: 2^c, or odd * 2^shift between 2^(c-1) and 2^c, which is for plans whose windows
 * all share one module. Few windows waste much of what powers of two hold: 11 digits of 24 bits hold 264 bits
 * where 11 in base 9 * 2^20 hold just as much as an r of 254.857 bits takes, with 4.7 million buckets instead
 * of 8.4.
 */
#ifndef SUMAC_PIPELINE_RADIX_H
#define SUMAC_PIPELINE_RADIX_H

#include "math/recode.h"

/* The largest odd part. */
#define RADIX_MAX_ODD 31u

/* log2 of the power of two in a radix of c bits; odd = 1 means 2^c. */
static inline uint32_t radix_shift(uint32_t odd, uint32_t c)
{
    uint32_t bits = 0;
    for (; odd > 1 && odd >> bits != 0; bits++) {
    }
    return c - bits;
}

/* The radix q itself; odd = 1 means 2^c. */
static inline uint32_t radix_of(uint32_t odd, uint32_t c)
{
    return odd << radix_shift(odd, c);
}

/* 1 for an odd part other than 1 that a radix of c bits can have. */
static inline int radix_is_valid(uint32_t odd, uint32_t c)
{
    return odd > 1 && odd <= RADIX_MAX_ODD && odd % 2 == 1 && c > 0 && radix_shift(odd, c) - 1 < c;
}

/* What recoding to `windows` digits needs. Of r with so many limbs. */
static inline recode_radix recode_radix_of(uint32_t odd, uint32_t c, uint32_t windows, uint32_t limbs)
{
    recode_radix radix = {0};
    radix.reciprocal = UINT64_MAX / odd + 1; /* odd does not divide 2^64 */
    radix.odd = odd;
    radix.shift = radix_shift(odd, c);
    radix.half = radix_of(odd, c) / 2;
    radix.c = c;
    radix.windows = windows;
    for (uint32_t w = 0; w < windows; w++) { /* bias = bias*q + h - 1 */
        uint64_t carry = radix.half - 1;
        for (uint32_t word = 0; word < RECODE_RADIX_WORDS(limbs); word++) {
            carry += (uint64_t)radix.bias[word] * (2 * radix.half);
            radix.bias[word] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return radix;
}

#endif

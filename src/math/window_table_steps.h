/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Window tables of many bases are made in steps: when the first `known` multiples of every window are done, a step adds as
 * many more by independent additions, so that with D = 2^b digits there are b steps. Common to host and device.
 */
#ifndef SUMAC_MATH_WINDOW_TABLE_STEPS_H
#define SUMAC_MATH_WINDOW_TABLE_STEPS_H

#include <stdint.h>

#include "math/portable.h"

/* Multiples 1 .. known of each window are there, and known + 1 .. 2*known are made, for bases [first, first +
 * n). The table has at most 2^31 points (pipeline.h has their order). */
typedef struct digit_step {
    uint64_t count; /* points of a block */
    uint64_t first;
    uint32_t n;
    uint32_t windows;
    uint32_t digits;     /* D, a power of two */
    uint32_t known_bits; /* known = 2^known_bits < D */
} digit_step;

/* Points of the table: sum = left + right. Left is right where a point is doubled; the sum is neither. */
typedef struct digit_addition {
    uint64_t left;
    uint64_t right;
    uint64_t sum;
} digit_addition;

/* Addition number k of a step, k < n*windows*known < 2^31: neighbours are of neighbouring bases. */
SUMAC_FN digit_addition digit_step_addition(const digit_step *step, uint32_t k)
{
    const uint32_t row = k / step->n, i = k - row * step->n;
    const uint32_t known = (uint32_t)1 << step->known_bits;
    const uint32_t other = row & (known - 1);
    const uint64_t window = (uint64_t)(row >> step->known_bits) * step->digits;
    const uint64_t base = step->first + i;
    const digit_addition addition = {
        (window + known - 1) * step->count + base,
        (window + other) * step->count + base,
        (window + known + other) * step->count + base,
    };
    return addition;
}

#endif

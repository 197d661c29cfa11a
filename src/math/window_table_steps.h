/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Window tables of many bases are computed in steps, on the host and on devices. When the first `known` multiples of every
 * window are done, a step computes as many more by independent additions, so that D = 2^b digits take b steps.
 */
#ifndef SUMAC_MATH_WINDOW_TABLE_STEPS_H
#define SUMAC_MATH_WINDOW_TABLE_STEPS_H

#include <stdint.h>

#include "math/portable.h"

/* A step for bases [first, first + n): multiples 1 .. known of each window are done, and it computes known + 1 .. 2*known.
 * The table has at most 2^31 points, whose order pipeline.h states. */
typedef struct digit_step {
    uint64_t count; /* points of a block */
    uint64_t first;
    uint32_t n;
    uint32_t windows;
    uint32_t digits;     /* D, a power of two */
    uint32_t known_bits; /* known = 2^known_bits < D */
} digit_step;

/* These are indices of points of the table: sum = left + right. If left = right, it is a doubling. The sum is a
 * different point than both. */
typedef struct digit_addition {
    uint64_t left;
    uint64_t right;
    uint64_t sum;
} digit_addition;

/* Return addition k of a step, k < n*windows*known < 2^31. Additions k and k + 1 are mostly of neighbouring bases. */
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

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * reduce by splitting windows, as both engines do it. A window of b bits has a component for each d < 2^b,
 * which counts d times. It becomes two windows of k = ceil(b/2) bits: with d = low + 2^k*high, component
 * `low` of the first is the sum of all d with that low part, and component `high` of the second, which counts
 * 2^k times as much, of all d with that high part. Split again and again, a module is windows of one bit, of
 * which component 1 is all that counts.
 *
 * Where b is odd the second window has only half as many components; the others are infinity. So the windows
 * of one bit that hold something are those of the bits of d, and where bit l went is found by taking the same
 * way: that is its coefficient, 2^l, and no shifts have to be kept.
 */
#ifndef SUMAC_PLANS_WINDOW_SPLITS_H
#define SUMAC_PLANS_WINDOW_SPLITS_H

#include <stdint.h>

/* How a bit of the digits came to a window of one bit. */
typedef struct split_path {
    uint32_t window; /* bit i: it is the second one of split i */
    uint32_t splits;
} split_path;

static inline uint32_t split_bits(uint32_t bits)
{
    return (bits + 1) / 2;
}

/* The way of bit `bit` < bits of windows of so many bits. */
static inline split_path split_path_of(uint32_t bits, uint32_t bit)
{
    split_path path = {0, 0};
    for (; bits > 1; bits = split_bits(bits)) {
        const uint32_t low = split_bits(bits);
        if (bit >= low) {
            path.window |= 1u << path.splits;
            bit -= low;
        }
        path.splits++;
    }
    return path;
}

/* Points of all the windows that so many windows have become after the first split, and at most after each other one. */
static inline uint64_t split_points(uint64_t windows, uint32_t bits)
{
    return windows << (split_bits(bits) + 1);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Both engines reduce by splitting windows in this way. A window of b bits has a component for each d < 2^b, which
 * counts d times. It becomes two windows of k = ceil(b/2) bits. With d = low + 2^k*high, component `low` of the first
 * window is the sum of all components d with that low part, and component `high` of the second window, which counts 2^k
 * times as much, the sum of those with that high part. After all splits a module consists of windows of one bit, of
 * which only component 1 counts.
 *
 * If b is odd, the second window has only half as many components, and the others are infinity. So each bit of d has
 * one window of one bit that is not empty. split_path_of() finds the window of bit l by following the splits; its
 * coefficient is 2^l, so no shifts have to be kept.
 */
#ifndef SUMAC_PLANS_WINDOW_SPLITS_H
#define SUMAC_PLANS_WINDOW_SPLITS_H

#include <stdint.h>

/* A path leads from a bit of the digits through the splits to its window of one bit. */
typedef struct split_path {
    uint32_t window; /* the window's number; bit i is set if split i took the second half */
    uint32_t splits;
} split_path;

static inline uint32_t split_bits(uint32_t bits)
{
    return (bits + 1) / 2;
}

/* Return the path of bit number `bit` < bits in windows of `bits` bits. */
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

/* Return the number of points of all windows after the first split of `windows` windows; later splits have at most as
 * many. */
static inline uint64_t split_points(uint64_t windows, uint32_t bits)
{
    return windows << (split_bits(bits) + 1);
}

#endif

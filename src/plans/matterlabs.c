/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `matterlabs` has four multiples of each base, and splits windows in two.
 *
 * Idea. There are multiples 2^(69j)*P of each base, so the scalar's 253 bits become four times 69 bits, which share
 * three windows of 23 bits, and there is less to reduce. Buckets are sorted by their length. A window of b bits is
 * reduced by splitting it into two windows of ceil(b/2) bits: one has a bucket for each value of the lower half of the
 * bits, and the other one has a bucket for each value of the upper half. Splitting is repeated from 3 windows of 23
 * bits to 96 of one bit. All sums of a split are independent.
 *
 * Source. Matter Labs' entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26, works on chunks of all windows while
 * the rest is copied, with streams for scalars, bases and two sorts.
 *
 * Cost. It takes W*(n*(1 - 1/K) - r*K/f) additions of an affine point, W/f*2K in XYZZ for the first split, and few for
 * the other splits. The multiples need f times the memory of the bases, the radix sort 16 bytes for each digit, and
 * each bucket an XYZZ point.
 *
 * Here. The option --precompute 4 computes the multiples; the shift follows from the window (69 = 3*23). A split's sums
 * are trees of a few launches. A window of an odd number of bits is padded, as in the source. plans/window_splits.h
 * follows each bit through the splits, which gives the nonempty windows of one bit and their coefficients, so no shifts
 * are kept. Copy slices are the original's chunks.
 *
 * Worth keeping. Splitting takes two additions for each bucket, like a running sum, but as a tree without corrections.
 * The reduction `halving` does this in place, with one bit at each step, by affine additions that share inversions.
 */
#include "plans/plans.h"

const named_plan plan_matterlabs = {
    .name = "matterlabs",
    .about = "Unsigned digits, a radix sort, one thread a bucket in XYZZ, the fullest first, and a "
             "reduction that splits windows into two of half as many bits until they have one. This is "
             "Matter Labs' entry of ZPrize 2022, with four multiples of each base, 2^(69j), and three "
             "windows of 23 bits for 2^26 bases.",
    .kinds = {"unsigned", "radix", "fullest-first", "splitting", NULL},
};

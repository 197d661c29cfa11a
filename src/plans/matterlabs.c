/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * matterlabs: four multiples of each base, and windows split in two.
 *
 * Idea. Multiples 2^(69j)*P of each base: the scalar's 253 bits become four times 69, which share three
 * windows of 23 bits, so that there is less to reduce. Buckets are sorted by their length. A window of b
 * bits is reduced by splitting: one bucket for each value of the lower half of the bits, and one for each
 * of the upper half, make two windows of ceil(b/2) bits; and so on, from 3 windows of 23 bits to 96 of one.
 * All sums of a split are independent of each other.
 *
 * Source. Matter Labs' entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26; it works on chunks of
 * all windows while the rest is copied, with streams for scalars, bases and two sorts.
 *
 * Cost. W*(n*(1 - 1/K) - r*K/f) additions of an affine point, W/f*2K in XYZZ for the first split and few
 * for the others. Bytes: the multiples, f times the bases; the radix sort's 16 a digit; an XYZZ point a
 * bucket.
 *
 * Here. --precompute 4 makes the multiples; the shift follows from the window (69 = 3*23). A split's sums
 * are trees of a few launches. A window of an odd number of bits is padded, as in the source. Which windows
 * of one bit remain and are not empty, and what they count, follows from the way that each bit takes, so that
 * no coefficient shifts are kept. Copy slices are the original's chunks.
 *
 * Worth keeping. Splitting is two additions a bucket, as a running sum is, but as a tree, and has nothing
 * to correct. halving is the same with the halves in place: one bit at each step, affine, and batched.
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

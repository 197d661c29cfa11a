/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sixblock: no buckets, but differences between sorted digits.
 *
 * Idea. With the digits of a window sorted, d_1 <= ... <= d_n, go from the largest down and carry two
 * points:
 *
 *     t := t + P_i,    s := s + (d_i - d_(i-1))*t,    at the end s + d_1*t
 *
 * t is the sum of all points so far, and s what they count above the digit that has been reached:
 * accumulation and reduction in one pass over memory. A range of the list does the same by itself, and the
 * results of ranges are only added up.
 *
 * Source. 6block's entry of ZPrize 2022, prize 1a, for BLS12-377: windows of 21 bits and one of 22. On the
 * GPU each thread queues up to ten differences that are not 0, and a whole warp works its queues off when
 * one is full, so that its threads stay together; the sums of a window's ranges are added up on the host
 * while the device works on the next window.
 *
 * Cost. W*n additions of an affine point and W*(r*K + ranges) in XYZZ. A difference over 1 costs its
 * doublings and additions, which makes windows with mostly empty buckets expensive. The reduction has half
 * the additions of running sums: one a bucket instead of two. Bytes: the sort's; two points a range.
 *
 * Here. One range a window with one thread, else four for each thread, shared among the windows of a pass;
 * on a GPU 2^16 a pass. On a GPU the ranges are added up as a tree instead of on the host; a thread queues ten
 * differences, which it finds by a search in the list of where buckets begin, and a warp votes when to work them
 * off. A processor's threads do not wait for each other at each step, and have no queue.
 *
 * Worth keeping. It takes the least memory of all, and of the plans that add in XYZZ the fewest additions.
 * But a chain cannot share inversions, as each t needs the one before: it is no candidate for auto, whose
 * additions are batched.
 */
#include "plans/plans.h"

#define ABOUT                                                                                                \
    "Unsigned digits, a radix sort of (digit, base) in each window, and one pass over the sorted bases "     \
    "that carries two sums along, the points so far and what they count: there are no buckets to be kept "   \
    "or reduced. On a GPU differences of digits queue up, ten a thread, and a warp works them off "          \
    "together. This is 6block's entry of ZPrize 2022, which had windows of 21 and 22 bits for 2^26 bases."

const named_plan plan_sixblock_cpu = {
    .name = "sixblock",
    .about = ABOUT,
    .kinds = {"unsigned", "radix", "differences", "sums", NULL},
};

const named_plan plan_sixblock_cuda = {
    .name = "sixblock",
    .about = ABOUT,
    .kinds = {"unsigned", "radix", "differences", "tree-sums", NULL},
};

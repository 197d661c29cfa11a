/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `sixblock` has no buckets, but uses differences between sorted digits.
 *
 * Idea. The digits of a window are sorted, d_1 <= ... <= d_n. From the largest down, two points are updated:
 *
 *     t := t + P_i,    s := s + (d_i - d_(i-1))*t,    at the end s + d_1*t
 *
 * Here t is the sum of all points so far, and s is the sum of these points, each times the difference of its digit and
 * the current one. So accumulation and reduction are one pass over memory. A range of the list is processed
 * independently, and the results of ranges are only added up.
 *
 * Source. 6block's entry of ZPrize 2022, prize 1a, for BLS12-377, has windows of 21 bits and one of 22. On the GPU each
 * thread queues up to ten differences that are not 0. When a queue is full, the whole warp processes its queues, so
 * that its threads stay together. The host adds up the sums of a window's ranges while the device works on the next
 * window.
 *
 * Cost. It takes W*n additions of an affine point and W*(r*K + ranges) in XYZZ. A difference over 1 costs doublings and
 * additions, which makes windows with mostly empty buckets expensive. The reduction has half the additions of running
 * sums: one for each bucket instead of two. It needs the sort's memory, and two points for each range.
 *
 * Here. With one thread a window has one range. Otherwise there are four ranges for each thread, shared among the
 * windows of a pass. On a GPU a pass has 2^16 ranges. On a GPU a tree adds up the ranges, instead of the host. A thread
 * queues ten differences, which it finds by a search in the list of buckets' starts, and a warp votes when to process
 * them. The threads of a CPU do not wait for each other at each step, and have no queue.
 *
 * Worth keeping. It takes the least memory of all plans, and the fewest additions of those that add in XYZZ. But a
 * chain cannot share inversions, because each t needs the previous one. So it is no candidate for the plan `auto`,
 * whose additions are batched.
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

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `mikevoronov` has signed digits, and takes the fullest bucket first.
 *
 * Idea. Signed digits halve the number of buckets, but carry into the next window, and so perhaps need one window more.
 * A histogram of the digits gives the buckets' starts, and the points' indices are distributed into them. The largest
 * buckets are taken first, one by each thread, so that the lanes of a warp have equally long ones, and no long one is
 * left at the end.
 *
 * Source. Mike Voronov's and Alex Kolganov's entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26, has windows of
 * 23 bits, even and odd ones on two streams. The host computes the overflow window while the device works, and reduces
 * windows while the device works on the next ones.
 *
 * Cost. It takes W*(n*(1 - 1/K) - r*K/2) additions of an affine point, and W*K in XYZZ. Besides the sort's memory each
 * bucket needs 12 bytes for the order, and an XYZZ point.
 *
 * Here. The recoding `signed` needs no carry (Booth's recoding), and has one more window if the bits require it. The
 * accumulation `fullest-first` treats sizes that differ by less than a sixteenth as equal. The reduction stays on the
 * device, because for the host 2^22 buckets of each window would have to be copied. Two in-flight passes correspond to
 * the two streams.
 *
 * Worth keeping. Signed digits are worth keeping: the plan `auto` has them, and saves one bit by taking r - k for a
 * large k. The order by size costs little, and pays if one thread adds up a bucket. Rounds over all buckets do not need
 * it.
 */
#include "plans/plans.h"

const named_plan plan_mikevoronov = {
    .name = "mikevoronov",
    .about = "Signed digits, a distribution into buckets by counting, one thread a bucket in XYZZ, the "
             "fullest first, and running sums in chunks. This is the entry of Voronov and Kolganov of "
             "ZPrize 2022, which had windows of 23 bits for 2^26 bases.",
    .kinds = {"signed", "counting", "fullest-first", "chunks", NULL},
};

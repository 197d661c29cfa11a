/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * mikevoronov: signed digits, the fullest bucket first.
 *
 * Idea. Signed digits halve the buckets, but carry into the next window, and so perhaps need one window
 * more. A histogram of the digits says where buckets begin, and the points' indices are distributed into
 * them. Buckets are taken the largest first, a thread each, so that the lanes of a warp have equally long
 * ones and no long one is left at the end.
 *
 * Source. Mike Voronov's and Alex Kolganov's entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26:
 * windows of 23 bits, even and odd ones on two streams, the overflow window on the host beside the device,
 * and reductions on the host while the device has the next windows.
 *
 * Cost. W*(n*(1 - 1/K) - r*K/2) additions of an affine point, W*K in XYZZ. Bytes: 12 a bucket for their
 * order beside the sort's, an XYZZ point a bucket.
 *
 * Here. signed needs no carry (Booth's recoding), and leaves the overflow to one more window where the bits
 * want one. fullest-first takes sizes for alike that differ by less than a sixteenth. The reduction stays
 * on the device: for the host 2^22 buckets of each window would have to be copied. Two in-flight passes are
 * the two streams.
 *
 * Worth keeping. Signed digits: auto has them, and with r - k one bit less. The order by size costs little
 * and pays where a bucket is one thread's; rounds over all buckets need none.
 */
#include "plans/plans.h"

const named_plan plan_mikevoronov = {
    .name = "mikevoronov",
    .about = "Signed digits, a distribution into buckets by counting, one thread a bucket in XYZZ, the "
             "fullest first, and running sums in chunks. This is the entry of Voronov and Kolganov of "
             "ZPrize 2022, which had windows of 23 bits for 2^26 bases.",
    .kinds = {"signed", "counting", "fullest-first", "chunks", NULL},
};

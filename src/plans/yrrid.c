/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * yrrid: six multiples of each base, and large scalars negated.
 *
 * Idea. Six multiples of each base and two windows of 23 bits, the least reduction of all; a sign bit and a
 * value of 22 bits, and r - k with -P for a k over r/2, which saves the bit that signed digits cost.
 * Buckets are taken by size, the fullest first, one thread a bucket, in XYZZ.
 *
 * Source. Yrrid's entry of ZPrize 2022, prize 1a: BLS12-377, n = 2^26.
 *
 * Cost. As mikevoronov's with W/f modules. For 2^24 bases, f = 6 and c = 23: 184 M additions of an affine
 * point less a few million, and 17 M in XYZZ. Bytes: six times the bases.
 *
 * Here. --precompute 6 makes the multiples; counting is the bucket sort that auto has.
 *
 * Worth keeping. All of the recoding, which auto has: negation, multiples, signed digits.
 */
#include "plans/plans.h"

const named_plan plan_yrrid = {
    .name = "yrrid",
    .about = "Signed digits of k or, where that is less, of r - k for the opposite point; a bucket sort by "
             "counting; one thread a bucket in XYZZ, the fullest first. This is Yrrid's entry of ZPrize "
             "2022, with six multiples of each base and two windows of 23 bits for 2^26 bases.",
    .kinds = {"signed-negated", "counting", "fullest-first", "chunks", NULL},
};

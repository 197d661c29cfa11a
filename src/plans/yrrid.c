/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `yrrid` has six multiples of each base, and negates large scalars.
 *
 * Idea. With six multiples of each base there are two windows of 23 bits, the least reduction of all plans. A digit has
 * a sign bit and a value of 22 bits, and a scalar k over r/2 becomes r - k with -P, which saves the bit that signed
 * digits cost. The fullest buckets are taken first; one thread adds up a bucket, in XYZZ.
 *
 * Source. The method comes from Yrrid's entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26.
 *
 * Cost. It costs as much as the plan `mikevoronov` with W/f modules. For 2^24 bases, f = 6 and c = 23, that is 184 M
 * additions of an affine point less a few million, and 17 M in XYZZ. The multiples need six times the memory of the
 * bases.
 *
 * Here. The option --precompute 6 computes the multiples. The sort `counting` is the bucket sort of the plan `auto`.
 *
 * Worth keeping. The whole recoding is worth keeping, and the plan `auto` has all of it: negation, multiples and signed
 * digits.
 */
#include "plans/plans.h"

const named_plan plan_yrrid = {
    .name = "yrrid",
    .about = "Signed digits of k or, where that is less, of r - k for the opposite point; a bucket sort by "
             "counting; one thread a bucket in XYZZ, the fullest first. This is Yrrid's entry of ZPrize "
             "2022, with six multiples of each base and two windows of 23 bits for 2^26 bases.",
    .kinds = {"signed-negated", "counting", "fullest-first", "chunks", NULL},
};

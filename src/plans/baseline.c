/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `baseline` has windows of one bit.
 *
 * Idea. For each bit of the scalars the bases whose scalar has the bit are added up; the sums are combined with one
 * doubling for each bit. A window has one bucket, so there is nothing to reduce. To keep many threads busy, the bases
 * are divided into groups of 128: a thread adds up a group's bases for one bit, and then one thread for each bit adds
 * up the groups' sums.
 *
 * Source. The method comes from the reference of ZPrize 2022, "accelerating MSM on GPU": Aleo's variable-base MSM for
 * BLS12-377 (algorithms/src/msm/variable_base of snarkVM).
 *
 * Cost. It takes n*bits/2 additions of an affine point, and bits*ceil(n/128) of two XYZZ points. It needs a digit and
 * an entry for each scalar and bit of a pass, and an XYZZ point for each group and bit.
 *
 * Here. The sort selects the ones of each bit in the order of the bases, which on a GPU needs the stable radix sort.
 * The stage `combine` does the doublings, by Horner's rule. Windows of more than one bit are refused, because
 * groups have no weights.
 *
 * Worth keeping. It is a yardstick: at 2^16 bases it needs six times the additions of a bucket method. For a handful of
 * bases it is as fast as the other plans, whose windows then have one or two bits.
 */
#include "plans/plans.h"

#define ABOUT                                                                                                \
    "Windows of one bit: a sum of bases for each bit of the scalars, and doublings at the end. A bit's "     \
    "bases are added up in groups of 128 bases, then the groups. This is the reference of ZPrize 2022's "    \
    "MSM on a GPU, Aleo's, where a thread had a group and a bit."

const named_plan plan_baseline_cpu = {
    .name = "baseline",
    .about = ABOUT,
    .kinds = {"unsigned", "counting", "groups", "sums", NULL},
    .c = 1,
};

const named_plan plan_baseline_cuda = {
    .name = "baseline",
    .about = ABOUT,
    .kinds = {"unsigned", "radix", "groups", "sums", NULL},
    .c = 1,
};

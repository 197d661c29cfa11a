/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `icicle` has one sort over all MSMs and windows, and divides large buckets among threads.
 *
 * Idea. A bucket has one number in the whole call, composed of MSM, window and digit. There is one radix sort over all
 * of them, and run lengths are computed. The buckets are then sorted by their size, the largest first, so that no
 * thread begins a long one when the others are done. Buckets of more than large_bucket_factor (10) times the mean are
 * divided among many threads, and their parts are added up. The reduction halves the windows' bits step by step, as in
 * the plan `matterlabs`. The plan `icicle-triangle` has running sums instead.
 *
 * Source. The method comes from the CUDA backend of the MSM in Ingonyama's ICICLE (large_bucket_factor).
 *
 * Cost. It takes W*(n*(1 - 1/K) - r*K) additions of an affine point and W*2K in XYZZ. It needs the memory of the plan
 * `speakspeak`, and in addition 12 bytes for each bucket, for the order of the buckets, and at most 2^16 XYZZ points,
 * for parts of large buckets.
 *
 * Here. The numbers of a window's buckets are consecutive, so that the sort `radix` may sort window by window, or a
 * pass at once, and leaves the same list. The accumulation `by-size` orders buckets by the number of bits of their
 * size, on a GPU to within a sixteenth. A CPU divides at most 64 buckets of a pass, and a GPU divides all large ones.
 * The engine provides chunks with double buffering and the memory estimate. ICICLE's precompute factor is the option
 * --precompute.
 *
 * Worth keeping. Dividing large buckets makes skewed scalars as fast as uniform ones. The plan `auto` achieves that for
 * all sizes without a factor, because its tasks have equal lengths.
 */
#include "plans/plans.h"

const named_plan plan_icicle = {
    .name = "icicle",
    .about = "Unsigned digits, a sort by the number of the bucket among all MSMs and windows, the largest "
             "buckets first and those far over the mean shared out, and windows that are split into two of "
             "half as many bits until they have one. This is how Ingonyama's ICICLE does it.",
    .kinds = {"unsigned", "radix", "by-size", "splitting", NULL},
};

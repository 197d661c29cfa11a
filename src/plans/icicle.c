/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan icicle has one sort over all MSMs and windows, and divides large buckets among threads.
 *
 * Idea. A bucket has one number in the whole call, composed of MSM, window and digit. There is one radix sort over all
 * of them, and run lengths are computed. The buckets are then sorted by their size, the largest first, so that no
 * thread begins a long one when the others are done. Buckets of more than large_bucket_factor (10) times the mean are
 * divided among many threads, and their parts added up. The reduction halves the windows' bits step by step, as
 * matterlabs does; icicle-triangle has running sums.
 *
 * Source. Ingonyama's ICICLE, its MSM's CUDA backend (large_bucket_factor).
 *
 * Cost. It takes W*(n*(1 - 1/K) - r*K) additions of an affine point and W*2K in XYZZ. It needs speakspeak's memory, 12
 * bytes for each bucket for their order, and at most 2^16 XYZZ points for parts of large buckets.
 *
 * Here. The numbers of a window's buckets are consecutive, so that radix may sort window by window, or a pass at once,
 * and leaves the same list. by-size orders buckets by the number of bits of their size, on a GPU to within a sixteenth.
 * A processor divides at most 64 buckets of a pass, a GPU all large ones. The engine provides chunks with double
 * buffering and the memory estimate; --precompute is the precompute factor.
 *
 * Worth keeping. Dividing large buckets makes skewed scalars as fast as uniform ones. auto achieves that for all sizes
 * without a factor, as its tasks have equal lengths.
 */
#include "plans/plans.h"

const named_plan plan_icicle = {
    .name = "icicle",
    .about = "Unsigned digits, a sort by the number of the bucket among all MSMs and windows, the largest "
             "buckets first and those far over the mean shared out, and windows that are split into two of "
             "half as many bits until they have one. This is how Ingonyama's ICICLE does it.",
    .kinds = {"unsigned", "radix", "by-size", "splitting", NULL},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * icicle: one sort over all MSMs and windows, large buckets apart.
 *
 * Idea. A bucket has one number in the whole call, made of MSM, window and digit; one radix sort over all
 * of them, run lengths, and the buckets sorted by their size, the largest first, so that no thread begins a
 * long one when the others are done. Buckets over large_bucket_factor (10) times the mean are shared out
 * among many threads and their parts added up. The reduction halves the windows' bits step by step, as
 * matterlabs does; icicle-triangle has running sums.
 *
 * Source. Ingonyama's ICICLE, its MSM's CUDA backend (large_bucket_factor).
 *
 * Cost. W*(n*(1 - 1/K) - r*K) additions of an affine point and W*2K in XYZZ. Bytes: as speakspeak's, and 12
 * a bucket for their order; parts of large buckets, at most 2^16 XYZZ points.
 *
 * Here. Numbers of buckets within a window follow each other, so that radix sorts window by window, or a
 * pass at once, and leaves the same list. by-size orders buckets by the number of bits of their size, on a
 * GPU to a sixteenth; a processor cuts at most 64 buckets of a pass, a GPU all that are large. Chunks
 * with double buffering and the memory estimate are the engine's; --precompute is the precompute factor.
 *
 * Worth keeping. Large buckets apart keep skewed scalars as fast as uniform ones. auto has that for any
 * size without a factor, as its tasks are of equal length.
 */
#include "plans/plans.h"

const named_plan plan_icicle = {
    .name = "icicle",
    .about = "Unsigned digits, a sort by the number of the bucket among all MSMs and windows, the largest "
             "buckets first and those far over the mean shared out, and windows that are split into two of "
             "half as many bits until they have one. This is how Ingonyama's ICICLE does it.",
    .kinds = {"unsigned", "radix", "by-size", "splitting", NULL},
};

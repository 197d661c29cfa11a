/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `icicle-triangle` is the plan `icicle` with ICICLE's option is_big_triangle ("big triangle"), which is for
 * many MSMs of few bases.
 *
 * Instead of splitting buckets, one thread for each window computes a running sum. For one MSM of W windows all other
 * threads are idle.
 */
#include "plans/plans.h"

const named_plan plan_icicle_triangle = {
    .name = "icicle-triangle",
    .about = "As icicle with is_big_triangle: one running sum a window, by one thread.",
    .kinds = {"unsigned", "radix", "by-size", "triangle", NULL},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * icicle-triangle: icicle with its "big triangle" (is_big_triangle), which is for many MSMs of few bases.
 *
 * One running sum a window and thread, instead of splitting. It leaves all but W threads idle.
 */
#include "plans/plans.h"

const named_plan plan_icicle_triangle = {
    .name = "icicle-triangle",
    .about = "As icicle with is_big_triangle: one running sum a window, by one thread.",
    .kinds = {"unsigned", "radix", "by-size", "triangle", NULL},
};

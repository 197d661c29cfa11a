/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The plan `rounds` is the plan `auto` without quads in the stage `accumulate`, to show what they gain. It exists on a
 * GPU only. */
#include "plans/plans.h"

const named_plan plan_rounds = {
    .name = "rounds",
    .about = "The planner's choice, but that buckets are added up by rounds over all of them.",
    .kinds = {NULL, NULL, "batched-affine-rounds", NULL, NULL},
};

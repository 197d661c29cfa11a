/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* rounds: auto without quads, to compare them with. On a GPU. */
#include "plans/plans.h"

const named_plan plan_rounds = {
    .name = "rounds",
    .about = "The planner's choice, but that buckets are added up by rounds over all of them.",
    .kinds = {NULL, NULL, "batched-affine-rounds", NULL, NULL},
};

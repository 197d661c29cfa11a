/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The plan `radix` is the plan `auto` with CUB's general radix sort, to compare the two sorts. It exists on a GPU
 * only. */
#include "plans/plans.h"

const named_plan plan_radix = {
    .name = "radix",
    .about = "The planner's choice, but for a radix sort.",
    .kinds = {NULL, "radix", NULL, NULL, NULL},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* radix: auto with CUB's general radix sort, to compare auto's sort with. On a GPU. */
#include "plans/plans.h"

const named_plan plan_radix = {
    .name = "radix",
    .about = "The planner's choice, but for a radix sort.",
    .kinds = {NULL, "radix", NULL, NULL, NULL},
};

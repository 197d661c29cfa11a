/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* radix: auto with a general radix sort, CUB's, to compare its own sort with. On a GPU. */
#include "plans/plans.h"

const named_plan plan_radix = {
    .name = "radix",
    .about = "The planner's choice, but for a radix sort.",
    .kinds = {NULL, "radix", NULL, NULL, NULL},
};

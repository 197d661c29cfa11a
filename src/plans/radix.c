/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The plan radix is auto with CUB's general radix sort, for comparison with auto's sort. It exists on a GPU only. */
#include "plans/plans.h"

const named_plan plan_radix = {
    .name = "radix",
    .about = "The planner's choice, but for a radix sort.",
    .kinds = {NULL, "radix", NULL, NULL, NULL},
};

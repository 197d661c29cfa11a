/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file lists, for one curve and variant, the kinds of the CPU that the planner never chooses by itself: plan_kinds
 * of cpu/stages.h. */
#include "cpu/stages.h"

extern const stage_kind SUMAC_SYMBOL(reduce_running_sum);
#ifdef SUMAC_NAMED_PLANS
extern const stage_kind SUMAC_SYMBOL(accumulate_groups);
extern const stage_kind SUMAC_SYMBOL(accumulate_differences);
extern const stage_kind SUMAC_SYMBOL(accumulate_ranges);
extern const stage_kind SUMAC_SYMBOL(accumulate_by_size);
extern const stage_kind SUMAC_SYMBOL(accumulate_fullest_first);
extern const stage_kind SUMAC_SYMBOL(reduce_chunks);
extern const stage_kind SUMAC_SYMBOL(reduce_triangle);
extern const stage_kind SUMAC_SYMBOL(reduce_splitting);
#endif

const stage_kind *const SUMAC_SYMBOL(plan_kinds)[] = {
    &SUMAC_SYMBOL(reduce_running_sum),
#ifdef SUMAC_NAMED_PLANS
    &SUMAC_SYMBOL(accumulate_groups),
    &SUMAC_SYMBOL(accumulate_differences),
    &SUMAC_SYMBOL(accumulate_ranges),
    &SUMAC_SYMBOL(accumulate_by_size),
    &SUMAC_SYMBOL(accumulate_fullest_first),
    &SUMAC_SYMBOL(reduce_chunks),
    &SUMAC_SYMBOL(reduce_triangle),
    &SUMAC_SYMBOL(reduce_splitting),
#endif
    NULL,
};

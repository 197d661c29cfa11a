/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file lists the CPU engine's named plans: cpu_plans and cpu_plan_kinds of cpu/engine.h. Both lists are empty
 * without the build's option SUMAC_NAMED_PLANS. */
#include "cpu/engine.h"
#include "plans/plans.h"

#ifdef SUMAC_NAMED_PLANS
extern const stage_kind cpu_sort_radix;
#endif

const stage_kind *const cpu_plan_kinds[] = {
#ifdef SUMAC_NAMED_PLANS
    &cpu_sort_radix,
#endif
    NULL,
};

const named_plan *const cpu_plans[] = {
#ifdef SUMAC_NAMED_PLANS
    &plan_baseline_cpu,
    &plan_speakspeak,
    &plan_sixblock_cpu,
    &plan_mikevoronov,
    &plan_matterlabs,
    &plan_yrrid,
    &plan_icicle,
    &plan_icicle_triangle,
#endif
    NULL,
};

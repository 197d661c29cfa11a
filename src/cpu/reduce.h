/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kinds of reduce on the CPU write the parts of modules to this memory. */
#ifndef SUMAC_CPU_REDUCE_H
#define SUMAC_CPU_REDUCE_H

#include "math/point.h"
#include "pipeline/pipeline.h"

typedef struct module_target {
    xyzz *points;   /* part l of the pass's module m at [m*parts + l] */
    uint32_t parts; /* the number of parts of a module */
    int adds;       /* 1: add to the parts that earlier chunks left */
} module_target;

static inline module_target module_target_of(const msm_plan *plan, const msm_pass *pass,
                                             const module_sums *modules)
{
    return (module_target){(xyzz *)modules->points + pass->first_module * plan->module_parts,
                           plan->module_parts, pass_adds_to_parts(plan, pass)};
}

static inline void add_part(const module_target *target, uint64_t part, const xyzz *sum)
{
    xyzz *result = &target->points[part];
    if (target->adds) {
        xyzz_add(result, result, sum);
    } else {
        *result = *sum;
    }
}

#endif

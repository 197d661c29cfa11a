/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* plan.c decides everything ahead: a pure function of curve, sizes, machine and options. */
#ifndef SUMAC_PIPELINE_PLAN_H
#define SUMAC_PIPELINE_PLAN_H

#include "pipeline/backend.h"
#include "pipeline/radix.h"

/* The largest window: a digit's code, 2*|d| + sign, and the levels of the reduction are made for it. */
#define PLAN_MAX_C 24

/* The most scalars of one call. */
#define PLAN_MAX_SCALARS ((uint64_t)1 << 48)

/* Everything that a plan depends on. */
typedef struct plan_request {
    const sumac_curve *curve;
    const curve_code *code;
    const backend *backend;
    uint64_t n;                 /* bases of each MSM */
    uint64_t bases_count;       /* bases in memory: counted in bytes_bases */
    uint32_t batch;             /* at least 1 */
    uint32_t c;                 /* 0: choose */
    uint32_t scalar_bits;       /* 0: bits of r */
    uint32_t precompute_factor; /* at least 1; of multiples still to be made at most so many */
    uint32_t windows;           /* with multiples that exist: the windows that they are made for; else 0 */
    uint32_t radix_odd;         /* with multiples that exist: the odd part of their radix; 0: 1 */
    int all_digits;             /* tables of digits, one for each window: precompute_factor is 1 */
    uint64_t table_limit;       /* most bytes of bases; 0: none */
    uint32_t chunks;            /* 0: choose */
    uint32_t portions;          /* 0: choose */
    sumac_place scalars_place;
    int bases_visit; /* as bases_table.visits */
    int separate_bases;
    uint32_t threads;
    int outside_subgroup;
    sumac_reduction reduction;
    const char *plan_name; /* null: the planner's choice */
    uint64_t memory_limit; /* of the workspace; 0: none */
    int limit_is_given;    /* by the caller: what is fastest within it, however much that takes */
} plan_request;

/* Make the plan. On failure *missing is, for SUMAC_MEMORY_LIMIT, how many bytes the smallest plan lacks.
 * SUMAC_OK, SUMAC_UNKNOWN_PLAN, SUMAC_NOT_SUPPORTED (too many bases, multiples or scalars),
 * SUMAC_MEMORY_LIMIT. */
sumac_status plan_make(const plan_request *request, msm_plan *plan, uint64_t *missing);

/* The number of signed windows of c bits, or digits in the radix of that odd part, that hold every scalar of
 * the request. */
uint32_t plan_windows(const plan_request *request, uint32_t c, uint32_t odd);

/* The intervals of r/2 below 2^(windows*c - 1), over which plan.spread may spread scalars. windows*c >= bits
 * of r. */
uint32_t plan_intervals(const scalar_field *field, uint32_t windows, uint32_t c);

/* The radix of the digits. */
static inline uint32_t plan_radix(const msm_plan *plan)
{
    return radix_of(plan->radix_odd, plan->c);
}

/* log2 of the buckets of a module, on the CPU. */
static inline uint32_t plan_bucket_bits(const msm_plan *plan)
{
    return plan->buckets > 1 ? plan->c - 1 : 0;
}

/* The CPU halves modules of more than 2^PLAN_DIRECT_BITS buckets before it makes their parts:
 * src/cpu/reduce.c.
 */
#define PLAN_DIRECT_BITS 5

/* plan.module_parts on the CPU. The last bucket counts 2^bits times: a part of its own, where the columns'
 * last one has the first row's. */
static inline uint32_t plan_module_parts(const msm_plan *plan)
{
    const uint32_t bits = plan_bucket_bits(plan);
    return plan->reduction == SUMAC_REDUCTION_RUNNING_SUM ? 1 : bits > PLAN_DIRECT_BITS ? bits : bits + 1;
}

#endif

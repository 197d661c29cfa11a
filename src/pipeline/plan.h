/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* plan.c decides everything ahead: a pure function of curve, sizes, machine and options. The inline functions
 * are common to the library and its engines, which are not linked with it. */
#ifndef SUMAC_PIPELINE_PLAN_H
#define SUMAC_PIPELINE_PLAN_H

#include "pipeline/backend.h"

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
    uint32_t images;            /* 2: the bases' images lie beside them; else 1, or 0 */
    uint32_t precompute_factor; /* at least 1; of multiples still to be made at most so many */
    uint32_t windows;           /* with multiples that exist: the windows that they are made for; else 0 */
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

/* The number of signed windows of c bits that hold every scalar of the request. */
uint32_t plan_windows(const plan_request *request, uint32_t c);

/* The intervals of r/2 below 2^(windows*c - 1), over which plan.spread may spread scalars. windows*c >= bits
 * of r. */
uint32_t plan_intervals(const scalar_field *field, uint32_t windows, uint32_t c);

/* log2 of the buckets of a module. */
static inline uint32_t plan_bucket_bits(const msm_plan *plan)
{
    return plan->buckets > 1 ? plan->c - 1 : 0;
}

/* The kind of a stage by its name; null: there is none. */
const stage_kind *plan_kind(const backend *engine, const curve_code *code, msm_stage s, const char *name);

#endif

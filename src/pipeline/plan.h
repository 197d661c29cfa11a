/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* plan.c decides everything ahead: a pure function of curve, sizes, machine and options. */
#ifndef SUMAC_PIPELINE_PLAN_H
#define SUMAC_PIPELINE_PLAN_H

#include "curves/curve_code.h"
#include "pipeline/engine.h"

/* The largest window: a digit's code, 2*|d| + sign, and the levels of the reduction are made for it. */
#define PLAN_MAX_C 24

/* The most scalars of one call. */
#define PLAN_MAX_SCALARS ((uint64_t)1 << 48)

/* Make the plan. On failure *missing is, for SUMAC_MEMORY_LIMIT, how many bytes the smallest plan lacks.
 * SUMAC_OK, SUMAC_UNKNOWN_PLAN (or none whose kinds fit together), SUMAC_NOT_SUPPORTED (too many bases,
 * multiples or scalars), SUMAC_MEMORY_LIMIT. */
sumac_status plan_make(const plan_request *request, msm_plan *plan, uint64_t *missing);

/* The number of signed windows of c bits that hold every scalar of the request. */
uint32_t plan_windows(const plan_request *request, uint32_t c);

/* The intervals of r/2 below 2^(windows*c - 1), over which plan.top_window_balancing may spread scalars. windows*c >= bits
 * of r. */
uint32_t plan_intervals(const scalar_field *field, uint32_t windows, uint32_t c);

/* The index-th plan of an engine; null behind the last one. The first is auto, which leaves everything to the
 * search. */
const named_plan *plan_named(const backend *engine, size_t index);

/* The kind of a stage by its name; null: there is none. */
const stage_kind *plan_kind(const backend *engine, const curve_code *code, msm_stage s, const char *name);

/* Whether there is a kind that leaves such a form. */
int plan_leaves(const backend *engine, const curve_code *code, artefact_form form);

#endif

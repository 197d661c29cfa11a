/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU engine has its table, the kinds of its stages that do not depend on the curve, and the costs of all kinds, which
 * predict.c computes from the measured costs of the group's code. */
#ifndef SUMAC_CPU_ENGINE_H
#define SUMAC_CPU_ENGINE_H

#include "curves/group_code.h"
#include "pipeline/engine.h"

extern const backend cpu_backend;
extern const struct vector_ops cpu_vectors; /* vector_moves.c */

extern const stage_kind cpu_recode_signed;
extern const stage_kind cpu_recode_negated;
extern const stage_kind cpu_recode_glv;
extern const stage_kind cpu_recode_unsigned;
extern const stage_kind cpu_sort_counting;
extern const stage_kind cpu_sort_lookup;

/* src/plans defines the named plans, and their kinds that do not depend on the curve. Both lists end with null. */
extern const named_plan *const cpu_plans[];
extern const stage_kind *const cpu_plan_kinds[];

/* Modules of more than 2^REDUCE_DIRECT_BITS buckets are halved before their parts are made:
 * reduce_halving.c. */
#define REDUCE_DIRECT_BITS 5

stage_cost cpu_cost_of_recode(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_sort(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_straus(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_accumulate(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_halving(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_combine(const plan_request *request, const msm_plan *plan);

/* This implements backend.elapsed. */
double cpu_elapsed(msm_plan *plan, const stage_cost *sum);

#endif

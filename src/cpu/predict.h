/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Predicted costs of the CPU's kinds of stages, from the measured costs of the curve's code. */
#ifndef SUMAC_CPU_PREDICT_H
#define SUMAC_CPU_PREDICT_H

#include "curves/curve_code.h"
#include "pipeline/kinds.h"

/* Modules of more than 2^REDUCE_DIRECT_BITS buckets are halved before their parts are made:
 * reduce_halving.c. */
#define REDUCE_DIRECT_BITS 5

stage_cost cpu_cost_of_recode(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_sort(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_accumulate(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_halving(const plan_request *request, const msm_plan *plan);
stage_cost cpu_cost_of_combine(const plan_request *request, const msm_plan *plan);

/* Implements backend.elapsed. */
double cpu_elapsed(msm_plan *plan, const stage_cost *sum);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kinds cost, and what the plan's numbers are that follow from it: costs.cu. */
#ifndef SUMAC_CUDA_MSM_COSTS_H
#define SUMAC_CUDA_MSM_COSTS_H

#include "pipeline/kinds.h"

stage_cost cuda_cost_of_feed(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_recode(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_sort(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_ranks(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_lookup(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_quads(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_xyzz_quads(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_rounds(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_halving(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_running_sum(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_one_bucket(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_host_combine(const plan_request *request, const msm_plan *plan);
stage_cost cuda_cost_of_device_combine(const plan_request *request, const msm_plan *plan);

/* As backend.elapsed. */
double cuda_elapsed(msm_plan *plan, const stage_cost *sum);

/* plan.copy_slices and copy_slice_growth; as many copy slices as the request has, or 0: as many as pay. */
void cuda_choose_copy_slices(const plan_request *request, msm_plan *plan);

/* accumulate_xyzz_quads_sums.cu: log2 of the quads that are best for a bucket of so many entries, where there are so many. */
uint32_t cuda_quad_level(double load, double buckets);

/* reduce_halving.cu: how many rounds are affine, for so many modules. Falls as there are fewer. */
uint32_t cuda_tail_level(const msm_plan *plan, uint64_t modules);

#endif

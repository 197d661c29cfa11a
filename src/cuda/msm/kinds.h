/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kinds of stages, none of which knows a curve. */
#ifndef SUMAC_CUDA_MSM_KINDS_H
#define SUMAC_CUDA_MSM_KINDS_H

#include "pipeline/kinds.h"

extern const stage_kind cuda_recode_signed;
extern const stage_kind cuda_recode_negated;
extern const stage_kind cuda_recode_glv;
extern const stage_kind cuda_recode_unsigned;
extern const stage_kind cuda_sort_counting;
extern const stage_kind cuda_sort_lookup;
extern const stage_kind cuda_sort_ranks;
extern const stage_kind cuda_accumulate_quads;
extern const stage_kind cuda_accumulate_rounds;
extern const stage_kind cuda_accumulate_xyzz_quads;
extern const stage_kind cuda_reduce_halving;
extern const stage_kind cuda_reduce_running_sum;
extern const stage_kind cuda_reduce_none;
extern const stage_kind cuda_combine_host;
extern const stage_kind cuda_combine_device;

/* The named plans, and the kinds of theirs alone: what the build puts there from src/plans. Both end with null. */
extern const named_plan *const cuda_plans[];
extern const stage_kind *const cuda_plan_kinds[];

#endif

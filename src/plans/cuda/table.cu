/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file lists the CUDA engine's named plans: cuda_plans and cuda_plan_kinds of cuda/msm/stage.h. Both lists are
 * empty without the build's option SUMAC_NAMED_PLANS. */
#include "cuda/msm/stage.h"
#include "plans/plans.h"

#ifdef SUMAC_NAMED_PLANS
extern const stage_kind cuda_sort_radix, cuda_sort_transpose, cuda_accumulate_ranges, cuda_accumulate_by_size,
    cuda_accumulate_fullest_first, cuda_accumulate_groups, cuda_accumulate_differences,
    cuda_accumulate_balanced, cuda_reduce_chunks, cuda_reduce_triangle, cuda_reduce_splitting,
    cuda_reduce_sums, cuda_reduce_tree_sums;
#endif

extern const stage_kind *const cuda_plan_kinds[] = {
#ifdef SUMAC_NAMED_PLANS
    &cuda_sort_radix,
    &cuda_sort_transpose,
    &cuda_accumulate_ranges,
    &cuda_accumulate_by_size,
    &cuda_accumulate_fullest_first,
    &cuda_accumulate_groups,
    &cuda_accumulate_differences,
    &cuda_accumulate_balanced,
    &cuda_reduce_chunks,
    &cuda_reduce_triangle,
    &cuda_reduce_splitting,
    &cuda_reduce_sums,
    &cuda_reduce_tree_sums,
#endif
    NULL,
};

extern const named_plan *const cuda_plans[] = {
#ifdef SUMAC_NAMED_PLANS
    &plan_baseline_cuda,
    &plan_speakspeak,
    &plan_cuzk,
    &plan_sixblock_cuda,
    &plan_mikevoronov,
    &plan_matterlabs,
    &plan_yrrid,
    &plan_icicle,
    &plan_icicle_triangle,
    &plan_radix,
    &plan_rounds,
#endif
    NULL,
};

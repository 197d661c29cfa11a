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
extern const stage_kind cuda_sort_radix;
extern const stage_kind cuda_sort_transpose;
extern const stage_kind cuda_accumulate_quads;
extern const stage_kind cuda_accumulate_rounds;
extern const stage_kind cuda_accumulate_ranges;
extern const stage_kind cuda_accumulate_by_size;
extern const stage_kind cuda_accumulate_fullest_first;
extern const stage_kind cuda_accumulate_groups;
extern const stage_kind cuda_accumulate_differences;
extern const stage_kind cuda_accumulate_balanced;
extern const stage_kind cuda_reduce_halving;
extern const stage_kind cuda_reduce_running_sum;
extern const stage_kind cuda_reduce_none;
extern const stage_kind cuda_reduce_chunks;
extern const stage_kind cuda_reduce_triangle;
extern const stage_kind cuda_reduce_splitting;
extern const stage_kind cuda_reduce_sums;
extern const stage_kind cuda_reduce_tree_sums;
extern const stage_kind cuda_combine_host;
extern const stage_kind cuda_combine_device;

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The named plans are strategies that others published, as choices of kinds, to be run, read and timed beside auto.
 *
 * A plan's file describes its idea, source and cost, and holds its row. Kinds that only named plans have lie in cpu/
 * and cuda/, all others in the engines. If an engine lacks a kind of a plan, its table (table.c, table.cu) leaves the
 * plan out. Nothing outside of this folder refers to the plans: an engine finds them by the tables, which are empty
 * without the build's option SUMAC_NAMED_PLANS.
 *
 * The files write n for the number of bases, `bits` for the bits of a scalar, W = ceil(bits/c) for the number of
 * windows, and K = 2^c for the buckets of a window, half of which signed digits need. r is the share of buckets that
 * are not empty, near 1 if n is a multiple of K. With f multiples of each base there are W/f modules of f*n entries. An
 * addition in XYZZ takes 8 products and 2 squares if one point is affine, else 12 and 2; a batched affine addition
 * takes 5 and 1, its share of the inversion included. An XYZZ point is as large as two affine ones: 192 bytes on
 * BLS12-377 G1.
 */
#ifndef SUMAC_PLANS_PLANS_H
#define SUMAC_PLANS_PLANS_H

#include "pipeline/kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const named_plan plan_baseline_cpu;
extern const named_plan plan_baseline_cuda;
extern const named_plan plan_cuzk;
extern const named_plan plan_icicle;
extern const named_plan plan_icicle_triangle;
extern const named_plan plan_matterlabs;
extern const named_plan plan_mikevoronov;
extern const named_plan plan_radix;
extern const named_plan plan_rounds;
extern const named_plan plan_sixblock_cpu;
extern const named_plan plan_sixblock_cuda;
extern const named_plan plan_speakspeak;
extern const named_plan plan_yrrid;

#ifdef __cplusplus
}
#endif

#endif

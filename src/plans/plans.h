/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The named plans: strategies that others published, as choices of kinds, to be run, read and timed beside auto.
 *
 * A plan's file tells its idea, source and cost, and holds its row. What the kinds in the row do lies in
 * cpu/ and cuda/ where only named plans have them, else in the engines. Of an engine that lacks a kind of a
 * plan, the table (table.c, table.cu) leaves the plan out. Nothing outside of this folder refers to it: an
 * engine finds the tables, which are empty without the build's option SUMAC_NAMED_PLANS.
 *
 * The files write n for the number of bases; bits for those of a scalar; W = ceil(bits/c) for the windows and
 * K = 2^c for the buckets of one, half of which signed digits need; r for the share of buckets that are not
 * empty, near 1 where n is a multiple of K. With f multiples of each base there are W/f modules of f*n
 * entries. An addition in XYZZ takes 8 products and 2 squares where one point is affine, 12 and 2 where
 * none is; a batched affine one 5 and 1, its part of the inversion included. An XYZZ point is as large as
 * two affine ones: 192 bytes on BLS12-377 G1.
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

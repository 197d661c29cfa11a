/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* plan.c makes all decisions before a call runs, as a pure function of group, sizes, machine and options. workspace.c
 * lays out the arrays of a planned call in the single block that the call allocates. */
#ifndef SUMAC_PIPELINE_PLAN_H
#define SUMAC_PIPELINE_PLAN_H

#include "curves/group_code.h"
#include "pipeline/engine.h"

/* This is the largest window c. A digit's code, 2*|d| + sign, and the levels of the reduction are sized for it. */
#define PLAN_MAX_C 24

/* A call has at most this many scalars. */
#define PLAN_MAX_SCALARS ((uint64_t)1 << 48)

/* Make the plan. Returns SUMAC_OK; SUMAC_UNKNOWN_PLAN if there is no plan of this name, or no kinds fit together;
 * SUMAC_NOT_SUPPORTED if there are too many bases, multiples or scalars; or SUMAC_MEMORY_LIMIT, and then *missing is
 * the number of bytes by which the smallest plan exceeds the limit. */
sumac_status plan_make(const plan_request *request, msm_plan *plan, uint64_t *missing);

/* Cut a plan so that its workspace is at most `budget` bytes: cut its batch into sub-batches, a sub-batch's bases into
 * chunks, a chunk into copy slices, and a sub-batch's modules into passes. Everything else, except combine, must be
 * chosen before. With `shrinks`, smaller tasks and fewer threads are tried, too. Returns 1 if the plan fits; otherwise
 * plan.bytes_workspace becomes the smallest workspace that was found. The function is in schedule.c. */
int schedule_fit(const plan_request *request, msm_plan *plan, uint64_t budget, int shrinks);

/* Compute the plan's fields from bytes_digits to bytes_workspace from its other fields. */
void workspace_measure(msm_plan *plan, const group_code *code);

/* Lay out a block of plan->bytes_workspace bytes, 64-byte aligned; return the arrays of one in-flight pass. */
workspace workspace_at(const msm_plan *plan, const group_code *code, void *memory, uint32_t in_flight_pass);

/* Return the number of signed windows of c bits that hold every scalar of the request. */
uint32_t plan_windows(const plan_request *request, uint32_t c);

/* Return the number of intervals of r/2 below 2^(windows*c - 1), over which plan.top_window_balancing may spread scalars.
 * windows*c must be at least the bits of r. */
uint32_t plan_intervals(const scalar_field *field, uint32_t windows, uint32_t c);

/* Return the index-th plan of an engine, or null after the last one. Plan 0 is auto, which leaves everything to the
 * search. */
const named_plan *plan_named(const backend *engine, size_t index);

/* Find the plan with this name (null: auto); return null if the engine has no such plan. */
const named_plan *plan_find(const backend *engine, const char *name);

/* Return the index-th kind of an engine for a group, of any stage, or null after the last one. */
const stage_kind *plan_kind_at(const backend *engine, const group_code *code, uint32_t index);

/* Return whether some kind of the engine has output of this form. */
int plan_leaves(const backend *engine, const group_code *code, artefact_form form);

#endif

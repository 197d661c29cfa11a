/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * MSMs of one executor: they are planned (planning.c), get their memory, and are run by the pipeline, at once or behind the
 * work of a stream. Calls are checked, and call->first_base counts from the shard's first base on.
 */
#ifndef SUMAC_EXECUTOR_MSM_H
#define SUMAC_EXECUTOR_MSM_H

#include "executor/bases.h"
#include "executor/executor.h"

/* ---- From a call's configuration to its plan ---- */

/* Normalise a checked configuration of MSMs of n bases each. `self` is any executor of the list that computes them. */
void msm_call_make(msm_call *call, const executor *self, const sumac_curve *curve, size_t n,
                   const sumac_msm_config *config);

/* How the call's scalars lie in memory. */
scalar_layout planning_layout(const sumac_curve *curve, const sumac_msm_config *config);

/* How many sets of bases the call's MSMs use. */
uint64_t planning_base_sets(const sumac_msm_config *config);

/* The most bytes of workspace that a call may use: the caller's limit, and what its device has left for a workspace, the
 * present one counted. 0: no limit, as for the host's memory. */
uint64_t planning_limit(const executor *self);

/* Fill in all that the plan depends on, for MSMs of one shard of bases. `shape` may describe bases that do not exist. */
void planning_request(plan_request *request, const executor *self, const sumac_bases *shape, uint32_t shard,
                      const msm_call *call, uint64_t limit);

/* Make the plan within a limit, or say why there is none. */
sumac_status planning_make(executor *self, const sumac_bases *shape, uint32_t shard, const msm_call *call,
                           uint64_t limit, msm_plan *plan);

/* Make the plan within planning_limit() and, on the host, within what the machine has left. */
sumac_status planning_make_here(executor *self, const sumac_bases *shape, uint32_t shard,
                                const msm_call *call, msm_plan *plan);

/* ---- Calls ---- */

/* Make the plan, in self->call, and the workspace for it. If a device has less memory than it said when it is asked for the
 * workspace, a plan that takes less is made. */
sumac_status msm_prepare(executor *self, const sumac_bases *bases, uint32_t shard, const msm_call *call);

/* Compute the MSMs. plan: one that was prepared for such a call; null: what msm_prepare() finds. The results of an
 * asynchronous call are complete when msm_complete() has waited for it. */
sumac_status msm_run(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars,
                     const msm_call *call, const msm_plan *plan, msm_target results);

/* Wait for an asynchronous call that is pending: its status is in self->call, its sentence the executor's. */
void msm_complete(executor *self);

/* The index of the first scalar of more bits than declared; the stages only report that there is one. */
size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits);

/* Fail because a scalar is too large. If the scalars lie on the host, the sentence has the index of the first one. */
sumac_status msm_fail_large_scalar(executor *self, const uint8_t *scalars, size_t count,
                                   const msm_call *call);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions plan the MSMs of one executor (planning.c), allocate their memory, and have the pipeline run them.
 * Calls must be checked, and call->first_base counts from the shard's first base.
 */
#ifndef SUMAC_EXECUTOR_MSM_H
#define SUMAC_EXECUTOR_MSM_H

#include "executor/bases.h"
#include "executor/executor.h"

/* ---- From a call's configuration to its plan ---- */

/* Normalise a checked configuration of MSMs of n bases each. `self` is any executor of the list that computes them. */
void msm_call_make(msm_call *call, const executor *self, const sumac_group *group, size_t n,
                   const sumac_msm_config *config);

/* Fail, with a message, unless the executor's backend has a plan of this name. */
sumac_status planning_check_name(const executor *self, const char *name, sumac_message *message);

/* Return the memory layout of the call's scalars. */
scalar_layout planning_layout(const sumac_group *group, const sumac_msm_config *config);

/* Return how many sets of bases the call's MSMs use. */
uint64_t planning_base_sets(const sumac_msm_config *config);

/* Return how many bytes of workspace a call may use: the caller's limit or, if that is less, the device's free memory
 * plus the present workspace. 0 means no limit. On the host only the caller's limit counts. */
uint64_t planning_limit(const executor *self);

/* Fill in everything that the plan of MSMs over one shard depends on. The bases that `shape` describes need not
 * exist. */
void planning_request(plan_request *request, const executor *self, const sumac_bases *shape, uint32_t shard,
                      const msm_call *call, uint64_t limit);

/* Make the plan within a limit, or fail with a message. */
sumac_status planning_make(executor *self, const sumac_bases *shape, uint32_t shard, const msm_call *call,
                           uint64_t limit, msm_plan *plan);

/* Make the plan within planning_limit() and, on the host, within the memory that the machine has left. */
sumac_status planning_make_here(executor *self, const sumac_bases *shape, uint32_t shard,
                                const msm_call *call, msm_plan *plan);

/* ---- Calls ---- */

/* Make the plan in self->call, and allocate its workspace. If a device turns out to have less memory than it reported, a
 * plan with a smaller workspace is made. */
sumac_status msm_prepare(executor *self, const sumac_bases *bases, uint32_t shard, const msm_call *call);

/* Compute the MSMs by a plan that was prepared for such a call. If the plan is null, msm_prepare() makes one. If the
 * executor queues its work, the results lie on the device, and the work is left on the stream. */
sumac_status msm_run(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars,
                     const msm_call *call, const msm_plan *plan, msm_target results);

/* Return the index of the first scalar that has more bits than declared. The stages only report that there is one. */
size_t first_large_scalar(const sumac_group *group, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits);

/* Fail because a scalar is too large. If the scalars lie on the host, the message has the index of the first such
 * scalar. */
sumac_status msm_fail_large_scalar(executor *self, const uint8_t *scalars, size_t count,
                                   const msm_call *call);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From a call's configuration to its plan. */
#ifndef SUMAC_EXECUTOR_PLANNING_H
#define SUMAC_EXECUTOR_PLANNING_H

#include "executor/bases.h"
#include "executor/executor.h"

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

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From a call's configuration to its plan. */
#ifndef SUMAC_EXECUTOR_PLANNING_H
#define SUMAC_EXECUTOR_PLANNING_H

#include "executor/bases.h"
#include "executor/executor.h"

/* The most bytes of workspace that a call may use: what the executor was told, and what its device has for a
 * workspace, with the one that there is. 0: no limit, as for the host's memory. */
uint64_t planning_limit(const executor *self);

/* How the call's scalars lie in memory, and within which power of two they are: 0, any. */
scalar_layout planning_layout(const sumac_curve *curve, const sumac_msm_config *config);
uint32_t planning_scalar_bits(const sumac_curve *curve, const sumac_msm_config *config);

/* The bits that the scalars of a call have to be checked for; 0: none. */
uint32_t planning_checked_bits(const sumac_curve *curve, const sumac_msm_config *config);

/* A call's tuning, which is checked, as the library's own version. */
sumac_tuning planning_tuning(const sumac_msm_config *config);

/* What the plan depends on, for MSMs of one shard of bases that exist or (shape) that are only thought of. */
plan_request planning_request(const executor *self, const sumac_bases *shape, uint32_t shard, size_t n,
                              const sumac_msm_config *config, uint64_t limit);

/* How many sets of bases the call's MSMs use. */
uint64_t planning_base_sets(const sumac_msm_config *config);

/* The name of the executor's plan as a constant; null where there is none. */
const char *planning_lasting_name(const executor *self, const char *name);

/* Whether two requests are for the same plan. */
int planning_is_same(const plan_request *a, const plan_request *b);

/* The plan of a call, within planning_limit() and, on the host, within what the machine has left; or a
 * sentence why there is none. */
sumac_status planning_make_here(executor *self, const sumac_bases *shape, uint32_t shard, size_t n,
                                const sumac_msm_config *config, msm_plan *plan);

/* The plan within a limit, or a sentence why there is none. */
sumac_status planning_make(executor *self, const sumac_bases *shape, uint32_t shard, size_t n,
                           const sumac_msm_config *config, uint64_t limit, msm_plan *plan);

#endif

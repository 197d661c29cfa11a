/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * MSMs of one executor: they are planned, get their memory, and are run by the pipeline, at once or behind the work of a
 * stream. Calls are checked, and call->first_base counts from the shard's first base on.
 */
#ifndef SUMAC_EXECUTOR_MSM_H
#define SUMAC_EXECUTOR_MSM_H

#include "executor/bases.h"
#include "executor/executor.h"

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

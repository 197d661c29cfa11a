/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * MSMs of one executor: planned, with the memory for them, and run by the pipeline; now, or behind a stream's work.
 * Configurations are checked, and `config.first` counts from the shard's first base on.
 */
#ifndef SUMAC_EXECUTOR_MSM_H
#define SUMAC_EXECUTOR_MSM_H

#include "executor/bases.h"
#include "executor/executor.h"

/* A plan, in self->call, and the workspace for it. A device's memory may be gone when it is asked for: then a plan
 * that takes less. */
sumac_status msm_prepare(executor *self, const sumac_bases *bases, uint32_t shard, size_t n,
                         const sumac_msm_config *config);

/* The MSMs' results. plan: one that was prepared for such a call; null: what msm_prepare() finds. After an
 * asynchronous call they are there when msm_complete() has waited for it. */
sumac_status msm_run(executor *self, const sumac_bases *bases, uint32_t shard, const void *scalars, size_t n,
                     const sumac_msm_config *config, const msm_plan *plan, msm_target results);

/* Wait for an asynchronous call that is pending: its status is in self->call, its sentence the executor's. */
void msm_complete(executor *self);

/* The index of the first scalar of more bits than declared; the stages only report that there is one. */
size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits);

/* The sentence for scalars in which there is one. */
sumac_status msm_fail_large_scalar(executor *self, const sumac_curve *curve, const uint8_t *scalars,
                                   size_t count, const sumac_msm_config *config);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * MSMs of bases that lie with the executors of a list, one shard with each: which MSMs, and which bases of each, are
 * whose; and their sums. One executor's work is the caller's call, with the caller's memory and stream. So it is, too,
 * where the bases have one shard, or a small MSM of replicas is faster on one device.
 */
#ifndef SUMAC_EXECUTOR_SHARED_MSM_H
#define SUMAC_EXECUTOR_SHARED_MSM_H

#include "executor/bases.h"
#include "executor/list.h"

/* What a caller is told of the plans of a call. */
typedef struct shared_plan {
    msm_plan plan;    /* of the executor with the largest share */
    uint64_t devices; /* executors that have work */
    uint64_t calls;   /* of pipelines, of the one with the largest share */
    int one_has_all;  /* executor 0 does it alone, by this plan */
} shared_plan;

/* The MSMs, of checked arguments. Results of several executors are written when all are there. plan: of
 * shared_msm_prepare(); null: none was made. */
sumac_status shared_msm_run(executor_list *list, const sumac_bases *bases, const void *scalars, size_t n,
                            const sumac_msm_config *config, const shared_plan *plan, msm_target results);

/* The plans, for bases that exist or (shape) are only thought of. */
sumac_status shared_msm_plan(executor_list *list, const sumac_bases *shape, size_t n,
                             const sumac_msm_config *config, shared_plan *plan);

/* The same, and each executor has its plan and its workspace. */
sumac_status shared_msm_prepare(executor_list *list, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config, shared_plan *plan);

/* Results that lie on the host, to where the caller wants them: the host, or the first executor's device. */
sumac_status shared_msm_give(executor *first, sumac_location location, const void *points, size_t bytes,
                             void *results);

/* result = the sum of `count` raw points of a form: those of devices, or partial results. points: room for so many affine
 * ones of the curve's code. On failure *bad is the first that `check` refuses. */
sumac_status add_up_points(const curve_code *code, const sumac_curve *curve, const uint8_t *const *records,
                           size_t count, sumac_form form, sumac_check check, void *points, uint8_t *result,
                           size_t *bad);

#endif

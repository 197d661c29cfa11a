/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * MSMs whose bases are distributed over the executors of a list, a shard or a replica for each. This layer decides which
 * MSMs, and which bases of each MSM, an executor computes, and adds up their results. If the bases have one shard, or if
 * one device computes a small MSM of replicas faster than several, one executor does all the work, and gets the caller's
 * memory and stream as they are.
 */
#ifndef SUMAC_EXECUTOR_SHARED_MSM_H
#define SUMAC_EXECUTOR_SHARED_MSM_H

#include "executor/bases.h"
#include "executor/list.h"

/* Facts about the plans of a call that a caller can ask for. */
typedef struct shared_plan {
    msm_plan plan;    /* of the executor that takes longest */
    uint64_t devices; /* executors that have work */
    uint64_t calls;   /* runs of the pipeline on the executor that takes longest */
    int one_has_all;  /* executor 0 computes everything, by this plan */
} shared_plan;

/* Compute the MSMs of a checked call. Results of several executors are written when all are complete. `plan`
 * comes from shared_msm_plan() with `prepares` set; if it is null, the call is planned now. */
sumac_status shared_msm_run(executor_list *list, const sumac_bases *bases, const void *scalars,
                            const msm_call *call, const shared_plan *plan, msm_target results);

/* Plan a call. If `prepares` is set, each executor also keeps its plan and allocates its workspace; otherwise nothing is
 * allocated, and `bases` may describe bases that do not exist. */
sumac_status shared_msm_plan(executor_list *list, const sumac_bases *bases, const msm_call *call,
                             int prepares, shared_plan *plan);

/* Copy results from the host to where the caller wants them: to the host, or to the first executor's device. */
sumac_status shared_msm_deliver(executor *first, sumac_location location, const void *points, size_t bytes,
                                void *results);

/* result = the sum of `count` raw points of a form. `points` has space for as many affine points of the curve's code. On
 * failure *bad is the index of the first point that `check` refuses. */
sumac_status add_up_points(const curve_code *code, const sumac_curve *curve, const uint8_t *const *records,
                           size_t count, sumac_form form, sumac_check check, void *points, uint8_t *result,
                           size_t *bad);

#endif

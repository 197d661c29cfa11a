/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions compute MSMs whose bases are distributed over the executors of a list, a shard or a replica for each.
 * They decide which MSMs, and which bases of each MSM, an executor computes, and add up the results. If the bases have
 * one shard, or if one device computes a small MSM of replicas faster than several, one executor does all the work, and
 * gets the caller's memory and stream unchanged.
 */
#ifndef SUMAC_EXECUTOR_SHARED_MSM_H
#define SUMAC_EXECUTOR_SHARED_MSM_H

#include "executor/bases.h"
#include "executor/list.h"

/* A caller can ask for these facts about the plans of a call. */
typedef struct shared_plan {
    msm_plan plan;    /* the plan of the slowest executor */
    uint64_t devices; /* the number of executors that have work */
    uint64_t calls;   /* the number of runs of the pipeline on the slowest executor */
    int one_has_all;  /* executor 0 computes everything, by this plan */
} shared_plan;

/* Compute the MSMs of a checked call. Results of several executors are written only when all are complete. `plan` must
 * come from shared_msm_plan() with `prepares` set; if it is null, the call is planned now. */
sumac_status shared_msm_run(executor_list *list, const sumac_bases *bases, const void *scalars,
                            const msm_call *call, const shared_plan *plan, msm_target results);

/* Plan a call. If `prepares` is set, each executor also keeps its plan and allocates its workspace. Otherwise nothing
 * is allocated, and the bases that `bases` describes need not exist. */
sumac_status shared_msm_plan(executor_list *list, const sumac_bases *bases, const msm_call *call,
                             int prepares, shared_plan *plan);

/* Copy results from the host to the caller's memory, which is on the host or on the first executor's device. */
sumac_status shared_msm_deliver(executor *first, sumac_location location, const void *points, size_t bytes,
                                void *results);

/* Set `result` to the sum of `count` raw points, which have the given form. `points` is memory for `count` affine
 * points in the form of the group's code. If `check` refuses a point, *bad becomes the index of the first one. */
sumac_status add_up_points(const group_code *code, const sumac_group *group, const uint8_t *const *records,
                           size_t count, sumac_form form, sumac_check check, void *points, uint8_t *result,
                           size_t *bad);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions divide the blobs or polynomials of a call among the executors of its context. Each executor gets a
 * range in proportion to its weight, and does the work of the range in sub-batches. If there is one executor, its range
 * has everything.
 */
#ifndef SUMAC_KZG_RANGE_H
#define SUMAC_KZG_RANGE_H

#include <stdatomic.h>

#include "api/call.h"
#include "vector/calls.h"

/* A range has blobs [first, first + count), and the executor that computes with them. */
typedef struct work_range {
    executor *self;
    executor_list *all; /* if not null, these compute MSMs together, and `self` is the first */
    uint32_t index;     /* the index of the executor in the context, and of its shard of bases */
    size_t first, count;
    const _Atomic uint32_t *failed; /* if not null, the lowest index of an executor that has failed */
} work_range;

/* Return the range of a call that does not divide its blobs. It has all blobs, and the first executor. */
work_range range_of_context(sumac_context *context, size_t count);

/* Divide `count` >= 1 blobs into ranges, and call work(call, range) for each range that is not empty, for all at the
 * same time. If executors fail, the status and the message are those of the one with the lowest index. If there is one
 * device or one blob, there is one range, with all threads. */
typedef sumac_status (*range_work)(void *call, const work_range *range);
sumac_status ranges_run(sumac_context *context, uint32_t devices, size_t count, range_work work, void *call);

/* Call work(call, range) with each executor, whatever its weight. The ranges are empty. */
sumac_status ranges_run_with_each(sumac_context *context, range_work work, void *call);

/* Return 1 if an executor with a lower index has failed. The call then returns that failure, whatever this executor
 * does. */
int range_is_over(const work_range *range);

/* The first `done` blobs of a range are done. Return the length of the next sub-batch. Return 0 at the end of the
 * range, or if range_is_over(). `scalars` is the number of scalars that each blob takes. A sub-batch has 4 MiB of
 * scalars, or 128 MiB on a GPU, because larger ones gain nothing and take more memory. */
size_t range_next(const work_range *range, size_t done, size_t scalars);

/* These are `batch` MSMs of n bases from `first_base` on. The scalars of all MSMs are contiguous. */
typedef struct msm_batch {
    const sumac_bases *bases;
    size_t first_base;
    size_t base_sets; /* the number of sets of n bases, which the MSMs use in turns; 0: all use the first n */
    size_t n;
    size_t batch;
} msm_batch;
sumac_status range_msm(const work_range *range, const msm_batch *msms, const sumac_vector *scalars,
                       size_t first, sumac_vector *results, size_t result_first);

#endif

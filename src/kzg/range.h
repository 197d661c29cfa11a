/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Dividing a call's blobs or polynomials among the executors of its context. Each executor gets a range in proportion
 * to its weight and works through it in sub-batches. A call with one executor has one range, which holds everything.
 */
#ifndef SUMAC_KZG_RANGE_H
#define SUMAC_KZG_RANGE_H

#include <stdatomic.h>

#include "api/call.h"
#include "vector/calls.h"

/* Blobs [first, first + count), and the executor that computes with them. */
typedef struct work_range {
    executor *self;
    executor_list *all; /* if not null, these compute MSMs together, and `self` is the first */
    uint32_t index;     /* of the executor in the context, and of its shard of bases */
    size_t first, count;
    const _Atomic uint32_t *failed; /* if not null, the lowest index of an executor that has failed */
} work_range;

/* Return the range of a call that does not divide its blobs: the first executor has all of them. */
work_range range_of_context(sumac_context *context, size_t count);

/* Call work(call, range) for each non-empty range of `count` >= 1 blobs, all at the same time. The status and the
 * message are those of the failed executor with the lowest index. One device or one blob makes one range, with all
 * threads. */
typedef sumac_status (*range_work)(void *call, const work_range *range);
sumac_status ranges_run(sumac_context *context, uint32_t devices, size_t count, range_work work, void *call);

/* Call work(call, range) with each executor, whatever its weight. The ranges are empty. */
sumac_status ranges_run_with_each(sumac_context *context, range_work work, void *call);

/* Return 1 if an executor with a lower index has failed: the call then returns that failure, whatever this one does. */
int range_is_over(const work_range *range);

/* Return the length of the sub-batch after the first `done` blobs of a range, or 0 at its end or when it is over.
 * `scalars` is the number of scalars that each blob takes; a sub-batch has 4 MiB of them, or 128 MiB on a GPU, because
 * larger ones gain nothing and memory stays bounded. */
size_t range_next(const work_range *range, size_t done, size_t scalars);

/* `batch` MSMs of n bases from `first_base` on, whose scalars are contiguous. */
typedef struct msm_batch {
    const sumac_bases *bases;
    size_t first_base;
    size_t base_sets; /* sets of n bases, which the MSMs use in turn; 0: all use the first n */
    size_t n;
    size_t batch;
} msm_batch;
sumac_status range_msm(const work_range *range, const msm_batch *msms, const sumac_vector *scalars,
                       size_t first, sumac_vector *results, size_t result_first);

#endif

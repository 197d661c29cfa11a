/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Dividing a call's blobs, or polynomials, among the executors of its context: each gets a range of them, in proportion to
 * its weight, and goes through it by sub-batches. Calls of one executor do so, too: their range is all of them.
 */
#ifndef SUMAC_KZG_RANGE_H
#define SUMAC_KZG_RANGE_H

#include <stdatomic.h>

#include "api/call.h"
#include "vector/calls.h"

/* Blobs [first, first + count), and the executor that computes with them. */
typedef struct work_range {
    executor *self;
    executor_list *all; /* null, or `self` is the first of them, and all compute MSMs together */
    uint32_t index;     /* of the executor in the context, and of its shard of bases */
    size_t first, count;
    const _Atomic uint32_t *failed; /* null, or the lowest index of an executor that has failed */
} work_range;

/* The range of a call that does not divide its blobs: the first executor has all. */
work_range range_of_context(sumac_context *context, size_t count);

/* Call work(call, range) for each range of `count` >= 1 blobs that is not empty, all at the same time. The status, and the
 * sentence, are those of the first executor that failed. One device, or one blob, makes one range, with all threads. */
typedef sumac_status (*range_work)(void *call, const work_range *range);
sumac_status ranges_run(sumac_context *context, uint32_t devices, size_t count, range_work work, void *call);

/* Call work(call, range) with each executor, whatever its weight. The ranges are empty. */
sumac_status ranges_run_with_each(sumac_context *context, range_work work, void *call);

/* Return 1 when an executor before this one has failed: the call then returns that failure, whatever this one does. */
int range_is_over(const work_range *range);

/* Return the length of the sub-batch that follows the `done` first blobs of a range, 0 at its end or when it is over. A
 * sub-batch has 4 MiB of scalars, on a GPU 128 MiB, where each blob takes so many: larger ones gain nothing, and this
 * bounds memory. */
size_t range_next(const work_range *range, size_t done, size_t scalars);

/* `batch` MSMs of n bases from `first_base` on, whose scalars lie one behind the other. */
typedef struct msm_batch {
    const sumac_bases *bases;
    size_t first_base;
    size_t base_sets; /* of n bases, which the MSMs use in turns; 0: all use the same n */
    size_t n;
    size_t batch;
} msm_batch;
sumac_status range_msm(const work_range *range, const msm_batch *msms, const sumac_vector *scalars,
                       size_t first, sumac_vector *results, size_t result_first);

#endif

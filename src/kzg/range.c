/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/range.h"

typedef struct divided_call {
    executor_list *list;
    size_t count; /* if it is 0, each executor is called with an empty range */
    range_work work;
    void *call;
    _Atomic uint32_t failed;
} divided_call;

/* Store the index of an executor that has failed, if it is the lowest one so far. */
static void note_failure(_Atomic uint32_t *failed, uint32_t index)
{
    uint32_t lowest = atomic_load(failed);
    while (index < lowest && !atomic_compare_exchange_weak(failed, &lowest, index)) {
    }
}

static sumac_status run_range(void *argument, uint32_t k, const _Atomic int *stop)
{
    divided_call *divided = argument;
    const size_t first = (size_t)executors_cut(divided->list, divided->count, 1, k);
    const size_t end = (size_t)executors_cut(divided->list, divided->count, 1, k + 1);
    const work_range range = {.self = &divided->list->at[k],
                              .index = k,
                              .first = first,
                              .count = end - first,
                              .failed = &divided->failed};
    (void)stop;
    if (divided->count > 0 && (range.count == 0 || range_is_over(&range))) {
        return SUMAC_OK;
    }
    const sumac_status status = divided->work(divided->call, &range);
    if (status != SUMAC_OK) {
        note_failure(&divided->failed, k);
    }
    return status;
}

sumac_status ranges_run(sumac_context *context, uint32_t devices, size_t count, range_work work, void *call)
{
    divided_call divided = {context_executors(context), count, work, call, UINT32_MAX};
    if (devices == 1 || count == 1) {
        const work_range whole = {.self = divided.list->at, .count = count};
        return work(call, &whole);
    }
    return executors_run_to_end(divided.list, run_range, &divided);
}

sumac_status ranges_run_with_each(sumac_context *context, range_work work, void *call)
{
    divided_call divided = {context_executors(context), 0, work, call, UINT32_MAX};
    return executors_run_to_end(divided.list, run_range, &divided);
}

work_range range_of_context(sumac_context *context, size_t count)
{
    return (work_range){.self = context_executor(context), .all = context_executors(context), .count = count};
}

int range_is_over(const work_range *range)
{
    return range->failed != NULL && atomic_load(range->failed) < range->index;
}

size_t range_next(const work_range *range, size_t done, size_t scalars)
{
    enum {
        HOST_SCALARS = 1 << 17,  /* so many scalars fit in a core's cache */
        DEVICE_SCALARS = 1 << 22 /* so many scalars keep a GPU busy for tens of milliseconds */
    };
    const size_t most = range->self->engine == NULL ? HOST_SCALARS : DEVICE_SCALARS;
    const size_t left = range->count - done, sub_batch = scalars < most ? most / scalars : 1;
    if (range_is_over(range)) {
        return 0;
    }
    return left < sub_batch ? left : sub_batch;
}

sumac_status range_msm(const work_range *range, const msm_batch *msms, const sumac_vector *scalars,
                       size_t first, sumac_vector *results, size_t result_first)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)msms->batch;
    config.base_sets = (uint32_t)msms->base_sets;
    config.first = msms->first_base;
    return vector_msm(range->self, range->all, msms->bases, range->index, scalars, first, msms->n, &config,
                      results, result_first);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/share.h"

typedef struct shared_call {
    executor_list *list;
    size_t count;
    share_work work;
    void *call;
    _Atomic uint32_t failed;
} shared_call;

/* Executor `index` has failed: no other becomes the first one but one before it. */
static void note_failure(_Atomic uint32_t *failed, uint32_t index)
{
    uint32_t first = atomic_load(failed);
    while (index < first && !atomic_compare_exchange_weak(failed, &first, index)) {
    }
}

static sumac_status note(shared_call *shared, uint32_t k, sumac_status status)
{
    if (status != SUMAC_OK) {
        note_failure(&shared->failed, k);
    }
    return status;
}

static sumac_status run_share(void *argument, uint32_t k, const _Atomic int *stop)
{
    shared_call *shared = argument;
    const size_t first = (size_t)executors_cut(shared->list, shared->count, 1, k);
    const size_t end = (size_t)executors_cut(shared->list, shared->count, 1, k + 1);
    const share own = {&shared->list->at[k], k, first, end - first, &shared->failed};
    (void)stop;
    return own.count == 0 || share_is_over(&own) ? SUMAC_OK
                                                 : note(shared, k, shared->work(shared->call, &own));
}

sumac_status share_out(sumac_context *context, uint32_t devices, size_t count, share_work work, void *call)
{
    shared_call shared = {context_executors(context), count, work, call, UINT32_MAX};
    if (devices == 1 || count == 1) {
        const share all = {shared.list->at, 0, 0, count, &shared.failed};
        return work(call, &all);
    }
    return executors_run_to_end(shared.list, run_share, &shared);
}

static sumac_status run_with_each(void *argument, uint32_t k, const _Atomic int *stop)
{
    shared_call *shared = argument;
    const share own = {&shared->list->at[k], k, 0, 0, &shared->failed};
    (void)stop;
    return note(shared, k, shared->work(shared->call, &own));
}

sumac_status share_with_each(sumac_context *context, share_work work, void *call)
{
    shared_call shared = {context_executors(context), 0, work, call, UINT32_MAX};
    return executors_run_to_end(shared.list, run_with_each, &shared);
}

int share_is_over(const share *own)
{
    return atomic_load(own->failed) < own->index;
}

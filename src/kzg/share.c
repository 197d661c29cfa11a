/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/share.h"

typedef struct shared_call {
    const sumac_context *context;
    size_t count;
    share_work work;
    void *call;
    _Atomic uint32_t failed;
} shared_call;

/* Member `index` has failed: no other becomes the first one but one before it. */
static void note_failure(_Atomic uint32_t *failed, uint32_t index)
{
    uint32_t first = atomic_load(failed);
    while (index < first && !atomic_compare_exchange_weak(failed, &first, index)) {
    }
}

static sumac_status run_share(void *argument, sumac_context *member, uint32_t index)
{
    shared_call *shared = argument;
    const size_t first = sumac_context_share_begin(shared->context, index, shared->count);
    const size_t end = sumac_context_share_begin(shared->context, index + 1, shared->count);
    const share own = {member, index, first, end - first, &shared->failed};
    const sumac_status status =
        own.count == 0 || share_is_over(&own) ? SUMAC_OK : shared->work(shared->call, &own);
    if (status != SUMAC_OK) {
        note_failure(&shared->failed, index);
    }
    return status;
}

sumac_status share_out(sumac_context *context, uint32_t devices, size_t count, share_work work, void *call)
{
    shared_call shared = {context, count, work, call, UINT32_MAX};
    if (devices == 1 || count == 1) {
        const share all = {context, 0, 0, count, &shared.failed};
        return work(call, &all);
    }
    return sumac_context_run_members(context, run_share, &shared);
}

int share_is_over(const share *own)
{
    return atomic_load(own->failed) < own->index;
}

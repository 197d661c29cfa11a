/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A call's blobs over the executors of its context: each has blobs one behind the other, as many as its weight says,
 * and works them off as one would all of them.
 */
#ifndef SUMAC_KZG_SHARE_H
#define SUMAC_KZG_SHARE_H

#include <stdatomic.h>

#include "api/call.h"

/* Blobs [first, first + count), and who has them. */
typedef struct share {
    executor *executor;
    uint32_t index; /* of the executor, and of its shard of bases */
    size_t first, count;
    const _Atomic uint32_t *failed; /* the first executor whose share failed, so far */
} share;

typedef sumac_status (*share_work)(void *call, const share *own);

/* work(call, share) for each share of count >= 1 blobs that is not empty, all at the same time; the status of
 * the first one that failed, with its sentence. With one device, or one blob, it is one share: that of
 * the first executor, with all threads. */
sumac_status share_out(sumac_context *context, uint32_t devices, size_t count, share_work work, void *call);

/* work(call, share) with each executor, whatever its weight: shares of no blobs. */
sumac_status share_with_each(sumac_context *context, share_work work, void *call);

/* Whether one before this one has failed: then nobody asks what becomes of this one. */
int share_is_over(const share *own);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The way home of a call's results. */
#ifndef SUMAC_CUDA_TRANSFER_DELIVER_H
#define SUMAC_CUDA_TRANSFER_DELIVER_H

#include "cuda/device/memory.h"
#include "pipeline/engine.h"

/* One call's at a time. */
struct delivery {
    pinned_buffer on_host;     /* for results that the host has or completes */
    device_buffer on_device;   /* for others */
    void *points;              /* what combine leaves, in one of them */
    pinned_buffer delivers;    /* a word: 1 where there are results */
    const stage_kind *combine; /* the plan's, which completes the points; the plan may be gone by then */
    msm_job job;               /* of an asynchronous call, for the stream's host function: */
    void *results;             /* the caller's, on the host; null on the device */
    uint64_t bytes;
    uint32_t *too_large; /* the mailbox's word */
};

extern const deliver_ops cuda_deliver;

void deliver_close(cuda_engine *engine);

#endif

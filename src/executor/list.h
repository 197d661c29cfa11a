/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A context of several devices: a whole context on the first of them with all threads, and beside it for each
 * device a context of its own, a member, with its queue and its part of the threads. Below the members
 * everything is as with one device. docs/multi-gpu.md has the picture.
 */
#ifndef SUMAC_EXECUTOR_LIST_H
#define SUMAC_EXECUTOR_LIST_H

#include "api/handles.h"

typedef struct context_member {
    sumac_context *context;
    sumac_context *outer;
    uint64_t shares_before; /* of the members before it, together */
    uint32_t first_thread;  /* its threads' numbers in a trace */
    int on_caller;          /* its work runs on the calling thread, which progress is reported on */
    double done_before;     /* by its calls of this MSM before this one, of 1 */
    double done_by_call;
} context_member;

/* On the last MSM of which replicas could each have done a part: whether one of them does it alone. */
typedef struct shared_decision {
    const sumac_bases *bases;
    size_t n;
    sumac_msm_config config;
    int one_is_faster;
} shared_decision;

typedef struct context_members {
    uint32_t count; /* at least 2 */
    struct thread_pool *crew;
    uint64_t shares; /* of all together */
    shared_decision decision;
    context_member at[SUMAC_MAX_DEVICES];
} context_members;

/* For a context that is made, of a configuration with a list: nothing where the list has one device. On
 * failure `reason` is a sentence and the context has no members. */
sumac_status members_create(sumac_context *context, const int32_t *devices, uint32_t count,
                            const uint32_t *shares, char *reason, size_t bytes);
void members_destroy(sumac_context *context);

/* Where the part of member k begins of n things, in whole units but for the last; n for k = count. */
uint64_t members_cut(const context_members *members, uint64_t n, uint64_t unit, uint32_t k);

/* The member with the largest part of n. */
uint32_t members_largest(const context_members *members, uint64_t n, uint64_t unit);

/* work(arguments, k) for each member k, all at the same time, on a thread that no other member has then. When
 * one fails, *stop becomes 1 for the others to see, and the first that failed has its status and sentence
 * returned. */
typedef sumac_status (*member_work)(void *arguments, uint32_t k, const _Atomic int *stop);
sumac_status members_run(sumac_context *context, member_work work, void *arguments);

/* The work of the first member alone, on the calling thread. */
sumac_status members_run_first(sumac_context *context, member_work work, void *arguments);

/* After a call of member k on this thread, which had its device: the thread's device is the context's own
 * again, and the sentence of a failure, with the device, the context's. */
sumac_status members_adopt(sumac_context *context, uint32_t k, sumac_status status);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The context behind include/sumac/context.h, and prepared calls. */
#ifndef SUMAC_API_HANDLES_H
#define SUMAC_API_HANDLES_H

#include <stdatomic.h>

#include "executor/list.h"
#include "executor/shared_msm.h"

/* Which thread's call works with a context: api/call.h. Threads are numbered by pthread_self(). */
typedef struct context_use {
    _Atomic uintptr_t holder; /* 0: no call */
    uint32_t depth;           /* of the holder's calls, each made by the one before; the holder's alone */
    uint32_t callbacks;       /* of the caller's functions, that its thread is in; the holder's alone */
    _Atomic uintptr_t last_holder;
    _Atomic int was_refused; /* some call, as another thread's was going on; for good */
} context_use;

struct sumac_context {
    context_use use;
    /* Its functions are those of api/call.h, with the context for their user, which call the caller's. */
    sumac_context_config config;
    void (*callers_trace)(void *user, const sumac_trace_event *event);
    int (*callers_progress)(void *user, double done);
    void *callers_user;
    double progress_start, progress_share; /* of the call: what the work that reports is */
    uint32_t threads;
    struct thread_pool *pool; /* of so many threads; base/pool.h */
    /* The first one works alone where nothing is shared out, with all threads; its sentence is the context's. */
    executor_list executors;
    executor_list teams; /* of the host's threads, for parts of one work; none before they are asked for */
};

struct sumac_call {
    sumac_context *context;
    const sumac_bases *bases;
    size_t n;
    sumac_msm_config config; /* with its own tuning */
    sumac_tuning tuning;
    shared_plan plan;
};

#endif

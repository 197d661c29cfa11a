/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The context behind include/sumac/context.h, and prepared calls. */
#ifndef SUMAC_API_HANDLES_H
#define SUMAC_API_HANDLES_H

#include <stdatomic.h>

#include "api/messages.h"
#include "executor/list.h"
#include "executor/shared_msm.h"

/* Which thread's call works with a context: api/call.h. Threads are numbered by pthread_self(). */
typedef struct context_use {
    _Atomic uintptr_t holder; /* 0: no call */
    uint32_t depth;     /* calls of the holder, each made inside the one before; only the holder uses it */
    uint32_t callbacks; /* functions of the caller that the holder is in; only the holder uses it */
    _Atomic int
        cancelled; /* the present call is to end; other threads set it, and the call's beginning clears it */
} context_use;

struct sumac_context {
    context_use use;
    thread_messages messages; /* the executors' messages are for the holder alone */
    /* Its functions are those of api/call.h, with the context as their user; they call the caller's. */
    sumac_context_config config;
    void (*callers_trace)(void *user, const sumac_trace_event *event);
    int (*callers_progress)(void *user, double done);
    void *callers_user;
    double progress_start, progress_share; /* the part of the call that reporting work is */
    uint32_t threads;
    struct thread_pool *pool; /* has as many threads; base/pool.h */
    /* The first executor does what is not shared out, with all threads; a call's message is its message. */
    executor_list executors;
    executor_list teams; /* empty until context_teams() is called */
};

struct sumac_call {
    sumac_context *context;
    const sumac_bases *bases;
    msm_call asked;
    shared_plan plan;
};

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines the handles of include/sumac/context.h and of prepared calls. */
#ifndef SUMAC_API_HANDLES_H
#define SUMAC_API_HANDLES_H

#include <stdatomic.h>

#include "api/messages.h"
#include "executor/list.h"
#include "executor/shared_msm.h"

/* This says which thread's call uses a context. The thread is stored by its pthread_self() number (api/call.h). */
typedef struct context_use {
    _Atomic uintptr_t holder; /* 0: no call uses the context */
    uint32_t depth;           /* how many nested calls the holder is in; only the holder uses this */
    uint32_t callbacks;       /* how many of the caller's functions the holder is in; only the holder uses
                                 this */
    _Atomic int
        cancelled; /* 1: the present call must end; other threads set it, and the next call clears it */
} context_use;

struct sumac_context {
    context_use use;
    thread_messages messages; /* the messages for each thread; the executors' messages are for the holder
                                 only */
    /* The functions in `config` are those of api/call.h, and `user` is the context. They call the caller's
     * functions. */
    sumac_context_config config;
    void (*callers_trace)(void *user, const sumac_trace_event *event);
    int (*callers_progress)(void *user, double done);
    void *callers_user;
    double progress_start, progress_share; /* set by context_progress_part() */
    int has_stream;                        /* 1: the caller has set a stream */
    uint32_t threads;
    const char *device_names[MOST_DEVICES]; /* the names that sumac_context_info has */
    struct thread_pool *pool;               /* has `threads` threads; base/pool.h */
    /* The first executor does the work that is not distributed, with all threads, and has the call's message. */
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

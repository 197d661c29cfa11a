/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines the handles of include/sumac/context.h and of prepared calls. */
#ifndef SUMAC_API_HANDLES_H
#define SUMAC_API_HANDLES_H

#include <stdatomic.h>

#include "api/messages.h"
#include "executor/list.h"
#include "executor/shared_msm.h"

/* The thread whose call uses a context, by its pthread_self() number (api/call.h). */
typedef struct context_use {
    _Atomic uintptr_t holder; /* 0: no call uses the context */
    uint32_t depth;           /* the holder's nested calls; only the holder uses this */
    uint32_t callbacks;       /* the caller's functions that the holder is in; only the holder uses this */
    _Atomic int
        cancelled; /* 1: the present call must end; other threads set it, and the next call clears it */
} context_use;

struct sumac_context {
    context_use use;
    thread_messages messages; /* the executors' messages are for the holder alone */
    /* The functions in config are those of api/call.h, whose user is the context; they call the caller's. */
    sumac_context_config config;
    void (*callers_trace)(void *user, const sumac_trace_event *event);
    int (*callers_progress)(void *user, double done);
    void *callers_user;
    double progress_start, progress_share; /* as set by context_progress_part() */
    int has_stream;                        /* 1: the caller has set a stream */
    uint32_t threads;
    const char *device_names[MOST_DEVICES]; /* of sumac_context_info */
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

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How a call of the API begins and fails, and how it waits for an earlier call that a stream still works on. Applications
 * begin and fail as these calls do.
 */
#ifndef SUMAC_API_CALL_H
#define SUMAC_API_CALL_H

#include "executor/list.h"
#include "sumac/sumac.h"

/*
 * context_begin() takes the context for the calling thread, waits for an asynchronous call and clears the message. The
 * context is given back where the block ends. A thread may hold a context many times over, as calls are made of other
 * calls. Null: there is no context, or another thread holds it, or the caller is one of the context's callbacks; then
 * context_held() has the status, and sumac_context_message() the sentence for the calling thread.
 */
sumac_context *context_begin(sumac_context *context);

/* Take the context like context_begin(), but neither wait nor clear the message. */
sumac_context *context_hold(sumac_context *context);

/* Say how context_begin() or context_hold(), which the calling thread has just tried, came out: SUMAC_OK, SUMAC_BAD_ARGUMENT
 * without a context, or SUMAC_BUSY. */
sumac_status context_held(const sumac_context *context);

/* Give back what is held, if anything is, before the block's end. */
void context_end(sumac_context **held);

#define HOLDS __attribute__((cleanup(context_end)))

/* Every entry of the API that takes a context begins with this line, once its outputs are cleared. */
#define BEGIN_CALL(context)                                                                                  \
    HOLDS sumac_context *held_ = context_begin(context);                                                     \
    TRY(context_held(context))

/* Begin a call that makes an object: the caller's handle is null until there is one. */
#define BEGIN_MAKING(context, handle)                                                                        \
    if ((handle) != NULL) {                                                                                  \
        *(handle) = NULL;                                                                                    \
    }                                                                                                        \
    BEGIN_CALL(context);                                                                                     \
    if ((handle) == NULL) {                                                                                  \
        return fail(context, SUMAC_BAD_ARGUMENT, "the address of the handle is null");                       \
    }

/* The functions that a context calls for the caller's. They run on the calling thread; library calls with the context that
 * are made inside them fail, as another thread's would. `user` is the context. */
void context_report_trace(void *user, const sumac_trace_event *event);
int context_report_progress(void *user, double done);

/* Store the sentence, without a full stop at its end, and return the status: return fail(context, STATUS, "..."). */
sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuse a call unless the caller gave the pointers that must not be null, which are named. */
static inline sumac_status require(sumac_context *context, int are_given, const char *names)
{
    return are_given ? SUMAC_OK : fail(context, SUMAC_BAD_ARGUMENT, "%s must not be null", names);
}

/* Do so at the beginning of a call that has just tried to hold its context. */
static inline sumac_status call_require(sumac_context *context, int are_given, const char *names)
{
    const sumac_status status = context_held(context);
    return status == SUMAC_OK ? require(context, are_given, names) : status;
}

/* The message that fail() writes to, for functions that get no context. */
sumac_message *context_message(sumac_context *context);

/* All executors of the context, and the first of them, which does the work that is not shared out. */
executor_list *context_executors(sumac_context *context);
executor *context_executor(const sumac_context *context);

/* Three executors that share the host's threads, each with a workspace that it keeps. They are for work of three parts that
 * run at the same time, during which the context's own executor is idle. Null if each would have fewer than
 * CONTEXT_TEAM_THREADS threads, with which one thread more or less makes too much of a difference; on a device, with
 * several executors, within a memory limit, or if memory is short. */
enum { CONTEXT_TEAMS = 3, CONTEXT_TEAM_THREADS = 4 };
executor_list *context_teams(sumac_context *context);

/* Bases of at most so many bytes are replicated on each device; 0: the caller has set no limit. */
uint64_t context_replica_limit(const sumac_context *context);

/* The code of a curve that the context runs. */
const curve_code *context_code(const sumac_context *context, const sumac_curve *curve);

/* Report a call's progress, between pieces of its work; return SUMAC_CANCELLED, with its sentence, if the call is to end. */
sumac_status context_report(sumac_context *context, double done);

/* From now on work that reports its progress is a part of a longer call: the part begins at `start` and is `share` of the
 * call. 0 and 1 for a call that is not part of another one. */
void context_progress_part(sumac_context *context, double start, double share);

#endif

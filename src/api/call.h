/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How a call of the API begins and fails, and what becomes of the one before it that a stream still works on.
 * Applications begin and fail as these calls do.
 */
#ifndef SUMAC_API_CALL_H
#define SUMAC_API_CALL_H

#include "executor/list.h"
#include "sumac/sumac.h"

/*
 * Every entry of the API that takes a context begins so:
 *
 *     HOLDS sumac_context *held = context_begin(context);
 *     if (held == NULL) {
 *         return SUMAC_BAD_ARGUMENT;
 *     }
 *
 * context_begin() takes the context for the calling thread, waits for an asynchronous call and clears the
 * message; it is given back where the block ends. A thread may hold a context many times over, as calls are
 * made of other calls. Null: there is no context, or another thread holds it, and then nothing of it is
 * touched: sumac_context_message() has a sentence of its own for that thread.
 */
sumac_context *context_begin(sumac_context *context);

/* The same for calls that neither wait nor clear the message. */
sumac_context *context_hold(sumac_context *context);

/* The caller's functions, for a context that is made: their thread's calls with the context are refused as
 * another thread's would be, as they would take the place of the one that is going on. `user`: the context.
 */
void context_report_trace(void *user, const sumac_trace_event *event);
int context_report_progress(void *user, double done);

/* Give back what is held, if anything is, before the block's end. */
void context_end(sumac_context **held);

#define HOLDS __attribute__((cleanup(context_end)))

/* Store the sentence (no full stop at its end is added) and return the status: return fail(context, STATUS,
 * "..."). */
sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Begin a call that `held` is the context of, null where there is none, and whose pointers are there or not; `names` are those
 * that must not be null. */
static inline sumac_status call_require(sumac_context *held, int pointers_are_there, const char *names)
{
    return held == NULL         ? SUMAC_BAD_ARGUMENT
           : pointers_are_there ? SUMAC_OK
                                : fail(held, SUMAC_BAD_ARGUMENT, "%s must not be null", names);
}

/* All that compute for the context, and the first of them, which does what is not shared out. */
executor_list *context_executors(sumac_context *context);
executor *context_executor(const sumac_context *context);

/* For work of three parts that go on at the same time, which the context's own executor does not meanwhile: executors
 * that share the threads of the host out, each with a workspace of its own, and kept. Null where each would have less than
 * CONTEXT_TEAM_THREADS, with which a thread more or less makes too much of a difference; on a device, with several
 * executors, within a memory limit, or for want of memory. */
enum { CONTEXT_TEAMS = 3, CONTEXT_TEAM_THREADS = 4 };
executor_list *context_teams(sumac_context *context);

/* The bytes of bases up to which each device has all of them; 0: the caller has not said. */
uint64_t context_replica_limit(const sumac_context *context);

/* The code of a curve that the context runs. */
const curve_code *context_code(const sumac_context *context, const sumac_curve *curve);

/* Tell of a call's work, between pieces of it: SUMAC_CANCELLED, with its sentence, if the call is to end. */
sumac_status context_report(sumac_context *context, double done);

/* Until the holder says otherwise, work that reports its progress is this part of a longer call: begins at `start` and
 * is `share` of it. 0 and 1 for a call of its own. */
void context_progress_part(sumac_context *context, double start, double share);

#endif

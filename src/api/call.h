/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Every call of the API begins, ends and fails by these functions. The applications of this library use them, too.
 */
#ifndef SUMAC_API_CALL_H
#define SUMAC_API_CALL_H

#include "executor/list.h"
#include "sumac/sumac.h"

/*
 * context_begin() takes the context for the calling thread and clears the message. The context is released at the end of the block. A thread may hold a context several times, because calls are composed of
 * other calls. The result is null if there is no context, if another thread holds it, or if the caller is one of its
 * callbacks; then context_held() has the status, and sumac_context_message() the message for the calling thread.
 */
sumac_context *context_begin(sumac_context *context);

/* Take the context as context_begin() does, but do not clear the message. */
sumac_context *context_hold(sumac_context *context);

/* Return the outcome of the context_begin() or context_hold() that the calling thread has just tried: SUMAC_OK,
 * SUMAC_BAD_ARGUMENT without a context, or SUMAC_BUSY. */
sumac_status context_held(const sumac_context *context);

/* Release the context before the end of the block, if it is held. */
void context_end(sumac_context **held);

/* The attribute `unused` is needed because clang does not count the cleanup as a use. */
#define HOLDS __attribute__((cleanup(context_end), unused))

/* Every function of the API that takes a context begins with this line, after it has cleared its outputs. */
#define BEGIN_CALL(context)                                                                                  \
    HOLDS sumac_context *held_ = context_begin(context);                                                     \
    TRY(context_held(context))

/* Begin a call that creates an object. The caller's handle is set to null, and stays null until the object exists. */
#define BEGIN_MAKING(context, handle)                                                                        \
    if ((handle) != NULL) {                                                                                  \
        *(handle) = NULL;                                                                                    \
    }                                                                                                        \
    BEGIN_CALL(context);                                                                                     \
    if ((handle) == NULL) {                                                                                  \
        return fail(context, SUMAC_BAD_ARGUMENT, "the address of the handle is null");                       \
    }

/* If the caller has set a stream, let the present call leave its work there and return. If the call is part of another
 * call, it must wait for its work, because the other call uses its results. */
void context_queue(sumac_context *context);

/* A context calls these functions, which call the caller's functions on the calling thread. If the caller's functions
 * call the library with the same context, these calls fail, as those of another thread do. `user` is the context. */
void context_report_trace(void *user, const sumac_trace_event *event);
int context_report_progress(void *user, double done);

/* Store the message, without a full stop at its end, and return the status: return fail(context, STATUS, "..."). */
sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fail unless the caller gave all required pointers. `names` lists these pointers for the message. */
static inline sumac_status require(sumac_context *context, int are_given, const char *names)
{
    return are_given ? SUMAC_OK : fail(context, SUMAC_BAD_ARGUMENT, "%s must not be null", names);
}

/* Refuse a buffer that has fewer bytes than `count` items of `each` bytes. */
sumac_status bytes_require(sumac_context *context, const char *what, size_t given, uint64_t count,
                           uint64_t each);

/* This is require() for the beginning of a call that has just tried to hold its context. */
static inline sumac_status call_require(sumac_context *context, int are_given, const char *names)
{
    const sumac_status status = context_held(context);
    return status == SUMAC_OK ? require(context, are_given, names) : status;
}

/* Return the message that fail() writes to, for functions without a context. */
sumac_message *context_message(sumac_context *context);

/* context_executors() returns all executors of the context, and context_executor() the first one, which does the work
 * that is not distributed. */
executor_list *context_executors(sumac_context *context);
executor *context_executor(const sumac_context *context);

/* Return where the context computes. */
sumac_location context_location(const sumac_context *context);

/* Return three executors that share the host's threads and do three parts of a work at the same time, while
 * context_executor() is idle. Each keeps its workspace. Return null if each would have fewer than CONTEXT_TEAM_THREADS
 * threads, because then the division of the threads would be too uneven. Also return null if the context has a device,
 * several executors or a memory limit, or if memory is short. */
enum { CONTEXT_TEAMS = 3, CONTEXT_TEAM_THREADS = 4 };
executor_list *context_teams(sumac_context *context);

/* Bases with at most this many bytes are replicated on each device. Return this limit, or 0 if the caller has set
 * none. */
uint64_t context_replica_limit(const sumac_context *context);

/* Return the code of a group that the context runs. */
const group_code *context_code(const sumac_context *context, const sumac_group *group);

/* Report a call's progress between pieces of its work; return SUMAC_CANCELLED, with a message, if the call must end. */
sumac_status context_report(sumac_context *context, double done);

/* Map the progress that later work reports to a part of a longer call: the part begins at fraction `start` of the call and
 * takes fraction `share`. A call that is not part of another one has 0 and 1. */
void context_progress_part(sumac_context *context, double start, double share);

/* Points of keys, setups and pairings are checked to lie in the subgroup unless the caller asks for another check. */
static inline sumac_check subgroup_by_default(sumac_check check)
{
    return check == SUMAC_CHECK_DEFAULT ? SUMAC_CHECK_SUBGROUP : check;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/call.h"

#include <inttypes.h>
#include <pthread.h>

#include "api/handles.h"

sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)refuse_with(context_message(context), status, format, arguments);
    va_end(arguments);
    return status;
}

sumac_status bytes_require(sumac_context *context, const char *what, size_t given, uint64_t count,
                           uint64_t each)
{
    uint64_t needed;
    if (__builtin_mul_overflow(count, each, &needed) || needed > given) {
        return fail(context, SUMAC_BAD_LENGTH,
                    "%s: there are %zu bytes, fewer than %" PRIu64 " times %" PRIu64, what, given, count,
                    each);
    }
    return SUMAC_OK;
}

sumac_message *context_message(sumac_context *context)
{
    return &context->executors.at->message;
}

executor_list *context_executors(sumac_context *context)
{
    return &context->executors;
}

executor *context_executor(const sumac_context *context)
{
    return context->executors.at;
}

const group_code *context_code(const sumac_context *context, const sumac_group *group)
{
    return executor_code(context->executors.at, group);
}

void context_progress_part(sumac_context *context, double start, double share)
{
    context->progress_start = start;
    context->progress_share = share;
}

/* ---- Which thread holds the context ---- */

static uintptr_t this_thread(void)
{
    return (uintptr_t)pthread_self();
}

sumac_context *context_hold(sumac_context *context)
{
    if (context == NULL) {
        return NULL;
    }
    context_use *use = &context->use;
    const uintptr_t self = this_thread();
    uintptr_t holder = atomic_load_explicit(&use->holder, memory_order_relaxed);
    /* Only this thread writes its number to `holder`, so the comparison needs no lock. */
    if (holder != self) {
        holder = 0;
        if (atomic_compare_exchange_strong_explicit(&use->holder, &holder, self, memory_order_acquire,
                                                    memory_order_relaxed)) {
            holder = self;
            atomic_store_explicit(&use->cancelled, 0, memory_order_relaxed);
            messages_begin(&context->messages, self);
        }
    }
    if (holder != self || use->callbacks > 0) {
        messages_refuse(&context->messages, self,
                        "the context is in use by another call: it serves one at a time");
        return NULL;
    }
    use->depth++;
    return context;
}

sumac_status context_held(const sumac_context *context)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    const context_use *use = &context->use;
    return atomic_load_explicit(&use->holder, memory_order_relaxed) == this_thread() && use->callbacks == 0
               ? SUMAC_OK
               : SUMAC_BUSY;
}

void context_end(sumac_context **held)
{
    sumac_context *context = *held;
    if (context != NULL && --context->use.depth == 0) {
        messages_end(&context->messages, this_thread(), context_message(context));
        atomic_store_explicit(&context->use.holder, 0, memory_order_release);
    }
    *held = NULL;
}

const char *sumac_context_message(const sumac_context *context)
{
    if (context == NULL) {
        return "";
    }
    /* It is allowed to cast const away, because only a part may change that no other thread reads. */
    return messages_read((thread_messages *)(uintptr_t)&context->messages, this_thread());
}

void sumac_context_cancel(sumac_context *context)
{
    if (context != NULL) {
        atomic_store_explicit(&context->use.cancelled, 1, memory_order_relaxed);
    }
}

/* Return 1 on the holder's thread, and 0 on a worker thread, whose calls are refused in any case. */
static int enter_callback(sumac_context *context)
{
    const int is_holder = atomic_load_explicit(&context->use.holder, memory_order_relaxed) == this_thread();
    if (is_holder) {
        context->use.callbacks++;
    }
    return is_holder;
}

static void leave_callback(sumac_context *context, int is_holder)
{
    if (is_holder) {
        context->use.callbacks--;
    }
}

void context_report_trace(void *user, const sumac_trace_event *event)
{
    sumac_context *context = user;
    const int is_holder = enter_callback(context);
    context->callers_trace(context->callers_user, event);
    leave_callback(context, is_holder);
}

int context_report_progress(void *user, double done)
{
    sumac_context *context = user;
    const int is_holder = enter_callback(context);
    const int ends = context->callers_progress(context->callers_user,
                                               context->progress_start + context->progress_share * done);
    leave_callback(context, is_holder);
    return ends;
}

sumac_status context_report(sumac_context *context, double done)
{
    return executor_report(context->executors.at, done);
}

sumac_context *context_begin(sumac_context *context)
{
    if (context_hold(context) == NULL) {
        return NULL;
    }
    executor *first = context->executors.at;
    executor_enter(first);
    first->queues = 0;
    first->message.text[0] = '\0';
    if (!first->has_queued) { /* sumac_context_wait() has already returned the failure */
        first->queued_status = SUMAC_OK;
    }
    return context;
}

void context_queue(sumac_context *context)
{
    if (context->has_stream && context->use.depth == 1) {
        executor_queue(context->executors.at);
    }
}

sumac_status sumac_context_set_stream(sumac_context *context, void *stream)
{
    BEGIN_CALL(context);
    executor *first = context->executors.at;
    if (stream != NULL && first->engine == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend has no streams", first->backend->name);
    }
    if (stream != NULL && context->executors.count > 1) {
        return fail(context, SUMAC_NOT_SUPPORTED, "a stream belongs to one device, and the context has %u",
                    context->executors.count);
    }
    if (stream != NULL || context->has_stream) {
        TRY(executor_done(first, first->backend->device->set_stream(first->engine, stream)));
        context->has_stream = stream != NULL;
    }
    return SUMAC_OK;
}

sumac_status sumac_context_wait(sumac_context *context)
{
    HOLDS sumac_context *held = context_hold(context);
    TRY(context_held(context));
    executor *first = context->executors.at;
    if (first->has_queued) {
        executor_enter(first);
    }
    return executor_wait(first);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/call.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "api/handles.h"
#include "math/scalar.h"

sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(context->message, sizeof context->message, format, arguments);
    va_end(arguments);
    return status;
}

size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits)
{
    const scalar_field *field = &curve->scalars;
    uint64_t k[SCALAR_MAX_LIMBS];
    size_t i = 0;
    for (; i < count; i++) {
        scalar_extend(k, scalars + i * layout.bytes, layout, field->limbs);
        const uint32_t negative = layout.is_signed ? scalar_absolute(k, field->limbs) : 0;
        scalar_reduce(k, field);
        if (form == SUMAC_FORM_MONTGOMERY) {
            scalar_from_montgomery(k, field);
        }
        if (scalar_is_large(k, field->limbs, negative, declared_bits)) {
            break;
        }
    }
    return i;
}

sumac_status fail_msm(sumac_context *context, sumac_status status)
{
    const msm_call *call = &context->call;
    if (context->message[0] != '\0') {
        return status;
    }
    /* The scalars of an asynchronous call are the caller's again. */
    if (status == SUMAC_SCALAR_TOO_LARGE &&
        (call->pending || call->job.scalars_location == SUMAC_LOCATION_DEVICE)) {
        return fail(context, status, "a scalar has more than the declared %u bits", call->declared_bits);
    }
    if (status == SUMAC_SCALAR_TOO_LARGE) {
        return fail(context, status, "scalar %zu has more than the declared %u bits",
                    call->first_scalar + first_large_scalar(call->job.curve, call->job.scalars,
                                                            call->job.layout, call->scalar_count,
                                                            call->job.scalar_form, call->declared_bits),
                    call->declared_bits);
    }
    const char *message = context->engine == NULL ? "" : context->backend->device->message(context->engine);
    return fail(context, status, "%s", *message != '\0' ? message : sumac_status_text(status));
}

/* Wait for a pending call, and leave its status in context->call and its sentence in the message. */
static void complete_pending(sumac_context *context)
{
    msm_call *call = &context->call;
    if (call->pending) {
        const sumac_status joined = context->backend->device->join(context->engine);
        const sumac_status status = joined != SUMAC_OK ? joined : call->status;
        call->status = status == SUMAC_OK ? status : fail_msm(context, status);
        call->pending = 0;
    }
}

/* ---- Whose call it is ---- */

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
    /* Nobody but this thread writes its own number there. */
    if (atomic_load_explicit(&use->holder, memory_order_relaxed) != self) {
        uintptr_t nobody = 0;
        if (!atomic_compare_exchange_strong_explicit(&use->holder, &nobody, self, memory_order_acquire,
                                                     memory_order_relaxed)) {
            atomic_store_explicit(&use->was_refused, 1, memory_order_relaxed);
            return NULL;
        }
        atomic_store_explicit(&use->last_holder, self, memory_order_relaxed);
    }
    if (use->callbacks > 0) {
        return NULL;
    }
    use->depth++;
    return context;
}

void context_end(sumac_context **held)
{
    if (*held != NULL && --(*held)->use.depth == 0) {
        atomic_store_explicit(&(*held)->use.holder, 0, memory_order_release);
    }
    *held = NULL;
}

/* A thread that was refused must not read what the calls of others write. Once calls have met in a context,
 * its message is for the thread of the last one that was let in. */
const char *sumac_context_message(const sumac_context *context)
{
    if (context == NULL) {
        return "";
    }
    const context_use *use = &context->use;
    const uintptr_t self = this_thread();
    const uintptr_t holder = atomic_load_explicit(&use->holder, memory_order_acquire);
    const int is_others = atomic_load_explicit(&use->was_refused, memory_order_relaxed) != 0 &&
                          atomic_load_explicit(&use->last_holder, memory_order_relaxed) != self;
    return is_others || (holder != 0 && (holder != self || use->callbacks > 0))
               ? "the context is in use by another call: it serves one at a time"
               : context->message;
}

/* 1 if this is the holder's thread, and not one of those that work for it: those are refused anyway. */
static int enter_callback(sumac_context *context)
{
    const int is_holders = atomic_load_explicit(&context->use.holder, memory_order_relaxed) == this_thread();
    if (is_holders) {
        context->use.callbacks++;
    }
    return is_holders;
}

static void leave_callback(sumac_context *context, int is_holders)
{
    if (is_holders) {
        context->use.callbacks--;
    }
}

void context_report_trace(void *user, const sumac_trace_event *event)
{
    sumac_context *context = user;
    const int is_holders = enter_callback(context);
    context->callers_trace(context->callers_user, event);
    leave_callback(context, is_holders);
}

void context_report_progress(void *user, double done)
{
    sumac_context *context = user;
    const int is_holders = enter_callback(context);
    context->callers_progress(context->callers_user,
                              context->call.done_before + (1 - context->call.done_elsewhere) * done);
    leave_callback(context, is_holders);
}

sumac_context *context_begin(sumac_context *context)
{
    if (context_hold(context) == NULL) {
        return NULL;
    }
    if (context->engine != NULL) {
        context->backend->device->enter(context->engine);
        complete_pending(context);
        context->backend->device->enter(context->engine);
    }
    context->message[0] = '\0';
    context->call.status = SUMAC_OK;
    return context;
}

sumac_status sumac_context_wait(sumac_context *context)
{
    HOLDS sumac_context *held = context_hold(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (context->engine != NULL && context->call.pending) {
        context->backend->device->enter(context->engine);
        complete_pending(context);
    }
    return context->call.status;
}

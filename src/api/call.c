/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/call.h"

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

size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, size_t count, sumac_form form,
                          uint32_t declared_bits)
{
    const scalar_field *field = &curve->scalars;
    uint64_t k[SCALAR_MAX_LIMBS];
    size_t i = 0;
    for (; i < count; i++) {
        scalar_load(k, scalars + i * 8 * field->limbs, field->limbs);
        scalar_reduce(k, field);
        if (form == SUMAC_FORM_MONTGOMERY) {
            scalar_from_montgomery(k, field);
        }
        if (scalar_bits(k, field->limbs) > declared_bits) {
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
        (call->pending || call->job.scalars_place == SUMAC_PLACE_DEVICE)) {
        return fail(context, status, "a scalar has more than the declared %u bits", call->declared_bits);
    }
    if (status == SUMAC_SCALAR_TOO_LARGE) {
        return fail(context, status, "scalar %zu has more than the declared %u bits",
                    first_large_scalar(call->job.curve, call->job.scalars, call->n * call->batch,
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

void context_begin(sumac_context *context)
{
    if (context->engine != NULL) {
        context->backend->device->enter(context->engine);
        complete_pending(context);
        context->backend->device->enter(context->engine);
    }
    context->message[0] = '\0';
    context->call.status = SUMAC_OK;
}

sumac_status sumac_context_wait(sumac_context *context)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (context->engine != NULL && context->call.pending) {
        context->backend->device->enter(context->engine);
        complete_pending(context);
    }
    return context->call.status;
}

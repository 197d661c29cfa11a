/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How a call of the API begins and fails, and what becomes of the one before it that a stream still works on.
 * Applications begin and fail as these calls do.
 */
#ifndef SUMAC_API_CALL_H
#define SUMAC_API_CALL_H

#include "math/scalar.h"
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
void context_report_progress(void *user, double done);

/* Give back what is held, if anything is, before the block's end. */
void context_end(sumac_context **held);

#define HOLDS __attribute__((cleanup(context_end)))

/* Store the sentence (no full stop at its end is added) and return the status: return fail(context, STATUS,
 * "..."). */
sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The sentence for an MSM that failed, unless there is one. */
sumac_status fail_msm(sumac_context *context, sumac_status status);

/* The index of the first scalar of more bits than declared; the stages only report that there is one. */
size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, scalar_layout layout,
                          size_t count, sumac_form form, uint32_t declared_bits);

#endif

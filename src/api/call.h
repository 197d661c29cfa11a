/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How a call of the API begins and fails, and what becomes of the one before it that a stream still works on.
 * Applications begin and fail as these calls do.
 */
#ifndef SUMAC_API_CALL_H
#define SUMAC_API_CALL_H

#include "sumac/sumac.h"

/* Every entry of the API that takes a context begins with this: waits for an asynchronous call and clears the
 * message. */
void context_begin(sumac_context *context);

/* Store the sentence (no full stop at its end is added) and return the status: return fail(context, STATUS,
 * "..."). */
sumac_status fail(sumac_context *context, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The sentence for an MSM that failed, unless there is one. */
sumac_status fail_msm(sumac_context *context, sumac_status status);

/* The index of the first scalar of more bits than declared; the stages only report that there is one. */
size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, size_t count, sumac_form form,
                          uint32_t declared_bits);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A failure has a status and a message. There are exactly two ways to fail:
 *
 *   return fail(context, STATUS, "...");  in calls of the interface, which have a context (api/call.h)
 *   return refuse(&why, STATUS, "...");   in all layers below: readers of bytes get a message from their caller; each
 *                                         executor and each engine has one, called `message`
 *
 * A caller that knows the context puts it in front with refuse_in(): "<path>: <what is wrong>". TRY() (base/try.h)
 * passes a status on.
 */
#ifndef SUMAC_BASE_REFUSAL_H
#define SUMAC_BASE_REFUSAL_H

#include <stdarg.h>

#include "sumac/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Store the message, formatted as by printf() and without a full stop at its end, and return the status. If a message
 * that begins with "%s" is too long, that first string is cut in its middle: most messages begin with a path, which may
 * be longer than the limit, and the reason behind it must not be cut off. */
sumac_status refuse(sumac_message *why, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
sumac_status refuse_with(sumac_message *why, sumac_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Put words in front of the stored message: "<words>: <message>". */
sumac_status refuse_in(sumac_message *why, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif

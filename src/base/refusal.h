/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A failure is a status and a sentence. There are two ways to fail, and no third:
 *
 *   return fail(context, STATUS, "...");  in calls of the interface, which have a context (api/call.h)
 *   return refuse(&why, STATUS, "...");   in everything below: readers of bytes get a message from their caller; an
 *                                         executor and an engine have one each, called `message`
 *
 * A caller that knows more puts it in front with refuse_in(): "<path>: <what is wrong>". A status is passed on
 * by TRY() (base/try.h).
 */
#ifndef SUMAC_BASE_REFUSAL_H
#define SUMAC_BASE_REFUSAL_H

#include <stdarg.h>

#include "sumac/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Store the sentence, as printf() formats it and without a full stop at its end, and return the status. A sentence that
 * begins with "%s" is cut in the middle of that first string when it is too long: most begin with a path, which may be longer
 * than a sentence, and the reason behind it must not be cut off. */
sumac_status refuse(sumac_message *why, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
sumac_status refuse_with(sumac_message *why, sumac_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Put words in front of the stored sentence: "<words>: <sentence>". */
sumac_status refuse_in(sumac_message *why, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif

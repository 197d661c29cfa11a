/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions of this drop-in share this code. A call has a context, and the sentence that says why it fails. */
#ifndef SUMAC_SUPRASEAL_CALL_H
#define SUMAC_SUPRASEAL_CALL_H

#include "sumac/sumac.h"

typedef struct supraseal_call {
    sumac_context *context; /* serves this call alone */
    sumac_message why;      /* "": the context's message says why a call of sumac has failed */
} supraseal_call;

/* Write the sentence of a failure, and return its status. */
__attribute__((format(printf, 3, 4))) sumac_status
sumac_supraseal_refuse(supraseal_call *call, sumac_status status, const char *format, ...);

/* If a call fails, return its status. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const sumac_status tried = (call);                                                                   \
        if (tried != SUMAC_OK) {                                                                             \
            return tried;                                                                                    \
        }                                                                                                    \
    } while (0)

#endif

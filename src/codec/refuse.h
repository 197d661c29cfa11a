/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How bytes are refused here: by a status and what is wrong with them. Whoever knows what they are called, a
 * file's path say, makes a sentence of it: "<path>: <what is wrong>".
 */
#ifndef SUMAC_CODEC_REFUSE_H
#define SUMAC_CODEC_REFUSE_H

#include "sumac/status.h"

typedef struct refusal {
    char text[256];
} refusal;

/* return refuse(why, STATUS, "..."); */
sumac_status refuse(refusal *why, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

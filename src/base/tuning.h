/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions parse the texts of choices by hand, such as "c=16,chunks=4", which sumac/experimental.h describes. */
#ifndef SUMAC_BASE_TUNING_H
#define SUMAC_BASE_TUNING_H

#include <stdint.h>

#include "sumac/status.h"

/* The buckets of a window are summed up by one of these methods. */
typedef enum bucket_reduction {
    REDUCTION_AUTO,        /* the planner chooses */
    REDUCTION_RUNNING_SUM, /* two additions for each bucket, one after another, in segments that are corrected
                              afterwards */
    REDUCTION_HALVING      /* for each bit of the buckets' numbers the sum of those buckets whose number has
                              the bit */
} bucket_reduction;

/* A name has at most this many bytes, its 0 included. A longer name is cut off, and then no plan or variant has this
 * name. */
enum { TUNING_NAME_BYTES = 32 };

/* These are the values of a text. If a number is 0 or a name is empty, the library chooses. */
typedef struct tuning_values {
    uint32_t c, chunks, copy_slices, large_bucket_factor;
    uint32_t reduction; /* a bucket_reduction */
    char plan[TUNING_NAME_BYTES];
    char variant[TUNING_NAME_BYTES];
} tuning_values;

/* Parse a text, which may be null. If the text is wrong, return SUMAC_BAD_ARGUMENT, with a message. */
sumac_status tuning_read(const char *text, tuning_values *values, sumac_message *message);

/* Return the window c of a text. Return 0 if the text has none or is wrong. */
uint32_t tuning_window(const char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This parses the texts of choices by hand, such as "c=16,chunks=4", which sumac/experimental.h describes. */
#ifndef SUMAC_BASE_TUNING_H
#define SUMAC_BASE_TUNING_H

#include <stdint.h>

#include "sumac/status.h"

/* The method by which the buckets of a window are summed up. */
typedef enum bucket_reduction {
    REDUCTION_AUTO,        /* the planner's choice */
    REDUCTION_RUNNING_SUM, /* two additions a bucket, one after another, in corrected segments */
    REDUCTION_HALVING      /* for each bit of the buckets' numbers the sum of those that have it */
} bucket_reduction;

/* Bytes of a name and its 0. A longer name is cut off, and is then no name of a plan or a variant. */
enum { TUNING_NAME_BYTES = 32 };

/* The values of a text. A number of 0 and an empty name mean that the library chooses. */
typedef struct tuning_values {
    uint32_t c, chunks, copy_slices, large_bucket_factor;
    uint32_t reduction; /* a bucket_reduction */
    char plan[TUNING_NAME_BYTES];
    char variant[TUNING_NAME_BYTES];
} tuning_values;

/* Parse a text, which may be null. A fault is SUMAC_BAD_ARGUMENT with a message. */
sumac_status tuning_read(const char *text, tuning_values *values, sumac_message *message);

/* Return the window c of a text; 0 if it has none, or has a fault. */
uint32_t tuning_window(const char *text);

#endif

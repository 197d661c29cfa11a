/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The monotonic clock, the one that the library's trace events use too. */
#ifndef SUMAC_CLI_CLOCK_H
#define SUMAC_CLI_CLOCK_H

#include <time.h>

static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* clock_seconds() reads a monotonic clock for traces; results never depend on it. */
#ifndef SUMAC_BASE_CLOCK_H
#define SUMAC_BASE_CLOCK_H

#include <time.h>

static inline double clock_seconds(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* host_points() allocates host memory for points, whatever the backend is. */
#ifndef SUMAC_API_HOST_POINTS_H
#define SUMAC_API_HOST_POINTS_H

#include "base/try.h"
#include "cpu/engine.h"

/* Return null when memory is short. The caller frees the memory with free(). */
static inline void *host_points(uint64_t bytes)
{
    return cpu_backend.allocate(NULL, bytes);
}

#endif

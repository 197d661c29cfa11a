/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory of the host for points, whatever the backend is. */
#ifndef SUMAC_API_HOST_POINTS_H
#define SUMAC_API_HOST_POINTS_H

#include "base/try.h"
#include "cpu/engine.h"

/* Null when memory is short. What it returns is given back by free(). */
static inline void *host_points(uint64_t bytes)
{
    return cpu_backend.allocate(NULL, bytes);
}

#endif

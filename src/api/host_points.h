/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory of the host for points, whatever the backend is. */
#ifndef SUMAC_API_HOST_POINTS_H
#define SUMAC_API_HOST_POINTS_H

#include "base/try.h"
#include "cpu/engine.h"

/* Null when memory is short. */
static inline void *host_points(uint64_t bytes)
{
    return cpu_backend.allocate(NULL, bytes);
}

static inline void host_points_free(void *points)
{
    cpu_backend.release(points);
}

/* Free the points that a pointer variable of any type points to, at the end of its block. */
static inline void host_points_end(void *variable)
{
    void *points = NULL;
    memcpy(&points, variable, sizeof points);
    host_points_free(points);
}
#define AUTO_FREE_POINTS CLEANUP(host_points_end)

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/host_points.h"

#include "cpu/engine.h"

void *host_points(uint64_t bytes)
{
    return cpu_backend.allocate(NULL, bytes);
}

void host_points_free(void *points)
{
    cpu_backend.release(points);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory of the host for points, whatever the backend is. */
#ifndef SUMAC_API_HOST_POINTS_H
#define SUMAC_API_HOST_POINTS_H

#include <stdint.h>

/* Null when memory is short. */
void *host_points(uint64_t bytes);
void host_points_free(void *points);

#endif

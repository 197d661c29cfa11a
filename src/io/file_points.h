/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions make bases and raw points of points that a file has. */
#ifndef SUMAC_IO_FILE_POINTS_H
#define SUMAC_IO_FILE_POINTS_H

#include "sumac/sumac.h"

/* Call sumac_bases_create() with points of a file. Messages begin with `what`. */
sumac_status file_bases_create(sumac_context *context, const sumac_group *group, const void *points, size_t n,
                               const sumac_bases_config *config, const char *what, sumac_bases **bases);

/* Check a few points of a file, and convert them to raw canonical points. */
sumac_status file_points_take(sumac_context *context, const sumac_group *group, const uint8_t *points,
                              size_t n, const sumac_bases_config *config, const char *what, uint8_t *raw);

#endif

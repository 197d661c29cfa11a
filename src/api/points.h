/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points in memory, as records of a format, to raw ones and back, on all threads of the context. */
#ifndef SUMAC_API_POINTS_H
#define SUMAC_API_POINTS_H

#include "codec/slices.h"
#include "executor/executor.h"

/* The format of a name, for points of a curve; or a sentence why there is none. */
sumac_status format_find(sumac_context *context, const char *name, const sumac_curve *curve,
                         const point_format **format);

/* sumac_points_decode() in the middle of a call. Messages call point i "<noun> <first + i>". */
sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw);

/* The same for sumac_points_encode(), on an executor. */
sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points in memory are decoded from records of a format to raw points, and encoded, on all threads of the context. */
#ifndef SUMAC_API_POINTS_H
#define SUMAC_API_POINTS_H

#include "codec/slices.h"
#include "executor/executor.h"

/* Find the format of a name, for points of a curve, or say why there is none. */
sumac_status format_find(sumac_context *context, const char *name, const sumac_curve *curve,
                         const point_format **format);

/* sumac_points_decode() within a call. Messages call point i "<noun> <first + i>". */
sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw);

/* sumac_points_encode() within a call, on an executor. */
sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points in memory, in encodings of a fixed size, to raw ones and back, on all threads of the context. */
#ifndef SUMAC_IO_ENCODED_H
#define SUMAC_IO_ENCODED_H

#include "executor/executor.h"
#include "io/points.h"

/* sumac_points_decode() in the middle of a call. A null encoding: records are raw points. Messages call point
 * i "<noun> <first + i>". */
sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_encoding *encoding, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw);

/* The same for sumac_points_encode(), on an executor. */
sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_encoding *encoding,
                                   const uint8_t *raw, size_t n, uint8_t *records);

#endif

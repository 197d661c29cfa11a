/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The checks of calls with vectors. */
#ifndef SUMAC_API_VECTOR_CHECKS_H
#define SUMAC_API_VECTOR_CHECKS_H

#include "vector/calls.h"

/* Begin a call with a context that is held; SUMAC_BAD_ARGUMENT for null, or where one of the vectors is null
 * or lies where the context does not compute. */
sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c);

/* Whether `vector` holds such elements; `what` names it. */
sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what);

/* Whether [first, first + n) is in the vector. */
sumac_status vector_range(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                          const char *what);

/* How many rows of `length` elements `count` elements are. */
sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows);

#endif

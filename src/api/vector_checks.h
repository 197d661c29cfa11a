/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The checks that calls with vectors share. Each returns SUMAC_BAD_ARGUMENT, with a sentence, for what it refuses. */
#ifndef SUMAC_API_VECTOR_CHECKS_H
#define SUMAC_API_VECTOR_CHECKS_H

#include "vector/calls.h"

/* Begin a call that has just tried to hold its context: a vector must not be null, nor lie where the context does not
 * compute. */
sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c);

/* The vector, which `what` names, must hold such elements. */
sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what);

/* Elements [first, first + n) must be in the vector. */
sumac_status vector_range(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                          const char *what);

/* Whether two vectors share memory; and whether they are the same elements. */
int vectors_overlap(const sumac_vector *a, const sumac_vector *b);
int vectors_are_same(const sumac_vector *a, const sumac_vector *b);

/* The result must be another vector than the operand, and share no memory with it, or be it. */
sumac_status vector_expect_apart(sumac_context *context, const sumac_vector *result, const sumac_vector *a);
sumac_status vector_expect_apart_or_same(sumac_context *context, const sumac_vector *result,
                                         const sumac_vector *a);

/* So many elements must be whole rows of `length` elements, which are counted. */
sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows);

#endif

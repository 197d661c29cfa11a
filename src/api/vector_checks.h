/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls with vectors share these checks. A check that fails returns SUMAC_BAD_ARGUMENT, with a message. */
#ifndef SUMAC_API_VECTOR_CHECKS_H
#define SUMAC_API_VECTOR_CHECKS_H

#include "vector/calls.h"

/* Begin a call that has just tried to hold its context: no vector may be null, or lie in memory where the context does not
 * compute. */
sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c);

/* Check that a vector, which `what` names, holds elements of this kind. */
sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what);

/* Check that the vector has elements [first, first + n). */
sumac_status vector_range(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                          const char *what);

/* Return whether two vectors share memory, or whether they consist of the same memory. */
int vectors_overlap(const sumac_vector *a, const sumac_vector *b);
int vectors_are_same(const sumac_vector *a, const sumac_vector *b);

/* Check that the result shares no memory with the operand; the second function also allows result = operand. */
sumac_status vector_expect_apart(sumac_context *context, const sumac_vector *result, const sumac_vector *a);
sumac_status vector_expect_apart_or_same(sumac_context *context, const sumac_vector *result,
                                         const sumac_vector *a);

/* Check that `count` elements form whole rows of `length` elements, and count the rows. */
sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows);

#endif

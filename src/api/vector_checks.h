/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls with vectors share these checks. A check that fails returns SUMAC_BAD_ARGUMENT, with a message. */
#ifndef SUMAC_API_VECTOR_CHECKS_H
#define SUMAC_API_VECTOR_CHECKS_H

#include "vector/calls.h"

/* Begin a call that has just tried to hold its context. No vector may be null, and all must lie in memory where the
 * context computes. */
sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c);

/* Check that a vector has elements of this kind. Messages call the vector `what`. */
sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what);

/* Check that the vector has elements [first, first + n). */
sumac_status vector_range(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                          const char *what);

/* vectors_overlap() returns whether two vectors share memory, and vectors_are_same() whether they consist of the same
 * memory. */
int vectors_overlap(const sumac_vector *a, const sumac_vector *b);
int vectors_are_same(const sumac_vector *a, const sumac_vector *b);

/* The first function checks that the result shares no memory with the operand. The second one also allows that the
 * result is the operand. */
sumac_status vector_expect_apart(sumac_context *context, const sumac_vector *result, const sumac_vector *a);
sumac_status vector_expect_apart_or_same(sumac_context *context, const sumac_vector *result,
                                         const sumac_vector *a);

/* Check that `count` elements are whole rows of `length` elements, and compute the number of rows. */
sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows);

#endif

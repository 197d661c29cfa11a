/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The handle behind include/sumac/vector.h, and what its sources share. */
#ifndef SUMAC_API_VECTOR_H
#define SUMAC_API_VECTOR_H

#include "api/context.h"
#include "sumac/vector.h"
#include "vector/vector.h"

struct sumac_vector {
    const sumac_curve *curve;
    sumac_vector_kind elements;
    uint64_t count;
    size_t bytes; /* of an element */
    void *memory; /* the backend's */
    const backend *backend;
    int32_t device; /* that the memory is of; ON_HOST for the CPU's */
};

static inline void *vector_at(const sumac_vector *vector, uint64_t i)
{
    return (char *)vector->memory + i * vector->bytes;
}

/* Who computes for a context with elements of a curve. */
vector_run vector_run_of(const sumac_context *context, const sumac_curve *curve);

/* What the context's backend does with scalars and with points of a curve. */
const scalar_vector_ops *vector_scalar_ops(const sumac_context *context, const sumac_curve *curve);
const point_vector_ops *vector_point_ops(const sumac_context *context, const sumac_curve *curve);

/* The status of a backend's function, with a sentence if it is none of success: the device's, or that there
 * is no memory to do what is named with this vector. */
sumac_status vector_done(sumac_context *context, sumac_status status, const char *purpose,
                         const sumac_vector *vector);

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

/* One scalar in raw layout as an element; null: 1. element has room for SCALAR_MAX_LIMBS limbs. */
sumac_status vector_scalar(sumac_context *context, const sumac_curve *curve, const void *raw,
                           const char *what, uint64_t *element);

#endif

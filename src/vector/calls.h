/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Calls on vectors over an executor, unchecked: handles, kinds, curves, sizes and orders are right, and the vectors lie
 * where it computes. What the data say is checked: scalars less than r, points on the curve. The calls of
 * include/sumac/vector.h are these with their arguments checked, and have their meaning; applications below the
 * interface make them for their steps. A failure's sentence is the executor's.
 */
#ifndef SUMAC_VECTOR_CALLS_H
#define SUMAC_VECTOR_CALLS_H

#include "executor/bases.h"
#include "executor/list.h"
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

/* What the executor's backend does with scalars and with points of a curve. */
const scalar_vector_ops *vector_scalar_ops(const executor *self, const sumac_curve *curve);
const point_vector_ops *vector_point_ops(const executor *self, const sumac_curve *curve);

/* Of zeros. */
sumac_status vector_create(executor *self, const sumac_curve *curve, sumac_vector_kind elements, size_t count,
                           sumac_vector **vector);
void vector_destroy(sumac_vector *vector); /* null is allowed */

/* Elements [first, first + n), n > 0, in and out; the vector stays as it is if one of them is bad. */
sumac_status vector_set(executor *self, sumac_vector *vector, size_t first, size_t n, const void *elements,
                        const sumac_element_layout *layout);
sumac_status vector_get(executor *self, const sumac_vector *vector, size_t first, size_t n, void *elements,
                        const sumac_element_layout *layout);

/* Elements [from_first, + n) of a vector to others, where one of the two lies with the executor and the other one with
 * another executor of its list. */
sumac_status vector_copy_across(executor *self, sumac_vector *to, size_t to_first, const sumac_vector *from,
                                size_t from_first, size_t n);

/* Between slices of the same shape. */
sumac_status vector_copy(executor *self, sumac_vector *to, const vector_slice *to_slice,
                         const sumac_vector *from, const vector_slice *from_slice);
sumac_status vector_gather(executor *self, sumac_vector *to, const sumac_vector *from, size_t length,
                           const uint64_t *rows, size_t n);
/* Each matrix of rows*columns elements. */
sumac_status vector_transpose(executor *self, sumac_vector *result, const sumac_vector *a, size_t rows,
                              size_t columns);
sumac_status vector_bit_reverse(executor *self, sumac_vector *vector, size_t length);

/* each: 0 is 1. */
sumac_status vector_add(executor *self, sumac_vector *result, const sumac_vector *a, const sumac_vector *b,
                        size_t each);
sumac_status vector_subtract(executor *self, sumac_vector *result, const sumac_vector *a,
                             const sumac_vector *b, size_t each);
sumac_status vector_multiply(executor *self, sumac_vector *result, const sumac_vector *a,
                             const sumac_vector *b, size_t each);
sumac_status vector_fill(executor *self, sumac_vector *vector, const void *scalar);
sumac_status vector_invert(executor *self, sumac_vector *vector);
sumac_status vector_scale_powers(executor *self, sumac_vector *vector, size_t length, const void *factor,
                                 const void *ratio);
/* result [result_first, + rows) = the matrix, in the backend's memory, times a [a_first, ...): other elements. */
sumac_status vector_multiply_sparse(executor *self, sumac_vector *result, size_t result_first,
                                    const sparse_rows *matrix, const sumac_vector *a, size_t a_first);
sumac_status vector_sum(executor *self, sumac_vector *result, const sumac_vector *a, size_t length);

/* Of scalars or of points. */
sumac_status vector_ntt(executor *self, sumac_vector *vector, const sumac_transform_config *config);

/* Rows of points become the transform of the lower half of their transform, all in natural order but for the
 * result. */
sumac_status vector_point_transform_twice(executor *self, sumac_vector *points, size_t length,
                                          sumac_order value_order);

/* Points [first, first + n) as packed raw records in Montgomery form, in the backend's memory: inputs for bases. */
sumac_status vector_lay_out(executor *self, const sumac_vector *points, size_t first, size_t n,
                            void *records);

/* config.batch >= 1 MSMs of n scalars each from `first` on; forms and memory locations of the configuration are not
 * looked at. With one shard of bases; or with all of them, by all executors of a list, on whose first one the vectors
 * lie. */
sumac_status vector_msm(executor *self, const sumac_bases *bases, uint32_t shard, const sumac_vector *scalars,
                        size_t first, size_t n, const sumac_msm_config *config, sumac_vector *results,
                        size_t result_first);
sumac_status vector_shared_msm(executor_list *list, const sumac_bases *bases, const sumac_vector *scalars,
                               size_t first, size_t n, const sumac_msm_config *config, sumac_vector *results,
                               size_t result_first);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These calls compute with arrays of scalars and points on an executor. The applications are built from them, and the
 * calls of include/sumac/vector.h check arguments and then use them. Arguments are trusted: handles, kinds, groups,
 * sizes and orders are valid, and vectors lie where the executor computes. The contents of data are checked: scalars are
 * less than r, points lie on the curve. On failure the executor has the message.
 */
#ifndef SUMAC_VECTOR_CALLS_H
#define SUMAC_VECTOR_CALLS_H

#include "base/try.h"
#include "executor/bases.h"
#include "executor/list.h"
#include "sumac/vector.h"
#include "vector/vector.h"

struct sumac_vector {
    const sumac_group *group;
    sumac_vector_kind elements;
    uint64_t count;
    size_t bytes; /* bytes per element */
    void *memory; /* memory of the backend */
    const backend *backend;
    int32_t device; /* the device that has the memory, or ON_HOST */
    int is_callers; /* 1: the memory belongs to the caller or to another vector, and is not freed */
    void *engine;   /* not null: the memory belongs to one call, and is freed when the work on this engine's
                   stream is done */
};

static inline void *vector_at(const sumac_vector *vector, uint64_t i)
{
    return (char *)vector->memory + i * vector->bytes;
}

/* Return a vector that refers to elements [first, first + count) of another one, whose memory it shares. It is not
 * destroyed. */
static inline sumac_vector vector_part(const sumac_vector *vector, uint64_t first, uint64_t count)
{
    sumac_vector part = *vector;
    part.memory = vector_at(vector, first);
    part.count = count;
    return part;
}

/* Return the operations of the executor's backend on scalars and on points of a group. */
const scalar_vector_ops *vector_scalar_ops(const executor *self, const sumac_group *group);
const point_vector_ops *vector_point_ops(const executor *self, const sumac_group *group);

/* vector_create() creates a vector whose elements are not set. vector_create_zeros() creates one whose elements are the
 * scalar 0, or the point at infinity. */
sumac_status vector_create(executor *self, const sumac_group *group, sumac_vector_kind elements, size_t count,
                           sumac_vector **vector);
sumac_status vector_create_zeros(executor *self, const sumac_group *group, sumac_vector_kind elements,
                                 size_t count, sumac_vector **vector);
/* Create a vector whose elements lie in existing memory of the executor's backend. The memory must outlive the
 * vector. */
sumac_status vector_wrap(executor *self, const sumac_group *group, sumac_vector_kind elements, void *memory,
                         size_t count, sumac_vector **vector);
void vector_destroy(sumac_vector *vector); /* null is allowed */

static inline void close_vector(sumac_vector **vector)
{
    vector_destroy(*vector);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name can't be in parentheses. */
/* Declare a vector of `count` elements that are not set, which lives until the block ends. If memory is short, the calling
 * function returns the status. */
#define LOCAL_SCALARS(name, self, group, count)                                                              \
    CLEANUP(close_vector) sumac_vector *name = NULL;                                                         \
    TRY(vector_create(self, group, SUMAC_VECTOR_SCALARS, count, &name))
#define LOCAL_POINTS(name, self, group, count)                                                               \
    CLEANUP(close_vector) sumac_vector *name = NULL;                                                         \
    TRY(vector_create(self, group, SUMAC_VECTOR_POINTS, count, &name))

/* Allocate host memory for `count` > 0 elements of `size` bytes. On failure return null and set the executor's
 * message. */
void *host_memory(executor *self, size_t count, size_t size);

/* Declare an array in host memory that lives until the block ends. If memory is short, the calling function returns. */
#define LOCAL_MEMORY(type, name, self, count)                                                                \
    AUTO_FREE type *name = host_memory(self, count, sizeof *name);                                           \
    if (name == NULL) {                                                                                      \
        return SUMAC_OUT_OF_MEMORY;                                                                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* vector_set() writes elements [first, first + n), and vector_get() reads them; n > 0. If the layout is null, it is the
 * default one. If vector_set() fails, the elements may have any values. */
sumac_status vector_set(executor *self, sumac_vector *vector, size_t first, size_t n, const void *elements,
                        const sumac_element_layout *layout);
sumac_status vector_get(executor *self, const sumac_vector *vector, size_t first, size_t n, void *elements,
                        const sumac_element_layout *layout);

/* Copy elements [from_first, from_first + n). vector_copy_range() copies between vectors of the executor.
 * vector_copy_across() is for the case that one of them belongs to another executor of the same context. */
sumac_status vector_copy_range(executor *self, sumac_vector *to, size_t to_first, const sumac_vector *from,
                               size_t from_first, size_t n);
sumac_status vector_copy_across(executor *self, sumac_vector *to, size_t to_first, const sumac_vector *from,
                                size_t from_first, size_t n);

/* Copy between slices of the same shape. */
sumac_status vector_copy(executor *self, sumac_vector *to, const vector_slice *to_slice,
                         const sumac_vector *from, const vector_slice *from_slice);
sumac_status vector_gather(executor *self, sumac_vector *to, const sumac_vector *from, size_t length,
                           const uint64_t *rows, size_t n);
/* Transpose each matrix of rows*columns elements. */
sumac_status vector_transpose(executor *self, sumac_vector *result, const sumac_vector *a, size_t rows,
                              size_t columns);
sumac_status vector_bit_reverse(executor *self, sumac_vector *vector, size_t length);

/* vector_add() sets result[i] to a[i] + b[(i / each) % count of b]. The other two functions subtract and multiply
 * instead. `each` is at least 1. */
sumac_status vector_add(executor *self, sumac_vector *result, const sumac_vector *a, const sumac_vector *b,
                        size_t each);
sumac_status vector_subtract(executor *self, sumac_vector *result, const sumac_vector *a,
                             const sumac_vector *b, size_t each);
sumac_status vector_multiply(executor *self, sumac_vector *result, const sumac_vector *a,
                             const sumac_vector *b, size_t each);
/* Set result[i] to a[i] * b[(i / each) % count of b] + c[i]. */
sumac_status vector_multiply_add(executor *self, sumac_vector *result, const sumac_vector *a,
                                 const sumac_vector *b, size_t each, const sumac_vector *c);
/* Write elements [first, first + n) from packed integers, as scalar_vector_ops.import_integers reads them. */
sumac_status vector_set_integers(executor *self, sumac_vector *vector, size_t first, size_t n,
                                 const void *integers, uint32_t integer_bytes, int is_signed);
/* Replace each element of a row by the sum or the product of the row's elements up to it. */
sumac_status vector_scan_rows(executor *self, sumac_vector *vector, size_t length, const vector_scan *scan);
/* The transform of `config` produced the values of each row. Divide them by the values of X^n - 1. If one of these is
 * 0, return SUMAC_BAD_ARGUMENT. If the executor queues its work (executor.queues), this returns while the work is still
 * on the stream. */
sumac_status vector_divide_by_vanishing(executor *self, sumac_vector *vector, size_t n,
                                        const sumac_transform_config *config);
/* Square each element `times` times. */
sumac_status vector_square(executor *self, sumac_vector *vector, uint32_t times);
sumac_status vector_fill(executor *self, sumac_vector *vector, const void *scalar);
sumac_status vector_fill_integer(executor *self, sumac_vector *vector, uint64_t integer);
sumac_status vector_invert(executor *self, sumac_vector *vector);
sumac_status vector_scale_powers(executor *self, sumac_vector *vector, size_t length, const void *factor,
                                 const void *ratio);
/* Set result[result_first ..] to matrix * a[a_first ..]. The matrix lies in the backend's memory. `result` and `a` must
 * not overlap. */
sumac_status vector_multiply_sparse(executor *self, sumac_vector *result, size_t result_first,
                                    const sparse_rows *matrix, const sumac_vector *a, size_t a_first);
/* Return 1 if the executor has vector_evaluate(), which sets `result` to n times the values of polynomials at `points`, as
 * vector_evaluation describes them, and overwrites their values at the roots of unity. */
int vector_can_evaluate(const executor *self, const sumac_group *group);
sumac_status vector_evaluate(executor *self, sumac_vector *result, sumac_vector *values,
                             const sumac_vector *points, const sumac_vector *inverses,
                             const sumac_vector *quarter);
sumac_status vector_sum(executor *self, sumac_vector *result, const sumac_vector *a, size_t length);

/* Transform vectors of scalars or of points, one after another. If config.length is 0, each vector is one row. The call
 * can be cancelled only before the first transform begins, because a transform works in place and can't be undone. */
sumac_status vectors_ntt(executor *self, sumac_vector *const *vectors, size_t count,
                         const sumac_transform_config *config);
sumac_status vector_ntt(executor *self, sumac_vector *vector, const sumac_transform_config *config);

/* Check that a raw scalar is a root of unity of order 2^log2. */
sumac_status vector_check_root(executor *self, const sumac_group *group, const void *raw, uint32_t log2);

/* Transform rows of points, and then transform the lower half of each result again. The final values are in the given
 * order, and all other values are in natural order. */
sumac_status vector_point_transform_twice(executor *self, sumac_vector *points, size_t length,
                                          sumac_order value_order);

/* Write points [first, first + n) to the backend's memory, as packed raw records in Montgomery form, from which bases
 * are created. */
sumac_status vector_lay_out(executor *self, const sumac_vector *points, size_t first, size_t n,
                            void *records);

/* Compute config.batch >= 1 MSMs of n scalars each, from scalar `first` on. The forms and memory locations in the
 * configuration are ignored. If `all` is null, the executor computes alone, with one shard of the bases. Otherwise it
 * is the first executor of the list `all`, and each executor of the list computes with its shard. */
sumac_status vector_msm(executor *self, executor_list *all, const sumac_bases *bases, uint32_t shard,
                        const sumac_vector *scalars, size_t first, size_t n, const sumac_msm_config *config,
                        sumac_vector *results, size_t result_first);

/* Plan such a call of all executors, and set *bytes to the workspace that it will take on the one that needs the most. */
sumac_status vector_msm_workspace(executor *self, executor_list *all, const sumac_bases *bases, size_t n,
                                  const sumac_msm_config *config, uint64_t *bytes);

#endif

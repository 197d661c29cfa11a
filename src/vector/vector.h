/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the operations on arrays of field elements and of points, in tables that each engine fills in.
 * Scalars are reduced and in Montgomery form, in the representation of math/field.h for the scalar field (math/fr.h);
 * points are XYZZ (math/point.h). Both look the same in every backend. The elements of a matrix are stored row after
 * row.
 *
 * Elements lie in memory of the backend (backend.allocate); single scalars, records and numbers of rows lie in host
 * memory. When a function returns, its work is done; if a device's engine queues (device_ops.queue), functions that write no
 * host memory return while it may still run.
 *
 * The functions trust their callers: sizes fit, powers of two are such, and memory overlaps only if a comment allows it.
 * Functions with a status fail with SUMAC_OUT_OF_MEMORY, which changes nothing, and on a device also with
 * SUMAC_DEVICE_FAILED, which loses the results. The device's engine then has a message.
 */
#ifndef SUMAC_VECTOR_VECTOR_H
#define SUMAC_VECTOR_VECTOR_H

#include "curves/group_code.h"
#include "pipeline/pipeline.h"
#include "sumac/vector.h"

/* A run has the threads, or the engine, that compute. */
typedef struct vector_run {
    uint32_t threads;
    struct thread_pool *pool; /* not null if threads > 1 */
    trace_sink trace;
    void *engine; /* the queue on a device, as in msm_job; null on the CPU */
    const struct sumac_group *group;
    const struct group_code *code; /* the group's host code, for steps that an engine leaves to it */
} vector_run;

/* This is a second operand. Its element for index i is elements[(i / each) % count]. */
typedef struct vector_operand {
    const void *elements;
    uint64_t count;
    uint64_t each;
} vector_operand;

/* This is a transform of `rows` rows of 2^log2 elements, in place. */
typedef struct vector_transform {
    uint64_t rows;
    uint32_t log2;
    int inverse;
    sumac_order value_order;
    sumac_order coefficient_order;
    const void *shift;     /* the coset's shift, an element; null means 1 */
    uint64_t coefficients; /* coefficients per row that are read or wanted; the others are 0 or unused */
    /* The roots are at least 2^(log2 - 1) elements. A transform of scalars uses those of scalar_vector_ops.factors, and
     * one of points uses those of scalar_vector_ops.roots. */
    const void *roots;
} vector_transform;

/* A scan computes sums or products of the elements up to each index. Unless the scan is exclusive, they include the
 * element at that index. */
typedef struct vector_scan {
    int multiplies;
    int exclusive;
} vector_scan;

/* Polynomials are evaluated that are given by their values at the x_i = w^rev(i), where w is a root of unity of order n =
 * 4^k, and rev reverses the bits of i < n. */
typedef struct vector_evaluation {
    uint64_t length;      /* n */
    const void *points;   /* the evaluation point of each row */
    const void *inverses; /* n/4 elements: 1/x_(4i) */
    const void *quarter;  /* one element: x_2, which has order 4 */
} vector_evaluation;

/* A sparse matrix has few different values. Its terms are stored row after row; term j has one of these values, in
 * column terms[j].column. */
typedef struct sparse_term {
    uint32_t column;
    uint32_t value; /* SPARSE_ONE, SPARSE_MINUS_ONE, or an index into the values */
} sparse_term;
enum { SPARSE_ONE, SPARSE_MINUS_ONE, SPARSE_OTHERS };

typedef struct sparse_rows {
    uint64_t rows;
    const uint64_t *starts; /* row i has terms [starts[i], starts[i + 1]) */
    const sparse_term *terms;
    const void *values; /* elements, of which the first two are not read */
} sparse_rows;

/* These are the operations on scalars of one field, in one variant (vector_scalars.c, .cu). All elements are
 * reduced. */
typedef struct scalar_vector_ops {
    size_t bytes;         /* bytes per element */
    uint32_t two_adicity; /* the two-adicity of r - 1 */
    /* Write sumac_root_of_unity(log2), log2 <= two_adicity, as raw bytes to host memory. */
    void (*root)(uint8_t *raw, uint32_t log2);
    /* Compute the roots for transforms of up to 2^log2 elements, 1 <= log2 <= two_adicity. They are a table of 2^(log2
     * - 1) elements. Element i is w^rev(i), where w is `root`, an element of order 2^log2 in host memory, and rev
     * reverses log2 - 1 bits. The beginning of the table is the table of a smaller log2 and of w^2, w^4, ... */
    sumac_status (*roots)(const vector_run *run, void *roots, uint32_t log2, const void *root);
    /* Compute the table of roots() in the form by which transform() multiplies. */
    sumac_status (*factors)(const vector_run *run, void *factors, uint32_t log2, const void *root);
    /* Import packed integers. If one is not less than the field's order, the status is SUMAC_BAD_ENCODING, *bad becomes
     * the index of the first such integer, and the result is undefined. */
    sumac_status (*import_scalars)(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                   sumac_form form, sumac_byte_order order, uint64_t *bad);
    sumac_status (*export_scalars)(const vector_run *run, uint8_t *bytes, const void *a, uint64_t n,
                                   sumac_form form, sumac_byte_order order);
    /* Import packed little-endian integers of 1, 2, 4 or 8 bytes, in two's complement if they are signed. */
    sumac_status (*import_integers)(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                    uint32_t integer_bytes, int is_signed);
    /* In these operations r may be the same memory as a. If b->each is 1 and b->count is n, r may also be the memory of
     * b's elements. */
    sumac_status (*add)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    sumac_status (*subtract)(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b);
    sumac_status (*multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b);
    /* Set r[i] to a[i] * (b's element for i) + c[i]. Here r may also be the memory of c. */
    sumac_status (*multiply_add)(const vector_run *run, void *r, const void *a, uint64_t n,
                                 const vector_operand *b, const void *c);
    /* Replace each element by its inverse; 0 stays 0. */
    sumac_status (*invert)(const vector_run *run, void *r, uint64_t n);
    /* Multiply r[i] by factor * ratio^(i % length). n must be a multiple of `length`. */
    sumac_status (*scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                 const void *factor, const void *ratio);
    /* Set r[j] to the sum of row j of a. */
    sumac_status (*sum)(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length);
    /* Set element i of each row to the sum, or the product, of the row's elements up to element i. In an exclusive scan
     * element i itself is left out. */
    sumac_status (*scan)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                         const vector_scan *scan);
    /* Set r[j] to n times the value of row j at its evaluation point, and overwrite the values. The function is null if the
     * backend can't do this. */
    sumac_status (*evaluate)(const vector_run *run, void *r, void *values, uint64_t rows,
                             const vector_evaluation *evaluation);
    /* Set r to the matrix times a. r and a must not overlap, and the matrix lies in the backend's memory. */
    sumac_status (*multiply_sparse)(const vector_run *run, void *r, const void *a, const sparse_rows *matrix);
    sumac_status (*transform)(const vector_run *run, void *r, const vector_transform *transform);
} scalar_vector_ops;

/* For block > 0, 1/roots[block] is -roots[inverse_root(block)]. roots[0] is 1, which is its own inverse. */
SUMAC_FN uint64_t inverse_root(uint64_t block)
{
    if (block == 0) {
        return 0;
    }
    const uint64_t power = UINT64_C(1) << (63 - limb_leading_zeros(block));
    return 3 * power - 1 - block;
}

/* These are the operations on points of one group, in one variant (vector_points.c, .cu). They are exact for all
 * points, except that a transform needs points whose order divides r. */
typedef struct point_vector_ops {
    size_t bytes; /* bytes per element */
    /* Import raw records as convert_ops.import_points does. */
    sumac_status (*import_records)(const vector_run *run, void *r, const uint8_t *records, uint64_t n,
                                   sumac_form form, sumac_check check, uint64_t *bad);
    sumac_status (*export_records)(const vector_run *run, uint8_t *records, const void *a, uint64_t n,
                                   sumac_form form);
    /* Write packed records in Montgomery form to the backend's memory. */
    sumac_status (*lay_out_records)(const vector_run *run, void *records, const void *a, uint64_t n);
    /* In these operations r may be the same memory as a. If b->each is 1 and b->count is n, r may also be the memory of
     * b's elements. */
    sumac_status (*add)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    sumac_status (*subtract)(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b);
    sumac_status (*sum)(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length);
    /* The roots and the shift are elements of the group's scalar field. The argument has the operations of this
     * field. */
    sumac_status (*transform)(const vector_run *run, void *r, const vector_transform *transform,
                              const struct scalar_vector_ops *scalars);
    /* Transform each of `rows` rows of 2^log2 points, and then transform the lower half of the result again. All values
     * are in natural order, except the final ones. If the function is null or returns SUMAC_NOT_SUPPORTED, the engine
     * can't do this for these rows. */
    sumac_status (*transform_twice)(const vector_run *run, void *r, uint64_t rows, uint32_t log2,
                                    sumac_order value_order);
} point_vector_ops;

/* A slice has `runs` runs of `length` elements; run i begins at first + i*stride. */
typedef struct vector_slice {
    uint64_t first, runs, length, stride;
} vector_slice;

/* These are a backend's operations on vectors. They are functions that move elements of any size (vector_moves.c, .cu),
 * and the tables above. */
typedef struct vector_ops {
    /* Return the operations on scalars, or on points, of a group that the backend supports. On the CPU they are those
     * of `code`. */
    const scalar_vector_ops *(*scalars)(const sumac_group *group, const group_code *code);
    const point_vector_ops *(*points)(const sumac_group *group, const group_code *code);
    /* Set each of n elements to `element`, which lies in host memory. If `element` is null, set them to zero bytes. */
    sumac_status (*fill)(const vector_run *run, void *to, const void *element, size_t bytes, uint64_t n);
    /* Copy between slices of the same shape, which do not overlap. */
    sumac_status (*copy_slices)(const vector_run *run, void *to, const vector_slice *to_slice,
                                const void *from, const vector_slice *from_slice, size_t bytes);
    /* Copy row numbers[i] of `from` to row i of `to`. Rows have row_bytes bytes. */
    sumac_status (*gather_rows)(const vector_run *run, void *to, const void *from, size_t row_bytes,
                                const uint64_t *numbers, uint64_t n);
    /* Transpose each of `count` matrices of rows*columns elements. */
    sumac_status (*transpose)(const vector_run *run, void *to, const void *from, size_t bytes, uint64_t count,
                              uint64_t rows, uint64_t columns);
    /* In each row of 2^log2 elements, swap the elements at index i and at index i with its bits reversed. */
    sumac_status (*bit_reverse)(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                uint32_t log2);
} vector_ops;

#endif

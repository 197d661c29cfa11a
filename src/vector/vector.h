/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the operations on arrays of field elements and of points, in tables that each engine fills in.
 * Scalars are reduced and in Montgomery form, in the representation of math/field.h for the scalar field (math/fr.h);
 * points are XYZZ (math/point.h). Both look the same in every backend. A matrix is stored row after row.
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

/* The threads, or the engine, that compute. */
typedef struct vector_run {
    uint32_t threads;
    struct thread_pool *pool; /* not null if threads > 1 */
    trace_sink trace;
    void *engine; /* as msm_job.engine */
    const struct sumac_group *group;
    const struct group_code *code; /* the group's host code, for steps that an engine leaves to it */
} vector_run;

/* A second operand, whose element for index i is elements[(i / each) % count]. */
typedef struct vector_operand {
    const void *elements;
    uint64_t count;
    uint64_t each;
} vector_operand;

/* A transform of `rows` rows of 2^log2 elements, in place. */
typedef struct vector_transform {
    uint64_t rows;
    uint32_t log2;
    int inverse;
    sumac_order value_order;
    sumac_order coefficient_order;
    const void *shift;     /* the coset's shift, an element; null: 1 */
    uint64_t coefficients; /* coefficients per row that are read or wanted; the others are 0 or unused */
    /* At least 2^(log2 - 1) elements: in a transform of scalars those of scalar_vector_ops.factors, otherwise those of
     * scalar_vector_ops.roots. */
    const void *roots;
} vector_transform;

/* A scan computes sums or products, which include the element at the result's index unless the scan is exclusive. */
typedef struct vector_scan {
    int multiplies;
    int exclusive;
} vector_scan;

/* A sparse matrix, row after row: term j has one of the matrix's few different values in column terms[j].column. */
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

/* Operations on scalars of one field, in one variant: vector_scalars.c, .cu. All elements are reduced. */
typedef struct scalar_vector_ops {
    size_t bytes;         /* bytes per element */
    uint32_t two_adicity; /* the two-adicity of r - 1 */
    /* Write the root of order 2^log2 that the tables are powers of, as raw bytes in host memory; log2 <= two_adicity. */
    void (*root)(uint8_t *raw, uint32_t log2);
    /* Compute the roots for transforms of up to 2^log2 elements, 1 <= log2 <= two_adicity: a table of 2^(log2 - 1)
     * elements. Element i is w^rev(i), where w has order 2^log2 and rev reverses log2 - 1 bits. The table of a
     * smaller log2 is the beginning of that of a larger one. */
    sumac_status (*roots)(const vector_run *run, void *roots, uint32_t log2);
    /* Compute the table of roots() in the form that transform() multiplies by. */
    sumac_status (*factors)(const vector_run *run, void *factors, uint32_t log2);
    /* Import packed integers. After SUMAC_BAD_ENCODING *bad is the index of the first one that is not less than r,
     * and the contents of r are undefined. */
    sumac_status (*import_scalars)(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                   sumac_form form, sumac_byte_order order, uint64_t *bad);
    sumac_status (*export_scalars)(const vector_run *run, uint8_t *bytes, const void *a, uint64_t n,
                                   sumac_form form, sumac_byte_order order);
    /* Import packed little-endian integers of 1, 2, 4 or 8 bytes, in two's complement if they are signed. */
    sumac_status (*import_integers)(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                                    uint32_t integer_bytes, int is_signed);
    /* r may be a; it may be b's elements if b->each is 1 and b->count is n. */
    sumac_status (*add)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    sumac_status (*subtract)(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b);
    sumac_status (*multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b);
    /* r[i] = a[i] * (b's element for i) + c[i]; r may also be c. */
    sumac_status (*multiply_add)(const vector_run *run, void *r, const void *a, uint64_t n,
                                 const vector_operand *b, const void *c);
    /* Replace each element by its inverse; 0 stays 0. */
    sumac_status (*invert)(const vector_run *run, void *r, uint64_t n);
    /* r[i] *= factor * ratio^(i % length), n a multiple of length. */
    sumac_status (*scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                 const void *factor, const void *ratio);
    /* r[j] = the sum of row j of a. */
    sumac_status (*sum)(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length);
    /* In each row: r[i] = the sum, or the product, of the row's elements up to element i, without it if exclusive. */
    sumac_status (*scan)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                         const vector_scan *scan);
    /* r = the matrix times a, which does not overlap r; the matrix lies in the backend's memory. */
    sumac_status (*multiply_sparse)(const vector_run *run, void *r, const void *a, const sparse_rows *matrix);
    sumac_status (*transform)(const vector_run *run, void *r, const vector_transform *transform);
} scalar_vector_ops;

/* 1/roots[block] is -roots[inverse_root(block)], except that roots[0] is 1 and its own inverse. */
SUMAC_FN uint64_t inverse_root(uint64_t block)
{
    if (block == 0) {
        return 0;
    }
    const uint64_t power = UINT64_C(1) << (63 - limb_leading_zeros(block));
    return 3 * power - 1 - block;
}

/* Operations on points of one group, in one variant: vector_points.c, .cu. They are exact for all points, except that a
 * transform needs points whose order divides r. */
typedef struct point_vector_ops {
    size_t bytes; /* bytes per element */
    /* Import raw records like convert_ops.import_points. */
    sumac_status (*import_records)(const vector_run *run, void *r, const uint8_t *records, uint64_t n,
                                   sumac_form form, sumac_check check, uint64_t *bad);
    sumac_status (*export_records)(const vector_run *run, uint8_t *records, const void *a, uint64_t n,
                                   sumac_form form);
    /* Write packed records in Montgomery form to the backend's memory. */
    sumac_status (*lay_out_records)(const vector_run *run, void *records, const void *a, uint64_t n);
    /* r may be a; it may be b's elements if b->each is 1 and b->count is n. */
    sumac_status (*add)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    sumac_status (*subtract)(const vector_run *run, void *r, const void *a, uint64_t n,
                             const vector_operand *b);
    sumac_status (*sum)(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length);
    /* The roots and the shift are elements of the group's scalar field, whose ops are given. */
    sumac_status (*transform)(const vector_run *run, void *r, const vector_transform *transform,
                              const struct scalar_vector_ops *scalars);
    /* Transform each of `rows` rows of 2^log2 points, then the lower half of the result again, all in natural order except
     * the last values. Null or SUMAC_NOT_SUPPORTED: the engine has no such function for these rows. */
    sumac_status (*transform_twice)(const vector_run *run, void *r, uint64_t rows, uint32_t log2,
                                    sumac_order value_order);
} point_vector_ops;

/* A slice has `runs` runs of `length` elements; run i begins at first + i*stride. */
typedef struct vector_slice {
    uint64_t first, runs, length, stride;
} vector_slice;

/* A backend's operations on vectors: functions that move elements of any size (vector_moves.c, .cu), and the tables
 * above. */
typedef struct vector_ops {
    /* Return the ops of a group that the backend supports. On the CPU they are those of `code`. */
    const scalar_vector_ops *(*scalars)(const sumac_group *group, const group_code *code);
    const point_vector_ops *(*points)(const sumac_group *group, const group_code *code);
    /* Set each of n elements to `element`, which lies in host memory; null: to zero bytes. */
    sumac_status (*fill)(const vector_run *run, void *to, const void *element, size_t bytes, uint64_t n);
    /* Copy between slices of the same shape, which do not overlap. */
    sumac_status (*copy_slices)(const vector_run *run, void *to, const vector_slice *to_slice,
                                const void *from, const vector_slice *from_slice, size_t bytes);
    /* Row i of `to` is row numbers[i] of `from`; rows of row_bytes. */
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

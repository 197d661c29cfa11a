/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Arrays of field elements and of points, and the table of what is done with them: the way from
 * include/sumac/vector.h to the engines. Scalars lie in Montgomery form, reduced, as math/field.h has them
 * over the scalar field (math/fr.h); points as XYZZ (math/point.h). A matrix is its rows, one behind the
 * other.
 *
 * The functions trust their callers: sizes fit, powers of two are such, memory overlaps only where a comment
 * says so.
 */
#ifndef SUMAC_VECTOR_VECTOR_H
#define SUMAC_VECTOR_VECTOR_H

#include "pipeline/backend.h"
#include "sumac/vector.h"

/* Who computes. */
typedef struct vector_run {
    uint32_t threads;
    struct thread_pool *pool; /* not null where threads > 1 */
    trace_sink trace;
} vector_run;

/* The second operand: its element for index i is elements[(i / each) % count]. */
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
    const void *shift;     /* of the coset, a scalar as in a vector; null: 1 */
    uint64_t coefficients; /* only so many of a row are not 0, or are wanted; 2^log2: all */
    /* At least 2^(log2 - 1) scalars: element i is w^rev(i), where w has order 2^k and rev reverses the k - 1
     * low bits, the same for every k. */
    const void *roots;
} vector_transform;

/* Scalars, of one field and variant: src/cpu/vector_scalars.c. All elements reduced. */
typedef struct scalar_vector_ops {
    size_t bytes;         /* of an element */
    uint32_t two_adicity; /* of r - 1 */
    /* Roots for transforms of up to 2^log2 elements, 1 <= log2 <= two_adicity, see vector_transform. */
    void (*roots)(const vector_run *run, void *roots, uint32_t log2);
    /* From packed integers; the index of the first one that is not less than r, n if there is none. In
     * Montgomery form, too, they must be less than r. */
    uint64_t (*import_scalars)(const vector_run *run, void *r, const uint8_t *bytes, uint64_t n,
                               sumac_form form, sumac_byte_order order);
    void (*export_scalars)(const vector_run *run, uint8_t *bytes, const void *a, uint64_t n, sumac_form form,
                           sumac_byte_order order);
    /* r may be a, and b's elements if all n are there and each is 1. */
    void (*add)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    void (*subtract)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    void (*multiply)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    /* 1/0 = 0. SUMAC_OUT_OF_MEMORY: nothing is changed. */
    sumac_status (*invert)(const vector_run *run, void *r, uint64_t n);
    /* r[i] *= factor * ratio^(i % length), n a multiple of length. */
    void (*scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length, const void *factor,
                         const void *ratio);
    /* r[j] = the sum of row j of a. */
    void (*sum)(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length);
    void (*transform)(const vector_run *run, void *r, const vector_transform *transform);
} scalar_vector_ops;

/* Points, of one curve and variant: src/cpu/vector_points.c. Exact, whatever the points are, but for
 * transform, whose points have an order that divides r. SUMAC_OUT_OF_MEMORY: nothing is changed. */
typedef struct point_vector_ops {
    size_t bytes; /* of an element */
    /* From raw records; as import_points of convert_ops. */
    sumac_status (*import_records)(const vector_run *run, void *r, const uint8_t *records, uint64_t n,
                                   sumac_form form, sumac_check check, uint64_t *bad);
    sumac_status (*export_records)(const vector_run *run, uint8_t *records, const void *a, uint64_t n,
                                   sumac_form form);
    /* r may be a, and b's elements if all n are there and each is 1. */
    void (*add)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    void (*subtract)(const vector_run *run, void *r, const void *a, uint64_t n, const vector_operand *b);
    void (*sum)(const vector_run *run, void *r, const void *a, uint64_t rows, uint64_t length);
    /* The roots and the shift are scalars as in a vector of the curve's scalar field, whose ops are given. */
    sumac_status (*transform)(const vector_run *run, void *r, const vector_transform *transform,
                              const struct scalar_vector_ops *scalars);
} point_vector_ops;

#endif

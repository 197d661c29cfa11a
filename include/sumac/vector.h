/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file vector.h
 *  @brief Vectors of scalars and of points, and what proof systems do with them: number-theoretic transforms,
 *  element by element arithmetic, transforms of points, and MSMs whose scalars or results are vectors.
 *
 *  A *scalar* here is an element of the curve's scalar field, the integers modulo its order r; a *point* is
 * one of its group. A vector belongs to the context's backend and stays where that computes; elements go in
 * and out by sumac_vector_set() and sumac_vector_get(). A vector of a*b elements serves as a matrix, row
 * after row, and as a batch of a vectors of b elements.
 *
 *  **Whole rows.** Where a call takes a vector for rows of `length` elements (sumac_vector_gather(), of both vectors;
 *  sumac_vector_scale_powers(), _sum(), _bit_reverse(), and the transforms), `length` is at least 1 and divides the
 *  vector's count; so does rows*columns in sumac_vector_transpose(). Otherwise the call is refused with
 *  SUMAC_BAD_ARGUMENT: rows are neither omitted nor padded. Nothing has to divide anything in sumac_vector_add(),
 *  _subtract() and _multiply(), whose last row, and last repetition of the second operand, may be incomplete.
 *
 *  Every call writes its result completely or not at all. A result may be one of the operands if the function says
 *  so; otherwise overlapping vectors are refused. With a stream of the caller's most calls are queued, and return before
 *  their work is done: sumac_context_set_stream(). Errors, threads, sizes of structs and raw layout are as in sumac.h.
 *  While a call writes a vector, no other call may use it; any number of calls may read it.
 */
#ifndef SUMAC_VECTOR_H
#define SUMAC_VECTOR_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A vector of elements of one kind, on a backend. */
typedef struct sumac_vector sumac_vector;

typedef enum sumac_vector_kind { SUMAC_VECTOR_SCALARS = 0, SUMAC_VECTOR_POINTS } sumac_vector_kind;

/** The order in which values on roots of unity are listed: value i belongs to root^i, or to root^rev(i),
 * where rev reverses the bits of i, as Ethereum lists a blob's elements. */
typedef enum sumac_order { SUMAC_ORDER_NATURAL = 0, SUMAC_ORDER_BIT_REVERSED } sumac_order;

typedef enum sumac_byte_order { SUMAC_LITTLE_ENDIAN = 0, SUMAC_BIG_ENDIAN } sumac_byte_order;

/** The layout of elements in host memory. */
typedef struct sumac_element_layout {
    size_t size;
    uint32_t form;          /**< of a scalar, or of a point's coordinates */
    uint32_t byte_order;    /**< of a scalar: SUMAC_BIG_ENDIAN as in Ethereum's blobs. Points are raw */
    uint32_t check;         /**< of points that are written; by default that they lie on the curve */
    uint32_t scalar_bytes;  /**< bytes of an integer, 1, 2, 4 or 8, that becomes a scalar; 0: the curve's. For
                              sumac_vector_set() */
    uint32_t scalar_signed; /**< 1: such integers are two's complement */
    uint32_t reserved;      /**< 0 */
} sumac_element_layout;

/** Create a vector of zeros, or of points at infinity.
 *  @param count any number, 0 included
 *  @param vector freed with sumac_vector_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_create(sumac_context *context, const sumac_group *group,
                                                          sumac_vector_kind kind, size_t count,
                                                          sumac_vector **vector);

/** Make a vector of scalars of memory that the caller has, where the context computes (sumac_context_info.location). The
 *  memory is used as it is, without a copy, and stays the caller's: it must outlive the vector. Scalars are in Montgomery
 *  form, little-endian and less than r, as gnark and arkworks hold them, which is not checked.
 *  @param memory `count` scalars of scalar_bytes; aligned to 8 bytes, on a GPU to 16; may be null for none
 *  @param vector null on failure; sumac_vector_destroy() leaves the memory alone
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (not aligned, or memory that is elsewhere), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_wrap(sumac_context *context, const sumac_group *group,
                                                        void *memory, size_t count, sumac_vector **vector);

/** Make a vector of elements [first, first + count) of another one, without a copy.
 *  @param vector outlives the view
 *  @param view null on failure; sumac_vector_destroy() leaves the other vector alone
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_view(sumac_context *context, sumac_vector *vector,
                                                        size_t first, size_t count, sumac_vector **view);

/** The memory of a vector of scalars, in the form that sumac_vector_wrap() describes; null for points, and for a vector of
 *  none. It may be read and written, between calls, as long as the vector lives. */
SUMAC_API void *sumac_vector_memory(sumac_vector *vector);

/** Free a vector; null is allowed. No call that uses it may be running, and no work of one may be on a stream. */
SUMAC_API void sumac_vector_destroy(sumac_vector *vector);

/** Return the number of elements of a vector, their group, and their kind. */
SUMAC_API size_t sumac_vector_count(const sumac_vector *vector);
SUMAC_API const sumac_group *sumac_vector_group(const sumac_vector *vector);
SUMAC_API sumac_vector_kind sumac_vector_kind_of(const sumac_vector *vector);

/** Set elements [first, first + count) from host memory, packed: scalar_bytes or point_bytes each, or as many bytes as the
 *  layout gives an integer.
 *  @param layout null for the defaults
 *  @return SUMAC_OK; SUMAC_BAD_LENGTH; SUMAC_BAD_ENCODING (a scalar that is not less than r, a coordinate that is not less than p),
 *  SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, with the index of the first bad element in the message;
 *  SUMAC_BAD_ARGUMENT. On failure the vector is unchanged */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_set(sumac_context *context, sumac_vector *vector,
                                                       const void *elements, size_t elements_bytes,
                                                       size_t first, size_t count,
                                                       const sumac_element_layout *layout);

/** Copy elements [first, first + count) to host memory, packed; points become affine.
 *  @param layout null for the defaults
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_get(sumac_context *context, const sumac_vector *vector,
                                                       size_t first, size_t count,
                                                       const sumac_element_layout *layout, void *elements,
                                                       size_t elements_bytes);

/** A part of a vector: `runs` times `length` elements, run k from first + k*stride. */
typedef struct sumac_slice {
    size_t size;
    size_t first, runs, length, stride;
} sumac_slice;

/** Return the slice of `length` elements from `first`; set runs and stride for more of them. */
static inline sumac_slice sumac_slice_of(size_t first, size_t length)
{
    sumac_slice slice = {sizeof(sumac_slice), first, 1, length, length};
    return slice;
}

/** Copy a slice of one vector to a slice of another, which has as many runs of the same length. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_copy(sumac_context *context, const sumac_vector *from,
                                                        const sumac_slice *from_slice, sumac_vector *to,
                                                        const sumac_slice *to_slice);

/** Gather rows of `length` elements: row i of the result is row rows[i] of the operand.
 *  @param rows row_count numbers less than count(from)/length
 *  @param to has row_count*length elements */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_gather(sumac_context *context, const sumac_vector *from,
                                                          size_t length, const uint64_t *rows,
                                                          size_t row_count, sumac_vector *to);

/** Set all elements to one scalar, which is in raw layout and less than r.
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ENCODING, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_fill(sumac_context *context, sumac_vector *vector,
                                                        const void *scalar, size_t scalar_bytes);

/**
 * Add element by element: result[i] = a[i] + b[(i / each) mod count(b)]; likewise subtract, or multiply scalars. So b
 * may be as long as a; or shorter, and then repeats; or, if `each` is the length of a row, have one element for each
 * row; or be one element. `each` is at least 1. The result is as long as a, and may be a or b (b if it is as long as a
 * and each is 1). Points are added exactly, whatever they are.
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_add(sumac_context *context, const sumac_vector *a,
                                                       const sumac_vector *b, size_t each,
                                                       sumac_vector *result);
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_subtract(sumac_context *context, const sumac_vector *a,
                                                            const sumac_vector *b, size_t each,
                                                            sumac_vector *result);
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_multiply(sumac_context *context, const sumac_vector *a,
                                                            const sumac_vector *b, size_t each,
                                                            sumac_vector *result);

/** Multiply scalars and add: result[i] = a[i]*b[(i / each) mod count(b)] + c[i].
 *  @param c as long as a
 *  @param result may be a or c, and b as for sumac_vector_add() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_multiply_add(sumac_context *context, const sumac_vector *a,
                                                                const sumac_vector *b, size_t each,
                                                                const sumac_vector *c, sumac_vector *result);

/** Invert scalars in place: vector[i] = 1/vector[i]; 0 stays 0. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_invert(sumac_context *context, sumac_vector *vector);

/** Scale rows of scalars by the powers of a number: vector[i] *= factor * ratio^(i mod length). length divides the
 *  count.
 *  @param factor, ratio one scalar each in raw layout, less than r; null: 1
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ENCODING, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_scale_powers(sumac_context *context, sumac_vector *vector,
                                                                const void *factor, size_t factor_bytes,
                                                                const void *ratio, size_t ratio_bytes,
                                                                size_t length);

/** Sum up rows of `length` elements: result[j] is the sum of row j. The result is another vector, of count(a)/length
 *  elements; length divides count(a). */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_sum(sumac_context *context, const sumac_vector *a,
                                                       size_t length, sumac_vector *result);

/** The operations that sumac_vector_scan() accumulates with. */
typedef enum sumac_scan { SUMAC_SCAN_SUM = 0, SUMAC_SCAN_PRODUCT } sumac_scan;

/** Compute running sums or products of rows of scalars, in place: vector[i] becomes v[first of its row] + ... + v[i].
 *  If exclusive, it stops before v[i], and the first of each row becomes 0, or 1 for products. PLONK's grand product
 *  is the exclusive scan of products; a log-up argument's column is the exclusive scan of sums.
 *  @param length of a row
 *  @param exclusive 1 or 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_scan(sumac_context *context, sumac_vector *vector,
                                                        size_t length, sumac_scan operation,
                                                        uint32_t exclusive);

/** Transpose contiguous matrices of rows*columns elements into another vector; rows*columns divides count(a). */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_transpose(sumac_context *context, const sumac_vector *a,
                                                             size_t rows, size_t columns,
                                                             sumac_vector *result);

/** Exchange elements i and rev(i) in each row of `length` elements, a power of two that divides the count. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_bit_reverse(sumac_context *context, sumac_vector *vector,
                                                               size_t length);

/** Write the root of unity of order 2^log2 that transforms use, raw. It is obtained by repeatedly squaring the root
 *  of the largest order, which docs/internals/transforms.md lists for each curve. For BLS12-381 it is the consensus
 *  specification's.
 *  @param root scalar_bytes
 *  @return SUMAC_OK, SUMAC_NOT_SUPPORTED if there is none, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_root_of_unity(const sumac_group *group, uint32_t log2, void *root,
                                                          size_t root_bytes);

/** How a vector is transformed. */
typedef struct sumac_transform_config {
    size_t size;
    size_t
        length; /**< of each row, a power of two up to the field's 2-adicity that divides the vector's count; 0: the
                      whole vector is one */
    uint32_t inverse;     /**< 0: from coefficients to values; 1: back, divided by the length */
    uint32_t value_order; /**< of the values */
    uint32_t coefficient_order;
    uint32_t reserved; /**< 0 */
    const void
        *shift; /**< not null: the values are those on the coset, at shift*root^i; one scalar, raw, not 0 */
    size_t shift_bytes;
    /** The number of first coefficients of each row that may be nonzero (forward: the others are not read) or that
     *  are wanted (inverse: the others become 0); 0: all. */
    size_t coefficients;
} sumac_transform_config;

/** Apply the number-theoretic transform to each row of a vector, in place: coefficients a_0 .. a_(n-1) become the values
 *  sum_j a_j * x^j at x = shift*root^i, root = sumac_root_of_unity(log2 n). Points are transformed in the same way: their
 *  products with roots are multiples of points, which must lie in the subgroup of order r.
 *  @param config null for the defaults
 *  @return SUMAC_OK, SUMAC_NOT_SUPPORTED if the field has no root of that order, SUMAC_BAD_ARGUMENT,
 *  SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_ntt(sumac_context *context, sumac_vector *vector,
                                                       const sumac_transform_config *config);

/** Transform several vectors, as sumac_vector_ntt() does one after another; a GPU waits for nothing between them. All are
 *  checked before the first is transformed. If memory runs out later, the first ones may have been transformed, each of them
 *  completely.
 *  @param vectors, count any number, of scalars or of points; config holds for each of them
 *  @return as sumac_vector_ntt() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vectors_ntt(sumac_context *context, sumac_vector *const *vectors,
                                                        size_t count, const sumac_transform_config *config);

/** Divide rows of values on a coset by those of the vanishing polynomial X^n - 1, in place: the value at x = shift*root^i is
 *  divided by x^n - 1.
 *  @param config as the row's transform had it; its shift must lie outside the subgroup of order n, so that no divisor is 0,
 *  else SUMAC_BAD_ARGUMENT
 *  @param n a power of two that divides the length of a row */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_divide_by_vanishing(sumac_context *context,
                                                                       sumac_vector *vector, size_t n,
                                                                       const sumac_transform_config *config);

/** Compute MSMs as sumac_msm() does, with scalars [first, first + batch*n) of a vector, and results [result_first,
 *  result_first + batch) of a vector of points. config's forms and locations are ignored. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_vectors(sumac_context *context, const sumac_bases *bases,
                                                        const sumac_vector *scalars, size_t first, size_t n,
                                                        const sumac_msm_config *config, sumac_vector *results,
                                                        size_t result_first);

/** Create bases from points [first, first + count) of a vector, as sumac_bases_create() does. config's form, stride,
 *  infinity, location and check are ignored, because points were checked when they were written to the vector. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_create_from_vector(sumac_context *context,
                                                                     const sumac_vector *points, size_t first,
                                                                     size_t count,
                                                                     const sumac_bases_config *config,
                                                                     sumac_bases **bases);

#ifdef __cplusplus
}
#endif

#endif

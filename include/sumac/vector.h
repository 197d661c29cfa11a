/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file vector.h
 *  @brief Vectors of scalars and of points, and what proof systems do with them: number-theoretic transforms,
 *  element by element arithmetic, transforms of points, and MSMs whose scalars or results are vectors.
 *
 *  A *scalar* here is an element of the group's scalar field, the integers modulo its order r. A *point* is an element of
 *  the group. A vector belongs to the context's backend and stays where that computes. sumac_vector_set() and
 *  sumac_vector_get() copy elements in and out. A vector of a*b elements can be used as a matrix of a rows, one row after
 *  another, and as a batch of a vectors of b elements. Examples: examples/ntt.c, examples/plonk_prover.c.
 *
 *  **Whole rows.** If a call takes a vector as rows of `length` elements, `length` must be at least 1 and divide the vector's
 *  count. In sumac_vector_transpose(), rows*columns must do so. Otherwise the call is refused with SUMAC_BAD_ARGUMENT: rows
 *  are neither omitted nor padded. Nothing has to divide anything in sumac_vector_add(), _subtract(), _multiply() and
 *  _multiply_add(): the last row and the last repetition of the second operand may be incomplete.
 *
 *  **Rules for all calls.** A call writes its result completely or not at all. A result may be one of the operands if the
 *  function says so; otherwise overlapping vectors are refused. If the caller has set a stream, most calls are queued, and
 *  return before their work is done: sumac_context_set_stream(). While a call writes a vector, no other call may use it. Any
 *  number of calls may read a vector at once. Errors, threads, sizes of structs and raw layout are as in sumac.h.
 *
 *  **Statuses.** A call without @return returns SUMAC_OK, SUMAC_BAD_ARGUMENT (also for vectors of the wrong kind, group
 *  or count, and for elements outside a vector), SUMAC_OUT_OF_MEMORY or SUMAC_DEVICE_FAILED.
 */
#ifndef SUMAC_VECTOR_H
#define SUMAC_VECTOR_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A vector of elements of one kind, on a backend. */
typedef struct sumac_vector sumac_vector;

/** The kinds of elements. */
typedef enum sumac_vector_kind { SUMAC_VECTOR_SCALARS = 0, SUMAC_VECTOR_POINTS } sumac_vector_kind;

/** The order in which values at powers of a root of unity are listed: value i belongs to root^i or, bit-reversed, to
 *  root^rev(i). Here rev reverses the bits of i, as Ethereum does for a blob's elements. */
typedef enum sumac_order { SUMAC_ORDER_NATURAL = 0, SUMAC_ORDER_BIT_REVERSED } sumac_order;

/** The order of the bytes of a scalar. */
typedef enum sumac_byte_order { SUMAC_LITTLE_ENDIAN = 0, SUMAC_BIG_ENDIAN } sumac_byte_order;

/** The layout of elements in host memory. */
typedef struct sumac_element_layout {
    size_t size;
    uint32_t form; /**< the form of scalars, or of points' coordinates; by default canonical */
    /** The byte order of scalars; SUMAC_BIG_ENDIAN is that of Ethereum's blobs. Points are always little-endian. */
    uint32_t byte_order;
    uint32_t check; /**< how far sumac_vector_set() checks points; by default that they lie on the curve */
    /** 1, 2, 4 or 8: sumac_vector_set() reads integers of so many bytes, canonical and little-endian, and makes them scalars;
     *  it must be 0 for sumac_vector_get(). 0: the group's scalar_bytes. */
    uint32_t scalar_bytes;
    uint32_t scalar_signed; /**< 1: integers of scalar_bytes bytes are two's complement */
    uint32_t reserved;      /**< 0 */
} sumac_element_layout;

/** Create a vector of zeros, or of points at infinity.
 *  @param count any number, 0 included
 *  @param vector the new vector, to be freed with sumac_vector_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (the backend was built without the group), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_create(sumac_context *context, const sumac_group *group,
                                                          sumac_vector_kind kind, size_t count,
                                                          sumac_vector **vector);

/** Use the caller's memory as a vector of scalars, without a copy. The memory must lie where the context computes
 *  (sumac_context_info.location). It stays the caller's, and must outlive the vector. The scalars must be in Montgomery form,
 *  little-endian and less than r, as gnark and arkworks hold them. This is not checked.
 *  @param memory `count` scalars of scalar_bytes, aligned to 8 bytes, on a GPU to 16; may be null if count is 0
 *  @param vector the new vector; null on failure. sumac_vector_destroy() does not free the memory
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (memory that is not aligned, or lies elsewhere), SUMAC_NOT_SUPPORTED (the backend was
 *  built without the group), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_wrap(sumac_context *context, const sumac_group *group,
                                                        void *memory, size_t count, sumac_vector **vector);

/** Use elements [first, first + count) of a vector as another vector, without a copy.
 *  @param vector must outlive the view
 *  @param view the new vector; null on failure. sumac_vector_destroy() does not free the elements
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_view(sumac_context *context, sumac_vector *vector,
                                                        size_t first, size_t count, sumac_vector **view);

/** Return the memory of a vector of scalars, in the form that sumac_vector_wrap() describes. Return null for a vector of
 *  points, and for an empty vector. As long as the vector exists, the caller may read and write the memory between calls. */
SUMAC_API void *sumac_vector_memory(sumac_vector *vector);

/** Free a vector; null is allowed. No call that uses it may be running, nor may work of a queued one be left on a stream. */
SUMAC_API void sumac_vector_destroy(sumac_vector *vector);

/** Return the number of elements of a vector; their group; and their kind. */
SUMAC_API size_t sumac_vector_count(const sumac_vector *vector);
SUMAC_API const sumac_group *sumac_vector_group(const sumac_vector *vector);
SUMAC_API sumac_vector_kind sumac_vector_kind_of(const sumac_vector *vector);

/** Set elements [first, first + count) from host memory.
 *  @param elements `count` elements, packed, of scalar_bytes or point_bytes of the group, or of layout's scalar_bytes
 *  @param layout null for the defaults
 *  @return SUMAC_OK; SUMAC_BAD_LENGTH; SUMAC_BAD_ENCODING (a scalar that is not less than r, a coordinate that is not less
 *  than p), SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP, with the index of the first bad element in the message;
 *  SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED (integers that are not canonical and little-endian), SUMAC_OUT_OF_MEMORY,
 *  SUMAC_DEVICE_FAILED. On failure the vector is unchanged */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_set(sumac_context *context, sumac_vector *vector,
                                                       const void *elements, size_t elements_bytes,
                                                       size_t first, size_t count,
                                                       const sumac_element_layout *layout);

/** Copy elements [first, first + count) to host memory.
 *  @param layout null for the defaults
 *  @param elements receives `count` elements, packed, of scalar_bytes or point_bytes; points are affine
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or a failure of a queued call
 *  (sumac_context_wait()) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_get(sumac_context *context, const sumac_vector *vector,
                                                       size_t first, size_t count,
                                                       const sumac_element_layout *layout, void *elements,
                                                       size_t elements_bytes);

/** Some elements of a vector: `runs` runs of `length` elements, of which run k begins at first + k*stride. */
typedef struct sumac_slice {
    size_t size;
    size_t first, runs, length, stride;
} sumac_slice;

/** Return the slice of `length` elements from `first` on. The caller may set its runs and stride to have more runs. */
static inline sumac_slice sumac_slice_of(size_t first, size_t length)
{
    sumac_slice slice = {sizeof(sumac_slice), first, 1, length, length};
    return slice;
}

/** Copy a slice of one vector to a slice of another.
 *  @param from another vector of the same group and kind, which shares no memory with `to`
 *  @param to_slice as many runs of the same length as from_slice; its runs must not overlap */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_copy(sumac_context *context, const sumac_vector *from,
                                                        const sumac_slice *from_slice, sumac_vector *to,
                                                        const sumac_slice *to_slice);

/** Gather rows of `length` elements: row i of `to` becomes row rows[i] of `from`.
 *  @param rows row_count numbers less than count(from)/length, in host memory; a number may occur several times
 *  @param to another vector, of row_count*length elements */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_gather(sumac_context *context, const sumac_vector *from,
                                                          size_t length, const uint64_t *rows,
                                                          size_t row_count, sumac_vector *to);

/** Set all elements of a vector of scalars to one scalar.
 *  @param scalar in raw layout, in host memory, less than r
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ENCODING, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_fill(sumac_context *context, sumac_vector *vector,
                                                        const void *scalar, size_t scalar_bytes);

/** Add two vectors element by element: result[i] = a[i] + b[(i / each) mod count(b)]. The other two functions subtract, and
 *  multiply scalars, in the same way. With each = 1, b may be as long as a, or shorter, and is then repeated. If `each` is the
 *  length of a row, b has one element for each row. Points are added exactly, whatever they are.
 *  @param a, b elements of one group and kind; b has at least one element, unless a is empty, and at most as many as a
 *  @param each at least 1
 *  @param result as long as a. It may be a, and with each = 1 also b, if b is as long as a */
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
 *  @param a, b, each as for sumac_vector_multiply()
 *  @param c as long as a
 *  @param result as long as a. It may be a or c, and b as for sumac_vector_add() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_multiply_add(sumac_context *context, const sumac_vector *a,
                                                                const sumac_vector *b, size_t each,
                                                                const sumac_vector *c, sumac_vector *result);

/** Invert scalars in place: vector[i] = 1/vector[i]; 0 stays 0. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_invert(sumac_context *context, sumac_vector *vector);

/** Scale rows of scalars by the powers of a number: vector[i] *= factor * ratio^(i mod length).
 *  @param factor, ratio one scalar each in raw layout, less than r; null: 1
 *  @param length the number of elements of a row
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH, SUMAC_BAD_ENCODING, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_scale_powers(sumac_context *context, sumac_vector *vector,
                                                                const void *factor, size_t factor_bytes,
                                                                const void *ratio, size_t ratio_bytes,
                                                                size_t length);

/** Sum up rows of `length` elements: result[j] becomes the sum of row j.
 *  @param result another vector, of count(a)/length elements of the same kind */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_sum(sumac_context *context, const sumac_vector *a,
                                                       size_t length, sumac_vector *result);

/** The operations by which sumac_vector_scan() accumulates. */
typedef enum sumac_scan { SUMAC_SCAN_SUM = 0, SUMAC_SCAN_PRODUCT } sumac_scan;

/** Compute running sums or products of rows of scalars, in place. Element i becomes the sum or product of its row's elements
 *  up to element i. PLONK's grand product is the exclusive scan of products, and a log-up argument's column is the exclusive
 *  scan of sums.
 *  @param length the number of elements of a row
 *  @param exclusive 1: element i itself is left out, so that the first element of each row becomes 0, or 1 for products. 0:
 *  it is included */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_scan(sumac_context *context, sumac_vector *vector,
                                                        size_t length, sumac_scan operation,
                                                        uint32_t exclusive);

/** Transpose matrices of rows*columns elements, which lie one after another, row by row.
 *  @param result another vector, which receives as many matrices of columns*rows elements */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_transpose(sumac_context *context, const sumac_vector *a,
                                                             size_t rows, size_t columns,
                                                             sumac_vector *result);

/** Exchange elements i and rev(i) in each row of a vector, where rev reverses the bits of i.
 *  @param length the number of elements of a row, a power of two */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_bit_reverse(sumac_context *context, sumac_vector *vector,
                                                               size_t length);

/** Write the root of unity of order 2^log2 that transforms use. It comes from the root of the largest order, which
 *  docs/internals/transforms.md lists for each curve, by repeated squaring. For BLS12-381 it is the root of the consensus
 *  specification.
 *  @param root receives one raw scalar of scalar_bytes
 *  @return SUMAC_OK, SUMAC_NOT_SUPPORTED (there is no such root), SUMAC_BAD_LENGTH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_root_of_unity(const sumac_group *group, uint32_t log2, void *root,
                                                          size_t root_bytes);

/** How a vector is transformed. */
typedef struct sumac_transform_config {
    size_t size;
    /** The number of elements of each row. It is a power of two that divides the vector's count and is at most 2 to the
     *  field's 2-adicity. 0: the whole vector is one row. */
    size_t length;
    uint32_t inverse;           /**< 0: from coefficients to values; 1: back, divided by the length */
    uint32_t value_order;       /**< the order of the values; by default natural */
    uint32_t coefficient_order; /**< the order of the coefficients; by default natural */
    uint32_t reserved;          /**< 0 */
    const void *shift;  /**< one raw scalar, not 0: values are taken on a coset, at shift*root^i. Null: 1 */
    size_t shift_bytes; /**< the length of `shift` */
    /** The number of coefficients of each row, from the first on, that are used; 0: all. Forward, the others are taken for 0
     *  and not read; inverse, they become 0. */
    size_t coefficients;
    /** The root of unity that takes the place of sumac_root_of_unity(), for values that another library lists by a root of its
     *  own (experimental): one raw scalar, whose order is the length of a row. Null: sumac_root_of_unity() */
    const void *root;
    size_t root_bytes; /**< the length of `root` */
} sumac_transform_config;

/** Apply the number-theoretic transform to each row of a vector, in place. Coefficients a_0 .. a_(n-1) become the values
 *  sum_j a_j * x^j at x = shift*root^i, where root = sumac_root_of_unity(log2 n) unless config has another. Points a_j are transformed in the same way,
 *  and must lie in the subgroup of order r. Example: examples/ntt.c.
 *  @param config null for the defaults
 *  @return SUMAC_OK, SUMAC_NOT_SUPPORTED (the field has no root of that order), SUMAC_BAD_ARGUMENT (also a root of another
 *  order), SUMAC_BAD_LENGTH, SUMAC_BAD_ENCODING, SUMAC_OUT_OF_MEMORY, SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_ntt(sumac_context *context, sumac_vector *vector,
                                                       const sumac_transform_config *config);

/** Transform several vectors as sumac_vector_ntt() does, one after another; a GPU waits for nothing between them. All
 *  vectors are checked before the first one is transformed. If memory runs out later, the first vectors may have been
 *  transformed, each of them completely.
 *  @param vectors `count` vectors of scalars or of points
 *  @param config holds for each vector; null for the defaults
 *  @return as sumac_vector_ntt() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vectors_ntt(sumac_context *context, sumac_vector *const *vectors,
                                                        size_t count, const sumac_transform_config *config);

/** Divide rows of values on a coset by the values of the vanishing polynomial X^n - 1, in place: the value at
 *  x = shift*root^i is divided by x^n - 1.
 *  @param n a power of two that divides the length of a row
 *  @param config the configuration by which sumac_vector_ntt() made the values. No x^n may be 1, or the call is refused with
 *  SUMAC_BAD_ARGUMENT; so the shift must not be null
 *  @return as sumac_vector_ntt() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_vector_divide_by_vanishing(sumac_context *context,
                                                                       sumac_vector *vector, size_t n,
                                                                       const sumac_transform_config *config);

/** Compute MSMs as sumac_msm() does, with scalars [first, first + batch*n) of one vector. The results become elements
 *  [result_first, result_first + batch) of another one.
 *  @param n the number of bases and scalars of each MSM
 *  @param config null for the defaults; its forms and locations are ignored
 *  @return as sumac_msm(); SUMAC_NOT_SUPPORTED also for offsets */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_vectors(sumac_context *context, const sumac_bases *bases,
                                                        const sumac_vector *scalars, size_t first, size_t n,
                                                        const sumac_msm_config *config, sumac_vector *results,
                                                        size_t result_first);

/** Create bases from points [first, first + count) of a vector, as sumac_bases_create() does.
 *  @param config null for the defaults; form, stride, infinity, location and check are ignored, because the points were
 *  checked when they were written to the vector
 *  @param bases the new bases, to be freed with sumac_bases_destroy(); null on failure
 *  @return as sumac_bases_create(), or a failure of a queued call (sumac_context_wait()) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_create_from_vector(sumac_context *context,
                                                                     const sumac_vector *points, size_t first,
                                                                     size_t count,
                                                                     const sumac_bases_config *config,
                                                                     sumac_bases **bases);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is computed with vectors: arguments checked, and the engine's table called. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/registry.h"
#include "api/roots.h"
#include "api/sizes.h"
#include "api/vector.h"

static const scalar_vector_ops *scalars_of(const sumac_context *context, const sumac_vector *vector)
{
    return vector_scalar_ops(context, vector->curve);
}

static const point_vector_ops *points_of(const sumac_context *context, const sumac_vector *vector)
{
    return vector_point_ops(context, vector->curve);
}

/* ---- Element by element ---- */

typedef sumac_status (*binary_op)(const vector_run *run, void *r, const void *a, uint64_t n,
                                  const vector_operand *b);

static sumac_status binary(sumac_context *context, sumac_vector *result, const sumac_vector *a,
                           const sumac_vector *b, size_t each, binary_op op)
{
    const vector_operand operand = {b->memory, b->count, each == 0 ? 1 : each};
    if (result->curve != a->curve || a->curve != b->curve || result->elements != a->elements ||
        a->elements != b->elements) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the vectors hold elements of different kinds or curves");
    }
    if (result->count != a->count || b->count > a->count || (b->count == 0 && a->count > 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu elements and %zu do not make a result of %zu",
                    (size_t)a->count, (size_t)b->count, (size_t)result->count);
    }
    if (result == b && (b->count != a->count || operand.each != 1)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the result may not be the shorter operand");
    }
    if (a->count == 0) {
        return SUMAC_OK;
    }
    const vector_run run = vector_run_of(context, a->curve);
    return vector_done(context, op(&run, result->memory, a->memory, a->count, &operand), "compute with", a);
}

sumac_status sumac_vector_add(sumac_context *context, sumac_vector *result, const sumac_vector *a,
                              const sumac_vector *b, size_t each)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = vector_begin(held, result, a, b);
    if (status != SUMAC_OK) {
        return status;
    }
    return binary(context, result, a, b, each,
                  a->elements == SUMAC_VECTOR_SCALARS ? scalars_of(context, a)->add
                                                      : points_of(context, a)->add);
}

sumac_status sumac_vector_subtract(sumac_context *context, sumac_vector *result, const sumac_vector *a,
                                   const sumac_vector *b, size_t each)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = vector_begin(held, result, a, b);
    if (status != SUMAC_OK) {
        return status;
    }
    return binary(context, result, a, b, each,
                  a->elements == SUMAC_VECTOR_SCALARS ? scalars_of(context, a)->subtract
                                                      : points_of(context, a)->subtract);
}

sumac_status sumac_vector_multiply(sumac_context *context, sumac_vector *result, const sumac_vector *a,
                                   const sumac_vector *b, size_t each)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, result, a, b);
    if (status == SUMAC_OK) {
        status = vector_expect(context, a, SUMAC_VECTOR_SCALARS, "the first factor");
    }
    return status == SUMAC_OK ? binary(context, result, a, b, each, scalars_of(context, a)->multiply)
                              : status;
}

sumac_status sumac_vector_fill(sumac_context *context, sumac_vector *vector, const void *scalar)
{
    uint64_t element[SCALAR_MAX_LIMBS];
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
    }
    if (status == SUMAC_OK && scalar == NULL) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "the scalar must not be null");
    }
    if (status == SUMAC_OK) {
        status = vector_scalar(context, vector->curve, scalar, "the scalar", element);
    }
    if (status == SUMAC_OK) {
        const vector_run run = vector_run_of(context, vector->curve);
        status = vector_done(
            context,
            context->backend->vectors->fill(&run, vector->memory, element, vector->bytes, vector->count),
            "fill", vector);
    }
    return status;
}

sumac_status sumac_vector_invert(sumac_context *context, sumac_vector *vector)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
    }
    if (status == SUMAC_OK) {
        const vector_run run = vector_run_of(context, vector->curve);
        status =
            vector_done(context, scalars_of(context, vector)->invert(&run, vector->memory, vector->count),
                        "invert", vector);
    }
    return status;
}

sumac_status sumac_vector_scale_powers(sumac_context *context, sumac_vector *vector, size_t length,
                                       const void *factor, const void *ratio)
{
    uint64_t first[SCALAR_MAX_LIMBS], step[SCALAR_MAX_LIMBS], rows;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
    }
    if (status == SUMAC_OK) {
        status = vector_rows(context, vector->count, length, &rows);
    }
    if (status == SUMAC_OK) {
        status = vector_scalar(context, vector->curve, factor, "the factor", first);
    }
    if (status == SUMAC_OK) {
        status = vector_scalar(context, vector->curve, ratio, "the ratio", step);
    }
    if (status == SUMAC_OK) {
        const vector_run run = vector_run_of(context, vector->curve);
        status = vector_done(context,
                             scalars_of(context, vector)
                                 ->scale_powers(&run, vector->memory, vector->count, length, first, step),
                             "scale", vector);
    }
    return status;
}

sumac_status sumac_vector_sum(sumac_context *context, sumac_vector *result, const sumac_vector *a,
                              size_t length)
{
    uint64_t rows;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, result, a, a);
    if (status == SUMAC_OK) {
        status = vector_rows(context, a->count, length, &rows);
    }
    if (status == SUMAC_OK && (result == a || result->curve != a->curve || result->elements != a->elements ||
                               result->count != rows)) {
        status = fail(context, SUMAC_BAD_ARGUMENT,
                      "the result must be another vector of %zu elements like the operand's", (size_t)rows);
    }
    if (status == SUMAC_OK) {
        const vector_run run = vector_run_of(context, a->curve);
        status = a->elements == SUMAC_VECTOR_SCALARS
                     ? scalars_of(context, a)->sum(&run, result->memory, a->memory, rows, length)
                     : points_of(context, a)->sum(&run, result->memory, a->memory, rows, length);
        status = vector_done(context, status, "sum up", a);
    }
    return status;
}

/* ---- Transforms ---- */

static int is_order(sumac_order order)
{
    return order == SUMAC_ORDER_NATURAL || order == SUMAC_ORDER_BIT_REVERSED;
}

static int is_zero_scalar(const uint64_t *element, size_t bytes)
{
    static const uint64_t zero[SCALAR_MAX_LIMBS];
    return memcmp(element, zero, bytes) == 0;
}

/* The engine's transform of a caller's; shift has room for its coset. */
static sumac_status take_transform(sumac_context *context, const sumac_vector *vector,
                                   const sumac_transform_config *given, vector_transform *transform,
                                   uint64_t *shift)
{
    const scalar_vector_ops *ops = scalars_of(context, vector);
    sumac_transform_config own;
    uint64_t rows = 0;
    sumac_status status = public_take(&public_transform_config, given, &own, context->message);
    if (status != SUMAC_OK) {
        return status;
    }
    const size_t length = own.length == 0 ? (size_t)vector->count : own.length;
    if (length == 0 || (length & (length - 1)) != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the length of a transform, %zu, is not a power of two",
                    length);
    }
    status = vector_rows(context, vector->count, length, &rows);
    if (status != SUMAC_OK) {
        return status;
    }
    const uint32_t log2 = (uint32_t)__builtin_ctzll((unsigned long long)length);
    if (log2 > ops->two_adicity) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "the scalars of %s have roots of unity up to 2^%u, and none for a transform of 2^%u",
                    vector->curve->info.name, ops->two_adicity, log2);
    }
    if (!is_order(own.value_order) || !is_order(own.coefficient_order)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "value_order or coefficient_order has no such value");
    }
    if (own.coefficients > length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a transform of %zu has not %zu coefficients", length,
                    own.coefficients);
    }
    if (own.shift != NULL) {
        status = vector_scalar(context, vector->curve, own.shift, "the shift", shift);
        if (status == SUMAC_OK && is_zero_scalar(shift, ops->bytes)) {
            status = fail(context, SUMAC_BAD_ARGUMENT, "the shift of a coset can't be 0");
        }
    }
    *transform = (vector_transform){
        .rows = rows,
        .log2 = log2,
        .inverse = own.inverse != 0,
        .value_order = own.value_order,
        .coefficient_order = own.coefficient_order,
        .shift = own.shift == NULL ? NULL : shift,
        .coefficients = own.coefficients == 0 ? length : own.coefficients,
    };
    return status;
}

static sumac_status transform_vector(sumac_context *context, sumac_vector *vector, sumac_vector_kind elements,
                                     const sumac_transform_config *config)
{
    vector_transform transform;
    uint64_t shift[SCALAR_MAX_LIMBS];
    sumac_status status = vector_expect(context, vector, elements, "the vector");
    if (status == SUMAC_OK) {
        status = take_transform(context, vector, config, &transform, shift);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const int scalars = elements == SUMAC_VECTOR_SCALARS;
    const scalar_vector_ops *ops = scalars_of(context, vector);
    const vector_run run = vector_run_of(context, vector->curve);
    status = vector_done(context, roots_take(context, &run, ops, scalars, transform.log2, &transform.roots),
                         "make the roots for", vector);
    if (status != SUMAC_OK) {
        return status;
    }
    status = scalars ? ops->transform(&run, vector->memory, &transform)
                     : points_of(context, vector)->transform(&run, vector->memory, &transform, ops);
    return vector_done(context, status, "transform", vector);
}

sumac_status sumac_vector_ntt(sumac_context *context, sumac_vector *vector,
                              const sumac_transform_config *config)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = vector_begin(held, vector, vector, vector);
    return status == SUMAC_OK ? transform_vector(context, vector, SUMAC_VECTOR_SCALARS, config) : status;
}

sumac_status sumac_vector_point_transform(sumac_context *context, sumac_vector *vector,
                                          const sumac_transform_config *config)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = vector_begin(held, vector, vector, vector);
    return status == SUMAC_OK ? transform_vector(context, vector, SUMAC_VECTOR_POINTS, config) : status;
}

sumac_status sumac_root_of_unity(const sumac_curve *curve, uint32_t log2, void *root)
{
    if (curve == NULL || root == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    const scalar_vector_ops *ops = registry_portable_code(curve)->scalar_vectors;
    if (log2 > ops->two_adicity) {
        return SUMAC_NOT_SUPPORTED;
    }
    ops->root(root, log2);
    return SUMAC_OK;
}

/* ---- MSMs ---- */

/* The results of MSMs, which are few, from the host to a vector. */
static sumac_status keep_results(sumac_context *context, const uint8_t *points, uint32_t n,
                                 sumac_vector *results, size_t first)
{
    const vector_run run = vector_run_of(context, results->curve);
    uint64_t bad;
    return vector_done(context,
                       points_of(context, results)
                           ->import_records(&run, vector_at(results, first), points, n, SUMAC_FORM_MONTGOMERY,
                                            SUMAC_CHECK_NONE, &bad),
                       "keep results in", results);
}

sumac_status sumac_msm_vectors(sumac_context *context, const sumac_bases *bases, const sumac_vector *scalars,
                               size_t first, size_t n, const sumac_msm_config *config, sumac_vector *results,
                               size_t result_first)
{
    sumac_msm_config own;
    size_t count = 0;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, scalars, results, results);
    if (status == SUMAC_OK && bases == NULL) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "bases must not be null");
    }
    if (status == SUMAC_OK) {
        status = public_take(&public_msm_config, config, &own, context->message);
    }
    if (status == SUMAC_OK) {
        own.batch = own.batch == 0 ? 1 : own.batch;
        own.scalar_form = SUMAC_FORM_MONTGOMERY;
        own.result_form = SUMAC_FORM_MONTGOMERY;
        own.scalars_location = context->engine == NULL ? SUMAC_LOCATION_HOST : SUMAC_LOCATION_DEVICE;
        own.result_location = SUMAC_LOCATION_HOST;
        own.stream = own.event = NULL;
        status = own.offsets == NULL
                     ? SUMAC_OK
                     : fail(context, SUMAC_NOT_SUPPORTED, "MSMs of vectors have one length: no offsets");
    }
    if (status == SUMAC_OK) {
        status = vector_expect(context, scalars, SUMAC_VECTOR_SCALARS, "scalars");
    }
    if (status == SUMAC_OK) {
        status = vector_expect(context, results, SUMAC_VECTOR_POINTS, "results");
    }
    if (status == SUMAC_OK &&
        (results->curve != bases->curve || scalars_of(context, scalars) != scalars_of(context, results))) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "bases, scalars and results are of different curves");
    }
    if (status == SUMAC_OK && __builtin_mul_overflow(n, (size_t)own.batch, &count)) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "%u MSMs of %zu scalars are too many", own.batch, n);
    }
    if (status == SUMAC_OK) {
        status = vector_range(context, scalars, first, count, "scalars");
    }
    if (status == SUMAC_OK) {
        status = vector_range(context, results, result_first, own.batch, "results");
    }
    if (status != SUMAC_OK) {
        return status;
    }
    uint8_t *points = malloc((size_t)own.batch * bases->curve->info.point_bytes);
    if (points == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for %u results",
                    (size_t)own.batch * bases->curve->info.point_bytes, own.batch);
    }
    status = sumac_msm(context, bases, vector_at(scalars, first), n, &own, points);
    if (status == SUMAC_OK) {
        status = keep_results(context, points, own.batch, results, result_first);
    }
    free(points);
    return status;
}

sumac_status sumac_bases_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                     size_t n, const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_bases_config own;
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, points, points, points);
    if (status == SUMAC_OK) {
        status = public_take(&public_bases_config, config, &own, context->message);
    }
    if (status == SUMAC_OK) {
        status = vector_expect(context, points, SUMAC_VECTOR_POINTS, "the vector");
    }
    if (status == SUMAC_OK) {
        status = vector_range(context, points, first, n, "the vector");
    }
    if (status != SUMAC_OK) {
        return status;
    }
    own.form = SUMAC_FORM_MONTGOMERY;
    own.stride = 0;
    own.infinity = SUMAC_INFINITY_ZERO;
    own.location = context->engine == NULL ? SUMAC_LOCATION_HOST : SUMAC_LOCATION_DEVICE;
    own.check = SUMAC_CHECK_NONE;
    const vector_run run = vector_run_of(context, points->curve);
    const size_t bytes = n * points->curve->info.point_bytes;
    void *records = context->backend->allocate(context->engine, bytes);
    if (records == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for bases", bytes);
    }
    status = points_of(context, points)->lay_out_records(&run, records, vector_at(points, first), n);
    status = vector_done(context, status, "make bases of", points);
    if (status == SUMAC_OK) {
        status = sumac_bases_create(context, points->curve, records, n, &own, bases);
    }
    context->backend->release(records);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is computed with vectors: arguments are checked here; the calls are vector/calls.h's. */
#include <string.h>

#include "api/bases.h"
#include "api/call.h"
#include "api/msm.h"
#include "api/registry.h"
#include "base/sizes.h"
#include "api/vector_checks.h"

/* ---- Element by element ---- */

/* Whether the operands of a call with a held context make such a result. */
static sumac_status begin_binary(sumac_context *held, const sumac_vector *result, const sumac_vector *a,
                                 const sumac_vector *b, size_t each)
{
    const sumac_status status = vector_begin(held, result, a, b);
    if (status != SUMAC_OK) {
        return status;
    }
    if (result->curve != a->curve || a->curve != b->curve || result->elements != a->elements ||
        a->elements != b->elements) {
        return fail(held, SUMAC_BAD_ARGUMENT, "the vectors hold elements of different kinds or curves");
    }
    if (result->count != a->count || b->count > a->count || (b->count == 0 && a->count > 0)) {
        return fail(held, SUMAC_BAD_ARGUMENT, "%zu elements and %zu do not make a result of %zu",
                    (size_t)a->count, (size_t)b->count, (size_t)result->count);
    }
    return result == b && (b->count != a->count || each > 1)
               ? fail(held, SUMAC_BAD_ARGUMENT, "the result may not be the shorter operand")
               : SUMAC_OK;
}

sumac_status sumac_vector_add(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                              size_t each, sumac_vector *result)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin_binary(held, result, a, b, each);
    return status == SUMAC_OK ? vector_add(context_executor(context), result, a, b, each) : status;
}

sumac_status sumac_vector_subtract(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                                   size_t each, sumac_vector *result)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin_binary(held, result, a, b, each);
    return status == SUMAC_OK ? vector_subtract(context_executor(context), result, a, b, each) : status;
}

sumac_status sumac_vector_multiply(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                                   size_t each, sumac_vector *result)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, result, a, b);
    if (status == SUMAC_OK) {
        status = vector_expect(context, a, SUMAC_VECTOR_SCALARS, "the first factor");
    }
    if (status == SUMAC_OK) {
        status = begin_binary(held, result, a, b, each);
    }
    return status == SUMAC_OK ? vector_multiply(context_executor(context), result, a, b, each) : status;
}

sumac_status sumac_vector_fill(sumac_context *context, sumac_vector *vector, const void *scalar)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
    }
    if (status == SUMAC_OK && scalar == NULL) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "the scalar must not be null");
    }
    return status == SUMAC_OK ? vector_fill(context_executor(context), vector, scalar) : status;
}

sumac_status sumac_vector_invert(sumac_context *context, sumac_vector *vector)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
    }
    return status == SUMAC_OK ? vector_invert(context_executor(context), vector) : status;
}

sumac_status sumac_vector_scale_powers(sumac_context *context, sumac_vector *vector, const void *factor,
                                       const void *ratio, size_t length)
{
    uint64_t rows;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
    }
    if (status == SUMAC_OK) {
        status = vector_rows(context, vector->count, length, &rows);
    }
    return status == SUMAC_OK ? vector_scale_powers(context_executor(context), vector, length, factor, ratio)
                              : status;
}

sumac_status sumac_vector_sum(sumac_context *context, const sumac_vector *a, size_t length,
                              sumac_vector *result)
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
    return status == SUMAC_OK ? vector_sum(context_executor(context), result, a, length) : status;
}

/* ---- Transforms ---- */

static int is_order(sumac_order order)
{
    return order == SUMAC_ORDER_NATURAL || order == SUMAC_ORDER_BIT_REVERSED;
}

static int is_zero_scalar(const uint8_t *raw, size_t bytes)
{
    return raw[0] == 0 && memcmp(raw, raw + 1, bytes - 1) == 0;
}

/* The caller's transform, checked for a vector. */
static sumac_status take_transform(sumac_context *context, const sumac_vector *vector,
                                   const sumac_transform_config *given, sumac_transform_config *own)
{
    uint64_t rows = 0;
    sumac_status status =
        public_take(&public_transform_config, given, own, &context_executor(context)->message);
    if (status != SUMAC_OK) {
        return status;
    }
    own->length = own->length == 0 ? (size_t)vector->count : own->length;
    if (own->length == 0 || (own->length & (own->length - 1)) != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the length of a transform, %zu, is not a power of two",
                    own->length);
    }
    status = vector_rows(context, vector->count, own->length, &rows);
    if (status != SUMAC_OK) {
        return status;
    }
    const uint32_t log2 = (uint32_t)__builtin_ctzll((unsigned long long)own->length);
    const uint32_t most = vector_scalar_ops(context_executor(context), vector->curve)->two_adicity;
    if (log2 > most) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "the scalars of %s have roots of unity up to 2^%u, and none for a transform of 2^%u",
                    vector->curve->info.name, most, log2);
    }
    if (!is_order(own->value_order) || !is_order(own->coefficient_order)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "value_order or coefficient_order has no such value");
    }
    if (own->coefficients > own->length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a transform of %zu has not %zu coefficients", own->length,
                    own->coefficients);
    }
    return own->shift != NULL && is_zero_scalar(own->shift, vector->curve->info.scalar_bytes)
               ? fail(context, SUMAC_BAD_ARGUMENT, "the shift of a coset can't be 0")
               : SUMAC_OK;
}

static sumac_status transform_vector(sumac_context *context, sumac_vector *vector, sumac_vector_kind elements,
                                     const sumac_transform_config *config)
{
    sumac_transform_config own;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_expect(context, vector, elements, "the vector");
    }
    if (status == SUMAC_OK) {
        status = take_transform(context, vector, config, &own);
    }
    if (status == SUMAC_OK) { /* it works in place: there is no way back from the middle */
        status = context_report(context, 0);
    }
    return status == SUMAC_OK ? vector_ntt(context_executor(context), vector, &own) : status;
}

sumac_status sumac_vector_ntt(sumac_context *context, sumac_vector *vector,
                              const sumac_transform_config *config)
{
    return transform_vector(context, vector, SUMAC_VECTOR_SCALARS, config);
}

sumac_status sumac_vector_point_transform(sumac_context *context, sumac_vector *vector,
                                          const sumac_transform_config *config)
{
    return transform_vector(context, vector, SUMAC_VECTOR_POINTS, config);
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
        status = public_take(&public_msm_config, config, &own, &context_executor(context)->message);
    }
    if (status == SUMAC_OK) {
        own.scalar_form = own.result_form = SUMAC_FORM_MONTGOMERY;
        own.scalars_location = own.result_location = SUMAC_LOCATION_HOST;
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
    if (status == SUMAC_OK && (results->curve != bases->curve ||
                               vector_scalar_ops(context_executor(context), scalars->curve) !=
                                   vector_scalar_ops(context_executor(context), results->curve))) {
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
    if (status == SUMAC_OK) {
        status = msm_config_check_call(context, bases, n, &own);
    }
    return status == SUMAC_OK ? vector_shared_msm(context_executors(context), bases, scalars, first, n, &own,
                                                  results, result_first)
                              : status;
}

sumac_status sumac_bases_create_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                            size_t n, const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_bases_config own;
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, points, points, points);
    if (status == SUMAC_OK) {
        status = public_take(&public_bases_config, config, &own, &context_executor(context)->message);
    }
    if (status == SUMAC_OK) {
        status = vector_expect(context, points, SUMAC_VECTOR_POINTS, "the vector");
    }
    if (status == SUMAC_OK) {
        status = vector_range(context, points, first, n, "the vector");
    }
    return status == SUMAC_OK ? bases_make_from_vector(context, points, first, n, &own, bases) : status;
}

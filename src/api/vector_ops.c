/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These calls compute with vectors. Each checks its arguments, and calls the function of vector/calls.h. */
#include "api/bases.h"
#include "api/call.h"
#include "api/msm.h"
#include "api/registry.h"
#include "api/vector_checks.h"
#include "base/sizes.h"
#include "codec/bytes.h"

/* ---- Element by element ---- */

/* Begin a call that has just tried to hold its context, and check that the operands fit the result. */
static sumac_status begin_binary(sumac_context *context, const sumac_vector *result, const sumac_vector *a,
                                 const sumac_vector *b, size_t each)
{
    TRY(vector_begin(context, result, a, b));
    if (each == 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "each is 0, and must be at least 1");
    }
    if (result->group != a->group || a->group != b->group || result->elements != a->elements ||
        a->elements != b->elements) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the vectors hold elements of different kinds or curves");
    }
    if (result->count != a->count || b->count > a->count || (b->count == 0 && a->count > 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "operands of %zu and %zu elements do not fit a result of %zu elements", (size_t)a->count,
                    (size_t)b->count, (size_t)result->count);
    }
    TRY(vector_expect_apart_or_same(context, result, a));
    return each > 1 ? vector_expect_apart(context, result, b)
                    : vector_expect_apart_or_same(context, result, b);
}

/* Begin a call that has just tried to hold its context, and check that the vector has scalars. */
static sumac_status begin_scalars(sumac_context *context, const sumac_vector *vector)
{
    TRY(vector_begin(context, vector, vector, vector));
    return vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector");
}

sumac_status sumac_vector_add(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                              size_t each, sumac_vector *result)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_binary(context, result, a, b, each));
    context_queue(context);
    return vector_add(context_executor(context), result, a, b, each);
}

sumac_status sumac_vector_subtract(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                                   size_t each, sumac_vector *result)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_binary(context, result, a, b, each));
    context_queue(context);
    return vector_subtract(context_executor(context), result, a, b, each);
}

sumac_status sumac_vector_multiply(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                                   size_t each, sumac_vector *result)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(context, result, a, b));
    TRY(vector_expect(context, a, SUMAC_VECTOR_SCALARS, "the first factor"));
    TRY(begin_binary(context, result, a, b, each));
    context_queue(context);
    return vector_multiply(context_executor(context), result, a, b, each);
}

sumac_status sumac_vector_multiply_add(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                                       size_t each, const sumac_vector *c, sumac_vector *result)
{
    BEGIN_CALL(context);
    TRY(vector_begin(held_, a, b, c));
    TRY(vector_expect(context, a, SUMAC_VECTOR_SCALARS, "the first factor"));
    TRY(begin_binary(held_, result, a, b, each));
    TRY(begin_binary(held_, result, a, c, 1));
    if (c->count != a->count) {
        return fail(context, SUMAC_BAD_ARGUMENT, "c must be as long as a");
    }
    context_queue(context);
    return vector_multiply_add(context_executor(context), result, a, b, each, c);
}

sumac_status sumac_vector_scan(sumac_context *context, sumac_vector *vector, size_t length,
                               sumac_scan operation, uint32_t exclusive)
{
    uint64_t rows;
    BEGIN_CALL(context);
    TRY(begin_scalars(held_, vector));
    TRY(vector_rows(context, vector->count, length, &rows));
    if ((operation != SUMAC_SCAN_SUM && operation != SUMAC_SCAN_PRODUCT) || exclusive > 1) {
        return fail(context, SUMAC_BAD_ARGUMENT, "operation or exclusive has an invalid value");
    }
    const vector_scan scan = {operation == SUMAC_SCAN_PRODUCT, exclusive != 0};
    context_queue(context);
    return vector_scan_rows(context_executor(context), vector, length, &scan);
}

/* The caller may give a scalar or null. If it gives one, check the number of its bytes. */
static sumac_status scalar_require(sumac_context *context, const sumac_vector *vector, const char *what,
                                   const void *scalar, size_t bytes)
{
    return scalar == NULL ? SUMAC_OK : bytes_require(context, what, bytes, 1, vector->group->scalar_bytes);
}

sumac_status sumac_vector_fill(sumac_context *context, sumac_vector *vector, const void *scalar,
                               size_t scalar_bytes)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_scalars(context, vector));
    TRY(require(context, scalar != NULL, "scalar"));
    TRY(scalar_require(context, vector, "scalar", scalar, scalar_bytes));
    context_queue(context);
    return vector_fill(context_executor(context), vector, scalar);
}

sumac_status sumac_vector_invert(sumac_context *context, sumac_vector *vector)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_scalars(context, vector));
    context_queue(context);
    return vector_invert(context_executor(context), vector);
}

sumac_status sumac_vector_scale_powers(sumac_context *context, sumac_vector *vector, const void *factor,
                                       size_t factor_bytes, const void *ratio, size_t ratio_bytes,
                                       size_t length)
{
    uint64_t rows;
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_scalars(context, vector));
    TRY(vector_rows(context, vector->count, length, &rows));
    TRY(scalar_require(context, vector, "factor", factor, factor_bytes));
    TRY(scalar_require(context, vector, "ratio", ratio, ratio_bytes));
    context_queue(context);
    return vector_scale_powers(context_executor(context), vector, length, factor, ratio);
}

sumac_status sumac_vector_sum(sumac_context *context, const sumac_vector *a, size_t length,
                              sumac_vector *result)
{
    uint64_t rows;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(context, result, a, a));
    TRY(vector_rows(context, a->count, length, &rows));
    TRY(vector_expect_apart(context, result, a));
    if (result->group != a->group || result->elements != a->elements || result->count != rows) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the result must be another vector of %zu elements like the operand's", (size_t)rows);
    }
    context_queue(context);
    return vector_sum(context_executor(context), result, a, length);
}

/* ---- Transforms ---- */

static int is_order(sumac_order order)
{
    return order == SUMAC_ORDER_NATURAL || order == SUMAC_ORDER_BIT_REVERSED;
}

/* Check a transform of a vector's rows, and compute the length of a row. */
static sumac_status check_transform(sumac_context *context, const sumac_vector *vector,
                                    const sumac_transform_config *config, size_t *length)
{
    uint64_t rows = 0;
    const executor *self = context_executor(context);
    *length = config->length == 0 ? (size_t)vector->count : config->length;
    if (*length == 0 || (*length & (*length - 1)) != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the length of a transform, %zu, is not a power of two",
                    *length);
    }
    TRY(vector_rows(context, vector->count, *length, &rows));
    const uint32_t log2 = (uint32_t)__builtin_ctzll((unsigned long long)*length);
    const uint32_t most = vector_scalar_ops(self, vector->group)->two_adicity;
    if (log2 > most) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "the scalars of %s have roots of unity up to 2^%u, and none for a transform of 2^%u",
                    vector->group->curve, most, log2);
    }
    if (!is_order(config->value_order) || !is_order(config->coefficient_order)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "value_order or coefficient_order has no such value");
    }
    if (config->coefficients > *length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a transform of length %zu can't have %zu coefficients",
                    *length, config->coefficients);
    }
    TRY(scalar_require(context, vector, "shift", config->shift, config->shift_bytes));
    TRY(scalar_require(context, vector, "root", config->root, config->root_bytes));
    if (config->root != NULL) {
        TRY(vector_check_root(context_executor(context), vector->group, config->root, log2));
    }
    if (config->shift != NULL && all_zero(config->shift, vector->group->scalar_bytes)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the shift of a coset can't be 0");
    }
    return SUMAC_OK;
}

sumac_status sumac_vectors_ntt(sumac_context *context, sumac_vector *const *vectors, size_t count,
                               const sumac_transform_config *given)
{
    sumac_transform_config config;
    BEGIN_CALL(context);
    TRY(require(context, vectors != NULL || count == 0, "vectors"));
    TRY(public_take(&public_transform_config, given, &config, context_message(context)));
    for (size_t i = 0; i < count; i++) {
        size_t length;
        TRY(vector_begin(held_, vectors[i], vectors[i], vectors[i]));
        TRY(check_transform(context, vectors[i], &config, &length));
    }
    context_queue(context);
    return vectors_ntt(context_executor(context), vectors, count, &config);
}

sumac_status sumac_vector_ntt(sumac_context *context, sumac_vector *vector,
                              const sumac_transform_config *config)
{
    return sumac_vectors_ntt(context, &vector, 1, config);
}

sumac_status sumac_vector_divide_by_vanishing(sumac_context *context, sumac_vector *vector, size_t n,
                                              const sumac_transform_config *given)
{
    sumac_transform_config config;
    size_t length;
    BEGIN_CALL(context);
    TRY(begin_scalars(held_, vector));
    TRY(public_take(&public_transform_config, given, &config, context_message(context)));
    TRY(check_transform(context, vector, &config, &length));
    if (n == 0 || (n & (n - 1)) != 0 || n > length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu is not a power of two that divides the rows' %zu", n,
                    length);
    }
    context_queue(context);
    return vector_divide_by_vanishing(context_executor(context), vector, n, &config);
}

sumac_status sumac_root_of_unity(const sumac_group *group, uint32_t log2, void *root, size_t root_bytes)
{
    if (group == NULL || root == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    const scalar_vector_ops *ops = registry_portable_code(group)->scalar_vectors;
    if (log2 > ops->two_adicity) {
        return SUMAC_NOT_SUPPORTED;
    }
    if (root_bytes < group->scalar_bytes) {
        return SUMAC_BAD_LENGTH;
    }
    ops->root(root, log2);
    return SUMAC_OK;
}

/* ---- MSMs ---- */

sumac_status sumac_msm_vectors(sumac_context *context, const sumac_bases *bases, const sumac_vector *scalars,
                               size_t first, size_t n, const sumac_msm_config *given, sumac_vector *results,
                               size_t result_first)
{
    sumac_msm_config config;
    size_t count = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(context, scalars, results, results));
    TRY(require(context, bases != NULL, "bases"));
    executor *self = context_executor(context);
    TRY(msm_config_take(given, &config, &self->message));
    config.scalar_form = config.result_form = SUMAC_FORM_MONTGOMERY;
    config.scalars_location = config.result_location = SUMAC_LOCATION_HOST;
    if (config.offsets != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "MSMs of vectors have one length: no offsets");
    }
    TRY(vector_expect(context, scalars, SUMAC_VECTOR_SCALARS, "scalars"));
    TRY(vector_expect(context, results, SUMAC_VECTOR_POINTS, "results"));
    if (results->group != bases->group ||
        vector_scalar_ops(self, scalars->group) != vector_scalar_ops(self, results->group)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "bases, scalars and results are of different curves");
    }
    if (__builtin_mul_overflow(n, (size_t)config.batch, &count)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%u MSMs of %zu scalars are too many", config.batch, n);
    }
    TRY(vector_range(context, scalars, first, count, "scalars"));
    TRY(vector_range(context, results, result_first, config.batch, "results"));
    TRY(msm_config_check_call(context, bases, n, &config));
    context_queue(context);
    return vector_msm(self, context_executors(context), bases, 0, scalars, first, n, &config, results,
                      result_first);
}

sumac_status sumac_bases_create_from_vector(sumac_context *context, const sumac_vector *points, size_t first,
                                            size_t count, const sumac_bases_config *given,
                                            sumac_bases **bases)
{
    sumac_bases_config config;
    BEGIN_MAKING(context, bases);
    TRY(vector_begin(context, points, points, points));
    TRY(public_take(&public_bases_config, given, &config, &context_executor(context)->message));
    TRY(vector_expect(context, points, SUMAC_VECTOR_POINTS, "the vector"));
    TRY(vector_range(context, points, first, count, "the vector"));
    TRY(executor_wait(context_executor(context)));
    return bases_make_from_vector(context, points, first, count, &config, bases);
}

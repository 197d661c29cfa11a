/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors from their memory to their end: elements in and out, and to other places. Arguments are checked here; the
 * calls are vector/calls.h's. */
#include "api/call.h"
#include "base/sizes.h"
#include "api/vector_checks.h"

/* ---- Memory ---- */

sumac_status sumac_vector_create(sumac_context *context, const sumac_curve *curve, sumac_vector_kind elements,
                                 size_t count, sumac_vector **vector)
{
    if (vector != NULL) {
        *vector = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || vector == NULL ||
        (elements != SUMAC_VECTOR_SCALARS && elements != SUMAC_VECTOR_POINTS)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "curve and vector must not be null, and elements are scalars or points");
    }
    executor *own = context_executor(context);
    if (own->backend->device != NULL && !own->backend->device->has_curve(curve)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s engine was built without %s %s", own->backend->name,
                    curve->info.name, curve->info.group);
    }
    return vector_create(own, curve, elements, count, vector);
}

void sumac_vector_destroy(sumac_vector *vector)
{
    vector_destroy(vector);
}

size_t sumac_vector_count(const sumac_vector *vector)
{
    return vector == NULL ? 0 : (size_t)vector->count;
}

const sumac_curve *sumac_vector_curve(const sumac_vector *vector)
{
    return vector == NULL ? NULL : vector->curve;
}

sumac_vector_kind sumac_vector_kind_of(const sumac_vector *vector)
{
    return vector == NULL ? SUMAC_VECTOR_SCALARS : vector->elements;
}

/* ---- In and out ---- */

static sumac_status take_layout(sumac_context *context, const sumac_element_layout *given,
                                sumac_element_layout *own)
{
    const sumac_status status =
        public_take(&public_element_layout, given, own, &context_executor(context)->message);
    if (status != SUMAC_OK) {
        return status;
    }
    if ((own->form != SUMAC_FORM_CANONICAL && own->form != SUMAC_FORM_MONTGOMERY) ||
        (own->byte_order != SUMAC_LITTLE_ENDIAN && own->byte_order != SUMAC_BIG_ENDIAN) ||
        (unsigned)own->check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "form, byte_order or check of the layout has no such value");
    }
    return SUMAC_OK;
}

/* Begin a call that writes or reads elements [first, first + n). */
static sumac_status begin_access(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                                 const void *elements, const sumac_element_layout *layout,
                                 sumac_element_layout *own)
{
    sumac_status status = vector_begin(context, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = take_layout(context, layout, own);
    }
    if (status == SUMAC_OK) {
        status = vector_range(context, vector, first, n, "the vector");
    }
    return status == SUMAC_OK && n > 0 && elements == NULL
               ? fail(context, SUMAC_BAD_ARGUMENT, "elements must not be null")
               : status;
}

sumac_status sumac_vector_set(sumac_context *context, sumac_vector *vector, const void *elements,
                              size_t first, size_t n, const sumac_element_layout *layout)
{
    sumac_element_layout own;
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin_access(held, vector, first, n, elements, layout, &own);
    return status != SUMAC_OK || n == 0
               ? status
               : vector_set(context_executor(context), vector, first, n, elements, &own);
}

sumac_status sumac_vector_get(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                              const sumac_element_layout *layout, void *elements)
{
    sumac_element_layout own;
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin_access(held, vector, first, n, elements, layout, &own);
    return status != SUMAC_OK || n == 0
               ? status
               : vector_get(context_executor(context), vector, first, n, elements, &own);
}

/* ---- To other places ---- */

static sumac_status same_elements(sumac_context *context, const sumac_vector *a, const sumac_vector *b)
{
    return a->curve == b->curve && a->elements == b->elements
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "the vectors hold elements of different kinds or curves");
}

static sumac_status other_vector(sumac_context *context, const sumac_vector *result, const sumac_vector *a)
{
    return result != a ? same_elements(context, result, a)
                       : fail(context, SUMAC_BAD_ARGUMENT, "the result must be another vector");
}

/* A slice that is in its vector. */
static sumac_status take_slice(sumac_context *context, const sumac_vector *vector, const sumac_slice *given,
                               const char *what, vector_slice *slice)
{
    sumac_slice own;
    if (given == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the slices must not be null");
    }
    const sumac_status status = public_take(&public_slice, given, &own, &context_executor(context)->message);
    if (status != SUMAC_OK) {
        return status;
    }
    *slice = (vector_slice){own.first, own.runs, own.length, own.stride};
    uint64_t end, last;
    if (own.runs == 0 || own.length == 0) {
        return SUMAC_OK;
    }
    if (__builtin_mul_overflow((uint64_t)own.runs - 1, (uint64_t)own.stride, &last) ||
        __builtin_add_overflow(last, (uint64_t)own.first, &last) ||
        __builtin_add_overflow(last, (uint64_t)own.length, &end) || end > vector->count) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "%zu runs of %zu elements, each %zu after the one before, from %zu on, are not in %s, "
                    "which has %zu",
                    own.runs, own.length, own.stride, own.first, what, (size_t)vector->count);
    }
    return SUMAC_OK;
}

sumac_status sumac_vector_copy(sumac_context *context, const sumac_vector *from,
                               const sumac_slice *from_slice, sumac_vector *to, const sumac_slice *to_slice)
{
    vector_slice to_part = {0}, from_part = {0};
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, to, from, from);
    if (status == SUMAC_OK) {
        status = other_vector(context, to, from);
    }
    if (status == SUMAC_OK) {
        status = take_slice(context, to, to_slice, "the vector to copy to", &to_part);
    }
    if (status == SUMAC_OK) {
        status = take_slice(context, from, from_slice, "the vector to copy from", &from_part);
    }
    if (status == SUMAC_OK && (to_part.runs != from_part.runs || to_part.length != from_part.length)) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "the slices have different shapes");
    }
    if (status == SUMAC_OK && to_part.runs > 1 && to_part.stride < to_part.length) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "the runs to copy to overlap");
    }
    return status == SUMAC_OK ? vector_copy(context_executor(context), to, &to_part, from, &from_part)
                              : status;
}

sumac_status sumac_vector_gather(sumac_context *context, const sumac_vector *from, size_t length,
                                 const uint64_t *rows, size_t n, sumac_vector *to)
{
    uint64_t all = 0, wanted = 0;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, to, from, from);
    if (status == SUMAC_OK) {
        status = other_vector(context, to, from);
    }
    if (status == SUMAC_OK) {
        status = vector_rows(context, from->count, length, &all);
    }
    if (status == SUMAC_OK) {
        status = vector_rows(context, to->count, length, &wanted);
    }
    if (status == SUMAC_OK && (wanted != n || (n > 0 && rows == NULL))) {
        status = fail(context, SUMAC_BAD_ARGUMENT,
                      "the result has not the %zu rows that are wanted, or rows is null", n);
    }
    for (size_t i = 0; status == SUMAC_OK && i < n; i++) {
        if (rows[i] >= all) {
            status = fail(context, SUMAC_BAD_ARGUMENT, "row %zu: there is no row %llu, but %llu", i,
                          (unsigned long long)rows[i], (unsigned long long)all);
        }
    }
    return status == SUMAC_OK ? vector_gather(context_executor(context), to, from, length, rows, n) : status;
}

sumac_status sumac_vector_transpose(sumac_context *context, const sumac_vector *a, size_t rows,
                                    size_t columns, sumac_vector *result)
{
    uint64_t matrices = 0;
    size_t matrix;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, result, a, a);
    if (status == SUMAC_OK) {
        status = other_vector(context, result, a);
    }
    if (status == SUMAC_OK && (__builtin_mul_overflow(rows, columns, &matrix) || result->count != a->count)) {
        status = fail(context, SUMAC_BAD_ARGUMENT,
                      "the result has another number of elements, or a matrix too many");
    }
    if (status == SUMAC_OK) {
        status = vector_rows(context, a->count, matrix, &matrices);
    }
    return status == SUMAC_OK ? vector_transpose(context_executor(context), result, a, rows, columns)
                              : status;
}

sumac_status sumac_vector_bit_reverse(sumac_context *context, sumac_vector *vector, size_t length)
{
    uint64_t rows = 0;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = vector_begin(held, vector, vector, vector);
    if (status == SUMAC_OK) {
        status = vector_rows(context, vector->count, length, &rows);
    }
    if (status == SUMAC_OK && (length & (length - 1)) != 0) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "%zu is not a power of two", length);
    }
    return status == SUMAC_OK ? vector_bit_reverse(context_executor(context), vector, length) : status;
}

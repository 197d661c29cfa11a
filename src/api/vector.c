/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors from their memory to their end: elements in and out, and to other places. */
#include "api/vector.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/sizes.h"
#include "cpu/vector_moves.h"

vector_run vector_run_of(const sumac_context *context, const sumac_curve *curve)
{
    return (vector_run){
        .threads = context->threads,
        .pool = context->pool,
        .trace = {context->config.trace, context->config.user},
        .engine = context->engine,
        .curve = curve,
        .code = context_code(context, curve),
    };
}

const scalar_vector_ops *vector_scalar_ops(const sumac_context *context, const sumac_curve *curve)
{
    return context->backend->vectors->scalars(curve, context_code(context, curve));
}

const point_vector_ops *vector_point_ops(const sumac_context *context, const sumac_curve *curve)
{
    return context->backend->vectors->points(curve, context_code(context, curve));
}

sumac_status vector_done(sumac_context *context, sumac_status status, const char *purpose,
                         const sumac_vector *vector)
{
    const char *message = context->engine == NULL ? "" : context->backend->device->message(context->engine);
    return status == SUMAC_OK   ? status
           : message[0] != '\0' ? fail(context, status, "%s", message)
                                : fail(context, status, "there is no memory to %s a vector of %llu bytes",
                                       purpose, (unsigned long long)vector->count * vector->bytes);
}

/* Memory of another device would fail the call and every later one of the process. */
static sumac_status check_usable(sumac_context *context, const sumac_vector *vector)
{
    if (vector->backend != context->backend) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "a vector is the %s backend's, and the context is the %s backend's",
                    vector->backend->name, context->backend->name);
    }
    const int32_t own =
        context->engine == NULL ? ON_HOST : context->backend->device->ordinal(context->engine);
    return vector->device == own
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "a vector lies on GPU %d, and the context is on GPU %d",
                      (int)vector->device, (int)own);
}

sumac_status vector_begin(sumac_context *context, const sumac_vector *a, const sumac_vector *b,
                          const sumac_vector *c)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (a == NULL || b == NULL || c == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a vector must not be null");
    }
    sumac_status status = check_usable(context, a);
    status = status == SUMAC_OK ? check_usable(context, b) : status;
    return status == SUMAC_OK ? check_usable(context, c) : status;
}

sumac_status vector_expect(sumac_context *context, const sumac_vector *vector, sumac_vector_kind elements,
                           const char *what)
{
    static const char *const names[] = {"scalars", "points"};
    return vector->elements == elements
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "%s is a vector of %s, where %s are wanted", what,
                      names[vector->elements], names[elements]);
}

sumac_status vector_range(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                          const char *what)
{
    if (first <= vector->count && n <= vector->count - first) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT, "%zu elements from %zu on are not in %s, which has %zu", n,
                first, what, (size_t)vector->count);
}

/* Scalars look the same in every backend: the host makes this one. */
sumac_status vector_scalar(sumac_context *context, const sumac_curve *curve, const void *raw,
                           const char *what, uint64_t *element)
{
    const uint64_t one[SCALAR_MAX_LIMBS] = {1};
    const vector_run run = {.threads = 1};
    uint64_t bad;
    return context_code(context, curve)
                       ->scalar_vectors->import_scalars(
                           &run, element, raw == NULL ? (const uint8_t *)one : raw, 1, SUMAC_FORM_CANONICAL,
                           SUMAC_LITTLE_ENDIAN, &bad) == SUMAC_OK
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ENCODING, "%s is not less than r", what);
}

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
    if (context->backend->device != NULL && !context->backend->device->has_curve(curve)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s engine was built without %s %s",
                    context->backend->name, curve->info.name, curve->info.group);
    }
    const size_t bytes = elements == SUMAC_VECTOR_SCALARS ? vector_scalar_ops(context, curve)->bytes
                                                          : vector_point_ops(context, curve)->bytes;
    sumac_vector *created = count <= SIZE_MAX / 2 / bytes ? malloc(sizeof *created) : NULL;
    if (created != NULL) {
        *created = (sumac_vector){
            .curve = curve,
            .elements = elements,
            .count = count,
            .bytes = bytes,
            .memory = context->backend->allocate(context->engine, (uint64_t)count * bytes),
            .backend = context->backend,
            .device = context->engine == NULL ? ON_HOST : context->backend->device->ordinal(context->engine),
        };
    }
    if (created == NULL || created->memory == NULL) {
        free(created);
        return fail(context, SUMAC_OUT_OF_MEMORY,
                    "there is no memory for a vector of %zu elements of %zu bytes", count, bytes);
    }
    /* Zero bytes are the scalar 0, and the point at infinity. */
    const vector_run run = vector_run_of(context, curve);
    const sumac_status status =
        vector_done(context, context->backend->vectors->fill(&run, created->memory, NULL, bytes, count),
                    "clear", created);
    if (status != SUMAC_OK) {
        sumac_vector_destroy(created);
        return status;
    }
    *vector = created;
    return SUMAC_OK;
}

void sumac_vector_destroy(sumac_vector *vector)
{
    if (vector != NULL) {
        vector->backend->release(vector->memory);
        free(vector);
    }
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
    const sumac_status status = public_take(&public_element_layout, given, own, context->message);
    if (status != SUMAC_OK) {
        return status;
    }
    if ((own->form != SUMAC_FORM_CANONICAL && own->form != SUMAC_FORM_MONTGOMERY) ||
        (own->byte_order != SUMAC_LITTLE_ENDIAN && own->byte_order != SUMAC_BIG_ENDIAN) ||
        own->check < SUMAC_CHECK_NONE || own->check > SUMAC_CHECK_SUBGROUP) {
        return fail(context, SUMAC_BAD_ARGUMENT, "form, byte_order or check of the layout has no such value");
    }
    return SUMAC_OK;
}

/* n records as elements in the backend's memory. */
static sumac_status import_elements(sumac_context *context, const sumac_vector *vector, void *imported,
                                    size_t n, const void *records, const sumac_element_layout *layout)
{
    const vector_run run = vector_run_of(context, vector->curve);
    uint64_t bad = 0;
    sumac_status status;
    if (vector->elements == SUMAC_VECTOR_SCALARS) {
        status = vector_scalar_ops(context, vector->curve)
                     ->import_scalars(&run, imported, records, n, layout->form, layout->byte_order, &bad);
        if (status == SUMAC_BAD_ENCODING) {
            return fail(context, status, "scalar %zu is not less than r", (size_t)bad);
        }
    } else {
        status =
            vector_point_ops(context, vector->curve)
                ->import_records(&run, imported, records, n, layout->form, (sumac_check)layout->check, &bad);
        if (status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP) {
            return fail(context, status, "point %zu: %s", (size_t)bad, sumac_status_text(status));
        }
    }
    return vector_done(context, status, "write to", vector);
}

/* Elements are imported beside the vector, which stays as it is if one of them is bad. */
static sumac_status write_elements(sumac_context *context, sumac_vector *vector, size_t first, size_t n,
                                   const void *elements, const sumac_element_layout *layout)
{
    const backend *own = context->backend;
    const vector_run run = vector_run_of(context, vector->curve);
    const vector_slice from = {0, 1, n, n}, to = {first, 1, n, n};
    void *imported = own->allocate(context->engine, (uint64_t)n * vector->bytes);
    if (imported == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes to write to a vector",
                    n * vector->bytes);
    }
    sumac_status status = import_elements(context, vector, imported, n, elements, layout);
    if (status == SUMAC_OK) {
        status = vector_done(
            context, own->vectors->copy_slices(&run, vector->memory, &to, imported, &from, vector->bytes),
            "write to", vector);
    }
    own->release(imported);
    return status;
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
    sumac_status status = begin_access(held, vector, first, n, elements, layout, &own);
    return status != SUMAC_OK || n == 0 ? status : write_elements(context, vector, first, n, elements, &own);
}

sumac_status sumac_vector_get(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                              const sumac_element_layout *layout, void *elements)
{
    sumac_element_layout own;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = begin_access(held, vector, first, n, elements, layout, &own);
    if (status != SUMAC_OK || n == 0) {
        return status;
    }
    const vector_run run = vector_run_of(context, vector->curve);
    const void *from = vector_at(vector, first);
    status =
        vector->elements == SUMAC_VECTOR_SCALARS
            ? vector_scalar_ops(context, vector->curve)
                  ->export_scalars(&run, elements, from, n, own.form, own.byte_order)
            : vector_point_ops(context, vector->curve)->export_records(&run, elements, from, n, own.form);
    return vector_done(context, status, "read", vector);
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
    const sumac_status status = public_take(&public_slice, given, &own, context->message);
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
    if (status == SUMAC_OK && to_part.length > 0) {
        const vector_run run = vector_run_of(context, to->curve);
        status = vector_done(context,
                             context->backend->vectors->copy_slices(&run, to->memory, &to_part, from->memory,
                                                                    &from_part, to->bytes),
                             "copy to", to);
    }
    return status;
}

sumac_status vector_rows(sumac_context *context, uint64_t count, size_t length, uint64_t *rows)
{
    if (length == 0 || count % length != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "a vector of %zu elements has no rows of %zu", (size_t)count,
                    length);
    }
    *rows = count / length;
    return SUMAC_OK;
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
    if (status == SUMAC_OK && n > 0) {
        const vector_run run = vector_run_of(context, to->curve);
        status = vector_done(context,
                             context->backend->vectors->gather_rows(&run, to->memory, from->memory,
                                                                    length * to->bytes, rows, n),
                             "gather rows in", to);
    }
    return status;
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
    if (status == SUMAC_OK) {
        const vector_run run = vector_run_of(context, a->curve);
        status = vector_done(context,
                             context->backend->vectors->transpose(&run, result->memory, a->memory, a->bytes,
                                                                  matrices, rows, columns),
                             "transpose", a);
    }
    return status;
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
    if (status == SUMAC_OK) {
        const vector_run run = vector_run_of(context, vector->curve);
        const uint32_t log2 = (uint32_t)__builtin_ctzll((unsigned long long)length);
        status = vector_done(
            context, context->backend->vectors->bit_reverse(&run, vector->memory, vector->bytes, rows, log2),
            "reorder", vector);
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Making vectors, and moving elements into them, out and between them: each call checks its arguments, and makes the call of
 * vector/calls.h. */
#include "api/call.h"
#include "base/sizes.h"
#include "api/vector_checks.h"

/* ---- Memory ---- */

sumac_status sumac_vector_create(sumac_context *context, const sumac_curve *curve, sumac_vector_kind elements,
                                 size_t count, sumac_vector **vector)
{
    BEGIN_MAKING(context, vector);
    if (curve == NULL || (elements != SUMAC_VECTOR_SCALARS && elements != SUMAC_VECTOR_POINTS)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "curve must not be null, and elements are scalars or points");
    }
    executor *self = context_executor(context);
    if (self->backend->device != NULL && !self->backend->device->has_curve(curve)) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s engine was built without %s %s",
                    self->backend->name, curve->info.name, curve->info.group);
    }
    return vector_create_zeros(self, curve, elements, count, vector);
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

/* Check a call that writes or reads elements [first, first + n), and its layout. */
static sumac_status begin_access(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                                 const void *elements, const sumac_element_layout *given,
                                 sumac_element_layout *layout)
{
    TRY(vector_begin(context, vector, vector, vector));
    TRY(public_take(&public_element_layout, given, layout, &context_executor(context)->message));
    if ((layout->form != SUMAC_FORM_CANONICAL && layout->form != SUMAC_FORM_MONTGOMERY) ||
        (layout->byte_order != SUMAC_LITTLE_ENDIAN && layout->byte_order != SUMAC_BIG_ENDIAN) ||
        (unsigned)layout->check > SUMAC_CHECK_NONE) {
        return fail(context, SUMAC_BAD_ARGUMENT, "form, byte_order or check of the layout has no such value");
    }
    TRY(vector_range(context, vector, first, n, "the vector"));
    return require(context, n == 0 || elements != NULL, "elements");
}

/* Elements come into a vector of their own first, so that this one stays as it is if one of them is bad. */
sumac_status sumac_vector_set(sumac_context *context, sumac_vector *vector, const void *elements,
                              size_t first, size_t n, const sumac_element_layout *layout)
{
    sumac_element_layout checked;
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_access(held, vector, first, n, elements, layout, &checked));
    if (n == 0) {
        return SUMAC_OK;
    }
    executor *self = context_executor(context);
    CLEANUP(close_vector) sumac_vector *imported = NULL;
    TRY(vector_create(self, vector->curve, vector->elements, n, &imported));
    TRY(vector_set(self, imported, 0, n, elements, &checked));
    return vector_copy_range(self, vector, first, imported, 0, n);
}

sumac_status sumac_vector_get(sumac_context *context, const sumac_vector *vector, size_t first, size_t n,
                              const sumac_element_layout *layout, void *elements)
{
    sumac_element_layout checked;
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_access(held, vector, first, n, elements, layout, &checked));
    return n == 0 ? SUMAC_OK : vector_get(context_executor(context), vector, first, n, elements, &checked);
}

/* ---- Moves ---- */

static sumac_status expect_other_vector(sumac_context *context, const sumac_vector *result,
                                        const sumac_vector *a)
{
    if (result == a) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the result must be another vector");
    }
    if (result->curve != a->curve || result->elements != a->elements) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the vectors hold elements of different kinds or curves");
    }
    return SUMAC_OK;
}

/* Check that a slice is in its vector. */
static sumac_status take_slice(sumac_context *context, const sumac_vector *vector, const sumac_slice *given,
                               const char *what, vector_slice *slice)
{
    sumac_slice of;
    uint64_t end, last;
    TRY(require(context, given != NULL, "the slices"));
    TRY(public_take(&public_slice, given, &of, &context_executor(context)->message));
    *slice = (vector_slice){of.first, of.runs, of.length, of.stride};
    if (of.runs == 0 || of.length == 0) {
        return SUMAC_OK;
    }
    if (__builtin_mul_overflow(slice->runs - 1, slice->stride, &last) ||
        __builtin_add_overflow(last, slice->first, &last) ||
        __builtin_add_overflow(last, slice->length, &end) || end > vector->count) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "%zu runs of %zu elements, each %zu after the one before, from %zu on, are not in %s, "
                    "which has %zu",
                    of.runs, of.length, of.stride, of.first, what, (size_t)vector->count);
    }
    return SUMAC_OK;
}

sumac_status sumac_vector_copy(sumac_context *context, const sumac_vector *from,
                               const sumac_slice *from_slice, sumac_vector *to, const sumac_slice *to_slice)
{
    vector_slice writes = {0}, reads = {0};
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(held, to, from, from));
    TRY(expect_other_vector(context, to, from));
    TRY(take_slice(context, to, to_slice, "the vector to copy to", &writes));
    TRY(take_slice(context, from, from_slice, "the vector to copy from", &reads));
    if (writes.runs != reads.runs || writes.length != reads.length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the slices have different shapes");
    }
    if (writes.runs > 1 && writes.stride < writes.length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the runs to copy to overlap");
    }
    return vector_copy(context_executor(context), to, &writes, from, &reads);
}

sumac_status sumac_vector_gather(sumac_context *context, const sumac_vector *from, size_t length,
                                 const uint64_t *rows, size_t n, sumac_vector *to)
{
    uint64_t all = 0, wanted = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(held, to, from, from));
    TRY(expect_other_vector(context, to, from));
    TRY(vector_rows(context, from->count, length, &all));
    TRY(vector_rows(context, to->count, length, &wanted));
    if (wanted != n || (n > 0 && rows == NULL)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the result has not the %zu rows that are wanted, or rows is null", n);
    }
    for (size_t i = 0; i < n; i++) {
        if (rows[i] >= all) {
            return fail(context, SUMAC_BAD_ARGUMENT, "row %zu: there is no row %llu, but %llu", i,
                        (unsigned long long)rows[i], (unsigned long long)all);
        }
    }
    return vector_gather(context_executor(context), to, from, length, rows, n);
}

sumac_status sumac_vector_transpose(sumac_context *context, const sumac_vector *a, size_t rows,
                                    size_t columns, sumac_vector *result)
{
    uint64_t matrices = 0;
    size_t matrix;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(held, result, a, a));
    TRY(expect_other_vector(context, result, a));
    if (__builtin_mul_overflow(rows, columns, &matrix) || result->count != a->count) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the result has another number of elements, or a matrix too many");
    }
    TRY(vector_rows(context, a->count, matrix, &matrices));
    return vector_transpose(context_executor(context), result, a, rows, columns);
}

sumac_status sumac_vector_bit_reverse(sumac_context *context, sumac_vector *vector, size_t length)
{
    uint64_t rows = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(held, vector, vector, vector));
    TRY(vector_rows(context, vector->count, length, &rows));
    if ((length & (length - 1)) != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu is not a power of two", length);
    }
    return vector_bit_reverse(context_executor(context), vector, length);
}

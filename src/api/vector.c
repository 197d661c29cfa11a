/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These calls create vectors and move elements into, out of and between them. Each checks its arguments, and calls the
 * function of vector/calls.h. */
#include "api/call.h"
#include "base/sizes.h"
#include "api/vector_checks.h"

/* ---- Memory ---- */

/* Check that the engine of the device was built with the group. */
static sumac_status expect_group(sumac_context *context, const sumac_group *group)
{
    const executor *self = context_executor(context);
    return self->backend->device == NULL || self->backend->device->has_group(group)
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "the %s engine was built without %s %s",
                      self->backend->name, group->curve, group->name);
}

sumac_status sumac_vector_create(sumac_context *context, const sumac_group *group, sumac_vector_kind kind,
                                 size_t count, sumac_vector **vector)
{
    BEGIN_MAKING(context, vector);
    if (group == NULL || (kind != SUMAC_VECTOR_SCALARS && kind != SUMAC_VECTOR_POINTS)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "group must not be null, and kind is scalars or points");
    }
    TRY(expect_group(context, group));
    return vector_create_zeros(context_executor(context), group, kind, count, vector);
}

sumac_status sumac_vector_wrap(sumac_context *context, const sumac_group *group, void *memory, size_t count,
                               sumac_vector **vector)
{
    BEGIN_MAKING(context, vector);
    executor *self = context_executor(context);
    TRY(require(context, group != NULL && (memory != NULL || count == 0), "group and memory"));
    TRY(expect_group(context, group));
    const int is_on_device = self->engine != NULL;
    const size_t alignment = is_on_device ? 16 : 8;
    if (count > SIZE_MAX / 2 / group->scalar_bytes) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu scalars are more than any memory holds", count);
    }
    if ((uintptr_t)memory % alignment != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the memory is not aligned to %zu bytes", alignment);
    }
    if (is_on_device && count > 0) {
        const memory_location location = self->backend->device->location_of(self->engine, memory);
        if (location != MEMORY_DEVICE && location != MEMORY_BOTH) {
            return fail(context, SUMAC_BAD_ARGUMENT, "the memory is not that of the context's device");
        }
    }
    return vector_wrap(self, group, SUMAC_VECTOR_SCALARS, memory, count, vector);
}

sumac_status sumac_vector_view(sumac_context *context, sumac_vector *vector, size_t first, size_t count,
                               sumac_vector **view)
{
    BEGIN_MAKING(context, view);
    TRY(vector_begin(held_, vector, vector, vector));
    TRY(vector_range(context, vector, first, count, "the vector"));
    return vector_wrap(context_executor(context), vector->group, vector->elements, vector_at(vector, first),
                       count, view);
}

void *sumac_vector_memory(sumac_vector *vector)
{
    return vector == NULL || vector->count == 0 || vector->elements == SUMAC_VECTOR_POINTS ? NULL
                                                                                           : vector->memory;
}

void sumac_vector_destroy(sumac_vector *vector)
{
    vector_destroy(vector);
}

size_t sumac_vector_count(const sumac_vector *vector)
{
    return vector == NULL ? 0 : (size_t)vector->count;
}

const sumac_group *sumac_vector_group(const sumac_vector *vector)
{
    return vector == NULL ? NULL : vector->group;
}

sumac_vector_kind sumac_vector_kind_of(const sumac_vector *vector)
{
    return vector == NULL ? SUMAC_VECTOR_SCALARS : vector->elements;
}

/* ---- In and out ---- */

/* Check a call that writes or reads elements [first, first + count). This includes their bytes in host memory, and
 * their layout. */
static sumac_status begin_access(sumac_context *context, const sumac_vector *vector, size_t first,
                                 size_t count, const void *elements, size_t elements_bytes,
                                 const sumac_element_layout *given, sumac_element_layout *layout)
{
    TRY(vector_begin(context, vector, vector, vector));
    TRY(public_take(&public_element_layout, given, layout, &context_executor(context)->message));
    if ((layout->form != SUMAC_FORM_CANONICAL && layout->form != SUMAC_FORM_MONTGOMERY) ||
        (layout->byte_order != SUMAC_LITTLE_ENDIAN && layout->byte_order != SUMAC_BIG_ENDIAN) ||
        (unsigned)layout->check > SUMAC_CHECK_NONE ||
        (layout->scalar_bytes != 0 &&
         (layout->scalar_bytes > 8 || (layout->scalar_bytes & (layout->scalar_bytes - 1)) != 0)) ||
        layout->scalar_signed > (layout->scalar_bytes != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "form, byte_order, check, scalar_bytes or scalar_signed of the layout has no such value");
    }
    TRY(vector_range(context, vector, first, count, "the vector"));
    TRY(require(context, count == 0 || elements != NULL, "elements"));
    const size_t each = layout->scalar_bytes != 0                  ? layout->scalar_bytes
                        : vector->elements == SUMAC_VECTOR_SCALARS ? vector->group->scalar_bytes
                                                                   : vector->group->point_bytes;
    return bytes_require(context, "elements", elements_bytes, count, each);
}

/* Import the elements into a temporary vector first, so that `vector` is unchanged if an element is bad. */
sumac_status sumac_vector_set(sumac_context *context, sumac_vector *vector, const void *elements,
                              size_t elements_bytes, size_t first, size_t count,
                              const sumac_element_layout *layout)
{
    sumac_element_layout checked;
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_access(context, vector, first, count, elements, elements_bytes, layout, &checked));
    if (count == 0) {
        return SUMAC_OK;
    }
    executor *self = context_executor(context);
    if (checked.scalar_bytes != 0) {
        TRY(vector_expect(context, vector, SUMAC_VECTOR_SCALARS, "the vector of integers"));
        if (checked.form != SUMAC_FORM_CANONICAL || checked.byte_order != SUMAC_LITTLE_ENDIAN) {
            return fail(context, SUMAC_NOT_SUPPORTED,
                        "integers of 1 to 8 bytes are canonical and little-endian");
        }
        return vector_set_integers(self, vector, first, count, elements, checked.scalar_bytes,
                                   checked.scalar_signed != 0);
    }
    CLEANUP(close_vector) sumac_vector *imported = NULL;
    TRY(vector_create(self, vector->group, vector->elements, count, &imported));
    TRY(vector_set(self, imported, 0, count, elements, &checked));
    return vector_copy_range(self, vector, first, imported, 0, count);
}

sumac_status sumac_vector_get(sumac_context *context, const sumac_vector *vector, size_t first, size_t count,
                              const sumac_element_layout *layout, void *elements, size_t elements_bytes)
{
    sumac_element_layout checked;
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_access(context, vector, first, count, elements, elements_bytes, layout, &checked));
    if (checked.scalar_bytes != 0) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "a vector's scalars are read whole: the layout's scalar_bytes must be 0");
    }
    TRY(executor_wait(context_executor(context)));
    return count == 0 ? SUMAC_OK
                      : vector_get(context_executor(context), vector, first, count, elements, &checked);
}

/* ---- Moves ---- */

static sumac_status expect_other_vector(sumac_context *context, const sumac_vector *result,
                                        const sumac_vector *a)
{
    TRY(vector_expect_apart(context, result, a));
    if (result->group != a->group || result->elements != a->elements) {
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
    TRY(vector_begin(context, to, from, from));
    TRY(expect_other_vector(context, to, from));
    TRY(take_slice(context, to, to_slice, "the vector to copy to", &writes));
    TRY(take_slice(context, from, from_slice, "the vector to copy from", &reads));
    if (writes.runs != reads.runs || writes.length != reads.length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the slices have different shapes");
    }
    if (writes.runs > 1 && writes.stride < writes.length) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the runs to copy to overlap");
    }
    context_queue(context);
    return vector_copy(context_executor(context), to, &writes, from, &reads);
}

sumac_status sumac_vector_gather(sumac_context *context, const sumac_vector *from, size_t length,
                                 const uint64_t *rows, size_t row_count, sumac_vector *to)
{
    uint64_t all = 0, wanted = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(context, to, from, from));
    TRY(expect_other_vector(context, to, from));
    TRY(vector_rows(context, from->count, length, &all));
    TRY(vector_rows(context, to->count, length, &wanted));
    if (wanted != row_count || (row_count > 0 && rows == NULL)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the result has not the %zu rows that are wanted, or rows is null", row_count);
    }
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i] >= all) {
            return fail(context, SUMAC_BAD_ARGUMENT, "row %zu: there is no row %llu, but %llu", i,
                        (unsigned long long)rows[i], (unsigned long long)all);
        }
    }
    context_queue(context);
    return vector_gather(context_executor(context), to, from, length, rows, row_count);
}

sumac_status sumac_vector_transpose(sumac_context *context, const sumac_vector *a, size_t rows,
                                    size_t columns, sumac_vector *result)
{
    uint64_t matrices = 0;
    size_t matrix;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(context, result, a, a));
    TRY(expect_other_vector(context, result, a));
    if (__builtin_mul_overflow(rows, columns, &matrix) || result->count != a->count) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the result has another number of elements, or a matrix too many");
    }
    TRY(vector_rows(context, a->count, matrix, &matrices));
    context_queue(context);
    return vector_transpose(context_executor(context), result, a, rows, columns);
}

sumac_status sumac_vector_bit_reverse(sumac_context *context, sumac_vector *vector, size_t length)
{
    uint64_t rows = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(vector_begin(context, vector, vector, vector));
    TRY(vector_rows(context, vector->count, length, &rows));
    if ((length & (length - 1)) != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu is not a power of two", length);
    }
    context_queue(context);
    return vector_bit_reverse(context_executor(context), vector, length);
}

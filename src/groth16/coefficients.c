/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/coefficients.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "groth16/groups.h"

enum { FIRST_CAPACITY = 1 << 10 };

static sumac_status no_memory(const coefficients *all, uint64_t bytes)
{
    return fail(all->context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes for coefficients",
                (unsigned long long)bytes);
}

/* ---- Values ---- */

/* Where a value is among the slots, or the free slot for it. The hash begins with an address, and ends with bits that all
 * bits of the value reach, so that files of values that all collide are hard to make. */
static uint32_t *find_slot(const coefficients *all, const uint8_t *value)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const size_t mask = 2 * (size_t)all->capacity - 1;
    uint64_t hash = (uint64_t)(uintptr_t)all->slots;
    for (size_t i = 0; i < all->bytes; i += 8) {
        hash = (hash ^ load_le64(value + i)) * factor;
        hash ^= hash >> 29;
    }
    size_t slot = (size_t)(hash * factor >> 32) & mask;
    while (all->slots[slot] != 0 &&
           memcmp(all->values + (all->slots[slot] - 1) * all->bytes, value, all->bytes) != 0) {
        slot = (slot + 1) & mask;
    }
    return &all->slots[slot];
}

/* Room for twice as many values. */
static sumac_status grow_values(coefficients *all)
{
    if (all->capacity > UINT32_MAX / 2) { /* their numbers would not be 32 bits */
        return no_memory(all, 2 * (uint64_t)all->capacity * all->bytes);
    }
    const uint32_t capacity = all->capacity == 0 ? FIRST_CAPACITY : 2 * all->capacity;
    uint8_t *values = realloc(all->values, capacity * all->bytes);
    if (values == NULL) {
        return no_memory(all, capacity * all->bytes);
    }
    all->values = values;
    free(all->slots);
    all->slots = calloc(2 * (size_t)capacity, sizeof *all->slots);
    if (all->slots == NULL) {
        return no_memory(all, 2 * (uint64_t)capacity * sizeof *all->slots);
    }
    all->capacity = capacity;
    for (uint32_t i = 0; i < all->count; i++) {
        *find_slot(all, all->values + i * all->bytes) = i + 1;
    }
    return SUMAC_OK;
}

/* The number of a value. */
static sumac_status find_value(coefficients *all, const uint8_t *value, uint32_t *number)
{
    if (all->count == all->capacity) {
        const sumac_status status = grow_values(all);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    uint32_t *slot = find_slot(all, value);
    if (*slot == 0) {
        memcpy(all->values + all->count * all->bytes, value, all->bytes);
        *slot = ++all->count;
    }
    *number = *slot - 1;
    return SUMAC_OK;
}

/* A scalar is set in one form and got in another. */
static sumac_status reinterpret(sumac_context *context, sumac_vector *one, sumac_form from, sumac_form to,
                                uint8_t *scalar)
{
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = from;
    sumac_status status = sumac_vector_set(context, one, scalar, 0, 1, &layout);
    layout.form = to;
    return status == SUMAC_OK ? sumac_vector_get(context, one, 0, 1, &layout, scalar) : status;
}

sumac_status coefficients_zkey_form(sumac_context *context, const sumac_curve *curve, uint8_t *scalar)
{
    sumac_vector *one = NULL;
    sumac_status status = sumac_vector_create(context, curve, SUMAC_VECTOR_SCALARS, 1, &one);
    for (int i = 0; i < 2 && status == SUMAC_OK; i++) {
        status = reinterpret(context, one, SUMAC_FORM_CANONICAL, SUMAC_FORM_MONTGOMERY, scalar);
    }
    sumac_vector_destroy(one);
    return status;
}

static sumac_status add_known_value(coefficients *all, value_form form, const uint8_t *scalar)
{
    uint8_t value[MOST_SCALAR_BYTES];
    uint32_t number;
    memcpy(value, scalar, all->bytes);
    const sumac_status status =
        form == VALUE_ZKEY ? coefficients_zkey_form(all->context, all->curve, value) : SUMAC_OK;
    return status == SUMAC_OK ? find_value(all, value, &number) : status;
}

sumac_status coefficients_begin(coefficients *all, sumac_context *context, const sumac_curve *curve,
                                value_form form)
{
    const sumac_curve_info *info = sumac_curve_describe(curve);
    uint8_t one[MOST_SCALAR_BYTES] = {1}, minus_one[MOST_SCALAR_BYTES];
    *all = (coefficients){.context = context, .curve = curve, .bytes = info->scalar_bytes};
    memcpy(minus_one, info->order, info->scalar_bytes);
    minus_one[0]--; /* r is odd */
    sumac_status status = add_known_value(all, form, one);
    return status == SUMAC_OK ? add_known_value(all, form, minus_one) : status;
}

sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values)
{
    uint8_t *scalars = malloc(all->count * all->bytes);
    if (scalars == NULL) {
        return no_memory(all, all->count * all->bytes);
    }
    memcpy(scalars, all->values, all->count * all->bytes);
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = form == VALUE_ZKEY ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    sumac_status status =
        sumac_vector_create(all->context, all->curve, SUMAC_VECTOR_SCALARS, all->count, values);
    if (status == SUMAC_OK) {
        status = sumac_vector_set(all->context, *values, scalars, 0, all->count, &layout);
    }
    if (status == SUMAC_OK && form == VALUE_ZKEY) { /* once more: the file's are times R^2 */
        status = sumac_vector_get(all->context, *values, 0, all->count, NULL, scalars);
        status = status == SUMAC_OK ? sumac_vector_set(all->context, *values, scalars, 0, all->count, &layout)
                                    : status;
    }
    free(scalars);
    return status;
}

/* ---- Matrices ---- */

sumac_status coefficients_add(coefficients *all, uint32_t matrix, uint32_t row, uint32_t column,
                              const uint8_t *value)
{
    coefficient_list *list = &all->matrices[matrix];
    uint32_t number;
    const sumac_status status = find_value(all, value, &number);
    if (status != SUMAC_OK) {
        return status;
    }
    if (list->count == list->capacity) {
        const uint64_t capacity = list->capacity == 0 ? FIRST_CAPACITY : 2 * list->capacity;
        coefficient *at = realloc(list->at, capacity * sizeof *at);
        if (at == NULL) {
            return no_memory(all, capacity * sizeof *at);
        }
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = (coefficient){row, column, number};
    return SUMAC_OK;
}

/* Row after row, each row's in the order of the list: starts has rows + 1 zeros. */
static void sort_rows(const coefficient_list *list, uint64_t rows, int transposed, uint64_t *starts,
                      sparse_term *terms)
{
    for (uint64_t i = 0; i < list->count; i++) {
        const uint64_t row = transposed ? list->at[i].column : list->at[i].row;
        starts[row + 1]++;
    }
    for (uint64_t row = 0; row < rows; row++) {
        starts[row + 1] += starts[row];
    }
    for (uint64_t i = list->count; i-- > 0;) { /* each row is filled from its end, which becomes its start */
        const coefficient *one = &list->at[i];
        const uint64_t row = transposed ? one->column : one->row;
        terms[--starts[row + 1]] = (sparse_term){transposed ? one->row : one->column, one->value};
    }
    memmove(starts, starts + 1, rows * sizeof *starts);
    starts[rows] = list->count;
}

sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows, int transposed,
                                 const sumac_vector *values, sparse_matrix **made)
{
    coefficient_list *list = &all->matrices[matrix];
    uint64_t *starts = calloc(rows + 1, sizeof *starts);
    sparse_term *terms = malloc(list->count * sizeof *terms + 1);
    sumac_status status = SUMAC_OK;
    if (starts == NULL || terms == NULL) {
        status = no_memory(all, (rows + 1) * sizeof *starts + list->count * sizeof *terms);
    } else {
        sort_rows(list, rows, transposed, starts, terms);
        free(list->at);
        *list = (coefficient_list){.at = NULL};
        const sparse_rows sorted = {.rows = rows, .starts = starts, .terms = terms};
        status = sparse_create(context_executor(all->context), &sorted, values, made);
    }
    free(starts);
    free(terms);
    return status;
}

void coefficients_free(coefficients *all)
{
    for (int i = 0; i < MOST_MATRICES; i++) {
        free(all->matrices[i].at);
    }
    free(all->values);
    free(all->slots);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/coefficients.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "codec/bytes.h"
#include "groth16/random.h"
#include "io/memory.h"

enum { FIRST_CAPACITY = 1 << 10 };

/* Steps of a loop over values or coefficients from one report to the next: some milliseconds. */
enum { REPORT_STEP = 1 << 16 };

/* ---- Values ---- */

/*
 * The chain of a value: the highest k bits of sum_i m_i w_i modulo 2^64, of its 32-bit words w_i and secret multipliers
 * m_i. Two values that differ, chosen without knowledge of the m_i, are in the same one of the 2^k chains with a probability of
 * at most 2/2^k: where words i differ by d = 2^t odd, |d| < 2^32, m_i d is uniform among the multiples of 2^t, and of these
 * at most 2/2^k are less than 2^(64 - k) away from what the other words give. (Dietzfelbinger, Universal hashing and k-wise
 * independent random variables via integer arithmetic without primes, STACS 1996.) Chains have one value on average, so
 * that finding n values compares less than 3 n on average, whatever the values are.
 */
static uint32_t *chain_of(const coefficients *all, const uint8_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < all->bytes; i += 8) {
        const uint64_t limb = load_le64(value + i);
        sum += all->multipliers[i / 4] * (uint32_t)limb + all->multipliers[i / 4 + 1] * (limb >> 32);
    }
    return &all->chains[sum >> (33 + __builtin_clz(all->capacity))];
}

static void put_in_chain(coefficients *all, uint32_t number, uint32_t *chain)
{
    all->chains[all->capacity + number] = *chain;
    *chain = number + 1;
}

/* Memory for twice as many values. */
static sumac_status grow_values(coefficients *all)
{
    if (all->capacity > UINT32_MAX / 2) { /* their numbers would not be 32 bits */
        return memory_failed(all->context, all->path, 2 * (uint64_t)all->capacity * all->bytes);
    }
    const uint32_t capacity = all->capacity == 0 ? FIRST_CAPACITY : 2 * all->capacity;
    sumac_status status;
    uint8_t *values = memory_grow(all->context, all->path, all->values, capacity * all->bytes, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    all->values = values;
    free(all->chains);
    all->chains =
        memory_zeros(all->context, all->path, 2 * (uint64_t)capacity * sizeof *all->chains, &status);
    all->capacity = capacity;
    for (uint32_t i = 0; i < all->count && status == SUMAC_OK; i++) {
        put_in_chain(all, i, chain_of(all, all->values + i * all->bytes));
        if ((i + 1) % REPORT_STEP == 0) {
            status = context_report(all->context, (double)i / all->count);
        }
    }
    return status;
}

/* The number of a value. */
static sumac_status find_value(coefficients *all, const uint8_t *value, uint32_t *number)
{
    uint32_t *chain = chain_of(all, value);
    for (uint32_t found = *chain; found != 0; found = all->chains[all->capacity + found - 1]) {
        all->probes++;
        if (memcmp(all->values + (found - 1) * all->bytes, value, all->bytes) == 0) {
            *number = found - 1;
            return SUMAC_OK;
        }
    }
    if (all->count == all->capacity) {
        const sumac_status status = grow_values(all);
        if (status != SUMAC_OK) {
            return status;
        }
        chain = chain_of(all, value);
    }
    *number = all->count++;
    memcpy(all->values + *number * all->bytes, value, all->bytes);
    put_in_chain(all, *number, chain);
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

sumac_status coefficients_begin(coefficients *all, sumac_context *context, const char *path,
                                const sumac_curve *curve, value_form form)
{
    const sumac_curve_info *info = sumac_curve_describe(curve);
    uint8_t one[MOST_SCALAR_BYTES] = {1}, minus_one[MOST_SCALAR_BYTES];
    *all = (coefficients){.context = context, .path = path, .curve = curve, .bytes = info->scalar_bytes};
    memcpy(minus_one, info->order, info->scalar_bytes);
    minus_one[0]--; /* r is odd */
    sumac_status status = random_bytes(context, all->multipliers, sizeof all->multipliers);
    status = status == SUMAC_OK ? grow_values(all) : status;
    status = status == SUMAC_OK ? add_known_value(all, form, one) : status;
    return status == SUMAC_OK ? add_known_value(all, form, minus_one) : status;
}

/* Values [first, first + n) of the vector; `scalars` is memory for n of them. */
static sumac_status set_values(const coefficients *all, value_form form, size_t first, size_t n,
                               uint8_t *scalars, sumac_vector *values)
{
    sumac_element_layout layout = sumac_element_layout_default();
    layout.form = form == VALUE_ZKEY ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    memcpy(scalars, all->values + first * all->bytes, n * all->bytes);
    sumac_status status = sumac_vector_set(all->context, values, scalars, first, n, &layout);
    if (status == SUMAC_OK && form == VALUE_ZKEY) { /* once more: the file's are times R^2 */
        status = sumac_vector_get(all->context, values, first, n, NULL, scalars);
        status =
            status == SUMAC_OK ? sumac_vector_set(all->context, values, scalars, first, n, &layout) : status;
    }
    return status;
}

sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values)
{
    const size_t step = smaller(all->count, REPORT_STEP);
    sumac_status status;
    uint8_t *scalars = memory_allocate(all->context, all->path, step * all->bytes, &status);
    if (status == SUMAC_OK) {
        status = sumac_vector_create(all->context, all->curve, SUMAC_VECTOR_SCALARS, all->count, values);
    }
    for (size_t first = 0; first < all->count && status == SUMAC_OK; first += step) {
        status = set_values(all, form, first, smaller(step, all->count - first), scalars, *values);
        status = status == SUMAC_OK ? context_report(all->context, (double)first / all->count) : status;
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
    sumac_status status = find_value(all, value, &number);
    if (status == SUMAC_OK && list->count == list->capacity) {
        const uint64_t capacity = list->capacity == 0 ? FIRST_CAPACITY : 2 * list->capacity;
        coefficient *at = memory_grow(all->context, all->path, list->at, capacity * sizeof *at, &status);
        list->at = status == SUMAC_OK ? at : list->at;
        list->capacity = status == SUMAC_OK ? capacity : list->capacity;
    }
    if (status != SUMAC_OK) {
        return status;
    }
    list->at[list->count++] = (coefficient){row, column, number};
    return SUMAC_OK;
}

/* How many of the coefficients [first, end) each row has, added to starts[row + 1]. */
static void count_rows(const coefficient_list *list, int transposed, uint64_t first, uint64_t end,
                       uint64_t *starts)
{
    for (uint64_t i = first; i < end; i++) {
        const uint64_t row = transposed ? list->at[i].column : list->at[i].row;
        starts[row + 1]++;
    }
}

/* Coefficients [first, end) to the ends of their rows, which starts[row + 1] are before the call and after it. */
static void place_terms(const coefficient_list *list, int transposed, uint64_t first, uint64_t end,
                        uint64_t *starts, sparse_term *terms)
{
    for (uint64_t i = end; i-- > first;) {
        const coefficient *one = &list->at[i];
        const uint64_t row = transposed ? one->column : one->row;
        terms[--starts[row + 1]] = (sparse_term){transposed ? one->row : one->column, one->value};
    }
}

/* Row after row, each row's in the order of the list: starts has rows + 1 zeros. */
static sumac_status sort_rows(const coefficients *all, const coefficient_list *list, uint64_t rows,
                              int transposed, uint64_t *starts, sparse_term *terms)
{
    const uint64_t count = list->count;
    sumac_status status = SUMAC_OK;
    for (uint64_t first = 0; first < count && status == SUMAC_OK; first += REPORT_STEP) {
        count_rows(list, transposed, first, smaller(first + REPORT_STEP, count), starts);
        status = context_report(all->context, (double)first / (double)count);
    }
    for (uint64_t row = 0; row < rows; row++) {
        starts[row + 1] += starts[row];
    }
    /* Each row is filled from its end, which becomes its start. */
    for (uint64_t end = count, n; end > 0 && status == SUMAC_OK; end -= n) {
        n = smaller(end, REPORT_STEP);
        place_terms(list, transposed, end - n, end, starts, terms);
        status = context_report(all->context, (double)(count - end) / (double)count);
    }
    memmove(starts, starts + 1, rows * sizeof *starts);
    starts[rows] = count;
    return status;
}

sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows, int transposed,
                                 const sumac_vector *values, sparse_matrix **made)
{
    coefficient_list *list = &all->matrices[matrix];
    const uint64_t starts_bytes = (rows + 1) * sizeof(uint64_t);
    const uint64_t terms_bytes = list->count * sizeof(sparse_term);
    uint64_t *starts = NULL;
    sparse_term *terms = NULL;
    /* Both together: memory that is not written yet still counts as left. */
    sumac_status status = memory_require(all->context, all->path, starts_bytes + terms_bytes);
    if (status == SUMAC_OK) {
        starts = memory_zeros(all->context, all->path, starts_bytes, &status);
    }
    if (status == SUMAC_OK) {
        terms = memory_allocate(all->context, all->path, terms_bytes, &status);
    }
    if (status == SUMAC_OK) {
        status = sort_rows(all, list, rows, transposed, starts, terms);
    }
    if (status == SUMAC_OK) {
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
    free(all->chains);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/coefficients.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "codec/bytes.h"
#include "io/memory.h"
#include "io/random.h"

enum { FIRST_CAPACITY = 1 << 10 };

/* Loops over values or coefficients report progress each time they have done this many steps, which take some
 * milliseconds. */
enum { REPORT_STEP = 1 << 16 };

/* ---- Values ---- */

/*
 * There are 2^k chains. The number of a value's chain is given by the highest k bits of mix(h), where h = sum_i m_i w_i
 * modulo 2^64. The w_i are the value's 32-bit words, and the m_i are secret multipliers. Whoever does not know the m_i
 * can't choose values with equal h: two different values have the same h with a probability of at most 2^-33. If the
 * words i of both values differ by d = 2^t * odd, |d| < 2^32, then m_i d is uniform among the multiples of 2^t
 * (Dietzfelbinger, Universal hashing and k-wise independent random variables via integer arithmetic without primes,
 * STACS 1996). On average the highest bits of h itself would suffice. But about one choice of the m_i in a hundred
 * would put values in arithmetic progression into few chains. The function mix breaks up progressions; it is the
 * bijection with which SplitMix ends (Steele, Lea and Flood, OOPSLA 2014). A chain has one value on average, so finding
 * n values takes less than 3n comparisons, whatever the values are.
 */
static uint32_t *chain_of(const coefficients *all, const uint8_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < all->bytes; i += 8) {
        const uint64_t limb = load_le64(value + i);
        sum += all->multipliers[i / 4] * (uint32_t)limb + all->multipliers[i / 4 + 1] * (limb >> 32);
    }
    sum = (sum ^ sum >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    sum = (sum ^ sum >> 27) * UINT64_C(0x94d049bb133111eb);
    return &all->chains[(sum ^ sum >> 31) >> (33 + __builtin_clz(all->capacity))];
}

static void put_in_chain(coefficients *all, uint32_t number, uint32_t *chain)
{
    all->chains[all->capacity + number] = *chain;
    *chain = number + 1;
}

/* Grow the memory so that it holds twice as many values. */
static sumac_status grow_values(coefficients *all)
{
    if (all->capacity > UINT32_MAX / 2) { /* values' numbers must fit in 32 bits */
        return memory_failed(all->context, all->path, 2 * (uint64_t)all->capacity * all->bytes);
    }
    const uint32_t capacity = all->capacity == 0 ? FIRST_CAPACITY : 2 * all->capacity;
    uint8_t *values = memory_grow(all->context, all->path, all->values, capacity * all->bytes);
    TRY(memory_got(values));
    all->values = values;
    free(all->chains);
    all->chains = memory_zeros(all->context, all->path, 2 * (uint64_t)capacity * sizeof *all->chains);
    TRY(memory_got(all->chains));
    all->capacity = capacity;
    for (uint32_t i = 0; i < all->count; i++) {
        put_in_chain(all, i, chain_of(all, all->values + i * all->bytes));
        if ((i + 1) % REPORT_STEP == 0) {
            TRY(context_report(all->context, (double)i / all->count));
        }
    }
    return SUMAC_OK;
}

/* Find the number of a value; add the value if it is new. */
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
        TRY(grow_values(all));
        chain = chain_of(all, value);
    }
    *number = all->count++;
    memcpy(all->values + *number * all->bytes, value, all->bytes);
    put_in_chain(all, *number, chain);
    return SUMAC_OK;
}

static const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};

sumac_status coefficients_to_form(executor *self, const sumac_group *group, value_form form, uint8_t *scalar)
{
    LOCAL_SCALARS(one, self, group, 1);
    for (int i = VALUE_CANONICAL; i < (int)form; i++) {
        TRY(vector_set(self, one, 0, 1, scalar, NULL));
        TRY(vector_get(self, one, 0, 1, scalar, &montgomery));
    }
    return SUMAC_OK;
}

sumac_status coefficients_begin(coefficients *all, sumac_context *context, const char *path,
                                const sumac_group *group, value_form form)
{
    uint8_t known[2][MOST_SCALAR_BYTES] = {{1}}; /* 1 and -1 */
    uint32_t number;
    *all = (coefficients){.context = context, .path = path, .group = group, .bytes = group->scalar_bytes};
    memcpy(known[1], group->order, group->scalar_bytes);
    known[1][0]--; /* r is odd */
    TRY(random_bytes(context, all->multipliers, sizeof all->multipliers));
    TRY(grow_values(all));
    for (int i = 0; i < 2; i++) {
        TRY(coefficients_to_form(context_executor(context), group, form, known[i]));
        TRY(find_value(all, known[i], &number));
    }
    return SUMAC_OK;
}

sumac_status coefficients_vector(const coefficients *all, value_form form, sumac_vector **values)
{
    executor *self = context_executor(all->context);
    const sumac_element_layout *layout = form == VALUE_CANONICAL ? NULL : &montgomery;
    const size_t step = smaller(all->count, REPORT_STEP);
    TAKE_MEMORY(uint8_t, scalars, all->context, all->path, step * all->bytes);
    TRY(vector_create(self, all->group, SUMAC_VECTOR_SCALARS, all->count, values));
    for (size_t first = 0; first < all->count; first += step) {
        const size_t n = smaller(step, all->count - first);
        memcpy(scalars, all->values + first * all->bytes, n * all->bytes);
        TRY(vector_set(self, *values, first, n, scalars, layout));
        if (form == VALUE_ZKEY) { /* divide by R once more */
            TRY(vector_get(self, *values, first, n, scalars, NULL));
            TRY(vector_set(self, *values, first, n, scalars, layout));
        }
        TRY(context_report(all->context, (double)first / all->count));
    }
    return SUMAC_OK;
}

/* ---- Matrices ---- */

sumac_status coefficients_add(coefficients *all, uint32_t matrix, uint32_t row, uint32_t column,
                              const uint8_t *value)
{
    coefficient_list *list = &all->matrices[matrix];
    uint32_t number;
    TRY(find_value(all, value, &number));
    if (list->count == list->capacity) {
        const uint64_t capacity = list->capacity == 0 ? FIRST_CAPACITY : 2 * list->capacity;
        coefficient *at = memory_grow(all->context, all->path, list->at, capacity * sizeof *at);
        TRY(memory_got(at));
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = (coefficient){row, column, number};
    return SUMAC_OK;
}

/* Sort terms by row, and keep the list's order within each row. `starts` has rows + 1 zeros. */
static sumac_status sort_rows(const coefficients *all, const coefficient_list *list, uint64_t rows,
                              uint64_t *starts, sparse_term *terms)
{
    const uint64_t count = list->count;
    for (uint64_t i = 0; i < count; i++) {
        starts[list->at[i].row + 1]++;
        if ((i + 1) % REPORT_STEP == 0) {
            TRY(context_report(all->context, (double)i / (double)count));
        }
    }
    for (uint64_t row = 0; row < rows; row++) {
        starts[row + 1] += starts[row];
    }
    /* Fill each row from its end: starts[row + 1] is first the row's end, and is decremented for each term until it is
     * the row's start. */
    for (uint64_t i = count; i-- > 0;) {
        const coefficient *one = &list->at[i];
        terms[--starts[one->row + 1]] = (sparse_term){one->column, one->value};
        if (i % REPORT_STEP == 0) {
            TRY(context_report(all->context, (double)(count - i) / (double)count));
        }
    }
    memmove(starts, starts + 1, rows * sizeof *starts);
    starts[rows] = count;
    return SUMAC_OK;
}

sumac_status coefficients_matrix(coefficients *all, uint32_t matrix, uint64_t rows,
                                 const sumac_vector *values, sparse_matrix **result)
{
    coefficient_list *list = &all->matrices[matrix];
    const uint64_t starts_bytes = (rows + 1) * sizeof(uint64_t);
    const uint64_t terms_bytes = list->count * sizeof(sparse_term);
    /* Require the sum of both sizes, because memory that is allocated but not yet written still counts as free. */
    TRY(memory_require(all->context, all->path, starts_bytes + terms_bytes));
    TAKE_ZEROS(uint64_t, starts, all->context, all->path, starts_bytes);
    TAKE_MEMORY(sparse_term, terms, all->context, all->path, terms_bytes);
    TRY(sort_rows(all, list, rows, starts, terms));
    free(list->at);
    *list = (coefficient_list){.at = NULL};
    const sparse_rows sorted = {.rows = rows, .starts = starts, .terms = terms};
    return sparse_create(context_executor(all->context), &sorted, values, result);
}

void coefficients_free(coefficients *all)
{
    for (int i = 0; i < MOST_MATRICES; i++) {
        free(all->matrices[i].at);
    }
    free(all->values);
    free(all->chains);
}

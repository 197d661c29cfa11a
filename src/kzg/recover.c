/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file recovers a polynomial P of 4096 coefficients from half of its extended blob or more. Z is the polynomial
 * that is 0 on the missing cells: it is the product of x^64 - h_c^64 over them. E has the values of the given cells,
 * and zeros in place of the missing ones. On the domain E Z = P Z, because Z is 0 on the missing cells. P Z has fewer
 * than 8192 coefficients, so its values on the domain determine it. On a coset where Z is never 0, P = (P Z)/Z.
 *
 * If more than half of the cells are given and do not all belong to one polynomial of 4096 coefficients, P Z may have
 * more coefficients. Then P is truncated, and its values differ from the given cells. A call with checks detects this.
 * If so few cells are wrong that the wrong one is certain, the call names it.
 */
#include <inttypes.h>
#include <string.h>

#include "api/call.h"
#include "kzg/cells.h"
#include "kzg/elements.h"
#include "kzg/setup.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS, CELLS = SUMAC_KZG_CELLS, CELL = SUMAC_KZG_CELL_ELEMENTS };

/* These are the indices of the given cells, in ascending order. They are the same for every blob. */
typedef struct known_cells {
    const uint64_t *indices;
    size_t count;
} known_cells;

/* This is the input of a recovery. cells_call.input points to it. */
typedef struct recovery {
    known_cells known;
    const uint8_t *cells;
    /* Element k is the first blob of which executor k has found that its cells do not belong to one polynomial, or
     * SIZE_MAX. */
    size_t mismatched_blob[MOST_DEVICES];
} recovery;

/* There are `count` rows of `length` scalars each. Replace the first row by the product of all rows: multiply the lower
 * half by the upper half until one row is left. */
static sumac_status multiply_rows(executor *self, sumac_vector *rows, size_t count, size_t length)
{
    while (count > 1) {
        const size_t half = count / 2, lower = (count - half) * length;
        LOCAL_SCALARS(first, self, rows->group, half * length);
        LOCAL_SCALARS(upper, self, rows->group, half * length);
        TRY(vector_copy_range(self, first, 0, rows, 0, half * length));
        TRY(vector_copy_range(self, upper, 0, rows, lower, half * length));
        TRY(vector_multiply(self, first, first, upper, 1));
        TRY(vector_copy_range(self, rows, 0, first, 0, half * length));
        count -= half;
    }
    return SUMAC_OK;
}

/* Z is the product of x^64 - h_c^64 over the missing cells c. It is constant on each cell, and on each cell's part of
 * the shifted coset. Compute Z on each cell, and 1/Z on each cell's part of the shifted coset. */
static sumac_status evaluate_vanishing(executor *self, const kzg_domain *domain, const known_cells *known,
                                       sumac_vector *on_domain, sumac_vector *inverse_on_coset)
{
    const size_t constants = (size_t)2 * CELLS;
    uint64_t missing[CELLS], first[CELLS] = {0};
    size_t count = 0;
    for (size_t c = 0, next = 0; c < CELLS; c++) {
        if (next < known->count && known->indices[next] == c) {
            next++;
        } else {
            missing[count++] = c;
        }
    }
    LOCAL_SCALARS(roots, self, on_domain->group, count);
    LOCAL_SCALARS(differences, self, on_domain->group, count * constants);
    TRY(vector_gather(self, roots, domain->cell_constants, 1, missing, count));
    TRY(vector_gather(self, differences, domain->cell_constants, constants, first, count));
    TRY(vector_subtract(self, differences, differences, roots, constants));
    TRY(multiply_rows(self, differences, count, constants));
    TRY(vector_copy_range(self, on_domain, 0, differences, 0, CELLS));
    TRY(vector_copy_range(self, inverse_on_coset, 0, differences, CELLS, CELLS));
    return vector_invert(self, inverse_on_coset);
}

/* Fill E, which has `count` rows of 8192 values. The values of missing cells are 0; they are copied from a row of zeros
 * that follows the given cells. */
static sumac_status place_cells(executor *self, const recovery *given, size_t first, size_t count,
                                sumac_vector *extended)
{
    const known_cells *known = &given->known;
    const size_t cells = count * known->count;
    CLEANUP(close_vector) sumac_vector *values = NULL;
    LOCAL_MEMORY(uint64_t, rows, self, count * CELLS);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0, next = 0; c < CELLS; c++) {
            const int is_known = next < known->count && known->indices[next] == c;
            rows[i * CELLS + c] = is_known ? i * known->count + next : cells;
            next += (size_t)is_known;
        }
    }
    TRY(vector_create_zeros(self, extended->group, SUMAC_VECTOR_SCALARS, (cells + 1) * CELL, &values));
    TRY(elements_write(self, values, "cell", first * known->count,
                       given->cells + first * known->count * SUMAC_KZG_CELL_BYTES, cells, CELL));
    return vector_gather(self, extended, values, CELL, rows, count * CELLS);
}

/* Compute the coefficients of P: multiply E by Z on the domain, then divide P Z by Z on the coset. */
static sumac_status interpolate_cells(const cells_call *call, const work_range *range, size_t first,
                                      size_t count, sumac_vector *coefficients)
{
    executor *self = range->self;
    const recovery *given = call->input;
    const sumac_group *group = coefficients->group;
    const kzg_domain *domain = &call->setup->domains[range->index];
    const vector_slice rows = {0, count, N, EXTENDED_ELEMENTS}, packed = {0, count, N, N};
    sumac_transform_config config = {.size = sizeof config};
    config.length = EXTENDED_ELEMENTS;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    config.inverse = 1;
    LOCAL_SCALARS(extended, self, group, count * EXTENDED_ELEMENTS);
    TRY(place_cells(self, given, first, count, extended));
    if (given->known.count < CELLS) {
        LOCAL_SCALARS(vanishing, self, group, CELLS);
        LOCAL_SCALARS(inverse, self, group, CELLS);
        TRY(evaluate_vanishing(self, domain, &given->known, vanishing, inverse));
        TRY(vector_multiply(self, extended, extended, vanishing, CELL));
        TRY(vector_ntt(self, extended, &config));
        config.shift = domain->recovery_shift;
        config.inverse = 0;
        TRY(vector_ntt(self, extended, &config));
        TRY(vector_multiply(self, extended, extended, inverse, CELL));
        config.inverse = 1;
    }
    config.coefficients = N;
    TRY(vector_ntt(self, extended, &config));
    return vector_copy(self, coefficients, &packed, extended, &rows);
}

/* `all` has all 128 cells of a blob. Count the known cells that differ from the cell of the same index in `all`. If one
 * differs, store the index of the first one. */
static size_t compare_cells(const known_cells *known, const uint8_t *given, const uint8_t *all,
                            uint64_t *first)
{
    size_t different = 0;
    for (size_t j = 0; j < known->count; j++) {
        if (memcmp(given + j * SUMAC_KZG_CELL_BYTES, all + known->indices[j] * SUMAC_KZG_CELL_BYTES,
                   SUMAC_KZG_CELL_BYTES) != 0) {
            *first = different++ == 0 ? known->indices[j] : *first;
        }
    }
    return different;
}

/* Return SUMAC_MISMATCH unless the given cells of blobs [first, first + count) equal the computed ones. */
static sumac_status check_cells(const cells_call *call, const work_range *range, size_t first, size_t count,
                                const sumac_vector *values)
{
    recovery *given = call->input;
    const size_t all_bytes = CELLS * SUMAC_KZG_CELL_BYTES;
    const size_t given_bytes = given->known.count * SUMAC_KZG_CELL_BYTES;
    uint64_t cell;
    LOCAL_MEMORY(uint8_t, all, range->self, count * all_bytes);
    TRY(elements_read(range->self, values, count * EXTENDED_ELEMENTS, all));
    for (size_t i = 0; i < count; i++) {
        if (compare_cells(&given->known, given->cells + (first + i) * given_bytes, all + i * all_bytes,
                          &cell) > 0) {
            given->mismatched_blob[range->index] = first + i;
            return SUMAC_MISMATCH;
        }
    }
    return SUMAC_OK;
}

/* ---- Finding the wrong cell ---- */

/* Choose 64 of the known cells: leave out `spare` neighbours, from position `left_out` on. After the last cell the
 * first one follows. */
static void leave_out(const known_cells *known, const uint8_t *cells, size_t left_out, size_t spare,
                      uint64_t *indices, uint8_t *chosen)
{
    size_t count = 0;
    for (size_t j = 0; j < known->count; j++) {
        if ((j + known->count - left_out) % known->count >= spare) {
            indices[count] = known->indices[j];
            memcpy(chosen + count * SUMAC_KZG_CELL_BYTES, cells + j * SUMAC_KZG_CELL_BYTES,
                   SUMAC_KZG_CELL_BYTES);
            count++;
        }
    }
}

/*
 * The k known cells of a blob do not belong to one polynomial. Find the first wrong cell; if that can't be decided,
 * store 128. Two polynomials agree on at most 63 cells, so at most one polynomial differs from (k - 64)/2 or fewer of
 * the k cells. Any 64 right cells determine it. We leave out k - 64 neighbours, and then move on by half of that, so
 * that any (k - 64)/2 neighbours are left out together once.
 */
static sumac_status find_wrong_cell(sumac_context *context, const sumac_kzg_setup *setup,
                                    const known_cells *known, const uint8_t *cells, uint64_t *wrong)
{
    const size_t spare = known->count - CELLS / 2;
    const size_t bytes = CELLS / 2 * SUMAC_KZG_CELL_BYTES;
    uint64_t indices[CELLS / 2], first = CELLS;
    LOCAL_MEMORY(uint8_t, chosen, context_executor(context), bytes);
    LOCAL_MEMORY(uint8_t, all, context_executor(context), 2 * bytes);
    *wrong = CELLS;
    for (size_t left_out = 0; spare > 1 && left_out < known->count; left_out += spare / 2) {
        recovery half = {.known = {indices, CELLS / 2}, .cells = chosen};
        cells_call call = {
            .setup = setup, .count = 1, .cells = all, .interpolate = interpolate_cells, .input = &half};
        leave_out(known, cells, left_out, spare, indices, chosen);
        TRY(cells_compute(context, &call));
        if (compare_cells(known, cells, all, &first) <= spare / 2) {
            *wrong = first;
            return SUMAC_OK;
        }
    }
    return SUMAC_OK;
}

/* Report the first blob whose cells contradict each other, and its wrong cell. Return SUMAC_MISMATCH. */
static sumac_status refuse_mismatch(sumac_context *context, const sumac_kzg_setup *setup,
                                    const recovery *given, sumac_kzg_wrong *wrong)
{
    const size_t known = given->known.count;
    uint64_t cell;
    uint32_t k = 0;
    while (given->mismatched_blob[k] == SIZE_MAX) {
        k++;
    }
    const size_t blob = given->mismatched_blob[k];
    TRY(find_wrong_cell(context, setup, &given->known, given->cells + blob * known * SUMAC_KZG_CELL_BYTES,
                        &cell));
    *wrong = (sumac_kzg_wrong){blob, cell};
    if (cell < CELLS) {
        return fail(context, SUMAC_MISMATCH, "blob %zu: cell %" PRIu64 " does not fit the others", blob,
                    cell);
    }
    return fail(context, SUMAC_MISMATCH,
                "blob %zu: its %zu cells do not fit each other; which of them are wrong can't be told", blob,
                known);
}

/* ---- Calls ---- */

static sumac_status check_indices(sumac_context *context, const known_cells *known)
{
    if (known->count < CELLS / 2 || known->count > CELLS) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu cells: recovery takes %d to %d", known->count,
                    CELLS / 2, CELLS);
    }
    for (size_t i = 0; i < known->count; i++) {
        if (known->indices[i] >= CELLS) {
            return fail(context, SUMAC_BAD_ARGUMENT, "cell %zu: its index %" PRIu64 " is not less than %d", i,
                        known->indices[i], CELLS);
        }
        if (i > 0 && known->indices[i] <= known->indices[i - 1]) {
            return fail(context, SUMAC_BAD_ARGUMENT,
                        "cell %zu: its index %" PRIu64 " is not greater than the one before", i,
                        known->indices[i]);
        }
    }
    return SUMAC_OK;
}

sumac_status sumac_kzg_recover(sumac_context *context, const sumac_kzg_setup *setup,
                               const uint64_t *cell_indices, size_t cell_count, const sumac_cell *cells,
                               size_t count, sumac_cell *recovered_cells, sumac_bytes48 *recovered_proofs,
                               sumac_kzg_wrong *wrong)
{
    const int complete =
        cell_indices != NULL &&
        (count == 0 || (cells != NULL && (recovered_cells != NULL || recovered_proofs != NULL)));
    const int checks = wrong != NULL && cell_count > CELLS / 2; /* any 64 cells belong to one polynomial */
    recovery given = {.known = {cell_indices, cell_count}, .cells = (const uint8_t *)cells};
    cells_call call = {.setup = setup,
                       .count = count,
                       .cells = (uint8_t *)recovered_cells,
                       .proofs = (uint8_t *)recovered_proofs,
                       .interpolate = interpolate_cells,
                       .check = checks ? check_cells : NULL,
                       .input = &given};
    HOLDS sumac_context *held = context_begin(context);
    memset(given.mismatched_blob, 0xff, sizeof given.mismatched_blob);
    TRY(setup_begin_call(context, setup, complete,
                         "cell_indices, cells, and recovered cells and proofs both,", count,
                         2 * SUMAC_KZG_BLOB_BYTES));
    TRY(check_indices(context, &given.known));
    TRY(cells_can_prove(context, setup, recovered_proofs != NULL));
    const sumac_status status = count == 0 ? SUMAC_OK : cells_compute(context, &call);
    return status == SUMAC_MISMATCH && checks ? refuse_mismatch(context, setup, &given, wrong) : status;
}

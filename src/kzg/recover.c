/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Recovering a polynomial P of 4096 coefficients from half of its extended blob or more. Z is the polynomial
 * that vanishes on the missing cells, the product of x^64 - h_c^64 over them; E are the cells that are there,
 * and zeros. On the domain E Z = P Z, which has fewer than 8192 coefficients, and P = (P Z)/Z on a coset
 * where Z is never 0.
 *
 * From more than half of the cells P Z may have more coefficients than that, if the cells are not all of one
 * polynomial of 4096: then P is cut off, and its values are not the cells that were given. A call that
 * compares finds this out, and which cell is wrong, if so few are that there can be no doubt.
 */
#include <inttypes.h>
#include <string.h>

#include "api/call.h"
#include "kzg/cells.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/setup.h"
#include "kzg/share.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS, CELLS = SUMAC_KZG_CELLS, CELL = SUMAC_KZG_CELL_ELEMENTS };

/* The cells that are there, the same for every blob, ascending. */
typedef struct known_cells {
    const uint64_t *indices;
    size_t count;
} known_cells;

/* The product of so many rows of `length` scalars: halves of them by each other, again and again. */
static const sumac_vector *multiply_rows(work *w, const sumac_vector *rows, size_t count, size_t length)
{
    while (work_is_ok(w) && count > 1) {
        const size_t half = (count + 1) / 2;
        sumac_vector *product = work_scalars(w, half * length), *upper = work_scalars(w, half * length);
        work_fill_integer(w, upper, 1);
        work_copy(w, product, (work_part){0, 1}, rows, (work_part){0, 1}, 1, half * length);
        work_copy(w, upper, (work_part){0, 1}, rows, (work_part){half * length, 1}, 1,
                  (count - half) * length);
        work_multiply(w, product, product, upper, 1);
        rows = product;
        count = half;
    }
    return rows;
}

/* Z on each cell, where it is constant, and 1/Z on each cell's part of the coset: the product of all
 * x^64 - h_c^64, c the missing cells, whose indices are not in the list. */
static void evaluate_vanishing(work *w, const kzg_domain *domain, const known_cells *known,
                               sumac_vector *on_domain, sumac_vector *inverse_on_coset)
{
    uint64_t missing[CELLS], first[CELLS] = {0};
    size_t count = 0;
    for (size_t c = 0, next = 0; c < CELLS; c++) {
        if (next < known->count && known->indices[next] == c) {
            next++;
        } else {
            missing[count++] = c;
        }
    }
    sumac_vector *roots = work_scalars(w, count), *differences = work_scalars(w, count * 2 * CELLS);
    work_gather(w, roots, domain->cell_constants, 1, missing, count);
    work_gather(w, differences, domain->cell_constants, (size_t)2 * CELLS, first, count);
    work_subtract(w, differences, differences, roots, (size_t)2 * CELLS);
    const sumac_vector *values = multiply_rows(w, differences, count, (size_t)2 * CELLS);
    work_copy(w, on_domain, (work_part){0, 1}, values, (work_part){0, 1}, 1, CELLS);
    work_copy(w, inverse_on_coset, (work_part){0, 1}, values, (work_part){CELLS, 1}, 1, CELLS);
    work_invert(w, inverse_on_coset);
}

/* E: count rows of 8192 values, with zeros for what is missing: a row behind the cells that are there. */
static void place_cells(work *w, const known_cells *known, const uint8_t *cells, size_t count,
                        sumac_vector *extended)
{
    const size_t given_cells = count * known->count;
    uint64_t *rows = work_memory(w, count * CELLS, sizeof *rows);
    sumac_vector *given = work_scalars(w, (given_cells + 1) * CELL);
    work_write_elements(w, given, 0, given_cells * CELL, cells);
    for (size_t i = 0; work_is_ok(w) && i < count; i++) {
        for (size_t c = 0, next = 0; c < CELLS; c++) {
            const int is_there = next < known->count && known->indices[next] == c;
            rows[i * CELLS + c] = is_there ? i * known->count + next : given_cells;
            next += (size_t)is_there;
        }
    }
    work_gather(w, extended, given, CELL, rows, count * CELLS);
}

/* From values E Z / Z of rows of 8192 to coefficients of which 4096 are wanted. */
static void interpolate(work *w, const kzg_domain *domain, const known_cells *known, sumac_vector *extended)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = EXTENDED_ELEMENTS;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    config.inverse = 1;
    if (known->count < CELLS) {
        sumac_vector *vanishing = work_scalars(w, CELLS), *inverse = work_scalars(w, CELLS);
        evaluate_vanishing(w, domain, known, vanishing, inverse);
        work_multiply(w, extended, extended, vanishing, CELL);
        work_ntt(w, extended, &config);
        config.shift = domain->recovery_shift;
        config.inverse = 0;
        work_ntt(w, extended, &config);
        work_multiply(w, extended, extended, inverse, CELL);
        config.inverse = 1;
    }
    config.coefficients = N;
    work_ntt(w, extended, &config);
}

/* What becomes of the cells of a share, until all shares are there; null: not wanted. */
typedef struct recovery_share {
    work w;
    sumac_vector *values; /* of all cells */
    sumac_vector *proofs;
    size_t odd_blob; /* the first one whose cells do not fit each other, where that is the failure */
} recovery_share;

typedef struct recovery_call {
    const sumac_kzg_setup *setup;
    known_cells known;
    const uint8_t *cells;
    size_t count;              /* of blobs */
    int compares;              /* what is recovered with the cells that are there */
    uint8_t *recovered;        /* the caller's; null: not wanted */
    uint8_t *recovered_proofs; /* likewise */
    uint8_t *proofs;           /* not yet the caller's; null: not wanted */
    recovery_share shares[SUMAC_MAX_DEVICES];
} recovery_call;

/* How many of the known cells of a blob differ from those of the same index among all 128; the first one's
 * index, if one does. */
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

/* SUMAC_MISMATCH unless the values, rows of 8192 from row `row` on, are the cells that were given of blobs
 * [first, first + count). */
static void compare_sub_batch(work *w, recovery_call *call, recovery_share *mine, const sumac_vector *values,
                              size_t row, size_t first, size_t count)
{
    const size_t given_bytes = call->known.count * SUMAC_KZG_CELL_BYTES;
    uint8_t *all = work_memory(w, count * CELLS, SUMAC_KZG_CELL_BYTES);
    uint64_t odd_cell;
    work_read_elements(w, values, row * EXTENDED_ELEMENTS, count * EXTENDED_ELEMENTS, all);
    for (size_t i = 0; work_is_ok(w) && i < count; i++) {
        if (compare_cells(&call->known, call->cells + (first + i) * given_bytes,
                          all + i * CELLS * SUMAC_KZG_CELL_BYTES, &odd_cell) > 0) {
            mine->odd_blob = first + i;
            work_note(w, SUMAC_MISMATCH);
        }
    }
}

/* Blobs [first, first + count) of the share. */
static sumac_status recover_sub_batch(recovery_call *call, const share *own, size_t first, size_t count)
{
    recovery_share *wanted = &call->shares[own->index];
    const kzg_domain *domain = &call->setup->domains[own->index];
    work w = work_of_share(own, call->setup->g1);
    sumac_vector *extended = work_scalars(&w, count * EXTENDED_ELEMENTS);
    sumac_vector *coefficients = work_scalars(&w, count * N);
    place_cells(&w, &call->known,
                call->cells + (own->first + first) * call->known.count * SUMAC_KZG_CELL_BYTES, count,
                extended);
    interpolate(&w, domain, &call->known, extended);
    work_copy(&w, coefficients, (work_part){0, N}, extended, (work_part){0, EXTENDED_ELEMENTS}, count, N);
    if (wanted->values != NULL) {
        cells_evaluate(&w, coefficients, count, wanted->values, first);
    }
    if (call->compares && wanted->values != NULL) {
        compare_sub_batch(&w, call, wanted, wanted->values, first, own->first + first, count);
    } else if (call->compares) {
        cells_evaluate(&w, coefficients, count, extended, 0);
        compare_sub_batch(&w, call, wanted, extended, 0, own->first + first, count);
    }
    if (wanted->proofs != NULL) {
        cells_prove(&w, call->setup, coefficients, count, wanted->proofs, first);
    }
    return work_end(&w);
}

/* The proofs come out as bytes: behind this there is nothing that needs memory. */
static sumac_status recover_share(void *argument, const share *own)
{
    recovery_call *call = argument;
    recovery_share *mine = &call->shares[own->index];
    const size_t first_cell = own->first * call->known.count;
    work *w = &mine->w;
    *w = work_of_share(own, call->setup->g1);
    mine->values = call->recovered == NULL ? NULL : work_scalars(w, own->count * EXTENDED_ELEMENTS);
    mine->proofs = call->proofs == NULL ? NULL : work_points(w, own->count * CELLS);
    const size_t sub_batch = work_sub_batch(w, own->count, EXTENDED_ELEMENTS);
    for (size_t first = 0; work_is_ok(w) && first < own->count && !share_is_over(own); first += sub_batch) {
        const size_t count = own->count - first < sub_batch ? own->count - first : sub_batch;
        work_note(w, recover_sub_batch(call, own, first, count));
    }
    elements_explain(w, "cell", first_cell, call->cells + first_cell * SUMAC_KZG_CELL_BYTES,
                     own->count * call->known.count, CELL);
    if (mine->proofs != NULL) {
        points_encode(w, mine->proofs, own->count * CELLS,
                      call->proofs + own->first * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    return w->status;
}

/* The cells to the caller. They may lie where the known ones did: those have all been read. */
static sumac_status deliver_share(void *argument, const share *own)
{
    recovery_call *call = argument;
    recovery_share *mine = &call->shares[own->index];
    work_read_elements(&mine->w, mine->values, 0, own->count * EXTENDED_ELEMENTS,
                       call->recovered + own->first * CELLS * SUMAC_KZG_CELL_BYTES);
    return mine->w.status;
}

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

/* All of a call whose arguments are right. */
static sumac_status recover(sumac_context *context, recovery_call *call)
{
    const sumac_kzg_setup *setup = call->setup;
    work w = work_begin(context, setup->g1);
    call->proofs =
        call->recovered_proofs == NULL ? NULL : work_memory(&w, call->count * CELLS, SUMAC_KZG_PROOF_BYTES);
    if (work_is_ok(&w)) {
        work_note(&w, share_out(context, setup->devices, call->count, recover_share, call));
    }
    if (work_is_ok(&w) && call->recovered != NULL) {
        work_note(&w, share_out(context, setup->devices, call->count, deliver_share, call));
    }
    if (work_is_ok(&w) && call->recovered_proofs != NULL) {
        memcpy(call->recovered_proofs, call->proofs, call->count * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    for (uint32_t k = 0; k < setup->devices; k++) {
        (void)work_end(&call->shares[k].w);
    }
    return work_end(&w);
}

/* ---- Which cell is wrong ---- */

/* The known cells but `spare` of them, from the one at `left_out` on and round: 64, ascending. */
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
 * The first wrong one of a blob's known cells, which do not fit each other; 128 if it can't be told. Two
 * polynomials have the same values on 63 cells at most, so that of k cells there is one polynomial at most
 * from which (k - 64)/2 differ or fewer. Any 64 cells that are right give it: we leave out k - 64 beside each
 * other, each time half as many further on, so that up to (k - 64)/2 beside each other are once all left out.
 */
static sumac_status find_odd_cell(sumac_context *context, const sumac_kzg_setup *setup,
                                  const known_cells *known, const uint8_t *cells, uint64_t *odd)
{
    const size_t spare = known->count - CELLS / 2;
    uint64_t indices[CELLS / 2], first = CELLS;
    work w = work_begin(context, setup->g1);
    uint8_t *chosen = work_memory(&w, CELLS / 2, SUMAC_KZG_CELL_BYTES);
    uint8_t *all = work_memory(&w, CELLS, SUMAC_KZG_CELL_BYTES);
    *odd = CELLS;
    for (size_t left_out = 0; work_is_ok(&w) && spare > 1 && *odd == CELLS && left_out < known->count;
         left_out += spare / 2) {
        leave_out(known, cells, left_out, spare, indices, chosen);
        recovery_call half = {
            .setup = setup, .known = {indices, CELLS / 2}, .cells = chosen, .count = 1, .recovered = all};
        work_note(&w, recover(context, &half));
        if (work_is_ok(&w) && compare_cells(known, cells, all, &first) <= spare / 2) {
            *odd = first;
        }
    }
    return work_end(&w);
}

/* The sentence of SUMAC_MISMATCH. */
static sumac_status refuse_odd_blob(sumac_context *context, const recovery_call *call, size_t *odd_blob,
                                    uint64_t *odd_cell)
{
    uint32_t k = 0;
    while (call->shares[k].w.status != SUMAC_MISMATCH) {
        k++;
    }
    const size_t blob = call->shares[k].odd_blob;
    uint64_t cell;
    const sumac_status status =
        find_odd_cell(context, call->setup, &call->known,
                      call->cells + blob * call->known.count * SUMAC_KZG_CELL_BYTES, &cell);
    if (status != SUMAC_OK) {
        return status;
    }
    if (odd_blob != NULL) {
        *odd_blob = blob;
    }
    if (odd_cell != NULL) {
        *odd_cell = cell;
    }
    return cell < CELLS ? fail(context, SUMAC_MISMATCH, "blob %zu: cell %" PRIu64 " does not fit the others",
                               blob, cell)
                        : fail(context, SUMAC_MISMATCH,
                               "blob %zu: its %zu cells do not fit each other; which of them are wrong can't "
                               "be told",
                               blob, call->known.count);
}

/* ---- Calls ---- */

/* What both calls do before they recover. */
static sumac_status begin_call(sumac_context *context, const recovery_call *call)
{
    const int there = call->known.indices != NULL &&
                      (call->count == 0 ||
                       (call->cells != NULL && (call->recovered != NULL || call->recovered_proofs != NULL)));
    sumac_status status = setup_begin_call(context, call->setup, there,
                                           "cell_indices, cells, and recovered cells and proofs both,",
                                           call->count, 2 * SUMAC_KZG_BLOB_BYTES);
    if (status == SUMAC_OK) {
        status = check_indices(context, &call->known);
    }
    return status == SUMAC_OK ? cells_can_prove(context, call->setup, call->recovered_proofs != NULL)
                              : status;
}

sumac_status sumac_kzg_recover_cells_and_proofs_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                                      const uint64_t *cell_indices, size_t cell_count,
                                                      const sumac_cell *cells, size_t count,
                                                      sumac_cell *recovered_cells,
                                                      sumac_bytes48 *recovered_proofs)
{
    recovery_call call = {.setup = setup,
                          .known = {cell_indices, cell_count},
                          .cells = (const uint8_t *)cells,
                          .count = count,
                          .recovered = (uint8_t *)recovered_cells,
                          .recovered_proofs = (uint8_t *)recovered_proofs};
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin_call(held, &call);
    return status == SUMAC_OK && count > 0 ? recover(context, &call) : status;
}

sumac_status sumac_kzg_recover_cells_and_proofs_batch_checked(
    sumac_context *context, const sumac_kzg_setup *setup, const uint64_t *cell_indices, size_t cell_count,
    const sumac_cell *cells, size_t count, sumac_cell *recovered_cells, sumac_bytes48 *recovered_proofs,
    size_t *odd_blob, uint64_t *odd_cell)
{
    recovery_call call = {.setup = setup,
                          .known = {cell_indices, cell_count},
                          .cells = (const uint8_t *)cells,
                          .count = count,
                          .compares = cell_count > CELLS / 2, /* half of them fit each other always */
                          .recovered = (uint8_t *)recovered_cells,
                          .recovered_proofs = (uint8_t *)recovered_proofs};
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = begin_call(held, &call);
    if (status == SUMAC_OK && count > 0) {
        status = recover(context, &call);
    }
    return status == SUMAC_MISMATCH ? refuse_odd_blob(context, &call, odd_blob, odd_cell) : status;
}

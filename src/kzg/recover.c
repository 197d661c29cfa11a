/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Recovering a polynomial P of 4096 coefficients from half of its extended blob or more. Z is the polynomial
 * that vanishes on the missing cells, the product of x^64 - h_c^64 over them; E are the cells that are there,
 * and zeros. On the domain E Z = P Z, which has fewer than 8192 coefficients, and P = (P Z)/Z on a coset
 * where Z is never 0.
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
} recovery_share;

typedef struct recovery_call {
    const sumac_kzg_setup *setup;
    known_cells known;
    const uint8_t *cells;
    uint8_t *recovered; /* the caller's; null: not wanted */
    uint8_t *proofs;    /* not yet the caller's; null: not wanted */
    recovery_share shares[SUMAC_MOST_DEVICES];
} recovery_call;

/* Blobs [first, first + count) of the share. */
static sumac_status recover_lot(const recovery_call *call, const share *own, size_t first, size_t count)
{
    const recovery_share *wanted = &call->shares[own->index];
    const kzg_domain *domain = &call->setup->domains[own->index];
    work w = work_begin(own->context, call->setup->g1);
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
    if (wanted->proofs != NULL) {
        cells_prove(&w, call->setup, own->index, coefficients, count, wanted->proofs, first);
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
    *w = work_begin(own->context, call->setup->g1);
    mine->values = call->recovered == NULL ? NULL : work_scalars(w, own->count * EXTENDED_ELEMENTS);
    mine->proofs = call->proofs == NULL ? NULL : work_points(w, own->count * CELLS);
    const size_t lot = work_lot(w, own->count, EXTENDED_ELEMENTS);
    for (size_t first = 0; work_is_ok(w) && first < own->count && !share_is_over(own); first += lot) {
        const size_t count = own->count - first < lot ? own->count - first : lot;
        work_note(w, recover_lot(call, own, first, count));
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

sumac_status sumac_kzg_recover_cells_and_proofs(sumac_context *context, const sumac_kzg_setup *setup,
                                                const uint64_t *cell_indices, size_t cell_count,
                                                const void *cells, size_t count, void *recovered_cells,
                                                void *recovered_proofs)
{
    const known_cells known = {cell_indices, cell_count};
    const int there =
        cell_indices != NULL &&
        (count == 0 || (cells != NULL && (recovered_cells != NULL || recovered_proofs != NULL)));
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status =
        setup_begin_call(held, setup, there, "cell_indices, cells, and recovered cells and proofs both,",
                         count, 2 * SUMAC_KZG_BLOB_BYTES);
    if (status == SUMAC_OK) {
        status = check_indices(context, &known);
    }
    if (status == SUMAC_OK) {
        status = cells_can_prove(context, setup, recovered_proofs != NULL);
    }
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    work w = work_begin(context, setup->g1);
    recovery_call call = {
        .setup = setup,
        .known = known,
        .cells = cells,
        .recovered = recovered_cells,
        .proofs = recovered_proofs == NULL ? NULL : work_memory(&w, count * CELLS, SUMAC_KZG_PROOF_BYTES),
    };
    if (work_is_ok(&w)) {
        work_note(&w, share_out(context, setup->devices, count, recover_share, &call));
    }
    if (work_is_ok(&w) && recovered_cells != NULL) {
        work_note(&w, share_out(context, setup->devices, count, deliver_share, &call));
    }
    if (work_is_ok(&w) && recovered_proofs != NULL) {
        memcpy(recovered_proofs, call.proofs, count * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    for (uint32_t k = 0; k < setup->devices; k++) {
        (void)work_end(&call.shares[k].w);
    }
    return work_end(&w);
}

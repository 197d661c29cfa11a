/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/cells.h"

#include <string.h>

#include "api/call.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/setup.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS, CELLS = SUMAC_KZG_CELLS };

void cells_encode(work *w, const sumac_vector *coefficients, size_t count, uint8_t *cells)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = EXTENDED_ELEMENTS;
    config.coefficients = N;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *values = work_scalars(w, count * EXTENDED_ELEMENTS);
    work_copy(w, values, (work_part){0, EXTENDED_ELEMENTS}, coefficients, (work_part){0, N}, count, N);
    work_ntt(w, values, &config);
    work_read_elements(w, values, 0, count * EXTENDED_ELEMENTS, cells);
}

void cells_prove(work *w, const sumac_kzg_setup *setup, const sumac_vector *coefficients, size_t count,
                 uint8_t *proofs)
{
    sumac_vector *points = work_points(w, count * CELLS);
    if (work_is_ok(w)) {
        work_note(w, sumac_fk20_prove(w->context, setup->fk20, coefficients, EXTENDED_ELEMENTS / N,
                                      SUMAC_ORDER_BIT_REVERSED, points));
    }
    points_encode(w, points, count * CELLS, proofs);
}

sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted)
{
    if (!proofs_are_wanted || setup->fk20 != NULL) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT,
                "the setup is not prepared for proofs of cells: sumac_kzg_setup_prepare() does that");
}

/* The second half of the extended blobs: the values at the odd powers of w, a coset of the blob's roots. The
 * first half is the blob. */
static void extend(work *w, const sumac_kzg_setup *setup, sumac_vector *coefficients, size_t count,
                   const uint8_t *blobs, uint8_t *cells)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = N;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    config.shift = setup->domain.extended_root;
    uint8_t *second = work_memory(w, count, SUMAC_KZG_BLOB_BYTES);
    work_ntt(w, coefficients, &config);
    work_read_elements(w, coefficients, 0, count * N, second);
    for (size_t i = 0; work_is_ok(w) && i < count; i++) {
        uint8_t *extended = cells + 2 * i * SUMAC_KZG_BLOB_BYTES;
        memcpy(extended, blobs + i * SUMAC_KZG_BLOB_BYTES, SUMAC_KZG_BLOB_BYTES);
        memcpy(extended + SUMAC_KZG_BLOB_BYTES, second + i * SUMAC_KZG_BLOB_BYTES, SUMAC_KZG_BLOB_BYTES);
    }
}

static sumac_status compute_lot(sumac_context *context, const sumac_kzg_setup *setup, const uint8_t *blobs,
                                size_t count, uint8_t *cells, uint8_t *proofs)
{
    work w = work_begin(context, setup->g1);
    sumac_transform_config config = sumac_transform_config_default();
    config.length = N;
    config.inverse = 1;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *coefficients = work_scalars(&w, count * N);
    work_write_elements(&w, coefficients, 0, count * N, blobs);
    work_ntt(&w, coefficients, &config);
    if (proofs != NULL) {
        cells_prove(&w, setup, coefficients, count, proofs);
    }
    if (cells != NULL) {
        extend(&w, setup, coefficients, count, blobs, cells);
    }
    return work_end(&w);
}

static void compute_all(work *w, const sumac_kzg_setup *setup, const uint8_t *blobs, size_t count,
                        uint8_t *cells, uint8_t *proofs)
{
    work_note(w, elements_check(w->context, setup->g1, "blob", 0, blobs, count, N));
    const size_t lot = work_lot(count, EXTENDED_ELEMENTS);
    for (size_t first = 0; work_is_ok(w) && first < count; first += lot) {
        const size_t n = count - first < lot ? count - first : lot;
        work_note(w, compute_lot(w->context, setup, blobs + first * SUMAC_KZG_BLOB_BYTES, n,
                                 cells == NULL ? NULL : cells + 2 * first * SUMAC_KZG_BLOB_BYTES,
                                 proofs == NULL ? NULL : proofs + first * CELLS * SUMAC_KZG_PROOF_BYTES));
    }
}

sumac_status sumac_kzg_compute_cells_and_proofs(sumac_context *context, const sumac_kzg_setup *setup,
                                                const void *blobs, size_t count, void *cells, void *proofs)
{
    const int there = count == 0 || (blobs != NULL && (cells != NULL || proofs != NULL));
    sumac_status status = setup_begin_call(context, setup, there, "blobs, and cells and proofs both,", count,
                                           2 * SUMAC_KZG_BLOB_BYTES);
    if (status == SUMAC_OK) {
        status = cells_can_prove(context, setup, proofs != NULL);
    }
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    work w = work_begin(context, setup->g1);
    uint8_t *new_cells = cells == NULL ? NULL : work_memory(&w, count, 2 * SUMAC_KZG_BLOB_BYTES);
    uint8_t *new_proofs = proofs == NULL ? NULL : work_memory(&w, count, CELLS * SUMAC_KZG_PROOF_BYTES);
    if (work_is_ok(&w)) {
        compute_all(&w, setup, blobs, count, new_cells, new_proofs);
    }
    if (work_is_ok(&w) && cells != NULL) {
        memcpy(cells, new_cells, count * 2 * SUMAC_KZG_BLOB_BYTES);
    }
    if (work_is_ok(&w) && proofs != NULL) {
        memcpy(proofs, new_proofs, count * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    return work_end(&w);
}

sumac_status sumac_kzg_compute_cells(sumac_context *context, const sumac_kzg_setup *setup, const void *blobs,
                                     size_t count, void *cells)
{
    return sumac_kzg_compute_cells_and_proofs(context, setup, blobs, count, cells, NULL);
}

sumac_status sumac_kzg_compute_proofs(sumac_context *context, const sumac_kzg_setup *setup, const void *blobs,
                                      size_t count, void *proofs)
{
    return sumac_kzg_compute_cells_and_proofs(context, setup, blobs, count, NULL, proofs);
}

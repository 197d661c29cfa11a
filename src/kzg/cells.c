/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/cells.h"

#include <string.h>

#include "api/call.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/setup.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS, CELLS = SUMAC_KZG_CELLS };

void cells_evaluate(work *w, const sumac_vector *coefficients, size_t count, sumac_vector *values,
                    size_t first)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = EXTENDED_ELEMENTS;
    config.coefficients = N;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *rows = work_scalars(w, count * EXTENDED_ELEMENTS);
    work_copy(w, rows, (work_part){0, EXTENDED_ELEMENTS}, coefficients, (work_part){0, N}, count, N);
    work_ntt(w, rows, &config);
    work_copy(w, values, (work_part){first * EXTENDED_ELEMENTS, 1}, rows, (work_part){0, 1}, 1,
              count * EXTENDED_ELEMENTS);
}

void cells_prove(work *w, const sumac_kzg_setup *setup, const sumac_vector *coefficients, size_t count,
                 sumac_vector *proofs, size_t first)
{
    sumac_vector *points = work_points(w, count * CELLS);
    if (work_is_ok(w)) {
        work_note(w, sumac_fk20_prove(w->context, setup->fk20, coefficients, EXTENDED_ELEMENTS / N,
                                      SUMAC_ORDER_BIT_REVERSED, points));
    }
    work_copy(w, proofs, (work_part){first * CELLS, 1}, points, (work_part){0, 1}, 1, count * CELLS);
}

sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted)
{
    if (!proofs_are_wanted || setup->fk20 != NULL) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT,
                "the setup is not prepared for proofs of cells: sumac_kzg_setup_prepare() does that");
}

/* Blobs of a call, and what becomes of them: the values of all cells; or only the second half of each
 * extended blob, the values at the odd powers of w, a coset of the blob's roots, as the first half is the
 * blob; and the proofs. What is null is not wanted. On a GPU all values come home in one copy, on the host
 * half of them need not be computed. */
typedef struct cells_call {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    size_t count;
    sumac_vector *values;
    sumac_vector *second_halves;
    sumac_vector *proofs;
} cells_call;

static sumac_status compute_lot(sumac_context *context, const cells_call *call, size_t first, size_t count)
{
    work w = work_begin(context, call->setup->g1);
    sumac_transform_config config = sumac_transform_config_default();
    config.length = N;
    config.inverse = 1;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *coefficients = work_scalars(&w, count * N);
    work_write_elements(&w, coefficients, 0, count * N, call->blobs + first * SUMAC_KZG_BLOB_BYTES);
    work_ntt(&w, coefficients, &config);
    if (call->proofs != NULL) {
        cells_prove(&w, call->setup, coefficients, count, call->proofs, first);
    }
    if (call->values != NULL) {
        cells_evaluate(&w, coefficients, count, call->values, first);
    }
    if (call->second_halves != NULL) {
        config.inverse = 0;
        config.shift = call->setup->domain.extended_root;
        work_ntt(&w, coefficients, &config);
        work_copy(&w, call->second_halves, (work_part){first * N, 1}, coefficients, (work_part){0, 1}, 1,
                  count * N);
    }
    return work_end(&w);
}

static void compute_all(work *w, const cells_call *call)
{
    const size_t lot = work_lot(w, call->count, EXTENDED_ELEMENTS);
    for (size_t first = 0; work_is_ok(w) && first < call->count; first += lot) {
        const size_t count = call->count - first < lot ? call->count - first : lot;
        work_note(w, compute_lot(w->context, call, first, count));
    }
    elements_explain(w, "blob", call->blobs, call->count, N);
}

/* The second halves come in one piece, to the end of the caller's memory, and from there each behind its
 * blob: half i of n is part n + i of 2n, and goes to part 2i + 1, which is not behind it, and where no half
 * lies that comes later. */
static void write_second_halves(work *w, const cells_call *call, uint8_t *cells)
{
    work_read_elements(w, call->second_halves, 0, call->count * N,
                       cells + call->count * SUMAC_KZG_BLOB_BYTES);
    for (size_t i = 0; work_is_ok(w) && i < call->count; i++) {
        uint8_t *extended = cells + 2 * i * SUMAC_KZG_BLOB_BYTES;
        memmove(extended + SUMAC_KZG_BLOB_BYTES, cells + (call->count + i) * SUMAC_KZG_BLOB_BYTES,
                SUMAC_KZG_BLOB_BYTES);
        memcpy(extended, call->blobs + i * SUMAC_KZG_BLOB_BYTES, SUMAC_KZG_BLOB_BYTES);
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
    const int on_device = sumac_context_place(context) == SUMAC_PLACE_DEVICE;
    const cells_call call = {
        .setup = setup,
        .blobs = blobs,
        .count = count,
        .values = cells != NULL && on_device ? work_scalars(&w, count * EXTENDED_ELEMENTS) : NULL,
        .second_halves = cells != NULL && !on_device ? work_scalars(&w, count * N) : NULL,
        .proofs = proofs == NULL ? NULL : work_points(&w, count * CELLS),
    };
    if (work_is_ok(&w)) {
        compute_all(&w, &call);
    }
    /* Proofs first: behind them there is nothing that needs memory. */
    if (proofs != NULL) {
        points_encode(&w, call.proofs, count * CELLS, proofs);
    }
    if (call.values != NULL) {
        work_read_elements(&w, call.values, 0, count * EXTENDED_ELEMENTS, cells);
    }
    if (call.second_halves != NULL) {
        write_second_halves(&w, &call, cells);
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

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/cells.h"

#include <string.h>

#include "api/call.h"
#include "kzg/elements.h"
#include "kzg/fk20.h"
#include "kzg/points.h"
#include "kzg/setup.h"
#include "kzg/share.h"

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
    fk20_prove_within(w, setup->fk20, coefficients, count, EXTENDED_ELEMENTS / N, SUMAC_ORDER_BIT_REVERSED,
                      points);
    work_copy(w, proofs, (work_part){first * CELLS, 1}, points, (work_part){0, 1}, 1, count * CELLS);
}

sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted)
{
    if (!proofs_are_wanted || setup->fk20 != NULL) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT,
                "the setup is not prepared for proofs of cells: sumac_kzg_setup_make_tables() does that");
}

/* What becomes of the blobs of a share, until all shares are there: the values of all cells; or only the
 * second half of each extended blob, the values at the odd powers of w, a coset of the blob's roots, as the
 * first half is the blob; and the proofs. What is null is not wanted. On a GPU all values come home in one
 * copy, on the host half of them need not be computed. */
typedef struct cells_share {
    work w;
    sumac_vector *values;
    sumac_vector *second_halves;
    sumac_vector *proofs;
} cells_share;

typedef struct cells_call {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    uint8_t *cells;  /* the caller's; null: not wanted */
    uint8_t *proofs; /* not yet the caller's; null: not wanted */
    cells_share shares[SUMAC_MAX_DEVICES];
} cells_call;

/* Blobs [first, first + count) of the share. */
static sumac_status compute_sub_batch(const cells_call *call, const share *own, size_t first, size_t count)
{
    const cells_share *wanted = &call->shares[own->index];
    work w = work_of_share(own, call->setup->g1);
    sumac_transform_config config = sumac_transform_config_default();
    config.length = N;
    config.inverse = 1;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *coefficients = work_scalars(&w, count * N);
    work_write_elements(&w, coefficients, 0, count * N,
                        call->blobs + (own->first + first) * SUMAC_KZG_BLOB_BYTES);
    work_ntt(&w, coefficients, &config);
    if (wanted->proofs != NULL) {
        cells_prove(&w, call->setup, coefficients, count, wanted->proofs, first);
    }
    if (wanted->values != NULL) {
        cells_evaluate(&w, coefficients, count, wanted->values, first);
    }
    if (wanted->second_halves != NULL) {
        config.inverse = 0;
        config.shift = call->setup->domains[own->index].extended_root;
        work_ntt(&w, coefficients, &config);
        work_copy(&w, wanted->second_halves, (work_part){first * N, 1}, coefficients, (work_part){0, 1}, 1,
                  count * N);
    }
    return work_end(&w);
}

/* The proofs come out as bytes: behind this there is nothing that needs memory. */
static sumac_status compute_share(void *argument, const share *own)
{
    cells_call *call = argument;
    cells_share *mine = &call->shares[own->index];
    const int on_device = own->executor->engine != NULL;
    work *w = &mine->w;
    *w = work_of_share(own, call->setup->g1);
    if (call->cells != NULL && on_device) {
        mine->values = work_scalars(w, own->count * EXTENDED_ELEMENTS);
    } else if (call->cells != NULL) {
        mine->second_halves = work_scalars(w, own->count * N);
    }
    mine->proofs = call->proofs == NULL ? NULL : work_points(w, own->count * CELLS);
    const size_t sub_batch = work_sub_batch(w, own->count, EXTENDED_ELEMENTS);
    for (size_t first = 0; work_is_ok(w) && first < own->count && !share_is_over(own); first += sub_batch) {
        const size_t count = own->count - first < sub_batch ? own->count - first : sub_batch;
        work_note(w, compute_sub_batch(call, own, first, count));
    }
    elements_explain(w, "blob", own->first, call->blobs + own->first * SUMAC_KZG_BLOB_BYTES, own->count, N);
    if (mine->proofs != NULL) {
        points_encode(w, mine->proofs, own->count * CELLS,
                      call->proofs + own->first * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    return w->status;
}

/* The second halves come in one piece, to the end of the share's memory, and from there each behind its
 * blob: half i of n is part n + i of 2n, and goes to part 2i + 1, which is not behind it, and where no half
 * lies that comes later. */
static void write_second_halves(work *w, const sumac_vector *second_halves, const uint8_t *blobs,
                                size_t blob_count, uint8_t *cells)
{
    work_read_elements(w, second_halves, 0, blob_count * N, cells + blob_count * SUMAC_KZG_BLOB_BYTES);
    for (size_t i = 0; work_is_ok(w) && i < blob_count; i++) {
        uint8_t *extended = cells + 2 * i * SUMAC_KZG_BLOB_BYTES;
        memmove(extended + SUMAC_KZG_BLOB_BYTES, cells + (blob_count + i) * SUMAC_KZG_BLOB_BYTES,
                SUMAC_KZG_BLOB_BYTES);
        memcpy(extended, blobs + i * SUMAC_KZG_BLOB_BYTES, SUMAC_KZG_BLOB_BYTES);
    }
}

/* The cells, which are all there now, to the caller. */
static sumac_status deliver_share(void *argument, const share *own)
{
    cells_call *call = argument;
    cells_share *mine = &call->shares[own->index];
    uint8_t *cells = call->cells + 2 * own->first * SUMAC_KZG_BLOB_BYTES;
    if (mine->values != NULL) {
        work_read_elements(&mine->w, mine->values, 0, own->count * EXTENDED_ELEMENTS, cells);
    } else {
        write_second_halves(&mine->w, mine->second_halves, call->blobs + own->first * SUMAC_KZG_BLOB_BYTES,
                            own->count, cells);
    }
    return mine->w.status;
}

sumac_status sumac_kzg_compute_cells_and_proofs_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                                      const sumac_blob *blobs, size_t count,
                                                      sumac_cell *cells, sumac_bytes48 *proofs)
{
    const int there = count == 0 || (blobs != NULL && (cells != NULL || proofs != NULL));
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = setup_begin_call(held, setup, there, "blobs, and cells and proofs both,", count,
                                           2 * SUMAC_KZG_BLOB_BYTES);
    if (status == SUMAC_OK) {
        status = cells_can_prove(context, setup, proofs != NULL);
    }
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    work w = work_begin(context, setup->g1);
    cells_call call = {
        .setup = setup,
        .blobs = (const uint8_t *)blobs,
        .cells = (uint8_t *)cells,
        .proofs = proofs == NULL ? NULL : work_memory(&w, count * CELLS, SUMAC_KZG_PROOF_BYTES),
    };
    if (work_is_ok(&w)) {
        work_note(&w, share_out(context, setup->devices, count, compute_share, &call));
    }
    if (work_is_ok(&w) && cells != NULL) {
        work_note(&w, share_out(context, setup->devices, count, deliver_share, &call));
    }
    if (work_is_ok(&w) && proofs != NULL) {
        memcpy(proofs, call.proofs, count * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    for (uint32_t k = 0; k < setup->devices; k++) {
        (void)work_end(&call.shares[k].w);
    }
    return work_end(&w);
}

sumac_status sumac_kzg_compute_cells_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                           const sumac_blob *blobs, size_t count, sumac_cell *cells)
{
    return sumac_kzg_compute_cells_and_proofs_batch(context, setup, blobs, count, cells, NULL);
}

sumac_status sumac_kzg_compute_cell_proofs_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                                 const sumac_blob *blobs, size_t count, sumac_bytes48 *proofs)
{
    return sumac_kzg_compute_cells_and_proofs_batch(context, setup, blobs, count, NULL, proofs);
}

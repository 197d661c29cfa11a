/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Verifying many cells, of any blobs, by one equation. With r the challenge that joins them, C_k the
 * commitment of cell k, I_k the polynomial of 64 coefficients that its elements give, and h_k the shift of
 * its coset, all hold if e(sum r^k proof_k, s^64 G2) = e(sum r^k C_k - (sum r^k I_k)(s)G + sum r^k h_k^64
 * proof_k, G2).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/pairing.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/setup.h"
#include "kzg/work.h"

enum { CELL = SUMAC_KZG_CELL_ELEMENTS };

/* A commitment and the cell that it came with, to be sorted. */
typedef struct sorted_commitment {
    const uint8_t *bytes;
    size_t cell;
} sorted_commitment;

static int compare_commitments(const void *a, const void *b)
{
    const sorted_commitment *left = a, *right = b;
    const int order = memcmp(left->bytes, right->bytes, SUMAC_KZG_COMMITMENT_BYTES);
    return order != 0 ? order : (left->cell > right->cell) - (left->cell < right->cell);
}

/* Number the different commitments in the order in which they first appear: indices[k] of cell k. Returns how
 * many there are, their bytes in `different`, which has room for all. */
static size_t number_commitments(work *w, const uint8_t *commitments, size_t count, uint64_t *indices,
                                 uint8_t *different)
{
    size_t found = 0;
    sorted_commitment *sorted = work_memory(w, count, sizeof *sorted);
    if (!work_is_ok(w)) {
        return 0;
    }
    for (size_t k = 0; k < count; k++) {
        sorted[k] = (sorted_commitment){commitments + k * SUMAC_KZG_COMMITMENT_BYTES, k};
    }
    qsort(sorted, count, sizeof *sorted, compare_commitments);
    /* First the cell where each one first appears, ... */
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i > 0 && memcmp(sorted[i].bytes, sorted[i - 1].bytes, SUMAC_KZG_COMMITMENT_BYTES) != 0) {
            first = i;
        }
        indices[sorted[i].cell] = sorted[first].cell;
    }
    /* ... which is not later than k, and so numbered already or k itself. */
    for (size_t k = 0; k < count; k++) {
        if (indices[k] == k) {
            memcpy(different + found * SUMAC_KZG_COMMITMENT_BYTES,
                   commitments + k * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
            indices[k] = found++;
        } else {
            indices[k] = indices[indices[k]];
        }
    }
    return found;
}

/* sum of r^k C_k as few products: the powers of the cells of one commitment are added up in rows of `length`,
 * as many for each commitment as it needs. */
typedef struct weight_rows {
    size_t length;
    size_t rows;
    uint64_t *powers;      /* rows*length: which power of r; one past the last power: 0 */
    uint64_t *commitments; /* rows: whose */
} weight_rows;

/* Of n cells of m commitments, rows of ceil(n/m): at most 2m rows, whatever the commitments. */
static weight_rows list_weights(work *w, const cell_openings *openings)
{
    const size_t n = openings->count, m = openings->commitment_count;
    weight_rows weights = {.length = (n + m - 1) / m};
    weights.commitments = work_memory(w, 2 * m, sizeof *weights.commitments);
    weights.powers = work_memory(w, 2 * m * weights.length, sizeof *weights.powers);
    size_t *row = work_memory(w, m, sizeof *row), *filled = work_memory(w, m, sizeof *filled);
    if (!work_is_ok(w)) {
        return weights;
    }
    for (size_t i = 0; i < m; i++) {
        filled[i] = weights.length; /* of no row yet */
    }
    for (size_t i = 0; i < 2 * m * weights.length; i++) {
        weights.powers[i] = n;
    }
    for (size_t k = 0; k < n; k++) {
        const uint64_t i = openings->commitment_indices[k];
        if (filled[i] == weights.length) {
            row[i] = weights.rows++;
            weights.commitments[row[i]] = i;
            filled[i] = 0;
        }
        weights.powers[row[i] * weights.length + filled[i]++] = k;
    }
    return weights;
}

/* -sum r^k I_k of cells [first, first + n), added to `sum`. */
static sumac_status interpolate_sub_batch(const work *outer, const sumac_kzg_setup *setup,
                                          const cell_openings *openings, const sumac_vector *powers,
                                          size_t first, size_t n, sumac_vector *sum)
{
    work own = work_within(outer), *w = &own;
    sumac_transform_config config = sumac_transform_config_default();
    config.length = CELL;
    config.inverse = 1;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *cells = work_scalars(w, n * CELL), *unshifts = work_scalars(w, n * CELL);
    sumac_vector *factors = work_scalars(w, n), *part = work_scalars(w, CELL);
    work_write_elements(w, cells, 0, n * CELL, openings->cells + first * SUMAC_KZG_CELL_BYTES);
    work_copy(w, factors, (work_part){0, 1}, powers, (work_part){first, 1}, 1, n);
    work_multiply(w, cells, cells, factors, CELL);
    work_ntt(w, cells, &config);
    work_gather(w, unshifts, setup->domains[0].cell_unshifts, CELL, openings->cell_indices + first, n);
    work_multiply(w, cells, cells, unshifts, 1);
    work_transpose(w, unshifts, cells, n, CELL);
    work_sum(w, part, unshifts, n);
    work_subtract(w, sum, sum, part, 1);
    return work_end(w);
}

static void interpolate(work *w, const sumac_kzg_setup *setup, const cell_openings *openings,
                        const sumac_vector *powers, sumac_vector *sum)
{
    const size_t count = openings->count, sub_batch = work_sub_batch(w, count, 2 * CELL);
    for (size_t first = 0; work_is_ok(w) && first < count; first += sub_batch) {
        work_note(w, interpolate_sub_batch(w, setup, openings, powers, first,
                                           count - first < sub_batch ? count - first : sub_batch, sum));
    }
}

/* The scalars of both sums: r^k of the proofs; then r^k h_k^64 of the proofs, weights of the commitments,
 * coefficients of -sum r^k I_k. */
static sumac_vector *join_scalars(work *w, const sumac_kzg_setup *setup, const cell_openings *openings,
                                  const weight_rows *weights)
{
    const size_t n = openings->count;
    uint8_t challenge[SUMAC_KZG_ELEMENT_BYTES];
    sumac_vector *r = work_scalars(w, 1), *powers = work_scalars(w, n), *extended = work_scalars(w, n + 1);
    sumac_vector *constants = work_scalars(w, n), *coefficients = work_scalars(w, CELL);
    sumac_vector *terms = work_scalars(w, weights->rows * weights->length);
    sumac_vector *sums = work_scalars(w, weights->rows);
    sumac_vector *joined = work_scalars(w, 2 * n + weights->rows + CELL);
    challenge_of_cells(setup->g1, openings, challenge);
    work_write_elements(w, r, 0, 1, challenge);
    work_powers(w, powers, r);
    work_copy(w, extended, (work_part){0, 1}, powers, (work_part){0, 1}, 1, n);
    work_gather(w, terms, extended, 1, weights->powers, weights->rows * weights->length);
    work_sum(w, sums, terms, weights->length);
    work_gather(w, constants, setup->domains[0].cell_constants, 1, openings->cell_indices, n);
    work_multiply(w, constants, constants, powers, 1);
    interpolate(w, setup, openings, powers, coefficients);
    work_copy(w, joined, (work_part){0, 1}, powers, (work_part){0, 1}, 1, n);
    work_copy(w, joined, (work_part){n, 1}, constants, (work_part){0, 1}, 1, n);
    work_copy(w, joined, (work_part){2 * n, 1}, sums, (work_part){0, 1}, 1, weights->rows);
    work_copy(w, joined, (work_part){2 * n + weights->rows, 1}, coefficients, (work_part){0, 1}, 1, CELL);
    return joined;
}

/* Raw points: proofs, the commitment of each row of weights, s^i G for i < 64. */
static uint8_t *join_points(work *w, const sumac_kzg_setup *setup, const cell_openings *openings,
                            const uint8_t *commitments, const weight_rows *weights)
{
    const size_t n = openings->count;
    uint8_t *points = work_memory(w, n + weights->rows + CELL, G1_POINT_BYTES);
    points_decode(w, "proof", openings->proofs, n, points);
    for (size_t i = 0; work_is_ok(w) && i < weights->rows; i++) {
        memcpy(points + (n + i) * G1_POINT_BYTES, commitments + weights->commitments[i] * G1_POINT_BYTES,
               G1_POINT_BYTES);
    }
    if (work_is_ok(w)) {
        memcpy(points + (n + weights->rows) * G1_POINT_BYTES, setup->monomial, CELL * G1_POINT_BYTES);
    }
    return points;
}

/* commitments: the different ones, raw. */
static void check_equation(work *w, const sumac_kzg_setup *setup, const cell_openings *openings,
                           const uint8_t *commitments, int *ok)
{
    const size_t n = openings->count;
    uint8_t g1[2 * G1_POINT_BYTES];
    const weight_rows weights = list_weights(w, openings);
    const uint8_t *points = join_points(w, setup, openings, commitments, &weights);
    if (!work_is_ok(w)) {
        return;
    }
    const sumac_vector *scalars = join_scalars(w, setup, openings, &weights);
    sumac_vector *sums = work_points(w, 2);
    const size_t all = n + weights.rows + CELL;
    const sumac_bases *bases = work_bases(w, points, all);
    const work_sums proofs = {.bases = bases, .n = n, .batch = 1};
    const work_sums rest = {.bases = bases, .n = all, .batch = 1};
    work_msm(w, &proofs, scalars, 0, sums, 0);
    work_msm(w, &rest, scalars, n, sums, 1);
    work_read(w, sums, 0, 2, g1);
    if (work_is_ok(w)) {
        work_note(w, pairing_check(w->whole, setup->g1, setup->cell_g2, g1, NULL, 2, SUMAC_CHECK_NONE, ok));
    }
}

static sumac_status check_indices(sumac_context *context, const uint64_t *indices, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (indices[k] >= SUMAC_KZG_CELLS) {
            return fail(context, SUMAC_BAD_ARGUMENT, "cell %zu: its index %" PRIu64 " is not less than %d", k,
                        indices[k], SUMAC_KZG_CELLS);
        }
    }
    return SUMAC_OK;
}

/* The different commitments to raw points. One that is no point is named by the cell that it came with. */
static uint8_t *decode_commitments(work *w, const cell_openings *openings, const uint8_t *commitments)
{
    uint8_t *raw = work_memory(w, openings->count, G1_POINT_BYTES);
    points_decode(w, "commitment", openings->commitments, openings->commitment_count, raw);
    if (raw != NULL && !work_is_ok(w)) {
        const sumac_status status = w->status;
        w->status = SUMAC_OK;
        points_decode(w, "commitment", commitments, openings->count, raw);
        work_note(w, status);
    }
    return raw;
}

static void verify_cells(work *w, const sumac_kzg_setup *setup, const uint8_t *commitments,
                         cell_openings *openings, int *ok)
{
    const size_t n = openings->count;
    uint64_t *indices = work_memory(w, n, sizeof *indices);
    uint8_t *different = work_memory(w, n, SUMAC_KZG_COMMITMENT_BYTES);
    if (work_is_ok(w)) {
        work_note(w, check_indices(w->whole, openings->cell_indices, n));
    }
    if (work_is_ok(w)) {
        work_note(w, elements_check(w->executor, setup->g1, "cell", 0, openings->cells, n, CELL));
    }
    if (work_is_ok(w)) {
        openings->commitment_count = number_commitments(w, commitments, n, indices, different);
        openings->commitment_indices = indices;
        openings->commitments = different;
    }
    const uint8_t *raw = decode_commitments(w, openings, commitments);
    if (work_is_ok(w)) {
        check_equation(w, setup, openings, raw, ok);
    }
}

sumac_status sumac_kzg_verify_cell_proof_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                               const sumac_bytes48 *commitments, const uint64_t *cell_indices,
                                               const sumac_cell *cells, const sumac_bytes48 *proofs,
                                               size_t count, int *ok)
{
    const int there =
        ok != NULL &&
        (count == 0 || (commitments != NULL && cell_indices != NULL && cells != NULL && proofs != NULL));
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status =
        setup_begin_call(held, setup, there, "commitments, cell_indices, cells, proofs and ok", count,
                         2 * SUMAC_KZG_CELL_BYTES);
    if (status != SUMAC_OK) {
        return status;
    }
    int holds = 1;
    work w = work_begin(context, setup->g1);
    if (count > 0) {
        cell_openings openings = {.cell_indices = cell_indices,
                                  .cells = (const uint8_t *)cells,
                                  .proofs = (const uint8_t *)proofs,
                                  .count = count};
        verify_cells(&w, setup, (const uint8_t *)commitments, &openings, &holds);
    }
    status = work_end(&w);
    if (status == SUMAC_OK) {
        *ok = holds;
    }
    return status;
}

sumac_status sumac_kzg_cell_batch_challenge(sumac_context *context, const sumac_bytes48 *commitments,
                                            size_t commitment_count, const uint64_t *commitment_indices,
                                            const uint64_t *cell_indices, const sumac_cell *cells,
                                            const sumac_bytes48 *proofs, size_t count,
                                            sumac_bytes32 *challenge)
{
    const sumac_curve *curve;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (challenge == NULL || (commitment_count > 0 && commitments == NULL) ||
        (count > 0 &&
         (commitment_indices == NULL || cell_indices == NULL || cells == NULL || proofs == NULL))) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "commitments, indices, cells, proofs and challenge must not be null");
    }
    if (count > SIZE_MAX / SUMAC_KZG_CELL_BYTES || commitment_count > SIZE_MAX / SUMAC_KZG_COMMITMENT_BYTES) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "%zu cells or %zu commitments are more than any memory holds", count, commitment_count);
    }
    const sumac_status status = sumac_curve_find("bls12-381", "g1", &curve);
    if (status != SUMAC_OK) {
        return fail(context, status, "this build of the library lacks bls12-381");
    }
    const cell_openings openings = {(const uint8_t *)commitments,
                                    commitment_count,
                                    commitment_indices,
                                    cell_indices,
                                    (const uint8_t *)cells,
                                    (const uint8_t *)proofs,
                                    count};
    challenge_of_cells(curve, &openings, (uint8_t *)challenge);
    return SUMAC_OK;
}

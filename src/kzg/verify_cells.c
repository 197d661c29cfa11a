/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file verifies many cells, of any blobs, by one equation. Let r be the challenge that joins them, C_k the
 * commitment of cell k, I_k the polynomial of 64 coefficients that interpolates its elements, and h_k the shift of its
 * coset. All cells are right if e(sum r^k proof_k, s^64 G2) = e(sum r^k C_k - (sum r^k I_k)(s)G + sum r^k h_k^64
 * proof_k, G2).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/pairing.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/range.h"
#include "kzg/setup.h"
#include "sumac/experimental.h"

enum { CELL = SUMAC_KZG_CELL_ELEMENTS };

/* Commitments are sorted together with the index of the cell that each came with. */
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

/* Number the different commitments in the order in which they first appear. Set indices[k] to the number of cell k's
 * commitment. Copy the bytes of the different commitments to `different`, which has memory for all, and set *found to
 * how many they are. */
static sumac_status number_commitments(executor *self, const uint8_t *commitments, size_t count,
                                       uint64_t *indices, uint8_t *different, size_t *found)
{
    LOCAL_MEMORY(sorted_commitment, sorted, self, count);
    for (size_t k = 0; k < count; k++) {
        sorted[k] = (sorted_commitment){commitments + k * SUMAC_KZG_COMMITMENT_BYTES, k};
    }
    qsort(sorted, count, sizeof *sorted, compare_commitments);
    /* Set indices[k] to the first cell that has the same commitment as cell k. */
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i > 0 && memcmp(sorted[i].bytes, sorted[i - 1].bytes, SUMAC_KZG_COMMITMENT_BYTES) != 0) {
            first = i;
        }
        indices[sorted[i].cell] = sorted[first].cell;
    }
    /* The first cell is k itself, or an earlier cell, whose commitment has its number already. */
    *found = 0;
    for (size_t k = 0; k < count; k++) {
        if (indices[k] == k) {
            memcpy(different + *found * SUMAC_KZG_COMMITMENT_BYTES,
                   commitments + k * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
            indices[k] = (*found)++;
        } else {
            indices[k] = indices[indices[k]];
        }
    }
    return SUMAC_OK;
}

/* To compute the sum of r^k C_k with few products, the powers r^k of all cells of a commitment are added up first.
 * These powers are listed in rows of `length`. Each commitment has as many rows as it needs. */
typedef struct weight_rows {
    size_t length;
    size_t rows;
    uint64_t *powers;      /* rows*length exponents of r; an exponent that is the number of cells stands for a
                              term 0 */
    uint64_t *commitments; /* the commitment of each row */
} weight_rows;

static void close_weights(weight_rows *weights)
{
    free(weights->powers);
    free(weights->commitments);
}

/* List rows of length ceil(n/m) for n cells of m commitments. There are at most 2m rows, whatever the commitments
 * are. */
static sumac_status list_weights(executor *self, const cell_openings *openings, weight_rows *weights)
{
    const size_t n = openings->count, m = openings->commitment_count, length = (n + m - 1) / m;
    LOCAL_MEMORY(size_t, row, self, m);    /* the last row of each commitment */
    LOCAL_MEMORY(size_t, filled, self, m); /* the number of powers in that row */
    weights->length = length;
    weights->commitments = host_memory(self, 2 * m, sizeof *weights->commitments);
    weights->powers = host_memory(self, 2 * m * length, sizeof *weights->powers);
    if (weights->commitments == NULL || weights->powers == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < m; i++) {
        filled[i] = length; /* the commitment has no row yet */
    }
    for (size_t i = 0; i < 2 * m * length; i++) {
        weights->powers[i] = n;
    }
    for (size_t k = 0; k < n; k++) {
        const uint64_t i = openings->commitment_indices[k];
        if (filled[i] == length) {
            row[i] = weights->rows++;
            weights->commitments[row[i]] = i;
            filled[i] = 0;
        }
        weights->powers[row[i] * length + filled[i]++] = k;
    }
    return SUMAC_OK;
}

/* For each of the cells [first, first + n), subtract r^k I_k from the sum. */
static sumac_status interpolate_sub_batch(executor *self, const sumac_kzg_setup *setup,
                                          const cell_openings *openings, const sumac_vector *powers,
                                          size_t first, size_t n, sumac_vector *sum)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = CELL;
    config.inverse = 1;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    LOCAL_SCALARS(cells, self, setup->g1, n * CELL);
    LOCAL_SCALARS(unshifts, self, setup->g1, n * CELL);
    LOCAL_SCALARS(factors, self, setup->g1, n);
    LOCAL_SCALARS(part, self, setup->g1, CELL);
    TRY(elements_write(self, cells, "cell", first, openings->cells + first * SUMAC_KZG_CELL_BYTES, n, CELL));
    TRY(vector_copy_range(self, factors, 0, powers, first, n));
    TRY(vector_multiply(self, cells, cells, factors, CELL));
    TRY(vector_ntt(self, cells, &config));
    TRY(vector_gather(self, unshifts, setup->domains[0].cell_unshifts, CELL, openings->cell_indices + first,
                      n));
    TRY(vector_multiply(self, cells, cells, unshifts, 1));
    TRY(vector_transpose(self, unshifts, cells, n, CELL));
    TRY(vector_sum(self, part, unshifts, n));
    return vector_subtract(self, sum, sum, part, 1);
}

/* Compute the scalars of both sums. The first sum has r^k for the proofs. The second one has r^k h_k^64 for the proofs,
 * the weights of the commitments, and the coefficients of -sum r^k I_k. */
static sumac_status join_scalars(const work_range *range, const sumac_kzg_setup *setup,
                                 const cell_openings *openings, const weight_rows *weights,
                                 sumac_vector *joined)
{
    executor *self = range->self;
    const size_t n = openings->count, at_weights = 2 * n, at_coefficients = at_weights + weights->rows;
    uint8_t challenge[SUMAC_KZG_ELEMENT_BYTES];
    CLEANUP(close_vector) sumac_vector *powers_and_zero = NULL;
    LOCAL_SCALARS(powers, self, setup->g1, n);
    LOCAL_SCALARS(constants, self, setup->g1, n);
    LOCAL_SCALARS(coefficients, self, setup->g1, CELL);
    LOCAL_SCALARS(terms, self, setup->g1, weights->rows * weights->length);
    LOCAL_SCALARS(sums, self, setup->g1, weights->rows);
    challenge_of_cells(setup->g1, openings, challenge);
    TRY(elements_fill_powers(self, powers, challenge));
    TRY(vector_copy_range(self, joined, 0, powers, 0, n));

    TRY(vector_gather(self, constants, setup->domains[0].cell_constants, 1, openings->cell_indices, n));
    TRY(vector_multiply(self, constants, constants, powers, 1));
    TRY(vector_copy_range(self, joined, n, constants, 0, n));

    TRY(vector_create_zeros(self, setup->g1, SUMAC_VECTOR_SCALARS, n + 1, &powers_and_zero));
    TRY(vector_copy_range(self, powers_and_zero, 0, powers, 0, n));
    TRY(vector_gather(self, terms, powers_and_zero, 1, weights->powers, weights->rows * weights->length));
    TRY(vector_sum(self, sums, terms, weights->length));
    TRY(vector_copy_range(self, joined, at_weights, sums, 0, weights->rows));

    TRY(vector_fill_integer(self, coefficients, 0));
    for (size_t first = 0, count; (count = range_next(range, first, 2 * CELL)) > 0; first += count) {
        TRY(interpolate_sub_batch(self, setup, openings, powers, first, count, coefficients));
    }
    return vector_copy_range(self, joined, at_coefficients, coefficients, 0, CELL);
}

/* Check the equation with the points of both sums: the proofs, each row's commitment, and s^i G for i < 64.
 * `commitments` has each different commitment once, as a raw point. */
static sumac_status check_equation(sumac_context *context, const sumac_kzg_setup *setup,
                                   const cell_openings *openings, const uint8_t *commitments, int *holds)
{
    const size_t n = openings->count;
    const work_range range = range_of_context(context, n);
    uint8_t g1[2 * G1_POINT_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    CLEANUP(close_weights) weight_rows weights = {0};
    TRY(list_weights(range.self, openings, &weights));
    const size_t all = n + weights.rows + CELL;
    LOCAL_SCALARS(scalars, range.self, setup->g1, n + all);
    LOCAL_POINTS(sums, range.self, setup->g1, 2);
    LOCAL_MEMORY(uint8_t, points, range.self, all * G1_POINT_BYTES);
    TRY(points_decode(context, setup->g1, "proof", openings->proofs, n, points));
    for (size_t i = 0; i < weights.rows; i++) {
        memcpy(points + (n + i) * G1_POINT_BYTES, commitments + weights.commitments[i] * G1_POINT_BYTES,
               G1_POINT_BYTES);
    }
    memcpy(points + (n + weights.rows) * G1_POINT_BYTES, setup->monomial, CELL * G1_POINT_BYTES);
    TRY(join_scalars(&range, setup, openings, &weights, scalars));
    TRY(points_make_bases(context, setup->g1, points, all, &bases));
    const msm_batch proofs = {.bases = bases, .n = n, .batch = 1};
    const msm_batch rest = {.bases = bases, .n = all, .batch = 1};
    TRY(range_msm(&range, &proofs, scalars, 0, sums, 0));
    TRY(range_msm(&range, &rest, scalars, n, sums, 1));
    TRY(vector_get(range.self, sums, 0, 2, g1, NULL));
    return pairing_check(context, setup->g1, setup->cell_g2, g1, NULL, 2, SUMAC_CHECK_NONE, holds);
}

/* Decode the different commitments. If one is not a point, the message names the cell that it came with. */
static sumac_status decode_commitments(sumac_context *context, const sumac_group *group,
                                       const cell_openings *openings, const uint8_t *commitments,
                                       uint8_t *raw)
{
    const sumac_status status =
        points_decode(context, group, "commitment", openings->commitments, openings->commitment_count, raw);
    if (status == SUMAC_OK) {
        return SUMAC_OK;
    }
    TRY(points_decode(context, group, "commitment", commitments, openings->count, raw));
    return status;
}

static sumac_status verify_cells(sumac_context *context, const sumac_kzg_setup *setup,
                                 const uint8_t *commitments, cell_openings *openings, int *holds)
{
    const size_t n = openings->count;
    executor *self = context_executor(context);
    LOCAL_MEMORY(uint64_t, indices, self, n);
    LOCAL_MEMORY(uint8_t, different, self, n * SUMAC_KZG_COMMITMENT_BYTES);
    LOCAL_MEMORY(uint8_t, raw, self, n * G1_POINT_BYTES);
    for (size_t k = 0; k < n; k++) {
        if (openings->cell_indices[k] >= SUMAC_KZG_CELLS) {
            return fail(context, SUMAC_BAD_ARGUMENT, "cell %zu: its index %" PRIu64 " is not less than %d", k,
                        openings->cell_indices[k], SUMAC_KZG_CELLS);
        }
    }
    TRY(elements_check(self, setup->g1, "cell", 0, openings->cells, n, CELL));
    TRY(number_commitments(self, commitments, n, indices, different, &openings->commitment_count));
    openings->commitment_indices = indices;
    openings->commitments = different;
    TRY(decode_commitments(context, setup->g1, openings, commitments, raw));
    return check_equation(context, setup, openings, raw, holds);
}

sumac_status sumac_kzg_verify_cells(sumac_context *context, const sumac_kzg_setup *setup,
                                    const sumac_bytes48 *commitments, const uint64_t *cell_indices,
                                    const sumac_cell *cells, const sumac_bytes48 *proofs, size_t count,
                                    int *ok)
{
    const int complete =
        ok != NULL &&
        (count == 0 || (commitments != NULL && cell_indices != NULL && cells != NULL && proofs != NULL));
    cell_openings openings = {.cell_indices = cell_indices,
                              .cells = (const uint8_t *)cells,
                              .proofs = (const uint8_t *)proofs,
                              .count = count};
    int holds = 1;
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "commitments, cell_indices, cells, proofs and ok", count,
                         2 * SUMAC_KZG_CELL_BYTES));
    if (count > 0) {
        TRY(verify_cells(context, setup, (const uint8_t *)commitments, &openings, &holds));
    }
    *ok = holds;
    return SUMAC_OK;
}

sumac_status sumac_kzg_cell_challenge(sumac_context *context, const sumac_bytes48 *commitments,
                                      size_t commitment_count, const uint64_t *commitment_indices,
                                      const uint64_t *cell_indices, const sumac_cell *cells,
                                      const sumac_bytes48 *proofs, size_t count, sumac_bytes32 *challenge)
{
    const sumac_group *group;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context,
                     challenge != NULL && (commitment_count == 0 || commitments != NULL) &&
                         (count == 0 || (commitment_indices != NULL && cell_indices != NULL &&
                                         cells != NULL && proofs != NULL)),
                     "commitments, indices, cells, proofs and challenge"));
    if (count > SIZE_MAX / SUMAC_KZG_CELL_BYTES || commitment_count > SIZE_MAX / SUMAC_KZG_COMMITMENT_BYTES) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "%zu cells or %zu commitments are more than any memory holds", count, commitment_count);
    }
    TRY(setup_find_group(context, "g1", &group));
    const cell_openings openings = {(const uint8_t *)commitments,
                                    commitment_count,
                                    commitment_indices,
                                    cell_indices,
                                    (const uint8_t *)cells,
                                    (const uint8_t *)proofs,
                                    count};
    challenge_of_cells(group, &openings, (uint8_t *)challenge);
    return SUMAC_OK;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verifying values of blobs' polynomials. With r the challenge that joins them (1 for a single one), all hold
 * if e(sum r^i proof_i, sG2) = e(sum r^i commitment_i + sum r^i z_i proof_i - (sum r^i y_i)G, G2). */
#include <string.h>

#include "api/call.h"
#include "api/pairing.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/polynomial.h"
#include "kzg/setup.h"

/* What the evaluation of a blob goes through: few blobs at a time are as fast as many, and a core's cache
 * holds them. */
enum { Z_BYTES = SUMAC_KZG_ELEMENT_BYTES, EVALUATED_ELEMENTS = 16 * SUMAC_KZG_FIELD_ELEMENTS };

/* What is to be verified, all of it checked but for the points. */
typedef struct value_claims {
    size_t count;
    const uint8_t *commitments;
    const uint8_t *zs;
    const uint8_t *ys;
    const uint8_t *proofs;
} value_claims;

/* The scalars of the equation's two sums, over commitments, proofs and -G: 0, powers and 0; then powers,
 * powers times z and the sum of powers times y. */
static sumac_vector *join_scalars(work *w, const sumac_kzg_setup *setup, const value_claims *claims)
{
    const size_t n = claims->count, terms = 2 * n + 1;
    uint8_t challenge[Z_BYTES];
    sumac_vector *r = work_scalars(w, 1), *powers = work_scalars(w, n), *zs = work_scalars(w, n);
    sumac_vector *ys = work_scalars(w, n), *y = work_scalars(w, 1), *joined = work_scalars(w, 2 * terms);
    challenge_of_openings(setup->g1, claims->commitments, claims->zs, claims->ys, claims->proofs, n,
                          challenge);
    work_write_elements(w, r, 0, 1, challenge);
    work_powers(w, powers, r);
    work_write_elements(w, zs, 0, n, claims->zs);
    work_write_elements(w, ys, 0, n, claims->ys);
    work_multiply(w, zs, zs, powers, 1);
    work_multiply(w, ys, ys, powers, 1);
    work_sum(w, y, ys, n);
    work_copy(w, joined, (work_part){n, 1}, powers, (work_part){0, 1}, 1, n);
    work_copy(w, joined, (work_part){terms, 1}, powers, (work_part){0, 1}, 1, n);
    work_copy(w, joined, (work_part){terms + n, 1}, zs, (work_part){0, 1}, 1, n);
    work_copy(w, joined, (work_part){terms + 2 * n, 1}, y, (work_part){0, 1}, 1, 1);
    return joined;
}

/* points: commitments, proofs, -G; raw. */
static void check_equation(work *w, const sumac_kzg_setup *setup, const value_claims *claims,
                           const uint8_t *points, int *ok)
{
    const size_t n = claims->count;
    uint8_t g1[2 * G1_POINT_BYTES];
    const sumac_vector *scalars = join_scalars(w, setup, claims);
    sumac_vector *sums = work_points(w, 2);
    const work_sums both = {.bases = work_bases(w, points, 2 * n + 1), .n = 2 * n + 1, .batch = 2};
    work_msm(w, &both, scalars, 0, sums, 0);
    work_read(w, sums, 0, 2, g1);
    if (work_is_ok(w)) {
        work_note(w,
                  pairing_check(w->whole, setup->g1, setup->opening_g2, g1, NULL, 2, SUMAC_CHECK_NONE, ok));
    }
}

/* Decode the points that come in: commitments, proofs, and -G behind them. */
static uint8_t *decode_points(work *w, const sumac_kzg_setup *setup, const void *commitments,
                              const void *proofs, size_t count)
{
    uint8_t *points = work_memory(w, 2 * count + 1, G1_POINT_BYTES);
    if (work_is_ok(w)) {
        points_decode(w, "commitment", commitments, count, points);
        points_decode(w, "proof", proofs, count, points + count * G1_POINT_BYTES);
        memcpy(points + 2 * count * G1_POINT_BYTES, setup->minus_g1, G1_POINT_BYTES);
    }
    return points;
}

static sumac_status give_answer(work *w, int answer, int *ok)
{
    const sumac_status status = work_end(w);
    if (status == SUMAC_OK) {
        *ok = answer;
    }
    return status;
}

sumac_status sumac_kzg_verify_proof_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                          const sumac_bytes48 *commitments, const sumac_bytes32 *zs,
                                          const sumac_bytes32 *ys, const sumac_bytes48 *proofs, size_t count,
                                          int *ok)
{
    const int there =
        ok != NULL && (count == 0 || (commitments != NULL && zs != NULL && ys != NULL && proofs != NULL));
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status =
        setup_begin_call(held, setup, there, "commitments, zs, ys, proofs and ok", count, 4 * G1_POINT_BYTES);
    if (status != SUMAC_OK) {
        return status;
    }
    int holds = 1;
    work w = work_begin(context, setup->g1);
    if (count > 0) {
        const value_claims claims = {count, (const uint8_t *)commitments, (const uint8_t *)zs,
                                     (const uint8_t *)ys, (const uint8_t *)proofs};
        work_note(
            &w, elements_check(context_executor(context), setup->g1, "z", 0, (const uint8_t *)zs, count, 1));
        if (work_is_ok(&w)) {
            work_note(&w, elements_check(context_executor(context), setup->g1, "y", 0, (const uint8_t *)ys,
                                         count, 1));
        }
        const uint8_t *points = decode_points(&w, setup, commitments, proofs, count);
        check_equation(&w, setup, &claims, points, &holds);
    }
    return give_answer(&w, holds, ok);
}

/* The values of blobs [first, first + openings->count) at zs. */
static void evaluate_sub_batch(work *w, const sumac_kzg_setup *setup, const uint8_t *blobs, const uint8_t *zs,
                               size_t first, const polynomial_openings *openings, uint8_t *ys)
{
    work_write_elements(w, openings->values, 0, openings->count * SUMAC_KZG_FIELD_ELEMENTS,
                        blobs + first * SUMAC_KZG_BLOB_BYTES);
    work_write_elements(w, openings->zs, 0, openings->count, zs + first * Z_BYTES);
    polynomial_evaluate(w, &setup->domains[0], openings);
    work_read_elements(w, openings->ys, 0, openings->count, ys + first * Z_BYTES);
}

static void verify_blobs(work *w, const sumac_kzg_setup *setup, const uint8_t *blobs,
                         const uint8_t *commitments, const uint8_t *proofs, size_t count, int *ok)
{
    uint8_t *zs = work_memory(w, count, Z_BYTES), *ys = work_memory(w, count, Z_BYTES);
    const uint8_t *points = decode_points(w, setup, commitments, proofs, count);
    for (size_t i = 0; work_is_ok(w) && i < count; i++) {
        challenge_of_blob(setup->g1, blobs + i * SUMAC_KZG_BLOB_BYTES,
                          commitments + i * SUMAC_KZG_COMMITMENT_BYTES, zs + i * Z_BYTES);
    }
    const size_t sub_batch = work_sub_batch(w, count, EVALUATED_ELEMENTS);
    polynomial_openings openings = polynomial_openings_of(w, sub_batch);
    for (size_t first = 0; work_is_ok(w) && first < count; first += sub_batch) {
        openings.count = count - first < sub_batch ? count - first : sub_batch;
        evaluate_sub_batch(w, setup, blobs, zs, first, &openings, ys);
    }
    elements_explain(w, "blob", 0, blobs, count, SUMAC_KZG_FIELD_ELEMENTS);
    if (work_is_ok(w)) {
        const value_claims claims = {count, commitments, zs, ys, proofs};
        check_equation(w, setup, &claims, points, ok);
    }
}

sumac_status sumac_kzg_verify_blob_proof_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                               const sumac_blob *blobs, const sumac_bytes48 *commitments,
                                               const sumac_bytes48 *proofs, size_t count, int *ok)
{
    const int there = ok != NULL && (count == 0 || (blobs != NULL && commitments != NULL && proofs != NULL));
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = setup_begin_call(held, setup, there, "blobs, commitments, proofs and ok",
                                                 count, SUMAC_KZG_BLOB_BYTES);
    if (status != SUMAC_OK) {
        return status;
    }
    int holds = 1;
    work w = work_begin(context, setup->g1);
    if (count > 0) {
        verify_blobs(&w, setup, (const uint8_t *)blobs, (const uint8_t *)commitments, (const uint8_t *)proofs,
                     count, &holds);
    }
    return give_answer(&w, holds, ok);
}

sumac_status sumac_kzg_verify_blob_proof(sumac_context *context, const sumac_kzg_setup *setup,
                                         const sumac_blob *blob, const sumac_bytes48 *commitment,
                                         const sumac_bytes48 *proof, int *ok)
{
    return sumac_kzg_verify_blob_proof_batch(context, setup, blob, commitment, proof, 1, ok);
}

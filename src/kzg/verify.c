/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file verifies values of blobs' polynomials, by the equation of claims_check(). */
#include <string.h>

#include "api/call.h"

#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/polynomial.h"
#include "kzg/range.h"
#include "kzg/setup.h"
#include "kzg/srs.h"

enum {
    N = SUMAC_KZG_FIELD_ELEMENTS,
    Z_BYTES = SUMAC_KZG_ELEMENT_BYTES,
    /* Blobs with this many scalars are evaluated together. They fit in a core's cache, and more at once would not be
     * faster. */
    EVALUATED_ELEMENTS = 16 * N
};

typedef struct value_claims {
    size_t count;
    const uint8_t *commitments;
    const uint8_t *zs;
    const uint8_t *ys;
    const uint8_t *proofs;
} value_claims;

/* Decode the commitments and the proofs by one call, in which lanes take few points together. If a point is bad, decode them
 * once more to say which it is. */
static sumac_status decode_points(sumac_context *context, const sumac_group *group,
                                  const value_claims *claims, uint8_t *points)
{
    const size_t n = claims->count, bytes = n * SUMAC_KZG_COMMITMENT_BYTES;
    LOCAL_MEMORY(uint8_t, both, context_executor(context), 2 * bytes);
    memcpy(both, claims->commitments, bytes);
    memcpy(both + bytes, claims->proofs, bytes);
    const sumac_status status = points_decode(context, group, "point", both, 2 * n, points);
    if (status != SUMAC_BAD_ENCODING && status != SUMAC_NOT_ON_CURVE && status != SUMAC_NOT_IN_SUBGROUP) {
        return status;
    }
    TRY(points_decode(context, group, "commitment", claims->commitments, n, points));
    return points_decode(context, group, "proof", claims->proofs, n, points + n * G1_POINT_BYTES);
}

static sumac_status check_claims(sumac_context *context, const sumac_kzg_setup *setup,
                                 const value_claims *claims, int *holds)
{
    const size_t n = claims->count;
    const sumac_group *group = setup->g1;
    executor *self = context_executor(context);
    uint8_t challenge[Z_BYTES];
    LOCAL_SCALARS(zs, self, group, n);
    LOCAL_SCALARS(ys, self, group, n);
    LOCAL_MEMORY(uint8_t, points, self, (2 * n + 1) * G1_POINT_BYTES); /* commitments, proofs, and G */
    challenge_of_openings(group, claims->commitments, claims->zs, claims->ys, claims->proofs, n, challenge);
    TRY(elements_write(self, zs, "z", 0, claims->zs, n, 1));
    TRY(elements_write(self, ys, "y", 0, claims->ys, n, 1));
    TRY(decode_points(context, group, claims, points));
    TRY(sumac_group_generator(group, points + 2 * n * G1_POINT_BYTES, group->point_bytes));
    const opening_claims all = {.group = group,
                                .count = n,
                                .zs = zs,
                                .ys = ys,
                                .points = points,
                                .challenge = challenge,
                                .prepared = setup->opening_g2};
    return claims_check(context, &all, holds);
}

sumac_status sumac_kzg_verify_proof(sumac_context *context, const sumac_kzg_setup *setup,
                                    const sumac_bytes48 *commitments, const sumac_bytes32 *zs,
                                    const sumac_bytes32 *ys, const sumac_bytes48 *proofs, size_t count,
                                    int *ok)
{
    const int complete =
        ok != NULL && (count == 0 || (commitments != NULL && zs != NULL && ys != NULL && proofs != NULL));
    const value_claims claims = {count, (const uint8_t *)commitments, (const uint8_t *)zs,
                                 (const uint8_t *)ys, (const uint8_t *)proofs};
    int holds = 1;
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "commitments, zs, ys, proofs and ok", count,
                         4 * G1_POINT_BYTES));
    if (count > 0) {
        TRY(check_claims(context, setup, &claims, &holds));
    }
    *ok = holds;
    return SUMAC_OK;
}

/* Evaluate each blob at its challenge. */
static sumac_status evaluate_blobs(sumac_context *context, const sumac_kzg_setup *setup, const uint8_t *blobs,
                                   const uint8_t *zs, size_t count, uint8_t *ys)
{
    const work_range range = range_of_context(context, count);
    CLEANUP(close_openings) polynomial_openings openings = {0};
    TRY(polynomial_openings_create(range.self, setup->g1, range_next(&range, 0, EVALUATED_ELEMENTS), 0,
                                   &openings));
    for (size_t first = 0, n; (n = range_next(&range, first, EVALUATED_ELEMENTS)) > 0; first += n) {
        openings.count = n;
        TRY(elements_write_unconverted(range.self, openings.values, "blob", first,
                                       blobs + first * SUMAC_KZG_BLOB_BYTES, n, N));
        TRY(elements_write(range.self, openings.zs, "z", first, zs + first * Z_BYTES, n, 1));
        TRY(polynomial_evaluate_unconverted(range.self, &setup->domains[0], &openings));
        TRY(elements_read(range.self, openings.ys, n, ys + first * Z_BYTES));
    }
    return SUMAC_OK;
}

sumac_status sumac_kzg_verify_blob_proof(sumac_context *context, const sumac_kzg_setup *setup,
                                         const sumac_blob *blobs, const sumac_bytes48 *commitments,
                                         const sumac_bytes48 *proofs, size_t count, int *ok)
{
    const int complete =
        ok != NULL && (count == 0 || (blobs != NULL && commitments != NULL && proofs != NULL));
    const uint8_t *blob_bytes = (const uint8_t *)blobs, *commitment_bytes = (const uint8_t *)commitments;
    int holds = 1;
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "blobs, commitments, proofs and ok", count,
                         SUMAC_KZG_BLOB_BYTES));
    if (count > 0) {
        LOCAL_MEMORY(uint8_t, zs, context_executor(context), count * Z_BYTES);
        LOCAL_MEMORY(uint8_t, ys, context_executor(context), count * Z_BYTES);
        for (size_t i = 0; i < count; i++) {
            challenge_of_blob(setup->g1, blob_bytes + i * SUMAC_KZG_BLOB_BYTES,
                              commitment_bytes + i * SUMAC_KZG_COMMITMENT_BYTES, zs + i * Z_BYTES);
        }
        TRY(evaluate_blobs(context, setup, blob_bytes, zs, count, ys));
        const value_claims claims = {count, commitment_bytes, zs, ys, (const uint8_t *)proofs};
        TRY(check_claims(context, setup, &claims, &holds));
    }
    *ok = holds;
    return SUMAC_OK;
}

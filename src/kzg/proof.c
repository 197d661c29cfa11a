/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes proofs that a blob's polynomial f has a value y at an evaluation point z. A proof is the
 * commitment to (f - y)/(X - z). */
#include <string.h>

#include "api/call.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/polynomial.h"
#include "kzg/range.h"
#include "kzg/setup.h"
#include "sumac/experimental.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS, Z_BYTES = SUMAC_KZG_ELEMENT_BYTES };

typedef struct proof_call {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    const uint8_t *commitments; /* if not null, each blob is opened at its challenge */
    const uint8_t *zs;          /* the evaluation points, if commitments are null */
    uint8_t *challenges;        /* if commitments are given: the evaluation points, which the call computes */
    uint8_t *proofs;
    uint8_t *ys;
} proof_call;

/* Prove blobs [first, first + count). */
static sumac_status prove_sub_batch(const proof_call *call, const work_range *range, size_t first,
                                    size_t count)
{
    const sumac_kzg_setup *setup = call->setup;
    const kzg_domain *domain = &setup->domains[range->index];
    const uint8_t *zs = call->commitments == NULL ? call->zs : call->challenges;
    const msm_batch msms = {.bases = setup->lagrange, .n = N, .batch = count};
    executor *self = range->self;
    CLEANUP(close_openings) polynomial_openings openings = {0};
    LOCAL_POINTS(points, self, setup->g1, count);
    TRY(polynomial_openings_create(self, setup->g1, count, 1, &openings));
    TRY(elements_write(self, openings.values, "blob", first, call->blobs + first * SUMAC_KZG_BLOB_BYTES,
                       count, N));
    TRY(elements_write(self, openings.zs, "z", first, zs + first * Z_BYTES, count, 1));
    TRY(polynomial_evaluate(self, domain, &openings));
    TRY(polynomial_divide(self, domain, &openings));
    TRY(range_msm(range, &msms, openings.terms, 0, points, 0));
    TRY(points_encode(self, points, count, call->proofs + first * SUMAC_KZG_PROOF_BYTES));
    return elements_read(self, openings.ys, count, call->ys + first * Z_BYTES);
}

static sumac_status prove_range(void *argument, const work_range *range)
{
    const proof_call *call = argument;
    const size_t end = range->first + range->count;
    for (size_t i = range->first; call->commitments != NULL && i < end; i++) {
        challenge_of_blob(call->setup->g1, call->blobs + i * SUMAC_KZG_BLOB_BYTES,
                          call->commitments + i * SUMAC_KZG_COMMITMENT_BYTES, call->challenges + i * Z_BYTES);
    }
    for (size_t done = 0, n; (n = range_next(range, done, EXTENDED_ELEMENTS)) > 0; done += n) {
        TRY(prove_sub_batch(call, range, range->first + done, n));
    }
    return SUMAC_OK;
}

/* Prove all blobs. Write the caller's results when nothing can fail any more. If `ys` is null, the values y are not
 * wanted. */
static sumac_status prove(sumac_context *context, proof_call *call, size_t count, void *proofs, void *ys)
{
    executor *self = context_executor(context);
    LOCAL_MEMORY(uint8_t, all_proofs, self, count * SUMAC_KZG_PROOF_BYTES);
    LOCAL_MEMORY(uint8_t, all_ys, self, count * Z_BYTES);
    LOCAL_MEMORY(uint8_t, challenges, self, count * Z_BYTES);
    call->proofs = all_proofs;
    call->ys = all_ys;
    call->challenges = challenges;
    if (call->commitments == NULL) {
        TRY(elements_check(self, call->setup->g1, "z", 0, call->zs, count, 1));
    } else { /* check only that the commitments are points, because their values are not needed */
        LOCAL_MEMORY(uint8_t, points, self, count * G1_POINT_BYTES);
        TRY(points_decode(context, call->setup->g1, "commitment", call->commitments, count, points));
    }
    TRY(ranges_run(context, call->setup->devices, count, prove_range, call));
    memcpy(proofs, call->proofs, count * SUMAC_KZG_PROOF_BYTES);
    if (ys != NULL) {
        memcpy(ys, call->ys, count * Z_BYTES);
    }
    return SUMAC_OK;
}

sumac_status sumac_kzg_compute_proof(sumac_context *context, const sumac_kzg_setup *setup,
                                     const sumac_blob *blobs, const sumac_bytes32 *zs, size_t count,
                                     sumac_bytes48 *proofs, sumac_bytes32 *ys)
{
    const int complete = count == 0 || (blobs != NULL && zs != NULL && proofs != NULL);
    proof_call call = {.setup = setup, .blobs = (const uint8_t *)blobs, .zs = (const uint8_t *)zs};
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "blobs, zs and proofs", count, SUMAC_KZG_BLOB_BYTES));
    return count == 0 ? SUMAC_OK : prove(context, &call, count, proofs, ys);
}

sumac_status sumac_kzg_compute_blob_proof(sumac_context *context, const sumac_kzg_setup *setup,
                                          const sumac_blob *blobs, const sumac_bytes48 *commitments,
                                          size_t count, sumac_bytes48 *proofs)
{
    const int complete = count == 0 || (blobs != NULL && commitments != NULL && proofs != NULL);
    proof_call call = {
        .setup = setup, .blobs = (const uint8_t *)blobs, .commitments = (const uint8_t *)commitments};
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "blobs, commitments and proofs", count,
                         SUMAC_KZG_BLOB_BYTES));
    return count == 0 ? SUMAC_OK : prove(context, &call, count, proofs, NULL);
}

sumac_status sumac_kzg_blob_challenge(sumac_context *context, const sumac_blob *blob,
                                      const sumac_bytes48 *commitment, sumac_bytes32 *challenge)
{
    const sumac_group *group;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context, blob != NULL && commitment != NULL && challenge != NULL,
                     "blob, commitment and challenge"));
    TRY(setup_find_group(context, "g1", &group));
    challenge_of_blob(group, (const uint8_t *)blob, (const uint8_t *)commitment, (uint8_t *)challenge);
    return SUMAC_OK;
}

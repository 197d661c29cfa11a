/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proofs that a blob's polynomial has a value: the commitment to (f - y)/(X - z). */
#include <string.h>

#include "api/call.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/polynomial.h"
#include "kzg/setup.h"
#include "kzg/share.h"

enum { Z_BYTES = SUMAC_KZG_ELEMENT_BYTES };

/* Blobs, where they are opened, and room for what comes out. */
typedef struct blob_proofs {
    const sumac_kzg_setup *setup;
    const uint8_t *blobs;
    const uint8_t *commitments; /* that determine the places with the blobs; null: the places are there */
    uint8_t *own_zs;            /* with commitments: the places */
    const uint8_t *zs;
    uint8_t *proofs;
    uint8_t *ys;
} blob_proofs;

/* Blobs [first, first + count). */
static sumac_status prove_sub_batch(const blob_proofs *all, const share *own, size_t first, size_t count)
{
    const kzg_domain *domain = &all->setup->domains[own->index];
    work w = work_of_share(own, all->setup->g1);
    const polynomial_openings openings = polynomial_openings_of(&w, count);
    sumac_vector *points = work_points(&w, count);
    const work_sums sums = {.bases = all->setup->lagrange, .n = SUMAC_KZG_FIELD_ELEMENTS, .batch = count};
    work_write_elements(&w, openings.values, 0, count * SUMAC_KZG_FIELD_ELEMENTS,
                        all->blobs + first * SUMAC_KZG_BLOB_BYTES);
    work_write_elements(&w, openings.zs, 0, count, all->zs + first * Z_BYTES);
    polynomial_evaluate(&w, domain, &openings);
    polynomial_divide(&w, domain, &openings);
    work_msm(&w, &sums, openings.terms, 0, points, 0);
    points_encode(&w, points, count, all->proofs + first * SUMAC_KZG_PROOF_BYTES);
    work_read_elements(&w, openings.ys, 0, count, all->ys + first * Z_BYTES);
    return work_end(&w);
}

static sumac_status prove_share(void *call, const share *own)
{
    const blob_proofs *all = call;
    const sumac_curve *curve = all->setup->g1;
    const size_t end = own->first + own->count;
    work w = work_of_share(own, curve);
    for (size_t i = own->first; all->commitments != NULL && i < end; i++) {
        challenge_of_blob(curve, all->blobs + i * SUMAC_KZG_BLOB_BYTES,
                          all->commitments + i * SUMAC_KZG_COMMITMENT_BYTES, all->own_zs + i * Z_BYTES);
    }
    work_note(&w, elements_check(own->executor, curve, "blob", own->first,
                                 all->blobs + own->first * SUMAC_KZG_BLOB_BYTES, own->count,
                                 SUMAC_KZG_FIELD_ELEMENTS));
    const size_t sub_batch = work_sub_batch(&w, own->count, EXTENDED_ELEMENTS);
    for (size_t first = own->first; work_is_ok(&w) && first < end && !share_is_over(own);
         first += sub_batch) {
        work_note(&w, prove_sub_batch(all, own, first, end - first < sub_batch ? end - first : sub_batch));
    }
    return work_end(&w);
}

static void prove_all(work *w, blob_proofs *all, size_t count)
{
    if (work_is_ok(w)) {
        work_note(w, share_out(w->whole, all->setup->devices, count, prove_share, all));
    }
}

sumac_status sumac_kzg_compute_proof_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                           const sumac_blob *blobs, const sumac_bytes32 *zs, size_t count,
                                           sumac_bytes48 *proofs, sumac_bytes32 *ys)
{
    const int there = count == 0 || (blobs != NULL && zs != NULL && proofs != NULL);
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status =
        setup_begin_call(held, setup, there, "blobs, zs and proofs", count, SUMAC_KZG_BLOB_BYTES);
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    work w = work_begin(context, setup->g1);
    blob_proofs all = {.setup = setup,
                       .blobs = (const uint8_t *)blobs,
                       .zs = (const uint8_t *)zs,
                       .proofs = work_memory(&w, count, SUMAC_KZG_PROOF_BYTES),
                       .ys = work_memory(&w, count, Z_BYTES)};
    if (work_is_ok(&w)) {
        work_note(
            &w, elements_check(context_executor(context), setup->g1, "z", 0, (const uint8_t *)zs, count, 1));
    }
    prove_all(&w, &all, count);
    if (work_is_ok(&w)) {
        memcpy(proofs, all.proofs, count * SUMAC_KZG_PROOF_BYTES);
        if (ys != NULL) {
            memcpy(ys, all.ys, count * Z_BYTES);
        }
    }
    return work_end(&w);
}

sumac_status sumac_kzg_compute_blob_proof_batch(sumac_context *context, const sumac_kzg_setup *setup,
                                                const sumac_blob *blobs, const sumac_bytes48 *commitments,
                                                size_t count, sumac_bytes48 *proofs)
{
    const int there = count == 0 || (blobs != NULL && commitments != NULL && proofs != NULL);
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status =
        setup_begin_call(held, setup, there, "blobs, commitments and proofs", count, SUMAC_KZG_BLOB_BYTES);
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    work w = work_begin(context, setup->g1);
    uint8_t *zs = work_memory(&w, count, Z_BYTES), *points = work_memory(&w, count, G1_POINT_BYTES);
    blob_proofs all = {.setup = setup,
                       .blobs = (const uint8_t *)blobs,
                       .commitments = (const uint8_t *)commitments,
                       .own_zs = zs,
                       .zs = zs,
                       .proofs = work_memory(&w, count, SUMAC_KZG_PROOF_BYTES),
                       .ys = work_memory(&w, count, Z_BYTES)};
    points_decode(&w, "commitment", (const uint8_t *)commitments, count, points);
    prove_all(&w, &all, count);
    if (work_is_ok(&w)) {
        memcpy(proofs, all.proofs, count * SUMAC_KZG_PROOF_BYTES);
    }
    return work_end(&w);
}

sumac_status sumac_kzg_blob_challenge(sumac_context *context, const sumac_blob *blob,
                                      const sumac_bytes48 *commitment, sumac_bytes32 *challenge)
{
    const sumac_curve *curve;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (blob == NULL || commitment == NULL || challenge == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "blob, commitment and challenge must not be null");
    }
    const sumac_status status = sumac_curve_find("bls12-381", "g1", &curve);
    if (status != SUMAC_OK) {
        return fail(context, status, "this build of the library lacks bls12-381");
    }
    challenge_of_blob(curve, (const uint8_t *)blob, (const uint8_t *)commitment, (uint8_t *)challenge);
    return SUMAC_OK;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verifying keys, and whether a proof holds. */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/sizes.h"
#include "groth16/verifying_key.h"
#include "io/memory.h"

sumac_status file_bases_create(sumac_context *context, const sumac_curve *curve, const void *points, size_t n,
                               const sumac_bases_config *config, const char *what, sumac_bases **bases)
{
    const sumac_status status = sumac_bases_create(context, curve, points, n, config, bases);
    return is_bad_point(status) ? refuse_in(&context_executor(context)->message, status, "%s", what) : status;
}

/* Points that are few, of a file, as raw canonical ones. */
static sumac_status take_points(sumac_context *context, const sumac_curve *curve, const uint8_t *points,
                                size_t n, const sumac_bases_config *config, const char *what, uint8_t *raw)
{
    sumac_bases *bases = NULL;
    sumac_status status = file_bases_create(context, curve, points, n, config, what, &bases);
    if (status == SUMAC_OK) {
        status = sumac_bases_get(context, bases, 0, n, raw);
    }
    sumac_bases_destroy(bases);
    return status;
}

/* Points of the second group, each times r - 1. */
static sumac_status negate(sumac_context *context, const groups *of, const uint8_t *points, uint8_t *negated)
{
    uint8_t scalars[VERIFYING_G2 * MOST_SCALAR_BYTES];
    sumac_bases *bases = NULL;
    sumac_bases_config checked = sumac_bases_config_default();
    sumac_msm_config config = sumac_msm_config_default();
    checked.check = SUMAC_CHECK_NONE; /* by take_points(), as far as the key's config asks */
    config.batch = VERIFYING_G2;
    config.separate_bases = 1;
    for (size_t i = 0; i < VERIFYING_G2; i++) {
        uint8_t *scalar = scalars + i * of->info2->scalar_bytes;
        memcpy(scalar, of->info2->order, of->info2->scalar_bytes);
        scalar[0]--; /* r is odd */
    }
    sumac_status status = sumac_bases_create(context, of->g2, points, VERIFYING_G2, &checked, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm(context, bases, scalars, 1, &config, negated);
    }
    sumac_bases_destroy(bases);
    return status;
}

static sumac_status fill(sumac_context *context, const verifying_points *points,
                         const sumac_bases_config *config, sumac_groth16_verifying_key *key)
{
    const groups *of = &key->groups;
    const size_t bytes = of->info2->point_bytes;
    uint8_t *g2 = key->g2_points, minus[VERIFYING_G2 * MOST_POINT_BYTES];
    memcpy(g2, points->beta2, bytes);
    memcpy(g2 + bytes, points->gamma2, bytes);
    memcpy(g2 + 2 * bytes, points->delta2, bytes);
    sumac_status status = take_points(context, of->g1, points->alpha1, 1, config, points->what, key->alpha1);
    if (status == SUMAC_OK) {
        status = take_points(context, of->g2, g2, VERIFYING_G2, config, points->what, g2);
    }
    if (status == SUMAC_OK) {
        status = negate(context, of, g2, minus);
    }
    if (status == SUMAC_OK) {
        status = sumac_pairing_points_create(context, of->g2, minus, VERIFYING_G2, SUMAC_CHECK_NONE,
                                             &key->minus_points);
        status = status == SUMAC_NOT_SUPPORTED ? SUMAC_OK : status; /* no pairing: nothing is verified */
    }
    return status == SUMAC_OK ? file_bases_create(context, of->g1, points->ic, points->publics + 1, config,
                                                  points->ic_what, &key->ic)
                              : status;
}

sumac_status verifying_create_without(sumac_context *context, const groups *of, uint64_t publics,
                                      sumac_groth16_verifying_key **verifying)
{
    sumac_groth16_verifying_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a key", sizeof *key);
    }
    key->groups = *of;
    key->publics = publics;
    *verifying = key;
    return SUMAC_OK;
}

sumac_status verifying_create(sumac_context *context, const groups *of, const verifying_points *points,
                              sumac_check check, sumac_groth16_verifying_key **verifying)
{
    sumac_groth16_verifying_key *key;
    sumac_status status = verifying_create_without(context, of, points->publics, &key);
    if (status != SUMAC_OK) {
        return status;
    }
    sumac_bases_config config = sumac_bases_config_default();
    config.form = points->form;
    config.check = check;
    config.replicated = 1;
    status = fill(context, points, &config, key);
    if (status != SUMAC_OK) {
        sumac_groth16_verifying_key_destroy(key);
        return status;
    }
    *verifying = key;
    return SUMAC_OK;
}

void sumac_groth16_verifying_key_destroy(sumac_groth16_verifying_key *verifying)
{
    if (verifying != NULL) {
        sumac_bases_destroy(verifying->ic);
        sumac_pairing_points_destroy(verifying->minus_points);
        free(verifying);
    }
}

sumac_status sumac_groth16_verifying_key_describe(const sumac_groth16_verifying_key *verifying,
                                                  sumac_groth16_info *info)
{
    sumac_message message;
    if (verifying == NULL || info == NULL || public_check(&public_groth16_info, info, &message) != SUMAC_OK) {
        return SUMAC_BAD_ARGUMENT;
    }
    const groups *of = &verifying->groups;
    const sumac_groth16_info own = {
        .size = sizeof own,
        .g1 = of->g1,
        .g2 = of->g2,
        .publics = verifying->publics,
        .publics_bytes = verifying->publics * of->info1->scalar_bytes,
        .proof_bytes = of->proof_bytes,
        .has_verifying_key = verifying->ic != NULL,
    };
    public_copy(&own, info);
    return SUMAC_OK;
}

/* A proof's public inputs, behind 1. */
static sumac_status take_publics(sumac_context *context, const sumac_groth16_verifying_key *key,
                                 const uint8_t *publics, uint8_t *scalars)
{
    const size_t bytes = key->groups.info1->scalar_bytes;
    const uint8_t *order = (const uint8_t *)key->groups.info1->order;
    memset(scalars, 0, bytes);
    scalars[0] = 1;
    for (uint64_t i = 0; i < key->publics; i++) {
        memcpy(scalars + (i + 1) * bytes, publics + i * bytes, bytes);
        if (!integer_is_less(publics + i * bytes, order, bytes)) {
            return fail(context, SUMAC_BAD_ENCODING, "public input %llu is not less than r",
                        (unsigned long long)i);
        }
    }
    return SUMAC_OK;
}

sumac_status verifying_add_up_publics(sumac_context *context, const sumac_groth16_verifying_key *key,
                                      const uint8_t *publics, size_t count, uint8_t *sums)
{
    const size_t terms = (size_t)key->publics + 1, bytes = key->groups.info1->scalar_bytes;
    sumac_status status;
    uint8_t *scalars = memory_allocate(context, "public inputs", count * terms * bytes, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    for (size_t i = 0; i < count && status == SUMAC_OK; i++) {
        status = take_publics(context, key, publics + i * (terms - 1) * bytes, scalars + i * terms * bytes);
    }
    if (status == SUMAC_OK) {
        sumac_msm_config config = sumac_msm_config_default();
        config.batch = (uint32_t)count;
        status = sumac_msm(context, key->ic, scalars, terms, &config, sums);
    }
    free(scalars);
    return status;
}

static sumac_status verify(sumac_context *context, const sumac_groth16_verifying_key *key,
                           const uint8_t *publics, const uint8_t *proof, int *holds)
{
    const size_t g1 = key->groups.info1->point_bytes, g2 = key->groups.info2->point_bytes;
    uint8_t points[4 * MOST_POINT_BYTES];
    memcpy(points, key->alpha1, g1);              /* with -beta */
    memcpy(points + 2 * g1, proof + g1 + g2, g1); /* C, with -delta */
    memcpy(points + 3 * g1, proof, g1);           /* A, with B */
    const sumac_status status =
        verifying_add_up_publics(context, key, publics, 1, points + g1); /* with -gamma */
    return status == SUMAC_OK ? sumac_pairing_check_prepared(context, key->minus_points, points, proof + g1,
                                                             4, SUMAC_CHECK_SUBGROUP, holds)
                              : status;
}

sumac_status verifying_check_usable(sumac_context *context, const sumac_groth16_verifying_key *verifying)
{
    if (verifying->ic == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "proofs of this key are not verified: it was opened without its verifying key");
    }
    return verifying->minus_points != NULL
               ? bases_check_usable(context, verifying->ic)
               : fail(context, SUMAC_NOT_SUPPORTED,
                      "proofs over %s are not verified: there is no pairing of it here",
                      verifying->groups.info1->name);
}

sumac_status sumac_groth16_verify(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                  const void *publics, const void *proof, int *holds)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (verifying == NULL || proof == NULL || holds == NULL || (publics == NULL && verifying->publics > 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "verifying, publics, proof and holds must not be null");
    }
    const sumac_status status = verifying_check_usable(context, verifying);
    return status == SUMAC_OK ? verify(context, verifying, publics, proof, holds) : status;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file creates verifying keys from points. */
#include "groth16/verifying_key.h"

#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/msm.h"
#include "base/sizes.h"
#include "base/try.h"
#include "io/file_points.h"
#include "io/memory.h"

static void close_verifying(sumac_groth16_verifying_key **key)
{
    sumac_groth16_verifying_key_destroy(*key);
}

/* Negate points of the second group by multiplying them by r - 1. file_points_take() has checked that their order is r. */
static sumac_status negate(sumac_context *context, const groups *of, const uint8_t *points, uint8_t *negated)
{
    uint8_t scalars[VERIFYING_G2 * MOST_SCALAR_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config unchecked = {.size = sizeof unchecked};
    sumac_msm_config config = {.size = sizeof config};
    unchecked.check = SUMAC_CHECK_NONE;
    config.batch = VERIFYING_G2;
    config.base_sets = VERIFYING_G2;
    for (size_t i = 0; i < VERIFYING_G2; i++) {
        uint8_t *scalar = scalars + i * of->g2->scalar_bytes;
        memcpy(scalar, of->g2->order, of->g2->scalar_bytes);
        scalar[0]--; /* r is odd */
    }
    TRY(sumac_bases_create(context, of->g2, points, VERIFYING_G2 * of->g2->point_bytes, VERIFYING_G2,
                           &unchecked, &bases));
    return msm_within(context, bases, scalars, 1, &config, 0, negated);
}

sumac_status verifying_create_without(sumac_context *context, const groups *of, uint64_t publics,
                                      uint32_t commitments, sumac_groth16_verifying_key **verifying)
{
    sumac_groth16_verifying_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a key", sizeof *key);
    }
    key->groups = *of;
    key->publics = publics;
    key->hash = commitment_hash_at(0);
    key->commitments.count = commitments;
    *verifying = key;
    return SUMAC_OK;
}

/* Prepare points for pairings. */
static sumac_status prepare(sumac_context *context, const sumac_group *g2, const uint8_t *points,
                            size_t count, sumac_pairing_points **prepared)
{
    return sumac_pairing_points_create(context, g2, points, count * g2->point_bytes, count, SUMAC_CHECK_NONE,
                                       prepared);
}

/* Copy what commitments are hashed from. */
static sumac_status take_inputs(sumac_context *context, const verifying_points *points,
                                sumac_groth16_verifying_key *key)
{
    const commitment_inputs *given = points->commitments;
    const uint32_t numbers = given->ends[given->count - 1];
    key->commitments = *given;
    key->commitments.hashed = memory_allocate(context, points->what, numbers * sizeof *given->hashed);
    TRY(memory_got(key->commitments.hashed));
    for (uint32_t k = 0; k < given->count; k++) {
        for (uint32_t i = commitment_begin(given, k); i < given->ends[k]; i++) {
            const uint32_t number = given->hashed[i];
            if (number == 0 || number > points->publics + k) {
                return fail(context, SUMAC_BAD_FILE,
                            "%s: commitment %u is hashed with value %u, and there are %llu public inputs and "
                            "%u commitments before it",
                            points->what, (unsigned)k, (unsigned)number, (unsigned long long)points->publics,
                            (unsigned)k);
            }
            key->commitments.hashed[i] = number;
        }
    }
    return SUMAC_OK;
}

static sumac_status take_commitments(sumac_context *context, const groups *of, const verifying_points *points,
                                     const sumac_bases_config *config, sumac_groth16_verifying_key *key)
{
    const size_t count = (size_t)points->commitments->count + 1;
    TRY(take_inputs(context, points, key));
    key->knowledge = memory_allocate(context, points->what, count * of->g2->point_bytes);
    TRY(memory_got(key->knowledge));
    TRY(file_points_take(context, of->g2, points->knowledge, count, config, points->what, key->knowledge));
    return prepare(context, of->g2, key->knowledge, count, &key->knowledge_points);
}

sumac_status verifying_create(sumac_context *context, const groups *of, const verifying_points *points,
                              sumac_check check, sumac_groth16_verifying_key **verifying)
{
    CLEANUP(close_verifying) sumac_groth16_verifying_key *key = NULL;
    const uint32_t commitments = points->commitments == NULL ? 0 : points->commitments->count;
    TRY(verifying_create_without(context, of, points->publics, commitments, &key));
    const size_t bytes = of->g2->point_bytes;
    uint8_t *g2 = key->g2_points, minus[VERIFYING_G2 * MOST_POINT_BYTES];
    sumac_bases_config config = {.size = sizeof config};
    config.form = points->form;
    config.check = check;
    config.replicated = 1;
    memcpy(g2, points->beta2, bytes);
    memcpy(g2 + bytes, points->gamma2, bytes);
    memcpy(g2 + 2 * bytes, points->delta2, bytes);
    TRY(file_points_take(context, of->g1, points->alpha1, 1, &config, points->what, key->alpha1));
    TRY(file_points_take(context, of->g2, g2, VERIFYING_G2, &config, points->what, g2));
    TRY(negate(context, of, g2, minus));
    TRY(prepare(context, of->g2, minus, VERIFYING_G2, &key->minus_points));
    TRY(commitments == 0 ? SUMAC_OK : take_commitments(context, of, points, &config, key));
    TRY(file_bases_create(context, of->g1, points->ic, points->publics + 1 + commitments, &config,
                          points->ic_what, &key->ic));
    key->hash = points->hash == NULL ? key->hash : points->hash;
    *verifying = key;
    key = NULL;
    return SUMAC_OK;
}

void sumac_groth16_verifying_key_destroy(sumac_groth16_verifying_key *verifying)
{
    if (verifying != NULL) {
        sumac_bases_destroy(verifying->ic);
        sumac_pairing_points_destroy(verifying->minus_points);
        sumac_pairing_points_destroy(verifying->knowledge_points);
        free(verifying->knowledge);
        free(verifying->commitments.hashed);
        free(verifying);
    }
}

sumac_status verifying_check_usable(sumac_context *context, const sumac_groth16_verifying_key *verifying)
{
    if (verifying->ic == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "proofs of this key are not verified: it was opened without its verifying key");
    }
    return bases_check_usable(context, verifying->ic);
}

sumac_status sumac_groth16_verifying_key_describe(const sumac_groth16_verifying_key *verifying,
                                                  sumac_groth16_info *info)
{
    sumac_message message;
    if (verifying == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_groth16_info, info, &message));
    const groups *of = &verifying->groups;
    const sumac_groth16_info described = {
        .size = sizeof described,
        .g1 = of->g1,
        .g2 = of->g2,
        .publics = verifying->publics,
        .publics_bytes = verifying_publics_bytes(verifying),
        .proof_bytes = verifying_proof_bytes(verifying),
        .has_verifying_key = verifying->ic != NULL,
        .commitments = verifying->commitments.count,
    };
    public_copy(&described, info);
    return SUMAC_OK;
}

sumac_status verifying_commitment_values(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                         const uint8_t *publics, const uint8_t *points, uint8_t *values)
{
    const commitment_inputs *commitments = &verifying->commitments;
    const sumac_group *g1 = verifying->groups.g1;
    const size_t each = g1->scalar_bytes;
    TAKE_MEMORY(uint8_t, hashed, context, "hashed values", commitments->ends[commitments->count - 1] * each);
    for (uint32_t k = 0; k < commitments->count; k++) {
        const uint32_t begin = commitment_begin(commitments, k), count = commitments->ends[k] - begin;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t number = commitments->hashed[begin + i] - UINT64_C(1);
            memcpy(hashed + i * each,
                   number < verifying->publics ? publics + number * each
                                               : values + (number - verifying->publics) * each,
                   each);
        }
        TRY(commitment_value(context, g1, verifying->hash, points + k * g1->point_bytes, hashed, count,
                             values + k * each));
    }
    return SUMAC_OK;
}

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
#include "io/importer.h"

static void close_verifying(sumac_groth16_verifying_key **key)
{
    sumac_groth16_verifying_key_destroy(*key);
}

sumac_status file_bases_create(sumac_context *context, const sumac_group *group, const void *points, size_t n,
                               const sumac_bases_config *config, const char *what, sumac_bases **bases)
{
    const sumac_status status =
        sumac_bases_create(context, group, points, n * group->point_bytes, n, config, bases);
    return point_is_refused(status) ? refuse_in(&context_executor(context)->message, status, "%s", what)
                                    : status;
}

/* Check a few points of a file, and convert them to raw canonical points. */
static sumac_status take_points(sumac_context *context, const sumac_group *group, const uint8_t *points,
                                size_t n, const sumac_bases_config *config, const char *what, uint8_t *raw)
{
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    TRY(file_bases_create(context, group, points, n, config, what, &bases));
    return sumac_bases_get(context, bases, 0, n, raw, n * group->point_bytes);
}

/* Negate points of the second group by multiplying them by r - 1. take_points() has checked that their order is r. */
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
        uint8_t *scalar = scalars + i * of->info2->scalar_bytes;
        memcpy(scalar, of->info2->order, of->info2->scalar_bytes);
        scalar[0]--; /* r is odd */
    }
    TRY(sumac_bases_create(context, of->g2, points, VERIFYING_G2 * of->g2->point_bytes, VERIFYING_G2,
                           &unchecked, &bases));
    return msm_within(context, bases, scalars, 1, &config, 0, negated);
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
    CLEANUP(close_verifying) sumac_groth16_verifying_key *key = NULL;
    TRY(verifying_create_without(context, of, points->publics, &key));
    const size_t bytes = of->info2->point_bytes;
    uint8_t *g2 = key->g2_points, minus[VERIFYING_G2 * MOST_POINT_BYTES];
    sumac_bases_config config = {.size = sizeof config};
    config.form = points->form;
    config.check = check;
    config.replicated = 1;
    memcpy(g2, points->beta2, bytes);
    memcpy(g2 + bytes, points->gamma2, bytes);
    memcpy(g2 + 2 * bytes, points->delta2, bytes);
    TRY(take_points(context, of->g1, points->alpha1, 1, &config, points->what, key->alpha1));
    TRY(take_points(context, of->g2, g2, VERIFYING_G2, &config, points->what, g2));
    TRY(negate(context, of, g2, minus));
    const sumac_status status = sumac_pairing_points_create(
        context, of->g2, minus, VERIFYING_G2 * bytes, VERIFYING_G2, SUMAC_CHECK_NONE, &key->minus_points);
    TRY(status == SUMAC_NOT_SUPPORTED ? SUMAC_OK : status); /* without a pairing, the key can't verify */
    TRY(file_bases_create(context, of->g1, points->ic, points->publics + 1, &config, points->ic_what,
                          &key->ic));
    *verifying = key;
    key = NULL;
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

sumac_status verifying_check_usable(sumac_context *context, const sumac_groth16_verifying_key *verifying)
{
    if (verifying->ic == NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "proofs of this key are not verified: it was opened without its verifying key");
    }
    return verifying->minus_points != NULL
               ? bases_check_usable(context, verifying->ic)
               : fail(context, SUMAC_NOT_SUPPORTED,
                      "proofs over %s can't be verified: this library has no pairing for it",
                      verifying->groups.info1->curve);
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
        .proof_bytes = of->proof_bytes,
        .has_verifying_key = verifying->ic != NULL,
    };
    public_copy(&described, info);
    return SUMAC_OK;
}

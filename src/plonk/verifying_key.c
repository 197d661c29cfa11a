/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file makes verifying keys from points. */
#include "plonk/verifying_key.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/sizes.h"
#include "base/try.h"
#include "io/file_points.h"

sumac_status plonk_check_curve(sumac_context *context, const char *what, const plonk_flavour *flavour,
                               const groups *of)
{
    return flavour->curve == NULL || strcmp(flavour->curve, of->g1->curve) == 0
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "%s: %s over %s; it is only for %s", what,
                      flavour->protocol, of->g1->curve, flavour->curve);
}

/* A file has the flavour's roots of unity, which must be those that the prover and the verifier use. */
static sumac_status check_roots(sumac_context *context, const sumac_plonk_verifying_key *key,
                                const verifying_parts *parts)
{
    const plonk_flavour *flavour = key->flavour;
    const sumac_group *g1 = key->groups.g1;
    host_scalar roots[MOST_ROOTS];
    if (flavour->roots_count > 0) {
        flavour->find_roots(g1, key->root, key->power, roots);
    }
    for (uint32_t i = 0; i < flavour->roots_count; i++) {
        if (!host_is_zero(g1, host_subtract(g1, roots[i], parts->roots[i]))) {
            return fail(context, SUMAC_BAD_FILE, "%s: %s is not the root of unity that it must be",
                        parts->what, flavour->root_names[i]);
        }
    }
    return SUMAC_OK;
}

sumac_status plonk_verifying_create(sumac_context *context, const groups *of, const verifying_parts *parts,
                                    sumac_check check, sumac_plonk_verifying_key **verifying)
{
    uint8_t eighth[MOST_SCALAR_BYTES] = {0}, pair[2 * MOST_POINT_BYTES];
    const size_t g1 = of->g1->point_bytes, g2 = of->g2->point_bytes;
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(plonk_close_verifying) sumac_plonk_verifying_key *key = calloc(1, sizeof *key);
    if (key == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a key", sizeof *key);
    }
    TRY(plonk_check_curve(context, parts->what, parts->flavour, of));
    /* A proof's quotient needs roots of eight times the domain's order. */
    if (parts->power > MOST_POWER ||
        sumac_root_of_unity(of->g1, parts->power + 3, eighth, sizeof eighth) != SUMAC_OK) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "%s: a domain of 2^%u, for which the field of %s has no roots of unity", parts->what,
                    (unsigned)parts->power, of->g1->curve);
    }
    if (parts->publics > UINT64_C(1) << parts->power) {
        return fail(context, SUMAC_BAD_FILE, "%s: %llu public inputs, and a domain of 2^%u", parts->what,
                    (unsigned long long)parts->publics, (unsigned)parts->power);
    }
    key->flavour = parts->flavour;
    key->groups = *of;
    key->publics = (uint32_t)parts->publics;
    key->commitments = parts->commitments;
    for (uint32_t i = 0; i < parts->commitments; i++) {
        key->commitment_gates[i] = parts->commitment_gates[i];
    }
    const size_t points = plonk_key_points(key);
    key->power = parts->power;
    key->k1 = parts->k1;
    key->k2 = parts->k2;
    key->root_of_8n = host_from_raw(of->g1, eighth);
    key->root = host_power(of->g1, host_square(of->g1, key->root_of_8n, 3), parts->root_exponent);
    TRY(check_roots(context, key, parts));
    config.form = parts->form;
    config.check = check;
    TRY(file_points_take(context, of->g1, parts->points, points, &config, parts->what, key->points));
    TRY(file_points_take(context, of->g2, parts->tau2, 1, &config, parts->what, key->tau2));
    TRY(sumac_group_generator(of->g1, key->points + points * g1, g1));
    memcpy(pair, key->tau2, g2);
    TRY(sumac_group_generator(of->g2, pair + g2, g2));
    TRY(sumac_pairing_points_create(context, of->g2, pair, 2 * g2, 2, SUMAC_CHECK_NONE, &key->pair));
    *verifying = key;
    key = NULL;
    return SUMAC_OK;
}

void sumac_plonk_verifying_key_destroy(sumac_plonk_verifying_key *verifying)
{
    if (verifying != NULL) {
        sumac_pairing_points_destroy(verifying->pair);
        free(verifying);
    }
}

sumac_status sumac_plonk_verifying_key_describe(const sumac_plonk_verifying_key *verifying,
                                                sumac_plonk_info *info)
{
    sumac_message message;
    if (verifying == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_plonk_info, info, &message));
    const sumac_plonk_info described = {
        .size = sizeof described,
        .g1 = verifying->groups.g1,
        .g2 = verifying->groups.g2,
        .publics = verifying->publics,
        .domain = UINT64_C(1) << verifying->power,
        .publics_bytes = plonk_publics_bytes(verifying),
        .proof_bytes = plonk_proof_bytes(verifying),
        .blinding_bytes = plonk_blinding_bytes(verifying),
        .commitments = verifying->commitments,
        .format = verifying->flavour->name,
        .protocol = verifying->flavour->protocol,
    };
    public_copy(&described, info);
    return SUMAC_OK;
}

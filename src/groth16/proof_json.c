/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file writes and reads proofs and public inputs in snarkjs' JSON, and reads verifying keys in it. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "groth16/proof_formats.h"
#include "io/json_text.h"
#include "io/memory.h"

/* ---- Writing ---- */

static sumac_status check_curve(sumac_context *context, const groups *of)
{
    return of->json_name != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "snarkjs does not have %s, so there is no JSON for it",
                      of->g1->curve);
}

static sumac_status check_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying)
{
    TRY(check_curve(context, &verifying->groups));
    return verifying->commitments.count == 0
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "snarkjs has no commitments, and no JSON of them");
}

static sumac_status encode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const uint8_t *proof, void **text, size_t *bytes)
{
    TRY(check_proof(context, verifying));
    json_text out = {.context = context};
    const groups *of = &verifying->groups;
    text_open(&out, "{");
    text_point(&out, 1, "pi_a", of->g1, proof);
    text_point(&out, 0, "pi_b", of->g2, proof + of->g1->point_bytes);
    text_point(&out, 0, "pi_c", of->g1, proof + of->g1->point_bytes + of->g2->point_bytes);
    text_next(&out, 0, "protocol");
    text_put(&out, "\"groth16\"");
    text_next(&out, 0, "curve");
    text_put(&out, "\"%s\"", of->json_name);
    text_close(&out, "}");
    return text_finish(&out, text, bytes);
}

static sumac_status encode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *publics, void **text, size_t *bytes)
{
    TRY(check_curve(context, &verifying->groups));
    return text_of_publics(context, verifying->groups.g1, verifying->publics, publics, text, bytes);
}

/* ---- Reading ---- */

static sumac_status decode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const uint8_t *text, size_t bytes, const char *name, uint8_t *proof)
{
    json_source source;
    uint8_t points[4 * MOST_POINT_BYTES];
    TRY(check_proof(context, verifying));
    TRY(source_read(&source, context, (const char *)text, bytes, name));
    TRY(source_protocol(&source, "groth16"));
    const groups *of = &verifying->groups;
    const size_t g1 = of->g1->point_bytes;
    TRY(source_curve(&source, of));
    TRY(source_member_point(&source, "pi_a", of->g1, points));
    TRY(source_member_point(&source, "pi_b", of->g2, points + g1));
    TRY(source_member_point(&source, "pi_c", of->g1, points + g1 + of->g2->point_bytes));
    memcpy(proof, points, of->proof_bytes);
    return SUMAC_OK;
}

static sumac_status decode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *text, size_t bytes, const char *name, uint8_t *publics)
{
    TRY(check_curve(context, &verifying->groups));
    return publics_of_text(context, verifying->groups.g1, verifying->publics, (const char *)text, bytes, name,
                           publics);
}

const proof_format snarkjs_proof_format = {
    .name = "snarkjs", .proof = {encode_proof, decode_proof}, .publics = {encode_publics, decode_publics}};

/* ---- Verifying keys ---- */

/* Read IC into memory that the caller frees, also after a failure. */
static sumac_status read_ic(const json_source *source, const sumac_group *info, uint8_t **points,
                            uint64_t *publics)
{
    json_value array, item;
    uint64_t count = 0;
    if (!json_member(source->value, "IC", &array) || !json_is_array(array)) {
        return source_wrong(source, "IC", "an array of points");
    }
    json_value items = json_items_of(array);
    while (json_next_item(&items, &item)) {
        count++;
    }
    if (count == 0) {
        return source_wrong(source, "IC", "an array of one point at least");
    }
    *points = memory_allocate(source->context, source->name, count * info->point_bytes);
    TRY(memory_got(*points));
    items = json_items_of(array);
    for (uint64_t i = 0; i < count && json_next_item(&items, &item); i++) {
        TRY(source_point(source, item, "IC", info, *points + i * info->point_bytes));
    }
    *publics = count - 1;
    return SUMAC_OK;
}

/* If the text has "nPublic", check that it is the number of public inputs that IC has. */
static sumac_status check_publics(const json_source *source, uint64_t publics)
{
    json_value value;
    uint64_t said;
    if (!json_member(source->value, "nPublic", &value)) {
        return SUMAC_OK;
    }
    return source_number(source, "nPublic", &said) && said == publics
               ? SUMAC_OK
               : fail(source->context, SUMAC_BAD_FILE,
                      "%s: nPublic is not %llu, for which IC has %llu points", source->name,
                      (unsigned long long)publics, (unsigned long long)publics + 1);
}

sumac_status json_read_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                 sumac_groth16_verifying_key **verifying)
{
    json_source source;
    groups of;
    uint8_t alpha1[MOST_POINT_BYTES], beta2[MOST_POINT_BYTES], gamma2[MOST_POINT_BYTES],
        delta2[MOST_POINT_BYTES];
    verifying_points points = {
        .alpha1 = alpha1, .beta2 = beta2, .gamma2 = gamma2, .delta2 = delta2, .what = name, .ic_what = name};
    AUTO_FREE uint8_t *ic = NULL;
    TRY(source_read(&source, context, text, bytes, name));
    TRY(source_protocol(&source, "groth16"));
    TRY(source_groups(&source, &of));
    TRY(source_member_point(&source, "vk_alpha_1", of.g1, alpha1));
    TRY(source_member_point(&source, "vk_beta_2", of.g2, beta2));
    TRY(source_member_point(&source, "vk_gamma_2", of.g2, gamma2));
    TRY(source_member_point(&source, "vk_delta_2", of.g2, delta2));
    TRY(read_ic(&source, of.g1, &ic, &points.publics));
    TRY(check_publics(&source, points.publics));
    points.ic = ic;
    return verifying_create(context, &of, &points, SUMAC_CHECK_SUBGROUP, verifying);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file encodes and decodes proofs and public inputs, and reads verifying keys, in snarkjs' JSON. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "io/json_text.h"
#include "io/memory.h"
#include "plonk/proof_formats.h"

/* ---- Proofs ---- */

/* Begin an object that is a member, if it has a name, and end it. */
static void open_member(json_text *out, int is_first, const char *member)
{
    if (member != NULL) {
        text_next(out, is_first, member);
        text_open(out, "{");
    }
}

static void close_member(json_text *out, const char *member)
{
    if (member != NULL) {
        text_close(out, "}");
    }
}

static sumac_status encode_proof(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const uint8_t *proof, void **text, size_t *bytes)
{
    const sumac_group *g1 = verifying->groups.g1;
    const plonk_flavour *flavour = verifying->flavour;
    const item_list *points = &flavour->proof_points, *scalars = &flavour->proof_scalars;
    json_text out = {.context = context};
    text_open(&out, "{");
    open_member(&out, 1, flavour->points_member);
    for (uint32_t i = 0; i < points->count; i++) {
        const plonk_item item = points->items[i];
        text_point(&out, i == 0, flavour->names[item], g1, proof + plonk_item_at(verifying, item));
    }
    close_member(&out, flavour->points_member);
    open_member(&out, 0, flavour->scalars_member);
    for (uint32_t i = 0; i < scalars->count; i++) {
        const plonk_item item = scalars->items[i];
        text_next(&out, i == 0 && flavour->scalars_member != NULL, flavour->names[item]);
        text_number(&out, proof + plonk_item_at(verifying, item), g1->scalar_bytes);
    }
    close_member(&out, flavour->scalars_member);
    text_next(&out, 0, "protocol");
    text_put(&out, "\"%s\"", flavour->protocol);
    text_next(&out, 0, "curve");
    text_put(&out, "\"%s\"", verifying->groups.json_name);
    text_close(&out, "}");
    return text_finish(&out, text, bytes);
}

/* Find the member of a text that has its points or its scalars. */
static sumac_status find_part(const json_source *source, const char *member, json_source *part)
{
    *part = *source;
    return member == NULL || json_member(source->value, member, &part->value)
               ? SUMAC_OK
               : fail(source->context, SUMAC_BAD_FILE, "%s: it has no %s", source->name, member);
}

static sumac_status decode_proof(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const void *text, size_t bytes, const char *name, uint8_t *proof)
{
    const sumac_group *g1 = verifying->groups.g1;
    const plonk_flavour *flavour = verifying->flavour;
    const item_list *points = &flavour->proof_points, *scalars = &flavour->proof_scalars;
    uint8_t raw[MOST_PROOF_POINTS * MOST_POINT_BYTES + MOST_ITEMS * MOST_SCALAR_BYTES];
    json_source source, of_points, of_scalars;
    TRY(source_read(&source, context, text, bytes, name));
    TRY(source_protocol(&source, flavour->protocol));
    TRY(source_curve(&source, &verifying->groups));
    TRY(find_part(&source, flavour->points_member, &of_points));
    TRY(find_part(&source, flavour->scalars_member, &of_scalars));
    for (uint32_t i = 0; i < points->count; i++) {
        const plonk_item item = points->items[i];
        TRY(source_member_point(&of_points, flavour->names[item], g1, raw + plonk_item_at(verifying, item)));
    }
    for (uint32_t i = 0; i < scalars->count; i++) {
        const plonk_item item = scalars->items[i];
        TRY(source_member_scalar(&of_scalars, flavour->names[item], g1,
                                 raw + plonk_item_at(verifying, item)));
    }
    memcpy(proof, raw, plonk_proof_bytes(verifying));
    return SUMAC_OK;
}

/* ---- Public inputs ---- */

static sumac_status encode_publics(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                   const uint8_t *publics, void **text, size_t *bytes)
{
    return text_of_publics(context, verifying->groups.g1, verifying->publics, publics, text, bytes);
}

static sumac_status decode_publics(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                   const void *text, size_t bytes, const char *name, uint8_t *publics)
{
    return publics_of_text(context, verifying->groups.g1, verifying->publics, text, bytes, name, publics);
}

const plonk_format snarkjs_plonk_format = {"snarkjs",
                                           &snarkjs_plonk,
                                           {encode_proof, decode_proof},
                                           {encode_publics, decode_publics}},
                   snarkjs_fflonk_format = {"snarkjs",
                                            &snarkjs_fflonk,
                                            {encode_proof, decode_proof},
                                            {encode_publics, decode_publics}};

/* ---- Verifying keys ---- */

static sumac_status read_number(const json_source *source, const char *member, uint64_t most,
                                uint64_t *number)
{
    return source_number(source, member, number) && *number <= most
               ? SUMAC_OK
               : source_wrong(source, member, "a number of its range");
}

/* The text has the root of the domain. It must be the key's, because a key has no other. */
static sumac_status check_root(const json_source *source, const sumac_plonk_verifying_key *key)
{
    const sumac_group *g1 = key->groups.g1;
    uint8_t said[MOST_SCALAR_BYTES], expected[MOST_SCALAR_BYTES];
    TRY(source_member_scalar(source, "w", g1, said));
    host_to_raw(g1, key->root, expected);
    return memcmp(said, expected, g1->scalar_bytes) == 0
               ? SUMAC_OK
               : source_wrong(source, "w", "the root of unity of the domain that power has");
}

/* Find the flavour of a text. One that does not say its protocol is of PLONK. */
static sumac_status read_flavour(const json_source *source, const plonk_flavour **flavour)
{
    json_value value;
    const int is_fflonk =
        json_member(source->value, "protocol", &value) && json_is(value, snarkjs_fflonk.protocol);
    *flavour = is_fflonk ? &snarkjs_fflonk : &snarkjs_plonk;
    return source_protocol(source, (*flavour)->protocol);
}

sumac_status plonk_json_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                  sumac_plonk_verifying_key **verifying)
{
    CLEANUP(plonk_close_verifying) sumac_plonk_verifying_key *key = NULL;
    uint8_t points[MOST_KEY_POINTS * MOST_POINT_BYTES], tau2[MOST_POINT_BYTES], number[MOST_SCALAR_BYTES];
    uint64_t power;
    json_source source;
    groups of;
    verifying_parts parts = {.points = points, .tau2 = tau2, .what = name};
    TRY(source_read(&source, context, text, bytes, name));
    TRY(read_flavour(&source, &parts.flavour));
    TRY(source_groups(&source, &of));
    TRY(read_number(&source, "nPublic", UINT32_MAX, &parts.publics));
    TRY(read_number(&source, "power", MOST_POWER, &power));
    TRY(source_member_scalar(&source, "k1", of.g1, number));
    parts.k1 = host_from_raw(of.g1, number);
    TRY(source_member_scalar(&source, "k2", of.g1, number));
    parts.k2 = host_from_raw(of.g1, number);
    for (uint32_t i = 0; i < parts.flavour->roots_count; i++) {
        TRY(source_member_scalar(&source, parts.flavour->root_names[i], of.g1, number));
        parts.roots[i] = host_from_raw(of.g1, number);
    }
    for (uint32_t i = 0; i < parts.flavour->key_points.count; i++) {
        TRY(source_member_point(&source, parts.flavour->names[parts.flavour->key_points.items[i]], of.g1,
                                points + (size_t)i * of.g1->point_bytes));
    }
    TRY(source_member_point(&source, "X_2", of.g2, tau2));
    parts.root_exponent = of.root_exponent;
    parts.power = (uint32_t)power;
    TRY(plonk_verifying_create(context, &of, &parts, SUMAC_CHECK_SUBGROUP, &key));
    TRY(check_root(&source, key));
    *verifying = key;
    key = NULL;
    return SUMAC_OK;
}

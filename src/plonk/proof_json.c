/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file encodes and decodes proofs and public inputs, and reads verifying keys, in snarkjs' JSON. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "io/json_text.h"
#include "io/memory.h"
#include "plonk/proof_formats.h"

static const char protocol[] = "plonk";

/* ---- Proofs ---- */

static sumac_status encode_proof(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const uint8_t *proof, void **text, size_t *bytes)
{
    const sumac_group *g1 = verifying->groups.g1;
    const char *const *names = verifying->flavour->names;
    json_text out = {.context = context};
    text_open(&out, "{");
    for (plonk_item item = PROOF_A; item < EVAL_A; item = plonk_next(verifying, item)) {
        text_point(&out, item == PROOF_A, names[item], g1, proof + plonk_item_at(verifying, item));
    }
    for (plonk_item item = EVAL_A; item < BETA; item = plonk_next(verifying, item)) {
        text_member_number(&out, names[item], proof + plonk_item_at(verifying, item), g1->scalar_bytes);
    }
    text_next(&out, 0, "protocol");
    text_put(&out, "\"%s\"", protocol);
    text_next(&out, 0, "curve");
    text_put(&out, "\"%s\"", verifying->groups.json_name);
    text_close(&out, "}");
    return text_finish(&out, text, bytes);
}

static sumac_status decode_proof(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const void *text, size_t bytes, const char *name, uint8_t *proof)
{
    const sumac_group *g1 = verifying->groups.g1;
    uint8_t raw[PROOF_POINTS * MOST_POINT_BYTES + OPENINGS * MOST_SCALAR_BYTES];
    json_source source;
    TRY(source_read(&source, context, text, bytes, name));
    TRY(source_protocol(&source, protocol));
    TRY(source_curve(&source, &verifying->groups));
    for (plonk_item item = PROOF_A; item < BETA; item = plonk_next(verifying, item)) {
        const char *member = verifying->flavour->names[item];
        uint8_t *at = raw + plonk_item_at(verifying, item);
        TRY(item < EVAL_A ? source_member_point(&source, member, g1, at)
                          : source_member_scalar(&source, member, g1, at));
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

const plonk_format snarkjs_plonk_format = {
    "snarkjs", &snarkjs_plonk, {encode_proof, decode_proof}, {encode_publics, decode_publics}};

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

sumac_status plonk_json_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                  sumac_plonk_verifying_key **verifying)
{
    CLEANUP(plonk_close_verifying) sumac_plonk_verifying_key *key = NULL;
    uint8_t points[KEY_POINTS * MOST_POINT_BYTES], tau2[MOST_POINT_BYTES], k[2][MOST_SCALAR_BYTES];
    uint64_t power;
    json_source source;
    groups of;
    verifying_parts parts = {.flavour = &snarkjs_plonk, .points = points, .tau2 = tau2, .what = name};
    TRY(source_read(&source, context, text, bytes, name));
    TRY(source_protocol(&source, protocol));
    TRY(source_groups(&source, &of));
    TRY(read_number(&source, "nPublic", UINT32_MAX, &parts.publics));
    TRY(read_number(&source, "power", MOST_POWER, &power));
    TRY(source_member_scalar(&source, "k1", of.g1, k[0]));
    TRY(source_member_scalar(&source, "k2", of.g1, k[1]));
    for (plonk_item item = KEY_QM; item < KEY_QCP; item++) {
        TRY(source_member_point(&source, snarkjs_plonk.names[item], of.g1,
                                points + (size_t)item * of.g1->point_bytes));
    }
    TRY(source_member_point(&source, "X_2", of.g2, tau2));
    parts.root_exponent = of.root_exponent;
    parts.power = (uint32_t)power;
    parts.k1 = host_from_raw(of.g1, k[0]);
    parts.k2 = host_from_raw(of.g1, k[1]);
    TRY(plonk_verifying_create(context, &of, &parts, SUMAC_CHECK_SUBGROUP, &key));
    TRY(check_root(&source, key));
    *verifying = key;
    key = NULL;
    return SUMAC_OK;
}

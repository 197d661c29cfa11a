/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/groth16_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/try.h"
#include "support/cleanup.h"

static sumac_status call_key_open(groth16_scene *s)
{
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    TRY(sumac_groth16_key_open(s->c.context, s->zkey_path, NULL, &key));
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_key_create(groth16_scene *s)
{
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    TRY(sumac_groth16_key_create(s->c.context, s->zkey, s->zkey_bytes, NULL, &key));
    s->out[0] = 1;
    return SUMAC_OK;
}

/* Save the key, and prove with the saved one. */
static sumac_status call_prepared(groth16_scene *s)
{
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    TRY(sumac_groth16_key_save(s->c.context, s->c.key, s->prepared_path));
    TRY(sumac_groth16_key_open(s->c.context, s->prepared_path, NULL, &key));
    return test_prove(s->c.context, key, s->many.witnesses, 1, &s->many.config, s->out);
}

static sumac_status call_verifying_key(groth16_scene *s)
{
    CLEANUP(destroy_verifying_key) sumac_groth16_verifying_key *from_json = NULL, *from_zkey = NULL;
    TRY(sumac_groth16_verifying_key_open(s->c.context, s->json_path, &from_json));
    TRY(sumac_groth16_verifying_key_create(s->c.context, s->zkey, s->zkey_bytes, &from_zkey));
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_witness(groth16_scene *s)
{
    CLEANUP(free_memory) void *witness = NULL;
    TRY(test_witness_open(s->c.context, s->c.key, s->wtns_path, &witness));
    return sumac_groth16_witness_publics(s->c.context, s->c.key, witness, s->c.info.witness_bytes, s->out,
                                         s->c.info.publics_bytes);
}

static sumac_status call_witness_check(groth16_scene *s)
{
    return test_witness_check(s->c.context, s->c.key, s->c.witness, s->r1cs_path);
}

static sumac_status call_prove(groth16_scene *s)
{
    return test_prove(s->c.context, s->c.key, s->many.witnesses, 1, &s->many.config, s->out);
}

static sumac_status call_prove_several(groth16_scene *s)
{
    return test_prove(s->c.context, s->c.key, s->many.witnesses, GROTH16_PROOFS, &s->many.config, s->out);
}

static sumac_status call_prove_vector(groth16_scene *s)
{
    return test_prove_vector(s->c.context, s->c.key, s->witnesses, GROTH16_PROOFS, &s->many.config, s->out);
}

static sumac_status verify(groth16_scene *s, size_t count)
{
    int ok = 0;
    TRY(test_verify(s->c.context, s->c.verifying, s->publics, s->many.proofs, count, &ok));
    s->out[0] = (uint8_t)ok;
    return ok ? SUMAC_OK : SUMAC_INTERNAL;
}

static sumac_status call_verify(groth16_scene *s)
{
    return verify(s, 1);
}

static sumac_status call_verify_several(groth16_scene *s)
{
    return verify(s, GROTH16_PROOFS);
}

static sumac_status call_proof_format(groth16_scene *s)
{
    CLEANUP(free_memory) void *encoded = NULL;
    size_t bytes = 0;
    TRY(sumac_groth16_proof_encode(s->c.context, s->c.verifying, s->many.proofs, s->c.info.proof_bytes,
                                   "snarkjs", &encoded, &bytes));
    return sumac_groth16_proof_decode(s->c.context, s->c.verifying, encoded, bytes, "snarkjs", "proof.json",
                                      s->out, s->c.info.proof_bytes);
}

static sumac_status call_publics_format(groth16_scene *s)
{
    CLEANUP(free_memory) void *encoded = NULL;
    size_t bytes = 0;
    TRY(sumac_groth16_publics_encode(s->c.context, s->c.verifying, s->publics, s->c.info.publics_bytes,
                                     "snarkjs", &encoded, &bytes));
    return sumac_groth16_publics_decode(s->c.context, s->c.verifying, encoded, bytes, "snarkjs",
                                        "public.json", s->out, s->c.info.publics_bytes);
}

const groth16_call groth16_calls[] = {
    {"groth16_key_open", call_key_open},
    {"groth16_key_create", call_key_create},
    {"groth16_key_save, and a proof with the saved key", call_prepared},
    {"groth16_verifying_key_open and _create", call_verifying_key},
    {"groth16_witness_open and _publics", call_witness},
    {"groth16_witness_check", call_witness_check},
    {"groth16_prove", call_prove},
    {"groth16_prove, several proofs", call_prove_several},
    {"groth16_prove_vector", call_prove_vector},
    {"groth16_verify", call_verify},
    {"groth16_verify, several proofs", call_verify_several},
    {"groth16_proof_encode and _decode", call_proof_format},
    {"groth16_publics_encode and _decode", call_publics_format},
};
const size_t groth16_call_count = sizeof groth16_calls / sizeof *groth16_calls;

void groth16_scene_open(groth16_scene *s, int which, sumac_context *context)
{
    *s = (groth16_scene){.out = NULL};
    circuit_open_in(&s->c, which, context);
    const sumac_groth16_info *info = &s->c.info;
    s->many = many_make(&s->c, GROTH16_PROOFS);
    s->witnesses = circuit_vector(context, info, s->many.witnesses, GROTH16_PROOFS * (size_t)info->wires);
    s->publics = test_alloc(GROTH16_PROOFS * (size_t)info->publics_bytes);
    for (size_t i = 0; i < GROTH16_PROOFS; i++) {
        memcpy(s->publics + i * info->publics_bytes, s->c.publics, info->publics_bytes);
    }
    s->zkey = circuit_read(s->c.name, "key.zkey", &s->zkey_bytes);
    s->out_bytes = GROTH16_PROOFS * (size_t)(info->proof_bytes + info->publics_bytes);
    s->out = test_alloc(s->out_bytes);
    (void)circuit_path(s->c.name, "key.zkey", s->zkey_path);
    (void)circuit_path(s->c.name, "circuit.r1cs", s->r1cs_path);
    (void)circuit_path(s->c.name, "witness.wtns", s->wtns_path);
    (void)circuit_path(s->c.name, "verification_key.json", s->json_path);
    snprintf(s->prepared_path, sizeof s->prepared_path, "/tmp/sumac-groth16-calls-%ld", (long)getpid());
    TEST_OK(context, test_prove(context, s->c.key, s->many.witnesses, GROTH16_PROOFS, &s->many.config,
                                s->many.proofs));
}

void groth16_scene_close(groth16_scene *s)
{
    (void)unlink(s->prepared_path);
    sumac_vector_destroy(s->witnesses);
    many_free(&s->many);
    free(s->publics);
    free(s->zkey);
    free(s->out);
    circuit_close(&s->c);
}

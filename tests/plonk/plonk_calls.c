/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/plonk_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/try.h"
#include "support/cleanup.h"

static sumac_status prove(plonk_scene *s, const sumac_plonk_key *key, const uint8_t *witnesses, size_t count)
{
    const sumac_plonk_info *info = &s->c.info;
    sumac_plonk_prove_config config = {.size = sizeof config};
    config.blinding = s->blinding;
    config.blinding_bytes = count * info->blinding_bytes;
    return sumac_plonk_prove(s->c.context, key, witnesses, count * info->witness_bytes, count, &config,
                             s->out, count * info->proof_bytes);
}

static sumac_status verify(plonk_scene *s, const sumac_plonk_verifying_key *verifying, size_t count)
{
    int ok = 0;
    TRY(sumac_plonk_verify(s->c.context, verifying, s->publics, count * s->c.info.publics_bytes, s->proofs,
                           count * s->c.info.proof_bytes, count, &ok));
    s->out[0] = (uint8_t)ok;
    return ok ? SUMAC_OK : SUMAC_INTERNAL;
}

/* ---- Rows ---- */

static sumac_status call_key_open(plonk_scene *s)
{
    CLEANUP(destroy_plonk_key) sumac_plonk_key *key = NULL;
    TRY(sumac_plonk_key_open(s->c.context, s->key_path, NULL, &key));
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_key_create(plonk_scene *s)
{
    CLEANUP(destroy_plonk_key) sumac_plonk_key *key = NULL;
    TRY(sumac_plonk_key_create(s->c.context, s->c.key_file, s->c.key_size, NULL, &key));
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_verifying_key(plonk_scene *s)
{
    CLEANUP(destroy_plonk_verifying_key) sumac_plonk_verifying_key *opened = NULL, *created = NULL;
    TRY(sumac_plonk_verifying_key_open(s->c.context, s->verifying_path, &opened));
    TRY(sumac_plonk_verifying_key_create(s->c.context, s->c.key_file, s->c.key_size, &created));
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_witness(plonk_scene *s)
{
    CLEANUP(free_memory) void *witness = NULL;
    size_t bytes = 0;
    TRY(sumac_plonk_witness_open(s->c.context, s->c.key, s->witness_path, &witness, &bytes));
    return sumac_plonk_witness_publics(s->c.context, s->c.key, witness, bytes, s->out,
                                       s->c.info.publics_bytes);
}

static sumac_status call_prove(plonk_scene *s)
{
    return prove(s, s->c.key, s->witnesses, 1);
}

static sumac_status call_prove_several(plonk_scene *s)
{
    return prove(s, s->c.key, s->witnesses, PLONK_PROOFS);
}

static sumac_status call_prove_badly(plonk_scene *s)
{
    const sumac_status status = prove(s, s->c.key, s->bad_witness, 1);
    if (status != SUMAC_NOT_SATISFIED) {
        return status == SUMAC_OK ? SUMAC_INTERNAL : status;
    }
    TRY(sumac_context_check(s->c.context)); /* this call removes the sentence */
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_commit(plonk_scene *s)
{
    uint8_t numbers[2 * 48], hash[48];
    const size_t each = s->c.info.g1->scalar_bytes;
    TRY(sumac_plonk_commit(s->c.context, s->c.key, 0, s->witnesses, each, numbers, 2 * each, hash, each));
    s->out[0] = 1;
    return SUMAC_OK;
}

static sumac_status call_verify(plonk_scene *s)
{
    return verify(s, s->c.verifying, 1);
}

static sumac_status call_verify_several(plonk_scene *s)
{
    return verify(s, s->c.verifying, PLONK_PROOFS);
}

static sumac_status call_proof_format(plonk_scene *s)
{
    CLEANUP(free_memory) void *encoded = NULL;
    const sumac_plonk_info *info = &s->c.info;
    size_t bytes = 0;
    TRY(sumac_plonk_proof_encode(s->c.context, s->c.verifying, s->proofs, info->proof_bytes, info->format,
                                 &encoded, &bytes));
    return sumac_plonk_proof_decode(s->c.context, s->c.verifying, encoded, bytes, info->format, "proof",
                                    s->out, info->proof_bytes);
}

static sumac_status call_publics_format(plonk_scene *s)
{
    CLEANUP(free_memory) void *encoded = NULL;
    const sumac_plonk_info *info = &s->c.info;
    size_t bytes = 0;
    TRY(sumac_plonk_publics_encode(s->c.context, s->c.verifying, s->publics, info->publics_bytes,
                                   info->format, &encoded, &bytes));
    return sumac_plonk_publics_decode(s->c.context, s->c.verifying, encoded, bytes, info->format, "public",
                                      s->out, info->publics_bytes);
}

/* Save the key, and prove with the saved one. */
static sumac_status call_prepared(plonk_scene *s)
{
    CLEANUP(destroy_plonk_key) sumac_plonk_key *key = NULL;
    TRY(sumac_plonk_key_save(s->c.context, s->c.key, s->made_path));
    TRY(sumac_plonk_key_open(s->c.context, s->made_path, NULL, &key));
    return prove(s, key, s->witnesses, 1);
}

static sumac_status call_setup(plonk_scene *s)
{
    TRY(plonk_set_up(s->c.context, s->c.row, s->made_path));
    s->out[0] = 1;
    return SUMAC_OK;
}

const plonk_call plonk_calls[] = {
    {"plonk_key_open", call_key_open, PLONK_CALL_OF_ALL, PLONK_COMPUTES},
    {"plonk_key_create", call_key_create, PLONK_CALL_OF_ALL, PLONK_COMPUTES},
    {"plonk_verifying_key_open and _create", call_verifying_key, PLONK_CALL_OF_ALL, PLONK_COMPUTES},
    {"plonk_witness_open and _publics", call_witness, PLONK_CALL_OF_ALL, PLONK_CONVERTS},
    {"plonk_prove", call_prove, PLONK_CALL_OF_ALL, PLONK_COMPUTES},
    {"plonk_prove, several proofs", call_prove_several, PLONK_CALL_OF_ALL, PLONK_REPEATS},
    {"plonk_prove, a gate that does not hold", call_prove_badly, PLONK_CALL_OF_ALL, PLONK_COMPUTES},
    {"plonk_commit", call_commit, PLONK_CALL_OF_COMMITMENTS, PLONK_COMPUTES},
    {"plonk_verify", call_verify, PLONK_CALL_OF_ALL, PLONK_COMPUTES},
    {"plonk_verify, several proofs", call_verify_several, PLONK_CALL_OF_ALL, PLONK_REPEATS},
    {"plonk_proof_encode and _decode", call_proof_format, PLONK_CALL_OF_ALL, PLONK_CONVERTS},
    {"plonk_publics_encode and _decode", call_publics_format, PLONK_CALL_OF_ALL, PLONK_CONVERTS},
    {"plonk_key_save, and a proof with the saved key", call_prepared, PLONK_CALL_OF_ALL, PLONK_WRITES},
    {"plonk_setup", call_setup, PLONK_CALL_OF_SNARKJS, PLONK_WRITES},
};
const size_t plonk_call_count = sizeof plonk_calls / sizeof *plonk_calls;

/* ---- Scenes ---- */

/* Return the circuit of a flavour, or null if no curve of it is built. */
static const plonk_row *row_of(int which)
{
    const plonk_row *const rows[PLONK_SCENES][2] = {
        {&snarkjs_circuits[0], &snarkjs_circuits[2]},
        {&snarkjs_circuits[SNARKJS_FFLONK], &snarkjs_circuits[SNARKJS_FFLONK]},
        {&gnark_circuits[GNARK_SEVERAL], &gnark_circuits[2]}};
    return plonk_is_built(rows[which][0])   ? rows[which][0]
           : plonk_is_built(rows[which][1]) ? rows[which][1]
                                            : NULL;
}

void plonk_for_scenes(void (*run)(int which))
{
    int built = 0;
    for (int which = 0; which < PLONK_SCENES; which++) {
        if (row_of(which) != NULL) {
            built = 1;
            run(which);
        }
    }
    if (!built) {
        skip();
    }
}

int plonk_scene_has(const plonk_scene *s, const plonk_call *call)
{
    return call->of == PLONK_CALL_OF_ALL ||
           (call->of == PLONK_CALL_OF_SNARKJS ? s->c.row->circuit != NULL : s->c.info.commitments > 0);
}

/* Return PLONK_PROOFS copies of some bytes. */
static uint8_t *copies_of(const uint8_t *bytes, size_t count)
{
    uint8_t *copies = test_alloc(PLONK_PROOFS * count);
    for (size_t i = 0; i < PLONK_PROOFS; i++) {
        memcpy(copies + i * count, bytes, count);
    }
    return copies;
}

void plonk_scene_open(plonk_scene *s, int which, sumac_context *context)
{
    const plonk_row *row = row_of(which);
    *s = (plonk_scene){.out = NULL};
    plonk_open_in(&s->c, row, context, 0);
    const sumac_plonk_info *info = &s->c.info;
    const size_t scalar = info->g1->scalar_bytes;
    s->witnesses = copies_of(s->c.witness, info->witness_bytes);
    s->blinding = copies_of(s->c.blinding, info->blinding_bytes);
    s->publics = copies_of(s->c.publics, info->publics_bytes);
    s->bad_witness = copies_of(s->c.witness, info->witness_bytes);
    s->bad_witness[row->circuit == NULL ? 2 * scalar : 4 * scalar] ^= 1; /* a of gate 2, or its wire */
    s->out_bytes = PLONK_PROOFS * (size_t)(info->proof_bytes + info->publics_bytes);
    s->out = test_alloc(s->out_bytes);
    snprintf(s->key_path, sizeof s->key_path, "/tmp/sumac-plonk-calls-%ld", (long)getpid());
    snprintf(s->made_path, sizeof s->made_path, "/tmp/sumac-plonk-made-%ld", (long)getpid());
    test_write_file(s->key_path, s->c.key_file, s->c.key_size);
    if (row->circuit == NULL) {
        (void)plonk_path(row, "solution", s->witness_path);
        memcpy(s->verifying_path, s->key_path, sizeof s->key_path);
    } else {
        (void)plonk_circuit_path(row, "witness.wtns", s->witness_path);
        (void)plonk_path(row, "verification_key.json", s->verifying_path);
    }
    TEST_OK(context, call_prove_several(s));
    s->proofs = copies_of(s->out, info->proof_bytes);
}

void plonk_scene_close(plonk_scene *s)
{
    (void)unlink(s->key_path);
    (void)unlink(s->made_path);
    free(s->witnesses);
    free(s->blinding);
    free(s->publics);
    free(s->bad_witness);
    free(s->proofs);
    free(s->out);
    plonk_close(&s->c);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads keys, witnesses, circuits and JSON of Groth16. They are valid files, of which the input changes
 * bytes, numbers and the length, or they are the input itself. Each must be refused with a sentence, or give an
 * object that can be used.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "changed_file.h"
#include "fuzz.h"
#include "sumac/groth16.h"
#include "support/cleanup.h"
#include "support/container.h"
#include "toy_groth16.h"

enum { ZKEY, WTNS, R1CS, PROOF, PUBLICS, VERIFYING, PREPARED, KINDS };

static known_file files[KINDS];
static sumac_groth16_key *known_key;
static void *known_witness;
static sumac_groth16_info known_info;

static void free_known(void)
{
    for (int i = 0; i < KINDS; i++) {
        free(files[i].bytes);
    }
    sumac_free(known_witness);
    sumac_groth16_key_destroy(known_key);
}

/* The known key has no verification_key.json. Therefore this is a short one, with the generators. */
static const char verifying_text[] =
    "{\"protocol\":\"groth16\",\"curve\":\"bn128\",\"nPublic\":0,\"vk_alpha_1\":[\"1\",\"2\",\"1\"],"
    "\"vk_beta_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],\"vk_gamma_2\":[[\"0\",\"0\"],[\"1\",\"0\"],["
    "\"0\",\"0\"]],"
    "\"vk_delta_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],\"IC\":[[\"1\",\"2\",\"1\"]]}";

static void make_known(void)
{
    sumac_context *context = fuzz_context();
    const sumac_group *group;
    memory_file zkey = new_file(), wtns = new_file(), r1cs = new_file(), prepared = new_file();
    void *text;
    size_t witness_bytes, text_bytes;
    known_info = (sumac_groth16_info){.size = sizeof(sumac_groth16_info)};
    fuzz_require(sumac_group_find("bn254", "g1", &group) == SUMAC_OK, "there is BN254");
    FILE *made[] = {fopen(r1cs.path, "w+b"), fopen(wtns.path, "wb"), fopen(zkey.path, "wb")};
    sumac_message why;
    fuzz_require(made[0] != NULL && made[1] != NULL && made[2] != NULL &&
                     toy_circuit(context, group, 3, 0, 1, made[0], made[1], &why) == SUMAC_OK &&
                     toy_setup(context, made[0], 1, made[2], &why) == SUMAC_OK,
                 "a circuit and its key are made");
    for (int i = 0; i < 3; i++) {
        fclose(made[i]);
    }
    files[R1CS] = take_file(&r1cs);
    files[WTNS] = take_file(&wtns);
    files[ZKEY] = take_file(&zkey);
    fuzz_require(sumac_groth16_key_create(context, files[ZKEY].bytes, files[ZKEY].size, NULL, &known_key) ==
                         SUMAC_OK &&
                     sumac_groth16_key_describe(known_key, &known_info) == SUMAC_OK,
                 "it is a key");
    fuzz_require(sumac_groth16_key_save(context, known_key, prepared.path) == SUMAC_OK, "it is saved");
    files[PREPARED] = take_file(&prepared);
    fuzz_require(sumac_groth16_witness_open(context, known_key,
                                            fuzz_file(files[WTNS].bytes, files[WTNS].size), &known_witness,
                                            &witness_bytes) == SUMAC_OK,
                 "there is a witness");
    const size_t proof_bytes = known_info.proof_bytes, publics_bytes = known_info.publics_bytes;
    AUTO_FREE uint8_t *proof = malloc(proof_bytes), *publics = malloc(publics_bytes);
    const sumac_groth16_verifying_key *verifying = sumac_groth16_key_verifying(known_key);
    fuzz_require(proof != NULL && publics != NULL &&
                     sumac_groth16_prove(context, known_key, known_witness, witness_bytes, 1, NULL, proof,
                                         proof_bytes) == SUMAC_OK,
                 "there is a proof");
    fuzz_require(sumac_groth16_proof_encode(context, verifying, proof, proof_bytes, "snarkjs", &text,
                                            &text_bytes) == SUMAC_OK,
                 "it has a text");
    files[PROOF] = take_text(text);
    sumac_free(text);
    fuzz_require(sumac_groth16_witness_publics(context, known_key, known_witness, witness_bytes, publics,
                                               publics_bytes) == SUMAC_OK &&
                     sumac_groth16_publics_encode(context, verifying, publics, publics_bytes, "snarkjs",
                                                  &text, &text_bytes) == SUMAC_OK,
                 "public inputs have one");
    files[PUBLICS] = take_text(text);
    sumac_free(text);
    files[VERIFYING] = take_text(verifying_text);
    (void)atexit(free_known);
}

/* ---- Uses of files ---- */

static void check_outcome(sumac_status status, int is_there)
{
    fuzz_check_sentence(status);
    fuzz_require((status == SUMAC_OK) == is_there, "success, and only that, gives an object");
}

/* If a key is accepted, it must make a proof, which need not be valid. */
static void try_key(const known_file *file, sumac_check check)
{
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    sumac_groth16_key_config config = {.size = sizeof config};
    sumac_groth16_prove_config unverified = {.size = sizeof unverified};
    sumac_groth16_info info = {.size = sizeof info};
    uint8_t proof[1024];
    config.check = check;
    unverified.unverified = 1;
    check_outcome(sumac_groth16_key_create(fuzz_context(), file->bytes, file->size, &config, &key),
                  key != NULL);
    if (key != NULL && sumac_groth16_key_describe(key, &info) == SUMAC_OK && info.wires == known_info.wires &&
        info.g1 == known_info.g1) {
        const sumac_status status =
            sumac_groth16_prove(fuzz_context(), key, known_witness, known_info.witness_bytes, 1,
                                check == SUMAC_CHECK_NONE ? &unverified : NULL, proof, sizeof proof);
        fuzz_require(status == SUMAC_OK || status == SUMAC_NOT_SATISFIED,
                     "a proof is made, or does not hold");
    }
}

static void check_verifying(const known_file *file)
{
    CLEANUP(destroy_verifying_key) sumac_groth16_verifying_key *made = NULL;
    const sumac_status status =
        sumac_groth16_verifying_key_create(fuzz_context(), file->bytes, file->size, &made);
    check_outcome(status, made != NULL);
}

static void try_file(int kind, const known_file *file, sumac_check check)
{
    sumac_context *context = fuzz_context();
    const sumac_groth16_verifying_key *verifying = sumac_groth16_key_verifying(known_key);
    void *witness = NULL;
    size_t witness_bytes;
    uint8_t out[1024];
    sumac_status status;
    switch (kind) {
    case ZKEY:
    case PREPARED:
        try_key(file, check);
        check_verifying(file);
        break;
    case WTNS:
        status = sumac_groth16_witness_open(context, known_key, fuzz_file(file->bytes, file->size), &witness,
                                            &witness_bytes);
        check_outcome(status, witness != NULL);
        sumac_free(witness);
        fuzz_require(sumac_groth16_witness_create(context, known_key, file->bytes, file->size, &witness,
                                                  &witness_bytes) == status,
                     "a witness in memory is what it is in a file");
        sumac_free(witness);
        break;
    case R1CS:
        status = sumac_groth16_witness_check(context, known_key, known_witness, known_info.witness_bytes,
                                             fuzz_file(file->bytes, file->size));
        check_outcome(status, status == SUMAC_OK);
        break;
    case PROOF:
        status = sumac_groth16_proof_decode(context, verifying, file->bytes, file->size, "snarkjs", "p", out,
                                            sizeof out);
        check_outcome(status, status == SUMAC_OK);
        break;
    case PUBLICS:
        status = sumac_groth16_publics_decode(context, verifying, file->bytes, file->size, "snarkjs", "x",
                                              out, sizeof out);
        check_outcome(status, status == SUMAC_OK);
        break;
    default:
        check_verifying(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    if (known_key == NULL) {
        make_known();
    }
    const uint8_t choice = fuzz_byte(&input);
    const int kind = choice % KINDS;
    known_file file = changed_file(&input, &files[kind]);
    if (kind == PREPARED && fuzz_byte(&input) % 8 != 0) {
        file_correct(file.bytes, file.size); /* otherwise the checksum would refuse nearly every change */
    }
    try_file(kind, &file, choice >= 224 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_NONE);
    free(file.bytes);
    return 0;
}

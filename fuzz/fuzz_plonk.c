/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads keys, witnesses, circuits, powers of tau and JSON of PLONK and FFLONK. They are valid files, of which the input changes
 * bytes, numbers and the length, or they are the input itself. Each must be refused with a sentence, or give an object that can be
 * used.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "changed_file.h"
#include "fuzz.h"
#include "sumac/plonk.h"
#include "support/container.h"
#include "toy_groth16.h"

enum { ZKEY, WTNS, R1CS, PTAU, PROOF, PUBLICS, PREPARED, KINDS, PROTOCOLS = 2 };

/* These are the valid files of a protocol, and the number of powers of tau. */
typedef struct known_system {
    const char *protocol;
    size_t points;
    known_file files[KINDS];
    sumac_plonk_key *key;
    void *witness;
    sumac_plonk_info info;
} known_system;

static known_system systems[PROTOCOLS] = {{.protocol = "plonk", .points = 16 + 6},
                                          {.protocol = "fflonk", .points = 9 * 16 + 18}};

static void free_known(void)
{
    for (int k = 0; k < PROTOCOLS; k++) {
        for (int i = 0; i < KINDS; i++) {
            free(systems[k].files[i].bytes);
        }
        sumac_free(systems[k].witness);
        sumac_plonk_key_destroy(systems[k].key);
    }
}

static void make_known(known_system *known)
{
    sumac_context *context = fuzz_context();
    const sumac_group *g1;
    memory_file zkey = new_file(), wtns = new_file(), r1cs = new_file(), ptau = new_file(),
                prepared = new_file();
    void *text = NULL;
    size_t bytes = 0, text_bytes = 0;
    sumac_message why = {""};
    sumac_plonk_setup_config config = {.size = sizeof config};
    config.protocol = known->protocol;
    known->info = (sumac_plonk_info){.size = sizeof known->info};
    fuzz_require(sumac_group_find("bn254", "g1", &g1) == SUMAC_OK, "there is BN254");
    FILE *made[] = {fopen(r1cs.path, "w+b"), fopen(wtns.path, "wb"), fopen(ptau.path, "wb")};
    fuzz_require(made[0] != NULL && made[1] != NULL && made[2] != NULL &&
                     toy_circuit(context, g1, 3, 0, 1, made[0], made[1], &why) == SUMAC_OK &&
                     toy_powers(context, g1, known->points, 1, made[2], &why) == SUMAC_OK,
                 "a circuit is made, and powers of tau");
    for (int i = 0; i < 3; i++) {
        fclose(made[i]);
    }
    fuzz_require(sumac_plonk_setup(context, r1cs.path, ptau.path, &config, zkey.path) == SUMAC_OK,
                 "a key is made");
    known->files[R1CS] = take_file(&r1cs);
    known->files[PTAU] = take_file(&ptau);
    known->files[WTNS] = take_file(&wtns);
    known->files[ZKEY] = take_file(&zkey);
    fuzz_require(sumac_plonk_key_create(context, known->files[ZKEY].bytes, known->files[ZKEY].size, NULL,
                                        &known->key) == SUMAC_OK &&
                     sumac_plonk_key_describe(known->key, &known->info) == SUMAC_OK &&
                     sumac_plonk_witness_create(context, known->key, known->files[WTNS].bytes,
                                                known->files[WTNS].size, &known->witness, &bytes) == SUMAC_OK,
                 "it is a key, and there is a witness");
    fuzz_require(sumac_plonk_key_save(context, known->key, prepared.path) == SUMAC_OK, "it is saved");
    known->files[PREPARED] = take_file(&prepared);
    AUTO_FREE uint8_t *proof = malloc(known->info.proof_bytes), *publics = malloc(known->info.publics_bytes);
    const sumac_plonk_verifying_key *verifying = sumac_plonk_key_verifying(known->key);
    fuzz_require(sumac_plonk_prove(context, known->key, known->witness, bytes, 1, NULL, proof,
                                   known->info.proof_bytes) == SUMAC_OK &&
                     sumac_plonk_proof_encode(context, verifying, proof, known->info.proof_bytes, "snarkjs",
                                              &text, &text_bytes) == SUMAC_OK,
                 "there is a proof");
    known->files[PROOF] = take_text(text);
    sumac_free(text);
    fuzz_require(sumac_plonk_witness_publics(context, known->key, known->witness, bytes, publics,
                                             known->info.publics_bytes) == SUMAC_OK &&
                     sumac_plonk_publics_encode(context, verifying, publics, known->info.publics_bytes,
                                                "snarkjs", &text, &text_bytes) == SUMAC_OK,
                 "there are public inputs");
    known->files[PUBLICS] = take_text(text);
    sumac_free(text);
}

/* ---- Uses of files ---- */

static void check_outcome(sumac_status status, int is_there)
{
    fuzz_check_sentence(status);
    fuzz_require((status == SUMAC_OK) == is_there, "success, and only that, gives an object");
}

/* If a key is accepted, it must make a proof, which need not be valid. */
static void try_key(const known_system *known, const known_file *file, sumac_check check)
{
    sumac_plonk_key *key = NULL;
    sumac_plonk_verifying_key *verifying = NULL;
    sumac_plonk_key_config config = {.size = sizeof config};
    sumac_plonk_prove_config unverified = {.size = sizeof unverified};
    sumac_plonk_info info = {.size = sizeof info};
    uint8_t proof[2048];
    config.check = check;
    unverified.unverified = 1;
    check_outcome(sumac_plonk_key_create(fuzz_context(), file->bytes, file->size, &config, &key),
                  key != NULL);
    check_outcome(sumac_plonk_verifying_key_create(fuzz_context(), file->bytes, file->size, &verifying),
                  verifying != NULL);
    if (key != NULL && sumac_plonk_key_describe(key, &info) == SUMAC_OK && info.wires == known->info.wires &&
        info.g1 == known->info.g1) {
        const sumac_status status =
            sumac_plonk_prove(fuzz_context(), key, known->witness, known->info.witness_bytes, 1,
                              check == SUMAC_CHECK_NONE ? &unverified : NULL, proof, sizeof proof);
        fuzz_require(status == SUMAC_OK || status == SUMAC_NOT_SATISFIED,
                     "a proof is made, or does not hold");
    }
    sumac_plonk_key_destroy(key);
    sumac_plonk_verifying_key_destroy(verifying);
}

static void try_setup(const known_system *known, int kind, const known_file *file)
{
    memory_file other = new_file(), made = new_file();
    sumac_plonk_setup_config config = {.size = sizeof config};
    config.protocol = known->protocol;
    const known_file *valid = &known->files[kind == R1CS ? PTAU : R1CS];
    fuzz_require(write(other.descriptor, valid->bytes, valid->size) == (ssize_t)valid->size,
                 "there is a file");
    const char *changed = fuzz_file(file->bytes, file->size);
    const sumac_status status = sumac_plonk_setup(fuzz_context(), kind == R1CS ? changed : other.path,
                                                  kind == R1CS ? other.path : changed, &config, made.path);
    check_outcome(status, status == SUMAC_OK);
    close(other.descriptor);
    close(made.descriptor);
}

static void try_file(const known_system *known, int kind, const known_file *file, sumac_check check)
{
    sumac_context *context = fuzz_context();
    const sumac_plonk_verifying_key *verifying = sumac_plonk_key_verifying(known->key);
    void *witness = NULL;
    size_t bytes;
    uint8_t out[2048];
    sumac_status status;
    switch (kind) {
    case ZKEY:
    case PREPARED:
        try_key(known, file, check);
        break;
    case WTNS:
        status = sumac_plonk_witness_create(context, known->key, file->bytes, file->size, &witness, &bytes);
        check_outcome(status, witness != NULL);
        sumac_free(witness);
        break;
    case R1CS:
    case PTAU:
        try_setup(known, kind, file);
        break;
    case PROOF:
        status = sumac_plonk_proof_decode(context, verifying, file->bytes, file->size, "snarkjs", "p", out,
                                          sizeof out);
        check_outcome(status, status == SUMAC_OK);
        break;
    default:
        status = sumac_plonk_publics_decode(context, verifying, file->bytes, file->size, "snarkjs", "x", out,
                                            sizeof out);
        check_outcome(status, status == SUMAC_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    if (systems[0].key == NULL) {
        (void)atexit(free_known);
        for (int k = 0; k < PROTOCOLS; k++) {
            make_known(&systems[k]);
        }
    }
    const uint8_t choice = fuzz_byte(&input);
    const int kind = choice % KINDS;
    const known_system *known = &systems[choice / KINDS % PROTOCOLS];
    known_file file = changed_file(&input, &known->files[kind]);
    if (kind == PREPARED && fuzz_byte(&input) % 8 != 0) {
        file_correct(file.bytes, file.size); /* otherwise the checksum would refuse nearly every change */
    }
    try_file(known, kind, &file, choice >= 224 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_NONE);
    free(file.bytes);
    return 0;
}

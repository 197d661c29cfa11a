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
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "sumac/groth16.h"
#include "support/cleanup.h"
#include "support/container.h"
#include "toy_groth16.h"

enum {
    ZKEY,
    WTNS,
    R1CS,
    PROOF,
    PUBLICS,
    VERIFYING,
    PREPARED,
    KINDS,
    MORE = 64 /* the most bytes by which a file may grow */
};

typedef struct known_file {
    uint8_t *bytes;
    size_t size;
} known_file;

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

/* A file in memory, with its path. */
typedef struct memory_file {
    int descriptor;
    char path[32];
} memory_file;

static memory_file new_file(void)
{
    memory_file file = {.descriptor = memfd_create("groth16", 0)};
    fuzz_require(file.descriptor >= 0, "there is a file in memory");
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

static known_file take_file(memory_file *file)
{
    const off_t size = lseek(file->descriptor, 0, SEEK_END);
    known_file taken = {malloc((size_t)size + MORE), (size_t)size};
    fuzz_require(taken.bytes != NULL && pread(file->descriptor, taken.bytes, taken.size, 0) == size,
                 "it is read");
    close(file->descriptor);
    return taken;
}

static known_file take_text(const char *text)
{
    known_file taken = {malloc(strlen(text) + MORE), strlen(text)};
    fuzz_require(taken.bytes != NULL, "there is memory");
    memcpy(taken.bytes, text, taken.size);
    return taken;
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

/* ---- Changes ---- */

static size_t draw_place(fuzz_input *input, size_t count)
{
    size_t place = 0;
    for (int i = 0; i < 3; i++) {
        place = place << 8 | fuzz_byte(input);
    }
    return place % count;
}

static void change(fuzz_input *input, known_file *file)
{
    const uint8_t how = fuzz_byte(input) % 6;
    const size_t place = draw_place(input, file->size);
    if (how == 0) {
        file->size = place + 1; /* cut off */
    } else if (how == 1) {
        const size_t more = fuzz_byte(input) % MORE;
        memset(file->bytes + file->size, 1, more);
        file->size += more;
    } else if (how == 2 && file->size - place >= 4) {
        fuzz_bytes(input, file->bytes + place, 4);
    } else if (how == 3 && file->size - place >= 64) {
        memmove(file->bytes + place, file->bytes + draw_place(input, file->size - 63), 64);
    } else {
        file->bytes[place] ^= how == 4 ? (uint8_t)(1u << fuzz_byte(input) % 8) : fuzz_byte(input);
    }
}

/* Return a copy of a file with changes that the input determines. The caller frees its bytes. */
static known_file changed_file(fuzz_input *input, const known_file *original)
{
    const uint8_t choice = fuzz_byte(input);
    const int is_input = choice % 8 == 7;
    const size_t size = is_input ? input->size : original->size;
    known_file file = {malloc(size + 4 * MORE), size};
    fuzz_require(file.bytes != NULL, "there is memory");
    memcpy(file.bytes, is_input ? input->data : original->bytes, size);
    for (int i = 0; !is_input && i < choice % 4; i++) {
        change(input, &file);
    }
    return file;
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

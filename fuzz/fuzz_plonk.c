/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads keys, witnesses, circuits, powers of tau, proofs and public inputs of PLONK and FFLONK, of snarkjs and of gnark. They
 * are valid files, of which the input changes bytes, numbers and the length, or they are the input itself. Each must be refused with a
 * sentence, or give an object that can be used. Only the known proof and its public inputs may hold.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "changed_file.h"
#include "fuzz.h"
#include "sumac/plonk.h"
#include "support/cleanup.h"
#include "support/container.h"
#include "toy_groth16.h"

enum { KEY, WITNESS, PROOF, PUBLICS, PREPARED, R1CS, PTAU, KINDS, SYSTEMS = 4, BLINDING = 11 };

/* These are the valid files of a circuit. snarkjs' circuits are made, with so many powers of tau, and those of gnark are in a folder of
 * tests/data/gnark-plonk.tar.xz, and have neither constraints nor powers of tau. */
typedef struct known_system {
    const char *protocol;
    size_t points;
    const char *folder;
    known_file files[KINDS];
    size_t lines_at; /* the offset of the lines of the pairing in a key of gnark, or 0 */
    sumac_plonk_key *key;
    const sumac_plonk_verifying_key *verifying;
    void *witness;
    uint8_t *publics, *proof;
    sumac_plonk_info info;
} known_system;

static known_system systems[SYSTEMS] = {{.protocol = "plonk", .points = 16 + 6},
                                        {.protocol = "fflonk", .points = 9 * 16 + 18},
                                        {.folder = "bn254"},
                                        {.folder = "several-bn254"}};

static void free_known(void)
{
    for (int k = 0; k < SYSTEMS; k++) {
        for (int i = 0; i < KINDS; i++) {
            free(systems[k].files[i].bytes);
        }
        sumac_free(systems[k].witness);
        free(systems[k].publics);
        free(systems[k].proof);
        sumac_plonk_key_destroy(systems[k].key);
    }
}

/* ---- Valid files ---- */

static void make_snarkjs(known_system *known)
{
    sumac_context *context = fuzz_context();
    const sumac_group *g1;
    memory_file zkey = new_file(), wtns = new_file(), r1cs = new_file(), ptau = new_file();
    sumac_message why = {""};
    sumac_plonk_setup_config config = {.size = sizeof config};
    config.protocol = known->protocol;
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
    known->files[WITNESS] = take_file(&wtns);
    known->files[KEY] = take_file(&zkey);
}

static known_file read_known(const char *folder, const char *name)
{
    memory_file file = {.descriptor = -1};
    char path[sizeof FUZZ_DATA + 64];
    (void)snprintf(path, sizeof path, FUZZ_DATA "/gnark-plonk/%s/%s", folder, name);
    file.descriptor = open(path, O_RDONLY);
    fuzz_require(file.descriptor >= 0, "there is a file of gnark");
    return take_file(&file);
}

/* The lines of the pairing in a key of gnark are zeros in the data, and the library does not read them. The input does not have them
 * either, so that its changes are of bytes that matter. */
enum { LINES = 4 * 66 * 128 };

/* Find the lines, and remove them from a system's key. */
static void remove_lines(known_system *known)
{
    known_file *file = &known->files[KEY];
    size_t end = 0;
    for (size_t run = 0; run < LINES; end++) {
        fuzz_require(end < file->size, "the key has the lines of the pairing");
        run = file->bytes[end] == 0 ? run + 1 : 0;
    }
    known->lines_at = end - LINES;
    memmove(file->bytes + known->lines_at, file->bytes + end, file->size - end);
    file->size -= LINES;
}

static void insert_lines(const known_system *known, known_file *file)
{
    if (known->lines_at == 0 || file->size < known->lines_at) {
        return;
    }
    uint8_t *longer = realloc(file->bytes, file->size + LINES);
    fuzz_require(longer != NULL, "there is memory");
    memmove(longer + known->lines_at + LINES, longer + known->lines_at, file->size - known->lines_at);
    memset(longer + known->lines_at, 0, LINES);
    *file = (known_file){longer, file->size + LINES};
}

/* Open the key and the witness, and make the other files, with fixed random numbers. */
static void use_known(known_system *known, const uint8_t *blinding, size_t blinding_bytes)
{
    sumac_context *context = fuzz_context();
    sumac_plonk_prove_config config = {.size = sizeof config};
    void *text = NULL;
    size_t bytes = 0;
    known->info = (sumac_plonk_info){.size = sizeof known->info};
    config.blinding = blinding;
    config.blinding_bytes = blinding_bytes;
    fuzz_require(sumac_plonk_key_create(context, known->files[KEY].bytes, known->files[KEY].size, NULL,
                                        &known->key) == SUMAC_OK &&
                     sumac_plonk_key_describe(known->key, &known->info) == SUMAC_OK &&
                     sumac_plonk_witness_create(context, known->key, known->files[WITNESS].bytes,
                                                known->files[WITNESS].size, &known->witness,
                                                &bytes) == SUMAC_OK,
                 "it is a key, and there is a witness");
    known->verifying = sumac_plonk_key_verifying(known->key);
    known->proof = malloc(known->info.proof_bytes);
    known->publics = malloc(known->info.publics_bytes);
    fuzz_require(known->proof != NULL && known->publics != NULL &&
                     sumac_plonk_prove(context, known->key, known->witness, bytes, 1, &config, known->proof,
                                       known->info.proof_bytes) == SUMAC_OK &&
                     sumac_plonk_witness_publics(context, known->key, known->witness, bytes, known->publics,
                                                 known->info.publics_bytes) == SUMAC_OK,
                 "there is a proof, and public inputs");
    fuzz_require(sumac_plonk_proof_encode(context, known->verifying, known->proof, known->info.proof_bytes,
                                          known->info.format, &text, &bytes) == SUMAC_OK,
                 "the proof is encoded");
    known->files[PROOF] = take_bytes(text, bytes);
    sumac_free(text);
    fuzz_require(sumac_plonk_publics_encode(context, known->verifying, known->publics,
                                            known->info.publics_bytes, known->info.format, &text,
                                            &bytes) == SUMAC_OK,
                 "the public inputs are encoded");
    known->files[PUBLICS] = take_bytes(text, bytes);
    sumac_free(text);
}

static void make_known(known_system *known)
{
    memory_file prepared = new_file();
    if (known->folder != NULL) {
        known->files[KEY] = read_known(known->folder, "key");
        known->files[WITNESS] = read_known(known->folder, "solution");
        const known_file blinding = read_known(known->folder, "blinding");
        use_known(known, blinding.bytes, blinding.size);
        free(blinding.bytes);
        remove_lines(known);
    } else {
        static const uint8_t blinding[BLINDING * 32] = {1};
        make_snarkjs(known);
        use_known(known, blinding, sizeof blinding);
    }
    fuzz_require(sumac_plonk_key_save(fuzz_context(), known->key, prepared.path) == SUMAC_OK,
                 "the key is saved");
    known->files[PREPARED] = take_file(&prepared);
}

/* ---- Uses of files ---- */

static void check_outcome(sumac_status status, int is_there)
{
    fuzz_check_sentence(status);
    fuzz_require((status == SUMAC_OK) == is_there, "success, and only that, gives an object");
}

/* The solver's call takes any scalars, which here are those of the witness. */
static void try_committing(const known_system *known, const sumac_plonk_key *key, size_t commitments)
{
    uint8_t numbers[2 * 32], hash[32];
    for (size_t which = 0; which <= commitments; which++) {
        const sumac_status status =
            sumac_plonk_commit(fuzz_context(), key, which, known->witness, known->info.witness_bytes, numbers,
                               sizeof numbers, hash, sizeof hash);
        fuzz_check_sentence(status);
        fuzz_require(status != SUMAC_OK || which < commitments, "only commitments that exist are computed");
    }
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
        try_committing(known, key, info.commitments);
    }
    sumac_plonk_key_destroy(key);
    sumac_plonk_verifying_key_destroy(verifying);
}

/* If a witness is accepted, a proof is made, or the witness is refused. */
static void try_witness(const known_system *known, const known_file *file)
{
    uint8_t proof[2048];
    void *witness = NULL;
    size_t bytes = 0;
    check_outcome(
        sumac_plonk_witness_create(fuzz_context(), known->key, file->bytes, file->size, &witness, &bytes),
        witness != NULL);
    if (witness != NULL) {
        const sumac_status status =
            sumac_plonk_prove(fuzz_context(), known->key, witness, bytes, 1, NULL, proof, sizeof proof);
        fuzz_check_sentence(status);
        fuzz_require(status == SUMAC_OK || status == SUMAC_NOT_SATISFIED || status == SUMAC_BAD_ARGUMENT,
                     "a proof is made, or the circuit is not satisfied, or wire 0 is not 1");
    }
    sumac_free(witness);
}

/* Require that a file of gnark, which has one form, is written as it was read. */
static void check_same(const known_system *known, const known_file *file, sumac_status status, void *bytes,
                       size_t count)
{
    fuzz_require(status == SUMAC_OK && (known->folder == NULL ||
                                        (count == file->size && memcmp(bytes, file->bytes, count) == 0)),
                 "what was read is written as it was");
    sumac_free(bytes);
}

/* Verify the known proof or public inputs with others, of which only the known ones hold. */
static void try_claim(const known_system *known, int kind, const known_file *file)
{
    sumac_context *context = fuzz_context();
    const sumac_plonk_info *info = &known->info;
    const int is_proof = kind == PROOF;
    const size_t bytes = is_proof ? info->proof_bytes : info->publics_bytes;
    const char *format = known->folder != NULL && file->size > info->proof_bytes ? "gnark-raw" : info->format;
    const uint8_t *right = is_proof ? known->proof : known->publics;
    AUTO_FREE uint8_t *read = malloc(bytes);
    void *encoded = NULL;
    size_t count = 0;
    int ok = 0;
    fuzz_require(read != NULL, "there is memory");
    sumac_status status = is_proof ? sumac_plonk_proof_decode(context, known->verifying, file->bytes,
                                                              file->size, info->format, "p", read, bytes)
                                   : sumac_plonk_publics_decode(context, known->verifying, file->bytes,
                                                                file->size, info->format, "x", read, bytes);
    check_outcome(status, status == SUMAC_OK);
    if (status != SUMAC_OK) {
        return;
    }
    status =
        is_proof
            ? sumac_plonk_proof_encode(context, known->verifying, read, bytes, format, &encoded, &count)
            : sumac_plonk_publics_encode(context, known->verifying, read, bytes, format, &encoded, &count);
    check_same(known, file, status, encoded, count);
    status =
        sumac_plonk_verify(context, known->verifying, is_proof ? known->publics : read, info->publics_bytes,
                           is_proof ? read : known->proof, info->proof_bytes, 1, &ok);
    fuzz_check_sentence(status);
    fuzz_require(ok == (memcmp(read, right, bytes) == 0), "the known proof holds, and no other");
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
    switch (kind) {
    case KEY:
    case PREPARED:
        try_key(known, file, check);
        break;
    case WITNESS:
        try_witness(known, file);
        break;
    case R1CS:
    case PTAU:
        try_setup(known, kind, file);
        break;
    default:
        try_claim(known, kind, file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    if (systems[0].key == NULL) {
        (void)atexit(free_known);
        for (int k = 0; k < SYSTEMS; k++) {
            make_known(&systems[k]);
        }
    }
    const uint8_t choice = fuzz_byte(&input);
    const known_system *known = &systems[choice % SYSTEMS];
    const int chosen = choice / SYSTEMS % KINDS, kind = known->files[chosen].size > 0 ? chosen : KEY;
    known_file file = changed_file(&input, &known->files[kind]);
    if (kind == KEY) {
        insert_lines(known, &file);
    }
    if (kind == PREPARED && fuzz_byte(&input) % 8 != 0) {
        file_correct(file.bytes, file.size); /* otherwise the checksum would refuse nearly every change */
    }
    try_file(known, kind, &file, choice >= 224 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_NONE);
    free(file.bytes);
    return 0;
}

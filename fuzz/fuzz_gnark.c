/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Each input has two Groth16 files of gnark: a proving key and a solved witness, or a verifying key and a proof or
 * public inputs. Each must be refused with a sentence, or be usable. If a proof was read, it must be written
 * unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sumac/groth16.h"
#include "support/cleanup.h"

enum { PROVING, PROOF, PUBLICS, KINDS };

static void check_outcome(sumac_status status, int is_there)
{
    fuzz_check_sentence(status);
    fuzz_require((status == SUMAC_OK) == is_there, "success, and only that, gives an object");
}

static uint8_t *room_for(uint64_t bytes)
{
    uint8_t *room = malloc((size_t)bytes + 1);
    fuzz_require(room != NULL, "there is memory");
    return room;
}

/* The wires of commitments: none, and those of the circuits with one and with three in tests/data/gnark.tar.xz. */
static const uint32_t commitment_wires[][10] = {{0}, {7, 3, 4, 6}, {7, 3, 6, 10, 4, 8, 9, 12, 5, 11}};
static const size_t wire_counts[] = {0, 4, 10};

enum { WIRES = sizeof wire_counts / sizeof *wire_counts };

/* The solver's call takes any scalars, which here are the bytes of the witness. */
static void try_committing(const sumac_groth16_key *key, const sumac_groth16_info *info, const void *values,
                           size_t bytes)
{
    uint8_t point[192], value[48];
    for (size_t k = 0; k <= info->commitments; k++) {
        const sumac_status status = sumac_groth16_commit(fuzz_context(), key, k, values, bytes, point,
                                                         sizeof point, value, sizeof value);
        fuzz_check_sentence(status);
        fuzz_require(status != SUMAC_OK || k < info->commitments, "only commitments that exist are computed");
    }
}

/* If a key is accepted, it must make a proof, which need not be valid. */
static void try_proving(const fuzz_input *key_bytes, const fuzz_input *solution, sumac_check check, int wires)
{
    sumac_context *context = fuzz_context();
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    void *witness = NULL;
    size_t witness_bytes;
    sumac_groth16_info info = {.size = sizeof info};
    sumac_groth16_key_config config = {.size = sizeof config};
    sumac_groth16_prove_config unverified = {.size = sizeof unverified};
    config.check = check;
    config.commitment_wires = commitment_wires[wires];
    config.commitment_wires_bytes = wire_counts[wires] * sizeof **commitment_wires;
    unverified.unverified = 1;
    check_outcome(sumac_groth16_key_create(context, key_bytes->data, key_bytes->size, &config, &key),
                  key != NULL);
    if (key == NULL) {
        return;
    }
    fuzz_require(sumac_groth16_key_describe(key, &info) == SUMAC_OK, "a key is described");
    check_outcome(
        sumac_groth16_witness_create(context, key, solution->data, solution->size, &witness, &witness_bytes),
        witness != NULL);
    if (witness != NULL) {
        try_committing(key, &info, witness, witness_bytes);
        AUTO_FREE uint8_t *proof = room_for(info.proof_bytes);
        const sumac_status status = sumac_groth16_prove(context, key, witness, witness_bytes, 1, &unverified,
                                                        proof, (size_t)info.proof_bytes);
        fuzz_require(status == SUMAC_OK || status == SUMAC_BAD_ARGUMENT,
                     "a proof is made, or wire 0 is not 1");
    }
    sumac_free(witness);
}

static void check_same(const fuzz_input *file, sumac_status status, void *bytes, size_t count)
{
    fuzz_require(status == SUMAC_OK && count == file->size && memcmp(bytes, file->data, count) == 0,
                 "what was read is written as it was");
    sumac_free(bytes);
}

static void try_claim(int kind, const fuzz_input *key_bytes, const fuzz_input *file)
{
    sumac_context *context = fuzz_context();
    CLEANUP(destroy_verifying_key) sumac_groth16_verifying_key *verifying = NULL;
    sumac_groth16_info info = {.size = sizeof info};
    void *encoded = NULL;
    size_t count = 0;
    check_outcome(sumac_groth16_verifying_key_create(context, key_bytes->data, key_bytes->size, &verifying),
                  verifying != NULL);
    if (verifying == NULL) {
        return;
    }
    fuzz_require(sumac_groth16_verifying_key_describe(verifying, &info) == SUMAC_OK, "a key is described");
    const size_t bytes = kind == PROOF ? info.proof_bytes : info.publics_bytes;
    AUTO_FREE uint8_t *read = room_for(bytes);
    const sumac_status status = kind == PROOF
                                    ? sumac_groth16_proof_decode(context, verifying, file->data, file->size,
                                                                 "gnark", "p", read, bytes)
                                    : sumac_groth16_publics_decode(context, verifying, file->data, file->size,
                                                                   "gnark", "x", read, bytes);
    fuzz_check_sentence(status);
    if (status == SUMAC_OK && kind == PROOF) {
        const char *format = file->size > info.proof_bytes ? "gnark-raw" : "gnark";
        check_same(file,
                   sumac_groth16_proof_encode(context, verifying, read, bytes, format, &encoded, &count),
                   encoded, count);
    } else if (status == SUMAC_OK) {
        check_same(file,
                   sumac_groth16_publics_encode(context, verifying, read, bytes, "gnark", &encoded, &count),
                   encoded, count);
    }
}

/* The input has a byte that chooses the case, then the first file's length in two bytes, and then both files. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const uint8_t choice = fuzz_byte(&input);
    const size_t wanted = fuzz_byte(&input) * (size_t)256 + fuzz_byte(&input);
    const fuzz_input first = {input.data, wanted < input.size ? wanted : input.size};
    const fuzz_input second = {input.data + first.size, input.size - first.size};
    if (choice % KINDS == PROVING) {
        try_proving(&first, &second, choice >= 128 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_NONE,
                    choice / KINDS % WIRES);
    } else {
        try_claim(choice % KINDS, &first, &second);
    }
    return 0;
}

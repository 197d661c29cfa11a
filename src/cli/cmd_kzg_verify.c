/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "kzg_blobs.h"
#include "kzg_input.h"

/* The claim that is verified: about a blob, a value, or cells. */
typedef struct claim {
    unsigned char commitment[SUMAC_KZG_COMMITMENT_BYTES];
    unsigned char proof[SUMAC_KZG_PROOF_BYTES];
    unsigned char z[SUMAC_KZG_ELEMENT_BYTES], y[SUMAC_KZG_ELEMENT_BYTES];
    unsigned char *blob;
    cell_list list;
    unsigned char *cells, *proofs, *commitments; /* of as many cells as the list has */
} claim;

static void free_claim(claim *c)
{
    free(c->blob);
    free(c->cells);
    free(c->proofs);
    free(c->commitments);
}

static int check_combinations(const options *given)
{
    bool value = given->z != NULL || given->y != NULL;
    if (given->operand_count == 2) {
        return given->proof == NULL && !value
                   ? STATUS_DONE
                   : bad_input("--proof, -z and -y do not go with a file of cells and one of proofs");
    }
    if (given->cells != NULL) {
        return bad_input("--cells goes with a file of cells and one of proofs");
    }
    if (given->proof == NULL) {
        return bad_input("'sumac kzg verify' needs --proof HEX, or a file of cells and one of proofs");
    }
    if (given->operand_count == 1 && value) {
        return bad_input("-z and -y do not go with a blob, which determines them");
    }
    if (given->operand_count == 0 && (given->z == NULL || given->y == NULL)) {
        return bad_input("'sumac kzg verify' needs a blob's file, or -z HEX and -y HEX");
    }
    return STATUS_DONE;
}

static int read_cells(const options *given, claim *c)
{
    MUST(parse_cells(given->cells, 0, &c->list));
    const size_t count = c->list.count;
    MUST(read_records(given->operands[0], "cells", count, SUMAC_KZG_CELL_BYTES, &c->cells));
    MUST(read_records(given->operands[1], "proofs", count, SUMAC_KZG_PROOF_BYTES, &c->proofs));
    c->commitments = allocate(count * sizeof c->commitment, "commitments");
    for (size_t i = 0; i < count && c->commitments != NULL; i++) {
        memcpy(c->commitments + i * sizeof c->commitment, c->commitment, sizeof c->commitment);
    }
    return c->commitments == NULL ? STATUS_MACHINE_FAULT : STATUS_DONE;
}

static int read_claim(const options *given, claim *c)
{
    size_t blobs = 0;
    MUST(decode_hex_option("--commitment", given->commitment, c->commitment, sizeof c->commitment));
    MUST(decode_hex_option("--proof", given->proof, c->proof, sizeof c->proof));
    MUST(decode_hex_option("-z", given->z, c->z, sizeof c->z));
    MUST(decode_hex_option("-y", given->y, c->y, sizeof c->y));
    if (given->operand_count == 2) {
        return read_cells(given, c);
    }
    MUST(read_all_blobs(given, &c->blob, &blobs));
    return blobs <= 1
               ? STATUS_DONE
               : bad_input("%s: it has %zu blobs, and one is verified at a time", given->operands[0], blobs);
}

static sumac_status verify(sumac_context *context, const sumac_kzg_setup *setup, const claim *c, int *ok)
{
    if (c->blob != NULL) {
        return sumac_kzg_verify_blob_proof(context, setup, (const sumac_blob *)c->blob,
                                           (const sumac_bytes48 *)c->commitment,
                                           (const sumac_bytes48 *)c->proof, ok);
    }
    if (c->cells != NULL) {
        return sumac_kzg_verify_cell_proof_batch(context, setup, (const sumac_bytes48 *)c->commitments,
                                                 c->list.indices, (const sumac_cell *)c->cells,
                                                 (const sumac_bytes48 *)c->proofs, c->list.count, ok);
    }
    return sumac_kzg_verify_proof_batch(context, setup, (const sumac_bytes48 *)c->commitment,
                                        (const sumac_bytes32 *)c->z, (const sumac_bytes32 *)c->y,
                                        (const sumac_bytes48 *)c->proof, 1, ok);
}

static int run_kzg_verify(const session *opened, const options *given)
{
    CLEANUP(free_claim) claim c = {.blob = NULL};
    CLEANUP(close_kzg_setup) sumac_kzg_setup *setup = NULL;
    int ok = 0;
    MUST(check_combinations(given));
    MUST(read_claim(given, &c));
    MUST(read_kzg_setup(opened, given, 0, &setup));
    progress_begin("verifying");
    MUST(session_step(opened, "verify", verify(opened->context, setup, &c, &ok)));
    MUST(session_write_trace(opened));
    return print_verdict(given, ok, c.cells != NULL ? "the proofs hold" : "the proof holds",
                         c.cells != NULL ? "proof invalid, or cell mismatch" : "proof invalid");
}

const command command_kzg_verify = {
    .name = "kzg verify",
    .summary = "Verify a proof of an Ethereum blob, of its value, or of its cells (EIP-4844, EIP-7594)",
    .takes = OPTIONS(OPTION_SETUP, OPTION_VALIDATE, OPTION_COMMITMENT, OPTION_PROOF, OPTION_Z, OPTION_Y,
                     OPTION_CELLS, OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT,
                     TUNE_VARIANT, OPTION_JSON, OPTION_TRACE),
    .needs = OPTIONS(OPTION_COMMITMENT),
    .operands = {"[BLOB-FILE | CELLS-FILE PROOFS-FILE]", 0, 2, 2},
    .example = "kzg verify --commitment 0xa572.. --proof 0x8a99.. blob.bin",
    .notes = "A blob's file and --proof: the blob belongs to the commitment. --proof, -z and -y without a "
             "file: the value at z is y. A file of cells and one of proofs: they belong to the commitment. "
             "The exit status is 1 if that is not so.",
    .run_in = run_kzg_verify,
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "kzg_input.h"
#include "progress.h"
#include "results.h"

/* What is verified, by what the command line gave. */
typedef struct claim {
    unsigned char commitment[SUMAC_KZG_COMMITMENT_BYTES];
    unsigned char proof[SUMAC_KZG_PROOF_BYTES];
    unsigned char z[SUMAC_KZG_ELEMENT_BYTES], y[SUMAC_KZG_ELEMENT_BYTES];
    unsigned char *blob;
    cell_list list;
    unsigned char *cells, *proofs, *commitments; /* of as many cells as the list has */
} claim;

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
    int status = parse_cells(given->cells, &c->list);
    if (status == STATUS_DONE) {
        status = read_records(given->operands[0], "cells", c->list.count, SUMAC_KZG_CELL_BYTES, &c->cells);
    }
    if (status == STATUS_DONE) {
        status = read_records(given->operands[1], "proofs", c->list.count, SUMAC_KZG_PROOF_BYTES, &c->proofs);
    }
    if (status == STATUS_DONE) {
        c->commitments = allocate((uint64_t)c->list.count * SUMAC_KZG_COMMITMENT_BYTES, "commitments");
        status = c->commitments == NULL ? STATUS_MACHINE_FAULT : STATUS_DONE;
    }
    for (size_t i = 0; i < c->list.count && status == STATUS_DONE; i++) {
        memcpy(c->commitments + i * SUMAC_KZG_COMMITMENT_BYTES, c->commitment, SUMAC_KZG_COMMITMENT_BYTES);
    }
    return status;
}

static int read_claim(const options *given, claim *c)
{
    int status = decode_hex_option("--commitment", given->commitment, c->commitment, sizeof c->commitment);
    if (status == STATUS_DONE) {
        status = decode_hex_option("--proof", given->proof, c->proof, sizeof c->proof);
    }
    if (status == STATUS_DONE) {
        status = decode_hex_option("-z", given->z, c->z, sizeof c->z);
    }
    if (status == STATUS_DONE) {
        status = decode_hex_option("-y", given->y, c->y, sizeof c->y);
    }
    if (status == STATUS_DONE && given->operand_count == 1) {
        c->blob = allocate(SUMAC_KZG_BLOB_BYTES, "a blob");
        status = c->blob == NULL ? STATUS_MACHINE_FAULT : read_blob(given->operands[0], c->blob);
    }
    return status == STATUS_DONE && given->operand_count == 2 ? read_cells(given, c) : status;
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

static int answer(const options *given, const claim *c, int ok)
{
    const char *what = c->cells != NULL ? "the proofs hold" : "the proof holds";
    int status = STATUS_DONE;
    if (given->json) {
        status = print_json(json_pack("{s:b}", "holds", ok));
    } else if (ok) {
        print("OK: %s\n", what);
    }
    if (status != STATUS_DONE || ok) {
        return status;
    }
    return given->json
               ? STATUS_DIFFERENT
               : found_different("%s", c->cells != NULL ? "a proof does not hold, or a cell is another"
                                                        : "the proof does not hold");
}

static int read_and_verify(const session *opened, const options *given, claim *c)
{
    sumac_kzg_setup *setup = NULL;
    int ok = 0;
    int status = read_claim(given, c);
    if (status == STATUS_DONE) {
        status = read_kzg_setup(opened, given, 0, &setup);
    }
    if (status == STATUS_DONE) {
        progress_begin("verifying");
        sumac_status verified = verify(opened->context, setup, c, &ok);
        progress_end();
        status = verified == SUMAC_OK ? session_write_trace(opened) : session_failure(opened, verified);
    }
    if (status == STATUS_DONE) {
        status = answer(given, c, ok);
    }
    sumac_kzg_setup_destroy(setup);
    return status;
}

static int run_kzg_verify(const options *given)
{
    int status = check_combinations(given);
    if (status != STATUS_DONE) {
        return status;
    }
    session opened;
    status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        claim c = {.blob = NULL};
        status = read_and_verify(&opened, given, &c);
        free(c.blob);
        free(c.cells);
        free(c.proofs);
        free(c.commitments);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_SETUP,   OPTION_CHECK,  OPTION_COMMITMENT, OPTION_PROOF,
                                  OPTION_Z,       OPTION_Y,      OPTION_CELLS,      OPTION_BACKEND,
                                  OPTION_VARIANT, OPTION_DEVICE, OPTION_THREADS,    OPTION_MEMORY_LIMIT,
                                  OPTION_JSON,    OPTION_TRACE,  OPTION_END};
static const option_id needs[] = {OPTION_COMMITMENT, OPTION_END};

const command command_kzg_verify = {
    .name = "kzg verify",
    .summary = "Verify a proof of an Ethereum blob, of its value, or of its cells (EIP-4844, EIP-7594)",
    .takes = takes,
    .needs = needs,
    .operands = "[BLOB-FILE | CELLS-FILE PROOFS-FILE]",
    .operands_minimum = 0,
    .operands_maximum = 2,
    .operands_read = 2,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes =
        "With a blob's file and --proof: that the blob belongs to the commitment. With --proof, -z and -y\n"
        "and no file: that its value at z is y. With a file of cells and one of proofs: that they belong to\n"
        "the commitment. The exit status is 1 if that is not so.\n",
    .run = run_kzg_verify,
};

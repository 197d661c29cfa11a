/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "kzg_blobs.h"
#include "kzg_input.h"
#include "progress.h"
#include "results.h"

/* What is known of each blob. */
typedef struct proofs {
    size_t count;
    unsigned char *blobs, *commitments, *zs, *ys, *points;
} proofs;

static bool allocate_proofs(proofs *all)
{
    const size_t count = all->count;
    all->commitments = allocate((uint64_t)count * SUMAC_KZG_COMMITMENT_BYTES, "commitments");
    all->zs = allocate((uint64_t)count * SUMAC_KZG_ELEMENT_BYTES, "elements");
    all->ys = allocate((uint64_t)count * SUMAC_KZG_ELEMENT_BYTES, "elements");
    all->points = allocate((uint64_t)count * SUMAC_KZG_PROOF_BYTES, "proofs");
    return all->commitments != NULL && all->zs != NULL && all->ys != NULL && all->points != NULL;
}

static void free_proofs(proofs *all)
{
    free(all->blobs);
    free(all->commitments);
    free(all->zs);
    free(all->ys);
    free(all->points);
}

/* The places: that of -z, or those that blobs and commitments determine. */
static sumac_status choose_places(const session *opened, const unsigned char *z, proofs *all)
{
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < all->count && status == SUMAC_OK; i++) {
        unsigned char *place = all->zs + i * SUMAC_KZG_ELEMENT_BYTES;
        if (z != NULL) {
            memcpy(place, z, SUMAC_KZG_ELEMENT_BYTES);
        } else {
            status = sumac_kzg_blob_challenge(
                opened->context, (const sumac_blob *)(all->blobs + i * SUMAC_KZG_BLOB_BYTES),
                (const sumac_bytes48 *)(all->commitments + i * SUMAC_KZG_COMMITMENT_BYTES),
                (sumac_bytes32 *)place);
        }
    }
    return status;
}

static int compute(const session *opened, const options *given, const unsigned char *z, proofs *all)
{
    sumac_kzg_setup *setup;
    int read = read_kzg_setup(opened, given, 0, &setup);
    if (read != STATUS_DONE) {
        return read;
    }
    progress_begin("proving");
    sumac_status status = sumac_kzg_commit_batch(opened->context, setup, (const sumac_blob *)all->blobs,
                                                 all->count, (sumac_bytes48 *)all->commitments);
    if (status == SUMAC_OK) {
        status = choose_places(opened, z, all);
    }
    if (status == SUMAC_OK) {
        status = sumac_kzg_compute_proof_batch(opened->context, setup, (const sumac_blob *)all->blobs,
                                               (const sumac_bytes32 *)all->zs, all->count,
                                               (sumac_bytes48 *)all->points, (sumac_bytes32 *)all->ys);
    }
    progress_end();
    sumac_kzg_setup_destroy(setup);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

/* A line a blob: its proof; with -z the value behind it. */
static int print_proofs(const options *given, const proofs *all)
{
    json_t *list = given->json ? json_array() : NULL;
    for (size_t i = 0; i < all->count; i++) {
        char commitment[HEX_SIZE(SUMAC_KZG_COMMITMENT_BYTES)], proof[HEX_SIZE(SUMAC_KZG_PROOF_BYTES)];
        char z[HEX_SIZE(SUMAC_KZG_ELEMENT_BYTES)], y[HEX_SIZE(SUMAC_KZG_ELEMENT_BYTES)];
        bytes_to_hex(commitment, all->commitments + i * SUMAC_KZG_COMMITMENT_BYTES,
                     SUMAC_KZG_COMMITMENT_BYTES);
        bytes_to_hex(proof, all->points + i * SUMAC_KZG_PROOF_BYTES, SUMAC_KZG_PROOF_BYTES);
        bytes_to_hex(z, all->zs + i * SUMAC_KZG_ELEMENT_BYTES, SUMAC_KZG_ELEMENT_BYTES);
        bytes_to_hex(y, all->ys + i * SUMAC_KZG_ELEMENT_BYTES, SUMAC_KZG_ELEMENT_BYTES);
        if (!given->json) {
            print(given->z != NULL ? "%s %s\n" : "%s\n", proof, y);
        } else if (json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "commitment", commitment,
                                                         "z", z, "y", y, "proof", proof)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return given->json ? print_json(json_pack("{s:o}", "proofs", list)) : STATUS_DONE;
}

static int prove(const session *opened, const options *given, proofs *all)
{
    unsigned char z[SUMAC_KZG_ELEMENT_BYTES];
    int status = decode_hex_option("-z", given->z, z, sizeof z);
    if (status == STATUS_DONE) {
        status = read_all_blobs(given, &all->blobs, &all->count);
    }
    if (status == STATUS_DONE && !allocate_proofs(all)) {
        status = STATUS_MACHINE_FAULT;
    }
    if (status == STATUS_DONE) {
        status = compute(opened, given, given->z != NULL ? z : NULL, all);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(opened);
    }
    return status == STATUS_DONE ? print_proofs(given, all) : status;
}

static int run_kzg_prove(const options *given)
{
    session opened;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        proofs all = {0};
        status = prove(&opened, given, &all);
        free_proofs(&all);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_SETUP,        OPTION_CHECK,  OPTION_Z,       OPTION_BACKEND,
                                  OPTION_VARIANT,      OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS,
                                  OPTION_MEMORY_LIMIT, OPTION_JSON,   OPTION_TRACE,   OPTION_END};

const command command_kzg_prove = {
    .name = "kzg prove",
    .summary = "Prove what Ethereum blobs' polynomials are at a place (EIP-4844)",
    .takes = takes,
    .operands = "BLOBS-FILE...",
    .operands_minimum = 1,
    .operands_maximum = 1 << 16,
    .operands_read = 1 << 16,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes = "One proof a line. Without -z the place is the one that the blob and its commitment determine;\n"
             "with it the value follows the proof.\n",
    .run = run_kzg_prove,
};

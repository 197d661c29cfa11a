/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "kzg_blobs.h"
#include "kzg_input.h"

/* Each blob with its commitment, evaluation point, value and proof. */
typedef struct openings {
    size_t count;
    unsigned char *blobs;
    sumac_bytes48 *commitments, *proofs;
    sumac_bytes32 *zs, *ys;
} openings;

static void free_openings(openings *all)
{
    free(all->blobs);
    free(all->commitments);
    free(all->zs);
    free(all->ys);
    free(all->proofs);
}

/* Open the blobs at z, or where that is null at the point that each blob and its commitment determine. */
static sumac_status open_blobs(sumac_context *context, const sumac_kzg_setup *setup, const unsigned char *z,
                               openings *all)
{
    const sumac_blob *blobs = (const sumac_blob *)all->blobs;
    TRY(sumac_kzg_commit_batch(context, setup, blobs, all->count, all->commitments));
    for (size_t i = 0; i < all->count; i++) {
        if (z != NULL) {
            memcpy(&all->zs[i], z, sizeof all->zs[i]);
        } else {
            TRY(sumac_kzg_blob_challenge(context, &blobs[i], &all->commitments[i], &all->zs[i]));
        }
    }
    return sumac_kzg_compute_proof_batch(context, setup, blobs, all->zs, all->count, all->proofs, all->ys);
}

/* Print a line for each blob: its proof, and with -z the value behind it. */
static int print_openings(const options *given, const openings *all)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->count; i++) {
        char proof[HEX_SIZE(SUMAC_KZG_PROOF_BYTES)], y[HEX_SIZE(SUMAC_KZG_ELEMENT_BYTES)];
        bytes_to_hex(proof, all->proofs[i].bytes, sizeof all->proofs[i]);
        bytes_to_hex(y, all->ys[i].bytes, sizeof all->ys[i]);
        if (given->json) {
            json_append(&list, json_pack("{s:o, s:o, s:s, s:s}", "commitment",
                                         bytes_to_json(all->commitments[i].bytes, sizeof all->commitments[i]),
                                         "z", bytes_to_json(all->zs[i].bytes, sizeof all->zs[i]), "y", y,
                                         "proof", proof));
        } else {
            print(given->z != NULL ? "%s %s\n" : "%s\n", proof, y);
        }
    }
    if (given->json) {
        return print_json(json_pack("{s:o}", "proofs", list));
    }
    json_decref(list);
    return STATUS_DONE;
}

static int run_kzg_prove(const session *opened, const options *given)
{
    CLEANUP(free_openings) openings all = {0};
    CLEANUP(close_kzg_setup) sumac_kzg_setup *setup = NULL;
    unsigned char z[SUMAC_KZG_ELEMENT_BYTES];
    MUST(decode_hex_option("-z", given->z, z, sizeof z));
    MUST(read_all_blobs(given, &all.blobs, &all.count));
    if ((all.commitments = allocate(all.count * sizeof *all.commitments, "commitments")) == NULL ||
        (all.zs = allocate(all.count * sizeof *all.zs, "evaluation points")) == NULL ||
        (all.ys = allocate(all.count * sizeof *all.ys, "values")) == NULL ||
        (all.proofs = allocate(all.count * sizeof *all.proofs, "proofs")) == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    MUST(read_kzg_setup(opened, given, 0, &setup));
    progress_begin("proving");
    MUST(
        session_step(opened, "prove", open_blobs(opened->context, setup, given->z != NULL ? z : NULL, &all)));
    MUST(session_write_trace(opened));
    return print_openings(given, &all);
}

const command command_kzg_prove = {
    .name = "kzg prove",
    .summary = "Open Ethereum blobs at a point (EIP-4844)",
    .takes = OPTIONS(OPTION_SETUP, OPTION_VALIDATE, OPTION_Z, OPTIONS_OF_MACHINE, OPTION_JSON, OPTION_TRACE),
    .takes_devices = true,
    .operands = {"BLOBS-FILE...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "kzg prove blob.bin",
    .notes = "One proof a line. Without -z the evaluation point is the one that the blob and its commitment "
             "determine; with it the value follows the proof.",
    .run_in = run_kzg_prove,
};

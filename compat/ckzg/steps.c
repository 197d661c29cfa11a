/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* c-kzg-4844's bindings call these functions in addition to the public ones. They are steps of the public functions,
   on blst's representations. */
#include <string.h>

#include "call.h"
#include "elements.h"
#include "sumac/experimental.h"
#include "sumac/formats.h"

/* This is the format of points in ckzg.h. */
static const char COMPRESSED[] = "zcash-compressed";

/* Create a context for a call that has no settings. */
static sumac_status make_context(sumac_context **context)
{
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.threads = 1;
    return sumac_context_create(&config, context, NULL);
}

C_KZG_RET bytes_to_kzg_commitment(g1_t *out, const Bytes48 *b)
{
    sumac_context *context = NULL;
    const sumac_group *group = NULL;
    uint8_t affine[RAW_POINT_BYTES];
    if (out == NULL) {
        return C_KZG_BADARGS;
    }
    sumac_status status = make_context(&context);
    if (status == SUMAC_OK) {
        status = sumac_group_find("bls12-381", "g1", &group);
    }
    if (status == SUMAC_OK) {
        status = sumac_points_decode(context, group, b, sizeof *b, 1, COMPRESSED, SUMAC_CHECK_SUBGROUP,
                                     affine, sizeof affine);
    }
    if (status == SUMAC_OK) {
        sumac_ckzg_point_to_jacobian(out, affine);
    }
    sumac_context_destroy(context);
    return sumac_ckzg_result(status);
}

void bytes_from_bls_field(Bytes32 *out, const fr_t *in)
{
    if (out != NULL && in != NULL) {
        sumac_ckzg_element_from_words(out, in);
    }
}

static sumac_status blob_challenge(sumac_context *context, Bytes32 *challenge, const Blob *blob,
                                   const g1_t *commitment)
{
    const sumac_group *group = NULL;
    uint8_t affine[RAW_POINT_BYTES];
    Bytes48 bytes;
    sumac_ckzg_point_from_jacobian(affine, commitment);
    sumac_status status = sumac_group_find("bls12-381", "g1", &group);
    if (status == SUMAC_OK) {
        status =
            sumac_points_encode(context, group, affine, sizeof affine, 1, COMPRESSED, &bytes, sizeof bytes);
    }
    if (status == SUMAC_OK) {
        status = sumac_kzg_blob_challenge(context, (const sumac_blob *)blob, (const sumac_bytes48 *)&bytes,
                                          (sumac_bytes32 *)challenge);
    }
    return status;
}

void compute_challenge(fr_t *eval_challenge_out, const Blob *blob, const g1_t *commitment)
{
    sumac_context *context = NULL;
    Bytes32 challenge;
    if (eval_challenge_out == NULL) {
        return;
    }
    memset(eval_challenge_out, 0, sizeof *eval_challenge_out);
    if (blob != NULL && commitment != NULL && make_context(&context) == SUMAC_OK &&
        blob_challenge(context, &challenge, blob, commitment) == SUMAC_OK) {
        sumac_ckzg_element_to_words(eval_challenge_out, &challenge);
    }
    sumac_context_destroy(context);
}

C_KZG_RET compute_verify_cell_kzg_proof_batch_challenge(fr_t *challenge_out, const Bytes48 *commitments_bytes,
                                                        uint64_t num_commitments,
                                                        const uint64_t *commitment_indices,
                                                        const uint64_t *cell_indices, const Cell *cells,
                                                        const Bytes48 *proofs_bytes, uint64_t num_cells)
{
    sumac_context *context = NULL;
    Bytes32 challenge;
    if (challenge_out == NULL) {
        return C_KZG_BADARGS;
    }
    sumac_status status = make_context(&context);
    if (status == SUMAC_OK) {
        status = sumac_kzg_cell_challenge(context, (const sumac_bytes48 *)commitments_bytes, num_commitments,
                                          commitment_indices, cell_indices, (const sumac_cell *)cells,
                                          (const sumac_bytes48 *)proofs_bytes, num_cells,
                                          (sumac_bytes32 *)&challenge);
    }
    if (status == SUMAC_OK) {
        sumac_ckzg_element_to_words(challenge_out, &challenge);
    }
    sumac_context_destroy(context);
    return sumac_ckzg_result(status);
}

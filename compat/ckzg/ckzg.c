/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Each function is one call of sumac/kzg.h, with one blob or with many cells; those for tests and bindings also
 * convert what blst represents. */
#include "ckzg.h"

#include <string.h>

#include "call.h"
#include "elements.h"
#include "sumac/formats.h"

/* How points are written in ckzg.h. */
static const char COMPRESSED[] = "zcash-compressed";

/* End a call that verifies. */
static C_KZG_RET answer(sumac_ckzg_call *call, sumac_status status, int holds, bool *ok)
{
    const C_KZG_RET result = sumac_ckzg_end(call, status);
    if (ok == NULL) {
        return C_KZG_BADARGS;
    }
    *ok = result == C_KZG_OK && holds;
    return result;
}

C_KZG_RET blob_to_kzg_commitment(KZGCommitment *out, const Blob *blob, const KZGSettings *s)
{
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call, sumac_kzg_commit_batch(call.context, call.setup, (const sumac_blob *)blob, 1,
                                                        (sumac_bytes48 *)out));
}

C_KZG_RET compute_kzg_proof(KZGProof *proof_out, Bytes32 *y_out, const Blob *blob, const Bytes32 *z_bytes,
                            const KZGSettings *s)
{
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call,
                          sumac_kzg_compute_proof_batch(call.context, call.setup, (const sumac_blob *)blob,
                                                        (const sumac_bytes32 *)z_bytes, 1,
                                                        (sumac_bytes48 *)proof_out, (sumac_bytes32 *)y_out));
}

C_KZG_RET compute_blob_kzg_proof(KZGProof *out, const Blob *blob, const Bytes48 *commitment_bytes,
                                 const KZGSettings *s)
{
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call, sumac_kzg_compute_blob_proof_batch(
                                     call.context, call.setup, (const sumac_blob *)blob,
                                     (const sumac_bytes48 *)commitment_bytes, 1, (sumac_bytes48 *)out));
}

C_KZG_RET verify_kzg_proof(bool *ok, const Bytes48 *commitment_bytes, const Bytes32 *z_bytes,
                           const Bytes32 *y_bytes, const Bytes48 *proof_bytes, const KZGSettings *s)
{
    int holds = 0;
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_proof_batch(
        call.context, call.setup, (const sumac_bytes48 *)commitment_bytes, (const sumac_bytes32 *)z_bytes,
        (const sumac_bytes32 *)y_bytes, (const sumac_bytes48 *)proof_bytes, 1, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET verify_blob_kzg_proof(bool *ok, const Blob *blob, const Bytes48 *commitment_bytes,
                                const Bytes48 *proof_bytes, const KZGSettings *s)
{
    int holds = 0;
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_blob_proof(
        call.context, call.setup, (const sumac_blob *)blob, (const sumac_bytes48 *)commitment_bytes,
        (const sumac_bytes48 *)proof_bytes, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET verify_blob_kzg_proof_batch(bool *ok, const Blob *blobs, const Bytes48 *commitments_bytes,
                                      const Bytes48 *proofs_bytes, uint64_t n, const KZGSettings *s)
{
    int holds = 0;
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_blob_proof_batch(
        call.context, call.setup, (const sumac_blob *)blobs, (const sumac_bytes48 *)commitments_bytes,
        (const sumac_bytes48 *)proofs_bytes, n, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET compute_cells_and_kzg_proofs(Cell *cells, KZGProof *proofs, const Blob *blob, const KZGSettings *s)
{
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(
        &call, sumac_kzg_compute_cells_and_proofs_batch(call.context, call.setup, (const sumac_blob *)blob, 1,
                                                        (sumac_cell *)cells, (sumac_bytes48 *)proofs));
}

C_KZG_RET recover_cells_and_kzg_proofs(Cell *recovered_cells, KZGProof *recovered_proofs,
                                       const uint64_t *cell_indices, const Cell *cells, uint64_t num_cells,
                                       const KZGSettings *s)
{
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call,
                          sumac_kzg_recover_cells_and_proofs_batch(
                              call.context, call.setup, cell_indices, num_cells, (const sumac_cell *)cells, 1,
                              (sumac_cell *)recovered_cells, (sumac_bytes48 *)recovered_proofs));
}

C_KZG_RET verify_cell_kzg_proof_batch(bool *ok, const Bytes48 *commitments_bytes,
                                      const uint64_t *cell_indices, const Cell *cells,
                                      const Bytes48 *proofs_bytes, uint64_t num_cells, const KZGSettings *s)
{
    int holds = 0;
    sumac_ckzg_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_cell_proof_batch(
        call.context, call.setup, (const sumac_bytes48 *)commitments_bytes, cell_indices,
        (const sumac_cell *)cells, (const sumac_bytes48 *)proofs_bytes, num_cells, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET bytes_to_kzg_commitment(g1_t *out, const Bytes48 *b)
{
    sumac_context *context = NULL;
    const sumac_curve *curve = NULL;
    uint8_t affine[RAW_POINT_BYTES];
    if (out == NULL) {
        return C_KZG_BADARGS;
    }
    sumac_status status = sumac_ckzg_context(&context);
    if (status == SUMAC_OK) {
        status = sumac_curve_find("bls12-381", "g1", &curve);
    }
    if (status == SUMAC_OK) {
        status = sumac_points_decode(context, curve, b, 1, COMPRESSED, SUMAC_CHECK_SUBGROUP, affine);
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
    const sumac_curve *curve = NULL;
    uint8_t affine[RAW_POINT_BYTES];
    Bytes48 bytes;
    sumac_ckzg_point_from_jacobian(affine, commitment);
    sumac_status status = sumac_curve_find("bls12-381", "g1", &curve);
    if (status == SUMAC_OK) {
        status = sumac_points_encode(context, curve, affine, 1, COMPRESSED, &bytes);
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
    if (blob != NULL && commitment != NULL && sumac_ckzg_context(&context) == SUMAC_OK &&
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
    sumac_status status = sumac_ckzg_context(&context);
    if (status == SUMAC_OK) {
        status = sumac_kzg_cell_batch_challenge(
            context, (const sumac_bytes48 *)commitments_bytes, num_commitments, commitment_indices,
            cell_indices, (const sumac_cell *)cells, (const sumac_bytes48 *)proofs_bytes, num_cells,
            (sumac_bytes32 *)&challenge);
    }
    if (status == SUMAC_OK) {
        sumac_ckzg_element_to_words(challenge_out, &challenge);
    }
    sumac_context_destroy(context);
    return sumac_ckzg_result(status);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Each function makes one call of sumac/kzg.h, with one blob or with many cells. */
#include "ckzg.h"

#include "call.h"

/* End a call that verifies. */
static C_KZG_RET answer(const loaded_call *call, sumac_status status, int holds, bool *ok)
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
    loaded_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(
        &call, sumac_kzg_commit(call.context, call.setup, (const sumac_blob *)blob, 1, (sumac_bytes48 *)out));
}

C_KZG_RET compute_kzg_proof(KZGProof *proof_out, Bytes32 *y_out, const Blob *blob, const Bytes32 *z_bytes,
                            const KZGSettings *s)
{
    loaded_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call, sumac_kzg_compute_proof(call.context, call.setup, (const sumac_blob *)blob,
                                                         (const sumac_bytes32 *)z_bytes, 1,
                                                         (sumac_bytes48 *)proof_out, (sumac_bytes32 *)y_out));
}

C_KZG_RET compute_blob_kzg_proof(KZGProof *out, const Blob *blob, const Bytes48 *commitment_bytes,
                                 const KZGSettings *s)
{
    loaded_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call, sumac_kzg_compute_blob_proof(
                                     call.context, call.setup, (const sumac_blob *)blob,
                                     (const sumac_bytes48 *)commitment_bytes, 1, (sumac_bytes48 *)out));
}

C_KZG_RET verify_kzg_proof(bool *ok, const Bytes48 *commitment_bytes, const Bytes32 *z_bytes,
                           const Bytes32 *y_bytes, const Bytes48 *proof_bytes, const KZGSettings *s)
{
    int holds = 0;
    loaded_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_proof(
        call.context, call.setup, (const sumac_bytes48 *)commitment_bytes, (const sumac_bytes32 *)z_bytes,
        (const sumac_bytes32 *)y_bytes, (const sumac_bytes48 *)proof_bytes, 1, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET verify_blob_kzg_proof(bool *ok, const Blob *blob, const Bytes48 *commitment_bytes,
                                const Bytes48 *proof_bytes, const KZGSettings *s)
{
    int holds = 0;
    loaded_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_blob_proof(
        call.context, call.setup, (const sumac_blob *)blob, (const sumac_bytes48 *)commitment_bytes,
        (const sumac_bytes48 *)proof_bytes, 1, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET verify_blob_kzg_proof_batch(bool *ok, const Blob *blobs, const Bytes48 *commitments_bytes,
                                      const Bytes48 *proofs_bytes, uint64_t n, const KZGSettings *s)
{
    int holds = 0;
    loaded_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_blob_proof(
        call.context, call.setup, (const sumac_blob *)blobs, (const sumac_bytes48 *)commitments_bytes,
        (const sumac_bytes48 *)proofs_bytes, n, &holds);
    return answer(&call, status, holds, ok);
}

C_KZG_RET compute_cells_and_kzg_proofs(Cell *cells, KZGProof *proofs, const Blob *blob, const KZGSettings *s)
{
    loaded_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(&call, sumac_kzg_cells(call.context, call.setup, (const sumac_blob *)blob, 1,
                                                 (sumac_cell *)cells, (sumac_bytes48 *)proofs));
}

C_KZG_RET recover_cells_and_kzg_proofs(Cell *recovered_cells, KZGProof *recovered_proofs,
                                       const uint64_t *cell_indices, const Cell *cells, uint64_t num_cells,
                                       const KZGSettings *s)
{
    loaded_call call = sumac_ckzg_begin(s);
    return sumac_ckzg_end(
        &call, sumac_kzg_recover(call.context, call.setup, cell_indices, num_cells, (const sumac_cell *)cells,
                                 1, (sumac_cell *)recovered_cells, (sumac_bytes48 *)recovered_proofs, NULL));
}

C_KZG_RET verify_cell_kzg_proof_batch(bool *ok, const Bytes48 *commitments_bytes,
                                      const uint64_t *cell_indices, const Cell *cells,
                                      const Bytes48 *proofs_bytes, uint64_t num_cells, const KZGSettings *s)
{
    int holds = 0;
    loaded_call call = sumac_ckzg_begin(s);
    const sumac_status status = sumac_kzg_verify_cells(
        call.context, call.setup, (const sumac_bytes48 *)commitments_bytes, cell_indices,
        (const sumac_cell *)cells, (const sumac_bytes48 *)proofs_bytes, num_cells, &holds);
    return answer(&call, status, holds, ok);
}

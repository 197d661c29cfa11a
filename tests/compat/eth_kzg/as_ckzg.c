/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_eth_kzg.c: the functions of c-kzg-4844 by those of eth_kzg.h, so that the vectors of test_ckzg_vectors.c go
 * through these. */
#include "eth_kzg.h"
#include "test_ckzg.h"

static const uint8_t **pointers_to(const void *items, size_t bytes, uint64_t count)
{
    const uint8_t **pointers = test_alloc((count + 1) * sizeof *pointers);
    for (uint64_t i = 0; i < count; i++) {
        pointers[i] = (const uint8_t *)items + i * bytes;
    }
    return pointers;
}

static uint8_t **places(void *items, size_t bytes)
{
    uint8_t **pointers = test_alloc(CELLS * sizeof *pointers);
    for (size_t i = 0; i < CELLS; i++) {
        pointers[i] = (uint8_t *)items + i * bytes;
    }
    return pointers;
}

/* Every error has a sentence, and nothing else has one. */
static C_KZG_RET result_of(CResult result)
{
    if (result.status == Ok) {
        assert_null(result.error_msg);
        return C_KZG_OK;
    }
    assert_non_null(result.error_msg);
    assert_true(strlen(result.error_msg) > 5);
    eth_kzg_free_error_message(result.error_msg);
    return C_KZG_BADARGS;
}

KZGSettings load_settings(void)
{
    const KZGSettings settings = {.handle = eth_kzg_das_context_new(false)};
    assert_non_null(settings.handle);
    return settings;
}

void free_trusted_setup(KZGSettings *s)
{
    eth_kzg_das_context_free(s->handle);
}

C_KZG_RET blob_to_kzg_commitment(KZGCommitment *out, const Blob *blob, const KZGSettings *s)
{
    return result_of(eth_kzg_blob_to_kzg_commitment(s->handle, blob->bytes, out->bytes));
}

C_KZG_RET compute_kzg_proof(KZGProof *proof_out, Bytes32 *y_out, const Blob *blob, const Bytes32 *z_bytes,
                            const KZGSettings *s)
{
    return result_of(
        eth_kzg_compute_kzg_proof(s->handle, blob->bytes, z_bytes->bytes, proof_out->bytes, y_out->bytes));
}

C_KZG_RET compute_blob_kzg_proof(KZGProof *out, const Blob *blob, const Bytes48 *commitment_bytes,
                                 const KZGSettings *s)
{
    return result_of(
        eth_kzg_compute_blob_kzg_proof(s->handle, blob->bytes, commitment_bytes->bytes, out->bytes));
}

C_KZG_RET verify_kzg_proof(bool *ok, const Bytes48 *commitment_bytes, const Bytes32 *z_bytes,
                           const Bytes32 *y_bytes, const Bytes48 *proof_bytes, const KZGSettings *s)
{
    *ok = true;
    return result_of(eth_kzg_verify_kzg_proof(s->handle, commitment_bytes->bytes, z_bytes->bytes,
                                              y_bytes->bytes, proof_bytes->bytes, ok));
}

C_KZG_RET verify_blob_kzg_proof(bool *ok, const Blob *blob, const Bytes48 *commitment_bytes,
                                const Bytes48 *proof_bytes, const KZGSettings *s)
{
    *ok = true;
    return result_of(eth_kzg_verify_blob_kzg_proof(s->handle, blob->bytes, commitment_bytes->bytes,
                                                   proof_bytes->bytes, ok));
}

C_KZG_RET verify_blob_kzg_proof_batch(bool *ok, const Blob *blobs, const Bytes48 *commitments_bytes,
                                      const Bytes48 *proofs_bytes, uint64_t n, const KZGSettings *s)
{
    const uint8_t **b = pointers_to(blobs, sizeof *blobs, n), **c = pointers_to(commitments_bytes, POINT, n),
                  **p = pointers_to(proofs_bytes, POINT, n);
    *ok = true;
    const C_KZG_RET result = result_of(eth_kzg_verify_blob_kzg_proof_batch(s->handle, n, b, n, c, n, p, ok));
    free(b);
    free(c);
    free(p);
    return result;
}

C_KZG_RET compute_cells_and_kzg_proofs(Cell *cells, KZGProof *proofs, const Blob *blob, const KZGSettings *s)
{
    uint8_t **c = places(cells, sizeof *cells), **p = places(proofs, sizeof *proofs);
    C_KZG_RET result = result_of(eth_kzg_compute_cells_and_kzg_proofs(s->handle, blob->bytes, c, p));
    if (result == C_KZG_OK) {
        Cell *again = test_alloc(CELLS * sizeof *again);
        uint8_t **a = places(again, sizeof *again);
        assert_int_equal(result_of(eth_kzg_compute_cells(s->handle, blob->bytes, a)), C_KZG_OK);
        assert_memory_equal(again, cells, CELLS * sizeof *again);
        free(a);
        free(again);
    }
    free(c);
    free(p);
    return result;
}

C_KZG_RET recover_cells_and_kzg_proofs(Cell *recovered_cells, KZGProof *recovered_proofs,
                                       const uint64_t *cell_indices, const Cell *cells, uint64_t num_cells,
                                       const KZGSettings *s)
{
    const uint8_t **given = pointers_to(cells, sizeof *cells, num_cells);
    uint8_t **c = places(recovered_cells, sizeof *cells), **p = places(recovered_proofs, POINT);
    const C_KZG_RET result = result_of(
        eth_kzg_recover_cells_and_proofs(s->handle, num_cells, given, num_cells, cell_indices, c, p));
    free(given);
    free(c);
    free(p);
    return result;
}

C_KZG_RET verify_cell_kzg_proof_batch(bool *ok, const Bytes48 *commitments_bytes,
                                      const uint64_t *cell_indices, const Cell *cells,
                                      const Bytes48 *proofs_bytes, uint64_t num_cells, const KZGSettings *s)
{
    const uint64_t n = num_cells;
    const uint8_t **b = pointers_to(cells, sizeof *cells, n), **c = pointers_to(commitments_bytes, POINT, n),
                  **p = pointers_to(proofs_bytes, POINT, n);
    *ok = true;
    const C_KZG_RET result =
        result_of(eth_kzg_verify_cell_kzg_proof_batch(s->handle, n, c, n, cell_indices, n, b, n, p, ok));
    free(b);
    free(c);
    free(p);
    return result;
}

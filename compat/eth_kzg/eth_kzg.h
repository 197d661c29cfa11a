/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file eth_kzg.h
 *  @brief The C interface of rust-eth-kzg, versions 0.9 and 0.10, over sumac. It has the same 16 functions, for
 *  programs and bindings that were made for it. docs/dropins.md describes how to use them. New programs should use
 *  sumac/kzg.h.
 *
 *  **Encodings and sizes** are those of sumac/kzg.h: blobs have 131072 bytes, cells 2048, commitments and proofs 48,
 *  and field elements 32. An array of cells, blobs or points is an array of pointers to them.
 *
 *  **Errors.** If a call does not succeed, its status is Err, and it has a sentence, which
 *  eth_kzg_free_error_message() frees. It then wrote nothing except `false` to *verified. An invalid proof is not an
 *  error. No pointer may be null, except that of an array of length 0. A null pointer is an error, too.
 *
 *  **Threads.** Any number of threads may use a context at once, except in the call that frees it. A call works on
 *  all processors on which its process may run.
 */
#ifndef SUMAC_ETH_KZG_H
#define SUMAC_ETH_KZG_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SUMAC_ETH_KZG_API __attribute__((visibility("default")))
#else
#define SUMAC_ETH_KZG_API
#endif

typedef enum CResultStatus { Ok, Err } CResultStatus;

/** Ethereum's trusted setup, ready for use. The library contains it. */
typedef struct DASContext DASContext;

typedef struct CResult {
    CResultStatus status;
    char *error_msg; /**< null unless status is Err */
} CResult;

/** Create a context.
 *  @param use_precomp whether tables of 24 MiB may be made, with which proofs of cells are faster
 *  @return the context, to be freed with eth_kzg_das_context_free(); null if there is no memory */
SUMAC_ETH_KZG_API DASContext *eth_kzg_das_context_new(bool use_precomp);

/** Free a context. Null is allowed. */
SUMAC_ETH_KZG_API void eth_kzg_das_context_free(DASContext *ctx);

/** Free the sentence of a result. Null is allowed. */
SUMAC_ETH_KZG_API void eth_kzg_free_error_message(char *c_message);

SUMAC_ETH_KZG_API uint64_t eth_kzg_constant_bytes_per_cell(void);
SUMAC_ETH_KZG_API uint64_t eth_kzg_constant_bytes_per_proof(void);
SUMAC_ETH_KZG_API uint64_t eth_kzg_constant_cells_per_ext_blob(void);

/* ---- Blobs (EIP-4844) ---- */

SUMAC_ETH_KZG_API CResult eth_kzg_blob_to_kzg_commitment(const DASContext *ctx, const uint8_t *blob,
                                                         uint8_t *out);

/** Compute the value of a blob's polynomial at z, and its proof. */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_kzg_proof(const DASContext *ctx, const uint8_t *blob,
                                                    const uint8_t *z, uint8_t *out_proof, uint8_t *out_y);

/** Compute the proof that a blob belongs to its commitment. It is not checked that the blob does. */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_blob_kzg_proof(const DASContext *ctx, const uint8_t *blob,
                                                         const uint8_t *commitment, uint8_t *out_proof);

SUMAC_ETH_KZG_API CResult eth_kzg_verify_kzg_proof(const DASContext *ctx, const uint8_t *commitment,
                                                   const uint8_t *z, const uint8_t *y, const uint8_t *proof,
                                                   bool *verified);

SUMAC_ETH_KZG_API CResult eth_kzg_verify_blob_kzg_proof(const DASContext *ctx, const uint8_t *blob,
                                                        const uint8_t *commitment, const uint8_t *proof,
                                                        bool *verified);

/** Verify that each of the blobs belongs to its commitment. If there are no blobs, the answer is true. The lengths
 * must be equal. */
SUMAC_ETH_KZG_API CResult eth_kzg_verify_blob_kzg_proof_batch(
    const DASContext *ctx, uint64_t blobs_length, const uint8_t *const *blobs, uint64_t commitments_length,
    const uint8_t *const *commitments, uint64_t proofs_length, const uint8_t *const *proofs, bool *verified);

/* ---- Cells (EIP-7594) ---- */

/** Compute the cells of a blob and their proofs.
 *  @param out_cells, out_proofs 128 of each */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_cells_and_kzg_proofs(const DASContext *ctx, const uint8_t *blob,
                                                               uint8_t **out_cells, uint8_t **out_proofs);

/** Compute the cells of a blob.
 *  @param out_cells 128 cells */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_cells(const DASContext *ctx, const uint8_t *blob,
                                                uint8_t **out_cells);

/** Recover all cells of a blob and their proofs, from at least half of the cells.
 *  @param cells, cell_indices the same number of each; indices ascend
 *  @param out_cells, out_proofs 128 of each */
SUMAC_ETH_KZG_API CResult eth_kzg_recover_cells_and_proofs(const DASContext *ctx, uint64_t cells_length,
                                                           const uint8_t *const *cells,
                                                           uint64_t cell_indices_length,
                                                           const uint64_t *cell_indices, uint8_t **out_cells,
                                                           uint8_t **out_proofs);

/** Verify that each of the cells belongs to its commitment. If there are no cells, the answer is true. The lengths
 * must be equal. */
SUMAC_ETH_KZG_API CResult eth_kzg_verify_cell_kzg_proof_batch(
    const DASContext *ctx, uint64_t commitments_length, const uint8_t *const *commitments,
    uint64_t cell_indices_length, const uint64_t *cell_indices, uint64_t cells_length,
    const uint8_t *const *cells, uint64_t proofs_length, const uint8_t *const *proofs, bool *verified);

#ifdef __cplusplus
}
#endif

#endif

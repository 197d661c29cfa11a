/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file eth_kzg.h
 *  @brief The C interface of rust-eth-kzg, versions 0.9 and 0.10, over sumac: its 16 functions, for programs and bindings
 * that were made for it. docs/dropins.md says how; new programs are better off with sumac/kzg.h.
 *
 *  **Encodings and sizes** are those of sumac/kzg.h: blobs of 131072 bytes, cells of 2048, commitments and proofs of 48,
 * field elements of 32. Arrays of cells, blobs or points are arrays of pointers to each.
 *
 *  **Errors.** A call that does not succeed has the status Err and a sentence, which eth_kzg_free_error_message() frees;
 * it wrote nothing but `false` to *verified. A proof that does not hold is not an error. No pointer may be null but those of
 * arrays of length 0: that is an error, too.
 *
 *  **Threads.** A context may be used by any number of threads at once, but for the call that frees it. A call works on
 * all processors that its process may run on.
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

/** Ethereum's trusted setup, which the library contains, ready for use. */
typedef struct DASContext DASContext;

typedef struct CResult {
    CResultStatus status;
    char *error_msg; /**< null unless status is Err */
} CResult;

/** A new context.
 *  @param use_precomp whether tables may be made, of 24 MiB, with which proofs of cells are faster
 *  @return freed with eth_kzg_das_context_free(); null without memory */
SUMAC_ETH_KZG_API DASContext *eth_kzg_das_context_new(bool use_precomp);

/** Free a context; null is allowed. */
SUMAC_ETH_KZG_API void eth_kzg_das_context_free(DASContext *ctx);

/** Free the sentence of a result; null is allowed. */
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

/** Compute the proof that a blob belongs to its commitment; that it does is not checked. */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_blob_kzg_proof(const DASContext *ctx, const uint8_t *blob,
                                                         const uint8_t *commitment, uint8_t *out_proof);

SUMAC_ETH_KZG_API CResult eth_kzg_verify_kzg_proof(const DASContext *ctx, const uint8_t *commitment,
                                                   const uint8_t *z, const uint8_t *y, const uint8_t *proof,
                                                   bool *verified);

SUMAC_ETH_KZG_API CResult eth_kzg_verify_blob_kzg_proof(const DASContext *ctx, const uint8_t *blob,
                                                        const uint8_t *commitment, const uint8_t *proof,
                                                        bool *verified);

/** Verify that each of the blobs belongs to its commitment; no blobs are valid. The lengths must be equal. */
SUMAC_ETH_KZG_API CResult eth_kzg_verify_blob_kzg_proof_batch(
    const DASContext *ctx, uint64_t blobs_length, const uint8_t *const *blobs, uint64_t commitments_length,
    const uint8_t *const *commitments, uint64_t proofs_length, const uint8_t *const *proofs, bool *verified);

/* ---- Cells (EIP-7594) ---- */

/** @param out_cells, out_proofs 128 of each */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_cells_and_kzg_proofs(const DASContext *ctx, const uint8_t *blob,
                                                               uint8_t **out_cells, uint8_t **out_proofs);

/** @param out_cells 128 cells */
SUMAC_ETH_KZG_API CResult eth_kzg_compute_cells(const DASContext *ctx, const uint8_t *blob,
                                                uint8_t **out_cells);

/** Recover all cells of a blob and their proofs, from at least half of the cells.
 *  @param cells, cell_indices as many of each; indices ascend
 *  @param out_cells, out_proofs 128 of each */
SUMAC_ETH_KZG_API CResult eth_kzg_recover_cells_and_proofs(const DASContext *ctx, uint64_t cells_length,
                                                           const uint8_t *const *cells,
                                                           uint64_t cell_indices_length,
                                                           const uint64_t *cell_indices, uint8_t **out_cells,
                                                           uint8_t **out_proofs);

/** Verify that each of the cells belongs to its commitment; no cells are valid. The lengths must be equal. */
SUMAC_ETH_KZG_API CResult eth_kzg_verify_cell_kzg_proof_batch(
    const DASContext *ctx, uint64_t commitments_length, const uint8_t *const *commitments,
    uint64_t cell_indices_length, const uint64_t *cell_indices, uint64_t cells_length,
    const uint8_t *const *cells, uint64_t proofs_length, const uint8_t *const *proofs, bool *verified);

#ifdef __cplusplus
}
#endif

#endif

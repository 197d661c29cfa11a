/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file experimental.h
 *  @brief Functions that may change or vanish in any version: steps of other calls, for tests and for libraries that
 * replace others.
 *
 *  They are not in the list of the frozen binary interface. Only programs include this header, and no other header does:
 * a program that uses it is built again for each version of the library.
 */
#ifndef SUMAC_EXPERIMENTAL_H
#define SUMAC_EXPERIMENTAL_H

#include "sumac/kzg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compute the evaluation point of sumac_kzg_compute_blob_proof(): compute_challenge of the consensus specification.
 *  @param blob, commitment bytes, which are hashed unchecked
 *  @param challenge one element */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_blob_challenge(sumac_context *context, const sumac_blob *blob,
                                                               const sumac_bytes48 *commitment,
                                                               sumac_bytes32 *challenge);

/** Compute the factor whose powers combine the cells of sumac_kzg_verify_cells():
 *  compute_verify_cell_kzg_proof_batch_challenge.
 *  @param commitments commitment_count different ones
 *  @param commitment_indices, cell_indices, cells, proofs count of each; bytes are hashed unchecked
 *  @param challenge one element */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_cell_challenge(
    sumac_context *context, const sumac_bytes48 *commitments, size_t commitment_count,
    const uint64_t *commitment_indices, const uint64_t *cell_indices, const sumac_cell *cells,
    const sumac_bytes48 *proofs, size_t count, sumac_bytes32 *challenge);

#ifdef __cplusplus
}
#endif

#endif

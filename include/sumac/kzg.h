/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file kzg.h
 *  @brief KZG commitments to Ethereum's blobs (EIP-4844) over BLS12-381, on the MSM of sumac.h.
 */
#ifndef SUMAC_KZG_H
#define SUMAC_KZG_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes of EIP-4844, in bytes but for the first. */
#define SUMAC_KZG_FIELD_ELEMENTS 4096
#define SUMAC_KZG_BLOB_BYTES (32 * SUMAC_KZG_FIELD_ELEMENTS)
#define SUMAC_KZG_COMMITMENT_BYTES 48

/** A trusted setup's G1 points in Lagrange form, in the bit-reversed order of a blob's elements. Immutable;
 * shared by threads. */
typedef struct sumac_kzg_setup sumac_kzg_setup;

/** Read a trusted setup in Ethereum's text format (trusted_setup.txt: two counts, then G1 Lagrange, G2
 * monomial and G1 monomial points, compressed, in hexadecimal).
 *  @param check how far the points are checked; SUMAC_CHECK_SUBGROUP for a file from elsewhere
 *  @param setup freed with sumac_kzg_setup_destroy(); null on failure
 *  @return as sumac_bases_read() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_setup_read(sumac_context *context, const char *path,
                                                           sumac_check check, sumac_kzg_setup **setup);

/** Free a setup; null is allowed. */
SUMAC_API void sumac_kzg_setup_destroy(sumac_kzg_setup *setup);

/** Commit to blobs: blob_to_kzg_commitment of the consensus specification, for count blobs in one batch.
 *  @param blobs count*SUMAC_KZG_BLOB_BYTES bytes: 4096 big-endian scalars each
 *  @param commitments count*SUMAC_KZG_COMMITMENT_BYTES bytes: compressed points; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ENCODING if an element is not less than r (the message names blob and
 * element), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_commit(sumac_context *context, const sumac_kzg_setup *setup,
                                                       const void *blobs, size_t count, void *commitments);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The consensus specification's Fiat-Shamir challenges: SHA-256 of a domain, sizes and the transcript, modulo
 * r. Challenges are elements of 32 big-endian bytes. */
#ifndef SUMAC_KZG_CHALLENGE_H
#define SUMAC_KZG_CHALLENGE_H

#include "sumac/sumac.h"

/* compute_challenge: where a blob's polynomial is opened. */
void challenge_of_blob(const sumac_curve *curve, const uint8_t *blob, const uint8_t *commitment,
                       uint8_t *challenge);

/* Of verify_kzg_proof_batch: joins `count` openings. */
void challenge_of_openings(const sumac_curve *curve, const uint8_t *commitments, const uint8_t *zs,
                           const uint8_t *ys, const uint8_t *proofs, size_t count, uint8_t *challenge);

/* What verify_cell_kzg_proof_batch joins: cells with proofs, and the commitments without repetition. */
typedef struct cell_openings {
    const uint8_t *commitments;
    size_t commitment_count;
    const uint64_t *commitment_indices;
    const uint64_t *cell_indices;
    const uint8_t *cells;
    const uint8_t *proofs;
    size_t count;
} cell_openings;

/* compute_verify_cell_kzg_proof_batch_challenge. */
void challenge_of_cells(const sumac_curve *curve, const cell_openings *openings, uint8_t *challenge);

/* Of the points of a trusted setup, for the checks that they fit each other. */
void challenge_of_setup(const sumac_curve *curve, const void *g1_points, size_t g1_bytes,
                        const void *g2_points, size_t g2_bytes, uint8_t *challenge);

/* Hash what sumac_srs_verify() is given: points of the first group; points of the second, and scalars. */
void challenge_of_claimed_values(const sumac_curve *curve, const void *g1_points, size_t g1_bytes,
                                 const void *rest, size_t rest_bytes, uint8_t *challenge);

enum { SRS_HASH_BYTES = 32 };

/* Of the first n points of an SRS, raw: what tables that were made from it are known by. */
void challenge_hash_srs(const sumac_curve *curve, const void *points, size_t n, uint8_t hash[SRS_HASH_BYTES]);

#endif

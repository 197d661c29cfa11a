/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions compute the Fiat-Shamir challenges of the consensus specification. A challenge is the SHA-256 of a
 * domain, sizes and the transcript, modulo r. It is an element of 32 big-endian bytes. */
#ifndef SUMAC_KZG_CHALLENGE_H
#define SUMAC_KZG_CHALLENGE_H

#include "sumac/sumac.h"

/* Compute the evaluation point at which a blob's polynomial is opened. This is compute_challenge() of the
 * specification. */
void challenge_of_blob(const sumac_group *group, const uint8_t *blob, const uint8_t *commitment,
                       uint8_t *challenge);

/* Compute the challenge that joins `count` openings in verify_kzg_proof_batch() of the specification. */
void challenge_of_openings(const sumac_group *group, const uint8_t *commitments, const uint8_t *zs,
                           const uint8_t *ys, const uint8_t *proofs, size_t count, uint8_t *challenge);

/* These are cells with their proofs, which verify_cell_kzg_proof_batch() joins, and their commitments, each different
 * one once. */
typedef struct cell_openings {
    const uint8_t *commitments;
    size_t commitment_count;
    const uint64_t *commitment_indices;
    const uint64_t *cell_indices;
    const uint8_t *cells;
    const uint8_t *proofs;
    size_t count;
} cell_openings;

/* Compute the challenge that joins the cells. This is compute_verify_cell_kzg_proof_batch_challenge() of the
 * specification. */
void challenge_of_cells(const sumac_group *group, const cell_openings *openings, uint8_t *challenge);

/* Hash two byte strings, for a check that is not in the specification. The domain must have 16 characters. */
#define CHALLENGE_OF_SETUP "SUMAC_SETUP__V1_"
#define CHALLENGE_OF_CLAIMS "SUMAC_CLAIMS_V1_"
void challenge_of_parts(const sumac_group *group, const char *domain, const void *first, size_t first_bytes,
                        const void *rest, size_t rest_bytes, uint8_t *challenge);

enum { SRS_HASH_BYTES = 32 };

/* Hash the first n raw points of an SRS. A table stores this hash to identify the SRS from which it was made. */
void challenge_hash_srs(const sumac_group *group, const void *points, size_t n, uint8_t hash[SRS_HASH_BYTES]);

#endif

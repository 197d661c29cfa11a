/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/challenge.h"

#include <string.h>

#include "base/sha256.h"
#include "codec/bytes.h"
#include "kzg/elements.h"
#include "sumac/kzg.h"

/* The first three domains are the consensus specification's (polynomial-commitments.md of Deneb,
 * polynomial-commitments-sampling.md of Fulu); the last one belongs to this library. */
static const char blob_domain[] = "FSBLOBVERIFY_V1_";
static const char openings_domain[] = "RCKZGBATCH___V1_";
static const char cells_domain[] = "RCKZGCBATCH__V1_";
static const char srs_domain[] = "SUMAC_SRS____V1_";

enum { DOMAIN_BYTES = 16 };

static void hash_integer(sha256 *hash, uint64_t integer)
{
    uint8_t big[8];
    store_le64(big, __builtin_bswap64(integer));
    sha256_add(hash, big, sizeof big);
}

static void hash_begin(sha256 *hash, const char *domain)
{
    sha256_begin(hash);
    sha256_add(hash, domain, DOMAIN_BYTES);
}

/* Finish the hash, and reduce it modulo r. This is hash_to_bls_field() of the consensus specification. */
static void hash_end(sha256 *hash, const sumac_group *group, uint8_t *challenge)
{
    sha256_end(hash, challenge);
    element_reduce(group, challenge);
}

void challenge_of_blob(const sumac_group *group, const uint8_t *blob, const uint8_t *commitment,
                       uint8_t *challenge)
{
    sha256 hash;
    hash_begin(&hash, blob_domain);
    hash_integer(&hash, 0); /* the upper 8 bytes of the degree, which has 16 bytes */
    hash_integer(&hash, SUMAC_KZG_FIELD_ELEMENTS);
    sha256_add(&hash, blob, SUMAC_KZG_BLOB_BYTES);
    sha256_add(&hash, commitment, SUMAC_KZG_COMMITMENT_BYTES);
    hash_end(&hash, group, challenge);
}

void challenge_of_openings(const sumac_group *group, const uint8_t *commitments, const uint8_t *zs,
                           const uint8_t *ys, const uint8_t *proofs, size_t count, uint8_t *challenge)
{
    sha256 hash;
    hash_begin(&hash, openings_domain);
    hash_integer(&hash, SUMAC_KZG_FIELD_ELEMENTS);
    hash_integer(&hash, count);
    for (size_t i = 0; i < count; i++) {
        sha256_add(&hash, commitments + i * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
        sha256_add(&hash, zs + i * SUMAC_KZG_ELEMENT_BYTES, SUMAC_KZG_ELEMENT_BYTES);
        sha256_add(&hash, ys + i * SUMAC_KZG_ELEMENT_BYTES, SUMAC_KZG_ELEMENT_BYTES);
        sha256_add(&hash, proofs + i * SUMAC_KZG_PROOF_BYTES, SUMAC_KZG_PROOF_BYTES);
    }
    hash_end(&hash, group, challenge);
}

void challenge_of_cells(const sumac_group *group, const cell_openings *openings, uint8_t *challenge)
{
    sha256 hash;
    hash_begin(&hash, cells_domain);
    hash_integer(&hash, SUMAC_KZG_FIELD_ELEMENTS);
    hash_integer(&hash, SUMAC_KZG_CELL_ELEMENTS);
    hash_integer(&hash, openings->commitment_count);
    hash_integer(&hash, openings->count);
    sha256_add(&hash, openings->commitments, openings->commitment_count * SUMAC_KZG_COMMITMENT_BYTES);
    for (size_t i = 0; i < openings->count; i++) {
        hash_integer(&hash, openings->commitment_indices[i]);
        hash_integer(&hash, openings->cell_indices[i]);
        sha256_add(&hash, openings->cells + i * SUMAC_KZG_CELL_BYTES, SUMAC_KZG_CELL_BYTES);
        sha256_add(&hash, openings->proofs + i * SUMAC_KZG_PROOF_BYTES, SUMAC_KZG_PROOF_BYTES);
    }
    hash_end(&hash, group, challenge);
}

void challenge_of_parts(const sumac_group *group, const char *domain, const void *first, size_t first_bytes,
                        const void *rest, size_t rest_bytes, uint8_t *challenge)
{
    sha256 hash;
    hash_begin(&hash, domain);
    hash_integer(&hash, first_bytes);
    sha256_add(&hash, first, first_bytes);
    sha256_add(&hash, rest, rest_bytes);
    hash_end(&hash, group, challenge);
}

void challenge_hash_srs(const sumac_group *group, const void *points, size_t n, uint8_t hash[SRS_HASH_BYTES])
{
    sha256 state;
    hash_begin(&state, srs_domain);
    sha256_add(&state, group->curve, strlen(group->curve) + 1);
    sha256_add(&state, group->name, strlen(group->name) + 1);
    hash_integer(&state, n);
    sha256_add(&state, points, n * group->point_bytes);
    sha256_end(&state, hash);
}

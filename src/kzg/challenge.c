/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libcrypto's EVP interface would read configuration files and leave handlers to run at exit, which a library
 * that may be unloaded must not. The functions of SHA-256 itself allocate nothing, keep nothing and cannot
 * fail; OpenSSL 3 only calls them old. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "kzg/challenge.h"

#include <string.h>

#include <openssl/sha.h>

#include "codec/bytes.h"
#include "kzg/elements.h"
#include "sumac/kzg.h"

/* The domains of the consensus specification (polynomial-commitments.md of Deneb, polynomial-commitments-sampling.md of
 * Fulu), and one of this library's own. */
static const char blob_domain[] = "FSBLOBVERIFY_V1_";
static const char openings_domain[] = "RCKZGBATCH___V1_";
static const char cells_domain[] = "RCKZGCBATCH__V1_";
static const char srs_domain[] = "SUMAC_SRS____V1_";

enum { DOMAIN_BYTES = 16 };

static void hash_integer(SHA256_CTX *hash, uint64_t integer)
{
    uint8_t big[8];
    store_le64(big, __builtin_bswap64(integer));
    SHA256_Update(hash, big, sizeof big);
}

static void hash_begin(SHA256_CTX *hash, const char *domain)
{
    SHA256_Init(hash);
    SHA256_Update(hash, domain, DOMAIN_BYTES);
}

/* hash_to_bls_field. */
static void hash_end(SHA256_CTX *hash, const sumac_curve *curve, uint8_t *challenge)
{
    SHA256_Final(challenge, hash);
    element_reduce(curve, challenge);
}

void challenge_of_blob(const sumac_curve *curve, const uint8_t *blob, const uint8_t *commitment,
                       uint8_t *challenge)
{
    SHA256_CTX hash;
    hash_begin(&hash, blob_domain);
    hash_integer(&hash, 0); /* the degree in 16 bytes */
    hash_integer(&hash, SUMAC_KZG_FIELD_ELEMENTS);
    SHA256_Update(&hash, blob, SUMAC_KZG_BLOB_BYTES);
    SHA256_Update(&hash, commitment, SUMAC_KZG_COMMITMENT_BYTES);
    hash_end(&hash, curve, challenge);
}

void challenge_of_openings(const sumac_curve *curve, const uint8_t *commitments, const uint8_t *zs,
                           const uint8_t *ys, const uint8_t *proofs, size_t count, uint8_t *challenge)
{
    SHA256_CTX hash;
    hash_begin(&hash, openings_domain);
    hash_integer(&hash, SUMAC_KZG_FIELD_ELEMENTS);
    hash_integer(&hash, count);
    for (size_t i = 0; i < count; i++) {
        SHA256_Update(&hash, commitments + i * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
        SHA256_Update(&hash, zs + i * SUMAC_KZG_ELEMENT_BYTES, SUMAC_KZG_ELEMENT_BYTES);
        SHA256_Update(&hash, ys + i * SUMAC_KZG_ELEMENT_BYTES, SUMAC_KZG_ELEMENT_BYTES);
        SHA256_Update(&hash, proofs + i * SUMAC_KZG_PROOF_BYTES, SUMAC_KZG_PROOF_BYTES);
    }
    hash_end(&hash, curve, challenge);
}

void challenge_of_cells(const sumac_curve *curve, const cell_openings *openings, uint8_t *challenge)
{
    SHA256_CTX hash;
    hash_begin(&hash, cells_domain);
    hash_integer(&hash, SUMAC_KZG_FIELD_ELEMENTS);
    hash_integer(&hash, SUMAC_KZG_CELL_ELEMENTS);
    hash_integer(&hash, openings->commitment_count);
    hash_integer(&hash, openings->count);
    SHA256_Update(&hash, openings->commitments, openings->commitment_count * SUMAC_KZG_COMMITMENT_BYTES);
    for (size_t i = 0; i < openings->count; i++) {
        hash_integer(&hash, openings->commitment_indices[i]);
        hash_integer(&hash, openings->cell_indices[i]);
        SHA256_Update(&hash, openings->cells + i * SUMAC_KZG_CELL_BYTES, SUMAC_KZG_CELL_BYTES);
        SHA256_Update(&hash, openings->proofs + i * SUMAC_KZG_PROOF_BYTES, SUMAC_KZG_PROOF_BYTES);
    }
    hash_end(&hash, curve, challenge);
}

void challenge_of_parts(const sumac_curve *curve, const char *domain, const void *first, size_t first_bytes,
                        const void *rest, size_t rest_bytes, uint8_t *challenge)
{
    SHA256_CTX hash;
    hash_begin(&hash, domain);
    hash_integer(&hash, first_bytes);
    SHA256_Update(&hash, first, first_bytes);
    SHA256_Update(&hash, rest, rest_bytes);
    hash_end(&hash, curve, challenge);
}

void challenge_hash_srs(const sumac_curve *curve, const void *points, size_t n, uint8_t hash[SRS_HASH_BYTES])
{
    const sumac_curve_info *info = sumac_curve_describe(curve);
    SHA256_CTX state;
    hash_begin(&state, srs_domain);
    SHA256_Update(&state, info->name, strlen(info->name) + 1);
    SHA256_Update(&state, info->group, strlen(info->group) + 1);
    hash_integer(&state, n);
    SHA256_Update(&state, points, n * info->point_bytes);
    SHA256_Final(hash, &state);
}

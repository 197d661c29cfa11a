/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/commitment_hash.h"

#include <string.h>

#include "base/integers.h"
#include "codec/reduce.h"

/* The scalars of BW6-761 are the longest ones. They have 377 bits, so that 64 bytes are hashed for one. */
enum { SECURITY_BYTES = 16, MOST_HASHED = 2 * SHA256_BYTES };

/* expand_message_xmd() of RFC 9380, section 5.3.1, with SHA-256: the first hash is of a block of zeros, the message, the
 * number of wanted bytes, a zero and the domain with its length. */
static void begin_expanding(hash_state *state)
{
    static const uint8_t zeros[SHA256_BLOCK_BYTES];
    sha256_begin(&state->sha256);
    sha256_add(&state->sha256, zeros, sizeof zeros);
}

static void add_sha256(hash_state *state, const void *bytes, size_t count)
{
    sha256_add(&state->sha256, bytes, count);
}

static void end_with_domain(sha256 *hash, const char *domain, uint8_t digest[SHA256_BYTES])
{
    const uint8_t length = (uint8_t)strlen(domain);
    sha256_add(hash, domain, length);
    sha256_add(hash, &length, 1);
    sha256_end(hash, digest);
}

/* Each further hash is of the first one, XORed with the one before, its number and the domain. hash_to_field() then reduces
 * 128 bits more than a scalar has. */
static void end_expanding(hash_state *state, const char *domain, const sumac_group *group, uint8_t *scalar)
{
    sha256 *hash = &state->sha256;
    uint8_t first[SHA256_BYTES], expanded[MOST_HASHED] = {0}, mixed[SHA256_BYTES];
    const size_t wanted = (group->scalar_bits + 7) / 8 + SECURITY_BYTES;
    const uint8_t wanted_then_zero[] = {(uint8_t)(wanted >> 8), (uint8_t)wanted, 0};
    sha256_add(hash, wanted_then_zero, sizeof wanted_then_zero);
    end_with_domain(hash, domain, first);
    for (size_t at = 0; at < wanted; at += SHA256_BYTES) {
        const uint8_t number = (uint8_t)(1 + at / SHA256_BYTES);
        for (size_t i = 0; i < SHA256_BYTES; i++) {
            mixed[i] = (uint8_t)(first[i] ^ (at == 0 ? 0 : expanded[at - SHA256_BYTES + i]));
        }
        sha256_begin(hash);
        sha256_add(hash, mixed, sizeof mixed);
        sha256_add(hash, &number, 1);
        end_with_domain(hash, domain, expanded + at);
    }
    integer_reduce(group, expanded, wanted, scalar);
}

/* gnark reduces the digest of a caller's hash.Hash as a big-endian integer. If a digest is longer than a scalar, gnark cuts it
 * off. */
static void reduce_digest(const uint8_t *digest, size_t bytes, const sumac_group *group, uint8_t *scalar)
{
    integer_reduce(group, digest, smaller(bytes, group->scalar_bytes), scalar);
}

static void begin_sha256(hash_state *state)
{
    sha256_begin(&state->sha256);
}

static void end_sha256(hash_state *state, const char *domain, const sumac_group *group, uint8_t *scalar)
{
    uint8_t digest[SHA256_BYTES];
    (void)domain;
    sha256_end(&state->sha256, digest);
    reduce_digest(digest, sizeof digest, group, scalar);
}

static void begin_keccak(hash_state *state)
{
    keccak_begin(&state->keccak);
}

static void add_keccak(hash_state *state, const void *bytes, size_t count)
{
    keccak_add(&state->keccak, bytes, count);
}

static void end_keccak(hash_state *state, const char *domain, const sumac_group *group, uint8_t *scalar)
{
    uint8_t digest[KECCAK_BYTES];
    (void)domain;
    keccak_end(&state->keccak, KECCAK256_PADDING, digest);
    reduce_digest(digest, sizeof digest, group, scalar);
}

static const commitment_hash hashes[] = {{"xmd-sha256", begin_expanding, add_sha256, end_expanding},
                                         {"sha256", begin_sha256, add_sha256, end_sha256},
                                         {"keccak256", begin_keccak, add_keccak, end_keccak}};

enum { HASHES = sizeof hashes / sizeof *hashes };

uint32_t commitment_hash_number(const commitment_hash *hash)
{
    return (uint32_t)(hash - hashes);
}

const commitment_hash *commitment_hash_at(uint32_t number)
{
    return number < HASHES ? &hashes[number] : NULL;
}

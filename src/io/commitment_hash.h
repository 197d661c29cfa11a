/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the hashes by which gnark turns commitments of circuits into scalars, in Groth16 and in PLONK. */
#ifndef SUMAC_IO_COMMITMENT_HASH_H
#define SUMAC_IO_COMMITMENT_HASH_H

#include "base/keccak.h"
#include "base/sha256.h"
#include "sumac/sumac.h"

typedef union {
    sha256 sha256;
    keccak keccak;
} hash_state;

/* A hash to scalars. A domain separates uses of one hash; digests alone have no domain. */
typedef struct commitment_hash {
    const char *name;
    void (*begin)(hash_state *state);
    void (*add)(hash_state *state, const void *bytes, size_t count);
    void (*end)(hash_state *state, const char *domain, const sumac_group *group, uint8_t *scalar);
} commitment_hash;

/* The numbers of hashes in files never change. Hash 0 is gnark's default. */
uint32_t commitment_hash_number(const commitment_hash *hash);
const commitment_hash *commitment_hash_at(uint32_t number); /* null if there is none */

#endif

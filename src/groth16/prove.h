/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proofs as they are computed, unverified. */
#ifndef SUMAC_GROTH16_PROVE_H
#define SUMAC_GROTH16_PROVE_H

#include "groth16/key.h"

/* Proofs that are computed together. */
typedef struct proof_batch {
    const sumac_groth16_key *key;
    const uint8_t *witnesses;   /* count, raw; with `vector` of each only 1 and its public inputs */
    size_t witness_bytes;       /* from one to the next */
    const sumac_vector *vector; /* null, or where all witnesses of the call lie, one behind the other */
    const uint8_t *randomness;  /* r and s of each, raw */
    size_t count;
    size_t first; /* the number of the first one, for sentences */
} proof_batch;

/* `count` of them from `first` on. */
static inline proof_batch proof_batch_part(const proof_batch *all, size_t first, size_t count)
{
    proof_batch part = *all;
    part.witnesses += first * all->witness_bytes;
    part.randomness += 2 * first * all->key->verifying->groups.info1->scalar_bytes;
    part.count = count;
    part.first += first;
    return part;
}

/* So many proofs of `count` are computed together. */
size_t proofs_together(const sumac_context *context, const sumac_groth16_key *key, size_t count);

/* The proofs, raw. */
sumac_status proofs_compute(sumac_context *context, const proof_batch *batch, uint8_t *proofs);

#endif

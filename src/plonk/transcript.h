/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Challenges are hashes of what the verifier knows, and the linearisation has the factors that follow from them. Prover and
 * verifier use the same functions. */
#ifndef SUMAC_PLONK_TRANSCRIPT_H
#define SUMAC_PLONK_TRANSCRIPT_H

#include "plonk/verifying_key.h"

/* A transcript is a proof that grows, with its challenges. */
typedef struct transcript {
    const sumac_plonk_verifying_key *key;
    const uint8_t *publics; /* raw */
    const uint8_t *proof;   /* raw; challenges are hashed from what has been written so far */
    host_scalar challenges[CHALLENGES];
} transcript;

/* Compute a challenge. */
void transcript_challenge(transcript *t, plonk_item challenge);

static inline host_scalar transcript_get(const transcript *t, plonk_item challenge)
{
    return t->challenges[challenge - BETA];
}

/* Return a scalar of the proof. */
host_scalar transcript_value(const transcript *t, plonk_item value);

/* Return wire + beta * position + gamma. */
host_scalar transcript_permute(const transcript *t, host_scalar wire, host_scalar position);

/* These are values at xi: of X^n - 1, and of L_1. */
typedef struct domain_values {
    host_scalar zh, lagrange;
} domain_values;

domain_values transcript_domain(const transcript *t);

/*
 * With values at xi instead of the polynomials that are opened, the quotient's equation becomes a sum of commitments (step 9
 * of the paper's verifier): r0 + sum_i factors[i] P_i, which is 0 at xi.
 */
typedef struct linearization {
    host_scalar factors[PROOF_WXI]; /* that of KEY_C0 is 0 */
    domain_values at;
    host_scalar permuted; /* alpha (a + beta s1 + gamma)(b + beta s2 + gamma) zw */
} linearization;

/* Return the next item that has a factor. */
static inline plonk_item plonk_linearized(plonk_item item)
{
    return item == KEY_S3 ? PROOF_A : (plonk_item)(item + 1);
}

/* The challenges up to xi and the proof's scalars are known. */
void linearize(const transcript *t, linearization *l);

#endif

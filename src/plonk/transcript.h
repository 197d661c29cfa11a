/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Challenges are hashes of what the verifier knows, and the linearisation has the factors that follow from them. Prover and
 * verifier use the same functions. */
#ifndef SUMAC_PLONK_TRANSCRIPT_H
#define SUMAC_PLONK_TRANSCRIPT_H

#include "plonk/verifying_key.h"

enum { DIGEST_BYTES = 32 };

/* A transcript is a proof that grows, with its challenges. */
typedef struct transcript {
    const sumac_plonk_verifying_key *key;
    const uint8_t *publics;                 /* raw */
    const uint8_t *proof;                   /* raw; challenges are hashed from what has been written so far */
    uint8_t linear_point[MOST_POINT_BYTES]; /* raw, for flavours that hash it */
    uint32_t computed;                      /* so many of the flavour's challenges are known */
    host_scalar challenges[CHALLENGES];
    uint8_t digests[CHALLENGES][DIGEST_BYTES];
} transcript;

/* Compute all challenges up to this one, in the flavour's order, which are not yet known. */
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
    host_scalar factors[EVAL_A]; /* of each polynomial of the key and of the proof; for many of them 0 */
    domain_values at;
    host_scalar permuted; /* alpha (a + beta s1 + gamma)(b + beta s2 + gamma) zw */
} linearization;

/* The challenges up to xi and the proof's scalars are known, but for that of the linearisation. */
void linearize(const transcript *t, linearization *l);

/* Compute linear_point, the commitment to the linearisation, if the flavour hashes it. */
sumac_status linearize_commit(sumac_context *context, transcript *t, const linearization *l);

/* Once v is known, set the factors of the polynomials that are opened, which have no other factors. */
void linearize_openings(const transcript *t, linearization *l);

/* Return the value of gnark's commitment to wires: a hash of its point, which for the second function the proof has. */
host_scalar plonk_committed_value(const sumac_group *g1, const uint8_t *point);
host_scalar transcript_committed(const transcript *t, uint32_t commitment);

#endif

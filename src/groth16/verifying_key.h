/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines keys that verify the proofs of one circuit. */
#ifndef SUMAC_GROTH16_VERIFYING_KEY_H
#define SUMAC_GROTH16_VERIFYING_KEY_H

#include "executor/executor.h"
#include "groth16/commitments.h"
#include "io/groups.h"
#include "sumac/groth16.h"
#include "sumac/pairing.h"

enum { VERIFYING_G2 = 3 };

/* These are the values that the commitments of a proof are hashed with, and the number of commitments. */
typedef struct commitment_inputs {
    uint32_t count;
    /* Commitment k has the numbers [ends[k - 1], ends[k]) of `hashed`: j from 1 to `publics` stands for public input j,
     * and publics + 1 + i for the value of commitment i < k. */
    uint32_t ends[MOST_COMMITMENTS];
    uint32_t *hashed; /* null if nothing is hashed with any commitment's point, or if that is not known */
} commitment_inputs;

struct sumac_groth16_verifying_key {
    groups groups;
    uint64_t publics;
    uint8_t alpha1[MOST_POINT_BYTES];                   /* raw */
    uint8_t g2_points[VERIFYING_G2 * MOST_POINT_BYTES]; /* raw: beta2, gamma2, delta2 */
    /* These are publics + 1 points of the first group, and one for each commitment's value. The pointer is null if a proving
     * key came without a verifying key; then, of the other fields, only the number of commitments is set. */
    sumac_bases *ic;
    sumac_pairing_points *minus_points; /* -beta2, -gamma2, -delta2 */
    const commitment_hash *hash;
    commitment_inputs commitments;
    /* Raw points of the second group: -sigma G of each commitment, then G. The pointer is null without commitments. */
    uint8_t *knowledge;
    sumac_pairing_points *knowledge_points; /* the same points, prepared */
};

/* These are the points of a file, all in the same form. */
typedef struct verifying_points {
    const uint8_t *alpha1, *beta2, *gamma2, *delta2;
    const uint8_t *ic; /* publics + 1, and one for each commitment */
    uint64_t publics;
    const commitment_hash *hash;          /* null: gnark's default */
    const commitment_inputs *commitments; /* null: none; numbers are copied, and checked to be in range */
    const uint8_t *knowledge;             /* one for each commitment and one more, of the second group */
    sumac_form form;
    const char *what; /* the file's name, for messages */
    const char *ic_what;
} verifying_points;

/* Make a key from points, which are checked. */
sumac_status verifying_create(sumac_context *context, const groups *of, const verifying_points *points,
                              sumac_check check, sumac_groth16_verifying_key **verifying);

/* Make a key that can't verify, for a proving key without a verifying key. */
sumac_status verifying_create_without(sumac_context *context, const groups *of, uint64_t publics,
                                      uint32_t commitments, sumac_groth16_verifying_key **verifying);

/* Return SUMAC_OK if a key is on the context's device and can verify proofs; otherwise store a message. */
sumac_status verifying_check_usable(sumac_context *context, const sumac_groth16_verifying_key *verifying);

/* Return the bytes of the public inputs of one proof. */
static inline size_t verifying_publics_bytes(const sumac_groth16_verifying_key *verifying)
{
    return (size_t)verifying->publics * verifying->groups.g1->scalar_bytes;
}

/* Return the bytes of one proof: A, B, C; with commitments also their points, and the proof that they are known. */
static inline size_t verifying_proof_bytes(const sumac_groth16_verifying_key *verifying)
{
    const uint32_t commitments = verifying->commitments.count;
    return verifying->groups.proof_bytes +
           (commitments == 0 ? 0 : (commitments + (size_t)1) * verifying->groups.g1->point_bytes);
}

/* Return the beginning of commitment k's numbers in commitments->hashed. */
static inline uint32_t commitment_begin(const commitment_inputs *commitments, uint32_t k)
{
    return k == 0 ? 0 : commitments->ends[k - 1];
}

/* Compute the values of all commitments of a proof, raw, from its public inputs and its commitments' raw points. The key
 * was not made by verifying_create_without(). */
sumac_status verifying_commitment_values(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                         const uint8_t *publics, const uint8_t *points, uint8_t *values);

/* Return 0 if the key has public inputs and the caller has not given them. */
static inline int publics_are_set(const sumac_groth16_verifying_key *verifying, const void *publics)
{
    return publics != NULL || (verifying != NULL && verifying->publics == 0);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines keys that verify the proofs of one circuit. */
#ifndef SUMAC_PLONK_VERIFYING_KEY_H
#define SUMAC_PLONK_VERIFYING_KEY_H

#include "io/groups.h"
#include "plonk/flavour.h"
#include "sumac/pairing.h"
#include "sumac/plonk.h"
#include "vector/host_scalars.h"

enum { MOST_POWER = 31 };

struct sumac_plonk_verifying_key {
    const plonk_flavour *flavour;
    groups groups;
    uint32_t publics;
    uint32_t commitments;                        /* of the circuit to its wires */
    uint32_t commitment_gates[MOST_COMMITMENTS]; /* the gate that has the value of each one */
    uint32_t power;                              /* the domain is 2^power */
    host_scalar k1, k2;
    host_scalar root;       /* the flavour's, of order 2^power */
    host_scalar root_of_8n; /* sumac_root_of_unity()'s, of order 2^(power + 3) */
    /* raw commitments, and then the generator */
    uint8_t points[(KEY_POINTS + MOST_COMMITMENTS + 1) * MOST_POINT_BYTES];
    uint8_t tau2[MOST_POINT_BYTES]; /* raw, in the second group */
    sumac_pairing_points *pair;     /* tau2, and the second group's generator */
};

/* These are the points and numbers of a file. Points are in one form. */
typedef struct verifying_parts {
    const plonk_flavour *flavour;
    uint64_t root_exponent; /* the file's roots are these powers of ours */
    uint64_t publics;
    uint32_t commitments;
    const uint32_t *commitment_gates;
    uint32_t power;
    host_scalar k1, k2;
    const uint8_t *points; /* KEY_POINTS of the first group, and one for each commitment */
    const uint8_t *tau2;
    sumac_form form;
    const char *what; /* the file's name, for messages */
} verifying_parts;

/* Make a key from points, which are checked. */
sumac_status plonk_verifying_create(sumac_context *context, const groups *of, const verifying_parts *parts,
                                    sumac_check check, sumac_plonk_verifying_key **verifying);

static inline void plonk_close_verifying(sumac_plonk_verifying_key **key)
{
    sumac_plonk_verifying_key_destroy(*key);
}

/* Return the bytes of the public inputs of one proof, of one proof, and of one proof's random numbers. */
static inline size_t plonk_publics_bytes(const sumac_plonk_verifying_key *verifying)
{
    return (size_t)verifying->publics * verifying->groups.g1->scalar_bytes;
}

/* Return how many points a key has, and how many points and scalars a proof has. */
static inline size_t plonk_key_points(const sumac_plonk_verifying_key *verifying)
{
    return KEY_POINTS + (size_t)verifying->commitments;
}

static inline size_t plonk_proof_points(const sumac_plonk_verifying_key *verifying)
{
    return PROOF_POINTS + (size_t)verifying->commitments;
}

static inline size_t plonk_proof_scalars(const sumac_plonk_verifying_key *verifying)
{
    return verifying->flavour->scalars + (size_t)verifying->commitments;
}

/* Return the item after another one, among those that a key and its proofs have up to the last scalar. */
static inline plonk_item plonk_next(const sumac_plonk_verifying_key *verifying, plonk_item item)
{
    const plonk_item next = (plonk_item)(item + 1);
    return next == KEY_QCP + verifying->commitments            ? PROOF_A
           : next == PROOF_COMMITMENT + verifying->commitments ? EVAL_A
           : next == EVAL_A + plonk_proof_scalars(verifying)   ? BETA
                                                               : next;
}

static inline size_t plonk_proof_bytes(const sumac_plonk_verifying_key *verifying)
{
    const sumac_group *g1 = verifying->groups.g1;
    return plonk_proof_points(verifying) * g1->point_bytes +
           plonk_proof_scalars(verifying) * g1->scalar_bytes;
}

static inline size_t plonk_blinding_bytes(const sumac_plonk_verifying_key *verifying)
{
    return verifying->flavour->blinding * (size_t)verifying->groups.g1->scalar_bytes;
}

/* Return where a proof has a point or a scalar. */
static inline size_t plonk_item_at(const sumac_plonk_verifying_key *verifying, plonk_item item)
{
    const sumac_group *g1 = verifying->groups.g1;
    return item < EVAL_A
               ? (size_t)(item - PROOF_A) * g1->point_bytes
               : plonk_proof_points(verifying) * g1->point_bytes + (size_t)(item - EVAL_A) * g1->scalar_bytes;
}

/* Return 0 if the key has public inputs and the caller has not given them. */
static inline int plonk_publics_are_set(const sumac_plonk_verifying_key *verifying, const void *publics)
{
    return publics != NULL || (verifying != NULL && verifying->publics == 0);
}

/* Read a verifying key from a text of snarkjs, which messages call `name`. */
sumac_status plonk_json_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                  sumac_plonk_verifying_key **verifying);

#endif

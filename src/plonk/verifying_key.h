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
    uint32_t power; /* the domain is 2^power */
    host_scalar k1, k2;
    host_scalar root;       /* the flavour's, of order 2^power */
    host_scalar root_of_8n; /* sumac_root_of_unity()'s, of order 2^(power + 3) */
    uint8_t points[(MOST_KEY_POINTS + 1) * MOST_POINT_BYTES]; /* raw commitments, and then the generator */
    uint8_t tau2[MOST_POINT_BYTES];                           /* raw, in the second group */
    sumac_pairing_points *pair;                               /* tau2, and the second group's generator */
};

/* These are the points and numbers of a file. Points are in one form. */
typedef struct verifying_parts {
    const plonk_flavour *flavour;
    uint64_t publics;
    uint32_t power;
    host_scalar k1, k2, roots[MOST_ROOTS]; /* the flavour's roots, which must be right */
    const uint8_t *points;                 /* the flavour's, of the first group */
    const uint8_t *tau2;
    sumac_form form;
    const char *what; /* the file's name, for messages */
} verifying_parts;

/* Fail if the flavour does not have the curve. */
sumac_status plonk_check_curve(sumac_context *context, const char *what, const plonk_flavour *flavour,
                               const groups *of);

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

static inline size_t plonk_proof_bytes(const sumac_plonk_verifying_key *verifying)
{
    const sumac_group *g1 = verifying->groups.g1;
    const plonk_flavour *flavour = verifying->flavour;
    return flavour->proof_points.count * (size_t)g1->point_bytes +
           flavour->proof_scalars.count * (size_t)g1->scalar_bytes;
}

static inline size_t plonk_blinding_bytes(const sumac_plonk_verifying_key *verifying)
{
    return verifying->flavour->blinding * (size_t)verifying->groups.g1->scalar_bytes;
}

/* Return where a proof has a point or a scalar. */
static inline size_t plonk_item_at(const sumac_plonk_verifying_key *verifying, plonk_item item)
{
    const sumac_group *g1 = verifying->groups.g1;
    const plonk_flavour *flavour = verifying->flavour;
    return item < EVAL_A ? item_position(&flavour->proof_points, item) * (size_t)g1->point_bytes
                         : flavour->proof_points.count * (size_t)g1->point_bytes +
                               item_position(&flavour->proof_scalars, item) * (size_t)g1->scalar_bytes;
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

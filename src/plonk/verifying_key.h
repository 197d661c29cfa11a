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
    uint8_t points[(MOST_KEY_POINTS + 1) * MOST_POINT_BYTES];
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
    host_scalar k1, k2, roots[MOST_ROOTS]; /* the flavour's roots, which must be right */
    const uint8_t *points; /* the flavour's, of the first group, and one for each commitment */
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

/* Return how many points a key has, and how many points and scalars a proof has. */
static inline size_t plonk_key_points(const sumac_plonk_verifying_key *verifying)
{
    return verifying->flavour->key_points.count + (size_t)verifying->commitments;
}

static inline size_t plonk_proof_points(const sumac_plonk_verifying_key *verifying)
{
    return verifying->flavour->proof_points.count + (size_t)verifying->commitments;
}

static inline size_t plonk_proof_scalars(const sumac_plonk_verifying_key *verifying)
{
    return verifying->flavour->proof_scalars.count + (size_t)verifying->commitments;
}

/* Return item i of a list, which the items of the circuit's commitments follow, and the position of an item. */
static inline plonk_item list_item(const item_list *list, plonk_item of_commitments, size_t i)
{
    return i < list->count ? list->items[i] : (plonk_item)(of_commitments + (i - list->count));
}

static inline size_t list_position(const item_list *list, plonk_item of_commitments, plonk_item item)
{
    return item >= of_commitments && item < of_commitments + MOST_COMMITMENTS
               ? list->count + (size_t)(item - of_commitments)
               : item_position(list, item);
}

/* Return the commitment of a key, and then of a proof, that has number i. */
static inline plonk_item plonk_point_item(const sumac_plonk_verifying_key *verifying, size_t i)
{
    const size_t keys = plonk_key_points(verifying);
    return i < keys ? list_item(&verifying->flavour->key_points, KEY_QCP, i)
                    : list_item(&verifying->flavour->proof_points, PROOF_COMMITMENT, i - keys);
}

/* Return scalar i of a proof. */
static inline plonk_item plonk_scalar_item(const sumac_plonk_verifying_key *verifying, size_t i)
{
    return list_item(&verifying->flavour->proof_scalars, EVAL_QCP, i);
}

/* Return which of the key's points is a commitment. */
static inline size_t plonk_key_position(const sumac_plonk_verifying_key *verifying, plonk_item item)
{
    return list_position(&verifying->flavour->key_points, KEY_QCP, item);
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
    const plonk_flavour *flavour = verifying->flavour;
    return item < EVAL_A ? list_position(&flavour->proof_points, PROOF_COMMITMENT, item) * g1->point_bytes
                         : plonk_proof_points(verifying) * g1->point_bytes +
                               list_position(&flavour->proof_scalars, EVAL_QCP, item) * g1->scalar_bytes;
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

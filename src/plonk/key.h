/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines a proving key in memory. */
#ifndef SUMAC_PLONK_KEY_H
#define SUMAC_PLONK_KEY_H

#include "plonk/verifying_key.h"
#include "vector/sparse.h"

/* The quotient is evaluated on this many cosets of the domain. Coset j has the points x with x^n = w^(2j + 1), where w is the
 * root of order 8. Its shift is the root of order 8n to the power 2j + 1. */
enum { COSETS = 3 };

struct sumac_plonk_key {
    sumac_plonk_verifying_key *verifying;
    uint32_t wires; /* of a witness */
    uint32_t additions, gates, domain;
    sumac_bases *powers; /* tau^i, as many as the flavour needs */
    /* Each addition is the sum of two wires times factors, of which others may be sums. The additions are ordered by levels, such
     * that those of a level need only the wires and the levels before. Row i of `sums` is addition i in this order, and
     * its columns are the wires, then the additions. Both are null without additions. */
    sparse_matrix *sums;
    uint64_t *level_ends;
    uint32_t levels;
    /* 3*domain rows: the wire of each gate's a, then b, then c; wire 0 has no term. If it is null, a witness has the values of
     * all gates' a, then b, then c, and then two random numbers for each commitment of the circuit. */
    sparse_matrix *maps;
    uint32_t
        *committed; /* the gates with wires that the circuit commits to: those of commitment 0, of 1, .. */
    uint32_t committed_ends[MOST_COMMITMENTS];
    sumac_vector
        *polynomials; /* rows of `domain` coefficients: KEY_POLYNOMIALS, and one for each commitment */
    sumac_vector *
        kept; /* for each polynomial the values on the cosets that its flavour keeps; null if none are kept */
    uint64_t workspace_bytes;                  /* of a proof */
    uint8_t root[MOST_SCALAR_BYTES];           /* raw, of order domain */
    int has_other_root;                        /* set if it is not sumac_root_of_unity()'s */
    uint8_t shifts[COSETS][MOST_SCALAR_BYTES]; /* raw */
};

/* Return the number of scalars in a row of coefficients. */
static inline size_t key_row(const sumac_plonk_key *key)
{
    return (size_t)key->domain + key->verifying->flavour->more_powers;
}

static inline size_t key_witness_bytes(const sumac_plonk_key *key)
{
    return key->wires * (size_t)key->verifying->groups.g1->scalar_bytes;
}

/* Return the public inputs of a witness. */
static inline const uint8_t *key_publics(const sumac_plonk_key *key, const uint8_t *witness)
{
    const sumac_plonk_verifying_key *verifying = key->verifying;
    return witness + verifying->flavour->first_public * (size_t)verifying->groups.g1->scalar_bytes;
}

/* Return the configuration of transforms over the domain, or over one of its cosets if the shift is not null. */
static inline sumac_transform_config key_transform(const sumac_plonk_key *key, const uint8_t *shift,
                                                   int inverse)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = key->domain;
    config.inverse = (uint32_t)inverse;
    config.shift = shift;
    config.root = key->has_other_root ? key->root : NULL;
    return config;
}

/* Return how many polynomials a key has, and the number of one of them. */
static inline size_t key_polynomials(const sumac_plonk_key *key)
{
    return KEY_POLYNOMIALS + (size_t)key->verifying->commitments;
}

static inline uint64_t key_number(plonk_item which)
{
    return which < KEY_QCP ? (uint64_t)which : (uint64_t)(which - KEY_QCP) + KEY_POLYNOMIALS;
}

/* Return polynomial `which` of the key. */
static inline sumac_vector key_polynomial(const sumac_plonk_key *key, plonk_item which)
{
    return vector_part(key->polynomials, key_number(which) * key->domain, key->domain);
}

/* Return the number of cosets on which the values of polynomial i are kept, the number of the row that has those on a coset, and the
 * number of all rows. */
static inline size_t key_kept_cosets(const sumac_plonk_key *key, uint64_t i)
{
    return i < KEY_POLYNOMIALS ? key->verifying->flavour->kept_cosets[i] : COSETS;
}

static inline uint64_t key_kept_row(const sumac_plonk_key *key, uint64_t i, uint64_t coset)
{
    uint64_t row = coset;
    for (uint64_t before = 0; before < i; before++) {
        row += key_kept_cosets(key, before);
    }
    return row;
}

static inline uint64_t key_kept_rows(const sumac_plonk_key *key)
{
    return key_kept_row(key, key_polynomials(key), 0);
}

/* Once the verifying key is known, find the domain's root and the cosets: key_roots.c. */
void plonk_key_find_roots(sumac_plonk_key *key);

#endif

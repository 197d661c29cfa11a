/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines a proving key in memory. */
#ifndef SUMAC_PLONK_KEY_H
#define SUMAC_PLONK_KEY_H

#include "plonk/verifying_key.h"
#include "vector/sparse.h"

/* The quotient is evaluated on this many cosets of the domain. Coset j has the points x with x^n = w^(2j + 1), where w is the
 * root of order 8. Its shift is the root of order 8n to the power 2j + 1. */
enum { COSETS = 4 };

struct sumac_plonk_key {
    sumac_plonk_verifying_key *verifying;
    uint32_t wires; /* of a witness */
    uint32_t additions, gates, domain;
    sumac_bases *powers; /* tau^i, as many as the flavour's layout says */
    /* Each addition is the sum of two wires times factors, of which others may be sums. The additions are ordered by levels, such
     * that those of a level need only the wires and the levels before. Row i of `sums` is addition i in this order, and
     * its columns are the wires, then the additions. Both are null without additions. */
    sparse_matrix *sums;
    uint64_t *level_ends;
    uint32_t levels;
    sparse_matrix *maps; /* 3*domain rows: the wire of each gate's a, then b, then c; wire 0 has no term */
    sumac_vector *polynomials; /* KEY_POLYNOMIALS rows of `domain` coefficients */
    sumac_vector *
        kept; /* for each polynomial the values on the cosets that its flavour keeps; null if none are kept */
    uint8_t root[MOST_SCALAR_BYTES];           /* raw, of order domain */
    int has_other_root;                        /* set if it is not sumac_root_of_unity()'s */
    uint8_t shifts[COSETS][MOST_SCALAR_BYTES]; /* raw */
};

/* Return the number of scalars in a row of coefficients. */
static inline size_t key_row(const sumac_plonk_key *key)
{
    return (size_t)key->domain + MORE_POWERS;
}

static inline size_t key_witness_bytes(const sumac_plonk_key *key)
{
    return key->wires * (size_t)key->verifying->groups.g1->scalar_bytes;
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

/* Return polynomial `which` of the key. */
static inline sumac_vector key_polynomial(const sumac_plonk_key *key, plonk_item which)
{
    return vector_part(key->polynomials, (uint64_t)which * key->domain, key->domain);
}

/* Return the number of the row with a polynomial's kept values on a coset, or with KEY_C0 the number of all rows. */
static inline uint64_t key_kept_row(const sumac_plonk_key *key, plonk_item which, uint64_t coset)
{
    uint64_t row = coset;
    for (plonk_item before = KEY_QM; before < which; before++) {
        row += key->verifying->flavour->kept_cosets[before];
    }
    return row;
}

#endif

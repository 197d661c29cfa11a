/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A proving key in memory. Its bases are arranged so that each sum of a proof is one multi-scalar multiplication. */
#ifndef SUMAC_GROTH16_KEY_H
#define SUMAC_GROTH16_KEY_H

#include "base/integers.h"
#include "groth16/verifying_key.h"
#include "vector/sparse.h"

/* The sums A, B1 and B have the scalars 1, r and s before those of the wires. */
enum { EXTRA_WIRES = 3 };

/* From this domain on, memory accounts for more than a hundredth of a proof's time. */
#define KEY_LARGE_DOMAIN (UINT32_C(1) << 18)

/* Bases for elements of a proof's vector z. If many bases are infinity, these are left out: many wires of a circuit
 * occur only in A or only in B. */
typedef struct base_set {
    sumac_bases *bases;
    uint64_t *rows; /* the element of z for each base; null: each element has a base, in order */
} base_set;

enum { MATRIX_A, MATRIX_B, KEY_MATRICES };

/* If several executors compute one large proof, this one multiplies by B, and the first one does everything else. */
enum { KEY_HOME_OF_B = 1 };

struct sumac_groth16_key {
    const sumac_groth16_verifying_key *verifying;
    sumac_groth16_verifying_key *own_verifying; /* null if `verifying` belongs to the caller */
    uint32_t wires, publics, domain;
    uint64_t coefficients;
    /* A and B on each executor that multiplies by them: `domain` rows in key_row()'s order, `wires` columns. All are
     * null if takes_products is set. */
    sparse_matrix *matrices[KEY_MATRICES][MOST_DEVICES];
    /* Set for gnark's keys. Then a witness has its products with A and B after its wires, and row i of them belongs to
     * the power i*root_exponent of our root of unity; and c has bases for h's coefficients in bit-reversed order
     * instead of its values in key_row()'s order. */
    int takes_products;
    uint64_t root_exponent;
    base_set a;                       /* alpha1, delta1, O, then the wires' bases */
    base_set b1;                      /* beta1, O, O, then the wires' bases */
    base_set b2;                      /* beta2, O, delta2, then the wires' bases */
    sumac_bases *c;                   /* the private wires' bases, then those of h */
    uint8_t shift[MOST_SCALAR_BYTES]; /* root of unity of order 2*domain; h is evaluated at its odd powers */
};

/* Return the row of the value at power i of our root of unity. Transforms leave the `domain` values bit-reversed. */
static inline uint64_t key_row(uint64_t i, uint32_t domain)
{
    return reversed_bits(i, (uint32_t)__builtin_ctz(domain));
}

/* Return the bytes of a witness: its wires, and with takes_products two scalars for each row of the domain. */
static inline size_t key_witness_bytes(const sumac_groth16_key *key)
{
    return (key->wires + (key->takes_products ? 2 * (size_t)key->domain : 0)) *
           key->verifying->groups.info1->scalar_bytes;
}

/* Return 1 if there are several executors and each has all bases and matrices. */
static inline int key_is_on_each(const sumac_groth16_key *key)
{
    return key->c->shard_count > 1 && key->c->replicated;
}

#endif

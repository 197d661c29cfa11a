/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file defines a proving key in memory. Its bases are arranged so that each sum of a proof is one multi-scalar
 * multiplication. */
#ifndef SUMAC_GROTH16_KEY_H
#define SUMAC_GROTH16_KEY_H

#include "base/integers.h"
#include "groth16/verifying_key.h"
#include "vector/sparse.h"

/* The sums A, B1 and B have three scalars before those of the wires: 1, r and s. */
enum { EXTRA_WIRES = 3 };

/* If the domain has at least this size, a proof spends more than a hundredth of its time on its memory. */
#define KEY_LARGE_DOMAIN (UINT32_C(1) << 18)

/* A base set has bases for elements of a proof's vector z. Many wires of a circuit occur only in A or only in B, so
 * many bases may be infinity; if so, these are left out. */
typedef struct base_set {
    sumac_bases *bases;
    uint64_t *rows; /* for each base, the index of its element of z; null: each element has a base, in
                       order */
} base_set;

/* A commitment of gnark: to `count` of the key's committed wires, from `first` on. */
typedef struct key_commitment {
    uint32_t wire; /* the wire that has its value */
    uint32_t first, count;
} key_commitment;

enum { MATRIX_A, MATRIX_B, KEY_MATRICES };

/* If several executors compute one large proof together, this one multiplies by the matrix B, and the first one
 * multiplies by A. */
enum { KEY_HOME_OF_B = 1 };

struct sumac_groth16_key {
    const sumac_groth16_verifying_key *verifying;
    sumac_groth16_verifying_key *own_verifying; /* null if `verifying` belongs to the caller */
    uint32_t wires, publics, domain;
    uint64_t coefficients;
    /* These are the matrices A and B on each executor that multiplies by them. They have `domain` rows, in key_row()'s
     * order, and `wires` columns. All are null if takes_products is set. */
    sparse_matrix *matrices[KEY_MATRICES][MOST_DEVICES];
    /* This is set for gnark's keys. Then the products of A and B with a witness come after its wires, and row i of a
     * product belongs to the power i*root_exponent of our root of unity. Then c also has bases for the coefficients of
     * h, in bit-reversed order; without takes_products it has bases for the values of h, in key_row()'s order. */
    int takes_products;
    uint64_t root_exponent;
    base_set a;  /* alpha1, delta1, O, then the wires' bases */
    base_set b1; /* beta1, O, O, then the wires' bases */
    base_set b2; /* beta2, O, delta2, then the wires' bases */
    /* The bases of the private wires, then those of h. Committed wires, and those of commitments' values, are no private
     * ones here. */
    sumac_bases *c;
    uint64_t *private_rows; /* the element of z for each private wire; null: they are the last ones */
    uint32_t commitment_count, committed_count;
    key_commitment commitments[MOST_COMMITMENTS];
    uint32_t *committed; /* all commitments' wires, one commitment after another; null without any */
    sumac_bases *commitment_bases; /* the bases of `committed`, then the same times each commitment's sigma */
    uint8_t shift[MOST_SCALAR_BYTES]; /* root of unity of order 2*domain; h is evaluated at the odd powers of
                                         this root */
};

/* Return the row in which the value at power i of our root of unity lies. Transforms leave the `domain` values in
 * bit-reversed order. */
static inline uint64_t key_row(uint64_t i, uint32_t domain)
{
    return reversed_bits(i, (uint32_t)__builtin_ctz(domain));
}

/* Return the bytes of a witness: its wires and, with takes_products, two scalars for each row of the domain. */
static inline size_t key_witness_bytes(const sumac_groth16_key *key)
{
    return (key->wires + (key->takes_products ? 2 * (size_t)key->domain : 0)) *
           key->verifying->groups.g1->scalar_bytes;
}

/* Return the number of private wires, which have bases in c. */
static inline uint64_t key_private_wires(const sumac_groth16_key *key)
{
    return (uint64_t)key->wires - key->publics - 1 - key->commitment_count - key->committed_count;
}

/* Return 1 if there are several executors and each has all bases and matrices. */
static inline int key_is_on_each(const sumac_groth16_key *key)
{
    return key->c->shard_count > 1 && key->c->replicated;
}

#endif

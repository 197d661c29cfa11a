/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A proving key as it is resident: the bases stand so that each sum of a proof is one multi-scalar multiplication. */
#ifndef SUMAC_GROTH16_KEY_H
#define SUMAC_GROTH16_KEY_H

#include "base/integers.h"
#include "groth16/verifying_key.h"
#include "vector/sparse.h"

/* Scalars before the wires' in the sums A, B1 and B: 1, r, s. */
enum { EXTRA_WIRES = 3 };

/* From this domain on memory counts for more than a hundredth of a proof's time. */
#define KEY_LARGE_DOMAIN (UINT32_C(1) << 18)

/* Bases that stand for elements of a proof's vector z. Where many of them are infinity, those are left out: many wires of a
 * circuit are in one of A and B alone. */
typedef struct base_set {
    sumac_bases *bases;
    uint64_t *rows; /* which element belongs to each base; null: all elements have one, in order */
} base_set;

enum { MATRIX_A, MATRIX_B, KEY_MATRICES };

/* The executor that multiplies by B where several make one large proof, and by all else the first one. */
enum { KEY_HOME_OF_B = 1 };

struct sumac_groth16_key {
    const sumac_groth16_verifying_key *verifying;
    sumac_groth16_verifying_key *own_verifying; /* null: `verifying` is the caller's */
    uint32_t wires, publics, domain;
    uint64_t coefficients;
    /* A and B where each executor of the list computes, as far as it multiplies by them: `domain` rows in key_row()'s order,
     * `wires` columns. With takes_products all are null. */
    sparse_matrix *matrices[KEY_MATRICES][SUMAC_MAX_DEVICES];
    /* gnark's keys: a witness has its products with A and B behind its wires, and row i of them belongs to the power
     * i*root_exponent of our root of unity; c has bases for h's coefficients, in bit-reversed order, instead of its
     * values in key_row()'s order. */
    int takes_products;
    uint64_t root_exponent;
    base_set a;                       /* alpha1, delta1, O, and the wires' */
    base_set b1;                      /* beta1, O, O, and the wires' */
    base_set b2;                      /* beta2, O, delta2, and the wires' */
    sumac_bases *c;                   /* of the wires that are not public, then of h */
    uint8_t shift[MOST_SCALAR_BYTES]; /* the root of unity of order 2*domain: h lies on its odd powers */
};

/* The row of the value on power i of our root of unity among `domain` values: transforms leave them in bit-reversed order. */
static inline uint64_t key_row(uint64_t i, uint32_t domain)
{
    return reversed_bits(i, (uint32_t)__builtin_ctz(domain));
}

/* Scalars of a witness: its wires, and with takes_products two for each row of the domain. */
static inline size_t key_witness_scalars(const sumac_groth16_key *key)
{
    return key->wires + (key->takes_products ? 2 * (size_t)key->domain : 0);
}

/* Return 1 if each of several executors has all bases and matrices. */
static inline int key_is_on_each(const sumac_groth16_key *key)
{
    return key->c->shard_count > 1 && key->c->replicated;
}

#endif

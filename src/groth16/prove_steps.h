/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A batch of proofs while it is made. prove.c has the steps, of which prove_load.c is the first and prove_quotient.c those to
 * h, 3 to 5; prove_across.c does these of one proof by several devices. */
#ifndef SUMAC_GROTH16_PROVE_STEPS_H
#define SUMAC_GROTH16_PROVE_STEPS_H

#include "api/call.h"
#include "groth16/prove.h"

typedef struct proving {
    sumac_context *context;
    executor *own;  /* that computes: the context's first, or one of several at work at the same time */
    uint32_t shard; /* of the key's bases and matrices: what it computes with where it computes alone */
    int is_alone;   /* it adds up alone; else sums are those of all executors of the context */
    int keeps_z;    /* others read it, too */
    const proof_batch *batch;
    const sumac_groth16_key *key;
    const groups *of;
    size_t count; /* proofs */
    size_t scalar_bytes;
    size_t row; /* of z */
    int in_two; /* C' is the sum of two: one proof, which is large */
    int twice;  /* in_two: A w and B w are made twice, without z and c */
    sumac_vector *z, *a, *b, *c;
    uint8_t *a_sums, *b1_sums, *b_sums, *c_sums; /* raw points of each proof */
    uint8_t *h_sums;                             /* in_two: what belongs to c_sums; else infinity */
} proving;

static inline const uint8_t *proving_witness(const proving *p, size_t proof)
{
    return p->batch->witnesses + proof * p->batch->witness_bytes;
}

/* r or s of a proof: 0 or 1. */
static inline const uint8_t *proving_randomness(const proving *p, size_t proof, int which)
{
    return p->batch->randomness + (2 * proof + (size_t)which) * p->scalar_bytes;
}

static inline sumac_status proving_scalars(const proving *p, size_t count, sumac_vector **vector)
{
    return vector_create(p->own, p->of->g1, SUMAC_VECTOR_SCALARS, count, vector);
}

static inline void proving_let_go(sumac_vector **vector)
{
    sumac_vector_destroy(*vector);
    *vector = NULL;
}

/* Step 1; and of it z with all but the wires. */
sumac_status proving_load(proving *p);
sumac_status proving_begin_load(proving *p);

/* Steps 3, 4 and 5: h comes to be in a. */
sumac_status quotient_evaluate(proving *p);
sumac_status quotient_extend(proving *p);
sumac_status quotient_subtract(proving *p);

/* What they are made of: a proof's A w (matrix 'A') or B w, to its row of a or b; and values on the root's powers to those
 * on its odd powers. */
sumac_status quotient_multiply(const proving *p, size_t proof, char matrix);
sumac_status quotient_move_to_coset(const proving *p, sumac_vector *values);

/* Steps 1, and 3 to 5, of one proof by all executors of the context. They leave z and h with the first one. */
sumac_status across_load(proving *p);
sumac_status across_quotient(proving *p);

/* Whether the matrices can be multiplied by a batch's witness where it lies. */
int quotient_takes_in_place(const proof_batch *batch);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A batch of proofs while it is made: prove.c has the steps, prove_quotient.c those to h, 3 to 5. */
#ifndef SUMAC_GROTH16_PROVING_H
#define SUMAC_GROTH16_PROVING_H

#include "api/call.h"
#include "groth16/prove.h"

typedef struct proving {
    sumac_context *context;
    executor *own; /* that computes: the context's, or a team's */
    int is_part;   /* of a team: another one has the other sums, and z */
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

static inline sumac_status proving_scalars(const proving *p, size_t count, sumac_vector **vector)
{
    return vector_create(p->own, p->of->g1, SUMAC_VECTOR_SCALARS, count, vector);
}

static inline void proving_let_go(sumac_vector **vector)
{
    sumac_vector_destroy(*vector);
    *vector = NULL;
}

/* Steps 3, 4 and 5: h comes to be in a. */
sumac_status quotient_evaluate(proving *p);
sumac_status quotient_extend(proving *p);
sumac_status quotient_subtract(proving *p);

/* Whether the matrices can be multiplied by a batch's witness where it lies. */
int quotient_takes_in_place(const proof_batch *batch);

#endif

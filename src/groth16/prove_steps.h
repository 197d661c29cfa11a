/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The steps that compute proofs, without verifying them; the head of prove_steps.c lists them. Steps 1 and 3 to 5 lie in
 * prove_quotient.c, and in prove_across.c for one proof that several devices compute. */
#ifndef SUMAC_GROTH16_PROVE_STEPS_H
#define SUMAC_GROTH16_PROVE_STEPS_H

#include "api/call.h"
#include "groth16/key.h"

/* Proofs that are computed together. */
typedef struct proof_batch {
    const sumac_groth16_key *key;
    const uint8_t *witnesses;   /* count, raw; with `vector` only 1 and the public inputs of each */
    size_t witness_bytes;       /* from one to the next */
    const sumac_vector *vector; /* null, or where all witnesses of the call lie, one behind the other */
    const uint8_t *randomness;  /* r and s of each, raw */
    size_t count;
    size_t first; /* the number of the first one, for sentences */
} proof_batch;

/* The part of a batch with `count` proofs from `first` on. */
static inline proof_batch proof_batch_part(const proof_batch *all, size_t first, size_t count)
{
    proof_batch part = *all;
    part.witnesses += first * all->witness_bytes;
    part.randomness += 2 * first * all->key->verifying->groups.info1->scalar_bytes;
    part.count = count;
    part.first += first;
    return part;
}

/* Decide how many proofs of `count` are computed together. */
size_t proofs_together(const sumac_context *context, const sumac_groth16_key *key, size_t count);

/* Compute the proofs, raw. */
sumac_status proofs_compute(sumac_context *context, const proof_batch *batch, uint8_t *proofs);

/* A batch while it is computed. */
typedef struct proving {
    sumac_context *context;
    executor *
        self; /* the executor that computes: the context's first one, or one of several that work at the same time */
    uint32_t shard; /* of the key's bases and matrices, which `self` uses if is_alone is set */
    int is_alone;   /* `self` computes sums alone; otherwise all executors of the context do */
    int keeps_z;    /* other executors read z, too */
    const proof_batch *batch;
    const sumac_groth16_key *key;
    const groups *of;
    size_t count; /* proofs */
    size_t scalar_bytes;
    size_t row;             /* scalars of a proof's row of z */
    int split_c_sum;        /* C' is computed as c_sums + h_sums: there is one proof, which is large */
    int recompute_products; /* with split_c_sum: A w and B w are computed twice, without z and c */
    sumac_vector *z, *a, *b, *c;
    uint8_t *a_sums, *b1_sums, *b_sums, *c_sums; /* raw points of each proof */
    uint8_t *h_sums; /* the second summand of C' if split_c_sum is set; otherwise infinity */
} proving;

static inline const uint8_t *proving_witness(const proving *p, size_t proof)
{
    return p->batch->witnesses + proof * p->batch->witness_bytes;
}

/* Get r, or s, of a proof. */
static inline const uint8_t *proving_randomness(const proving *p, size_t proof, int is_s)
{
    return p->batch->randomness + (2 * proof + (size_t)is_s) * p->scalar_bytes;
}

static inline sumac_status proving_scalars(const proving *p, size_t count, sumac_vector **vector)
{
    return vector_create(p->self, p->of->g1, SUMAC_VECTOR_SCALARS, count, vector);
}

static inline void free_vector(sumac_vector **vector)
{
    vector_destroy(*vector);
    *vector = NULL;
}

/* Do step 1: create z, and load the witnesses into it. */
sumac_status proving_load(proving *p);
/* Do the first part of step 1: create z, and store the randomness there, but no wires. */
sumac_status proving_begin_load(proving *p);

/* Do steps 3, 4 and 5. Step 5 leaves h in a. */
sumac_status quotient_evaluate(proving *p);
sumac_status quotient_extend(proving *p);
sumac_status quotient_subtract(proving *p);

/* Store a proof's A w or B w in its row of a or b. */
sumac_status quotient_multiply(const proving *p, size_t proof, int matrix);
/* Turn a polynomial's values on the domain into its values on the coset by key->shift. */
sumac_status quotient_move_to_coset(const proving *p, sumac_vector *values);
/* Return 1 if the matrices can be multiplied by a batch's witness without copying it first. */
int quotient_takes_in_place(const proof_batch *batch);

/* Do step 1, and steps 3 to 5, of one proof with all executors of the context. They leave z and h with the first executor. */
sumac_status across_load(proving *p);
sumac_status across_quotient(proving *p);

#endif

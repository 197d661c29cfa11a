/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions are the steps that compute proofs without verifying them; the head of prove_steps.c lists the steps.
 * Steps 1 and 3 to 5 are in prove_quotient.c, and in prove_across.c for one proof that several devices compute. */
#ifndef SUMAC_GROTH16_PROVE_STEPS_H
#define SUMAC_GROTH16_PROVE_STEPS_H

#include "api/call.h"
#include "groth16/key.h"

/* A batch has the proofs that are computed together. */
typedef struct proof_batch {
    const sumac_groth16_key *key;
    const uint8_t *witnesses;   /* `count` raw witnesses; if `vector` is set, only the 1 and the public inputs
                                   of each */
    size_t witness_bytes;       /* distance between two witnesses */
    const sumac_vector *vector; /* if not null, all witnesses of the call, one after another */
    const uint8_t *randomness;  /* r and s of each proof, raw */
    size_t count;
    size_t first; /* number of the first proof, for messages */
} proof_batch;

/* Return the part of a batch with `count` proofs from `first` on. */
static inline proof_batch proof_batch_part(const proof_batch *all, size_t first, size_t count)
{
    proof_batch part = *all;
    part.witnesses += first * all->witness_bytes;
    part.randomness += 2 * first * all->key->verifying->groups.g1->scalar_bytes;
    part.count = count;
    part.first += first;
    return part;
}

/* Return how many of `count` proofs should be computed together. */
size_t proofs_together(const sumac_context *context, const sumac_groth16_key *key, size_t count);

/* Compute the proofs, without verifying them, and store them as raw points, but not what they have of commitments. */
sumac_status proofs_compute(sumac_context *context, const proof_batch *batch, uint8_t *proofs);

/* Compute what the proofs of a key with commitments have of them: commit.c. With the key's verifying key, also check that
 * the witnesses have the commitments' values. */
sumac_status proofs_commit(sumac_context *context, const proof_batch *batch, uint8_t *proofs);

/* This is the state of a batch that is being computed. */
typedef struct proving {
    sumac_context *context;
    executor *
        self; /* the executor that computes: the context's first one, or one of several that work in parallel */
    uint32_t shard; /* the shard of bases and matrices that `self` uses if is_alone is set */
    int is_alone;   /* `self` computes sums alone; otherwise all executors of the context do */
    int keeps_z;    /* z must not be freed, because other executors read it */
    const proof_batch *batch;
    const sumac_groth16_key *key;
    const groups *of;
    size_t count; /* the number of proofs */
    size_t scalar_bytes;
    size_t row;             /* length of a proof's row of z, in scalars */
    int split_c_sum;        /* C' is computed as c_sums + h_sums, for one large proof */
    int recompute_products; /* if split_c_sum is set: A w and B w are computed twice, so that z and c need no
                               memory */
    sumac_vector *z, *a, *b, *c;
    uint8_t *a_sums, *b1_sums, *b_sums, *c_sums; /* a raw point of each proof */
    uint8_t *h_sums; /* the second summand of C' if split_c_sum is set; otherwise infinity */
} proving;

static inline const uint8_t *proving_witness(const proving *p, size_t proof)
{
    return p->batch->witnesses + proof * p->batch->witness_bytes;
}

/* Return a proof's s if is_s is set, otherwise its r. */
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
/* Do the first part of step 1: create z and store the randomness there, but not the wires. */
sumac_status proving_begin_load(proving *p);

/* Do steps 3, 4 and 5, respectively. Step 5 leaves h in a. */
sumac_status quotient_evaluate(proving *p);
sumac_status quotient_extend(proving *p);
sumac_status quotient_subtract(proving *p);

/* Store a proof's A w or B w in its row of a or b. */
sumac_status quotient_multiply(const proving *p, size_t proof, int matrix);
/* Turn a polynomial's values on the domain into its values on the coset shifted by key->shift. */
sumac_status quotient_move_to_coset(const proving *p, sumac_vector *values);
/* Return 1 if the matrices can be multiplied by a batch's witness without copying it. */
int quotient_takes_in_place(const proof_batch *batch);

/* Do step 1, and steps 3 to 5, of one proof with all executors of the context. z and h lie with the first executor. */
sumac_status across_load(proving *p);
sumac_status across_quotient(proving *p);

#endif

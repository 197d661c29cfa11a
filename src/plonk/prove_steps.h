/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions are the steps that compute a proof without verifying it. The heads of prove_steps.c and fflonk_prove.c list the
 * steps of PLONK and of FFLONK. Quotients are in prove_quotient.c. */
#ifndef SUMAC_PLONK_PROVE_STEPS_H
#define SUMAC_PLONK_PROVE_STEPS_H

#include "api/call.h"
#include "plonk/key.h"
#include "plonk/transcript.h"

/* A witness that is to be proved. */
typedef struct proof_request {
    const sumac_plonk_key *key;
    const uint8_t *witness;  /* raw */
    const uint8_t *blinding; /* the flavour's random numbers, raw */
    size_t number;           /* of the witness, for messages */
} proof_request;

/* Compute the proof, without verifying it. */
sumac_status plonk_compute(sumac_context *context, const proof_request *request, uint8_t *proof);

/* Find the first gate that the witness does not satisfy. If it satisfies all gates, *gate becomes the domain. The proof is the one
 * that does not hold. */
sumac_status plonk_find_bad_gate(sumac_context *context, const proof_request *request, uint8_t *proof,
                                 size_t *gate);

/* Factors of vectors are copied to where vectors lie, at most this many at a time. */
enum { MOST_FACTORS = EVAL_A };

/* This is the state of a proof that is being computed. n is the domain, and a row has `more` scalars more. */
typedef struct proving {
    sumac_context *context;
    executor *self; /* the context's first executor, which has all vectors */
    const proof_request *request;
    const sumac_plonk_key *key;
    const sumac_group *group;
    size_t n, row, more;
    uint32_t commitments; /* of the circuit to its wires */
    uint8_t *proof;
    transcript transcript;
    sumac_vector *factors;   /* MOST_FACTORS scalars */
    sumac_vector *all_wires; /* the witness, with 0 instead of wire 0, and the additions */
    sumac_vector *values;    /* of a, b and c on the domain */
    sumac_vector
        *committed; /* n values for each commitment, which is to a wire of some gates and to random numbers */
    sumac_vector *wires;     /* rows of the coefficients of A, B and C, and of the committed polynomials */
    sumac_vector *product;   /* a row of the coefficients of Z */
    sumac_vector *constants; /* n coefficients of qC and the public inputs' polynomial together */
    sumac_vector *quotient;  /* PLONK: rows of the coefficients of T1, T2 and T3. FFLONK: fflonk_prove.c */
    sumac_vector *openings;  /* PLONK: rows of the coefficients of Wxi and Wxiw. FFLONK: W, and then W' */
} proving;

static inline void free_vector(sumac_vector **vector)
{
    vector_destroy(*vector);
    *vector = NULL;
}

static inline sumac_status proving_scalars(const proving *p, size_t count, sumac_vector **vector)
{
    return vector_create(p->self, p->group, SUMAC_VECTOR_SCALARS, count, vector);
}

/* The next two functions are in proving.c. Copy factors to where vectors lie, from number `first` on. */
sumac_status plonk_set_factors(const proving *p, size_t first, const host_scalar *factors, size_t count);

/* Return a factor as an operand. */
static inline sumac_vector proving_factor(const proving *p, size_t i)
{
    return vector_part(p->factors, i, 1);
}

/* Multiply `product` by one factor of the permutation argument, wire + factor*position + gamma, or set it to that if is_first is
 * set. `scratch` has n elements. */
sumac_status plonk_permute(const proving *p, sumac_vector *product, int is_first, const sumac_vector *wire,
                           const sumac_vector *position, size_t factor, size_t gamma, sumac_vector *scratch);

/* The next two functions are in load.c. Get the values of a, b and c from the witness, and the values of the committed
 * polynomials. */
sumac_status plonk_load(proving *p);

/* Add the values of the circuit's commitments to those of the gates that have them. */
sumac_status plonk_add_commitments(const proving *p, sumac_vector *values);

/* The next functions are in prove_steps.c. Compute the rows of A, B and C from the values of a, b and c. */
sumac_status plonk_interpolate_wires(proving *p);

/* Compute beta, gamma, and the row of Z. The values of a, b and c are freed. */
sumac_status plonk_multiply_up(proving *p);

/* Commit to successive rows of `length` coefficients, and store the points from `item` on in the proof. */
sumac_status plonk_commit(proving *p, const sumac_vector *rows, size_t count, size_t length, plonk_item item);

/* Compute the flavour's openings, of polynomials with at most `longest` coefficients, and store them in the proof. */
sumac_status plonk_evaluate(proving *p, size_t longest,
                            sumac_vector (*find)(const proving *p, plonk_item which));

/* Divide a row of coefficients by X - point, without the remainder. */
sumac_status plonk_divide(const proving *p, sumac_vector *row, host_scalar point);

/* A quotient has some terms of the head of prove_quotient.c. Its coefficients are added to `parts` rows of p->quotient, which begin
 * at first + k*p->row, and of which all but the last one have `step`. If `has_tail` is set, it has QUOTIENT_TAIL coefficients more than
 * those that the cosets determine. */
typedef struct quotient_shape {
    uint32_t cosets;
    int has_gates, has_product, has_first_value; /* the terms */
    host_scalar alpha;
    size_t first, parts, step;
    int has_tail;
} quotient_shape;

sumac_status plonk_divide_by_vanishing(proving *p, const quotient_shape *shape);

/* Do step 6 of PLONK. */
sumac_status plonk_quotient(proving *p);

enum { PLONK_STEPS = 10, FFLONK_STEPS = 12 };

extern const proof_step plonk_steps[PLONK_STEPS], fflonk_steps[FFLONK_STEPS];

/* Return what the steps need. */
proof_needs plonk_needs(const sumac_plonk_key *key);
proof_needs fflonk_needs(const sumac_plonk_key *key);

#endif

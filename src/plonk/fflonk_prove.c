/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is FFLONK's prover (eprint 2021/1167, with the combinations of fflonk.h). n is the domain, w the root of order n:
 *
 *   1  z, and a, b, c = maps z          as PLONK: prove_steps.c
 *   2  A, B, C                          the last two values of each of a, b and c are random numbers; coefficients
 *   3  T0                               the quotient of the gates, on two cosets of the domain
 *   4  [C1]
 *   5  Z                                beta, gamma; as PLONK
 *   6  T1, T2                           (Z - 1)/(n (X - 1)), and the quotient of the permutation, on three cosets
 *   7  [C2]
 *   8  15 values                        xi; of 8 polynomials of the key, A, B, C and Z at xi, and of Z, T1 and T2 at xi w
 *   9  W                                alpha; each polynomial P_k divided by X - xi, Z, T1 and T2 by X - xi w, too, without their
 *                                       remainders; the results combined as the polynomials are
 *   10 [W]
 *   11 W', the inverse                  y; (sum_i f_i C_i - Z_0(y) W) / (X - y) without its remainder; the inverse of the verifier's
 *                                       denominators
 *   12 [W']
 *
 * Sums have 8n (C1), and 9n terms. A division by X^m - z of a combination is m divisions by X - z.
 */
#include "base/integers.h"
#include "base/try.h"
#include "plonk/fflonk.h"
#include "plonk/prove_steps.h"

/* Return where the coefficients of T0, T1 and T2 begin in p->quotient, and how many there are. */
static vector_slice slice_of(const proving *p, plonk_item which)
{
    return which == PROOF_T0   ? (vector_slice){.first = 0, .length = 2 * p->n}
           : which == PROOF_T1 ? (vector_slice){.first = 2 * p->n, .length = p->row}
                               : (vector_slice){.first = 2 * p->n + p->row, .length = 3 * p->n};
}

/* Return the coefficients of a polynomial of the key or of the proof. A, B and C have n. */
static sumac_vector polynomial(const proving *p, plonk_item which)
{
    const vector_slice slice = slice_of(p, which);
    return which < KEY_C0     ? key_polynomial(p->key, which)
           : which < PROOF_Z  ? vector_part(p->wires, (uint64_t)(which - PROOF_A) * p->row, p->n)
           : which == PROOF_Z ? vector_part(p->product, 0, p->row)
                              : vector_part(p->quotient, slice.first, slice.length);
}

/* Return the number of coefficients of the longest polynomial, T2. */
static size_t longest(const proving *p)
{
    return 3 * p->n;
}

/* ---- 2 to 8 ---- */

static sumac_status hide_wires(proving *p)
{
    enum { HIDDEN = 2 };
    const size_t bytes = HIDDEN * (size_t)p->group->scalar_bytes;
    for (size_t k = 0; k < GATE_WIRES; k++) {
        TRY(vector_set(p->self, p->values, (k + 1) * p->n - HIDDEN, HIDDEN, p->request->blinding + k * bytes,
                       NULL));
    }
    return plonk_interpolate_wires(p);
}

static sumac_status divide_gates(proving *p)
{
    const quotient_shape shape = {.cosets = 2, .has_gates = 1, .parts = 1, .step = p->n};
    const vector_slice last = slice_of(p, PROOF_T2);
    TRY(vector_create_zeros(p->self, p->group, SUMAC_VECTOR_SCALARS, last.first + last.length, &p->quotient));
    return plonk_divide_by_vanishing(p, &shape);
}

/* Divide a row of the coefficients of a polynomial P_k. */
static sumac_status divide(const proving *p, sumac_vector *row, int twice)
{
    const host_scalar xi = transcript_get(&p->transcript, XI);
    TRY(plonk_divide(p, row, xi));
    return twice ? plonk_divide(p, row, host_multiply(p->group, xi, p->key->verifying->root)) : SUMAC_OK;
}

/* Compute the coefficients of combination i, or if `scratch` is not null those of its quotient. */
static sumac_status combine(const proving *p, size_t i, sumac_vector *combined, sumac_vector *scratch)
{
    const combination *row = &fflonk_combinations[i];
    TRY(vector_fill_integer(p->self, combined, 0));
    for (size_t k = 0; k < row->count; k++) {
        sumac_vector term = polynomial(p, row->terms[k].polynomial);
        if (scratch != NULL) {
            TRY(vector_copy_range(p->self, scratch, 0, &term, 0, term.count));
            term = vector_part(scratch, 0, term.count);
            TRY(divide(p, &term, row->is_opened_twice));
        }
        TRY(fflonk_interleave(p->self, combined, row->count, k, &term));
        TRY(context_report(p->context, 0));
    }
    return SUMAC_OK;
}

static sumac_status commit_combination(proving *p, size_t i, size_t length, plonk_item item)
{
    LOCAL_SCALARS(combined, p->self, p->group, length);
    TRY(combine(p, i, combined, NULL));
    return plonk_commit(p, combined, 1, length, item);
}

static sumac_status commit_wires(proving *p)
{
    return commit_combination(p, 1, 8 * p->n, PROOF_C1);
}

static sumac_status divide_permutation(proving *p)
{
    const host_scalar one = host_integer(p->group, 1),
                      inverse = host_invert(p->group, host_integer(p->group, p->n));
    const sumac_vector factor = proving_factor(p, 0);
    const quotient_shape shape = {.cosets = 3,
                                  .has_product = 1,
                                  .alpha = one,
                                  .first = slice_of(p, PROOF_T2).first,
                                  .parts = 1,
                                  .step = p->n};
    sumac_vector t1 = polynomial(p, PROOF_T1);
    TRY(vector_copy_range(p->self, &t1, 0, p->product, 0, p->row));
    TRY(plonk_divide(p, &t1, one));
    TRY(plonk_set_factors(p, 0, &inverse, 1));
    TRY(vector_multiply(p->self, &t1, &t1, &factor, 1));
    return plonk_divide_by_vanishing(p, &shape);
}

static sumac_status commit_product(proving *p)
{
    return commit_combination(p, 2, COMBINED_LENGTH * p->n, PROOF_C2);
}

static sumac_status evaluate(proving *p)
{
    transcript_challenge(&p->transcript, XI_SEED);
    fflonk_find_xi(&p->transcript);
    return plonk_evaluate(p, longest(p), polynomial);
}

/* ---- 9 to 11 ---- */

/* Add a factor times combination i, or its quotient, to the opening. */
static sumac_status add_combination(proving *p, size_t i, host_scalar factor, sumac_vector *combined,
                                    sumac_vector *scratch)
{
    const sumac_vector times = proving_factor(p, 0);
    TRY(combine(p, i, combined, scratch));
    TRY(plonk_set_factors(p, 0, &factor, 1));
    return vector_multiply_add(p->self, p->openings, combined, &times, 1, p->openings);
}

static sumac_status open_values(proving *p)
{
    const size_t length = COMBINED_LENGTH * p->n;
    transcript_challenge(&p->transcript, ALPHA);
    const host_scalar alpha = transcript_get(&p->transcript, ALPHA);
    LOCAL_SCALARS(combined, p->self, p->group, length);
    LOCAL_SCALARS(scratch, p->self, p->group, longest(p));
    TRY(vector_create_zeros(p->self, p->group, SUMAC_VECTOR_SCALARS, length, &p->openings));
    for (size_t i = 0; i < COMBINATIONS; i++) {
        TRY(add_combination(p, i, host_power(p->group, alpha, i), combined, scratch));
    }
    return SUMAC_OK;
}

static sumac_status commit_opening(proving *p)
{
    return plonk_commit(p, p->openings, 1, p->openings->count, PROOF_W1);
}

static sumac_status open_opening(proving *p)
{
    const sumac_vector times = proving_factor(p, 0);
    fflonk_factors f;
    transcript_challenge(&p->transcript, Y);
    fflonk_find_factors(&p->transcript, &f);
    const host_scalar last = host_negate(p->group, f.zeros[0]),
                      inverse = host_invert(p->group, fflonk_denominators(&p->transcript, &f));
    LOCAL_SCALARS(combined, p->self, p->group, p->openings->count);
    TRY(plonk_set_factors(p, 0, &last, 1));
    TRY(vector_multiply(p->self, p->openings, p->openings, &times, 1));
    for (size_t i = 0; i < COMBINATIONS; i++) {
        TRY(add_combination(p, i, f.factors[i], combined, NULL));
    }
    TRY(plonk_divide(p, p->openings, transcript_get(&p->transcript, Y)));
    host_to_raw(p->group, inverse, p->proof + plonk_item_at(p->key->verifying, EVAL_INVERSE));
    return SUMAC_OK;
}

static sumac_status commit_last(proving *p)
{
    return plonk_commit(p, p->openings, 1, p->openings->count, PROOF_W2);
}

const proof_step fflonk_steps[FFLONK_STEPS] = {
    {plonk_load, 0.01},        {hide_wires, 0.01},         {divide_gates, 0.04},   {commit_wires, 0.17},
    {plonk_multiply_up, 0.01}, {divide_permutation, 0.05}, {commit_product, 0.17}, {evaluate, 0.01},
    {open_values, 0.03},       {commit_opening, 0.23},     {open_opening, 0.04},   {commit_last, 0.22}};

/* Most vectors are there in step 9: rows of A, B, C and Z, parts of 2n and of 3n coefficients and a row of T1, two combinations, and
 * a copy of the longest part. But a circuit may have more wires than that. */
proof_needs fflonk_needs(const sumac_plonk_key *key)
{
    const uint64_t n = key->domain, wires = (uint64_t)key->wires + key->additions;
    const uint64_t opening = 5 * (uint64_t)key_row(key) + (2 + 3 + 2 * COMBINED_LENGTH + 3) * n;
    return (proof_needs){
        .scalars = larger(opening, wires + GATE_WIRES * n), .batch = 1, .terms = COMBINED_LENGTH * (size_t)n};
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file has the equation of FFLONK (eprint 2021/1167). With the numbers of fflonk.h, the generator G, the second group's
 * generator H and tau H, a proof holds if its inverse is right and
 *
 *   e(-W', tau H) e(C0 + f_1 C1 + f_2 C2 - (R_0(y) + f_1 R_1(y) + f_2 R_2(y)) G - Z_0(y) W + y W', H) = 1
 *
 * R_i(X) is sum_k X^k P_k(xi) for C0 and C1. For C2 P_k(xi) is replaced by the polynomial in X^3 of degree 1 that has the values
 * P_k(xi) at xi and P_k(xi w) at xi w. The values of T0 and, at xi, of T1 and T2 follow from the others.
 */
#include "base/try.h"
#include "plonk/fflonk.h"
#include "plonk/verify.h"

/* Compute T0(xi), without the division by xi^n - 1. */
static host_scalar gates_at_xi(const transcript *t, host_scalar publics)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar a = transcript_value(t, EVAL_A), b = transcript_value(t, EVAL_B),
                      c = transcript_value(t, EVAL_C);
    host_scalar sum = host_add(g, transcript_value(t, EVAL_QC), publics);
    sum = host_add(g, sum, host_multiply(g, transcript_value(t, EVAL_QM), host_multiply(g, a, b)));
    sum = host_add(g, sum, host_multiply(g, transcript_value(t, EVAL_QL), a));
    sum = host_add(g, sum, host_multiply(g, transcript_value(t, EVAL_QR), b));
    return host_add(g, sum, host_multiply(g, transcript_value(t, EVAL_QO), c));
}

/* Compute T2(xi), without the division by xi^n - 1. */
static host_scalar permutation_at_xi(const transcript *t)
{
    static const plonk_item wires[] = {EVAL_A, EVAL_B, EVAL_C}, sigmas[] = {EVAL_S1, EVAL_S2, EVAL_S3};
    const sumac_plonk_verifying_key *key = t->key;
    const sumac_group *g = key->groups.g1;
    const host_scalar factors[GATE_WIRES] = {host_integer(g, 1), key->k1, key->k2};
    host_scalar above = transcript_value(t, EVAL_Z), below = transcript_value(t, EVAL_ZW);
    for (int k = 0; k < GATE_WIRES; k++) {
        const host_scalar wire = transcript_value(t, wires[k]);
        const host_scalar position = host_multiply(g, factors[k], transcript_get(t, XI));
        above = host_multiply(g, above, transcript_permute(t, wire, position));
        below = host_multiply(g, below, transcript_permute(t, wire, transcript_value(t, sigmas[k])));
    }
    return host_subtract(g, above, below);
}

/* Compute the values that the proof does not have: of T0, T1 and T2 at xi. */
static void find_quotients(const transcript *t, host_scalar publics, host_scalar quotients[COMBINATIONS])
{
    const sumac_group *g = t->key->groups.g1;
    const domain_values at = transcript_domain(t);
    const host_scalar inverse = host_invert(g, at.zh),
                      above_one = host_subtract(g, transcript_value(t, EVAL_Z), host_integer(g, 1));
    quotients[0] = host_multiply(g, gates_at_xi(t, publics), inverse);
    quotients[1] = host_multiply(g, host_multiply(g, above_one, at.lagrange), inverse);
    quotients[2] = host_multiply(g, permutation_at_xi(t), inverse);
}

/* Return the value at xi of a polynomial. */
static host_scalar value_of(const transcript *t, const combined_term *term, const host_scalar *quotients)
{
    return term->value != NO_ITEM         ? transcript_value(t, term->value)
           : term->polynomial == PROOF_T0 ? quotients[0]
           : term->polynomial == PROOF_T1 ? quotients[1]
                                          : quotients[2];
}

/* Compute R_i(y). */
static host_scalar remainder_at_y(const transcript *t, const fflonk_factors *f, const host_scalar *quotients,
                                  const combination *row)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar y = transcript_get(t, Y);
    /* This is 0 at xi and 1 at xi w, as a polynomial in y^m. */
    const host_scalar slope = host_multiply(g, host_subtract(g, host_power(g, y, row->count), f->xi),
                                            host_invert(g, host_subtract(g, f->xiw, f->xi)));
    host_scalar sum = host_integer(g, 0);
    for (uint32_t k = row->count; k-- > 0;) {
        host_scalar value = value_of(t, &row->terms[k], quotients);
        if (row->is_opened_twice) {
            const host_scalar shifted = transcript_value(t, row->terms[k].shifted_value);
            value = host_add(g, value, host_multiply(g, slope, host_subtract(g, shifted, value)));
        }
        sum = host_add(g, host_multiply(g, sum, y), value);
    }
    return sum;
}

sumac_status fflonk_claim(const claims *all, size_t i, int *ok)
{
    static const plonk_item commitments[COMBINATIONS] = {KEY_C0, PROOF_C1, PROOF_C2};
    const sumac_group *g = all->key->groups.g1;
    claim c = claim_begin(all, i);
    transcript *t = &c.transcript;
    fflonk_factors f;
    host_scalar publics, quotients[COMBINATIONS], constant = host_integer(g, 0);
    transcript_challenge(t, Y);
    fflonk_find_xi(t);
    fflonk_find_factors(t, &f);
    TRY(claim_publics(&c, transcript_domain(t).zh, &publics));
    find_quotients(t, publics, quotients);
    for (size_t k = 0; k < COMBINATIONS; k++) {
        const host_scalar remainder = remainder_at_y(t, &f, quotients, &fflonk_combinations[k]);
        constant = host_subtract(g, constant, host_multiply(g, f.factors[k], remainder));
        claim_add(&c, 1, commitments[k], f.factors[k]);
    }
    claim_add(&c, 1, NO_ITEM, constant);
    claim_add(&c, 1, PROOF_W1, host_negate(g, f.zeros[0]));
    claim_add(&c, 1, PROOF_W2, transcript_get(t, Y));
    claim_add(&c, 0, PROOF_W2, host_negate(g, host_integer(g, 1)));
    const host_scalar one = host_multiply(g, transcript_value(t, EVAL_INVERSE), fflonk_denominators(t, &f));
    *ok = *ok && host_is_zero(g, host_subtract(g, one, host_integer(g, 1)));
    return SUMAC_OK;
}

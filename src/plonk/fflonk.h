/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These are the polynomials and numbers of FFLONK (eprint 2021/1167) that setup, prover and verifier share. Polynomials P_k, k < m,
 * are combined to C(X) = sum_k X^k P_k(X^m), to which there is one commitment. C mod (X^m - z) is sum_k P_k(z) X^k, so that the
 * values of all P_k at z are opened by one division by X^m - z:
 *
 *   C0   qL, qR, qO, qM, qC, sigma1, sigma2, sigma3   m = 8   at xi
 *   C1   A, B, C, T0                                  m = 4   at xi
 *   C2   Z, T1, T2                                    m = 3   at xi and at xi w
 *
 * T0 is the quotient of the gates, T1 that of Z's first value, and T2 that of the permutation (prove_quotient.c).
 */
#ifndef SUMAC_PLONK_FFLONK_H
#define SUMAC_PLONK_FFLONK_H

#include "plonk/transcript.h"
#include "vector/calls.h"

enum { COMBINATIONS = 3, MOST_COMBINED = 8, COMBINED_LENGTH = 9 /* times the domain */ };

/* This is a polynomial of a combination, with its values in a proof at xi and at xi w. NO_ITEM stands for values that a proof does not
 * have. */
typedef struct combined_term {
    plonk_item polynomial, value, shifted_value;
} combined_term;

typedef struct combination {
    uint32_t count;
    int is_opened_twice;
    combined_term terms[MOST_COMBINED];
} combination;

extern const combination fflonk_combinations[COMBINATIONS];

/* Compute the roots of unity that keys have. */
void fflonk_find_roots(const sumac_group *group, host_scalar w, uint32_t power, host_scalar *roots);

/* Write polynomial k of `count` into a combination: put its coefficients to where they belong. */
sumac_status fflonk_interleave(executor *self, sumac_vector *combined, size_t count, size_t k,
                               const sumac_vector *polynomial);

/* Compute xi, which is a power of its seed such that it has roots of the orders 8, 4 and 3. */
void fflonk_find_xi(transcript *t);

/*
 * The opening is that of shplonk (eprint 2020/081): W = sum_i alpha^i (C_i - R_i)/Z_i, where R_i is C_i mod Z_i, and Z_i are
 * X^8 - xi, X^4 - xi and (X^3 - xi)(X^3 - xi w). With f_i = alpha^i Z_0(y)/Z_i(y) the polynomial
 * sum_i f_i (C_i - R_i(y)) - Z_0(y) W is 0 at y, and W' is that polynomial divided by X - y.
 */
typedef struct fflonk_factors {
    host_scalar xi, xiw;
    host_scalar zeros[COMBINATIONS];   /* Z_i(y) */
    host_scalar factors[COMBINATIONS]; /* f_i */
} fflonk_factors;

/* All challenges are known. */
void fflonk_find_factors(const transcript *t, fflonk_factors *factors);

/* Return the product of all denominators of the verifier's numbers. A proof has its inverse, because a contract that verifies proofs
 * inverts nothing. */
host_scalar fflonk_denominators(const transcript *t, const fflonk_factors *factors);

#endif

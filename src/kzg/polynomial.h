/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Polynomials that are given, as by blobs, by their values f_i at the 4096 roots of unity x_i, bit-reversed. */
#ifndef SUMAC_KZG_POLYNOMIAL_H
#define SUMAC_KZG_POLYNOMIAL_H

#include "kzg/domain.h"

/* Polynomials, each of which is opened at an evaluation point z. May be used again for others. */
typedef struct polynomial_openings {
    size_t count;           /* at most what they were created for */
    sumac_vector *values;   /* count rows of 4096 */
    sumac_vector *zs;       /* count */
    sumac_vector *ys;       /* count: f(z) */
    sumac_vector *inverses; /* count rows of 4096: 1/(x_i - z), and 0 where z is x_i */
    sumac_vector *terms;    /* count rows of 4096, of the formula for ys; then the quotients' values */
    size_t *roots;          /* count: which root z is; 4096: none */
} polynomial_openings;

/* Take memory for `count` openings. The owner closes them, also after a failure. */
sumac_status polynomial_openings_create(executor *self, const sumac_curve *curve, size_t count,
                                        polynomial_openings *openings);
void close_openings(polynomial_openings *openings);

/* Compute ys, inverses and roots, from values and zs. */
sumac_status polynomial_evaluate(executor *self, const kzg_domain *domain,
                                 const polynomial_openings *openings);

/* Afterwards: compute terms, rows of the values of (f - y)/(X - z). */
sumac_status polynomial_divide(executor *self, const kzg_domain *domain, const polynomial_openings *openings);

#endif

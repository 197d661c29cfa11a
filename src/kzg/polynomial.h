/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Polynomials given by their values f_i at the 4096 roots of unity x_i in bit-reversed order, as blobs give them. */
#ifndef SUMAC_KZG_POLYNOMIAL_H
#define SUMAC_KZG_POLYNOMIAL_H

#include "kzg/domain.h"

/* Polynomials, each of which is opened at one evaluation point z. The memory can be reused for other polynomials. */
typedef struct polynomial_openings {
    size_t count;           /* at most the count of polynomial_openings_create() */
    sumac_vector *values;   /* count rows of 4096 */
    sumac_vector *zs;       /* count */
    sumac_vector *ys;       /* count: f(z) */
    sumac_vector *inverses; /* count rows of 4096: 1/(x_i - z), and 0 where z is x_i */
    sumac_vector *terms;    /* count rows of 4096, scratch for computing ys, then the quotients' values */
    size_t *roots;          /* count: the index of the root that z is, or 4096 */
} polynomial_openings;

/* Allocate memory for `count` openings. The caller calls close_openings(), also after a failure. */
sumac_status polynomial_openings_create(executor *self, const sumac_group *group, size_t count,
                                        polynomial_openings *openings);
void close_openings(polynomial_openings *openings);

/* Compute ys, inverses and roots from values and zs. */
sumac_status polynomial_evaluate(executor *self, const kzg_domain *domain,
                                 const polynomial_openings *openings);

/* After polynomial_evaluate(), compute terms: rows of the values of (f - y)/(X - z). */
sumac_status polynomial_divide(executor *self, const kzg_domain *domain, const polynomial_openings *openings);

#endif

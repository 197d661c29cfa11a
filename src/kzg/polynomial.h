/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions compute with polynomials that are given by their values f_i at the 4096 roots of unity x_i in
 * bit-reversed order, like blobs. */
#ifndef SUMAC_KZG_POLYNOMIAL_H
#define SUMAC_KZG_POLYNOMIAL_H

#include "kzg/domain.h"

/* This struct has polynomials, each of which is opened at one evaluation point z. Its memory can be used again for
 * other polynomials. */
typedef struct polynomial_openings {
    size_t count;         /* at most the count of polynomial_openings_create() */
    sumac_vector *values; /* count rows of 4096 */
    sumac_vector *zs;     /* the evaluation point of each polynomial */
    sumac_vector *ys;     /* f(z) for each polynomial */
    /* The other fields are null if the openings are only evaluated and the executor does this without them. */
    sumac_vector *inverses; /* count rows of 4096: 1/(x_i - z), and 0 where z is x_i */
    sumac_vector *terms;    /* count rows of 4096: first scratch for computing ys, then the values of the
                               quotients */
    size_t *roots;          /* for each polynomial the index of the root that z is, or 4096 if it is none */
} polynomial_openings;

/* Allocate memory for `count` openings, which are evaluated, or evaluated and divided. The caller must call
 * close_openings(), also after a failure. */
sumac_status polynomial_openings_create(executor *self, const sumac_group *group, size_t count, int divided,
                                        polynomial_openings *openings);
void close_openings(polynomial_openings *openings);

/* Compute the fields ys, inverses and roots from the fields values and zs. */
sumac_status polynomial_evaluate(executor *self, const kzg_domain *domain,
                                 const polynomial_openings *openings);

/* Compute only ys from values and zs, and overwrite `values`, which elements_write_unconverted() wrote. */
sumac_status polynomial_evaluate_unconverted(executor *self, const kzg_domain *domain,
                                             const polynomial_openings *openings);

/* Compute the field terms, whose rows have the values of (f - y)/(X - z). Call this after polynomial_evaluate(). */
sumac_status polynomial_divide(executor *self, const kzg_domain *domain, const polynomial_openings *openings);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Polynomials as blobs give them: by their values f_i at the 4096 roots of unity x_i, bit-reversed. */
#ifndef SUMAC_KZG_POLYNOMIAL_H
#define SUMAC_KZG_POLYNOMIAL_H

#include "kzg/domain.h"
#include "kzg/work.h"

/* Polynomials and the places, one for each, at which they are opened. May be used again for others. */
typedef struct polynomial_openings {
    size_t count;
    sumac_vector *values;   /* count rows of 4096 */
    sumac_vector *zs;       /* count */
    sumac_vector *ys;       /* count: f(z) */
    sumac_vector *inverses; /* count rows of 4096: 1/(x_i - z), and 0 where z is x_i */
    sumac_vector *terms;    /* count rows of 4096, of the formula for ys; then the quotients' values */
    size_t *roots;          /* count: which root z is; 4096: none */
    uint8_t *raw_zs;        /* count */
} polynomial_openings;

polynomial_openings polynomial_openings_of(work *w, size_t count);

/* Fill ys, inverses, roots and raw_zs in, from values and zs. */
void polynomial_evaluate(work *w, const kzg_domain *domain, const polynomial_openings *openings);

/* Afterwards: terms become rows of the values of (f - y)/(X - z). */
void polynomial_divide(work *w, const kzg_domain *domain, const polynomial_openings *openings);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All proofs of a polynomial on cosets at once, as Feist and Khovratovich, "Fast amortized KZG proofs"
 * (eprint 2023/033): docs/kzg.md has the steps. */
#ifndef SUMAC_KZG_FK20_H
#define SUMAC_KZG_FK20_H

#include "kzg/work.h"

/* Polynomials of n coefficients, opened on the 2n/l cosets of l elements; powers of two, l < n. k = n/l. */
typedef struct fk20_shape {
    size_t n;
    size_t l;
} fk20_shape;

/* The transformed setup: 2k rows of l raw points, row p for frequency -p.
 *  monomial  n raw points s^i G
 *  columns   2n raw points, written on success */
sumac_status fk20_list_columns(sumac_context *context, const sumac_curve *curve, fk20_shape shape,
                               const uint8_t *monomial, uint8_t *columns);

/* The proofs of `count` polynomials, 2k points each in bit-reversed order: proof c is that of the coset of
 * elements x with x^l = w^rev(c), w of order 2k.
 *  columns       bases of fk20_list_columns()'s points
 *  coefficients  count rows of n scalars
 *  proofs        count rows of 2k points */
void fk20_prove(work *w, fk20_shape shape, const sumac_bases *columns, const sumac_vector *coefficients,
                size_t count, sumac_vector *proofs);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the calls of sumac/srs.h share: how they begin. */
#ifndef SUMAC_KZG_SRS_H
#define SUMAC_KZG_SRS_H

#include "sumac/srs.h"

/* Whether a call may begin: its context is held (null: none could be) and its pointers are there. `pointers`
 * names them. */
sumac_status srs_begin(sumac_context *context, int pointers_are_there, const char *pointers);

/* Whether a vector holds whole rows of n >= 1 scalars of the scalar field of `curve`, and how many. */
sumac_status srs_count_polynomials(sumac_context *context, const sumac_curve *curve,
                                   const sumac_vector *polynomials, size_t n, size_t *count);

/* Whether a vector holds so many elements of this kind and curve; `what` names it. */
sumac_status srs_expect(sumac_context *context, const sumac_vector *vector, const sumac_curve *curve,
                        sumac_vector_kind elements, size_t count, const char *what);

#endif

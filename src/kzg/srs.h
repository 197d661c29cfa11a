/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How the calls of sumac/srs.h check their arguments. */
#ifndef SUMAC_KZG_SRS_H
#define SUMAC_KZG_SRS_H

#include "sumac/srs.h"

/* Begin a call with a context that is held, or null where none could be. `pointers_are_set` must be 1 of the pointers that the
 * sentence names. */
sumac_status srs_begin(sumac_context *context, int pointers_are_set, const char *pointers);

/* Count the polynomials of a vector, which must be whole rows of n >= 1 scalars of the scalar field of `curve`. */
sumac_status srs_count_polynomials(sumac_context *context, const sumac_curve *curve,
                                   const sumac_vector *polynomials, size_t n, size_t *count);

/* The vector, which `what` names, must hold so many elements of this kind and curve. */
sumac_status srs_expect(sumac_context *context, const sumac_vector *vector, const sumac_curve *curve,
                        sumac_vector_kind elements, size_t count, const char *what);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions check the arguments of the calls of sumac/srs.h, and verify openings by one equation. */
#ifndef SUMAC_KZG_SRS_H
#define SUMAC_KZG_SRS_H

#include "sumac/pairing.h"
#include "sumac/srs.h"
#include "vector/calls.h"

/* Count the polynomials in a vector, which must consist of whole rows of n >= 1 scalars of the scalar field of
 * `group`. */
sumac_status srs_count_polynomials(sumac_context *context, const sumac_group *group,
                                   const sumac_vector *polynomials, size_t n, size_t *count);

/* Check that the vector has `count` elements of this kind and group. Messages call the vector `what`. */
sumac_status srs_expect(sumac_context *context, const sumac_vector *vector, const sumac_group *group,
                        sumac_vector_kind elements, size_t count, const char *what);

/* Divide each row f_0 .. f_(n-1) by X - z, where `powers` has the z of each row and is overwritten. Element 0 of the row
 * becomes the value f(z), and element j > 0 coefficient j - 1 of the quotient. */
sumac_status srs_divide(executor *self, sumac_vector *rows, size_t count, size_t n, sumac_vector *powers);

/* Check that an SRS has at least n points. */
sumac_status srs_expect_length(sumac_context *context, const sumac_bases *srs, size_t n);

/* Check that `group` is the first one of a curve with a pairing, and that there are bytes for a point of it and for two points of
 * the second group, which is found. */
sumac_status srs_expect_setup(sumac_context *context, const sumac_group *group, size_t g1_point_bytes,
                              size_t g2_points_bytes, const sumac_group **g2);

/* Check that raw points are on the curve and in the subgroup. Messages call each of them `noun`. */
sumac_status srs_check_points(sumac_context *context, const sumac_group *group, const char *noun,
                              uint8_t *points, size_t count);

/* These are claims f_i(z_i) = y_i for commitments C_i, with proofs W_i. If the number r depends on all of these, the
 * claims hold if
 *   e(sum r^i W_i, s*G2) = e(sum r^i (C_i + z_i W_i) - (sum r^i y_i) G, G2). */
typedef struct opening_claims {
    const sumac_group *group;
    size_t count;
    const sumac_vector *zs, *ys;
    const uint8_t *points;    /* raw points, which were checked: C_0 .., W_0 .., G */
    const uint8_t *challenge; /* r, which has 32 big-endian bytes */
    /* These are s*G2 and -G2, prepared. If the pointer is null, g2_points has s*G2 and G2 as raw points that were not
     * checked. */
    const sumac_pairing_points *prepared;
    const uint8_t *g2_points;
} opening_claims;
sumac_status claims_check(sumac_context *context, const opening_claims *claims, int *hold);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file checks that the points of a setup belong together. Let t be the hash of the points, M_i and L_i the points
 * of G1 in monomial and in Lagrange form, and Q_i those of G2. Then these equations must hold:
 *
 *     e(sum t^i M_(i+1), G2) = e(sum t^i M_i, sG2)     sums over all M but one
 *     e(sG, sum t^i Q_i) = e(G, sum t^i Q_(i+1))       and over all Q but one
 *     sum t^i M_i = sum f(x_i) L_i                     f = sum t^i X^i, x_i the roots of unity
 */
#include "kzg/setup.h"

#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/pairing.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/range.h"

enum { N = SUMAC_KZG_FIELD_ELEMENTS };

/* These are the scalars 1, t, t^2, .., and their negatives. */
typedef struct check_scalars {
    const sumac_vector *powers, *minus_powers;
} check_scalars;

/* Compute two raw points: sums[0] is the sum of t^i P_i over i < n - 1, and sums[1] is minus the sum of t^i P_(i+1). */
static sumac_status sum_shifted(const work_range *range, const sumac_bases *bases, size_t n,
                                const check_scalars *scalars, uint8_t *sums)
{
    const msm_batch from_first = {.bases = bases, .n = n - 1, .batch = 1};
    const msm_batch from_second = {.bases = bases, .first_base = 1, .n = n - 1, .batch = 1};
    LOCAL_POINTS(both, range->self, bases->group, 2);
    TRY(range_msm(range, &from_first, scalars->powers, 0, both, 0));
    TRY(range_msm(range, &from_second, scalars->minus_powers, 0, both, 1));
    return vector_get(range->self, both, 0, 2, sums, NULL);
}

/* Check that e(g1[0], g2[0]) e(g1[1], g2[1]) = 1. */
static sumac_status expect_one(sumac_context *context, const sumac_kzg_setup *setup, const uint8_t *g1,
                               const uint8_t *g2, const char *what)
{
    int is_one = 0;
    TRY(pairing_check(context, setup->g1, NULL, g1, g2, 2, SUMAC_CHECK_NONE, &is_one));
    if (!is_one) {
        return fail(context, SUMAC_BAD_FILE, "the setup's points of %s are not powers of one number", what);
    }
    return SUMAC_OK;
}

/* Check that the points of G1 are powers of the s in sG2, and that those of G2 are powers of the s in sG. */
static sumac_status check_powers(sumac_context *context, const sumac_kzg_setup *setup,
                                 const sumac_bases *monomial, const check_scalars *scalars)
{
    const work_range range = range_of_context(context, N);
    uint8_t g1[2 * G1_POINT_BYTES], g2[2 * G2_POINT_BYTES];
    CLEANUP(close_bases) sumac_bases *g2_monomial = NULL;
    TRY(sum_shifted(&range, monomial, N, scalars, g1));
    memcpy(g2, setup->g2_monomial + G2_POINT_BYTES, G2_POINT_BYTES);
    memcpy(g2 + G2_POINT_BYTES, setup->g2_monomial, G2_POINT_BYTES);
    TRY(expect_one(context, setup, g1, g2, "G1"));
    TRY(points_make_bases(context, setup->g2, setup->g2_monomial, SUMAC_KZG_G2_POINTS, &g2_monomial));
    TRY(sum_shifted(&range, g2_monomial, SUMAC_KZG_G2_POINTS, scalars, g2));
    memcpy(g1, setup->monomial + G1_POINT_BYTES, G1_POINT_BYTES);
    memcpy(g1 + G1_POINT_BYTES, setup->monomial, G1_POINT_BYTES);
    return expect_one(context, setup, g1, g2, "G2");
}

/* Take the polynomial with the coefficients t^i. Check that its commitment by coefficients is equal to its commitment
 * by values. */
static sumac_status check_lagrange(sumac_context *context, const sumac_kzg_setup *setup,
                                   const sumac_bases *monomial, const sumac_vector *powers)
{
    const work_range range = range_of_context(context, N);
    const msm_batch from_coefficients = {.bases = monomial, .n = N, .batch = 1};
    const msm_batch from_values = {.bases = setup->lagrange, .n = N, .batch = 1};
    uint8_t commitments[2][G1_POINT_BYTES];
    sumac_transform_config config = {.size = sizeof config};
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    LOCAL_SCALARS(values, range.self, setup->g1, N);
    LOCAL_POINTS(both, range.self, setup->g1, 2);
    TRY(vector_copy_range(range.self, values, 0, powers, 0, N));
    TRY(vector_ntt(range.self, values, &config));
    TRY(range_msm(&range, &from_coefficients, powers, 0, both, 0));
    TRY(range_msm(&range, &from_values, values, 0, both, 1));
    TRY(vector_get(range.self, both, 0, 2, commitments[0], NULL));
    if (memcmp(commitments[0], commitments[1], G1_POINT_BYTES) != 0) {
        return fail(context, SUMAC_BAD_FILE,
                    "the setup's points in Lagrange form are not those of its points in monomial form");
    }
    return SUMAC_OK;
}

sumac_status setup_check_fit(sumac_context *context, const sumac_kzg_setup *setup,
                             const sumac_bases *monomial)
{
    executor *self = context_executor(context);
    uint8_t challenge[SCALAR_BYTES], g1[G1_POINT_BYTES], g2[G2_POINT_BYTES];
    CLEANUP(close_vector) sumac_vector *minus_powers = NULL;
    LOCAL_SCALARS(powers, self, setup->g1, N);
    TRY(sumac_group_generator(setup->g1, g1, setup->g1->point_bytes));
    TRY(sumac_group_generator(setup->g2, g2, setup->g2->point_bytes));
    if (memcmp(g1, setup->monomial, sizeof g1) != 0 || memcmp(g2, setup->g2_monomial, sizeof g2) != 0) {
        return fail(context, SUMAC_BAD_FILE,
                    "the setup's points in monomial form do not begin with the generator");
    }
    challenge_of_parts(setup->g1, CHALLENGE_OF_SETUP, setup->monomial, (size_t)N * G1_POINT_BYTES,
                       setup->g2_monomial, (size_t)SUMAC_KZG_G2_POINTS * G2_POINT_BYTES, challenge);
    TRY(elements_fill_powers(self, powers, challenge));
    TRY(vector_create_zeros(self, setup->g1, SUMAC_VECTOR_SCALARS, N, &minus_powers));
    TRY(vector_subtract(self, minus_powers, minus_powers, powers, 1));
    const check_scalars scalars = {powers, minus_powers};
    TRY(check_powers(context, setup, monomial, &scalars));
    return check_lagrange(context, setup, monomial, powers);
}

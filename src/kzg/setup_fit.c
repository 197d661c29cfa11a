/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Do a setup's points belong together? With t the hash of the points, and M_i, L_i, Q_i those of G1 in
 * monomial and Lagrange form and of G2:
 *
 *     e(sum t^i M_(i+1), G2) = e(sum t^i M_i, sG2)     sums over all M but one
 *     e(sG, sum t^i Q_i) = e(G, sum t^i Q_(i+1))       and over all Q but one
 *     sum t^i M_i = sum f(x_i) L_i                     f = sum t^i X^i, x_i the roots of unity
 */
#include "kzg/setup_fit.h"

#include <string.h>

#include "api/call.h"
#include "api/pairing.h"
#include "kzg/challenge.h"
#include "kzg/work.h"

/* sums[0] = the sum of t^i P_i, i < n - 1; sums[1] = -(that of t^i P_(i+1)); raw. The points are of the work's group,
 * the scalars powers of t. */
static void sum_shifted(work *w, const sumac_bases *bases, size_t n, const sumac_vector *powers,
                        const sumac_vector *minus_powers, uint8_t *sums)
{
    const work_sums from_first = {.bases = bases, .n = n - 1, .batch = 1};
    const work_sums from_second = {.bases = bases, .first_base = 1, .n = n - 1, .batch = 1};
    sumac_vector *both = work_points(w, 2);
    work_msm(w, &from_first, powers, 0, both, 0);
    work_msm(w, &from_second, minus_powers, 0, both, 1);
    work_read(w, both, 0, 2, sums);
}

/* e(g1[0], g2[0]) e(g1[1], g2[1]) = 1. */
static void expect_one(work *w, const sumac_kzg_setup *setup, const uint8_t *g1, const uint8_t *g2,
                       const char *what)
{
    int is_one = 0;
    if (work_is_ok(w)) {
        work_note(w, pairing_check(w->whole, setup->g1, NULL, g1, g2, 2, SUMAC_CHECK_NONE, &is_one));
    }
    if (work_is_ok(w) && !is_one) {
        work_note(
            w, fail(w->whole, SUMAC_BAD_FILE, "the setup's points of %s are not powers of one number", what));
    }
}

/* The points of G1 are powers of the s of sG2. */
static void check_g1(work *w, const sumac_kzg_setup *setup, const sumac_bases *bases,
                     const sumac_vector *powers, const sumac_vector *minus_powers)
{
    uint8_t g1[2 * G1_POINT_BYTES], g2[2 * G2_POINT_BYTES];
    sum_shifted(w, bases, SUMAC_KZG_FIELD_ELEMENTS, powers, minus_powers, g1);
    memcpy(g2, setup->g2_monomial + G2_POINT_BYTES, G2_POINT_BYTES);
    memcpy(g2 + G2_POINT_BYTES, setup->g2_monomial, G2_POINT_BYTES);
    expect_one(w, setup, g1, g2, "G1");
}

/* Those of G2 are powers of the s of sG. */
static void check_g2(work *outer, const sumac_kzg_setup *setup, const sumac_vector *powers,
                     const sumac_vector *minus_powers)
{
    uint8_t g1[2 * G1_POINT_BYTES], g2[2 * G2_POINT_BYTES];
    if (!work_is_ok(outer)) {
        return;
    }
    work own = work_begin(outer->whole, setup->g2), *w = &own;
    sum_shifted(w, work_bases(w, setup->g2_monomial, SUMAC_KZG_G2_POINTS), SUMAC_KZG_G2_POINTS, powers,
                minus_powers, g2);
    memcpy(g1, setup->monomial + G1_POINT_BYTES, G1_POINT_BYTES);
    memcpy(g1 + G1_POINT_BYTES, setup->monomial, G1_POINT_BYTES);
    expect_one(w, setup, g1, g2, "G2");
    work_note(outer, work_end(w));
}

/* A polynomial has the same commitment from its coefficients, powers of t, and from its values. */
static void check_lagrange(work *w, const sumac_kzg_setup *setup, const sumac_bases *bases,
                           const sumac_vector *powers)
{
    enum { N = SUMAC_KZG_FIELD_ELEMENTS };
    uint8_t commitments[2][G1_POINT_BYTES] = {{0}};
    sumac_transform_config config = sumac_transform_config_default();
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    sumac_vector *values = work_scalars(w, N), *both = work_points(w, 2);
    const work_sums from_coefficients = {.bases = bases, .n = N, .batch = 1};
    const work_sums from_values = {.bases = setup->lagrange, .n = N, .batch = 1};
    work_copy(w, values, (work_part){0, 1}, powers, (work_part){0, 1}, 1, N);
    work_ntt(w, values, &config);
    work_msm(w, &from_coefficients, powers, 0, both, 0);
    work_msm(w, &from_values, values, 0, both, 1);
    work_read(w, both, 0, 2, commitments[0]);
    if (work_is_ok(w) && memcmp(commitments[0], commitments[1], G1_POINT_BYTES) != 0) {
        work_note(w,
                  fail(w->whole, SUMAC_BAD_FILE,
                       "the setup's points in Lagrange form are not those of its points in monomial form"));
    }
}

static void check_generators(work *w, const sumac_kzg_setup *setup)
{
    uint8_t g1[G1_POINT_BYTES], g2[G2_POINT_BYTES];
    sumac_curve_generator(setup->g1, g1);
    sumac_curve_generator(setup->g2, g2);
    if (memcmp(g1, setup->monomial, sizeof g1) != 0 || memcmp(g2, setup->g2_monomial, sizeof g2) != 0) {
        work_note(w, fail(w->whole, SUMAC_BAD_FILE,
                          "the setup's points in monomial form do not begin with the generator"));
    }
}

sumac_status setup_check_fit(sumac_context *context, const sumac_kzg_setup *setup)
{
    work w = work_begin(context, setup->g1);
    uint8_t challenge[SCALAR_BYTES];
    sumac_vector *t = work_scalars(&w, 1), *powers = work_scalars(&w, SUMAC_KZG_FIELD_ELEMENTS);
    sumac_vector *minus_powers = work_scalars(&w, SUMAC_KZG_FIELD_ELEMENTS);
    challenge_of_setup(setup->g1, setup->monomial, (size_t)SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
                       setup->g2_monomial, (size_t)SUMAC_KZG_G2_POINTS * G2_POINT_BYTES, challenge);
    check_generators(&w, setup);
    work_write_elements(&w, t, 0, 1, challenge);
    work_powers(&w, powers, t);
    work_subtract(&w, minus_powers, minus_powers, powers, 1);
    const sumac_bases *monomial = work_bases(&w, setup->monomial, SUMAC_KZG_FIELD_ELEMENTS);
    check_g1(&w, setup, monomial, powers, minus_powers);
    check_g2(&w, setup, powers, minus_powers);
    check_lagrange(&w, setup, monomial, powers);
    return work_end(&w);
}

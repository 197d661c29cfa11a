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
#include "kzg/challenge.h"
#include "kzg/work.h"
#include "sumac/pairing.h"

/* -1, as a scalar below r: r is odd. */
static void write_minus_one(const sumac_curve *curve, uint8_t *raw)
{
    memcpy(raw, sumac_curve_describe(curve)->order, SCALAR_BYTES);
    raw[0]--;
}

static void make_bases(work *w, const sumac_curve *curve, const uint8_t *points, size_t n,
                       sumac_bases **bases)
{
    if (work_is_ok(w)) {
        work_note(w, sumac_bases_create(w->whole, curve, points, n, NULL, bases));
    }
}

/* sums[0] = the sum of t^i P_i, i < n - 1; sums[1] = -(that of t^i P_(i+1)); raw. scalars: powers of t. */
static void sum_shifted(work *w, const sumac_bases *bases, const uint8_t *powers, const uint8_t *minus_powers,
                        size_t n, size_t point_bytes, uint8_t *sums)
{
    sumac_msm_config shifted = sumac_msm_config_default();
    shifted.first = 1;
    if (work_is_ok(w)) {
        work_note(w, sumac_msm(w->whole, bases, powers, n - 1, NULL, sums));
    }
    if (work_is_ok(w)) {
        work_note(w, sumac_msm(w->whole, bases, minus_powers, n - 1, &shifted, sums + point_bytes));
    }
}

static void expect_one(work *w, const sumac_kzg_setup *setup, const uint8_t *g1, const uint8_t *g2,
                       const char *what)
{
    int is_one = 0;
    if (work_is_ok(w)) {
        work_note(w, sumac_pairing_check(w->whole, setup->g1, g1, g2, 2, SUMAC_CHECK_NONE, &is_one));
    }
    if (work_is_ok(w) && !is_one) {
        work_note(
            w, fail(w->whole, SUMAC_BAD_FILE, "the setup's points of %s are not powers of one number", what));
    }
}

/* Both groups' points are powers of the same s. */
static void check_powers(work *w, const sumac_kzg_setup *setup, const uint8_t *powers,
                         const uint8_t *minus_powers)
{
    uint8_t g1[2 * G1_POINT_BYTES], g2[2 * G2_POINT_BYTES];
    sumac_bases *g1_bases = NULL, *g2_bases = NULL;
    make_bases(w, setup->g1, setup->monomial, SUMAC_KZG_FIELD_ELEMENTS, &g1_bases);
    make_bases(w, setup->g2, setup->g2_monomial, SUMAC_KZG_G2_POINTS, &g2_bases);
    sum_shifted(w, g1_bases, powers, minus_powers, SUMAC_KZG_FIELD_ELEMENTS, G1_POINT_BYTES, g1);
    memcpy(g2, setup->g2_monomial + G2_POINT_BYTES, G2_POINT_BYTES);
    memcpy(g2 + G2_POINT_BYTES, setup->g2_monomial, G2_POINT_BYTES);
    expect_one(w, setup, g1, g2, "G1");
    sum_shifted(w, g2_bases, powers, minus_powers, SUMAC_KZG_G2_POINTS, G2_POINT_BYTES, g2);
    memcpy(g1, setup->monomial + G1_POINT_BYTES, G1_POINT_BYTES);
    memcpy(g1 + G1_POINT_BYTES, setup->monomial, G1_POINT_BYTES);
    expect_one(w, setup, g1, g2, "G2");
    sumac_bases_destroy(g1_bases);
    sumac_bases_destroy(g2_bases);
}

/* A polynomial has the same commitment from its coefficients and from its values. */
static void check_lagrange(work *w, const sumac_kzg_setup *setup, sumac_vector *coefficients,
                           const uint8_t *powers)
{
    uint8_t from_coefficients[G1_POINT_BYTES] = {0}, from_values[G1_POINT_BYTES] = {0};
    sumac_bases *bases = NULL;
    sumac_transform_config config = sumac_transform_config_default();
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    uint8_t *values = work_memory(w, SUMAC_KZG_FIELD_ELEMENTS, SCALAR_BYTES);
    work_ntt(w, coefficients, &config);
    work_read(w, coefficients, 0, SUMAC_KZG_FIELD_ELEMENTS, values);
    make_bases(w, setup->g1, setup->monomial, SUMAC_KZG_FIELD_ELEMENTS, &bases);
    if (work_is_ok(w)) {
        work_note(w, sumac_msm(w->whole, bases, powers, SUMAC_KZG_FIELD_ELEMENTS, NULL, from_coefficients));
    }
    if (work_is_ok(w)) {
        work_note(w,
                  sumac_msm(w->whole, setup->lagrange, values, SUMAC_KZG_FIELD_ELEMENTS, NULL, from_values));
    }
    sumac_bases_destroy(bases);
    if (work_is_ok(w) && memcmp(from_coefficients, from_values, G1_POINT_BYTES) != 0) {
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
    uint8_t challenge[SCALAR_BYTES], minus_one[SCALAR_BYTES];
    sumac_vector *t = work_scalars(&w, 1), *powers = work_scalars(&w, SUMAC_KZG_FIELD_ELEMENTS);
    sumac_vector *minus = work_scalars(&w, 1), *minus_powers = work_scalars(&w, SUMAC_KZG_FIELD_ELEMENTS);
    uint8_t *raw = work_memory(&w, SUMAC_KZG_FIELD_ELEMENTS, SCALAR_BYTES);
    uint8_t *raw_minus = work_memory(&w, SUMAC_KZG_FIELD_ELEMENTS, SCALAR_BYTES);
    challenge_of_setup(setup->g1, setup->monomial, (size_t)SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
                       setup->g2_monomial, (size_t)SUMAC_KZG_G2_POINTS * G2_POINT_BYTES, challenge);
    write_minus_one(setup->g1, minus_one);
    check_generators(&w, setup);
    work_write_elements(&w, t, 0, 1, challenge);
    work_powers(&w, powers, t);
    work_fill(&w, minus, minus_one);
    work_multiply(&w, minus_powers, powers, minus, 1);
    work_read(&w, powers, 0, SUMAC_KZG_FIELD_ELEMENTS, raw);
    work_read(&w, minus_powers, 0, SUMAC_KZG_FIELD_ELEMENTS, raw_minus);
    check_powers(&w, setup, raw, raw_minus);
    check_lagrange(&w, setup, powers, raw);
    return work_end(&w);
}

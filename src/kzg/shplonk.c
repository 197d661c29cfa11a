/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file opens polynomials f_i, each at points S_i of its own, by a proof of two points (shplonk, eprint 2020/081, section 4).
 * T has all points, Z_S is the polynomial with a simple zero at each point of S, r_i the polynomial of the lowest degree that
 * has the values of f_i on S_i, and c_i are the caller's factors:
 *
 *   h = sum_i c_i (f_i - r_i) / Z_(S_i)                                      W = [h]
 *   l = sum_i c_i Z_(T - S_i)(z) (f_i - r_i(z)) - Z_T(z) h                   W' = [l / (X - z)], as l is 0 at z
 *
 * The verifier knows [l] from the commitments, values and W, and checks that e([l] + z W', G2) = e(W', s*G2).
 *
 * Partial fractions turn h into one division for each point: 1/Z_S is the sum of 1/(Z_S'(t) (X - t)) over the t of S. So
 *
 *   h = sum_t (F_t - F_t(t)) / (X - t)    with    F_t = sum_i c_i / Z_(S_i)'(t) f_i    over the i that are opened at t
 *
 * because (r_i - r_i(t)) / (X - t), summed up likewise, is r_i - r_i, divided by Z_(S_i).
 */
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/pairing.h"
#include "api/points.h"
#include "kzg/points.h"
#include "kzg/range.h"
#include "kzg/srs.h"
#include "sumac/experimental.h"
#include "vector/host_scalars.h"

enum { MOST_POINTS = 64, MOST_SCALAR_BYTES = 64, MOST_POINT_BYTES = 192 };

/* These are the points of some polynomials, and the polynomials' factors. */
typedef struct openings {
    const sumac_group *group;
    size_t polynomials, points;
    const uint8_t *opened; /* a row for each polynomial; null: all are opened at all points */
    host_scalar at[MOST_POINTS];
    host_scalar *factors;
} openings;

static int is_opened(const openings *o, size_t i, size_t t)
{
    return o->opened == NULL || o->opened[i * o->points + t] != 0;
}

/* Return the product of x - u over the points u at which polynomial i is opened or, if `others` is set, over all others. Point
 * `without` is left out. */
static host_scalar multiply_differences(const openings *o, size_t i, int others, size_t without,
                                        host_scalar x)
{
    host_scalar product = host_integer(o->group, 1);
    for (size_t t = 0; t < o->points; t++) {
        if (is_opened(o, i, t) != others && t != without) {
            product = host_multiply(o->group, product, host_subtract(o->group, x, o->at[t]));
        }
    }
    return product;
}

/* Return c_i Z_(T - S_i)(z). */
static host_scalar factor_at(const openings *o, size_t i, host_scalar z)
{
    return host_multiply(o->group, o->factors[i], multiply_differences(o, i, 1, o->points, z));
}

/* Return Z_T(z). */
static host_scalar vanishing_at(const openings *o, host_scalar z)
{
    return host_multiply(o->group, multiply_differences(o, 0, 0, o->points, z),
                         multiply_differences(o, 0, 1, o->points, z));
}

/* ---- Arguments ---- */

static sumac_status read_scalars(executor *self, const sumac_vector *vector, host_scalar *scalars)
{
    const size_t each = vector->group->scalar_bytes;
    LOCAL_MEMORY(uint8_t, raw, self, vector->count * each);
    TRY(vector_get(self, vector, 0, vector->count, raw, NULL));
    for (size_t i = 0; i < vector->count; i++) {
        scalars[i] = host_from_raw(vector->group, raw + i * each);
    }
    return SUMAC_OK;
}

static sumac_status expect_openings(sumac_context *context, openings *o, const sumac_vector *points,
                                    size_t opened_bytes, const sumac_vector *factors)
{
    const size_t polynomials = o->polynomials, count = sumac_vector_count(points);
    if (polynomials == 0 || count == 0 || count > MOST_POINTS) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "%zu polynomials and %zu points, where 1 to %d points are needed", polynomials, count,
                    MOST_POINTS);
    }
    o->points = count;
    TRY(srs_expect(context, points, o->group, SUMAC_VECTOR_SCALARS, count, "the points"));
    TRY(srs_expect(context, factors, o->group, SUMAC_VECTOR_SCALARS, polynomials, "the factors"));
    if (o->opened != NULL && opened_bytes != polynomials * count) {
        return fail(context, SUMAC_BAD_LENGTH, "opened: %zu bytes for %zu polynomials and %zu points",
                    opened_bytes, polynomials, count);
    }
    for (size_t i = 0; i < polynomials; i++) {
        size_t t = 0;
        while (t < count && !is_opened(o, i, t)) {
            t++;
        }
        if (t == count) {
            return fail(context, SUMAC_BAD_ARGUMENT, "polynomial %zu is opened at no point", i);
        }
    }
    return SUMAC_OK;
}

/* Read the points and factors, once the arguments have been checked. `memory` is for the factors. */
static sumac_status read_openings(sumac_context *context, openings *o, const sumac_vector *points,
                                  const sumac_vector *factors, host_scalar *memory)
{
    executor *self = context_executor(context);
    TRY(read_scalars(self, points, o->at));
    for (size_t t = 1; t < o->points; t++) {
        for (size_t u = 0; u < t; u++) {
            if (host_is_zero(o->group, host_subtract(o->group, o->at[t], o->at[u]))) {
                return fail(context, SUMAC_BAD_ARGUMENT, "points %zu and %zu are the same", u, t);
            }
        }
    }
    o->factors = memory;
    return read_scalars(self, factors, memory);
}

/* ---- Opening ---- */

/* Set a vector to the sum of the polynomials times factors. Those whose factor is 0 are left out. */
static sumac_status add_polynomials(executor *self, const sumac_vector *polynomials, const openings *o,
                                    const host_scalar *factors, sumac_vector *sum)
{
    const size_t each = o->group->scalar_bytes, n = sum->count;
    LOCAL_MEMORY(uint8_t, raw, self, o->polynomials * each);
    LOCAL_SCALARS(operands, self, o->group, o->polynomials);
    for (size_t i = 0; i < o->polynomials; i++) {
        host_to_raw(o->group, factors[i], raw + i * each);
    }
    TRY(vector_set(self, operands, 0, o->polynomials, raw, NULL));
    TRY(vector_fill_integer(self, sum, 0));
    for (size_t i = 0; i < o->polynomials; i++) {
        if (!host_is_zero(o->group, factors[i])) {
            const sumac_vector polynomial = vector_part(polynomials, i * n, n),
                               factor = vector_part(operands, i, 1);
            TRY(vector_multiply_add(self, sum, &polynomial, &factor, 1, sum));
        }
    }
    return SUMAC_OK;
}

/* Commit to a polynomial of all but one of a vector's coefficients, from `first` on. */
static sumac_status commit(const work_range *range, const sumac_bases *srs, const sumac_vector *coefficients,
                           size_t first, sumac_vector *point)
{
    const msm_batch msm = {.bases = srs, .n = coefficients->count - 1, .batch = 1};
    return range_msm(range, &msm, coefficients, first, point, 0);
}

/* Add F_t, divided by X - t, to h. */
static sumac_status add_quotient(executor *self, const sumac_vector *polynomials, const openings *o, size_t t,
                                 const sumac_vector *points, sumac_vector *h)
{
    const size_t n = h->count;
    LOCAL_MEMORY(host_scalar, factors, self, o->polynomials);
    LOCAL_SCALARS(sum, self, o->group, n);
    LOCAL_SCALARS(power, self, o->group, 1);
    for (size_t i = 0; i < o->polynomials; i++) {
        factors[i] = is_opened(o, i, t)
                         ? host_multiply(o->group, o->factors[i],
                                         host_invert(o->group, multiply_differences(o, i, 0, t, o->at[t])))
                         : host_integer(o->group, 0);
    }
    TRY(add_polynomials(self, polynomials, o, factors, sum));
    TRY(vector_copy_range(self, power, 0, points, t, 1));
    TRY(srs_divide(self, sum, 1, n, power));
    sumac_vector begin = vector_part(h, 0, n - 1), quotient = vector_part(sum, 1, n - 1);
    return n == 1 ? SUMAC_OK : vector_add(self, &begin, &begin, &quotient, 1);
}

sumac_status sumac_shplonk_quotient(sumac_context *context, const sumac_bases *srs,
                                    const sumac_vector *polynomials, size_t n, const sumac_vector *points,
                                    const void *opened, size_t opened_bytes, const sumac_vector *factors,
                                    sumac_vector *quotient, sumac_vector *commitment)
{
    openings o = {.opened = opened};
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context,
                     srs != NULL && polynomials != NULL && points != NULL && factors != NULL &&
                         quotient != NULL && commitment != NULL,
                     "srs, polynomials, points, factors, quotient and commitment"));
    o.group = srs->group;
    TRY(srs_count_polynomials(context, o.group, polynomials, n, &o.polynomials));
    TRY(expect_openings(context, &o, points, opened_bytes, factors));
    TRY(srs_expect(context, quotient, o.group, SUMAC_VECTOR_SCALARS, n, "the quotient"));
    TRY(srs_expect(context, commitment, o.group, SUMAC_VECTOR_POINTS, 1, "the commitment"));
    TRY(srs_expect_length(context, srs, n - 1));
    TRY(bases_check_usable(context, srs));
    const work_range range = range_of_context(context, 1);
    executor *self = range.self;
    LOCAL_MEMORY(host_scalar, memory, self, o.polynomials);
    LOCAL_SCALARS(h, self, o.group, n);
    LOCAL_POINTS(point, self, o.group, 1);
    TRY(read_openings(context, &o, points, factors, memory));
    TRY(vector_fill_integer(self, h, 0));
    for (size_t t = 0; t < o.points; t++) {
        TRY(add_quotient(self, polynomials, &o, t, points, h));
    }
    TRY(commit(&range, srs, h, 0, point));
    TRY(vector_copy_range(self, quotient, 0, h, 0, n));
    return vector_copy_range(self, commitment, 0, point, 0, 1);
}

/* Set a vector to l, but for its constant. */
static sumac_status combine(executor *self, const sumac_vector *polynomials, const openings *o,
                            const sumac_vector *h, host_scalar z, sumac_vector *l)
{
    uint8_t raw[MOST_SCALAR_BYTES];
    LOCAL_MEMORY(host_scalar, factors, self, o->polynomials);
    LOCAL_SCALARS(factor, self, o->group, 1);
    for (size_t i = 0; i < o->polynomials; i++) {
        factors[i] = factor_at(o, i, z);
    }
    TRY(add_polynomials(self, polynomials, o, factors, l));
    host_to_raw(o->group, host_negate(o->group, vanishing_at(o, z)), raw);
    TRY(vector_set(self, factor, 0, 1, raw, NULL));
    return vector_multiply_add(self, l, h, factor, 1, l);
}

sumac_status sumac_shplonk_open(sumac_context *context, const sumac_bases *srs,
                                const sumac_vector *polynomials, size_t n, const sumac_vector *points,
                                const void *opened, size_t opened_bytes, const sumac_vector *factors,
                                const sumac_vector *quotient, const sumac_vector *evaluation_point,
                                sumac_vector *proof)
{
    openings o = {.opened = opened};
    host_scalar z;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context,
                     srs != NULL && polynomials != NULL && points != NULL && factors != NULL &&
                         quotient != NULL && evaluation_point != NULL && proof != NULL,
                     "srs, polynomials, points, factors, quotient, evaluation_point and proof"));
    o.group = srs->group;
    TRY(srs_count_polynomials(context, o.group, polynomials, n, &o.polynomials));
    TRY(expect_openings(context, &o, points, opened_bytes, factors));
    TRY(srs_expect(context, quotient, o.group, SUMAC_VECTOR_SCALARS, n, "the quotient"));
    TRY(srs_expect(context, evaluation_point, o.group, SUMAC_VECTOR_SCALARS, 1, "the evaluation point"));
    TRY(srs_expect(context, proof, o.group, SUMAC_VECTOR_POINTS, 1, "the proof"));
    TRY(srs_expect_length(context, srs, n - 1));
    TRY(bases_check_usable(context, srs));
    const work_range range = range_of_context(context, 1);
    executor *self = range.self;
    LOCAL_MEMORY(host_scalar, memory, self, o.polynomials);
    LOCAL_SCALARS(l, self, o.group, n);
    LOCAL_SCALARS(power, self, o.group, 1);
    LOCAL_POINTS(point, self, o.group, 1);
    TRY(read_openings(context, &o, points, factors, memory));
    TRY(read_scalars(self, evaluation_point, &z));
    TRY(combine(self, polynomials, &o, quotient, z, l));
    TRY(vector_copy_range(self, power, 0, evaluation_point, 0, 1));
    TRY(srs_divide(self, l, 1, n, power));
    TRY(commit(&range, srs, l, 1, point));
    return vector_copy_range(self, proof, 0, point, 0, 1);
}

/* ---- Verifying ---- */

/* Return r_i(z). */
static host_scalar interpolate(const openings *o, size_t i, const uint8_t *values, host_scalar z)
{
    const sumac_group *group = o->group;
    host_scalar sum = host_integer(group, 0);
    for (size_t t = 0; t < o->points; t++) {
        if (is_opened(o, i, t)) {
            const host_scalar value =
                host_from_raw(group, values + (i * o->points + t) * group->scalar_bytes);
            const host_scalar divisor = host_invert(group, multiply_differences(o, i, 0, t, o->at[t]));
            const host_scalar weight = host_multiply(group, multiply_differences(o, i, 0, t, z), divisor);
            sum = host_add(group, sum, host_multiply(group, value, weight));
        }
    }
    return sum;
}

/* Write the scalars of the sums [l] + z W' and -W' over the commitments, W, W' and G. `scalars` must be zeroed. */
static void write_scalars(const openings *o, const uint8_t *values, host_scalar z, uint8_t *scalars)
{
    const sumac_group *group = o->group;
    const size_t each = group->scalar_bytes, count = o->polynomials, terms = count + 3;
    host_scalar sum = host_integer(group, 0);
    for (size_t i = 0; i < count; i++) {
        const host_scalar factor = factor_at(o, i, z);
        host_to_raw(group, factor, scalars + i * each);
        sum = host_subtract(group, sum, host_multiply(group, factor, interpolate(o, i, values, z)));
    }
    host_to_raw(group, host_negate(group, vanishing_at(o, z)), scalars + count * each);
    host_to_raw(group, z, scalars + (count + 1) * each);
    host_to_raw(group, sum, scalars + (count + 2) * each);
    host_to_raw(group, host_negate(group, host_integer(group, 1)), scalars + (terms + count + 1) * each);
}

/* Compute both sums, and compare the pairings. The points are the commitments, W, W' and G. */
static sumac_status check_sums(sumac_context *context, const openings *o, uint8_t *points,
                               const uint8_t *scalars, const void *g2_points, int *ok)
{
    const size_t terms = o->polynomials + 3;
    const work_range range = range_of_context(context, 1);
    uint8_t raw[2 * MOST_POINT_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    LOCAL_SCALARS(vector, range.self, o->group, 2 * terms);
    LOCAL_POINTS(sums, range.self, o->group, 2);
    TRY(points_make_bases(context, o->group, points, terms, &bases));
    TRY(vector_set(range.self, vector, 0, 2 * terms, scalars, NULL));
    const msm_batch both = {.bases = bases, .n = terms, .batch = 2};
    TRY(range_msm(&range, &both, vector, 0, sums, 0));
    TRY(vector_get(range.self, sums, 0, 2, raw, NULL));
    return pairing_check(context, o->group, NULL, raw, g2_points, 2, SUMAC_CHECK_SUBGROUP, ok);
}

/* Read the points, and check that they lie in the subgroup. */
static sumac_status read_points(sumac_context *context, const sumac_vector *commitments,
                                const sumac_vector *proof, const void *g1_point, uint8_t *points)
{
    const sumac_group *group = commitments->group;
    const size_t count = commitments->count, bytes = group->point_bytes;
    executor *self = context_executor(context);
    TRY(vector_get(self, commitments, 0, count, points, NULL));
    TRY(vector_get(self, proof, 0, 2, points + count * bytes, NULL));
    memcpy(points + (count + 2) * bytes, g1_point, bytes);
    TRY(srs_check_points(context, group, "commitment", points, count));
    TRY(srs_check_points(context, group, "proof", points + count * bytes, 2));
    return srs_check_points(context, group, "generator", points + (count + 2) * bytes, 1);
}

sumac_status sumac_shplonk_verify(sumac_context *context, const sumac_group *group, const void *g1_point,
                                  size_t g1_point_bytes, const void *g2_points, size_t g2_points_bytes,
                                  const sumac_vector *commitments, const sumac_vector *points,
                                  const void *opened, size_t opened_bytes, const sumac_vector *values,
                                  const sumac_vector *factors, const sumac_vector *evaluation_point,
                                  const sumac_vector *proof, int *ok)
{
    openings o = {.group = group, .opened = opened, .polynomials = sumac_vector_count(commitments)};
    const sumac_group *g2 = NULL;
    host_scalar z;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(
        context,
        group != NULL && g1_point != NULL && g2_points != NULL && commitments != NULL && points != NULL &&
            values != NULL && factors != NULL && evaluation_point != NULL && proof != NULL && ok != NULL,
        "group, g1_point, g2_points, commitments, points, values, factors, evaluation_point, proof and ok"));
    TRY(srs_expect_setup(context, group, g1_point_bytes, g2_points_bytes, &g2));
    TRY(srs_expect(context, commitments, group, SUMAC_VECTOR_POINTS, o.polynomials, "the commitments"));
    TRY(expect_openings(context, &o, points, opened_bytes, factors));
    TRY(srs_expect(context, values, group, SUMAC_VECTOR_SCALARS, o.polynomials * o.points, "the values"));
    TRY(srs_expect(context, evaluation_point, group, SUMAC_VECTOR_SCALARS, 1, "the evaluation point"));
    TRY(srs_expect(context, proof, group, SUMAC_VECTOR_POINTS, 2, "the proof"));
    executor *self = context_executor(context);
    const size_t each = group->scalar_bytes, terms = o.polynomials + 3;
    LOCAL_MEMORY(host_scalar, memory, self, o.polynomials);
    LOCAL_MEMORY(uint8_t, raw, self, terms * group->point_bytes);
    LOCAL_MEMORY(uint8_t, raw_values, self, o.polynomials * o.points * each);
    LOCAL_MEMORY(uint8_t, scalars, self, 2 * terms * each);
    TRY(read_points(context, commitments, proof, g1_point, raw));
    TRY(read_openings(context, &o, points, factors, memory));
    TRY(read_scalars(self, evaluation_point, &z));
    TRY(vector_get(self, values, 0, o.polynomials * o.points, raw_values, NULL));
    memset(scalars, 0, 2 * terms * each);
    write_scalars(&o, raw_values, z, scalars);
    return check_sums(context, &o, raw, scalars, g2_points, ok);
}

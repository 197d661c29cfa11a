/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file commits to polynomials and opens them at evaluation points. The bases are the generator times the powers of
 * a secret. */
#include "kzg/srs.h"

#include <stdint.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/pairing.h"
#include "api/points.h"
#include "api/vector_checks.h"
#include "codec/format.h"
#include "kzg/challenge.h"
#include "kzg/elements.h"
#include "kzg/points.h"
#include "kzg/range.h"

sumac_status srs_expect(sumac_context *context, const sumac_vector *vector, const sumac_group *group,
                        sumac_vector_kind elements, size_t count, const char *what)
{
    TRY(vector_begin(context, vector, vector, vector));
    if (sumac_vector_kind_of(vector) != elements) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s must be a vector of %s", what,
                    elements == SUMAC_VECTOR_SCALARS ? "scalars" : "points");
    }
    if (sumac_vector_group(vector) != group) {
        const sumac_group *actual = sumac_vector_group(vector);
        const sumac_group *expected = group;
        return fail(context, SUMAC_BAD_ARGUMENT, "%s are of %s %s, where the SRS is of %s %s", what,
                    actual->curve, actual->name, expected->curve, expected->name);
    }
    if (sumac_vector_count(vector) != count) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s are %zu elements, where there must be %zu", what,
                    sumac_vector_count(vector), count);
    }
    return SUMAC_OK;
}

sumac_status srs_count_polynomials(sumac_context *context, const sumac_group *group,
                                   const sumac_vector *polynomials, size_t n, size_t *count)
{
    const size_t scalars = sumac_vector_count(polynomials);
    if (n == 0 || scalars % n != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu scalars are not polynomials of %zu coefficients",
                    scalars, n);
    }
    *count = scalars / n;
    if (*count > UINT32_MAX) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu polynomials are more than one call supports", *count);
    }
    return srs_expect(context, polynomials, group, SUMAC_VECTOR_SCALARS, scalars, "the polynomials");
}

sumac_status srs_expect_length(sumac_context *context, const sumac_bases *srs, size_t n)
{
    if (sumac_bases_count(srs) >= n) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_LENGTH, "an SRS of %zu points, fewer than %zu", sumac_bases_count(srs), n);
}

sumac_status sumac_srs_commit(sumac_context *context, const sumac_bases *srs, const sumac_vector *polynomials,
                              size_t n, sumac_vector *commitments)
{
    size_t count = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context, srs != NULL && polynomials != NULL && commitments != NULL,
                     "srs, polynomials and commitments"));
    const sumac_group *group = srs->group;
    TRY(srs_count_polynomials(context, group, polynomials, n, &count));
    TRY(srs_expect(context, commitments, group, SUMAC_VECTOR_POINTS, count, "the commitments"));
    TRY(srs_expect_length(context, srs, n));
    TRY(bases_check_usable(context, srs));
    if (count == 0) {
        return SUMAC_OK;
    }
    const work_range range = range_of_context(context, count);
    const msm_batch msms = {.bases = srs, .n = n, .batch = count};
    return range_msm(&range, &msms, polynomials, 0, commitments, 0);
}

/* These are the polynomials of a call of sumac_srs_open(), and the vectors for its results. */
typedef struct opening {
    const sumac_bases *srs;
    const sumac_vector *polynomials;
    size_t n;
    const sumac_vector *zs; /* the evaluation points */
    sumac_vector *values;
    sumac_vector *proofs; /* null if the proofs are not wanted */
} opening;

/* Element j becomes the sum over i >= j of f_i z^(i - j), which is the value or a coefficient of the quotient. A round with
 * distance d makes sums over i < j + 2d from
 * sums over i < j + d: sum(j, 2d) = sum(j, d) + z^d sum(j + d, d). */
sumac_status srs_divide(executor *self, sumac_vector *rows, size_t count, size_t n, sumac_vector *powers)
{
    LOCAL_SCALARS(later, self, rows->group, count * n);
    for (size_t d = 1; d < n; d *= 2) {
        const vector_slice shifted = {d, count, n - d, n}, begins = {0, count, n - d, n};
        TRY(vector_fill_integer(self, later, 0));
        TRY(vector_copy(self, later, &begins, rows, &shifted));
        TRY(vector_multiply(self, later, later, powers, n));
        TRY(vector_add(self, rows, rows, later, 1));
        TRY(vector_square(self, powers, 1));
    }
    return SUMAC_OK;
}

/* Open polynomials [first, first + count). */
static sumac_status open_sub_batch(const opening *all, const work_range *range, size_t first, size_t count)
{
    const size_t n = all->n;
    const vector_slice heads = {0, count, 1, n}, values = {first, count, 1, 1};
    const vector_slice tails = {1, count, n - 1, n}, packed = {0, count, n - 1, n - 1};
    executor *self = range->self;
    const sumac_group *group = all->polynomials->group;
    LOCAL_SCALARS(sums, self, group, count * n);
    LOCAL_SCALARS(powers, self, group, count);
    TRY(vector_copy_range(self, sums, 0, all->polynomials, first * n, count * n));
    TRY(vector_copy_range(self, powers, 0, all->zs, first, count));
    TRY(srs_divide(self, sums, count, n, powers));
    TRY(vector_copy(self, all->values, &values, sums, &heads));
    if (all->proofs == NULL) {
        return SUMAC_OK;
    }
    const msm_batch msms = {.bases = all->srs, .n = n - 1, .batch = count};
    LOCAL_SCALARS(quotients, self, group, count * (n - 1));
    TRY(vector_copy(self, quotients, &packed, sums, &tails));
    return range_msm(range, &msms, quotients, 0, all->proofs, first);
}

static sumac_status check_opening(sumac_context *context, const opening *all, size_t *count)
{
    const sumac_group *group = all->srs->group;
    TRY(srs_count_polynomials(context, group, all->polynomials, all->n, count));
    TRY(srs_expect(context, all->zs, group, SUMAC_VECTOR_SCALARS, *count, "the evaluation points"));
    if (all->values != NULL) {
        TRY(srs_expect(context, all->values, group, SUMAC_VECTOR_SCALARS, *count, "the values"));
    }
    if (all->proofs != NULL) {
        TRY(srs_expect(context, all->proofs, group, SUMAC_VECTOR_POINTS, *count, "the proofs"));
        TRY(bases_check_usable(context, all->srs));
    }
    return srs_expect_length(context, all->srs, all->n - 1);
}

sumac_status sumac_srs_open(sumac_context *context, const sumac_bases *srs, const sumac_vector *polynomials,
                            size_t n, const sumac_vector *evaluation_points, sumac_vector *values,
                            sumac_vector *proofs)
{
    size_t count = 0;
    opening all = {srs, polynomials, n, evaluation_points, values, proofs};
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context,
                     srs != NULL && polynomials != NULL && evaluation_points != NULL &&
                         (values != NULL || proofs != NULL),
                     "srs, polynomials, evaluation_points, and values and proofs both,"));
    TRY(check_opening(context, &all, &count));
    if (count == 0) {
        return SUMAC_OK;
    }
    /* The caller's vectors are written only when nothing else can fail any more. */
    const work_range range = range_of_context(context, count);
    const sumac_group *group = srs->group;
    LOCAL_SCALARS(all_values, range.self, group, count);
    LOCAL_POINTS(all_proofs, range.self, group, proofs == NULL ? 0 : count);
    all.values = all_values;
    all.proofs = proofs == NULL ? NULL : all_proofs;
    for (size_t first = 0, sub_batch; (sub_batch = range_next(&range, first, n)) > 0; first += sub_batch) {
        TRY(open_sub_batch(&all, &range, first, sub_batch));
    }
    if (proofs != NULL) {
        TRY(vector_copy_range(range.self, proofs, 0, all_proofs, 0, count));
    }
    return values == NULL ? SUMAC_OK : vector_copy_range(range.self, values, 0, all_values, 0, count);
}

/* ---- Verifying ---- */

enum {
    MOST_POINT_BYTES = 192
}; /* bytes of a raw point of G1 of any curve with a pairing; one of G2 has at most twice as many */

/* The equation has two sums over the points C_0 .., W_0 .., G. Compute their scalars: 0 .., r^i .., 0 for the first
 * sum, and r^i .., r^i z_i .., -(sum of r^i y_i) for the second one. If -G2 is not prepared, the first sum is negated
 * instead. `joined` must be zeroed. */
static sumac_status join_claims(executor *self, const opening_claims *claims, sumac_vector *joined)
{
    const size_t n = claims->count, terms = 2 * n + 1;
    LOCAL_SCALARS(powers, self, claims->group, n);
    LOCAL_SCALARS(products, self, claims->group, n);
    LOCAL_SCALARS(sum, self, claims->group, 1);
    LOCAL_SCALARS(zeros, self, claims->group, n);
    TRY(vector_fill_integer(self, zeros, 0));
    TRY(elements_fill_powers(self, powers, claims->challenge));
    TRY(vector_copy_range(self, joined, terms, powers, 0, n));
    TRY(vector_multiply(self, products, claims->zs, powers, 1));
    TRY(vector_copy_range(self, joined, terms + n, products, 0, n));
    TRY(vector_multiply(self, products, claims->ys, powers, 1));
    TRY(vector_sum(self, sum, products, n));
    if (claims->prepared == NULL) {
        TRY(vector_subtract(self, powers, zeros, powers, 1));
    }
    TRY(vector_copy_range(self, joined, n, powers, 0, n));
    TRY(vector_subtract(self, zeros, zeros, sum, 1));
    return vector_copy_range(self, joined, terms + 2 * n, zeros, 0, 1);
}

sumac_status claims_check(sumac_context *context, const opening_claims *claims, int *hold)
{
    const size_t terms = 2 * claims->count + 1;
    const work_range range = range_of_context(context, claims->count);
    uint8_t raw[2 * MOST_POINT_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    CLEANUP(close_vector) sumac_vector *scalars = NULL;
    LOCAL_POINTS(sums, range.self, claims->group, 2);
    TRY(vector_create_zeros(range.self, claims->group, SUMAC_VECTOR_SCALARS, 2 * terms, &scalars));
    TRY(join_claims(range.self, claims, scalars));
    TRY(points_make_bases(context, claims->group, claims->points, terms, &bases));
    const msm_batch both = {.bases = bases, .n = terms, .batch = 2};
    TRY(range_msm(&range, &both, scalars, 0, sums, 0));
    TRY(vector_get(range.self, sums, 0, 2, raw, NULL));
    return pairing_check(context, claims->group, claims->prepared, raw, claims->g2_points, 2,
                         claims->prepared != NULL ? SUMAC_CHECK_NONE : SUMAC_CHECK_SUBGROUP, hold);
}

sumac_status srs_check_points(sumac_context *context, const sumac_group *group, const char *noun,
                              uint8_t *points, size_t count)
{
    return encoded_points_decode(context, group, &raw_format, noun, 0, points, count, SUMAC_CHECK_SUBGROUP,
                                 points);
}

sumac_status srs_expect_setup(sumac_context *context, const sumac_group *group, size_t g1_point_bytes,
                              size_t g2_points_bytes, const sumac_group **g2)
{
    int none = 0;
    TRY(pairing_check(context, group, NULL, NULL, NULL, 0, SUMAC_CHECK_NONE, &none)); /* fails if there is no
                                                                                         pairing */
    if (strcmp(group->name, "g1") != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "group must be the first group of its curve");
    }
    TRY(bytes_require(context, "g1_point", g1_point_bytes, 1, group->point_bytes));
    TRY(sumac_group_find(group->curve, "g2", g2));
    return bytes_require(context, "g2_points", g2_points_bytes, 2, (*g2)->point_bytes);
}

/* Verify the claims of sumac_srs_verify(). The challenge is a hash of all inputs. If a prover could predict it, he
 * could choose wrong claims whose errors cancel. */
static sumac_status verify(sumac_context *context, opening_claims *claims, const sumac_vector *commitments,
                           const sumac_vector *proofs, const void *g1, const uint8_t *g2, size_t g2_bytes,
                           int *ok)
{
    const sumac_group *group = claims->group;
    const size_t n = claims->count, bytes = group->point_bytes, scalars = n * group->scalar_bytes;
    const char *const nouns[] = {"commitment", "proof", "generator"};
    executor *self = context_executor(context);
    uint8_t challenge[32], swapped[4 * MOST_POINT_BYTES];
    LOCAL_MEMORY(uint8_t, points, self, (2 * n + 1) * bytes);
    LOCAL_MEMORY(uint8_t, text, self, 2 * g2_bytes + 2 * scalars);
    TRY(vector_get(self, commitments, 0, n, points, NULL));
    TRY(vector_get(self, proofs, 0, n, points + n * bytes, NULL));
    memcpy(points + 2 * n * bytes, g1, bytes);
    for (size_t i = 0; i < 3; i++) {
        uint8_t *at = points + i * n * bytes;
        TRY(srs_check_points(context, group, nouns[i], at, i < 2 ? n : 1));
    }
    memcpy(text, g2, 2 * g2_bytes);
    TRY(vector_get(self, claims->zs, 0, n, text + 2 * g2_bytes, NULL));
    TRY(vector_get(self, claims->ys, 0, n, text + 2 * g2_bytes + scalars, NULL));
    challenge_of_parts(group, CHALLENGE_OF_CLAIMS, points, (2 * n + 1) * bytes, text,
                       2 * g2_bytes + 2 * scalars, challenge);
    memcpy(swapped, g2 + g2_bytes, g2_bytes);
    memcpy(swapped + g2_bytes, g2, g2_bytes);
    claims->points = points;
    claims->challenge = challenge;
    claims->g2_points = swapped;
    return claims_check(context, claims, ok);
}

sumac_status sumac_srs_verify(sumac_context *context, const sumac_group *group, const void *g1_point,
                              size_t g1_point_bytes, const void *g2_points, size_t g2_points_bytes,
                              const sumac_vector *commitments, const sumac_vector *evaluation_points,
                              const sumac_vector *values, const sumac_vector *proofs, int *ok)
{
    const size_t count = sumac_vector_count(commitments);
    opening_claims claims = {.group = group, .count = count, .zs = evaluation_points, .ys = values};
    const sumac_group *g2 = NULL;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context,
                     group != NULL && g1_point != NULL && g2_points != NULL && commitments != NULL &&
                         evaluation_points != NULL && values != NULL && proofs != NULL && ok != NULL,
                     "group, g1_point, g2_points, commitments, evaluation_points, values, proofs and ok"));
    TRY(srs_expect_setup(context, group, g1_point_bytes, g2_points_bytes, &g2));
    TRY(srs_expect(context, commitments, group, SUMAC_VECTOR_POINTS, count, "the commitments"));
    TRY(srs_expect(context, evaluation_points, group, SUMAC_VECTOR_SCALARS, count, "the evaluation points"));
    TRY(srs_expect(context, values, group, SUMAC_VECTOR_SCALARS, count, "the values"));
    TRY(srs_expect(context, proofs, group, SUMAC_VECTOR_POINTS, count, "the proofs"));
    if (count > 0) {
        return verify(context, &claims, commitments, proofs, g1_point, g2_points, g2->point_bytes, ok);
    }
    *ok = 1;
    return SUMAC_OK;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments to polynomials and openings at places, over bases that are powers of a secret. */
#include "kzg/srs.h"

#include <stdint.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/vector_checks.h"
#include "kzg/work.h"

sumac_status srs_begin(sumac_context *context, int pointers_are_there, const char *pointers)
{
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    return pointers_are_there ? SUMAC_OK : fail(context, SUMAC_BAD_ARGUMENT, "%s must not be null", pointers);
}

sumac_status srs_expect(sumac_context *context, const sumac_vector *vector, const sumac_curve *curve,
                        sumac_vector_kind elements, size_t count, const char *what)
{
    const sumac_status status = vector_begin(context, vector, vector, vector);
    if (status != SUMAC_OK) {
        return status;
    }
    if (sumac_vector_kind_of(vector) != elements) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s must be a vector of %s", what,
                    elements == SUMAC_VECTOR_SCALARS ? "scalars" : "points");
    }
    if (sumac_vector_curve(vector) != curve) {
        const sumac_curve_info *own = sumac_curve_describe(sumac_vector_curve(vector));
        const sumac_curve_info *expected = sumac_curve_describe(curve);
        return fail(context, SUMAC_BAD_ARGUMENT, "%s are of %s %s, where the SRS is of %s %s", what,
                    own->name, own->group, expected->name, expected->group);
    }
    if (sumac_vector_count(vector) != count) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s are %zu elements, where there must be %zu", what,
                    sumac_vector_count(vector), count);
    }
    return SUMAC_OK;
}

sumac_status srs_count_polynomials(sumac_context *context, const sumac_curve *curve,
                                   const sumac_vector *polynomials, size_t n, size_t *count)
{
    const size_t scalars = sumac_vector_count(polynomials);
    if (n == 0 || scalars % n != 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu scalars are not polynomials of %zu coefficients",
                    scalars, n);
    }
    *count = scalars / n;
    if (*count > UINT32_MAX) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu polynomials are more than a call takes", *count);
    }
    return srs_expect(context, polynomials, curve, SUMAC_VECTOR_SCALARS, scalars, "the polynomials");
}

static sumac_status expect_length(sumac_context *context, const sumac_bases *srs, size_t n)
{
    return sumac_bases_count(srs) >= n
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "an SRS of %zu points, fewer than %zu",
                      sumac_bases_count(srs), n);
}

sumac_status sumac_srs_commit(sumac_context *context, const sumac_bases *srs, const sumac_vector *polynomials,
                              size_t n, sumac_vector *commitments)
{
    size_t count = 0;
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = srs_begin(held, srs != NULL && polynomials != NULL && commitments != NULL,
                                    "srs, polynomials and commitments");
    const sumac_curve *curve = sumac_bases_curve(srs);
    if (status == SUMAC_OK) {
        status = srs_count_polynomials(context, curve, polynomials, n, &count);
    }
    if (status == SUMAC_OK) {
        status = srs_expect(context, commitments, curve, SUMAC_VECTOR_POINTS, count, "the commitments");
    }
    if (status == SUMAC_OK) {
        status = expect_length(context, srs, n);
    }
    if (status == SUMAC_OK) {
        status = bases_check_usable(context, srs);
    }
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    const work_sums sums = {.bases = srs, .n = n, .batch = count};
    work w = work_begin(context, curve);
    work_msm(&w, &sums, polynomials, 0, commitments, 0);
    return work_end(&w);
}

/* Of rows f_0 .. f_(n-1): row j becomes sum over i >= j of f_i z^(i - j), the value at z for j = 0 and the
 * quotient's coefficient j - 1 for the others. After the round that begins with d, the sums go up to i < j +
 * 2d: sum(j, 2d) = sum(j, d) + z^d sum(j + d, d). places: z of each row, which become other powers of it. */
static void sum_from_each(work *w, sumac_vector *sums, size_t count, size_t n, sumac_vector *places)
{
    sumac_vector *later = work_scalars(w, count * n);
    for (size_t d = 1; work_is_ok(w) && d < n; d *= 2) {
        work_fill_integer(w, later, 0);
        work_copy(w, later, (work_part){0, n}, sums, (work_part){d, n}, count, n - d);
        work_multiply(w, later, later, places, n);
        work_add(w, sums, sums, later, 1);
        work_square(w, places, 1);
    }
}

/* Polynomials of a call of sumac_srs_open(), and the vectors of its results. */
typedef struct opening {
    const sumac_bases *srs;
    const sumac_vector *polynomials;
    size_t n;
    const sumac_vector *places;
    sumac_vector *values;
    sumac_vector *proofs; /* null if they are not wanted */
} opening;

/* Polynomials [first, first + count). */
static sumac_status open_sub_batch(sumac_context *context, const opening *all, size_t first, size_t count)
{
    const size_t n = all->n;
    work own = work_begin(context, sumac_vector_curve(all->polynomials)), *w = &own;
    sumac_vector *sums = work_scalars(w, count * n), *places = work_scalars(w, count);
    work_copy(w, sums, (work_part){0, n}, all->polynomials, (work_part){first * n, n}, 1, count * n);
    work_copy(w, places, (work_part){0, 1}, all->places, (work_part){first, 1}, 1, count);
    sum_from_each(w, sums, count, n, places);
    work_copy(w, all->values, (work_part){first, 1}, sums, (work_part){0, n}, count, 1);
    if (all->proofs != NULL) {
        const work_sums products = {.bases = all->srs, .n = n - 1, .batch = count};
        sumac_vector *quotients = work_scalars(w, count * (n - 1));
        work_copy(w, quotients, (work_part){0, n - 1}, sums, (work_part){1, n}, count, n - 1);
        work_msm(w, &products, quotients, 0, all->proofs, first);
    }
    return work_end(w);
}

static sumac_status check_opening(sumac_context *context, const opening *all, size_t *count)
{
    const sumac_curve *curve = sumac_bases_curve(all->srs);
    sumac_status status = srs_count_polynomials(context, curve, all->polynomials, all->n, count);
    if (status == SUMAC_OK) {
        status = srs_expect(context, all->places, curve, SUMAC_VECTOR_SCALARS, *count, "the places");
    }
    if (status == SUMAC_OK && all->values != NULL) {
        status = srs_expect(context, all->values, curve, SUMAC_VECTOR_SCALARS, *count, "the values");
    }
    if (status == SUMAC_OK && all->proofs != NULL) {
        status = srs_expect(context, all->proofs, curve, SUMAC_VECTOR_POINTS, *count, "the proofs");
    }
    if (status == SUMAC_OK && all->proofs != NULL) {
        status = bases_check_usable(context, all->srs);
    }
    return status == SUMAC_OK ? expect_length(context, all->srs, all->n - 1) : status;
}

sumac_status sumac_srs_open(sumac_context *context, const sumac_bases *srs, const sumac_vector *polynomials,
                            size_t n, const sumac_vector *places, sumac_vector *values, sumac_vector *proofs)
{
    size_t count = 0;
    opening all = {srs, polynomials, n, places, values, proofs};
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = srs_begin(
        held, srs != NULL && polynomials != NULL && places != NULL && (values != NULL || proofs != NULL),
        "srs, polynomials, places, and values and proofs both,");
    if (status == SUMAC_OK) {
        status = check_opening(context, &all, &count);
    }
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    work w = work_begin(context, sumac_bases_curve(srs));
    all.values = work_scalars(&w, count);
    all.proofs = proofs == NULL ? NULL : work_points(&w, count);
    const size_t sub_batch = work_sub_batch(&w, count, n);
    for (size_t first = 0; work_is_ok(&w) && first < count; first += sub_batch) {
        work_note(
            &w, open_sub_batch(context, &all, first, count - first < sub_batch ? count - first : sub_batch));
    }
    if (proofs != NULL) {
        work_copy(&w, proofs, (work_part){0, 1}, all.proofs, (work_part){0, 1}, 1, count);
    }
    if (values != NULL) {
        work_copy(&w, values, (work_part){0, 1}, all.values, (work_part){0, 1}, 1, count);
    }
    return work_end(&w);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The proof on the coset x^l = a is q(s)G with q = (f - (f mod X^l - a))/(X^l - a), and
 *   q = sum over i < k - 1 of a^i h_i,   h_i = sum over j >= (i + 1)l of f_j X^(j - (i + 1)l).
 * So all proofs are the transform of the points H_i = h_i(s)G. Coefficients whose index has the same
 * remainder o modulo l meet only the setup's points of that remainder, S_t = s^(tl + o)G, in sums that are a
 * Toeplitz matrix times a vector: with F_m = f_(ml + o) H_i = sum over o and t of F_(i + 1 + t) S_t, the
 * first k entries of the cyclic convolution, of length 2k, of c: F_(k-1), then k + 1 zeros, then F_1 ..
 * F_(k-2)     (element m >= 1 at place (k + m + 1) mod 2k) x: S_(k-2) .. S_0, then k + 1 zeros. A convolution
 * is the product of transforms, transformed back. Here the scalars take the inverse transform, which divides
 * them by 2k, and the points are listed by negative frequency: so the way back is one more forward transform
 * of points, and no point is ever divided.
 */
#include "kzg/fk20.h"

#include <string.h>

#include "sumac/sumac.h"

/* Step 0, for the setup: the transforms of all x, by frequency. */
static void transform_setup(work *w, fk20_shape shape, const uint8_t *monomial, uint8_t *columns)
{
    const size_t k = shape.n / shape.l, l = shape.l;
    const size_t point_bytes = sumac_curve_describe(w->curve)->point_bytes;
    sumac_transform_config config = sumac_transform_config_default();
    config.length = 2 * k;
    config.coefficients = k - 1;
    sumac_vector *x = work_points(w, 2 * shape.n), *by_frequency = work_points(w, 2 * shape.n);
    sumac_vector *ordered = work_points(w, 2 * shape.n);
    uint8_t *rows = work_memory(w, 2 * shape.n, point_bytes);
    uint64_t *minus = work_memory(w, 2 * k, sizeof *minus);
    if (!work_is_ok(w)) {
        return;
    }
    memset(rows, 0, 2 * shape.n * point_bytes);
    for (size_t o = 0; o < l; o++) {
        for (size_t j = 0; j < k - 1; j++) {
            memcpy(rows + (o * 2 * k + j) * point_bytes, monomial + ((k - 2 - j) * l + o) * point_bytes,
                   point_bytes);
        }
    }
    for (size_t p = 0; p < 2 * k; p++) {
        minus[p] = (2 * k - p) % (2 * k);
    }
    work_write(w, x, 0, 2 * shape.n, rows);
    work_point_transform(w, x, &config);
    work_transpose(w, by_frequency, x, l, 2 * k);
    work_gather(w, ordered, by_frequency, l, minus, 2 * k);
    work_read(w, ordered, 0, 2 * shape.n, columns);
}

sumac_status fk20_list_columns(sumac_context *context, const sumac_curve *curve, fk20_shape shape,
                               const uint8_t *monomial, uint8_t *columns)
{
    work w = work_begin(context, curve);
    transform_setup(&w, shape, monomial, columns);
    return work_end(&w);
}

/* Step 1: the rows c of every remainder, of every polynomial. */
static void list_first_columns(work *w, fk20_shape shape, const sumac_vector *coefficients, size_t count,
                               sumac_vector *c)
{
    const size_t k = shape.n / shape.l, rows = count * shape.l;
    sumac_vector *by_remainder = work_scalars(w, count * shape.n);
    work_transpose(w, by_remainder, coefficients, k, shape.l);
    work_copy(w, c, (work_part){0, 2 * k}, by_remainder, (work_part){k - 1, k}, rows, 1);
    if (k > 2) {
        work_copy(w, c, (work_part){k + 2, 2 * k}, by_remainder, (work_part){1, k}, rows, k - 2);
    }
}

void fk20_prove(work *w, fk20_shape shape, const sumac_bases *columns, const sumac_vector *coefficients,
                size_t count, sumac_vector *proofs)
{
    const size_t k = shape.n / shape.l, l = shape.l;
    sumac_transform_config scalars = sumac_transform_config_default();
    scalars.length = 2 * k;
    scalars.inverse = 1;
    sumac_transform_config points = sumac_transform_config_default();
    points.length = 2 * k;
    sumac_vector *c = work_scalars(w, 2 * count * shape.n);
    sumac_vector *by_frequency = work_scalars(w, 2 * count * shape.n);
    list_first_columns(w, shape, coefficients, count, c); /* 1 */
    work_ntt(w, c, &scalars);                             /* 2 */
    work_transpose(w, by_frequency, c, l, 2 * k);         /* 3 */
    for (size_t i = 0; i < count; i++) {                  /* 4 */
        const work_sums sums = {.bases = columns, .separate_bases = 1, .n = l, .batch = 2 * k};
        work_msm(w, &sums, by_frequency, i * 2 * shape.n, proofs, i * 2 * k);
    }
    work_point_transform(w, proofs, &points); /* 5: H_0 .. H_(k-1), and k points that nobody wants */
    points.coefficients = k;
    points.value_order = SUMAC_ORDER_BIT_REVERSED;
    work_point_transform(w, proofs, &points); /* 6 */
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file evaluates polynomials that are given by their values at roots of unity in bit-reversed order. A step makes a
 * fourth of the values: f = a0 + a1 x + a2 x^2 + a3 x^3, where the a's are polynomials in x^4, has at x, -x, ix and -ix the
 * values f0 to f3, and with t = z/x
 *   4*(a0 + a1 z + a2 z^2 + a3 z^3) = s + t*(d - q + t*(s' + t*(d + q)))
 *   s = f0 + f1 + f2 + f3   s' = f0 + f1 - f2 - f3   d = f0 - f1   q = i*(f2 - f3)
 * is four times the value at x^4 of a polynomial whose value at z^4 is f(z). A value costs two products, and no inversion,
 * so that z may be a root, too.
 */
#include "cpu/vector_scalars.h"

#include "base/integers.h"

/* A task folds this many values, a power of four, to one. */
#define EVALUATE_TASK ((uint64_t)1024)

typedef struct evaluate_work {
    fp *results, *values;
    uint64_t length, block; /* values of a row, and of a task */
    const fp *points, *inverses, *quarter;
} evaluate_work;

/* r = the folded value of four, where `quarter` is i. */
static void fold_four(fp *r, const fp f[4], const fp *t, const fp *quarter)
{
    fp sum, other_sum, difference, q, term;
    fp_add(&sum, &f[0], &f[1]);
    fp_add(&other_sum, &f[2], &f[3]);
    fp_sub(&difference, &f[0], &f[1]);
    fp_sub(&q, &f[2], &f[3]);
    fp_mul(&q, &q, quarter);
    fp_add(&term, &difference, &q);
    fp_mul(&term, &term, t);
    fp_add(&term, &term, &sum);
    fp_sub(&term, &term, &other_sum);
    fp_mul(&term, &term, t);
    fp_add(&term, &term, &difference);
    fp_sub(&term, &term, &q);
    fp_mul(&term, &term, t);
    fp_add(&term, &term, &sum);
    fp_add(r, &term, &other_sum);
}

#ifdef SUMAC_SCALAR_LANES

/* r = the sum of `plus` of the terms, less the others, plus k*p. In: terms with digits below 2^52, and the result in [0, S). */
static inline void sum_terms(fpv *r, const fpv *const terms[], int count, int plus, unsigned k)
{
    for (int v = 0; v < FPV_VECTORS; v++) {
        vec t[FPV_DIGITS];
        SUMAC_UNROLL
        for (int i = 0; i < FPV_DIGITS; i++) {
            t[i] = vec_broadcast(k * fpv_modulus_digit(i));
            for (int j = 0; j < count; j++) {
                t[i] = j < plus ? vec_add(t[i], terms[j]->d[v][i]) : vec_sub(t[i], terms[j]->d[v][i]);
            }
        }
        fpv_carry(t);
        fpv_store(r, v, t);
    }
}

/* Fold f in each lane, as fold_four() does. Out: below 7. The bounds of f are 1, those of products 3, and that of t is 2. */
static void fold_four_lanes(fpv *r, const fpv f[4], const fpv *t, const fpv *quarter)
{
    fpv q, term;
    sum_terms(&q, (const fpv *[]){&f[2], &f[3]}, 2, 1, 1);
    scalar_lanes_multiply(&q, &q, quarter);
    sum_terms(&term, (const fpv *[]){&f[0], &q, &f[1]}, 3, 2, 1); /* 5 */
    scalar_lanes_multiply(&term, &term, t);
    sum_terms(&term, (const fpv *[]){&term, &f[0], &f[1], &f[2], &f[3]}, 5, 3, 2); /* 7 */
    scalar_lanes_multiply(&term, &term, t);
    sum_terms(&term, (const fpv *[]){&term, &f[0], &f[1], &q}, 4, 2, 4); /* 8 */
    scalar_lanes_multiply(&term, &term, t);
    sum_terms(r, (const fpv *[]){&term, &f[0], &f[1], &f[2], &f[3]}, 5, 5, 0);
}

/* Fold values to the results that fill whole rows of lanes. Return how many these are. */
static uint64_t fold_lanes(fp *values, uint64_t results, const fp *inverses, const fp *z, const fp *quarter)
{
    fp z_factor = *z, quarter_factor = *quarter;
    fpv by_z, by_quarter;
    uint64_t first = 0;
    if (results < FPV_LANES) {
        return 0;
    }
    scalar_to_factor(&z_factor);
    scalar_to_factor(&z_factor); /* the product with an element is a factor */
    scalar_to_factor(&quarter_factor);
    scalar_lanes_load(&by_z, &z_factor, 0, FPV_LANES);
    scalar_lanes_load(&by_quarter, &quarter_factor, 0, FPV_LANES);
    for (; first + FPV_LANES <= results; first += FPV_LANES) {
        fpv f[4], t;
        for (size_t j = 0; j < 4; j++) {
            scalar_lanes_load(&f[j], &values[4 * first + j], 4, FPV_LANES);
        }
        scalar_lanes_load(&t, &inverses[first], 1, FPV_LANES);
        scalar_lanes_multiply(&t, &t, &by_z);
        fpv_settle_wide(&t, &t);
        fold_four_lanes(&f[0], f, &t, &by_quarter);
        scalar_lanes_store(&values[first], 1, FPV_LANES, &f[0]);
    }
    return first;
}

#else

static uint64_t fold_lanes(fp *values, uint64_t results, const fp *inverses, const fp *z, const fp *quarter)
{
    (void)values, (void)results, (void)inverses, (void)z, (void)quarter;
    return 0;
}

#endif

/* Fold 4^k values to one, in place. They follow `skipped` values of their row, and `inverses` are those of the row's
 * first values. */
static void fold_all(fp *values, uint64_t count, uint64_t skipped, const fp *inverses, const fp *point,
                     const fp *quarter)
{
    fp z = *point;
    while (count > 1) {
        count /= 4;
        skipped /= 4;
        uint64_t i = fold_lanes(values, count, inverses + skipped, &z, quarter);
        for (; i < count; i++) {
            fp t;
            fp_mul(&t, &z, &inverses[skipped + i]);
            fold_four(&values[i], &values[4 * i], &t, quarter);
        }
        fp_sqr(&z, &z);
        fp_sqr(&z, &z);
    }
}

static void fold_task(void *arguments, index_range range)
{
    const evaluate_work *work = arguments;
    for (uint64_t i = range.first; i < range.end; i++) {
        const uint64_t first = i * work->block, row = first / work->length;
        fold_all(work->values + first, work->block, first - row * work->length, work->inverses,
                 &work->points[row], work->quarter);
    }
}

/* Fold the results of the blocks of rows. */
static void fold_blocks_task(void *arguments, index_range range)
{
    const evaluate_work *work = arguments;
    const uint64_t blocks = work->length / work->block;
    for (uint64_t row = range.first; row < range.end; row++) {
        fp *const values = work->values + row * work->length;
        fp z = work->points[row];
        for (uint64_t i = 1; i < blocks; i++) {
            values[i] = values[i * work->block];
        }
        for (uint64_t done = 1; done < work->block; done *= 4) {
            fp_sqr(&z, &z);
            fp_sqr(&z, &z);
        }
        fold_all(values, blocks, 0, work->inverses, &z, work->quarter);
        work->results[row] = values[0];
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(evaluate)(const vector_run *run, void *r, void *values, uint64_t rows,
                                            const vector_evaluation *evaluation)
{
    const uint64_t length = evaluation->length, block = smaller(length, EVALUATE_TASK);
    evaluate_work work = {.results = r,
                          .values = values,
                          .length = length,
                          .block = block,
                          .points = evaluation->points,
                          .inverses = evaluation->inverses,
                          .quarter = evaluation->quarter};
    lanes_ranges(run, rows * (length / block), 1, fold_task, &work);
    lanes_ranges(run, rows, 1, fold_blocks_task, &work);
    return SUMAC_OK;
}

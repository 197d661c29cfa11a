/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transforms of points process points in groups: they multiply them by scalars that are recoded in advance
 * (vector/point_digits.h), and compute butterflies. A group is computed in lanes if the variant has them; otherwise, or if
 * the lanes leave a step to scalar code, points are computed one by one.
 */
#ifndef SUMAC_CPU_POINT_GROUPS_H
#define SUMAC_CPU_POINT_GROUPS_H

#ifdef SUMAC_VARIANT_AVX512
#include "lanes/multiples.h"
#endif
#include "cpu/normalize.h"
#include "math/point.h"
#include "vector/point_digits.h"

/* A group has at most this many points, one for each lane. Their tables share an inversion. */
#define GROUP_MOST 16
#define GROUP_MULTIPLES (GROUP_MOST * POINT_DIGIT_MOST)

typedef struct point_pair {
    xyzz *lower; /* null if the steps have no butterfly */
    xyzz *upper;
    const point_digits *digits; /* the digits of upper's scalar; null if the steps have no multiplication */
} point_pair;

typedef enum group_step {
    GROUP_MULTIPLY,          /* upper becomes a multiple of itself; its order divides r */
    GROUP_BUTTERFLY,         /* (u, v) -> (u + v, u - v) */
    GROUP_BUTTERFLY_REVERSE, /* (u, v) -> (u + v, v - u) */
    GROUP_END
} group_step;

/* If the multiples of a group are computed one by one, they lie in this scratch memory. It is too large for a thread's
 * stack. */
typedef struct group_tables {
    xyzz sums[GROUP_MULTIPLES];
    affine multiples[GROUP_MULTIPLES];
} group_tables;

/* Add the multiple that a digit selects to the sum. `multiples` has multiples 1 .. POINT_DIGIT_MOST. */
static void multiples_add_digit(xyzz *sum, const affine *multiples, uint32_t code)
{
    if (code != 0) {
        affine term = multiples[(code >> 1) - 1];
        if ((code & 1) != 0) {
            affine_neg(&term, &term);
        }
        xyzz_add_affine(sum, sum, &term);
    }
}

/* Compute multiples 1 .. POINT_DIGIT_MOST of each point. */
static void multiples_table(group_tables *tables, const point_pair *group, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        xyzz *multiples = tables->sums + (size_t)i * POINT_DIGIT_MOST;
        multiples[0] = *group[i].upper;
        xyzz_double(&multiples[1], &multiples[0]);
        for (uint32_t m = 2; m < POINT_DIGIT_MOST; m++) {
            xyzz_add(&multiples[m], &multiples[m - 1], &multiples[0]);
        }
    }
    normalize_block(tables->multiples, tables->sums, count * POINT_DIGIT_MOST);
}

static void group_multiply(const point_pair *group, uint32_t count, uint32_t positions, group_tables *tables)
{
    multiples_table(tables, group, count);
    for (uint32_t i = 0; i < count; i++) {
        const affine *halves[POINT_DIGIT_HALVES] = {tables->multiples + (size_t)i * POINT_DIGIT_MOST};
        xyzz *sum = group[i].upper;
#if CURVE_HAS_GLV
        static const fe beta = CURVE_BETA;
        affine lambda_multiples[POINT_DIGIT_MOST]; /* lambda*P = (beta*x, y) */
        for (uint32_t m = 0; m < POINT_DIGIT_MOST; m++) {
            fe_mul(&lambda_multiples[m].x, &halves[0][m].x, &beta);
            lambda_multiples[m].y = halves[0][m].y;
        }
        halves[1] = lambda_multiples;
#endif
        xyzz_set_infinity(sum);
        for (uint32_t w = positions; w-- > 0;) {
            if (!xyzz_is_infinity(sum)) {
                xyzz_double_times(sum, sum, POINT_DIGIT_BITS);
            }
            for (int half = 0; half < POINT_DIGIT_HALVES; half++) {
                multiples_add_digit(sum, halves[half], group[i].digits->codes[half][w]);
            }
        }
    }
}

static void group_butterfly(xyzz *lower, xyzz *upper, int reverse)
{
    const xyzz minuend = reverse ? *upper : *lower;
    xyzz subtrahend = reverse ? *lower : *upper;
    xyzz_add(lower, lower, upper);
    fe_neg(&subtrahend.y, &subtrahend.y);
    xyzz_add(upper, &minuend, &subtrahend);
}

static void group_step_one_by_one(group_step step, const point_pair *group, uint32_t count,
                                  uint32_t positions, group_tables *tables)
{
    if (step == GROUP_MULTIPLY) {
        group_multiply(group, count, positions, tables);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        group_butterfly(group[i].lower, group[i].upper, step == GROUP_BUTTERFLY_REVERSE);
    }
}

#ifdef SUMAC_VARIANT_AVX512

/* If there are fewer points than this, they are computed one by one, which is faster. */
#define GROUP_LANES_LEAST 3

typedef lanes_numbers group_numbers;
#define group_numbers_make lanes_numbers_make

typedef struct group_lanes {
    xyzz_lanes lower, upper;
    xyzz *lower_points[FPV_LANES];
    xyzz *upper_points[FPV_LANES];
    const point_digits *digits[FPV_LANES];
    uint32_t count;
} group_lanes;

/* This is the working memory of a thread. */
typedef struct group_scratch {
    group_lanes lanes;
    union {
        group_tables tables;
        multiples_scratch multiples;
    };
} group_scratch;

static void group_lanes_read(group_lanes *lanes, const group_numbers *numbers)
{
    xyzz_lanes_load(&lanes->upper, lanes->upper_points, numbers);
    if (lanes->lower_points[0] != NULL) {
        xyzz_lanes_load(&lanes->lower, lanes->lower_points, numbers);
    }
}

static void group_lanes_write(const group_lanes *lanes, const group_numbers *numbers)
{
    xyzz_lanes_store(lanes->upper_points, lanes->count, &lanes->upper, numbers);
    if (lanes->lower_points[0] != NULL) {
        xyzz_lanes_store(lanes->lower_points, lanes->count, &lanes->lower, numbers);
    }
}

/* Do the steps up to GROUP_END for 1 <= count <= GROUP_MOST pairs. */
static void group_run(const group_step *steps, const point_pair *group, uint32_t count, uint32_t positions,
                      group_scratch *scratch, const group_numbers *numbers)
{
    group_lanes *const lanes = &scratch->lanes;
    if (count < GROUP_LANES_LEAST) {
        for (; *steps != GROUP_END; steps++) {
            group_step_one_by_one(*steps, group, count, positions, &scratch->tables);
        }
        return;
    }
    lanes->count = count;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        const point_pair *pair = &group[lane < count ? lane : 0];
        lanes->lower_points[lane] = pair->lower;
        lanes->upper_points[lane] = pair->upper;
        lanes->digits[lane] = pair->digits;
    }
    group_lanes_read(lanes, numbers);
    for (; *steps != GROUP_END; steps++) {
        const int is_done =
            *steps == GROUP_MULTIPLY
                ? xyzz_lanes_multiply(&lanes->upper, lanes->digits, positions, &scratch->multiples, numbers)
                : xyzz_lanes_butterfly(&lanes->lower, &lanes->upper, *steps == GROUP_BUTTERFLY_REVERSE);
        if (!is_done) { /* the lanes are unchanged, and scalar code does the step */
            group_lanes_write(lanes, numbers);
            group_step_one_by_one(*steps, group, count, positions, &scratch->tables);
            group_lanes_read(lanes, numbers);
        }
    }
    group_lanes_write(lanes, numbers);
}

#else

typedef group_tables group_scratch; /* a thread's working memory */
typedef int group_numbers;          /* the scalar code needs no numbers */

static void group_numbers_make(group_numbers *numbers)
{
    *numbers = 0;
}

static void group_run(const group_step *steps, const point_pair *group, uint32_t count, uint32_t positions,
                      group_scratch *scratch, const group_numbers *numbers)
{
    (void)numbers;
    for (; *steps != GROUP_END; steps++) {
        group_step_one_by_one(*steps, group, count, positions, scratch);
    }
}

#endif

#endif

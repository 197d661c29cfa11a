/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Multiples of points by scalars that are recoded beforehand (vector/point_digits.h), a group at a time. */
#ifndef SUMAC_CPU_POINT_MULTIPLES_H
#define SUMAC_CPU_POINT_MULTIPLES_H

#ifdef SUMAC_VARIANT_AVX512
#include "avx512/point_lanes.h"
#endif
#include "cpu/normalize.h"
#include "math/point.h"
#include "vector/point_digits.h"

/* Points of a group. Their tables share an inversion. */
#define MULTIPLES_GROUP (NORMALIZE_BLOCK / POINT_DIGIT_MOST)

/* *point becomes a multiple of itself; its order divides r. */
typedef struct point_multiple {
    xyzz *point;
    const point_digits *digits;
} point_multiple;

/* sum += the digit's multiple, of multiples 1 .. POINT_DIGIT_MOST. */
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

/* Of each point multiples 1 .. POINT_DIGIT_MOST; count >= 1. */
static void multiples_table(affine *table, const point_multiple *group, uint32_t count)
{
    xyzz sums[NORMALIZE_BLOCK];
    uint32_t i = 0;
    do {
        xyzz *multiples = sums + (size_t)i * POINT_DIGIT_MOST;
        multiples[0] = *group[i].point;
        xyzz_double(&multiples[1], &multiples[0]);
        for (uint32_t m = 2; m < POINT_DIGIT_MOST; m++) {
            xyzz_add(&multiples[m], &multiples[m - 1], &multiples[0]);
        }
    } while (++i < count); /* as gcc sees that all of them are set */
    normalize_block(table, sums, count * POINT_DIGIT_MOST);
}

#if CURVE_HAS_GLV
static void multiples_images(affine *images, const affine *points, uint32_t count)
{
    static const fe beta = CURVE_BETA;
    for (uint32_t i = 0; i < count; i++) {
        fe_mul(&images[i].x, &points[i].x, &beta);
        images[i].y = points[i].y;
    }
}
#endif

/* The multiples of 1 <= count <= MULTIPLES_GROUP points. */
static void multiples_group_one_by_one(const point_multiple *group, uint32_t count, uint32_t positions)
{
    affine table[NORMALIZE_BLOCK];
    multiples_table(table, group, count);
    for (uint32_t i = 0; i < count; i++) {
        const affine *halves[POINT_DIGIT_HALVES] = {table + (size_t)i * POINT_DIGIT_MOST};
        xyzz *sum = group[i].point;
#if CURVE_HAS_GLV
        affine images[POINT_DIGIT_MOST];
        multiples_images(images, halves[0], POINT_DIGIT_MOST);
        halves[1] = images;
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

#ifdef SUMAC_VARIANT_AVX512

/* Fewer points take less time one by one. */
#define MULTIPLES_LANES_LEAST 3

typedef lanes_numbers multiples_numbers;

static void multiples_numbers_make(multiples_numbers *numbers)
{
    lanes_numbers_make(numbers);
}

/* 0 where that is left to scalar code: the points are as before then. */
static int multiples_group_in_lanes(const point_multiple *group, uint32_t count, uint32_t positions,
                                    const multiples_numbers *numbers)
{
    xyzz *points[FPV_LANES];
    const point_digits *digits[FPV_LANES];
    xyzz_lanes lanes;
    for (uint32_t lane = 0; lane < FPV_LANES; lane++) {
        points[lane] = group[lane < count ? lane : 0].point;
        digits[lane] = group[lane < count ? lane : 0].digits;
    }
    xyzz_lanes_load(&lanes, points, numbers);
    if (!xyzz_lanes_multiply(&lanes, digits, positions, numbers)) {
        return 0;
    }
    xyzz_lanes_write(points, count, &lanes, numbers);
    return 1;
}

/* The multiples of 1 <= count <= MULTIPLES_GROUP points. */
static void multiples_group(const point_multiple *group, uint32_t count, uint32_t positions,
                            const multiples_numbers *numbers)
{
    if (count < MULTIPLES_LANES_LEAST || !multiples_group_in_lanes(group, count, positions, numbers)) {
        multiples_group_one_by_one(group, count, positions);
    }
}

#else

/* What lanes need; nothing here. */
typedef struct multiples_numbers {
    int none;
} multiples_numbers;

static void multiples_numbers_make(multiples_numbers *numbers)
{
    numbers->none = 0;
}

static void multiples_group(const point_multiple *group, uint32_t count, uint32_t positions,
                            const multiples_numbers *numbers)
{
    (void)numbers;
    multiples_group_one_by_one(group, count, positions);
}

#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures transforms of points on one thread, in milliseconds of CPU time, for one group and variant.
 * It measures the two transforms that a batch of proofs needs (from 128 values to 64 coefficients, and back), for one
 * row and for sixteen, and a transform of 2^12 points. The roots are random scalars, because the time does not depend
 * on their values. For the small transforms the program prints the least time of several runs. The transform of 2^12
 * points runs only once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpu/stages.h"
#include "math/point.h"
#include "vector/vector.h"

#define MOST_LOG2 12
#define MOST_ROWS 16
#define SMALL_LOG2 7
#define SMALL_RUNS 15

extern const registered_group SUMAC_CONCAT(sumac_group_, CURVE_ID);

static uint64_t roots[1 << (MOST_LOG2 - 1)][FR_LIMBS];
static xyzz points[1 << MOST_LOG2];

/* Use the roots R^2 * (12345 * R)^i mod r for i = 1, 2, ..., where R = 2^(64*FR_LIMBS). They are as good as random
 * numbers. */
static void make_roots(void)
{
    const scalar_field *field = &SUMAC_CONCAT(sumac_group_, CURVE_ID).scalars;
    uint64_t root[FR_LIMBS];
    memcpy(root, field->r2, sizeof root);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        uint64_t factor[FR_LIMBS] = {12345};
        scalar_montgomery_multiply(factor, field->r2, field);
        scalar_montgomery_multiply(factor, field->r2, field);
        scalar_montgomery_multiply(root, factor, field);
        memcpy(roots[i], root, sizeof root);
    }
}

static void make_points(void)
{
    const affine generator = {CURVE_GENERATOR_X, CURVE_GENERATOR_Y};
    xyzz_from_affine(&points[0], &generator);
    for (size_t i = 1; i < sizeof points / sizeof *points; i++) {
        xyzz_double(&points[i], &points[i - 1]);
        xyzz_add_affine(&points[i], &points[i], &generator);
    }
}

/* Return the CPU time of this thread, because other processes may use the CPU at the same time. */
static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static double transform_ms(uint64_t rows, uint32_t log2, uint64_t coefficients, int inverse)
{
    const vector_run run = {.threads = 1};
    const vector_transform transform = {
        .rows = rows,
        .log2 = log2,
        .inverse = inverse,
        .value_order = SUMAC_ORDER_BIT_REVERSED,
        .coefficient_order = SUMAC_ORDER_NATURAL,
        .coefficients = coefficients,
        .roots = roots,
    };
    const double start = now_ms();
    if (SUMAC_NON_MSM_SYMBOL(point_vectors).transform(&run, points, &transform, NULL) != SUMAC_OK) {
        exit(1);
    }
    return now_ms() - start;
}

static void measure_pair(uint64_t rows)
{
    double least[2] = {1e9, 1e9};
    for (int run = 0; run < SMALL_RUNS; run++) {
        for (int inverse = 1; inverse >= 0; inverse--) {
            const double time = transform_ms(rows, SMALL_LOG2, (uint64_t)1 << (SMALL_LOG2 - 1), inverse);
            least[inverse] = time < least[inverse] ? time : least[inverse];
        }
    }
    printf("%s/%s %s, %u rows: inverse %.2f ms and forward %.2f ms, %.2f ms a row\n", CURVE_NAME, CURVE_GROUP,
           SUMAC_VARIANT_NAME, (unsigned)rows, least[1], least[0], (least[0] + least[1]) / (double)rows);
}

int main(void)
{
    make_roots();
    make_points();
    measure_pair(1);
    measure_pair(MOST_ROWS);
    printf("2^%d points: forward %.1f ms\n", MOST_LOG2, transform_ms(1, MOST_LOG2, 1 << MOST_LOG2, 0));
    return 0;
}

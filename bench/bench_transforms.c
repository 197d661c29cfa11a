/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures number-theoretic transforms of a curve's scalars and of its points. It prints the
 * milliseconds of a forward transform, from natural coefficients to bit-reversed values, of an inverse transform, and of a
 * forward transform to values in natural order. Each is the least of several runs. It also prints the nanoseconds of a
 * butterfly.
 *
 *   bench_transforms [CURVE [VARIANT or cuda [THREADS]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sumac/experimental.h"
#include "sumac/vector.h"

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The input of a measurement: rows of 2^log2 elements. */
typedef struct bench_case {
    sumac_context *context;
    const sumac_group *group;
    sumac_vector_kind elements;
    int runs;
    uint32_t log2;
    size_t rows;
} bench_case;

/* Return the least time of several runs in milliseconds. If a run fails, return a negative number. */
static double time_transform(const bench_case *c, sumac_vector *vector, int inverse, sumac_order value_order)
{
    sumac_transform_config config = {.size = sizeof config};
    double best = -1;
    config.length = (size_t)1 << c->log2;
    config.inverse = inverse != 0;
    config.value_order = value_order;
    for (int run = 0; run < c->runs; run++) {
        const double start = now();
        if (sumac_vector_ntt(c->context, vector, &config) != SUMAC_OK) {
            return -1;
        }
        const double time = now() - start;
        best = best < 0 || time < best ? time : best;
    }
    return best;
}

/* Set the scalars to powers of 3. */
static sumac_status fill_scalars(const bench_case *c, sumac_vector *vector)
{
    unsigned char ratio[128] = {3};
    const sumac_status status = sumac_vector_fill(c->context, vector, ratio, sizeof ratio);
    return status == SUMAC_OK ? sumac_vector_scale_powers(c->context, vector, NULL, 0, ratio, sizeof ratio,
                                                          sumac_vector_count(vector))
                              : status;
}

static sumac_status fill_points(const bench_case *c, sumac_vector *vector)
{
    const size_t n = sumac_vector_count(vector);
    sumac_bases *bases = NULL;
    void *points = malloc(n * c->group->point_bytes);
    sumac_status status = points == NULL ? SUMAC_OUT_OF_MEMORY
                                         : sumac_known_bases_create(c->context, c->group, n, 1, NULL, &bases);
    if (status == SUMAC_OK) {
        status = sumac_bases_get(c->context, bases, 0, n, points, n * c->group->point_bytes);
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_set(c->context, vector, points, n * c->group->point_bytes, 0, n, NULL);
    }
    sumac_bases_destroy(bases);
    free(points);
    return status;
}

static int bench(const bench_case *c)
{
    const size_t count = c->rows << c->log2;
    sumac_vector *vector;
    if (sumac_vector_create(c->context, c->group, c->elements, count, &vector) != SUMAC_OK) {
        return 1;
    }
    const sumac_status status =
        c->elements == SUMAC_VECTOR_SCALARS ? fill_scalars(c, vector) : fill_points(c, vector);
    const double forward = status == SUMAC_OK ? time_transform(c, vector, 0, SUMAC_ORDER_BIT_REVERSED) : -1;
    const double inverse = status == SUMAC_OK ? time_transform(c, vector, 1, SUMAC_ORDER_BIT_REVERSED) : -1;
    const double natural = status == SUMAC_OK ? time_transform(c, vector, 0, SUMAC_ORDER_NATURAL) : -1;
    sumac_vector_destroy(vector);
    if (forward < 0 || inverse < 0 || natural < 0) {
        (void)fprintf(stderr, "%s\n", sumac_context_message(c->context));
        return 1;
    }
    const double butterflies = (double)count / 2 * c->log2;
    printf("%-7s 2^%-3u %6zu %12.3f %12.3f %12.3f %10.2f %10.2f\n",
           c->elements == SUMAC_VECTOR_SCALARS ? "scalars" : "points", c->log2, c->rows, forward, inverse,
           natural, forward / butterflies * 1e6, inverse / butterflies * 1e6);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        uint32_t log2;
        size_t rows;
    } scalars[] = {{7, 64}, {10, 1}, {12, 1}, {13, 1}, {16, 1}, {20, 1}, {22, 1}, {24, 1}},
      points[] = {{7, 1}, {7, 21}, {7, 72}, {7, 512}, {12, 1}, {13, 1}};
    const sumac_group *group;
    sumac_context *context;
    sumac_context_config config = {.size = sizeof config};
    const int on_gpu = argc > 2 && strcmp(argv[2], "cuda") == 0;
    config.backend = on_gpu ? "cuda" : "cpu";
    char tuning[64] = "";
    if (argc > 2 && !on_gpu) {
        (void)snprintf(tuning, sizeof tuning, "variant=%s", argv[2]);
    }
    config.tuning = tuning;
    config.threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
    if (sumac_group_find(argc > 1 ? argv[1] : "bls12-381", "g1", &group) != SUMAC_OK ||
        sumac_context_create(&config, &context, NULL) != SUMAC_OK) {
        (void)fprintf(stderr, "there is no such curve, variant or GPU\n");
        return 2;
    }
    int failed = 0;
    printf("%-7s %-5s %6s %12s %12s %12s %10s %10s\n", "", "size", "rows", "forward ms", "inverse ms",
           "natural ms", "ns", "ns");
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        const bench_case c = {context, group, SUMAC_VECTOR_SCALARS, 9, scalars[i].log2, scalars[i].rows};
        failed |= bench(&c);
    }
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const bench_case c = {context, group, SUMAC_VECTOR_POINTS, 3, points[i].log2, points[i].rows};
        failed |= bench(&c);
    }
    sumac_context_destroy(context);
    return failed;
}

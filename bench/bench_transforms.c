/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Number-theoretic transforms over the scalars of a curve: milliseconds of a forward and an inverse one,
 * natural coefficients to bit-reversed values and back, the least of several, and nanoseconds of a butterfly.
 *
 *   bench_transforms [CURVE [VARIANT or cuda [THREADS]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sumac/vector.h"

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* The least of several runs, in milliseconds; negative where one fails. */
static double time_transform(sumac_context *context, sumac_vector *vector, size_t length, int inverse)
{
    sumac_transform_config config = sumac_transform_config_default();
    double best = -1;
    config.length = length;
    config.inverse = inverse;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    for (int run = 0; run < 9; run++) {
        const double start = now();
        if (sumac_ntt(context, vector, &config) != SUMAC_OK) {
            return -1;
        }
        const double time = now() - start;
        best = best < 0 || time < best ? time : best;
    }
    return best;
}

static int bench(sumac_context *context, const sumac_curve *curve, uint32_t log2, size_t rows)
{
    const size_t length = (size_t)1 << log2;
    sumac_vector *vector;
    if (sumac_vector_create(context, curve, SUMAC_ELEMENTS_SCALARS, rows * length, &vector) != SUMAC_OK) {
        return 1;
    }
    unsigned char ratio[128] = {3};
    sumac_status status = sumac_vector_fill(context, vector, ratio);
    if (status == SUMAC_OK) {
        status = sumac_vector_scale_powers(context, vector, rows * length, NULL, ratio);
    }
    const double forward = status == SUMAC_OK ? time_transform(context, vector, length, 0) : -1;
    const double inverse = status == SUMAC_OK ? time_transform(context, vector, length, 1) : -1;
    sumac_vector_destroy(vector);
    if (forward < 0 || inverse < 0) {
        (void)fprintf(stderr, "%s\n", sumac_context_message(context));
        return 1;
    }
    const double butterflies = (double)rows * (double)length / 2 * log2;
    printf("2^%-3u %6zu %12.3f %12.3f %10.2f %10.2f\n", log2, rows, forward, inverse,
           forward / butterflies * 1e6, inverse / butterflies * 1e6);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        uint32_t log2;
        size_t rows;
    } sizes[] = {{7, 64}, {10, 1}, {12, 1}, {13, 1}, {16, 1}, {20, 1}, {22, 1}, {24, 1}};
    const sumac_curve *curve;
    sumac_context *context;
    sumac_context_config config = sumac_context_config_default();
    const int on_gpu = argc > 2 && strcmp(argv[2], "cuda") == 0;
    config.backend = on_gpu ? "cuda" : "cpu";
    config.variant = argc > 2 && !on_gpu ? argv[2] : NULL;
    config.threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1;
    if (sumac_curve_find(argc > 1 ? argv[1] : "bls12-381", "g1", &curve) != SUMAC_OK ||
        sumac_context_create(&config, &context) != SUMAC_OK) {
        (void)fprintf(stderr, "there is no such curve, variant or GPU\n");
        return 2;
    }
    int failed = 0;
    printf("%-5s %6s %12s %12s %10s %10s\n", "size", "rows", "forward ms", "inverse ms", "ns", "ns");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        failed |= bench(context, curve, sizes[i].log2, sizes[i].rows);
    }
    sumac_context_destroy(context);
    return failed;
}

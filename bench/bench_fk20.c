/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sumac_fk20_prove() over a made-up SRS: milliseconds for all proofs of many polynomials, the least and the
 * median of several calls, polynomials and proofs on the backend.
 *
 *   bench_fk20 [CURVE [cuda or THREADS [N [L [RATE [POLYNOMIALS [TABLE-MIB]]]]]]]
 *
 * Without options BLS12-381 on one thread, 64 proofs of one polynomial of 4096 coefficients, cells of 64.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sumac/srs.h"

enum { RUNS = 7 };

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void expect(const sumac_context *context, sumac_status status, const char *what)
{
    if (status != SUMAC_OK) {
        (void)fprintf(stderr, "%s: %s\n", what, sumac_context_message(context));
        exit(1);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t number(int argc, char **argv, int i, size_t otherwise)
{
    return argc > i ? (size_t)strtoull(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    const size_t n = number(argc, argv, 3, 4096), l = number(argc, argv, 4, 64);
    const size_t rate = number(argc, argv, 5, 1), count = number(argc, argv, 6, 1);
    const int on_gpu = argc > 2 && strcmp(argv[2], "cuda") == 0;
    sumac_context_config config = sumac_context_config_default();
    sumac_context *context;
    const sumac_curve *curve;
    sumac_bases *srs;
    sumac_fk20 *fk20;
    sumac_vector *polynomials, *proofs;
    double times[RUNS];
    unsigned char ratio[128] = {3};
    config.backend = on_gpu ? "cuda" : "cpu";
    config.threads = on_gpu ? 0 : (uint32_t)number(argc, argv, 2, 1);
    if (l == 0 || sumac_curve_find(argc > 1 ? argv[1] : "bls12-381", "g1", &curve) != SUMAC_OK ||
        sumac_context_create(&config, &context, NULL) != SUMAC_OK) {
        (void)fprintf(stderr, "there is no such curve or GPU, or l is 0\n");
        return 2;
    }
    const size_t each = rate * (n / l);
    expect(context, sumac_known_bases_create(context, curve, n, 1, NULL, &srs), "SRS");
    expect(context, sumac_fk20_create(context, srs, n, l, (uint64_t)number(argc, argv, 7, 64) << 20, &fk20),
           "FK20");
    expect(context, sumac_vector_create(context, curve, SUMAC_VECTOR_SCALARS, count * n, &polynomials),
           "polynomials");
    expect(context, sumac_vector_create(context, curve, SUMAC_VECTOR_POINTS, count * each, &proofs),
           "proofs");
    expect(context, sumac_vector_fill(context, polynomials, ratio), "fill");
    expect(context, sumac_vector_scale_powers(context, polynomials, NULL, ratio, count * n), "powers");
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        expect(context, sumac_fk20_prove(context, fk20, polynomials, rate, SUMAC_ORDER_BIT_REVERSED, proofs),
               "prove");
        times[run] = now() - start;
    }
    qsort(times, RUNS, sizeof *times, compare);
    printf("n %zu, l %zu: %zu proofs of each of %zu polynomials, tables of %.1f MiB: %.2f ms, median %.2f\n",
           n, l, each, count, (double)sumac_fk20_table_bytes(fk20) / (1 << 20), times[0], times[RUNS / 2]);
    sumac_vector_destroy(polynomials);
    sumac_vector_destroy(proofs);
    sumac_fk20_destroy(fk20);
    sumac_bases_destroy(srs);
    sumac_context_destroy(context);
    return 0;
}

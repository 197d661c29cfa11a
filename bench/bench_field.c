/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures the field operations of one group, in nanoseconds, for developers. It is compiled once per
 * group and variant:
 *     cc -O3 -std=c11 -Isrc -DSUMAC_CURVE_HEADER='"curves/generated/bls12_381_g1.h"' \
 *        [-DSUMAC_VARIANT_ADX] bench/bench_field.c src/math/x86_64/field.S
 * Throughput is measured with independent operations on operands in memory (L1). Latency is measured with operations
 * each of which needs the result of the previous one. The program times several rounds in the thread's CPU time, and
 * prints the median.
 */
#define _POSIX_C_SOURCE 200809L
#include "math/curve.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef SUMAC_VARIANT_ADX
#define VARIANT_NAME "adx"
#else
#define VARIANT_NAME "portable"
#endif

enum { ELEMENTS = 128, ROUNDS = 41, REPETITIONS = 40 };

typedef void (*routine)(fe *r, const fe *a, const fe *b, int chained);

static fe left[ELEMENTS], right[ELEMENTS], result[ELEMENTS];

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Each routine is one operation over all elements: r[i] = a[i] op b[i], or r[0] = r[0] op b[i] in a chain. */
#define ROUTINE(name, call_independent, call_chained)                                                        \
    static __attribute__((noinline)) void name(fe *r, const fe *a, const fe *b, int chained)                 \
    {                                                                                                        \
        (void)b;                                                                                             \
        if (chained) {                                                                                       \
            for (int i = 0; i < ELEMENTS; i++) {                                                             \
                call_chained;                                                                                \
            }                                                                                                \
        } else {                                                                                             \
            for (int i = 0; i < ELEMENTS; i++) {                                                             \
                call_independent;                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

ROUTINE(run_mul, fe_mul(&r[i], &a[i], &b[i]), fe_mul(&r[0], &r[0], &b[i]))
ROUTINE(run_sqr, fe_sqr(&r[i], &a[i]), fe_sqr(&r[0], &r[0]))
ROUTINE(run_add, fe_add(&r[i], &a[i], &b[i]), fe_add(&r[0], &r[0], &b[i]))
ROUTINE(run_sub, fe_sub(&r[i], &a[i], &b[i]), fe_sub(&r[0], &r[0], &b[i]))
/* Each inversion gets a new value. The branches of a repeated inversion would soon be predicted, which halves its
 * time. */
ROUTINE(run_inv, (fe_add(&r[i], &r[i], &a[i]), fe_inv(&r[i], &r[i])),
        (fe_add(&r[0], &r[0], &b[i]), fe_inv(&r[0], &r[0])))

static double median_ns(routine run, int chained, int repetitions)
{
    double samples[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_ns();
        for (int i = 0; i < repetitions; i++) {
            run(result, left, right, chained);
        }
        samples[round] = (now_ns() - start) / (repetitions * ELEMENTS);
    }
    qsort(samples, ROUNDS, sizeof samples[0], compare_doubles);
    return samples[ROUNDS / 2];
}

static void fill(fe *elements, unsigned seed)
{
    fe value;
    fe_set_one(&value);
#if FE_DEGREE == 2
    value.c1 = value.c0;
#endif
    for (int i = 0; i < ELEMENTS; i++) {
        fe_add(&value, &value, &value);
        fe_mul(&value, &value, &value);
        for (unsigned j = 0; j < seed; j++) {
            fe_triple(&value, &value);
        }
        elements[i] = value;
    }
}

int main(void)
{
    static const struct {
        const char *name;
        routine run;
        int repetitions;
    } rows[] = {
        {"mul", run_mul, REPETITIONS}, {"sqr", run_sqr, REPETITIONS}, {"add", run_add, REPETITIONS},
        {"sub", run_sub, REPETITIONS}, {"inv", run_inv, 1},
    };
    fill(left, 1);
    fill(right, 2);
    fill(result, 3);
    printf("%s %s, %d bits, %s\n", CURVE_NAME, CURVE_GROUP, FP_BITS, VARIANT_NAME);
    printf("%-4s %12s %12s\n", "ns", "throughput", "latency");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double throughput = median_ns(rows[i].run, 0, rows[i].repetitions);
        const double latency = median_ns(rows[i].run, 1, rows[i].repetitions);
        printf("%-4s %12.1f %12.1f\n", rows[i].name, throughput, latency);
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures a pairing on one thread, in microseconds, for developers. It measures a whole
 * sumac_pairing_check() with and without the checks of the points, and its parts. It is compiled once per variant and
 * curve with a pairing. It times several rounds in the thread's CPU time, and prints the median.
 */
#define _POSIX_C_SOURCE 200809L
#include "math/pairing.h"

#ifdef SUMAC_VARIANT_AVX512
#include "lanes/pairing.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codec/record.h"
#include "sumac/pairing.h"

enum { MOST_PAIRS = 64, ROUNDS = 21, REPETITIONS = 20, LONG_REPETITIONS = 2000 };

/* A raw point of the first group has this many bytes. */
#define G1_BYTES (2 * FIELD_BYTES)

typedef struct bench {
    sumac_context *context;
    const sumac_group *group;
    uint8_t g1_raw[MOST_PAIRS * G1_BYTES], g2_raw[MOST_PAIRS * POINT_BYTES];
    pairing_g1 g1[MOST_PAIRS];
    affine g2[MOST_PAIRS];
    pairing_state state;
    pairing_line line, other;
    pairing_line_pair lines;
    fp12 value, factor, cyclotomic;
    pairing_scratch scratch;
    sumac_pairing_points *prepared;
    size_t pairs;
    sumac_check check;
} bench;

typedef void (*routine)(bench *b);

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_us(bench *b, routine run, int repetitions)
{
    double samples[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_us();
        for (int i = 0; i < repetitions; i++) {
            run(b);
        }
        samples[round] = (now_us() - start) / repetitions;
    }
    qsort(samples, ROUNDS, sizeof samples[0], compare_doubles);
    return samples[ROUNDS / 2];
}

static void run_check(bench *b)
{
    int is_one;
    if (sumac_pairing_check(b->context, b->group, b->g1_raw, sizeof b->g1_raw, b->g2_raw, sizeof b->g2_raw,
                            b->pairs, b->check, &is_one) != SUMAC_OK ||
        is_one) {
        fprintf(stderr, "the check failed: %s\n", sumac_context_message(b->context));
        exit(1);
    }
}

static void run_final(bench *b)
{
    fp12 power;
    pairing_easy_part(&power, &b->value);
    pairing_hard_part(&b->factor, &power);
}

static void run_easy(bench *b)
{
    pairing_easy_part(&b->factor, &b->value);
}

static void run_hard(bench *b)
{
    pairing_hard_part(&b->factor, &b->cyclotomic);
}

static void run_double(bench *b)
{
    pairing_next_line(&b->line, &b->state, PAIRING_DOUBLE);
}

static void run_prepared(bench *b)
{
    int is_one;
    if (sumac_pairing_check_prepared(b->context, b->prepared, b->g1_raw, sizeof b->g1_raw, NULL, 0, b->pairs,
                                     SUMAC_CHECK_NONE, &is_one) != SUMAC_OK ||
        is_one) {
        fprintf(stderr, "the check failed: %s\n", sumac_context_message(b->context));
        exit(1);
    }
}

/* Prepare the second points of all pairs, and then time a check of the pairs with them. */
static double prepared_us(bench *b)
{
    if (sumac_pairing_points_create(b->context, b->group, b->g2_raw, sizeof b->g2_raw, b->pairs,
                                    SUMAC_CHECK_NONE, &b->prepared) != SUMAC_OK) {
        exit(1);
    }
    const double us = median_us(b, run_prepared, REPETITIONS);
    sumac_pairing_points_destroy(b->prepared);
    return us;
}

static void run_add(bench *b)
{
    pairing_next_line(&b->line, &b->state, PAIRING_ADD);
}

static void run_multiply_lines(bench *b)
{
    pairing_multiply_lines(&b->lines, &b->line, &b->other);
}

static void run_mul_line(bench *b)
{
    fp12_mul_line(&b->factor, &b->factor, &b->line);
}

static void run_mul_line_pair(bench *b)
{
    fp12_mul_line_pair(&b->factor, &b->factor, &b->lines);
}

static void run_mul(bench *b)
{
    fp12_mul(&b->factor, &b->factor, &b->value);
}

static void run_sqr(bench *b)
{
    fp12_sqr(&b->factor, &b->factor);
}

static void run_cyclotomic_sqr(bench *b)
{
    fp12_cyclotomic_sqr(&b->factor, &b->factor);
}

static void run_pow_x(bench *b)
{
    pairing_pow_x(&b->factor, &b->cyclotomic);
}

#ifdef SUMAC_PAIRING_LANES

static struct {
    fpv value, factor;
    pairing_lanes_state state;
    pairing_lanes_lines lines;
    pairing_slope slopes[PAIRING_LANES_STEPS];
    pairing_lanes_scratch scratch;
} lanes;

static void set_up_lanes(const bench *b)
{
    fp to_lanes, from_lanes;
    fp12_lanes_factors(&to_lanes, &from_lanes);
    fp12_lanes_load(&lanes.value, &b->cyclotomic, &to_lanes);
    fpv_copy(&lanes.factor, &lanes.value);
    pairing_lanes_begin(&lanes.state, &b->state, &to_lanes);
    for (int i = 0; i < PAIRING_LANES_STEPS; i++) {
        lanes.slopes[i].numerator = lanes.slopes[i].denominator = lanes.slopes[i].constant = b->line.a;
    }
}

static void run_lanes_miller(bench *b)
{
    const pairing_pairs pairs = {.p = b->g1, .q = b->g2, .n = b->pairs};
    pairing_lanes_miller_loops(&b->value, &pairs, &lanes.scratch);
}

static void run_lanes_hard(bench *b)
{
    pairing_lanes_hard_part(&b->factor, &b->cyclotomic);
}

static void run_lanes_lines(bench *b)
{
    b->state.next = lanes.slopes;
    pairing_lanes_prepared(&lanes.lines, &b->state, PAIRING_LANES_STEPS);
}

static void run_lanes_double(bench *b)
{
    (void)b;
    pairing_lanes_double(&lanes.state);
}

static void run_lanes_add(bench *b)
{
    (void)b;
    pairing_lanes_add(&lanes.state, &lanes.state.plus);
}

static void run_lanes_mul_line(bench *b)
{
    const uint64_t *const words = fp12_factor_words(&lanes.state.now);
    const uint64_t *const line[LINE_COEFFICIENTS] = {words + LANE_CONSTANT, words + LANE_NUMERATOR,
                                                     words + LANE_DENOMINATOR};
    (void)b;
    fp12_lanes_mul_line(&lanes.factor, line);
}

static void run_lanes_mul(bench *b)
{
    (void)b;
    fp12_lanes_mul(&lanes.factor, &lanes.factor, &lanes.value);
}

static void run_lanes_sqr(bench *b)
{
    (void)b;
    fp12_lanes_sqr(&lanes.factor, &lanes.factor);
}

static void run_lanes_cyclotomic_sqr(bench *b)
{
    (void)b;
    fp12_lanes_cyclotomic_sqr(&lanes.factor, &lanes.factor);
}

#else

static void run_miller(bench *b)
{
    const pairing_pairs pairs = {.p = b->g1, .q = b->g2, .n = b->pairs};
    pairing_miller_loops(&b->value, &pairs, &b->scratch);
}

#endif

static void read_g1(pairing_g1 *p, const uint8_t *raw)
{
    if (!record_integer(&p->x, raw) || !record_integer(&p->y, raw + FIELD_BYTES)) {
        exit(1);
    }
    fp_to_mont(&p->x, &p->x);
    fp_to_mont(&p->y, &p->y);
}

/* Make pairs, each of which has the generators of the two groups. */
static void set_up(bench *b)
{
    const point_layout layout = {SUMAC_FORM_CANONICAL, POINT_BYTES, SUMAC_INFINITY_ZERO, 0};
    const sumac_group *g1;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.threads = 1;
    config.tuning = "variant=" SUMAC_VARIANT_NAME;
    if (sumac_context_create(&config, &b->context, NULL) != SUMAC_OK ||
        sumac_group_find(CURVE_NAME, "g1", &g1) != SUMAC_OK ||
        sumac_group_find(CURVE_NAME, "g2", &b->group) != SUMAC_OK) {
        fprintf(stderr, "this machine or build lacks %s or a group of %s\n", SUMAC_VARIANT_NAME, CURVE_NAME);
        exit(1);
    }
    for (size_t i = 0; i < MOST_PAIRS; i++) {
        if (sumac_group_generator(g1, b->g1_raw + i * G1_BYTES, g1->point_bytes) != SUMAC_OK) {
            abort();
        }
        if (sumac_group_generator(b->group, b->g2_raw + i * POINT_BYTES, b->group->point_bytes) != SUMAC_OK) {
            abort();
        }
        read_g1(&b->g1[i], b->g1_raw + i * G1_BYTES);
        if (record_point(&b->g2[i], b->g2_raw + i * POINT_BYTES, &layout, SUMAC_CHECK_CURVE) != SUMAC_OK) {
            exit(1);
        }
    }
    const pairing_pairs pair = {.p = b->g1, .q = b->g2, .n = 1};
    (void)pairing_begin(&b->state, &pair, 0);
    pairing_next_line(&b->other, &b->state, PAIRING_DOUBLE);
    pairing_next_line(&b->line, &b->state, PAIRING_ADD);
    pairing_multiply_lines(&b->lines, &b->line, &b->other);
    pairing_miller_loops(&b->value, &pair, &b->scratch);
    pairing_easy_part(&b->cyclotomic, &b->value);
    b->factor = b->cyclotomic;
}

int main(void)
{
    static const struct {
        const char *name;
        routine run;
        int repetitions;
    } parts[] = {
        {"final exponentiation", run_final, REPETITIONS},
        {"  easy part", run_easy, REPETITIONS},
        {"  hard part", run_hard, REPETITIONS},
        {"  power of x", run_pow_x, REPETITIONS},
        {"double T, its tangent", run_double, LONG_REPETITIONS},
        {"T + Q, its line", run_add, LONG_REPETITIONS},
        {"line * line", run_multiply_lines, LONG_REPETITIONS},
        {"Fp12 * line", run_mul_line, LONG_REPETITIONS},
        {"Fp12 * two lines", run_mul_line_pair, LONG_REPETITIONS},
        {"Fp12 multiplication", run_mul, LONG_REPETITIONS},
        {"Fp12 squaring", run_sqr, LONG_REPETITIONS},
        {"cyclotomic squaring", run_cyclotomic_sqr, LONG_REPETITIONS},
#ifdef SUMAC_PAIRING_LANES
        {"in lanes: hard part", run_lanes_hard, REPETITIONS},
        {"  double T, its tangent", run_lanes_double, LONG_REPETITIONS},
        {"  T + Q, its line", run_lanes_add, LONG_REPETITIONS},
        {"  Fp12 * line", run_lanes_mul_line, LONG_REPETITIONS},
        {"  Fp12 multiplication", run_lanes_mul, LONG_REPETITIONS},
        {"  Fp12 squaring", run_lanes_sqr, LONG_REPETITIONS},
        {"  cyclotomic squaring", run_lanes_cyclotomic_sqr, LONG_REPETITIONS},
        {"  eight prepared lines", run_lanes_lines, LONG_REPETITIONS},
#endif
    };
    static const size_t counts[] = {1, 2, 8, 64};
    static bench b;
    set_up(&b);
#ifdef SUMAC_PAIRING_LANES
    set_up_lanes(&b);
    const routine miller = run_lanes_miller;
#else
    const routine miller = run_miller;
#endif
    printf("%s, %s\n%-24s %12s %12s %12s %12s\n", CURVE_NAME, SUMAC_VARIANT_NAME, "us", "check", "unchecked",
           "prepared", "Miller loops");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%zu pairs", counts[i]);
        b.pairs = counts[i];
        b.check = SUMAC_CHECK_SUBGROUP;
        const double checked = median_us(&b, run_check, REPETITIONS);
        b.check = SUMAC_CHECK_NONE;
        const double unchecked = median_us(&b, run_check, REPETITIONS);
        printf("%-24s %12.1f %12.1f %12.1f", name, checked, unchecked, prepared_us(&b));
        if (counts[i] <= PAIRING_BLOCK) {
            printf(" %12.1f", median_us(&b, miller, REPETITIONS));
        }
        printf("\n");
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        printf("%-24s %12.3f\n", parts[i].name, median_us(&b, parts[i].run, parts[i].repetitions));
    }
    sumac_context_destroy(b.context);
    return 0;
}

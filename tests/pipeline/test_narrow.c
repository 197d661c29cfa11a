/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares MSMs of scalars of every number of bytes, signed and unsigned, with GMP. It tests the extremes of
 * each width, every named plan, multiples and tables of the bases, batches, checked bounds, and all scalars of one byte
 * in a tiny group. A call takes memory only for the bytes that scalars have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"
#include "support/plan.h"

enum { N = 24, BATCH = 3, COUNT = N * BATCH };

/* These are scalars of `bytes` bytes, with their bases and the expected results. */
typedef struct column {
    test_group *t;
    uint32_t bytes;
    uint32_t is_signed;
    uint8_t *points, *logarithms; /* N bases */
    uint8_t *scalars;             /* COUNT narrow scalars */
    uint8_t *whole;               /* the scalars modulo r, with the curve's number of bytes */
    uint8_t *expected;            /* BATCH results */
} column;

/* Store scalar i, both as narrow bytes and modulo r. */
static void put_scalar(const column *s, size_t i, const mpz_t k)
{
    TEST_NUMBERS(part);
    mpz_fdiv_r_2exp(part, k, 8 * (mp_bitcnt_t)s->bytes);
    memset(s->scalars + i * s->bytes, 0, s->bytes);
    mpz_export(s->scalars + i * s->bytes, NULL, -1, 1, -1, 0, part);
    mpz_mod(part, k, s->t->oracle.r);
    oracle_scalar_to_raw(&s->t->oracle, s->whole + i * s->t->info->scalar_bytes, part);
}

/* Draw an integer of `bits` bits and a sign. It is 0, 1, -1, the greatest, the least or one of their neighbours, or
 * random. */
static void draw(const column *s, size_t i, uint32_t bits, mpz_t k)
{
    mpz_set_ui(k, 0);
    mpz_setbit(k, bits);
    switch (i % 12) {
    case 0:
        mpz_set_ui(k, 0);
        break;
    case 1:
        mpz_set_ui(k, 1);
        break;
    case 2:
        mpz_sub_ui(k, k, 1);
        break;
    case 3: /* -2^bits, or without a sign 2^(bits - 1), which is 128 for a byte */
        if (s->is_signed) {
            mpz_neg(k, k);
        } else {
            mpz_fdiv_q_2exp(k, k, 1);
        }
        break;
    case 4:
        mpz_ui_sub(k, 1, k);
        break;
    case 5:
        mpz_set_si(k, -1);
        break;
    default:
        mpz_urandomb(k, s->t->random, bits);
        if (i % 2 == 0) {
            mpz_neg(k, k);
        }
    }
    if (!s->is_signed) {
        mpz_abs(k, k);
    }
}

static void answer(const column *s)
{
    const size_t scalar = s->t->info->scalar_bytes, point = s->t->info->point_bytes;
    for (size_t j = 0; j < BATCH; j++) {
        oracle_known_msm(&s->t->oracle, s->expected + j * point, s->logarithms, s->whole + j * N * scalar, N);
    }
}

static column make_column(test_group *t, uint32_t bytes, uint32_t is_signed, uint32_t bits)
{
    const size_t scalar = t->info->scalar_bytes, point = t->info->point_bytes;
    const column s = {t,
                      bytes,
                      is_signed,
                      test_alloc(N * point),
                      test_alloc(N * scalar),
                      test_alloc((size_t)COUNT * bytes),
                      test_alloc(COUNT * scalar),
                      test_alloc(BATCH * point)};
    TEST_NUMBERS(k);
    test_random_points(t, s.points, s.logarithms, N);
    memset(s.points + 4 * point, 0, point);
    memset(s.logarithms + 4 * scalar, 0, scalar);
    memcpy(s.points + 8 * point, s.points + 7 * point, point);
    memcpy(s.logarithms + 8 * scalar, s.logarithms + 7 * scalar, scalar);
    for (size_t i = 0; i < COUNT; i++) {
        draw(&s, i, bits, k);
        put_scalar(&s, i, k);
    }
    answer(&s);
    return s;
}

static void free_column(const column *s)
{
    free(s->points);
    free(s->logarithms);
    free(s->scalars);
    free(s->whole);
    free(s->expected);
}

static uint32_t bits_of(uint32_t bytes, uint32_t is_signed)
{
    return 8 * bytes - is_signed;
}

static sumac_msm_config config_of(const column *s)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = BATCH;
    config.scalar_bytes = s->bytes;
    config.scalar_signed = s->is_signed;
    return config;
}

static const char *label_of(const column *s, const char *what)
{
    static char label[120];
    snprintf(label, sizeof label, "%u bytes%s, %s", s->bytes, s->is_signed ? " with a sign" : "", what);
    return label;
}

/* Try every width, with the planner's choice and with windows of every size. */
static void test_widths(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *one = test_context(1, 0), *several = test_context(3, 0);
    for (uint32_t bytes = 1; bytes <= t->info->scalar_bytes; bytes++) {
        for (uint32_t is_signed = 0; is_signed < 2; is_signed++) {
            CLEANUP(free_column) const column s = make_column(t, bytes, is_signed, bits_of(bytes, is_signed));
            sumac_bases_config bases_config = {.size = sizeof bases_config};
            bases_config.outside_subgroup = bytes % 3 == 1;
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(one, t, s.points, N, &bases_config);
            CLEANUP(destroy_bases) sumac_bases *others = test_bases(several, t, s.points, N, NULL);
            sumac_msm_config config = config_of(&s);
            for (uint32_t c = 0; c <= 12; c += options.quick ? 4 : 1) {
                config.tuning = test_tuning("c=%u", c);
                test_msm(one, bases, s.scalars, N, &config, s.expected, label_of(&s, "one thread"));
            }
            config.tuning = "reduction=halving";
            test_msm(several, others, s.scalars, N, &config, s.expected, label_of(&s, "halving"));
            config.tuning = "chunks=3";
            test_msm(several, others, s.scalars, N, &config, s.expected, label_of(&s, "chunks"));
            config.tuning = NULL;
            config.scalar_bits = bits_of(bytes, is_signed);
            test_msm(several, others, s.scalars, N, &config, s.expected, label_of(&s, "said bits"));
        }
    }
}

/* A named plan supports narrow scalars if it supports whole ones of as many bits. */
static void test_plans(void **state)
{
    static const uint32_t widths[] = {1, 2, 5, 8, 16, 31, 32};
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    int had = 0;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const uint32_t bytes = widths[w], is_signed = 1;
        if (bytes > t->info->scalar_bytes) {
            continue;
        }
        CLEANUP(free_column) const column s = make_column(t, bytes, is_signed, bits_of(bytes, is_signed));
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, s.points, N, NULL);
        const char *name;
        for (size_t i = 0; (name = test_plan_name(context, i)) != NULL; i++) {
            sumac_msm_config config = config_of(&s),
                             whole = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
            test_plan plan = {0};
            config.tuning = whole.tuning = test_tuning("plan=%s", name);
            whole.batch = BATCH;
            whole.scalar_bits = bits_of(bytes, is_signed);
            const sumac_status expected = test_msm_plan(context, bases, N, &whole, &plan);
            assert_int_equal(test_msm_plan(context, bases, N, &config, &plan), expected);
            if (expected == SUMAC_OK) {
                test_msm(context, bases, s.scalars, N, &config, s.expected, label_of(&s, name));
                had++;
            }
        }
    }
    assert_true(had > 3);
}

static void check_multiples(test_group *t, sumac_context *context, uint32_t bytes, uint32_t is_signed)
{
    CLEANUP(free_column) const column s = make_column(t, bytes, is_signed, bits_of(bytes, is_signed));
    const sumac_msm_config config = config_of(&s);
    for (uint32_t c = 1; c <= 9; c += 2) {
        sumac_bases_config bases_config = {.size = sizeof bases_config};
        bases_config.tuning = test_tuning("c=%u", c);
        bases_config.scalar_bits = bits_of(bytes, is_signed);
        bases_config.precompute_factor = 1 + bits_of(bytes, is_signed) / c / 2;
        CLEANUP(destroy_bases) sumac_bases *multiples = test_bases(context, t, s.points, N, &bases_config);
        test_msm(context, multiples, s.scalars, N, &config, s.expected, label_of(&s, "multiples"));
        sumac_bases_destroy(multiples);
        bases_config.scalar_bits =
            0; /* the multiples are for whole scalars, and have more windows than needed */
        bases_config.precompute_factor = 3;
        multiples = test_bases(context, t, s.points, N, &bases_config);
        test_msm(context, multiples, s.scalars, N, &config, s.expected, label_of(&s, "multiples for more"));
        if (c <= 5) {
            bases_config.precompute_factor = 0;
            bases_config.tables = SUMAC_TABLES_WINDOWS;
            bases_config.table_bytes = (uint64_t)1 << 30;
            bases_config.scalar_bits = bits_of(bytes, is_signed);
            CLEANUP(destroy_bases) sumac_bases *tables = test_bases(context, t, s.points, N, &bases_config);
            test_msm(context, tables, s.scalars, N, &config, s.expected, label_of(&s, "tables"));
        }
    }
}

static void test_multiples(void **state)
{
    static const uint32_t widths[] = {1, 2, 3, 8, 17, 32};
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    test_group *t = *state;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w += options.quick ? 2 : 1) {
        for (uint32_t is_signed = 0; is_signed < 2 && widths[w] <= t->info->scalar_bytes; is_signed++) {
            check_multiples(t, context, widths[w], is_signed);
        }
    }
}

/* If fewer bits are declared than the bytes have, scalars of so many bits are accepted, also -2^bits. The message names
 * the first scalar that has more. */
static void test_bounds(void **state)
{
    static const uint32_t widths[] = {1, 2, 7, 8, 9, 31, 32};
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (uint32_t turn = 0; turn < 4 && widths[w] <= t->info->scalar_bytes; turn++) {
            const uint32_t bytes = widths[w], is_signed = turn % 2;
            const uint32_t bits = bits_of(bytes, is_signed) - 1 - (turn < 2 ? 0 : 8 * bytes / 3);
            if (bits >= t->info->scalar_bits) {
                continue;
            }
            CLEANUP(free_column) const column s = make_column(t, bytes, is_signed, bits);
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, s.points, N, NULL);
            sumac_msm_config config = config_of(&s);
            AUTO_FREE uint8_t *results = test_alloc(BATCH * t->info->point_bytes);
            char sentence[80];
            TEST_NUMBERS(k);
            config.scalar_bits = bits;
            test_msm(context, bases, s.scalars, N, &config, s.expected, label_of(&s, "within bounds"));
            for (uint32_t wrong = 0; wrong < 1 + is_signed; wrong++) {
                mpz_set_ui(k, 0);
                mpz_setbit(k, bits);
                if (wrong == 1) {
                    mpz_com(k, k);
                }
                if (mpz_sizeinbase(k, 2) > t->info->scalar_bits || mpz_cmpabs(k, t->oracle.r) >= 0) {
                    continue; /* modulo r it would be another scalar */
                }
                put_scalar(&s, 31, k);
                test_status(context, exact_msm(context, bases, s.scalars, N, &config, results),
                            SUMAC_SCALAR_TOO_LARGE, label_of(&s, "out of bounds"));
                snprintf(sentence, sizeof sentence, "scalar 31 has more than the declared %u bits", bits);
                assert_string_equal(sumac_context_message(context), sentence);
                config.cut_scalars = !is_signed;
                mpz_fdiv_r_2exp(k, k, bits);
                if (!is_signed) {
                    put_scalar(&s, 31, k);
                    s.scalars[31 * bytes + bits / 8] |= (uint8_t)(1u << bits % 8);
                    answer(&s);
                    test_msm(context, bases, s.scalars, N, &config, s.expected, label_of(&s, "cut"));
                }
                config.cut_scalars = 0;
            }
        }
    }
}

static void test_refusals(void **state)
{
    test_group *t = *state;
    CLEANUP(free_column) const column s = make_column(t, 1, 1, 7);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, s.points, N, NULL);
    AUTO_FREE uint8_t *results = test_alloc(BATCH * t->info->point_bytes);
    sumac_msm_config bad[6];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bad[i] = config_of(&s);
    }
    bad[0].scalar_bytes = t->info->scalar_bytes + 1;
    bad[1].scalar_form = SUMAC_FORM_MONTGOMERY;
    bad[2].scalar_bytes = t->info->scalar_bytes;
    bad[2].scalar_form = SUMAC_FORM_MONTGOMERY;
    bad[3].cut_scalars = 1;
    bad[3].scalar_bits = 5;
    bad[4].scalar_bits = 8; /* there are 7 bits, and the sign */
    bad[5].scalar_signed = 2;
    memset(results, 0x5a, BATCH * t->info->point_bytes);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        TEST_BAD(context, exact_msm(context, bases, s.scalars, N, &bad[i], results));
        assert_int_equal(results[0], 0x5a);
    }
    bad[1].scalar_signed = 0;
    TEST_BAD(context, exact_msm(context, bases, s.scalars, N, &bad[1], results));
}

/* Try all scalars of one byte with all points of a tiny group, and all pairs of scalars with one pair of points. */
static void test_all_bytes(void **state)
{
    test_group *t = *state;
    const size_t point = t->info->point_bytes;
    const unsigned long r = mpz_get_ui(t->oracle.r);
    AUTO_FREE uint8_t *scalars = test_alloc(2 * 65536), *expected = test_alloc(65536 * point);
    uint8_t points[2 * 256];
    AUTO_FREE uint8_t *multiples = test_alloc(r * point);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    ORACLE_POINT(p);
    TEST_NUMBERS(k);
    for (unsigned long i = 0; i < r; i++) {
        mpz_set_ui(k, i);
        oracle_mul_generator(&t->oracle, &p, k);
        oracle_point_to_raw(&t->oracle, multiples + i * point, &p);
    }
    for (uint32_t turn = 0; turn < 4; turn++) {
        sumac_msm_config config = {.size = sizeof config};
        sumac_bases_config bases_config = {.size = sizeof bases_config};
        config.scalar_bytes = 1;
        config.scalar_signed = turn % 2;
        bases_config.outside_subgroup = turn / 2 == 1;
        for (unsigned long d = 0; d < r; d++) {
            memcpy(points, multiples + d * point, point);
            memcpy(points + point, multiples + 3 * point, point);
            for (uint32_t i = 0; i < 65536; i++) {
                const long first = turn % 2 == 1 ? (long)(int8_t)(i % 256) : (long)(i % 256);
                const long second = turn % 2 == 1 ? (long)(int8_t)(i / 256) : (long)(i / 256);
                mpz_set_si(k, first * (long)d + second * 3);
                mpz_mod(k, k, t->oracle.r);
                scalars[2 * i] = (uint8_t)(i % 256);
                scalars[2 * i + 1] = (uint8_t)(i / 256);
                memcpy(expected + i * point, multiples + mpz_get_ui(k) * point, point);
            }
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, 2, &bases_config);
            const int pairs = d == 2 && turn < 2;
            config.batch = pairs ? 65536 : 256;
            for (uint32_t c = 0; c < 11; c += pairs ? 8 : 1) {
                config.tuning = test_tuning("c=%u", c);
                test_msm(context, bases, scalars, 2, &config, expected, "all bytes");
            }
        }
    }
}

/* Compute many MSMs of narrow scalars in several sub-batches. */
static void test_sub_batches(void **state)
{
    test_group *t = *state;
    const uint32_t most = 1500;
    const size_t point = t->info->point_bytes;
    CLEANUP(free_column) const column s = make_column(t, 3, 1, 23);
    AUTO_FREE uint8_t *scalars = test_alloc((size_t)most * N * 3), *expected = test_alloc(most * point);
    for (size_t j = 0; j < most; j++) {
        memcpy(scalars + j * N * 3, s.scalars + j * j % 7 % BATCH * N * 3, N * 3);
        memcpy(expected + j * point, s.expected + j * j % 7 % BATCH * point, point);
    }
    for (uint64_t limit = (uint64_t)1 << 20; limit <= (uint64_t)16 << 20; limit *= 4) {
        CLEANUP(destroy_context) sumac_context *context = test_context(2, limit);
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, s.points, N, NULL);
        sumac_msm_config config = config_of(&s);
        config.batch = options.quick ? 150 : most;
        test_msm(context, bases, scalars, N, &config, expected, "several sub-batches");
    }
}

/* A plan takes memory only for the scalars' bytes, and has windows only for their bits. */
static void test_sizes(void **state)
{
    if (options.device_count > 0) {
        skip(); /* each device plans for its share */
    }
    test_group *t = *state;
    const size_t n = (size_t)1 << 22;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    sumac_msm_config config = {.size = sizeof config};
    test_plan plan = {0};
    TEST_OK(context, test_plan_create(context, t->group, n, NULL, &config, &plan));
    const uint64_t whole = test_plan_bytes(&plan, "staging");
    for (uint32_t bytes = 1; bytes < t->info->scalar_bits / 8; bytes++) {
        for (config.scalar_signed = 0; config.scalar_signed < 2; config.scalar_signed++) {
            config.scalar_bytes = bytes;
            TEST_OK(context, test_plan_create(context, t->group, n, NULL, &config, &plan));
            assert_int_equal(test_plan_bytes(&plan, "scalars"), n * bytes);
            assert_int_equal(test_plan_bytes(&plan, "staging"), whole == 0 ? 0 : n * bytes);
            assert_int_equal(plan.scalar_bits, 8 * bytes - config.scalar_signed);
            assert_int_equal(plan.windows, (8 * bytes + 1 - config.scalar_signed + plan.c - 1) / plan.c);
        }
    }
}

static const test_entry entries[] = {
    {"widths", test_widths, TEST_SOME_AND_TINY},         {"plans", test_plans, TEST_EVERY_AND_TINY},
    {"multiples", test_multiples, TEST_SOME_GROUPS},     {"bounds", test_bounds, TEST_EVERY_GROUP},
    {"refusals", test_refusals, TEST_EVERY_GROUP},       {"all bytes", test_all_bytes, TEST_TINY},
    {"sub-batches", test_sub_batches, TEST_SOME_GROUPS}, {"sizes", test_sizes, TEST_EVERY_GROUP},
};
TEST_MAIN("narrow", entries)

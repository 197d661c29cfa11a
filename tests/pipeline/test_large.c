/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests MSMs that are too large for a plain sum. As the bases' discrete logarithms are known, the answer is
 * one scalar multiplication, which GMP does. Scalars have every distribution with which a bucket method may be wrong.
 * Bases are equal, in opposite pairs, or infinity.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

typedef struct known_input {
    test_group *t;
    size_t n;
    uint8_t *points;
    uint8_t *logarithms;
    uint8_t *scalars;
} known_input;

static known_input make_input(test_group *t, sumac_context *context, size_t n)
{
    known_input input = {.t = t, .n = n};
    input.points = test_alloc(n * t->info->point_bytes);
    input.logarithms = test_alloc(n * t->info->scalar_bytes);
    input.scalars = test_alloc(n * t->info->scalar_bytes);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TEST_OK(context, sumac_known_bases_create(context, t->group, n, 7, NULL, &bases));
    assert_int_equal(sumac_bases_count(bases), n);
    TEST_OK(context, exact_get(context, bases, 0, n, input.points));
    TEST_OK(context, test_known_logarithms(context, t->group, n, 7, input.logarithms));
    return input;
}

static void free_input(known_input *input)
{
    free(input->points);
    free(input->logarithms);
    free(input->scalars);
}

static uint8_t *scalar_at(const known_input *input, size_t i)
{
    return input->scalars + i * input->t->info->scalar_bytes;
}

static void expected_answer(const known_input *input, uint8_t *expected)
{
    oracle_known_msm(&input->t->oracle, expected, input->logarithms, input->scalars, input->n);
}

/* The library's own known answer must agree with GMP's, because benchmarks and the program use it. */
static void check_known_answer(sumac_context *context, const known_input *input, const uint8_t *expected)
{
    AUTO_FREE uint8_t *answer = test_alloc(input->t->info->point_bytes);
    TEST_OK(context,
            test_known_answer(context, input->t->group, input->scalars, input->logarithms, input->n, answer));
    assert_memory_equal(answer, expected, input->t->info->point_bytes);
}

/* Compute with the first bases and scalars by the named plans, of which other groups than TEST_SOME_AND_TINY take a third. */
static void check_plans(sumac_context *context, const known_input *input, uint32_t turn)
{
    static const uint32_t windows[] = {0, 7, 2};
    known_input few = *input;
    AUTO_FREE uint8_t *expected = test_alloc(input->t->info->point_bytes);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    sumac_msm_config config = {.size = sizeof config};
    few.n = few.n < 140 ? few.n : 140;
    expected_answer(&few, expected);
    bases_config.outside_subgroup = turn % 2;
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, few.t, few.points, few.n, &bases_config);
    const char *plan;
    for (size_t i = 1; (plan = test_plan_name(context, i)) != NULL; i++) {
        for (size_t w = 0; test_has_case(few.t, i + turn) && w < (turn % 3 == 2 ? 3 : 1); w++) {
            config.tuning = test_tuning("plan=%s,c=%u,chunks=%u,large_bucket_factor=%u", plan, windows[w],
                                        turn % 4 == 1 ? 3 : 0, w == 1 ? 2 : 0);
            if (!test_plan_is_refused(context, bases, few.n, &config, turn % 2)) {
                test_msm(context, bases, few.scalars, few.n, &config, expected, plan);
            }
        }
    }
}

static void check_input(sumac_context *context, const known_input *input, const char *label)
{
    AUTO_FREE uint8_t *expected = test_alloc(input->t->info->point_bytes);
    expected_answer(input, expected);
    check_known_answer(context, input, expected);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, input->t, input->points, input->n, NULL);
    test_msm(context, bases, input->scalars, input->n, NULL, expected, label);
}

/* ---- scalars ---- */

typedef enum distribution {
    UNIFORM,
    SMALL,
    EQUAL,
    ZEROS,
    ONES,
    SPARSE,
    TOP,
    HALF,
    LONE,     /* scalar i has one bit, in position i modulo the number of bits */
    ALL_BITS, /* the largest digit in every window but the last */
    HEAVY,    /* nine of ten are equal, so that some buckets are far above the mean */
    MIXED,
    ANY_BYTES,
    DISTRIBUTIONS
} distribution;

static const char *const distribution_names[DISTRIBUTIONS] = {
    "uniform", "small", "equal",    "zeros", "ones",  "sparse",   "top",
    "half",    "lone",  "all bits", "heavy", "mixed", "any bytes"};

static void put_scalar(known_input *input, size_t i, const mpz_t k)
{
    oracle_scalar_to_raw(&input->t->oracle, scalar_at(input, i), k);
}

static void random_scalar_of(known_input *input, size_t i, distribution kind, const mpz_t same)
{
    test_group *t = input->t;
    TEST_NUMBERS(k);
    switch (kind) {
    case SMALL:
        mpz_set_ui(k, (unsigned long)test_random_below(t, 65536));
        break;
    case EQUAL:
        mpz_set(k, same);
        break;
    case ONES:
        mpz_set_ui(k, 1);
        break;
    case TOP:
        mpz_sub_ui(k, t->oracle.r, 1 + (unsigned long)test_random_below(t, 1 << 20));
        break;
    case HALF: /* near r/2 */
        mpz_fdiv_q_2exp(k, t->oracle.r, 1);
        mpz_add_ui(k, k, 4);
        mpz_sub_ui(k, k, (unsigned long)test_random_below(t, 8));
        break;
    case LONE:
        mpz_setbit(k, i % (t->info->scalar_bits - 1));
        break;
    case ALL_BITS:
        mpz_setbit(k, t->info->scalar_bits - 1);
        mpz_sub_ui(k, k, 1);
        break;
    case HEAVY:
        mpz_urandomm(k, t->random, t->oracle.r);
        mpz_set(k, i % 10 == 0 ? k : same);
        break;
    case UNIFORM:
        mpz_urandomm(k, t->random, t->oracle.r);
        break;
    default: /* ZEROS */
        break;
    }
    mpz_mod(k, k, t->oracle.r);
    put_scalar(input, i, k);
}

static void fill_scalars(known_input *input, distribution kind)
{
    test_group *t = input->t;
    static const distribution mixture[] = {ZEROS, ONES, TOP, HALF, EQUAL, SMALL, UNIFORM};
    TEST_NUMBERS(same);
    mpz_urandomm(same, t->random, t->oracle.r);
    for (size_t i = 0; i < input->n; i++) {
        distribution one = kind;
        if (kind == SPARSE) {
            const uint64_t sub_batch = test_random_below(t, 200);
            one = sub_batch == 0 ? UNIFORM : sub_batch % 2 != 0 ? ONES : ZEROS;
        } else if (kind == MIXED) {
            one = mixture[test_random_below(t, 7)];
        } else if (kind == ANY_BYTES) {
            test_random_bytes(t, scalar_at(input, i), t->info->scalar_bytes);
            continue;
        }
        random_scalar_of(input, i, one, same);
    }
}

/* ---- tests ---- */

static void test_known_bases(void **state)
{
    test_group *t = *state;
    const oracle *o = &t->oracle;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(free_input) known_input input = make_input(t, context, 1000);
    ORACLE_POINT(actual);
    ORACLE_POINT(expected);
    TEST_NUMBERS(d);
    for (size_t i = 0; i < input.n; i += i < 4 ? 1 : 83) {
        oracle_scalar_from_raw(o, d, input.logarithms + i * t->info->scalar_bytes);
        assert_true(mpz_cmp(d, o->r) < 0);
        oracle_mul_generator(o, &expected, d);
        oracle_point_from_raw(o, &actual, input.points + i * t->info->point_bytes);
        assert_true(oracle_point_equal(&actual, &expected));
    }
}

/* Groups that are alike take a third of the distributions, and uniform scalars, because the distribution of digits does not
 * depend on the field. */
static void check_distributions(test_group *t, size_t n, uint32_t threads, distribution last)
{
    char label[64];
    CLEANUP(destroy_context) sumac_context *context = test_context(threads, 0);
    CLEANUP(free_input) known_input input = make_input(t, context, n);
    uint32_t turn = 0;
    for (distribution kind = UNIFORM; kind <= last; kind++) {
        if (kind != UNIFORM && !test_has_case(t, (size_t)kind)) {
            continue;
        }
        snprintf(label, sizeof label, "%s scalars", distribution_names[kind]);
        fill_scalars(&input, kind);
        check_input(context, &input, label);
        check_plans(context, &input, turn++);
    }
}

static void test_distributions_1024(void **state)
{
    check_distributions(*state, options.quick ? 200 : 1024, 3, ANY_BYTES);
}

/* Additions over extensions and long fields cost many times more. */
static int is_slow(const test_group *t)
{
    return t->info->degree != 1 || t->info->field_bits > 400;
}

static void test_distributions_16384(void **state)
{
    const size_t n = options.quick ? 600 : is_slow(*state) ? 6000 : 16384;
    check_distributions(*state, n, 2, options.quick ? SMALL : ANY_BYTES);
}

/* The size is above 2^16 and not a power of two. For slow curves it is a third of that. */
static void test_largest(void **state)
{
    const size_t n = options.quick ? 2000 : is_slow(*state) ? 22223 : (1 << 16) + 3;
    check_distributions(*state, n, 2, options.quick ? UNIFORM : SMALL);
}

static void test_equal_points(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(free_input) known_input input = make_input(t, context, options.quick ? 100 : 5000);
    for (size_t i = 1; i < input.n; i++) {
        memcpy(input.points + i * t->info->point_bytes, input.points, t->info->point_bytes);
        memcpy(input.logarithms + i * t->info->scalar_bytes, input.logarithms, t->info->scalar_bytes);
    }
    fill_scalars(&input, UNIFORM);
    check_input(context, &input, "equal points");
    fill_scalars(&input, EQUAL);
    check_input(context, &input, "equal points and scalars");
    fill_scalars(&input, SPARSE);
    check_input(context, &input, "equal points, sparse scalars");
    check_plans(context, &input, 2);
}

/* P and -P lie next to each other or far apart. If their scalars are equal, every bucket cancels, and the sum is infinity. */
static void test_opposite_points(void **state)
{
    test_group *t = *state;
    const oracle *o = &t->oracle;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(free_input) known_input input = make_input(t, context, options.quick ? 100 : 4000);
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes, half = input.n / 2;
    AUTO_FREE uint8_t *infinity = calloc(1, point);
    assert_non_null(infinity);
    for (int apart = 0; apart < 2; apart++) {
        ORACLE_POINT(p);
        TEST_NUMBERS(d);
        for (size_t i = 0; i < half; i++) {
            const size_t from = apart ? i : 2 * i, to = apart ? input.n - 1 - i : 2 * i + 1;
            oracle_point_from_raw(o, &p, input.points + from * point);
            oracle_neg(o, &p, &p);
            oracle_point_to_raw(o, input.points + to * point, &p);
            oracle_scalar_from_raw(o, d, input.logarithms + from * scalar);
            mpz_sub(d, o->r, d);
            mpz_mod(d, d, o->r);
            oracle_scalar_to_raw(o, input.logarithms + to * scalar, d);
        }
        fill_scalars(&input, UNIFORM);
        check_input(context, &input, "opposite points");
        check_plans(context, &input, 2);
        fill_scalars(&input, EQUAL);
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, input.points, input.n, NULL);
        test_msm(context, bases, input.scalars, input.n, NULL, infinity, "opposite points that cancel");
    }
}

static void test_infinities(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(free_input) known_input input = make_input(t, context, options.quick ? 100 : 2000);
    for (size_t i = 0; i < input.n; i++) {
        if (i % 3 == 1 || i > input.n / 2) {
            memset(input.points + i * t->info->point_bytes, 0, t->info->point_bytes);
            memset(input.logarithms + i * t->info->scalar_bytes, 0, t->info->scalar_bytes);
        }
    }
    fill_scalars(&input, MIXED);
    check_input(context, &input, "many infinities");
    check_plans(context, &input, 5);
    memset(input.points, 0, input.n * t->info->point_bytes);
    memset(input.logarithms, 0, input.n * t->info->scalar_bytes);
    check_input(context, &input, "nothing but infinity");
}

/* A batch, multiples, chunks and a memory limit are combined, at a size where each of them matters. */
static void test_everything_at_once(void **state)
{
    test_group *t = *state;
    sumac_context *context = test_context(2, 0);
    CLEANUP(free_input) known_input input = make_input(t, context, options.quick ? 120 : 1500);
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    enum { BATCH = 5 };
    const known_input part = {t, input.n / BATCH, NULL, NULL, NULL};
    AUTO_FREE uint8_t *expected = test_alloc(BATCH * point);
    fill_scalars(&input, MIXED);
    for (size_t j = 0; j < BATCH; j++) {
        known_input one = part;
        one.points = input.points + j * part.n * point;
        one.logarithms = input.logarithms + j * part.n * scalar;
        one.scalars = input.scalars + j * part.n * scalar;
        expected_answer(&one, expected + j * point);
    }
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = 3;
    sumac_msm_config config = {.size = sizeof config};
    config.batch = BATCH;
    config.base_sets = BATCH;
    test_plan plan = {0};
    TEST_OK(context, test_plan_create(context, t->group, part.n, &bases_config, &config, &plan));
    sumac_context_destroy(context);
    int was_refused = 0;
    for (uint64_t limit = test_plan_bytes(&plan, "workspace"); limit > 0; limit /= 2) {
        context = test_context(2, limit);
        test_plan smaller = {0};
        const sumac_status status =
            test_plan_create(context, t->group, part.n, &bases_config, &config, &smaller);
        was_refused |= status != SUMAC_OK;
        if (status != SUMAC_OK) {
            test_status(context, status, SUMAC_MEMORY_LIMIT, "a plan within a limit");
        } else {
            assert_true(test_plan_bytes(&smaller, "workspace") <= limit);
            CLEANUP(destroy_bases)
            sumac_bases *bases = test_bases(context, t, input.points, BATCH * part.n, &bases_config);
            test_msm(context, bases, input.scalars, part.n, &config, expected, "a batch in little memory");
        }
        sumac_context_destroy(context);
    }
    assert_true(was_refused);
}

static const test_entry entries[] = {
    {"known bases", test_known_bases, TEST_EVERY_AND_TINY},
    {"distributions, small", test_distributions_1024, TEST_EVERY_AND_TINY},
    {"distributions, 2^14", test_distributions_16384, TEST_EVERY_GROUP},
    {"distributions, largest", test_largest, TEST_EVERY_GROUP},
    {"equal points", test_equal_points, TEST_EVERY_AND_TINY},
    {"opposite points", test_opposite_points, TEST_EVERY_AND_TINY},
    {"infinities", test_infinities, TEST_EVERY_AND_TINY},
    {"everything at once", test_everything_at_once, TEST_SOME_GROUPS},
};
TEST_MAIN("large", entries)

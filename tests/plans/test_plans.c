/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The context's named plans: all give the same bits, whatever the points, the scalars, the window and the
 * memory. Expected results follow from discrete logarithms, by GMP, and over a group of 11 points from a
 * table of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

/* A call that the plan can't honour, for which there is a sentence with its name; else it has to be had.
 * Groups of bases are for one bit; digits with both signs without r - k are a bit more, for which multiples
 * may not be made; r - k needs bases of order r. */
static int is_refused(sumac_context *context, const sumac_bases *bases, size_t n,
                      const sumac_msm_config *config, int outside)
{
    const int may_be = (strcmp(config->tuning->plan, "baseline") == 0 && config->c > 1) ||
                       strcmp(config->tuning->plan, "mikevoronov") == 0 ||
                       (strcmp(config->tuning->plan, "yrrid") == 0 && outside);
    test_plan plan = {0};
    if (!may_be || test_msm_plan(context, bases, n, config, &plan) == SUMAC_OK) {
        return 0;
    }
    if (strstr(sumac_context_message(context), config->tuning->plan) == NULL) {
        test_abort("%s: \"%s\"", config->tuning->plan, sumac_context_message(context));
    }
    return 1;
}

/* ---- Over a group of 11 points ---- */

enum { ORDER = 11 };

/* All pairs of points with all pairs of scalars, under every plan, window and number of multiples. */
static void test_every_pair(void **state)
{
    const test_curve *t = *state;
    const size_t point = t->info->point_bytes;
    const uint32_t batch = ORDER * ORDER * ORDER * ORDER;
    AUTO_FREE uint8_t *multiples = test_alloc(ORDER * point), *points = test_alloc(2 * batch * point);
    AUTO_FREE uint8_t *expected = test_alloc(batch * point);
    AUTO_FREE uint64_t *scalars = test_alloc(2 * batch * sizeof *scalars);
    oracle_point sum;
    oracle_point_init(&sum);
    for (size_t k = 0; k < ORDER; k++) {
        oracle_point_to_raw(&t->oracle, multiples + k * point, &sum);
        oracle_add(&t->oracle, &sum, &sum, &t->oracle.generator);
    }
    oracle_point_clear(&sum);
    for (uint32_t i = 0; i < batch; i++) {
        const uint32_t a = i % 11, b = i / 11 % 11, k = i / 121 % 11, l = i / 1331;
        memcpy(points + 2 * i * point, multiples + a * point, point);
        memcpy(points + (2 * i + 1) * point, multiples + b * point, point);
        scalars[2 * i] = k;
        scalars[2 * i + 1] = l + ORDER * (i % 3); /* modulo the order */
        memcpy(expected + i * point, multiples + (a * k + b * l) % ORDER * point, point);
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    const char *name;
    for (uint32_t c = 1; c <= (options.quick ? 2 : 3); c++) {
        sumac_bases_config bases_config = sumac_bases_config_default();
        bases_config.precompute_factor = 1 + c % 2;
        bases_config.c = c;
        CLEANUP(destroy_bases)
        sumac_bases *bases = test_bases(context, t, points, 2 * (size_t)batch, &bases_config);
        for (size_t i = 0; (name = sumac_context_plan_name(context, i)) != NULL; i++) {
            sumac_tuning tuning;
            sumac_msm_config config = test_tuned(&tuning);
            tuning.plan = name;
            config.c = c;
            config.batch = batch;
            config.separate_bases = 1;
            tuning.chunks = 1 + c % 2;
            if (!is_refused(context, bases, 2, &config, 0)) {
                test_msm(context, bases, scalars, 2, &config, expected, name);
            }
        }
    }
}

/* ---- Over every curve ---- */

typedef struct plan_sum {
    test_curve *t;
    size_t n;
    uint8_t *points;
    uint8_t *logarithms;
    uint8_t *scalars;
    uint8_t *expected;
} plan_sum;

/* Random points; with every fifth one a copy of one before, the opposite of it, or infinity, in turn. */
static void make_points(plan_sum *s)
{
    const size_t point = s->t->info->point_bytes, scalar = s->t->info->scalar_bytes;
    ORACLE_POINT(p);
    TEST_NUMBERS(k);
    test_random_points(s->t, s->points, s->logarithms, s->n);
    for (size_t i = 4; i < s->n; i += 5) {
        memcpy(s->points + i * point, s->points + (i - 3) * point, point);
        memcpy(s->logarithms + i * scalar, s->logarithms + (i - 3) * scalar, scalar);
        if (i % 3 == 1) {
            oracle_point_from_raw(&s->t->oracle, &p, s->points + i * point);
            oracle_neg(&s->t->oracle, &p, &p);
            oracle_point_to_raw(&s->t->oracle, s->points + i * point, &p);
            oracle_scalar_from_raw(&s->t->oracle, k, s->logarithms + i * scalar);
            mpz_sub(k, s->t->oracle.r, k);
            oracle_scalar_to_raw(&s->t->oracle, s->logarithms + i * scalar, k);
        } else if (i % 3 == 2) {
            memset(s->points + i * point, 0, point);
            memset(s->logarithms + i * scalar, 0, scalar);
        }
    }
}

typedef enum pattern {
    UNIFORM,
    ZEROS,
    ONES,
    EQUAL,
    LARGEST,   /* r - 1 */
    ALL_BITS,  /* the largest digit in every window but the last */
    ASCENDING, /* 0, 1, 2 .. */
    LONE,      /* one bit: bit i of scalar i, round and round */
    HEAVY,     /* nine of ten alike, so that buckets are far over the mean */
    PATTERNS
} pattern;

static const char *const pattern_names[PATTERNS] = {"uniform",  "zeros",     "ones", "equal", "largest",
                                                    "all bits", "ascending", "lone", "heavy"};

static void make_scalar(plan_sum *s, pattern p, size_t i, mpz_t k)
{
    const mp_bitcnt_t bits = mpz_sizeinbase(s->t->oracle.r, 2);
    mpz_set_ui(k, p == ONES);
    switch (p) {
    case UNIFORM:
        mpz_urandomm(k, s->t->random, s->t->oracle.r);
        break;
    case EQUAL:
        mpz_fdiv_q_ui(k, s->t->oracle.r, 3);
        break;
    case LARGEST:
        mpz_sub_ui(k, s->t->oracle.r, 1);
        break;
    case ALL_BITS:
        mpz_setbit(k, bits - 1);
        mpz_sub_ui(k, k, 1);
        break;
    case ASCENDING:
        mpz_set_ui(k, i);
        break;
    case LONE:
        mpz_setbit(k, i % (bits - 1));
        break;
    case HEAVY:
        mpz_urandomm(k, s->t->random, s->t->oracle.r);
        if (i % 10 != 0) {
            mpz_fdiv_q_ui(k, s->t->oracle.r, 7);
        }
        break;
    default:
        break;
    }
}

/* Scalars, and of the bases [first, first + n) what their sum is. */
static void make_patterned_scalars(plan_sum *s, pattern p)
{
    const size_t scalar = s->t->info->scalar_bytes;
    TEST_NUMBERS(k);
    for (size_t i = 0; i < s->n; i++) {
        make_scalar(s, p, i, k);
        mpz_mod(k, k, s->t->oracle.r);
        oracle_scalar_to_raw(&s->t->oracle, s->scalars + i * scalar, k);
    }
    oracle_known_msm(&s->t->oracle, s->expected, s->logarithms, s->scalars, s->n);
}

static plan_sum plan_sum_make(test_curve *t, size_t n)
{
    plan_sum s = {t,
                  n,
                  test_alloc(n * t->info->point_bytes),
                  test_alloc(n * t->info->scalar_bytes),
                  test_alloc(n * t->info->scalar_bytes),
                  test_alloc(t->info->point_bytes)};
    make_points(&s);
    return s;
}

static void plan_sum_free(plan_sum *s)
{
    free(s->points);
    free(s->logarithms);
    free(s->scalars);
    free(s->expected);
}

/* All plans of a context, with the window that the planner chooses, and with every third pattern others. */
static void run_plans(const plan_sum *s, sumac_context *context, const sumac_bases *bases, uint32_t chunks,
                      int outside, pattern p)
{
    static const uint32_t windows[] = {0, 2, 7};
    const char *name;
    for (size_t i = 1; (name = sumac_context_plan_name(context, i)) != NULL; i++) {
        for (size_t w = 0; w < (p % 3 == 2 ? sizeof windows / sizeof *windows : 1); w++) {
            char text[128];
            sumac_tuning tuning;
            sumac_msm_config config = test_tuned(&tuning);
            tuning.plan = name;
            config.c = windows[w];
            tuning.chunks = chunks;
            tuning.large_bucket_factor = w == 2 ? 2 : 0;
            snprintf(text, sizeof text, "%s, %s scalars", name, pattern_names[p]);
            if (!is_refused(context, bases, s->n, &config, outside)) {
                test_msm(context, bases, s->scalars, s->n, &config, s->expected, text);
            }
        }
    }
}

static void test_scalars(void **state)
{
    static const struct {
        size_t n;
        uint32_t threads;
        uint64_t memory_limit;
        uint32_t chunks;
        int outside; /* nothing is known of the bases' order */
    } shapes[] = {{1, 1, 0, 0, 0}, {60, 2, 0, 0, 1}, {140, 3, 800000, 3, 0}, {2000, 1, 0, 2, 0}};
    const int on_cpu = strcmp(options.backend, "cpu") == 0; /* which is given less memory, and fewer bases */
    const size_t count = sizeof shapes / sizeof *shapes - (on_cpu ? 1 : 0);
    for (size_t i = options.quick ? 1 : 0; i < (options.quick ? 2 : count); i++) {
        CLEANUP(plan_sum_free) plan_sum s = plan_sum_make(*state, shapes[i].n);
        CLEANUP(destroy_context)
        sumac_context *context = test_context(shapes[i].threads, on_cpu ? shapes[i].memory_limit : 0);
        sumac_bases_config config = sumac_bases_config_default();
        config.outside_subgroup = (uint32_t)shapes[i].outside;
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, s.t, s.points, s.n, &config);
        for (pattern p = UNIFORM; p < PATTERNS; p++) {
            make_patterned_scalars(&s, p);
            run_plans(&s, context, bases, shapes[i].chunks, shapes[i].outside, p);
        }
    }
}

/* ---- What a plan does not go with, and what is told ---- */

static void refuse(sumac_context *context, const sumac_bases *bases, const sumac_msm_config *config,
                   const char *word)
{
    test_plan plan = {0};
    test_status(context, test_msm_plan(context, bases, sumac_bases_count(bases), config, &plan),
                SUMAC_UNKNOWN_PLAN, config->tuning->plan);
    if (strstr(sumac_context_message(context), word) == NULL ||
        strstr(sumac_context_message(context), config->tuning->plan) == NULL) {
        test_abort("%s: \"%s\" lacks %s", config->tuning->plan, sumac_context_message(context), word);
    }
}

static void test_refusals(void **state)
{
    CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, 20);
    if (strcmp(sumac_context_backend(m.context), "cpu") != 0) {
        test_sum_free(&m);
        skip();
    }
    sumac_tuning tuning;
    sumac_msm_config config = test_tuned(&tuning);
    sumac_bases_config digits = sumac_bases_config_default();
    digits.tables = SUMAC_TABLES_WINDOWS;
    digits.c = 2;
    CLEANUP(destroy_bases) sumac_bases *tables = test_bases(m.context, *state, m.points, m.n, &digits);
    tuning.plan = "baseline";
    refuse(m.context, tables, &config, "tables");
    config.c = 3;
    refuse(m.context, m.bases, &config, "window");
    config.c = 0;
    tuning.reduction = SUMAC_REDUCTION_HALVING;
    refuse(m.context, m.bases, &config, "reduction");
    tuning.plan = "sixblock";
    refuse(m.context, m.bases, &config, "reduction");
    tuning.reduction = SUMAC_REDUCTION_RUNNING_SUM;
    test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "sixblock, running sum");
    tuning.plan = "nobody's";
    refuse(m.context, m.bases, &config, "auto, baseline");
}

/* Every plan can be had, and every kind that one has is told about. */
static void test_words(void **state)
{
    const test_curve *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    const char *name, *stage;
    size_t count = 0;
    for (; (name = sumac_context_plan_name(context, count)) != NULL; count++) {
        sumac_tuning tuning;
        sumac_msm_config config = test_tuned(&tuning);
        test_plan plan = {0};
        tuning.plan = name;
        test_status(context, test_plan_create(context, t->curve, 1000, NULL, &config, &plan), SUMAC_OK, name);
        assert_string_equal(plan.name, name);
        assert_true(strlen(sumac_context_plan_about(context, name)) > 20);
        for (size_t i = 0; (stage = plan.stages[i]) != NULL; i++) {
            const char *about =
                sumac_context_kind_about(context, t->curve, stage, test_plan_kind(&plan, stage));
            assert_non_null(about);
            assert_true(strlen(about) > 10 && about[strlen(about) - 1] != '.');
        }
    }
    assert_true(count > 1);
    assert_string_equal(sumac_context_plan_name(context, 0), "auto");
    assert_null(sumac_context_plan_name(context, SIZE_MAX));
    assert_null(sumac_context_plan_name(NULL, 0));
    assert_null(sumac_context_plan_about(context, "nobody's"));
    assert_null(sumac_context_plan_about(context, NULL));
    assert_null(sumac_context_plan_about(NULL, "auto"));
    assert_null(sumac_context_kind_about(context, t->curve, "sort", "nobody's"));
    assert_null(sumac_context_kind_about(context, t->curve, "plan", "counting"));
    assert_null(sumac_context_kind_about(context, t->curve, NULL, "counting"));
    assert_null(sumac_context_kind_about(context, t->curve, "sort", NULL));
    assert_null(sumac_context_kind_about(context, NULL, "sort", "counting"));
    assert_null(sumac_context_kind_about(NULL, t->curve, "sort", "counting"));
}

static const test_entry entries[] = {
    {"every pair", test_every_pair, TEST_TINY},
    {"all kinds of scalars", test_scalars, TEST_SOME_AND_TINY},
    {"what a plan does not go with", test_refusals, TEST_EVERY_CURVE},
    {"words", test_words, TEST_EVERY_CURVE},
};
TEST_MAIN("plans", entries)

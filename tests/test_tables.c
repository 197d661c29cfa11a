/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Tables of digits: every point of a table, and sums by tables, against the oracle; their files; and what the
 * planner chooses. Engines on a device keep no such tables: there, every way to them is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "api/handles.h"
#include "support/harness.h"

enum { COUNT = 11, BATCH = 3 };

/* Bases with equal, opposite and infinite ones, and scalars with the extremes: of BATCH MSMs with bases of
 * their own. */
typedef struct small_input {
    uint8_t *points, *scalars, *shared, *separate; /* the last two: the answers */
} small_input;

static small_input make_input(test_curve *t)
{
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes, n = COUNT * BATCH;
    const small_input input = {test_alloc(n * point), test_alloc(n * scalar), test_alloc(BATCH * point),
                               test_alloc(BATCH * point)};
    oracle_point p;
    mpz_t k;
    mpz_init(k);
    oracle_point_init(&p);
    test_random_points(t, input.points, NULL, n);
    memset(input.points + 3 * point, 0, point);
    memcpy(input.points + 5 * point, input.points + 4 * point, point);
    oracle_point_from_raw(&t->oracle, &p, input.points + 4 * point);
    oracle_neg(&t->oracle, &p, &p);
    oracle_point_to_raw(&t->oracle, input.points + 6 * point, &p);
    test_random_scalars(t, input.scalars, n);
    memset(input.scalars, 0, scalar);
    mpz_sub_ui(k, t->oracle.r, 1);
    oracle_scalar_to_raw(&t->oracle, input.scalars + scalar, k);
    mpz_fdiv_q_2exp(k, t->oracle.r, 1);
    oracle_scalar_to_raw(&t->oracle, input.scalars + 2 * scalar, k);
    memset(input.scalars + 7 * scalar, 0xff, scalar); /* above r */
    memcpy(input.scalars + 5 * scalar, input.scalars + 4 * scalar, scalar);
    for (size_t j = 0; j < BATCH; j++) {
        oracle_msm(&t->oracle, input.shared + j * point, input.points, input.scalars + j * COUNT * scalar,
                   COUNT);
        oracle_msm(&t->oracle, input.separate + j * point, input.points + j * COUNT * point,
                   input.scalars + j * COUNT * scalar, COUNT);
    }
    oracle_point_clear(&p);
    mpz_clear(k);
    return input;
}

static void free_input(const small_input *input)
{
    free(input->points);
    free(input->scalars);
    free(input->shared);
    free(input->separate);
}

static int is_on_device(void)
{
    return strcmp(options.backend, "cpu") != 0;
}

static void skip_on_device(void)
{
    if (is_on_device()) {
        skip();
    }
}

static sumac_bases_config digits_config(uint32_t c)
{
    sumac_bases_config config = sumac_bases_config_default();
    config.tables = SUMAC_TABLES_DIGITS;
    config.c = c;
    config.table_limit = (uint64_t)1 << 30;
    return config;
}

static void test_every_point(void **state)
{
    skip_on_device();
    test_curve *t = *state;
    const small_input input = make_input(t);
    sumac_context *context = test_context(2, 0);
    const size_t affine = context_code(context, t->curve)->affine_bytes;
    oracle_point base, expected, seen;
    mpz_t k;
    mpz_init(k);
    oracle_point_init(&base);
    oracle_point_init(&expected);
    oracle_point_init(&seen);
    for (uint32_t c = 1; c <= 4; c++) {
        const sumac_bases_config config = digits_config(c);
        sumac_bases *bases = test_bases(context, t, input.points, COUNT, &config);
        const uint32_t digits = (uint32_t)1 << (c - 1);
        assert_int_equal(sumac_bases_tables(bases), SUMAC_TABLES_DIGITS);
        assert_int_equal(bases->shards[0].table.factor, sumac_bases_precompute_factor(bases) * digits);
        for (uint32_t multiple = 0; multiple < bases->shards[0].table.factor;
             multiple += 1 + bases->shards[0].table.factor / (options.quick ? 8 : 40)) {
            const size_t i = multiple % COUNT;
            mpz_set_ui(k, multiple % digits + 1);
            mpz_mul_2exp(k, k, multiple / digits * c);
            oracle_point_from_raw(&t->oracle, &base, input.points + i * t->info->point_bytes);
            oracle_mul(&t->oracle, &expected, k, &base);
            oracle_point_from_affine(&t->oracle, &seen,
                                     (const char *)bases->shards[0].table.points +
                                         (multiple * COUNT + i) * affine);
            if (!oracle_point_equal(&seen, &expected)) {
                test_abort("c = %u: multiple %u of base %zu", c, multiple, i);
            }
        }
        sumac_bases_destroy(bases);
    }
    oracle_point_clear(&base);
    oracle_point_clear(&expected);
    oracle_point_clear(&seen);
    mpz_clear(k);
    sumac_context_destroy(context);
    free_input(&input);
}

static void check_sums(test_curve *t, const small_input *input, uint32_t c, uint32_t threads, int outside)
{
    sumac_context *context = test_context(threads, 0);
    sumac_bases_config bases_config = digits_config(c);
    bases_config.outside_subgroup = outside;
    sumac_bases *bases = test_bases(context, t, input->points, (size_t)COUNT * BATCH, &bases_config);
    sumac_msm_config config = sumac_msm_config_default();
    char label[80];
    snprintf(label, sizeof label, "tables of digits, c = %u, %u threads, outside %d", c, threads, outside);
    config.batch = BATCH;
    config.chunks = 1 + c % 3;
    config.reduction = (sumac_reduction)(c % 3);
    test_msm(context, bases, input->scalars, COUNT, &config, input->shared, label);
    config.separate_bases = 1;
    test_msm(context, bases, input->scalars, COUNT, &config, input->separate, label);
    config.batch = 1;
    config.first = COUNT; /* the second MSM alone */
    test_msm(context, bases, input->scalars + COUNT * (size_t)t->info->scalar_bytes, COUNT, &config,
             input->separate + t->info->point_bytes, label);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
}

static void test_sums(void **state)
{
    skip_on_device();
    test_curve *t = *state;
    const small_input input = make_input(t);
    for (uint32_t c = 1; c <= (options.quick ? 3 : 7); c++) {
        check_sums(t, &input, c, 1 + c % 3, (int)(c / 2 % 2));
    }
    free_input(&input);
}

/* More entries than a task has, so that the sum is put together from the tasks' parts. */
static void test_many_entries(void **state)
{
    skip_on_device();
    test_curve *t = *state;
    const size_t n = options.quick ? 100 : 3000;
    sumac_context *context = test_context(3, 0);
    sumac_bases_config config = digits_config(2);
    sumac_bases *bases = NULL;
    uint8_t *logarithms = test_alloc(n * t->info->scalar_bytes),
            *scalars = test_alloc(n * t->info->scalar_bytes);
    uint8_t *expected = test_alloc(t->info->point_bytes);
    test_random_scalars(t, scalars, n);
    test_status(context, sumac_known_bases(context, t->curve, n, 5, &config, &bases), SUMAC_OK,
                "known bases");
    assert_int_equal(sumac_bases_tables(bases), SUMAC_TABLES_DIGITS);
    test_status(context, sumac_known_logarithms(context, t->curve, n, 5, logarithms), SUMAC_OK, "logarithms");
    test_status(context, sumac_known_answer(context, t->curve, scalars, logarithms, n, expected), SUMAC_OK,
                "answer");
    test_msm(context, bases, scalars, n, NULL, expected, "many entries");
    free(logarithms);
    free(scalars);
    free(expected);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
}

static void test_files(void **state)
{
    skip_on_device();
    test_curve *t = *state;
    const small_input input = make_input(t);
    sumac_context *context = test_context(2, 0);
    char path[64] = "/tmp/sumac-test-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    const sumac_bases_config config = digits_config(3);
    sumac_bases *saved = test_bases(context, t, input.points, COUNT, &config), *loaded = NULL;
    test_status(context, sumac_bases_save(context, saved, path), SUMAC_OK, "save");
    test_status(context, sumac_bases_load(context, t->curve, path, &loaded), SUMAC_OK, "load");
    assert_int_equal(sumac_bases_tables(loaded), SUMAC_TABLES_DIGITS);
    assert_int_equal(sumac_bases_bytes(loaded), sumac_bases_bytes(saved));
    test_msm(context, loaded, input.scalars, COUNT, NULL, input.shared, "a loaded table of digits");
    sumac_bases_destroy(loaded);
    sumac_bases_config wanted = config;
    test_status(context, sumac_bases_read(context, t->curve, path, NULL, &wanted, &loaded), SUMAC_OK, "read");
    sumac_bases_destroy(loaded);
    wanted.c = 4;
    test_status(context, sumac_bases_read(context, t->curve, path, NULL, &wanted, &loaded), SUMAC_MISMATCH,
                "another window");
    wanted = sumac_bases_config_default();
    wanted.precompute_factor = 2;
    test_status(context, sumac_bases_read(context, t->curve, path, NULL, &wanted, &loaded), SUMAC_MISMATCH,
                "multiples wanted");
    sumac_bases_destroy(saved);
    saved = test_bases(context, t, input.points, COUNT, NULL);
    test_status(context, sumac_bases_save(context, saved, path), SUMAC_OK, "save");
    test_status(context, sumac_bases_read(context, t->curve, path, NULL, &config, &loaded), SUMAC_MISMATCH,
                "digits wanted");
    assert_null(loaded);
    sumac_bases_destroy(saved);
    (void)unlink(path);
    sumac_context_destroy(context);
    free_input(&input);
}

/* AUTO is never predicted to be slower than what can be asked for by name, and keeps its limit. */
static void test_choices(void **state)
{
    skip_on_device();
    test_curve *t = *state;
    static const size_t sizes[] = {1, 4, 64, 1000};
    sumac_context *context = test_context(1, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int shift = 19; shift <= 25; shift += 3) {
            sumac_bases_config config = sumac_bases_config_default();
            sumac_plan plan = sumac_plan_default(), other = sumac_plan_default();
            config.tables = SUMAC_TABLES_AUTO;
            config.table_limit = (uint64_t)1 << shift;
            test_status(context, sumac_plan_query(context, t->curve, sizes[i], &config, NULL, &plan),
                        SUMAC_OK, "auto");
            assert_true(sumac_plan_bytes(&plan, "bases") <= config.table_limit);
            config.tables = SUMAC_TABLES_DIGITS;
            if (sumac_plan_query(context, t->curve, sizes[i], &config, NULL, &other) == SUMAC_OK) {
                assert_true(sumac_plan_bytes(&other, "bases") <= config.table_limit);
                assert_true(plan.milliseconds <= other.milliseconds);
                assert_int_equal(other.table_digits, (uint64_t)1 << (other.c - 1));
                assert_int_equal(other.buckets, 1);
                assert_int_equal(sumac_plan_bytes(&other, "bases"),
                                 sizes[i] * other.windows * other.table_digits *
                                     context_code(context, t->curve)->affine_bytes);
            }
            config = sumac_bases_config_default();
            test_status(context, sumac_plan_query(context, t->curve, sizes[i], &config, NULL, &other),
                        SUMAC_OK, "no multiples");
            assert_true(plan.milliseconds <= other.milliseconds);
        }
    }
    sumac_context_destroy(context);
}

static void test_refusals(void **state)
{
    skip_on_device();
    test_curve *t = *state;
    const small_input input = make_input(t);
    sumac_context *context = test_context(1, 0);
    sumac_bases *bases = NULL;
    sumac_bases_config config = digits_config(0);
    config.table_limit = 100;
    test_status(context, sumac_bases_create(context, t->curve, input.points, COUNT, &config, &bases),
                SUMAC_NOT_SUPPORTED, "a small limit");
    assert_non_null(strstr(sumac_context_message(context), "table_limit"));
    config.precompute_factor = 2;
    test_status(context, sumac_bases_create(context, t->curve, input.points, COUNT, &config, &bases),
                SUMAC_BAD_ARGUMENT, "a factor and digits");
    config = sumac_bases_config_default();
    config.tables = (sumac_tables)3;
    test_status(context, sumac_bases_create(context, t->curve, input.points, COUNT, &config, &bases),
                SUMAC_BAD_ARGUMENT, "no such tables");
    config = digits_config(3);
    config.scalar_bits = 2;
    bases = test_bases(context, t, input.points, COUNT, &config);
    uint8_t *result = test_alloc(t->info->point_bytes);
    test_status(context, sumac_msm(context, bases, input.scalars, COUNT, NULL, result), SUMAC_BAD_ARGUMENT,
                "tables for 2 bits, full scalars");
    free(result);
    sumac_bases_destroy(bases);
    sumac_bases *none = NULL;
    config = digits_config(0);
    uint8_t *infinity = calloc(1, t->info->point_bytes);
    assert_non_null(infinity);
    none = test_bases(context, t, NULL, 0, &config);
    test_msm(context, none, NULL, 0, NULL, infinity, "no bases");
    free(infinity);
    sumac_bases_destroy(none);
    sumac_context_destroy(context);
    free_input(&input);
}

/* A sentence that names the backend, nothing in `bases`, and afterwards the context works. */
static void expect_refused(const sumac_context *context, sumac_status status, const sumac_bases *bases,
                           const char *label)
{
    test_status(context, status, SUMAC_NOT_SUPPORTED, label);
    if (bases != NULL || strstr(sumac_context_message(context), options.backend) == NULL) {
        test_abort("%s: bases %p, message \"%s\"", label, (const void *)bases,
                   sumac_context_message(context));
    }
}

static void test_refused_on_device(void **state)
{
    test_curve *t = *state;
    if (!is_on_device()) {
        skip();
    }
    const small_input input = make_input(t);
    sumac_context *context = test_context(1, 0), *cpu = NULL;
    static const sumac_tables kinds[] = {SUMAC_TABLES_DIGITS, SUMAC_TABLES_AUTO};
    sumac_bases *bases = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        sumac_bases_config config = digits_config(0);
        sumac_plan plan = sumac_plan_default();
        config.tables = kinds[i];
        expect_refused(context, sumac_bases_create(context, t->curve, input.points, COUNT, &config, &bases),
                       bases, "create");
        expect_refused(context, sumac_known_bases(context, t->curve, COUNT, 5, &config, &bases), bases,
                       "known bases");
        expect_refused(context, sumac_plan_query(context, t->curve, COUNT, &config, NULL, &plan), bases,
                       "plan");
    }
    /* A file of them that the CPU wrote. */
    sumac_context_config cpu_config = sumac_context_config_default();
    cpu_config.backend = "cpu";
    assert_int_equal(sumac_context_create(&cpu_config, &cpu), SUMAC_OK);
    char path[64] = "/tmp/sumac-test-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    const sumac_bases_config config = digits_config(3);
    bases = test_bases(cpu, t, input.points, COUNT, &config);
    test_status(cpu, sumac_bases_save(cpu, bases, path), SUMAC_OK, "save");
    sumac_bases_destroy(bases);
    bases = NULL;
    expect_refused(context, sumac_bases_load(context, t->curve, path, &bases), bases, "load");
    (void)unlink(path);
    bases = test_bases(context, t, input.points, COUNT, NULL);
    test_msm(context, bases, input.scalars, COUNT, NULL, input.shared, "after refusals");
    sumac_bases_destroy(bases);
    sumac_context_destroy(cpu);
    sumac_context_destroy(context);
    free_input(&input);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"every point", test_every_point, TEST_EVERY_AND_TINY},
        {"sums", test_sums, TEST_EVERY_AND_TINY},
        {"many entries", test_many_entries, TEST_EVERY_CURVE},
        {"files", test_files, TEST_EVERY_CURVE},
        {"choices", test_choices, TEST_EVERY_CURVE},
        {"refusals", test_refusals, TEST_EVERY_CURVE},
        {"refused on a device", test_refused_on_device, TEST_EVERY_CURVE},
    };
    return test_main("tables", entries, sizeof entries / sizeof *entries, argc, argv);
}

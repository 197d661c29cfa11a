/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares every point of window tables, and sums by tables, with the oracle. Other tests are about tables'
 * files and the planner's choices.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "cpu/engine.h"
#include "math/window_table_steps.h"
#include "support/device.h"
#include "support/harness.h"

enum { COUNT = 11, BATCH = 3 };

/* These are BATCH MSMs with separate bases, some of which are equal, opposite or infinite. Their scalars include the
 * extremes. */
typedef struct small_input {
    uint8_t *points, *scalars, *shared,
        *separate; /* the last two are answers, for shared and for separate bases */
} small_input;

static small_input make_input(test_group *t)
{
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes, n = COUNT * BATCH;
    const small_input input = {test_alloc(n * point), test_alloc(n * scalar), test_alloc(BATCH * point),
                               test_alloc(BATCH * point)};
    ORACLE_POINT(p);
    TEST_NUMBERS(k);
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
    return input;
}

static void free_input(const small_input *input)
{
    free(input->points);
    free(input->scalars);
    free(input->shared);
    free(input->separate);
}

static sumac_bases_config digits_config(uint32_t c)
{
    sumac_bases_config config = {.size = sizeof config};
    config.tables = SUMAC_TABLES_WINDOWS;
    config.tuning = test_tuning("c=%u", c);
    config.table_bytes = (uint64_t)1 << 30;
    return config;
}

static void test_every_point(void **state)
{
    if (options.device_count > 0) {
        skip(); /* the test reads the only table */
    }
    test_group *t = *state;
    CLEANUP(free_input) const small_input input = make_input(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE void *point = test_alloc(context_code(context, t->group)->affine_bytes);
    ORACLE_POINT(base);
    ORACLE_POINT(expected);
    ORACLE_POINT(seen);
    TEST_NUMBERS(k);
    for (uint32_t c = 1; c <= 4; c++) {
        const sumac_bases_config config = digits_config(c);
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, input.points, COUNT, &config);
        const uint32_t digits = (uint32_t)1 << (c - 1);
        assert_int_equal(info_of(bases).tables, SUMAC_TABLES_WINDOWS);
        assert_int_equal(bases->shards[0].table.factor, info_of(bases).precompute_factor * digits);
        for (uint32_t multiple = 0; multiple < bases->shards[0].table.factor;
             multiple += 1 + bases->shards[0].table.factor / (options.quick ? 8 : 40)) {
            const size_t i = multiple % COUNT;
            mpz_set_ui(k, multiple % digits + 1);
            mpz_mul_2exp(k, k, multiple / digits * c);
            oracle_point_from_raw(&t->oracle, &base, input.points + i * t->info->point_bytes);
            oracle_mul(&t->oracle, &expected, k, &base);
            TEST_OK(context, bases_copy(context, bases, (uint64_t)multiple * COUNT + i, 1, point));
            oracle_point_from_affine(&t->oracle, &seen, point);
            if (!oracle_point_equal(&seen, &expected)) {
                test_abort("c = %u: multiple %u of base %zu", c, multiple, i);
            }
        }
    }
}

/* Imitate the steps by which a device makes tables. `multiples` has each point's multiple, or 0 if it is not computed
 * yet. In the end every window of the slice's bases must have each digit once, and nothing else may be changed. */
static void run_steps(uint64_t count, uint32_t windows, uint32_t c, uint64_t first, uint32_t n)
{
    digit_step step = {count, first, n, windows, (uint32_t)1 << (c - 1), 0};
    const uint64_t points = count * windows * step.digits;
    AUTO_FREE uint32_t *multiples = calloc(points, sizeof *multiples);
    assert_non_null(multiples);
    for (uint64_t window = 0; window < windows; window++) {
        for (uint64_t i = first; i < first + n; i++) {
            multiples[window * step.digits * count + i] = 1;
        }
    }
    for (; step.known_bits < c - 1; step.known_bits++) {
        for (uint32_t k = 0; k < n * windows << step.known_bits; k++) {
            const digit_addition addition = digit_step_addition(&step, k);
            const uint64_t window = addition.sum / count / step.digits;
            assert_true(addition.left < points && addition.right < points && addition.sum < points);
            assert_int_equal(addition.left / count / step.digits, window);
            assert_int_equal(addition.right / count / step.digits, window);
            assert_int_equal(addition.left % count, addition.sum % count);
            assert_int_equal(addition.right % count, addition.sum % count);
            const uint32_t left = multiples[addition.left], right = multiples[addition.right];
            assert_int_equal(multiples[addition.sum], 0);
            /* A step must not read what it writes. */
            assert_in_range(left, 1, 1u << step.known_bits);
            assert_in_range(right, 1, 1u << step.known_bits);
            multiples[addition.sum] = left + right;
        }
    }
    for (uint64_t i = 0; i < points; i++) {
        const uint64_t base = i % count;
        const int is_made = base >= first && base < first + n;
        assert_int_equal(multiples[i], is_made ? i / count % step.digits + 1 : 0);
    }
}

static void test_steps(void)
{
    for (uint32_t c = 1; c <= 7; c++) {
        run_steps(1, 1, c, 0, 1);
        run_steps(40, 3, c, 0, 40);
        run_steps(41, 255, c, 7, 1 + c);
        run_steps(5, 64, c, 4, 1);
    }
}

static void check_sums(test_group *t, const small_input *input, uint32_t c, uint32_t threads, int outside)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(threads, 0);
    sumac_bases_config bases_config = digits_config(c);
    bases_config.outside_subgroup = (uint32_t)outside;
    CLEANUP(destroy_bases)
    sumac_bases *bases = test_bases(context, t, input->points, (size_t)COUNT * BATCH, &bases_config);
    sumac_msm_config config = {.size = sizeof config};
    char label[80];
    snprintf(label, sizeof label, "window tables, c = %u, %u threads, outside %d", c, threads, outside);
    config.batch = BATCH;
    config.tuning = test_tuning("chunks=%u,reduction=%s", 1 + c % 3, test_reductions[c % 3]);
    test_msm(context, bases, input->scalars, COUNT, &config, input->shared, label);
    config.base_sets = BATCH;
    test_msm(context, bases, input->scalars, COUNT, &config, input->separate, label);
    config.batch = 1;
    config.first = COUNT; /* only the second MSM */
    test_msm(context, bases, input->scalars + COUNT * (size_t)t->info->scalar_bytes, COUNT, &config,
             input->separate + t->info->point_bytes, label);
}

static void test_sums(void **state)
{
    test_group *t = *state;
    CLEANUP(free_input) const small_input input = make_input(t);
    for (uint32_t c = 1; c <= (options.quick ? 3 : 7); c++) {
        check_sums(t, &input, c, 1 + c % 3, (int)(c / 2 % 2));
    }
}

/* There are more entries than one task adds, so that the sum is made of the tasks' parts. On a device one block of the
 * lookup does not handle all of them, and neither does one block of the kernel that makes tables. */
static void test_many_entries(void **state)
{
    test_group *t = *state;
    const size_t n = options.quick ? 100 : 3000;
    CLEANUP(destroy_context) sumac_context *context = test_context(3, 0);
    sumac_bases_config config = digits_config(2);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *logarithms = test_alloc(n * t->info->scalar_bytes),
                      *scalars = test_alloc(n * t->info->scalar_bytes);
    AUTO_FREE uint8_t *expected = test_alloc(t->info->point_bytes);
    test_random_scalars(t, scalars, n);
    TEST_OK(context, sumac_known_bases_create(context, t->group, n, 5, &config, &bases));
    assert_int_equal(info_of(bases).tables, SUMAC_TABLES_WINDOWS);
    TEST_OK(context, test_known_logarithms(context, t->group, n, 5, logarithms));
    TEST_OK(context, test_known_answer(context, t->group, scalars, logarithms, n, expected));
    test_msm(context, bases, scalars, n, NULL, expected, "many entries");
}

/* Many MSMs use sets of bases in turn, as proofs of cells do. They fit in any memory. On a device they take several
 * passes with one or two in flight, and can be copied in slices. */
static void test_many_sums(void **state)
{
    enum { BASES = 8, SETS = 5 };
    test_group *t = *state;
    const uint32_t batch = options.quick ? 40 : 600;
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes, n = BASES * (size_t)batch;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    const int on_cpu = strcmp(test_describe(context).backend, "cpu") == 0;
    const sumac_bases_config bases_config = digits_config(5);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *logarithms = test_alloc(BASES * SETS * scalar), *scalars = test_alloc(n * scalar);
    AUTO_FREE uint8_t *expected = test_alloc(batch * point);
    test_random_scalars(t, scalars, n);
    memset(scalars + BASES * scalar, 0, BASES * scalar); /* the second MSM's result is infinity */
    TEST_OK(context, sumac_known_bases_create(context, t->group, BASES * SETS, 7, &bases_config, &bases));
    TEST_OK(context, test_known_logarithms(context, t->group, BASES * SETS, 7, logarithms));
    for (uint32_t i = 0; i < batch; i++) {
        TEST_OK(context,
                test_known_answer(context, t->group, scalars + i * BASES * scalar,
                                  logarithms + i % SETS * BASES * scalar, BASES, expected + i * point));
    }
    sumac_msm_config config = {.size = sizeof config};
    test_plan plan = {0};
    config.batch = batch;
    config.base_sets = SETS;
    TEST_OK(context, test_msm_plan(context, bases, BASES, &config, &plan));
    assert_string_equal(test_plan_kind(&plan, "sort"), "lookup");
    for (uint32_t part = 1; part <= 9; part *= 3) {
        test_plan limited = {0};
        context->executors.at->means.memory_limit =
            part == 1 ? 0 : test_plan_bytes(&plan, "workspace") / part;
        config.tuning = NULL;
        if (part > 1 && test_msm_plan(context, bases, BASES, &config, &limited) == SUMAC_MEMORY_LIMIT) {
            break; /* not even one sum's arrays fit */
        }
        for (uint32_t copy_slices = 1; copy_slices <= (on_cpu ? 1 : 2); copy_slices++) {
            config.tuning = test_tuning("copy_slices=%u", copy_slices);
            test_msm(context, bases, scalars, BASES, &config, expected, "many sums");
        }
    }
}

/* All backends write the same file, so that the CPU can load it. */
static void check_on_cpu(test_group *t, const small_input *input, const char *path)
{
    sumac_context_config config = {.size = sizeof config};
    CLEANUP(destroy_context) sumac_context *cpu = NULL;
    CLEANUP(destroy_bases) sumac_bases *loaded = NULL;
    config.backend = "cpu";
    assert_int_equal(sumac_context_create(&config, &cpu, NULL), SUMAC_OK);
    TEST_OK(cpu, open_trusted(cpu, t->group, path, &loaded));
    assert_int_equal(info_of(loaded).tables, SUMAC_TABLES_WINDOWS);
    test_msm(cpu, loaded, input->scalars, COUNT, NULL, input->shared, "a window table, on the CPU");
}

static void test_files(void **state)
{
    test_group *t = *state;
    CLEANUP(free_input) const small_input input = make_input(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    char path[64] = "/tmp/sumac-test-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    const sumac_bases_config config = digits_config(3);
    sumac_bases *saved = test_bases(context, t, input.points, COUNT, &config), *loaded = NULL;
    TEST_OK(context, sumac_bases_save(context, saved, path, NULL));
    TEST_OK(context, open_trusted(context, t->group, path, &loaded));
    assert_int_equal(info_of(loaded).tables, SUMAC_TABLES_WINDOWS);
    assert_int_equal(info_of(loaded).bytes, info_of(saved).bytes);
    test_msm(context, loaded, input.scalars, COUNT, NULL, input.shared, "a loaded window table");
    sumac_bases_destroy(loaded);
    check_on_cpu(t, &input, path);
    sumac_bases_config wanted = config;
    TEST_OK(context, sumac_bases_open(context, t->group, path, NULL, 0, SUMAC_ALL, &wanted, &loaded));
    sumac_bases_destroy(loaded);
    wanted.tuning = "c=4";
    test_status(context, sumac_bases_open(context, t->group, path, NULL, 0, SUMAC_ALL, &wanted, &loaded),
                SUMAC_MISMATCH, "another window");
    wanted = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    wanted.precompute_factor = 2;
    test_status(context, sumac_bases_open(context, t->group, path, NULL, 0, SUMAC_ALL, &wanted, &loaded),
                SUMAC_MISMATCH, "multiples wanted");
    sumac_bases_destroy(saved);
    saved = test_bases(context, t, input.points, COUNT, NULL);
    TEST_OK(context, sumac_bases_save(context, saved, path, NULL));
    test_status(context, sumac_bases_open(context, t->group, path, NULL, 0, SUMAC_ALL, &config, &loaded),
                SUMAC_MISMATCH, "digits wanted");
    assert_null(loaded);
    sumac_bases_destroy(saved);
    (void)unlink(path);
}

/* AUTO is never predicted to be slower than the other tables, and it keeps to its limit. */
static void test_choices(void **state)
{
    if (options.device_count > 0) {
        skip(); /* the devices have their own plans for parts */
    }
    test_group *t = *state;
    static const size_t sizes[] = {1, 4, 64, 1000};
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int shift = 19; shift <= 25; shift += 3) {
            sumac_bases_config config = {.size = sizeof config};
            test_plan plan = {0}, other = {0};
            config.tables = SUMAC_TABLES_AUTO;
            config.table_bytes = (uint64_t)1 << shift;
            TEST_OK(context, test_plan_create(context, t->group, sizes[i], &config, NULL, &plan));
            assert_true(test_plan_bytes(&plan, "bases") <= config.table_bytes);
            config.tables = SUMAC_TABLES_WINDOWS;
            if (test_plan_create(context, t->group, sizes[i], &config, NULL, &other) == SUMAC_OK) {
                assert_true(test_plan_bytes(&other, "bases") <= config.table_bytes);
                assert_true(plan.milliseconds <= other.milliseconds);
                assert_int_equal(other.table_digits, (uint64_t)1 << (other.c - 1));
                assert_int_equal(other.buckets, 1);
                assert_int_equal(test_plan_bytes(&other, "bases"),
                                 sizes[i] * other.windows * other.table_digits *
                                     context_code(context, t->group)->affine_bytes);
            }
            config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
            TEST_OK(context, test_plan_create(context, t->group, sizes[i], &config, NULL, &other));
            assert_true(plan.milliseconds <= other.milliseconds);
        }
    }
}

static void test_refusals(void **state)
{
    test_group *t = *state;
    CLEANUP(free_input) const small_input input = make_input(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    sumac_bases *bases = NULL;
    sumac_bases_config config = digits_config(0);
    config.table_bytes = 100;
    test_sentence(context, exact_create(context, t->group, input.points, COUNT, &config, &bases),
                  SUMAC_NOT_SUPPORTED, "table_bytes");
    config.precompute_factor = 2;
    TEST_BAD(context, exact_create(context, t->group, input.points, COUNT, &config, &bases));
    config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    config.tables = (sumac_tables)3;
    TEST_BAD(context, exact_create(context, t->group, input.points, COUNT, &config, &bases));
    config = digits_config(3);
    config.scalar_bits = 2;
    bases = test_bases(context, t, input.points, COUNT, &config);
    AUTO_FREE uint8_t *result = test_alloc(t->info->point_bytes);
    TEST_BAD(context, exact_msm(context, bases, input.scalars, COUNT, NULL, result));
    sumac_bases_destroy(bases);
    CLEANUP(destroy_bases) sumac_bases *none = NULL;
    config = digits_config(0);
    AUTO_FREE uint8_t *infinity = calloc(1, t->info->point_bytes);
    assert_non_null(infinity);
    none = test_bases(context, t, NULL, 0, &config);
    test_msm(context, none, NULL, 0, NULL, infinity, "no bases");
}

/* ---- A device with little memory ---- */

/* If a table would take more than 7/8 of the memory, a smaller one is made. Window tables get a smaller window, and
 * AUTO makes the fastest tables that fit, or none at all. Sums must be right. */
static void test_small_device(void **state)
{
    if (options.device_count > 0) {
        skip(); /* the test needs its own device */
    }
    test_group *t = *state;
    CLEANUP(free_input) const small_input input = make_input(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    const uint64_t plain = COUNT * (uint64_t)context_code(context, t->group)->affine_bytes;
    test_device device;
    if (context->executors.at->backend != &cpu_backend) {
        sumac_context_destroy(context);
        free_input(&input);
        skip();
    }
    device_install(&device, context, t->group);
    for (int automatic = 0; automatic < 2; automatic++) {
        uint64_t before = UINT64_MAX;
        sumac_status status = SUMAC_OK;
        for (device.free = (uint64_t)16 << 20; status == SUMAC_OK && device.free > plain; device.free /= 3) {
            sumac_bases_config config = digits_config(0);
            CLEANUP(destroy_bases) sumac_bases *bases = NULL;
            config.tables = automatic ? SUMAC_TABLES_AUTO : SUMAC_TABLES_WINDOWS;
            status = exact_create(context, t->group, input.points, COUNT, &config, &bases);
            assert_int_equal(status == SUMAC_OK, bases != NULL);
            if (status == SUMAC_OK) {
                assert_true(automatic || info_of(bases).tables == SUMAC_TABLES_WINDOWS);
                assert_true(info_of(bases).bytes <= device.free / 8 * 7 ||
                            info_of(bases).precompute_factor == 1);
                assert_true(info_of(bases).bytes <= before);
                before = info_of(bases).bytes;
                const uint64_t left = device.free;
                device.free = (uint64_t)1 << 30;            /* this is enough for the call */
                if (info_of(bases).precompute_factor > 1) { /* otherwise images would be needed */
                    test_msm(context, bases, input.scalars, COUNT, NULL, input.shared, "on a small device");
                }
                device.free = left;
            }
        }
        assert_int_equal(status, automatic ? SUMAC_OK : SUMAC_OUT_OF_MEMORY);
        assert_true(automatic || strstr(sumac_context_message(context), "no memory") != NULL);
    }
    device_remove(&device, context);
}

static const test_entry entries[] = {
    {"every point", test_every_point, TEST_EVERY_AND_TINY},
    {"sums", test_sums, TEST_EVERY_AND_TINY},
    {"many entries", test_many_entries, TEST_SOME_GROUPS},
    {"many sums", test_many_sums, TEST_SOME_GROUPS},
    {"files", test_files, TEST_EVERY_GROUP},
    {"choices", test_choices, TEST_EVERY_GROUP},
    {"refusals", test_refusals, TEST_EVERY_GROUP},
    {"steps", TEST_ONCE(test_steps)},
    {"a small device", test_small_device, TEST_SOME_GROUPS},
};
TEST_MAIN("tables", entries)

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares each result of many small MSMs in one call with the oracle. The MSMs have shared and separate
 * bases, bases that are equal, opposite or infinity, batches in several sub-batches and chunks, and all reductions. It
 * also tries all MSMs of two bases in a tiny group. A plan's memory must be in proportion to the inputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

typedef struct batch_shape {
    uint32_t n;
    uint32_t batch;
    uint32_t sets; /* number of sets of bases, which the MSMs use in turn; 1 to `batch` */
    uint32_t c;
    uint32_t factor;
    uint32_t threads;
    uint32_t fits; /* the memory limit is the workspace of so many MSMs; 0 means that there is no limit */
    uint32_t chunks;
    uint32_t reduction;
} batch_shape;

/* Make raw bases and their logarithms. Most are random, some are infinity, and some are equal or opposite to an earlier
 * one. */
static void make_bases(test_group *t, uint8_t *points, uint8_t *logarithms, size_t count)
{
    const size_t bytes = t->info->point_bytes, scalar = t->info->scalar_bytes;
    const size_t random = count < 16 ? count : 16;
    ORACLE_POINT(p);
    TEST_NUMBERS(d);
    test_random_points(t, points, logarithms, random);
    for (size_t i = 1; i < count; i++) {
        if (i >= random || i % 5 == 3) { /* a copy or the opposite of an earlier point */
            const size_t from = i % 5 == 3 ? i - 1 : i - random;
            oracle_point_from_raw(&t->oracle, &p, points + from * bytes);
            oracle_scalar_from_raw(&t->oracle, d, logarithms + from * scalar);
            if (i % 2 == 0) {
                oracle_neg(&t->oracle, &p, &p);
                mpz_neg(d, d);
                mpz_mod(d, d, t->oracle.r);
            }
            oracle_point_to_raw(&t->oracle, points + i * bytes, &p);
            oracle_scalar_to_raw(&t->oracle, logarithms + i * scalar, d);
        }
        if (i % 11 == 7) {
            memset(points + i * bytes, 0, bytes);
            memset(logarithms + i * scalar, 0, scalar);
        }
    }
}

/* Make random scalars, except that some MSMs have only 0, 1, 2 and r - 1. */
static void make_batch_scalars(test_group *t, uint8_t *scalars, const batch_shape *s)
{
    const size_t bytes = t->info->scalar_bytes;
    TEST_NUMBERS(k);
    test_random_scalars(t, scalars, (size_t)s->n * s->batch);
    for (uint32_t msm = 1; msm < s->batch; msm++) {
        for (uint32_t i = 0; i < s->n && msm % 4 == 2; i++) {
            mpz_set_ui(k, (msm / 4 + i) % 4);
            if (mpz_cmp_ui(k, 3) == 0) {
                mpz_sub_ui(k, t->oracle.r, 1);
            }
            oracle_scalar_to_raw(&t->oracle, scalars + ((size_t)msm * s->n + i) * bytes, k);
        }
    }
}

static void set_bases(const batch_shape *s, sumac_msm_config *config)
{
    config->base_sets = s->sets;
}

/* Return the workspace of the default plan for `batch` MSMs of the shape. */
static uint64_t workspace_of(test_group *t, const batch_shape *s, uint32_t batch)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(s->threads, 0);
    sumac_msm_config config = {.size = sizeof config};
    test_plan plan = {0};
    config.batch = batch;
    config.tuning = test_tuning("c=%u,reduction=%s", s->c, test_reductions[s->reduction]);
    set_bases(s, &config);
    TEST_OK(context, test_plan_create(context, t->group, s->n, NULL, &config, &plan));
    return test_plan_bytes(&plan, "workspace");
}

static void check_shape(test_group *t, const batch_shape *s)
{
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    const size_t count = (size_t)s->n * s->sets;
    char label[160];
    snprintf(label, sizeof label,
             "%s/%s n %u, batch %u, sets %u, c %u, f %u, threads %u, fits %u, chunks %u, reduction %d",
             t->info->curve, t->info->name, s->n, s->batch, s->sets, s->c, s->factor, s->threads, s->fits,
             s->chunks, (int)s->reduction);
    AUTO_FREE uint8_t *points = test_alloc(count * point), *logarithms = test_alloc(count * scalar);
    AUTO_FREE uint8_t *scalars = test_alloc((size_t)s->n * s->batch * scalar);
    AUTO_FREE uint8_t *expected = test_alloc(s->batch * point);
    make_bases(t, points, logarithms, count);
    make_batch_scalars(t, scalars, s);
    for (uint32_t msm = 0; msm < s->batch; msm++) {
        oracle_known_msm(&t->oracle, expected + msm * point, logarithms + msm % s->sets * s->n * scalar,
                         scalars + msm * s->n * scalar, s->n);
    }
    CLEANUP(destroy_context)
    sumac_context *context = test_context(s->threads, s->fits == 0 ? 0 : workspace_of(t, s, s->fits));
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = s->factor;
    bases_config.tuning = test_tuning("c=%u", s->factor > 1 ? s->c : 0);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, count, &bases_config);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = s->batch;
    config.tuning =
        test_tuning("c=%u,chunks=%u,reduction=%s", s->c, s->chunks, test_reductions[s->reduction]);
    set_bases(s, &config);
    if (s->fits != 0) {
        test_plan plan = {0};
        test_status(context, test_msm_plan(context, bases, s->n, &config, &plan), SUMAC_OK, label);
        /* On a device the workspace of a plan for fewer MSMs may suffice for all. */
        assert_true(plan.sub_batch < s->batch || strcmp(test_describe(context).backend, "cpu") != 0);
    }
    test_msm(context, bases, scalars, s->n, &config, expected, label);
}

static void test_results(void **state)
{
    static const batch_shape shapes[] = {
        /* The columns are n batch sets c factor threads fits chunks reduction. */
        {1, 1, 1, 0, 1, 1, 0, 0, REDUCTION_AUTO},        {1, 37, 37, 0, 1, 1, 0, 0, REDUCTION_AUTO},
        {2, 31, 1, 0, 1, 1, 0, 0, REDUCTION_AUTO},       {3, 17, 17, 4, 1, 2, 0, 0, REDUCTION_AUTO},
        {2, 53, 53, 3, 1, 1, 5, 0, REDUCTION_HALVING},   {5, 19, 1, 6, 1, 1, 3, 0, REDUCTION_HALVING},
        {5, 7, 1, 7, 1, 2, 2, 0, REDUCTION_HALVING},     {5, 7, 7, 8, 1, 1, 0, 2, REDUCTION_HALVING},
        {5, 5, 1, 5, 1, 2, 0, 3, REDUCTION_RUNNING_SUM}, {4, 18, 1, 4, 3, 1, 0, 0, REDUCTION_AUTO},
        {3, 23, 23, 6, 99, 3, 0, 0, REDUCTION_AUTO},     {11, 13, 1, 1, 1, 1, 4, 0, REDUCTION_AUTO},
        {16, 3, 3, 0, 1, 3, 0, 0, REDUCTION_AUTO},       {3, 17, 2, 0, 1, 1, 0, 0, REDUCTION_AUTO},
        {2, 41, 16, 4, 1, 2, 5, 0, REDUCTION_AUTO},      {5, 19, 7, 6, 99, 1, 0, 0, REDUCTION_HALVING},
        {4, 13, 12, 5, 1, 3, 2, 3, REDUCTION_AUTO},
    };
    const size_t count = sizeof shapes / sizeof shapes[0];
    for (size_t i = 0; i < count; i += options.quick ? 3 : 1) {
        check_shape(*state, &shapes[i]);
    }
}

/* For each pair of the generator and a multiple of it, all r*r pairs of scalars are tried. */
static void test_all_of_two(void **state)
{
    test_group *t = *state;
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    const unsigned long r = mpz_get_ui(t->oracle.r);
    const uint32_t batch = (uint32_t)(r * r);
    AUTO_FREE uint8_t *scalars = test_alloc(2 * batch * scalar);
    AUTO_FREE uint8_t *expected = test_alloc(batch * point);
    uint8_t points[2 * 256];
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    ORACLE_POINT(p);
    TEST_NUMBERS(k);
    for (uint32_t multiple = 0; multiple < r; multiple++) {
        mpz_set_ui(k, multiple);
        oracle_mul_generator(&t->oracle, &p, k);
        oracle_point_to_raw(&t->oracle, points, &t->oracle.generator);
        oracle_point_to_raw(&t->oracle, points + point, &p);
        for (uint32_t msm = 0; msm < batch; msm++) {
            mpz_set_ui(k, msm % r);
            oracle_scalar_to_raw(&t->oracle, scalars + 2 * msm * scalar, k);
            mpz_set_ui(k, msm / r);
            oracle_scalar_to_raw(&t->oracle, scalars + (2 * msm + 1) * scalar, k);
            mpz_set_ui(k, (msm % r + msm / r * multiple) % r);
            oracle_mul_generator(&t->oracle, &p, k);
            oracle_point_to_raw(&t->oracle, expected + msm * point, &p);
        }
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, 2, NULL);
        for (uint32_t c = 0; c < 4; c++) {
            sumac_msm_config config = {.size = sizeof config};
            config.batch = batch;
            config.tuning = test_tuning("c=%u", c);
            test_msm(context, bases, scalars, 2, &config, expected, "all scalars of two bases");
        }
    }
}

/* The workspace is at most the largest of three sizes: a third of the inputs, 64 MiB, and what the backend may always
 * use. The backend may always use 512 MiB on a GPU, and 20 MiB plus 4 MiB for each thread on the CPU. */
static void test_workspace(void **state)
{
    static const uint32_t all_threads[] = {1, 2, 16, 96};
    test_group *t = *state;
    for (size_t i = 0; i < sizeof all_threads / sizeof all_threads[0]; i++) {
        CLEANUP(destroy_context) sumac_context *context = test_context(all_threads[i], 0);
        const int on_host = strcmp(test_describe(context).backend, "cpu") == 0;
        const uint64_t in_mib = on_host ? 20 + 4 * (uint64_t)all_threads[i] : 512;
        const uint64_t floor = (in_mib > 64 ? in_mib : 64) << 20;
        for (uint32_t turn = 0; turn < 4; turn++) {
            for (uint64_t n = 1; n <= 4096; n = n < 8 ? n + 1 : n * 2 - n % 3) {
                for (uint64_t batch = 1; batch <= 1 << 20; batch = batch * 3 + batch % 5) {
                    sumac_bases_config bases = {.size = sizeof bases};
                    sumac_msm_config msm = {.size = sizeof msm};
                    test_plan plan = {0};
                    bases.precompute_factor = turn % 2 == 0 ? 1 : t->info->scalar_bits;
                    bases.typical_batch = (uint32_t)batch;
                    msm.batch = (uint32_t)batch;
                    msm.base_sets = turn / 2 == 1 ? msm.batch : 0;
                    bases.typical_n = n;
                    if (msm.base_sets != 0 && n * batch > 1 << 22) {
                        continue; /* there would be too many multiples to be numbered */
                    }
                    TEST_OK(context, test_plan_create(context, t->group, n, &bases, &msm, &plan));
                    const uint64_t third =
                        (test_plan_bytes(&plan, "bases") + test_plan_bytes(&plan, "scalars")) / 3;
                    const uint64_t bound = third > floor ? third : floor;
                    if (test_plan_bytes(&plan, "workspace") > bound) {
                        test_abort(
                            "%s/%s n %llu, batch %llu, threads %u, turn %u: %llu bytes of workspace for "
                            "%llu of inputs",
                            t->info->curve, t->info->name, (unsigned long long)n, (unsigned long long)batch,
                            all_threads[i], turn, (unsigned long long)test_plan_bytes(&plan, "workspace"),
                            (unsigned long long)(test_plan_bytes(&plan, "bases") +
                                                 test_plan_bytes(&plan, "scalars")));
                    }
                }
            }
        }
    }
}

/* A memory limit makes the engine split a batch into sub-batches. It makes a device use two in-flight passes. The batch
 * repeats a few MSMs that the oracle computes, in a changing order. */
static void test_sub_batches(void **state)
{
    enum { N = 24, KNOWN = 5, BATCH = 3000 };
    test_group *t = *state;
    const int on_host = strcmp(options.backend, "cpu") == 0;
    const uint32_t batch = on_host ? 150 : BATCH;
    const uint64_t least = (uint64_t)(on_host ? 1 : 4) << 20, most = on_host ? least : 16 * least;
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    AUTO_FREE uint8_t *points = test_alloc(N * point), *logarithms = test_alloc(N * scalar);
    AUTO_FREE uint8_t *known = test_alloc(KNOWN * N * scalar);
    AUTO_FREE uint8_t *sums = test_alloc(KNOWN * point);
    AUTO_FREE uint8_t *scalars = test_alloc(BATCH * N * scalar), *expected = test_alloc(BATCH * point);
    test_random_points(t, points, logarithms, N);
    test_random_scalars(t, known, KNOWN * N);
    for (size_t i = 0; i < KNOWN; i++) {
        oracle_known_msm(&t->oracle, sums + i * point, logarithms, known + i * N * scalar, N);
    }
    for (size_t msm = 0; msm < batch; msm++) {
        const size_t i = msm * msm % 7 % KNOWN;
        memcpy(scalars + msm * N * scalar, known + i * N * scalar, N * scalar);
        memcpy(expected + msm * point, sums + i * point, point);
    }
    uint32_t most_in_flight_passes = 1;
    for (uint64_t limit = least; limit <= most; limit *= 4) {
        CLEANUP(destroy_context) sumac_context *context = test_context(2, limit);
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, N, NULL);
        sumac_msm_config config = {.size = sizeof config};
        test_plan plan = {0};
        config.batch = batch;
        TEST_OK(context, test_msm_plan(context, bases, N, &config, &plan));
        assert_true(limit > least || plan.sub_batch < batch);
        most_in_flight_passes =
            plan.in_flight_passes > most_in_flight_passes ? plan.in_flight_passes : most_in_flight_passes;
        test_msm(context, bases, scalars, N, &config, expected, "several sub-batches");
        test_msm(context, bases, scalars, N, &config, expected, "several sub-batches, again");
    }
    /* Shards compute one MSM after another. */
    assert_true(most_in_flight_passes == 2 || on_host || options.shards);
}

static const test_entry entries[] = {
    {"sub_batches", test_sub_batches, TEST_SOME_GROUPS},
    {"results", test_results, TEST_EVERY_GROUP},
    {"all_of_two", test_all_of_two, TEST_TINY},
    {"workspace", test_workspace, TEST_SOME_GROUPS},
};
TEST_MAIN("batches", entries)

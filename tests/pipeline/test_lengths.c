/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares MSMs of different lengths in one call with GMP. They have shared and separate bases, empty MSMs
 * and narrow scalars, and are computed in sub-batches and in chunks. Other tests are about the runs into which a call
 * is divided, refused arguments, failing calls, which write no results, and progress.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"
#include "support/plan.h"

enum { MOST_BATCH = 75, FIRST = 3 };

typedef struct lengths {
    test_group *t;
    uint32_t batch;
    uint32_t bytes; /* bytes of a scalar */
    uint32_t is_signed;
    int separate;
    size_t longest;
    size_t bases; /* number of bases */
    uint64_t offsets[MOST_BATCH + 1];
    uint8_t *points, *logarithms;
    uint8_t *scalars, *whole; /* including those before offsets[0]; `whole` has them modulo r */
    uint8_t *expected;
} lengths;

/* Make bases and their logarithms by repeating a few points of the oracle. */
static void make_points(lengths *l)
{
    enum { KNOWN = 16 };
    const size_t point = l->t->info->point_bytes, scalar = l->t->info->scalar_bytes;
    l->points = test_alloc((l->bases + KNOWN) * point);
    l->logarithms = test_alloc((l->bases + KNOWN) * scalar);
    test_random_points(l->t, l->points, l->logarithms, KNOWN);
    for (size_t i = KNOWN; i < l->bases; i++) {
        const size_t from = i * i % 13;
        memcpy(l->points + i * point, l->points + from * point, point);
        memcpy(l->logarithms + i * scalar, l->logarithms + from * scalar, scalar);
    }
}

static void make_scalars(lengths *l)
{
    const size_t count = l->offsets[l->batch];
    const mp_bitcnt_t bits = 8 * (mp_bitcnt_t)l->bytes;
    TEST_NUMBERS(k);
    l->scalars = test_alloc(count * l->bytes);
    l->whole = test_alloc(count * l->t->info->scalar_bytes);
    test_random_bytes(l->t, l->scalars, count * l->bytes);
    for (size_t i = 0; i < count; i++) {
        mpz_import(k, l->bytes, -1, 1, -1, 0, l->scalars + i * l->bytes);
        if (l->is_signed && mpz_tstbit(k, bits - 1)) {
            TEST_NUMBERS(all);
            mpz_setbit(all, bits);
            mpz_sub(k, k, all);
        }
        mpz_mod(k, k, l->t->oracle.r);
        oracle_scalar_to_raw(&l->t->oracle, l->whole + i * l->t->info->scalar_bytes, k);
    }
}

/* Make MSMs of the given lengths, where the first offset is `before`. */
static lengths make_lengths(test_group *t, const uint32_t *given, uint32_t batch, uint32_t bytes,
                            uint32_t is_signed, int separate, uint64_t before)
{
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    lengths l = {.t = t, .batch = batch, .bytes = bytes, .is_signed = is_signed, .separate = separate};
    l.offsets[0] = before;
    for (uint32_t j = 0; j < batch; j++) {
        l.offsets[j + 1] = l.offsets[j] + given[j];
        l.longest = given[j] > l.longest ? given[j] : l.longest;
    }
    l.bases = FIRST + (separate ? (size_t)l.offsets[batch] : l.longest);
    make_points(&l);
    make_scalars(&l);
    l.expected = test_alloc(batch * point);
    for (uint32_t j = 0; j < batch; j++) {
        const size_t base = FIRST + (separate ? (size_t)l.offsets[j] : 0);
        oracle_known_msm(&t->oracle, l.expected + j * point, l.logarithms + base * scalar,
                         l.whole + l.offsets[j] * scalar, given[j]);
    }
    return l;
}

static void free_lengths(const lengths *l)
{
    free(l->points);
    free(l->logarithms);
    free(l->scalars);
    free(l->whole);
    free(l->expected);
}

static sumac_msm_config config_of(const lengths *l)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = l->separate ? 0 : l->batch; /* the offsets also say what the batch is */
    config.base_sets = l->separate ? l->batch : 0;
    config.first = FIRST;
    config.offsets = l->offsets;
    config.offset_count = l->batch + 1;
    config.scalar_bytes = l->bytes == l->t->info->scalar_bytes ? 0 : l->bytes;
    config.scalar_signed = l->is_signed;
    return config;
}

static void check(const lengths *l, uint64_t limit, uint32_t chunks, uint32_t factor, const char *label)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(2, limit);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = factor;
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, l->t, l->points, l->bases, &bases_config);
    sumac_msm_config config = config_of(l);
    config.tuning = test_tuning("chunks=%u", chunks);
    test_msm(context, bases, l->scalars, l->longest, &config, l->expected, label);
    test_msm(context, bases, l->scalars, l->longest + 100, &config, l->expected, "a larger n");
}

static void test_results(void **state)
{
    static const uint32_t some[] = {5, 0, 7, 1, 0, 0, 33, 64, 2, 70, 129, 100, 66, 1, 300, 290, 310, 0};
    static const uint32_t none[] = {0, 0, 0}, one[] = {9}, all[] = {8, 8, 8, 8};
    test_group *t = *state;
    const struct {
        const uint32_t *given;
        uint32_t batch;
    } sets[] = {{some, sizeof some / sizeof some[0]}, {none, 3}, {one, 1}, {all, 4}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (int separate = 0; separate < 2; separate++) {
            const uint32_t widths[] = {t->info->scalar_bytes, 1, 4};
            for (uint32_t w = 0; w < 3; w++) {
                CLEANUP(free_lengths)
                const lengths l = make_lengths(t, sets[i].given, sets[i].batch, widths[w], w == 1, separate,
                                               separate ? 0 : w * 5);
                check(&l, 0, 0, 1, separate ? "bases of their own" : "shared bases");
                check(&l, 0, 3, 1, "chunks");
                check(&l, 0, 0, 4, "multiples");
            }
        }
    }
}

/* Compute many short MSMs in several sub-batches. */
static void test_many(void **state)
{
    test_group *t = *state;
    uint32_t given[MOST_BATCH];
    for (uint32_t j = 0; j < MOST_BATCH; j++) {
        given[j] = 40 + (uint32_t)test_random_below(t, 40);
    }
    CLEANUP(free_lengths)
    const lengths l = make_lengths(t, given, MOST_BATCH, t->info->scalar_bytes, 0, 0, 0);
    for (uint64_t limit = (uint64_t)1 << 20; limit <= (uint64_t)4 << 20; limit *= 2) {
        check(&l, limit, 0, 1, "many in sub-batches");
    }
    check(&l, 0, 0, 1, "many at once");
}

/* Compute with all named plans. */
static void test_plans(void **state)
{
    static const uint32_t given[] = {50, 33, 64, 40};
    test_group *t = *state;
    CLEANUP(free_lengths) const lengths l = make_lengths(t, given, 4, 2, 1, 0, 0);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, l.points, l.bases, NULL);
    sumac_msm_config config = config_of(&l);
    AUTO_FREE uint8_t *results = test_alloc(4 * t->info->point_bytes);
    int had = 0;
    const char *plan;
    for (size_t i = 0; (plan = test_plan_name(context, i)) != NULL; i++) {
        config.tuning = test_tuning("plan=%s", plan);
        const sumac_status status = exact_msm(context, bases, l.scalars, l.longest, &config, results);
        if (status != SUMAC_UNKNOWN_PLAN) {
            test_status(context, status, SUMAC_OK, plan);
            assert_memory_equal(results, l.expected, 4 * t->info->point_bytes);
            had++;
        }
    }
    assert_true(had > 0);
}

/* This is how often a call has planned, and what its progress was. */
typedef struct seen {
    uint32_t plans;
    double done;
    int fell;
} seen;

static void see_trace(void *user, const sumac_trace_event *event)
{
    ((seen *)user)->plans += strcmp(event->name, "plan") == 0;
}

static int see_progress(void *user, double done)
{
    seen *s = user;
    s->fell |= done < s->done;
    s->done = done;
    return 0;
}

static uint32_t runs_of(test_group *t, const uint32_t *given, uint32_t batch, int separate)
{
    CLEANUP(free_lengths) const lengths l = make_lengths(t, given, batch, 1, 0, separate, 0);
    CLEANUP(destroy_context) sumac_context *context = NULL;
    seen s = {0, 0, 0};
    sumac_context_config context_config = test_context_config(1);
    context_config.trace = see_trace;
    context_config.progress = see_progress;
    context_config.user = &s;
    assert_int_equal(sumac_context_create(&context_config, &context, NULL), SUMAC_OK);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, l.points, l.bases, NULL);
    const sumac_msm_config config = config_of(&l);
    s = (seen){0, 0, 0};
    test_msm(context, bases, l.scalars, l.longest, &config, l.expected, "runs");
    assert_false(s.fell);
    assert_true(s.done > 0.999 && s.done < 1.001);
    return s.plans;
}

/* In a run, each MSM has at most 64 scalars, or at most twice as many as the shortest one. If each MSM has its own
 * bases, all have the same length. */
static void test_runs(void **state)
{
    static const uint32_t short_ones[] = {1, 64, 3, 17, 2}, near[] = {100, 200, 150, 199}, far[] = {100, 201},
                          back[] = {64, 65, 130, 64, 1}, same[] = {70, 70, 71, 71, 71};
    test_group *t = *state;
    if (options.device_count > 0) {
        skip(); /* several devices plan for themselves */
    }
    assert_int_equal(runs_of(t, short_ones, 5, 0), 1);
    assert_int_equal(runs_of(t, near, 4, 0), 1);
    assert_int_equal(runs_of(t, far, 2, 0), 2);
    assert_int_equal(runs_of(t, back, 5, 0), 3); /* the runs have lengths 64 65, 130 and 64 1 */
    assert_int_equal(runs_of(t, same, 5, 0), 1);
    assert_int_equal(runs_of(t, same, 5, 1), 2);
}

static void test_refusals(void **state)
{
    static const uint32_t given[] = {5, 0, 70, 200};
    test_group *t = *state;
    CLEANUP(free_lengths) const lengths l = make_lengths(t, given, 4, t->info->scalar_bytes, 0, 0, 0);
    const size_t bytes = 4 * t->info->point_bytes;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, l.points, l.bases, NULL);
    AUTO_FREE uint8_t *results = test_alloc(bytes), *before = test_alloc(bytes);
    uint64_t falling[] = {5, 4, 9, 20, 30};
    sumac_msm_config config = config_of(&l), bad;
    sumac_call *call = NULL;
    test_plan plan = {0};
    memset(before, 0x5a, bytes);
    memcpy(results, before, bytes);

    test_status(context, exact_msm(context, bases, l.scalars, 199, &config, results), SUMAC_BAD_LENGTH, "n");
    assert_string_equal(sumac_context_message(context), "MSM 3 has 200 scalars, more than 199");
    bad = config;
    bad.first = FIRST + 1;
    test_status(context, exact_msm(context, bases, l.scalars, 200, &bad, results), SUMAC_BAD_LENGTH, "bases");
    bad = config;
    bad.base_sets = 4;
    test_status(context, exact_msm(context, bases, l.scalars, 200, &bad, results), SUMAC_BAD_LENGTH, "own");
    bad.base_sets = 2;
    TEST_BAD(context, exact_msm(context, bases, l.scalars, 200, &bad, results));
    bad = config;
    bad.offsets = falling;
    TEST_BAD(context, exact_msm(context, bases, l.scalars, 200, &bad, results));
    assert_string_equal(sumac_context_message(context), "offset 1 is less than the one before it");
    TEST_BAD(context, sumac_msm_prepare(context, bases, 200, &config, &call));
    TEST_BAD(context, test_msm_plan(context, bases, 200, &config, &plan));
    assert_memory_equal(results, before, bytes);

    /* If the last MSM fails, the others' results are not written either. */
    memset(l.scalars, 0, l.offsets[4] * t->info->scalar_bytes);
    l.scalars[111 * t->info->scalar_bytes + 1] = 1;
    config.scalar_bits = 8;
    test_status(context, exact_msm(context, bases, l.scalars, 200, &config, results), SUMAC_SCALAR_TOO_LARGE,
                "a large scalar");
    assert_string_equal(sumac_context_message(context), "scalar 111 has more than the declared 8 bits");
    assert_memory_equal(results, before, bytes);
    l.scalars[111 * t->info->scalar_bytes + 1] = 0;
    memset(before, 0, bytes);
    test_msm(context, bases, l.scalars, 200, &config, before, "zeros");
}

static const test_entry entries[] = {
    {"results", test_results, TEST_SOME_AND_TINY}, {"many", test_many, TEST_SOME_GROUPS},
    {"plans", test_plans, TEST_EVERY_GROUP},       {"runs", test_runs, TEST_EVERY_GROUP},
    {"refusals", test_refusals, TEST_EVERY_GROUP},
};
TEST_MAIN("lengths", entries)

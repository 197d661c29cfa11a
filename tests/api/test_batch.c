/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the lengths of a call's memory, and which bases and scalars a batch uses. If memory has a byte less
 * than the call needs, the call must refuse it before anything is read or written. base_sets and offsets must select a
 * batch's bases. sumac_bases_describe() must return what bases keep, and sumac_msm_estimate() what calls need. The
 * tests compute the needed bytes themselves.
 */
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "support/harness.h"

enum { COUNT = 12, MOST_RESULTS = 6 };

typedef struct scene {
    test_group *t;
    test_sum sum;
    size_t point, scalar;
    uint8_t *results, *untouched;
} scene;

static scene make_scene(test_group *t)
{
    scene s = {.t = t,
               .sum = test_sum_make(t, COUNT),
               .point = t->info->point_bytes,
               .scalar = t->info->scalar_bytes};
    const size_t bytes = sumac_partial_bytes(t->group, MOST_RESULTS);
    s.results = test_alloc(bytes);
    s.untouched = test_alloc(bytes);
    memset(s.results, 0x5a, bytes);
    memset(s.untouched, 0x5a, bytes);
    return s;
}

static void end_scene(scene *s)
{
    test_sum_free(&s->sum);
    free(s->results);
    free(s->untouched);
}

/* Require a refusal that writes nothing. The message must say which buffer is too short. */
static void expect_short(scene *s, sumac_status status, const char *what)
{
    test_sentence(s->sum.context, status, SUMAC_BAD_LENGTH, what);
    assert_memory_equal(s->results, s->untouched, sumac_partial_bytes(s->t->group, MOST_RESULTS));
}

/* ---- too few bytes ---- */

static void test_short_msm(void **state)
{
    CLEANUP(end_scene) scene s = make_scene(*state);
    static const uint64_t offsets[] = {1, 4, 4, 7};
    const struct {
        sumac_msm_config config;
        size_t n, scalars, results; /* the needed bytes */
    } cases[] = {
        {{.size = sizeof(sumac_msm_config)}, 5, 5 * s.scalar, s.point},
        {{.size = sizeof(sumac_msm_config), .batch = 3, .base_sets = 3}, 4, 12 * s.scalar, 3 * s.point},
        {{.size = sizeof(sumac_msm_config), .batch = 6, .scalar_bytes = 1}, 2, 12, 6 * s.point},
        {{.size = sizeof(sumac_msm_config), .offsets = offsets, .offset_count = 4},
         3,
         7 * s.scalar,
         3 * s.point},
        {{.size = sizeof(sumac_msm_config), .batch = 2}, 0, 0, 2 * s.point},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sumac_msm_config *config = &cases[i].config;
        const size_t n = cases[i].n, scalars = cases[i].scalars, results = cases[i].results;
        const uint32_t batch = (uint32_t)(results / s.point);
        const size_t partial = sumac_partial_bytes(s.t->group, batch);
        sumac_context *context = s.sum.context;
        const sumac_bases *bases = s.sum.bases;
        if (scalars > 0) {
            expect_short(&s,
                         sumac_msm(context, bases, s.sum.scalars, scalars - 1, n, config, s.results, results),
                         "scalars: there are");
            expect_short(
                &s,
                sumac_msm_partial(context, bases, s.sum.scalars, scalars - 1, n, config, s.results, partial),
                "scalars: there are");
        }
        expect_short(&s, sumac_msm(context, bases, s.sum.scalars, scalars, n, config, s.results, results - 1),
                     "results: there are");
        expect_short(
            &s, sumac_msm_partial(context, bases, s.sum.scalars, scalars, n, config, s.results, partial - 1),
            "partial result");
        if (config->offsets == NULL) {
            CLEANUP(destroy_call) sumac_call *call = NULL;
            TEST_OK(context, sumac_msm_prepare(context, bases, n, config, &call));
            if (scalars > 0) {
                expect_short(&s, sumac_call_run(call, s.sum.scalars, scalars - 1, s.results, results),
                             "scalars: there are");
            }
            expect_short(&s, sumac_call_run(call, s.sum.scalars, scalars, s.results, results - 1),
                         "results: there are");
            TEST_OK(context, sumac_call_run(call, s.sum.scalars, scalars, s.results, results));
            memset(s.results, 0x5a, results);
        }
        TEST_OK(context, sumac_msm(context, bases, s.sum.scalars, scalars, n, config, s.results, results));
        assert_memory_equal(s.results + results, s.untouched, s.point > 8 ? 8 : s.point);
        memset(s.results, 0x5a, results);
        TEST_OK(context,
                sumac_msm_partial(context, bases, s.sum.scalars, scalars, n, config, s.results, partial));
        const void *const parts[] = {s.results};
        uint8_t sums[MOST_RESULTS * 1024], before[sizeof sums];
        memset(sums, 0x5a, sizeof sums);
        memset(before, 0x5a, sizeof sums);
        test_sentence(context,
                      sumac_partial_combine(context, s.t->group, parts, partial - 1, 1, batch, sums, results),
                      SUMAC_BAD_LENGTH, "partial result");
        test_sentence(context,
                      sumac_partial_combine(context, s.t->group, parts, partial, 1, batch, sums, results - 1),
                      SUMAC_BAD_LENGTH, "results: there are");
        assert_memory_equal(sums, before, sizeof sums);
        TEST_OK(context, sumac_partial_combine(context, s.t->group, parts, partial, 1, batch, sums, results));
        TEST_OK(context, sumac_partial_combine(context, s.t->group, NULL, 0, 0, batch, sums, results));
        memset(s.results, 0x5a, partial);
    }
}

/* A record's last bytes may be missing, if neither its point nor its flag is in them. */
static void test_short_bases(void **state)
{
    CLEANUP(end_scene) scene s = make_scene(*state);
    const struct {
        size_t stride;
        uint32_t infinity;
        size_t infinity_offset, needed; /* of three records */
    } cases[] = {
        {0, SUMAC_INFINITY_ZERO, 0, 3 * s.point},
        {s.point + 16, SUMAC_INFINITY_ZERO, 0, 2 * (s.point + 16) + s.point},
        {s.point + 16, SUMAC_INFINITY_FLAG, s.point + 7, 2 * (s.point + 16) + s.point + 8},
        {s.point, SUMAC_INFINITY_FLAG, s.point - 1, 3 * s.point},
    };
    AUTO_FREE uint8_t *records = test_alloc(3 * (s.point + 16));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sumac_bases_config config = {.size = sizeof config};
        sumac_bases *bases = s.sum.bases;
        config.stride = cases[i].stride;
        config.infinity = cases[i].infinity;
        config.infinity_offset = cases[i].infinity_offset;
        memset(records, 0, 3 * (s.point + 16));
        for (size_t j = 0; j < 3; j++) {
            memcpy(records + j * (config.stride == 0 ? s.point : config.stride), s.sum.points + j * s.point,
                   s.point);
        }
        test_sentence(
            s.sum.context,
            sumac_bases_create(s.sum.context, s.t->group, records, cases[i].needed - 1, 3, &config, &bases),
            SUMAC_BAD_LENGTH, "points: there are");
        assert_null(bases);
        TEST_OK(s.sum.context,
                sumac_bases_create(s.sum.context, s.t->group, records, cases[i].needed, 3, &config, &bases));
        sumac_bases_destroy(bases);
        test_sentence(
            s.sum.context,
            sumac_bases_create(s.sum.context, s.t->group, records, SIZE_MAX - 1, SIZE_MAX, &config, &bases),
            SUMAC_BAD_LENGTH, "points: there are");
    }
    expect_short(&s, sumac_bases_get(s.sum.context, s.sum.bases, 1, 3, s.results, 3 * s.point - 1),
                 "points: there are");
    expect_short(&s, sumac_bases_get(s.sum.context, s.sum.bases, 1, COUNT, s.results, SIZE_MAX),
                 "there are 12 bases");
    TEST_OK(s.sum.context, sumac_bases_get(s.sum.context, s.sum.bases, 1, 3, s.results, 3 * s.point));
    assert_memory_equal(s.results, s.sum.points + s.point, 3 * s.point);
    TEST_OK(s.sum.context, sumac_bases_get(s.sum.context, s.sum.bases, COUNT, 0, NULL, 0));
}

/* ---- the bases of a batch ---- */

static void test_sets(void **state)
{
    CLEANUP(end_scene) scene s = make_scene(*state);
    enum { BATCH = 4, N = 3 };
    static const uint32_t sets[] = {0, 1, 2, 3, BATCH, BATCH + 1, UINT32_MAX};
    AUTO_FREE uint8_t *expected = test_alloc(BATCH * s.point);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        sumac_msm_config config = {.size = sizeof config, .batch = BATCH, .base_sets = sets[i]};
        for (uint32_t j = 0; j < BATCH; j++) { /* only MSM j */
            const sumac_msm_config one = {.size = sizeof one, .first = sets[i] == 0 ? 0 : j % sets[i] * N};
            TEST_OK(s.sum.context, sumac_msm(s.sum.context, s.sum.bases, s.sum.scalars + j * N * s.scalar,
                                             N * s.scalar, N, &one, expected + j * s.point, s.point));
        }
        test_msm(s.sum.context, s.sum.bases, s.sum.scalars, N, &config, expected, "sets of bases");
        /* There is one base too few for the last set. */
        config.first = COUNT + 1 - N * (sets[i] == 0 ? 1 : sets[i] < BATCH ? sets[i] : BATCH);
        test_sentence(s.sum.context,
                      exact_msm(s.sum.context, s.sum.bases, s.sum.scalars, N, &config, s.results),
                      SUMAC_BAD_LENGTH, "12 bases, and the call needs");
    }
}

static void test_offsets(void **state)
{
    CLEANUP(end_scene) scene s = make_scene(*state);
    static const uint64_t rising[] = {2, 5, 5, 9}, falling[] = {0, 3, 2};
    AUTO_FREE uint8_t *expected = test_alloc(3 * s.point);
    const struct {
        const uint64_t *offsets;
        size_t count;
        uint32_t batch, sets;
        size_t n;
        sumac_status status;
        const char *sentence;
    } bad[] = {
        {rising, 4, 2, 0, 4, SUMAC_BAD_LENGTH, "there are 4 offsets, and a batch of 2 needs one more"},
        {rising, 4, 4, 0, 4, SUMAC_BAD_LENGTH, "there are 4 offsets, and a batch of 4 needs one more"},
        {rising, 4, UINT32_MAX, 0, 4, SUMAC_BAD_LENGTH, "a batch of 4294967295 needs one more"},
        {rising, 1, 0, 0, 4, SUMAC_BAD_LENGTH, "1 offsets describe no MSM"},
        {rising, SIZE_MAX, 0, 0, 4, SUMAC_BAD_LENGTH, "18446744073709551615 offsets describe"},
        {rising, 0, 0, 0, 4, SUMAC_BAD_ARGUMENT, "there are 0 offsets, and their address is not null"},
        {NULL, 4, 0, 0, 4, SUMAC_BAD_ARGUMENT, "there are 4 offsets, and their address is null"},
        {rising, 4, 0, 2, 4, SUMAC_BAD_ARGUMENT, "base_sets is 0 or the number of MSMs, 3, but it is 2"},
        {falling, 3, 0, 0, 4, SUMAC_BAD_ARGUMENT, "offset 2 is less than the one before it"},
        {rising, 4, 0, 0, 3, SUMAC_BAD_LENGTH, "MSM 2 has 4 scalars, more than 3"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const sumac_msm_config config = {.size = sizeof config,
                                         .batch = bad[i].batch,
                                         .base_sets = bad[i].sets,
                                         .offsets = bad[i].offsets,
                                         .offset_count = bad[i].count};
        test_sentence(s.sum.context,
                      sumac_msm(s.sum.context, s.sum.bases, s.sum.scalars, SIZE_MAX, bad[i].n, &config,
                                s.results, SIZE_MAX),
                      bad[i].status, bad[i].sentence);
        assert_memory_equal(s.results, s.untouched, s.point);
    }
    for (uint32_t own = 0; own < 2; own++) {
        const sumac_msm_config config = {.size = sizeof config,
                                         .batch = own ? 3 : 0,
                                         .base_sets = own ? 3 : 0,
                                         .first = 1,
                                         .offsets = rising,
                                         .offset_count = 4};
        for (uint32_t j = 0; j < 3; j++) {
            const size_t n = rising[j + 1] - rising[j];
            const sumac_msm_config one = {.size = sizeof one, .first = 1 + (own ? rising[j] : 0)};
            TEST_OK(s.sum.context, sumac_msm(s.sum.context, s.sum.bases, s.sum.scalars + rising[j] * s.scalar,
                                             n * s.scalar, n, &one, expected + j * s.point, s.point));
        }
        test_msm(s.sum.context, s.sum.bases, s.sum.scalars, 4, &config, expected, "offsets");
    }
}

/* ---- what is told ---- */

static void test_bases_info(void **state)
{
    CLEANUP(end_scene) scene s = make_scene(*state);
    sumac_bases_info info = {.size = sizeof info};
    assert_int_equal(sumac_bases_describe(s.sum.bases, &info), SUMAC_OK);
    assert_ptr_equal(info.group, s.t->group);
    assert_int_equal(info.count, COUNT);
    assert_int_equal(info.precompute_factor, 1);
    assert_int_equal(info.tables, SUMAC_TABLES_MULTIPLES);
    const uint64_t bytes = info.bytes;
    assert_true(bytes >= COUNT * s.point);
    sumac_bases_config config = {.size = sizeof config, .precompute_factor = 2};
    CLEANUP(destroy_bases) sumac_bases *twice = test_bases(s.sum.context, s.t, s.sum.points, COUNT, &config);
    assert_int_equal(sumac_bases_describe(twice, &info), SUMAC_OK);
    assert_int_equal(info.precompute_factor, 2);
    struct {
        sumac_bases_info known;
        uint64_t newer;
    } larger = {.known = {.size = sizeof larger}, .newer = 1};
    assert_int_equal(sumac_bases_describe(twice, &larger.known), SUMAC_NOT_SUPPORTED);
    larger.newer = 0;
    assert_int_equal(sumac_bases_describe(twice, &larger.known), SUMAC_OK);
    assert_int_equal(larger.known.size, sizeof larger);
    assert_int_equal(larger.known.count, COUNT);
    info.size = 0;
    info.count = 77;
    assert_int_equal(sumac_bases_describe(twice, &info), SUMAC_BAD_ARGUMENT);
    assert_int_equal(info.count, 77);
    assert_int_equal(sumac_bases_describe(twice, NULL), SUMAC_BAD_ARGUMENT);
    info.size = sizeof info;
    assert_int_equal(sumac_bases_describe(NULL, &info), SUMAC_BAD_ARGUMENT);
    assert_int_equal(info.count, 77);
    assert_int_equal(sumac_bases_count(NULL), 0);
}

static void test_estimate(void **state)
{
    CLEANUP(end_scene) scene s = make_scene(*state);
    static const uint64_t offsets[] = {0, 3};
    sumac_msm_config config = {.size = sizeof config, .batch = 3};
    sumac_msm_needs needs = {.size = sizeof needs};
    test_plan plan = {0};
    TEST_OK(s.sum.context, sumac_msm_estimate(s.sum.context, s.sum.bases, 4, &config, &needs));
    TEST_OK(s.sum.context, test_msm_plan(s.sum.context, s.sum.bases, 4, &config, &plan));
    assert_true(needs.milliseconds > 0 && fabs(needs.milliseconds - plan.milliseconds) < 2e-6);
    assert_int_equal(needs.workspace_bytes, test_plan_bytes(&plan, "workspace"));
    assert_int_equal(needs.pinned_bytes, test_plan_bytes(&plan, "pinned"));
    needs = (sumac_msm_needs){.size = sizeof needs, .milliseconds = -1};
    test_status(s.sum.context, sumac_msm_estimate(s.sum.context, s.sum.bases, COUNT + 1, NULL, &needs),
                SUMAC_BAD_LENGTH, "bases");
    config = (sumac_msm_config){.size = sizeof config, .offsets = offsets, .offset_count = 2};
    TEST_BAD(s.sum.context, sumac_msm_estimate(s.sum.context, s.sum.bases, 3, &config, &needs));
    TEST_BAD(s.sum.context, sumac_msm_estimate(s.sum.context, s.sum.bases, 3, NULL, NULL));
    TEST_BAD(s.sum.context, sumac_msm_estimate(s.sum.context, NULL, 3, NULL, &needs));
    assert_true(needs.milliseconds < 0);
    needs.size = 0;
    TEST_BAD(s.sum.context, sumac_msm_estimate(s.sum.context, s.sum.bases, 3, NULL, &needs));
}

/* Two blocks of header come before the points, and a checksum comes after them. */
static void test_partial_bytes(void **state)
{
    const test_group *t = *state;
    for (uint32_t batch = 1; batch < 5; batch++) {
        const size_t bytes = sumac_partial_bytes(t->group, batch),
                     points = batch * (size_t)t->info->point_bytes;
        assert_true(bytes >= 128 + points + 8 && bytes <= 128 + points + 192);
    }
    assert_int_equal(sumac_partial_bytes(t->group, 0), 0);
    assert_int_equal(sumac_partial_bytes(NULL, 1), 0);
}

static const test_entry entries[] = {
    {"short memory of MSMs", test_short_msm, TEST_EVERY_AND_TINY},
    {"short memory of bases", test_short_bases, TEST_EVERY_AND_TINY},
    {"sets of bases", test_sets, TEST_EVERY_AND_TINY},
    {"offsets", test_offsets, TEST_EVERY_AND_TINY},
    {"describe", test_bases_info, TEST_SOME_GROUPS},
    {"estimate", test_estimate, TEST_SOME_GROUPS},
    {"partial bytes", test_partial_bytes, TEST_EVERY_GROUP},
};
TEST_MAIN("batch", entries)

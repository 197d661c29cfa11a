/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Calls that are cancelled by their progress function, at each of their reports: they say so, write nothing, and the
 * context goes on: the same call with it has the oracle's results then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/handles.h"
#include "support/harness.h"
#include "sumac/map.h"
#include "sumac/pairing.h"

enum { BASES = 40, BATCH = 6, SEED = 3, NEVER = -1, UNTOUCHED = 0xa5, MOST_REPORTS = 10000 };

/* A call, its results, and at which report it is cancelled. */
typedef struct scene {
    test_curve *t;
    sumac_context *context;
    int at; /* counts down */
    int reports;
    uint8_t *points, *scalars;
    uint8_t *expected; /* BATCH sums of all bases */
    sumac_bases *bases;
    sumac_msm_config msm;
    sumac_bases_config bases_config;
    uint8_t *results;
    sumac_bases *made;
    sumac_call *prepared;
    sumac_vector *vector;
    uint8_t *logarithms;
    uint8_t *infinities;
    uint8_t *records, *raw;
    int is_one;
    sumac_pairing_points *lines;
    char path[64];
} scene;

static int on_progress(void *user, double done)
{
    scene *s = user;
    assert_true(done >= 0 && done <= 1);
    s->reports++;
    return s->at-- == 0 ? -7 : 0;
}

static size_t result_bytes(const scene *s)
{
    return BATCH * s->t->info->point_bytes;
}

static scene *open_scene(test_curve *t, uint32_t threads, uint32_t devices, uint64_t memory_limit)
{
    static const int32_t same[3];
    const sumac_curve_info *info = t->info;
    scene *s = test_alloc(sizeof *s);
    *s = (scene){.t = t, .at = NEVER, .msm = sumac_msm_config_default()};
    s->bases_config = sumac_bases_config_default();
    s->points = test_alloc(BASES * info->point_bytes);
    s->scalars = test_alloc(BATCH * BASES * info->scalar_bytes);
    s->expected = test_alloc(result_bytes(s));
    s->results = test_alloc(result_bytes(s));
    test_random_points(t, s->points, NULL, BASES);
    test_random_scalars(t, s->scalars, BATCH * BASES);
    for (size_t i = 0; i < BATCH; i++) {
        oracle_msm(&t->oracle, s->expected + i * info->point_bytes, s->points,
                   s->scalars + i * BASES * info->scalar_bytes, BASES);
    }
    sumac_context_config config = test_context_config(threads);
    config.progress = on_progress;
    config.user = s;
    config.memory_limit = memory_limit;
    if (devices > 1) {
        config.devices = same;
        config.device_count = devices;
    }
    assert_int_equal(sumac_context_create(&config, &s->context, NULL), SUMAC_OK);
    s->bases = test_bases(s->context, t, s->points, BASES, NULL);
    snprintf(s->path, sizeof s->path, "/tmp/sumac-cancel-%ld", (long)getpid());
    return s;
}

static void close_scene(scene *s)
{
    (void)remove(s->path);
    sumac_bases_destroy(s->bases);
    sumac_context_destroy(s->context);
    free(s->points);
    free(s->scalars);
    free(s->expected);
    free(s->results);
    free(s);
}

typedef struct operation {
    const char *name;
    sumac_status (*run)(scene *s);
    void (*check)(scene *s);           /* of a call that was completed */
    void (*check_cancelled)(scene *s); /* nothing is written */
} operation;

/* Cancelled at the first report, at the second, and so on until no report is left. */
static void cancel_everywhere(scene *s, const operation *tried, int least)
{
    int at = 0;
    /* Every report; a build that is many times slower leaves out four of five after the first. */
    for (;; at += options.quick && at >= 8 ? 5 : 1) {
        assert_true(at < MOST_REPORTS);
        memset(s->results, UNTOUCHED, result_bytes(s));
        s->at = at;
        s->reports = 0;
        const sumac_status status = tried->run(s);
        const int reports = s->reports;
        s->at = NEVER;
        if (status == SUMAC_OK) {
            assert_true(reports <= at);
            tried->check(s);
            break;
        }
        test_sentence(s->context, status, SUMAC_CANCELLED, "cancelled by its progress function");
        assert_true(reports >= at + 1 && reports <= at + 2); /* steps on several devices may ask once more */
        tried->check_cancelled(s);
        if (at < 6 || at % 16 == 0) {
            test_status(s->context, tried->run(s), SUMAC_OK, tried->name);
            tried->check(s);
        }
    }
    if (at < least) {
        test_abort("%s: it asks %d times, at least %d are expected", tried->name, at, least);
    }
}

static void check_results(scene *s)
{
    assert_memory_equal(s->results, s->expected, s->msm.batch * s->t->info->point_bytes);
}

static void check_untouched(scene *s)
{
    for (size_t i = 0; i < result_bytes(s); i++) {
        assert_int_equal(s->results[i], UNTOUCHED);
    }
}

static sumac_status run_msm(scene *s)
{
    return sumac_msm(s->context, s->bases, s->scalars, BASES, &s->msm, s->results);
}

static const operation msm = {"an MSM", run_msm, check_results, check_untouched};

static sumac_status run_prepared(scene *s)
{
    CLEANUP(destroy_call) sumac_call *call = NULL;
    TRY(sumac_msm_prepare(s->context, s->bases, BASES, &s->msm, &call));
    return sumac_call_run(call, s->scalars, s->results);
}

static const operation prepared = {"a prepared MSM", run_prepared, check_results, check_untouched};

static void cancel_msms(test_curve *t, uint32_t threads, uint32_t devices)
{
    const int least = 2;
    scene *s = open_scene(t, threads, devices, 0);
    sumac_tuning tuning = sumac_tuning_default();
    cancel_everywhere(s, &msm, 1);
    tuning.chunks = 3;
    s->msm.tuning = &tuning;
    s->msm.c = 4;
    cancel_everywhere(s, &msm, least);
    cancel_everywhere(s, &prepared, least);
    s->msm.batch = BATCH;
    cancel_everywhere(s, &msm, least);
    close_scene(s);
}

static void test_msms(void **state)
{
    cancel_msms(*state, 1, 1);
    cancel_msms(*state, 3, 1);
    cancel_msms(*state, 3, 3);
}

/* The results of the first sub-batches are there when the later ones are cancelled. */
static void test_sub_batches(void **state)
{
    uint32_t most = 0;
    if (strcmp(options.backend, "cpu") != 0) {
        skip(); /* a device's results are written when all are there */
    }
    for (uint64_t limit = 1 << 20; limit >= 1 << 12 && most < 4; limit -= limit / 4) {
        scene *s = open_scene(*state, 1, 1, limit);
        s->msm.batch = BATCH;
        s->msm.c = 6;
        if (run_msm(s) == SUMAC_OK) {
            const msm_plan *plan = &s->context->executors.at->call.plan;
            const uint32_t sub_batches = (BATCH + plan->sub_batch - 1) / plan->sub_batch;
            most = sub_batches > most ? sub_batches : most;
            cancel_everywhere(s, &msm, (int)sub_batches);
        }
        close_scene(s);
    }
    assert_true(most > 1);
}

/* ---- Bases ---- */

static sumac_status make_bases(scene *s)
{
    s->made = (sumac_bases *)s; /* is overwritten */
    return sumac_bases_create(s->context, s->t->curve, s->points, BASES, &s->bases_config, &s->made);
}

static void check_made(scene *s)
{
    assert_non_null(s->made);
    test_msm(s->context, s->made, s->scalars, BASES, NULL, s->expected, "of bases that were made");
    sumac_bases_destroy(s->made);
    s->made = NULL;
}

static void check_none_made(scene *s)
{
    assert_null(s->made);
}

static const operation creation = {"bases", make_bases, check_made, check_none_made};

static sumac_status open_bases(scene *s)
{
    s->made = (sumac_bases *)s;
    return sumac_bases_open(s->context, s->t->curve, s->path, NULL, &s->bases_config, &s->made);
}

static const operation opening = {"bases of a file", open_bases, check_made, check_none_made};

static sumac_status save_raw(scene *s)
{
    (void)remove(s->path);
    return sumac_bases_save_as(s->context, s->bases, "raw", s->path);
}

static sumac_status save_table(scene *s)
{
    (void)remove(s->path);
    return sumac_bases_save(s->context, s->bases, s->path);
}

static void check_saved(scene *s)
{
    TEST_OK(s->context, open_bases(s));
    check_made(s);
}

static void check_not_saved(scene *s)
{
    assert_int_equal(access(s->path, F_OK), -1);
}

static const operation saving_raw = {"saving points", save_raw, check_saved, check_not_saved};
static const operation saving_table = {"saving a table", save_table, check_saved, check_not_saved};

static void cancel_bases(test_curve *t, uint32_t threads, uint32_t devices)
{
    scene *s = open_scene(t, threads, devices, 0);
    cancel_everywhere(s, &creation, 1);
    cancel_everywhere(s, &saving_raw, 1);
    cancel_everywhere(s, &opening, 1);
    cancel_everywhere(s, &saving_table, 1);
    cancel_everywhere(s, &opening, 1);
    s->bases_config.precompute_factor = 3;
    s->bases_config.c = t->info->scalar_bits < 20 ? 2 : 5;
    cancel_everywhere(s, &creation, 2); /* the points, and their multiples */
    close_scene(s);
}

static void test_bases_calls(void **state)
{
    cancel_bases(*state, 1, 1);
    cancel_bases(*state, 3, 1);
    cancel_bases(*state, 3, 3);
}

/* ---- Bases whose logarithms are known ---- */

static sumac_status make_known(scene *s)
{
    s->made = (sumac_bases *)s;
    return sumac_known_bases_create(s->context, s->t->curve, BASES, SEED, &s->bases_config, &s->made);
}

static sumac_status find_answer(scene *s)
{
    return sumac_known_answer(s->context, s->t->curve, s->scalars, s->logarithms, BASES, s->results);
}

static void test_known(void **state)
{
    static const operation bases = {"known bases", make_known, check_made, check_none_made};
    static const operation answer = {"an answer", find_answer, check_results, check_untouched};
    scene *s = open_scene(*state, 2, 1, 0);
    s->logarithms = test_alloc(BASES * s->t->info->scalar_bytes);
    TEST_OK(s->context, sumac_known_logarithms(s->context, s->t->curve, BASES, SEED, s->logarithms));
    TEST_OK(s->context, make_known(s));
    TEST_OK(s->context, sumac_bases_get(s->context, s->made, 0, BASES, s->points));
    oracle_msm(&s->t->oracle, s->expected, s->points, s->scalars, BASES);
    sumac_bases_destroy(s->made);
    cancel_everywhere(s, &bases, 2); /* the terms, and their sums */
    cancel_everywhere(s, &answer, 1);
    free(s->logarithms);
    close_scene(s);
}

/* ---- Points in memory ---- */

static sumac_status decode_points(scene *s)
{
    return sumac_points_decode(s->context, s->t->curve, s->points, BATCH, "raw", SUMAC_CHECK_CURVE,
                               s->results);
}

static void check_points(scene *s)
{
    assert_memory_equal(s->results, s->points, result_bytes(s));
}

/* Enough compressed points for a GPU to decode them: the bases, again and again. */
enum { RECORDS = 600 };

static sumac_status decode_compressed(scene *s)
{
    memset(s->raw, UNTOUCHED, RECORDS * s->t->info->point_bytes);
    return sumac_points_decode(s->context, s->t->curve, s->records, RECORDS, "zcash-compressed",
                               SUMAC_CHECK_CURVE, s->raw);
}

static void check_decoded(scene *s)
{
    const size_t bytes = s->t->info->point_bytes;
    for (size_t i = 0; i < RECORDS; i++) {
        assert_memory_equal(s->raw + i * bytes, s->points + i % BASES * bytes, bytes);
    }
}

static void check_none_decoded(scene *s)
{
    for (size_t i = 0; i < RECORDS * s->t->info->point_bytes; i++) {
        assert_int_equal(s->raw[i], UNTOUCHED);
    }
}

static void cancel_compressed(scene *s)
{
    static const operation decoding = {"decoded compressed points", decode_compressed, check_decoded,
                                       check_none_decoded};
    const size_t bytes = s->t->info->point_bytes;
    AUTO_FREE uint8_t *points = test_alloc(RECORDS * bytes);
    for (size_t i = 0; i < RECORDS; i++) {
        memcpy(points + i * bytes, s->points + i % BASES * bytes, bytes);
    }
    s->records = test_alloc(RECORDS * bytes);
    s->raw = test_alloc(RECORDS * bytes);
    if (sumac_points_encode(s->context, s->t->curve, points, RECORDS, "zcash-compressed", s->records) ==
        SUMAC_OK) { /* of the curves that have this format */
        cancel_everywhere(s, &decoding, 1);
    }
    free(s->records);
    free(s->raw);
}

static void test_points(void **state)
{
    static const operation decoding = {"decoded points", decode_points, check_points, check_untouched};
    scene *s = open_scene(*state, 2, 1, 0);
    cancel_everywhere(s, &decoding, 1);
    cancel_compressed(s);
    close_scene(s);
}

/* ---- Pairings ---- */

/* More than one thread is given from one report to the next. */
enum { PAIRS = 33 * 32, NO_ANSWER = -7 };

static sumac_status check_pairs(scene *s)
{
    s->is_one = NO_ANSWER;
    return sumac_pairing_check(s->context, s->t->curve, s->infinities, s->infinities, PAIRS,
                               SUMAC_CHECK_SUBGROUP, &s->is_one);
}

/* Every factor is one. */
static void check_is_one(scene *s)
{
    assert_int_equal(s->is_one, 1);
}

static void check_no_answer(scene *s)
{
    assert_int_equal(s->is_one, NO_ANSWER);
}

static sumac_status prepare_points(scene *s)
{
    s->lines = NULL;
    return sumac_pairing_points_create(s->context, s->t->curve, s->infinities, BASES, SUMAC_CHECK_SUBGROUP,
                                       &s->lines);
}

static void check_lines(scene *s)
{
    s->is_one = NO_ANSWER;
    TEST_OK(s->context, sumac_pairing_check_prepared(s->context, s->lines, s->infinities, NULL, BASES,
                                                     SUMAC_CHECK_NONE, &s->is_one));
    assert_int_equal(s->is_one, 1);
    sumac_pairing_points_destroy(s->lines);
}

static void check_no_lines(scene *s)
{
    assert_null(s->lines);
}

static void test_pairings(void **state)
{
    static const operation check = {"a check", check_pairs, check_is_one, check_no_answer};
    static const operation preparing = {"lines", prepare_points, check_lines, check_no_lines};
    scene *s = open_scene(*state, 1, 1, 0);
    s->infinities = calloc(PAIRS, s->t->info->point_bytes);
    assert_non_null(s->infinities);
    s->at = NEVER;
    if (strcmp(s->t->info->group, "g2") == 0 && check_pairs(s) != SUMAC_NOT_SUPPORTED) {
        cancel_everywhere(s, &check, 2);
        cancel_everywhere(s, &preparing, 1);
    }
    free(s->infinities);
    close_scene(s);
}

/* ---- Maps ---- */

/* The elements are 0. */
static sumac_status map_elements(scene *s)
{
    memset(s->infinities, 0xaa, s->t->info->point_bytes);
    return sumac_map_to_group(s->context, s->t->curve, s->infinities + s->t->info->point_bytes, 1,
                              s->infinities);
}

static void check_mapped(scene *s)
{
    assert_int_not_equal(s->infinities[0] & s->infinities[1] & s->infinities[2], 0xaa);
}

static void check_not_mapped(scene *s)
{
    for (size_t i = 0; i < s->t->info->point_bytes; i++) {
        assert_int_equal(s->infinities[i], 0xaa);
    }
}

static void test_maps(void **state)
{
    static const operation map = {"a map", map_elements, check_mapped, check_not_mapped};
    scene *s = open_scene(*state, 1, 1, 0);
    s->infinities = calloc(2, s->t->info->point_bytes);
    assert_non_null(s->infinities);
    s->at = NEVER;
    if (map_elements(s) != SUMAC_NOT_SUPPORTED) {
        cancel_everywhere(s, &map, 1);
    }
    free(s->infinities);
    close_scene(s);
}

/* ---- Vectors ---- */

static sumac_status transform(scene *s)
{
    return sumac_vector_ntt(s->context, s->vector, NULL);
}

static void test_transforms(void **state)
{
    test_curve *t = *state;
    const size_t bytes = 2 * t->info->scalar_bytes;
    scene *s = open_scene(t, 2, 1, 0);
    s->vector = test_vector_of(s->context, t, SUMAC_VECTOR_SCALARS, 2, s->scalars);
    AUTO_FREE uint8_t *after = test_alloc(bytes);
    s->at = 0;
    test_sentence(s->context, transform(s), SUMAC_CANCELLED, "cancelled");
    TEST_OK(s->context, sumac_vector_get(s->context, s->vector, 0, 2, NULL, after));
    assert_memory_equal(after, s->scalars, bytes);
    TEST_OK(s->context, transform(s));
    TEST_OK(s->context, sumac_vector_get(s->context, s->vector, 0, 2, NULL, after));
    assert_memory_not_equal(after, s->scalars, bytes);
    sumac_vector_destroy(s->vector);
    close_scene(s);
}

static void test_status_itself(void)
{
    assert_int_equal(SUMAC_CANCELLED, 23);
    assert_int_equal(sumac_status_is_machine_fault(SUMAC_CANCELLED), 0);
    assert_string_equal(sumac_status_text(SUMAC_CANCELLED),
                        "the call was cancelled by its progress function");
}

static const test_entry entries[] = {
    {"status", TEST_ONCE(test_status_itself)},
    {"MSMs", test_msms, TEST_SOME_AND_TINY},
    {"sub-batches", test_sub_batches, TEST_SOME_AND_TINY},
    {"bases", test_bases_calls, TEST_SOME_AND_TINY},
    {"known bases", test_known, TEST_SOME_AND_TINY},
    {"points", test_points, TEST_EVERY_AND_TINY},
    {"pairings", test_pairings, TEST_EVERY_CURVE},
    {"maps", test_maps, TEST_EVERY_CURVE},
    {"transforms", test_transforms, TEST_EVERY_CURVE},
};
TEST_MAIN("cancel", entries)

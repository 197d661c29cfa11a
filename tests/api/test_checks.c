/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the default checks. Unless SUMAC_CHECK_NONE is given, every call that takes points refuses points off
 * the curve and names the first one, wherever the bases will lie. The oracle decides which points lie off the curve.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/handles.h"
#include "support/device.h"
#include "support/files.h"
#include "support/harness.h"
#include "sumac/experimental.h"
#include "sumac/pairing.h"

enum { MOST = 1300, FEW = 6 };

/* These are points of the curve. Those from number `first` on are moved off the curve. */
typedef struct scene {
    test_group *t;
    sumac_context *context;
    size_t n, bytes;
    uint8_t *points;
} scene;

static scene make_scene(test_group *t, size_t n)
{
    scene s = {.t = t, .context = test_context(3, 0), .n = n, .bytes = t->info->point_bytes};
    uint8_t few[FEW][4 * 96 * 2];
    assert_true(s.bytes <= sizeof few[0]);
    s.points = test_alloc(n * s.bytes);
    for (size_t i = 0; i < FEW; i++) {
        test_random_points(t, few[i], NULL, 1);
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(s.points + i * s.bytes, few[i % FEW], s.bytes);
    }
    return s;
}

static void end_scene(const scene *s)
{
    sumac_context_destroy(s->context);
    free(s->points);
}

/* Move point i to (x + 1, y) or (x - 1, y). The oracle finds the first of these that is off the curve. */
static void spoil(const scene *s, size_t i)
{
    ORACLE_POINT(point);
    uint8_t *record = s->points + i * s->bytes;
    for (uint8_t bit = 1; bit != 0; bit = (uint8_t)(bit << 1)) {
        record[0] ^= bit;
        oracle_point_from_raw(&s->t->oracle, &point, record);
        if (!oracle_point_on_curve(&s->t->oracle, &point)) {
            break;
        }
        record[0] ^= bit;
    }
    assert_false(oracle_point_on_curve(&s->t->oracle, &point));
}

/* ---- Bases ---- */

/* These are the ways in which callers get the defaults. */
enum { NO_CONFIG, CONFIG_OF_ZEROS, DEFAULT_CONFIG, WAYS };

static const sumac_bases_config *default_config(int way, sumac_bases_config *config)
{
    memset(config, 0, sizeof *config);
    config->size = sizeof *config;
    if (way == DEFAULT_CONFIG) {
        *config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    }
    return way == NO_CONFIG ? NULL : config;
}

static void expect_refusal(const scene *s, const sumac_bases_config *config, size_t index)
{
    sumac_bases *bases = (sumac_bases *)(uintptr_t)1;
    char sentence[64];
    snprintf(sentence, sizeof sentence, "point %zu: ", index);
    test_sentence(s->context, exact_create(s->context, s->t->group, s->points, s->n, config, &bases),
                  SUMAC_NOT_ON_CURVE, sentence);
    assert_null(bases);
}

/* SUMAC_CHECK_NONE accepts any coordinates. */
static void take(const scene *s, const sumac_bases_config *given)
{
    sumac_bases_config config = *given;
    AUTO_FREE uint8_t *again = test_alloc(s->n * s->bytes);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    config.check = SUMAC_CHECK_NONE;
    TEST_OK(s->context, exact_create(s->context, s->t->group, s->points, s->n, &config, &bases));
    TEST_OK(s->context, exact_get(s->context, bases, 0, s->n, again));
    assert_memory_equal(again, s->points, s->n * s->bytes);
}

static void test_bases_of_any_config(void **state)
{
    static const size_t sizes[] = {1, 16, 17, 300, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i], places[] = {0, n / 3, n - 1};
        for (size_t j = 0; j < 3; j++) {
            CLEANUP(end_scene) scene s = make_scene(*state, n);
            sumac_bases_config config;
            memset(s.points, 0, places[j] == 0 ? 0 : s.bytes); /* infinity is on the curve */
            sumac_bases_destroy(test_bases(s.context, s.t, s.points, n, NULL));
            for (size_t k = places[j]; k < n; k += 1 + k % 5) {
                spoil(&s, k);
            }
            for (int way = 0; way < WAYS; way++) {
                expect_refusal(&s, default_config(way, &config), places[j]);
            }
            take(&s, &config);
        }
    }
}

/* The check does not depend on other options, which are the layout of records, multiples, tables, and sets for
 * batches. */
static void test_bases_of_other_options(void **state)
{
    enum { SETS = 20, BAD = 211 };
    CLEANUP(end_scene) scene s = make_scene(*state, MOST / SETS * SETS);
    spoil(&s, BAD);
    spoil(&s, BAD + 1);
    for (int i = 0; i < 5; i++) {
        sumac_bases_config config = {.size = sizeof config};
        config.precompute_factor = i == 0 ? 2 : 0;
        config.tables = i == 1 ? SUMAC_TABLES_AUTO : SUMAC_TABLES_MULTIPLES;
        config.typical_batch = i == 2 ? SETS : 0;
        config.typical_n = i == 2 ? s.n / SETS : 0;
        config.outside_subgroup = i == 3;
        config.replicated = i == 4;
        expect_refusal(&s, &config, BAD);
        take(&s, &config);
    }
}

/* Bases may come from a device's memory or from the host's. They get to a device's memory directly or through the host,
 * or stay on the host if the device has no memory for them. */
static void test_bases_of_a_device(void **state)
{
    static const size_t bad[] = {0, 700, MOST - 1};
    for (int is_full = 0; is_full <= 1; is_full++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            CLEANUP(end_scene) scene s = make_scene(*state, MOST);
            sumac_bases_config config = {.size = sizeof config};
            test_device device;
            spoil(&s, bad[i]);
            device_install(&device, s.context, s.t->group);
            const int is_test_device = s.context->executors.at->engine == &device;
            for (int is_there = 0; is_there <= is_test_device; is_there++) {
                device.sent = 0;
                device.allocatable = is_full ? 0 : UINT64_MAX;
                config.location = is_there ? SUMAC_LOCATION_DEVICE : SUMAC_LOCATION_HOST;
                expect_refusal(&s, &config, bad[i]);
                assert_true(!is_test_device || device.sent == (is_full ? 0 : s.n));
            }
            device_remove(&device, s.context);
        }
    }
}

/* Devices have replicas or shards. For shards the message counts from the first of all bases. */
static void test_bases_of_several_devices(void **state)
{
    static const int32_t same[3] = {0, 0, 0};
    static const size_t bad[] = {0, MOST / 2, MOST - 1};
    for (int shards = 0; shards <= 1; shards++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            CLEANUP(end_scene) scene s = make_scene(*state, MOST);
            sumac_context_config several = test_context_config(3);
            several.devices = same;
            several.device_count = 3;
            several.replica_limit = shards ? 1 : 0;
            sumac_context_destroy(s.context);
            assert_int_equal(sumac_context_create(&several, &s.context, NULL), SUMAC_OK);
            sumac_bases_config config;
            spoil(&s, bad[i]);
            for (int way = 0; way < WAYS; way++) {
                expect_refusal(&s, default_config(way, &config), bad[i]);
            }
            take(&s, &config);
        }
    }
}

/* ---- Files ---- */

static void write_points(const scene *s, char *path)
{
    close(mkstemp(path));
    test_write_file(path, s->points, s->n * s->bytes);
}

static void test_files_of_bases(void **state)
{
    enum { BAD = 300 };
    char path[] = "/tmp/sumac-checks-XXXXXX", table[] = "/tmp/sumac-checks-XXXXXX", place[64];
    CLEANUP(end_scene) scene s = make_scene(*state, MOST);
    sumac_bases_config config;
    sumac_bases *bases;
    spoil(&s, BAD);
    write_points(&s, path);
    snprintf(place, sizeof place, "the point at byte %zu ", BAD * s.bytes);
    for (int way = 0; way < WAYS; way++) {
        const sumac_bases_config *given = default_config(way, &config);
        test_sentence(s.context,
                      sumac_bases_open(s.context, s.t->group, path, NULL, 0, SUMAC_ALL, given, &bases),
                      SUMAC_NOT_ON_CURVE, place);
        assert_null(bases);
        test_sentence(s.context,
                      sumac_bases_open(s.context, s.t->group, path, NULL, BAD - 1, 3, given, &bases),
                      SUMAC_NOT_ON_CURVE, place);
        assert_null(bases);
    }
    config.check = SUMAC_CHECK_NONE;
    TEST_OK(s.context, sumac_bases_open(s.context, s.t->group, path, NULL, 0, SUMAC_ALL, &config, &bases));
    /* open_trusted() accepts a table of such points. sumac_bases_open() accepts it only without a check. */
    close(mkstemp(table));
    TEST_OK(s.context, sumac_bases_save(s.context, bases, table, NULL));
    sumac_bases_destroy(bases);
    snprintf(place, sizeof place, "the point at byte %zu ", 128 + BAD * s.bytes);
    test_sentence(s.context, sumac_bases_open(s.context, s.t->group, table, NULL, 0, SUMAC_ALL, NULL, &bases),
                  SUMAC_NOT_ON_CURVE, place);
    assert_null(bases);
    TEST_OK(s.context, sumac_bases_open(s.context, s.t->group, table, NULL, 0, SUMAC_ALL, &config, &bases));
    sumac_bases_destroy(bases);
    TEST_OK(s.context, open_trusted(s.context, s.t->group, table, &bases));
    sumac_bases_destroy(bases);
    unlink(table);
    unlink(path);
}

static void test_msms_of_files(void **state)
{
    enum { BAD = 300 };
    char path[] = "/tmp/sumac-checks-XXXXXX", scalars_path[] = "/tmp/sumac-checks-XXXXXX", place[64];
    CLEANUP(end_scene) scene s = make_scene(*state, MOST);
    const size_t bytes = MOST * (size_t)s.t->info->scalar_bytes;
    uint8_t *scalars = calloc(1, bytes), result[4 * 96 * 2];
    assert_non_null(scalars);
    scalars[BAD * (size_t)s.t->info->scalar_bytes] = 1;
    spoil(&s, BAD);
    write_points(&s, path);
    close(mkstemp(scalars_path));
    test_write_file(scalars_path, scalars, bytes);
    sumac_files_config config = {.size = sizeof config};
    snprintf(place, sizeof place, "the point at byte %zu ", BAD * s.bytes);
    test_sentence(s.context,
                  sumac_msm_files(s.context, s.t->group, path, scalars_path, NULL, NULL, result,
                                  s.t->group->point_bytes, NULL),
                  SUMAC_NOT_ON_CURVE, place);
    test_sentence(s.context,
                  sumac_msm_files(s.context, s.t->group, path, scalars_path, &config, NULL, result,
                                  s.t->group->point_bytes, NULL),
                  SUMAC_NOT_ON_CURVE, place);
    config.check = SUMAC_CHECK_NONE;
    TEST_OK(s.context, sumac_msm_files(s.context, s.t->group, path, scalars_path, &config, NULL, result,
                                       s.t->group->point_bytes, NULL));
    unlink(scalars_path);
    unlink(path);
    free(scalars);
}

/* ---- Vectors, records and pairs ---- */

static void test_vectors_of_points(void **state)
{
    enum { N = 150, BAD = 77 };
    CLEANUP(end_scene) scene s = make_scene(*state, N);
    CLEANUP(destroy_vector)
    sumac_vector *vector = test_vector_of(s.context, s.t, SUMAC_VECTOR_POINTS, N, s.points);
    AUTO_FREE uint8_t *before = test_alloc(N * s.bytes), *after = test_alloc(N * s.bytes);
    memcpy(before, s.points, N * s.bytes);
    spoil(&s, BAD);
    spoil(&s, N - 1);
    const sumac_element_layout zeros = {.size = sizeof zeros},
                               defaults = (sumac_element_layout){.size = sizeof(sumac_element_layout)};
    const sumac_element_layout *const layouts[] = {NULL, &zeros, &defaults};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        test_sentence(s.context, test_vector_set(s.context, vector, s.points, 0, N, layouts[i]),
                      SUMAC_NOT_ON_CURVE, "point 77: ");
        TEST_OK(s.context, test_vector_get(s.context, vector, 0, N, NULL, after));
        assert_memory_equal(after, before, N * s.bytes);
    }
    sumac_element_layout unchecked = defaults;
    unchecked.check = SUMAC_CHECK_NONE;
    TEST_OK(s.context, test_vector_set(s.context, vector, s.points, 0, N, &unchecked));
    TEST_OK(s.context, test_vector_get(s.context, vector, 0, N, NULL, after));
    assert_memory_equal(after, s.points, N * s.bytes);
}

static void test_checks_of_zero(void **state)
{
    enum { N = 20, BAD = 13 };
    CLEANUP(end_scene) scene s = make_scene(*state, N);
    AUTO_FREE uint8_t *raw = test_alloc(N * s.bytes);
    int is_one;
    spoil(&s, BAD);
    test_sentence(s.context,
                  test_points_decode(s.context, s.t->group, s.points, N, NULL, (sumac_check)0, raw),
                  SUMAC_NOT_ON_CURVE, "point 13 ");
    TEST_OK(s.context, test_points_decode(s.context, s.t->group, s.points, N, NULL, SUMAC_CHECK_NONE, raw));
    assert_memory_equal(raw, s.points, N * s.bytes);
    if (strcmp(s.t->info->name, "g1") == 0) {
        /* If this build has no pairing of the curve, SUMAC_NOT_SUPPORTED comes first. */
        AUTO_FREE uint8_t *none = calloc(N, 2 * s.bytes);
        assert_non_null(none);
        const sumac_status status =
            test_pairing_check(s.context, s.t->group, s.points, none, N, (sumac_check)0, &is_one);
        if (status != SUMAC_NOT_SUPPORTED) {
            test_sentence(s.context, status, SUMAC_NOT_ON_CURVE, "pair 13, ");
        }
    }
}

static const test_entry entries[] = {
    {"bases of any config", test_bases_of_any_config, TEST_SOME_AND_TINY},
    {"bases of other options", test_bases_of_other_options, TEST_SOME_AND_TINY},
    {"bases of a device", test_bases_of_a_device, TEST_SOME_AND_TINY},
    {"bases of several devices", test_bases_of_several_devices, TEST_SOME_AND_TINY},
    {"files of bases", test_files_of_bases, TEST_SOME_AND_TINY},
    {"MSMs of files", test_msms_of_files, TEST_SOME_AND_TINY},
    {"vectors of points", test_vectors_of_points, TEST_SOME_AND_TINY},
    {"checks of zero", test_checks_of_zero, TEST_SOME_AND_TINY},
};
TEST_MAIN("checks", entries)

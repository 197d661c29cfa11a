/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests promises of sumac.h apart from correct results: every wrong argument has its status and its sentence,
 * a failed call writes nothing, and the context works afterwards.
 */
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/bases_read.h"
#include "api/handles.h"
#include "api/registry.h"
#include "executor/msm.h"
#include "support/harness.h"

/* ---- registry and texts ---- */

static void test_texts(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SUMAC_VERSION_MAJOR, SUMAC_VERSION_MINOR,
             SUMAC_VERSION_PATCH);
    assert_string_equal(version, SUMAC_VERSION_STRING);
    assert_int_equal(sumac_version_number(), SUMAC_VERSION_NUMBER);
    assert_int_equal(SUMAC_VERSION_NUMBER,
                     SUMAC_VERSION_MAJOR * 10000 + SUMAC_VERSION_MINOR * 100 + SUMAC_VERSION_PATCH);
    assert_string_equal(version, sumac_version());
    for (int status = -2; status <= SUMAC_NOT_SATISFIED + 2; status++) {
        const char *text = sumac_status_text((sumac_status)status);
        assert_non_null(text);
        assert_true(strlen(text) > 1 && strchr(text, '\n') == NULL);
    }
    assert_false(sumac_status_is_machine_fault(SUMAC_BAD_FILE));
    assert_false(sumac_status_is_machine_fault(SUMAC_MEMORY_LIMIT));
    assert_true(sumac_status_is_machine_fault(SUMAC_OUT_OF_MEMORY));
    assert_true(sumac_status_is_machine_fault(SUMAC_WRITE_FAILED));
    assert_true(sumac_status_is_machine_fault(SUMAC_BACKEND_UNAVAILABLE));
}

static void test_registry(void)
{
    const sumac_group *group;
    assert_true(sumac_group_count() > 0 && sumac_group_count() <= sumac_registry_count);
    assert_null(sumac_registry[sumac_registry_count]);
    assert_null(sumac_group_at(sumac_group_count()));
    assert_null(sumac_group_at(SIZE_MAX));
    for (size_t i = 0; i < sumac_group_count(); i++) {
        const sumac_group *info = sumac_group_at(i);
        assert_int_equal(sumac_group_find(info->curve, info->name, &group), SUMAC_OK);
        assert_ptr_equal(group, sumac_group_at(i));
        if (strcmp(info->name, "g1") == 0) {
            assert_int_equal(sumac_group_find(info->curve, NULL, &group), SUMAC_OK);
            assert_ptr_equal(group, sumac_group_at(i));
        }
    }
    /* Names are found as people write them, and no two curves share one. */
    static const char *const written[] = {"bls12-381", "BLS12_381", "bls12381", "_Bls12--381-"};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const sumac_group *expected;
        const sumac_status status = sumac_group_find("bls12-381", "g1", &expected);
        assert_int_equal(sumac_group_find(written[i], "G1", &group), status);
        assert_ptr_equal(group, expected);
    }
    static const char *const aliases[] = {"bn128", "BN_128", "alt_bn128", "altBN128", "BN254"};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const sumac_group *expected;
        const sumac_status status = sumac_group_find("bn254", "g1", &expected);
        assert_int_equal(sumac_group_find(aliases[i], NULL, &group), status);
        assert_ptr_equal(group, expected);
    }
    static const char *const others[] = {"bn12", "bn1288", "bn256",     "bn25",
                                         "-",    "_",      "bls12 381", "bls12.381"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(sumac_group_find(others[i], "g1", &group), SUMAC_UNKNOWN_CURVE);
    }
    assert_int_equal(sumac_group_find("bls12-382", "g1", &group), SUMAC_UNKNOWN_CURVE);
    assert_null(group);
    assert_int_equal(sumac_group_find(sumac_group_at(0)->curve, "g3", &group), SUMAC_UNKNOWN_CURVE);
    assert_int_equal(sumac_group_find("", "", &group), SUMAC_UNKNOWN_CURVE);
    assert_int_equal(sumac_group_find(NULL, "g1", &group), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_group_find("bn254", "g1", NULL), SUMAC_BAD_ARGUMENT);
    assert_null(NULL);
}

/* The description must agree with the curve's data file, and that file with the reference's constants. */
static void test_description(void **state)
{
    test_group *t = *state;
    const oracle *o = &t->oracle;
    TEST_NUMBERS(value);
    mpz_import(value, t->info->field_bytes / 8, -1, 8, 0, 0, t->info->modulus);
    assert_int_equal(mpz_cmp(value, o->p), 0);
    mpz_import(value, t->info->scalar_bytes / 8, -1, 8, 0, 0, t->info->order);
    assert_int_equal(mpz_cmp(value, o->r), 0);
    assert_int_equal(t->info->field_bits, mpz_sizeinbase(o->p, 2));
    assert_int_equal(t->info->scalar_bits, mpz_sizeinbase(o->r, 2));
    assert_int_equal(t->info->field_bytes, (t->info->field_bits + 63) / 64 * 8);
    assert_int_equal(t->info->scalar_bytes, (t->info->scalar_bits + 63) / 64 * 8);
    assert_int_equal(t->info->degree, o->degree);
    assert_int_equal(t->info->point_bytes, 2 * o->degree * t->info->field_bytes);

    AUTO_FREE uint8_t *actual = test_alloc(t->info->point_bytes),
                      *expected = test_alloc(t->info->point_bytes);
    assert_int_equal(sumac_group_generator(t->group, actual, t->group->point_bytes), SUMAC_OK);
    oracle_point_to_raw(o, expected, &o->generator);
    assert_memory_equal(actual, expected, t->info->point_bytes);
    assert_true(oracle_point_on_curve(o, &o->generator));

    json_t *reference = json_load_file(SUMAC_TEST_REFERENCE "/curves.json", 0, NULL);
    assert_non_null(reference);
    const json_t *entry = json_object_get(reference, t->info->curve);
    if (entry != NULL) {
        const json_t *group = json_object_get(entry, t->info->name);
        const json_t *x = json_object_get(json_object_get(group, "generator"), "x");
        assert_int_equal(mpz_set_str(value, json_string_value(json_object_get(entry, "p")), 0), 0);
        assert_int_equal(mpz_cmp(value, o->p), 0);
        assert_int_equal(mpz_set_str(value, json_string_value(json_object_get(entry, "r")), 0), 0);
        assert_int_equal(mpz_cmp(value, o->r), 0);
        const char *text = json_string_value(o->degree == 2 ? json_array_get(x, 0) : x);
        assert_int_equal(mpz_set_str(value, text, 0), 0);
        assert_int_equal(mpz_cmp(value, o->generator.x.c[0]), 0);
    }
    json_decref(reference);
}

/* ---- contexts ---- */

static sumac_status try_context(const char *engine, const char *variant, uint32_t threads)
{
    CLEANUP(destroy_context)
    sumac_context *context = (sumac_context *)&engine; /* must become null or a handle */
    sumac_context_config config = {.size = sizeof config};
    config.backend = engine;
    config.tuning = variant == NULL ? NULL : test_tuning("variant=%s", variant);
    config.threads = threads;
    const sumac_status status = sumac_context_create(&config, &context, NULL);
    assert_true((status == SUMAC_OK) == (context != NULL));
    return status;
}

static void test_contexts(void)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    assert_int_equal(try_context("auto", NULL, 0), SUMAC_OK);
    assert_int_equal(try_context(NULL, NULL, 1), SUMAC_OK);
    assert_int_equal(try_context("cpu", "portable", 3), SUMAC_OK);
    assert_int_equal(try_context("abacus", NULL, 0), SUMAC_UNKNOWN_BACKEND);
    assert_int_equal(try_context("", NULL, 0), SUMAC_UNKNOWN_BACKEND);
    assert_int_equal(try_context("cpu", "steam", 0), SUMAC_BAD_ARGUMENT);
    assert_int_equal(try_context("cpu", NULL, UINT32_MAX), SUMAC_BAD_ARGUMENT);
    const sumac_status cuda = try_context("cuda", NULL, 0);
    assert_true(cuda == SUMAC_OK || cuda == SUMAC_BACKEND_UNAVAILABLE);
    assert_int_equal(sumac_context_create(NULL, NULL, NULL), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_context_create(NULL, &context, NULL), SUMAC_OK);
    assert_true(test_describe(context).threads >= 1);
    assert_string_equal(sumac_context_message(context), "");
    sumac_context_destroy(context);
    sumac_context_destroy(NULL);
    context = test_context(3, 0);
    assert_int_equal(test_describe(context).threads, 3);
    assert_string_equal(test_describe(context).backend, options.backend);
    if (options.variant != NULL) {
        assert_string_equal(test_describe(context).variant, options.variant);
    }
}

/* Require that no context is created, and that the sentence contains the given words. */
static void expect_no_context(const sumac_context_config *config, sumac_status expected, const char *part)
{
    sumac_message reason;
    sumac_context *context = (sumac_context *)&reason;
    memset(&reason, 'x', sizeof reason);
    const sumac_status status = sumac_context_create(config, &context, &reason);
    if (status != expected || context != NULL || memchr(reason.text, '\0', sizeof reason.text) == NULL ||
        strstr(reason.text, part) == NULL) {
        test_abort("status %d instead of %d, and the reason is \"%.*s\", without \"%s\"", (int)status,
                   (int)expected, (int)sizeof reason.text, reason.text, part);
    }
    for (const char *c = reason.text; *c != '\0'; c++) {
        assert_in_range(*c, 0x20, 0x7e);
    }
    context = (sumac_context *)&reason;
    assert_int_equal(sumac_context_create(config, &context, NULL), expected);
    assert_null(context);
}

static void test_context_reasons(void)
{
    char long_name[2000];
    sumac_message reason = {"x"};
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    assert_int_equal(sumac_context_create(&config, &context, &reason), SUMAC_OK);
    assert_string_equal(reason.text, "");
    memset(&reason, 'y', sizeof reason); /* the library must not have kept this address */
    sumac_context_destroy(context);
    assert_int_equal(reason.text[0], 'y');
    assert_int_equal(sumac_context_create(&config, NULL, &reason), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(reason.text, "null"));

    config = (sumac_context_config){.size = sizeof(sumac_context_config)};
    config.backend = "abacus";
    expect_no_context(&config, SUMAC_UNKNOWN_BACKEND, "abacus");
    config.backend = "\x1b[31m\n\\";
    expect_no_context(&config, SUMAC_UNKNOWN_BACKEND, " \\x1b[31m\\x0a\\\\");
    memset(long_name, 7, sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    config.backend = long_name;
    expect_no_context(&config, SUMAC_UNKNOWN_BACKEND, "\\x07");
    config.backend = "cpu";
    config.tuning = "variant=steam";
    expect_no_context(&config, SUMAC_BAD_ARGUMENT, "steam");
    config.tuning = NULL;
    config.threads = 5000;
    expect_no_context(&config, SUMAC_BAD_ARGUMENT, "5000 threads");
    config.threads = 1;
    config.tuning = "variant=avx512";
    if (try_context("cpu", "avx512", 1) != SUMAC_OK) {
        expect_no_context(&config, SUMAC_BACKEND_UNAVAILABLE, "avx512");
    }
    config.tuning = NULL;
    config.backend = "cuda";
    if (try_context("cuda", NULL, 1) != SUMAC_OK) {
        expect_no_context(&config, SUMAC_BACKEND_UNAVAILABLE, "CUDA");
    }
}

/* ---- arguments ---- */

static void test_null_arguments(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 3);
    sumac_bases *bases = m.bases;
    test_plan plan = {0};
    void *scalars = &m;
    size_t n = 1;
    AUTO_FREE uint8_t *out = test_alloc(t->info->point_bytes);
    assert_int_equal(exact_create(NULL, t->group, m.points, 3, NULL, &bases), SUMAC_BAD_ARGUMENT);
    assert_null(bases);
    bases = m.bases;
    assert_int_equal(sumac_known_bases_create(NULL, t->group, 3, 1, NULL, &bases), SUMAC_BAD_ARGUMENT);
    assert_null(bases);
    assert_int_equal(exact_create(m.context, t->group, m.points, 3, NULL, NULL), SUMAC_BAD_ARGUMENT);
    TEST_BAD(m.context, exact_create(m.context, NULL, m.points, 3, NULL, &bases));
    assert_null(bases);
    TEST_BAD(m.context, exact_create(m.context, t->group, NULL, 3, NULL, &bases));
    assert_null(bases);
    assert_int_equal(exact_msm(NULL, m.bases, m.scalars, 3, NULL, out), SUMAC_BAD_ARGUMENT);
    TEST_BAD(m.context, exact_msm(m.context, NULL, m.scalars, 3, NULL, out));
    TEST_BAD(m.context, exact_msm(m.context, m.bases, NULL, 3, NULL, out));
    TEST_BAD(m.context, exact_msm(m.context, m.bases, m.scalars, 3, NULL, NULL));
    assert_int_equal(exact_partial(NULL, m.bases, m.scalars, 3, NULL, out), SUMAC_BAD_ARGUMENT);
    TEST_BAD(m.context, exact_partial(m.context, m.bases, m.scalars, 3, NULL, NULL));
    TEST_BAD(m.context, exact_combine(m.context, t->group, NULL, 2, 1, out));
    TEST_BAD(m.context, exact_combine(m.context, NULL, NULL, 0, 1, out));
    TEST_BAD(m.context, exact_combine(m.context, t->group, NULL, 0, 1, NULL));
    assert_int_equal(exact_get(NULL, m.bases, 0, 1, out), SUMAC_BAD_ARGUMENT);
    TEST_BAD(m.context, exact_get(m.context, NULL, 0, 1, out));
    TEST_BAD(m.context, exact_get(m.context, m.bases, 0, 1, NULL));
    test_status(m.context, exact_get(m.context, m.bases, 1, 3, out), SUMAC_BAD_LENGTH, "too many");
    test_status(m.context, exact_get(m.context, m.bases, SIZE_MAX, 2, out), SUMAC_BAD_LENGTH, "overflow");
    assert_int_equal(test_plan_create(NULL, t->group, 1, NULL, NULL, &plan), SUMAC_BAD_ARGUMENT);
    TEST_BAD(m.context, test_plan_create(m.context, NULL, 1, NULL, NULL, &plan));
    TEST_BAD(m.context, sumac_plan_create(m.context, t->group, 1, NULL, NULL, NULL));
    TEST_BAD(m.context, sumac_bases_save(m.context, m.bases, NULL, NULL));
    TEST_BAD(m.context, open_trusted(m.context, t->group, NULL, &bases));
    TEST_BAD(m.context, sumac_bases_open(m.context, t->group, NULL, "raw", 0, SUMAC_ALL, NULL, &bases));
    TEST_BAD(m.context, sumac_bases_save(m.context, m.bases, NULL, "raw"));
    TEST_BAD(m.context, sumac_scalars_read(m.context, t->group, NULL, &scalars, &n));
    assert_int_equal(sumac_bases_count(NULL), 0);
    assert_int_equal(sumac_partial_bytes(NULL, 1), 0);
    sumac_bases_destroy(NULL);
    sumac_free(NULL);
}

static void test_no_bases(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE uint8_t *infinity = calloc(3, t->info->point_bytes);
    assert_non_null(infinity);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    for (uint32_t factor = 0; factor < 3; factor++) {
        bases_config.precompute_factor = factor;
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, NULL, 0, &bases_config);
        sumac_msm_config config = {.size = sizeof config};
        assert_int_equal(sumac_bases_count(bases), 0);
        test_msm(context, bases, NULL, 0, NULL, infinity, "no bases");
        config.batch = 3;
        test_msm(context, bases, NULL, 0, &config, infinity, "no bases, a batch");
        config.base_sets = 3;
        test_msm(context, bases, NULL, 0, &config, infinity, "no bases, a batch with bases of its own");
    }
}

static void test_bases_configurations(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 4);
    const size_t point = t->info->point_bytes;
    sumac_bases_config bad[9];
    for (size_t i = 0; i < 9; i++) {
        bad[i] = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    }
    bad[0].stride = point - 1;
    bad[1].form = (sumac_form)7;
    bad[2].infinity = (sumac_infinity)5;
    bad[3].infinity = SUMAC_INFINITY_FLAG;
    bad[3].stride = point + 1;
    bad[3].infinity_offset = point + 1;
    bad[4].check = (sumac_check)9;
    bad[5].tuning = "c=25";
    bad[6].precompute_factor = 100000;
    bad[7].scalar_bits = 8 * t->info->scalar_bytes + 1;
    bad[8].typical_n = 5;
    for (size_t i = 0; i < 9; i++) {
        char label[32];
        sumac_bases *bases = m.bases;
        snprintf(label, sizeof label, "bases configuration %zu", i);
        test_status(m.context, exact_create(m.context, t->group, m.points, 4, &bad[i], &bases),
                    SUMAC_BAD_ARGUMENT, label);
        assert_null(bases);
    }
    sumac_bases *bases = m.bases;
    sumac_bases_config config = {.size = sizeof config};
    config.infinity = SUMAC_INFINITY_FLAG; /* the points are packed, without room for a flag */
    for (config.infinity_offset = 0; config.infinity_offset <= point; config.infinity_offset += point) {
        test_sentence(m.context, exact_create(m.context, t->group, m.points, 4, &config, &bases),
                      SUMAC_BAD_ARGUMENT, "flag");
        assert_null(strstr(sumac_context_message(m.context), "offset"));
    }
    /* With these strides the four points, or even one, would exceed the address space. */
    const size_t strides[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 8 + 1};
    config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        config.stride = strides[i];
        test_sentence(m.context, exact_create(m.context, t->group, m.points, 4, &config, &bases),
                      SUMAC_BAD_ARGUMENT, "stride");
    }
    config.stride = SIZE_MAX;
    TEST_BAD(m.context, exact_create(m.context, t->group, m.points, 1, &config, &bases));
    config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    config.location = SUMAC_LOCATION_DEVICE;
    if (strcmp(options.backend, "cpu") == 0) {
        test_sentence(m.context, exact_create(m.context, t->group, m.points, 4, &config, &bases),
                      SUMAC_NOT_SUPPORTED, "location");
    }
    test_msm(m.context, m.bases, m.scalars, m.n, NULL, m.expected, "after failures");
}

static void expect_refused(test_sum *m, const test_group *t, const sumac_msm_config *config, size_t n,
                           sumac_status expected, const char *named)
{
    const size_t batch = config->batch > 0 ? config->batch : 1, bytes = batch * t->info->point_bytes;
    AUTO_FREE uint8_t *results = test_alloc(bytes), *untouched = test_alloc(bytes);
    memset(results, 0xa5, bytes);
    memset(untouched, 0xa5, bytes);
    test_status(m->context, exact_msm(m->context, m->bases, m->scalars, n, config, results), expected, named);
    if (strstr(sumac_context_message(m->context), named) == NULL) {
        test_abort("the message \"%s\" does not name %s", sumac_context_message(m->context), named);
    }
    assert_memory_equal(results, untouched, bytes);
    test_msm(m->context, m->bases, m->scalars, m->n, NULL, m->expected, "after a failure");
}

/* Check that the default configuration with one change is refused, and that the sentence has these words. */
#define REFUSED(change, n, status, words)                                                                    \
    do {                                                                                                     \
        sumac_msm_config config = {.size = sizeof config};                                                   \
        change;                                                                                              \
        expect_refused(&m, t, &config, n, status, words);                                                    \
    } while (0)

static void test_msm_configurations(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 6);
    REFUSED((void)0, 7, SUMAC_BAD_LENGTH, "6");
    REFUSED((void)0, SIZE_MAX, SUMAC_BAD_LENGTH, "6");
    REFUSED(config.first = 1, 6, SUMAC_BAD_LENGTH, "6");
    REFUSED(config.first = SIZE_MAX, 2, SUMAC_BAD_LENGTH, "6");
    REFUSED((config.batch = 3, config.base_sets = 3), 3, SUMAC_BAD_LENGTH, "6");
    REFUSED(config.tuning = "c=25", 6, SUMAC_BAD_ARGUMENT, "'c=25'");
    REFUSED(config.scalar_bits = 8 * t->info->scalar_bytes + 1, 6, SUMAC_BAD_ARGUMENT, "scalar_bits");
    REFUSED(config.scalar_form = (sumac_form)2, 6, SUMAC_BAD_ARGUMENT, "form");
    REFUSED(config.result_form = (sumac_form)-1, 6, SUMAC_BAD_ARGUMENT, "form");
    REFUSED(config.tuning = "reduction=3", 6, SUMAC_BAD_ARGUMENT, "reduction");
    REFUSED(config.tuning = "plan=clever", 6, SUMAC_UNKNOWN_PLAN, "clever");
    sumac_msm_config config = {.size = sizeof config};
    config.tuning = test_tuning("plan=%s", "auto");
    test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "the plan auto by its name");
}

/* Try every word of a tuning, and texts that are refused, in all three configurations. */
static void test_tuning_texts(void)
{
    static const char *const faults[][2] = {
        {"cc=3", "'cc=3' is no WORD=VALUE"},
        {"C=3", "'C=3' is no WORD=VALUE"},
        {" c=3", "' c=3' is no WORD=VALUE"},
        {"c", "'c' is no WORD=VALUE"},
        {"=3", "'=3' is no WORD=VALUE"},
        {",", "'' is no WORD=VALUE"},
        {"c=3,,chunks=2", "'' is no WORD=VALUE"},
        {"c=3,", "ends with a comma"},
        {"c=", "'c=' has no number from 0 to 24"},
        {"c=25", "'c=25' has no number from 0 to 24"},
        {"c=-1", "'c=-1' has no number"},
        {"c=+1", "'c=+1' has no number"},
        {"c=1 ", "'c=1 ' has no number"},
        {"c=0x4", "'c=0x4' has no number"},
        {"c=18446744073709551617", "has no number"},
        {"chunks=4294967296", "has no number from 0 to 4294967295"},
        {"copy_slices=5", "has no number from 0 to 4"},
        {"large_bucket_factor=x", "has no number"},
        {"reduction=triangle", "is none of auto, running-sum and halving"},
        {"reduction=", "is none of auto"},
        {"plan=", "'plan=' has no name"},
        {"variant=", "'variant=' has no name"},
        {"c=\x1b[31m", "'c=\\x1b[31m'"},
    };
    tuning_values read;
    sumac_message message = {""};
    assert_int_equal(tuning_read(NULL, &read, &message), SUMAC_OK);
    assert_int_equal(tuning_read("", &read, &message), SUMAC_OK);
    assert_memory_equal(&read, &(tuning_values){0}, sizeof read);
    assert_int_equal(
        tuning_read("c=24,chunks=4294967295,copy_slices=4,large_bucket_factor=10,reduction=halving,"
                    "plan=auto,variant=avx2",
                    &read, &message),
        SUMAC_OK);
    assert_int_equal(read.c, 24);
    assert_int_equal(read.chunks, UINT32_MAX);
    assert_int_equal(read.copy_slices, 4);
    assert_int_equal(read.large_bucket_factor, 10);
    assert_int_equal(read.reduction, REDUCTION_HALVING);
    assert_string_equal(read.plan, "auto");
    assert_string_equal(read.variant, "avx2");
    assert_int_equal(tuning_read("reduction=running-sum,c=3,c=004", &read, &message), SUMAC_OK);
    assert_int_equal(read.reduction, REDUCTION_RUNNING_SUM);
    assert_int_equal(read.c, 4); /* the last value counts */
    assert_int_equal(tuning_read("plan=a-name-of-more-than-thirty-one-characters", &read, &message),
                     SUMAC_OK);
    assert_int_equal(strlen(read.plan), TUNING_NAME_BYTES - 1);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    const sumac_group *group = sumac_group_at(0);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sumac_context_config of_context = {.size = sizeof of_context, .tuning = faults[i][0]};
        sumac_bases_config of_bases = {.size = sizeof of_bases, .tuning = faults[i][0]};
        sumac_msm_config of_msm = {.size = sizeof of_msm, .tuning = faults[i][0]};
        char *json = NULL;
        expect_no_context(&of_context, SUMAC_BAD_ARGUMENT, faults[i][1]);
        test_sentence(context, sumac_plan_create(context, group, 9, &of_bases, NULL, &json),
                      SUMAC_BAD_ARGUMENT, faults[i][1]);
        test_sentence(context, sumac_plan_create(context, group, 9, NULL, &of_msm, &json), SUMAC_BAD_ARGUMENT,
                      faults[i][1]);
        assert_null(json);
    }
}

/* Fields that only a GPU supports are refused by their names. */
static void test_gpu_fields(void **state)
{
    test_group *t = *state;
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 6);
    REFUSED(config.scalars_location = SUMAC_LOCATION_DEVICE, 6, SUMAC_NOT_SUPPORTED, "scalars_location");
    REFUSED(config.result_location = SUMAC_LOCATION_DEVICE, 6, SUMAC_NOT_SUPPORTED, "result_location");
    REFUSED(config.tuning = "copy_slices=2", 6, SUMAC_NOT_SUPPORTED, "copy_slices");
    test_sentence(m.context, sumac_context_set_stream(m.context, &m), SUMAC_NOT_SUPPORTED, "no streams");
    TEST_OK(m.context, sumac_context_set_stream(m.context, NULL));
    assert_int_equal(sumac_context_set_stream(NULL, NULL), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_context_wait(m.context), SUMAC_OK); /* no call was queued */
    assert_int_equal(sumac_context_wait(NULL), SUMAC_BAD_ARGUMENT);
}

static void test_scalar_bits(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 6);
    const size_t scalar = t->info->scalar_bytes;
    for (uint32_t bits = 1; bits < t->info->scalar_bits;
         bits += bits < 4 || bits + 4 > t->info->scalar_bits ? 1 : 13) {
        sumac_msm_config config = {.size = sizeof config};
        config.scalar_bits = bits;
        TEST_NUMBERS(k);
        for (size_t i = 0; i < m.n; i++) {
            if (i == 0) { /* the largest number that is allowed */
                mpz_set_ui(k, 0);
                mpz_setbit(k, bits);
                mpz_sub_ui(k, k, 1);
            } else {
                mpz_urandomb(k, t->random, bits);
            }
            oracle_scalar_to_raw(&t->oracle, m.scalars + i * scalar, k);
        }
        oracle_msm(&t->oracle, m.expected, m.points, m.scalars, m.n);
        for (uint32_t c = 0; c <= 9; c += 3) {
            config.tuning = test_tuning("c=%u", c);
            test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "scalars of few bits");
        }
        config.tuning = NULL;
        mpz_set_ui(k, 0);
        mpz_setbit(k, bits);
        if (mpz_cmp(k, t->oracle.r) < 0) {
            oracle_scalar_to_raw(&t->oracle, m.scalars + 5 * scalar, k);
            oracle_msm(&t->oracle, m.expected, m.points, m.scalars, m.n);
            expect_refused(&m, t, &config, 6, SUMAC_SCALAR_TOO_LARGE, "bits");
        }
    }
}

/* Multiples are made for one window and one size of scalars. */
static void test_multiples_and_calls(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 6);
    sumac_bases_destroy(m.bases);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = 3;
    bases_config.tuning = test_tuning("c=%u", 5);
    m.bases = test_bases(m.context, t, m.points, m.n, &bases_config);
    assert_int_equal(info_of(m.bases).precompute_factor, t->info->scalar_bits < 10 ? 1 : 3);
    assert_true(info_of(m.bases).bytes >=
                (uint64_t)m.n * info_of(m.bases).precompute_factor * t->info->point_bytes);
    sumac_msm_config config = {.size = sizeof config};
    for (uint32_t given = 0; given <= 5; given += 5) { /* whatever plan is kept */
        config.tuning = test_tuning("c=%u", given);
        test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "multiples");
        config.tuning = test_tuning("c=%u", 6);
        expect_refused(&m, t, &config, 6, SUMAC_BAD_ARGUMENT, "c ");
    }
    sumac_bases_destroy(m.bases);
    bases_config.scalar_bits = 32;
    m.bases = test_bases(m.context, t, m.points, m.n, &bases_config);
    AUTO_FREE uint8_t *result = test_alloc(t->info->point_bytes);
    TEST_BAD(m.context, exact_msm(m.context, m.bases, m.scalars, m.n, NULL, result));
    memset(m.scalars, 0, m.n * t->info->scalar_bytes);
    for (size_t i = 0; i < m.n; i++) {
        test_random_bytes(t, m.scalars + i * t->info->scalar_bytes, 4);
    }
    oracle_msm(&t->oracle, m.expected, m.points, m.scalars, m.n);
    config = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    config.scalar_bits = 32;
    test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "multiples for 32 bits");
}

/* Return 1 if a plan's workspace is larger than the other's, absolutely or relative to its bases with their
 * multiples. */
static int takes_more(const test_plan *plan, const test_plan *than)
{
    const uint64_t bytes = test_plan_bytes(plan, "workspace"), other = test_plan_bytes(than, "workspace");
    const double bases = (double)test_plan_bytes(plan, "bases"),
                 others = (double)test_plan_bytes(than, "bases");
    return bytes > other || (double)bytes / bases > (double)other / others;
}

/* Multiples for named calls have the window for which those calls are predicted to be fastest. */
static void test_typical_calls(void **state)
{
    const size_t many = options.quick ? 2000 : 5000, few = options.quick ? 10 : 25;
    const struct {
        size_t count, n;
        uint32_t batch;
        uint32_t separate;
    } calls[] = {
        {64, 64, 1, 0}, {1024, 1024, 1000, 0}, {many, few, 1, 0}, {many, few, 200, 1}, {many, many, 50, 0}};
    test_group *t = *state;
    if (options.device_count > 0) {
        skip(); /* the devices have their own plans for parts */
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(4, 0);
    uint32_t different = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        test_plan plan = {0}, other = {0};
        sumac_bases_config bases_config = {.size = sizeof bases_config};
        sumac_msm_config config = {.size = sizeof config};
        bases_config.precompute_factor = t->info->scalar_bits;
        bases_config.typical_batch = calls[i].batch;
        bases_config.typical_n = calls[i].n;
        config.batch = calls[i].batch;
        config.base_sets = calls[i].separate ? calls[i].batch : 0;
        TEST_OK(context,
                sumac_known_bases_create(context, t->group, calls[i].count, 1, &bases_config, &bases));
        TEST_OK(context, test_msm_plan(context, bases, calls[i].n, &config, &plan));
        bases_config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
        bases_config.precompute_factor = t->info->scalar_bits;
        for (uint32_t c = 1; c <= 20; c++) {
            bases_config.tuning = test_tuning("c=%u", c);
            TEST_OK(context, test_plan_create(context, t->group, calls[i].n, &bases_config, &config, &other));
            /* On a CPU a faster plan is not chosen if it needs more memory than its speed is worth. */
            const int too_large = strcmp(options.backend, "cpu") == 0 && takes_more(&other, &plan);
            if (other.milliseconds < plan.milliseconds && !too_large) {
                test_abort("%zu of %zu bases, batch %u: c = %u is predicted to take %g ms, c = %u %g ms",
                           calls[i].n, calls[i].count, (unsigned)calls[i].batch, plan.c, plan.milliseconds,
                           other.c, other.milliseconds);
            }
        }
        bases_config.tuning = NULL;
        TEST_OK(context, test_plan_create(context, t->group, calls[i].count, &bases_config, NULL, &other));
        different += other.c != plan.c;
    }
    assert_true(different > 0);
}

/* No context is predicted to be slower than one of a single thread. */
static void test_more_threads(void **state)
{
    test_group *t = *state;
    if (strcmp(options.backend, "cpu") != 0) {
        skip(); /* a GPU's plans are the same for any number of threads */
    }
    CLEANUP(destroy_context) sumac_context *one = test_context(1, 0);
    for (uint32_t threads = 2; threads <= 16; threads *= 2) {
        CLEANUP(destroy_context) sumac_context *several = test_context(threads, 0);
        for (size_t n = 1; n <= 4096; n *= 2) {
            test_plan alone = {0}, shared = {0};
            TEST_OK(one, test_plan_create(one, t->group, n, NULL, NULL, &alone));
            TEST_OK(several, test_plan_create(several, t->group, n, NULL, NULL, &shared));
            if (shared.milliseconds > alone.milliseconds) {
                test_abort("%zu bases: %u threads are predicted to take %g ms, one takes %g", n,
                           (unsigned)threads, shared.milliseconds, alone.milliseconds);
            }
        }
    }
}

/* The memory is page-locked with a GPU, and ordinary memory without one. */
static void test_pinned_memory(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 9);
    void *scalars = NULL, *none = &m;
    TEST_OK(m.context, sumac_pinned_allocate(m.context, m.n * t->info->scalar_bytes, &scalars));
    assert_int_equal((uintptr_t)scalars % 64, 0);
    memcpy(scalars, m.scalars, m.n * t->info->scalar_bytes);
    test_msm(m.context, m.bases, scalars, m.n, NULL, m.expected, "scalars in pinned memory");
    sumac_pinned_free(scalars);
    sumac_context *gone = test_context(1, 0); /* the memory lives longer than this context */
    TEST_OK(gone, sumac_pinned_allocate(gone, m.n * t->info->scalar_bytes, &scalars));
    sumac_context_destroy(gone);
    memcpy(scalars, m.scalars, m.n * t->info->scalar_bytes);
    test_msm(m.context, m.bases, scalars, m.n, NULL, m.expected, "when its context is gone");
    sumac_pinned_free(scalars);
    test_status(m.context, sumac_pinned_allocate(m.context, (size_t)1 << 60, &none), SUMAC_OUT_OF_MEMORY,
                "more than there is");
    assert_null(none);
    none = &m;
    assert_int_equal(sumac_pinned_allocate(NULL, 1, &none), SUMAC_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(sumac_pinned_allocate(m.context, 1, NULL), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_pinned_allocate(m.context, SIZE_MAX, &none), SUMAC_OUT_OF_MEMORY);
    assert_null(none);
    sumac_pinned_free(NULL);
    const int on_gpu = strcmp(test_describe(m.context).backend, "cuda") == 0;
    assert_int_equal(strlen(test_describe(m.context).device_names[0]) > 0, on_gpu);
}

/* ---- impossible sizes ---- */

/* Counts whose products or sums exceed 64 bits give a status, and a sentence that names the count. */
static void test_huge_counts(void **state)
{
    static const size_t huge[] = {SIZE_MAX, SIZE_MAX - 5, (size_t)1 << 63, (size_t)1 << 32,
                                  ((size_t)1 << 31) + 1};
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE uint8_t *buffer = test_alloc(16 * (size_t)t->info->point_bytes);
    sumac_bases *bases = NULL;
    test_plan plan = {0};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        char number[32];
        snprintf(number, sizeof number, "%zu", huge[i]);
        test_sentence(context, test_known_logarithms(context, t->group, huge[i], 1, buffer),
                      SUMAC_NOT_SUPPORTED, number);
        test_sentence(context, test_known_answer(context, t->group, buffer, buffer, huge[i], buffer),
                      SUMAC_NOT_SUPPORTED, number);
        test_sentence(context, sumac_known_bases_create(context, t->group, huge[i], 1, NULL, &bases),
                      SUMAC_NOT_SUPPORTED, number);
        test_sentence(context, exact_create(context, t->group, buffer, huge[i], NULL, &bases),
                      SUMAC_NOT_SUPPORTED, number);
        for (size_t n = 0; n <= 8; n++) { /* first + n may exceed a size_t */
            sumac_msm_config config = {.size = sizeof config};
            config.first = huge[i];
            test_sentence(context, test_plan_create(context, t->group, n, NULL, &config, &plan),
                          SUMAC_NOT_SUPPORTED, number);
            config.first = n;
            test_sentence(context, test_plan_create(context, t->group, huge[i], NULL, &config, &plan),
                          SUMAC_NOT_SUPPORTED, number);
        }
    }
    sumac_msm_config config = {.size = sizeof config};
    config.first = ((size_t)1 << 31) - 4;
    TEST_OK(context, test_plan_create(context, t->group, 4, NULL, &config, &plan));
    config.first++;
    test_sentence(context, test_plan_create(context, t->group, 4, NULL, &config, &plan), SUMAC_NOT_SUPPORTED,
                  "2147483645 + 1*4");

    /* Here the batch is too large. */
    config = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    config.batch = UINT32_MAX;
    config.base_sets = UINT32_MAX;
    test_sentence(context, test_plan_create(context, t->group, 5, NULL, &config, &plan), SUMAC_NOT_SUPPORTED,
                  "4294967295*5");
    config.base_sets = 0;
    test_sentence(context, test_plan_create(context, t->group, (size_t)1 << 20, NULL, &config, &plan),
                  SUMAC_NOT_SUPPORTED, "4294967295 MSMs of 1048576");
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.precompute_factor = 2;
    bases_config.typical_batch = UINT32_MAX;
    test_sentence(context, test_plan_create(context, t->group, (size_t)1 << 20, &bases_config, NULL, &plan),
                  SUMAC_NOT_SUPPORTED, "typical_batch: 4294967295 MSMs of 1048576");
    bases_config.typical_n = (size_t)1 << 17;
    test_sentence(context, test_plan_create(context, t->group, (size_t)1 << 20, &bases_config, NULL, &plan),
                  SUMAC_NOT_SUPPORTED, "typical_batch: 4294967295 MSMs of 131072");
    bases_config.precompute_factor = 0;
    bases_config.tables = SUMAC_TABLES_AUTO;
    test_sentence(context, test_plan_create(context, t->group, (size_t)1 << 20, &bases_config, NULL, &plan),
                  SUMAC_NOT_SUPPORTED, "typical_batch");
}

/* ---- devices ---- */

/* This is the function of a fake device that only knows its number, so that a call that uses the device crashes. */
static int32_t numbered_ordinal(const void *engine)
{
    return *(const int32_t *)engine;
}

static void numbered_enter(void *engine)
{
    (void)engine;
}

/* If bases are on a device, every call with a context of another device, or of the CPU, refuses them before anything is
 * done. test_cuda_engine.c tests this with real devices. */
static void test_bases_elsewhere(void **state)
{
    static const device_ops numbered = {.ordinal = numbered_ordinal, .enter = numbered_enter};
    test_group *t = *state;
    if (strcmp(options.backend, "cpu") != 0 || options.device_count > 0) {
        skip(); /* there are real devices */
    }
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 5);
    const backend *original = m.context->executors.at->backend;
    backend on_device = *original;
    on_device.name = "numbered";
    on_device.device = &numbered;
    int32_t number = 0;
    char path[64];
    snprintf(path, sizeof path, "/tmp/sumac-api-%ld", (long)getpid());
    AUTO_FREE uint8_t *results = test_alloc(sumac_partial_bytes(t->group, 1) + m.n * t->info->point_bytes);
    test_plan plan = {0};
    m.bases->backend = &on_device;
    m.bases->shards[0].device = 1;
    for (int with_device = 0; with_device < 2; with_device++) {
        m.context->executors.at->backend = with_device ? &on_device : original;
        m.context->executors.at->engine = with_device ? &number : NULL;
        for (int call = 0; call < 6; call++) {
            const sumac_status status =
                call == 0   ? exact_msm(m.context, m.bases, m.scalars, m.n, NULL, results)
                : call == 1 ? exact_partial(m.context, m.bases, m.scalars, m.n, NULL, results)
                : call == 2 ? test_msm_plan(m.context, m.bases, m.n, NULL, &plan)
                : call == 3 ? exact_get(m.context, m.bases, 0, m.n, results)
                : call == 4 ? sumac_bases_save(m.context, m.bases, path, NULL)
                            : sumac_bases_save(m.context, m.bases, path, "raw");
            test_status(m.context, status, SUMAC_BAD_ARGUMENT, "bases of another device");
            const char *message = sumac_context_message(m.context);
            assert_non_null(strstr(message, with_device ? "GPU 1" : call < 3 ? "numbered" : "GPU 1"));
            assert_non_null(strstr(message, with_device ? "GPU 0" : original->name));
            assert_int_equal(access(path, F_OK), -1);
        }
    }
    number = 1;
    assert_int_equal(bases_check_usable(m.context, m.bases), SUMAC_OK);
    m.bases->shards[0].device = ON_HOST;
    m.context->executors.at->backend = m.bases->backend = original;
    m.context->executors.at->engine = NULL;
    test_msm(m.context, m.bases, m.scalars, m.n, NULL, m.expected, "on the host again");
}

/* ---- plans ---- */

static void test_plans(void **state)
{
    test_group *t = *state;
    if (options.device_count > 0) {
        skip(); /* the devices have their own plans for parts */
    }
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 40);
    test_plan plan = {0}, again = {0};
    for (uint32_t turn = 0; turn < 24; turn++) {
        sumac_msm_config config = {.size = sizeof config};
        const uint32_t c = turn % 12;
        config.tuning = test_tuning("c=%u,chunks=%u,reduction=%s", c, turn % 4, test_reductions[turn % 3]);
        TEST_OK(m.context, test_plan_create(m.context, t->group, m.n, NULL, &config, &plan));
        TEST_OK(m.context, test_plan_create(m.context, t->group, m.n, NULL, &config, &again));
        assert_memory_equal(&plan, &again, sizeof plan);
        assert_true(c == 0 || plan.c == c);
        assert_true((uint64_t)plan.windows * plan.c >= t->info->scalar_bits);
        const uint32_t multiples = plan.precompute_factor * plan.glv_terms;
        assert_int_equal(plan.modules, (plan.windows + multiples - 1) / multiples);
        assert_int_equal(plan.buckets, UINT64_C(1) << (plan.c - 1));
        assert_true((uint64_t)plan.passes * plan.modules_per_pass >= (uint64_t)plan.sub_batch * plan.modules);
        assert_int_equal(test_plan_bytes(&plan, "workspace"),
                         test_plan_bytes(&plan, "host_resident") + test_plan_bytes(&plan, "staging") +
                             test_plan_bytes(&plan, "digits") + test_plan_bytes(&plan, "entries") +
                             test_plan_bytes(&plan, "buckets") + test_plan_bytes(&plan, "scratch"));
        assert_int_equal(test_plan_bytes(&plan, "total"), test_plan_bytes(&plan, "bases") +
                                                              test_plan_bytes(&plan, "scalars") +
                                                              test_plan_bytes(&plan, "workspace"));
        assert_true(plan.milliseconds > 0);
        mpz_t intervals; /* the number of r/2 that the digits can hold */
        mpz_init(intervals);
        mpz_setbit(intervals, (mp_bitcnt_t)plan.windows * plan.c);
        mpz_fdiv_q(intervals, intervals, t->oracle.r);
        assert_true(plan.top_window_balancing == 1 || plan.glv_terms > 1 ||
                    mpz_cmp_ui(intervals, plan.top_window_balancing) == 0);
        const char *recode = test_plan_kind(&plan, "recode");
        assert_int_equal(plan.glv_terms > 1, strcmp(recode, "signed-glv") == 0);
        assert_true(plan.top_window_balancing == 1 || plan.glv_terms > 1 ||
                    strcmp(recode, "signed-negated") == 0);
        assert_true(plan.top_window_balancing == 1 || strcmp(options.backend, "cpu") != 0);
        mpz_clear(intervals);
        CLEANUP(destroy_context) sumac_context *fresh = test_context(2, 0);
        test_msm(fresh, m.bases, m.scalars, m.n, &config, m.expected, "a planned call");
        assert_int_equal(fresh->executors.at->workspace_bytes,
                         test_plan_bytes(&plan, "workspace")); /* what the call allocated */
    }
}

/* Prepared calls have the results and the plan of sumac_msm(), whatever the context does between two runs. */
static void test_prepared(void **state)
{
    enum { CALLS = 4 };
    test_group *t = *state;
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 64);
    AUTO_FREE uint8_t *scalars = test_alloc(64 * scalar), *expected = test_alloc(2 * point);
    AUTO_FREE uint8_t *results = test_alloc(2 * point);
    sumac_call *calls[CALLS];
    const size_t lengths[CALLS] = {64, 32, 1, 0};
    for (size_t i = 0; i < CALLS; i++) {
        sumac_msm_config config = {.size = sizeof config};
        config.batch = lengths[i] == 32 ? 2 : 1;
        config.tuning = lengths[i] == 1 ? "c=3" : lengths[i] == 64 ? "chunks=2,plan=auto" : NULL;
        TEST_OK(m.context, sumac_msm_prepare(m.context, m.bases, lengths[i], &config, &calls[i]));
        test_plan plan = {0}, again = {0};
        TEST_OK(m.context, test_call_plan(calls[i], &plan));
        TEST_OK(m.context, test_msm_plan(m.context, m.bases, lengths[i], &config, &again));
        assert_memory_equal(&plan, &again, sizeof plan);
    }
    for (uint32_t turn = 0; turn < 12; turn++) {
        const size_t i = turn * 7 % CALLS, n = lengths[i], batch = n == 32 ? 2 : 1;
        test_random_scalars(t, scalars, 64);
        for (size_t msm = 0; msm < batch; msm++) {
            oracle_msm(&t->oracle, expected + msm * point, m.points, scalars + msm * n * scalar, n);
        }
        memset(results, 0x5a, 2 * point);
        TEST_OK(m.context, sumac_call_run(calls[i], n == 0 ? NULL : scalars, SIZE_MAX, results, SIZE_MAX));
        assert_memory_equal(results, expected, batch * point);
        if (turn % 3 == 0) { /* a plan that is already kept, another one, and one to keep */
            sumac_msm_config config = {.size = sizeof config};
            test_msm(m.context, m.bases, m.scalars, m.n, NULL, m.expected, "after a run");
            config.tuning = test_tuning("c=%u", 1 + turn % 5);
            test_msm(m.context, m.bases, m.scalars, m.n, &config, m.expected, "between runs");
            test_msm(m.context, m.bases, m.scalars, m.n, NULL, m.expected, "between runs, again");
        }
    }
    /* Some calls can't be run, and others can't be prepared. */
    sumac_call *none = calls[0];
    assert_int_equal(sumac_call_run(NULL, scalars, SIZE_MAX, results, SIZE_MAX), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_call_run(calls[0], NULL, SIZE_MAX, results, SIZE_MAX), SUMAC_BAD_ARGUMENT);
    assert_string_equal(sumac_context_message(m.context), "the scalars' address is null");
    assert_int_equal(sumac_call_run(calls[0], scalars, SIZE_MAX, NULL, SIZE_MAX), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_call_plan(calls[0], NULL), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_msm_prepare(m.context, m.bases, 64, NULL, NULL), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_msm_prepare(m.context, NULL, 64, NULL, &none), SUMAC_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(sumac_msm_prepare(m.context, m.bases, 65, NULL, &none), SUMAC_BAD_LENGTH);
    sumac_msm_config unknown = {.size = sizeof unknown};
    unknown.tuning = "plan=none of this name";
    assert_int_equal(sumac_msm_prepare(m.context, m.bases, 64, &unknown, &none), SUMAC_UNKNOWN_PLAN);
    unknown = (sumac_msm_config){0};
    assert_int_equal(sumac_msm_prepare(m.context, m.bases, 64, &unknown, &none), SUMAC_BAD_ARGUMENT);
    assert_null(none);
    /* Bases that moved to another device before the run are refused. */
    const backend *original = m.bases->backend;
    const backend other = *original;
    m.bases->backend = &other;
    assert_int_equal(sumac_call_run(calls[0], scalars, SIZE_MAX, results, SIZE_MAX), SUMAC_BAD_ARGUMENT);
    m.bases->backend = original;
    for (size_t i = 0; i < CALLS; i++) {
        sumac_call_destroy(calls[i]);
    }
    sumac_call_destroy(NULL);
}

/* Plans of impossible sizes succeed or give a status, without overflow. */
static void test_huge_plans(void **state)
{
    test_group *t = *state;
    if (options.device_count > 0) {
        skip(); /* the devices have their own plans for parts */
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0), *limited = test_context(2, 1 << 20);
    for (uint32_t bits = 16; bits < 64; bits += 4) {
        test_plan plan = {0};
        const size_t n = (size_t)1 << bits;
        const sumac_status status = test_plan_create(context, t->group, n, NULL, NULL, &plan);
        assert_true(status == SUMAC_OK || status == SUMAC_NOT_SUPPORTED);
        assert_int_equal(status, bits <= 28 ? SUMAC_OK : bits > 32 ? SUMAC_NOT_SUPPORTED : status);
        if (status == SUMAC_OK) {
            assert_int_equal(test_plan_bytes(&plan, "scalars"), (uint64_t)n * t->info->scalar_bytes);
            assert_true(test_plan_bytes(&plan, "total") > test_plan_bytes(&plan, "workspace") &&
                        test_plan_bytes(&plan, "workspace") > 0);
            assert_true(test_plan_bytes(&plan, "bases") >= (uint64_t)n * t->info->point_bytes);
        }
        const sumac_status within = test_plan_create(limited, t->group, n, NULL, NULL, &plan);
        assert_true(within == SUMAC_MEMORY_LIMIT || within == SUMAC_NOT_SUPPORTED ||
                    (within == SUMAC_OK && test_plan_bytes(&plan, "workspace") <= 1 << 20));
    }
}

/* ---- The last calls' plans are kept ---- */

/* A prediction that no plan has marks kept plans. */
static const double MARK = -1;

/* Return whether a call uses a kept plan. */
static int is_kept(test_sum *m, const sumac_msm_config *config, size_t n, const uint8_t *expected)
{
    executor *self = m->context->executors.at;
    for (size_t i = 0; i < KEPT_PLANS; i++) {
        self->plans[i].plan.milliseconds = MARK;
    }
    self->call.plan.milliseconds = MARK;
    test_msm(m->context, m->bases, m->scalars, n, config, expected, "kept plans");
    return self->call.plan.milliseconds == MARK;
}

/* A call with the same names and numbers as one of the last KEPT_PLANS uses its plan. A name is compared by its
 * letters, wherever the caller keeps them. Without a name it is auto. */
static void test_kept_plans(void **state)
{
    static const struct {
        const char *plan;
        uint32_t c, planned_c;
        int kept;
    } cases[] = {
        {"", 3, 3, 0},     {"", 3, 3, 1},         {"", 4, 4, 0},     {"baseline", 0, 1, 0},
        {"auto", 4, 4, 1}, {"baseline", 0, 1, 1}, {"auto", 4, 4, 1}, {"", 4, 4, 1},
    };
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 50);
    if (!test_has_plan(m.context, "baseline")) {
        test_sum_free(&m);
        skip(); /* the build has no named plans */
    }
    AUTO_FREE uint8_t *infinity = test_alloc(t->info->point_bytes);
    memset(infinity, 0, t->info->point_bytes);
    const int is_one = m.bases->shard_count == 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && is_one; i++) {
        sumac_msm_config config = {.size = sizeof config};
        config.tuning = cases[i].plan[0] == '\0' ? test_tuning("c=%u", cases[i].c)
                                                 : test_tuning("c=%u,plan=%s", cases[i].c, cases[i].plan);
        assert_int_equal(is_kept(&m, &config, m.n, m.expected), cases[i].kept);
        assert_int_equal(m.context->executors.at->call.plan.c, cases[i].planned_c);
    }
    /* A new plan replaces the oldest one. */
    const size_t n = m.n;
    assert_true(!is_one || !is_kept(&m, NULL, n, m.expected));
    memset(m.scalars, 0, n * t->info->scalar_bytes);
    for (size_t i = 1; i < KEPT_PLANS && is_one; i++) {
        assert_false(is_kept(&m, NULL, n - i, infinity));
    }
    assert_true(!is_one || is_kept(&m, NULL, n, infinity));
    assert_true(!is_one || !is_kept(&m, NULL, n - KEPT_PLANS, infinity));
    assert_true(!is_one || !is_kept(&m, NULL, n, infinity));
}

static void make_request(plan_request *request, const executor *self, const test_sum *m,
                         const sumac_msm_config *config)
{
    msm_call call;
    msm_call_make(&call, self, m->bases->group, m->n, config);
    planning_request(request, self, m->bases, 0, &call, 0);
}

/* Requests are compared by their bytes. The location of results counts, because the host's combine must copy results to
 * a device. */
static void test_requests_of_plans(void **state)
{
    CLEANUP(test_sum_free) test_sum m = test_sum_make(*state, 1);
    const executor *self = m.context->executors.at;
    sumac_msm_config config = {.size = sizeof config};
    plan_request first, again, other;
    make_request(&first, self, &m, &config);
    memset(&again, 0x5a, sizeof again); /* padding counts, too */
    make_request(&again, self, &m, &config);
    assert_memory_equal(&first, &again, sizeof first);
    config.result_location = SUMAC_LOCATION_DEVICE;
    make_request(&other, self, &m, &config);
    assert_memory_not_equal(&first, &other, sizeof first);
    /* A limit that the caller gave leads to another plan than the same limit of the device's memory. */
    executor limited = *self;
    config.result_location = SUMAC_LOCATION_HOST;
    limited.means.memory_limit = 1;
    make_request(&other, &limited, &m, &config);
    assert_memory_not_equal(&first, &other, sizeof first);
}

/* ---- callbacks ---- */

typedef struct observed {
    pthread_mutex_t lock;
    unsigned events, bad_events;
    unsigned stages; /* a bit for each stage that was seen */
    double done;
    unsigned bad_progress;
} observed;

static void on_trace(void *user, const sumac_trace_event *event)
{
    static const char *const stages[] = {"recode", "sort", "accumulate", "reduce", "combine", "plan"};
    observed *seen = user;
    pthread_mutex_lock(&seen->lock);
    seen->events++;
    seen->bad_events += event->end < event->start || event->thread >= 3;
    for (unsigned i = 0; i < 6; i++) {
        seen->stages |= strcmp(event->name, stages[i]) == 0 ? 1u << i : 0;
    }
    pthread_mutex_unlock(&seen->lock);
}

static int on_progress(void *user, double done)
{
    observed *seen = user;
    seen->bad_progress += done < seen->done || done > 1;
    seen->done = done;
    return 0;
}

static void test_callbacks(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 50);
    observed seen = {.lock = PTHREAD_MUTEX_INITIALIZER};
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_context_config config = test_context_config(3);
    config.trace = on_trace;
    config.progress = on_progress;
    config.user = &seen;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    sumac_msm_config msm_config = {.size = sizeof msm_config};
    msm_config.tuning = test_tuning("chunks=%u,c=%u", 2, 4);
    test_msm(context, m.bases, m.scalars, m.n, &msm_config, m.expected, "with trace and progress");
    assert_int_equal(seen.stages, 63);
    assert_int_equal(seen.bad_events, 0);
    assert_int_equal(seen.bad_progress, 0);
    assert_true(seen.done == 1.0);
}

static const test_entry entries[] = {
    {"texts", TEST_ONCE(test_texts)},
    {"registry", TEST_ONCE(test_registry)},
    {"contexts", TEST_ONCE(test_contexts)},
    {"reasons of contexts", TEST_ONCE(test_context_reasons)},
    {"description", test_description, TEST_EVERY_AND_TINY},
    {"null arguments", test_null_arguments, TEST_EVERY_AND_TINY},
    {"no bases", test_no_bases, TEST_EVERY_AND_TINY},
    {"configurations of bases", test_bases_configurations, TEST_EVERY_GROUP},
    {"configurations of calls", test_msm_configurations, TEST_EVERY_GROUP},
    {"texts of tunings", TEST_ONCE(test_tuning_texts)},
    {"fields for GPUs", test_gpu_fields, TEST_EVERY_GROUP},
    {"scalar bits", test_scalar_bits, TEST_EVERY_GROUP},
    {"multiples and calls", test_multiples_and_calls, TEST_EVERY_GROUP},
    {"pinned memory", test_pinned_memory, TEST_EVERY_GROUP},
    {"huge counts", test_huge_counts, TEST_EVERY_GROUP},
    {"bases elsewhere", test_bases_elsewhere, TEST_EVERY_GROUP},
    {"typical calls", test_typical_calls, TEST_SOME_GROUPS},
    {"more threads", test_more_threads, TEST_EVERY_AND_TINY},
    {"prepared calls", test_prepared, TEST_EVERY_AND_TINY},
    {"kept plans", test_kept_plans, TEST_EVERY_AND_TINY},
    {"requests of plans", test_requests_of_plans, TEST_EVERY_GROUP},
    {"plans", test_plans, TEST_EVERY_GROUP},
    {"huge plans", test_huge_plans, TEST_EVERY_AND_TINY},
    {"callbacks", test_callbacks, TEST_EVERY_GROUP},
};
TEST_MAIN("api", entries)

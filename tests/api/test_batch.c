/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The batch of a call: 0 is refused everywhere, and sumac_msm_measure() tells the bytes of every other one. The numbers
 * are worked out by hand, for bn254: a scalar has 32 bytes, a point 64, the header of a partial result 56.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/harness.h"
#include "sumac/files.h"
#include "sumac/vector.h"

/* ---- 0 is refused ---- */

enum { COUNT = 5, UNTOUCHED = 0xa5 };

typedef struct scene {
    test_curve *t;
    test_sum sum;
    sumac_vector *scalars, *points;
    char bases_path[64], scalars_path[64];
    uint8_t *results; /* of more bytes than any call here writes */
} scene;

typedef sumac_status (*batch_call)(scene *s, const sumac_msm_config *config);

static sumac_status call_msm(scene *s, const sumac_msm_config *config)
{
    return sumac_msm(s->sum.context, s->sum.bases, s->sum.scalars, COUNT, config, s->results);
}

static sumac_status call_partial(scene *s, const sumac_msm_config *config)
{
    return sumac_msm_partial(s->sum.context, s->sum.bases, s->sum.scalars, COUNT, config, s->results);
}

static sumac_status call_combine(scene *s, const sumac_msm_config *config)
{
    return sumac_partial_combine(s->sum.context, s->t->curve, NULL, 0, config->batch, s->results);
}

static sumac_status call_prepare(scene *s, const sumac_msm_config *config)
{
    CLEANUP(destroy_call) sumac_call *call = NULL;
    const sumac_status status = sumac_msm_prepare(s->sum.context, s->sum.bases, COUNT, config, &call);
    assert_true((status == SUMAC_OK) == (call != NULL));
    return status;
}

static sumac_status call_plan(scene *s, const sumac_msm_config *config)
{
    CLEANUP(destroy_plan) sumac_plan *plan = NULL;
    const sumac_status status = sumac_msm_plan(s->sum.context, s->sum.bases, COUNT, config, &plan);
    return status;
}

static sumac_status call_plan_create(scene *s, const sumac_msm_config *config)
{
    CLEANUP(destroy_plan) sumac_plan *plan = NULL;
    const sumac_status status = sumac_plan_create(s->sum.context, s->t->curve, COUNT, NULL, config, &plan);
    return status;
}

static sumac_status call_vectors(scene *s, const sumac_msm_config *config)
{
    return sumac_msm_vectors(s->sum.context, s->sum.bases, s->scalars, 0, COUNT, config, s->points, 0);
}

static sumac_status call_files(scene *s, const sumac_msm_config *config)
{
    return sumac_msm_files(s->sum.context, s->t->curve, s->bases_path, s->scalars_path, NULL, config,
                           s->results, NULL);
}

static const struct {
    batch_call call;
    const char *name;
} calls[] = {
    {call_msm, "sumac_msm"},
    {call_partial, "sumac_msm_partial"},
    {call_prepare, "sumac_msm_prepare"},
    {call_combine, "sumac_partial_combine"},
    {call_plan, "sumac_msm_plan"},
    {call_plan_create, "sumac_plan_create"},
    {call_vectors, "sumac_msm_vectors"},
    {call_files, "sumac_msm_files"},
};

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_refused(void **state)
{
    test_curve *t = *state;
    scene s = {.t = t, .sum = test_sum_make(t, COUNT)};
    const size_t room = 2 * sumac_partial_bytes(t->curve, 1);
    s.results = test_alloc(room);
    assert_int_equal(sumac_vector_create(s.sum.context, t->curve, SUMAC_VECTOR_SCALARS, COUNT, &s.scalars),
                     SUMAC_OK);
    assert_int_equal(sumac_vector_create(s.sum.context, t->curve, SUMAC_VECTOR_POINTS, 1, &s.points),
                     SUMAC_OK);
    snprintf(s.bases_path, sizeof s.bases_path, "/tmp/sumac-batch-%ld", (long)getpid());
    snprintf(s.scalars_path, sizeof s.scalars_path, "/tmp/sumac-batch-scalars-%ld", (long)getpid());
    write_file(s.bases_path, s.sum.points, COUNT * t->info->point_bytes);
    write_file(s.scalars_path, s.sum.scalars, COUNT * t->info->scalar_bytes);
    sumac_msm_config config = sumac_msm_config_default();
    assert_int_equal(config.batch, 1);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        config.batch = 1;
        test_status(s.sum.context, calls[i].call(&s, &config), SUMAC_OK, calls[i].name);
        config.batch = 0;
        memset(s.results, UNTOUCHED, room);
        test_status(s.sum.context, calls[i].call(&s, &config), SUMAC_BAD_ARGUMENT, calls[i].name);
        assert_non_null(strstr(sumac_context_message(s.sum.context), "batch is 0, and must be at least 1"));
        for (size_t at = 0; at < room; at++) {
            assert_int_equal(s.results[at], UNTOUCHED);
        }
    }
    unlink(s.bases_path);
    unlink(s.scalars_path);
    sumac_vector_destroy(s.scalars);
    sumac_vector_destroy(s.points);
    free(s.results);
    test_sum_free(&s.sum);
}

/* ---- the sizes of a call ---- */

/* A call of bn254; a batch of 0 stands for a call that is refused. A partial result has 192 bytes more than its points: two
 * blocks of header, and one with the checksum. */
static const struct {
    uint64_t n;
    uint32_t batch, scalar_bytes, separate_bases, base_sets;
    uint64_t first;
    uint64_t scalars, scalars_bytes, results_bytes, partial_bytes, bases;
} sizes[] = {
    {0, 1, 0, 0, 0, 0, 0, 0, 64, 256, 0},
    {1, 1, 0, 0, 0, 0, 1, 32, 64, 256, 1},
    {7, 3, 0, 0, 0, 2, 21, 672, 192, 384, 9},
    {7, 3, 5, 1, 0, 2, 21, 105, 192, 384, 23},
    {7, 3, 1, 1, 2, 2, 21, 21, 192, 384, 16},
    {7, 3, 1, 1, 9, 2, 21, 21, 192, 384, 23},
    {0, UINT32_MAX, 0, 0, 0, 0, 0, 0, UINT64_C(274877906880), UINT64_C(274877907072), 0},
    {1, 1u << 31, 8, 0, 0, 0, UINT64_C(2147483648), UINT64_C(17179869184), UINT64_C(137438953472),
     UINT64_C(137438953664), 1},
    {UINT64_C(2147483648), 1u << 31, 2, 0, 0, 0, UINT64_C(4611686018427387904), UINT64_C(9223372036854775808),
     UINT64_C(137438953472), UINT64_C(137438953664), UINT64_C(2147483648)},
    /* 2^32 - 1 of 2^32 - 1 are 2^64 - 2^33 + 1 */
    {UINT32_MAX, UINT32_MAX, 1, 1, 0, 0, UINT64_C(18446744065119617025), UINT64_C(18446744065119617025),
     UINT64_C(274877906880), UINT64_C(274877907072), UINT64_C(18446744065119617025)},
    {UINT64_MAX, 1, 1, 0, 0, 0, UINT64_MAX, UINT64_MAX, 64, 256, UINT64_MAX},
    {0, 1, 0, 0, 0, UINT64_MAX, 0, 0, 64, 256, UINT64_MAX},
    /* one more than a size_t counts: the scalars, their bytes, the bases */
    {UINT64_C(4294967297), UINT32_MAX, 1, 0, 0, 1, UINT64_MAX, UINT64_MAX, UINT64_C(274877906880),
     UINT64_C(274877907072), UINT64_C(4294967298)},
    {UINT64_C(4294967298), UINT32_MAX, 1, 0, 0, 0, 0, 0, 0, 0, 0},
    {UINT64_MAX, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0},
    {UINT64_MAX, UINT32_MAX, 0, 1, 0, 0, 0, 0, 0, 0, 0},
    {UINT64_C(1) << 59, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {(UINT64_C(1) << 59) - 1, 1, 0, 0, 0, 0, UINT64_C(576460752303423487), UINT64_C(18446744073709551584), 64,
     256, UINT64_C(576460752303423487)},
    {1, 1, 0, 0, 0, UINT64_MAX, 0, 0, 0, 0, 0},
    {2, 2, 0, 1, 0, UINT64_MAX - 3, 0, 0, 0, 0, 0},
    {2, 2, 0, 1, 0, UINT64_MAX - 4, 4, 128, 128, 320, UINT64_MAX},
};

static int is_bn254(const test_curve *t)
{
    return strcmp(t->info->name, "bn254") == 0 && strcmp(t->info->group, "g1") == 0;
}

static void test_numbers(void **state)
{
    const test_curve *t = *state;
    for (size_t i = 0; is_bn254(t) && i < sizeof sizes / sizeof *sizes; i++) {
        sumac_message message = {"x"};
        sumac_msm_sizes made = sumac_msm_sizes_default();
        sumac_msm_config config = sumac_msm_config_default();
        config.batch = sizes[i].batch;
        config.scalar_bytes = sizes[i].scalar_bytes;
        config.separate_bases = sizes[i].separate_bases;
        config.base_sets = sizes[i].base_sets;
        config.first = sizes[i].first;
        made.scalars = made.bases = 77;
        const sumac_status status = sumac_msm_measure(t->curve, sizes[i].n, &config, 0, &made, &message);
        if (sizes[i].partial_bytes == 0) {
            if (status != SUMAC_BAD_LENGTH || strstr(message.text, "more than any memory holds") == NULL) {
                test_abort("row %zu: status %d, %s", i, (int)status, message.text);
            }
            assert_int_equal(made.scalars, 77);
            assert_int_equal(made.bases, 77);
            continue;
        }
        if (status != SUMAC_OK) {
            test_abort("row %zu: status %d, %s", i, (int)status, message.text);
        }
        assert_string_equal(message.text, "");
        assert_int_equal(made.scalars, sizes[i].scalars);
        assert_int_equal(made.scalars_bytes, sizes[i].scalars_bytes);
        assert_int_equal(made.results_bytes, sizes[i].results_bytes);
        assert_int_equal(made.partial_bytes, sizes[i].partial_bytes);
        assert_int_equal(made.bases, sizes[i].bases);
        assert_int_equal(sumac_partial_bytes(t->curve, sizes[i].batch), sizes[i].partial_bytes);
    }
    assert_int_equal(sumac_partial_bytes(t->curve, 0), 0);
    assert_int_equal(sumac_partial_bytes(NULL, 1), 0);
}

/* One call with offsets. */
static sumac_status measure(const test_curve *t, size_t n, uint32_t batch, uint32_t separate,
                            const uint64_t *offsets, size_t count, sumac_msm_sizes *made,
                            sumac_message *message)
{
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = batch;
    config.separate_bases = separate;
    config.offsets = offsets;
    config.first = 10;
    *made = sumac_msm_sizes_default();
    return sumac_msm_measure(t->curve, n, &config, count, made, message);
}

static void test_offsets(void **state)
{
    const test_curve *t = *state;
    static const uint64_t rising[] = {2, 5, 5, 9}, falling[] = {0, 3, 2},
                          most[] = {0, (UINT64_C(1) << 59) - 1}, more[] = {0, UINT64_C(1) << 59},
                          last[] = {UINT64_MAX, UINT64_MAX};
    sumac_msm_sizes made;
    sumac_message message;
    if (!is_bn254(t)) {
        return;
    }
    assert_int_equal(measure(t, 4, 3, 0, rising, 4, &made, &message), SUMAC_OK);
    assert_int_equal(made.scalars, 9);
    assert_int_equal(made.scalars_bytes, 288);
    assert_int_equal(made.results_bytes, 192);
    assert_int_equal(made.bases, 14);
    assert_int_equal(measure(t, 4, 3, 1, rising, 4, &made, &message), SUMAC_OK);
    assert_int_equal(made.bases, 19);
    /* So many numbers are read, and no others. */
    assert_int_equal(measure(t, 4, 2, 0, rising, 3, &made, NULL), SUMAC_OK);
    assert_int_equal(made.scalars, 5);
    static const size_t wrong[] = {0, 1, 3, 5, 1u << 31, UINT32_MAX, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(measure(t, 4, 3, 0, rising, wrong[i], &made, &message), SUMAC_BAD_LENGTH);
        assert_non_null(strstr(message.text, "a batch of 3 takes 4"));
        assert_int_equal(measure(t, 4, 3, 0, NULL, wrong[i], &made, &message),
                         wrong[i] == 0 ? SUMAC_OK : SUMAC_BAD_ARGUMENT);
    }
    assert_int_equal(measure(t, 4, UINT32_MAX, 0, rising, 4, &made, &message), SUMAC_BAD_LENGTH);
    assert_int_equal(measure(t, 4, 0, 0, rising, 1, &made, &message), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "batch is 0, and must be at least 1"));
    assert_int_equal(measure(t, 4, 2, 0, falling, 3, &made, &message), SUMAC_BAD_ARGUMENT);
    assert_string_equal(message.text, "offset 2 is less than the one before it");
    assert_int_equal(measure(t, 3, 3, 0, rising, 4, &made, &message), SUMAC_BAD_LENGTH);
    assert_string_equal(message.text, "MSM 2 has 4 scalars, more than 3");
    assert_int_equal(measure(t, SIZE_MAX, 1, 0, most, 2, &made, &message), SUMAC_OK);
    assert_int_equal(made.scalars_bytes, UINT64_MAX - 31);
    assert_int_equal(measure(t, SIZE_MAX, 1, 0, more, 2, &made, &message), SUMAC_BAD_LENGTH);
    assert_int_equal(measure(t, SIZE_MAX, 1, 0, last, 2, &made, &message), SUMAC_BAD_LENGTH);
}

static void test_arguments(void **state)
{
    const test_curve *t = *state;
    sumac_message message = {"x"};
    sumac_msm_sizes made = sumac_msm_sizes_default();
    sumac_msm_config config = sumac_msm_config_default();
    assert_int_equal(sumac_msm_measure(t->curve, 3, NULL, 0, &made, &message), SUMAC_OK);
    assert_int_equal(made.scalars_bytes, 3 * t->info->scalar_bytes);
    assert_int_equal(made.results_bytes, t->info->point_bytes);
    assert_int_equal(sumac_msm_measure(NULL, 3, NULL, 0, &made, &message), SUMAC_BAD_ARGUMENT);
    assert_string_equal(message.text, "the curve is null");
    assert_int_equal(sumac_msm_measure(t->curve, 3, NULL, 0, NULL, &message), SUMAC_BAD_ARGUMENT);
    config.scalar_bytes = t->info->scalar_bytes + 1;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &made, &message), SUMAC_BAD_ARGUMENT);
    config.scalar_bytes = 0;
    config.batch = 0;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &made, NULL), SUMAC_BAD_ARGUMENT);
    config.batch = 1;
    config.size = 0;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &made, &message), SUMAC_BAD_ARGUMENT);
    config.size = sizeof config;
    made.size = 0;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &made, &message), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "sumac_msm_sizes_default()"));
}

static const test_entry entries[] = {
    {"a batch of 0 is refused", test_refused, TEST_SOME_AND_TINY},
    {"sizes by hand", test_numbers, TEST_EVERY_CURVE},
    {"offsets", test_offsets, TEST_EVERY_CURVE},
    {"arguments", test_arguments, TEST_SOME_CURVES},
};
TEST_MAIN("batch", entries)

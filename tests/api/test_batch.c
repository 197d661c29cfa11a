/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sumac_msm_measure() says how many bytes a call reads and writes. The numbers are worked out by hand, for bn254: a scalar
 * has 32 bytes, a point 64. test_sizes.c shows that a batch of 0 is refused.
 */
#include <stdio.h>
#include <string.h>

#include "support/harness.h"

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
    /* (2^32 - 1)^2 = 2^64 - 2^33 + 1 scalars */
    {UINT32_MAX, UINT32_MAX, 1, 1, 0, 0, UINT64_C(18446744065119617025), UINT64_C(18446744065119617025),
     UINT64_C(274877906880), UINT64_C(274877907072), UINT64_C(18446744065119617025)},
    {UINT64_MAX, 1, 1, 0, 0, 0, UINT64_MAX, UINT64_MAX, 64, 256, UINT64_MAX},
    {0, 1, 0, 0, 0, UINT64_MAX, 0, 0, 64, 256, UINT64_MAX},
    /* the scalars, their bytes and the bases exceed a size_t */
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
    return strcmp(t->info->curve, "bn254") == 0 && strcmp(t->info->name, "g1") == 0;
}

static void test_numbers(void **state)
{
    const test_curve *t = *state;
    for (size_t i = 0; is_bn254(t) && i < sizeof sizes / sizeof *sizes; i++) {
        sumac_message message = {"x"};
        sumac_msm_sizes measured = {.size = sizeof measured};
        sumac_msm_config config = {.size = sizeof config};
        config.batch = sizes[i].batch;
        config.scalar_bytes = sizes[i].scalar_bytes;
        config.separate_bases = sizes[i].separate_bases;
        config.base_sets = sizes[i].base_sets;
        config.first = sizes[i].first;
        measured.scalars = measured.bases = 77;
        const sumac_status status = sumac_msm_measure(t->curve, sizes[i].n, &config, 0, &measured, &message);
        if (sizes[i].partial_bytes == 0) {
            if (status != SUMAC_BAD_LENGTH || strstr(message.text, "more than any memory holds") == NULL) {
                test_abort("row %zu: status %d, %s", i, (int)status, message.text);
            }
            assert_int_equal(measured.scalars, 77);
            assert_int_equal(measured.bases, 77);
            continue;
        }
        if (status != SUMAC_OK) {
            test_abort("row %zu: status %d, %s", i, (int)status, message.text);
        }
        assert_string_equal(message.text, "");
        assert_int_equal(measured.scalars, sizes[i].scalars);
        assert_int_equal(measured.scalars_bytes, sizes[i].scalars_bytes);
        assert_int_equal(measured.results_bytes, sizes[i].results_bytes);
        assert_int_equal(measured.partial_bytes, sizes[i].partial_bytes);
        assert_int_equal(measured.bases, sizes[i].bases);
        assert_int_equal(sumac_partial_bytes(t->curve, sizes[i].batch), sizes[i].partial_bytes);
    }
    assert_int_equal(sumac_partial_bytes(t->curve, 0), 0);
    assert_int_equal(sumac_partial_bytes(NULL, 1), 0);
}

/* Measure a call with offsets. */
static sumac_status measure(const test_curve *t, size_t n, uint32_t batch, uint32_t separate,
                            const uint64_t *offsets, size_t count, sumac_msm_sizes *measured,
                            sumac_message *message)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = batch;
    config.separate_bases = separate;
    config.offsets = offsets;
    config.first = 10;
    *measured = (sumac_msm_sizes){.size = sizeof(sumac_msm_sizes)};
    return sumac_msm_measure(t->curve, n, &config, count, measured, message);
}

static void test_offsets(void **state)
{
    const test_curve *t = *state;
    static const uint64_t rising[] = {2, 5, 5, 9}, falling[] = {0, 3, 2},
                          most[] = {0, (UINT64_C(1) << 59) - 1}, more[] = {0, UINT64_C(1) << 59},
                          last[] = {UINT64_MAX, UINT64_MAX};
    sumac_msm_sizes measured;
    sumac_message message;
    if (!is_bn254(t)) {
        return;
    }
    assert_int_equal(measure(t, 4, 3, 0, rising, 4, &measured, &message), SUMAC_OK);
    assert_int_equal(measured.scalars, 9);
    assert_int_equal(measured.scalars_bytes, 288);
    assert_int_equal(measured.results_bytes, 192);
    assert_int_equal(measured.bases, 14);
    assert_int_equal(measure(t, 4, 3, 1, rising, 4, &measured, &message), SUMAC_OK);
    assert_int_equal(measured.bases, 19);
    /* Exactly three offsets are read. */
    assert_int_equal(measure(t, 4, 2, 0, rising, 3, &measured, NULL), SUMAC_OK);
    assert_int_equal(measured.scalars, 5);
    static const size_t wrong[] = {0, 1, 3, 5, 1u << 31, UINT32_MAX, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(measure(t, 4, 3, 0, rising, wrong[i], &measured, &message), SUMAC_BAD_LENGTH);
        assert_non_null(strstr(message.text, "a batch of 3 takes 4"));
        assert_int_equal(measure(t, 4, 3, 0, NULL, wrong[i], &measured, &message),
                         wrong[i] == 0 ? SUMAC_OK : SUMAC_BAD_ARGUMENT);
    }
    assert_int_equal(measure(t, 4, UINT32_MAX, 0, rising, 4, &measured, &message), SUMAC_BAD_LENGTH);
    assert_int_equal(measure(t, 4, 0, 0, rising, 1, &measured, &message), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "batch is 0, and must be at least 1"));
    assert_int_equal(measure(t, 4, 2, 0, falling, 3, &measured, &message), SUMAC_BAD_ARGUMENT);
    assert_string_equal(message.text, "offset 2 is less than the one before it");
    assert_int_equal(measure(t, 3, 3, 0, rising, 4, &measured, &message), SUMAC_BAD_LENGTH);
    assert_string_equal(message.text, "MSM 2 has 4 scalars, more than 3");
    assert_int_equal(measure(t, SIZE_MAX, 1, 0, most, 2, &measured, &message), SUMAC_OK);
    assert_int_equal(measured.scalars_bytes, UINT64_MAX - 31);
    assert_int_equal(measure(t, SIZE_MAX, 1, 0, more, 2, &measured, &message), SUMAC_BAD_LENGTH);
    assert_int_equal(measure(t, SIZE_MAX, 1, 0, last, 2, &measured, &message), SUMAC_BAD_LENGTH);
}

static void test_arguments(void **state)
{
    const test_curve *t = *state;
    sumac_message message = {"x"};
    sumac_msm_sizes measured = {.size = sizeof measured};
    sumac_msm_config config = {.size = sizeof config};
    assert_int_equal(sumac_msm_measure(t->curve, 3, NULL, 0, &measured, &message), SUMAC_OK);
    assert_int_equal(measured.scalars_bytes, 3 * t->info->scalar_bytes);
    assert_int_equal(measured.results_bytes, t->info->point_bytes);
    assert_int_equal(sumac_msm_measure(NULL, 3, NULL, 0, &measured, &message), SUMAC_BAD_ARGUMENT);
    assert_string_equal(message.text, "the curve is null");
    assert_int_equal(sumac_msm_measure(t->curve, 3, NULL, 0, NULL, &message), SUMAC_BAD_ARGUMENT);
    config.scalar_bytes = t->info->scalar_bytes + 1;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &measured, &message), SUMAC_BAD_ARGUMENT);
    config.scalar_bytes = 0;
    config.batch = 0;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &measured, NULL), SUMAC_BAD_ARGUMENT);
    config.batch = 1;
    config.size = 0;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &measured, &message), SUMAC_BAD_ARGUMENT);
    config.size = sizeof config;
    measured.size = 0;
    assert_int_equal(sumac_msm_measure(t->curve, 3, &config, 0, &measured, &message), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(message.text, "(sumac_msm_sizes){.size = sizeof(sumac_msm_sizes)}"));
}

static const test_entry entries[] = {
    {"sizes by hand", test_numbers, TEST_EVERY_CURVE},
    {"offsets", test_offsets, TEST_EVERY_CURVE},
    {"arguments", test_arguments, TEST_SOME_CURVES},
};
TEST_MAIN("batch", entries)

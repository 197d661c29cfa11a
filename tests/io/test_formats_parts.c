/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests reading a part of a file. */
#include "test_formats_support.h"

static void expect_part(sumac_context *context, const test_group *t, const char *path, const char *format,
                        const uint8_t *points, size_t first, size_t n)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_CURVE;
    config.stride = 3; /* this is ignored, because the format has its own stride */
    TEST_OK(context, sumac_bases_open(context, t->group, path, format, first, n, &config, &bases));
    expect_points(context, bases, points + first * t->info->point_bytes, n);
}

/* Check that exactly n points follow from `first` on. */
static void expect_rest(sumac_context *context, const test_group *t, const char *path, const char *format,
                        const uint8_t *points, size_t first, size_t n)
{
    const size_t bytes = t->info->point_bytes;
    CLEANUP(destroy_bases) sumac_bases *rest = NULL;
    AUTO_FREE uint8_t *got = test_alloc(n * bytes);
    TEST_OK(context, sumac_bases_open(context, t->group, path, format, first, SUMAC_ALL, NULL, &rest));
    assert_int_equal(sumac_bases_count(rest), n);
    TEST_OK(context, exact_get(context, rest, 0, n, got));
    assert_memory_equal(got, points + first * bytes, n * bytes);
}

static void expect_no_part(sumac_context *context, const test_group *t, const char *path, const char *format,
                           size_t first, size_t n, sumac_status expected, const char *part)
{
    sumac_bases *bases = (sumac_bases *)&bases;
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_CURVE;
    expect(context, sumac_bases_open(context, t->group, path, format, first, n, &config, &bases), expected,
           path, part);
    assert_null(bases);
}

static void expect_count(sumac_context *context, const test_group *t, const char *path, const char *format,
                         size_t expected)
{
    size_t n = 99;
    TEST_OK(context, sumac_bases_file_count(context, t->group, path, format, &n));
    assert_int_equal(n, expected);
}

/* Read every part of a small file, and some parts of a file of several blocks of a mebibyte. */
static void check_format(test_group *t, sumac_context *context, const char *format)
{
    const char *path = in_directory("points");
    const size_t small = 4, large = ((size_t)5 << 19) / t->info->point_bytes;
    AUTO_FREE uint8_t *points = many_points(t, large);
    sumac_bases *bases = test_bases(context, t, points, small, NULL);
    TEST_OK(context, sumac_bases_save(context, bases, path, format == NULL ? "raw" : format));
    sumac_bases_destroy(bases);
    expect_count(context, t, path, format, small);
    for (size_t first = 0; first <= small; first++) {
        for (size_t n = 0; n <= small - first; n++) {
            expect_part(context, t, path, format, points, first, n);
        }
        expect_rest(context, t, path, format, points, first, small - first);
        expect_no_part(context, t, path, format, first, small - first + 1, SUMAC_BAD_LENGTH, "4 points");
    }
    expect_no_part(context, t, path, format, small + 1, 0, SUMAC_BAD_LENGTH, "4 points");
    bases = (sumac_bases *)&small;
    expect(context, sumac_bases_open(context, NULL, path, format, 0, SUMAC_ALL, NULL, &bases),
           SUMAC_BAD_ARGUMENT, path, "only a table names its group");
    assert_null(bases);
    expect_no_part(context, t, path, format, 1, SIZE_MAX - 1, SUMAC_BAD_LENGTH, "4 points");
    expect_no_part(context, t, path, format, small + 1, SUMAC_ALL, SUMAC_BAD_LENGTH, "4 points");
    if (!options.quick) {
        bases = test_bases(context, t, points, large, NULL);
        TEST_OK(context, sumac_bases_save(context, bases, path, format == NULL ? "raw" : format));
        sumac_bases_destroy(bases);
        expect_part(context, t, path, format, points, large / 5, large / 2);
        expect_part(context, t, path, format, points, large - 7, 7);
    }
    empty_directory();
}

void test_parts(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    check_format(t, context, "raw");
    check_format(t, context, NULL);
    check_format(t, context, "arkworks-uncompressed");
    if (strcmp(t->info->curve, "bls12-381") == 0) {
        check_format(t, context, "zcash-compressed");
        check_format(t, context, "eip2537");
    }
}

/* Damage outside a part is not noticed. If it is inside, the message gives its offset in the file. */
void test_part_damage(void **state)
{
    test_group *t = *state;
    enum { N = 9, BAD = 5 };
    const size_t bytes = t->info->point_bytes;
    const char *path = in_directory("points");
    char place[32];
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *points = many_points(t, N);
    uint8_t *bad = points + BAD * bytes;
    memcpy(bad + bytes / 2, bad, bytes / 2); /* x = y */
    snprintf(place, sizeof place, "%zu", BAD * bytes);
    test_write_file(path, points, N * bytes);
    expect_part(context, t, path, "raw", points, 0, BAD);
    expect_part(context, t, path, "raw", points, BAD + 1, N - BAD - 1);
    expect_no_part(context, t, path, "raw", BAD - 2, 4, SUMAC_NOT_ON_CURVE, place);
    size_t n = 99;
    test_write_file(path, points, N * bytes - 1);
    expect_no_part(context, t, path, "raw", 0, 1, SUMAC_BAD_FILE, "cut off");
    expect(context, sumac_bases_file_count(context, t->group, path, NULL, &n), SUMAC_BAD_FILE, path,
           "cut off");
    expect_no_part(context, t, in_directory("none"), "raw", 0, 1, SUMAC_CANNOT_OPEN, NULL);
    sumac_bases *bases = test_bases(context, t, points, BAD, NULL), *none = bases;
    assert_int_equal(n, 99);
    test_status(context, sumac_bases_file_count(context, t->group, NULL, NULL, &n), SUMAC_BAD_ARGUMENT,
                "path");
    test_status(context, sumac_bases_open(context, t->group, path, "gif", 0, 0, NULL, &none),
                SUMAC_UNKNOWN_FORMAT, "format");
    assert_null(none);
    sumac_bases_destroy(bases);
    empty_directory();
}

/* Every part of a table equals the bases of the part's points. */
static void check_table_parts(test_group *t, sumac_context *context, const sumac_bases_config *config)
{
    enum { N = 7 };
    const char *path = in_directory("table");
    AUTO_FREE uint8_t *points = many_points(t, N);
    sumac_bases *bases = test_bases(context, t, points, N, config);
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    sumac_bases_destroy(bases);
    expect_count(context, t, path, NULL, N);
    expect_count(context, t, path, "table", N);
    size_t count = 0;
    TEST_OK(context, sumac_bases_file_count(context, NULL, path, NULL, &count));
    assert_int_equal(count, N);
    CLEANUP(destroy_bases) sumac_bases *named = NULL; /* the bases are of the group that the file names */
    TEST_OK(context, sumac_bases_open(context, NULL, path, NULL, 2, 3, NULL, &named));
    assert_int_equal(sumac_bases_count(named), 3);
    assert_ptr_equal(info_of(named).group, t->group);
    for (size_t first = 0; first <= N; first++) {
        expect_rest(context, t, path, NULL, points, first, N - first);
    }
    for (size_t first = 0; first <= N; first++) {
        for (size_t n = 0; n <= N - first; n++) {
            expect_part(context, t, path, first % 2 == 0 ? NULL : "table", points, first, n);
            if (n == 0) {
                continue;
            }
            CLEANUP(destroy_bases) sumac_bases *part = NULL;
            TEST_OK(context, sumac_bases_open(context, t->group, path, "table", first, n, NULL, &part));
            bases = test_bases(context, t, points + first * t->info->point_bytes, n, config);
            assert_same_bases(context, part, bases);
            sumac_bases_destroy(bases);
        }
        expect_no_part(context, t, path, NULL, first, N - first + 1, SUMAC_BAD_LENGTH, "7 points");
    }
    empty_directory();
}

/* If a part contains a damaged multiple, it is refused, because the point is off the curve or a coordinate is too
 * large. */
static void check_table_damage(test_group *t, sumac_context *context)
{
    enum { N = 5, BAD = 3, HEADER = 128 };
    const char *path = in_directory("table");
    const size_t bytes = t->info->point_bytes, bad = HEADER + (N + BAD) * bytes;
    char place[32];
    size_t size, n = 99;
    AUTO_FREE uint8_t *points = many_points(t, N);
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 2;
    config.tuning = test_tuning("c=%u", 4);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, N, &config);
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    AUTO_FREE uint8_t *table = test_read_file(path, &size);
    snprintf(place, sizeof place, "%zu", bad);
    table[bad] ^= 1;
    test_write_file(path, table, size);
    expect_no_part(context, t, path, NULL, BAD, 1, SUMAC_NOT_ON_CURVE, place);
    memset(table + bad, 0xff, bytes / 2);
    test_write_file(path, table, size);
    expect_part(context, t, path, NULL, points, 0, BAD);
    expect_part(context, t, path, NULL, points, BAD + 1, N - BAD - 1);
    expect_no_part(context, t, path, NULL, BAD - 1, 2, SUMAC_BAD_ENCODING, place);
    test_write_file(path, table, size - 1);
    expect_no_part(context, t, path, NULL, 0, 1, SUMAC_BAD_FILE, "truncated");
    table[60] ^= 1;
    test_write_file(path, table, size);
    expect_no_part(context, t, path, NULL, 0, 1, SUMAC_BAD_CHECKSUM, "header");
    expect(context, sumac_bases_file_count(context, t->group, path, NULL, &n), SUMAC_BAD_CHECKSUM, path,
           "header");
    assert_int_equal(n, 99);
    empty_directory();
}

void test_table_parts(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    sumac_bases_config config = {.size = sizeof config};
    check_table_parts(t, context, NULL);
    config.tuning = test_tuning("c=%u", 5);
    config.precompute_factor = 3;
    check_table_parts(t, context, &config);
    config.tuning = test_tuning("c=%u", 2);
    config.precompute_factor = 1;
    config.tables = SUMAC_TABLES_WINDOWS;
    config.table_bytes = (uint64_t)1 << 30;
    check_table_parts(t, context, &config);
    check_table_damage(t, context);
}

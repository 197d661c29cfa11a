/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests halo2's parameters. halo2 and halo2curves wrote the files
 * (tests/compat/formats). */
#include "test_formats_support.h"

static int is_bn254(const test_group *t)
{
    return strcmp(t->info->curve, "bn254") == 0;
}

static int is_bls12_381(const test_group *t)
{
    return strcmp(t->info->curve, "bls12-381") == 0;
}

static void expect_file(sumac_context *context, const test_group *t, const char *path, const char *format,
                        const uint8_t *points, size_t n)
{
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, t->group, path, format, SUMAC_CHECK_SUBGROUP);
    expect_points(context, bases, points, n);
    size_t count = 0;
    TEST_OK(context, sumac_bases_file_count(context, t->group, path, format, &count));
    assert_int_equal(count, n);
}

/* A file has the first eight known points, then the same points in reverse order, and in G2 -1 and 2 times the
 * generator. */
static void check_known(sumac_context *context, const test_group *t)
{
    static const char *const forms[] = {"halo2-raw", "halo2-raw-before-0.7", "halo2-processed",
                                        "halo2-processed-before-0.7"};
    const size_t bytes = t->info->point_bytes;
    AUTO_FREE uint8_t *points = library_points(t), *reversed = test_alloc(8 * bytes);
    for (size_t i = 0; i < 8; i++) {
        memcpy(reversed + i * bytes, points + (7 - i) * bytes, bytes);
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *path = library_file(forms[i], t->info, NULL);
        if (t->info->degree == 2) {
            expect_file(context, t, path, "halo2-monomial", points + 2 * bytes, 2);
        } else {
            expect_file(context, t, path, "halo2-monomial", points, 8);
            expect_file(context, t, path, "halo2-lagrange", reversed, 8);
        }
    }
}

/* halo2 made these parameters with k = 4, and also wrote their points as coordinates. */
static void check_setup(sumac_context *context, const test_group *t)
{
    static const char *const forms[] = {"halo2-setup-raw", "halo2-setup-processed"};
    const size_t bytes = t->info->point_bytes;
    size_t size;
    AUTO_FREE uint8_t *points =
        test_read_file(library_file("halo2-setup-monomial", t->info, t->info->name), &size);
    uint8_t lagrange[2][16 * 64], sum[64], ones[16 * 32] = {0};
    assert_int_equal(size, t->info->degree == 2 ? 2 * bytes : 16 * bytes);
    for (size_t i = 0; i < 2; i++) {
        const char *path = library_file(forms[i], t->info, NULL);
        expect_file(context, t, path, "halo2-monomial", points, size / bytes);
        if (t->info->degree == 1) {
            CLEANUP(destroy_bases)
            sumac_bases *bases = expect_good(context, t->group, path, "halo2-lagrange", SUMAC_CHECK_CURVE);
            TEST_OK(context, exact_get(context, bases, 0, 16, lagrange[i]));
        }
    }
    if (t->info->degree == 1) {
        /* The Lagrange polynomials add up to 1. */
        for (size_t i = 0; i < 16; i++) {
            ones[32 * i] = 1;
        }
        oracle_msm(&t->oracle, sum, lagrange[0], ones, 16);
        assert_memory_equal(sum, points, bytes);
        assert_memory_equal(lagrange[0], lagrange[1], sizeof lagrange[0]);
    }
}

/* There is no file of BLS12-381, so that one with k = 1 is made of records that are checked elsewhere. */
static void check_bls12_381(sumac_context *context, const test_group *t)
{
    static const char *const records[] = {"gnark-dump", "zcash-compressed"};
    static const uint8_t k[4] = {1};
    const char *path = in_directory("parameters");
    for (size_t i = 0; i < 2; i++) {
        const size_t g1 = i == 0 ? 96 : 48, size = sizeof k + 8 * g1;
        const size_t count = t->info->degree == 1 ? 4 : 2, offset = t->info->degree == 1 ? 0 : 4 * g1;
        AUTO_FREE uint8_t *points = library_points(t), *file = test_alloc(size);
        memset(file, 0, size);
        memcpy(file, k, sizeof k);
        TEST_OK(context,
                test_points_encode(context, t->group, points, count, records[i], file + sizeof k + offset));
        test_write_file(path, file, size);
        expect_file(context, t, path, "halo2-monomial", points, 2);
        if (t->info->degree == 1) {
            expect_file(context, t, path, "halo2-lagrange", points + 2 * t->info->point_bytes, 2);
        }
    }
    empty_directory();
}

void test_halo2(void **state)
{
    const test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    if (is_bn254(t)) {
        check_known(context, t);
        check_setup(context, t);
    } else if (is_bls12_381(t)) {
        check_bls12_381(context, t);
    } else {
        expect_not_held(context, t->group, "halo2-monomial");
    }
}

static void check_lengths(sumac_context *context, const test_group *t, const uint8_t *file, size_t size)
{
    const char *path = in_directory("parameters");
    const size_t sizes[] = {0, 3, 4, 5, size / 2, size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_write_file(path, file, sizes[i]);
        expect_bad(context, t->group, path, "halo2-monomial", SUMAC_CHECK_NONE, SUMAC_BAD_FILE,
                   sizes[i] < 4 ? "truncated" : "k = 3");
    }
    AUTO_FREE uint8_t *longer = test_alloc(size + 1);
    memcpy(longer, file, size);
    longer[size] = 0;
    test_write_file(path, longer, size + 1);
    expect_bad(context, t->group, path, "halo2-monomial", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "k = 3");
    const uint8_t other = 4, many = 41;
    expect_changed(context, t->group, "halo2-monomial", file, size, 0, &other, 1, SUMAC_BAD_FILE, "k = 4");
    expect_changed(context, t->group, "halo2-monomial", file, size, 0, &many, 1, SUMAC_BAD_FILE, "k is 41");
    expect_changed(context, t->group, "halo2-monomial", file, size, 3, &many, 1, SUMAC_BAD_FILE,
                   "k is 687865859");
}

void test_halo2_damage(void **state)
{
    test_group *t = *state;
    const size_t x_bytes = t->info->point_bytes / 2;
    size_t size;
    if (!is_bn254(t)) {
        return;
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *file = test_read_file(library_file("halo2-processed", t->info, NULL), &size);
    check_lengths(context, t, file, size);
    /* The damage is in the second point of G1, or in the first of G2. */
    const size_t at = 4 + (t->info->degree == 1 ? 1 : 16) * 32;
    char place[32];
    snprintf(place, sizeof place, "byte %zu", at);
    uint8_t record[64];
    memcpy(record, file + at, x_bytes);
    record[x_bytes - 1] |= 0xc0;
    expect_changed(context, t->group, "halo2-monomial", file, size, at, record, x_bytes, SUMAC_BAD_ENCODING,
                   place);
    test_sentence(context, SUMAC_BAD_ENCODING, SUMAC_BAD_ENCODING, "flags of infinity and of a sign");
    memcpy(record + x_bytes - 32, t->info->modulus, 32);
    expect_changed(context, t->group, "halo2-monomial", file, size, at, record, x_bytes, SUMAC_BAD_ENCODING,
                   place);
    oracle_point point;
    uint8_t raw[128];
    oracle_point_init(&point);
    oracle_random_x_without_point(&t->oracle, &point, t->random);
    oracle_point_to_raw(&t->oracle, raw, &point);
    expect_changed(context, t->group, "halo2-monomial", file, size, at, raw, x_bytes, SUMAC_NOT_ON_CURVE,
                   place);
    if (!t->info->cofactor_is_one) {
        oracle_random_curve_point(&t->oracle, &point, t->random);
        oracle_point_to_raw(&t->oracle, raw, &point);
        expect_changed(context, t->group, "halo2-monomial", file, size, at, raw, x_bytes,
                       SUMAC_NOT_IN_SUBGROUP, place);
    }
    oracle_point_clear(&point);
    free(file);

    file = test_read_file(library_file("halo2-raw", t->info, NULL), &size);
    check_lengths(context, t, file, size);
    const size_t raw_at = 4 + (t->info->degree == 1 ? 1 : 16) * 64;
    snprintf(place, sizeof place, "byte %zu", raw_at);
    expect_changed(context, t->group, "halo2-monomial", file, size, raw_at, t->info->modulus, 32,
                   SUMAC_BAD_ENCODING, place);
    expect_changed(context, t->group, "halo2-monomial", file, size, raw_at, file + raw_at + 32, 32,
                   SUMAC_NOT_ON_CURVE, place);
    empty_directory();
}

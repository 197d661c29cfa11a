/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests EIP-2537's vectors for multi-scalar multiplication, whose points are in
 * the format eip2537. */
#include <jansson.h>

#include "support/eip2537.h"
#include "test_formats_support.h"

enum { SCALAR = 32 };

/* Split n pairs of a point and a big-endian scalar into scalars and a file of points. Return the file's path. */
static const char *split_pairs(const uint8_t *input, size_t n, size_t record_bytes, uint8_t *scalars)
{
    const char *path = in_directory("pairs");
    AUTO_FREE uint8_t *records = test_alloc(n * record_bytes);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *pair = input + i * (record_bytes + SCALAR);
        memcpy(records + i * record_bytes, pair, record_bytes);
        for (size_t j = 0; j < SCALAR; j++) {
            scalars[i * SCALAR + j] = pair[record_bytes + SCALAR - 1 - j];
        }
    }
    test_write_file(path, records, n * record_bytes);
    return path;
}

/* Run a check for each case of a file of vectors, with the case's input as bytes. */
static void for_each_case(const char *name, void (*check)(sumac_context *context, const json_t *entry,
                                                          const uint8_t *input, size_t size))
{
    char path[512];
    json_error_t error;
    size_t i;
    json_t *entry;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    snprintf(path, sizeof path, "%s/eip2537/%s", SUMAC_TEST_SOURCE_DATA, name);
    json_t *cases = json_load_file(path, 0, &error);
    if (cases == NULL || json_array_size(cases) == 0) {
        test_abort("%s: %s", path, error.text);
    }
    json_array_foreach(cases, i, entry)
    {
        size_t size;
        AUTO_FREE uint8_t *input = eip2537_bytes(json_string_value(json_object_get(entry, "Input")), &size);
        check(context, entry, input, size);
    }
    json_decref(cases);
}

enum { G1_RECORD = 128 };

static void check_valid(sumac_context *context, const json_t *entry, const uint8_t *input, size_t size)
{
    const sumac_group *group = bls12_381(1);
    uint8_t result[96], encoded[G1_RECORD];
    size_t expected_size;
    AUTO_FREE uint8_t *expected =
        eip2537_bytes(json_string_value(json_object_get(entry, "Expected")), &expected_size);
    const size_t n = size / (G1_RECORD + SCALAR);
    AUTO_FREE uint8_t *scalars = test_alloc(n * SCALAR);
    const char *path = split_pairs(input, n, G1_RECORD, scalars);
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, group, path, "eip2537", SUMAC_CHECK_SUBGROUP);
    assert_int_equal(sumac_bases_count(bases), n);
    TEST_OK(context, exact_msm(context, bases, scalars, n, NULL, result));
    TEST_OK(context, test_points_encode(context, group, result, 1, "eip2537", encoded));
    assert_int_equal(expected_size, sizeof encoded);
    assert_memory_equal(encoded, expected, sizeof encoded);
}

void test_eip2537_valid(void)
{
    for_each_case("multiexp_G1_bls.json", check_valid);
}

static size_t refused;

/* The points of each failing case are refused as the EIP says. Cases of a wrong length are left out, because they do
 * not consist of whole pairs. */
static void check_failing(sumac_context *context, const json_t *entry, const uint8_t *input, size_t size)
{
    const sumac_status expected = eip2537_status(json_string_value(json_object_get(entry, "ExpectedError")));
    if (expected != SUMAC_BAD_LENGTH) {
        AUTO_FREE uint8_t *scalars = test_alloc(size);
        const char *path = split_pairs(input, size / (G1_RECORD + SCALAR), G1_RECORD, scalars);
        expect_bad(context, bls12_381(1), path, "eip2537", SUMAC_CHECK_SUBGROUP, expected, NULL);
        refused++;
    }
}

void test_eip2537_failing(void)
{
    for_each_case("fail-multiexp_G1_bls.json", check_failing);
    assert_true(refused > 0);
}

/* There are no vectors of G2 here, so that records are made from raw points and converted back. */
void test_eip2537_g2(void)
{
    enum { N = 6000, RECORD = 256, RAW = 192 };
    const sumac_group *group = bls12_381(2);
    const char *path = in_directory("records");
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *input = test_alloc(N * RECORD), *raw = test_alloc(N * RAW);
    TEST_OK(context, sumac_known_bases_create(context, group, N, 5, NULL, &bases));
    TEST_OK(context, exact_get(context, bases, 0, N, raw));
    sumac_bases_destroy(bases);
    memset(raw + 7 * RAW, 0, RAW);
    memset(input, 0, N * RECORD);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < RAW; j++) {
            input[i * RECORD + j / 48 * 64 + 63 - j % 48] = raw[i * RAW + j];
        }
    }
    test_write_file(path, input, N * RECORD);
    bases = expect_good(context, group, path, "eip2537", SUMAC_CHECK_SUBGROUP);
    expect_points(context, bases, raw, N);

    input[5900 * RECORD + 64] = 1;
    input[5950 * RECORD] = 1;
    test_write_file(path, input, N * RECORD);
    expect_bad(context, group, path, "eip2537", SUMAC_CHECK_SUBGROUP, SUMAC_BAD_ENCODING,
               "byte 1510400"); /* the first of two bad records, at 5900 * 256 */
}

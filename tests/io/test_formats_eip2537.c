/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_formats.c: EIP-2537's vectors for multi-scalar multiplication, whose points are records of a format. */
#include <jansson.h>

#include "api/call.h"
#include "codec/format.h"
#include "support/eip2537.h"
#include "test_formats_support.h"

enum { SCALAR = 32 };

/* Split n pairs of a point and a big-endian scalar into a file of points, whose path is returned, and scalars. */
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

static json_t *read_cases(const char *name)
{
    char path[512];
    json_error_t error;
    snprintf(path, sizeof path, "%s/eip2537/%s", SUMAC_TEST_SOURCE_DATA, name);
    json_t *cases = json_load_file(path, 0, &error);
    if (cases == NULL || json_array_size(cases) == 0) {
        test_abort("%s: %s", path, error.text);
    }
    return cases;
}

static void check_valid_case(sumac_context *context, const sumac_curve *curve, const json_t *entry)
{
    enum { RECORD = 128 };
    const char *name = json_string_value(json_object_get(entry, "Name"));
    const curve_code *code = context_code(context, curve);
    uint8_t result[96], encoded[RECORD];
    size_t size, expected_size;
    AUTO_FREE uint8_t *input = eip2537_bytes(json_string_value(json_object_get(entry, "Input")), &size);
    AUTO_FREE uint8_t *expected =
        eip2537_bytes(json_string_value(json_object_get(entry, "Expected")), &expected_size);
    const size_t n = size / (RECORD + SCALAR);
    AUTO_FREE uint8_t *scalars = test_alloc(n * SCALAR);
    const char *path = split_pairs(input, n, RECORD, scalars);
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, curve, path, "eip2537", SUMAC_CHECK_SUBGROUP);
    assert_int_equal(sumac_bases_count(bases), n);
    test_status(context, sumac_msm(context, bases, scalars, n, NULL, result), SUMAC_OK, name);
    format_encode(&eip2537_format, encoded, result, sumac_curve_describe(curve), code->convert);
    assert_int_equal(expected_size, sizeof encoded);
    assert_memory_equal(encoded, expected, sizeof encoded);
}

void test_eip2537_valid(void)
{
    const sumac_curve *curve;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    json_t *cases = read_cases("multiexp_G1_bls.json");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        check_valid_case(context, curve, json_array_get(cases, i));
    }
    json_decref(cases);
}

/* Inputs of a wrong length are no whole pairs: the points of all others are refused as the EIP says. */
void test_eip2537_failing(void)
{
    enum { RECORD = 128 };
    const sumac_curve *curve;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    json_t *cases = read_cases("fail-multiexp_G1_bls.json");
    size_t refused = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *entry = json_array_get(cases, i);
        const sumac_status expected =
            eip2537_status(json_string_value(json_object_get(entry, "ExpectedError")));
        size_t size;
        AUTO_FREE uint8_t *input = eip2537_bytes(json_string_value(json_object_get(entry, "Input")), &size);
        AUTO_FREE uint8_t *scalars = test_alloc(size + 1);
        if (expected != SUMAC_BAD_LENGTH) {
            const char *path = split_pairs(input, size / (RECORD + SCALAR), RECORD, scalars);
            expect_bad(context, curve, path, "eip2537", SUMAC_CHECK_SUBGROUP, expected, NULL);
            refused++;
        }
    }
    assert_true(refused > 0);
    json_decref(cases);
}

/* G2 has no vectors here: records are made from raw points, and must come back. */
void test_eip2537_g2(void)
{
    enum { N = 6000, RECORD = 256, RAW = 192 };
    const sumac_curve *curve;
    const char *path = in_directory("records");
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    assert_int_equal(sumac_curve_find("bls12-381", "g2", &curve), SUMAC_OK);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *input = test_alloc(N * RECORD), *raw = test_alloc(N * RAW);
    TEST_OK(context, sumac_known_bases_create(context, curve, N, 5, NULL, &bases));
    TEST_OK(context, sumac_bases_get(context, bases, 0, N, raw));
    sumac_bases_destroy(bases);
    memset(raw + 7 * RAW, 0, RAW);
    memset(input, 0, N * RECORD);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < RAW; j++) {
            input[i * RECORD + j / 48 * 64 + 63 - j % 48] = raw[i * RAW + j];
        }
    }
    test_write_file(path, input, N * RECORD);
    bases = expect_good(context, curve, path, "eip2537", SUMAC_CHECK_SUBGROUP);
    expect_points(context, bases, raw, N);

    test_write_file(path, input, RECORD - 1);
    expect_bad(context, curve, path, "eip2537", SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "cut off");
    input[5900 * RECORD + 64] = 1;
    input[5950 * RECORD] = 1;
    test_write_file(path, input, N * RECORD);
    expect_bad(context, curve, path, "eip2537", SUMAC_CHECK_SUBGROUP, SUMAC_BAD_ENCODING,
               "byte 1510400"); /* the first of the two, 5900 * 256 */
    input[5900 * RECORD + 64] = 0;
    input[5950 * RECORD] = 0;
    input[5900 * RECORD + 255] ^= 1;
    test_write_file(path, input, N * RECORD);
    expect_bad(context, curve, path, "eip2537", SUMAC_CHECK_SUBGROUP, SUMAC_NOT_ON_CURVE, "byte 1510400");
}

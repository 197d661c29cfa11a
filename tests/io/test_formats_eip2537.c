/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_formats.c: EIP-2537's vectors for multi-scalar multiplication through the library's decoder.
 */
#include <jansson.h>

#include "api/context.h"
#include "support/eip2537.h"
#include "test_formats_support.h"

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
    const char *name = json_string_value(json_object_get(entry, "Name"));
    const curve_code *code = context_code(context, curve);
    uint8_t result[96], encoded[128];
    size_t size, expected_size, n;
    sumac_bases *bases;
    void *scalars;
    uint8_t *input = eip2537_bytes(json_string_value(json_object_get(entry, "Input")), &size);
    uint8_t *expected = eip2537_bytes(json_string_value(json_object_get(entry, "Expected")), &expected_size);
    test_status(context, eip2537_decode_msm(context, curve, input, size, &bases, &scalars, &n), SUMAC_OK,
                name);
    assert_int_equal(n, size / 160);
    assert_int_equal(sumac_bases_count(bases), n);
    test_status(context, sumac_msm(context, bases, scalars, n, NULL, result), SUMAC_OK, name);
    eip2537_point.encode(encoded, result, sumac_curve_describe(curve), code->convert);
    assert_int_equal(expected_size, sizeof encoded);
    assert_memory_equal(encoded, expected, sizeof encoded);
    sumac_bases_destroy(bases);
    sumac_free(scalars);
    free(input);
    free(expected);
}

void test_eip2537_valid(void **state)
{
    (void)state;
    const sumac_curve *curve;
    sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    json_t *cases = read_cases("multiexp_G1_bls.json");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        check_valid_case(context, curve, json_array_get(cases, i));
    }
    json_decref(cases);
    sumac_context_destroy(context);
}

static void expect_undecodable(sumac_context *context, const sumac_curve *curve, const uint8_t *input,
                               size_t size, sumac_status expected, const char *label)
{
    sumac_bases *bases = (sumac_bases *)&bases;
    void *scalars = &scalars;
    size_t n;
    test_status(context, eip2537_decode_msm(context, curve, input, size, &bases, &scalars, &n), expected,
                label);
    assert_null(bases);
    assert_null(scalars);
}

void test_eip2537_failing(void **state)
{
    (void)state;
    const sumac_curve *curve;
    sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    json_t *cases = read_cases("fail-multiexp_G1_bls.json");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *entry = json_array_get(cases, i);
        const char *error = json_string_value(json_object_get(entry, "ExpectedError"));
        size_t size;
        uint8_t *input = eip2537_bytes(json_string_value(json_object_get(entry, "Input")), &size);
        expect_undecodable(context, curve, input, size, eip2537_status(error),
                           json_string_value(json_object_get(entry, "Name")));
        free(input);
    }
    json_decref(cases);
    sumac_context_destroy(context);
}

/* G2 has no vectors here: pairs are made from raw points and scalars, and must come back. */
void test_eip2537_g2(void **state)
{
    (void)state;
    enum { N = 6000, PAIR = 288, POINT = 256, RAW = 192, SCALAR = 32 };
    const sumac_curve *curve;
    sumac_context *context = test_context(2, 0);
    assert_int_equal(sumac_curve_find("bls12-381", "g2", &curve), SUMAC_OK);
    sumac_bases *bases;
    void *decoded;
    size_t n;
    uint8_t *input = test_alloc(N * PAIR), *raw = test_alloc(N * RAW), *found = test_alloc(N * RAW);
    uint8_t *scalars = test_alloc(N * SCALAR);
    assert_int_equal(eip2537_pair_bytes(sumac_curve_describe(curve)), PAIR);
    test_status(context, sumac_known_bases(context, curve, N, 5, NULL, &bases), SUMAC_OK, "known bases");
    test_status(context, sumac_bases_get(context, bases, 0, N, raw), SUMAC_OK, "get");
    sumac_bases_destroy(bases);
    memset(raw + 7 * RAW, 0, RAW);
    memset(input, 0, N * PAIR);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < RAW; j++) {
            input[i * PAIR + j / 48 * 64 + 63 - j % 48] = raw[i * RAW + j];
        }
        for (size_t j = 0; j < SCALAR; j++) {
            scalars[i * SCALAR + j] = (uint8_t)(i * 31 + j * 7);
            input[i * PAIR + POINT + 31 - j] = scalars[i * SCALAR + j];
        }
    }
    test_status(context, eip2537_decode_msm(context, curve, input, N * PAIR, &bases, &decoded, &n), SUMAC_OK,
                "decode");
    assert_int_equal(n, N);
    test_status(context, sumac_bases_get(context, bases, 0, N, found), SUMAC_OK, "get");
    assert_memory_equal(found, raw, N * RAW);
    assert_memory_equal(decoded, scalars, N * SCALAR);
    sumac_bases_destroy(bases);
    sumac_free(decoded);

    expect_undecodable(context, curve, input, 0, SUMAC_BAD_LENGTH, "empty");
    expect_undecodable(context, curve, input, 160, SUMAC_BAD_LENGTH, "a pair of G1");
    expect_undecodable(context, curve, input, PAIR - 1, SUMAC_BAD_LENGTH, "short");
    input[5900 * PAIR + 64] = 1;
    input[5950 * PAIR] = 1;
    expect_undecodable(context, curve, input, N * PAIR, SUMAC_BAD_ENCODING, "padding");
    assert_non_null(
        strstr(sumac_context_message(context), "byte 1699200")); /* the first of the two, 5900 * 288 */
    input[5900 * PAIR + 64] = 0;
    input[5950 * PAIR] = 0;
    input[5900 * PAIR + 255] ^= 1;
    expect_undecodable(context, curve, input, N * PAIR, SUMAC_NOT_ON_CURVE, "curve");
    free(input);
    free(raw);
    free(found);
    free(scalars);
    sumac_context_destroy(context);
}

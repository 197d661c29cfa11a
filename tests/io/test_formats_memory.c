/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_formats.c: sumac_points_decode() and sumac_points_encode() do in memory what files of the same
 * format do, whose bytes are the oracle. */
#include "test_formats_support.h"

enum { RECORDS = 1000 };

static const char *const formats[] = {"raw", "zcash-compressed", "zcash-uncompressed", "eip2537"};

/* A record whose last coordinate is all ones is refused by its number, and the output stays as it is. */
static void expect_bad_record(sumac_context *context, const sumac_curve *curve, const char *format,
                              uint8_t *records, size_t record_bytes, size_t index)
{
    const size_t bytes = RECORDS * sumac_curve_describe(curve)->point_bytes;
    uint8_t *raw = test_alloc(bytes), *untouched = test_alloc(bytes), saved[64];
    char place[32];
    memset(raw, 0xa5, bytes);
    memset(untouched, 0xa5, bytes);
    uint8_t *last = records + (index + 1) * record_bytes - 48;
    memcpy(saved, last, 48);
    memset(last, last == records + index * record_bytes ? 0x9f : 0xff, 1);
    memset(last + 1, 0xff, 47);
    test_status(context, sumac_points_decode(context, curve, records, RECORDS, format, SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ENCODING, format);
    snprintf(place, sizeof place, "point %zu has", index);
    assert_non_null(strstr(sumac_context_message(context), place));
    assert_memory_equal(raw, untouched, bytes);
    memcpy(last, saved, 48);
    free(raw);
    free(untouched);
}

static void compare_with_files(sumac_context *context, int group, const char *format)
{
    const sumac_curve *curve = bls12_381(group);
    const size_t point_bytes = sumac_curve_describe(curve)->point_bytes;
    size_t record_bytes, told;
    AUTO_FREE uint8_t *records = encoded_points(context, group, format, RECORDS, &record_bytes);
    test_status(context, sumac_points_record_bytes(context, curve, format, &told), SUMAC_OK, format);
    assert_int_equal(told, record_bytes);
    const char *path = in_directory("records");
    test_write_file(path, records, RECORDS * record_bytes);
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, curve, path, format, SUMAC_CHECK_SUBGROUP);
    AUTO_FREE uint8_t *expected = test_alloc(RECORDS * point_bytes), *raw = test_alloc(RECORDS * point_bytes);
    AUTO_FREE uint8_t *encoded = test_alloc(RECORDS * record_bytes);
    TEST_OK(context, sumac_bases_get(context, bases, 0, RECORDS, expected));
    test_status(context,
                sumac_points_decode(context, curve, records, RECORDS, format, SUMAC_CHECK_SUBGROUP, raw),
                SUMAC_OK, format);
    assert_memory_equal(raw, expected, RECORDS * point_bytes);
    test_status(context, sumac_points_encode(context, curve, raw, RECORDS, format, encoded), SUMAC_OK,
                format);
    assert_memory_equal(encoded, records, RECORDS * record_bytes);
    expect_bad_record(context, curve, format, records, record_bytes, 0);
    expect_bad_record(context, curve, format, records, record_bytes, RECORDS - 1);
    memset(raw + 7 * point_bytes, 0xff, point_bytes);
    test_status(context, sumac_points_encode(context, curve, raw, RECORDS, format, encoded),
                SUMAC_BAD_ENCODING, format);
    assert_non_null(strstr(sumac_context_message(context), "point 7 has"));
    assert_memory_equal(encoded, records, RECORDS * record_bytes);
    empty_directory();
}

void test_records_in_memory(void)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    for (int group = 1; group <= 2; group++) {
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
            compare_with_files(context, group, formats[i]);
        }
    }
}

void test_records_arguments(void)
{
    uint8_t raw[96] = {1}, record[96] = {0};
    const sumac_curve *curve = bls12_381(1), *other;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_curve_find("bn254", "g1", &other), SUMAC_OK);
    assert_int_equal(sumac_points_decode(NULL, curve, record, 1, NULL, SUMAC_CHECK_NONE, raw),
                     SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_points_encode(NULL, curve, raw, 1, NULL, record), SUMAC_BAD_ARGUMENT);
    size_t told = 7;
    assert_int_equal(sumac_points_record_bytes(NULL, curve, NULL, &told), SUMAC_BAD_ARGUMENT);
    test_status(context, sumac_points_record_bytes(context, curve, NULL, NULL), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_points_record_bytes(context, curve, "table", &told), SUMAC_NOT_SUPPORTED,
                "table");
    test_status(context, sumac_points_record_bytes(context, other, "eip2537", &told), SUMAC_BAD_ARGUMENT,
                "eip2537 of bn254");
    assert_int_equal(told, 7);
    static const struct {
        const char *format;
        size_t n;
        int check;
        sumac_status expected;
    } cases[] = {{"raw", 0, 0, SUMAC_OK},
                 {NULL, 1, 0, SUMAC_OK},
                 {NULL, 1, 3, SUMAC_BAD_ARGUMENT},
                 {"table", 1, 0, SUMAC_NOT_SUPPORTED},
                 {"trusted-setup-lagrange", 1, 0, SUMAC_NOT_SUPPORTED},
                 {"none", 1, 0, SUMAC_UNKNOWN_FORMAT},
                 {"raw", SIZE_MAX / 64, 0, SUMAC_BAD_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_status(context,
                    sumac_points_decode(context, curve, record, cases[i].n, cases[i].format,
                                        (sumac_check)cases[i].check, raw),
                    cases[i].expected, cases[i].format);
    }
    /* (1, 0) is not on the curve, and a point of the curve outside the subgroup is. */
    raw[0] = 1;
    uint8_t out[96] = {0};
    test_status(context, sumac_points_decode(context, curve, raw, 1, "raw", SUMAC_CHECK_CURVE, out),
                SUMAC_NOT_ON_CURVE, "(1, 0)");
    memset(record, 0, sizeof record);
    record[0] = 0x80;
    record[47] = 4; /* x = 4: x^3 + 4 = 68 is a square, and the cofactor is large */
    TEST_OK(context,
            sumac_points_decode(context, curve, record, 1, "zcash-compressed", SUMAC_CHECK_CURVE, out));
    test_status(context,
                sumac_points_decode(context, curve, record, 1, "zcash-compressed", SUMAC_CHECK_SUBGROUP, out),
                SUMAC_NOT_IN_SUBGROUP, "x = 4");
    test_status(context, sumac_points_decode(context, NULL, record, 1, NULL, SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_points_decode(context, curve, NULL, 1, NULL, SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_points_encode(context, curve, raw, 1, NULL, NULL), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_points_decode(context, other, record, 1, "eip2537", SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ARGUMENT, "another curve");
}

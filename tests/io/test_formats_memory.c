/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests arguments and points that sumac_points_decode() and
 * sumac_points_encode() refuse. */
#include "test_formats_support.h"

void test_records_arguments(void)
{
    uint8_t raw[96] = {1}, record[96] = {0};
    const sumac_group *group = bls12_381(1), *other;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_group_find("bn254", "g1", &other), SUMAC_OK);
    assert_int_equal(test_points_decode(NULL, group, record, 1, NULL, SUMAC_CHECK_NONE, raw),
                     SUMAC_BAD_ARGUMENT);
    assert_int_equal(test_points_encode(NULL, group, raw, 1, NULL, record), SUMAC_BAD_ARGUMENT);
    size_t bytes = 7;
    assert_int_equal(sumac_points_record_bytes(NULL, group, NULL, &bytes), SUMAC_BAD_ARGUMENT);
    test_status(context, sumac_points_record_bytes(context, group, NULL, NULL), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_points_record_bytes(context, group, "table", &bytes), SUMAC_NOT_SUPPORTED,
                "table");
    test_status(context, sumac_points_record_bytes(context, other, "eip2537", &bytes), SUMAC_BAD_ARGUMENT,
                "eip2537 of bn254");
    assert_int_equal(bytes, 7);
    static const struct {
        const char *format;
        size_t n;
        int check;
        sumac_status expected;
    } cases[] = {{"raw", 0, 0, SUMAC_OK},
                 {NULL, 1, 0, SUMAC_OK},
                 {NULL, 1, 4, SUMAC_BAD_ARGUMENT},
                 {"table", 1, 0, SUMAC_NOT_SUPPORTED},
                 {"trusted-setup-lagrange", 1, 0, SUMAC_NOT_SUPPORTED},
                 {"none", 1, 0, SUMAC_UNKNOWN_FORMAT},
                 {"raw", SIZE_MAX / 64, 0, SUMAC_BAD_LENGTH}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_status(context,
                    test_points_decode(context, group, record, cases[i].n, cases[i].format,
                                       (sumac_check)cases[i].check, raw),
                    cases[i].expected, cases[i].format);
    }
    /* (1, 0) is not on the curve. The other bad point is on the curve, but outside the subgroup. */
    raw[0] = 1;
    uint8_t out[96] = {0};
    test_status(context, test_points_decode(context, group, raw, 1, "raw", SUMAC_CHECK_CURVE, out),
                SUMAC_NOT_ON_CURVE, "(1, 0)");
    memset(record, 0, sizeof record);
    record[0] = 0x80;
    record[47] = 4; /* x = 4 has a point outside the subgroup: x^3 + 4 = 68 is a square */
    TEST_OK(context,
            test_points_decode(context, group, record, 1, "zcash-compressed", SUMAC_CHECK_CURVE, out));
    test_status(context,
                test_points_decode(context, group, record, 1, "zcash-compressed", SUMAC_CHECK_SUBGROUP, out),
                SUMAC_NOT_IN_SUBGROUP, "x = 4");
    test_status(context, test_points_decode(context, NULL, record, 1, NULL, SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(context, test_points_decode(context, group, NULL, 1, NULL, SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(context, test_points_encode(context, group, raw, 1, NULL, NULL), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, test_points_decode(context, other, record, 1, "eip2537", SUMAC_CHECK_NONE, raw),
                SUMAC_BAD_ARGUMENT, "another curve");
    /* These buffers are one byte too short. */
    static const char *const name = "zcash-compressed";
    TEST_SHORT(context, sumac_points_decode(context, group, record, 47, 1, name, SUMAC_CHECK_NONE, raw, 96));
    TEST_SHORT(context, sumac_points_decode(context, group, record, 48, 1, name, SUMAC_CHECK_NONE, raw, 95));
    TEST_SHORT(context, sumac_points_encode(context, group, raw, 95, 1, name, record, 48));
    TEST_SHORT(context, sumac_points_encode(context, group, raw, 96, 1, name, record, 47));
    /* The bad point is named, and nothing is written. */
    uint8_t points[8 * 96] = {0}, records[8 * 96], untouched[8 * 96];
    memset(points + 7 * 96, 0xff, 96);
    memset(records, 0xa5, sizeof records);
    memset(untouched, 0xa5, sizeof untouched);
    test_sentence(context, test_points_encode(context, group, points, 8, "zcash-compressed", records),
                  SUMAC_BAD_ENCODING, "point 7 has");
    test_sentence(context, test_points_decode(context, group, points, 8, "raw", SUMAC_CHECK_NONE, records),
                  SUMAC_BAD_ENCODING, "point 7 has");
    assert_memory_equal(records, untouched, sizeof records);
}

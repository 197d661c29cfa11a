/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file runs codec/compressed.h, which is the GPU's decoding of one record, on the host. It compares points and
 * statuses with the host's decoding, which test_decode.c and test_convert.c compare with GMP. It is compiled once per
 * field and variant.
 */
#include "codec/compressed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "api/registry.h"
#include "codec/format.h"
#include "pipeline/engine.h"

enum { ROUNDS = 400, SMALL = 40, RAW_MOST = POINT_BYTES };

#if CURVE_HAS_COMPRESSED

static const group_code *own_code(void)
{
    for (size_t i = 0; i < sumac_registry_count; i++) {
        if (strcmp(sumac_registry[i]->group.curve, CURVE_NAME) == 0 &&
            strcmp(sumac_registry[i]->group.name, CURVE_GROUP) == 0) {
            return registry_portable_code(&sumac_registry[i]->group);
        }
    }
    return NULL;
}

/* Compare a record's status and points with the host's, and return 1 if the record is good. */
static int check_record(const uint8_t *record)
{
    const sumac_group info = {.degree = FE_DEGREE, .field_bytes = FIELD_BYTES, .point_bytes = POINT_BYTES};
    const point_layout layout = {.form = SUMAC_FORM_CANONICAL, .stride = POINT_BYTES};
    const group_code *code = own_code();
    affine point, integers, expected;
    uint8_t raw[RAW_MOST];
    size_t bad;
    const sumac_status status =
        format_decode(&zcash_compressed_format, raw, record, 1, &info, code->convert, SUMAC_CHECK_CURVE)
            .status;
    assert_int_equal(compressed_point(&point, &integers, record), status);
    if (status == SUMAC_OK) {
        assert_memory_equal(&integers, raw, POINT_BYTES);
        assert_int_equal(code->convert->import_points(&expected, raw, 1, &layout, SUMAC_CHECK_CURVE, &bad),
                         SUMAC_OK);
        assert_memory_equal(&point, &expected, POINT_BYTES);
    } else {
        assert_true(affine_is_infinity(&point) && affine_is_infinity(&integers));
    }
    return status == SUMAC_OK;
}

/* Any bytes will do, so a xorshift generator is enough. */
static uint8_t next_byte(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint8_t)(*state >> 32);
}

/* Decode random x with both flags. Most x are below p, and sometimes the flags are arbitrary. */
static void test_random_records(void **state)
{
    uint64_t generator = 20261122;
    uint8_t record[COORDINATE_BYTES];
    int good = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COORDINATE_BYTES; i++) {
            record[i] = next_byte(&generator);
            if (i % FIELD_BYTES < (64 * FP_LIMBS - FP_BITS) / 8 + (round % 8 != 0)) {
                record[i] = 0;
            }
        }
        record[0] = (uint8_t)(round % 16 == 5 ? next_byte(&generator)
                                              : FLAG_COMPRESSED | (round % 2 == 0 ? FLAG_LARGER : 0));
        good += check_record(record);
    }
    assert_true(good > ROUNDS / 4 && good < ROUNDS);
}

/* Decode x near 0 and near p in each element, with all flags. Among them are x = 0 and points with y = 0. */
static void test_ends(void **state)
{
    static const uint64_t modulus[FP_LIMBS] = FP_MODULUS;
    (void)state;
    for (int part = 0; part < FE_DEGREE; part++) {
        for (int difference = -SMALL; difference <= SMALL; difference++) {
            for (int above = 0; above <= 1; above++) {
                uint8_t record[COORDINATE_BYTES] = {0};
                uint64_t carry = 0;
                for (int i = 0; i < FIELD_BYTES; i++) { /* x = above*p + difference */
                    const uint64_t extension = difference < 0 ? 0xff : 0;
                    const uint64_t sum = carry + (above ? modulus[i / 8] >> (i % 8 * 8) & 0xff : 0) +
                                         (i == 0 ? (uint64_t)(uint8_t)difference : extension);
                    record[(part + 1) * FIELD_BYTES - 1 - i] = (uint8_t)sum;
                    carry = sum >> 8;
                }
                for (int flags = 0; flags < 8; flags++) {
                    record[0] = (uint8_t)((record[0] & ~FLAGS) | flags << 5);
                    (void)check_record(record);
                }
            }
        }
    }
}

#endif

int main(void)
{
#if CURVE_HAS_COMPRESSED
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_records),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests_name("compressed points of " CURVE_NAME " " CURVE_GROUP, tests, NULL, NULL);
#else
    return 0;
#endif
}

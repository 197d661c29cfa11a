/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These files test KZG commitments and proofs. This file tests commitments of many blobs at once and wrong setups.
 * test_kzg_vectors.c has the consensus specification's vectors, and each other file has another part.
 */
#include "support/files.h"
#include "test_kzg_support.h"

/* Commit to more blobs than a sub-batch holds, and compare with single commitments, which the vectors test. Then make
 * an element not less than r, which must be refused. */
static void test_batch(void)
{
    enum { DIFFERENT = 5 };
    const size_t blobs = options.quick ? 3 : 70;
    const kzg_fixture f = fixture_open(0);
    AUTO_FREE sumac_blob *input = test_alloc(blobs * sizeof *input);
    AUTO_FREE sumac_bytes48 *expected = test_alloc(blobs * POINT), *found = test_alloc(blobs * POINT);
    for (size_t i = 0; i < blobs; i++) {
        make_blob(input + i, (unsigned)(i % DIFFERENT));
        if (i < DIFFERENT) {
            TEST_OK(f.context, sumac_kzg_commit(f.context, f.setup, input + i, 1, expected + i));
        } else {
            expected[i] = expected[i % DIFFERENT];
        }
    }
    TEST_OK(f.context, sumac_kzg_commit(f.context, f.setup, input, blobs, found));
    assert_memory_equal(found, expected, blobs * POINT);

    char place[64];
    const sumac_group *g1 = test_find_group("bls12-381", "g1");
    const uint8_t *order = (const uint8_t *)g1->order;
    uint8_t *element = input[blobs - 1].bytes + 4095 * ELEMENT;
    for (size_t i = 0; i < ELEMENT; i++) {
        element[i] = order[31 - i];
    }
    memset(found, 0xa5, blobs * POINT);
    memset(expected, 0xa5, blobs * POINT);
    snprintf(place, sizeof place, "blob %zu: element 4095", blobs - 1);
    test_sentence(f.context, sumac_kzg_commit(f.context, f.setup, input, blobs, found), SUMAC_BAD_ENCODING,
                  place);
    assert_memory_equal(found, expected, blobs * POINT);
    element[31]--; /* r - 1 is accepted */
    TEST_OK(f.context, sumac_kzg_commit(f.context, f.setup, input, blobs, found));
}

static void test_arguments(void)
{
    sumac_bytes48 commitment;
    const kzg_fixture f = fixture_open(0);
    sumac_context *c = f.context;
    sumac_kzg_setup *none = NULL;
    TEST_OK(c, sumac_kzg_commit(c, f.setup, NULL, 0, NULL));
    test_status(c, sumac_kzg_commit(c, f.setup, NULL, 1, &commitment), SUMAC_BAD_ARGUMENT, "blobs");
    test_status(c, sumac_kzg_commit(c, NULL, NULL, 0, &commitment), SUMAC_BAD_ARGUMENT, "setup");
    assert_int_equal(sumac_kzg_commit(NULL, f.setup, NULL, 0, NULL), SUMAC_BAD_ARGUMENT);
    test_status(c, sumac_kzg_open(c, NULL, NULL, &none), SUMAC_BAD_ARGUMENT, "path");
    test_status(c, sumac_kzg_open(c, TRUSTED_SETUP, NULL, NULL), SUMAC_BAD_ARGUMENT, "out");
    assert_int_equal(sumac_kzg_open(NULL, TRUSTED_SETUP, NULL, &none), SUMAC_BAD_ARGUMENT);
    assert_null(none);
    sumac_kzg_destroy(NULL);
}

static void expect_no_setup(sumac_context *context, const char *path, sumac_status status, const char *part)
{
    sumac_kzg_setup *setup = (sumac_kzg_setup *)&setup;
    test_sentence(context, sumac_kzg_open(context, path, KZG_CONFIG(.check = SUMAC_CHECK_CURVE), &setup),
                  status, part);
    assert_non_null(strstr(sumac_context_message(context), path));
    assert_null(setup);
}

/* Copies of the setup in which the digits of one line are replaced are refused. */
static void test_wrong_setups(void)
{
    static const struct {
        size_t line; /* counted from 1 */
        const char *digits;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {1, "4095", SUMAC_BAD_FILE, ""},
        {2, "64", SUMAC_BAD_FILE, ""},
        {3, "0413", SUMAC_BAD_ENCODING, "line 3 "},
        {4098, "9fff", SUMAC_BAD_ENCODING, "line 4098 "},
        {4099, "0", SUMAC_BAD_ENCODING, "line 4099 "}, /* the first point of G2 */
        {4163, "x", SUMAC_BAD_FILE, "line 4163 "},
        {8259, "x", SUMAC_BAD_FILE, "line 8259 "}, /* the last point in monomial form */
    };
    TEST_FILE(path);
    const kzg_fixture f = fixture_open(0);
    size_t size;
    AUTO_FREE char *text = (char *)test_read_file(TRUSTED_SETUP, &size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *line = text, saved[8];
        for (size_t j = 1; j < changes[i].line; j++) {
            line = strchr(line, '\n') + 1;
        }
        const size_t length = strlen(changes[i].digits);
        memcpy(saved, line, length);
        memcpy(line, changes[i].digits, length);
        test_write_file(path, text, size);
        memcpy(line, saved, length);
        expect_no_setup(f.context, path, changes[i].expected, changes[i].part);
    }
}

/* If setups have the right form but the wrong sizes, they are refused. They have no points in G1, or 64 in G2. */
static void test_small_setups(void)
{
    TEST_FILE(path);
    const kzg_fixture f = fixture_open(0);
    for (size_t g1 = 0; g1 <= 4096; g1 += 4096) {
        FILE *file = fopen(path, "wb");
        fprintf(file, "%zu\n%d\n", g1, 64);
        for (size_t i = 0; i < 2 * g1 + 64; i++) { /* all points are infinity */
            fprintf(file, "c0%0*d\n", i >= g1 && i < g1 + 64 ? 190 : 94, 0);
        }
        assert_int_equal(fclose(file), 0);
        expect_no_setup(f.context, path, SUMAC_BAD_FILE, g1 == 0 ? "points of G1" : "points of G2");
    }
}

static const test_entry entries[] = {{"batch", TEST_ONCE(test_batch)},
                                     {"arguments", TEST_ONCE(test_arguments)},
                                     {"wrong_setups", TEST_ONCE(test_wrong_setups)},
                                     {"small_setups", TEST_ONCE(test_small_setups)},
                                     {"vectors", TEST_ONCE(test_vectors)},
                                     {"cell_vectors", TEST_ONCE(test_cell_vectors)},
                                     {"blobs_together", TEST_ONCE(test_blobs_together)},
                                     {"values_on_the_domain", TEST_ONCE(test_values_on_the_domain)},
                                     {"cells_against_quotients", TEST_ONCE(test_cells_against_quotients)},
                                     {"cell_batches", TEST_ONCE(test_cell_batches)},
                                     {"recovery", TEST_ONCE(test_recovery)},
                                     {"recovery_checked", TEST_ONCE(test_recovery_checked)},
                                     {"recovery_arguments", TEST_ONCE(test_recovery_arguments)},
                                     {"infinity", TEST_ONCE(test_infinity)},
                                     {"kzg_arguments", TEST_ONCE(test_kzg_arguments)},
                                     {"setup_from_memory", TEST_ONCE(test_setup_from_memory)},
                                     {"setup_file", TEST_ONCE(test_setup_file)},
                                     {"setup_cells", TEST_ONCE(test_setup_cells)},
                                     {"setup_multiples", TEST_ONCE(test_setup_multiples)},
                                     {"setup_damage", TEST_ONCE(test_setup_damage)},
                                     {"setup_forged", TEST_ONCE(test_setup_forged)},
                                     {"setup_tables", TEST_ONCE(test_setup_tables)},
                                     {"setups_that_do_not_fit", TEST_ONCE(test_setups_that_do_not_fit)}};
TEST_MAIN("kzg", entries)

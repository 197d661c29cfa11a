/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * KZG commitments and proofs. Here: commitments of many blobs at once, and setups that are wrong. The
 * consensus specification's vectors are in test_kzg_vectors.c, and the other files have a part each.
 */
#include <unistd.h>

#include "test_kzg_support.h"

static sumac_kzg_setup *read_setup(sumac_context *context)
{
    sumac_kzg_setup *setup = NULL;
    test_status(context, sumac_kzg_setup_open(context, TRUSTED_SETUP, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_OK,
                "setup");
    assert_non_null(setup);
    return setup;
}

/* More blobs than one batch holds, against commitments one by one, which the vectors test; then one element
 * that is not less than r. */
static void test_batch(void **state)
{
    (void)state;
    enum { COMMITMENT = SUMAC_KZG_COMMITMENT_BYTES, DIFFERENT = 5 };
    const size_t blobs = options.quick ? 3 : 70;
    sumac_context *context = test_context(2, 0);
    sumac_kzg_setup *setup = read_setup(context);
    uint8_t *input = test_alloc(blobs * SUMAC_KZG_BLOB_BYTES);
    uint8_t *expected = test_alloc(blobs * COMMITMENT), *found = test_alloc(blobs * COMMITMENT);
    for (size_t i = 0; i < blobs; i++) {
        uint8_t *blob = input + i * SUMAC_KZG_BLOB_BYTES;
        make_blob(blob, (unsigned)(i % DIFFERENT));
        if (i >= DIFFERENT) {
            memcpy(expected + i * COMMITMENT, expected + i % DIFFERENT * COMMITMENT, COMMITMENT);
            continue;
        }
        test_status(context,
                    sumac_kzg_commit_batch(context, setup, (const sumac_blob *)blob, 1,
                                           (sumac_bytes48 *)(expected + i * COMMITMENT)),
                    SUMAC_OK, "one blob");
    }
    test_status(
        context,
        sumac_kzg_commit_batch(context, setup, (const sumac_blob *)input, blobs, (sumac_bytes48 *)found),
        SUMAC_OK, "batch");
    assert_memory_equal(found, expected, blobs * COMMITMENT);

    const sumac_curve *curve;
    char place[64];
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    const uint8_t *order = (const uint8_t *)sumac_curve_describe(curve)->order;
    uint8_t *element = input + (blobs - 1) * SUMAC_KZG_BLOB_BYTES + 4095 * 32;
    for (size_t i = 0; i < 32; i++) {
        element[i] = order[31 - i];
    }
    memset(found, 0xa5, blobs * COMMITMENT);
    memset(expected, 0xa5, blobs * COMMITMENT);
    test_status(
        context,
        sumac_kzg_commit_batch(context, setup, (const sumac_blob *)input, blobs, (sumac_bytes48 *)found),
        SUMAC_BAD_ENCODING, "an element of r");
    snprintf(place, sizeof place, "blob %zu: element 4095", blobs - 1);
    assert_non_null(strstr(sumac_context_message(context), place));
    assert_memory_equal(found, expected, blobs * COMMITMENT);
    element[31]--; /* r - 1 is one */
    test_status(
        context,
        sumac_kzg_commit_batch(context, setup, (const sumac_blob *)input, blobs, (sumac_bytes48 *)found),
        SUMAC_OK, "an element of r - 1");
    free(input);
    free(expected);
    free(found);
    sumac_kzg_setup_destroy(setup);
    sumac_context_destroy(context);
}

static void test_arguments(void **state)
{
    (void)state;
    uint8_t commitment[SUMAC_KZG_COMMITMENT_BYTES];
    sumac_context *context = test_context(1, 0);
    sumac_kzg_setup *setup = read_setup(context), *none = NULL;
    test_status(context, sumac_kzg_commit_batch(context, setup, NULL, 0, NULL), SUMAC_OK, "no blobs");
    test_status(context, sumac_kzg_commit_batch(context, setup, NULL, 1, (sumac_bytes48 *)commitment),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(
        context,
        sumac_kzg_commit_batch(context, NULL, (const sumac_blob *)commitment, 0, (sumac_bytes48 *)commitment),
        SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(sumac_kzg_commit_batch(NULL, setup, NULL, 0, NULL), SUMAC_BAD_ARGUMENT);
    test_status(context, sumac_kzg_setup_open(context, NULL, SUMAC_CHECK_NONE, &none), SUMAC_BAD_ARGUMENT,
                "null");
    test_status(context, sumac_kzg_setup_open(context, TRUSTED_SETUP, SUMAC_CHECK_NONE, NULL),
                SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(sumac_kzg_setup_open(NULL, TRUSTED_SETUP, SUMAC_CHECK_NONE, &none), SUMAC_BAD_ARGUMENT);
    assert_null(none);
    sumac_kzg_setup_destroy(NULL);
    sumac_kzg_setup_destroy(setup);
    sumac_context_destroy(context);
}

/* Copies of the setup with one line changed: a line is found by its number, and its digits are replaced. */
static void test_wrong_setups(void **state)
{
    (void)state;
    static const struct {
        size_t line; /* from 1 */
        const char *digits;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {1, "4095", SUMAC_BAD_FILE, NULL},
        {2, "64", SUMAC_BAD_FILE, NULL},
        {3, "0413", SUMAC_BAD_ENCODING, "line 3 "},
        {4098, "9fff", SUMAC_BAD_ENCODING, "line 4098 "},
        {4099, "0", SUMAC_BAD_ENCODING, "line 4099 "}, /* the first point of G2 */
        {4163, "x", SUMAC_BAD_FILE, "line 4163 "},
        {8259, "x", SUMAC_BAD_FILE, "line 8259 "}, /* the last point in monomial form */
    };
    char path[] = "/tmp/sumac-setup-XXXXXX";
    sumac_context *context = test_context(2, 0);
    FILE *source = fopen(TRUSTED_SETUP, "rb");
    char *text = test_alloc(1 << 20);
    assert_non_null(source);
    const size_t size = fread(text, 1, 1 << 20, source);
    fclose(source);
    assert_true(size < 1 << 20);
    close(mkstemp(path));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sumac_kzg_setup *setup = (sumac_kzg_setup *)&setup;
        char *line = text, saved[8];
        for (size_t j = 1; j < changes[i].line; j++) {
            line = memchr(line, '\n', size - (size_t)(line - text));
            line++;
        }
        const size_t length = strlen(changes[i].digits);
        memcpy(saved, line, length);
        memcpy(line, changes[i].digits, length);
        FILE *file = fopen(path, "wb");
        assert_int_equal(fwrite(text, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        memcpy(line, saved, length);
        const sumac_status status = sumac_kzg_setup_open(context, path, SUMAC_CHECK_CURVE, &setup);
        test_status(context, status, changes[i].expected, changes[i].digits);
        assert_null(setup);
        const char *message = sumac_context_message(context);
        if (strstr(message, path) == NULL ||
            (changes[i].part != NULL && strstr(message, changes[i].part) == NULL)) {
            test_abort("the message is \"%s\"", message);
        }
    }
    unlink(path);
    free(text);
    sumac_context_destroy(context);
}

/* A setup of the right form but for other sizes: no points in G1, or 64 in G2. */
static void test_small_setups(void **state)
{
    (void)state;
    sumac_context *context = test_context(1, 0);
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    for (size_t g1 = 0; g1 <= 4096; g1 += 4096) {
        sumac_kzg_setup *setup = NULL;
        FILE *file = fopen(path, "wb");
        fprintf(file, "%zu\n%d\n", g1, 64);
        for (size_t i = 0; i < 2 * g1 + 64; i++) {
            fputs("c0", file); /* infinity */
            for (size_t j = 1; j < (i >= g1 && i < g1 + 64 ? 96 : 48); j++) {
                fputs("00", file);
            }
            fputs("\n", file);
        }
        assert_int_equal(fclose(file), 0);
        test_status(context, sumac_kzg_setup_open(context, path, SUMAC_CHECK_SUBGROUP, &setup),
                    SUMAC_BAD_FILE, "sizes");
        assert_non_null(strstr(sumac_context_message(context), g1 == 0 ? "points of G1" : "points of G2"));
        assert_null(setup);
    }
    unlink(path);
    sumac_context_destroy(context);
}

int main(int argc, char **argv)
{
    const test_entry entries[] = {
        {"batch", test_batch, TEST_ONCE},
        {"arguments", test_arguments, TEST_ONCE},
        {"wrong_setups", test_wrong_setups, TEST_ONCE},
        {"small_setups", test_small_setups, TEST_ONCE},
        {"commit_vectors", test_commit_vectors, TEST_ONCE},
        {"compute_proof_vectors", test_compute_proof_vectors, TEST_ONCE},
        {"compute_blob_proof_vectors", test_compute_blob_proof_vectors, TEST_ONCE},
        {"verify_proof_vectors", test_verify_proof_vectors, TEST_ONCE},
        {"verify_blob_proof_vectors", test_verify_blob_proof_vectors, TEST_ONCE},
        {"verify_blob_proof_batch_vectors", test_verify_blob_proof_batch_vectors, TEST_ONCE},
        {"challenge_vectors", test_challenge_vectors, TEST_ONCE},
        {"compute_cells_vectors", test_compute_cells_vectors, TEST_ONCE},
        {"compute_cells_and_proofs_vectors", test_compute_cells_and_proofs_vectors, TEST_ONCE},
        {"recover_vectors", test_recover_vectors, TEST_ONCE},
        {"verify_cell_batch_vectors", test_verify_cell_batch_vectors, TEST_ONCE},
        {"cell_batch_challenge_vectors", test_cell_batch_challenge_vectors, TEST_ONCE},
        {"blobs_together", test_blobs_together, TEST_ONCE},
        {"values_on_the_domain", test_values_on_the_domain, TEST_ONCE},
        {"cells_against_quotients", test_cells_against_quotients, TEST_ONCE},
        {"cell_batches", test_cell_batches, TEST_ONCE},
        {"recovery", test_recovery, TEST_ONCE},
        {"recovery_checked", test_recovery_checked, TEST_ONCE},
        {"recovery_arguments", test_recovery_arguments, TEST_ONCE},
        {"infinity", test_infinity, TEST_ONCE},
        {"kzg_arguments", test_kzg_arguments, TEST_ONCE},
        {"setup_from_memory", test_setup_from_memory, TEST_ONCE},
        {"setup_file", test_setup_file, TEST_ONCE},
        {"setup_file_multiples", test_setup_multiples, TEST_ONCE},
        {"setup_file_damage", test_setup_file_damage, TEST_ONCE},
        {"setup_file_forged", test_setup_file_forged, TEST_ONCE},
        {"setup_file_tables", test_setup_file_tables, TEST_ONCE},
        {"setups_that_do_not_fit", test_setups_that_do_not_fit, TEST_ONCE},
    };
    const int status = test_main("kzg", entries, sizeof entries / sizeof *entries, argc, argv);
    fixtures_close();
    return status;
}

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
    TEST_OK(context, sumac_kzg_setup_open(context, TRUSTED_SETUP, SUMAC_CHECK_SUBGROUP, &setup));
    assert_non_null(setup);
    return setup;
}

/* More blobs than one batch holds, against commitments one by one, which the vectors test; then one element
 * that is not less than r. */
static void test_batch(void)
{
    enum { COMMITMENT = SUMAC_KZG_COMMITMENT_BYTES, DIFFERENT = 5 };
    const size_t blobs = options.quick ? 3 : 70;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = read_setup(context);
    AUTO_FREE uint8_t *input = test_alloc(blobs * SUMAC_KZG_BLOB_BYTES);
    AUTO_FREE uint8_t *expected = test_alloc(blobs * COMMITMENT), *found = test_alloc(blobs * COMMITMENT);
    for (size_t i = 0; i < blobs; i++) {
        uint8_t *blob = input + i * SUMAC_KZG_BLOB_BYTES;
        make_blob(blob, (unsigned)(i % DIFFERENT));
        if (i >= DIFFERENT) {
            memcpy(expected + i * COMMITMENT, expected + i % DIFFERENT * COMMITMENT, COMMITMENT);
            continue;
        }
        TEST_OK(context, sumac_kzg_commit_batch(context, setup, (const sumac_blob *)blob, 1,
                                                (sumac_bytes48 *)(expected + i * COMMITMENT)));
    }
    TEST_OK(context,
            sumac_kzg_commit_batch(context, setup, (const sumac_blob *)input, blobs, (sumac_bytes48 *)found));
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
    TEST_OK(context,
            sumac_kzg_commit_batch(context, setup, (const sumac_blob *)input, blobs, (sumac_bytes48 *)found));
}

static void test_arguments(void)
{
    uint8_t commitment[SUMAC_KZG_COMMITMENT_BYTES];
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    sumac_kzg_setup *setup = read_setup(context), *none = NULL;
    TEST_OK(context, sumac_kzg_commit_batch(context, setup, NULL, 0, NULL));
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
}

/* Copies of the setup with one line changed: a line is found by its number, and its digits are replaced. */
static void test_wrong_setups(void)
{
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
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    FILE *source = fopen(TRUSTED_SETUP, "rb");
    AUTO_FREE char *text = test_alloc(1 << 20);
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
}

/* A setup of the right form but for other sizes: no points in G1, or 64 in G2. */
static void test_small_setups(void)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
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
}

int main(int argc, char **argv)
{
    const test_entry entries[] = {
        {"batch", TEST_ONCE(test_batch)},
        {"arguments", TEST_ONCE(test_arguments)},
        {"wrong_setups", TEST_ONCE(test_wrong_setups)},
        {"small_setups", TEST_ONCE(test_small_setups)},
        {"commit_vectors", TEST_ONCE(test_commit_vectors)},
        {"compute_proof_vectors", TEST_ONCE(test_compute_proof_vectors)},
        {"compute_blob_proof_vectors", TEST_ONCE(test_compute_blob_proof_vectors)},
        {"verify_proof_vectors", TEST_ONCE(test_verify_proof_vectors)},
        {"verify_blob_proof_vectors", TEST_ONCE(test_verify_blob_proof_vectors)},
        {"verify_blob_proof_batch_vectors", TEST_ONCE(test_verify_blob_proof_batch_vectors)},
        {"challenge_vectors", TEST_ONCE(test_challenge_vectors)},
        {"compute_cells_vectors", TEST_ONCE(test_compute_cells_vectors)},
        {"compute_cells_and_proofs_vectors", TEST_ONCE(test_compute_cells_and_proofs_vectors)},
        {"recover_vectors", TEST_ONCE(test_recover_vectors)},
        {"verify_cell_batch_vectors", TEST_ONCE(test_verify_cell_batch_vectors)},
        {"cell_batch_challenge_vectors", TEST_ONCE(test_cell_batch_challenge_vectors)},
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
        {"setup_file_multiples", TEST_ONCE(test_setup_multiples)},
        {"setup_file_damage", TEST_ONCE(test_setup_file_damage)},
        {"setup_file_forged", TEST_ONCE(test_setup_file_forged)},
        {"setup_file_tables", TEST_ONCE(test_setup_file_tables)},
        {"setups_that_do_not_fit", TEST_ONCE(test_setups_that_do_not_fit)},
    };
    const int status = test_main("kzg", entries, sizeof entries / sizeof *entries, argc, argv);
    fixtures_close();
    return status;
}

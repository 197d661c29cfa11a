/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file writes and reads files of every format, and damages them in every way. A damaged file must give the right
 * status and a message of one sentence with the file's name. Nothing may be left behind.
 */
#include "test_formats_support.h"

/* ---- writing and reading ---- */

static int is_bls12_381(const test_group *t)
{
    return strcmp(t->info->curve, "bls12-381") == 0;
}

/* sumac_points_encode() and sumac_points_decode() must write and read the bytes that a file of the format has. */
static void check_in_memory(test_group *t, sumac_context *context, const char *format, const char *path,
                            const uint8_t *points, size_t n, size_t record_bytes)
{
    size_t size, found_bytes;
    AUTO_FREE uint8_t *file = test_read_file(path, &size), *records = test_alloc(size);
    AUTO_FREE uint8_t *raw = test_alloc(n * t->info->point_bytes);
    TEST_OK(context, sumac_points_record_bytes(context, t->group, format, &found_bytes));
    assert_int_equal(found_bytes, record_bytes);
    TEST_OK(context, test_points_encode(context, t->group, points, n, format, records));
    assert_memory_equal(records, file, size);
    TEST_OK(context, test_points_decode(context, t->group, file, n, format, SUMAC_CHECK_CURVE, raw));
    assert_memory_equal(raw, points, n * t->info->point_bytes);
}

static void check_round_trip(test_group *t, sumac_context *context, const char *format, size_t n,
                             size_t record_bytes)
{
    const char *path = in_directory("points");
    AUTO_FREE uint8_t *points = n < 100 ? some_points(t, n) : many_points(t, n);
    struct stat facts;
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, n, NULL);
    TEST_OK(context, sumac_bases_save(context, bases, path, format == NULL ? "raw" : format));
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, n * record_bytes);
    check_in_memory(t, context, format, path, points, n, record_bytes);
    sumac_bases_destroy(bases);
    bases = expect_good(context, t->group, path, format, n < 100 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE);
    expect_points(context, bases, points, n);
    empty_directory();
}

static void test_round_trips(void **state)
{
    test_group *t = *state;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        CLEANUP(destroy_context) sumac_context *context = test_context(threads, 0);
        for (size_t n = 0; n <= 5; n++) {
            check_round_trip(t, context, "raw", n, t->info->point_bytes);
        }
        check_round_trip(t, context, NULL, ((size_t)3 << 19) / t->info->point_bytes + 3,
                         t->info->point_bytes);
        if (is_bls12_381(t)) {
            const size_t most = options.quick ? 50 : 12000;
            for (size_t n = 0; n <= most; n = 4 * n + 1) {
                check_round_trip(t, context, "zcash-compressed", n, t->info->point_bytes / 2);
                check_round_trip(t, context, "zcash-uncompressed", n, t->info->point_bytes);
                check_round_trip(t, context, "eip2537", n, t->info->point_bytes / 48 * 64);
            }
        }
    }
}

/* The generators must be encoded as the specifications print them. */
static void test_known_encodings(void)
{
    static const char *const texts[] = {
        "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
        "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
        "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"};
    const char *path = in_directory("generator");
    sumac_context *context = test_context(1, 0);
    for (int number = 1; number <= 2; number++) {
        uint8_t point[192];
        size_t size;
        const sumac_group *group;
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        assert_int_equal(sumac_group_find("bls12-381", number == 1 ? "g1" : "g2", &group), SUMAC_OK);
        assert_int_equal(sumac_group_generator(group, point, group->point_bytes), SUMAC_OK);
        assert_int_equal(exact_create(context, group, point, 1, NULL, &bases), SUMAC_OK);
        TEST_OK(context, sumac_bases_save(context, bases, path, "zcash-compressed"));
        AUTO_FREE uint8_t *bytes = test_read_file(path, &size);
        char text[200];
        for (size_t i = 0; i < size; i++) {
            snprintf(text + 2 * i, 3, "%02x", bytes[i]);
        }
        assert_string_equal(text, texts[number - 1]);
    }
    sumac_context_destroy(context);
    empty_directory();
}

static void test_format_table(void)
{
    const sumac_group *group = test_find_group("bn254", "g1");
    sumac_bases *bases = NULL;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_true(sumac_format_count() >= 7);
    assert_null(sumac_format_at(sumac_format_count()));
    TEST_OK(context, exact_create(context, group, NULL, 0, NULL, &bases));
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *info = sumac_format_at(i);
        assert_true(strlen(info->name) > 0 && strlen(info->description) > 0 &&
                    (info->can_read || info->can_write));
    }
    const char *path = in_directory("points");
    sumac_bases *none = NULL;
    test_status(context, sumac_bases_open(context, group, path, "gif", 0, SUMAC_ALL, NULL, &none),
                SUMAC_UNKNOWN_FORMAT, "read");
    test_status(context, sumac_bases_save(context, bases, path, "gif"), SUMAC_UNKNOWN_FORMAT, "write");
    test_status(context, sumac_bases_open(context, group, path, "eip2537", 0, SUMAC_ALL, NULL, &none),
                SUMAC_BAD_ARGUMENT, "curve");
    test_status(context, sumac_bases_save(context, bases, path, "eip2537"), SUMAC_BAD_ARGUMENT, "curve");
    sumac_bases_destroy(bases);
    assert_int_equal(sumac_group_find("bls12-381", "g1", &group), SUMAC_OK);
    TEST_OK(context, exact_create(context, group, NULL, 0, NULL, &bases));
    test_status(context, sumac_bases_save(context, bases, path, "trusted-setup-lagrange"),
                SUMAC_NOT_SUPPORTED, "write");
    test_status(context, sumac_bases_open(context, NULL, path, "raw", 0, SUMAC_ALL, NULL, &none),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_bases_open(context, group, NULL, "raw", 0, SUMAC_ALL, NULL, &none),
                SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_bases_open(context, group, path, "raw", 0, SUMAC_ALL, NULL, NULL),
                SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(sumac_bases_open(NULL, group, path, "raw", 0, SUMAC_ALL, NULL, &none),
                     SUMAC_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(count_files(), 0);
    sumac_bases_destroy(bases);
}

/* ---- bad files of any format ---- */

static void test_paths(void)
{
    const sumac_group *group;
    void *scalars = NULL;
    size_t n;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_group_find("bls12-381", "g1", &group), SUMAC_OK);
    const char *missing = in_directory("missing");
    static const char *const formats[] = {"raw", "table", "zcash-compressed", "eip2537",
                                          "trusted-setup-lagrange"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        expect_bad(context, group, missing, formats[i], SUMAC_CHECK_NONE, SUMAC_CANNOT_OPEN,
                   strerror(ENOENT));
        expect_bad(context, group, directory, formats[i], SUMAC_CHECK_NONE, SUMAC_CANNOT_OPEN,
                   strerror(EISDIR));
    }
    expect(context, sumac_scalars_read(context, group, missing, &scalars, &n), SUMAC_CANNOT_OPEN, missing,
           strerror(ENOENT));
    expect(context, sumac_scalars_read(context, group, directory, &scalars, &n), SUMAC_CANNOT_OPEN, directory,
           strerror(EISDIR));
    assert_null(scalars);
    if (geteuid() != 0) { /* root may read everything */
        const char *secret = in_directory("secret");
        test_write_file(secret, "", 0);
        assert_int_equal(chmod(secret, 0), 0);
        expect_bad(context, group, secret, "raw", SUMAC_CHECK_NONE, SUMAC_CANNOT_OPEN, strerror(EACCES));
        empty_directory();
    }
}

static void test_raw_damage(void **state)
{
    test_group *t = *state;
    const size_t bytes = t->info->point_bytes, n = ((size_t)1 << 20) / bytes + 50, bad = n - 20;
    char place[64];
    const char *path = in_directory("damaged");
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    uint8_t *points = many_points(t, n), *bad_point = points + bad * bytes;
    AUTO_FREE uint8_t *whole = test_alloc(bytes);
    test_random_points(t, bad_point, NULL, 1);
    memcpy(whole, bad_point, bytes);
    snprintf(place, sizeof place, "byte %zu", bad * bytes);

    test_write_file(path, points, n * bytes - 1);
    expect_bad(context, t->group, path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "cut off");
    test_write_file(path, points, (n - 1) * bytes + 1);
    expect_bad(context, t->group, path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "cut off");

    for (size_t i = 0; i < bytes; i += t->info->field_bytes) {
        memcpy(bad_point + i, t->info->modulus, t->info->field_bytes);
        test_write_file(path, points, n * bytes);
        expect_bad(context, t->group, path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_ENCODING, place);
        memcpy(bad_point, whole, bytes);
    }
    memcpy(bad_point + bytes / 2, bad_point, bytes / 2);
    test_write_file(path, points, n * bytes);
    expect_bad(context, t->group, path, "raw", SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, place);
    if (!t->info->cofactor_is_one) {
        oracle_point point;
        oracle_point_init(&point);
        oracle_random_curve_point(&t->oracle, &point, t->random);
        oracle_point_to_raw(&t->oracle, bad_point, &point);
        oracle_point_clear(&point);
        memset(points, 0, bad * bytes); /* infinity, which is checked fast */
        test_write_file(path, points, n * bytes);
        expect_bad(context, t->group, path, "raw", SUMAC_CHECK_SUBGROUP, SUMAC_NOT_IN_SUBGROUP, place);
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        sumac_bases_config config = {.size = sizeof config};
        config.check = SUMAC_CHECK_CURVE;
        TEST_OK(context, sumac_bases_open(context, t->group, path, "raw", 0, SUMAC_ALL, &config, &bases));
    }
    empty_directory();
    free(points);
}

static void test_scalars(void **state)
{
    test_group *t = *state;
    enum { N = 70000 };
    const size_t bytes = t->info->scalar_bytes;
    const char *path = in_directory("scalars");
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *scalars = test_alloc(N * bytes);
    void *found = NULL;
    size_t n = 99;
    test_random_bytes(t, scalars, N * bytes);
    for (size_t count = 0; count <= N; count += N / 2) {
        test_write_file(path, scalars, count * bytes);
        TEST_OK(context, sumac_scalars_read(context, t->group, path, &found, &n));
        assert_int_equal(n, count * bytes);
        assert_memory_equal(found, scalars, count * bytes);
        sumac_free(found);
    }
    test_write_file(path, scalars, 5 * bytes - 1);
    expect(context, sumac_scalars_read(context, t->group, path, &found, &n), SUMAC_BAD_LENGTH, path,
           "cut off");
    assert_null(found);
    assert_int_equal(n, 0);
    empty_directory();
}

/* Sparse files have sizes that exceed any memory. */
static void test_larger_than_memory(void)
{
    const sumac_group *group;
    void *scalars = NULL;
    size_t n;
    const char *path = in_directory("large");
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_group_find("bls12-381", "g1", &group), SUMAC_OK);
    static const char *const formats[] = {"raw", "zcash-compressed", "zcash-uncompressed", "eip2537"};
    test_write_file(path, "", 0);
    if (truncate(path, (off_t)1 << 42) != 0) {
        print_message("no sparse files here: %s\n", strerror(errno));
        skip();
    }
    expect(context, sumac_scalars_read(context, group, path, &scalars, &n), SUMAC_OUT_OF_MEMORY, path,
           "are left");
    assert_int_equal(truncate(path, (off_t)3 << 40), 0);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        expect_bad(context, group, path, formats[i], SUMAC_CHECK_NONE, SUMAC_OUT_OF_MEMORY, "are left");
    }
    assert_null(scalars);
    empty_directory();
}

/* ---- all parts ---- */

static void make_directory(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/sumac-formats-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(directory) == NULL) {
        fprintf(stderr, "cannot make a directory %s\n", directory);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const test_entry entries[] = {
        {"round_trips", test_round_trips, TEST_EVERY_AND_TINY},
        {"known_encodings", TEST_ONCE(test_known_encodings)},
        {"format_table", TEST_ONCE(test_format_table)},
        {"paths", TEST_ONCE(test_paths)},
        {"raw_damage", test_raw_damage, TEST_EVERY_GROUP},
        {"scalars", test_scalars, TEST_EVERY_GROUP},
        {"larger_than_memory", TEST_ONCE(test_larger_than_memory)},
        {"changing_file", TEST_ONCE(test_changing_file)},
        {"pipes", test_pipes, TEST_EVERY_GROUP},
        {"parts_of_pipes", test_parts_of_pipes, TEST_EVERY_GROUP},
        {"limited_pipes", test_limited_pipes, TEST_EVERY_GROUP},
        {"parts", test_parts, TEST_EVERY_GROUP},
        {"part_damage", test_part_damage, TEST_EVERY_GROUP},
        {"table_parts", test_table_parts, TEST_EVERY_GROUP},
        {"failing_writes", TEST_ONCE(test_failing_writes)},
        {"full_disk", TEST_ONCE(test_full_disk)},
        {"replacing", TEST_ONCE(test_replacing)},
        {"descriptors", TEST_ONCE(test_descriptors)},
        {"checksum", TEST_ONCE(test_checksum)},
        {"records_arguments", TEST_ONCE(test_records_arguments)},
        {"tables", test_tables, TEST_EVERY_AND_TINY},
        {"device_tables", test_device_tables, TEST_SOME_GROUPS},
        {"device_multiples", test_device_multiples, TEST_EVERY_GROUP},
        {"device_memory", test_device_memory, TEST_SOME_GROUPS},
        {"device_page_locked", test_device_page_locked, TEST_SOME_GROUPS},
        {"table_bits", TEST_ONCE(test_table_bits)},
        {"table_lengths", TEST_ONCE(test_table_lengths)},
        {"table_headers", TEST_ONCE(test_table_headers)},
        {"table_names", TEST_ONCE(test_table_names)},
        {"table_windows", test_table_windows, TEST_EVERY_GROUP},
        {"table_configs", TEST_ONCE(test_table_configs)},
        {"libraries", test_libraries, TEST_EVERY_GROUP},
        {"libraries_damage", test_libraries_damage, TEST_EVERY_GROUP},
        {"libraries_counts", test_libraries_counts, TEST_EVERY_AND_TINY},
        {"aztec", test_aztec, TEST_EVERY_GROUP},
        {"halo2", test_halo2, TEST_EVERY_GROUP},
        {"halo2_damage", test_halo2_damage, TEST_EVERY_GROUP},
        {"ptau", test_ptau, TEST_EVERY_GROUP},
        {"ptau_damage", test_ptau_damage, TEST_EVERY_GROUP},
        {"zcash_damage", TEST_ONCE(test_zcash_damage)},
        {"eip2537_damage", TEST_ONCE(test_eip2537_damage)},
        {"eip2537_valid", TEST_ONCE(test_eip2537_valid)},
        {"eip2537_failing", TEST_ONCE(test_eip2537_failing)},
        {"eip2537_g2", TEST_ONCE(test_eip2537_g2)},
        {"trusted_setup", TEST_ONCE(test_trusted_setup)},
        {"trusted_setup_damage", TEST_ONCE(test_trusted_setup_damage)},
    };
    make_directory();
    const int failures = test_main("formats", entries, sizeof entries / sizeof *entries, argc, argv);
    empty_directory();
    rmdir(directory);
    return failures;
}

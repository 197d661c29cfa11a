/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests tables in files, and every way in which a table can be wrong. */
#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "codec/bytes.h"
#include "support/container.h"
#include "test_formats_support.h"

/* This is the offset of a table's points, which are its only section. */
enum { POINTS = HEADER_ENTRIES + ENTRY_BYTES };

/* The expected checksums come from the reference implementation, `xxhsum -H64`. */
void test_checksum(void)
{
    uint8_t bytes[200];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * i + 3 * i);
    }
    assert_true(checksum_of("", 0) == UINT64_C(0xef46db3751d8e999));
    assert_true(checksum_of("abc", 3) == UINT64_C(0x44bc2cf5ad770999));
    assert_true(checksum_of("The quick brown fox jumps over the lazy dog", 43) ==
                UINT64_C(0x0b242d361fda71bc));
    for (size_t first = 0; first <= sizeof bytes; first++) {
        checksum sum;
        checksum_begin(&sum);
        checksum_add(&sum, bytes, first / 2);
        checksum_add(&sum, bytes + first / 2, first - first / 2);
        checksum_add(&sum, bytes + first, sizeof bytes - first);
        assert_true(checksum_result(&sum) == checksum_of(bytes, sizeof bytes));
    }
}

static sumac_bases *make_bases(sumac_context *context, const sumac_group *group, size_t n, uint32_t factor,
                               uint32_t c)
{
    sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = factor;
    config.tuning = test_tuning("c=%u", c);
    TEST_OK(context, sumac_known_bases_create(context, group, n, 7, &config, &bases));
    return bases;
}

void assert_same_bases(sumac_context *context, const sumac_bases *a, const sumac_bases *b)
{
    const uint64_t points = a->shards[0].table.count * a->shards[0].table.factor;
    const size_t bytes = points * context_code(context, a->group)->affine_bytes;
    uint8_t *tables[] = {test_alloc(bytes), test_alloc(bytes)}; /* copies in the host's memory */
    assert_ptr_equal(a->group, b->group);
    assert_int_equal(a->shards[0].table.count, b->shards[0].table.count);
    assert_int_equal(a->shards[0].table.factor, b->shards[0].table.factor);
    assert_int_equal(a->shift, b->shift);
    assert_int_equal(a->c, b->c);
    assert_int_equal(a->windows, b->windows);
    assert_int_equal(a->outside_subgroup, b->outside_subgroup);
    assert_int_equal(bases_copy(context, a, 0, points, tables[0]), SUMAC_OK);
    assert_int_equal(bases_copy(context, b, 0, points, tables[1]), SUMAC_OK);
    assert_memory_equal(tables[0], tables[1], bytes);
    free(tables[0]);
    free(tables[1]);
}

static void check_table(test_group *t, sumac_context *context, size_t n, uint32_t factor, uint32_t c)
{
    const char *path = in_directory("table");
    sumac_bases *bases = make_bases(context, t->group, n, factor, c), *loaded = NULL;
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    TEST_OK(context, open_trusted(context, t->group, path, &loaded));
    assert_same_bases(context, loaded, bases);
    sumac_bases_destroy(loaded);
    TEST_OK(context, open_trusted(context, NULL, path, &loaded));
    assert_same_bases(context, loaded, bases);
    sumac_bases_destroy(loaded);
    loaded = expect_good(context, t->group, path, NULL, SUMAC_CHECK_CURVE); /* this recognizes the format */
    assert_same_bases(context, loaded, bases);

    AUTO_FREE uint8_t *scalars = test_alloc(n * t->info->scalar_bytes),
                      *logarithms = test_alloc(n * t->info->scalar_bytes);
    AUTO_FREE uint8_t *expected = test_alloc(t->info->point_bytes);
    test_random_scalars(t, scalars, n);
    TEST_OK(context, test_known_logarithms(context, t->group, n, 7, logarithms));
    TEST_OK(context, test_known_answer(context, t->group, scalars, logarithms, n, expected));
    test_msm(context, loaded, scalars, n, NULL, expected, "a loaded table");
    sumac_bases_destroy(loaded);
    sumac_bases_destroy(bases);
    empty_directory();
}

void test_tables(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    check_table(t, context, 0, 1, 0);
    check_table(t, context, 1, 1, 0);
    check_table(t, context, 200, 2, 0);
    check_table(t, context, 50, 7, 6);
    check_table(t, context, ((size_t)1 << 19) / t->info->point_bytes + 10, 3, 9); /* has several blocks */
}

/* Make a small table of BLS12-381 G1 with multiples. */
static uint8_t *small_table(sumac_context *context, size_t *size)
{
    const sumac_group *group = bls12_381(1);
    CLEANUP(destroy_bases) sumac_bases *bases = make_bases(context, group, 2, 2, 13);
    const char *path = in_directory("small");
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    uint8_t *bytes = test_read_file(path, size);
    assert_int_equal(*size, file_section_end(POINTS, 2 * 2 * 96));
    empty_directory();
    return bytes;
}

/* Read the table as bases of a file, and check its points. */
static sumac_status read_checked(sumac_context *context, const uint8_t *bytes, size_t size)
{
    const char *path = in_directory("damaged");
    const sumac_group *group = bls12_381(1);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_SUBGROUP;
    test_write_file(path, bytes, size);
    const sumac_status status =
        sumac_bases_open(context, group, path, "table", 0, SUMAC_ALL, &config, &bases);
    return status;
}

static sumac_status load_bytes(sumac_context *context, const uint8_t *bytes, size_t size)
{
    const char *path = in_directory("damaged");
    sumac_bases *bases = (sumac_bases *)&bases;
    test_write_file(path, bytes, size);
    const sumac_status status = open_trusted(context, NULL, path, &bases);
    if (status == SUMAC_OK) {
        sumac_bases_destroy(bases);
    } else {
        assert_null(bases);
        expect(context, status, status, path, NULL);
    }
    return status;
}

void test_table_bits(void)
{
    size_t size;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *bytes = small_table(context, &size);
    assert_int_equal(load_bytes(context, bytes, size), SUMAC_OK);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const sumac_status status = load_bytes(context, bytes, size);
        const sumac_status expected = bit < 8 * HEADER_CURVE ? SUMAC_BAD_FILE : SUMAC_BAD_CHECKSUM;
        /* If a number of sections is impossible, or the file is too short for it, this is found first. */
        const int is_refused_early = bit / 32 == HEADER_SECTIONS / 4 && status == SUMAC_BAD_FILE;
        /* The checksum is compared before points are checked. */
        if (status != expected && !is_refused_early) {
            test_abort("bit %zu flipped: status %d, %s", bit, (int)status, sumac_context_message(context));
        }
        if (bit >= 8 * POINTS && bit % 5 == 0) {
            assert_int_equal(read_checked(context, bytes, size), SUMAC_BAD_CHECKSUM);
        }
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    empty_directory();
}

void test_table_lengths(void)
{
    size_t size;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *bytes = small_table(context, &size);
    for (size_t length = 0; length < size; length++) {
        assert_int_equal(load_bytes(context, bytes, length), SUMAC_BAD_FILE);
        assert_non_null(strstr(sumac_context_message(context), "truncated"));
    }
    AUTO_FREE uint8_t *longer = test_alloc(size + 1);
    memcpy(longer, bytes, size);
    longer[size] = 0;
    assert_int_equal(load_bytes(context, longer, size + 1), SUMAC_BAD_FILE);
    assert_non_null(strstr(sumac_context_message(context), "too long"));
    empty_directory();
}

/* Each row changes a field of the header and corrects the checksum. */
void test_table_headers(void)
{
    static const struct {
        size_t offset;
        uint64_t value;
        size_t bytes;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {HEADER_VERSION, 1, 4, SUMAC_BAD_FILE, "version 1"},
        {HEADER_VERSION, 3, 4, SUMAC_BAD_FILE, "version 3"},
        {HEADER_KIND, 0, 4, SUMAC_BAD_FILE, "a file, by its byte 12, where a table is expected"},
        {HEADER_KIND, 5, 4, SUMAC_BAD_FILE, "saved FK20 tables, by its byte 12, where a table is expected"},
        {HEADER_KIND, 7, 4, SUMAC_BAD_FILE, "a prepared PLONK key, by its byte 12"},
        {HEADER_KIND, 8, 4, SUMAC_BAD_FILE, "a file, by its byte 12"},
        {HEADER_KIND, UINT32_MAX, 4, SUMAC_BAD_FILE, "a file, by its byte 12"},
        {HEADER_CURVE, 'x', 1, SUMAC_UNKNOWN_CURVE, "xls12-381 g1"},
        {HEADER_SECTIONS, 0, 4, SUMAC_BAD_FILE, "0 sections at byte 48"},
        {HEADER_SECTIONS, 2, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_SECTIONS, 17, 4, SUMAC_BAD_FILE, "17 sections at byte 48"},
        {HEADER_SECTIONS, UINT32_MAX, 4, SUMAC_BAD_FILE, "4294967295 sections at byte 48"},
        {HEADER_RESERVED, 1, 4, SUMAC_BAD_FILE, "does not know"},
        {HEADER_ENTRIES + ENTRY_TYPE, 0, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_TYPE, 3, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_FLAGS, 2, 4, SUMAC_BAD_FILE, "do not fit"}, /* the flag of a window table */
        {HEADER_ENTRIES + ENTRY_FLAGS, 4, 4, SUMAC_BAD_FILE, "does not know"},
        {HEADER_ENTRIES + ENTRY_FLAGS, UINT32_MAX, 4, SUMAC_BAD_FILE, "does not know"},
        {HEADER_ENTRIES + ENTRY_GROUP + 1, '2', 1, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_GROUP + 1, '3', 1, SUMAC_UNKNOWN_CURVE, "bls12-381 g3"},
        {HEADER_ENTRIES + ENTRY_OFFSET, 64, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_OFFSET, 192, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_SIZE, 383, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_SIZE, 6 * 96, 8, SUMAC_BAD_FILE, "truncated"},
        {HEADER_ENTRIES + ENTRY_SIZE, 2 * 96, 8, SUMAC_BAD_FILE, "too long"},
        {HEADER_ENTRIES + ENTRY_SIZE, UINT64_MAX / 2, 8, SUMAC_BAD_FILE, "truncated"},
        {HEADER_ENTRIES + ENTRY_SIZE, UINT64_MAX - 128, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_SIZE, UINT64_MAX, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_COUNT, 3, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_COUNT, 1, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_COUNT, UINT64_MAX / 2, 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_COUNT, 2 + (UINT64_C(1) << 63), 8, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_NUMBERS, 0, 4, SUMAC_BAD_FILE, "do not fit"}, /* factor */
        {HEADER_ENTRIES + ENTRY_NUMBERS, 1, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_NUMBERS, 3, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_NUMBERS + 4, 129, 4, SUMAC_BAD_FILE, "do not fit"}, /* shift */
        {HEADER_ENTRIES + ENTRY_NUMBERS + 8, 0, 4, SUMAC_BAD_FILE, "do not fit"},   /* c */
        {HEADER_ENTRIES + ENTRY_NUMBERS + 8, 25, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_NUMBERS + 12, 0, 4, SUMAC_BAD_FILE, "do not fit"}, /* windows */
        {HEADER_ENTRIES + ENTRY_NUMBERS + 12, 300, 4, SUMAC_BAD_FILE, "do not fit"},
        {HEADER_ENTRIES + ENTRY_RESERVED, 1, 1, SUMAC_BAD_FILE, "does not know"},
        {HEADER_ENTRIES + ENTRY_RESERVED + 7, 1, 1, SUMAC_BAD_FILE, "does not know"},
    };
    size_t size;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *bytes = small_table(context, &size), *changed = test_alloc(size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(changed, bytes, size);
        for (size_t j = 0; j < changes[i].bytes; j++) {
            changed[changes[i].offset + j] = (uint8_t)(changes[i].value >> (8 * j));
        }
        file_correct_header(changed, size);
        const sumac_status status = load_bytes(context, changed, size);
        test_status(context, status, changes[i].expected, changes[i].part);
        if (strstr(sumac_context_message(context), changes[i].part) == NULL) {
            test_abort("change %zu: the message is \"%s\"", i, sumac_context_message(context));
        }
    }
    /* There are far more windows than a scalar has, with the matching shift. */
    memcpy(changed, bytes, size);
    store_le32(changed + HEADER_ENTRIES + ENTRY_NUMBERS + 4, 13 * 300);
    store_le32(changed + HEADER_ENTRIES + ENTRY_NUMBERS + 12, 600);
    file_correct_header(changed, size);
    assert_int_equal(load_bytes(context, changed, size), SUMAC_BAD_FILE);
    assert_non_null(strstr(sumac_context_message(context), "do not fit"));
    /* A coordinate is p, and the checksum is right. */
    const sumac_group *group = bls12_381(1);
    memcpy(bytes + POINTS + 3 * 96, group->modulus, 48);
    file_correct(bytes, size);
    assert_int_equal(load_bytes(context, bytes, size), SUMAC_BAD_ENCODING);
    assert_non_null(strstr(sumac_context_message(context), "byte 416"));
    empty_directory();
}

/* A name in a header comes from a stranger, so that messages may show only the printable ASCII characters of it. */
void test_table_names(void)
{
    static const struct {
        const char *curve, *group, *curve_text, *group_text;
    } names[] = {
        {"bls12-381\n", "g1", "bls12-381\\x0a g1,", ""},
        {"\x1b[31mred\x1b[0m", "g1", "\\x1b[31mred\\x1b[0m g1,", ""},
        {"a\\x1b", "\r\t", "a\\\\x1b ", "\\x0d\\x09"},
        {"caf\xc3\xa9 \x7f\x9b~", "\xff\xfe\x01\x80\x7f\x1f\x0a\x0d", "caf\\xc3\\xa9 \\x7f\\x9b~ ",
         "\\xff\\xfe\\x01\\x80\\x7f\\x1f\\x0a\\x0d"},
        {"\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b"
         "\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b",
         "\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b", "\\x1b\\x1b", "\\x1b\\x1b"},
    };
    size_t size;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *bytes = small_table(context, &size), *changed = test_alloc(size);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        memcpy(changed, bytes, size);
        memset(changed + HEADER_CURVE, 0, 32);
        memset(changed + HEADER_ENTRIES + ENTRY_GROUP, 0, 8);
        memcpy(changed + HEADER_CURVE, names[i].curve, strlen(names[i].curve));
        memcpy(changed + HEADER_ENTRIES + ENTRY_GROUP, names[i].group, strlen(names[i].group));
        file_correct_header(changed, size);
        assert_int_equal(load_bytes(context, changed, size), SUMAC_UNKNOWN_CURVE);
        const char *message = sumac_context_message(context);
        for (const char *c = message; *c != '\0'; c++) {
            assert_in_range(*c, 0x20, 0x7e);
        }
        if (strstr(message, names[i].curve_text) == NULL || strstr(message, names[i].group_text) == NULL) {
            test_abort("name %zu: the message is \"%s\"", i, message);
        }
    }
    /* Bytes after the end of a name are changed. */
    const size_t curve_end = HEADER_CURVE + strlen("bls12-381") + 1;
    const size_t group_end = HEADER_ENTRIES + ENTRY_GROUP + strlen("g1") + 1;
    for (size_t at = curve_end; at < HEADER_ENTRIES + ENTRY_OFFSET;
         at = at + 1 == HEADER_SECTIONS ? group_end : at + 1) {
        memcpy(changed, bytes, size);
        changed[at] = 'x';
        file_correct_header(changed, size);
        assert_int_equal(load_bytes(context, changed, size), SUMAC_BAD_FILE);
    }
    empty_directory();
}

/* A table's window fixes the number of buckets. Unless the caller asks for that window, a call of few bases takes no
 * more memory for buckets than any call may. GMP computes the answers. */
static void check_window(test_group *t, sumac_context *context, sumac_bases *bases, const uint8_t *points,
                         size_t first, size_t n, uint32_t batch, int separate)
{
    const uint64_t most = (uint64_t)(strcmp(options.backend, "cpu") == 0 ? 64 : 512) << 20;
    const size_t scalar = t->info->scalar_bytes, point = t->info->point_bytes;
    AUTO_FREE uint8_t *scalars = test_alloc(batch * n * scalar), *expected = test_alloc(batch * point);
    test_plan plan = {0};
    sumac_msm_config config = {.size = sizeof config};
    config.first = first;
    config.batch = batch;
    config.base_sets = separate ? batch : 0;
    test_random_scalars(t, scalars, batch * n);
    for (uint32_t j = 0; j < batch; j++) {
        oracle_msm(&t->oracle, expected + j * point, points + (first + (separate ? j * n : 0)) * point,
                   scalars + j * n * scalar, n);
    }
    TEST_OK(context, test_msm_plan(context, bases, n, &config, &plan));
    if (test_plan_bytes(&plan, "workspace") > most) {
        test_abort("c = %u, %zu bases: %llu bytes of workspace", (unsigned)bases->c, n,
                   (unsigned long long)test_plan_bytes(&plan, "workspace"));
    }
    assert_int_equal(test_plan_bytes(&plan, "bases"), info_of(bases).bytes);
    assert_int_equal(test_plan_bytes(&plan, "total"), test_plan_bytes(&plan, "bases") +
                                                          test_plan_bytes(&plan, "scalars") +
                                                          test_plan_bytes(&plan, "workspace"));
    test_msm(context, bases, scalars, n, &config, expected, "a table with many buckets");
    assert_true(context->executors.at->workspace_bytes <= most);
    config.tuning = test_tuning("c=%u", bases->c);
    TEST_OK(context, test_msm_plan(context, bases, n, &config, &plan));
    assert_int_equal(plan.c, bases->c);
    assert_int_equal(plan.precompute_factor, bases->shards[0].table.factor);
}

void test_table_windows(void **state)
{
    test_group *t = *state;
    enum { N = 12 };
    const char *path = in_directory("table");
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE uint8_t *points = test_alloc(N * t->info->point_bytes);
    test_random_points(t, points, NULL, N);
    memset(points + 3 * (size_t)t->info->point_bytes, 0, t->info->point_bytes);
    static const uint32_t factors[] = {2, 5, 1000};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        sumac_bases_config config = {.size = sizeof config};
        config.tuning = test_tuning("c=%u", 24);
        config.precompute_factor = factors[i] < t->info->scalar_bits ? factors[i] : t->info->scalar_bits;
        CLEANUP(destroy_bases)
        sumac_bases *bases = test_bases(context, t, points, N, &config), *loaded = NULL;
        TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
        TEST_OK(context, open_trusted(context, t->group, path, &loaded));
        assert_int_equal(loaded->c, 24);
        check_window(t, context, loaded, points, 0, 2, 1, 0);
        check_window(t, context, loaded, points, 1, N - 1, 1, 0);
        check_window(t, context, loaded, points, 2, 3, 3, 1);
        check_window(t, context, loaded, points, 2, 5, 4, 0);
    }
    empty_directory();
}

/* A table is refused if it differs from the caller's configuration. */
void test_table_configs(void)
{
    const sumac_group *g1, *g2;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    assert_int_equal(sumac_group_find("bls12-381", "g1", &g1), SUMAC_OK);
    assert_int_equal(sumac_group_find("bls12-381", "g2", &g2), SUMAC_OK);
    const char *path = in_directory("table");
    sumac_bases *bases = make_bases(context, g1, 10, 4, 10), *loaded = NULL;
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    expect(context, open_trusted(context, g2, path, &loaded), SUMAC_MISMATCH, path, "bls12-381 g1");
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 4;
    TEST_OK(context, sumac_bases_open(context, g1, path, NULL, 0, SUMAC_ALL, &config, &loaded));
    sumac_bases_destroy(loaded);
    config.tuning = "c=11";
    expect(context, sumac_bases_open(context, g1, path, NULL, 0, SUMAC_ALL, &config, &loaded), SUMAC_MISMATCH,
           path, "11");
    config.tuning = "c=10";
    config.precompute_factor = 5;
    expect(context, sumac_bases_open(context, g1, path, NULL, 0, SUMAC_ALL, &config, &loaded), SUMAC_MISMATCH,
           path, "factor");
    config.precompute_factor = 4;
    config.outside_subgroup = 1;
    expect(context, sumac_bases_open(context, g1, path, NULL, 0, SUMAC_ALL, &config, &loaded), SUMAC_MISMATCH,
           path, "subgroup");
    assert_null(loaded);
    sumac_bases_destroy(bases);

    TEST_OK(context, sumac_known_bases_create(context, g1, 10, 7, &config, &bases));
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    TEST_OK(context, open_trusted(context, NULL, path, &loaded));
    assert_same_bases(context, loaded, bases);
    sumac_bases_destroy(loaded);
    config.outside_subgroup = 0;
    TEST_OK(context, sumac_bases_open(context, g1, path, NULL, 0, SUMAC_ALL, &config, &loaded));
    assert_int_equal(loaded->outside_subgroup, 1);
    sumac_bases_destroy(loaded);
    sumac_bases_destroy(bases);
    assert_int_equal(open_trusted(NULL, g1, path, &loaded), SUMAC_BAD_ARGUMENT);
    test_status(context, open_trusted(context, g1, NULL, &loaded), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, open_trusted(context, g1, path, NULL), SUMAC_BAD_ARGUMENT, "null");
    test_status(context, sumac_bases_save(context, NULL, path, NULL), SUMAC_BAD_ARGUMENT, "null");
    empty_directory();
}

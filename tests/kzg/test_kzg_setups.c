/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_kzg.c: it tests setups from memory and from our own files, damaged files, and parts that do
 * not fit. */
#include "kzg/setup.h"
#include "support/container.h"
#include "support/files.h"
#include "sumac/srs.h"
#include "test_kzg_support.h"

enum { G1_POINTS = SUMAC_KZG_FIELD_ELEMENTS, G2_POINTS = SUMAC_KZG_G2_POINTS };

static sumac_status create(sumac_context *context, const setup_points *points, const sumac_kzg_config *config,
                           sumac_kzg_setup **setup)
{
    return sumac_kzg_create(context, points->monomial, G1_POINTS, points->lagrange, G1_POINTS, points->g2,
                            G2_POINTS, config, setup);
}

/* Check that two setups give the same commitments, and that one verifies the other's proof. If they are prepared, check
 * that they give the same proofs of cells. */
static void expect_same(sumac_context *context, const sumac_kzg_setup *a, const sumac_kzg_setup *b)
{
    AUTO_FREE sumac_blob *blob = test_alloc(BLOB);
    AUTO_FREE sumac_bytes48 *proofs = test_alloc(2 * CELLS * POINT);
    sumac_bytes48 commitments[2], proof;
    int ok = -1;
    make_blob(blob, 1);
    TEST_OK(context, sumac_kzg_commit(context, a, blob, 1, commitments));
    TEST_OK(context, sumac_kzg_commit(context, b, blob, 1, commitments + 1));
    assert_memory_equal(commitments, commitments + 1, POINT);
    TEST_OK(context, sumac_kzg_compute_blob_proof(context, a, blob, commitments, 1, &proof));
    TEST_OK(context, sumac_kzg_verify_blob_proof(context, b, blob, commitments, &proof, 1, &ok));
    assert_int_equal(ok, 1);
    assert_int_equal(sumac_kzg_table_bytes(a) > 0, sumac_kzg_table_bytes(b) > 0);
    if (sumac_kzg_table_bytes(a) > 0) {
        TEST_OK(context, sumac_kzg_cells(context, a, blob, 1, NULL, proofs));
        TEST_OK(context, sumac_kzg_cells(context, b, blob, 1, NULL, proofs + CELLS));
        assert_memory_equal(proofs, proofs + CELLS, CELLS * POINT);
    }
}

/* Open a setup's file, and check that it gives the same results as the fixture's setup. */
static sumac_kzg_setup *open_same(const kzg_fixture *f, const char *path, sumac_check check)
{
    sumac_kzg_setup *setup = NULL;
    TEST_OK(f->context, sumac_kzg_open(f->context, path, KZG_CONFIG(.check = check), &setup));
    expect_same(f->context, setup, f->setup);
    return setup;
}

/* Require that a file is refused with a message that contains these words. */
static void refuse_file(const kzg_fixture *f, const char *path, sumac_check check, sumac_status expected,
                        const char *words)
{
    sumac_kzg_setup *setup = (sumac_kzg_setup *)&setup;
    test_sentence(f->context, sumac_kzg_open(f->context, path, KZG_CONFIG(.check = check), &setup), expected,
                  words);
    assert_null(setup);
}

/* Each kind of bad point is refused, and so are points of the subgroup that are no setup. */
void test_setup_from_memory(void)
{
    kzg_fixture f = fixture_open(0);
    AUTO_FREE setup_points *points = read_setup_points();
    sumac_kzg_setup *setup;
    TEST_OK(f.context, create(f.context, points, NULL, &setup));
    expect_same(f.context, setup, f.setup);
    sumac_kzg_destroy(setup);

    /* (0, 2) is on the curve and has order 3, so that only the check of the subgroup finds it. This check is the
     * default. */
    const sumac_bytes48 kept = points->lagrange[7];
    points->lagrange[7] = (sumac_bytes48){{0x80}};
    test_sentence(f.context, create(f.context, points, NULL, &setup), SUMAC_NOT_IN_SUBGROUP,
                  "g1_lagrange: point 7 ");
    test_sentence(f.context, create(f.context, points, KZG_CONFIG(.cells = 0), &setup), SUMAC_NOT_IN_SUBGROUP,
                  "g1_lagrange: point 7 ");
    test_sentence(f.context, create(f.context, points, KZG_CONFIG(.check = SUMAC_CHECK_CURVE), &setup),
                  SUMAC_BAD_FILE, "Lagrange");
    points->lagrange[7] = kept;
    points->g2[64].bytes[0] ^= 0x20; /* the flag selects -y, which is also in the subgroup */
    test_sentence(f.context, create(f.context, points, NULL, &setup), SUMAC_BAD_FILE, "");
    assert_null(setup);
    points->g2[64].bytes[0] ^= 0x20;
    memset(points->monomial + 4095, 0xff, POINT);
    test_sentence(f.context, create(f.context, points, NULL, &setup), SUMAC_BAD_ENCODING,
                  "g1_monomial: point 4095 ");
    test_sentence(f.context,
                  sumac_kzg_create(f.context, points->monomial, 1, points->lagrange, G1_POINTS, points->g2,
                                   G2_POINTS, NULL, &setup),
                  SUMAC_BAD_LENGTH, "g1_monomial has 1 points instead of 4096");
    test_sentence(f.context,
                  sumac_kzg_create(f.context, NULL, G1_POINTS, points->lagrange, G1_POINTS, points->g2,
                                   G2_POINTS, NULL, &setup),
                  SUMAC_BAD_ARGUMENT, "null");
}

void test_setups_that_do_not_fit(void)
{
    const kzg_fixture f = fixture_open(0);
    AUTO_FREE setup_points *points = read_setup_points(), *changed = test_alloc(sizeof *changed);
    const struct {
        void *to;
        const void *from;
        size_t size;
        const char *part;
    } changes[] = {{changed->lagrange + 9, points->lagrange, POINT, "Lagrange"},
                   {changed->lagrange, points->monomial, sizeof points->lagrange, "Lagrange"},
                   {changed->monomial + 4095, points->monomial, POINT, "G1"},
                   {changed->monomial, points->monomial + 1, POINT, "generator"},
                   {changed->g2, points->g2 + 1, sizeof *points->g2, "generator"},
                   {changed->g2 + 64, points->g2, sizeof *points->g2, "G2"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sumac_kzg_setup *setup;
        *changed = *points;
        memcpy(changes[i].to, changes[i].from, changes[i].size);
        test_sentence(f.context, create(f.context, changed, KZG_CONFIG(.check = SUMAC_CHECK_NONE), &setup),
                      SUMAC_BAD_FILE, changes[i].part);
        assert_null(setup);
    }
}

void test_setup_file(void)
{
    TEST_FILE(path);
    for (int prepared = 0; prepared <= 1; prepared++) {
        const kzg_fixture f = fixture_open(prepared);
        TEST_OK(f.context, sumac_kzg_save(f.context, f.setup, path));
        for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
            if (options.quick && check != SUMAC_CHECK_NONE && !(prepared && check == SUMAC_CHECK_SUBGROUP)) {
                continue;
            }
            CLEANUP(destroy_setup) sumac_kzg_setup *setup = open_same(&f, path, (sumac_check)check);
            assert_int_equal(sumac_kzg_table_bytes(setup), sumac_kzg_table_bytes(f.setup));
        }
        test_status(f.context, sumac_kzg_save(f.context, f.setup, "/dev/full"), SUMAC_WRITE_FAILED, "full");
    }
}

static sumac_kzg_setup *open_with(const kzg_fixture *f, const char *path, const sumac_kzg_config *config)
{
    sumac_kzg_setup *setup = NULL;
    TEST_OK(f->context, sumac_kzg_open(f->context, path, config, &setup));
    return setup;
}

/* If tables are asked for and the file has none, they are derived. If the file has tables, these are used in any
 * case. */
void test_setup_cells(void)
{
    enum { LIMIT = 16 << 20 };
    TEST_FILE(path);
    const kzg_fixture f = fixture_open(1), plain = fixture_open(0);
    const int on_cpu = test_describe(f.context).location == SUMAC_LOCATION_HOST;
    TEST_OK(f.context, sumac_kzg_save(f.context, plain.setup, path));
    CLEANUP(destroy_setup)
    sumac_kzg_setup *small =
        open_with(&f, path, KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = 1));
    expect_same(f.context, small, f.setup);
    assert_in_range(sumac_kzg_table_bytes(small), (size_t)2 * G1_POINTS * 96, on_cpu ? 3 << 18 : 6 << 18);
    CLEANUP(destroy_setup)
    sumac_kzg_setup *without =
        open_with(&f, path, KZG_CONFIG(.check = SUMAC_CHECK_NONE, .table_bytes = LIMIT));
    expect_same(f.context, without, plain.setup);
    assert_int_equal(sumac_kzg_table_bytes(without), 0);
    if (!options.quick) {
        CLEANUP(destroy_setup)
        sumac_kzg_setup *large =
            open_with(&f, path, KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = LIMIT));
        expect_same(f.context, large, f.setup);
        assert_true(!on_cpu || (sumac_kzg_table_bytes(large) > sumac_kzg_table_bytes(small) &&
                                sumac_kzg_table_bytes(large) <= LIMIT));
    }
    TEST_OK(f.context, sumac_kzg_save(f.context, small, path));
    for (uint32_t cells = 0; cells <= 1; cells++) {
        CLEANUP(destroy_setup)
        sumac_kzg_setup *setup =
            open_with(&f, path, KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = cells, .table_bytes = LIMIT));
        expect_same(f.context, setup, f.setup);
        assert_int_equal(sumac_kzg_table_bytes(setup), sumac_kzg_table_bytes(small));
    }
    sumac_kzg_setup *none = small;
    test_sentence(f.context, sumac_kzg_open(f.context, path, KZG_CONFIG(.cells = 2), &none),
                  SUMAC_BAD_ARGUMENT, "cells is neither 0 nor 1");
    assert_null(none);
    none = small;
    test_sentence(f.context, sumac_kzg_open(f.context, path, &(const sumac_kzg_config){.cells = 1}, &none),
                  SUMAC_BAD_ARGUMENT, "sizeof(sumac_kzg_config)");
    assert_null(none);
}

/* These are types of the sections of a setup's file (docs/formats.md). The file of a prepared setup without multiples
 * lacks LAGRANGE_TABLE. */
enum { LAGRANGE = 4, MONOMIAL, MONOMIAL_G2, LAGRANGE_TABLE, SRS, FK20_TABLE };

/* Replace a file's section `to`, with its checksum, by the section `from` of another file. */
static void paste_section(uint8_t *bytes, uint32_t to, const uint8_t *other, uint32_t from)
{
    const file_section into = file_section_of(bytes, to), copied = file_section_of(other, from);
    assert_int_equal(into.size, copied.size);
    memcpy(bytes + into.offset, other + copied.offset, copied.end - copied.offset);
}

/* If two points of a valid table are exchanged, and the table replaces the multiples of the Lagrange points, the file
 * is refused. */
static void check_other_table(const kzg_fixture *f, sumac_context *maker, const sumac_kzg_setup *saved,
                              const char *path)
{
    TEST_FILE(other);
    size_t size, table_size;
    AUTO_FREE uint8_t *points = test_alloc(G1_POINTS * 96);
    uint8_t kept[96];
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 8;
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TEST_OK(f->context, exact_get(f->context, saved->lagrange, 0, G1_POINTS, points));
    memcpy(kept, points, 96);
    memmove(points, points + 96, 96);
    memcpy(points + 96, kept, 96);
    TEST_OK(maker, exact_create(maker, saved->g1, points, G1_POINTS, &config, &bases));
    TEST_OK(maker, sumac_bases_save(maker, bases, other, NULL));
    AUTO_FREE uint8_t *file = test_read_file(path, &size), *table = test_read_file(other, &table_size);
    paste_section(file, LAGRANGE_TABLE, table, 1);
    test_write_file(path, file, size);
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        refuse_file(f, path, (sumac_check)check, SUMAC_BAD_FILE, "not of the Lagrange points");
    }
}

/* Require that the file's setup has this number of multiples with every check. */
static void expect_multiples(const kzg_fixture *f, const char *path, uint32_t multiples)
{
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        CLEANUP(destroy_setup) sumac_kzg_setup *setup = open_same(f, path, (sumac_check)check);
        assert_int_equal(info_of(setup->lagrange).precompute_factor, multiples);
    }
}

/* Save the ceremony's setup with tables of at most `table_bytes` bytes. */
static sumac_kzg_setup *save_setup(sumac_context *context, uint64_t table_bytes, const char *path)
{
    sumac_kzg_setup *setup = NULL;
    TEST_OK(context,
            sumac_kzg_open(context, TRUSTED_SETUP,
                           KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = table_bytes),
                           &setup));
    TEST_OK(context, sumac_kzg_save(context, setup, path));
    return setup;
}

/* A setup's multiples of the Lagrange points are saved with it. If a file says that there are multiples, a device makes its own,
 * one for each window. It does so for a file that it wrote, and for the CPU's file. It also reads and checks the CPU's
 * table of multiples. */
void test_setup_multiples(void)
{
    if (options.quick) {
        return; /* this takes seconds if code is slow */
    }
    TEST_FILE(path);
    const kzg_fixture f = fixture_open(1);
    const int on_device = test_describe(f.context).location == SUMAC_LOCATION_DEVICE;
    CLEANUP(destroy_context) sumac_context *cpu = NULL;
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = save_setup(f.context, 32 << 20, path);
    const uint32_t multiples = info_of(setup->lagrange).precompute_factor;
    /* On the CPU the number of multiples is that of the windows, whose size depends on the variant. */
    assert_in_range(multiples, on_device ? 9 : 5, on_device ? 256 : 8);
    expect_multiples(&f, path, multiples);
    /* If a setup is opened with the same options from a file without tables, it has as many multiples. */
    TEST_FILE(plain);
    TEST_OK(f.context, sumac_kzg_save(f.context, fixture_open(0).setup, plain));
    CLEANUP(destroy_setup)
    sumac_kzg_setup *derived =
        open_with(&f, plain, KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = 32 << 20));
    assert_int_equal(info_of(derived->lagrange).precompute_factor, multiples);
    expect_same(f.context, derived, f.setup);
    if (on_device) {
        sumac_context_config config = {.size = sizeof config};
        config.backend = "cpu";
        assert_int_equal(sumac_context_create(&config, &cpu, NULL), SUMAC_OK);
        sumac_kzg_destroy(save_setup(cpu, 32 << 20, path));
        expect_multiples(&f, path, multiples);
    }
    check_other_table(&f, on_device ? cpu : f.context, setup, path);
    if (!on_device) {
        size_t size;
        TEST_OK(f.context, sumac_kzg_save(f.context, setup, path));
        AUTO_FREE uint8_t *bytes = test_read_file(path, &size);
        bytes[file_section_of(bytes, LAGRANGE_TABLE).offset + 96 * 4096 * 3 + 5] ^= 1;
        test_write_file(path, bytes, size);
        refuse_file(&f, path, SUMAC_CHECK_NONE, SUMAC_BAD_CHECKSUM, "");
    }
}

/* Return the bytes of a file of a prepared setup whose tables have no multiples. A zero follows the bytes. */
static uint8_t *save_prepared(const kzg_fixture *f, const char *path, size_t *size)
{
    sumac_kzg_setup *setup = save_setup(f->context, 1, path);
    uint8_t *bytes = test_read_file(path, size);
    sumac_kzg_destroy(setup);
    assert_int_equal(file_section_of(bytes, FK20_TABLE).end, *size);
    return bytes;
}

/* If any part of a file is changed, if the file is cut off, or if it has more bytes, it is refused. */
void test_setup_damage(void)
{
    static const struct {
        uint32_t section; /* 0 means the header */
        size_t at;
        sumac_status expected;
    } changes[] = {{0, 0, SUMAC_BAD_FILE}, /* this is neither a file of this library nor a text */
                   {0, HEADER_VERSION, SUMAC_BAD_FILE},
                   {0, HEADER_KIND, SUMAC_BAD_FILE},
                   {0, HEADER_CURVE, SUMAC_BAD_CHECKSUM},
                   {0, HEADER_RESERVED, SUMAC_BAD_CHECKSUM},
                   {0, HEADER_CHECKSUM + 4, SUMAC_BAD_CHECKSUM},
                   {0, HEADER_ENTRIES + ENTRY_SIZE, SUMAC_BAD_CHECKSUM},
                   {0, HEADER_ENTRIES + 5 * ENTRY_BYTES - 1, SUMAC_BAD_CHECKSUM},
                   {LAGRANGE, 0, SUMAC_BAD_CHECKSUM},
                   {LAGRANGE, 96 * 4096, SUMAC_BAD_CHECKSUM},
                   {MONOMIAL, 300000, SUMAC_BAD_CHECKSUM},
                   {MONOMIAL, 96 * 4096 + 9, SUMAC_BAD_CHECKSUM}, /* zeros after a checksum */
                   {MONOMIAL_G2, 65 * 192 - 1, SUMAC_BAD_CHECKSUM},
                   {SRS, 8, SUMAC_BAD_CHECKSUM},
                   {SRS, 32, SUMAC_BAD_CHECKSUM},
                   {FK20_TABLE, 96 * 4000, SUMAC_BAD_CHECKSUM},
                   {FK20_TABLE, 96 * 8000 + 47, SUMAC_BAD_CHECKSUM},
                   {FK20_TABLE, 96 * 8192 + 63, SUMAC_BAD_CHECKSUM}};
    TEST_FILE(path);
    kzg_fixture f = fixture_open(1);
    size_t size;
    AUTO_FREE uint8_t *bytes = save_prepared(&f, path, &size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const size_t begin = changes[i].section == 0 ? 0 : file_section_of(bytes, changes[i].section).offset;
        const size_t at = begin + changes[i].at;
        bytes[at] ^= 1;
        test_write_file(path, bytes, size);
        bytes[at] ^= 1;
        refuse_file(&f, path, SUMAC_CHECK_NONE, changes[i].expected, path);
        if (!options.quick || i % 4 == 0) {
            refuse_file(&f, path, SUMAC_CHECK_CURVE, changes[i].expected, path);
        }
    }
    const size_t lengths[] = {10,
                              63,
                              64,
                              HEADER_ENTRIES + 5 * ENTRY_BYTES - 1,
                              HEADER_ENTRIES + 5 * ENTRY_BYTES,
                              500000,
                              file_section_of(bytes, MONOMIAL_G2).end - 1,
                              file_section_of(bytes, MONOMIAL_G2).end,
                              file_section_of(bytes, SRS).end + 28,
                              size - 1,
                              size + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        test_write_file(path, bytes, lengths[i]);
        refuse_file(&f, path, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "");
    }
    /* Files of the first version had other magics. */
    memcpy(bytes, "\x89SUKZG\r\n\2\0\0\0", 12);
    test_write_file(path, bytes, size);
    refuse_file(&f, path, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "a file of version 1");
    refuse_file(&f, path, (sumac_check)4, SUMAC_BAD_ARGUMENT, "check");
}

/* Even if all checksums are right, wrong numbers and points are found. */
void test_setup_forged(void)
{
    enum { DATA, ENTRY };
    static const struct {
        uint32_t section; /* 0 means the header */
        int part_of_it;
        size_t at, from; /* point `from` replaces point `at`; if `from` is 0, a bit is changed */
        sumac_check check;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {0, DATA, HEADER_CURVE, 0, SUMAC_CHECK_NONE, SUMAC_UNKNOWN_CURVE, "cls12-381"},
        {0, DATA, HEADER_RESERVED, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "does not know"},
        {LAGRANGE, ENTRY, ENTRY_TYPE, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {LAGRANGE, ENTRY, ENTRY_FLAGS, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {LAGRANGE, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        /* The entry says that there are 256 multiples, but there is no table of them. */
        {LAGRANGE, ENTRY, ENTRY_NUMBERS + 1, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "such a file has 6"},
        {LAGRANGE, ENTRY, ENTRY_NUMBERS + 4, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {MONOMIAL, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {MONOMIAL_G2, ENTRY, ENTRY_GROUP + 1, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {LAGRANGE, DATA, 96 * 77, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, "Lagrange points: point 77:"},
        {LAGRANGE, DATA, 0, 96, SUMAC_CHECK_CURVE, SUMAC_BAD_FILE, "Lagrange"},
        {MONOMIAL, DATA, 96 * 904, 96 * 905, SUMAC_CHECK_CURVE, SUMAC_BAD_FILE, "G1"},
        {MONOMIAL_G2, DATA, 192 * 3, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, "points of G2: point 3:"},
        {SRS, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "n = 4097"},
        {SRS, ENTRY, ENTRY_NUMBERS, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "cell_elements = 65"},
        {SRS, ENTRY, ENTRY_NUMBERS + 4, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {SRS, DATA, 8, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "another setup"},
        {FK20_TABLE, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {FK20_TABLE, ENTRY, ENTRY_NUMBERS, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {FK20_TABLE, DATA, 96 * 9, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, ""},
    };
    TEST_FILE(path);
    kzg_fixture f = fixture_open(0);
    size_t size;
    AUTO_FREE uint8_t *whole = save_prepared(&f, path, &size), *bytes = test_alloc(size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        file_section section = {0};
        memcpy(bytes, whole, size);
        if (changes[i].section != 0) {
            section = file_section_of(whole, changes[i].section);
        }
        uint8_t *begin = bytes + (changes[i].part_of_it == ENTRY ? section.entry : section.offset);
        if (changes[i].from > 0) {
            memcpy(begin + changes[i].at, begin + changes[i].from, 96);
        } else {
            begin[changes[i].at] ^= 1;
        }
        file_correct(bytes, size);
        test_write_file(path, bytes, size);
        refuse_file(&f, path, changes[i].check, changes[i].expected, changes[i].part);
    }
}

/* If the tables after a setup's points belong to another setup, they are refused. The other setup has the secret 1, so
 * that all its points are the generator. */
void test_setup_tables(void)
{
    TEST_FILE(path);
    TEST_FILE(other_path);
    const sumac_group *group = test_find_group("bls12-381", "g1");
    CLEANUP(destroy_bases) sumac_bases *ones = NULL;
    CLEANUP(destroy_fk20) sumac_fk20 *other = NULL;
    const kzg_fixture f = fixture_open(1), plain = fixture_open(0);
    size_t size, other_size;
    AUTO_FREE uint8_t *points = test_alloc((size_t)G1_POINTS * 96);
    for (size_t i = 0; i < G1_POINTS; i++) {
        assert_int_equal(sumac_group_generator(group, points + 96 * i, group->point_bytes), SUMAC_OK);
    }
    TEST_OK(f.context, exact_create(f.context, group, points, G1_POINTS, NULL, &ones));
    TEST_OK(f.context, sumac_fk20_create(f.context, ones, G1_POINTS, 64, 1, &other));
    TEST_OK(f.context, sumac_fk20_save(f.context, other, other_path));
    AUTO_FREE uint8_t *bytes = save_prepared(&f, path, &size);
    AUTO_FREE uint8_t *tables = test_read_file(other_path, &other_size);
    paste_section(bytes, SRS, tables, SRS);
    paste_section(bytes, FK20_TABLE, tables, FK20_TABLE);
    test_write_file(path, bytes, size);
    refuse_file(&f, path, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "another setup");
    /* The file has the setup's tables. */
    TEST_OK(f.context, sumac_kzg_save(f.context, f.setup, path));
    AUTO_FREE uint8_t *prepared = test_read_file(path, &size);
    assert_int_equal(file_section_of(prepared, FK20_TABLE).size, sumac_kzg_table_bytes(f.setup));
    assert_int_equal(file_section_of(prepared, FK20_TABLE).end, size);
    TEST_OK(plain.context, sumac_kzg_save(plain.context, plain.setup, path));
    AUTO_FREE uint8_t *without = test_read_file(path, &size);
    assert_int_equal(file_section_of(without, MONOMIAL_G2).end, size);
    test_write_file(path, without, size + 1);
    refuse_file(&f, path, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "");
    assert_int_equal(sumac_kzg_table_bytes(plain.setup) + sumac_kzg_table_bytes(NULL), 0);
}

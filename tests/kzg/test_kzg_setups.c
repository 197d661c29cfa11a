/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_kzg.c: setups from memory and from our own files; damage, and parts that do not fit. */
#include <unistd.h>

#include "kzg/setup.h"
#include "support/container.h"
#include "support/files.h"
#include "sumac/srs.h"
#include "test_kzg_support.h"

enum { G1_POINTS = SUMAC_KZG_FIELD_ELEMENTS, G2_POINTS = SUMAC_KZG_G2_POINTS, G1 = 48, G2 = 96 };

/* The points of trusted_setup.txt as bytes. */
typedef struct setup_bytes {
    uint8_t lagrange[G1_POINTS * G1];
    uint8_t g2[G2_POINTS * G2];
    uint8_t monomial[G1_POINTS * G1];
} setup_bytes;

static void read_lines(FILE *file, uint8_t *bytes, size_t count, size_t size)
{
    char line[256];
    for (size_t i = 0; i < count; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        for (size_t j = 0; j < size; j++) {
            unsigned value;
            assert_int_equal(sscanf(line + 2 * j, "%2x", &value), 1);
            bytes[i * size + j] = (uint8_t)value;
        }
    }
}

static setup_bytes *read_setup_bytes(void)
{
    char line[64];
    setup_bytes *bytes = test_alloc(sizeof *bytes);
    FILE *file = fopen(TRUSTED_SETUP, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_non_null(fgets(line, sizeof line, file));
    read_lines(file, bytes->lagrange, G1_POINTS, G1);
    read_lines(file, bytes->g2, G2_POINTS, G2);
    read_lines(file, bytes->monomial, G1_POINTS, G1);
    fclose(file);
    return bytes;
}

static sumac_status create(sumac_context *context, const setup_bytes *bytes, sumac_check check,
                           sumac_kzg_setup **setup)
{
    return sumac_kzg_setup_create(context, (const sumac_bytes48 *)bytes->monomial, G1_POINTS,
                                  (const sumac_bytes48 *)bytes->lagrange, G1_POINTS,
                                  (const sumac_bytes96 *)bytes->g2, G2_POINTS, check, setup);
}

/* Two setups do the same: cells of proofs, if both are prepared, and a proof that the other one verifies. */
static void expect_same(sumac_context *context, const sumac_kzg_setup *a, const sumac_kzg_setup *b)
{
    AUTO_FREE uint8_t *blob = test_alloc(BLOB), *proofs = test_alloc(2 * CELLS * POINT);
    uint8_t commitments[2 * POINT], proof[POINT];
    int ok = -1;
    make_blob(blob, 1);
    TEST_OK(context,
            sumac_kzg_commit_batch(context, a, (const sumac_blob *)blob, 1, (sumac_bytes48 *)commitments));
    TEST_OK(context, sumac_kzg_commit_batch(context, b, (const sumac_blob *)blob, 1,
                                            (sumac_bytes48 *)(commitments + POINT)));
    assert_memory_equal(commitments, commitments + POINT, POINT);
    TEST_OK(context, sumac_kzg_compute_blob_proof_batch(context, a, (const sumac_blob *)blob,
                                                        (const sumac_bytes48 *)commitments, 1,
                                                        (sumac_bytes48 *)proof));
    TEST_OK(context, sumac_kzg_verify_blob_proof(context, b, (const sumac_blob *)blob,
                                                 (const sumac_bytes48 *)commitments,
                                                 (const sumac_bytes48 *)proof, &ok));
    assert_int_equal(ok, 1);
    assert_int_equal(sumac_kzg_setup_has_tables(a), sumac_kzg_setup_has_tables(b));
    if (sumac_kzg_setup_has_tables(a)) {
        TEST_OK(context, sumac_kzg_compute_cell_proofs_batch(context, a, (const sumac_blob *)blob, 1,
                                                             (sumac_bytes48 *)proofs));
        TEST_OK(context, sumac_kzg_compute_cell_proofs_batch(context, b, (const sumac_blob *)blob, 1,
                                                             (sumac_bytes48 *)(proofs + CELLS * POINT)));
        assert_memory_equal(proofs, proofs + CELLS * POINT, CELLS * POINT);
    }
}

void test_setup_from_memory(void)
{
    kzg_fixture f = fixture_open(0);
    AUTO_FREE setup_bytes *bytes = read_setup_bytes();
    sumac_kzg_setup *setup;
    TEST_OK(f.context, create(f.context, bytes, SUMAC_CHECK_SUBGROUP, &setup));
    expect_same(f.context, setup, f.setup);
    sumac_kzg_setup_destroy(setup);

    bytes->g2[64 * G2] ^= 0x20; /* the other root: still in the subgroup */
    test_status(f.context, create(f.context, bytes, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_BAD_FILE, "sign");
    assert_null(setup);
    bytes->g2[64 * G2] ^= 0x20;
    memset(bytes->monomial + 4095 * G1, 0xff, G1);
    test_sentence(f.context, create(f.context, bytes, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_BAD_ENCODING,
                  "g1_monomial: point 4095 ");
    test_sentence(f.context,
                  sumac_kzg_setup_create(f.context, (const sumac_bytes48 *)bytes->monomial, 1,
                                         (const sumac_bytes48 *)bytes->lagrange, G1_POINTS,
                                         (const sumac_bytes96 *)bytes->g2, G2_POINTS, SUMAC_CHECK_NONE,
                                         &setup),
                  SUMAC_BAD_LENGTH, "g1_monomial has 1 points instead of 4096");
    test_status(f.context,
                sumac_kzg_setup_create(f.context, NULL, G1_POINTS, (const sumac_bytes48 *)bytes->lagrange,
                                       G1_POINTS, (const sumac_bytes96 *)bytes->g2, G2_POINTS,
                                       SUMAC_CHECK_NONE, &setup),
                SUMAC_BAD_ARGUMENT, "null");
}

/* Points of a setup that are all points of the subgroup, and yet none. */
void test_setups_that_do_not_fit(void)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE setup_bytes *bytes = read_setup_bytes(), *changed = test_alloc(sizeof *changed);
    static const struct {
        size_t to, from, size;
        const char *part;
    } changes[] = {
        {offsetof(setup_bytes, lagrange) + 9 * G1, offsetof(setup_bytes, lagrange), G1, "Lagrange"},
        {offsetof(setup_bytes, lagrange), offsetof(setup_bytes, monomial), sizeof bytes->lagrange,
         "Lagrange"},
        {offsetof(setup_bytes, monomial) + 4095 * G1, offsetof(setup_bytes, monomial), G1, "G1"},
        {offsetof(setup_bytes, monomial), offsetof(setup_bytes, monomial) + G1, G1, "generator"},
        {offsetof(setup_bytes, g2), offsetof(setup_bytes, g2) + G2, G2, "generator"},
        {offsetof(setup_bytes, g2) + 64 * G2, offsetof(setup_bytes, g2), G2, "G2"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sumac_kzg_setup *setup;
        *changed = *bytes;
        memcpy((uint8_t *)changed + changes[i].to, (const uint8_t *)bytes + changes[i].from, changes[i].size);
        test_status(context, create(context, changed, SUMAC_CHECK_NONE, &setup), SUMAC_BAD_FILE,
                    changes[i].part);
        assert_null(setup);
        if (strstr(sumac_context_message(context), changes[i].part) == NULL) {
            test_abort("the sentence is \"%s\"", sumac_context_message(context));
        }
    }
}

void test_setup_file(void)
{
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    for (int prepared = 0; prepared <= 1; prepared++) {
        kzg_fixture f = fixture_open(prepared);
        sumac_kzg_setup *setup;
        TEST_OK(f.context, sumac_kzg_setup_save(f.context, f.setup, path));
        const int first = options.quick ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
        const int end = options.quick && !prepared ? first : SUMAC_CHECK_SUBGROUP + 1;
        for (int check = first; check < end; check++) {
            TEST_OK(f.context, sumac_kzg_setup_open(f.context, path, (sumac_check)check, &setup));
            assert_int_equal(sumac_kzg_setup_table_bytes(setup), sumac_kzg_setup_table_bytes(f.setup));
            if (!options.quick) {
                expect_same(f.context, setup, f.setup);
            }
            sumac_kzg_setup_destroy(setup);
        }
        TEST_OK(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup));
        assert_int_equal(sumac_kzg_setup_table_bytes(setup), sumac_kzg_setup_table_bytes(f.setup));
        expect_same(f.context, setup, f.setup);
        if (prepared) { /* now with other tables, and then without */
            if (!options.quick) {
                TEST_OK(f.context, sumac_kzg_setup_make_tables(f.context, setup, 16 << 20));
                expect_same(f.context, setup, f.setup);
            }
            TEST_OK(f.context, sumac_kzg_setup_make_tables(f.context, setup, 1));
            expect_same(f.context, setup, f.setup);
        }
        sumac_kzg_setup_destroy(setup);
        test_status(f.context, sumac_kzg_setup_save(f.context, f.setup, "/dev/full"), SUMAC_WRITE_FAILED,
                    "full");
    }
    unlink(path);
}

/* Types of the sections of a setup's file (docs/formats.md); the file of a prepared setup, tables of no multiples, has all
 * but the third last one. */
enum { LAGRANGE = 4, MONOMIAL, MONOMIAL_G2, LAGRANGE_TABLE, SRS, FK20_TABLE };

enum { MOST_FILE_BYTES = 1 << 26 };

static size_t read_bytes(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, MOST_FILE_BYTES, file);
    fclose(file);
    return size;
}

/* Copy a section of one file, of type `from`, and its checksum, into the place of another file's. */
static void paste_section(uint8_t *bytes, uint32_t to, const uint8_t *other, uint32_t from)
{
    const file_section into = file_section_of(bytes, to), copied = file_section_of(other, from);
    assert_int_equal(into.size, copied.size);
    memcpy(bytes + into.offset, other + copied.offset, copied.end - copied.offset);
}

/* Another table in the place of the Lagrange points' multiples: right in itself, of two points in the other order. */
static void check_other_table(const kzg_fixture *f, sumac_context *maker, const sumac_kzg_setup *saved,
                              const char *path)
{
    char other[] = "/tmp/sumac-table-XXXXXX";
    close(mkstemp(other));
    uint8_t *points = test_alloc(G1_POINTS * 96), kept[96];
    sumac_bases_config config = sumac_bases_config_default();
    config.precompute_factor = 8;
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    sumac_kzg_setup *setup = NULL;
    TEST_OK(f->context, sumac_bases_get(f->context, saved->lagrange, 0, G1_POINTS, points));
    memcpy(kept, points, 96);
    memmove(points, points + 96, 96);
    memcpy(points + 96, kept, 96);
    TEST_OK(maker, sumac_bases_create(maker, saved->g1, points, G1_POINTS, &config, &bases));
    TEST_OK(maker, sumac_bases_save(maker, bases, other));
    AUTO_FREE uint8_t *file = test_alloc(MOST_FILE_BYTES), *table = test_alloc(MOST_FILE_BYTES);
    const size_t size = read_bytes(path, file);
    (void)read_bytes(other, table);
    paste_section(file, LAGRANGE_TABLE, table, 1);
    test_write_file(path, file, size);
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        test_sentence(f->context, sumac_kzg_setup_open(f->context, path, (sumac_check)check, &setup),
                      SUMAC_BAD_FILE, "not of the Lagrange points");
        assert_null(setup);
    }
    free(points);
    unlink(other);
}

/* A device makes its own multiples of a file that tells of some: of one that it wrote, and of the CPU's with their
 * table, which is read all the same. */
static void check_device_multiples(const kzg_fixture *f, const sumac_kzg_setup *made, const char *path)
{
    const uint32_t multiples = sumac_bases_precompute_factor(made->lagrange);
    CLEANUP(destroy_context) sumac_context *cpu = NULL;
    sumac_context_config config = sumac_context_config_default();
    sumac_kzg_setup *setup = NULL;
    config.backend = "cpu";
    assert_int_equal(sumac_context_create(&config, &cpu, NULL), SUMAC_OK);
    assert_true(multiples > 8); /* one for each window */
    for (int by_cpu = 0; by_cpu <= 1; by_cpu++) {
        if (by_cpu) {
            TEST_OK(cpu, sumac_kzg_setup_open(cpu, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup));
            TEST_OK(cpu, sumac_kzg_setup_make_tables(cpu, setup, 32 << 20));
            TEST_OK(cpu, sumac_kzg_setup_save(cpu, setup, path));
            sumac_kzg_setup_destroy(setup);
        }
        for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
            TEST_OK(f->context, sumac_kzg_setup_open(f->context, path, (sumac_check)check, &setup));
            assert_int_equal(sumac_bases_precompute_factor(setup->lagrange), multiples);
            expect_same(f->context, setup, f->setup);
            sumac_kzg_setup_destroy(setup);
        }
    }
    check_other_table(f, cpu, made, path);
}

/* A file has the Lagrange points' multiples where the setup has them, and who reads it has them again. */
void test_setup_multiples(void)
{
    if (options.quick) {
        return; /* seconds, where code is slow */
    }
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    const kzg_fixture f = fixture_open(1);
    sumac_kzg_setup *made = NULL, *setup = NULL;
    TEST_OK(f.context, sumac_kzg_setup_open(f.context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &made));
    TEST_OK(f.context, sumac_kzg_setup_make_tables(f.context, made, 32 << 20));
    TEST_OK(f.context, sumac_kzg_setup_save(f.context, made, path));
    if (sumac_context_location(f.context) == SUMAC_LOCATION_DEVICE) {
        check_device_multiples(&f, made, path);
    } else {
        const uint32_t multiples = sumac_bases_precompute_factor(made->lagrange);
        assert_in_range(multiples, 5,
                        8); /* as many of 8 as the windows use that the processor's code is best with */
        for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
            TEST_OK(f.context, sumac_kzg_setup_open(f.context, path, (sumac_check)check, &setup));
            assert_int_equal(sumac_bases_precompute_factor(setup->lagrange), multiples);
            expect_same(f.context, setup, f.setup);
            sumac_kzg_setup_destroy(setup);
        }
        check_other_table(&f, f.context, made, path);
        TEST_OK(f.context, sumac_kzg_setup_save(f.context, made, path));
        AUTO_FREE uint8_t *bytes = test_alloc(MOST_FILE_BYTES);
        const size_t size = read_bytes(path, bytes);
        bytes[file_section_of(bytes, LAGRANGE_TABLE).offset + 96 * 4096 * 3 + 5] ^= 1;
        test_write_file(path, bytes, size);
        test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup),
                    SUMAC_BAD_CHECKSUM, "damage");
        assert_null(setup);
    }
    sumac_kzg_setup_destroy(made);
    unlink(path);
}

/* A file of a prepared setup whose tables have no multiples. Returns its bytes, with some more behind them. */
static uint8_t *save_prepared(const kzg_fixture *f, const char *path, size_t *size)
{
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    uint8_t *bytes = test_alloc(MOST_FILE_BYTES);
    TEST_OK(f->context, sumac_kzg_setup_open(f->context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup));
    TEST_OK(f->context, sumac_kzg_setup_make_tables(f->context, setup, 1));
    TEST_OK(f->context, sumac_kzg_setup_save(f->context, setup, path));
    *size = read_bytes(path, bytes);
    assert_int_equal(file_section_of(bytes, FK20_TABLE).end, *size);
    return bytes;
}

/* Every part of the file, changed; the file cut off and continued. */
void test_setup_file_damage(void)
{
    static const struct {
        uint32_t section; /* 0: the header */
        size_t at;
        sumac_status expected;
    } changes[] = {{0, 0, SUMAC_BAD_FILE}, /* no file of ours any more, and no text */
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
                   {MONOMIAL, 96 * 4096 + 9, SUMAC_BAD_CHECKSUM}, /* zeros behind a checksum */
                   {MONOMIAL_G2, 65 * 192 - 1, SUMAC_BAD_CHECKSUM},
                   {SRS, 8, SUMAC_BAD_CHECKSUM},
                   {SRS, 32, SUMAC_BAD_CHECKSUM},
                   {FK20_TABLE, 96 * 4000, SUMAC_BAD_CHECKSUM},
                   {FK20_TABLE, 96 * 8000 + 47, SUMAC_BAD_CHECKSUM},
                   {FK20_TABLE, 96 * 8192 + 63, SUMAC_BAD_CHECKSUM}};
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    kzg_fixture f = fixture_open(1);
    size_t size;
    AUTO_FREE uint8_t *bytes = save_prepared(&f, path, &size);
    sumac_kzg_setup *setup = NULL;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const size_t begin = changes[i].section == 0 ? 0 : file_section_of(bytes, changes[i].section).offset;
        const size_t at = begin + changes[i].at;
        bytes[at] ^= 1;
        test_write_file(path, bytes, size);
        bytes[at] ^= 1;
        const sumac_check checks[] = {SUMAC_CHECK_NONE, SUMAC_CHECK_CURVE};
        const size_t count = options.quick && i % 4 != 0 ? 1 : 2;
        for (size_t k = 0; k < count; k++) {
            test_sentence(f.context, sumac_kzg_setup_open(f.context, path, checks[k], &setup),
                          changes[i].expected, path);
            assert_null(setup);
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
        bytes[size] = 0;
        test_write_file(path, bytes, lengths[i]);
        test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup),
                    SUMAC_BAD_FILE, "length");
        assert_null(setup);
    }
    /* Files of the first version had other magics. */
    memcpy(bytes, "\x89SUKZG\r\n\2\0\0\0", 12);
    test_write_file(path, bytes, size);
    test_sentence(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup), SUMAC_BAD_FILE,
                  "a file of version 1");
    test_write_file(path, bytes, size);
    test_status(f.context, sumac_kzg_setup_open(f.context, path, (sumac_check)3, &setup), SUMAC_BAD_ARGUMENT,
                "check");
    unlink(path);
}

/* Numbers and points that are wrong where all checksums are right. */
void test_setup_file_forged(void)
{
    enum { DATA, ENTRY };
    static const struct {
        uint32_t section; /* 0: the header */
        int part_of_it;
        size_t at, from; /* a point of the section is copied from there; 0: one bit is another */
        sumac_check check;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {0, DATA, HEADER_CURVE, 0, SUMAC_CHECK_NONE, SUMAC_UNKNOWN_CURVE, "cls12-381"},
        {0, DATA, HEADER_RESERVED, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "no meaning"},
        {LAGRANGE, ENTRY, ENTRY_TYPE, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {LAGRANGE, ENTRY, ENTRY_FLAGS, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {LAGRANGE, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        /* 256 multiples, and no table of them */
        {LAGRANGE, ENTRY, ENTRY_NUMBERS + 1, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "such a file has 6"},
        {LAGRANGE, ENTRY, ENTRY_NUMBERS + 4, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {MONOMIAL, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {MONOMIAL_G2, ENTRY, ENTRY_GROUP + 1, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {LAGRANGE, DATA, 96 * 77, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, "Lagrange points: point 77:"},
        {LAGRANGE, DATA, 0, 96, SUMAC_CHECK_CURVE, SUMAC_BAD_FILE, "Lagrange"},
        {MONOMIAL, DATA, 96 * 904, 96 * 905, SUMAC_CHECK_CURVE, SUMAC_BAD_FILE, "G1"},
        {MONOMIAL_G2, DATA, 192 * 3, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, "points of G2: point 3:"},
        {SRS, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "n = 4097"},
        {SRS, ENTRY, ENTRY_NUMBERS, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "l = 65"},
        {SRS, ENTRY, ENTRY_NUMBERS + 4, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {SRS, DATA, 8, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "another setup"},
        {FK20_TABLE, ENTRY, ENTRY_COUNT, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {FK20_TABLE, ENTRY, ENTRY_NUMBERS, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "do not fit"},
        {FK20_TABLE, DATA, 96 * 9, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, ""},
    };
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    kzg_fixture f = fixture_open(0);
    size_t size;
    sumac_kzg_setup *setup = NULL;
    AUTO_FREE uint8_t *bytes = test_alloc(MOST_FILE_BYTES), *whole = save_prepared(&f, path, &size);
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
        test_status(f.context, sumac_kzg_setup_open(f.context, path, changes[i].check, &setup),
                    changes[i].expected, changes[i].part);
        assert_null(setup);
        if (strstr(sumac_context_message(f.context), changes[i].part) == NULL) {
            test_abort("change %zu: the sentence is \"%s\"", i, sumac_context_message(f.context));
        }
    }
    unlink(path);
}

/* A file without tables that goes on; and tables of another setup behind its points: a test's, of which the
 * secret is 1, so that all points are the generator. */
void test_setup_file_tables(void)
{
    char path[] = "/tmp/sumac-setup-XXXXXX", other_path[] = "/tmp/sumac-setup-XXXXXX";
    const sumac_curve *curve;
    CLEANUP(destroy_bases) sumac_bases *ones = NULL;
    CLEANUP(destroy_fk20) sumac_fk20 *other = NULL;
    sumac_kzg_setup *setup;
    kzg_fixture f = fixture_open(1);
    close(mkstemp(path));
    close(mkstemp(other_path));
    AUTO_FREE uint8_t *points = test_alloc((size_t)G1_POINTS * 96), *tables = test_alloc(MOST_FILE_BYTES);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    for (size_t i = 0; i < G1_POINTS; i++) {
        sumac_curve_generator(curve, points + 96 * i);
    }
    TEST_OK(f.context, sumac_bases_create(f.context, curve, points, G1_POINTS, NULL, &ones));
    TEST_OK(f.context, sumac_fk20_create(f.context, ones, G1_POINTS, 64, 1, &other));
    TEST_OK(f.context, sumac_fk20_save(f.context, other, other_path));
    size_t size;
    AUTO_FREE uint8_t *bytes = save_prepared(&f, path, &size);
    (void)read_bytes(other_path, tables);
    paste_section(bytes, SRS, tables, SRS);
    paste_section(bytes, FK20_TABLE, tables, FK20_TABLE);
    test_write_file(path, bytes, size);
    test_sentence(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup), SUMAC_MISMATCH,
                  "another setup");
    assert_null(setup);
    /* The file has the tables that there are. */
    TEST_OK(f.context, sumac_kzg_setup_save(f.context, f.setup, path));
    const size_t prepared_size = read_bytes(path, bytes);
    assert_int_equal(file_section_of(bytes, FK20_TABLE).size, sumac_kzg_setup_table_bytes(f.setup));
    assert_int_equal(file_section_of(bytes, FK20_TABLE).end, prepared_size);
    kzg_fixture plain = fixture_open(0);
    TEST_OK(plain.context, sumac_kzg_setup_save(plain.context, plain.setup, path));
    const size_t plain_size = read_bytes(path, bytes);
    assert_int_equal(file_section_of(bytes, MONOMIAL_G2).end, plain_size);
    bytes[plain_size] = 0;
    test_write_file(path, bytes, plain_size + 1);
    test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup), SUMAC_BAD_FILE,
                "a longer file");
    assert_int_equal(sumac_kzg_setup_table_bytes(plain.setup) + sumac_kzg_setup_table_bytes(NULL), 0);
    unlink(path);
    unlink(other_path);
}

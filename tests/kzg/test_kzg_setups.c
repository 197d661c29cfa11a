/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_kzg.c: setups from memory and from our own files; damage, and parts that do not fit. */
#include <unistd.h>

#include "codec/checksum.h"
#include "kzg/setup_types.h"
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
    uint8_t *blob = test_alloc(BLOB), *proofs = test_alloc(2 * CELLS * POINT);
    uint8_t commitments[2 * POINT], proof[POINT];
    int ok = -1;
    make_blob(blob, 1);
    test_status(context,
                sumac_kzg_commit_batch(context, a, (const sumac_blob *)blob, 1, (sumac_bytes48 *)commitments),
                SUMAC_OK, "commit");
    test_status(context,
                sumac_kzg_commit_batch(context, b, (const sumac_blob *)blob, 1,
                                       (sumac_bytes48 *)(commitments + POINT)),
                SUMAC_OK, "commit");
    assert_memory_equal(commitments, commitments + POINT, POINT);
    test_status(context,
                sumac_kzg_compute_blob_proof_batch(context, a, (const sumac_blob *)blob,
                                                   (const sumac_bytes48 *)commitments, 1,
                                                   (sumac_bytes48 *)proof),
                SUMAC_OK, "proof");
    test_status(context,
                sumac_kzg_verify_blob_proof(context, b, (const sumac_blob *)blob,
                                            (const sumac_bytes48 *)commitments, (const sumac_bytes48 *)proof,
                                            &ok),
                SUMAC_OK, "verify");
    assert_int_equal(ok, 1);
    assert_int_equal(sumac_kzg_setup_has_tables(a), sumac_kzg_setup_has_tables(b));
    if (sumac_kzg_setup_has_tables(a)) {
        test_status(context,
                    sumac_kzg_compute_cell_proofs_batch(context, a, (const sumac_blob *)blob, 1,
                                                        (sumac_bytes48 *)proofs),
                    SUMAC_OK, "proofs");
        test_status(context,
                    sumac_kzg_compute_cell_proofs_batch(context, b, (const sumac_blob *)blob, 1,
                                                        (sumac_bytes48 *)(proofs + CELLS * POINT)),
                    SUMAC_OK, "proofs");
        assert_memory_equal(proofs, proofs + CELLS * POINT, CELLS * POINT);
    }
    free(blob);
    free(proofs);
}

void test_setup_from_memory(void **state)
{
    (void)state;
    kzg_fixture f = fixture_open(0);
    setup_bytes *bytes = read_setup_bytes();
    sumac_kzg_setup *setup;
    test_status(f.context, create(f.context, bytes, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_OK, "create");
    expect_same(f.context, setup, f.setup);
    sumac_kzg_setup_destroy(setup);

    bytes->g2[64 * G2] ^= 0x20; /* the other root: still in the subgroup */
    test_status(f.context, create(f.context, bytes, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_BAD_FILE, "sign");
    assert_null(setup);
    bytes->g2[64 * G2] ^= 0x20;
    memset(bytes->monomial + 4095 * G1, 0xff, G1);
    test_status(f.context, create(f.context, bytes, SUMAC_CHECK_SUBGROUP, &setup), SUMAC_BAD_ENCODING, "x");
    assert_non_null(strstr(sumac_context_message(f.context), "g1_monomial: point 4095 "));
    test_status(f.context,
                sumac_kzg_setup_create(f.context, (const sumac_bytes48 *)bytes->monomial, 1,
                                       (const sumac_bytes48 *)bytes->lagrange, G1_POINTS,
                                       (const sumac_bytes96 *)bytes->g2, G2_POINTS, SUMAC_CHECK_NONE, &setup),
                SUMAC_BAD_LENGTH, "length");
    assert_non_null(strstr(sumac_context_message(f.context), "g1_monomial has 1 points instead of 4096"));
    test_status(f.context,
                sumac_kzg_setup_create(f.context, NULL, G1_POINTS, (const sumac_bytes48 *)bytes->lagrange,
                                       G1_POINTS, (const sumac_bytes96 *)bytes->g2, G2_POINTS,
                                       SUMAC_CHECK_NONE, &setup),
                SUMAC_BAD_ARGUMENT, "null");
    free(bytes);
}

/* Points of a setup that are all points of the subgroup, and yet none. */
void test_setups_that_do_not_fit(void **state)
{
    (void)state;
    sumac_context *context = test_context(2, 0);
    setup_bytes *bytes = read_setup_bytes(), *changed = test_alloc(sizeof *changed);
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
    free(bytes);
    free(changed);
    sumac_context_destroy(context);
}

void test_setup_file(void **state)
{
    (void)state;
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    for (int prepared = 0; prepared <= 1; prepared++) {
        kzg_fixture f = fixture_open(prepared);
        sumac_kzg_setup *setup;
        test_status(f.context, sumac_kzg_setup_save(f.context, f.setup, path), SUMAC_OK, "save");
        const int first = options.quick ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
        const int end = options.quick && !prepared ? first : SUMAC_CHECK_SUBGROUP + 1;
        for (int check = first; check < end; check++) {
            test_status(f.context, sumac_kzg_setup_open(f.context, path, (sumac_check)check, &setup),
                        SUMAC_OK, "load");
            assert_int_equal(sumac_kzg_setup_table_bytes(setup), sumac_kzg_setup_table_bytes(f.setup));
            if (!options.quick) {
                expect_same(f.context, setup, f.setup);
            }
            sumac_kzg_setup_destroy(setup);
        }
        test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup), SUMAC_OK,
                    "load");
        assert_int_equal(sumac_kzg_setup_table_bytes(setup), sumac_kzg_setup_table_bytes(f.setup));
        expect_same(f.context, setup, f.setup);
        if (prepared) { /* now with other tables, and then without */
            if (!options.quick) {
                test_status(f.context, sumac_kzg_setup_make_tables(f.context, setup, 16 << 20), SUMAC_OK,
                            "prepare");
                expect_same(f.context, setup, f.setup);
            }
            test_status(f.context, sumac_kzg_setup_make_tables(f.context, setup, 1), SUMAC_OK, "prepare");
            expect_same(f.context, setup, f.setup);
        }
        sumac_kzg_setup_destroy(setup);
        test_status(f.context, sumac_kzg_setup_save(f.context, f.setup, "/dev/full"), SUMAC_WRITE_FAILED,
                    "full");
    }
    unlink(path);
}

/* Where the tables begin, and how long a prepared file is whose tables have no multiples. */
enum {
    FILE_POINTS = 64 + 8192 * 96 + 65 * 192 + 8,
    FILE_BYTES = FILE_POINTS + 72 + 128 + 8192 * 96 + 8,
    LAGRANGE_TABLE = 128 + 8 * 4096 * 96 + 8 /* the Lagrange points' multiples */
};

/* Bytes from one place of a file to another one's. */
static void paste_bytes(const char *path, size_t at, const char *from, size_t bytes)
{
    uint8_t *copy = test_alloc(bytes);
    FILE *file = fopen(from, "rb"), *changed = fopen(path, "r+b");
    assert_non_null(file);
    assert_non_null(changed);
    assert_int_equal(fread(copy, 1, bytes, file), bytes);
    assert_int_equal(fgetc(file), EOF);
    assert_int_equal(fseek(changed, (long)at, SEEK_SET), 0);
    assert_int_equal(fwrite(copy, 1, bytes, changed), bytes);
    assert_int_equal(fclose(changed), 0);
    (void)fclose(file);
    free(copy);
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
    sumac_bases *bases = NULL;
    sumac_kzg_setup *setup = NULL;
    test_status(f->context, sumac_bases_get(f->context, saved->lagrange, 0, G1_POINTS, points), SUMAC_OK,
                "get");
    memcpy(kept, points, 96);
    memmove(points, points + 96, 96);
    memcpy(points + 96, kept, 96);
    test_status(maker, sumac_bases_create(maker, saved->g1, points, G1_POINTS, &config, &bases), SUMAC_OK,
                "bases");
    test_status(maker, sumac_bases_save(maker, bases, other), SUMAC_OK, "save");
    paste_bytes(path, FILE_POINTS, other, LAGRANGE_TABLE);
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        test_sentence(f->context, sumac_kzg_setup_open(f->context, path, (sumac_check)check, &setup),
                      SUMAC_BAD_FILE, "not of the Lagrange points");
        assert_null(setup);
    }
    sumac_bases_destroy(bases);
    free(points);
    unlink(other);
}

/* A device makes its own multiples of a file that tells of some: of one that it wrote, and of the CPU's with their
 * table, which is read all the same. */
static void check_device_multiples(const kzg_fixture *f, const sumac_kzg_setup *made, const char *path)
{
    const uint32_t multiples = sumac_bases_precompute_factor(made->lagrange);
    sumac_context *cpu = NULL;
    sumac_context_config config = sumac_context_config_default();
    sumac_kzg_setup *setup = NULL;
    config.backend = "cpu";
    assert_int_equal(sumac_context_create(&config, &cpu, NULL), SUMAC_OK);
    assert_true(multiples > 8); /* one for each window */
    for (int by_cpu = 0; by_cpu <= 1; by_cpu++) {
        if (by_cpu) {
            test_status(cpu, sumac_kzg_setup_open(cpu, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup), SUMAC_OK,
                        "read");
            test_status(cpu, sumac_kzg_setup_make_tables(cpu, setup, 32 << 20), SUMAC_OK, "prepare");
            test_status(cpu, sumac_kzg_setup_save(cpu, setup, path), SUMAC_OK, "save");
            sumac_kzg_setup_destroy(setup);
        }
        for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
            test_status(f->context, sumac_kzg_setup_open(f->context, path, (sumac_check)check, &setup),
                        SUMAC_OK, "load");
            assert_int_equal(sumac_bases_precompute_factor(setup->lagrange), multiples);
            expect_same(f->context, setup, f->setup);
            sumac_kzg_setup_destroy(setup);
        }
    }
    check_other_table(f, cpu, made, path);
    sumac_context_destroy(cpu);
}

/* A file has the Lagrange points' multiples where the setup has them, and who reads it has them again. */
void test_setup_multiples(void **state)
{
    (void)state;
    if (options.quick) {
        return; /* seconds, where code is slow */
    }
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    const kzg_fixture f = fixture_open(1);
    sumac_kzg_setup *made = NULL, *setup = NULL;
    test_status(f.context, sumac_kzg_setup_open(f.context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &made), SUMAC_OK,
                "read");
    test_status(f.context, sumac_kzg_setup_make_tables(f.context, made, 32 << 20), SUMAC_OK, "prepare");
    test_status(f.context, sumac_kzg_setup_save(f.context, made, path), SUMAC_OK, "save");
    if (sumac_context_location(f.context) == SUMAC_LOCATION_DEVICE) {
        check_device_multiples(&f, made, path);
    } else {
        assert_int_equal(sumac_bases_precompute_factor(made->lagrange), 8);
        for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
            test_status(f.context, sumac_kzg_setup_open(f.context, path, (sumac_check)check, &setup),
                        SUMAC_OK, "load");
            assert_int_equal(sumac_bases_precompute_factor(setup->lagrange), 8);
            expect_same(f.context, setup, f.setup);
            sumac_kzg_setup_destroy(setup);
        }
        check_other_table(&f, f.context, made, path);
        test_status(f.context, sumac_kzg_setup_save(f.context, made, path), SUMAC_OK, "save");
        FILE *file = fopen(path, "r+b");
        assert_int_equal(fseek(file, FILE_POINTS + 128 + 96 * 4096 * 3 + 5, SEEK_SET), 0);
        const int byte = fgetc(file);
        assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
        (void)fputc(byte ^ 1, file);
        assert_int_equal(fclose(file), 0);
        test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup),
                    SUMAC_BAD_CHECKSUM, "damage");
        assert_null(setup);
    }
    sumac_kzg_setup_destroy(made);
    unlink(path);
}

static size_t read_bytes(const char *path, uint8_t *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, most, file);
    fclose(file);
    return size;
}

/* Where the points end and the tables begin; without tables, a table of 8192 points behind two headers. */
/* Every part of the file, changed; the file cut off and continued. */
void test_setup_file_damage(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        sumac_status expected;
    } changes[] = {{0, SUMAC_BAD_FILE}, /* no file of ours any more, and no text */
                   {8, SUMAC_BAD_FILE},
                   {12, SUMAC_BAD_CHECKSUM},
                   {20, SUMAC_BAD_CHECKSUM},
                   {40, SUMAC_BAD_CHECKSUM},
                   {60, SUMAC_BAD_CHECKSUM},
                   {64, SUMAC_BAD_CHECKSUM},
                   {700000, SUMAC_BAD_CHECKSUM},
                   {FILE_POINTS - 1, SUMAC_BAD_CHECKSUM},
                   {FILE_POINTS, SUMAC_BAD_FILE},
                   {FILE_POINTS + 8, SUMAC_BAD_FILE},
                   {FILE_POINTS + 40, SUMAC_BAD_CHECKSUM},
                   {FILE_POINTS + 72 + 20, SUMAC_BAD_CHECKSUM},
                   {FILE_POINTS + 72 + 128 + 96 * 4000, SUMAC_BAD_CHECKSUM},
                   {FILE_POINTS + 72 + 128 + 96 * 8000 + 47, SUMAC_BAD_CHECKSUM},
                   {FILE_BYTES - 1, SUMAC_BAD_CHECKSUM}};
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    kzg_fixture f = fixture_open(1);
    sumac_kzg_setup *setup = NULL;
    test_status(f.context, sumac_kzg_setup_open(f.context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup), SUMAC_OK,
                "read");
    test_status(f.context, sumac_kzg_setup_make_tables(f.context, setup, 1), SUMAC_OK, "prepare");
    test_status(f.context, sumac_kzg_setup_save(f.context, setup, path), SUMAC_OK, "save");
    sumac_kzg_setup_destroy(setup);
    uint8_t *bytes = test_alloc(1 << 21);
    const size_t size = read_bytes(path, bytes, 1 << 21);
    assert_int_equal(size, FILE_BYTES);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        bytes[changes[i].at] ^= 1;
        test_write_file(path, bytes, size);
        bytes[changes[i].at] ^= 1;
        const sumac_check checks[] = {SUMAC_CHECK_NONE, SUMAC_CHECK_CURVE};
        const size_t count = options.quick && i % 4 != 0 ? 1 : 2;
        for (size_t k = 0; k < count; k++) {
            test_status(f.context, sumac_kzg_setup_open(f.context, path, checks[k], &setup),
                        changes[i].expected, "damage");
            assert_non_null(strstr(sumac_context_message(f.context), path));
            assert_null(setup);
        }
    }
    const size_t lengths[] = {
        10,       63,      64, 500000, FILE_POINTS - 1, FILE_POINTS, FILE_POINTS + 71, FILE_POINTS + 100,
        size - 1, size + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        bytes[size] = 0;
        test_write_file(path, bytes, lengths[i]);
        test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup),
                    SUMAC_BAD_FILE, "length");
        assert_null(setup);
    }
    test_write_file(path, bytes, size);
    test_status(f.context, sumac_kzg_setup_open(f.context, path, (sumac_check)3, &setup), SUMAC_BAD_ARGUMENT,
                "check");
    free(bytes);
    unlink(path);
}

static void store_checksum(uint8_t *at, const uint8_t *bytes, size_t size)
{
    const uint64_t sum = checksum_of(bytes, size);
    for (int i = 0; i < 8; i++) {
        at[i] = (uint8_t)(sum >> 8 * i);
    }
}

/* Numbers and points that are wrong where all checksums are right. */
void test_setup_file_forged(void **state)
{
    (void)state;
    enum {
        FK20 = FILE_POINTS,
        TABLE = FK20 + 72,
        TABLE_POINTS = TABLE + 128,
        LAGRANGE = 64,
        G2_AT = 64 + 8192 * 96
    };
    static const struct {
        size_t at, from; /* a point is copied from there; 0: one bit is another */
        sumac_check check;
        sumac_status expected;
        const char *part;
    } changes[] = {
        {12, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "too long"}, /* not prepared */
        {16, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "other sizes"},
        {20, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "other sizes"},
        {33, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "other sizes"},
        {29, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "not a table"}, /* 256 multiples, and none */
        {LAGRANGE + 96 * 77, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, "Lagrange points: point 77:"},
        {LAGRANGE, LAGRANGE + 96, SUMAC_CHECK_CURVE, SUMAC_BAD_FILE, "Lagrange"},
        {LAGRANGE + 96 * 5000, LAGRANGE + 96 * 5001, SUMAC_CHECK_CURVE, SUMAC_BAD_FILE, "G1"},
        {G2_AT + 192 * 3, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, "points of G2: point 3:"},
        {FK20 + 16, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "n = 4097"},
        {FK20 + 24, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "l = 65"},
        {FK20 + 12, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "no meaning"},
        {FK20 + 40, 0, SUMAC_CHECK_NONE, SUMAC_MISMATCH, "another setup"},
        {TABLE + 56, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, ""}, /* 8193 bases */
        {TABLE + 68, 0, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, ""}, /* no point for each */
        {TABLE_POINTS + 96 * 9, 0, SUMAC_CHECK_CURVE, SUMAC_NOT_ON_CURVE, ""},
    };
    char path[] = "/tmp/sumac-setup-XXXXXX";
    close(mkstemp(path));
    kzg_fixture f = fixture_open(0);
    sumac_kzg_setup *setup = NULL;
    test_status(f.context, sumac_kzg_setup_open(f.context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup), SUMAC_OK,
                "read");
    test_status(f.context, sumac_kzg_setup_make_tables(f.context, setup, 1), SUMAC_OK, "prepare");
    test_status(f.context, sumac_kzg_setup_save(f.context, setup, path), SUMAC_OK, "save");
    sumac_kzg_setup_destroy(setup);
    uint8_t *bytes = test_alloc(1 << 21), *whole = test_alloc(1 << 21);
    const size_t size = read_bytes(path, whole, 1 << 21);
    assert_int_equal(size, FILE_BYTES);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(bytes, whole, size);
        if (changes[i].from > 0) {
            memcpy(bytes + changes[i].at, whole + changes[i].from, 96);
        } else {
            bytes[changes[i].at] ^= 1;
        }
        store_checksum(bytes + 56, bytes, 56);
        store_checksum(bytes + FILE_POINTS - 8, bytes + 64, FILE_POINTS - 8 - 64);
        store_checksum(bytes + FK20 + 64, bytes + FK20, 64);
        store_checksum(bytes + TABLE + 120, bytes + TABLE, 120);
        store_checksum(bytes + size - 8, bytes + TABLE_POINTS, size - 8 - TABLE_POINTS);
        test_write_file(path, bytes, size);
        test_status(f.context, sumac_kzg_setup_open(f.context, path, changes[i].check, &setup),
                    changes[i].expected, changes[i].part);
        assert_null(setup);
        if (strstr(sumac_context_message(f.context), changes[i].part) == NULL) {
            test_abort("change %zu: the sentence is \"%s\"", i, sumac_context_message(f.context));
        }
    }
    free(bytes);
    free(whole);
    unlink(path);
}

/* A file without tables that goes on; and tables of another setup behind its points: a test's, of which the
 * secret is 1, so that all points are the generator. */
void test_setup_file_tables(void **state)
{
    (void)state;
    char path[] = "/tmp/sumac-setup-XXXXXX", other_path[] = "/tmp/sumac-setup-XXXXXX";
    const sumac_curve *curve;
    sumac_bases *ones;
    sumac_fk20 *other;
    sumac_kzg_setup *setup;
    kzg_fixture f = fixture_open(1);
    close(mkstemp(path));
    close(mkstemp(other_path));
    uint8_t *points = test_alloc((size_t)G1_POINTS * 96), *bytes = test_alloc(1 << 26);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    for (size_t i = 0; i < G1_POINTS; i++) {
        sumac_curve_generator(curve, points + 96 * i);
    }
    test_status(f.context, sumac_bases_create(f.context, curve, points, G1_POINTS, NULL, &ones), SUMAC_OK,
                "bases");
    test_status(f.context, sumac_fk20_create(f.context, ones, G1_POINTS, 64, 1, &other), SUMAC_OK, "fk20");
    test_status(f.context, sumac_fk20_save(f.context, other, other_path), SUMAC_OK, "save");
    test_status(f.context, sumac_kzg_setup_save(f.context, f.setup, path), SUMAC_OK, "save");
    const size_t size = read_bytes(path, bytes, 1 << 26);
    const uint64_t table_bytes = sumac_kzg_setup_table_bytes(f.setup);
    const int has_multiples = sumac_context_location(f.context) == SUMAC_LOCATION_HOST &&
                              sumac_bases_precompute_factor(f.setup->lagrange) > 1;
    const size_t tables = FILE_POINTS + (has_multiples ? LAGRANGE_TABLE : 0);
    assert_true(table_bytes <= 64 << 20 && size == tables + 72 + 128 + table_bytes + 8);
    const size_t other_size = read_bytes(other_path, bytes + tables, 1 << 21);
    test_write_file(path, bytes, tables + other_size);
    test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup), SUMAC_MISMATCH,
                "tables of another setup");
    assert_non_null(strstr(sumac_context_message(f.context), "another setup"));
    assert_null(setup);
    kzg_fixture plain = fixture_open(0);
    test_status(plain.context, sumac_kzg_setup_save(plain.context, plain.setup, path), SUMAC_OK, "save");
    assert_int_equal(read_bytes(path, bytes, 1 << 26), FILE_POINTS);
    test_write_file(path, bytes, FILE_POINTS + 1);
    test_status(f.context, sumac_kzg_setup_open(f.context, path, SUMAC_CHECK_NONE, &setup), SUMAC_BAD_FILE,
                "a longer file");
    assert_int_equal(sumac_kzg_setup_table_bytes(plain.setup) + sumac_kzg_setup_table_bytes(NULL), 0);
    unlink(path);
    unlink(other_path);
    sumac_bases_destroy(ones);
    sumac_fk20_destroy(other);
    free(points);
    free(bytes);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_groth16.c: keys that are saved prepared make the same proofs, and damaged files are
 * refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "parts.h"
#include "support/cleanup.h"
#include "support/container.h"

/* These are types of sections (docs/formats.md), how many sections there are of some types, and offsets of numbers in
 * the sections of the key and of matrices. */
enum {
    KEY = 10,
    ROWS,
    MATRIX = 14,
    TABLE = 16,
    SETS = 3,
    MATRICES = 2,
    TABLES = 4,
    WIRES = ENTRY_NUMBERS,
    PUBLICS = ENTRY_NUMBERS + 4,
    DOMAIN = ENTRY_NUMBERS + 8,
    VALUES = ENTRY_NUMBERS
};

static const char *new_path(char path[64])
{
    snprintf(path, 64, "/tmp/sumac-groth16-prepared-%ld", (long)getpid());
    return path;
}

static sumac_groth16_key_config config_of(sumac_check check, uint32_t factor)
{
    sumac_groth16_key_config config = {.size = sizeof config};
    config.check = check;
    config.precompute_factor = factor;
    return config;
}

/* Save a circuit's key with `factor` multiples, and return the file's bytes. */
static uint8_t *save_key(const circuit *c, uint32_t factor, size_t *size)
{
    char zkey[CIRCUIT_PATH_BYTES], path[64];
    sumac_groth16_key *key;
    const sumac_groth16_key_config config = config_of(SUMAC_CHECK_NONE, factor);
    TEST_OK(c->context,
            sumac_groth16_key_open(c->context, circuit_path(c->name, "key.zkey", zkey), &config, &key));
    TEST_OK(c->context, sumac_groth16_key_save(c->context, key, new_path(path)));
    sumac_groth16_key_destroy(key);
    uint8_t *bytes = test_read_file(path, size);
    unlink(path);
    return bytes;
}

/* ---- The same proofs ---- */

/* Check a proof by a context of this engine. If `engine` is null, it is that of the tests. */
static void check_proof(const circuit *c, const char *engine, const uint8_t *bytes, size_t size,
                        const sumac_groth16_key_config *config, const uint8_t *expected)
{
    circuit opened = *c;
    sumac_context_config context = test_context_config(2);
    AUTO_FREE uint8_t *proof = test_alloc(c->info.proof_bytes);
    if (engine != NULL) {
        context = (sumac_context_config){.size = sizeof(sumac_context_config)};
        context.backend = engine;
    }
    assert_int_equal(sumac_context_create(&context, &opened.context, NULL), SUMAC_OK);
    TEST_OK(opened.context, sumac_groth16_key_create(opened.context, bytes, size, config, &opened.key));
    opened.info = (sumac_groth16_info){.size = sizeof(sumac_groth16_info)};
    assert_int_equal(sumac_groth16_key_describe(opened.key, &opened.info), SUMAC_OK);
    assert_int_equal(opened.info.wires, c->info.wires);
    assert_int_equal(opened.info.publics, c->info.publics);
    assert_int_equal(opened.info.domain, c->info.domain);
    assert_int_equal(opened.info.coefficients, c->info.coefficients);
    assert_int_equal(opened.info.has_verifying_key, 1);
    TEST_OK(opened.context, circuit_prove(&opened, c->witness, proof));
    assert_memory_equal(proof, expected, c->info.proof_bytes);
    sumac_groth16_key_destroy(opened.key);
    sumac_context_destroy(opened.context);
}

static void check_prepared(int i, int *sets_with_rows)
{
    CLEANUP(circuit_close) circuit c = {0};
    size_t size, expected_size;
    char path[CIRCUIT_PATH_BYTES];
    circuit_open(&c, i, 2);
    AUTO_FREE uint8_t *expected = test_read_file(circuit_path(c.name, "expected.bin", path), &expected_size);
    for (uint32_t factor = 0; factor <= 4; factor += 2) {
        AUTO_FREE uint8_t *bytes = save_key(&c, factor, &size);
        const sumac_groth16_key_config none = config_of(SUMAC_CHECK_NONE, 0);
        const sumac_groth16_key_config checked = config_of(SUMAC_CHECK_SUBGROUP, factor);
        const sumac_groth16_key_config other = config_of(SUMAC_CHECK_NONE, 3);
        sumac_groth16_key *key;
        check_proof(&c, NULL, bytes, size, &none, expected);
        check_proof(&c, "cpu", bytes, size, &checked, expected);
        test_sentence(c.context, sumac_groth16_key_create(c.context, bytes, size, &other, &key),
                      SUMAC_MISMATCH, "where 3 is asked for");
        for (size_t k = 0; k < file_sections(bytes, size); k++) {
            const uint64_t type = file_load(bytes + file_section_at(bytes, k).entry, 4);
            *sets_with_rows += type >= ROWS && type < ROWS + SETS;
        }
    }
}

void test_prepared(void)
{
    int sets_with_rows = 0;
    for (int i = 0; i < CIRCUITS; i++) {
        if (circuit_is_built(i)) {
            check_prepared(i, &sets_with_rows);
        }
    }
    assert_true(!circuit_is_built(0) || sets_with_rows > 0);
}

/* ---- Damaged files ---- */

/* This has a key's bytes, which each case changes and restores. */
typedef struct damage {
    circuit c;
    uint8_t *bytes, *kept;
    size_t size, sections;
} damage;

static void damage_open(damage *d, int i)
{
    *d = (damage){.sections = 0};
    circuit_open(&d->c, i, 1);
    d->kept = save_key(&d->c, 0, &d->size);
    d->bytes = test_alloc(d->size + 1);
    memcpy(d->bytes, d->kept, d->size);
    d->bytes[d->size] = 0;
    d->sections = file_sections(d->kept, d->size);
    assert_in_range(d->sections, 1 + MATRICES + TABLES, 1 + SETS + MATRICES + TABLES);
    assert_int_equal(file_section_at(d->kept, d->sections - 1).end, d->size);
}

static void damage_close(damage *d)
{
    free(d->bytes);
    free(d->kept);
    circuit_close(&d->c);
}

static void refuse_size(damage *d, size_t size, sumac_status status, const char *part)
{
    sumac_groth16_key *key = NULL;
    const sumac_groth16_key_config config = config_of(SUMAC_CHECK_NONE, 0);
    test_sentence(d->c.context, sumac_groth16_key_create(d->c.context, d->bytes, size, &config, &key), status,
                  part);
    assert_null(key);
    memcpy(d->bytes, d->kept, d->size);
}

static size_t header_bytes(const damage *d)
{
    return HEADER_ENTRIES + d->sections * ENTRY_BYTES;
}

/* Return 1 for all bytes of the header and after the sections' data, and for some of the others. */
static int is_tried(const damage *d, size_t at)
{
    for (size_t i = 0; i < d->sections; i++) {
        const file_section section = file_section_at(d->kept, i);
        if (at >= section.offset && at < section.offset + section.size) {
            return (at - section.offset) % 29 == 0;
        }
    }
    return 1;
}

static void flip_bytes(damage *d)
{
    const sumac_groth16_key_config config = config_of(SUMAC_CHECK_NONE, 0);
    for (size_t at = 0; at < d->size; at++) {
        sumac_groth16_key *key = NULL;
        if (!is_tried(d, at)) {
            continue;
        }
        d->bytes[at] ^= (uint8_t)(1u << at % 8);
        const sumac_status status = sumac_groth16_key_create(d->c.context, d->bytes, d->size, &config, &key);
        if (status == SUMAC_OK || key != NULL || sumac_context_message(d->c.context)[0] == '\0') {
            test_abort("byte %zu: status %d, \"%s\"", at, (int)status, sumac_context_message(d->c.context));
        }
        d->bytes[at] = d->kept[at];
    }
}

static void cut(damage *d)
{
    for (size_t i = 0; i < d->sections; i++) {
        const file_section section = file_section_at(d->kept, i);
        refuse_size(d, section.offset - 1, SUMAC_BAD_FILE, "truncated");
        refuse_size(d, section.offset, SUMAC_BAD_FILE, "truncated");
        refuse_size(d, section.offset + section.size, SUMAC_BAD_FILE, "truncated");
        refuse_size(d, section.end - 1, SUMAC_BAD_FILE, "truncated");
    }
    refuse_size(d, 8, SUMAC_BAD_FILE, "truncated");
    refuse_size(d, 64, SUMAC_BAD_FILE, "truncated");
    refuse_size(d, d->size + 1, SUMAC_BAD_FILE, "too long");
}

/* Change a byte of a section, or one after it, and require a refusal. */
static void refuse_damage(damage *d, uint32_t type, size_t at, const char *part)
{
    d->bytes[file_section_of(d->kept, type).offset + at] ^= 1;
    refuse_size(d, d->size, SUMAC_BAD_CHECKSUM, part);
}

static void name_damage(damage *d)
{
    char header[64];
    (void)snprintf(header, sizeof header, "the header, bytes 0 to %zu, is damaged", header_bytes(d) - 1);
    d->bytes[HEADER_CURVE] ^= 1;
    refuse_size(d, d->size, SUMAC_BAD_CHECKSUM, header);
    refuse_damage(d, KEY, 100, "the verifying key, bytes ");
    refuse_damage(d, MATRIX, 20, "matrix A, bytes ");
    refuse_damage(d, MATRIX + 1, file_section_of(d->kept, MATRIX + 1).size, "matrix B, bytes ");
    refuse_damage(d, TABLE + 2, 100, "the points, bytes ");
    refuse_damage(d, TABLE + 3, file_section_of(d->kept, TABLE + 3).size + 7, "the points, bytes ");
}

/* ---- Impossible numbers with right checksums ---- */

static void change_header(damage *d, size_t at, uint64_t value, int bytes, sumac_status status,
                          const char *part)
{
    file_store(d->bytes + at, value, bytes);
    file_correct_header(d->bytes, d->size);
    refuse_size(d, d->size, status, part);
}

static void change_entry(damage *d, uint32_t type, size_t at, uint64_t value, int bytes)
{
    change_header(d, file_section_of(d->kept, type).entry + at, value, bytes, SUMAC_BAD_FILE, "do not fit");
}

/* End the list of sections, and the file, before the section of this type. */
static void leave_out_from(damage *d, uint32_t type)
{
    const file_section first = file_section_of(d->kept, type);
    const size_t left = (first.entry - HEADER_ENTRIES) / ENTRY_BYTES,
                 less = (d->sections - left) * ENTRY_BYTES;
    memmove(d->bytes + first.entry, d->bytes + header_bytes(d), d->size - header_bytes(d));
    file_store(d->bytes + HEADER_SECTIONS, left, 4);
    for (size_t i = 0; i < left; i++) {
        const file_section section = file_section_at(d->bytes, i);
        file_store(d->bytes + section.entry + ENTRY_OFFSET, section.offset - less, 8);
    }
    file_correct(d->bytes, d->size);
    refuse_size(d, first.offset - less, SUMAC_BAD_FILE, "do not fit");
}

static void change_headers(damage *d)
{
    const uint64_t wires = d->c.info.wires, domain = d->c.info.domain;
    change_header(d, HEADER_VERSION, 1, 4, SUMAC_BAD_FILE, "a file of version 1");
    change_header(d, HEADER_KIND, 4, 4, SUMAC_BAD_FILE, "a saved setup, by its byte 12");
    change_header(d, HEADER_CURVE, 'x', 1, SUMAC_UNKNOWN_CURVE, "a prepared key over x");
    change_header(d, HEADER_CURVE + 31, 'x', 1, SUMAC_BAD_FILE, "does not know");
    change_header(d, HEADER_RESERVED, 1, 4, SUMAC_BAD_FILE, "does not know");
    change_entry(d, KEY, ENTRY_FLAGS, 1, 4); /* the flag of products, although there are matrices */
    change_entry(d, KEY, ENTRY_FLAGS, 2, 4);
    change_entry(d, KEY, ENTRY_COUNT, 1, 8);
    change_entry(d, KEY, WIRES, 0, 4);
    change_entry(d, KEY, WIRES, wires + 1, 4);
    change_entry(d, KEY, WIRES, wires - 1, 4);
    change_entry(d, KEY, WIRES, UINT32_MAX, 4);
    change_entry(d, KEY, PUBLICS, wires, 4);
    change_entry(d, KEY, PUBLICS, d->c.info.publics + 1, 4);
    change_entry(d, KEY, DOMAIN, 0, 4);
    change_entry(d, KEY, DOMAIN, domain + 1, 4);
    change_entry(d, KEY, DOMAIN, 2 * domain, 4);
    change_entry(d, KEY, DOMAIN, UINT64_C(1) << 31, 4);
    change_entry(d, KEY, DOMAIN + 4, 1, 4);
    for (uint32_t i = 0; i < MATRICES; i++) {
        const uint8_t *entry = d->kept + file_section_of(d->kept, MATRIX + i).entry;
        const uint64_t terms = file_load(entry + ENTRY_COUNT, 8), values = file_load(entry + VALUES, 4);
        change_entry(d, MATRIX + i, ENTRY_COUNT, terms << 61, 8);
        change_entry(d, MATRIX + i, ENTRY_COUNT, terms + (UINT64_C(1) << 61),
                     8); /* the number of bytes is the same modulo 2^64 */
        change_entry(d, MATRIX + i, ENTRY_COUNT, terms + 1, 8);
        change_entry(d, MATRIX + i, VALUES, 1, 4);
        change_entry(d, MATRIX + i, VALUES, values + 1, 4);
        change_entry(d, MATRIX + i, VALUES, UINT32_MAX, 4);
        change_entry(d, MATRIX + i, ENTRY_GROUP, 'g', 1);
    }
    for (uint32_t i = 0; i < TABLES; i++) {
        const uint64_t count =
            file_load(d->kept + file_section_of(d->kept, TABLE + i).entry + ENTRY_COUNT, 8);
        change_entry(d, TABLE + i, ENTRY_COUNT, count + 1, 8);
        change_entry(d, TABLE + i, ENTRY_COUNT, count - 1, 8);
        change_entry(d, TABLE + i, ENTRY_NUMBERS, 0, 4);
        change_entry(d, TABLE + i, ENTRY_NUMBERS, UINT32_MAX, 4);
        change_header(d, file_section_of(d->kept, TABLE + i).entry + ENTRY_GROUP + 1, i == 2 ? '1' : '2', 1,
                      SUMAC_MISMATCH, "is expected");
    }
    for (size_t i = 0; i < d->sections; i++) {
        change_header(d, file_section_at(d->kept, i).entry + ENTRY_TYPE, 99, 4, SUMAC_BAD_FILE, "do not fit");
    }
    /* The matrices of A and B are swapped. */
    file_store(d->bytes + file_section_of(d->kept, MATRIX).entry + ENTRY_TYPE, MATRIX + 1, 4);
    change_entry(d, MATRIX + 1, ENTRY_TYPE, MATRIX, 4);
    leave_out_from(d, MATRIX);
    leave_out_from(d, MATRIX + 1);
    leave_out_from(d, TABLE + 3);
}

/* Change a number in a section, correct the checksum, and require a refusal. */
static void change_number(damage *d, uint32_t type, size_t offset, uint64_t value, int bytes)
{
    file_store(d->bytes + file_section_of(d->kept, type).offset + offset, value, bytes);
    file_correct(d->bytes, d->size);
    refuse_size(d, d->size, SUMAC_BAD_FILE, "a number that is out of range");
}

static void change_matrix(damage *d, uint32_t type)
{
    const file_section section = file_section_of(d->kept, type);
    const uint64_t values = file_load(d->kept + section.entry + VALUES, 4),
                   terms = file_load(d->kept + section.entry + ENTRY_COUNT, 8);
    const size_t starts = (size_t)values * d->c.scalar;
    const size_t at = starts + ((size_t)d->c.info.domain + 1) * 8;
    change_number(d, type, starts, terms + 1, 8);
    change_number(d, type, starts, UINT64_MAX, 8);
    change_number(d, type, starts + 16, file_load(d->kept + section.offset + starts + 8, 8) - 1, 8);
    change_number(d, type, at - 8, terms - 1, 8);
    change_number(d, type, at - 8, terms + 1, 8);
    change_number(d, type, at, d->c.info.wires, 4);
    change_number(d, type, at, UINT32_MAX, 4);
    change_number(d, type, at + 4, values, 4);
    change_number(d, type, at + (size_t)terms * 8 - 4, UINT32_MAX, 4);
    change_number(d, type, d->c.scalar - 8, UINT64_MAX, 8);
}

static void change_rows(damage *d)
{
    for (size_t i = 0; i < d->sections; i++) {
        const file_section section = file_section_at(d->kept, i);
        const uint32_t type = (uint32_t)file_load(d->kept + section.entry, 4);
        if (type >= ROWS && type < ROWS + SETS) {
            change_number(d, type, 0, d->c.info.wires + 3, 8);
            change_number(d, type, 8, UINT64_MAX, 8);
            change_number(d, type, section.size - 8, UINT64_C(1) << 63, 8);
            change_entry(d, type, ENTRY_COUNT, d->c.info.wires + 4, 8);
            change_entry(d, type, ENTRY_COUNT, UINT64_MAX, 8);
            change_entry(d, type, ENTRY_COUNT, section.size / 8 + (UINT64_C(1) << 61), 8);
            change_entry(d, type, ENTRY_COUNT, 0, 8);
        }
    }
}

/* If points off the curve have the right checksums, the check of points must find them. */
static void change_points(damage *d)
{
    static const uint32_t types[] = {KEY, TABLE, TABLE + 1, TABLE + 2, TABLE + 3};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        sumac_groth16_key *key;
        d->bytes[file_section_of(d->kept, types[i]).offset] ^= 1;
        file_correct(d->bytes, d->size);
        test_status(d->c.context, sumac_groth16_key_create(d->c.context, d->bytes, d->size, NULL, &key),
                    SUMAC_NOT_ON_CURVE, "points");
        assert_null(key);
        memcpy(d->bytes, d->kept, d->size);
    }
}

static void check_bad_prepared(int i)
{
    CLEANUP(damage_close) damage d = {0};
    damage_open(&d, i);
    flip_bytes(&d);
    cut(&d);
    name_damage(&d);
    change_headers(&d);
    change_matrix(&d, MATRIX);
    change_matrix(&d, MATRIX + 1);
    change_rows(&d);
    change_points(&d);
}

void test_bad_prepared(void)
{
    circuit_for_each(2, check_bad_prepared);
}

/* ---- Memory and arguments ---- */

typedef struct scene {
    circuit c;
    uint8_t *bytes;
    size_t size;
    char path[64];
} scene;

static sumac_status save_again(void *argument)
{
    const scene *s = argument;
    const sumac_status status = sumac_groth16_key_save(s->c.context, s->c.key, s->path);
    assert_int_equal(access(s->path, F_OK), status == SUMAC_OK ? 0 : -1);
    unlink(s->path);
    return status;
}

MAKES(create_again, scene, sumac_groth16_key, sumac_groth16_key_destroy,
      sumac_groth16_key_create(s->c.context, s->bytes, s->size, NULL, &created))

void test_prepared_memory(void)
{
    scene s;
    circuit_open(&s.c, circuit_first(), 1);
    (void)new_path(s.path);
    s.bytes = save_key(&s.c, 0, &s.size);
    assert_int_equal(sumac_groth16_key_save(NULL, s.c.key, s.path), SUMAC_BAD_ARGUMENT);
    test_sentence(s.c.context, sumac_groth16_key_save(s.c.context, NULL, s.path), SUMAC_BAD_ARGUMENT, "null");
    test_sentence(s.c.context, sumac_groth16_key_save(s.c.context, s.c.key, NULL), SUMAC_BAD_ARGUMENT,
                  "null");
    test_sentence(s.c.context, sumac_groth16_key_save(s.c.context, s.c.key, "/nowhere/key"),
                  SUMAC_CANNOT_OPEN, "/nowhere/key");
    if (strcmp(options.backend, "cpu") == 0) {
        static const memory_call calls[] = {{"key_save", save_again}, {"key_create", create_again}};
        check_allocations(s.c.context, calls, sizeof calls / sizeof *calls, &s);
    }
    free(s.bytes);
    circuit_close(&s.c);
}

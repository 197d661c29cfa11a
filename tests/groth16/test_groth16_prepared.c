/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_groth16.c: keys that are saved prepared prove what they proved before, and damaged files are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "codec/checksum.h"
#include "parts.h"

/* docs/formats.md */
enum {
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_CURVE = 16,
    AT_WIRES = 48,
    AT_PUBLICS = 52,
    AT_DOMAIN = 56,
    AT_RESERVED = 60,
    AT_ROWS = 64,
    AT_TERMS = 88,
    AT_VALUES = 104,
    AT_FACTORS = 120,
    AT_CHECKSUM = 136,
    HEADER_BYTES = 144,
    MOST_SECTIONS = 11 /* header, verifying key, rows of 3 sets, 2 matrices, 4 tables */
};

static const char *new_path(char path[64])
{
    snprintf(path, 64, "/tmp/sumac-groth16-prepared-%ld", (long)getpid());
    return path;
}

static sumac_groth16_key_config config_of(sumac_check check, uint32_t factor)
{
    sumac_groth16_key_config config = sumac_groth16_key_config_default();
    config.check = check;
    config.precompute_factor = factor;
    return config;
}

/* The bytes that a circuit's key is saved as, with so many multiples. */
static uint8_t *save_key(const circuit *c, uint32_t factor, size_t *size)
{
    char zkey[CIRCUIT_PATH_BYTES], path[64];
    sumac_groth16_key *key;
    const sumac_groth16_key_config config = config_of(SUMAC_CHECK_NONE, factor);
    test_status(c->context,
                sumac_groth16_key_open(c->context, circuit_path(c->name, "key.zkey", zkey), &config, &key),
                SUMAC_OK, c->name);
    test_status(c->context, sumac_groth16_key_save(c->context, key, new_path(path)), SUMAC_OK, c->name);
    sumac_groth16_key_destroy(key);
    uint8_t *bytes = test_read_file(path, size);
    unlink(path);
    return bytes;
}

/* ---- The same proofs ---- */

/* In a context of this backend. */
static void check_proof(const circuit *c, const char *backend, const uint8_t *bytes, size_t size,
                        const sumac_groth16_key_config *config, const uint8_t *expected)
{
    circuit opened = *c;
    sumac_context_config context = test_context_config(2);
    uint8_t *proof = test_alloc(c->info.proof_bytes);
    if (backend != NULL) {
        context = sumac_context_config_default();
        context.backend = backend;
    }
    assert_int_equal(sumac_context_create(&context, &opened.context, NULL), SUMAC_OK);
    test_status(opened.context, sumac_groth16_key_create(opened.context, bytes, size, config, &opened.key),
                SUMAC_OK, c->name);
    opened.info = sumac_groth16_info_default();
    assert_int_equal(sumac_groth16_key_describe(opened.key, &opened.info), SUMAC_OK);
    assert_int_equal(opened.info.wires, c->info.wires);
    assert_int_equal(opened.info.publics, c->info.publics);
    assert_int_equal(opened.info.domain, c->info.domain);
    assert_int_equal(opened.info.coefficients, c->info.coefficients);
    assert_int_equal(opened.info.has_verifying_key, 1);
    test_status(opened.context, circuit_prove(&opened, c->witness, proof), SUMAC_OK, c->name);
    assert_memory_equal(proof, expected, c->info.proof_bytes);
    sumac_groth16_key_destroy(opened.key);
    sumac_context_destroy(opened.context);
    free(proof);
}

static int sets_with_rows;

static void check_prepared(int i)
{
    circuit c;
    size_t size, expected_size;
    circuit_open(&c, i, 2);
    uint8_t *expected = circuit_read(c.name, "expected.bin", &expected_size);
    for (uint32_t factor = 0; factor <= 4; factor += 2) {
        uint8_t *bytes = save_key(&c, factor, &size);
        const sumac_groth16_key_config none = config_of(SUMAC_CHECK_NONE, 0);
        const sumac_groth16_key_config checked = config_of(SUMAC_CHECK_SUBGROUP, factor);
        const sumac_groth16_key_config other = config_of(SUMAC_CHECK_NONE, 3);
        sumac_groth16_key *key;
        check_proof(&c, NULL, bytes, size, &none, expected);
        check_proof(&c, "cpu", bytes, size, &checked, expected);
        test_sentence(c.context, sumac_groth16_key_create(c.context, bytes, size, &other, &key),
                      SUMAC_MISMATCH, "where 3 is asked for");
        for (int set = 0; set < 3; set++) {
            sets_with_rows += load_number(bytes + AT_ROWS + 8 * set, 8) != 0;
        }
        free(bytes);
    }
    free(expected);
    circuit_close(&c);
}

void test_prepared(void **state)
{
    (void)state;
    sets_with_rows = 0;
    circuit_for_each(1, check_prepared);
    assert_true(!circuit_is_built(0) || sets_with_rows > 0);
}

/* ---- Damaged files ---- */

/* A key's bytes, which each case alters and gives back; where each section ends, its checksum included. */
typedef struct damage {
    circuit c;
    uint8_t *bytes, *kept;
    size_t size;
    size_t ends[MOST_SECTIONS];
    const char *names[MOST_SECTIONS];
    int sections;
} damage;

static void add_section(damage *d, const char *name, size_t bytes)
{
    const size_t begin = d->sections == 0 ? 0 : d->ends[d->sections - 1];
    d->names[d->sections] = name;
    d->ends[d->sections++] = begin + bytes;
}

static int number_of(const damage *d, const char *name)
{
    for (int i = 0; i < d->sections; i++) {
        if (strcmp(d->names[i], name) == 0) {
            return i;
        }
    }
    test_abort("there is no section %s", name);
}

static size_t begin_of(const damage *d, const char *name)
{
    return d->ends[number_of(d, name) - 1];
}

/* Make the checksum of a section's bytes from `begin` on right. */
static void correct(damage *d, const char *name, size_t begin)
{
    const size_t end = d->ends[number_of(d, name)] - 8;
    store_number(d->bytes + end, checksum_of(d->bytes + begin, end - begin), 8);
}

static void map_sections(damage *d)
{
    static const char *const rows[] = {"rows of A", "rows of B1", "rows of B2"};
    static const char *const tables[] = {"A", "B1", "B2", "C"};
    const size_t g1 = sumac_curve_describe(d->c.info.g1)->point_bytes;
    const size_t g2 = sumac_curve_describe(d->c.info.g2)->point_bytes;
    const size_t wires = (size_t)d->c.info.wires, publics = (size_t)d->c.info.publics;
    const size_t domain = (size_t)d->c.info.domain;
    add_section(d, "header", HEADER_BYTES);
    add_section(d, "verifying key", (publics + 2) * g1 + 3 * g2 + 8);
    for (int i = 0; i < 3; i++) {
        const size_t count = (size_t)load_number(d->bytes + AT_ROWS + 8 * i, 8);
        if (count > 0) {
            add_section(d, rows[i], count * 8 + 8);
        }
    }
    for (int i = 0; i < 2; i++) {
        add_section(d, i == 0 ? "matrix A" : "matrix B",
                    (size_t)load_number(d->bytes + AT_VALUES + 8 * i, 8) * d->c.scalar + (domain + 1) * 8 +
                        (size_t)load_number(d->bytes + AT_TERMS + 8 * i, 8) * 8 + 8);
    }
    for (int i = 0; i < 4; i++) {
        const size_t count = i < 3 ? (size_t)load_number(d->bytes + AT_ROWS + 8 * i, 8) : 0;
        const size_t points = i == 3 ? wires - publics - 1 + domain : count > 0 ? count : wires + 3;
        add_section(d, tables[i], 128 + points * (i == 2 ? g2 : g1) + 8);
    }
    assert_int_equal(d->ends[d->sections - 1], d->size);
}

static void damage_open(damage *d, int i)
{
    *d = (damage){.sections = 0};
    circuit_open(&d->c, i, 1);
    d->kept = save_key(&d->c, 0, &d->size);
    d->bytes = test_alloc(d->size + 1);
    memcpy(d->bytes, d->kept, d->size);
    d->bytes[d->size] = 0;
    map_sections(d);
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

/* All bytes of headers and trailers, and some of the others. */
static int is_tried(const damage *d, size_t at)
{
    int section = 0;
    while (at >= d->ends[section]) {
        section++;
    }
    const size_t begin = section == 0 ? 0 : d->ends[section - 1];
    return at - begin < HEADER_BYTES || d->ends[section] - at <= 16 || (at - begin) % 29 == 0;
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
    for (int i = 0; i < d->sections; i++) {
        refuse_size(d, d->ends[i] - 1, SUMAC_BAD_FILE, "truncated");
        if (i + 1 < d->sections) {
            refuse_size(d, d->ends[i], SUMAC_BAD_FILE, "truncated");
            refuse_size(d, d->ends[i] + 1, SUMAC_BAD_FILE, "truncated");
        }
    }
    refuse_size(d, 8, SUMAC_BAD_FILE, "truncated");
    refuse_size(d, d->size + 1, SUMAC_BAD_FILE, "too long");
}

static void refuse_damage(damage *d, const char *section, size_t from_end, const char *part)
{
    d->bytes[d->ends[number_of(d, section)] - from_end] ^= 1;
    refuse_size(d, d->size, SUMAC_BAD_CHECKSUM, part);
}

static void name_damage(damage *d)
{
    refuse_damage(d, "header", 100, "the header, bytes 0 to 143, is damaged");
    refuse_damage(d, "verifying key", 100, "the verifying key, bytes 144 to ");
    refuse_damage(d, "matrix A", 20, "matrix A, bytes ");
    refuse_damage(d, "matrix B", 1, "matrix B, bytes ");
    refuse_damage(d, "B2", 100, "the points, bytes ");
    refuse_damage(d, "C", 1, "the points, bytes ");
}

/* ---- Numbers that no key has, with checksums that are right ---- */

static void change_header(damage *d, size_t at, uint64_t value, int bytes, sumac_status status,
                          const char *part)
{
    store_number(d->bytes + at, value, bytes);
    store_number(d->bytes + AT_CHECKSUM, checksum_of(d->bytes, AT_CHECKSUM), 8);
    refuse_size(d, d->size, status, part);
}

static void change_headers(damage *d)
{
    const char *numbers = "numbers that no key has";
    const uint64_t wires = d->c.info.wires, domain = d->c.info.domain;
    const uint64_t values = load_number(d->bytes + AT_VALUES, 8), terms = load_number(d->bytes + AT_TERMS, 8);
    change_header(d, AT_VERSION, 1, 4, SUMAC_BAD_FILE, "version 1 at byte 8");
    change_header(d, AT_FLAGS, 4 | 2, 4, SUMAC_BAD_FILE, numbers);
    change_header(d, AT_FLAGS, 0, 4, SUMAC_BAD_FILE, "too long");
    change_header(d, AT_FLAGS, 3, 4, SUMAC_BAD_FILE, numbers); /* with matrices nevertheless */
    change_header(d, AT_CURVE, 'x', 1, SUMAC_UNKNOWN_CURVE, "a prepared key over x");
    change_header(d, AT_CURVE + 31, 'x', 1, SUMAC_UNKNOWN_CURVE, "a prepared key over ");
    change_header(d, AT_WIRES, 0, 4, SUMAC_BAD_FILE, numbers);
    change_header(d, AT_WIRES, wires + 1, 4, SUMAC_BAD_FILE, "truncated");
    change_header(d, AT_WIRES, UINT32_MAX, 4, SUMAC_BAD_FILE, "truncated");
    change_header(d, AT_PUBLICS, wires, 4, SUMAC_BAD_FILE, numbers);
    change_header(d, AT_DOMAIN, 0, 4, SUMAC_BAD_FILE, numbers);
    change_header(d, AT_DOMAIN, domain + 1, 4, SUMAC_BAD_FILE, numbers);
    change_header(d, AT_DOMAIN, UINT64_C(1) << 31, 4, SUMAC_BAD_FILE, "truncated");
    change_header(d, AT_RESERVED, 1, 4, SUMAC_BAD_FILE, numbers);
    for (size_t i = 0; i < 3; i++) {
        change_header(d, AT_ROWS + 8 * i, wires + 4, 8, SUMAC_BAD_FILE, numbers);
        change_header(d, AT_ROWS + 8 * i, UINT64_MAX, 8, SUMAC_BAD_FILE, numbers);
    }
    for (size_t i = 0; i < 2; i++) {
        change_header(d, AT_TERMS + 8 * i, terms << 61, 8, SUMAC_BAD_FILE, numbers);
        change_header(d, AT_VALUES + 8 * i, 1, 8, SUMAC_BAD_FILE, numbers);
        change_header(d, AT_VALUES + 8 * i, UINT64_C(1) << 32, 8, SUMAC_BAD_FILE, numbers);
    }
    change_header(d, AT_VALUES, values + 1, 8, SUMAC_BAD_FILE, "truncated");
    for (size_t i = 0; i < 4; i++) {
        change_header(d, AT_FACTORS + 4 * i, 0, 4, SUMAC_BAD_FILE, "too long");
        change_header(d, AT_FACTORS + 4 * i, UINT32_MAX, 4, SUMAC_BAD_FILE, numbers);
    }
    change_header(d, AT_WIRES, wires - 1, 4, SUMAC_BAD_FILE, "too long");
}

/* A number in a section, whose checksum is made right. */
static void change_number(damage *d, const char *section, size_t offset, uint64_t value, int bytes,
                          const char *part)
{
    const size_t begin = begin_of(d, section);
    store_number(d->bytes + begin + offset, value, bytes);
    correct(d, section, begin);
    refuse_size(d, d->size, SUMAC_BAD_FILE, part);
}

static void change_matrix(damage *d, const char *name, size_t i)
{
    const uint64_t values = load_number(d->bytes + AT_VALUES + 8 * i, 8),
                   terms = load_number(d->bytes + AT_TERMS + 8 * i, 8);
    const size_t starts = (size_t)values * d->c.scalar;
    const size_t at = starts + ((size_t)d->c.info.domain + 1) * 8;
    const char *part = "a number that is out of range";
    change_number(d, name, starts, terms + 1, 8, part);
    change_number(d, name, starts, UINT64_MAX, 8, part);
    change_number(d, name, starts + 16, load_number(d->bytes + begin_of(d, name) + starts + 8, 8) - 1, 8,
                  part);
    change_number(d, name, at - 8, terms - 1, 8, part);
    change_number(d, name, at - 8, terms + 1, 8, part);
    change_number(d, name, at, d->c.info.wires, 4, part);
    change_number(d, name, at, UINT32_MAX, 4, part);
    change_number(d, name, at + 4, values, 4, part);
    change_number(d, name, at + (size_t)terms * 8 - 4, UINT32_MAX, 4, part);
    change_number(d, name, d->c.scalar - 8, UINT64_MAX, 8, part);
}

static void change_rows(damage *d)
{
    for (int i = 1; i < d->sections; i++) {
        if (strncmp(d->names[i], "rows", 4) == 0) {
            change_number(d, d->names[i], 0, d->c.info.wires + 3, 8, "out of range");
            change_number(d, d->names[i], 8, UINT64_MAX, 8, "out of range");
            change_number(d, d->names[i], d->ends[i] - d->ends[i - 1] - 16, UINT64_C(1) << 63, 8,
                          "out of range");
        }
    }
}

/* A table's own header says something else than the key's. */
static void change_table(damage *d, const char *name, size_t offset, uint64_t value, int bytes,
                         sumac_status status, const char *part)
{
    uint8_t *header = d->bytes + begin_of(d, name);
    store_number(header + offset, value, bytes);
    store_number(header + 120, checksum_of(header, 120), 8);
    refuse_size(d, d->size, status, part);
}

static void change_tables(damage *d)
{
    static const char *const names[] = {"A", "B1", "B2", "C"};
    for (int i = 0; i < 4; i++) {
        const uint64_t count = load_number(d->bytes + begin_of(d, names[i]) + 56, 8);
        change_table(d, names[i], 56, count + 1, 8, SUMAC_BAD_FILE, "truncated");
        change_table(d, names[i], 56, count - 1, 8, SUMAC_BAD_FILE, "too long");
        change_table(d, names[i], 49, i == 2 ? '1' : '2', 1, SUMAC_MISMATCH, "is expected");
        change_table(d, names[i], 16, 'x', 1, SUMAC_UNKNOWN_CURVE, "a table of x");
    }
}

/* Points that the checksums are of, but not on the curve: told where points are checked. */
static void change_points(damage *d)
{
    static const char *const names[] = {"verifying key", "A", "B1", "B2", "C"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t begin = begin_of(d, names[i]) + (i == 0 ? 0 : 128);
        sumac_groth16_key *key;
        d->bytes[begin] ^= 1;
        correct(d, names[i], begin);
        test_status(d->c.context, sumac_groth16_key_create(d->c.context, d->bytes, d->size, NULL, &key),
                    SUMAC_NOT_ON_CURVE, names[i]);
        assert_null(key);
        memcpy(d->bytes, d->kept, d->size);
    }
}

static void check_bad_prepared(int i)
{
    damage d;
    damage_open(&d, i);
    flip_bytes(&d);
    cut(&d);
    name_damage(&d);
    change_headers(&d);
    change_matrix(&d, "matrix A", 0);
    change_matrix(&d, "matrix B", 1);
    change_rows(&d);
    change_tables(&d);
    change_points(&d);
    damage_close(&d);
}

void test_bad_prepared(void **state)
{
    (void)state;
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

static sumac_status create_again(void *argument)
{
    const scene *s = argument;
    sumac_groth16_key *key;
    const sumac_status status = sumac_groth16_key_create(s->c.context, s->bytes, s->size, NULL, &key);
    assert_int_equal(status == SUMAC_OK, key != NULL);
    sumac_groth16_key_destroy(key);
    return status;
}

void test_prepared_memory(void **state)
{
    scene s;
    (void)state;
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
        check_allocations(s.c.context, "key_save", save_again, &s);
        check_allocations(s.c.context, "key_create", create_again, &s);
    }
    free(s.bytes);
    circuit_close(&s.c);
}

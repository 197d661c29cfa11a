/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_groth16.c: it tests files in which one thing at a time is damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "parts.h"
#include "base/try.h"
#include "sumac/kzg.h"

enum { HEAD = SECTION_HEAD };

/* This has a file's bytes, which each case changes and restores. */
typedef struct altered {
    circuit c;
    char path[64]; /* for functions that open a file by its path */
    uint8_t *bytes, *kept;
    size_t size;
} altered;

static void altered_open(altered *f, int i, const char *file)
{
    circuit_open(&f->c, i, 1);
    f->kept = circuit_read(f->c.name, file, &f->size);
    f->bytes = test_alloc(f->size + 1);
    memcpy(f->bytes, f->kept, f->size + 1); /* the length includes the zero that follows */
    snprintf(f->path, sizeof f->path, "/tmp/sumac-groth16-%ld", (long)getpid());
}

static void altered_close(altered *f)
{
    unlink(f->path);
    free(f->bytes);
    free(f->kept);
    circuit_close(&f->c);
}

/* This type of function reads the bytes, and requires this status and a message that contains `part`. */
typedef void refusal(altered *f, size_t size, sumac_status status, const char *part);

/* This is a wrong number of four bytes. It is `at` bytes after the beginning of a section, or of the file if the
 * section is 0. */
typedef struct change {
    uint32_t section;
    size_t at;
    uint64_t value;
    sumac_status status;
    const char *part;
} change;

static uint8_t *section(const altered *f, uint32_t type)
{
    return f->bytes + (type == 0 ? 0 : find_section(f->bytes, f->size, type));
}

static void refuse_changes(altered *f, refusal *refuse, const change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        file_store(section(f, changes[i].section) + changes[i].at, changes[i].value, 4);
        refuse(f, f->size, changes[i].status, changes[i].part);
    }
}

#define REFUSE_CHANGES(f, refuse, ...)                                                                       \
    refuse_changes(f, refuse, (const change[]){__VA_ARGS__},                                                 \
                   sizeof(const change[]){__VA_ARGS__} / sizeof(change))

/* ---- Keys ---- */

static void refuse_check(altered *d, size_t size, sumac_check check, sumac_status status, const char *part)
{
    sumac_groth16_key *key = NULL;
    sumac_groth16_key_config config = {.size = sizeof config};
    config.check = check;
    test_sentence(d->c.context, sumac_groth16_key_create(d->c.context, d->bytes, size, &config, &key), status,
                  part);
    assert_null(key);
    memcpy(d->bytes, d->kept, d->size);
}

static void refuse_key(altered *d, size_t size, sumac_status status, const char *part)
{
    refuse_check(d, size, SUMAC_CHECK_SUBGROUP, status, part);
}

/* Cut the file off before, within and after each section's head. */
static void cut(altered *d)
{
    for (size_t at = HEAD; at < d->size; at += HEAD + file_load(d->bytes + at + 4, 8)) {
        refuse_key(d, at, SUMAC_BAD_FILE, "truncated");
        refuse_key(d, at + 5, SUMAC_BAD_FILE, "truncated");
        if (file_load(d->bytes + at + 4, 8) > 0) {
            refuse_key(d, at + HEAD, SUMAC_BAD_FILE, "truncated");
        }
    }
    refuse_key(d, 0, SUMAC_BAD_FILE, "truncated");
    refuse_key(d, d->size - 1, SUMAC_BAD_FILE, "truncated");
    refuse_key(d, d->size + 1, SUMAC_BAD_FILE, "too long");
}

static void damage_sections(altered *d)
{
    char part[64];
    for (uint32_t type = 1; type <= 9; type++) {
        snprintf(part, sizeof part, "section %u (", (unsigned)type);
        REFUSE_CHANGES(d, refuse_key, {type, 0, 77, SUMAC_BAD_FILE, part},
                       {type, 0, type % 9 + 1, SUMAC_BAD_FILE, "twice"});
    }
    file_store(section(d, 3), 99, 4);
    file_store(section(d, 9), 3, 4);
    REFUSE_CHANGES(d, refuse_key, {99, 0, 9, SUMAC_BAD_FILE, "section 3 (IC), at byte"},
                   {0, 0, 'x', SUMAC_BAD_FILE, "it does not begin as a .zkey file"},
                   {0, 4, 2, SUMAC_BAD_FILE, "version 2 at byte 4"},
                   {0, 8, 1000, SUMAC_BAD_FILE, "1000 sections"}, {0, 8, 9, SUMAC_BAD_FILE, "too long"});
    memset(section(d, 5) + 4, 0xff, 8);
    refuse_key(d, d->size, SUMAC_BAD_FILE, "truncated");
}

static void damage_header(altered *d)
{
    const size_t field = d->c.info.g1->field_bytes, g1 = 2 * field, g2 = 4 * field;
    const size_t scalars = HEAD + 4 + field, numbers = scalars + 4 + d->c.scalar;
    const uint64_t wires = d->c.info.wires, publics = d->c.info.publics, domain = d->c.info.domain;
    for (int i = 0; i < 2; i++) {
        section(d, 2)[i == 0 ? HEAD + 4 : scalars + 4] ^= 2;
        refuse_key(d, d->size, SUMAC_UNKNOWN_CURVE, "primes");
    }
    REFUSE_CHANGES(d, refuse_key, {1, HEAD, 2, SUMAC_BAD_FILE, "PLONK"},
                   {2, HEAD, 0, SUMAC_BAD_FILE, "section 2 (header)"},
                   {2, HEAD, 0xfffffff8, SUMAC_BAD_FILE, "section 2 (header)"},
                   {2, scalars, 40, SUMAC_BAD_FILE, "section 2 (header)"},
                   {2, numbers, wires + 1, SUMAC_BAD_FILE, "section 5 (A), at byte"},
                   {2, numbers, 0xffffffff, SUMAC_BAD_FILE, "section 5 (A), at byte"},
                   {2, numbers + 4, publics + 1, SUMAC_BAD_FILE, "section 3 (IC), at byte"},
                   {2, numbers + 4, wires, SUMAC_BAD_FILE, "public inputs"},
                   {2, numbers + 8, domain + 1, SUMAC_BAD_FILE, "power of two"},
                   {2, numbers + 8, 2 * domain, SUMAC_BAD_FILE, "section 9 (H), at byte"});
    /* The points are alpha1, beta1, beta2, gamma2, delta1, delta2. */
    const size_t points[] = {0, g1, 2 * g1, 2 * g1 + g2, 2 * g1 + 2 * g2, 3 * g1 + 2 * g2};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        section(d, 2)[numbers + 12 + points[i]] ^= 1;
        refuse_key(d, d->size, SUMAC_NOT_ON_CURVE, "section 2 (header)");
    }
}

static void damage_points(altered *d)
{
    static const struct {
        uint32_t type;
        const char *part;
    } sections[] = {{3, "section 3 (IC), at byte"}, {5, "section 5 (A), at byte"},
                    {6, "section 6 (B1), at byte"}, {7, "section 7 (B2), at byte"},
                    {8, "section 8 (C), at byte"},  {9, "section 9 (H), at byte"}};
    const size_t field = d->c.info.g1->field_bytes;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        /* The first base is changed. If it was infinity, it becomes an invalid point. */
        section(d, sections[i].type)[HEAD] ^= 1;
        refuse_key(d, d->size, SUMAC_NOT_ON_CURVE, sections[i].part);
        memset(section(d, sections[i].type) + HEAD, 0xff, field);
        refuse_key(d, d->size, SUMAC_BAD_ENCODING, sections[i].part);
        memset(section(d, sections[i].type) + HEAD, 0xff, field);
        refuse_check(d, d->size, SUMAC_CHECK_NONE, SUMAC_BAD_ENCODING, sections[i].part);
    }
}

/* Write a point outside the subgroup `at` bytes after a section's head, and require that it is refused. */
static void refuse_outside(altered *d, uint32_t type, size_t at, const sumac_group *group, const char *part)
{
    store_outside_point(group, section(d, type) + HEAD + at);
    refuse_key(d, d->size, SUMAC_NOT_IN_SUBGROUP, part);
}

static void leave_subgroup(altered *d)
{
    const sumac_group *info = d->c.info.g1;
    if (info->cofactor_is_one == 0) {
        const size_t g1 = info->point_bytes, beta1 = 5 * 4 + info->field_bytes + d->c.scalar + g1;
        refuse_outside(d, 5, 0, d->c.info.g1, "section 5 (A), at byte");
        refuse_outside(d, 9, 0, d->c.info.g1, "section 9 (H), at byte");
        refuse_outside(d, 2, beta1, d->c.info.g1, "section 2 (header): beta1");
        refuse_outside(d, 2, beta1 + g1 + 2 * 2 * g1, d->c.info.g1, "section 2 (header): beta1 or delta1");
    }
    refuse_outside(d, 7, 0, d->c.info.g2, "section 7 (B2), at byte");
}

static void damage_coefficients(altered *d)
{
    const size_t first = HEAD + 4, second = first + 12 + d->c.scalar;
    const uint64_t counts[] = {0, d->c.info.coefficients + 1, 0xffffffff};
    REFUSE_CHANGES(d, refuse_key, {4, second, 2, SUMAC_BAD_FILE, "coefficient 1 has no matrix"},
                   {4, second + 4, d->c.info.domain, SUMAC_BAD_FILE, "coefficient 1 has a row"},
                   {4, first + 8, d->c.info.wires, SUMAC_BAD_FILE, "coefficient 0 has a wire"});
    memset(section(d, 4) + second + 12, 0xff, d->c.scalar);
    refuse_key(d, d->size, SUMAC_BAD_ENCODING, "section 4 (coefficients), at byte");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char part[80];
        snprintf(part, sizeof part, "it has %u coefficients, and by its size %u", (unsigned)counts[i],
                 (unsigned)d->c.info.coefficients);
        REFUSE_CHANGES(d, refuse_key, {4, HEAD, counts[i], SUMAC_BAD_FILE, part});
    }
}

static void check_bad_key(int i)
{
    CLEANUP(altered_close) altered d = {0};
    altered_open(&d, i, "key.zkey");
    cut(&d);
    damage_sections(&d);
    damage_header(&d);
    damage_points(&d);
    leave_subgroup(&d);
    damage_coefficients(&d);
}

void test_bad_keys(void)
{
    circuit_for_each(2, check_bad_key);
}

/* ---- Witnesses and circuits ---- */

static void refuse_witness(altered *f, size_t size, sumac_status status, const char *part)
{
    void *witness = f;
    size_t witness_bytes;
    test_write_file(f->path, f->bytes, size);
    test_sentence(f->c.context, test_witness_open(f->c.context, f->c.key, f->path, &witness), status, part);
    assert_null(witness);
    witness = f;
    test_sentence(
        f->c.context,
        sumac_groth16_witness_create(f->c.context, f->c.key, f->bytes, size, &witness, &witness_bytes),
        status, part == f->path ? "the witness in memory" : part);
    assert_null(witness);
    memcpy(f->bytes, f->kept, f->size);
}

void test_bad_witness_files(void)
{
    CLEANUP(altered_close) altered f = {0};
    altered_open(&f, circuit_first(), "witness.wtns");
    const uint64_t wires = f.c.info.wires;
    const size_t values = find_section(f.bytes, f.size, 2);
    refuse_witness(&f, 0, SUMAC_BAD_FILE, f.path);
    refuse_witness(&f, 11, SUMAC_BAD_FILE, "truncated");
    refuse_witness(&f, values, SUMAC_BAD_FILE, "truncated");
    refuse_witness(&f, f.size - 1, SUMAC_BAD_FILE, "truncated");
    refuse_witness(&f, f.size + 1, SUMAC_BAD_FILE, "too long");
    REFUSE_CHANGES(&f, refuse_witness, {0, 0, 'w', SUMAC_BAD_FILE, "it does not begin as a .wtns file"},
                   {0, 4, 1, SUMAC_BAD_FILE, "version 1"}, {2, 0, 1, SUMAC_BAD_FILE, "twice"},
                   {2, 0, 3, SUMAC_BAD_FILE, "section 2 (values) is missing"},
                   {1, HEAD, 24, SUMAC_BAD_FILE, "section 1 (header)"},
                   {1, HEAD + 4 + f.c.scalar, wires - 1, SUMAC_BAD_LENGTH, "wires"});
    section(&f, 1)[HEAD + 4] ^= 2;
    refuse_witness(&f, f.size, SUMAC_MISMATCH, "another prime");
    memset(f.bytes + values + HEAD + 3 * f.c.scalar, 0xff, f.c.scalar);
    refuse_witness(&f, f.size, SUMAC_BAD_ENCODING, "wire 3 is not less than r");
}

static void refuse_circuit(altered *f, size_t size, sumac_status status, const char *part)
{
    test_write_file(f->path, f->bytes, size);
    test_sentence(f->c.context, test_witness_check(f->c.context, f->c.key, f->c.witness, f->path), status,
                  part);
    memcpy(f->bytes, f->kept, f->size);
}

void test_bad_circuits(void)
{
    CLEANUP(altered_close) altered f = {0};
    const int i = circuit_first();
    altered_open(&f, i, "circuit.r1cs");
    const size_t scalar = f.c.scalar, numbers = HEAD + 4 + scalar;
    const uint64_t wires = f.c.info.wires, constraints = file_load(section(&f, 1) + numbers + 24, 4);
    uint8_t *value = section(&f, 2) + HEAD + 8; /* the first value */
    refuse_circuit(&f, f.size - 1, SUMAC_BAD_FILE, "truncated");
    refuse_circuit(&f, f.size + 1, SUMAC_BAD_FILE, "too long");
    section(&f, 1)[HEAD + 4] ^= 2;
    refuse_circuit(&f, f.size, SUMAC_UNKNOWN_CURVE, "primes");
    REFUSE_CHANGES(
        &f, refuse_circuit, {0, 0, 'x', SUMAC_BAD_FILE, "it does not begin as a .r1cs file"},
        {2, 0, 17, SUMAC_BAD_FILE, "section 2 (constraints) is missing"},
        {1, numbers, wires + 1, SUMAC_BAD_FILE, "section 3 (wires)"},
        {1, numbers + 4, wires, SUMAC_BAD_FILE, "outputs"}, {1, numbers + 4, 0, SUMAC_MISMATCH, "public"},
        {1, numbers + 24, constraints + 1, SUMAC_BAD_FILE, "ends at byte"},
        {1, numbers + 24, constraints - 1, SUMAC_BAD_FILE, "too long"},
        /* More bytes are then read as terms. One circuit's first bad number is a coefficient, and the other circuit's
         * first bad number is a wire. */
        {2, HEAD, 0xffffffff, i == 0 ? SUMAC_BAD_ENCODING : SUMAC_BAD_FILE, "section 2 (constraints)"},
        {2, HEAD + 4, wires, SUMAC_BAD_FILE, "wire 6, where there are 6"});
    memset(value, 0xff, scalar);
    refuse_circuit(&f, f.size, SUMAC_BAD_ENCODING, "constraint 0");
    memset(value, 3, 1 + scalar / 2);
    memset(value + scalar / 2, 0, scalar / 2);
    refuse_circuit(&f, f.size, SUMAC_NOT_SATISFIED, "constraint 0 of 2");
}

/* ---- Long paths ---- */

enum { LONG_PATH = 2048 };

/* Return 1 if no character is cut in two. */
static int is_utf8(const char *text)
{
    while (*text != '\0') {
        const unsigned char first = (unsigned char)*text++;
        const int more = first < 0x80 ? 0 : (first & 0xe0) == 0xc0 ? 1 : (first & 0xf0) == 0xe0 ? 2 : -1;
        for (int i = 0; i < more; i++) {
            if (((unsigned char)*text++ & 0xc0) != 0x80) {
                return 0;
            }
        }
        if (more < 0) {
            return 0;
        }
    }
    return 1;
}

/* Check that the message begins as the path does, and ends with the whole reason. */
static void expect_reason(const sumac_context *context, sumac_status status, sumac_status expected,
                          const char *path, const char *reason)
{
    const char *message = sumac_context_message(context);
    test_sentence(context, status, expected, reason);
    if (strncmp(message, path, 60) != 0 || strcmp(message + strlen(message) - strlen(reason), reason) != 0 ||
        strstr(message, "...") == NULL || !is_utf8(message)) {
        test_abort("\"%s\" is no sentence about %s", message, path);
    }
}

/* Messages are about a directory, and about files that do not exist. The names of these files have characters of one,
 * two and three bytes, and are cut at each byte of a character. */
static void check_unopened(const circuit *c, const char *directory)
{
    void *witness;
    sumac_bases *bases;
    expect_reason(c->context, test_witness_open(c->context, c->key, directory, &witness), SUMAC_CANNOT_OPEN,
                  directory, ": cannot open: Is a directory");
    expect_reason(c->context, sumac_groth16_key_save(c->context, c->key, directory), SUMAC_CANNOT_OPEN,
                  directory, ": cannot write: Is a directory");
    for (int shift = 0; shift < 9; shift++) {
        char absent[LONG_PATH];
        int end = snprintf(absent, sizeof absent, "/tmp/%.*s", shift, "yyyyyyyyy");
        for (int i = 1; i <= 200; i++) {
            end += snprintf(absent + end, sizeof absent - (size_t)end, "x\xc3\xa9\xe2\x82\xac%s",
                            i % 25 == 0 ? "/" : "");
        }
        expect_reason(c->context,
                      sumac_bases_open(c->context, c->info.g1, absent, "raw", 0, SUMAC_ALL, NULL, &bases),
                      SUMAC_CANNOT_OPEN, absent, ": cannot open: No such file or directory");
    }
}

/* These messages are about damaged files. Some messages are put together from parts. */
static void check_damaged(const circuit *c, const char *path)
{
    size_t size;
    char reason[160];
    sumac_groth16_key *key;
    sumac_groth16_verifying_key *verifying;
    sumac_kzg_setup *setup;
    AUTO_FREE uint8_t *bytes = circuit_read(c->name, "key.zkey", &size);
    uint8_t *points = bytes + find_section(bytes, size, 5) + HEAD;
    points[0] ^= 1;
    test_write_file(path, bytes, size);
    snprintf(reason, sizeof reason, ": section 5 (A), at byte %zu: point 0: a point is not on the curve",
             (size_t)(points - bytes));
    expect_reason(c->context, sumac_groth16_key_open(c->context, path, NULL, &key), SUMAC_NOT_ON_CURVE, path,
                  reason);
    test_write_file(path, "{", 1);
    expect_reason(c->context, sumac_groth16_verifying_key_open(c->context, path, &verifying), SUMAC_BAD_FILE,
                  path, ": no JSON from byte 1 on");
    if (circuit_is_built(2)) {
        test_write_file(path, "4096\n65\nxyz\n", 12);
        expect_reason(c->context, sumac_kzg_open(c->context, path, NULL, &setup), SUMAC_BAD_FILE, path,
                      "do not hold the 4096 and 65 points of lines 1 and 2");
    }
    unlink(path);
}

/* However long a path is, the message contains the reason. */
void test_long_paths(void)
{
    CLEANUP(circuit_close) circuit c = {0};
    char path[LONG_PATH] = "/tmp/";
    sumac_bases *bases;
    circuit_open(&c, circuit_first(), 1);
    for (size_t end = strlen(path); end < 1000; end += 2) {
        memcpy(path + end, "./", 3);
    }
    check_unopened(&c, path);
    snprintf(path + strlen(path), 64, "sumac-groth16-long-%ld", (long)getpid());
    check_damaged(&c, path);
    AUTO_FREE char *huge = test_alloc(100001);
    memset(huge, 'z', 100000);
    huge[100000] = '\0';
    expect_reason(c.context, sumac_bases_open(c.context, c.info.g1, huge, "raw", 0, SUMAC_ALL, NULL, &bases),
                  SUMAC_CANNOT_OPEN, huge, ": cannot open: File name too long");
}

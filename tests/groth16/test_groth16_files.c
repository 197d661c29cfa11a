/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_groth16.c: files that are damaged, one thing at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "circuits.h"
#include "parts.h"
#include "sumac/kzg.h"

enum { HEAD = 12 /* of a file, and of a section */ };

static uint32_t load32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

/* Where a section's head is; sizes are below 2^32 here. */
static size_t find_section(const uint8_t *bytes, size_t size, uint32_t type)
{
    for (size_t at = HEAD; at < size; at += HEAD + load32(bytes + at + 4)) {
        if (load32(bytes + at) == type) {
            return at;
        }
    }
    test_abort("there is no section %u", (unsigned)type);
}

/* A key's bytes, which each case alters and gives back. */
typedef struct damage {
    circuit c;
    uint8_t *bytes, *kept;
    size_t size;
    size_t field, g1, g2; /* bytes */
} damage;

static void refuse_check(damage *d, size_t size, sumac_check check, sumac_status status, const char *part)
{
    sumac_groth16_key *key = NULL;
    sumac_groth16_key_config config = sumac_groth16_key_config_default();
    config.check = check;
    test_sentence(d->c.context, sumac_groth16_key_create(d->c.context, d->bytes, size, &config, &key), status,
                  part);
    assert_null(key);
    memcpy(d->bytes, d->kept, d->size);
}

static void refuse(damage *d, sumac_status status, const char *part)
{
    refuse_check(d, d->size, SUMAC_CHECK_SUBGROUP, status, part);
}

static uint8_t *section(const damage *d, uint32_t type)
{
    return d->bytes + find_section(d->bytes, d->size, type);
}

/* Cut off at each section's head, in it, and behind it. */
static void cut(damage *d)
{
    for (size_t at = HEAD; at < d->size; at += HEAD + load32(d->bytes + at + 4)) {
        refuse_check(d, at, SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "truncated");
        refuse_check(d, at + 5, SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "truncated");
        if (load32(d->bytes + at + 4) > 0) {
            refuse_check(d, at + HEAD, SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "truncated");
        }
    }
    refuse_check(d, 0, SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "truncated");
    refuse_check(d, d->size - 1, SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "truncated");
    refuse_check(d, d->size + 1, SUMAC_CHECK_SUBGROUP, SUMAC_BAD_FILE, "too long");
}

static void damage_sections(damage *d)
{
    char part[64];
    for (uint32_t type = 1; type <= 9; type++) {
        store32(section(d, type), 77);
        snprintf(part, sizeof part, "section %u (", (unsigned)type);
        refuse(d, SUMAC_BAD_FILE, part);
        store32(section(d, type), type % 9 + 1);
        refuse(d, SUMAC_BAD_FILE, "twice");
    }
    store32(section(d, 3), 99);
    store32(section(d, 9), 3);
    store32(section(d, 99), 9);
    refuse(d, SUMAC_BAD_FILE, "section 3 (IC), at byte");
    d->bytes[0] = 'x';
    refuse(d, SUMAC_BAD_FILE, "it does not begin as a .zkey file");
    store32(d->bytes + 4, 2);
    refuse(d, SUMAC_BAD_FILE, "version 2 at byte 4");
    store32(d->bytes + 8, 1000);
    refuse(d, SUMAC_BAD_FILE, "1000 sections");
    store32(d->bytes + 8, 9);
    refuse(d, SUMAC_BAD_FILE, "too long");
    memset(section(d, 5) + 4, 0xff, 8);
    refuse(d, SUMAC_BAD_FILE, "truncated");
}

static void damage_header(damage *d)
{
    const size_t scalars = HEAD + 4 + d->field, numbers = scalars + 4 + d->c.scalar;
    store32(section(d, 1) + HEAD, 2);
    refuse(d, SUMAC_BAD_FILE, "PLONK");
    section(d, 2)[HEAD + 4] ^= 2;
    refuse(d, SUMAC_UNKNOWN_CURVE, "primes");
    section(d, 2)[scalars + 4] ^= 2;
    refuse(d, SUMAC_UNKNOWN_CURVE, "primes");
    store32(section(d, 2) + HEAD, 0);
    refuse(d, SUMAC_BAD_FILE, "section 2 (header)");
    store32(section(d, 2) + HEAD, 0xfffffff8);
    refuse(d, SUMAC_BAD_FILE, "section 2 (header)");
    store32(section(d, 2) + scalars, 40);
    refuse(d, SUMAC_BAD_FILE, "section 2 (header)");
    store32(section(d, 2) + numbers, (uint32_t)d->c.info.wires + 1);
    refuse(d, SUMAC_BAD_FILE, "section 5 (A), at byte");
    store32(section(d, 2) + numbers, 0xffffffff);
    refuse(d, SUMAC_BAD_FILE, "section 5 (A), at byte");
    store32(section(d, 2) + numbers + 4, (uint32_t)d->c.info.publics + 1);
    refuse(d, SUMAC_BAD_FILE, "section 3 (IC), at byte");
    store32(section(d, 2) + numbers + 4, (uint32_t)d->c.info.wires);
    refuse(d, SUMAC_BAD_FILE, "public inputs");
    store32(section(d, 2) + numbers + 8, (uint32_t)d->c.info.domain + 1);
    refuse(d, SUMAC_BAD_FILE, "power of two");
    store32(section(d, 2) + numbers + 8, 2 * (uint32_t)d->c.info.domain);
    refuse(d, SUMAC_BAD_FILE, "section 9 (H), at byte");
    /* alpha1, beta1, beta2, gamma2, delta1, delta2 */
    const size_t points[] = {
        0, d->g1, 2 * d->g1, 2 * d->g1 + d->g2, 2 * d->g1 + 2 * d->g2, 3 * d->g1 + 2 * d->g2};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        section(d, 2)[numbers + 12 + points[i]] ^= 1;
        refuse(d, SUMAC_NOT_ON_CURVE, "section 2 (header)");
    }
}

static void damage_points(damage *d)
{
    static const struct {
        uint32_t type;
        const char *part;
    } sections[] = {{3, "section 3 (IC), at byte"}, {5, "section 5 (A), at byte"},
                    {6, "section 6 (B1), at byte"}, {7, "section 7 (B2), at byte"},
                    {8, "section 8 (C), at byte"},  {9, "section 9 (H), at byte"}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        /* The first base: where it is infinity, it is none then. */
        section(d, sections[i].type)[HEAD] ^= 1;
        refuse(d, SUMAC_NOT_ON_CURVE, sections[i].part);
        memset(section(d, sections[i].type) + HEAD, 0xff, d->field);
        refuse(d, SUMAC_BAD_ENCODING, sections[i].part);
        memset(section(d, sections[i].type) + HEAD, 0xff, d->field);
        refuse_check(d, d->size, SUMAC_CHECK_NONE, SUMAC_BAD_ENCODING, sections[i].part);
    }
}

/* In a section, from a byte on, a point of the curve that is none of the group's, where there are such. */
static void put_outside_point(damage *d, uint32_t type, size_t at, const sumac_curve *curve)
{
    oracle o;
    oracle_point point;
    gmp_randstate_t random;
    uint8_t raw[512];
    const sumac_curve_info *info = sumac_curve_describe(curve);
    gmp_randinit_default(random);
    oracle_init(&o, curve);
    oracle_point_init(&point);
    oracle_random_curve_point(&o, &point, random);
    oracle_point_to_affine(&o, raw, &point); /* as the CPU has them: Montgomery form */
    memcpy(section(d, type) + HEAD + at, raw, info->point_bytes);
    oracle_point_clear(&point);
    oracle_clear(&o);
    gmp_randclear(random);
}

static void leave_subgroup(damage *d)
{
    if (sumac_curve_describe(d->c.info.g1)->cofactor_is_one == 0) {
        const size_t beta1 = 5 * 4 + d->field + d->c.scalar + d->g1, delta1 = beta1 + d->g1 + 2 * d->g2;
        put_outside_point(d, 5, 0, d->c.info.g1);
        refuse(d, SUMAC_NOT_IN_SUBGROUP, "section 5 (A), at byte");
        put_outside_point(d, 9, 0, d->c.info.g1);
        refuse(d, SUMAC_NOT_IN_SUBGROUP, "section 9 (H), at byte");
        put_outside_point(d, 2, beta1, d->c.info.g1);
        refuse(d, SUMAC_NOT_IN_SUBGROUP, "section 2 (header): beta1");
        put_outside_point(d, 2, delta1, d->c.info.g1);
        refuse(d, SUMAC_NOT_IN_SUBGROUP, "section 2 (header): beta1 or delta1");
    }
    put_outside_point(d, 7, 0, d->c.info.g2);
    refuse(d, SUMAC_NOT_IN_SUBGROUP, "section 7 (B2), at byte");
}

static void damage_coefficients(damage *d)
{
    const size_t first = HEAD + 4, second = first + 12 + d->c.scalar;
    store32(section(d, 4) + second, 2);
    refuse(d, SUMAC_BAD_FILE, "coefficient 1 has no matrix");
    store32(section(d, 4) + second + 4, (uint32_t)d->c.info.domain);
    refuse(d, SUMAC_BAD_FILE, "coefficient 1 has a row");
    store32(section(d, 4) + first + 8, (uint32_t)d->c.info.wires);
    refuse(d, SUMAC_BAD_FILE, "coefficient 0 has a wire");
    memset(section(d, 4) + second + 12, 0xff, d->c.scalar);
    refuse(d, SUMAC_BAD_ENCODING, "section 4 (coefficients), at byte");
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t counts[] = {0, (uint32_t)d->c.info.coefficients + 1, 0xffffffff};
        char part[80];
        store32(section(d, 4) + HEAD, counts[i]);
        snprintf(part, sizeof part, "it has %u coefficients, and by its size %u", (unsigned)counts[i],
                 (unsigned)d->c.info.coefficients);
        refuse(d, SUMAC_BAD_FILE, part);
    }
}

void test_bad_keys(void **state)
{
    (void)state;
    for (int i = 0; i < CIRCUITS; i += 2) { /* the tiny ones */
        damage d;
        char path[CIRCUIT_PATH_BYTES];
        if (!circuit_is_built(i)) {
            continue;
        }
        circuit_open(&d.c, i, 1);
        d.kept = test_read_file(circuit_path(d.c.name, "key.zkey", path), &d.size);
        d.bytes = test_alloc(d.size + 1);
        d.bytes[d.size] = 0;
        memcpy(d.bytes, d.kept, d.size);
        d.field = sumac_curve_describe(d.c.info.g1)->field_bytes;
        d.g1 = 2 * d.field;
        d.g2 = 4 * d.field;
        cut(&d);
        damage_sections(&d);
        damage_header(&d);
        damage_points(&d);
        leave_subgroup(&d);
        damage_coefficients(&d);
        free(d.bytes);
        free(d.kept);
        circuit_close(&d.c);
    }
}

/* ---- Witnesses and circuits: files ---- */

typedef struct altered_file {
    circuit c;
    char path[64];
    uint8_t *bytes, *kept;
    size_t size;
} altered_file;

static void open_altered(altered_file *f, int i, const char *file)
{
    char path[CIRCUIT_PATH_BYTES];
    circuit_open(&f->c, i, 1);
    f->kept = test_read_file(circuit_path(f->c.name, file, path), &f->size);
    f->bytes = test_alloc(f->size + 1);
    f->bytes[f->size] = 0;
    memcpy(f->bytes, f->kept, f->size);
    snprintf(f->path, sizeof f->path, "/tmp/sumac-groth16-%ld", (long)getpid());
}

static void close_altered(altered_file *f)
{
    unlink(f->path);
    free(f->bytes);
    free(f->kept);
    circuit_close(&f->c);
}

static void refuse_witness(altered_file *f, size_t size, sumac_status status, const char *part)
{
    void *witness = f;
    test_write_file(f->path, f->bytes, size);
    test_sentence(f->c.context, sumac_groth16_witness_open(f->c.context, f->c.key, f->path, &witness), status,
                  part);
    assert_null(witness);
    witness = f;
    test_sentence(f->c.context,
                  sumac_groth16_witness_create(f->c.context, f->c.key, f->bytes, size, &witness), status,
                  part == f->path ? "the witness in memory" : part);
    assert_null(witness);
    memcpy(f->bytes, f->kept, f->size);
}

void test_bad_witness_files(void **state)
{
    (void)state;
    altered_file f;
    const int i = circuit_is_built(0) ? 0 : 2;
    if (!circuit_is_built(i)) {
        skip();
    }
    open_altered(&f, i, "witness.wtns");
    const size_t header = find_section(f.bytes, f.size, 1), values = find_section(f.bytes, f.size, 2);
    refuse_witness(&f, 0, SUMAC_BAD_FILE, f.path);
    refuse_witness(&f, 11, SUMAC_BAD_FILE, "truncated");
    refuse_witness(&f, values, SUMAC_BAD_FILE, "truncated");
    refuse_witness(&f, f.size - 1, SUMAC_BAD_FILE, "truncated");
    refuse_witness(&f, f.size + 1, SUMAC_BAD_FILE, "too long");
    f.bytes[1] = 'T';
    refuse_witness(&f, f.size, SUMAC_BAD_FILE, "it does not begin as a .wtns file");
    store32(f.bytes + 4, 1);
    refuse_witness(&f, f.size, SUMAC_BAD_FILE, "version 1");
    store32(f.bytes + values, 1);
    refuse_witness(&f, f.size, SUMAC_BAD_FILE, "twice");
    store32(f.bytes + values, 3);
    refuse_witness(&f, f.size, SUMAC_BAD_FILE, "section 2 (values) is missing");
    f.bytes[header + HEAD + 4] ^= 2;
    refuse_witness(&f, f.size, SUMAC_MISMATCH, "another prime");
    store32(f.bytes + header + HEAD, 24);
    refuse_witness(&f, f.size, SUMAC_BAD_FILE, "section 1 (header)");
    store32(f.bytes + header + HEAD + 4 + f.c.scalar, (uint32_t)f.c.info.wires - 1);
    refuse_witness(&f, f.size, SUMAC_BAD_LENGTH, "wires");
    memset(f.bytes + values + HEAD + 3 * f.c.scalar, 0xff, f.c.scalar);
    refuse_witness(&f, f.size, SUMAC_BAD_ENCODING, "wire 3 is not less than r");
    close_altered(&f);
}

static void refuse_circuit(altered_file *f, size_t size, sumac_status status, const char *part)
{
    test_write_file(f->path, f->bytes, size);
    test_sentence(f->c.context, sumac_groth16_witness_check(f->c.context, f->c.key, f->c.witness, f->path),
                  status, part);
    memcpy(f->bytes, f->kept, f->size);
}

void test_bad_circuits(void **state)
{
    (void)state;
    altered_file f;
    const int i = circuit_is_built(0) ? 0 : 2;
    if (!circuit_is_built(i)) {
        skip();
    }
    open_altered(&f, i, "circuit.r1cs");
    const size_t header = find_section(f.bytes, f.size, 1), constraints = find_section(f.bytes, f.size, 2);
    const size_t numbers = header + HEAD + 4 + f.c.scalar, first = constraints + HEAD;
    refuse_circuit(&f, f.size - 1, SUMAC_BAD_FILE, "truncated");
    refuse_circuit(&f, f.size + 1, SUMAC_BAD_FILE, "too long");
    f.bytes[2] = 'x';
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "it does not begin as a .r1cs file");
    store32(f.bytes + constraints, 17);
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "section 2 (constraints) is missing");
    f.bytes[header + HEAD + 4] ^= 2;
    refuse_circuit(&f, f.size, SUMAC_UNKNOWN_CURVE, "primes");
    store32(f.bytes + numbers, (uint32_t)f.c.info.wires + 1);
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "section 3 (wires)");
    store32(f.bytes + numbers + 4, (uint32_t)f.c.info.wires);
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "outputs");
    store32(f.bytes + numbers + 4, 0);
    refuse_circuit(&f, f.size, SUMAC_MISMATCH, "public");
    store32(f.bytes + numbers + 24, load32(f.bytes + numbers + 24) + 1);
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "ends at byte");
    store32(f.bytes + numbers + 24, load32(f.bytes + numbers + 24) - 1);
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "too long");
    /* What follows is read as terms: of one circuit a coefficient is the first that cannot be, of the other a wire. */
    store32(f.bytes + first, 0xffffffff);
    refuse_circuit(&f, f.size, i == 0 ? SUMAC_BAD_ENCODING : SUMAC_BAD_FILE, "section 2 (constraints)");
    store32(f.bytes + first + 4, (uint32_t)f.c.info.wires);
    refuse_circuit(&f, f.size, SUMAC_BAD_FILE, "wire 6, where there are 6");
    memset(f.bytes + first + 8, 0xff, f.c.scalar);
    refuse_circuit(&f, f.size, SUMAC_BAD_ENCODING, "constraint 0");
    memset(f.bytes + first + 8, 3, 1 + f.c.scalar / 2);
    memset(f.bytes + first + 8 + f.c.scalar / 2, 0, f.c.scalar / 2);
    refuse_circuit(&f, f.size, SUMAC_NOT_SATISFIED, "constraint 0 of 2");
    close_altered(&f);
}

/* ---- Long paths ---- */

enum { LONG_DIRECTORIES = 3, LONG_NAME = 200 };

/* A directory whose path is longer than a sentence: names of characters of one byte, two and three. */
static size_t make_directories(char path[4096])
{
    static const char *const characters[LONG_DIRECTORIES] = {"x", "\xc3\xa9", "\xe2\x82\xac"};
    size_t length = (size_t)snprintf(path, 4096, "/tmp/sumac-groth16-long-%ld", (long)getpid());
    assert_int_equal(mkdir(path, 0700), 0);
    for (int i = 0; i < LONG_DIRECTORIES; i++) {
        const size_t each = strlen(characters[i]);
        path[length++] = '/';
        for (size_t j = 0; j + each <= LONG_NAME; j += each) {
            memcpy(path + length, characters[i], each);
            length += each;
        }
        path[length] = '\0';
        assert_int_equal(mkdir(path, 0700), 0);
    }
    return length;
}

static void remove_directories(char path[4096])
{
    for (int i = 0; i <= LONG_DIRECTORIES; i++) {
        assert_int_equal(rmdir(path), 0);
        *strrchr(path, '/') = '\0';
    }
}

/* No character is cut in two. */
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

/* The sentence begins with the path's beginning and ends with all of the reason. */
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

/* Of what is not there and of a directory; a cut comes at each byte of a character. */
static void check_unopened(const circuit *c, char *path, size_t length)
{
    void *witness;
    sumac_bases *bases;
    expect_reason(c->context, sumac_groth16_witness_open(c->context, c->key, path, &witness),
                  SUMAC_CANNOT_OPEN, path, ": cannot open: Is a directory");
    expect_reason(c->context, sumac_groth16_key_save(c->context, c->key, path), SUMAC_CANNOT_OPEN, path,
                  ": cannot write: Is a directory");
    path[length] = '/';
    for (size_t more = 1; more < 9; more++) {
        path[length + more] = 'y';
        path[length + more + 1] = '\0';
        expect_reason(c->context, sumac_bases_open(c->context, c->info.g1, path, "raw", NULL, &bases),
                      SUMAC_CANNOT_OPEN, path, ": cannot open: No such file or directory");
    }
}

/* Of files that are damaged: what is put together from parts, too. */
static void check_damaged(const circuit *c, char *path, size_t length)
{
    size_t size;
    char file[CIRCUIT_PATH_BYTES], reason[160];
    sumac_groth16_key *key;
    sumac_groth16_verifying_key *verifying;
    sumac_kzg_setup *setup;
    snprintf(path + length, 4096 - length, "/key");
    uint8_t *bytes = test_read_file(circuit_path(c->name, "key.zkey", file), &size);
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
        expect_reason(c->context, sumac_kzg_setup_open(c->context, path, SUMAC_CHECK_SUBGROUP, &setup),
                      SUMAC_BAD_FILE, path, "do not hold the 4096 and 65 points of lines 1 and 2");
    }
    unlink(path);
    free(bytes);
}

/* However long a path is, the reason is in the sentence. */
void test_long_paths(void **state)
{
    (void)state;
    circuit c;
    char path[4096], *huge;
    sumac_bases *bases;
    const int i = circuit_is_built(0) ? 0 : 2;
    if (!circuit_is_built(i)) {
        skip();
    }
    circuit_open(&c, i, 1);
    const size_t length = make_directories(path);
    check_unopened(&c, path, length);
    check_damaged(&c, path, length);
    path[length] = '\0';
    remove_directories(path);
    huge = test_alloc(100001);
    memset(huge, 'z', 100000);
    huge[100000] = '\0';
    expect_reason(c.context, sumac_bases_open(c.context, c.info.g1, huge, "raw", NULL, &bases),
                  SUMAC_CANNOT_OPEN, huge, ": cannot open: File name too long");
    free(huge);
    circuit_close(&c);
}

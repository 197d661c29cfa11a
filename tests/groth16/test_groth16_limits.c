/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is part of test_groth16.c: it tests files that are designed to take much time or memory. The time to search
 * for a value is counted in comparisons, not in seconds. Before the library allocates much memory, it must ask whether
 * so much is left.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "io/coefficients.h"
#include "parts.h"
#include "support/cleanup.h"
#include "support/failing.h"

/* ---- Bytes of files ---- */

/* This is a file that grows. The caller frees its bytes. */
typedef struct growing_file {
    uint8_t *bytes;
    size_t size;
} growing_file;

/* Append `count` zero bytes, and return their address. */
static uint8_t *extend(growing_file *file, size_t count)
{
    uint8_t *larger = test_alloc(file->size + count);
    if (file->size > 0) {
        memcpy(larger, file->bytes, file->size);
    }
    memset(larger + file->size, 0, count);
    free(file->bytes);
    file->bytes = larger;
    file->size += count;
    return larger + file->size - count;
}

static void begin_file(growing_file *file, const char *magic, uint32_t version, uint32_t sections)
{
    *file = (growing_file){.bytes = NULL};
    uint8_t *at = extend(file, SECTION_HEAD);
    memcpy(at, magic, 4);
    file_store(at + 4, version, 4);
    file_store(at + 8, sections, 4);
}

static uint8_t *add_section(growing_file *file, uint32_t type, size_t size)
{
    uint8_t *at = extend(file, SECTION_HEAD + size);
    file_store(at, type, 4);
    file_store(at + 4, size, 8);
    return at + SECTION_HEAD;
}

/* Append a copy of a key's section. */
static uint8_t *copy_section(growing_file *file, const growing_file *key, uint32_t type)
{
    const uint8_t *from = key->bytes + find_section(key->bytes, key->size, type);
    const size_t size = (size_t)file_load(from + 4, 8);
    return memcpy(add_section(file, type, size), from + SECTION_HEAD, size);
}

/* Make a circuit of two wires. Only the first constraint's A has terms, and their values are 0. */
static growing_file make_r1cs(const circuit *c, uint32_t constraints, uint32_t terms)
{
    growing_file file;
    const sumac_group *info = c->info.g1;
    begin_file(&file, "r1cs", 1, 3);
    uint8_t *header = add_section(&file, 1, 32 + c->scalar);
    file_store(header, (uint32_t)c->scalar, 4);
    memcpy(header + 4, info->order, c->scalar);
    file_store(header + 4 + c->scalar, 2, 4); /* wires */
    file_store(header + 4 + c->scalar + 16, 2, 8);
    file_store(header + 4 + c->scalar + 24, constraints, 4);
    file_store(add_section(&file, 2, 12 * (size_t)constraints + terms * (4 + c->scalar)), terms, 4);
    (void)add_section(&file, 3, 8 * (size_t)2);
    return file;
}

/* ---- Values ---- */

enum { CLASS = 1 << 7, VALUES = CLASS * CLASS, LIMBS = 4 };

/* This type of function makes value i of a family that a simple hash of limbs would put into few chains. */
typedef void make_value(uint32_t i, uint64_t limbs[LIMBS]);

/* These are CLASS classes of CLASS values. For a hash that adds up limbs that are mixed by shifts and a known factor,
 * all values of a class have the same hash. */
static void alike_when_mixed(uint32_t i, uint64_t limbs[LIMBS])
{
    const uint64_t high = (uint64_t)(i % CLASS) << 57;
    limbs[0] = (uint64_t)(i / CLASS) << 57 ^ UINT64_C(0x123456789abcdef);
    limbs[1] = high ^ high >> 29 ^ UINT64_C(0x0fedcba987654321);
    limbs[2] = 7;
    limbs[3] = 1;
}

static void in_low_bits(uint32_t i, uint64_t limbs[LIMBS])
{
    limbs[0] = i + 2;
}

static void in_high_bits(uint32_t i, uint64_t limbs[LIMBS])
{
    limbs[3] = (uint64_t)i << 40;
    limbs[0] = 2;
}

/* The limbs of all values have the same sum. */
static void of_one_sum(uint32_t i, uint64_t limbs[LIMBS])
{
    limbs[0] = i + 2;
    limbs[1] = UINT32_MAX - i;
}

static void of_equal_halves(uint32_t i, uint64_t limbs[LIMBS])
{
    limbs[1] = limbs[2] = (i + 1) * (UINT64_C(1) << 32 | 1);
}

static void in_powers_of_two(uint32_t i, uint64_t limbs[LIMBS])
{
    limbs[0] = UINT64_C(1) << i % 64;
    limbs[1] = UINT64_C(1) << i / 64 % 64;
    limbs[2] = UINT64_C(1) << i / 4096;
}

static void count_probes(sumac_context *context, const sumac_group *group, const char *name, make_value *make)
{
    CLEANUP(coefficients_free) coefficients all = {0};
    uint8_t value[LIMBS * 8];
    TEST_OK(context, coefficients_begin(&all, context, "values", group, VALUE_CANONICAL));
    for (uint32_t i = 0; i < 2 * VALUES; i++) { /* each value is first added, and then found */
        uint64_t limbs[LIMBS] = {0};
        make(i % VALUES, limbs);
        for (int j = 0; j < LIMBS; j++) {
            file_store(value + 8 * j, limbs[j], 8);
        }
        TEST_OK(context, coefficients_add(&all, 0, 0, 0, value));
        if (i < VALUES) { /* values 0 and 1 are the numbers 1 and -1 */
            assert_true(all.matrices[0].at[i].value == i + 2);
        } else {
            assert_true(all.matrices[0].at[i].value == i - VALUES + 2);
        }
    }
    /* On average at most 3 probes are expected. With the worst hash there would be CLASS/2. */
    if (all.probes > (uint64_t)4 * 2 * VALUES) {
        test_abort("%s: %llu comparisons for %d searches", name, (unsigned long long)all.probes, 2 * VALUES);
    }
}

static int refuse_randomness;

int __real_system_random(void *bytes, size_t count);
int __wrap_system_random(void *bytes, size_t count);

int __wrap_system_random(void *bytes, size_t count)
{
    return refuse_randomness ? ENOSYS : __real_system_random(bytes, count);
}

/* Searches are fast whatever the values are, because the hash is random. If there are no random numbers, no key is
 * opened. */
void test_values(void)
{
    static const struct {
        const char *name;
        make_value *make;
    } families[] = {{"alike when mixed", alike_when_mixed}, {"in low bits", in_low_bits},
                    {"in high bits", in_high_bits},         {"of one sum", of_one_sum},
                    {"of equal halves", of_equal_halves},   {"in powers of two", in_powers_of_two}};
    const sumac_group *group;
    CLEANUP(circuit_close) circuit c = {0};
    char path[CIRCUIT_PATH_BYTES];
    sumac_groth16_key *key;
    const int which = circuit_first();
    assert_int_equal(sumac_group_find(which == 0 ? "bn254" : "bls12-381", "g1", &group), SUMAC_OK);
    circuit_open(&c, which, 1);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        count_probes(c.context, group, families[i].name, families[i].make);
    }
    refuse_randomness = 1;
    test_sentence(c.context,
                  sumac_groth16_key_open(c.context, circuit_path(c.name, "key.zkey", path), NULL, &key),
                  SUMAC_READ_FAILED, "the system gives no random numbers");
    assert_null(key);
    test_sentence(c.context,
                  test_witness_check(c.context, c.key, c.witness, circuit_path(c.name, "circuit.r1cs", path)),
                  SUMAC_READ_FAILED, "the system gives no random numbers");
    refuse_randomness = 0;
}

/* ---- Reports ---- */

/* Make the tiny circuit's key with many coefficients of value 0, which replace its own. */
static growing_file make_coefficients(const growing_file *key, size_t scalar, uint32_t count)
{
    growing_file file;
    begin_file(&file, "zkey", 1, 10);
    for (uint32_t type = 1; type <= 10; type++) {
        if (type == 4) {
            file_store(add_section(&file, type, 4 + count * (12 + scalar)), count, 4);
        } else {
            (void)copy_section(&file, key, type);
        }
    }
    return file;
}

typedef struct reports {
    uint64_t count, last; /* the call is ended by report number `last` */
} reports;

static int report(void *user, double done)
{
    reports *r = user;
    assert_true(done >= 0 && done <= 1);
    return ++r->count == r->last;
}

typedef struct reported_call {
    const circuit *c;
    growing_file zkey;
    char r1cs[64], key[80]; /* a circuit and its key */
    int is_check;
} reported_call;

static sumac_status run_reported(sumac_context *context, const reported_call *call)
{
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    sumac_groth16_key_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_NONE;
    sumac_status status =
        call->is_check ? sumac_groth16_key_open(context, call->key, &config, &key)
                       : sumac_groth16_key_create(context, call->zkey.bytes, call->zkey.size, &config, &key);
    if (call->is_check && status == SUMAC_OK) {
        const uint8_t witness[2 * 48] = {1};
        status = test_witness_check(context, key, witness, call->r1cs);
    }
    return status;
}

/* A call reports at least every 4096 coefficients, and ends when a report returns 1. */
static void check_reports(const reported_call *call, uint64_t least)
{
    reports r = {0, 0};
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_context_config config = test_context_config(1);
    config.progress = report;
    config.user = &r;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    TEST_OK(context, run_reported(context, call));
    const uint64_t total = r.count;
    if (total < least) {
        test_abort("%llu reports instead of %llu", (unsigned long long)total, (unsigned long long)least);
    }
    for (uint64_t last = 1; last < total; last += 5) {
        r = (reports){0, last};
        test_sentence(context, run_reported(context, call), SUMAC_CANCELLED, "cancelled");
        assert_true(r.count == last);
    }
}

void test_reports(void)
{
    enum { TERMS = 1 << 17 };
    CLEANUP(circuit_close) circuit c = {0};
    growing_file key;
    const int which = circuit_first();
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    circuit_open(&c, which, 1);
    key.bytes = circuit_read(c.name, "key.zkey", &key.size);
    reported_call call = {.c = &c, .zkey = make_coefficients(&key, c.scalar, TERMS)};
    check_reports(&call, TERMS / 4096);
    call.is_check = 1;
    growing_file r1cs = make_r1cs(&c, 1, TERMS);
    snprintf(call.r1cs, sizeof call.r1cs, "/tmp/sumac-groth16-reports-%ld", (long)getpid());
    snprintf(call.key, sizeof call.key, "%s.key", call.r1cs);
    test_write_file(call.r1cs, r1cs.bytes, r1cs.size);
    circuit_set_up(c.context, call.r1cs, 1, call.key);
    check_reports(&call, 2 * TERMS / 4096); /* reports for the key, and for the circuit */
    unlink(call.r1cs);
    unlink(call.key);
    free(r1cs.bytes);
    free(call.zkey.bytes);
    free(key.bytes);
}

/* ---- Memory ---- */

/* A call may allocate less than ASKED_FROM bytes without asking whether they are left. The bound exceeds allocations of a fixed
 * size, such as each thread's scratch memory of a transform, and is less than those that the files here cause.
 * LEFT_FIRST bytes are not enough for any call. */
enum { ASKED_FROM = 3 << 16, LEFT_FIRST = 1 << 16 };

/* These files cause large allocations. */
typedef struct large_files {
    circuit c;
    sumac_groth16_key *key; /* opened from `bases` */
    sumac_groth16_key *two_wires;
    sumac_groth16_verifying_key *verifying;
    growing_file terms, bases, json, publics_json;
    uint8_t *publics;
    size_t publics_bytes, count; /* `count` is the number of bytes of encoded public inputs */
    char r1cs[64], rows[64], out[64], prepared[64];
} large_files;

/* Store the generator in the form that a .zkey has. */
static void make_generator(const sumac_group *group, uint8_t *point)
{
    CLEANUP(oracle_clear) oracle o = {0};
    ORACLE_POINT(generator);
    mpz_t one;
    mpz_init_set_ui(one, 1);
    oracle_init(&o, group);
    oracle_mul_generator(&o, &generator, one);
    oracle_point_to_affine(&o, point, &generator);
    mpz_clear(one);
}

static void fill_points(uint8_t *at, size_t count, size_t from, const uint8_t *point, size_t bytes)
{
    for (size_t i = from; i < count; i++) {
        memcpy(at + i * bytes, point, bytes);
    }
}

/* Make the tiny key with many wires, half of which have no point in A and B. */
static growing_file make_wires(const circuit *c, const growing_file *key, uint32_t wires)
{
    growing_file file;
    uint8_t g1[512], g2[512];
    const size_t g1_bytes = c->info.g1->point_bytes;
    const size_t g2_bytes = c->info.g2->point_bytes;
    make_generator(c->info.g1, g1);
    make_generator(c->info.g2, g2);
    begin_file(&file, "zkey", 1, 10);
    for (uint32_t type = 1; type <= 10; type++) {
        if (type >= 5 && type <= 8) {
            const int is_c = type == 8, is_b2 = type == 7;
            const size_t each = is_b2 ? g2_bytes : g1_bytes;
            const size_t count = is_c ? wires - c->info.publics - 1 : wires;
            fill_points(add_section(&file, type, count * each), count, is_c ? 0 : count / 2, is_b2 ? g2 : g1,
                        each);
            continue;
        }
        uint8_t *to = copy_section(&file, key, type);
        if (type == 2) {
            file_store(to + 4 + g1_bytes / 2 + 4 + c->scalar, wires, 4);
        }
    }
    return file;
}

static void add_text(growing_file *file, const char *text)
{
    memcpy(extend(file, strlen(text)), text, strlen(text));
}

/* Make a verification_key.json of many public inputs, with BN254's generators, and a public.json. */
static void make_json(large_files *f, uint32_t publics)
{
    static const char point[] = "[\"1\",\"2\",\"1\"],";
    char number[64];
    f->json = (growing_file){.bytes = NULL};
    add_text(&f->json, "{\"protocol\":\"groth16\",\"curve\":\"bn128\",\"vk_alpha_1\":[\"1\",\"2\",\"1\"],"
                       "\"vk_beta_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],"
                       "\"vk_gamma_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],"
                       "\"vk_delta_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],");
    snprintf(number, sizeof number, "\"nPublic\":%u,\"IC\":[", (unsigned)publics);
    add_text(&f->json, number);
    uint8_t *at = extend(&f->json, (publics + 1) * strlen(point));
    for (uint32_t i = 0; i <= publics; i++) {
        memcpy(at + i * strlen(point), point, strlen(point));
    }
    f->json.bytes[f->json.size - 1] = ']';
    add_text(&f->json, "}");
    f->publics_json = (growing_file){.bytes = NULL};
    at = extend(&f->publics_json, 2 * (size_t)publics + 1);
    for (uint32_t i = 0; i < publics; i++) {
        memcpy(at + 2 * i, ",1", 2);
    }
    at[0] = '[';
    at[2 * (size_t)publics] = ']';
    f->publics_bytes = publics * f->c.scalar;
    f->publics = test_alloc(f->publics_bytes);
    memset(f->publics, 0x11, publics * f->c.scalar); /* as many digits as most have */
}

/* Return options without checks of points, because these take long. */
static const sumac_groth16_key_config *unchecked(void)
{
    static sumac_groth16_key_config config;
    config = (sumac_groth16_key_config){.size = sizeof(sumac_groth16_key_config)};
    config.check = SUMAC_CHECK_NONE;
    return &config;
}

MAKES(open_terms, large_files, sumac_groth16_key, sumac_groth16_key_destroy,
      sumac_groth16_key_create(s->c.context, s->terms.bytes, s->terms.size, unchecked(), &created))
MAKES(open_bases, large_files, sumac_groth16_key, sumac_groth16_key_destroy,
      sumac_groth16_key_create(s->c.context, s->bases.bytes, s->bases.size, unchecked(), &created))
MAKES(open_prepared, large_files, sumac_groth16_key, sumac_groth16_key_destroy,
      sumac_groth16_key_open(s->c.context, s->prepared, unchecked(), &created))
MAKES(open_json, large_files, sumac_groth16_verifying_key, sumac_groth16_verifying_key_destroy,
      sumac_groth16_verifying_key_create(s->c.context, s->json.bytes, s->json.size, &created))
MAKES(write_publics, large_files, void, sumac_free,
      sumac_groth16_publics_encode(s->c.context, s->verifying, s->publics, s->publics_bytes, "snarkjs",
                                   &created, &s->count))
MAKES(write_gnark, large_files, void, sumac_free,
      sumac_groth16_publics_encode(s->c.context, s->verifying, s->publics, s->publics_bytes, "gnark",
                                   &created, &s->count))

/* Check a witness by a circuit that has two wires, as the key `two_wires` does. */
static sumac_status check_by(large_files *f, const char *r1cs)
{
    const uint8_t witness[2 * 48] = {1};
    return test_witness_check(f->c.context, f->two_wires, witness, r1cs);
}

static sumac_status check_terms(void *argument)
{
    large_files *f = argument;
    return check_by(f, f->r1cs);
}

static sumac_status check_rows(void *argument)
{
    large_files *f = argument;
    return check_by(f, f->rows);
}

static sumac_status save(void *argument)
{
    const large_files *f = argument;
    return sumac_groth16_key_save(f->c.context, f->key, f->out);
}

static sumac_status read_publics(void *argument)
{
    large_files *f = argument;
    return sumac_groth16_publics_decode(f->c.context, f->verifying, f->publics_json.bytes,
                                        f->publics_json.size, "snarkjs", "x", f->publics, f->publics_bytes);
}

static sumac_status verify(void *argument)
{
    const large_files *f = argument;
    uint8_t proof[1024] = {0};
    int holds;
    return test_verify(f->c.context, f->verifying, f->publics, proof, 1, &holds);
}

/* says_left is 1 if memory for the file itself is missing first. The message then says how much memory is left.
 * Allocations for bases and vectors have other messages. */
static const struct {
    const char *name;
    sumac_status (*run)(void *argument);
    int says_left;
} memory_calls[] = {{"key_create, coefficients", open_terms, 1},
                    {"key_create, wires", open_bases, 1},
                    {"witness_check, terms", check_terms, 1},
                    {"witness_check, rows", check_rows, 1},
                    {"key_save", save, 0},
                    {"key_open, prepared", open_prepared, 0},
                    {"verifying_key_create", open_json, 1},
                    {"publics_encode, snarkjs", write_publics, 1},
                    {"publics_encode, gnark", write_gnark, 1},
                    {"verify", verify, 1},
                    {"publics_decode", read_publics, 1}};

/* With too little memory a call is refused with a message and leaves no file. If it succeeds, it must have asked about all
 * memory that it allocated. */
static void check_memory_left(large_files *f, size_t which)
{
    const char *name = memory_calls[which].name;
    uint64_t left = LEFT_FIRST;
    sumac_status status;
    failing_report after;
    int says_left = 0;
    for (;; left *= 2) {
        char words[64];
        snprintf(words, sizeof words, "bytes of memory, and %llu are left", (unsigned long long)left);
        failing_leave(left);
        failing_begin(failing_none);
        status = memory_calls[which].run(f);
        after = failing_end();
        if (status != SUMAC_OUT_OF_MEMORY) {
            break;
        }
        test_sentence(f->c.context, status, SUMAC_OUT_OF_MEMORY, "memory");
        says_left += strstr(sumac_context_message(f->c.context), words) != NULL;
        assert_int_equal(access(f->out, F_OK), -1);
    }
    test_status(f->c.context, status, SUMAC_OK, name);
    if (left == LEFT_FIRST || says_left < memory_calls[which].says_left || after.unasked >= ASKED_FROM) {
        test_abort("%s: it took %llu bytes without asking, and went with %llu left", name,
                   (unsigned long long)after.unasked, (unsigned long long)left);
    }
    unlink(f->out);
}

static void make_large(large_files *f)
{
    enum { TERMS = 1 << 18, WIRES = 1 << 15, ROWS = 1 << 15, PUBLICS = 1 << 12 };
    char path[CIRCUIT_PATH_BYTES];
    growing_file key;
    sumac_context *context = f->c.context;
    char *const paths[] = {f->r1cs, f->rows, f->out, f->prepared};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(paths[i], sizeof f->r1cs, "/tmp/sumac-groth16-limits-%zu-%ld", i, (long)getpid());
    }
    key.bytes = circuit_read(f->c.name, "key.zkey", &key.size);
    f->terms = make_coefficients(&key, f->c.scalar, TERMS);
    f->bases = make_wires(&f->c, &key, WIRES);
    free(key.bytes);
    growing_file r1cs = make_r1cs(&f->c, 1, TERMS), rows = make_r1cs(&f->c, ROWS, 0);
    test_write_file(f->r1cs, r1cs.bytes, r1cs.size);
    test_write_file(f->rows, rows.bytes, rows.size);
    free(r1cs.bytes);
    free(rows.bytes);
    snprintf(path, sizeof path, "%s.key", f->rows);
    circuit_set_up(context, f->rows, 1, path);
    TEST_OK(context, sumac_groth16_key_open(context, path, NULL, &f->two_wires));
    unlink(path);
    TEST_OK(context, sumac_groth16_key_create(context, f->bases.bytes, f->bases.size, unchecked(), &f->key));
    TEST_OK(context, sumac_groth16_key_save(context, f->key, f->prepared));
    make_json(f, PUBLICS);
    TEST_OK(context, sumac_groth16_verifying_key_create(context, f->json.bytes, f->json.size, &f->verifying));
}

static void free_large(large_files *f)
{
    const char *const paths[] = {f->r1cs, f->rows, f->prepared};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        unlink(paths[i]);
    }
    sumac_groth16_key_destroy(f->key);
    sumac_groth16_key_destroy(f->two_wires);
    sumac_groth16_verifying_key_destroy(f->verifying);
    free(f->terms.bytes);
    free(f->bases.bytes);
    free(f->json.bytes);
    free(f->publics_json.bytes);
    free(f->publics);
}

void test_memory_left(void)
{
    large_files f = {.key = NULL};
    if (!circuit_is_built(0) || strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    circuit_open(&f.c, 0, 1);
    make_large(&f);
    for (size_t i = 0; i < sizeof memory_calls / sizeof *memory_calls; i++) {
        check_memory_left(&f, i);
    }
    free_large(&f);
    circuit_close(&f.c);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the drop-in for rapidsnark: texts, sizes, refusals, threads, and memory. The oracle is snarkjs, whose
 * keys, witnesses, proofs and public inputs are in tests/data/groth16.tar.xz. The JSON is compared with that of
 * libjansson's compact writer, which writes the same bytes as rapidsnark if members are in alphabetical order.
 */
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "prover.h"
#include "support/failing.h"
#include "verifier.h"

#define TINY "tiny-bn254"
#define POSEIDON "poseidon-bn254"
#define OTHER_CURVE "tiny-bls12-381"

enum { PROOF_BYTES = 810, PUBLIC_BYTES = 1024, ERROR_BYTES = 600 };

/* These are the contents of a circuit's files. */
typedef struct files {
    const char *name;
    uint8_t *zkey, *wtns;
    size_t zkey_size, wtns_size;
    char *verifying, *proof, *publics;
} files;

/* These are a call's output buffers. */
typedef struct answer {
    char proof[PROOF_BYTES], publics[PUBLIC_BYTES], error[ERROR_BYTES];
    unsigned long long proof_size, public_size;
} answer;

static char *read_text(const char *name, const char *file)
{
    char path[CIRCUIT_PATH_BYTES];
    size_t size;
    return (char *)test_read_file(circuit_path(name, file, path), &size);
}

static files read_files(const char *name)
{
    char path[CIRCUIT_PATH_BYTES];
    files f = {.name = name};
    f.zkey = test_read_file(circuit_path(name, "key.zkey", path), &f.zkey_size);
    f.wtns = test_read_file(circuit_path(name, "witness.wtns", path), &f.wtns_size);
    f.verifying = read_text(name, "verification_key.json");
    f.proof = read_text(name, "proof.json");
    f.publics = read_text(name, "public.json");
    return f;
}

static void free_files(files *f)
{
    free(f->zkey);
    free(f->wtns);
    free(f->verifying);
    free(f->proof);
    free(f->publics);
}

/* Fill the buffers with bytes that a refused call must not change. */
static void clear(answer *a)
{
    memset(a, 0xa5, sizeof *a);
    a->proof_size = PROOF_BYTES;
    a->public_size = PUBLIC_BYTES;
}

static void *create(const files *f)
{
    char error[ERROR_BYTES];
    void *prover = NULL;
    if (groth16_prover_create(&prover, f->zkey, f->zkey_size, error, sizeof error) != PROVER_OK) {
        test_abort("%s: %s", f->name, error);
    }
    return prover;
}

static int prove(void *prover, const void *wtns, size_t size, answer *a)
{
    return groth16_prover_prove(prover, wtns, size, a->proof, &a->proof_size, a->publics, &a->public_size,
                                a->error, sizeof a->error);
}

static int verify(const files *f, const char *proof, const char *publics)
{
    char error[ERROR_BYTES] = "";
    const int result = groth16_verify(proof, publics, f->verifying, error, sizeof error);
    assert_int_equal(result == VERIFIER_ERROR, error[0] != 0);
    return result;
}

/* Return JSON without spaces, and with its members in the same order. */
static char *compact(const char *text)
{
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    char *result = json_dumps(json, JSON_COMPACT | JSON_PRESERVE_ORDER);
    assert_non_null(result);
    json_decref(json);
    return result;
}

static void expect_proof(const files *f, const answer *a)
{
    static const char *const members[] = {"pi_a", "pi_b", "pi_c", "protocol"};
    json_t *proof = json_loads(a->proof, 0, NULL);
    AUTO_FREE char *same = compact(a->proof), *publics = compact(f->publics);
    const char *member;
    json_t *value;
    size_t count = 0;
    assert_string_equal(a->proof, same);
    assert_string_equal(a->publics, publics);
    assert_int_equal(a->proof_size, strlen(a->proof));
    assert_int_equal(a->public_size, strlen(a->publics));
    json_object_foreach(proof, member, value)
    {
        assert_true(count < 4);
        assert_string_equal(member, members[count++]);
    }
    assert_int_equal(count, 4);
    assert_int_equal(verify(f, a->proof, a->publics), VERIFIER_VALID_PROOF);
    json_decref(proof);
}

static void test_codes(void)
{
    assert_int_equal(PROVER_OK, 0);
    assert_int_equal(PROVER_ERROR, 1);
    assert_int_equal(PROVER_ERROR_SHORT_BUFFER, 2);
    assert_int_equal(PROVER_INVALID_WITNESS_LENGTH, 3);
    assert_int_equal(VERIFIER_VALID_PROOF, 0);
    assert_int_equal(VERIFIER_INVALID_PROOF, 1);
    assert_int_equal(VERIFIER_ERROR, 2);
}

/* Each public input takes 82 bytes, and 4 more bytes are needed. */
static void test_sizes(void)
{
    static const char *const names[] = {TINY, POSEIDON};
    unsigned long long size = 0;
    char path[CIRCUIT_PATH_BYTES], error[ERROR_BYTES];
    groth16_proof_size(&size);
    assert_int_equal(size, PROOF_BYTES);
    groth16_proof_size(NULL);
    for (size_t i = 0; i < 2; i++) {
        CLEANUP(free_files) files f = read_files(names[i]);
        json_t *publics = json_loads(f.publics, 0, NULL);
        const unsigned long long expected = 82 * json_array_size(publics) + 4;
        size = 0;
        assert_int_equal(groth16_public_size_for_zkey_buf(f.zkey, f.zkey_size, &size, error, sizeof error),
                         PROVER_OK);
        assert_int_equal(size, expected);
        size = 0;
        assert_int_equal(groth16_public_size_for_zkey_file(circuit_path(names[i], "key.zkey", path), &size,
                                                           error, sizeof error),
                         PROVER_OK);
        assert_int_equal(size, expected);
        json_decref(publics);
    }
}

static void check_all_ways(const char *name)
{
    CLEANUP(free_files) files f = read_files(name);
    char path[CIRCUIT_PATH_BYTES];
    answer a;
    void *prover = create(&f), *of_file = NULL;
    (void)circuit_path(name, "key.zkey", path);
    for (int i = 0; i < 2; i++) {
        clear(&a);
        assert_int_equal(prove(prover, f.wtns, f.wtns_size, &a), PROVER_OK);
        expect_proof(&f, &a);
    }
    groth16_prover_destroy(prover);
    assert_int_equal(groth16_prover_create_zkey_file(&of_file, path, a.error, sizeof a.error), PROVER_OK);
    clear(&a);
    assert_int_equal(prove(of_file, f.wtns, f.wtns_size, &a), PROVER_OK);
    expect_proof(&f, &a);
    groth16_prover_destroy(of_file);
    clear(&a);
    assert_int_equal(groth16_prover(f.zkey, f.zkey_size, f.wtns, f.wtns_size, a.proof, &a.proof_size,
                                    a.publics, &a.public_size, a.error, sizeof a.error),
                     PROVER_OK);
    expect_proof(&f, &a);
    clear(&a);
    assert_int_equal(groth16_prover_zkey_file(path, f.wtns, f.wtns_size, a.proof, &a.proof_size, a.publics,
                                              &a.public_size, NULL, 0),
                     PROVER_OK);
    expect_proof(&f, &a);
}

static void test_proofs(void)
{
    check_all_ways(TINY);
    check_all_ways(POSEIDON);
    groth16_prover_destroy(NULL);
}

/* If the tiny circuit's public inputs are made private, it has none, and the JSON of public inputs is "null". */
static void test_no_publics(void)
{
    char path[CIRCUIT_PATH_BYTES];
    size_t size;
    TEST_FILE(r1cs);
    TEST_FILE(zkey);
    CLEANUP(free_files) files f = read_files(TINY);
    answer a;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    CLEANUP(destroy_verifying_key) sumac_groth16_verifying_key *verifying = NULL;
    AUTO_FREE uint8_t *bytes = test_read_file(circuit_path(TINY, "circuit.r1cs", path), &size);
    uint8_t *numbers = bytes + find_section(bytes, size, 1) + SECTION_HEAD + 4 + 32;
    memset(numbers + 4, 0, 8); /* the numbers of outputs and public inputs */
    test_write_file(r1cs, bytes, size);
    circuit_set_up(context, r1cs, 1, zkey);
    TEST_OK(context, sumac_groth16_verifying_key_open(context, zkey, &verifying));
    clear(&a);
    assert_int_equal(groth16_public_size_for_zkey_file(zkey, &a.public_size, NULL, 0), PROVER_OK);
    assert_int_equal(a.public_size, 4);
    a.public_size = 5;
    assert_int_equal(groth16_prover_zkey_file(zkey, f.wtns, f.wtns_size, a.proof, &a.proof_size, a.publics,
                                              &a.public_size, a.error, sizeof a.error),
                     PROVER_OK);
    assert_string_equal(a.publics, "null");
    assert_int_equal(a.public_size, 4);
    uint8_t proof[256];
    int ok = 0;
    TEST_OK(context, sumac_groth16_proof_decode(context, verifying, a.proof, strlen(a.proof), "snarkjs",
                                                "proof", proof, sizeof proof));
    TEST_OK(context, sumac_groth16_verify(context, verifying, NULL, 0, proof, sizeof proof, 1, &ok));
    assert_int_equal(ok, 1);
}

/* If a buffer is empty or one byte too small, only the required sizes are written. Buffers of these sizes suffice. */
static void test_short_buffers(void)
{
    CLEANUP(free_files) files f = read_files(POSEIDON);
    AUTO_FREE char *publics = compact(f.publics);
    const size_t exact = strlen(publics) + 1;
    const struct {
        unsigned long long proof, publics;
    } cases[] = {{0, 0}, {PROOF_BYTES, exact - 1}, {600, exact}, {0, exact}, {PROOF_BYTES, 0}};
    void *prover = create(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        answer a, before;
        clear(&a);
        clear(&before);
        a.proof_size = cases[i].proof;
        a.public_size = cases[i].publics;
        assert_int_equal(prove(prover, f.wtns, f.wtns_size, &a), PROVER_ERROR_SHORT_BUFFER);
        assert_non_null(strstr(a.error, "buffers of "));
        assert_memory_equal(a.proof, before.proof, sizeof a.proof);
        assert_memory_equal(a.publics, before.publics, sizeof a.publics);
        assert_int_equal(a.public_size, exact);
        assert_true(a.proof_size > 700 && a.proof_size <= PROOF_BYTES);
        assert_int_equal(prove(prover, f.wtns, f.wtns_size, &a), PROVER_OK);
        expect_proof(&f, &a);
    }
    groth16_prover_destroy(prover);
}

/* Call with a prover's handle, with the bytes of a key, or with neither. */
static int refuse_with(void *prover, const files *f, const void *zkey, size_t zkey_size, answer *a)
{
    return prover != NULL ? prove(prover, f->wtns, f->wtns_size, a)
                          : groth16_prover(zkey, zkey_size, f->wtns, f->wtns_size, a->proof, &a->proof_size,
                                           a->publics, &a->public_size, a->error, sizeof a->error);
}

/* Require that the call fails with this code and a message with these words, and writes nothing else. */
static void expect_refused(void *prover, const files *f, const void *zkey, size_t zkey_size, int code,
                           const char *words)
{
    answer a, before;
    clear(&a);
    clear(&before);
    const int result = refuse_with(prover, f, zkey, zkey_size, &a);
    if (result != code || strstr(a.error, words) == NULL) {
        test_abort("%d, where it should be %d with \"%s\": %s", result, code, words,
                   result == PROVER_OK ? "no sentence" : a.error);
    }
    assert_memory_equal(a.proof, before.proof, sizeof a.proof);
    assert_memory_equal(a.publics, before.publics, sizeof a.publics);
    assert_true(a.proof_size == before.proof_size && a.public_size == before.public_size);
}

static void test_bad_witnesses(void)
{
    CLEANUP(free_files)
    files f = read_files(TINY), other = read_files(POSEIDON), bls = read_files(OTHER_CURVE);
    void *prover = create(&f);
    const files good = f;
    AUTO_FREE uint8_t *bytes = test_alloc(f.wtns_size);
    f.wtns = bytes;
    memcpy(bytes, good.wtns, f.wtns_size);
    f.wtns_size--;
    expect_refused(prover, &f, NULL, 0, PROVER_ERROR, "the witness in memory: ");
    f.wtns_size++;
    expect_refused(prover, &other, NULL, 0, PROVER_INVALID_WITNESS_LENGTH, "wires, and the key has ");
    expect_refused(prover, &bls, NULL, 0, PROVER_ERROR, "another prime");
    bytes[f.wtns_size - 32] ^= 1;
    expect_refused(prover, &f, NULL, 0, PROVER_ERROR, "does not satisfy");
    memset(bytes + f.wtns_size - 32, 0xff, 32);
    expect_refused(prover, &f, NULL, 0, PROVER_ERROR, "not less than r");
    bytes[0] = 'x';
    expect_refused(prover, &f, NULL, 0, PROVER_ERROR, "does not begin as a .wtns file");
    /* After the refused calls the prover must still work. */
    answer a;
    clear(&a);
    assert_int_equal(prove(prover, good.wtns, good.wtns_size, &a), PROVER_OK);
    expect_proof(&good, &a);
    groth16_prover_destroy(prover);
    f = good;
}

static void test_bad_keys(void)
{
    CLEANUP(free_files) files f = read_files(TINY), bls = read_files(OTHER_CURVE);
    void *prover = &f;
    char error[ERROR_BYTES];
    unsigned long long size = 7;
    expect_refused(NULL, &f, f.zkey, f.zkey_size - 1, PROVER_ERROR, " in memory: ");
    assert_int_equal(groth16_public_size_for_zkey_buf(f.zkey, 40, &size, error, sizeof error), PROVER_ERROR);
    assert_int_equal(size, 7);
    expect_refused(NULL, &f, f.wtns, f.wtns_size, PROVER_ERROR, ".zkey");
    expect_refused(NULL, &bls, bls.zkey, bls.zkey_size, PROVER_ERROR, "a key over bls12-381");
    assert_int_equal(groth16_prover_create(&prover, bls.zkey, bls.zkey_size, error, sizeof error),
                     PROVER_ERROR);
    assert_int_equal(groth16_prover_create_zkey_file(&prover, "/nowhere", error, sizeof error), PROVER_ERROR);
    assert_non_null(strstr(error, "/nowhere: "));
    assert_int_equal(groth16_public_size_for_zkey_file("/nowhere", &size, error, sizeof error), PROVER_ERROR);
    assert_ptr_equal(prover, &f);
    /* A point is off the curve. */
    const size_t a = find_section(f.zkey, f.zkey_size, 5) + SECTION_HEAD;
    f.zkey[a + 40] ^= 1;
    expect_refused(NULL, &f, f.zkey, f.zkey_size, PROVER_ERROR, "not on the curve");
    f.zkey[a + 40] ^= 1;
    /* If two points of A are swapped, the proof does not hold, and is not returned. */
    uint8_t point[64];
    memcpy(point, f.zkey + a, 64);
    memmove(f.zkey + a, f.zkey + a + 64, 64);
    memcpy(f.zkey + a + 64, point, 64);
    if (memcmp(point, f.zkey + a, 64) != 0) {
        expect_refused(NULL, &f, f.zkey, f.zkey_size, PROVER_ERROR, "does not satisfy");
    }
}

static void test_null_pointers(void)
{
    CLEANUP(free_files) files f = read_files(TINY);
    void *p = create(&f), *none = NULL;
    answer a, before;
    clear(&a);
    clear(&before);
    char *proof = a.proof, *publics = a.publics, *error = a.error;
    unsigned long long *proof_size = &a.proof_size, *size = &a.public_size;
    const void *w = f.wtns, *z = f.zkey;
    const unsigned long long ws = f.wtns_size, zs = f.zkey_size, es = sizeof a.error;
    char path[CIRCUIT_PATH_BYTES];
    (void)circuit_path(TINY, "key.zkey", path);
    const int results[] = {
        groth16_public_size_for_zkey_buf(NULL, zs, size, error, es),
        groth16_public_size_for_zkey_buf(z, zs, NULL, error, es),
        groth16_public_size_for_zkey_file(NULL, size, error, es),
        groth16_public_size_for_zkey_file(path, NULL, error, es),
        groth16_prover_create(NULL, z, zs, error, es),
        groth16_prover_create(&none, NULL, zs, error, es),
        groth16_prover_create(&none, NULL, 0, NULL, es),
        groth16_prover_create_zkey_file(NULL, path, error, es),
        groth16_prover_create_zkey_file(&none, NULL, error, 0),
        groth16_prover_prove(NULL, w, ws, proof, proof_size, publics, size, error, es),
        groth16_prover_prove(p, NULL, ws, proof, proof_size, publics, size, error, es),
        groth16_prover_prove(p, w, ws, NULL, proof_size, publics, size, error, es),
        groth16_prover_prove(p, w, ws, proof, NULL, publics, size, error, es),
        groth16_prover_prove(p, w, ws, proof, proof_size, NULL, size, error, es),
        groth16_prover_prove(p, w, ws, proof, proof_size, publics, NULL, error, es),
        groth16_prover(NULL, zs, w, ws, proof, proof_size, publics, size, error, es),
        groth16_prover(z, zs, NULL, ws, proof, proof_size, publics, size, NULL, 0),
        groth16_prover(z, zs, w, ws, NULL, NULL, NULL, NULL, NULL, 0),
        groth16_prover_zkey_file(NULL, w, ws, proof, proof_size, publics, size, error, es),
        groth16_prover_zkey_file(path, NULL, 0, proof, proof_size, publics, size, error, es),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i] != PROVER_ERROR) {
            test_abort("call %zu: the result is %d", i, results[i]);
        }
    }
    assert_null(none);
    assert_memory_equal(a.proof, before.proof, sizeof a.proof);
    assert_memory_equal(a.publics, before.publics, sizeof a.publics);
    assert_true(a.proof_size == before.proof_size && a.public_size == before.public_size);
    assert_int_equal(groth16_verify(NULL, f.publics, f.verifying, error, es), VERIFIER_ERROR);
    assert_int_equal(groth16_verify(f.proof, NULL, f.verifying, error, es), VERIFIER_ERROR);
    assert_int_equal(groth16_verify(f.proof, f.publics, NULL, error, es), VERIFIER_ERROR);
    assert_int_equal(groth16_verify(f.proof, f.publics, NULL, NULL, es), VERIFIER_ERROR);
    groth16_prover_destroy(p);
}

/* A message is cut to the buffer's size, including the final 0. */
static void test_sentences(void)
{
    static const unsigned long long sizes[] = {0, 1, 2, 20, ERROR_BYTES};
    char whole[ERROR_BYTES], error[ERROR_BYTES];
    void *prover;
    assert_int_equal(groth16_prover_create(&prover, "", 0, whole, sizeof whole), PROVER_ERROR);
    assert_non_null(strstr(whole, " in memory: "));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = (size_t)sizes[i], length = strlen(whole);
        memset(error, 0x5a, sizeof error);
        assert_int_equal(groth16_prover_create(&prover, "", 0, error, size), PROVER_ERROR);
        const size_t kept = size == 0 ? 0 : size - 1 < length ? size - 1 : length;
        assert_memory_equal(error, whole, kept);
        assert_int_equal(error[kept], size == 0 ? 0x5a : 0);
        assert_true(kept + 1 == sizeof error || error[kept + 1] == 0x5a);
    }
}

/* Return the text with the first `from` in it replaced. The caller frees the text. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *result = test_alloc(strlen(text) + strlen(to) + 1);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return result;
}

static void test_verifying(void)
{
    CLEANUP(free_files) files f = read_files(TINY), bls = read_files(OTHER_CURVE);
    json_t *publics = json_loads(f.publics, 0, NULL), *proof = json_loads(f.proof, 0, NULL);
    const char *first = json_string_value(json_array_get(publics, 0));
    const char *x = json_string_value(json_array_get(json_object_get(proof, "pi_a"), 0));
    const char *y = json_string_value(json_array_get(json_object_get(proof, "pi_a"), 1));
    assert_int_equal(verify(&f, f.proof, f.publics), VERIFIER_VALID_PROOF);
    const struct {
        int is_proof;
        const char *from, *to;
        int expected;
    } cases[] = {
        {0, first, "1", VERIFIER_INVALID_PROOF},
        {0, first, "21888242871839275222246405745257275088548364400416034343698204186575808495617", /* r */
         VERIFIER_INVALID_PROOF},
        {1, x, y, VERIFIER_INVALID_PROOF}, /* off the curve */
        {1, x, "21888242871839275222246405745257275088696311157297823662689037894645226208583", /* p */
         VERIFIER_INVALID_PROOF},
        {1, "groth16", "plonk", VERIFIER_ERROR},
        {1, "pi_b", "pi_x", VERIFIER_ERROR},
        {1, "\"curve\"", "\"other\"", VERIFIER_VALID_PROOF}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AUTO_FREE char *changed =
            replaced(cases[i].is_proof ? f.proof : f.publics, cases[i].from, cases[i].to);
        assert_int_equal(
            verify(&f, cases[i].is_proof ? changed : f.proof, cases[i].is_proof ? f.publics : changed),
            cases[i].expected);
    }
    static const char *const bad[] = {"",    "[", "{}", "null", "[]", "[1.5]", "[\"1\",\"2\",\"3\",\"4\"]",
                                      "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const files with_bad_key = {.verifying = (char *)(uintptr_t)bad[i]};
        assert_int_equal(verify(&f, bad[i], f.publics), VERIFIER_ERROR);
        assert_int_equal(verify(&f, f.proof, bad[i]), VERIFIER_ERROR);
        assert_int_equal(verify(&with_bad_key, f.proof, f.publics), VERIFIER_ERROR);
    }
    assert_int_equal(verify(&bls, bls.proof, bls.publics), VERIFIER_ERROR);
    json_decref(publics);
    json_decref(proof);
}

/* This is a thread, its prover and its result. */
typedef struct thread_work {
    pthread_t thread;
    void *prover;
    const files *f;
    int number, failed;
} thread_work;

static void *work_on(void *argument)
{
    thread_work *t = argument;
    answer a;
    clear(&a);
    if (t->number % 8 == 7) {
        t->failed = prove(t->prover, t->f->wtns, t->f->wtns_size - 1, &a) != PROVER_ERROR;
    } else {
        t->failed = prove(t->prover, t->f->wtns, t->f->wtns_size, &a) != PROVER_OK ||
                    groth16_verify(a.proof, a.publics, t->f->verifying, NULL, 0) != VERIFIER_VALID_PROOF;
    }
    return NULL;
}

/* 64 threads share one prover, and every eighth of them has a witness that is refused. */
static void test_threads(void)
{
    enum { THREADS = 64 };
    thread_work threads[THREADS];
    CLEANUP(free_files) files f = read_files(TINY);
    void *prover = create(&f);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (thread_work){.prover = prover, .f = &f, .number = i};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, work_on, threads + i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i].thread, NULL);
        assert_false(threads[i].failed);
    }
    groth16_prover_destroy(prover);
}

/* If any allocation of a call fails, the call fails, and the next call succeeds. */
static void test_memory(void)
{
    CLEANUP(free_files) files f = read_files(TINY);
    const long step = options.quick ? 7 : 1;
    answer a;
    for (long i = 0, failed = 1; failed > 0; i += step) {
        clear(&a);
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const int result = groth16_prover(f.zkey, f.zkey_size, f.wtns, f.wtns_size, a.proof, &a.proof_size,
                                          a.publics, &a.public_size, a.error, sizeof a.error);
        failed = failing_end().allocations_failed;
        if (result == PROVER_OK) {
            expect_proof(&f, &a);
        } else {
            assert_true(failed > 0 && result == PROVER_ERROR && memchr(a.error, 0, sizeof a.error) != NULL &&
                        a.error[0] != 0);
        }
    }
    for (long i = 0, failed = 1; failed > 0; i++) {
        char error[ERROR_BYTES] = "";
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const int result = groth16_verify(f.proof, f.publics, f.verifying, error, sizeof error);
        failed = failing_end().allocations_failed;
        assert_int_equal(result == VERIFIER_ERROR, error[0] != 0);
        assert_null(strstr(error, "null"));
        assert_true(result == VERIFIER_VALID_PROOF || (failed > 0 && result == VERIFIER_ERROR));
    }
    /* If a key can't be opened for lack of memory, it can be opened later. */
    for (long i = 0, failed = 1; failed > 0; i += 3 * step) {
        void *prover = NULL;
        char error[ERROR_BYTES] = "";
        failing_begin((failing_plan){.allocation = i, .thread = -1, .from_then_on = 1});
        const int result = groth16_prover_create(&prover, f.zkey, f.zkey_size, error, sizeof error);
        failed = failing_end().allocations_failed;
        assert_int_equal(result == PROVER_OK, prover != NULL);
        assert_true(result == PROVER_OK || (failed > 0 && error[0] != 0));
        groth16_prover_destroy(prover);
    }
}

static const test_entry entries[] = {
    {"codes", TEST_ONCE(test_codes)},
    {"sizes", TEST_ONCE(test_sizes)},
    {"proofs", TEST_ONCE(test_proofs)},
    {"no_publics", TEST_ONCE(test_no_publics)},
    {"short_buffers", TEST_ONCE(test_short_buffers)},
    {"bad_witnesses", TEST_ONCE(test_bad_witnesses)},
    {"bad_keys", TEST_ONCE(test_bad_keys)},
    {"null_pointers", TEST_ONCE(test_null_pointers)},
    {"sentences", TEST_ONCE(test_sentences)},
    {"verifying", TEST_ONCE(test_verifying)},
    {"threads", TEST_ONCE(test_threads)},
    {"memory", TEST_ONCE(test_memory)},
};
TEST_MAIN("test_rapidsnark", entries)

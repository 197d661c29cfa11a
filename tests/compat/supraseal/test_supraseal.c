/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the drop-in for supraseal-c2: proofs, refused files and calls, the cache, threads, and memory. The oracle
 * is bellperson's prover for CPUs, whose parameters, circuits and proofs are in tests/data/supraseal.tar.xz. check.rs has
 * written them, and says what is in them.
 */
#include "supraseal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/failing.h"
#include "support/files.h"
#include "support/harness.h"

enum { MOST_CIRCUITS = 3, SCALAR = SUPRASEAL_SCALAR_BYTES, PROOF = SUPRASEAL_PROOF_BYTES, PATH_BYTES = 500 };
enum { VK_BYTES = 864, G1 = 96 };

/* The numbers with which a file of proofs begins. */
typedef struct numbers {
    uint64_t circuits, inputs, aux, constraints, a_aux, b_inputs, b_aux;
} numbers;

/* A set of files, and its circuits. */
typedef struct example {
    const char *name;
    char path[PATH_BYTES]; /* of the parameters */
    uint8_t *file;
    numbers of;
    supraseal_assignment circuits[MOST_CIRCUITS];
    uint8_t r[MOST_CIRCUITS * SCALAR], s[MOST_CIRCUITS * SCALAR];
    const uint8_t *proofs;
} example;

static void free_example(example *e)
{
    free(e->file);
}

static const void *take(const uint8_t **at, uint64_t count, size_t each)
{
    const uint8_t *taken = *at;
    *at += count * each;
    return taken;
}

static example read_example(const char *name)
{
    char path[PATH_BYTES];
    size_t size;
    example e = {.name = name};
    (void)snprintf(e.path, sizeof e.path, "%s/supraseal/%s.parameters", SUMAC_TEST_DATA, name);
    (void)snprintf(path, sizeof path, "%s/supraseal/%s.proofs", SUMAC_TEST_DATA, name);
    e.file = test_read_file(path, &size);
    const uint8_t *at = e.file;
    memcpy(&e.of, take(&at, 1, sizeof e.of), sizeof e.of);
    assert_true(e.of.circuits <= MOST_CIRCUITS);
    supraseal_assignment all = {.abc_size = e.of.constraints};
    all.a_aux_bit_len = all.b_aux_bit_len = all.aux_assignment_size = e.of.aux;
    all.b_inp_bit_len = all.inp_assignment_size = e.of.inputs;
    all.a_aux_popcount = e.of.a_aux;
    all.b_inp_popcount = e.of.b_inputs;
    all.b_aux_popcount = e.of.b_aux;
    all.a_aux_density = take(&at, (e.of.aux + 63) / 64, 8);
    all.b_inp_density = take(&at, (e.of.inputs + 63) / 64, 8);
    all.b_aux_density = take(&at, (e.of.aux + 63) / 64, 8);
    for (size_t i = 0; i < e.of.circuits; i++) {
        e.circuits[i] = all;
        e.circuits[i].inp_assignment_data = take(&at, e.of.inputs, SCALAR);
        e.circuits[i].aux_assignment_data = take(&at, e.of.aux, SCALAR);
        e.circuits[i].a = take(&at, e.of.constraints, SCALAR);
        e.circuits[i].b = take(&at, e.of.constraints, SCALAR);
        e.circuits[i].c = take(&at, e.of.constraints, SCALAR);
        memcpy(e.r + i * SCALAR, take(&at, 1, SCALAR), SCALAR);
        memcpy(e.s + i * SCALAR, take(&at, 1, SCALAR), SCALAR);
    }
    e.proofs = take(&at, e.of.circuits, PROOF);
    assert_int_equal(at - e.file, size);
    return e;
}

/* Return the code, and check that a failed call has a sentence of one line with these words. */
static int code_of(supraseal_error error, const char *words)
{
    if (error.code == 0) {
        assert_null(error.message);
    } else if (error.message == NULL || strstr(error.message, words) == NULL || strchr(error.message, '\n')) {
        test_abort("code %d: \"%s\" says nothing about \"%s\"", error.code, error.message, words);
    }
    free(error.message);
    return error.code;
}

static supraseal_srs load(const example *e)
{
    supraseal_srs srs = {NULL};
    assert_int_equal(code_of(create_SRS(&srs, e->path, false), ""), 0);
    return srs;
}

static supraseal_error prove(const example *e, const supraseal_srs *srs, uint8_t *proofs)
{
    return generate_groth16_proofs_c(e->circuits, e->of.circuits, e->r, e->s, proofs, srs);
}

static void expect_proofs(const example *e, const supraseal_srs *srs)
{
    uint8_t proofs[MOST_CIRCUITS * PROOF];
    assert_int_equal(code_of(prove(e, srs, proofs), ""), 0);
    assert_memory_equal(proofs, e->proofs, e->of.circuits * PROOF);
}

/* "one" has a single constraint, and no points H; "dense" has all variables in A. */
static void test_proofs(void)
{
    static const char *const names[] = {"small", "one", "dense"};
    assert_int_equal(sizeof(supraseal_error), 16);
    assert_int_equal(sizeof(supraseal_assignment), 17 * 8);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CLEANUP(free_example) example e = read_example(names[i]);
        CLEANUP(drop_SRS) supraseal_srs srs = load(&e);
        expect_proofs(&e, &srs);
        CLEANUP(drop_SRS) supraseal_srs copy = clone_SRS(&srs);
        drop_SRS(&srs);
        assert_null(srs.parameters);
        expect_proofs(&e, &copy);
        e.circuits[1] = e.circuits[0];
        e.of.circuits = 1;
        expect_proofs(&e, &copy);
    }
}

/* Require that a call is refused, and writes nothing. */
static void expect_refused(const example *e, const supraseal_srs *srs, int code, const char *words)
{
    uint8_t proofs[MOST_CIRCUITS * PROOF], before[MOST_CIRCUITS * PROOF];
    memset(proofs, 0xa5, sizeof proofs);
    memset(before, 0xa5, sizeof before);
    const int got = code_of(prove(e, srs, proofs), words);
    if (got != code) {
        test_abort("%d, where it should be %d with \"%s\"", got, code, words);
    }
    assert_memory_equal(proofs, before, sizeof proofs);
}

/* Change a field of the last circuit's numbers, and expect a refusal. */
#define EXPECT_FIELD(field, value, code, words)                                                              \
    do {                                                                                                     \
        const supraseal_assignment kept = *last;                                                             \
        last->field = value;                                                                                 \
        expect_refused(&e, &srs, code, words);                                                               \
        *last = kept;                                                                                        \
    } while (0)

static void test_bad_calls(void)
{
    CLEANUP(free_example) example e = read_example("small");
    CLEANUP(free_example) example other = read_example("dense");
    CLEANUP(drop_SRS) supraseal_srs srs = load(&e), none = {NULL};
    supraseal_assignment *last = &e.circuits[e.of.circuits - 1];
    uint8_t proofs[MOST_CIRCUITS * PROOF], inputs[3 * SCALAR];
    AUTO_FREE uint8_t *changed = test_alloc(e.of.aux * SCALAR);
    EXPECT_FIELD(a_aux_bit_len, last->a_aux_bit_len + 1, SUMAC_MISMATCH, "circuit 2 has ");
    EXPECT_FIELD(b_aux_bit_len, 0, SUMAC_MISMATCH, "bits of B's density");
    EXPECT_FIELD(b_inp_bit_len, SIZE_MAX, SUMAC_MISMATCH, "bits of B's density of inputs");
    EXPECT_FIELD(a_aux_popcount, SIZE_MAX, SUMAC_MISMATCH, "inputs and bits set for A");
    EXPECT_FIELD(b_aux_popcount, last->b_aux_popcount - 1, SUMAC_MISMATCH, "bits set for B");
    EXPECT_FIELD(inp_assignment_size, 2, SUMAC_MISMATCH, "2 inputs, but the parameters are for 3");
    EXPECT_FIELD(aux_assignment_size, SIZE_MAX, SUMAC_MISMATCH, "auxiliary variables");
    EXPECT_FIELD(abc_size, 33, SUMAC_MISMATCH, "33 constraints");
    EXPECT_FIELD(a_aux_density, last->b_aux_density, SUMAC_MISMATCH, "density map");
    EXPECT_FIELD(a, NULL, SUMAC_BAD_ARGUMENT, "null");
    EXPECT_FIELD(b_inp_density, NULL, SUMAC_BAD_ARGUMENT, "null");
    EXPECT_FIELD(aux_assignment_data, NULL, SUMAC_BAD_ARGUMENT, "null");
    memcpy(inputs, last->inp_assignment_data, sizeof inputs);
    inputs[0] ^= 1;
    EXPECT_FIELD(inp_assignment_data, inputs, SUMAC_BAD_ARGUMENT, "first input is not 1");
    /* The values of another witness do not satisfy the constraints. */
    EXPECT_FIELD(a, e.circuits[0].a, SUMAC_NOT_SATISFIED, "circuit 2: its proof does not hold");
    memcpy(changed, last->aux_assignment_data, e.of.aux * SCALAR);
    changed[0] ^= 1;
    EXPECT_FIELD(aux_assignment_data, changed, SUMAC_NOT_SATISFIED, "circuit 2: its proof does not hold");
    memset(changed, 0xff, SCALAR);
    EXPECT_FIELD(aux_assignment_data, changed, SUMAC_BAD_ENCODING, "");
    expect_refused(&other, &srs, SUMAC_MISMATCH, "circuit 0 has ");
    expect_refused(&e, &none, SUMAC_BAD_ARGUMENT, "null");
    expect_refused(&e, NULL, SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(code_of(generate_groth16_proofs_c(NULL, 1, e.r, e.s, proofs, &srs), "null"),
                     SUMAC_BAD_ARGUMENT);
    assert_int_equal(code_of(generate_groth16_proofs_c(e.circuits, 1, NULL, e.s, proofs, &srs), "null"),
                     SUMAC_BAD_ARGUMENT);
    assert_int_equal(code_of(generate_groth16_proofs_c(e.circuits, 1, e.r, e.s, NULL, &srs), "null"),
                     SUMAC_BAD_ARGUMENT);
    assert_int_equal(code_of(generate_groth16_proofs_c(NULL, 0, NULL, NULL, NULL, &srs), ""), 0);
    memset(e.r, 0xff, SCALAR);
    expect_refused(&e, &srs, SUMAC_BAD_ENCODING, "");
    evict_SRS(NULL);
    evict_SRS(&none);
    drop_SRS(NULL);
    assert_null(clone_SRS(&none).parameters);
    assert_null(clone_SRS(NULL).parameters);
}

/* Circuits of one call may have different density maps. If a variable of A is exchanged for one that is not in A, and the
 * values are exchanged, too, the proof is another circuit's, and only that one is refused. */
static void test_density_maps(void)
{
    CLEANUP(free_example) example e = read_example("small");
    CLEANUP(drop_SRS) supraseal_srs srs = load(&e);
    uint64_t copy[8], other[8];
    const size_t bytes = (e.of.aux + 63) / 64 * 8;
    assert_true(bytes <= sizeof copy);
    /* Bits behind the last variable are not looked at. */
    memcpy(copy, e.circuits[1].a_aux_density, bytes);
    copy[bytes / 8 - 1] |= ~(uint64_t)0 << e.of.aux % 64;
    e.circuits[1].a_aux_density = copy;
    expect_proofs(&e, &srs);
    memcpy(other, copy, bytes);
    other[0] ^= 1;
    other[0] ^= (uint64_t)1 << __builtin_ctzll((copy[0] & 1) != 0 ? ~copy[0] : copy[0]);
    e.circuits[1].a_aux_density = other;
    expect_refused(&e, &srs, SUMAC_NOT_SATISFIED, "circuit 1: its proof does not hold");
}

/* Write a file, and expect that it is refused. */
static void expect_file(const char *path, const uint8_t *bytes, size_t size, int code, const char *words)
{
    test_write_file(path, bytes, size);
    for (int cache = 0; cache < 2; cache++) {
        supraseal_srs srs = {NULL};
        const int got = code_of(create_SRS(&srs, path, cache), words);
        if (got != code || srs.parameters != NULL) {
            test_abort("%d, where it should be %d with \"%s\"", got, code, words);
        }
    }
}

static void test_bad_files(void)
{
    CLEANUP(free_example) example e = read_example("small");
    TEST_FILE(path);
    size_t size;
    AUTO_FREE uint8_t *bytes = test_read_file(e.path, &size);
    const size_t h = VK_BYTES + 4 + 3 * G1;
    supraseal_srs srs = {NULL};
    for (size_t length = 0; length < size; length += options.quick ? 1001 : 41) {
        expect_file(path, bytes, length, SUMAC_BAD_FILE, "bytes");
    }
    expect_file(path, bytes, size + 1, SUMAC_BAD_FILE, "would end at byte"); /* a zero follows */
    static const struct {
        size_t at;
        const char *words;
    } key_points[] = {{95, "alpha_g1"},  {191, "beta_g1"},  {300, "beta_g2"}, {500, "gamma_g2"},
                      {600, "delta_g1"}, {863, "delta_g2"}, {970, "IC"}};
    for (size_t i = 0; i < sizeof key_points / sizeof *key_points; i++) {
        bytes[key_points[i].at] ^= 1;
        expect_file(path, bytes, size, SUMAC_NOT_ON_CURVE, key_points[i].words);
        bytes[key_points[i].at] ^= 1;
    }
    assert_int_equal(bytes[h + 3], 31);
    bytes[h + 3] = 30;
    expect_file(path, bytes, size, SUMAC_BAD_FILE, "points");
    bytes[h + 3] = 31;
    bytes[h] = 0xff;
    expect_file(path, bytes, size, SUMAC_BAD_FILE, "points H would begin");
    bytes[h] = 0;
    for (size_t at = h + 4 + 60; at < size - 192; at += 31 * G1) {
        bytes[at] ^= 1;
        expect_file(path, bytes, size, SUMAC_NOT_ON_CURVE, "from byte");
        bytes[at] ^= 1;
    }
    memset(bytes + h + 4, 0, G1);
    bytes[h + 4] = 0x40;
    expect_file(path, bytes, size, SUMAC_BAD_FILE, "point 0 of H, at byte 1160, is infinity");
    assert_int_equal(code_of(create_SRS(&srs, "/no/such/file", true), "/no/such/file"), SUMAC_CANNOT_OPEN);
    assert_int_equal(code_of(create_SRS(&srs, "/dev/null", true), "no regular file"), SUMAC_CANNOT_OPEN);
    assert_int_equal(code_of(create_SRS(&srs, NULL, true), "null"), SUMAC_BAD_ARGUMENT);
    assert_int_equal(code_of(create_SRS(NULL, e.path, true), "null"), SUMAC_BAD_ARGUMENT);
}

/* Counts that contradict each other are refused, also if the file is as long as they say. */
static void test_contradicting_counts(void)
{
    CLEANUP(free_example) example e = read_example("small");
    TEST_FILE(path);
    size_t size;
    AUTO_FREE uint8_t *bytes = test_read_file(e.path, &size);
    const size_t h = VK_BYTES + 4 + 3 * G1, b_g2 = 4 + (e.of.b_inputs + e.of.b_aux) * 2 * G1;
    /* The last point H, the last point of B in G2, and all points IC are left out in turn. */
    const struct {
        size_t count_at, cut_at, cut;
        const char *words;
    } cases[] = {{h, h + 4, G1, "30 points H"},
                 {size - b_g2, size - 2 * G1, 2 * G1, "points B in G1"},
                 {VK_BYTES, VK_BYTES + 4, 3 * G1, "0 points IC"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AUTO_FREE uint8_t *cut = test_alloc(size);
        memcpy(cut, bytes, cases[i].cut_at);
        memcpy(cut + cases[i].cut_at, bytes + cases[i].cut_at + cases[i].cut,
               size - cases[i].cut_at - cases[i].cut);
        cut[cases[i].count_at + 3] = i == 2 ? 0 : (uint8_t)(cut[cases[i].count_at + 3] - 1);
        expect_file(path, cut, size - cases[i].cut, SUMAC_BAD_FILE, cases[i].words);
    }
}

/* A cached path is loaded once, until it is evicted or four other paths are loaded. Handles outlive that. */
static void test_cache(void)
{
    enum { PATHS = 5 };
    CLEANUP(free_example) example e = read_example("one");
    char paths[PATHS][PATH_BYTES];
    supraseal_srs first = {NULL}, second = {NULL};
    for (int i = 0; i < PATHS; i++) { /* all name one file */
        (void)snprintf(paths[i], PATH_BYTES, "%s%.*s/supraseal/one.parameters", SUMAC_TEST_DATA, 2 * i,
                       "/././././.");
    }
    assert_int_equal(code_of(create_SRS(&first, paths[0], true), ""), 0);
    assert_int_equal(code_of(create_SRS(&second, paths[0], true), ""), 0);
    assert_ptr_equal(first.parameters, second.parameters);
    drop_SRS(&second);
    assert_int_equal(code_of(create_SRS(&second, paths[0], false), ""), 0);
    assert_ptr_not_equal(first.parameters, second.parameters);
    drop_SRS(&second);
    evict_SRS(&first);
    assert_int_equal(code_of(create_SRS(&second, paths[0], true), ""), 0);
    assert_ptr_not_equal(first.parameters, second.parameters);
    drop_SRS(&first);
    for (int i = 1; i < PATHS; i++) {
        assert_int_equal(code_of(create_SRS(&first, paths[i], true), ""), 0);
        drop_SRS(&first);
    }
    assert_int_equal(code_of(create_SRS(&first, paths[0], true), ""), 0);
    assert_ptr_not_equal(first.parameters, second.parameters);
    expect_proofs(&e, &first);
    expect_proofs(&e, &second);
    drop_SRS(&second);
    for (int i = 0; i < PATHS; i++) {
        assert_int_equal(code_of(create_SRS(&second, paths[i], true), ""), 0);
        evict_SRS(&second);
        drop_SRS(&second);
    }
    drop_SRS(&first);
}

/* A thread's work. */
typedef struct thread_work {
    pthread_t thread;
    const example *e;
    const supraseal_srs *srs;
    int number, failed;
} thread_work;

static void *work_on(void *argument)
{
    thread_work *t = argument;
    uint8_t proofs[MOST_CIRCUITS * PROOF];
    for (int round = 0; round < 3; round++) {
        supraseal_srs own = {NULL};
        t->failed |= create_SRS(&own, t->e->path, true).code;
        const supraseal_srs *srs = (t->number + round) % 2 == 0 ? &own : t->srs;
        t->failed |= prove(t->e, srs, proofs).code;
        t->failed |= memcmp(proofs, t->e->proofs, t->e->of.circuits * PROOF);
        if (t->number == 3) {
            evict_SRS(&own);
        }
        drop_SRS(&own);
    }
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 12 }; /* more than there are contexts */
    thread_work threads[THREADS];
    CLEANUP(free_example) example e = read_example("small");
    CLEANUP(drop_SRS) supraseal_srs srs = load(&e);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (thread_work){.e = &e, .srs = &srs, .number = i};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, work_on, threads + i), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i].thread, NULL);
        assert_int_equal(threads[i].failed, 0);
    }
    CLEANUP(drop_SRS) supraseal_srs cached = {NULL};
    assert_int_equal(code_of(create_SRS(&cached, e.path, true), ""), 0);
    evict_SRS(&cached);
}

/* If any allocation of a call fails, the call fails with a sentence or succeeds, and the next call succeeds. */
static void test_memory(void)
{
    CLEANUP(free_example) example e = read_example("dense");
    CLEANUP(drop_SRS) supraseal_srs srs = load(&e);
    const long step = options.quick ? 7 : 1;
    uint8_t proofs[MOST_CIRCUITS * PROOF];
    for (long i = 0, failed = 1; failed > 0; i += step) {
        supraseal_srs own = {NULL};
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const supraseal_error error = create_SRS(&own, e.path, i % 2 == 0);
        failed = failing_end().allocations_failed;
        assert_int_equal(error.code == 0, own.parameters != NULL);
        assert_true(error.code == 0 || failed > 0);
        free(error.message);
        evict_SRS(&own);
        drop_SRS(&own);
    }
    for (long i = 0, failed = 1; failed > 0; i += step) {
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const supraseal_error error = prove(&e, &srs, proofs);
        failed = failing_end().allocations_failed;
        assert_true(error.code == 0 ? memcmp(proofs, e.proofs, e.of.circuits * PROOF) == 0 : failed > 0);
        free(error.message);
    }
    expect_proofs(&e, &srs);
}

/* The linker directs the drop-in's calls of sumac_vector_subtract() to this function. From the first call on, it spoils as many
 * results as `spoiled` says, each of them with another number if `differently` is set. */
static struct {
    int spoiled, differently;
    uint8_t number;
} faults;

sumac_status __real_sumac_vector_subtract(sumac_context *context, const sumac_vector *a,
                                          const sumac_vector *b, size_t each, sumac_vector *result);
sumac_status __wrap_sumac_vector_subtract(sumac_context *context, const sumac_vector *a,
                                          const sumac_vector *b, size_t each, sumac_vector *result);
sumac_status __wrap_sumac_vector_subtract(sumac_context *context, const sumac_vector *a,
                                          const sumac_vector *b, size_t each, sumac_vector *result)
{
    const sumac_status status = __real_sumac_vector_subtract(context, a, b, each, result);
    if (status != SUMAC_OK || faults.spoiled == 0) {
        return status;
    }
    uint8_t scalar[SCALAR] = {0};
    faults.spoiled--;
    faults.number = (uint8_t)(faults.number + faults.differently);
    scalar[0] = faults.number;
    return sumac_vector_fill(context, result, scalar, sizeof scalar);
}

/* All circuits of the example are computed together, so that one spoiled step spoils all proofs. Each one is computed once
 * more. */
static void test_faults(void)
{
    CLEANUP(free_example) example e = read_example("small");
    CLEANUP(drop_SRS) supraseal_srs srs = load(&e);
    faults.spoiled = 1;
    faults.differently = 1;
    expect_proofs(&e, &srs);
    assert_int_equal(faults.spoiled, 0);
    faults.spoiled = 2;
    expect_refused(&e, &srs, SUMAC_DEVICE_FAILED,
                   "circuit 0: its proof does not hold, computed twice with different");
    faults.spoiled = 2;
    faults.differently = 0;
    expect_refused(&e, &srs, SUMAC_NOT_SATISFIED, "computed twice with the same result");
    assert_int_equal(faults.spoiled, 0);
    expect_proofs(&e, &srs);
}

static const test_entry entries[] = {
    {"proofs", TEST_ONCE(test_proofs)},
    {"bad calls", TEST_ONCE(test_bad_calls)},
    {"density maps", TEST_ONCE(test_density_maps)},
    {"bad files", TEST_ONCE(test_bad_files)},
    {"contradicting counts", TEST_ONCE(test_contradicting_counts)},
    {"cache", TEST_ONCE(test_cache)},
    {"faults", TEST_ONCE(test_faults)},
    {"threads", TEST_ONCE(test_threads)},
    {"memory", TEST_ONCE(test_memory)},
};
TEST_MAIN("supraseal", entries)

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests Groth16 with keys and witnesses of snarkjs. Proofs for given randomness must equal those of
 * tests/reference/groth16.py, snarkjs' own proofs must hold, and JSON must have the bytes that snarkjs writes.
 * test_groth16_files.c damages files, and test_groth16_setup.c knows the logarithms of a key.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "parts.h"
#include "support/cleanup.h"

/* ---- Proofs ---- */

static void check_reference(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    size_t size;
    circuit_open(&c, i, 2);
    AUTO_FREE uint8_t *expected = circuit_read(c.name, "expected.bin", &size);
    AUTO_FREE uint8_t *proof = test_alloc(c.info.proof_bytes);
    assert_int_equal(size, c.info.proof_bytes);
    TEST_OK(c.context, circuit_prove(&c, c.witness, proof));
    assert_memory_equal(proof, expected, size);
}

static void test_reference(void)
{
    circuit_for_each(1, check_reference);
}

static int holds(const circuit *c, const uint8_t *publics, const uint8_t *proof)
{
    int result = -1;
    TEST_OK(c->context, test_verify(c->context, c->verifying, publics, proof, 1, &result));
    return result;
}

/* A proof does not hold if one of its points is replaced by another point. */
static void check_alterations(const circuit *c, const uint8_t *proof)
{
    const size_t g1 = c->info.g1->point_bytes;
    const size_t g2 = c->info.g2->point_bytes;
    AUTO_FREE uint8_t *altered = test_alloc(c->info.proof_bytes),
                      *publics = test_alloc(c->info.publics_bytes);
    int result = 7;
    memcpy(altered, proof, c->info.proof_bytes);
    assert_int_equal(sumac_group_generator(c->info.g1, altered, c->info.g1->point_bytes), SUMAC_OK);
    assert_int_equal(holds(c, c->publics, altered), 0);
    memcpy(altered, proof, c->info.proof_bytes);
    assert_int_equal(sumac_group_generator(c->info.g2, altered + g1, c->info.g2->point_bytes), SUMAC_OK);
    assert_int_equal(holds(c, c->publics, altered), 0);
    memcpy(altered, proof, c->info.proof_bytes);
    memcpy(altered + g1 + g2, proof, g1);
    assert_int_equal(holds(c, c->publics, altered), 0);
    memset(altered + g1 + g2, 0, g1); /* infinity */
    assert_int_equal(holds(c, c->publics, altered), 0);
    memcpy(altered, proof, c->info.proof_bytes);
    altered[3] ^= 4;
    test_status(c->context, test_verify(c->context, c->verifying, c->publics, altered, 1, &result),
                SUMAC_NOT_ON_CURVE, c->name);
    for (uint64_t i = 0; i < c->info.publics; i++) {
        memcpy(publics, c->publics, c->info.publics_bytes);
        publics[i * c->scalar] ^= 1;
        assert_int_equal(holds(c, publics, proof), 0);
    }
    /* Numbers that are not less than r are refused, although their residues are public inputs. */
    memset(publics, 0xff, c->info.publics_bytes);
    test_sentence(c->context, test_verify(c->context, c->verifying, publics, proof, 1, &result),
                  SUMAC_BAD_ENCODING, "public input 0");
    assert_int_equal(result, 7);
}

static int hold(const circuit *c, const uint8_t *publics, const uint8_t *proofs, size_t count)
{
    int result = -1;
    TEST_OK(c->context, test_verify(c->context, c->verifying, publics, proofs, count, &result));
    return result;
}

/* Many proofs are verified by one equation. Either all hold, or the call finds one that does not, wherever it is. */
static void check_together(const circuit *c)
{
    enum { COUNT = 5 };
    const size_t bytes = c->info.proof_bytes, inputs = c->info.publics_bytes;
    const size_t g1 = c->info.g1->point_bytes, c_at = bytes - g1;
    AUTO_FREE uint8_t *proofs = test_alloc(COUNT * bytes), *publics = test_alloc(COUNT * inputs);
    AUTO_FREE uint8_t *altered = test_alloc(COUNT * bytes);
    int result = 7;
    for (size_t i = 0; i < COUNT; i++) {
        TEST_OK(c->context, test_prove(c->context, c->key, c->witness, 1, NULL, proofs + i * bytes));
        memcpy(publics + i * inputs, c->publics, inputs);
    }
    for (size_t count = 0; count <= COUNT; count++) {
        assert_int_equal(hold(c, publics, proofs, count), 1);
    }
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(altered, proofs, COUNT * bytes);
        assert_int_equal(sumac_group_generator(c->info.g1, altered + i * bytes, c->info.g1->point_bytes),
                         SUMAC_OK);
        assert_int_equal(hold(c, publics, altered, COUNT), 0);
        memcpy(altered + i * bytes, proofs + i * bytes, bytes);
        altered[i * bytes + 3] ^= 4;
        test_status(c->context, test_verify(c->context, c->verifying, publics, altered, COUNT, &result),
                    SUMAC_NOT_ON_CURVE, c->name);
        publics[i * inputs] ^= 1;
        assert_int_equal(hold(c, publics, proofs, COUNT), 0);
        publics[i * inputs] ^= 1;
    }
    /* Neither of two proofs holds, although the sum of all C is unchanged. */
    memcpy(altered, proofs, COUNT * bytes);
    memcpy(altered + c_at, proofs + bytes + c_at, g1);
    memcpy(altered + bytes + c_at, proofs + c_at, g1);
    assert_int_equal(hold(c, publics, altered, COUNT), 0);
    test_sentence(c->context, test_verify(c->context, c->verifying, NULL, proofs, COUNT, &result),
                  SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(result, 7);
}

/* With fresh randomness two proofs of one witness differ, and both hold. */
static void check_randomness(const circuit *c)
{
    AUTO_FREE uint8_t *proofs = test_alloc(2 * c->info.proof_bytes);
    for (size_t i = 0; i < 2; i++) {
        TEST_OK(c->context,
                test_prove(c->context, c->key, c->witness, 1, NULL, proofs + i * c->info.proof_bytes));
        assert_int_equal(holds(c, c->publics, proofs + i * c->info.proof_bytes), 1);
    }
    assert_memory_not_equal(proofs, proofs + c->info.proof_bytes, c->info.proof_bytes);
}

static void check_verification(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    circuit_open(&c, i, 1);
    AUTO_FREE uint8_t *proof = test_alloc(c.info.proof_bytes);
    TEST_OK(c.context, circuit_prove(&c, c.witness, proof));
    assert_int_equal(holds(&c, c.publics, proof), 1);
    check_alterations(&c, proof);
    check_randomness(&c);
    check_together(&c);
}

static void test_verification(void)
{
    circuit_for_each(1, check_verification);
}

/* Make proofs together, and compare every `step`-th one with the proof that is made of its witness alone. */
static void check_many(circuit *c, many_proofs *many, size_t step)
{
    AUTO_FREE uint8_t *one = test_alloc(c->info.proof_bytes);
    TEST_OK(c->context,
            test_prove(c->context, c->key, many->witnesses, many->count, &many->config, many->proofs));
    for (size_t i = 0; i < many->count; i += step) {
        memcpy(c->randomness, many->randomness + 2 * i * c->scalar, 2 * c->scalar);
        TEST_OK(c->context, circuit_prove(c, c->witness, one));
        assert_memory_equal(one, many->proofs + i * c->info.proof_bytes, c->info.proof_bytes);
    }
}

/* Witnesses in a vector must give the same proofs, and the same failures, as witnesses in memory. */
static void check_vector(const circuit *c, const uint8_t *witnesses, size_t count,
                         const sumac_groth16_prove_config *config, const uint8_t *expected)
{
    const size_t wires = (size_t)c->info.wires;
    AUTO_FREE uint8_t *proofs = test_alloc(count * c->info.proof_bytes);
    const uint8_t two[64] = {2};
    CLEANUP(destroy_vector)
    sumac_vector *points = NULL, *vector = circuit_vector(c->context, &c->info, witnesses, count * wires);
    TEST_OK(c->context, sumac_vector_create(c->context, c->info.g1, SUMAC_VECTOR_POINTS, 1, &points));
    TEST_OK(c->context, test_prove_vector(c->context, c->key, vector, count, config, proofs));
    assert_memory_equal(proofs, expected, count * c->info.proof_bytes);
    memset(proofs, 0x77, c->info.proof_bytes);
    test_sentence(c->context, test_prove_vector(c->context, c->key, vector, count + 1, config, proofs),
                  SUMAC_BAD_LENGTH, "witnesses of");
    test_sentence(c->context, test_prove_vector(c->context, c->key, points, 1, config, proofs),
                  SUMAC_BAD_ARGUMENT, "no scalars");
    test_sentence(c->context, test_prove_vector(c->context, c->key, NULL, 1, config, proofs),
                  SUMAC_BAD_ARGUMENT, "null");
    TEST_OK(c->context, test_vector_set(c->context, vector, two, count * wires - 1, 1, NULL));
    test_sentence(c->context, test_prove_vector(c->context, c->key, vector, count, config, proofs),
                  SUMAC_NOT_SATISFIED, "witness 4");
    TEST_OK(c->context, test_vector_set(c->context, vector, two, wires, 1, NULL));
    test_sentence(c->context, test_prove_vector(c->context, c->key, vector, count, config, proofs),
                  SUMAC_BAD_ARGUMENT, "witness 1: wire 0");
    assert_int_equal(proofs[0], 0x77);
}

static void check_batches(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    circuit_open(&c, i, 2);
    many_proofs many = many_make(&c, 5);
    check_many(&c, &many, 2);
    check_vector(&c, many.witnesses, many.count, &many.config, many.proofs);
    /* If one witness of a batch does not satisfy the constraints, nothing is written. */
    memset(many.proofs, 0x77, c.info.proof_bytes);
    many.witnesses[4 * c.info.witness_bytes + (c.info.wires - 1) * c.scalar] ^= 1;
    test_sentence(c.context, test_prove(c.context, c.key, many.witnesses, many.count, NULL, many.proofs),
                  SUMAC_NOT_SATISFIED, "witness 4");
    assert_int_equal(many.proofs[0], 0x77);
    many_free(&many);
    if (i % 2 == 0 &&
        !options.quick) { /* for tiny circuits, whose domain is 8, more than are computed together */
        many = many_make(&c, (1 << 14) / 8 + 3);
        many.config.unverified = 1;
        check_many(&c, &many, many.count - 1);
        many_free(&many);
    }
}

static void test_batches(void)
{
    circuit_for_each(1, check_batches);
}

/* ---- Threads ---- */

enum { THREADS = 8 };

typedef struct prover {
    const circuit *c;
    uint8_t *expected;
    int failures;
} prover;

static void *prove_with_own_context(void *argument)
{
    prover *worker = argument;
    circuit c = *worker->c;
    AUTO_FREE uint8_t *proof = test_alloc(c.info.proof_bytes);
    c.context = test_context(1, 0);
    for (int i = 0; i < 3; i++) {
        memset(proof, 0, c.info.proof_bytes);
        worker->failures += circuit_prove(&c, c.witness, proof) != SUMAC_OK ||
                            memcmp(proof, worker->expected, c.info.proof_bytes) != 0;
    }
    sumac_context_destroy(c.context);
    return NULL;
}

static void test_threads(void)
{
    CLEANUP(circuit_close) circuit c = {0};
    pthread_t threads[THREADS];
    prover provers[THREADS];
    if (!circuit_is_built(0)) {
        skip();
    }
    circuit_open(&c, 0, 1);
    AUTO_FREE uint8_t *expected = test_alloc(c.info.proof_bytes);
    TEST_OK(c.context, circuit_prove(&c, c.witness, expected));
    for (int i = 0; i < THREADS; i++) {
        provers[i] = (prover){&c, expected, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, prove_with_own_context, &provers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(provers[i].failures, 0);
    }
}

/* ---- JSON ---- */

static void check_json(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    size_t proof_size, publics_size, key_size, text_bytes;
    char path[CIRCUIT_PATH_BYTES];
    void *text;
    sumac_groth16_verifying_key *verifying;
    sumac_groth16_info info = {.size = sizeof info};
    circuit_open(&c, i, 1);
    AUTO_FREE char *proof_json = (char *)circuit_read(c.name, "proof.json", &proof_size);
    AUTO_FREE char *publics_json = (char *)circuit_read(c.name, "public.json", &publics_size);
    AUTO_FREE uint8_t *proof = test_alloc(c.info.proof_bytes), *publics = test_alloc(c.info.publics_bytes);
    TEST_OK(c.context, sumac_groth16_verifying_key_open(
                           c.context, circuit_path(c.name, "verification_key.json", path), &verifying));
    assert_int_equal(sumac_groth16_verifying_key_describe(verifying, &info), SUMAC_OK);
    assert_int_equal(info.publics, c.info.publics);
    assert_int_equal(info.proof_bytes, c.info.proof_bytes);
    TEST_OK(c.context, sumac_groth16_proof_decode(c.context, verifying, proof_json, proof_size, "snarkjs",
                                                  "proof.json", proof, info.proof_bytes));
    TEST_OK(c.context, sumac_groth16_publics_decode(c.context, verifying, publics_json, publics_size,
                                                    "snarkjs", "public.json", publics, info.publics_bytes));
    assert_memory_equal(publics, c.publics, c.info.publics_bytes);
    c.verifying = verifying;
    assert_int_equal(holds(&c, publics, proof), 1);
    TEST_OK(c.context, sumac_groth16_proof_encode(c.context, verifying, proof, info.proof_bytes, "snarkjs",
                                                  &text, &text_bytes));
    assert_string_equal(text, proof_json);
    assert_int_equal(text_bytes, proof_size);
    sumac_free(text);
    TEST_OK(c.context, sumac_groth16_publics_encode(c.context, verifying, publics, info.publics_bytes,
                                                    "snarkjs", &text, &text_bytes));
    assert_string_equal(text, publics_json);
    assert_int_equal(text_bytes, publics_size);
    sumac_free(text);
    sumac_groth16_verifying_key_destroy(verifying);
    static const char *const keys[] = {"verification_key.json", "key.zkey"};
    for (size_t k = 0; k < 2; k++) {
        AUTO_FREE uint8_t *key = circuit_read(c.name, keys[k], &key_size);
        for (int from_memory = 0; from_memory < 2; from_memory++) {
            TEST_OK(c.context, from_memory
                                   ? sumac_groth16_verifying_key_create(c.context, key, key_size, &verifying)
                                   : sumac_groth16_verifying_key_open(
                                         c.context, circuit_path(c.name, keys[k], path), &verifying));
            c.verifying = verifying;
            assert_int_equal(holds(&c, publics, proof), 1);
            sumac_groth16_verifying_key_destroy(verifying);
        }
    }
}

static void test_json(void)
{
    circuit_for_each(1, check_json);
}

static void refuse_proof(const circuit *c, const char *text, sumac_status status, const char *part)
{
    uint8_t proof[1024];
    test_sentence(c->context,
                  sumac_groth16_proof_decode(c->context, c->verifying, text, strlen(text), "snarkjs",
                                             "p.json", proof, c->info.proof_bytes),
                  status, part);
}

static void refuse_publics(const circuit *c, const char *text, sumac_status status, const char *part)
{
    uint8_t publics[1024];
    test_sentence(c->context,
                  sumac_groth16_publics_decode(c->context, c->verifying, text, strlen(text), "snarkjs",
                                               "x.json", publics, c->info.publics_bytes),
                  status, part);
}

/* Create a verifying key of two public inputs from JSON in which `member` replaces "nPublic". */
static sumac_status create_of_publics(sumac_context *context, const char *member)
{
    char text[1000];
    CLEANUP(destroy_verifying_key) sumac_groth16_verifying_key *verifying = NULL;
    const int length = snprintf(text, sizeof text,
                                "{\"curve\":\"bn128\",%s\"vk_alpha_1\":[\"1\",\"2\",\"1\"],"
                                "\"vk_beta_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],"
                                "\"vk_gamma_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],"
                                "\"vk_delta_2\":[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]],"
                                "\"IC\":[[\"1\",\"2\",\"1\"],[\"1\",\"2\",\"1\"],[\"1\",\"2\",\"1\"]]}",
                                member);
    const sumac_status status = sumac_groth16_verifying_key_create(context, text, (size_t)length, &verifying);
    assert_int_equal(status == SUMAC_OK, verifying != NULL);
    return status;
}

static void check_public_numbers(sumac_context *context)
{
    static const char *const right[] = {"", "\"nPublic\":2,", "\"nPublic\": \"2\","};
    static const char *const wrong[] = {"\"nPublic\":7,",    "\"nPublic\":\"x\",",
                                        "\"nPublic\":1,",    "\"nPublic\":3,",
                                        "\"nPublic\":-2,",   "\"nPublic\":2.5,",
                                        "\"nPublic\":null,", "\"nPublic\":[2],",
                                        "\"nPublic\":\"\",", "\"nPublic\":18446744073709551618,"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        TEST_OK(context, create_of_publics(context, right[i]));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_sentence(context, create_of_publics(context, wrong[i]), SUMAC_BAD_FILE,
                      "nPublic is not 2, for which IC has 3 points");
    }
}

static void test_bad_json(void)
{
    CLEANUP(circuit_close) circuit c = {0};
    sumac_groth16_verifying_key *verifying = NULL;
    static const char *const no_json[] = {"",    "{",   "[1,]",  "{\"a\"}",  "{\"a\":}",
                                          "\"a", "nul", "[1] 2", "\"a\nb\"", "-"};
    if (!circuit_is_built(0)) {
        skip();
    }
    circuit_open(&c, 0, 1);
    for (size_t i = 0; i < sizeof no_json / sizeof *no_json; i++) {
        refuse_proof(&c, no_json[i], SUMAC_BAD_FILE, "p.json: no JSON from byte");
        refuse_publics(&c, no_json[i], SUMAC_BAD_FILE, "x.json: no JSON from byte");
    }
    char deep[200];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    refuse_proof(&c, deep, SUMAC_BAD_FILE, "from byte 33");
    refuse_proof(&c, "[]", SUMAC_BAD_FILE, "it has no pi_a");
    refuse_proof(&c, "{\"protocol\": \"plonk\"}", SUMAC_MISMATCH, "protocol");
    refuse_proof(&c, "{\"curve\": \"bls12381\"}", SUMAC_MISMATCH, "curve");
    refuse_proof(&c, "{\"pi_a\": 1}", SUMAC_BAD_FILE, "pi_a is not a point of three");
    refuse_proof(&c, "{\"pi_a\": [\"1\",\"2\",\"3\"]}", SUMAC_BAD_FILE, "pi_a is not an affine point");
    refuse_proof(&c, "{\"pi_a\": [\"1\",\"2\",\"1\",\"4\"]}", SUMAC_BAD_FILE, "pi_a is not a point of three");
    refuse_proof(&c, "{\"pi_a\": [\"0\",\"1\",\"0\",\"4\"]}", SUMAC_BAD_FILE, "pi_a is not a point of three");
    refuse_proof(&c, "{\"pi_a\": [\"0\",\"1\",\"0\",{}]}", SUMAC_BAD_FILE, "pi_a is not a point of three");
    refuse_proof(&c, "{\"pi_a\": [\"1\",\"-2\",\"1\"]}", SUMAC_BAD_FILE, "pi_a is not a decimal");
    refuse_proof(&c, "{\"pi_a\": [\"1\",\"2\",\"1\"], \"pi_b\": [\"1\",\"2\",\"1\"]}", SUMAC_BAD_FILE,
                 "pi_b is not a pair");
    refuse_proof(
        &c, "{\"pi_a\": [\"21888242871839275222246405745257275088696311157297823662689037894645226208583\"]}",
        SUMAC_BAD_ENCODING, "pi_a is not less than its prime");
    refuse_publics(&c, "{}", SUMAC_BAD_FILE, "not an array");
    refuse_publics(&c, "[1e3, 2]", SUMAC_BAD_FILE, "public input is not a decimal");
    refuse_publics(&c, "[1.5, 2]", SUMAC_BAD_FILE, "public input is not a decimal");
    refuse_publics(&c, "[-1, 2]", SUMAC_BAD_FILE, "public input is not a decimal");
    refuse_publics(&c, "[\"1\"]", SUMAC_BAD_LENGTH, "1 public inputs, where the key has 2");
    refuse_publics(&c, "[\"1\", 2, 3]", SUMAC_BAD_LENGTH, "3 public inputs");
    refuse_publics(&c,
                   "[\"21888242871839275222246405745257275088548364400416034343698204186575808495617\", 0]",
                   SUMAC_BAD_ENCODING, "public input");
    test_sentence(c.context, sumac_groth16_verifying_key_create(c.context, "{}", 2, &verifying),
                  SUMAC_BAD_FILE, "curve");
    test_sentence(c.context,
                  sumac_groth16_verifying_key_create(c.context, "{\"curve\":\"bn129\"}", 17, &verifying),
                  SUMAC_UNKNOWN_CURVE, "bn129");
    assert_null(verifying);
    check_public_numbers(c.context);
}

/* ---- Witnesses ---- */

static void check_witnesses(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    char path[CIRCUIT_PATH_BYTES];
    sumac_groth16_prove_config config = {.size = sizeof config};
    circuit_open(&c, i, 1);
    AUTO_FREE uint8_t *proof = test_alloc(c.info.proof_bytes);
    const char *r1cs = circuit_path(c.name, "circuit.r1cs", path);
    uint8_t *last = c.witness + (c.info.wires - 1) * c.scalar;
    memset(proof, 0x77, c.info.proof_bytes);
    TEST_OK(c.context, test_witness_check(c.context, c.key, c.witness, r1cs));
    last[0] ^= 1;
    test_sentence(c.context, test_witness_check(c.context, c.key, c.witness, r1cs), SUMAC_NOT_SATISFIED,
                  "circuit.r1cs: the witness does not satisfy constraint ");
    test_sentence(c.context, circuit_prove(&c, c.witness, proof), SUMAC_NOT_SATISFIED, "does not satisfy");
    assert_int_equal(proof[0], 0x77);
    config.unverified = 1;
    TEST_OK(c.context, test_prove(c.context, c.key, c.witness, 1, &config, proof));
    assert_int_equal(holds(&c, c.publics, proof), 0);
    last[0] ^= 1;
    memset(last, 0xff, c.scalar);
    test_sentence(c.context, circuit_prove(&c, c.witness, proof), SUMAC_BAD_ENCODING, "witness 0");
    c.witness[0] = 2;
    test_sentence(c.context, circuit_prove(&c, c.witness, proof), SUMAC_BAD_ARGUMENT, "wire 0 is not 1");
    memset(c.witness, 0, c.info.witness_bytes);
    test_sentence(c.context, test_witness_check(c.context, c.key, c.witness, r1cs), SUMAC_BAD_ARGUMENT,
                  "wire 0");
    c.witness[0] = 1;
    memset(c.randomness, 0xff, c.scalar);
    test_sentence(c.context, circuit_prove(&c, c.witness, proof), SUMAC_BAD_ENCODING, "randomness");
}

static void test_witnesses(void)
{
    circuit_for_each(1, check_witnesses);
}

/* ---- Arguments ---- */

static void test_arguments(void)
{
    CLEANUP(circuit_close) circuit c = {0};
    sumac_groth16_key *key = (sumac_groth16_key *)&c;
    sumac_groth16_key_config config = {.size = sizeof config};
    sumac_groth16_prove_config prove = {.size = sizeof prove};
    uint8_t proof[1024];
    void *witness = proof;
    size_t witness_bytes;
    int result;
    if (!circuit_is_built(0)) {
        skip();
    }
    circuit_open(&c, 0, 1);
    assert_int_equal(sumac_groth16_key_open(NULL, "x", NULL, &key), SUMAC_BAD_ARGUMENT);
    assert_null(key);
    test_sentence(c.context, sumac_groth16_key_open(c.context, NULL, NULL, &key), SUMAC_BAD_ARGUMENT, "null");
    test_sentence(c.context, sumac_groth16_key_open(c.context, "/nowhere", NULL, &key), SUMAC_CANNOT_OPEN,
                  "/nowhere");
    config.check = 4;
    test_sentence(c.context, sumac_groth16_key_create(c.context, "", 0, &config, &key), SUMAC_BAD_ARGUMENT,
                  "4 is no sumac_check");
    test_sentence(c.context, sumac_groth16_key_create(c.context, "", 0, NULL, &key), SUMAC_BAD_FILE,
                  "truncated");
    test_sentence(c.context, test_witness_open(c.context, NULL, "x", &witness), SUMAC_BAD_ARGUMENT, "null");
    test_sentence(c.context,
                  sumac_groth16_witness_create(c.context, c.key, NULL, 0, &witness, &witness_bytes),
                  SUMAC_BAD_ARGUMENT, "null");
    assert_null(witness);
    test_sentence(c.context, sumac_groth16_witness_create(c.context, c.key, proof, 1, &witness, NULL),
                  SUMAC_BAD_ARGUMENT, "null");
    prove.reserved = 1;
    test_sentence(c.context, test_prove(c.context, c.key, c.witness, 1, &prove, proof), SUMAC_BAD_ARGUMENT,
                  "reserved");
    test_sentence(c.context, test_prove(c.context, NULL, c.witness, 1, NULL, proof), SUMAC_BAD_ARGUMENT,
                  "null");
    TEST_OK(c.context, test_prove(c.context, c.key, NULL, 0, NULL, NULL));
    test_sentence(c.context, test_verify(c.context, c.verifying, NULL, proof, 1, &result), SUMAC_BAD_ARGUMENT,
                  "null");
    assert_int_equal(sumac_groth16_key_describe(NULL, &c.info), SUMAC_BAD_ARGUMENT);
    assert_int_equal(test_prove(NULL, c.key, c.witness, 1, NULL, proof), SUMAC_BAD_ARGUMENT);
    sumac_groth16_key_destroy(NULL);
    sumac_groth16_verifying_key_destroy(NULL);
    assert_null(sumac_groth16_key_verifying(NULL));
}

/* ---- Lengths ---- */

/* These calls have one buffer of each of these kinds. The lengths are given to the calls. */
enum { WITNESS, PUBLICS, PROOF, RANDOMNESS, BUFFERS };

typedef struct sized_scene {
    circuit c;
    uint8_t proof[1024], out[1024]; /* a proof that holds, and the output of a call */
    char *proof_json, *publics_json;
    size_t proof_size, publics_size; /* the lengths of the texts */
    size_t bytes[BUFFERS];
    void *encoded;
    size_t encoded_bytes;
    int ok;
} sized_scene;

static sumac_groth16_prove_config sized_config(const sized_scene *s)
{
    sumac_groth16_prove_config config = {.size = sizeof config};
    config.randomness = s->c.randomness;
    config.randomness_bytes = s->bytes[RANDOMNESS];
    return config;
}

static sumac_status sized_check(sized_scene *s)
{
    char path[CIRCUIT_PATH_BYTES];
    return sumac_groth16_witness_check(s->c.context, s->c.key, s->c.witness, s->bytes[WITNESS],
                                       circuit_path(s->c.name, "circuit.r1cs", path));
}

static sumac_status sized_publics(sized_scene *s)
{
    return sumac_groth16_witness_publics(s->c.context, s->c.key, s->c.witness, s->bytes[WITNESS], s->out,
                                         s->bytes[PUBLICS]);
}

static sumac_status sized_prove(sized_scene *s)
{
    const sumac_groth16_prove_config config = sized_config(s);
    return sumac_groth16_prove(s->c.context, s->c.key, s->c.witness, s->bytes[WITNESS], 1, &config, s->out,
                               s->bytes[PROOF]);
}

static sumac_status sized_prove_vector(sized_scene *s)
{
    const sumac_groth16_prove_config config = sized_config(s);
    CLEANUP(destroy_vector)
    sumac_vector *vector = circuit_vector(s->c.context, &s->c.info, s->c.witness, s->c.info.wires);
    return sumac_groth16_prove_vector(s->c.context, s->c.key, vector, 1, &config, s->out, s->bytes[PROOF]);
}

static sumac_status sized_verify(sized_scene *s)
{
    return sumac_groth16_verify(s->c.context, s->c.verifying, s->c.publics, s->bytes[PUBLICS], s->proof,
                                s->bytes[PROOF], 1, &s->ok);
}

static sumac_status sized_proof_encode(sized_scene *s)
{
    return sumac_groth16_proof_encode(s->c.context, s->c.verifying, s->proof, s->bytes[PROOF], "snarkjs",
                                      &s->encoded, &s->encoded_bytes);
}

static sumac_status sized_publics_encode(sized_scene *s)
{
    return sumac_groth16_publics_encode(s->c.context, s->c.verifying, s->c.publics, s->bytes[PUBLICS],
                                        "gnark", &s->encoded, &s->encoded_bytes);
}

static sumac_status sized_proof_decode(sized_scene *s)
{
    return sumac_groth16_proof_decode(s->c.context, s->c.verifying, s->proof_json, s->proof_size, "snarkjs",
                                      "p", s->out, s->bytes[PROOF]);
}

static sumac_status sized_publics_decode(sized_scene *s)
{
    return sumac_groth16_publics_decode(s->c.context, s->c.verifying, s->publics_json, s->publics_size,
                                        "snarkjs", "x", s->out, s->bytes[PUBLICS]);
}

/* Run a call whose outputs have known contents before. If it fails, it must leave these contents, but may set a pointer
 * to null. */
static sumac_status run_sized(sized_scene *s, sumac_status (*call)(sized_scene *s))
{
    uint8_t kept[sizeof s->out];
    memset(kept, 0x77, sizeof kept);
    memcpy(s->out, kept, sizeof kept);
    s->ok = 7;
    s->encoded = s;
    s->encoded_bytes = 7;
    const sumac_status status = call(s);
    if (status != SUMAC_OK) {
        assert_memory_equal(s->out, kept, sizeof kept);
        assert_int_equal(s->ok, 7);
        assert_int_equal(s->encoded_bytes, 7);
        assert_true(s->encoded == NULL || s->encoded == s);
    } else if (s->encoded != s) {
        sumac_free(s->encoded);
    }
    return status;
}

/* If a buffer is one byte too short, it is refused. If it is one byte too long, it is not. */
static void check_lengths(sized_scene *s)
{
    static const char *const names[BUFFERS] = {"witness", "publics", "proof", "randomness"};
    static const struct {
        sumac_status (*call)(sized_scene *s);
        int takes[BUFFERS];
    } calls[] = {{sized_check, {[WITNESS] = 1}},
                 {sized_publics, {[WITNESS] = 1, [PUBLICS] = 1}},
                 {sized_prove, {[WITNESS] = 1, [PROOF] = 1, [RANDOMNESS] = 1}},
                 {sized_prove_vector, {[PROOF] = 1, [RANDOMNESS] = 1}},
                 {sized_verify, {[PUBLICS] = 1, [PROOF] = 1}},
                 {sized_proof_encode, {[PROOF] = 1}},
                 {sized_publics_encode, {[PUBLICS] = 1}},
                 {sized_proof_decode, {[PROOF] = 1}},
                 {sized_publics_decode, {[PUBLICS] = 1}}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        TEST_OK(s->c.context, run_sized(s, calls[i].call));
        for (int b = 0; b < BUFFERS; b++) {
            if (calls[i].takes[b]) {
                s->bytes[b]--;
                test_sentence(s->c.context, run_sized(s, calls[i].call), SUMAC_BAD_LENGTH, names[b]);
                s->bytes[b] += 2;
                TEST_OK(s->c.context, run_sized(s, calls[i].call));
                s->bytes[b]--;
            }
        }
    }
    s->ok = 7;
    for (size_t count = 2; count != 0; count = count == 2 ? SIZE_MAX : 0) {
        test_sentence(s->c.context,
                      sumac_groth16_verify(s->c.context, s->c.verifying, s->c.publics, s->bytes[PUBLICS],
                                           s->proof, s->bytes[PROOF], count, &s->ok),
                      SUMAC_BAD_LENGTH, "publics");
        test_sentence(s->c.context,
                      sumac_groth16_prove(s->c.context, s->c.key, s->c.witness, s->bytes[WITNESS], count,
                                          NULL, s->out, s->bytes[PROOF]),
                      SUMAC_BAD_LENGTH, "proofs");
    }
    assert_int_equal(s->ok, 7);
}

static void check_formats(sized_scene *s)
{
    static const char *const unknown[] = {"", "json", "gnark-", "GNARK"};
    const char *part = "is no format of proofs, which are snarkjs, gnark and gnark-raw";
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        s->encoded = s;
        test_sentence(s->c.context,
                      sumac_groth16_proof_encode(s->c.context, s->c.verifying, s->proof, s->bytes[PROOF],
                                                 unknown[i], &s->encoded, &s->encoded_bytes),
                      SUMAC_UNKNOWN_FORMAT, part);
        assert_null(s->encoded);
        test_sentence(s->c.context,
                      sumac_groth16_publics_decode(s->c.context, s->c.verifying, s->publics_json,
                                                   s->publics_size, unknown[i], "x", s->out,
                                                   s->bytes[PUBLICS]),
                      SUMAC_UNKNOWN_FORMAT, part);
    }
}

static void test_lengths(void)
{
    sized_scene s;
    CLEANUP(circuit_close) circuit c = {0};
    circuit_open(&c, circuit_first(), 1);
    s.c = c;
    AUTO_FREE uint8_t *proof_json = circuit_read(c.name, "proof.json", &s.proof_size);
    AUTO_FREE uint8_t *publics_json = circuit_read(c.name, "public.json", &s.publics_size);
    s.proof_json = (char *)proof_json;
    s.publics_json = (char *)publics_json;
    s.bytes[WITNESS] = c.info.witness_bytes;
    s.bytes[PUBLICS] = c.info.publics_bytes;
    s.bytes[PROOF] = c.info.proof_bytes;
    s.bytes[RANDOMNESS] = 2 * c.scalar;
    TEST_OK(c.context, circuit_prove(&c, c.witness, s.proof));
    TEST_OK(c.context, sized_publics(&s));
    assert_memory_equal(s.out, c.publics, c.info.publics_bytes);
    check_lengths(&s);
    check_formats(&s);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {{"reference", TEST_ONCE(test_reference)},
                                         {"verification", TEST_ONCE(test_verification)},
                                         {"batches", TEST_ONCE(test_batches)},
                                         {"threads", TEST_ONCE(test_threads)},
                                         {"json", TEST_ONCE(test_json)},
                                         {"bad json", TEST_ONCE(test_bad_json)},
                                         {"witnesses", TEST_ONCE(test_witnesses)},
                                         {"arguments", TEST_ONCE(test_arguments)},
                                         {"lengths", TEST_ONCE(test_lengths)},
                                         {"bad keys", TEST_ONCE(test_bad_keys)},
                                         {"bad witness files", TEST_ONCE(test_bad_witness_files)},
                                         {"bad circuits", TEST_ONCE(test_bad_circuits)},
                                         {"several devices", TEST_ONCE(test_several_devices)},
                                         {"long paths", TEST_ONCE(test_long_paths)},
                                         {"memory", TEST_ONCE(test_memory)},
                                         {"values", TEST_ONCE(test_values)},
                                         {"reports", TEST_ONCE(test_reports)},
                                         {"memory left", TEST_ONCE(test_memory_left)},
                                         {"device failures", TEST_ONCE(test_device_failures)},
                                         {"setup", TEST_ONCE(test_setup)},
                                         {"generated", TEST_ONCE(test_generated)},
                                         {"prepared", TEST_ONCE(test_prepared)},
                                         {"bad prepared", TEST_ONCE(test_bad_prepared)},
                                         {"prepared memory", TEST_ONCE(test_prepared_memory)},
                                         {"gnark prepared", TEST_ONCE(test_gnark_prepared)},
                                         {"gnark proofs", TEST_ONCE(test_gnark_proofs)},
                                         {"bad gnark proofs", TEST_ONCE(test_bad_gnark_proofs)},
                                         {"gnark keys", TEST_ONCE(test_gnark_keys)},
                                         {"bad gnark keys", TEST_ONCE(test_bad_gnark_keys)},
                                         {"gnark smallest domain", TEST_ONCE(test_gnark_smallest_domain)},
                                         {"gnark memory", TEST_ONCE(test_gnark_memory)},
                                         {"commitments", TEST_ONCE(test_commitments)},
                                         {"altered commitments", TEST_ONCE(test_altered_commitments)},
                                         {"bad commitments", TEST_ONCE(test_bad_commitments)},
                                         {"commitments in keys", TEST_ONCE(test_commitments_in_keys)},
                                         {"commitments memory", TEST_ONCE(test_commitments_memory)}};
    return test_main("groth16", entries, sizeof entries / sizeof *entries, argc, argv);
}

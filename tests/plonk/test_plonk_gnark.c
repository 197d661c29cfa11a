/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests PLONK with files of gnark. With its random numbers, those of the files `blinding` and `solution`, this library must
 * write the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plonk/plonk_circuits.h"
#include "support/container.h"

enum { WORD = 8 };

static const plonk_row *const known = gnark_circuits;

/* Open the first circuit of these two whose curve is built, or skip the test. */
static int one_of(int first, int second)
{
    if (!plonk_is_built(&known[first]) && !plonk_is_built(&known[second])) {
        skip();
    }
    return plonk_is_built(&known[first]) ? first : second;
}

/* ---- Proofs of gnark ---- */

static void expect_file(const plonk_circuit *c, const char *file, void *bytes, size_t count)
{
    size_t size;
    uint8_t *expected = plonk_read(c->row, file, &size);
    assert_int_equal(count, size);
    assert_memory_equal(bytes, expected, size);
    free(expected);
    sumac_free(bytes);
}

/* gnark makes these proofs without statistical zero knowledge, for which two random numbers are 0, and with it. */
static void same_bytes_of(plonk_circuit *c)
{
    static const struct {
        const char *blinding, *format, *file;
    } rows[] = {{"blinding", "gnark", "proof"},
                {"blinding", "gnark-raw", "proof.raw"},
                {"blinding.statistical", "gnark", "proof.statistical"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        void *bytes;
        size_t count, blinding_size;
        free(c->blinding);
        c->blinding = plonk_read(c->row, rows[k].blinding, &blinding_size);
        assert_int_equal(c->info.blinding_bytes, blinding_size);
        TEST_OK(c->context, plonk_prove(c, c->witness, c->proof));
        TEST_OK(c->context, sumac_plonk_proof_encode(c->context, c->verifying, c->proof, c->info.proof_bytes,
                                                     rows[k].format, &bytes, &count));
        expect_file(c, rows[k].file, bytes, count);
        TEST_OK(c->context,
                sumac_plonk_publics_encode(c->context, c->verifying, c->publics, c->info.publics_bytes,
                                           rows[k].format, &bytes, &count));
        expect_file(c, "public", bytes, count);
    }
}

static void same_bytes(void)
{
    for (int i = 0; i < GNARK_CIRCUITS; i++) {
        for (uint32_t compact = 0; compact < 2 && plonk_is_built(&known[i]); compact++) {
            plonk_circuit c;
            plonk_open(&c, &known[i], compact == 0 ? 1 : 3, compact);
            assert_int_equal(c.info.commitments, known[i].commitments);
            assert_int_equal(c.info.publics, 2);
            assert_int_equal(c.info.additions, 0);
            same_bytes_of(&c);
            plonk_close(&c);
        }
    }
}

/* Verify a proof of gnark in both encodings with a verifying key alone, which is the beginning of the proving key. */
static void verify_theirs(int i)
{
    plonk_circuit c;
    sumac_plonk_verifying_key *opened;
    plonk_open(&c, &known[i], 2, 0);
    TEST_OK(c.context, sumac_plonk_verifying_key_create(c.context, c.key_file, c.key_size, &opened));
    for (int k = 0; k < 2; k++) {
        size_t size, publics_size;
        int ok = 0;
        uint8_t *file = plonk_read(c.row, k == 0 ? "proof" : "proof.raw", &size),
                *publics = plonk_read(c.row, "public", &publics_size);
        TEST_OK(c.context, sumac_plonk_proof_decode(c.context, opened, file, size, "gnark", "proof", c.proof,
                                                    c.info.proof_bytes));
        TEST_OK(c.context, sumac_plonk_publics_decode(c.context, opened, publics, publics_size, "gnark-raw",
                                                      "public", c.publics, c.info.publics_bytes));
        TEST_OK(c.context, plonk_verify(&c, opened, c.publics, c.proof, &ok));
        assert_int_equal(ok, 1);
        c.publics[0] ^= 1;
        TEST_OK(c.context, plonk_verify(&c, opened, c.publics, c.proof, &ok));
        assert_int_equal(ok, 0);
        free(file);
        free(publics);
    }
    sumac_plonk_info info = {.size = sizeof info};
    assert_int_equal(sumac_plonk_verifying_key_describe(opened, &info), SUMAC_OK);
    assert_int_equal(info.commitments, c.info.commitments);
    assert_int_equal(info.domain, c.info.domain);
    sumac_plonk_verifying_key_destroy(opened);
    plonk_close(&c);
}

static void their_proofs(void)
{
    for (int i = 0; i < GNARK_CIRCUITS; i++) {
        if (plonk_is_built(&known[i])) {
            verify_theirs(i);
        }
    }
}

static void random_proofs(void)
{
    enum { COUNT = 3 };
    plonk_circuit c;
    int ok = 0;
    plonk_open(&c, &known[one_of(GNARK_SEVERAL, 2)], 2, 0);
    const size_t each = c.info.proof_bytes, publics = c.info.publics_bytes, wires = c.info.witness_bytes;
    uint8_t *proofs = test_alloc(COUNT * each), *inputs = test_alloc(COUNT * publics),
            *witnesses = test_alloc(COUNT * wires);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(witnesses + i * wires, c.witness, wires);
        memcpy(inputs + i * publics, c.publics, publics);
    }
    TEST_OK(c.context,
            sumac_plonk_prove(c.context, c.key, witnesses, COUNT * wires, COUNT, NULL, proofs, COUNT * each));
    assert_true(memcmp(proofs, proofs + each, each) != 0);
    TEST_OK(c.context, sumac_plonk_verify(c.context, c.verifying, inputs, COUNT * publics, proofs,
                                          COUNT * each, COUNT, &ok));
    assert_int_equal(ok, 1);
    for (size_t i = 0; i < COUNT; i++) {
        inputs[i * publics] ^= 1;
        TEST_OK(c.context, sumac_plonk_verify(c.context, c.verifying, inputs, COUNT * publics, proofs,
                                              COUNT * each, COUNT, &ok));
        assert_int_equal(ok, 0);
        inputs[i * publics] ^= 1;
    }
    free(proofs);
    free(inputs);
    free(witnesses);
    plonk_close(&c);
}

/* ---- Altered proofs ---- */

static void refuse_altered(const plonk_circuit *c, const char *what, size_t at)
{
    int ok = 0;
    const sumac_status status = plonk_verify(c, c->verifying, c->publics, c->proof, &ok);
    const int is_refused =
        status == SUMAC_BAD_ENCODING || status == SUMAC_NOT_ON_CURVE || status == SUMAC_NOT_IN_SUBGROUP;
    if ((status != SUMAC_OK && !is_refused) || ok) {
        test_abort("%s with byte %zu altered: status %d, ok %d", what, at, (int)status, ok);
    }
}

/* Every byte of a raw proof and of gnark's matters: one of its bits is changed, another one from byte to byte. */
static void altered_proofs(void)
{
    plonk_circuit c;
    size_t size;
    plonk_open(&c, &known[one_of(GNARK_SEVERAL, 2)], 1, 0);
    TEST_OK(c.context, plonk_prove(&c, c.witness, c.proof));
    for (size_t i = 0; i < c.info.proof_bytes; i += options.quick ? 11 : 1) {
        c.proof[i] ^= (uint8_t)(1 << i % 8);
        refuse_altered(&c, "a proof", i);
        c.proof[i] ^= (uint8_t)(1 << i % 8);
    }
    for (size_t i = 0; i < c.info.publics_bytes; i++) {
        c.publics[i] ^= 1;
        refuse_altered(&c, "public inputs", i);
        c.publics[i] ^= 1;
    }
    uint8_t *file = plonk_read(c.row, "proof", &size);
    for (size_t i = 0; i < size; i += options.quick ? 7 : 1) {
        file[i] ^= (uint8_t)(1 << i % 8);
        const sumac_status status = sumac_plonk_proof_decode(c.context, c.verifying, file, size, "gnark",
                                                             "proof", c.proof, c.info.proof_bytes);
        if (status == SUMAC_OK) {
            refuse_altered(&c, "a proof of gnark", i);
        }
        file[i] ^= (uint8_t)(1 << i % 8);
    }
    static const char *const truncated = "truncated: it ends at byte";
    for (size_t k = 0; k < size; k += 31) {
        test_sentence(c.context,
                      sumac_plonk_proof_decode(c.context, c.verifying, file, k, "gnark", "proof", c.proof,
                                               c.info.proof_bytes),
                      SUMAC_BAD_FILE, truncated);
    }
    uint8_t *longer = test_alloc(size + 1);
    memcpy(longer, file, size);
    longer[size] = 0;
    test_sentence(c.context,
                  sumac_plonk_proof_decode(c.context, c.verifying, longer, size + 1, "gnark", "proof",
                                           c.proof, c.info.proof_bytes),
                  SUMAC_BAD_FILE, "too long");
    test_sentence(c.context,
                  sumac_plonk_proof_decode(c.context, c.verifying, file, size, "snarkjs", "proof", c.proof,
                                           c.info.proof_bytes),
                  SUMAC_UNKNOWN_FORMAT,
                  "snarkjs is no format of this key's proofs, which is gnark or gnark-raw");
    free(longer);
    free(file);
    plonk_close(&c);
}

/* ---- Witnesses ---- */

/* Gates 0 and 1 have the public inputs. By the order of the circuit, gate 2 is the product of A and B. A wire that is not used by its
 * gate, or is a public input, must be equal to others. */
static void bad_witnesses(void)
{
    static const struct {
        size_t wire, gate;
        const char *part;
    } cases[] = {{0, 2, "witness 0: gate 2 does not hold"},
                 {1, 2, "witness 0: gate 2 does not hold"},
                 {2, 2, "witness 0: gate 2 does not hold"},
                 {0, 0, "though all gates do: values of one wire differ between gates"},
                 {1, 0, "though all gates do: values of one wire differ between gates"}};
    plonk_circuit c;
    plonk_open(&c, &known[one_of(0, 1)], 2, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *byte = c.witness + c.info.g1->scalar_bytes * (cases[i].wire * c.info.domain + cases[i].gate);
        *byte ^= 64;
        memset(c.proof, 7, c.info.proof_bytes);
        test_sentence(c.context, plonk_prove(&c, c.witness, c.proof), SUMAC_NOT_SATISFIED, cases[i].part);
        assert_int_equal(c.proof[0], 7);
        *byte ^= 64;
    }
    memset(c.witness + c.info.g1->scalar_bytes * 3, 0xff, c.info.g1->scalar_bytes);
    test_sentence(c.context, plonk_prove(&c, c.witness, c.proof), SUMAC_BAD_ENCODING,
                  "witness 0: scalar 3 is not less than r");
    plonk_close(&c);
}

/* With other random numbers, a commitment has another value than the solution. */
static void bad_commitments(void)
{
    plonk_circuit c;
    plonk_open(&c, &known[one_of(GNARK_SEVERAL, 2)], 2, 0);
    c.witness[3 * c.info.domain * c.info.g1->scalar_bytes] ^= 1;
    test_sentence(c.context, plonk_prove(&c, c.witness, c.proof), SUMAC_NOT_SATISFIED, "does not hold");
    c.witness[3 * c.info.domain * c.info.g1->scalar_bytes] ^= 1;
    TEST_OK(c.context, plonk_prove(&c, c.witness, c.proof));
    const size_t each = c.info.g1->scalar_bytes;
    uint8_t values[48] = {0}, numbers[2][2 * 48], hashes[2][48];
    for (int i = 0; i < 2; i++) { /* the first commitment is to one wire */
        TEST_OK(c.context,
                sumac_plonk_commit(c.context, c.key, 0, values, each, numbers[i], 2 * each, hashes[i], each));
    }
    assert_true(memcmp(numbers[0], numbers[1], 2 * each) != 0 && memcmp(hashes[0], hashes[1], each) != 0);
    TEST_BAD(c.context, sumac_plonk_commit(c.context, c.key, c.info.commitments, values, each, numbers[0],
                                           2 * each, hashes[0], each));
    TEST_BAD(c.context,
             sumac_plonk_commit(c.context, NULL, 0, values, each, numbers[0], 2 * each, hashes[0], each));
    TEST_SHORT(c.context, sumac_plonk_commit(c.context, c.key, 0, values, each - 1, numbers[0], 2 * each,
                                             hashes[0], each));
    TEST_SHORT(c.context,
               sumac_plonk_commit(c.context, c.key, 0, values, each, numbers[0], each, hashes[0], each));
    memset(values, 0xff, sizeof values);
    test_sentence(
        c.context,
        sumac_plonk_commit(c.context, c.key, 0, values, each, numbers[0], 2 * each, hashes[0], each),
        SUMAC_BAD_ENCODING, "value 0 is not less than r");
    plonk_close(&c);
}

static void refuse_solution(const plonk_circuit *c, size_t size, sumac_status status, const char *part)
{
    void *witness;
    size_t bytes;
    test_sentence(c->context,
                  sumac_plonk_witness_create(c->context, c->key, c->witness_file, size, &witness, &bytes),
                  status, part);
    assert_null(witness);
}

static void bad_solutions(void)
{
    plonk_circuit c;
    plonk_open(&c, &known[one_of(GNARK_SEVERAL, 2)], 1, 0);
    const size_t vector = 4 + c.info.domain * c.info.g1->scalar_bytes;
    refuse_solution(&c, 3, SUMAC_BAD_FILE, "truncated");
    refuse_solution(&c, c.witness_size - 1, SUMAC_BAD_FILE, "truncated");
    static const char *const names[] = {"L, at byte", "R, at byte", "O, at byte",
                                        "the random numbers, at byte"};
    for (size_t k = 0; k < 4; k++) {
        c.witness_file[k * vector + 3] ^= 1;
        refuse_solution(&c, c.witness_size, SUMAC_BAD_LENGTH, names[k]);
        c.witness_file[k * vector + 3] ^= 1;
        uint8_t kept = c.witness_file[k * vector + 4];
        c.witness_file[k * vector + 4] = 0xff;
        refuse_solution(&c, c.witness_size, SUMAC_BAD_ENCODING, "is not less than r: value 0");
        c.witness_file[k * vector + 4] = kept;
    }
    c.witness_file = realloc(c.witness_file, c.witness_size + 1);
    assert_non_null(c.witness_file);
    refuse_solution(&c, c.witness_size + 1, SUMAC_BAD_FILE, "too long");
    plonk_close(&c);
}

/* ---- Keys ---- */

static void refuse_key(const plonk_circuit *c, const uint8_t *file, size_t size, sumac_status status,
                       const char *part)
{
    sumac_plonk_key *key;
    test_sentence(c->context, sumac_plonk_key_create(c->context, file, size, NULL, &key), status, part);
    assert_null(key);
}

/* Change some bytes of a key to a value. */
static void change(const plonk_circuit *c, size_t at, size_t count, int value, sumac_status status,
                   const char *part)
{
    uint8_t *kept = test_alloc(count);
    memcpy(kept, c->key_file + at, count);
    memset(c->key_file + at, value, count);
    refuse_key(c, c->key_file, c->key_size, status, part);
    memcpy(c->key_file + at, kept, count);
    free(kept);
}

/* The offsets of the key of bn254, whose points are raw. */
enum {
    DOMAIN_AT = 2 * WORD,
    ROOT_AT = DOMAIN_AT + WORD + 32,
    PUBLICS_AT = ROOT_AT + 32,
    SHIFT_AT = PUBLICS_AT + WORD,
    POINTS_AT = SHIFT_AT + 32,
    QCP_AT = POINTS_AT + 8 * 64,
    G1_AT = QCP_AT + 4,
    G2_AT = G1_AT + 64,
    LINES_AT = G2_AT + 2 * 128,
    CONSTRAINTS_AT = LINES_AT + 4 * 66 * 128,
    POWERS_AT = CONSTRAINTS_AT + 4
};

static void bad_keys(void)
{
    plonk_circuit c;
    if (!plonk_is_built(&known[0])) {
        skip();
    }
    plonk_open(&c, &known[0], 1, 0);
    const size_t n = c.info.domain, lagrange = POWERS_AT + 4 + (n + 3) * 64, trace = lagrange + 4 + n * 64;
    const size_t selectors = trace + 3 * WORD, permutation = selectors + 5 * (4 + 32 * n);
    for (size_t size = 0; size < c.key_size; size += size < 200 ? 1 : 977) {
        refuse_key(&c, c.key_file, size,
                   size < DOMAIN_AT + WORD        ? SUMAC_BAD_FILE
                   : size < DOMAIN_AT + WORD + 32 ? SUMAC_UNKNOWN_CURVE
                                                  : SUMAC_BAD_FILE,
                   "");
    }
    refuse_key(&c, c.key_file, trace, SUMAC_BAD_FILE, "the trace of the circuit, which follows, is missing");
    refuse_key(&c, c.key_file, c.key_size - 1, SUMAC_BAD_FILE, "truncated");
    change(&c, WORD + 7, 1, 2, SUMAC_NOT_SUPPORTED, "version 2");
    change(&c, DOMAIN_AT + 7, 1, 5, SUMAC_UNKNOWN_CURVE, "is not a power of two");
    change(&c, DOMAIN_AT + WORD + 31, 1, 7, SUMAC_UNKNOWN_CURVE, "is not a power of two and its inverse");
    change(&c, ROOT_AT + 31, 1, 7, SUMAC_BAD_FILE, "is not gnark's root of unity");
    change(&c, ROOT_AT, 32, 0xff, SUMAC_BAD_ENCODING, "the root of unity, at byte");
    change(&c, PUBLICS_AT + 7, 1, 77, SUMAC_BAD_FILE, "77 public inputs");
    change(&c, SHIFT_AT, 32, 0xff, SUMAC_BAD_ENCODING, "the shift of cosets, at byte");
    change(&c, POINTS_AT + 40, 1, 1, SUMAC_NOT_ON_CURVE, "a commitment, from byte");
    change(&c, QCP_AT + 3, 1, 17, SUMAC_NOT_SUPPORTED, "17 commitments");
    change(&c, QCP_AT + 3, 1, 1, SUMAC_BAD_FILE, "");
    memcpy(c.key_file + G1_AT, c.key_file + POINTS_AT, 64);
    refuse_key(&c, c.key_file, c.key_size, SUMAC_NOT_SUPPORTED, "Kzg.G1, at byte");
    free(c.key_file);
    c.key_file = plonk_read(c.row, "key", &c.key_size);
    memcpy(c.key_file + G2_AT, c.key_file + G2_AT + 128, 128);
    refuse_key(&c, c.key_file, c.key_size, SUMAC_NOT_SUPPORTED, "Kzg.G2, at byte");
    free(c.key_file);
    c.key_file = plonk_read(c.row, "key", &c.key_size);
    change(&c, CONSTRAINTS_AT + 3, 1, 1, SUMAC_BAD_FILE, "CommitmentConstraintIndexes, at byte");
    change(&c, POWERS_AT + 3, 1, 1, SUMAC_BAD_FILE, "Kzg.G1, at byte");
    change(&c, POWERS_AT + 4 + 3 * 64 + 5, 1, 1, SUMAC_NOT_ON_CURVE, "point 3");
    change(&c, lagrange + 3, 1, 1, SUMAC_BAD_FILE, "KzgLagrange.G1, at byte");
    change(&c, trace, 1, 's' + 1, SUMAC_BAD_FILE, "no trace of a circuit, which begins with sumactrc");
    change(&c, trace + 2 * WORD - 1, 1, 2, SUMAC_NOT_SUPPORTED, "a trace of version 2");
    change(&c, trace + 3 * WORD - 1, 1, 1, SUMAC_BAD_FILE, "1 gates");
    change(&c, trace + 3 * WORD - 1, 1, 0xff, SUMAC_BAD_FILE, "255 gates");
    for (size_t k = 0; k < 5; k++) {
        change(&c, selectors + k * (4 + 32 * n) + 3, 1, 3, SUMAC_BAD_FILE, "of the trace, at byte");
        change(&c, selectors + k * (4 + 32 * n) + 4 + 32, 32, 0xff, SUMAC_BAD_ENCODING, "the trace, Q");
    }
    change(&c, permutation + 5 * WORD, WORD, 0xff, SUMAC_BAD_FILE, "which does not exist");
    plonk_close(&c);
}

/* A key whose trace was changed fits no solution. */
static void other_keys(void)
{
    plonk_circuit c;
    if (!plonk_is_built(&known[0])) {
        skip();
    }
    plonk_open(&c, &known[0], 1, 0);
    const size_t n = c.info.domain, trace = POWERS_AT + 8 + (2 * n + 3) * 64;
    const size_t selectors = trace + 3 * WORD, permutation = selectors + 5 * (4 + 32 * n);
    const size_t product = selectors + 2 * (4 + 32 * n) + 4 + 2 * 32 + 31; /* qM of gate 2 */
    const struct {
        size_t at;
        const char *part;
    } cases[] = {
        {product, "gate 2 does not hold"},
        {permutation + 2 * WORD + 7, "though all gates do: values of one wire differ between gates"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plonk_circuit other = c;
        c.key_file[cases[i].at] ^= 1;
        TEST_OK(c.context, sumac_plonk_key_create(c.context, c.key_file, c.key_size, NULL, &other.key));
        test_sentence(c.context, plonk_prove(&other, c.witness, c.proof), SUMAC_NOT_SATISFIED, cases[i].part);
        sumac_plonk_key_destroy(other.key);
        c.key_file[cases[i].at] ^= 1;
    }
    plonk_close(&c);
}

/* A commitment's selector has 0 and 1 only, and its value has a gate. */
static void bad_selectors(void)
{
    plonk_circuit c;
    plonk_open(&c, &known[one_of(2, GNARK_SEVERAL)], 1, 0);
    const size_t each = c.info.g1->scalar_bytes, n = c.info.domain;
    change(&c, c.key_size - 3 * n * WORD - 2 * each - 1, 1, 2, SUMAC_BAD_FILE, "Qcp of commitment");
    plonk_close(&c);
}

/* ---- Prepared keys ---- */

/* A prepared key proves with the same bytes as the key from which it was saved, verifies, and is saved with the same bytes. */
static void prepared(void)
{
    for (int i = 0; i < GNARK_CIRCUITS; i++) {
        for (uint32_t compact = 0; compact < 2 && plonk_is_built(&known[i]); compact++) {
            plonk_circuit c;
            sumac_plonk_key *again;
            sumac_plonk_verifying_key *verifying;
            sumac_plonk_info info = {.size = sizeof info};
            sumac_plonk_key_config config = {.size = sizeof config};
            int ok = 0;
            size_t sizes[2];
            TEST_FILE(made);
            plonk_open(&c, &known[i], 2, compact);
            TEST_OK(c.context, plonk_prove(&c, c.witness, c.proof));
            TEST_OK(c.context, sumac_plonk_key_save(c.context, c.key, made));
            uint8_t *file = test_read_file(made, &sizes[0]);
            config.compact = compact;
            TEST_OK(c.context, sumac_plonk_key_open(c.context, made, &config, &again));
            assert_int_equal(sumac_plonk_key_describe(again, &info), SUMAC_OK);
            assert_memory_equal(&info, &c.info, sizeof info);
            sumac_plonk_key_destroy(c.key);
            c.key = again;
            c.verifying = sumac_plonk_key_verifying(again);
            uint8_t *proof = test_alloc(c.info.proof_bytes);
            TEST_OK(c.context, plonk_prove(&c, c.witness, proof));
            assert_memory_equal(proof, c.proof, c.info.proof_bytes);
            TEST_OK(c.context, sumac_plonk_verifying_key_open(c.context, made, &verifying));
            TEST_OK(c.context, plonk_verify(&c, verifying, c.publics, proof, &ok));
            assert_int_equal(ok, 1);
            sumac_plonk_verifying_key_destroy(verifying);
            TEST_OK(c.context, sumac_plonk_key_save(c.context, c.key, made));
            uint8_t *other = test_read_file(made, &sizes[1]);
            assert_int_equal(sizes[0], sizes[1]);
            assert_memory_equal(file, other, sizes[0]);
            free(file);
            free(other);
            free(proof);
            plonk_close(&c);
        }
    }
}

static void refuse_prepared(const plonk_circuit *c, const uint8_t *bytes, size_t size, const char *words)
{
    sumac_plonk_key *key;
    const sumac_status status = sumac_plonk_key_create(c->context, bytes, size, NULL, &key);
    if (status == SUMAC_OK || strstr(sumac_context_message(c->context), words) == NULL) {
        test_abort("status %d, \"%s\", and not \"%s\"", (int)status, sumac_context_message(c->context),
                   words);
    }
    assert_null(key);
}

/* The types of sections of a prepared key, and the domain of several-bn254, which has 3 commitments, to 1, 2 and 3 wires. */
enum { KEY = 22, POLYNOMIALS = 23, TABLE = 27, COMMITTED = 28, SEVERAL_DOMAIN = 64 };

/* Any flipped bit of a prepared key, and any shorter file, is refused. So are numbers out of range whose checksums are right. */
static void damaged(void)
{
    static const struct {
        uint32_t type, at, value; /* where in a section's entry */
    } changes[] = {{KEY, ENTRY_FLAGS, 0},
                   {KEY, ENTRY_FLAGS, 3},
                   {KEY, ENTRY_FLAGS, UINT32_MAX},
                   {KEY, ENTRY_COUNT, 1},
                   {KEY, ENTRY_NUMBERS, 2},
                   {KEY, ENTRY_NUMBERS, 3 * SEVERAL_DOMAIN + 4},
                   {KEY, ENTRY_NUMBERS, 3 * SEVERAL_DOMAIN + 7},
                   {KEY, ENTRY_NUMBERS, 3 * SEVERAL_DOMAIN + 34},
                   {KEY, ENTRY_NUMBERS, UINT32_MAX},
                   {KEY, ENTRY_NUMBERS + 8, 0},
                   {KEY, ENTRY_NUMBERS + 8, SEVERAL_DOMAIN + 1},
                   {KEY, ENTRY_NUMBERS + 12, 4},
                   {KEY, ENTRY_NUMBERS + 12, 2 * SEVERAL_DOMAIN},
                   {KEY, ENTRY_NUMBERS + 12, UINT32_C(1) << 31},
                   {POLYNOMIALS, ENTRY_COUNT, 1},
                   {TABLE, ENTRY_COUNT, SEVERAL_DOMAIN},
                   {COMMITTED, ENTRY_COUNT, 2},
                   {COMMITTED, ENTRY_COUNT, UINT32_MAX}};
    plonk_circuit c;
    size_t size;
    if (!plonk_is_built(&known[GNARK_SEVERAL])) {
        skip();
    }
    TEST_FILE(made);
    plonk_open(&c, &known[GNARK_SEVERAL], 1, 1);
    assert_int_equal(c.info.domain, SEVERAL_DOMAIN);
    TEST_OK(c.context, sumac_plonk_key_save(c.context, c.key, made));
    uint8_t *bytes = test_read_file(made, &size);
    for (size_t i = 0; i < size; i += i < 512 ? 1 : 41) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        refuse_prepared(&c, bytes, size, "");
        bytes[i] ^= (uint8_t)(1 << i % 8);
        refuse_prepared(&c, bytes, i, "");
    }
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *at = bytes + file_section_of(bytes, changes[i].type).entry + changes[i].at;
        const uint32_t before = (uint32_t)file_load(at, 4);
        file_store(at, changes[i].value, 4);
        file_correct_header(bytes, size);
        refuse_prepared(&c, bytes, size, "do not fit");
        file_store(at, before, 4);
    }
    file_correct_header(bytes, size);
    /* The last words are the gates of commitments, a scalar's end, and committed wires, of which the first words are ends. */
    const file_section key = file_section_of(bytes, KEY), committed = file_section_of(bytes, COMMITTED),
                       polynomials = file_section_of(bytes, POLYNOMIALS);
    const struct {
        size_t at;
        uint64_t value;
        const char *words;
    } numbers[] = {
        {key.offset + key.size - WORD, SEVERAL_DOMAIN, "a commitment's gate"},
        {key.offset + key.size - WORD, 1, "a commitment's gate"},
        {key.offset + 32 - WORD, UINT64_MAX, "a number of the verifying key is not less than r"},
        {polynomials.offset + polynomials.size - WORD, UINT64_MAX, "a number that is out of range"},
        {committed.offset, 7, "the committed wires: a list ends before it begins"},
        {committed.offset + 2 * WORD, 5, "the committed wires: a list ends before it begins"},
        {committed.offset + 2 * WORD, 7, "the committed wires: a list ends before it begins"},
        {committed.offset + committed.size - WORD, SEVERAL_DOMAIN, "has a gate that does not exist"},
        {committed.offset, UINT64_MAX, "a number that is out of range"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const uint64_t before = file_load(bytes + numbers[i].at, WORD);
        file_store(bytes + numbers[i].at, numbers[i].value, WORD);
        file_correct(bytes, size);
        refuse_prepared(&c, bytes, size, numbers[i].words);
        file_store(bytes + numbers[i].at, before, WORD);
    }
    file_correct(bytes, size);
    sumac_plonk_key_destroy(c.key);
    TEST_OK(c.context, sumac_plonk_key_create(c.context, bytes, size, NULL, &c.key));
    free(bytes);
    plonk_close(&c);
}

static const test_entry entries[] = {{"proofs with the same bytes", TEST_ONCE(same_bytes)},
                                     {"proofs of gnark", TEST_ONCE(their_proofs)},
                                     {"random proofs", TEST_ONCE(random_proofs)},
                                     {"altered proofs", TEST_ONCE(altered_proofs)},
                                     {"bad witnesses", TEST_ONCE(bad_witnesses)},
                                     {"bad commitments", TEST_ONCE(bad_commitments)},
                                     {"bad solutions", TEST_ONCE(bad_solutions)},
                                     {"bad keys", TEST_ONCE(bad_keys)},
                                     {"other keys", TEST_ONCE(other_keys)},
                                     {"bad selectors", TEST_ONCE(bad_selectors)},
                                     {"prepared keys", TEST_ONCE(prepared)},
                                     {"damaged prepared keys", TEST_ONCE(damaged)}};

TEST_MAIN("plonk_gnark", entries)

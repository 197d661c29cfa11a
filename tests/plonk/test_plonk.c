/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests PLONK and FFLONK with files of snarkjs. With its random numbers this library must write the same bytes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sha256.h"
#include "sumac/groth16.h"
#include "plonk/plonk_calls.h"
#include "support/container.h"
#include "support/failing.h"

enum { HEAD = 12 /* bytes of a section's head, and of a file's */ };

static const plonk_row *const known = snarkjs_circuits;

/* Return the number of a tiny circuit whose curve is built, or skip the test. */
static int first_tiny(void)
{
    const int i = plonk_is_built(&known[0]) ? 0 : 2;
    if (!plonk_is_built(&known[i])) {
        skip();
    }
    return i;
}

/* Run a test for PLONK and for FFLONK. */
static void for_protocols(void (*test)(int i))
{
    test(first_tiny());
    if (plonk_is_built(&known[SNARKJS_FFLONK])) {
        test(SNARKJS_FFLONK);
    }
}

/* ---- Proofs of snarkjs ---- */

/* Compare a text with a file of snarkjs, and free it. */
static void expect_text(const plonk_circuit *c, const char *file, void *text, size_t bytes)
{
    size_t size;
    uint8_t *expected = plonk_read(c->row, file, &size);
    assert_int_equal(bytes, size);
    assert_memory_equal(text, expected, size);
    free(expected);
    sumac_free(text);
}

static void same_bytes(void)
{
    for (int i = 0; i < SNARKJS_CIRCUITS; i++) {
        for (uint32_t compact = 0; compact < 2 && plonk_is_built(&known[i]); compact++) {
            plonk_circuit c;
            void *text;
            size_t bytes;
            plonk_open(&c, &known[i], compact == 0 ? 1 : 3, compact);
            TEST_OK(c.context, plonk_prove(&c, c.witness, c.proof));
            TEST_OK(c.context, sumac_plonk_proof_encode(c.context, c.verifying, c.proof, c.info.proof_bytes,
                                                        "snarkjs", &text, &bytes));
            expect_text(&c, "proof.json", text, bytes);
            TEST_OK(c.context, sumac_plonk_publics_encode(c.context, c.verifying, c.publics,
                                                          c.info.publics_bytes, "snarkjs", &text, &bytes));
            expect_text(&c, "public.json", text, bytes);
            plonk_close(&c);
        }
    }
}

/* Verify a proof of snarkjs with its verification_key.json, and with the .zkey. */
static void verify_theirs(int i)
{
    plonk_circuit c;
    size_t proof_size, publics_size;
    char path[PLONK_PATH_BYTES];
    sumac_plonk_verifying_key *opened;
    int ok = 0;
    plonk_open(&c, &known[i], 2, 0);
    uint8_t *proof = plonk_read(c.row, "proof.json", &proof_size),
            *publics = plonk_read(c.row, "public.json", &publics_size);
    TEST_OK(c.context, sumac_plonk_verifying_key_open(
                           c.context, plonk_path(c.row, "verification_key.json", path), &opened));
    TEST_OK(c.context, sumac_plonk_proof_decode(c.context, opened, proof, proof_size, "snarkjs", "proof",
                                                c.proof, c.info.proof_bytes));
    TEST_OK(c.context, sumac_plonk_publics_decode(c.context, opened, publics, publics_size, "snarkjs",
                                                  "public", c.publics, c.info.publics_bytes));
    TEST_OK(c.context, plonk_verify(&c, c.verifying, c.publics, c.proof, &ok));
    assert_int_equal(ok, 1);
    ok = 0;
    TEST_OK(c.context, sumac_plonk_verify(c.context, opened, c.publics, c.info.publics_bytes, c.proof,
                                          c.info.proof_bytes, 1, &ok));
    assert_int_equal(ok, 1);
    sumac_plonk_info info = {.size = sizeof info};
    assert_int_equal(sumac_plonk_verifying_key_describe(opened, &info), SUMAC_OK);
    assert_int_equal(info.publics, c.info.publics);
    assert_int_equal(info.domain, c.info.domain);
    assert_int_equal(info.proof_bytes, c.info.proof_bytes);
    assert_int_equal(info.blinding_bytes, c.info.blinding_bytes);
    assert_string_equal(info.protocol, known[i].protocol);
    sumac_plonk_verifying_key_destroy(opened);
    free(proof);
    free(publics);
    plonk_close(&c);
}

static void their_proofs(void)
{
    for (int i = 0; i < SNARKJS_CIRCUITS; i++) {
        if (plonk_is_built(&known[i])) {
            verify_theirs(i);
        }
    }
}

/* Keys have the same bytes as those of snarkjs, of which the data have the SHA-256 or, for tiny circuits, the file. */
static void same_keys(void)
{
    for (int i = 0; i < SNARKJS_CIRCUITS; i++) {
        if (plonk_is_built(&known[i])) {
            sumac_context *context = test_context(2, 0);
            size_t size, hash_size;
            uint8_t digest[SHA256_BYTES];
            sha256 hash;
            TEST_FILE(zkey);
            TEST_OK(context, plonk_set_up(context, &known[i], zkey));
            uint8_t *bytes = test_read_file(zkey, &size),
                    *expected = plonk_read(&known[i], "key.sha256", &hash_size);
            sha256_begin(&hash);
            sha256_add(&hash, bytes, size);
            sha256_end(&hash, digest);
            assert_int_equal(hash_size, sizeof digest);
            assert_memory_equal(digest, expected, sizeof digest);
            free(bytes);
            free(expected);
            sumac_context_destroy(context);
        }
    }
}

/* ---- Proofs with random numbers, and several proofs ---- */

static void random_proofs_of(int i)
{
    enum { COUNT = 3 };
    plonk_circuit c;
    int ok = 0;
    plonk_open(&c, &known[i], 2, 0);
    const size_t each = c.info.proof_bytes, publics = c.info.publics_bytes, wires = c.info.witness_bytes;
    uint8_t *proofs = test_alloc(COUNT * each), *inputs = test_alloc(COUNT * publics),
            *witnesses = test_alloc(COUNT * wires);
    for (size_t k = 0; k < COUNT; k++) {
        memcpy(witnesses + k * wires, c.witness, wires);
        memcpy(inputs + k * publics, c.publics, publics);
    }
    TEST_OK(c.context,
            sumac_plonk_prove(c.context, c.key, witnesses, COUNT * wires, COUNT, NULL, proofs, COUNT * each));
    assert_true(memcmp(proofs, proofs + each, each) != 0);
    assert_true(memcmp(proofs + each, proofs + 2 * each, each) != 0);
    TEST_OK(c.context, sumac_plonk_verify(c.context, c.verifying, inputs, COUNT * publics, proofs,
                                          COUNT * each, COUNT, &ok));
    assert_int_equal(ok, 1);
    for (size_t k = 0; k < COUNT; k++) { /* one public input at a time is wrong */
        inputs[k * publics] ^= 1;
        TEST_OK(c.context, sumac_plonk_verify(c.context, c.verifying, inputs, COUNT * publics, proofs,
                                              COUNT * each, COUNT, &ok));
        assert_int_equal(ok, 0);
        inputs[k * publics] ^= 1;
    }
    TEST_OK(c.context, sumac_plonk_verify(c.context, c.verifying, NULL, 0, NULL, 0, 0, &ok));
    assert_int_equal(ok, 1);
    free(proofs);
    free(inputs);
    free(witnesses);
    plonk_close(&c);
}

static void random_proofs(void)
{
    for_protocols(random_proofs_of);
}

/* ---- Altered proofs and public inputs ---- */

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

/* Every byte matters: one of its bits is changed, another one from byte to byte. */
static void altered_proofs_of(int circuit_of)
{
    plonk_circuit c;
    plonk_open(&c, &known[circuit_of], 1, 0);
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
    /* Two points are exchanged. */
    const size_t point = c.info.g1->point_bytes;
    for (size_t i = 0; i + 1 < known[circuit_of].points; i++) {
        uint8_t *at = test_alloc(c.info.proof_bytes);
        memcpy(at, c.proof, c.info.proof_bytes);
        memcpy(c.proof + i * point, at + (i + 1) * point, point);
        memcpy(c.proof + (i + 1) * point, at + i * point, point);
        refuse_altered(&c, "points in another order", i);
        memcpy(c.proof, at, c.info.proof_bytes);
        free(at);
    }
    memset(c.proof, 0, c.info.proof_bytes);
    refuse_altered(&c, "a proof of zeros", 0);
    plonk_close(&c);
}

static void altered_proofs(void)
{
    for_protocols(altered_proofs_of);
}

/* ---- Witnesses ---- */

/* The gates of the tiny circuit are, by hand: 0 and 1 the public inputs d and c; 2: a b = e; 3: the addition d - 7 a; 4: e c =
 * d - 7 a. Its wires are 1, d, c, a, b, e. */
static void bad_witnesses_of(int circuit_of)
{
    static const struct {
        size_t wire;
        const char *part;
    } cases[] = {{1, "witness 0: gate 4 does not hold"},
                 {2, "witness 0: gate 4 does not hold"},
                 {4, "witness 0: gate 2 does not hold"},
                 {5, "witness 0: gate 2 does not hold"}};
    plonk_circuit c;
    plonk_open(&c, &known[circuit_of], 2, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        c.witness[32 * cases[i].wire] ^= 64;
        memset(c.proof, 7, c.info.proof_bytes);
        test_sentence(c.context, plonk_prove(&c, c.witness, c.proof), SUMAC_NOT_SATISFIED, cases[i].part);
        assert_int_equal(c.proof[0], 7);
        c.witness[32 * cases[i].wire] ^= 64;
    }
    c.witness[0] = 2;
    test_sentence(c.context, plonk_prove(&c, c.witness, c.proof), SUMAC_BAD_ARGUMENT,
                  "witness 0: wire 0 is not 1");
    c.witness[0] = 1;
    memset(c.witness + 32 * 3, 0xff, 32);
    test_sentence(c.context, plonk_prove(&c, c.witness, c.proof), SUMAC_BAD_ENCODING,
                  "witness 0: scalar 3 is not less than r");
    plonk_close(&c);
}

static void bad_witnesses(void)
{
    for_protocols(bad_witnesses_of);
}

/* ---- Files ---- */

typedef struct altered {
    plonk_circuit c;
    uint8_t *bytes, *kept;
    size_t size;
} altered;

static uint8_t *section(const altered *f, uint32_t type)
{
    size_t at = HEAD;
    uint32_t found = 0;
    while (at < f->size) {
        uint64_t size;
        memcpy(&found, f->bytes + at, 4);
        memcpy(&size, f->bytes + at + 4, 8);
        if (found == type) {
            return f->bytes + at;
        }
        at += HEAD + size;
    }
    test_abort("there is no section %u", (unsigned)type);
}

static void refuse_key(altered *f, size_t size, sumac_status status, const char *part)
{
    sumac_plonk_key *key = NULL;
    test_sentence(f->c.context, sumac_plonk_key_create(f->c.context, f->bytes, size, NULL, &key), status,
                  part);
    assert_null(key);
    memcpy(f->bytes, f->kept, f->size);
}

static void change(altered *f, uint32_t type, size_t at, uint32_t value, sumac_status status,
                   const char *part)
{
    memcpy((type == 0 ? f->bytes : section(f, type) + HEAD) + at, &value, 4);
    refuse_key(f, f->size, status, part);
}

/* Offsets in the header of the tiny circuit's key over BN254. */
enum { AT_ORDER = 4 + 32 + 4, AT_COUNTS = AT_ORDER + 32, AT_K1 = AT_COUNTS + 20, AT_REST = AT_K1 + 64 };

/* This is how a protocol's key is laid out: numbers of sections, and where its header has a commitment and tau. */
typedef struct key_shape {
    uint32_t protocol, last, sigma_end, lagrange, powers;
    size_t commitment, tau;
    uint32_t most_gates;
} key_shape;

static const key_shape shapes[] = {{2, 14, 12, 13, 14, AT_REST, AT_REST + 8 * 64, 8},
                                   {10, 17, 14, 15, 16, AT_REST + 4 * 32 + 128, AT_REST + 4 * 32, 6}};

static void bad_sections(altered *f, const key_shape *shape)
{
    for (uint32_t type = 2; type <= shape->last; type++) { /* sections with another number */
        uint32_t other = 77;
        char part[32];
        memcpy(section(f, type), &other, 4);
        snprintf(part, sizeof part, "section %u (", (unsigned)type);
        refuse_key(f, f->size, SUMAC_BAD_FILE, part);
    }
    for (size_t at = HEAD; at < f->size;) { /* truncated files */
        uint64_t size;
        refuse_key(f, at + 3, SUMAC_BAD_FILE, "truncated");
        memcpy(&size, f->bytes + at + 4, 8);
        at += HEAD + size;
    }
    refuse_key(f, f->size - 1, SUMAC_BAD_FILE, "truncated");
    change(f, 1, 0, 1, SUMAC_BAD_FILE, "a key of Groth16");
    change(f, 1, 0, 12 - shape->protocol, SUMAC_BAD_FILE, "section 2 (header)"); /* the other protocol */
    change(f, 1, 0, 3, SUMAC_BAD_FILE, "an unknown proof system");
    change(f, 0, 4, 2, SUMAC_BAD_FILE, "version 2");
    change(f, 2, 0, 31, SUMAC_BAD_FILE, "section 2 (header)");
    change(f, 2, 4, 5, SUMAC_UNKNOWN_CURVE, "its primes are of no curve");
    change(f, 2, AT_ORDER, 5, SUMAC_UNKNOWN_CURVE, "its primes are of no curve");
}

static void bad_counts(altered *f, const key_shape *shape)
{
    char part[32];
    change(f, 2, AT_COUNTS, 1, SUMAC_BAD_FILE, "1 additions of 1 wires");
    change(f, 2, AT_COUNTS, 3, SUMAC_BAD_FILE, "2 public inputs of 2 wires");
    change(f, 2, AT_COUNTS + 4, 9, SUMAC_BAD_FILE, "public inputs");
    change(f, 2, AT_COUNTS + 8, 4, SUMAC_BAD_FILE, "a domain of 4");
    change(f, 2, AT_COUNTS + 8, 9, SUMAC_BAD_FILE, "a domain of 9");
    change(f, 2, AT_COUNTS + 8, 16, SUMAC_BAD_FILE, "where there must be");
    change(f, 2, AT_COUNTS + 12, 2, SUMAC_BAD_FILE, "section 3 (additions)");
    snprintf(part, sizeof part, "%u gates", shape->most_gates + 1u);
    change(f, 2, AT_COUNTS + 16, shape->most_gates + 1, SUMAC_BAD_FILE, part);
    change(f, 2, AT_COUNTS + 16, 4, SUMAC_BAD_FILE, "section 4 (a's wires)");
    snprintf(part, sizeof part, "section %u (Lagrange)", (unsigned)shape->lagrange);
    change(f, 2, AT_COUNTS + 4, 1, SUMAC_BAD_FILE, part);
}

static void bad_values(altered *f, const key_shape *shape)
{
    char part[48];
    change(f, 3, 0, 6, SUMAC_BAD_FILE, "an addition of a wire that does not come before it: 6");
    change(f, 3, 4, 1u << 31, SUMAC_BAD_FILE, "an addition of a wire that does not come before it");
    change(f, 4, 4, 7, SUMAC_BAD_FILE, "a wire that does not exist: 7");
    change(f, 6, 16, 0xffffffff, SUMAC_BAD_FILE, "a wire that does not exist");
    memset(section(f, 3) + HEAD + 8, 0xff, 32);
    refuse_key(f, f->size, SUMAC_BAD_ENCODING, "a factor that is not less than r");
    for (uint32_t type = 7; type <= shape->sigma_end; type++) {
        memset(section(f, type) + HEAD + 7 * 32, 0xff, 32);
        refuse_key(f, f->size, SUMAC_BAD_ENCODING, "not less than r: coefficient 7");
    }
    memset(section(f, 2) + HEAD + AT_K1, 0xff, 32);
    refuse_key(f, f->size, SUMAC_BAD_ENCODING, "k1 is not less than r");
    section(f, 2)[HEAD + shape->commitment] ^= 1;
    refuse_key(f, f->size, SUMAC_NOT_ON_CURVE, "section 2 (header)");
    section(f, 2)[HEAD + shape->tau] ^= 1;
    refuse_key(f, f->size, SUMAC_NOT_ON_CURVE, "section 2 (header)");
    snprintf(part, sizeof part, "section %u (powers of tau)", (unsigned)shape->powers);
    section(f, shape->powers)[HEAD + 5 * 64] ^= 1;
    refuse_key(f, f->size, SUMAC_NOT_ON_CURVE, part);
    memset(section(f, shape->powers) + HEAD + 5 * 64, 0xff, 32);
    refuse_key(f, f->size, SUMAC_BAD_ENCODING, part);
}

/* The roots of unity of an FFLONK key must be right. */
static void bad_roots(altered *f)
{
    static const char *const names[] = {"w3", "w4", "w8", "wr"};
    for (size_t i = 0; i < 4; i++) {
        char part[48];
        snprintf(part, sizeof part, "%s is not the root of unity", names[i]);
        section(f, 2)[HEAD + AT_REST + i * 32] ^= 1;
        refuse_key(f, f->size, SUMAC_BAD_FILE, part);
        memset(section(f, 2) + HEAD + AT_REST + i * 32, 0xff, 32);
        snprintf(part, sizeof part, "%s is not less than r", names[i]);
        refuse_key(f, f->size, SUMAC_BAD_ENCODING, part);
    }
}

/* A key whose selectors were changed fits no witness, and one with other commitments fits no proof. */
static void other_keys(altered *f, const key_shape *shape)
{
    const uint32_t sections[] = {7, 12, shape->powers};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        plonk_circuit c = f->c;
        sumac_plonk_key_config config = {.size = sizeof config};
        config.check = SUMAC_CHECK_NONE;
        section(f, sections[i])[HEAD + 64] ^= 1;
        TEST_OK(c.context, sumac_plonk_key_create(c.context, f->bytes, f->size, &config, &c.key));
        const sumac_status status = plonk_prove(&c, c.witness, c.proof);
        if (sections[i] == shape->powers) { /* sums of points that are not on the curve may be anything */
            assert_true(status != SUMAC_OK);
        } else {
            test_sentence(c.context, status, SUMAC_NOT_SATISFIED, sections[i] == 7 ? "gate" : "does not fit");
        }
        sumac_plonk_key_destroy(c.key);
        memcpy(f->bytes, f->kept, f->size);
    }
}

static void bad_keys_of(int i)
{
    altered f;
    const key_shape *shape = &shapes[i == SNARKJS_FFLONK];
    TEST_FILE(zkey);
    plonk_open(&f.c, &known[i], 1, 0);
    TEST_OK(f.c.context, plonk_set_up(f.c.context, &known[i], zkey));
    f.kept = test_read_file(zkey, &f.size);
    f.bytes = test_alloc(f.size + 1);
    memcpy(f.bytes, f.kept, f.size + 1);
    bad_sections(&f, shape);
    bad_counts(&f, shape);
    bad_values(&f, shape);
    if (i == SNARKJS_FFLONK) {
        bad_roots(&f);
    }
    other_keys(&f, shape);
    free(f.bytes);
    free(f.kept);
    plonk_close(&f.c);
}

static void bad_keys(void)
{
    if (!plonk_is_built(&known[0])) {
        skip();
    }
    bad_keys_of(0);
    bad_keys_of(SNARKJS_FFLONK);
}

static void refuse_text(const plonk_circuit *c, const char *text, sumac_status status, const char *part)
{
    sumac_plonk_verifying_key *opened;
    test_sentence(c->context, sumac_plonk_verifying_key_create(c->context, text, strlen(text), &opened),
                  status, part);
    assert_null(opened);
}

/* Replace the first occurrence of a text in a copy, which the caller frees. */
static char *replaced(const char *text, const char *what, const char *by)
{
    const char *at = strstr(text, what);
    if (at == NULL) {
        test_abort("there is no %s", what);
    }
    char *copy = test_alloc(strlen(text) + strlen(by) + 1);
    sprintf(copy, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
    return copy;
}

/* A text is changed by replacing its first occurrence of something. */
typedef struct text_case {
    const char *what, *by;
    sumac_status status;
    const char *part;
} text_case;

static const text_case
    plonk_keys[] = {{"plonk", "groth16", SUMAC_MISMATCH, "protocol is not plonk"},
                    {"\"plonk\"", "\"fflonk\"", SUMAC_BAD_FILE, "it has no w3"},
                    {"\"Qm\"", "\"Qx\"", SUMAC_BAD_FILE, "it has no Qm"},
                    {NULL, NULL, SUMAC_OK, NULL}},
    fflonk_keys[] = {{"fflonk", "plonk", SUMAC_BAD_FILE, "it has no Qm"},
                     {"\"C0\"", "\"C1\"", SUMAC_BAD_FILE, "it has no C0"},
                     {"\"wr\": \"13", "\"wr\": \"12", SUMAC_BAD_FILE, "wr is not the root"},
                     {"\"w8\"", "\"w9\"", SUMAC_BAD_FILE, "it has no w8"},
                     {NULL, NULL, SUMAC_OK, NULL}},
    all_keys[] = {{"bn128", "bn129", SUMAC_UNKNOWN_CURVE, "bn129"},
                  {"\"power\": 3", "\"power\": 4", SUMAC_BAD_FILE, "is not the root"},
                  {"\"power\": 3", "\"power\": 40", SUMAC_BAD_FILE, "power is not a number"},
                  {"\"power\": 3", "\"power\": 31", SUMAC_NOT_SUPPORTED, "a domain of 2^31"},
                  {"\"nPublic\": 2", "\"nPublic\": -2", SUMAC_BAD_FILE, "nPublic is not a number"},
                  {"\"nPublic\": 2", "\"nPublic\": 9", SUMAC_BAD_FILE, "9 public inputs"},
                  {"\"k2\"", "\"kx\"", SUMAC_BAD_FILE, "it has no k2"},
                  {"\"X_2\"", "\"X_3\"", SUMAC_BAD_FILE, "it has no X_2"},
                  {"{", "[", SUMAC_BAD_FILE, "JSON"},
                  {NULL, NULL, SUMAC_OK, NULL}},
    plonk_proofs[] = {{"plonk", "groth16", SUMAC_MISMATCH, "protocol"},
                      {"bn128", "bls12381", SUMAC_MISMATCH, "curve is not the key's"},
                      {"\"eval_zw\"", "\"eval\"", SUMAC_BAD_FILE, "it has no eval_zw"},
                      {"\"Wxiw\"", "\"W\"", SUMAC_BAD_FILE, "it has no Wxiw"},
                      {"\"1\"", "\"2\"", SUMAC_BAD_FILE, "A is not an affine point"},
                      {NULL, NULL, SUMAC_OK, NULL}},
    fflonk_proofs[] = {{"fflonk", "plonk", SUMAC_MISMATCH, "protocol is not fflonk"},
                       {"bn128", "bls12381", SUMAC_MISMATCH, "curve is not the key's"},
                       {"\"polynomials\"", "\"points\"", SUMAC_BAD_FILE, "it has no polynomials"},
                       {"\"evaluations\": {", "\"evaluations\": 5, \"x\": {", SUMAC_BAD_FILE, "it has no ql"},
                       {"\"inv\"", "\"in\"", SUMAC_BAD_FILE, "it has no inv"},
                       {"\"1\"", "\"2\"", SUMAC_BAD_FILE, "C1 is not an affine point"},
                       {NULL, NULL, SUMAC_OK, NULL}};

static void refuse_keys(const plonk_circuit *c, const text_case *cases)
{
    size_t size;
    char *text = (char *)plonk_read(c->row, "verification_key.json", &size);
    for (; cases->what != NULL; cases++) {
        char *other = replaced(text, cases->what, cases->by);
        refuse_text(c, other, cases->status, cases->part);
        free(other);
    }
    free(text);
}

static void bad_texts_of(int i)
{
    size_t size;
    plonk_circuit c;
    plonk_open(&c, &known[i], 1, 0);
    refuse_keys(&c, all_keys);
    refuse_keys(&c, i == SNARKJS_FFLONK ? fflonk_keys : plonk_keys);
    char *text = (char *)plonk_read(c.row, "proof.json", &size);
    for (const text_case *proof = i == SNARKJS_FFLONK ? fflonk_proofs : plonk_proofs; proof->what != NULL;
         proof++) {
        char *other = replaced(text, proof->what, proof->by);
        test_sentence(c.context,
                      sumac_plonk_proof_decode(c.context, c.verifying, other, strlen(other), "snarkjs", "x",
                                               c.proof, c.info.proof_bytes),
                      proof->status, proof->part);
        free(other);
    }
    test_sentence(c.context,
                  sumac_plonk_publics_decode(c.context, c.verifying, "[\"1\"]", 5, "snarkjs", "x", c.publics,
                                             c.info.publics_bytes),
                  SUMAC_BAD_LENGTH, "1 public inputs, where the key has 2");
    test_sentence(c.context,
                  sumac_plonk_proof_decode(c.context, c.verifying, text, size, "gnark", "x", c.proof,
                                           c.info.proof_bytes),
                  SUMAC_UNKNOWN_FORMAT, "gnark is no format");
    free(text);
    plonk_close(&c);
}

static void bad_texts(void)
{
    if (!plonk_is_built(&known[0])) {
        skip();
    }
    bad_texts_of(0);
    bad_texts_of(SNARKJS_FFLONK);
}

/* There is no such protocol, no key of FFLONK over BLS12-381, and there are too few powers of tau for FFLONK. */
static void bad_protocols(sumac_context *context, const char *zkey)
{
    static const struct {
        const char *protocol;
        int of; /* the circuit */
        sumac_status status;
        const char *part;
    } cases[] = {{"groth16", 0, SUMAC_BAD_ARGUMENT, "groth16 is no protocol of a key"},
                 {"fflonk", 0, SUMAC_BAD_LENGTH, "for which there must be 90"},
                 {"fflonk", 2, SUMAC_NOT_SUPPORTED, "it is only for bn254"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char r1cs[PLONK_PATH_BYTES], ptau[PLONK_PATH_BYTES];
        sumac_plonk_setup_config config = {.size = sizeof config};
        config.protocol = cases[i].protocol;
        const plonk_row *row = &known[cases[i].of];
        if (plonk_is_built(row)) {
            test_sentence(context,
                          sumac_plonk_setup(context, plonk_circuit_path(row, "circuit.r1cs", r1cs),
                                            plonk_powers_path(row, ptau), &config, zkey),
                          cases[i].status, cases[i].part);
        }
    }
}

static void bad_setups(void)
{
    char r1cs[PLONK_PATH_BYTES], ptau[PLONK_PATH_BYTES];
    sumac_context *context = test_context(1, 0);
    const int i = first_tiny();
    TEST_FILE(zkey);
    (void)plonk_powers_path(&known[2 - i], ptau);
    (void)plonk_circuit_path(&known[i], "circuit.r1cs", r1cs);
    test_sentence(context, sumac_plonk_setup(context, r1cs, ptau, NULL, zkey), SUMAC_BAD_FILE,
                  "is not of elements of");
    test_sentence(context, sumac_plonk_setup(context, ptau, ptau, NULL, zkey), SUMAC_BAD_FILE,
                  "it does not begin as a .r1cs file");
    test_sentence(context, sumac_plonk_setup(context, r1cs, r1cs, NULL, zkey), SUMAC_BAD_FILE,
                  "it does not begin as a .ptau file");
    (void)plonk_powers_path(&known[i], ptau);
    test_sentence(context, sumac_plonk_setup(context, r1cs, ptau, NULL, "/nowhere/key.zkey"),
                  SUMAC_CANNOT_OPEN, "/nowhere");
    /* One point is off the curve: the 6th power of tau. */
    size_t size;
    uint8_t *bytes = test_read_file(ptau, &size);
    TEST_FILE(other);
    uint64_t header;
    memcpy(&header, bytes + HEAD + 4, 8);
    bytes[HEAD + HEAD + header + HEAD + 6 * (i == 0 ? 64u : 96u)] ^= 1;
    test_write_file(other, bytes, size);
    test_sentence(context, sumac_plonk_setup(context, r1cs, other, NULL, zkey), SUMAC_NOT_ON_CURVE, "6");
    free(bytes);
    bad_protocols(context, zkey);
    uint8_t *left = test_read_file(zkey, &size);
    assert_int_equal(size, 0); /* no failed setup wrote anything */
    free(left);
    sumac_context_destroy(context);
}

/* ---- Arguments ---- */

static void arguments(void)
{
    plonk_circuit c;
    int ok;
    void *made;
    size_t bytes;
    plonk_open(&c, &known[first_tiny()], 1, 0);
    sumac_context *context = c.context;
    TEST_BAD(context, sumac_plonk_prove(context, NULL, c.witness, c.info.witness_bytes, 1, NULL, c.proof,
                                        c.info.proof_bytes));
    TEST_BAD(context, sumac_plonk_prove(context, c.key, NULL, c.info.witness_bytes, 1, NULL, c.proof,
                                        c.info.proof_bytes));
    TEST_SHORT(context, sumac_plonk_prove(context, c.key, c.witness, c.info.witness_bytes - 1, 1, NULL,
                                          c.proof, c.info.proof_bytes));
    TEST_SHORT(context, sumac_plonk_prove(context, c.key, c.witness, c.info.witness_bytes, 1, NULL, c.proof,
                                          c.info.proof_bytes - 1));
    TEST_OK(context, sumac_plonk_prove(context, c.key, NULL, 0, 0, NULL, NULL, 0));
    sumac_plonk_prove_config config = {.size = sizeof config};
    config.blinding = c.blinding;
    config.blinding_bytes = c.info.blinding_bytes - 1;
    TEST_SHORT(context, sumac_plonk_prove(context, c.key, c.witness, c.info.witness_bytes, 1, &config,
                                          c.proof, c.info.proof_bytes));
    config.blinding_bytes++;
    memset(c.blinding + 3 * 32, 0xff, 32);
    test_sentence(context,
                  sumac_plonk_prove(context, c.key, c.witness, c.info.witness_bytes, 1, &config, c.proof,
                                    c.info.proof_bytes),
                  SUMAC_BAD_ENCODING, "random number 3 is not less than r");
    config.unverified = 2;
    TEST_BAD(context, sumac_plonk_prove(context, c.key, c.witness, c.info.witness_bytes, 1, &config, c.proof,
                                        c.info.proof_bytes));
    TEST_BAD(context, sumac_plonk_verify(context, c.verifying, c.publics, c.info.publics_bytes, NULL,
                                         c.info.proof_bytes, 1, &ok));
    TEST_SHORT(context, sumac_plonk_verify(context, c.verifying, c.publics, c.info.publics_bytes - 1, c.proof,
                                           c.info.proof_bytes, 1, &ok));
    TEST_SHORT(context, sumac_plonk_verify(context, c.verifying, c.publics, c.info.publics_bytes, c.proof,
                                           c.info.proof_bytes - 1, 1, &ok));
    sumac_plonk_key *opened = c.key;
    TEST_BAD(context, sumac_plonk_key_open(context, NULL, NULL, &opened));
    assert_null(opened);
    TEST_BAD(context, sumac_plonk_witness_open(context, NULL, "x", &made, &bytes));
    assert_null(sumac_plonk_key_verifying(NULL));
    sumac_plonk_key_destroy(NULL);
    sumac_plonk_verifying_key_destroy(NULL);
    plonk_close(&c);
}

/* ---- Prepared keys ---- */

/* A prepared key proves with the same bytes as the key from which it was saved, and verifies. */
static void prepared(void)
{
    for (int i = 0; i < SNARKJS_CIRCUITS; i++) {
        for (uint32_t compact = 0; compact < 2 && plonk_is_built(&known[i]); compact++) {
            plonk_circuit c;
            sumac_plonk_key *again;
            sumac_plonk_verifying_key *verifying;
            sumac_plonk_info info = {.size = sizeof info};
            sumac_plonk_key_config config = {.size = sizeof config};
            int ok = 0;
            TEST_FILE(made);
            plonk_open(&c, &known[i], 2, compact);
            TEST_OK(c.context, plonk_prove(&c, c.witness, c.proof));
            TEST_OK(c.context, sumac_plonk_key_save(c.context, c.key, made));
            config.compact = compact;
            TEST_OK(c.context, sumac_plonk_key_open(c.context, made, &config, &again));
            assert_int_equal(sumac_plonk_key_describe(again, &info), SUMAC_OK);
            assert_memory_equal(&info, &c.info, sizeof info);
            sumac_plonk_key_destroy(c.key);
            c.key = again;
            uint8_t *proof = test_alloc(c.info.proof_bytes);
            TEST_OK(c.context, plonk_prove(&c, c.witness, proof));
            assert_memory_equal(proof, c.proof, c.info.proof_bytes);
            TEST_OK(c.context, sumac_plonk_verifying_key_open(c.context, made, &verifying));
            TEST_OK(c.context, sumac_plonk_verify(c.context, verifying, c.publics, c.info.publics_bytes,
                                                  proof, c.info.proof_bytes, 1, &ok));
            assert_int_equal(ok, 1);
            sumac_plonk_verifying_key_destroy(verifying);
            free(proof);
            plonk_close(&c);
        }
    }
}

/* Require that a key's bytes are refused. */
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

/* Any flipped bit of a prepared key, and any shorter file, is refused. So are numbers out of range whose checksums are right. */
static void damaged(void)
{
    enum { KEY = 22, POLYNOMIALS, LEVELS, ADDITIONS, MAPS, TABLE };
    static const struct {
        uint32_t type, at, value; /* where in a section's entry (below ENTRY_BYTES), or in its bytes */
    } changes[] = {{KEY, ENTRY_NUMBERS, 2},        {KEY, ENTRY_NUMBERS, UINT32_MAX},
                   {KEY, ENTRY_NUMBERS + 4, 9},    {KEY, ENTRY_NUMBERS + 8, 9},
                   {KEY, ENTRY_NUMBERS + 12, 4},   {KEY, ENTRY_NUMBERS + 12, 16},
                   {KEY, ENTRY_NUMBERS + 12, 9},   {KEY, ENTRY_COUNT, 0},
                   {KEY, ENTRY_COUNT, UINT32_MAX}, {POLYNOMIALS, ENTRY_COUNT, 1},
                   {LEVELS, ENTRY_COUNT, 9},       {ADDITIONS, ENTRY_NUMBERS, 1},
                   {MAPS, ENTRY_COUNT, 1},         {MAPS, ENTRY_NUMBERS, 0},
                   {TABLE, ENTRY_COUNT, 8}};
    plonk_circuit c;
    sumac_groth16_key *other;
    size_t size;
    TEST_FILE(made);
    plonk_open(&c, &known[first_tiny()], 1, 1);
    TEST_OK(c.context, sumac_plonk_key_save(c.context, c.key, made));
    uint8_t *bytes = test_read_file(made, &size);
    for (size_t i = 0; i < size; i += i < 512 ? 1 : 5) {
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
    for (uint32_t type = POLYNOMIALS; type <= MAPS; type++) {
        const file_section section = file_section_of(bytes, type);
        uint8_t *last = bytes + section.offset + section.size - 8; /* a scalar's end, a level, or a term */
        const uint64_t before = file_load(last, 8);
        file_store(last, UINT64_MAX, 8);
        file_correct(bytes, size);
        refuse_prepared(&c, bytes, size, "a number that is out of range");
        file_store(last, before, 8);
    }
    file_correct(bytes, size);
    assert_int_equal(sumac_groth16_key_create(c.context, bytes, size, NULL, &other), SUMAC_BAD_FILE);
    assert_non_null(strstr(sumac_context_message(c.context), "a prepared PLONK key"));
    free(bytes);
    plonk_close(&c);
}

/* ---- Failing memory ---- */

/* If an allocation of a call fails, the call fails, and the next call succeeds. After many allocations a call repeats itself, so that
 * only some of the others fail. */
static void memory_of(int which)
{
    enum { MOST_ALLOCATIONS = 3000 };
    CLEANUP(plonk_scene_close) plonk_scene s = {.out = NULL};
    plonk_scene_open(&s, which, test_context(1, 0));
    for (const plonk_call *call = plonk_calls; call < plonk_calls + plonk_call_count; call++) {
        long failed = plonk_scene_has(&s, call) && call->kind != PLONK_REPEATS;
        for (long allocation = 0; failed > 0; allocation += allocation < 100 && !options.quick ? 1 : 4) {
            failing_begin((failing_plan){allocation, -1, 0});
            const sumac_status status = call->run(&s);
            failed = failing_end().allocations_failed;
            if (status != (failed > 0 ? SUMAC_OUT_OF_MEMORY : SUMAC_OK) &&
                !(failed > 0 && status == SUMAC_OK)) { /* some memory is only for speed */
                test_abort("%s, allocation %ld: status %d, \"%s\"", call->name, allocation, (int)status,
                           sumac_context_message(s.c.context));
            }
            assert_true(allocation < MOST_ALLOCATIONS);
        }
    }
}

static void memory(void)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    plonk_for_scenes(memory_of);
}

/* ---- Interrupted writes ---- */

enum { MOST_WRITTEN = 3000 };

/* Return how many files a folder has, and remove those that are not called "key". */
static int count_files(const char *folder)
{
    int count = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        const int is_file = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        count += is_file;
        if (is_file && strcmp(entry->d_name, "key") != 0) {
            assert_int_equal(unlinkat(dirfd(opened), entry->d_name, 0), 0);
        }
    }
    closedir(opened);
    return count;
}

/* Run a call in a process whose write fails at byte MOST_WRITTEN or which, with SIG_DFL, is killed there. The file that was there before
 * stays. */
static void interrupt(plonk_scene *s, const plonk_call *call, const char *folder, void (*handler)(int))
{
    static const struct rlimit limit = {MOST_WRITTEN, MOST_WRITTEN}, no_core = {0, 0};
    int ended;
    size_t size;
    test_write_file(s->made_path, "old", 3);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGXFSZ, handler);
        _exit(setrlimit(RLIMIT_CORE, &no_core) != 0 || setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
              call->run(s) != SUMAC_WRITE_FAILED);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    const int is_killed = WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXFSZ;
    if (handler == SIG_DFL ? !is_killed : ended != 0) {
        test_abort("%s: the process ended with %d", call->name, ended);
    }
    AUTO_FREE uint8_t *left = test_read_file(s->made_path, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(left, "old", 3);
    assert_int_equal(count_files(folder), 1 + is_killed);
}

static void interrupted_of(int which)
{
    char folder[] = "/tmp/sumac-plonk-XXXXXX";
    CLEANUP(plonk_scene_close) plonk_scene s = {.out = NULL};
    assert_non_null(mkdtemp(folder));
    plonk_scene_open(&s, which, test_context(1, 0));
    snprintf(s.made_path, sizeof s.made_path, "%s/key", folder);
    for (const plonk_call *call = plonk_calls; call < plonk_calls + plonk_call_count; call++) {
        if (plonk_scene_has(&s, call) && call->kind == PLONK_WRITES) {
            interrupt(&s, call, folder, SIG_DFL);
            interrupt(&s, call, folder, SIG_IGN);
        }
    }
    (void)unlink(s.made_path);
    assert_int_equal(rmdir(folder), 0);
}

static void interrupted(void)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    plonk_for_scenes(interrupted_of);
}

static const test_entry entries[] = {{"proofs with the same bytes", TEST_ONCE(same_bytes)},
                                     {"proofs of snarkjs", TEST_ONCE(their_proofs)},
                                     {"keys with the same bytes", TEST_ONCE(same_keys)},
                                     {"random proofs", TEST_ONCE(random_proofs)},
                                     {"altered proofs", TEST_ONCE(altered_proofs)},
                                     {"bad witnesses", TEST_ONCE(bad_witnesses)},
                                     {"bad keys", TEST_ONCE(bad_keys)},
                                     {"bad texts", TEST_ONCE(bad_texts)},
                                     {"bad setups", TEST_ONCE(bad_setups)},
                                     {"arguments", TEST_ONCE(arguments)},
                                     {"prepared keys", TEST_ONCE(prepared)},
                                     {"damaged prepared keys", TEST_ONCE(damaged)},
                                     {"memory", TEST_ONCE(memory)},
                                     {"interrupted writes", TEST_ONCE(interrupted)}};

TEST_MAIN("plonk", entries)

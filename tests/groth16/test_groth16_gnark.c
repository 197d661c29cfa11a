/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is part of test_groth16.c. gnark 0.16 wrote the files (tests/compat/gnark/gnark.go). Its proofs must hold,
 * and ours must have the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gmp.h>

#include "circuits.h"
#include "codec/gnark_key.h"
#include "gnark.h"
#include "parts.h"
#include "support/cleanup.h"
#include "sumac/experimental.h"

enum {
    WIRES = 11,
    ROWS = 17,  /* constraints */
    DOMAIN = 32 /* the next power of two */
};

const gnark_circuit gnark_circuits[GNARK_CIRCUITS] = {
    {"bn254", "bn254", WIRES, 2, DOMAIN, 0, NULL},
    {"bls12-381", "bls12-381", WIRES, 2, DOMAIN, 0, NULL},
    {"bls12-377", "bls12-377", WIRES, 2, DOMAIN, 0, NULL},
    {"bw6-761", "bw6-761", WIRES, 2, DOMAIN, 0, NULL},
    [GNARK_FULL] = {"full", "bn254", 3, 1, 2, 0, NULL},
    [GNARK_COMMITTING] = {"committing-bn254", "bn254", 14, 2, DOMAIN, 1, NULL},
    {"committing-bls12-381", "bls12-381", 14, 2, DOMAIN, 1, NULL},
    {"committing-bls12-377", "bls12-377", 14, 2, DOMAIN, 1, NULL},
    {"sha256", "bn254", 14, 2, DOMAIN, 1, "sha256"},
    {"keccak256", "bn254", 14, 2, DOMAIN, 1, "keccak256"},
    [GNARK_SEVERAL] = {"several-bn254", "bn254", 20, 2, DOMAIN, 3, NULL},
    {"several-bls12-381", "bls12-381", 20, 2, DOMAIN, 3, NULL}};

/* These are the encodings in names of files, and the library's names of them. */
static const char *const encodings[] = {"compressed", "raw"};
static const char *const formats[] = {"gnark", "gnark-raw"};

static int is_built(int i, const sumac_group **g1, const sumac_group **g2)
{
    return sumac_group_find(gnark_circuits[i].curve, "g1", g1) == SUMAC_OK &&
           sumac_group_find(gnark_circuits[i].curve, "g2", g2) == SUMAC_OK;
}

static const char *path_of(const char *name, const char *file, const char *encoding,
                           char path[CIRCUIT_PATH_BYTES])
{
    snprintf(path, CIRCUIT_PATH_BYTES, "%s/gnark/%s/%s%s%s", SUMAC_TEST_DATA, name, file,
             encoding == NULL ? "" : ".", encoding == NULL ? "" : encoding);
    return path;
}

/* Read a file, and append a zero to its bytes. */
uint8_t *gnark_read(const char *name, const char *file, const char *encoding, size_t *size)
{
    char path[CIRCUIT_PATH_BYTES];
    return test_read_file(path_of(name, file, encoding, path), size);
}

static void read_proof(claim *c, const char *encoding)
{
    size_t size;
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, "proof", encoding, &size);
    memset(c->proof, 0, c->info.proof_bytes);
    TEST_OK(c->context, sumac_groth16_proof_decode(c->context, c->verifying, bytes, size, "gnark", "proof",
                                                   c->proof, c->info.proof_bytes));
}

/* Open a verifying key by its path or, if its commitments do not have the default hash, from its bytes. */
static void open_verifying(claim *c, int i, const char *encoding)
{
    char path[CIRCUIT_PATH_BYTES];
    size_t size;
    if (gnark_circuits[i].hash == NULL) {
        TEST_OK(c->context, sumac_groth16_verifying_key_open(
                                c->context, path_of(c->name, "vk", encoding, path), &c->verifying));
        return;
    }
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, "vk", encoding, &size);
    TEST_OK(c->context, sumac_groth16_verifying_key_create_hashing(c->context, bytes, size,
                                                                   gnark_circuits[i].hash, &c->verifying));
}

void claim_open(claim *c, int i, const char *encoding)
{
    size_t size;
    *c = (claim){.name = gnark_circuits[i].name,
                 .context = test_context(2, 0),
                 .info = (sumac_groth16_info){.size = sizeof(sumac_groth16_info)}};
    assert_true(is_built(i, &c->g1, &c->g2));
    c->scalar = c->g1->scalar_bytes;
    c->point1 = c->g1->point_bytes;
    c->point2 = c->g2->point_bytes;
    open_verifying(c, i, encoding);
    assert_int_equal(sumac_groth16_verifying_key_describe(c->verifying, &c->info), SUMAC_OK);
    assert_ptr_equal(c->info.g1, c->g1);
    assert_int_equal(c->info.publics, gnark_circuits[i].publics);
    assert_int_equal(c->info.commitments, gnark_circuits[i].commitments);
    c->proof = test_alloc(c->info.proof_bytes);
    c->publics = test_alloc(c->info.publics_bytes);
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, "public", NULL, &size);
    TEST_OK(c->context, sumac_groth16_publics_decode(c->context, c->verifying, bytes, size, "gnark", "public",
                                                     c->publics, c->info.publics_bytes));
    read_proof(c, "compressed");
}

void claim_close(claim *c)
{
    free(c->proof);
    free(c->publics);
    sumac_groth16_verifying_key_destroy(c->verifying);
    sumac_context_destroy(c->context);
}

void gnark_for_each(int first, int end, void (*check)(int i))
{
    const sumac_group *g1, *g2;
    for (int i = first; i < end; i++) {
        if (is_built(i, &g1, &g2)) {
            check(i);
        }
    }
}

/* ---- Proofs and verifying keys ---- */

static void expect_holds(const claim *c, int expected)
{
    int holds = 7;
    const sumac_status status = test_verify(c->context, c->verifying, c->publics, c->proof, 1, &holds);
    test_status(c->context, status, SUMAC_OK, c->name);
    assert_int_equal(holds, expected);
}

static void check_same_bytes(const claim *c, const char *file, const char *encoding, const void *encoded,
                             size_t count)
{
    size_t size;
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, file, encoding, &size);
    assert_int_equal(count, size);
    assert_memory_equal(encoded, bytes, size);
}

/* A proof whose first point is infinity is decoded, too, by either name of its format. */
static void check_infinity(const claim *c, int encoding)
{
    void *encoded;
    size_t count;
    AUTO_FREE uint8_t *proof = test_alloc(c->info.proof_bytes), *again = test_alloc(c->info.proof_bytes);
    memcpy(proof, c->proof, c->info.proof_bytes);
    memset(proof, 0, c->point1);
    TEST_OK(c->context, sumac_groth16_proof_encode(c->context, c->verifying, proof, c->info.proof_bytes,
                                                   formats[encoding], &encoded, &count));
    TEST_OK(c->context,
            sumac_groth16_proof_decode(c->context, c->verifying, encoded, count, formats[1 - encoding],
                                       "proof", again, c->info.proof_bytes));
    assert_memory_equal(again, proof, c->info.proof_bytes);
    sumac_free(encoded);
}

static void check_claim(int i)
{
    claim c;
    void *encoded;
    size_t count;
    for (int e = 0; e < 2; e++) {
        claim_open(&c, i, encodings[e]);
        read_proof(&c, encodings[e]);
        expect_holds(&c, 1);
        TEST_OK(c.context, sumac_groth16_proof_encode(c.context, c.verifying, c.proof, c.info.proof_bytes,
                                                      formats[e], &encoded, &count));
        check_same_bytes(&c, "proof", encodings[e], encoded, count);
        sumac_free(encoded);
        TEST_OK(c.context, sumac_groth16_publics_encode(c.context, c.verifying, c.publics,
                                                        c.info.publics_bytes, formats[e], &encoded, &count));
        check_same_bytes(&c, "public", NULL, encoded, count);
        sumac_free(encoded);
        c.publics[0] ^= 1;
        expect_holds(&c, 0);
        check_infinity(&c, e);
        claim_close(&c);
    }
}

void test_gnark_proofs(void)
{
    gnark_for_each(0, GNARK_CIRCUITS, check_claim);
}

/* ---- Damaged proofs and verifying keys ---- */

/* Make a coordinate not less than p, and leave the flags above it. */
static void make_large(const claim *c, uint8_t *coordinate)
{
    coordinate[0] |= strcmp(c->name, "bn254") == 0 ? 0x3f : 0x1f;
    coordinate[1] = 0xff;
}

static void refuse_verifying(const claim *c, const uint8_t *bytes, size_t size, sumac_status status,
                             const char *part)
{
    sumac_groth16_verifying_key *verifying = NULL;
    test_sentence(c->context, sumac_groth16_verifying_key_create(c->context, bytes, size, &verifying), status,
                  part);
    assert_null(verifying);
}

static void check_bad_verifying(const claim *c, const char *encoding, size_t g1, size_t g2)
{
    static const char *const names[] = {"G1.Alpha", "G1.Beta", "G2.Gamma", "G1.Delta", "G2.Delta", "G1.K"};
    const size_t starts[] = {0, g1, 2 * g1 + g2, 2 * g1 + 2 * g2, 3 * g1 + 2 * g2, 3 * g1 + 3 * g2 + 4};
    char part[64];
    size_t size;
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, "vk", encoding, &size);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const uint8_t kept[2] = {bytes[starts[i]], bytes[starts[i] + 1]};
        snprintf(part, sizeof part, "%s, from byte %zu on: point 0", names[i], starts[i]);
        make_large(c, bytes + starts[i]);
        refuse_verifying(c, bytes, size, SUMAC_BAD_ENCODING, part);
        memcpy(bytes + starts[i], kept, sizeof kept);
        if (strcmp(encoding, "raw") == 0) {
            bytes[starts[i] + 9] ^= 1;
            refuse_verifying(c, bytes, size, SUMAC_NOT_ON_CURVE, part);
            bytes[starts[i] + 9] ^= 1;
        }
        refuse_verifying(c, bytes, starts[i] > 2 * g1 + g2 ? starts[i] : 2 * g1 + g2 + 1, SUMAC_BAD_FILE,
                         "truncated");
    }
    /* G2.Beta identifies the curve. If it lies on no curve, the length shows which keys are possible. */
    snprintf(part, sizeof part, "its third point, G2.Beta, at byte %zu, is infinity, or none", 2 * g1);
    bytes[2 * g1 + 9] ^= 1;
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, part);
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, c->name);
    bytes[2 * g1 + 9] ^= 1;
    make_large(c, bytes + 2 * g1);
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, part);
    bytes[0] = ' '; /* JSON may begin with a space */
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, "by its length a verifying key of gnark over ");
    refuse_verifying(c, bytes, size - 1, SUMAC_BAD_FILE, "no JSON from byte");
    bytes[0] = 0;
    refuse_verifying(c, bytes, size - 1, SUMAC_BAD_FILE, "it is no JSON and no .zkey");
    free(bytes);
    bytes = gnark_read(c->name, "vk", encoding, &size);
    refuse_verifying(c, bytes, size - 1, SUMAC_BAD_FILE, "truncated");
    refuse_verifying(c, bytes, size + 1, SUMAC_BAD_FILE, "too long");
    bytes[3 * g1 + 3 * g2] = 0xff;
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, "G1.K");
    memset(bytes + 3 * g1 + 3 * g2, 0, 4);
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, "G1.K has no point");
}

static void refuse_proof(const claim *c, const uint8_t *bytes, size_t size, sumac_status status,
                         const char *part)
{
    AUTO_FREE uint8_t *proof = test_alloc(c->info.proof_bytes);
    memset(proof, 0x77, c->info.proof_bytes);
    test_sentence(c->context,
                  sumac_groth16_proof_decode(c->context, c->verifying, bytes, size, "gnark", "p.bin", proof,
                                             c->info.proof_bytes),
                  status, part);
    assert_int_equal(proof[0], 0x77);
}

static void check_bad_proof(const claim *c, const char *encoding, size_t g1, size_t g2)
{
    static const char *const names[] = {"p.bin: Ar, at byte ", "p.bin: Bs, at byte ", "p.bin: Krs, at byte "};
    const size_t starts[] = {0, g1, g1 + g2};
    size_t size;
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, "proof", encoding, &size);
    for (size_t i = 0; i < 3; i++) {
        const uint8_t kept[2] = {bytes[starts[i]], bytes[starts[i] + 1]};
        char part[64];
        snprintf(part, sizeof part, "%s%zu", names[i], starts[i]);
        make_large(c, bytes + starts[i]);
        refuse_proof(c, bytes, size, SUMAC_BAD_ENCODING, part);
        memcpy(bytes + starts[i], kept, sizeof kept);
    }
    refuse_proof(c, bytes, size - 1, SUMAC_BAD_FILE, "p.bin: truncated");
    refuse_proof(c, bytes, 0, SUMAC_BAD_FILE, "p.bin: truncated");
    memcpy(bytes + size - g1, bytes, g1);
    refuse_proof(c, bytes, size, SUMAC_BAD_FILE, "CommitmentPok, at byte");
    bytes[2 * g1 + g2 + 3] = 1;
    refuse_proof(c, bytes, size, SUMAC_MISMATCH, "a proof with 1 commitments, where the key has 0");
}

static void refuse_publics(const claim *c, const uint8_t *bytes, size_t size, sumac_status status,
                           const char *part)
{
    uint8_t publics[1024] = {0x77};
    test_sentence(c->context,
                  sumac_groth16_publics_decode(c->context, c->verifying, bytes, size, "gnark", "x.bin",
                                               publics, c->info.publics_bytes),
                  status, part);
    assert_int_equal(publics[0], 0x77);
}

static void check_bad_publics(const claim *c)
{
    size_t size;
    AUTO_FREE uint8_t *bytes = gnark_read(c->name, "public", NULL, &size);
    refuse_publics(c, bytes, size - 1, SUMAC_BAD_FILE, "x.bin: ");
    refuse_publics(c, bytes, 11, SUMAC_BAD_FILE, "x.bin: 11 bytes");
    bytes[7] = 1;
    refuse_publics(c, bytes, size, SUMAC_BAD_FILE, "x.bin: at byte 4: a witness with 1 secret");
    bytes[7] = 0;
    bytes[3] = 1;
    refuse_publics(c, bytes, size, SUMAC_BAD_LENGTH, "x.bin: 1 public inputs");
    bytes[3] = 2;
    memset(bytes + 12 + c->scalar, 0xff, c->scalar);
    refuse_publics(c, bytes, size, SUMAC_BAD_ENCODING, "x.bin: public input 1, at byte");
}

static void check_bad_claim(int i)
{
    claim c;
    for (int e = 0; e < 2; e++) {
        claim_open(&c, i, encodings[e]);
        const size_t part = e == 0 ? 2 : 1;
        check_bad_verifying(&c, encodings[e], c.point1 / part, c.point2 / part);
        check_bad_proof(&c, encodings[e], c.point1 / part, c.point2 / part);
        check_bad_publics(&c);
        claim_close(&c);
    }
}

void test_bad_gnark_proofs(void)
{
    gnark_for_each(0, GNARK_CURVES, check_bad_claim);
}

/* ---- Proving ---- */

const char *const gnark_key_encodings[GNARK_KEY_ENCODINGS] = {"compressed", "raw", "dump"};

/* Open a prover that verifies its proofs if the curve's proofs can be verified. */
void prover_open(prover *p, int i, const char *encoding)
{
    char path[CIRCUIT_PATH_BYTES];
    size_t size;
    void *witness;
    sumac_groth16_key_config config = {.size = sizeof config};
    claim_open(&p->c, i, "raw");
    config.verifying = p->c.verifying;
    p->commitment_wires = NULL;
    p->commitment_wires_bytes = 0;
    if (gnark_circuits[i].commitments > 0) {
        p->commitment_wires = gnark_read(p->c.name, "commitment_wires", NULL, &p->commitment_wires_bytes);
    }
    config.commitment_wires = p->commitment_wires;
    config.commitment_wires_bytes = p->commitment_wires_bytes;
    TEST_OK(p->c.context,
            sumac_groth16_key_open(p->c.context, path_of(p->c.name, "pk", encoding, path), &config, &p->key));
    TEST_OK(p->c.context,
            test_witness_open(p->c.context, p->key, path_of(p->c.name, "solution", NULL, path), &witness));
    p->witness = witness;
    p->randomness = gnark_read(p->c.name, "randomness", NULL, &size);
    assert_int_equal(size, 2 * p->c.scalar);
    assert_int_equal(sumac_groth16_key_describe(p->key, &p->c.info), SUMAC_OK);
    assert_ptr_equal(sumac_groth16_key_verifying(p->key), p->c.verifying);
}

void prover_close(prover *p)
{
    free(p->commitment_wires);
    sumac_groth16_key_destroy(p->key);
    sumac_free(p->witness);
    free(p->randomness);
    claim_close(&p->c);
}

sumac_status prover_prove(const prover *p, size_t count, int verified, uint8_t *proofs)
{
    sumac_groth16_prove_config config = {.size = sizeof config};
    AUTO_FREE uint8_t *witnesses = test_alloc(count * p->c.info.witness_bytes);
    AUTO_FREE uint8_t *randomness = test_alloc(count * 2 * p->c.scalar);
    for (size_t i = 0; i < count; i++) {
        memcpy(witnesses + i * p->c.info.witness_bytes, p->witness, p->c.info.witness_bytes);
        memcpy(randomness + 2 * i * p->c.scalar, p->randomness, 2 * p->c.scalar);
    }
    config.randomness = randomness;
    config.unverified = !verified;
    const sumac_status status = test_prove(p->c.context, p->key, witnesses, count, &config, proofs);
    return status;
}

/* For the same r and s our proof must equal gnark's, alone and in a batch. */
static void check_prover(int i)
{
    for (int e = 0; e < GNARK_KEY_ENCODINGS; e++) {
        CLEANUP(prover_close) prover p = {0};
        prover_open(&p, i, gnark_key_encodings[e]);
        const size_t bytes = p.c.info.proof_bytes;
        AUTO_FREE uint8_t *proofs = test_alloc(3 * bytes);
        assert_int_equal(p.c.info.wires, gnark_circuits[i].wires);
        assert_int_equal(p.c.info.domain, gnark_circuits[i].domain);
        assert_int_equal(p.c.info.witness_bytes,
                         (gnark_circuits[i].wires + 2 * gnark_circuits[i].domain) * p.c.scalar);
        AUTO_FREE uint8_t *publics = test_alloc(p.c.info.publics_bytes);
        TEST_OK(p.c.context,
                sumac_groth16_witness_publics(p.c.context, p.key, p.witness, p.c.info.witness_bytes, publics,
                                              p.c.info.publics_bytes));
        assert_memory_equal(publics, p.c.publics, p.c.info.publics_bytes);
        TEST_OK(p.c.context, prover_prove(&p, 3, 1, proofs));
        for (size_t k = 0; k < 3; k++) {
            assert_memory_equal(proofs + k * bytes, p.c.proof, bytes);
        }
    }
}

void test_gnark_keys(void)
{
    gnark_for_each(0, GNARK_CIRCUITS, check_prover);
}

/* ---- Prepared keys ---- */

static void check_same_proof(const prover *p)
{
    AUTO_FREE uint8_t *proof = test_alloc(p->c.info.proof_bytes);
    TEST_OK(p->c.context, prover_prove(p, 1, 1, proof));
    assert_memory_equal(proof, p->c.proof, p->c.info.proof_bytes);
}

/* Save the prover's key, and replace it by the saved one. `verifying` is for a key that has no verifying key. */
static void save_and_open(prover *p, const sumac_groth16_verifying_key *verifying)
{
    char path[64];
    sumac_groth16_key_config config = {.size = sizeof config};
    config.verifying = verifying;
    snprintf(path, sizeof path, "/tmp/sumac-gnark-prepared-%ld", (long)getpid());
    TEST_OK(p->c.context, sumac_groth16_key_save(p->c.context, p->key, path));
    sumac_groth16_key_destroy(p->key);
    TEST_OK(p->c.context, sumac_groth16_key_open(p->c.context, path, &config, &p->key));
    unlink(path);
    assert_int_equal(sumac_groth16_key_describe(p->key, &p->c.info), SUMAC_OK);
}

/* A prepared key has its own verifying key. If it has none, it uses one of the caller's for the same circuit. */
static void check_gnark_prepared(int i)
{
    CLEANUP(prover_close) prover p = {0};
    char path[CIRCUIT_PATH_BYTES];
    sumac_groth16_key_config config = {.size = sizeof config};
    config.precompute_factor = 2;
    prover_open(&p, i, "raw");
    save_and_open(&p, NULL);
    assert_int_equal(p.c.info.has_verifying_key, 1);
    check_same_proof(&p);
    sumac_groth16_key_destroy(p.key);
    config.commitment_wires = p.commitment_wires;
    config.commitment_wires_bytes = p.commitment_wires_bytes;
    TEST_OK(p.c.context,
            sumac_groth16_key_open(p.c.context, path_of(p.c.name, "pk", "raw", path), &config, &p.key));
    save_and_open(&p, NULL);
    assert_int_equal(p.c.info.has_verifying_key, 0);
    save_and_open(&p, p.c.verifying);
    assert_int_equal(p.c.info.has_verifying_key, 1);
    assert_ptr_equal(sumac_groth16_key_verifying(p.key), p.c.verifying);
    check_same_proof(&p);
}

void test_gnark_prepared(void)
{
    gnark_for_each(0, GNARK_CIRCUITS, check_gnark_prepared);
}

/* ---- Damaged keys and witnesses ---- */

static void refuse_key(const prover *p, const uint8_t *bytes, size_t size, sumac_status status,
                       const char *part)
{
    sumac_groth16_key *key = NULL;
    sumac_groth16_key_config config = {.size = sizeof config};
    config.verifying = p->c.verifying;
    test_sentence(p->c.context, sumac_groth16_key_create(p->c.context, bytes, size, &config, &key), status,
                  part);
    assert_null(key);
}

/* Change a byte of the key, require a refusal, and restore the byte. */
static void refuse_change(const prover *p, uint8_t *bytes, size_t size, size_t at, uint8_t change,
                          sumac_status status, const char *part)
{
    bytes[at] ^= change;
    refuse_key(p, bytes, size, status, part);
    bytes[at] ^= change;
}

/* These are offsets of the parts of a key, and the numbers of wires for which A and B have points. */
typedef struct key_map {
    size_t domain, alpha1, beta1, delta1, a, b1, z, k, beta2, delta2, b2, wires, infinity_a, infinity_b;
    size_t count_bytes, a_count, b_count;
} key_map;

static uint64_t load_big(const uint8_t *bytes, size_t count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

static key_map map_key(const prover *p, int encoding, const uint8_t *bytes)
{
    const size_t part = encoding == 0 ? 2 : 1, g1 = p->c.point1 / part, g2 = p->c.point2 / part;
    key_map m = {.domain = encoding == 2 ? 8 : 0, .count_bytes = encoding == 2 ? 8 : 4};
    m.alpha1 = m.domain + 8 + 5 * p->c.scalar + 1;
    m.beta1 = m.alpha1 + g1;
    m.delta1 = m.beta1 + g1;
    size_t at = m.delta1 + g1;
    for (int pass = 0; pass < 2; pass++) {
        if ((encoding == 2) == (pass == 0)) { /* a dump has its slices last */
            m.beta2 = encoding == 2 ? at : m.beta2;
            m.delta2 = encoding == 2 ? at + g2 : m.delta2;
            at += encoding == 2 ? 2 * g2 : 0;
            m.wires = at;
            m.infinity_a = at + 24;
            m.infinity_b = m.infinity_a + WIRES;
            m.a_count = WIRES - (size_t)load_big(bytes + at + 8, 8);
            m.b_count = WIRES - (size_t)load_big(bytes + at + 16, 8);
            at = m.infinity_b + WIRES + 4;
        } else {
            const size_t a_count = encoding == 2 ? m.a_count : (size_t)load_big(bytes + at, 4);
            m.a = at + m.count_bytes;
            at = m.a + a_count * g1;
            const size_t b_count = encoding == 2 ? m.b_count : (size_t)load_big(bytes + at, 4);
            m.b1 = at + m.count_bytes;
            m.z = m.b1 + b_count * g1 + m.count_bytes;
            m.k = m.z + (DOMAIN - 1) * g1 + m.count_bytes;
            at = m.k + (WIRES - 3) * g1;
            m.beta2 = encoding == 2 ? m.beta2 : at;
            m.delta2 = encoding == 2 ? m.delta2 : at + g2;
            at += encoding == 2 ? 0 : 2 * g2;
            m.b2 = at + m.count_bytes;
            at = m.b2 + b_count * g2;
        }
    }
    return m;
}

/* Make a coordinate of a point not less than p. A dump's slices are little-endian. */
static void check_bad_point(const prover *p, uint8_t *bytes, size_t size, size_t at, const char *name,
                            size_t little_endian_bytes, int is_raw)
{
    uint8_t kept[96];
    char part[64];
    memcpy(kept, bytes + at, sizeof kept);
    if (little_endian_bytes > 0) {
        memset(bytes + at, 0xff, little_endian_bytes);
    } else {
        make_large(&p->c, bytes + at);
    }
    snprintf(part, sizeof part, "%s, from byte %zu on: point 0", name, at);
    refuse_key(p, bytes, size, SUMAC_BAD_ENCODING, part);
    memcpy(bytes + at, kept, sizeof kept);
    if (is_raw) {
        refuse_change(p, bytes, size, at + 9, 1, SUMAC_NOT_ON_CURVE, part);
    }
}

static void check_bad_points(const prover *p, int encoding, uint8_t *bytes, size_t size, const key_map *m)
{
    const struct {
        size_t at;
        const char *name;
        int is_slice;
    } points[] = {{m->alpha1, "G1.Alpha", 0}, {m->beta1, "G1.Beta", 0},   {m->delta1, "G1.Delta", 0},
                  {m->beta2, "G2.Beta", 0},   {m->delta2, "G2.Delta", 0}, {m->a, "G1.A", 1},
                  {m->b1, "G1.B", 1},         {m->z, "G1.Z", 1},          {m->k, "G1.K", 1},
                  {m->b2, "G2.B", 1}};
    const size_t field = encoding == 2 ? p->c.g1->field_bytes : 0;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        check_bad_point(p, bytes, size, points[i].at, points[i].name, points[i].is_slice ? field : 0,
                        encoding != 0);
    }
}

static void check_bad_numbers(const prover *p, int encoding, uint8_t *bytes, size_t size, const key_map *m)
{
    /* This is the distance from a slice to the lowest byte of its count. Only a dump's counts are little-endian. */
    const size_t last = encoding == 2 ? 8 : 1;
    const struct {
        size_t at;
        uint8_t change;
        sumac_status status;
        const char *part;
    } changes[] = {{m->a - last, 0x80, SUMAC_BAD_FILE, "G1.A"},
                   {m->b2 - last, 0x80, SUMAC_BAD_FILE, "G2.B"},
                   {m->domain + 7, 1, SUMAC_UNKNOWN_CURVE, "the domain, at byte"},
                   {m->domain + 7, DOMAIN ^ 16, SUMAC_UNKNOWN_CURVE, "the domain, at byte"},
                   {m->domain + 12, 1, SUMAC_UNKNOWN_CURVE, "the domain, at byte"},
                   {m->domain + 8 + p->c.scalar + 5, 1, SUMAC_BAD_FILE, "generator, at byte"},
                   {m->wires + 7, 1, SUMAC_BAD_FILE, ""},
                   {m->wires, 0xff, SUMAC_BAD_FILE, "InfinityA"},
                   {m->wires + 15, 1, SUMAC_BAD_FILE, "G1.A, at byte"},
                   {m->wires + 15, 0x80, SUMAC_BAD_FILE, "wires, at byte"},
                   {m->wires + 23, 1, SUMAC_BAD_FILE, "G1.B, at byte"},
                   {m->infinity_b + WIRES + 3, 1, SUMAC_BAD_FILE, "CommitmentKeys.Basis"},
                   {m->infinity_b + WIRES + 2, 1, SUMAC_BAD_FILE, "256 commitments, and only 11 wires"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        refuse_change(p, bytes, size, changes[i].at, changes[i].change, changes[i].status, changes[i].part);
    }
    for (size_t i = 0; i < WIRES; i++) {
        refuse_change(p, bytes, size, m->infinity_a + i, 1, SUMAC_BAD_FILE, "for G1.A");
        refuse_change(p, bytes, size, m->infinity_b + i, 1, SUMAC_BAD_FILE, "for G1.B");
        refuse_change(p, bytes, size, m->infinity_a + i, 2, SUMAC_BAD_FILE, "for G1.A");
    }
}

static void check_bad_key(int i)
{
    for (int e = 0; e < GNARK_KEY_ENCODINGS; e++) {
        CLEANUP(prover_close) prover p = {0};
        size_t size;
        prover_open(&p, i, gnark_key_encodings[e]);
        AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "pk", gnark_key_encodings[e], &size);
        const key_map m = map_key(&p, e, bytes);
        check_bad_points(&p, e, bytes, size, &m);
        check_bad_numbers(&p, e, bytes, size, &m);
        for (size_t cut = m.alpha1; cut < size; cut += size / 40) {
            refuse_key(&p, bytes, cut, SUMAC_BAD_FILE, "truncated");
        }
        refuse_key(&p, bytes, size - 1, SUMAC_BAD_FILE, "truncated");
        refuse_key(&p, bytes, size + 1, SUMAC_BAD_FILE, "too long");
    }
}

/* A dump is given a point of the curve outside the subgroup, if such points exist. */
static void check_outside_subgroup(int i)
{
    CLEANUP(prover_close) prover p = {0};
    size_t size;
    prover_open(&p, i, "dump");
    AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "pk", "dump", &size);
    const key_map m = map_key(&p, 2, bytes);
    store_outside_point(p.c.g2, bytes + m.b2);
    refuse_key(&p, bytes, size, SUMAC_NOT_IN_SUBGROUP, "G2.B, from byte");
}

static void refuse_solution(const prover *p, const uint8_t *bytes, size_t size, sumac_status status,
                            const char *part)
{
    void *witness = NULL;
    char path[64];
    snprintf(path, sizeof path, "/tmp/sumac-gnark-%ld", (long)getpid());
    test_write_file(path, bytes, size);
    test_sentence(p->c.context, test_witness_open(p->c.context, p->key, path, &witness), status, part);
    assert_null(witness);
    unlink(path);
}

static void check_bad_solution(int i)
{
    CLEANUP(prover_close) prover p = {0};
    size_t size;
    prover_open(&p, i, "raw");
    const size_t a = 4 + WIRES * p.c.scalar, rows = ROWS * p.c.scalar, b = a + 4 + rows, c = b + 4 + rows;
    AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "solution", NULL, &size);
    const size_t cuts[] = {0, 3, 5, a, a + 5, b, b + 5, c + 3, c + 5, size - 1};
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        refuse_solution(&p, bytes, cuts[k], SUMAC_BAD_FILE, "truncated");
    }
    refuse_solution(&p, bytes, size + 1, SUMAC_BAD_FILE, "too long");
    const struct {
        size_t at;
        uint8_t count;
        const char *part;
    } counts[] = {{3, WIRES + 1, "W, at byte 0, has 12 elements, and by the key 11"},
                  {a + 3, DOMAIN + 1, "has 33 elements, and by the key at most 32"},
                  {b + 3, ROWS - 1, "B, at byte "},
                  {c + 3, ROWS + 1, "C, at byte "}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const uint8_t kept = bytes[counts[k].at];
        bytes[counts[k].at] = counts[k].count;
        refuse_solution(&p, bytes, size, SUMAC_BAD_LENGTH, counts[k].part);
        bytes[counts[k].at] = kept;
    }
    memset(bytes + 4 + 2 * p.c.scalar, 0xff, p.c.scalar);
    refuse_solution(&p, bytes, size, SUMAC_BAD_ENCODING, "element 2 is not less than r");
    memset(bytes + 4 + 2 * p.c.scalar, 0, p.c.scalar);
    memset(bytes + b + 4, 0xff, p.c.scalar);
    refuse_solution(&p, bytes, size, SUMAC_BAD_ENCODING, "B, at byte ");
}

/* Proving fails with witnesses that do not satisfy or are invalid, and with keys that can't verify. */
static void check_bad_proving(int i)
{
    CLEANUP(prover_close) prover p = {0};
    CLEANUP(destroy_key) sumac_groth16_key *alone = NULL;
    char path[CIRCUIT_PATH_BYTES];
    int holds;
    prover_open(&p, i, "raw");
    AUTO_FREE uint8_t *proof = test_alloc(p.c.info.proof_bytes);
    uint8_t *products = p.witness + WIRES * p.c.scalar;
    memset(products + (DOMAIN + 1) * p.c.scalar, 0xff, p.c.scalar);
    test_sentence(p.c.context, prover_prove(&p, 1, 0, proof), SUMAC_BAD_ENCODING,
                  "witness 0, behind its wires: element 1 of B w is not less than r");
    memset(products + (DOMAIN + 1) * p.c.scalar, 0, p.c.scalar);
    products[0] ^= 1;
    p.witness[(WIRES - 1) * p.c.scalar] ^= 1;
    test_sentence(p.c.context, prover_prove(&p, 1, 1, proof), SUMAC_NOT_SATISFIED, "");
    TEST_OK(p.c.context, prover_prove(&p, 1, 0, proof));
    TEST_OK(p.c.context,
            sumac_groth16_key_open(p.c.context, path_of(p.c.name, "pk", "raw", path), NULL, &alone));
    sumac_groth16_key *kept = p.key;
    p.key = alone;
    test_sentence(p.c.context, prover_prove(&p, 1, 1, proof), SUMAC_NOT_SUPPORTED,
                  "without its verifying key");
    TEST_OK(p.c.context, prover_prove(&p, 1, 0, proof));
    test_sentence(p.c.context,
                  test_verify(p.c.context, sumac_groth16_key_verifying(alone), p.c.publics, proof, 1, &holds),
                  SUMAC_NOT_SUPPORTED, "without its verifying key");
    p.key = kept;
}

/* A verifying key of another curve or circuit is refused. */
static void check_mismatches(int i)
{
    claim other;
    CLEANUP(prover_close) prover p = {0};
    size_t size;
    const sumac_group *g1, *g2;
    prover_open(&p, i, "raw");
    uint8_t *bytes = gnark_read(p.c.name, "pk", "raw", &size);
    sumac_groth16_verifying_key *original = p.c.verifying;
    if (is_built(1, &g1, &g2)) {
        claim_open(&other, 1, "raw");
        p.c.verifying = other.verifying;
        refuse_key(&p, bytes, size, SUMAC_MISMATCH, "its curve");
        p.c.verifying = original;
        claim_close(&other);
    }
    const key_map m = map_key(&p, 1, bytes);
    memcpy(bytes + m.alpha1, bytes + m.beta1, p.c.point1);
    refuse_key(&p, bytes, size, SUMAC_MISMATCH, "its alpha is not G1.Alpha");
    free(bytes);
}

void test_bad_gnark_keys(void)
{
    gnark_for_each(0, GNARK_CURVES, check_bad_key);
    gnark_for_each(0, GNARK_CURVES, check_outside_subgroup);
    gnark_for_each(0, GNARK_CURVES, check_bad_solution);
    gnark_for_each(0, GNARK_CURVES, check_bad_proving);
    gnark_for_each(0, 1, check_mismatches);
}

/* ---- Memory ---- */

typedef struct gnark_scene {
    prover p;
    uint8_t *key, *verifying, *publics;
    size_t key_size, verifying_size, publics_size, count;
    char solution[CIRCUIT_PATH_BYTES];
} gnark_scene;

MAKES(create_gnark_key, gnark_scene, sumac_groth16_key, sumac_groth16_key_destroy,
      sumac_groth16_key_create(s->p.c.context, s->key, s->key_size, NULL, &created))
MAKES(create_verifying, gnark_scene, sumac_groth16_verifying_key, sumac_groth16_verifying_key_destroy,
      sumac_groth16_verifying_key_create(s->p.c.context, s->verifying, s->verifying_size, &created))
MAKES(open_solution, gnark_scene, void, sumac_free,
      test_witness_open(s->p.c.context, s->p.key, s->solution, &created))
MAKES(write_publics, gnark_scene, void, sumac_free,
      sumac_groth16_publics_encode(s->p.c.context, s->p.c.verifying, s->p.c.publics,
                                   s->p.c.info.publics_bytes, "gnark", &created, &s->count))

static sumac_status prove_one(void *argument)
{
    gnark_scene *s = argument;
    sumac_groth16_prove_config config = {.size = sizeof config};
    config.unverified = 1;
    return test_prove(s->p.c.context, s->p.key, s->p.witness, 1, &config, s->p.c.proof);
}

static sumac_status write_and_read(void *argument)
{
    gnark_scene *s = argument;
    claim *c = &s->p.c;
    void *bytes;
    size_t count;
    sumac_status status = sumac_groth16_proof_encode(c->context, c->verifying, c->proof, c->info.proof_bytes,
                                                     "gnark", &bytes, &count);
    assert_int_equal(status == SUMAC_OK, bytes != NULL);
    if (status == SUMAC_OK) {
        status = sumac_groth16_proof_decode(c->context, c->verifying, bytes, count, "gnark", "p", c->proof,
                                            c->info.proof_bytes);
    }
    sumac_free(bytes);
    return status;
}

static sumac_status read_publics(void *argument)
{
    gnark_scene *s = argument;
    return sumac_groth16_publics_decode(s->p.c.context, s->p.c.verifying, s->publics, s->publics_size,
                                        "gnark", "x", s->p.c.publics, s->p.c.info.publics_bytes);
}

static void check_memory(int i)
{
    static const memory_call calls[] = {
        {"key_create", create_gnark_key}, {"verifying_key_create", create_verifying},
        {"witness_open", open_solution},  {"prove", prove_one},
        {"proof", write_and_read},        {"publics_encode", write_publics},
        {"publics_decode", read_publics}};
    gnark_scene s;
    prover_open(&s.p, i, "compressed");
    s.key = gnark_read(s.p.c.name, "pk", i % 2 == 0 ? "dump" : "compressed", &s.key_size);
    s.verifying = gnark_read(s.p.c.name, "vk", "raw", &s.verifying_size);
    s.publics = gnark_read(s.p.c.name, "public", NULL, &s.publics_size);
    (void)path_of(s.p.c.name, "solution", NULL, s.solution);
    check_allocations(s.p.c.context, calls, sizeof calls / sizeof *calls, &s);
    free(s.key);
    free(s.verifying);
    free(s.publics);
    prover_close(&s.p);
}

void test_gnark_memory(void)
{
    const sumac_group *g1, *g2;
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    for (int i = 0; i < GNARK_CURVES;
         i += GNARK_CURVES - 1) { /* gnark's roots are ours only for the first curve */
        if (is_built(i, &g1, &g2)) {
            check_memory(i);
        }
    }
}

/* ---- Domains of one row ---- */

/* Write a number as gnark does. */
static void put_number(uint8_t *to, size_t bytes, const mpz_t number)
{
    size_t count = (mpz_sizeinbase(number, 2) + 7) / 8;
    memset(to, 0, bytes);
    mpz_export(to + bytes - count, NULL, 1, 1, 1, 0, number);
}

/* A circuit of one constraint has a domain of size 1, whose inverse is 1 for every curve. */
void test_gnark_smallest_domain(void)
{
    const sumac_group *group, *other;
    for (size_t i = 0; (group = sumac_group_at(i)) != NULL; i++) {
        const size_t bytes = group->scalar_bytes;
        uint8_t domain[GNARK_DOMAIN_BYTES] = {[7] = 1};
        mpz_t r, number;
        mpz_inits(r, number, NULL);
        mpz_import(r, bytes / 8, -1, 8, 0, 0, group->order);
        for (size_t k = 0; k < 5; k++) { /* 1/n, the root and its inverse, the shift and its inverse */
            mpz_set_ui(number, k < 3 ? 1 : 7);
            if (k == 4) {
                assert_int_equal(mpz_invert(number, number, r), 1);
            }
            put_number(domain + 8 + k * bytes, bytes, number);
        }
        for (size_t k = 0; (other = sumac_group_at(k)) != NULL; k++) {
            const int is_same =
                other->scalar_bytes == bytes && memcmp(other->order, group->order, bytes) == 0;
            if (other->scalar_bytes == bytes) {
                assert_int_equal(gnark_domain_is_of(domain, other), is_same);
            }
        }
        mpz_clears(r, number, NULL);
    }
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Part of test_groth16.c: files that gnark 0.14 wrote, tests/compat/gnark/gnark.go. Oracles: its proof holds, and its bytes
 * are ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuits.h"
#include "parts.h"

static const struct {
    const char *name;
    int has_pairing;
} curves[] = {{"bn254", 1}, {"bls12-381", 1}, {"bls12-377", 0}, {"bw6-761", 0}};

enum { CURVES = sizeof curves / sizeof *curves };

static const char *const encodings[] = {"compressed", "raw"};

/* The circuit of a curve: its verifying key, proof and public inputs. */
typedef struct claim {
    const char *name;
    int has_pairing;
    sumac_context *context;
    const sumac_curve *g1, *g2;
    size_t scalar, point1, point2; /* bytes */
    sumac_groth16_verifying_key *verifying;
    sumac_groth16_info info;
    uint8_t *proof, *publics;
} claim;

static int is_built(int i, const sumac_curve **g1, const sumac_curve **g2)
{
    return sumac_curve_find(curves[i].name, "g1", g1) == SUMAC_OK &&
           sumac_curve_find(curves[i].name, "g2", g2) == SUMAC_OK;
}

static const char *path_of(const char *name, const char *file, const char *encoding,
                           char path[CIRCUIT_PATH_BYTES])
{
    snprintf(path, CIRCUIT_PATH_BYTES, "%s/gnark/%s/%s%s%s", SUMAC_TEST_DATA, name, file,
             encoding == NULL ? "" : ".", encoding == NULL ? "" : encoding);
    return path;
}

static uint8_t *read_file(const char *name, const char *file, const char *encoding, size_t *size)
{
    char path[CIRCUIT_PATH_BYTES];
    return test_read_file(path_of(name, file, encoding, path), size);
}

static void read_proof(claim *c, const char *encoding)
{
    size_t size;
    uint8_t *bytes = read_file(c->name, "proof", encoding, &size);
    memset(c->proof, 0, c->info.proof_bytes);
    test_status(c->context,
                sumac_groth16_proof_from_gnark(c->context, c->verifying, bytes, size, "proof", c->proof),
                SUMAC_OK, c->name);
    free(bytes);
}

static void claim_open(claim *c, int i, const char *encoding)
{
    char path[CIRCUIT_PATH_BYTES];
    size_t size;
    *c = (claim){.name = curves[i].name,
                 .has_pairing = curves[i].has_pairing,
                 .context = test_context(2, 0),
                 .info = sumac_groth16_info_default()};
    assert_true(is_built(i, &c->g1, &c->g2));
    c->scalar = sumac_curve_describe(c->g1)->scalar_bytes;
    c->point1 = sumac_curve_describe(c->g1)->point_bytes;
    c->point2 = sumac_curve_describe(c->g2)->point_bytes;
    test_status(
        c->context,
        sumac_groth16_verifying_key_open(c->context, path_of(c->name, "vk", encoding, path), &c->verifying),
        SUMAC_OK, path);
    assert_int_equal(sumac_groth16_verifying_key_describe(c->verifying, &c->info), SUMAC_OK);
    assert_ptr_equal(c->info.g1, c->g1);
    assert_int_equal(c->info.publics, 2);
    c->proof = test_alloc(c->info.proof_bytes);
    c->publics = test_alloc(c->info.publics_bytes);
    uint8_t *bytes = read_file(c->name, "public", NULL, &size);
    test_status(c->context,
                sumac_groth16_publics_from_gnark(c->context, c->verifying, bytes, size, "public", c->publics),
                SUMAC_OK, c->name);
    free(bytes);
    read_proof(c, "compressed");
}

static void claim_close(claim *c)
{
    free(c->proof);
    free(c->publics);
    sumac_groth16_verifying_key_destroy(c->verifying);
    sumac_context_destroy(c->context);
}

static void for_each_curve(void (*check)(int i))
{
    const sumac_curve *g1, *g2;
    for (int i = 0; i < CURVES; i++) {
        if (is_built(i, &g1, &g2)) {
            check(i);
        }
    }
}

/* ---- Proofs and verifying keys ---- */

static void expect_holds(const claim *c, int expected)
{
    int holds = 7;
    const sumac_status status = sumac_groth16_verify(c->context, c->verifying, c->publics, c->proof, &holds);
    if (c->has_pairing) {
        test_status(c->context, status, SUMAC_OK, c->name);
        assert_int_equal(holds, expected);
    } else {
        test_sentence(c->context, status, SUMAC_NOT_SUPPORTED, "no pairing");
        assert_int_equal(holds, 7);
    }
}

static void check_same_bytes(const claim *c, const char *file, const char *encoding, const void *made,
                             size_t count)
{
    size_t size;
    uint8_t *bytes = read_file(c->name, file, encoding, &size);
    assert_int_equal(count, size);
    assert_memory_equal(made, bytes, size);
    free(bytes);
}

static void check_claim(int i)
{
    claim c;
    void *made;
    size_t count;
    for (int e = 0; e < 2; e++) {
        claim_open(&c, i, encodings[e]);
        read_proof(&c, encodings[e]);
        expect_holds(&c, 1);
        test_status(c.context,
                    sumac_groth16_proof_to_gnark(
                        c.context, c.verifying, c.proof,
                        e == 0 ? SUMAC_GROTH16_GNARK_COMPRESSED : SUMAC_GROTH16_GNARK_RAW, &made, &count),
                    SUMAC_OK, c.name);
        check_same_bytes(&c, "proof", encodings[e], made, count);
        sumac_free(made);
        test_status(c.context,
                    sumac_groth16_publics_to_gnark(c.context, c.verifying, c.publics, &made, &count),
                    SUMAC_OK, c.name);
        check_same_bytes(&c, "public", NULL, made, count);
        sumac_free(made);
        c.publics[0] ^= 1;
        expect_holds(&c, 0);
        claim_close(&c);
    }
}

void test_gnark_proofs(void **state)
{
    (void)state;
    for_each_curve(check_claim);
}

/* ---- Damaged ones ---- */

/* A coordinate that is not less than p; the flags above it stay. */
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
    uint8_t *bytes = read_file(c->name, "vk", encoding, &size);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const uint8_t kept[2] = {bytes[starts[i]], bytes[starts[i] + 1]};
        snprintf(part, sizeof part, "%s, from byte %zu on: point 0", names[i], starts[i]);
        make_large(c, bytes + starts[i]);
        refuse_verifying(c, bytes, size, SUMAC_BAD_ENCODING, part);
        memcpy(bytes + starts[i], kept, sizeof kept);
        refuse_verifying(c, bytes, starts[i] > 2 * g1 + g2 ? starts[i] : 2 * g1 + g2 + 1, SUMAC_BAD_FILE,
                         "truncated");
    }
    make_large(c, bytes + 2 * g1);
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, "G2.Beta");
    free(bytes);
    bytes = read_file(c->name, "vk", encoding, &size);
    refuse_verifying(c, bytes, size - 1, SUMAC_BAD_FILE, "truncated");
    bytes = realloc(bytes, size + 1);
    assert_non_null(bytes);
    bytes[size] = 0;
    refuse_verifying(c, bytes, size + 1, SUMAC_BAD_FILE, "too long");
    bytes[3 * g1 + 3 * g2] = 0xff;
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, "G1.K");
    memset(bytes + 3 * g1 + 3 * g2, 0, 4);
    refuse_verifying(c, bytes, size, SUMAC_BAD_FILE, "G1.K has no point");
    free(bytes);
}

static void refuse_proof(const claim *c, const uint8_t *bytes, size_t size, sumac_status status,
                         const char *part)
{
    uint8_t *proof = test_alloc(c->info.proof_bytes);
    memset(proof, 0x77, c->info.proof_bytes);
    test_sentence(c->context,
                  sumac_groth16_proof_from_gnark(c->context, c->verifying, bytes, size, "p.bin", proof),
                  status, part);
    assert_int_equal(proof[0], 0x77);
    free(proof);
}

static void check_bad_proof(const claim *c, const char *encoding, size_t g1, size_t g2)
{
    static const char *const names[] = {"p.bin: Ar, at byte ", "p.bin: Bs, at byte ", "p.bin: Krs, at byte "};
    const size_t starts[] = {0, g1, g1 + g2};
    size_t size;
    uint8_t *bytes = read_file(c->name, "proof", encoding, &size);
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
    refuse_proof(c, bytes, size, SUMAC_NOT_SUPPORTED, "commitments");
    free(bytes);
}

static void refuse_publics(const claim *c, const uint8_t *bytes, size_t size, sumac_status status,
                           const char *part)
{
    uint8_t publics[1024] = {0x77};
    test_sentence(c->context,
                  sumac_groth16_publics_from_gnark(c->context, c->verifying, bytes, size, "x.bin", publics),
                  status, part);
    assert_int_equal(publics[0], 0x77);
}

static void check_bad_publics(const claim *c)
{
    size_t size;
    uint8_t *bytes = read_file(c->name, "public", NULL, &size);
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
    free(bytes);
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

/* Keys and proofs of a circuit with a commitment are refused by one sentence. */
static void check_commitments(void)
{
    claim c;
    size_t size;
    claim_open(&c, 0, "raw");
    uint8_t *bytes = read_file("committing", "vk", "compressed", &size);
    refuse_verifying(&c, bytes, size, SUMAC_NOT_SUPPORTED, "commitments");
    free(bytes);
    bytes = read_file("committing", "proof", "compressed", &size);
    refuse_proof(&c, bytes, size, SUMAC_NOT_SUPPORTED, "commitments");
    free(bytes);
    claim_close(&c);
}

void test_bad_gnark_proofs(void **state)
{
    const sumac_curve *g1, *g2;
    (void)state;
    for_each_curve(check_bad_claim);
    if (is_built(0, &g1, &g2)) {
        check_commitments();
    }
}

/* ---- Proving ---- */

static const char *const key_encodings[] = {"compressed", "raw", "dump"};

enum { KEY_ENCODINGS = sizeof key_encodings / sizeof *key_encodings };

typedef struct prover {
    claim c;
    sumac_groth16_key *key;
    uint8_t *witness, *randomness;
} prover;

/* One whose proofs are verified, where they can be. */
static void prover_open(prover *p, int i, const char *encoding)
{
    char path[CIRCUIT_PATH_BYTES];
    size_t size;
    void *witness;
    sumac_groth16_key_config config = sumac_groth16_key_config_default();
    claim_open(&p->c, i, "raw");
    config.verifying = p->c.verifying;
    test_status(
        p->c.context,
        sumac_groth16_key_open(p->c.context, path_of(p->c.name, "pk", encoding, path), &config, &p->key),
        SUMAC_OK, path);
    test_status(p->c.context,
                sumac_groth16_witness_open(p->c.context, p->key, path_of(p->c.name, "solution", NULL, path),
                                           &witness),
                SUMAC_OK, path);
    p->witness = witness;
    p->randomness = read_file(p->c.name, "randomness", NULL, &size);
    assert_int_equal(size, 2 * p->c.scalar);
    assert_int_equal(sumac_groth16_key_describe(p->key, &p->c.info), SUMAC_OK);
    assert_ptr_equal(sumac_groth16_key_verifying(p->key), p->c.verifying);
}

static void prover_close(prover *p)
{
    sumac_groth16_key_destroy(p->key);
    sumac_free(p->witness);
    free(p->randomness);
    claim_close(&p->c);
}

static sumac_status prove(const prover *p, size_t count, int verified, uint8_t *proofs)
{
    sumac_groth16_prove_config config = sumac_groth16_prove_config_default();
    uint8_t *witnesses = test_alloc(count * p->c.info.witness_bytes);
    uint8_t *randomness = test_alloc(count * 2 * p->c.scalar);
    for (size_t i = 0; i < count; i++) {
        memcpy(witnesses + i * p->c.info.witness_bytes, p->witness, p->c.info.witness_bytes);
        memcpy(randomness + 2 * i * p->c.scalar, p->randomness, 2 * p->c.scalar);
    }
    config.randomness = randomness;
    config.unverified = !verified;
    const sumac_status status = sumac_groth16_prove(p->c.context, p->key, witnesses, count, &config, proofs);
    free(witnesses);
    free(randomness);
    return status;
}

/* gnark's own proof of the same r and s, several at once. */
static void check_prover(int i)
{
    for (int e = 0; e < KEY_ENCODINGS; e++) {
        prover p;
        prover_open(&p, i, key_encodings[e]);
        const size_t bytes = p.c.info.proof_bytes;
        uint8_t *proofs = test_alloc(3 * bytes);
        assert_int_equal(p.c.info.wires, 11);
        assert_int_equal(p.c.info.domain, 8);
        assert_int_equal(p.c.info.witness_bytes, (11 + 2 * 8) * p.c.scalar);
        assert_memory_equal(p.witness + p.c.scalar, p.c.publics, p.c.info.publics_bytes);
        test_status(p.c.context, prove(&p, 3, p.c.has_pairing, proofs), SUMAC_OK, p.c.name);
        for (size_t k = 0; k < 3; k++) {
            assert_memory_equal(proofs + k * bytes, p.c.proof, bytes);
        }
        free(proofs);
        prover_close(&p);
    }
}

void test_gnark_keys(void **state)
{
    (void)state;
    for_each_curve(check_prover);
}

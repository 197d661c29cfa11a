/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Part of test_groth16.c: commitments in proofs of gnark. That our proofs have the same bytes as gnark's is checked in
 * test_groth16_gnark.c; here are the solver's call, and what is altered, damaged or given wrongly.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "gnark.h"
#include "parts.h"
#include "support/cleanup.h"
#include "support/container.h"
#include "sumac/experimental.h"

enum { MOST_COMMITMENTS = 3, MOST_VALUES = 8, POINT = 192, SCALAR = 48, COMMITMENTS_SECTION = 21 };

/* ---- The solver's call ---- */

/* The wires that gnark.go's circuits only hash with a commitment, ended by 0: public inputs, and wires of earlier values. */
static const uint32_t hashed_wires[][MOST_COMMITMENTS][3] = {{{1}}, {{1}, {2, 7}, {7}}};

/* The numbers of wires of commitment k: its value's, then the committed ones, of which there are `count`. */
static const uint8_t *wires_of(const prover *p, int which, size_t k, size_t *count)
{
    static const size_t committed[][MOST_COMMITMENTS] = {{3}, {2, 3, 2}};
    size_t at = 0;
    for (size_t i = 0; i < k; i++) {
        at += 1 + committed[which][i];
    }
    *count = committed[which][k];
    return p->commitment_wires + 4 * at;
}

/* This is a call of gnark's hint for a commitment: the values that the hint gets, and what it must return. */
typedef struct hint {
    size_t count;
    uint8_t values[MOST_VALUES * SCALAR];
    const uint8_t *point, *value;
} hint;

static hint make_hint(const prover *p, int i, size_t k)
{
    const int which = i >= GNARK_SEVERAL;
    const size_t each = p->c.scalar;
    hint made = {.point = p->c.proof + 2 * p->c.point1 + p->c.point2 + k * p->c.point1};
    size_t committed;
    const uint8_t *wires = wires_of(p, which, k, &committed);
    made.value = p->witness + file_load(wires, 4) * each;
    for (const uint32_t *wire = hashed_wires[which][k]; *wire != 0; wire++) {
        memcpy(made.values + made.count++ * each, p->witness + *wire * each, each);
    }
    for (size_t j = 1; j <= committed; j++) {
        memcpy(made.values + made.count++ * each, p->witness + file_load(wires + 4 * j, 4) * each, each);
    }
    return made;
}

static sumac_status commit(const prover *p, size_t which, const void *values, size_t bytes, uint8_t *point,
                           uint8_t *value)
{
    return sumac_groth16_commit(p->c.context, p->key, which, values, bytes, point, p->c.point1, value,
                                p->c.scalar);
}

/* The call returns the points of gnark's proof, and the values that gnark's solver had. */
static void check_hints(int i)
{
    CLEANUP(prover_close) prover p = {0};
    uint8_t point[POINT], value[SCALAR];
    prover_open(&p, i, "raw");
    for (size_t k = 0; k < gnark_circuits[i].commitments; k++) {
        const hint h = make_hint(&p, i, k);
        TEST_OK(p.c.context, commit(&p, k, h.values, h.count * p.c.scalar, point, value));
        assert_memory_equal(point, h.point, p.c.point1);
        assert_memory_equal(value, h.value, p.c.scalar);
    }
}

static void check_bad_hints(int i)
{
    CLEANUP(prover_close) prover p = {0};
    uint8_t point[POINT] = {0x77}, value[SCALAR] = {0x77};
    prover_open(&p, i, "raw");
    sumac_context *context = p.c.context;
    const size_t each = p.c.scalar;
    hint h = make_hint(&p, i, 0);
    test_sentence(context, commit(&p, gnark_circuits[i].commitments, h.values, h.count * each, point, value),
                  SUMAC_BAD_ARGUMENT, "there is no commitment");
    test_sentence(context, commit(&p, 0, h.values, each, point, value), SUMAC_BAD_LENGTH, "committed wires");
    test_sentence(context, commit(&p, 0, h.values, h.count * each - 1, point, value), SUMAC_BAD_LENGTH,
                  "committed wires");
    test_sentence(
        context,
        sumac_groth16_commit(context, p.key, 0, h.values, h.count * each, point, p.c.point1 - 1, value, each),
        SUMAC_BAD_LENGTH, "commitment");
    test_sentence(
        context,
        sumac_groth16_commit(context, p.key, 0, h.values, h.count * each, point, p.c.point1, value, each - 1),
        SUMAC_BAD_LENGTH, "hash");
    TEST_BAD(context, commit(&p, 0, NULL, h.count * each, point, value));
    TEST_BAD(context, commit(&p, 0, h.values, h.count * each, NULL, value));
    TEST_BAD(context, commit(&p, 0, h.values, h.count * each, point, NULL));
    memset(h.values + each, 0xff, each);
    test_sentence(context, commit(&p, 0, h.values, h.count * each, point, value), SUMAC_BAD_ENCODING,
                  "value 1 is not less than r");
    assert_int_equal(point[0], 0x77);
    assert_int_equal(value[0], 0x77);
}

/* A key without commitments has no values of them. */
static void check_no_commitments(int i)
{
    CLEANUP(prover_close) prover p = {0};
    uint8_t scalar[SCALAR] = {0}, point[POINT];
    prover_open(&p, i, "raw");
    test_sentence(p.c.context, commit(&p, 0, scalar, p.c.scalar, point, scalar), SUMAC_BAD_ARGUMENT,
                  "there is no commitment 0: the key has 0");
}

void test_commitments(void)
{
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_hints);
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_bad_hints);
    gnark_for_each(0, 1, check_no_commitments);
}

/* ---- Altered proofs ---- */

static void expect(const claim *c, const uint8_t *proofs, size_t count, int expected)
{
    int ok = 7;
    AUTO_FREE uint8_t *publics = test_alloc(count * c->info.publics_bytes);
    for (size_t i = 0; i < count; i++) {
        memcpy(publics + i * c->info.publics_bytes, c->publics, c->info.publics_bytes);
    }
    TEST_OK(c->context, test_verify(c->context, c->verifying, publics, proofs, count, &ok));
    assert_int_equal(ok, expected);
}

/* Verify the proof alone, and between others. */
static void expect_all(const claim *c, const uint8_t *proof, int expected)
{
    const size_t bytes = c->info.proof_bytes;
    AUTO_FREE uint8_t *proofs = test_alloc(3 * bytes);
    memcpy(proofs, c->proof, bytes);
    memcpy(proofs + bytes, proof, bytes);
    memcpy(proofs + 2 * bytes, c->proof, bytes);
    expect(c, proof, 1, expected);
    expect(c, proofs, 3, expected);
}

/* Replace each point of the commitments by A, by infinity and by a point off the curve. */
static void check_altered(int i)
{
    CLEANUP(claim_close) claim c = {0};
    int ok = 7;
    claim_open(&c, i, "raw");
    const size_t first = 2 * c.point1 + c.point2, bytes = c.info.proof_bytes;
    AUTO_FREE uint8_t *proof = test_alloc(bytes);
    expect_all(&c, c.proof, 1);
    for (size_t at = first; at < bytes; at += c.point1) {
        memcpy(proof, c.proof, bytes);
        memcpy(proof + at, proof, c.point1);
        expect_all(&c, proof, 0);
        memset(proof + at, 0, c.point1);
        expect_all(&c, proof, 0);
        memcpy(proof, c.proof, bytes);
        proof[at] ^= 1;
        test_sentence(c.context, test_verify(c.context, c.verifying, c.publics, proof, 1, &ok),
                      SUMAC_NOT_ON_CURVE, "");
        assert_int_equal(ok, 7);
    }
    if (c.info.commitments > 1) { /* the commitments' order matters */
        memcpy(proof, c.proof, bytes);
        memcpy(proof + first, c.proof + first + c.point1, c.point1);
        memcpy(proof + first + c.point1, c.proof + first, c.point1);
        expect_all(&c, proof, 0);
    }
    memcpy(proof, c.proof, bytes); /* public inputs are hashed, too */
    c.publics[0] ^= 1;
    expect(&c, proof, 1, 0);
}

/* Store a raw point of the curve outside the subgroup. */
static void make_outside_point(const claim *c, uint8_t *raw)
{
    uint8_t stored[POINT];
    sumac_bases *bases;
    sumac_bases_config config = {.size = sizeof config};
    config.form = SUMAC_FORM_MONTGOMERY;
    config.outside_subgroup = 1;
    store_outside_point(c->g1, stored);
    TEST_OK(c->context, sumac_bases_create(c->context, c->g1, stored, c->point1, 1, &config, &bases));
    TEST_OK(c->context, sumac_bases_get(c->context, bases, 0, 1, raw, c->point1));
    sumac_bases_destroy(bases);
}

/* Points of the commitments outside the subgroup are refused, if such points exist. */
static void check_outside(int i)
{
    CLEANUP(claim_close) claim c = {0};
    uint8_t outside[POINT];
    int ok = 7;
    claim_open(&c, i, "raw");
    if (strcmp(c.g1->curve, "bls12-381") != 0) {
        return;
    }
    make_outside_point(&c, outside);
    for (size_t at = 2 * c.point1 + c.point2; at < c.info.proof_bytes; at += c.point1) {
        AUTO_FREE uint8_t *proof = test_alloc(c.info.proof_bytes);
        memcpy(proof, c.proof, c.info.proof_bytes);
        memcpy(proof + at, outside, c.point1);
        test_sentence(c.context, test_verify(c.context, c.verifying, c.publics, proof, 1, &ok),
                      SUMAC_NOT_IN_SUBGROUP, "");
    }
}

/* Another hash gives other values. */
static void check_other_hash(int i)
{
    CLEANUP(claim_close) claim c = {0};
    size_t size;
    sumac_groth16_verifying_key *other = NULL;
    claim_open(&c, i, "raw");
    AUTO_FREE uint8_t *bytes = gnark_read(c.name, "vk", "raw", &size);
    TEST_OK(c.context,
            sumac_groth16_verifying_key_create_hashing(
                c.context, bytes, size, gnark_circuits[i].hash == NULL ? "sha256" : "xmd-sha256", &other));
    sumac_groth16_verifying_key_destroy(c.verifying);
    c.verifying = other;
    expect_all(&c, c.proof, 0);
    test_sentence(
        c.context, sumac_groth16_verifying_key_create_hashing(c.context, bytes, size, "sha512", &other),
        SUMAC_BAD_ARGUMENT, "sha512 is no hash of commitments, which are xmd-sha256, sha256 and keccak256");
    assert_null(other);
}

void test_altered_commitments(void)
{
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_altered);
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_outside);
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_other_hash);
}

/* ---- Encoded proofs ---- */

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

static void check_bad_proofs(int i)
{
    CLEANUP(claim_close) claim c = {0};
    size_t size;
    void *encoded = NULL;
    claim_open(&c, i, "raw");
    AUTO_FREE uint8_t *bytes = gnark_read(c.name, "proof", "raw", &size);
    const size_t count = 2 * c.point1 + c.point2;
    refuse_proof(&c, bytes, size - 1, SUMAC_BAD_FILE, "p.bin: truncated");
    refuse_proof(&c, bytes, size - c.point1, SUMAC_BAD_FILE, "p.bin: truncated");
    refuse_proof(&c, bytes, size + 1, SUMAC_BAD_FILE, "p.bin: too long");
    for (uint8_t other = 0; other < 5; other++) {
        const uint8_t kept = bytes[count + 3];
        bytes[count + 3] = other;
        if (other != kept) {
            refuse_proof(&c, bytes, size, SUMAC_MISMATCH, "commitments, where the key has");
        }
        bytes[count + 3] = kept;
    }
    bytes[count + 4 + 9] ^= 1;
    refuse_proof(&c, bytes, size, SUMAC_NOT_ON_CURVE, "p.bin: Commitments[0], at byte ");
    bytes[count + 4 + 9] ^= 1;
    bytes[size - 1] ^= 1;
    refuse_proof(&c, bytes, size, SUMAC_NOT_ON_CURVE, "p.bin: CommitmentPok, at byte ");
    test_sentence(c.context,
                  sumac_groth16_proof_encode(c.context, c.verifying, c.proof, c.info.proof_bytes, "snarkjs",
                                             &encoded, &size),
                  SUMAC_NOT_SUPPORTED, "");
    assert_null(encoded);
}

/* ---- Keys ---- */

static sumac_status open_key(const prover *p, const uint8_t *bytes, size_t size, const uint32_t *wires,
                             size_t count, sumac_groth16_key **key)
{
    sumac_groth16_key_config config = {.size = sizeof config};
    config.verifying = p->c.verifying;
    config.commitment_wires = wires;
    config.commitment_wires_bytes = 4 * count;
    return sumac_groth16_key_create(p->c.context, bytes, size, &config, key);
}

static void refuse_key(const prover *p, const uint8_t *bytes, size_t size, const uint32_t *wires,
                       size_t count, sumac_status status, const char *part)
{
    sumac_groth16_key *key = NULL;
    test_sentence(p->c.context, open_key(p, bytes, size, wires, count, &key), status, part);
    assert_null(key);
}

/* Open a key with other wires: each one is made public, too large, and that of another number. */
static void check_bad_wires(int i)
{
    enum { MOST = 16 };
    CLEANUP(prover_close) prover p = {0};
    uint32_t wires[MOST];
    size_t size;
    prover_open(&p, i, "raw");
    const size_t count = p.commitment_wires_bytes / 4;
    AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "pk", "raw", &size);
    for (size_t k = 0; k < count; k++) {
        wires[k] = (uint32_t)file_load(p.commitment_wires + 4 * k, 4);
    }
    refuse_key(&p, bytes, size, wires, count - 1, SUMAC_BAD_LENGTH, "needs commitment_wires of ");
    refuse_key(&p, bytes, size, wires, count + 1, SUMAC_BAD_LENGTH, "needs commitment_wires of ");
    refuse_key(&p, bytes, size, NULL, count, SUMAC_BAD_LENGTH, "needs commitment_wires of ");
    for (size_t k = 0; k < count; k++) {
        const uint32_t kept = wires[k];
        const uint32_t others[] = {0, (uint32_t)gnark_circuits[i].publics, (uint32_t)gnark_circuits[i].wires,
                                   UINT32_MAX, wires[(k + 1) % count]};
        for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
            wires[k] = others[j];
            refuse_key(&p, bytes, size, wires, count, SUMAC_BAD_ARGUMENT, "commitment_wires: number ");
        }
        wires[k] = kept;
    }
}

/* Damage what a key has of commitments, which comes last. Each byte of it is changed, and each beginning cut off. */
static void check_bad_keys(int i)
{
    for (int e = 0; e < GNARK_KEY_ENCODINGS; e++) {
        CLEANUP(prover_close) prover p = {0};
        size_t size;
        prover_open(&p, i, gnark_key_encodings[e]);
        const uint32_t *wires = (const void *)p.commitment_wires;
        const size_t count = p.commitment_wires_bytes / 4, committed = count - gnark_circuits[i].commitments;
        AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "pk", gnark_key_encodings[e], &size);
        const size_t each = e == 0 ? p.c.point1 / 2 : p.c.point1;
        const size_t begins = size - 2 * committed * each - 2 * (count - committed) * (e == 2 ? 8 : 4);
        for (size_t at = begins; at < size; at += 5) {
            sumac_groth16_key *key = NULL;
            refuse_key(&p, bytes, at, wires, count, SUMAC_BAD_FILE, "truncated");
            bytes[at] ^= 4;
            const sumac_status status = open_key(&p, bytes, size, wires, count, &key);
            if (status == SUMAC_OK) { /* another compressed point of the curve */
                assert_int_equal(e, 0);
                sumac_groth16_key_destroy(key);
            } else {
                test_sentence(p.c.context, status, status, "CommitmentKeys.");
            }
            bytes[at] ^= 4;
        }
        refuse_key(&p, bytes, size + 1, wires, count, SUMAC_BAD_FILE, "too long");
    }
}

static void refuse_verifying(const claim *c, const uint8_t *bytes, size_t size, sumac_status status,
                             const char *part)
{
    sumac_groth16_verifying_key *verifying = NULL;
    test_sentence(c->context, sumac_groth16_verifying_key_create(c->context, bytes, size, &verifying), status,
                  part);
    assert_null(verifying);
}

/* Damage a verifying key, whose numbers of hashed values begin behind its points K. */
static void check_bad_verifying(int i)
{
    CLEANUP(claim_close) claim c = {0};
    size_t size;
    claim_open(&c, i, "raw");
    AUTO_FREE uint8_t *bytes = gnark_read(c.name, "vk", "raw", &size);
    const size_t commitments = (size_t)c.info.commitments, keys = 2 * commitments * c.point2;
    const size_t k_at = 3 * (c.point1 + c.point2) + 4;
    const size_t lists = k_at + (3 + commitments) * c.point1, counted = size - keys - 4;
    for (size_t cut = lists; cut < size; cut += 7) {
        refuse_verifying(&c, bytes, cut, SUMAC_BAD_FILE, "truncated");
    }
    refuse_verifying(&c, bytes, size + 1, SUMAC_BAD_FILE, "too long");
    bytes[lists + 2] = 1;
    refuse_verifying(&c, bytes, size, SUMAC_BAD_FILE, "commitments, and only ");
    bytes[lists + 2] = 0;
    bytes[counted + 3] ^= 4;
    refuse_verifying(&c, bytes, size, SUMAC_BAD_FILE, "commitment keys, and there are ");
    bytes[counted + 3] ^= 4;
    uint8_t *number = bytes + lists + 8 + 7; /* the first number of the first list, which is public input 1 */
    assert_int_equal(*number, 1);
    for (uint8_t wrong = 0; wrong < 4; wrong += 3) {
        *number = wrong;
        refuse_verifying(&c, bytes, size, SUMAC_BAD_FILE, "commitment 0 is hashed with value ");
    }
    *number = 1;
    number[-7] = 1;
    refuse_verifying(&c, bytes, size, SUMAC_BAD_FILE, "commitment 0 is hashed with value ");
    number[-7] = 0;
    for (size_t at = counted + 4; at < size; at += c.point2) {
        bytes[at + 9] ^= 1;
        refuse_verifying(&c, bytes, size, SUMAC_NOT_ON_CURVE, "CommitmentKeys.G");
        bytes[at + 9] ^= 1;
    }
    if (commitments > 1) {
        memcpy(bytes + counted + 4 + 2 * c.point2, bytes + 2 * c.point1, c.point2);
        refuse_verifying(&c, bytes, size, SUMAC_BAD_FILE, "of commitment 1, at byte ");
    }
}

/* A verifying key with more commitments than are supported has that many points K, too. */
static void check_too_many(int i)
{
    enum { MANY = 65 };
    CLEANUP(claim_close) claim c = {0};
    size_t size;
    claim_open(&c, i, "raw");
    AUTO_FREE uint8_t *bytes = gnark_read(c.name, "vk", "raw", &size);
    const size_t k_at = 3 * (c.point1 + c.point2) + 4, grown = k_at + (MANY + 1) * c.point1 + 4;
    AUTO_FREE uint8_t *many = test_alloc(grown);
    memset(many, 0, grown);
    memcpy(many, bytes, k_at);
    many[k_at - 1] = MANY + 1;
    many[grown - 1] = MANY;
    refuse_verifying(&c, many, grown, SUMAC_NOT_SUPPORTED, "65 commitments, and at most 64 are supported");
}

/* The verifying keys of other numbers of commitments. */
static void check_mismatch(int i)
{
    CLEANUP(prover_close) prover p = {0};
    CLEANUP(claim_close) claim other = {0};
    size_t size;
    prover_open(&p, i, "raw");
    AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "pk", "raw", &size);
    claim_open(&other, strcmp(p.c.g1->curve, "bn254") == 0 ? 0 : 1, "raw");
    sumac_groth16_verifying_key *own = p.c.verifying;
    p.c.verifying = other.verifying;
    refuse_key(&p, bytes, size, (const void *)p.commitment_wires, p.commitment_wires_bytes / 4,
               SUMAC_MISMATCH, "it has another number of commitments");
    p.c.verifying = own;
}

void test_bad_commitments(void)
{
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_bad_proofs);
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_bad_wires);
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_bad_keys);
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_bad_verifying);
    gnark_for_each(GNARK_COMMITTING, GNARK_COMMITTING + 1, check_too_many);
    gnark_for_each(GNARK_COMMITTING, GNARK_COMMITTING + 2, check_mismatch);
}

/* ---- Witnesses ---- */

/* A witness with another value than a commitment has is refused, and so is one with another committed wire; without a
 * verifying key they are not checked. */
static void check_bad_witness(int i)
{
    CLEANUP(prover_close) prover p = {0};
    prover_open(&p, i, "raw");
    AUTO_FREE uint8_t *proof = test_alloc(p.c.info.proof_bytes);
    AUTO_FREE uint8_t *kept = test_alloc(p.c.info.witness_bytes);
    memcpy(kept, p.witness, p.c.info.witness_bytes);
    for (size_t k = 0; k < p.commitment_wires_bytes / 4; k++) {
        p.witness[file_load(p.commitment_wires + 4 * k, 4) * p.c.scalar] ^= 1;
        test_sentence(p.c.context, prover_prove(&p, 1, 1, proof), SUMAC_NOT_SATISFIED,
                      "is not the hash of commitment ");
        memcpy(p.witness, kept, p.c.info.witness_bytes);
    }
    sumac_groth16_key_destroy(p.key);
    p.key = NULL;
    sumac_groth16_key_config config = {.size = sizeof config};
    size_t size;
    AUTO_FREE uint8_t *bytes = gnark_read(p.c.name, "pk", "raw", &size);
    config.commitment_wires = p.commitment_wires;
    config.commitment_wires_bytes = p.commitment_wires_bytes;
    TEST_OK(p.c.context, sumac_groth16_key_create(p.c.context, bytes, size, &config, &p.key));
    TEST_OK(p.c.context, prover_prove(&p, 1, 0, proof));
    assert_memory_equal(proof, p.c.proof, p.c.info.proof_bytes);
    p.witness[file_load(p.commitment_wires, 4) * p.c.scalar] ^= 1;
    TEST_OK(p.c.context, prover_prove(&p, 1, 0, proof));
}

/* ---- Prepared keys ---- */

static void refuse_prepared(const prover *p, uint8_t *bytes, size_t size, sumac_status status,
                            const char *part)
{
    sumac_groth16_key *key = NULL;
    test_sentence(p->c.context, sumac_groth16_key_create(p->c.context, bytes, size, NULL, &key), status,
                  part);
    assert_null(key);
}

/* Damage the numbers that a prepared key has of commitments, and give them other values with right checksums. */
static void check_bad_prepared(int i)
{
    CLEANUP(prover_close) prover p = {0};
    char path[64];
    size_t size;
    prover_open(&p, i, "raw");
    snprintf(path, sizeof path, "/tmp/sumac-commitments-%ld", (long)getpid());
    TEST_OK(p.c.context, sumac_groth16_key_save(p.c.context, p.key, path));
    AUTO_FREE uint8_t *bytes = test_read_file(path, &size);
    unlink(path);
    const file_section section = file_section_of(bytes, COMMITMENTS_SECTION);
    for (size_t at = section.offset; at < section.offset + section.size; at += 8) {
        const uint8_t kept = bytes[at];
        bytes[at] ^= 1;
        refuse_prepared(&p, bytes, size, SUMAC_BAD_CHECKSUM, "the commitments, bytes ");
        for (uint8_t wrong = 0xff; wrong > 0; wrong = (uint8_t)(wrong == 0xff ? kept + 100 : 0)) {
            sumac_groth16_key *key = NULL;
            bytes[at] = wrong;
            file_correct(bytes, size);
            const sumac_status status = sumac_groth16_key_create(p.c.context, bytes, size, NULL, &key);
            assert_true(status == SUMAC_BAD_FILE || status == SUMAC_BAD_ARGUMENT);
            test_sentence(p.c.context, status, status, "");
        }
        bytes[at] = kept;
        file_correct(bytes, size);
        bytes[at + 4] = 1;
        file_correct(bytes, size);
        refuse_prepared(&p, bytes, size, SUMAC_BAD_FILE, "out of range");
        bytes[at + 4] = 0;
        file_correct(bytes, size);
    }
    bytes[section.entry + ENTRY_NUMBERS] = 9;
    file_correct(bytes, size);
    refuse_prepared(&p, bytes, size, SUMAC_BAD_FILE, "out of range");
    bytes[section.entry + ENTRY_NUMBERS] = 0;
    uint8_t *commitments = bytes + file_section_at(bytes, 0).entry + ENTRY_NUMBERS + 12;
    for (uint8_t wrong = 0; wrong < 100; wrong += 33) {
        if (wrong != gnark_circuits[i].commitments) {
            *commitments = wrong;
            file_correct(bytes, size);
            refuse_prepared(&p, bytes, size, SUMAC_BAD_FILE, "do not fit");
        }
    }
}

void test_commitments_in_keys(void)
{
    gnark_for_each(GNARK_COMMITTING, GNARK_CIRCUITS, check_bad_witness);
    gnark_for_each(GNARK_COMMITTING, GNARK_COMMITTING + 1, check_bad_prepared);
    gnark_for_each(GNARK_SEVERAL, GNARK_SEVERAL + 1, check_bad_prepared);
}

/* ---- Memory ---- */

typedef struct commitments_scene {
    prover p;
    hint h;
    uint8_t *key, *verifying;
    size_t key_size, verifying_size;
} commitments_scene;

MAKES(create_key, commitments_scene, sumac_groth16_key, sumac_groth16_key_destroy,
      open_key(&s->p, s->key, s->key_size, (const void *)s->p.commitment_wires,
               s->p.commitment_wires_bytes / 4, &created))
MAKES(create_verifying, commitments_scene, sumac_groth16_verifying_key, sumac_groth16_verifying_key_destroy,
      sumac_groth16_verifying_key_create_hashing(s->p.c.context, s->verifying, s->verifying_size, NULL,
                                                 &created))

static sumac_status commit_once(void *argument)
{
    commitments_scene *s = argument;
    uint8_t point[POINT], value[SCALAR];
    return commit(&s->p, 0, s->h.values, s->h.count * s->p.c.scalar, point, value);
}

static sumac_status prove_once(void *argument)
{
    commitments_scene *s = argument;
    sumac_groth16_prove_config config = {.size = sizeof config};
    config.unverified = 1;
    return test_prove(s->p.c.context, s->p.key, s->p.witness, 1, &config, s->p.c.proof);
}

static sumac_status verify_once(void *argument)
{
    commitments_scene *s = argument;
    int ok = 1;
    const sumac_status status =
        test_verify(s->p.c.context, s->p.c.verifying, s->p.c.publics, s->p.c.proof, 1, &ok);
    assert_int_equal(ok, 1);
    return status;
}

static void check_memory(int i)
{
    static const memory_call calls[] = {{"key_create", create_key},
                                        {"verifying_key_create_hashing", create_verifying},
                                        {"commit", commit_once},
                                        {"prove", prove_once},
                                        {"verify", verify_once}};
    commitments_scene s = {.key = NULL};
    prover_open(&s.p, i, "raw");
    s.h = make_hint(&s.p, i, 0);
    s.key = gnark_read(s.p.c.name, "pk", "raw", &s.key_size);
    s.verifying = gnark_read(s.p.c.name, "vk", "compressed", &s.verifying_size);
    check_allocations(s.p.c.context, calls, sizeof calls / sizeof *calls, &s);
    free(s.key);
    free(s.verifying);
    prover_close(&s.p);
}

void test_commitments_memory(void)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    gnark_for_each(GNARK_SEVERAL, GNARK_SEVERAL + 1, check_memory);
}

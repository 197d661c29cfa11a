/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests that the samples of samples.c do what they promise. If this build lacks a sample's curve, the sample
 * is skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "api/samples.h"
#include "support/files.h"
#include "support/harness.h"
#include "support/oracle.h"
#include "sumac/experimental.h"

#define KZG SUMAC_TEST_DATA "/kzg/"
#define CIRCUIT SUMAC_TEST_DATA "/groth16/tiny-bn254/"

static int has(const char *curve, const char *name, const sumac_group **group)
{
    return sumac_group_find(curve, name, group) == SUMAC_OK;
}

/* The first half of an extended blob's cells is the blob itself, and its commitment is the one in the demo's file. */
static void test_node(void **state)
{
    (void)state;
    const sumac_group *g1, *g2;
    if (!has("bls12-381", "g1", &g1) || !has("bls12-381", "g2", &g2)) {
        skip();
    }
    enum { HALF = SUMAC_KZG_CELLS / 2 };
    size_t bytes;
    sumac_pool *pool;
    sumac_context *context;
    sumac_kzg_setup *setup;
    sumac_bytes48 commitments[SUMAC_KZG_CELLS], *proofs = test_alloc(sizeof commitments);
    uint64_t indices[SUMAC_KZG_CELLS];
    int ok = 0;
    AUTO_FREE sumac_blob *blob = (sumac_blob *)test_read_file(KZG "blob.bin", &bytes);
    assert_int_equal(bytes, sizeof *blob);
    AUTO_FREE sumac_cell *cells = test_alloc(SUMAC_KZG_CELLS * sizeof *cells);
    AUTO_FREE char *text = (char *)test_read_file(KZG "commitment.txt", &bytes);
    for (size_t i = 0; i < SUMAC_KZG_CELLS; i++) {
        indices[i] = i;
        for (size_t k = 0; k < sizeof commitments[i].bytes; k++) {
            unsigned byte = 0;
            assert_int_equal(sscanf(text + 2 + 2 * k, "%2x", &byte), 1);
            commitments[i].bytes[k] = (uint8_t)byte;
        }
    }
    assert_int_equal(sumac_pool_create(NULL, 1, &pool, NULL), SUMAC_OK);
    assert_int_equal(
        node(pool, KZG "trusted_setup.txt", blob, 1, indices, (const sumac_cell *)blob, cells, proofs),
        SUMAC_OK);
    assert_memory_equal(cells, blob, HALF * sizeof *cells);
    assert_int_equal(sumac_pool_take(pool, &context, NULL), SUMAC_OK);
    TEST_OK(context, sumac_kzg_open(context, KZG "trusted_setup.txt", NULL, &setup));
    TEST_OK(context, sumac_kzg_verify_cells(context, setup, commitments, indices, cells, proofs,
                                            SUMAC_KZG_CELLS, &ok));
    assert_int_equal(ok, 1);
    sumac_kzg_destroy(setup);
    sumac_pool_give(pool, context);
    sumac_pool_destroy(pool);
    free(proofs);
}

/* The public inputs are snarkjs' own, and the proof holds with the verifying key that snarkjs exported. */
static void test_circom(void **state)
{
    (void)state;
    const sumac_group *g1, *g2;
    if (!has("bn254", "g1", &g1) || !has("bn254", "g2", &g2)) {
        skip();
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    void *proof_json = NULL, *public_json = NULL;
    sumac_groth16_verifying_key *vk;
    sumac_groth16_info info = {.size = sizeof info};
    size_t bytes;
    int ok = 0;
    TEST_OK(context, circom(context, CIRCUIT "key.zkey", CIRCUIT "witness.wtns", &proof_json, &public_json));
    AUTO_FREE char *expected = (char *)test_read_file(CIRCUIT "public.json", &bytes);
    json_t *ours = json_loads(public_json, 0, NULL), *theirs = json_loadb(expected, bytes, 0, NULL);
    assert_true(ours != NULL && json_equal(ours, theirs));
    json_decref(ours);
    json_decref(theirs);
    TEST_OK(context, sumac_groth16_verifying_key_open(context, CIRCUIT "verification_key.json", &vk));
    TEST_OK(context, sumac_groth16_verifying_key_describe(vk, &info));
    AUTO_FREE uint8_t *proof = test_alloc(info.proof_bytes), *publics = test_alloc(info.publics_bytes);
    TEST_OK(context, sumac_groth16_proof_decode(context, vk, proof_json, strlen(proof_json), "snarkjs",
                                                "proof.json", proof, info.proof_bytes));
    TEST_OK(context, sumac_groth16_publics_decode(context, vk, expected, bytes, "snarkjs", "public.json",
                                                  publics, info.publics_bytes));
    TEST_OK(context,
            sumac_groth16_verify(context, vk, publics, info.publics_bytes, proof, info.proof_bytes, 1, &ok));
    assert_int_equal(ok, 1);
    sumac_groth16_verifying_key_destroy(vk);
    sumac_free(proof_json);
    sumac_free(public_json);
}

/* The memory of two vectors replaces what a prover's own kernels would have written. GMP transforms the products and
 * multiplies the bases, whose logarithms are known. */
static void test_gpu(void **state)
{
    enum { N = 16, LOG2 = 4 };
    test_group *t = *state;
    const size_t bytes = t->info->scalar_bytes, point_bytes = t->info->point_bytes;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(destroy_bases) sumac_bases *srs = NULL;
    AUTO_FREE uint8_t *a = test_alloc(N * bytes), *b = test_alloc(N * bytes), *d = test_alloc(N * bytes);
    AUTO_FREE uint8_t *c = test_alloc(N * bytes), *result = test_alloc(point_bytes),
                      *expected = test_alloc(point_bytes);
    TEST_NUMBERS(x, y, root, power, sum, scale);
    if (sumac_root_of_unity(t->group, LOG2, c, bytes) != SUMAC_OK) {
        return; /* r - 1 has too few factors of 2 */
    }
    oracle_scalar_from_raw(&t->oracle, root, c);
    mpz_invert(root, root, t->oracle.r);
    mpz_set_ui(scale, N);
    mpz_invert(scale, scale, t->oracle.r);
    TEST_OK(context, sumac_known_bases_create(context, t->group, N, 5, NULL, &srs));
    TEST_OK(context, sumac_known_logarithms(context, t->group, N, 5, d, N * bytes));
    for (size_t i = 0; i < N; i++) {
        mpz_urandomm(x, t->random, t->oracle.r);
        oracle_scalar_to_raw(&t->oracle, a + i * bytes, x);
        mpz_urandomm(x, t->random, t->oracle.r);
        oracle_scalar_to_raw(&t->oracle, b + i * bytes, x);
    }
    for (unsigned j = 0; j < N; j++) {
        mpz_set_ui(sum, 0);
        for (unsigned i = 0; i < N; i++) {
            oracle_scalar_from_raw(&t->oracle, x, a + i * bytes);
            oracle_scalar_from_raw(&t->oracle, y, b + i * bytes);
            mpz_powm_ui(power, root, i * j, t->oracle.r);
            mpz_mul(x, x, y);
            mpz_addmul(sum, x, power);
        }
        mpz_mul(sum, sum, scale);
        mpz_mod(sum, sum, t->oracle.r);
        oracle_scalar_to_raw(&t->oracle, c + j * bytes, sum);
    }
    oracle_known_msm(&t->oracle, expected, d, c, N);
    CLEANUP(destroy_vector) sumac_vector *va = test_vector_of(context, t, SUMAC_VECTOR_SCALARS, N, a);
    CLEANUP(destroy_vector) sumac_vector *vb = test_vector_of(context, t, SUMAC_VECTOR_SCALARS, N, b);
    CLEANUP(destroy_vector) sumac_vector *commitment = test_vector(context, t, SUMAC_VECTOR_POINTS, 1);
    TEST_OK(context, gpu(context, t->group, srs, sumac_vector_memory(va), sumac_vector_memory(vb), N, NULL,
                         commitment));
    TEST_OK(context, sumac_vector_get(context, commitment, 0, 1, NULL, result, point_bytes));
    assert_memory_equal(result, expected, point_bytes);
    TEST_OK(context, sumac_vector_get(context, va, 0, N, NULL, a, N * bytes));
    assert_memory_equal(a, c, N * bytes);
}

static const test_entry entries[] = {
    {"node", TEST_ONCE(test_node)},
    {"circom", TEST_ONCE(test_circom)},
    {"gpu", test_gpu, TEST_SOME_GROUPS},
};

TEST_MAIN("samples", entries)

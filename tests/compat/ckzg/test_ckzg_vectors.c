/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_ckzg.c and test_eth_kzg.c: the consensus specification's vectors through the functions of
 * c-kzg-4844. Input of a wrong length cannot be passed at all. */
#include "test_ckzg.h"

/* What run_cases() has no argument for. */
static KZGSettings settings;

void expect_result(const kzg_case *c, C_KZG_RET result)
{
    if (result != (c->output == NULL ? C_KZG_BADARGS : C_KZG_OK)) {
        test_abort("%s: the result is %d", c->name, (int)result);
    }
}

void *argument(kzg_case *c, const char *key, size_t size, size_t *count)
{
    return bytes_of(c, input_of(c, key), size, count);
}

static void expect_bytes(kzg_case *c, yaml_node_t *node, const void *found, size_t size, size_t count)
{
    size_t expected_count;
    AUTO_FREE uint8_t *expected = bytes_of(c, node, size, &expected_count);
    assert_int_equal(expected_count, count);
    if (memcmp(expected, found, size * count) != 0) {
        test_abort("%s: the output is another", c->name);
    }
}

static void expect_answer(const kzg_case *c, C_KZG_RET result, const bool *ok)
{
    expect_result(c, result);
    const bool expected =
        c->output != NULL && strcmp((const char *)c->output->data.scalar.value, "true") == 0;
    if (*ok != expected) {
        test_abort("%s: the answer is %d", c->name, *ok);
    }
}

static void run_commitment(const kzg_fixture *f, kzg_case *c)
{
    KZGCommitment found;
    AUTO_FREE Blob *blob = argument(c, "blob", BLOB, NULL);
    (void)f;
    if (blob != NULL) {
        expect_result(c, blob_to_kzg_commitment(&found, blob, &settings));
        if (c->output != NULL) {
            expect_bytes(c, c->output, &found, POINT, 1);
        }
    }
}

static void run_proof(const kzg_fixture *f, kzg_case *c)
{
    KZGProof proof;
    Bytes32 y;
    AUTO_FREE Blob *blob = argument(c, "blob", BLOB, NULL);
    AUTO_FREE Bytes32 *z = argument(c, "z", ELEMENT, NULL);
    (void)f;
    if (blob != NULL && z != NULL) {
        expect_result(c, compute_kzg_proof(&proof, &y, blob, z, &settings));
        if (c->output != NULL) {
            expect_bytes(c, item_of(c, c->output, 0), &proof, POINT, 1);
            expect_bytes(c, item_of(c, c->output, 1), &y, ELEMENT, 1);
        }
    }
}

static void run_blob_proof(const kzg_fixture *f, kzg_case *c)
{
    KZGProof proof;
    AUTO_FREE Blob *blob = argument(c, "blob", BLOB, NULL);
    AUTO_FREE Bytes48 *commitment = argument(c, "commitment", POINT, NULL);
    (void)f;
    if (blob != NULL && commitment != NULL) {
        expect_result(c, compute_blob_kzg_proof(&proof, blob, commitment, &settings));
        if (c->output != NULL) {
            expect_bytes(c, c->output, &proof, POINT, 1);
        }
    }
}

static void run_verify(const kzg_fixture *f, kzg_case *c)
{
    bool ok = true;
    AUTO_FREE Bytes48 *commitment = argument(c, "commitment", POINT, NULL),
                      *proof = argument(c, "proof", POINT, NULL);
    AUTO_FREE Bytes32 *z = argument(c, "z", ELEMENT, NULL), *y = argument(c, "y", ELEMENT, NULL);
    (void)f;
    if (commitment != NULL && proof != NULL && z != NULL && y != NULL) {
        expect_answer(c, verify_kzg_proof(&ok, commitment, z, y, proof, &settings), &ok);
    }
}

static void run_verify_blob(const kzg_fixture *f, kzg_case *c)
{
    bool ok = true;
    AUTO_FREE Blob *blob = argument(c, "blob", BLOB, NULL);
    AUTO_FREE Bytes48 *commitment = argument(c, "commitment", POINT, NULL),
                      *proof = argument(c, "proof", POINT, NULL);
    (void)f;
    if (blob != NULL && commitment != NULL && proof != NULL) {
        expect_answer(c, verify_blob_kzg_proof(&ok, blob, commitment, proof, &settings), &ok);
    }
}

static void run_verify_blob_batch(const kzg_fixture *f, kzg_case *c)
{
    bool ok = true;
    size_t n, commitment_count, proof_count;
    AUTO_FREE Blob *blobs = argument(c, "blobs", BLOB, &n);
    AUTO_FREE Bytes48 *commitments = argument(c, "commitments", POINT, &commitment_count);
    AUTO_FREE Bytes48 *proofs = argument(c, "proofs", POINT, &proof_count);
    (void)f;
    if (blobs != NULL && commitments != NULL && proofs != NULL && n == commitment_count && n == proof_count) {
        expect_answer(c, verify_blob_kzg_proof_batch(&ok, blobs, commitments, proofs, n, &settings), &ok);
    }
}

static void expect_cells_and_proofs(kzg_case *c, const Cell *cells, const KZGProof *proofs)
{
    expect_bytes(c, item_of(c, c->output, 0), cells, CELL_BYTES, CELLS);
    expect_bytes(c, item_of(c, c->output, 1), proofs, POINT, CELLS);
}

static void run_cells(const kzg_fixture *f, kzg_case *c)
{
    AUTO_FREE Blob *blob = argument(c, "blob", BLOB, NULL);
    AUTO_FREE Cell *cells = test_alloc(CELLS * sizeof *cells);
    AUTO_FREE KZGProof *proofs = test_alloc(CELLS * sizeof *proofs);
    (void)f;
    if (blob != NULL) {
        expect_result(c, compute_cells_and_kzg_proofs(cells, proofs, blob, &settings));
        if (c->output != NULL) {
            expect_cells_and_proofs(c, cells, proofs);
        }
    }
}

static void run_recover(const kzg_fixture *f, kzg_case *c)
{
    size_t index_count, count;
    AUTO_FREE uint64_t *indices = numbers_of(c, input_of(c, "cell_indices"), &index_count);
    AUTO_FREE Cell *given = argument(c, "cells", CELL_BYTES, &count),
                   *cells = test_alloc(CELLS * sizeof *cells);
    AUTO_FREE KZGProof *proofs = test_alloc(CELLS * sizeof *proofs);
    (void)f;
    if (given != NULL && count == index_count) {
        expect_result(c, recover_cells_and_kzg_proofs(cells, proofs, indices, given, count, &settings));
        if (c->output != NULL) {
            expect_cells_and_proofs(c, cells, proofs);
        }
    }
}

static void run_verify_cells(const kzg_fixture *f, kzg_case *c)
{
    bool ok = true;
    size_t n, index_count, commitment_count, proof_count;
    AUTO_FREE uint64_t *indices = numbers_of(c, input_of(c, "cell_indices"), &index_count);
    AUTO_FREE Bytes48 *commitments = argument(c, "commitments", POINT, &commitment_count);
    AUTO_FREE Bytes48 *proofs = argument(c, "proofs", POINT, &proof_count);
    AUTO_FREE Cell *cells = argument(c, "cells", CELL_BYTES, &n);
    (void)f;
    if (commitments != NULL && proofs != NULL && cells != NULL && n == index_count && n == commitment_count &&
        n == proof_count) {
        expect_answer(c, verify_cell_kzg_proof_batch(&ok, commitments, indices, cells, proofs, n, &settings),
                      &ok);
    }
}

void test_ckzg_blob_vectors(void)
{
    settings = load_settings();
    run_cases("blob_to_kzg_commitment", NULL, run_commitment, 5, 2);
    run_cases("compute_kzg_proof", NULL, run_proof, 26, 7);
    run_cases("compute_blob_kzg_proof", NULL, run_blob_proof, 4, 3);
    run_cases("verify_kzg_proof", NULL, run_verify, 67, 11);
    run_cases("verify_blob_kzg_proof", NULL, run_verify_blob, 7, 7);
    run_cases("verify_blob_kzg_proof_batch", NULL, run_verify_blob_batch, 5, 11);
    free_trusted_setup(&settings);
}

void test_ckzg_cell_vectors(void)
{
    settings = load_settings();
    run_cases("compute_cells_and_kzg_proofs", NULL, run_cells, 6, 2);
    run_cases("recover_cells_and_kzg_proofs", NULL, run_recover, 4, 11);
    run_cases("verify_cell_kzg_proof_batch", NULL, run_verify_cells, 8, 12);
    free_trusted_setup(&settings);
}

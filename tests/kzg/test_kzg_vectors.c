/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_kzg.c: the consensus specification's vectors for every function. Input of a wrong length
 * cannot be passed at all, and counts as refused. */
#include "test_kzg_support.h"

/* Bytes that a call must not touch. */
enum { UNTOUCHED = 0xa5 };

static uint8_t *untouched(size_t bytes)
{
    uint8_t *memory = test_alloc(bytes);
    memset(memory, UNTOUCHED, bytes);
    return memory;
}

static void expect_untouched(const uint8_t *memory, size_t bytes, const char *label)
{
    for (size_t i = 0; i < bytes; i++) {
        if (memory[i] != UNTOUCHED) {
            test_abort("%s: the output was touched", label);
        }
    }
}

static void expect_bytes(const uint8_t *found, const uint8_t *expected, size_t bytes, const char *label)
{
    if (memcmp(found, expected, bytes) != 0) {
        test_abort("%s: the output is another", label);
    }
}

/* What a verifying call answered. */
static void expect_answer(const kzg_fixture *f, const kzg_case *c, sumac_status status, int ok)
{
    if (c->output == NULL) {
        expect_refused(f, status, c->name);
        assert_int_equal(ok, -1);
        return;
    }
    test_status(f->context, status, SUMAC_OK, c->name);
    const int expected = strcmp((const char *)c->output->data.scalar.value, "true") == 0;
    if (ok != expected) {
        test_abort("%s: the answer is %d", c->name, ok);
    }
}

/* A vector with an argument of a wrong length must be an invalid one. */
static int can_be_passed(const kzg_case *c, int all_there)
{
    if (!all_there) {
        assert_null(c->output);
    }
    return all_there;
}

static void run_commit(const kzg_fixture *f, kzg_case *c)
{
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL), *found = untouched(POINT);
    if (can_be_passed(c, blob != NULL)) {
        const sumac_status status =
            sumac_kzg_commit_batch(f->context, f->setup, (const sumac_blob *)blob, 1, (sumac_bytes48 *)found);
        if (c->output == NULL) {
            expect_refused(f, status, c->name);
            expect_untouched(found, POINT, c->name);
        } else {
            AUTO_FREE uint8_t *expected = bytes_of(c, c->output, POINT, NULL);
            test_status(f->context, status, SUMAC_OK, c->name);
            expect_bytes(found, expected, POINT, c->name);
        }
    }
}

static void run_compute_proof(const kzg_fixture *f, kzg_case *c)
{
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL);
    AUTO_FREE uint8_t *z = bytes_of(c, input_of(c, "z"), ELEMENT, NULL);
    AUTO_FREE uint8_t *proof = untouched(POINT), *y = untouched(ELEMENT);
    if (can_be_passed(c, blob != NULL && z != NULL)) {
        const sumac_status status = sumac_kzg_compute_proof_batch(
            f->context, f->setup, (const sumac_blob *)blob, (const sumac_bytes32 *)z, 1,
            (sumac_bytes48 *)proof, (sumac_bytes32 *)y);
        if (c->output == NULL) {
            expect_refused(f, status, c->name);
            expect_untouched(proof, POINT, c->name);
            expect_untouched(y, ELEMENT, c->name);
        } else {
            AUTO_FREE uint8_t *expected_proof = bytes_of(c, item_of(c, c->output, 0), POINT, NULL);
            AUTO_FREE uint8_t *expected_y = bytes_of(c, item_of(c, c->output, 1), ELEMENT, NULL);
            test_status(f->context, status, SUMAC_OK, c->name);
            expect_bytes(proof, expected_proof, POINT, c->name);
            expect_bytes(y, expected_y, ELEMENT, c->name);
        }
    }
}

static void run_compute_blob_proof(const kzg_fixture *f, kzg_case *c)
{
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL);
    AUTO_FREE uint8_t *commitment = bytes_of(c, input_of(c, "commitment"), POINT, NULL),
                      *proof = untouched(POINT);
    if (can_be_passed(c, blob != NULL && commitment != NULL)) {
        const sumac_status status =
            sumac_kzg_compute_blob_proof_batch(f->context, f->setup, (const sumac_blob *)blob,
                                               (const sumac_bytes48 *)commitment, 1, (sumac_bytes48 *)proof);
        if (c->output == NULL) {
            expect_refused(f, status, c->name);
            expect_untouched(proof, POINT, c->name);
        } else {
            AUTO_FREE uint8_t *expected = bytes_of(c, c->output, POINT, NULL);
            test_status(f->context, status, SUMAC_OK, c->name);
            expect_bytes(proof, expected, POINT, c->name);
        }
    }
}

static void run_verify_proof(const kzg_fixture *f, kzg_case *c)
{
    int ok = -1;
    AUTO_FREE uint8_t *commitment = bytes_of(c, input_of(c, "commitment"), POINT, NULL);
    AUTO_FREE uint8_t *z = bytes_of(c, input_of(c, "z"), ELEMENT, NULL);
    AUTO_FREE uint8_t *y = bytes_of(c, input_of(c, "y"), ELEMENT, NULL);
    AUTO_FREE uint8_t *proof = bytes_of(c, input_of(c, "proof"), POINT, NULL);
    if (can_be_passed(c, commitment != NULL && z != NULL && y != NULL && proof != NULL)) {
        const sumac_status status = sumac_kzg_verify_proof_batch(
            f->context, f->setup, (const sumac_bytes48 *)commitment, (const sumac_bytes32 *)z,
            (const sumac_bytes32 *)y, (const sumac_bytes48 *)proof, 1, &ok);
        expect_answer(f, c, status, ok);
    }
}

static void run_verify_blob_proof(const kzg_fixture *f, kzg_case *c)
{
    int ok = -1;
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL);
    AUTO_FREE uint8_t *commitment = bytes_of(c, input_of(c, "commitment"), POINT, NULL);
    AUTO_FREE uint8_t *proof = bytes_of(c, input_of(c, "proof"), POINT, NULL);
    if (can_be_passed(c, blob != NULL && commitment != NULL && proof != NULL)) {
        const sumac_status status =
            sumac_kzg_verify_blob_proof(f->context, f->setup, (const sumac_blob *)blob,
                                        (const sumac_bytes48 *)commitment, (const sumac_bytes48 *)proof, &ok);
        expect_answer(f, c, status, ok);
    }
}

static void run_verify_blob_proof_batch(const kzg_fixture *f, kzg_case *c)
{
    int ok = -1;
    size_t blob_count, commitment_count, proof_count;
    AUTO_FREE uint8_t *blobs = bytes_of(c, input_of(c, "blobs"), BLOB, &blob_count);
    AUTO_FREE uint8_t *commitments = bytes_of(c, input_of(c, "commitments"), POINT, &commitment_count);
    AUTO_FREE uint8_t *proofs = bytes_of(c, input_of(c, "proofs"), POINT, &proof_count);
    if (can_be_passed(c, blobs != NULL && commitments != NULL && proofs != NULL &&
                             blob_count == commitment_count && blob_count == proof_count)) {
        const sumac_status status = sumac_kzg_verify_blob_proof_batch(
            f->context, f->setup, (const sumac_blob *)blobs, (const sumac_bytes48 *)commitments,
            (const sumac_bytes48 *)proofs, blob_count, &ok);
        expect_answer(f, c, status, ok);
    }
}

static void run_challenge(const kzg_fixture *f, kzg_case *c)
{
    uint8_t found[ELEMENT];
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL);
    AUTO_FREE uint8_t *commitment = bytes_of(c, input_of(c, "commitment"), POINT, NULL);
    AUTO_FREE uint8_t *expected = bytes_of(c, c->output, ELEMENT, NULL);
    test_status(f->context,
                sumac_kzg_blob_challenge(f->context, (const sumac_blob *)blob,
                                         (const sumac_bytes48 *)commitment, (sumac_bytes32 *)found),
                SUMAC_OK, c->name);
    expect_bytes(found, expected, ELEMENT, c->name);
}

/* Compare cells and proofs with the lists of an output. */
static void expect_cells_and_proofs(kzg_case *c, const uint8_t *cells, const uint8_t *proofs)
{
    size_t count;
    AUTO_FREE uint8_t *expected_cells = bytes_of(c, item_of(c, c->output, 0), CELL_BYTES, &count);
    assert_int_equal(count, CELLS);
    AUTO_FREE uint8_t *expected_proofs = bytes_of(c, item_of(c, c->output, 1), POINT, &count);
    assert_int_equal(count, CELLS);
    expect_bytes(cells, expected_cells, CELLS * CELL_BYTES, c->name);
    expect_bytes(proofs, expected_proofs, CELLS * POINT, c->name);
}

static void run_compute_cells(const kzg_fixture *f, kzg_case *c)
{
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL),
                      *cells = untouched(CELLS * CELL_BYTES);
    if (can_be_passed(c, blob != NULL)) {
        const sumac_status status = sumac_kzg_compute_cells_batch(
            f->context, f->setup, (const sumac_blob *)blob, 1, (sumac_cell *)cells);
        if (c->output == NULL) {
            expect_refused(f, status, c->name);
            expect_untouched(cells, CELLS * CELL_BYTES, c->name);
        } else {
            size_t count;
            AUTO_FREE uint8_t *expected = bytes_of(c, c->output, CELL_BYTES, &count);
            assert_int_equal(count, CELLS);
            test_status(f->context, status, SUMAC_OK, c->name);
            expect_bytes(cells, expected, CELLS * CELL_BYTES, c->name);
        }
    }
}

static void run_compute_cells_and_proofs(const kzg_fixture *f, kzg_case *c)
{
    AUTO_FREE uint8_t *blob = bytes_of(c, input_of(c, "blob"), BLOB, NULL);
    AUTO_FREE uint8_t *cells = untouched(CELLS * CELL_BYTES), *proofs = untouched(CELLS * POINT);
    if (can_be_passed(c, blob != NULL)) {
        const sumac_status status = sumac_kzg_compute_cells_and_proofs_batch(
            f->context, f->setup, (const sumac_blob *)blob, 1, (sumac_cell *)cells, (sumac_bytes48 *)proofs);
        if (c->output == NULL) {
            expect_refused(f, status, c->name);
            expect_untouched(cells, CELLS * CELL_BYTES, c->name);
            expect_untouched(proofs, CELLS * POINT, c->name);
        } else {
            test_status(f->context, status, SUMAC_OK, c->name);
            expect_cells_and_proofs(c, cells, proofs);
            memset(proofs, 0, CELLS * POINT);
            test_status(f->context,
                        sumac_kzg_compute_cell_proofs_batch(f->context, f->setup, (const sumac_blob *)blob, 1,
                                                            (sumac_bytes48 *)proofs),
                        SUMAC_OK, c->name);
            expect_cells_and_proofs(c, cells, proofs);
        }
    }
}

static void run_recover(const kzg_fixture *f, kzg_case *c)
{
    size_t index_count, cell_count;
    AUTO_FREE uint64_t *indices = numbers_of(c, input_of(c, "cell_indices"), &index_count);
    AUTO_FREE uint8_t *given = bytes_of(c, input_of(c, "cells"), CELL_BYTES, &cell_count);
    AUTO_FREE uint8_t *cells = untouched(CELLS * CELL_BYTES), *proofs = untouched(CELLS * POINT);
    if (can_be_passed(c, given != NULL && index_count == cell_count)) {
        const sumac_status status = sumac_kzg_recover_cells_and_proofs_batch(
            f->context, f->setup, indices, cell_count, (const sumac_cell *)given, 1, (sumac_cell *)cells,
            (sumac_bytes48 *)proofs);
        if (c->output == NULL) {
            expect_refused(f, status, c->name);
            expect_untouched(cells, CELLS * CELL_BYTES, c->name);
            expect_untouched(proofs, CELLS * POINT, c->name);
        } else {
            test_status(f->context, status, SUMAC_OK, c->name);
            expect_cells_and_proofs(c, cells, proofs);
        }
    }
}

static void run_verify_cell_batch(const kzg_fixture *f, kzg_case *c)
{
    int ok = -1;
    size_t index_count, cell_count, commitment_count, proof_count;
    AUTO_FREE uint64_t *indices = numbers_of(c, input_of(c, "cell_indices"), &index_count);
    AUTO_FREE uint8_t *commitments = bytes_of(c, input_of(c, "commitments"), POINT, &commitment_count);
    AUTO_FREE uint8_t *cells = bytes_of(c, input_of(c, "cells"), CELL_BYTES, &cell_count);
    AUTO_FREE uint8_t *proofs = bytes_of(c, input_of(c, "proofs"), POINT, &proof_count);
    if (can_be_passed(c, commitments != NULL && cells != NULL && proofs != NULL &&
                             index_count == cell_count && commitment_count == cell_count &&
                             proof_count == cell_count)) {
        const sumac_status status = sumac_kzg_verify_cell_proof_batch(
            f->context, f->setup, (const sumac_bytes48 *)commitments, indices, (const sumac_cell *)cells,
            (const sumac_bytes48 *)proofs, cell_count, &ok);
        expect_answer(f, c, status, ok);
    }
}

static void run_cell_batch_challenge(const kzg_fixture *f, kzg_case *c)
{
    uint8_t found[ELEMENT];
    size_t commitment_count, count, index_count, proof_count;
    AUTO_FREE uint8_t *commitments = bytes_of(c, input_of(c, "commitments"), POINT, &commitment_count);
    AUTO_FREE uint64_t *commitment_indices = numbers_of(c, input_of(c, "commitment_indices"), &index_count);
    AUTO_FREE uint64_t *cell_indices = numbers_of(c, input_of(c, "cell_indices"), &count);
    AUTO_FREE uint8_t *proofs = bytes_of(c, input_of(c, "proofs"), POINT, &proof_count);
    AUTO_FREE uint8_t *cells = test_alloc(count * CELL_BYTES),
                      *expected = bytes_of(c, c->output, ELEMENT, NULL);
    assert_true(index_count == count && proof_count == count);
    for (size_t i = 0; i < count; i++) {
        size_t elements;
        AUTO_FREE uint8_t *cell = bytes_of(c, item_of(c, input_of(c, "cosets_evals"), i), ELEMENT, &elements);
        assert_int_equal(elements, SUMAC_KZG_CELL_ELEMENTS);
        memcpy(cells + i * CELL_BYTES, cell, CELL_BYTES);
    }
    test_status(f->context,
                sumac_kzg_cell_batch_challenge(f->context, (const sumac_bytes48 *)commitments,
                                               commitment_count, commitment_indices, cell_indices,
                                               (const sumac_cell *)cells, (const sumac_bytes48 *)proofs,
                                               count, (sumac_bytes32 *)found),
                SUMAC_OK, c->name);
    expect_bytes(found, expected, ELEMENT, c->name);
}

static void run_all(const char *function, int prepared, void (*run)(const kzg_fixture *f, kzg_case *c),
                    size_t valid, size_t invalid)
{
    kzg_fixture f = fixture_open(prepared);
    run_cases(function, &f, run, valid, invalid);
}

void test_commit_vectors(void)
{
    run_all("blob_to_kzg_commitment", 0, run_commit, 5, 2);
}

void test_compute_proof_vectors(void)
{
    run_all("compute_kzg_proof", 0, run_compute_proof, 26, 7);
}

void test_compute_blob_proof_vectors(void)
{
    run_all("compute_blob_kzg_proof", 0, run_compute_blob_proof, 4, 3);
}

void test_verify_proof_vectors(void)
{
    run_all("verify_kzg_proof", 0, run_verify_proof, 67, 11);
}

void test_verify_blob_proof_vectors(void)
{
    run_all("verify_blob_kzg_proof", 0, run_verify_blob_proof, 7, 7);
}

void test_verify_blob_proof_batch_vectors(void)
{
    run_all("verify_blob_kzg_proof_batch", 0, run_verify_blob_proof_batch, 5, 11);
}

void test_challenge_vectors(void)
{
    run_all("compute_challenge", 0, run_challenge, 3, 0);
}

void test_compute_cells_vectors(void)
{
    run_all("compute_cells", 0, run_compute_cells, 5, 2);
}

void test_compute_cells_and_proofs_vectors(void)
{
    run_all("compute_cells_and_kzg_proofs", 1, run_compute_cells_and_proofs, 6, 2);
}

void test_recover_vectors(void)
{
    run_all("recover_cells_and_kzg_proofs", 1, run_recover, 4, 11);
}

void test_verify_cell_batch_vectors(void)
{
    run_all("verify_cell_kzg_proof_batch", 0, run_verify_cell_batch, 8, 12);
}

void test_cell_batch_challenge_vectors(void)
{
    run_all("compute_verify_cell_kzg_proof_batch_challenge", 0, run_cell_batch_challenge, 7, 0);
}

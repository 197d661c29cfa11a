/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of test_kzg.c share: Ethereum's setup, and the consensus specification's vectors. */
#ifndef SUMAC_TESTS_KZG_SUPPORT_H
#define SUMAC_TESTS_KZG_SUPPORT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "support/harness.h"
#include "sumac/kzg.h"
#include "sumac/vector.h"

#define TRUSTED_SETUP SUMAC_TEST_DATA "/kzg/trusted_setup.txt"

enum {
    BLOB = SUMAC_KZG_BLOB_BYTES,
    POINT = SUMAC_KZG_COMMITMENT_BYTES,
    ELEMENT = SUMAC_KZG_ELEMENT_BYTES,
    CELL_BYTES = SUMAC_KZG_CELL_BYTES,
    CELLS = SUMAC_KZG_CELLS
};

/* A context of two threads and Ethereum's setup, prepared for cells if that is wanted: the same for all
 * tests, until fixtures_close(). */
typedef struct kzg_fixture {
    sumac_context *context;
    sumac_kzg_setup *setup;
} kzg_fixture;

kzg_fixture fixture_open(int prepared);
void fixtures_close(void);

/* One vector: its data.yaml. */
typedef struct kzg_case {
    const char *name;
    yaml_document_t document;
    yaml_node_t *input;
    yaml_node_t *output; /* null: the input is invalid */
} kzg_case;

/* Call `run` for every vector of a function of the specification; expects so many of them valid and invalid.
 */
void run_cases(const char *function, const kzg_fixture *fixture,
               void (*run)(const kzg_fixture *fixture, kzg_case *c), size_t valid, size_t invalid);

/* The value of a key of the input. */
yaml_node_t *input_of(kzg_case *c, const char *key);

/* Bytes of hexadecimal text, or of a list of them, one behind the other: *count items of `size` bytes; null
 * if one has another size. Freed by the caller. */
uint8_t *bytes_of(kzg_case *c, yaml_node_t *node, size_t size, size_t *count);

/* An item of a list. */
yaml_node_t *item_of(kzg_case *c, yaml_node_t *list, size_t index);

/* A list of numbers. */
uint64_t *numbers_of(kzg_case *c, yaml_node_t *list, size_t *count);

/* A status that stands for one of the specification's errors, with a sentence. */
void expect_refused(const kzg_fixture *fixture, sumac_status status, const char *label);

/* Blob i of some: elements that are not all alike, less than r. */
void make_blob(uint8_t *blob, unsigned i);

/* The tests of each part. */
void test_commit_vectors(void);
void test_compute_proof_vectors(void);
void test_compute_blob_proof_vectors(void);
void test_verify_proof_vectors(void);
void test_verify_blob_proof_vectors(void);
void test_verify_blob_proof_batch_vectors(void);
void test_challenge_vectors(void);
void test_compute_cells_vectors(void);
void test_compute_cells_and_proofs_vectors(void);
void test_recover_vectors(void);
void test_verify_cell_batch_vectors(void);
void test_cell_batch_challenge_vectors(void);
void test_blobs_together(void);
void test_values_on_the_domain(void);
void test_cells_against_quotients(void);
void test_cell_batches(void);
void test_recovery(void);
void test_recovery_checked(void);
void test_recovery_arguments(void);
void test_infinity(void);
void test_kzg_arguments(void);
void test_setup_from_memory(void);
void test_setup_file(void);
void test_setup_multiples(void);
void test_setup_file_damage(void);
void test_setup_file_forged(void);
void test_setup_file_tables(void);
void test_setups_that_do_not_fit(void);

#endif

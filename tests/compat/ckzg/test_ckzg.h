/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of test_ckzg.c share, and test_eth_kzg.c with them. */
#ifndef SUMAC_TESTS_CKZG_H
#define SUMAC_TESTS_CKZG_H

#include "ckzg.h"
#include "kzg/test_kzg_support.h"

/* Ethereum's setup, loaded from its file with precompute 0; fails the test if it is not. */
KZGSettings load_settings(void);

/* One value for all outputs and arguments of calls that are refused. */
typedef struct call_memory {
    Blob blob;
    Cell cells[CELLS];
    KZGProof proofs[CELLS];
    KZGCommitment commitments[CELLS];
    KZGProof proof;
    Bytes32 z, y;
    uint64_t indices[CELLS];
} call_memory;

/* The result that a vector asks for. */
void expect_result(const kzg_case *c, C_KZG_RET result);

/* An argument of the input; null if it has a wrong length. */
void *argument(kzg_case *c, const char *key, size_t size, size_t *count);

/* The tests of test_ckzg_steps.c and test_ckzg_vectors.c. */
void test_ckzg_challenges(void);
void test_ckzg_blob_vectors(void);
void test_ckzg_cell_vectors(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts of test_kzg.c share Ethereum's setup and the consensus specification's vectors. */
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

/* This is a pointer to a setup's configuration with the given fields, for example
 * KZG_CONFIG(.check = SUMAC_CHECK_NONE). All other fields but `size` are 0. */
#define KZG_CONFIG(...)                                                                                      \
    &(const sumac_kzg_config)                                                                                \
    {                                                                                                        \
        .size = sizeof(sumac_kzg_config), __VA_ARGS__                                                        \
    }

/* A fixture has a context of two threads and Ethereum's setup. There are two fixtures, which all tests share. The setup
 * of one of them is prepared for cells: fixture_open(1) returns that one, and fixture_open(0) the other. */
typedef struct kzg_fixture {
    sumac_context *context;
    sumac_kzg_setup *setup;
} kzg_fixture;

kzg_fixture fixture_open(int prepared);

/* These are the setup's encoded points. */
typedef struct setup_points {
    sumac_bytes48 lagrange[SUMAC_KZG_FIELD_ELEMENTS];
    sumac_bytes96 g2[SUMAC_KZG_G2_POINTS];
    sumac_bytes48 monomial[SUMAC_KZG_FIELD_ELEMENTS];
} setup_points;

/* Read the setup's points to memory that the caller frees. */
setup_points *read_setup_points(void);

/* This has memory for every argument and output of a call. */
typedef struct call_memory {
    sumac_blob blob;
    sumac_cell cells[CELLS];
    sumac_bytes48 proofs[CELLS], commitments[CELLS], proof;
    sumac_bytes32 z, y;
    uint64_t indices[CELLS];
} call_memory;

/* ---- The consensus specification's vectors ---- */

enum { SPEC_INPUTS = 5, SPEC_OUTPUTS = 2 };

/* These are the inputs and outputs of a call on one vector. */
typedef struct spec_values {
    void *in[SPEC_INPUTS];
    size_t counts[SPEC_INPUTS]; /* the numbers of items in lists */
    void *out[SPEC_OUTPUTS];
    int ok; /* -1 until a verifying call has answered */
} spec_values;

/* This is the name of a function of the specification, and a call that computes it. The call returns 1, or 0 if it
 * refuses the input. Inputs and outputs are in the order of the specification. */
typedef struct spec_call {
    const char *function;
    int (*run)(spec_values *v);
} spec_call;

/* Run the vectors of each function. Results must be those of the specification, and a refused call must write nothing.
 * If an input has a wrong length, it can't be passed to the call, and counts as refused. */
void run_spec_calls(const spec_call *calls, size_t count);

/* Expect a status that corresponds to one of the specification's errors, and a message. */
void expect_refused(const kzg_fixture *fixture, sumac_status status, const char *label);

/* Make blob i, whose elements are less than r and differ. */
void make_blob(void *blob, unsigned i);

/* These are the tests in other files of test_kzg. */
void test_vectors(void), test_cell_vectors(void), test_blobs_together(void), test_values_on_the_domain(void);
void test_infinity(void), test_kzg_arguments(void), test_cells_against_quotients(void),
    test_cell_batches(void);
void test_recovery(void), test_recovery_checked(void), test_recovery_arguments(void);
void test_setup_from_memory(void), test_setups_that_do_not_fit(void), test_setup_file(void);
void test_setup_cells(void), test_setup_multiples(void), test_setup_damage(void), test_setup_forged(void),
    test_setup_tables(void);

#endif

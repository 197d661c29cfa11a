/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tests of test_groth16's other files. */
#ifndef SUMAC_TESTS_GROTH16_PARTS_H
#define SUMAC_TESTS_GROTH16_PARTS_H

#include "sumac/sumac.h"

/* Each allocation of a call fails once; the call says so, and works the next time. */
void check_allocations(sumac_context *context, const char *name, sumac_status (*run)(void *argument),
                       void *argument);

void test_bad_keys(void **state);
void test_bad_witness_files(void **state);
void test_bad_circuits(void **state);
void test_long_paths(void **state);
void test_memory(void **state);
void test_values(void **state);
void test_reports(void **state);
void test_memory_left(void **state);
void test_device_failures(void **state);
void test_setup(void **state);
void test_generated(void **state);
void test_prepared(void **state);
void test_bad_prepared(void **state);
void test_prepared_memory(void **state);
void test_gnark_proofs(void **state);
void test_gnark_keys(void **state);
void test_gnark_prepared(void **state);
void test_bad_gnark_keys(void **state);
void test_gnark_memory(void **state);
void test_bad_gnark_proofs(void **state);
void test_several_devices(void **state);

#endif

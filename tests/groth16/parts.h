/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tests of test_groth16's other files. */
#ifndef SUMAC_TESTS_GROTH16_PARTS_H
#define SUMAC_TESTS_GROTH16_PARTS_H

#include "sumac/sumac.h"

/* Each allocation of a call fails once; the call says so, and works the next time. */
void check_allocations(sumac_context *context, const char *name, sumac_status (*run)(void *argument),
                       void *argument);

void test_bad_keys(void);
void test_bad_witness_files(void);
void test_bad_circuits(void);
void test_long_paths(void);
void test_memory(void);
void test_values(void);
void test_reports(void);
void test_memory_left(void);
void test_device_failures(void);
void test_setup(void);
void test_generated(void);
void test_prepared(void);
void test_bad_prepared(void);
void test_prepared_memory(void);
void test_gnark_proofs(void);
void test_gnark_keys(void);
void test_gnark_prepared(void);
void test_bad_gnark_keys(void);
void test_gnark_memory(void);
void test_bad_gnark_proofs(void);
void test_several_devices(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the tests in other files of test_groth16. */
#ifndef SUMAC_TESTS_GROTH16_PARTS_H
#define SUMAC_TESTS_GROTH16_PARTS_H

#include "circuits.h"

/* Make each allocation of each call fail once. The call must then fail, and the next call must succeed. */
void check_allocations(sumac_context *context, const memory_call *calls, size_t count, void *argument);

void test_bad_keys(void), test_bad_witness_files(void), test_bad_circuits(void), test_long_paths(void);
void test_memory(void), test_values(void), test_reports(void), test_memory_left(void);
void test_device_failures(void), test_setup(void), test_generated(void), test_several_devices(void);
void test_prepared(void), test_bad_prepared(void), test_prepared_memory(void);
void test_gnark_proofs(void), test_gnark_keys(void), test_gnark_prepared(void), test_bad_gnark_keys(void);
void test_gnark_memory(void), test_bad_gnark_proofs(void), test_gnark_smallest_domain(void);
void test_commitments(void), test_altered_commitments(void), test_bad_commitments(void);
void test_commitments_in_keys(void), test_commitments_memory(void);

#endif

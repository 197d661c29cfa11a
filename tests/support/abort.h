/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This function ends a test that found a fault: in harness.c it fails the running cmocka test, and in the random
 * programs it prints how to repeat the case. */
#ifndef SUMAC_TESTS_ABORT_H
#define SUMAC_TESTS_ABORT_H

__attribute__((noreturn, format(printf, 1, 2))) void test_abort(const char *format, ...);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* End a test that found a fault: harness.c fails the running cmocka test, and the random programs print how to
 * repeat the case. */
#ifndef SUMAC_TESTS_ABORT_H
#define SUMAC_TESTS_ABORT_H

__attribute__((noreturn, format(printf, 1, 2))) void test_abort(const char *format, ...);

#endif

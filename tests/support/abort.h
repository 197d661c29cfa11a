/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How a test ends that found something: harness.c fails the running cmocka test, the random programs say how
 * the case is repeated. */
#ifndef SUMAC_TESTS_ABORT_H
#define SUMAC_TESTS_ABORT_H

__attribute__((noreturn, format(printf, 1, 2))) void test_abort(const char *format, ...);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* TEST_NUMBERS(a, b) declares integers of GMP, which begin as 0 and are cleared when their block ends. */
#ifndef SUMAC_TESTS_NUMBERS_H
#define SUMAC_TESTS_NUMBERS_H

#include <gmp.h>

#include "base/try.h"

static inline void test_clear_number(mpz_t *number)
{
    mpz_clear(*number);
}

#define TEST_NUMBERS(...)                                                                                    \
    CLEANUP(test_clear_number) mpz_t __VA_ARGS__;                                                            \
    mpz_inits(__VA_ARGS__, NULL)

#endif

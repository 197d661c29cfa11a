/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The two files of test_ckzg share these declarations. */
#ifndef SUMAC_TESTS_CKZG_H
#define SUMAC_TESTS_CKZG_H

#include "ckzg.h"
#include "kzg/test_kzg_support.h"

/* Load Ethereum's setup from its file with precompute 0. The test fails if the setup can't be loaded. */
KZGSettings load_settings(void);

/* These are the tests of test_ckzg_vectors.c, and test_vectors(). */
void test_challenges(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Declarations that the two files of test_ckzg share. */
#ifndef SUMAC_TESTS_CKZG_H
#define SUMAC_TESTS_CKZG_H

#include "ckzg.h"
#include "kzg/test_kzg_support.h"

/* Load Ethereum's setup from its file with precompute 0; the test fails if that fails. */
KZGSettings load_settings(void);

/* The tests of test_ckzg_vectors.c, and test_vectors(). */
void test_challenges(void);

#endif

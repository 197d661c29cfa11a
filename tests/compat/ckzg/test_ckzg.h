/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Declarations that the two files of test_ckzg share. */
#ifndef SUMAC_TESTS_CKZG_H
#define SUMAC_TESTS_CKZG_H

#include "ckzg.h"
#include "kzg/test_kzg_support.h"

/* Ethereum's setup, loaded from its file with precompute 0; fails the test if it is not. */
KZGSettings load_settings(void);

/* The tests of test_ckzg_vectors.c, and test_vectors(). */
void test_challenges(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole files, for tests that make and damage them; what the system refuses fails the test. */
#ifndef SUMAC_TESTS_FILES_H
#define SUMAC_TESTS_FILES_H

#include <stddef.h>
#include <stdint.h>

void test_write_file(const char *path, const void *bytes, size_t size);

/* The caller frees the bytes, which a zero follows. */
uint8_t *test_read_file(const char *path, size_t *size);

#endif

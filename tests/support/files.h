/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read, make and write whole files, for tests that damage files. The test fails if the system refuses a
 * call. */
#ifndef SUMAC_TESTS_FILES_H
#define SUMAC_TESTS_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/try.h"

void test_write_file(const char *path, const void *bytes, size_t size);

/* Read a file, and append a zero to its bytes. The caller frees them. */
uint8_t *test_read_file(const char *path, size_t *size);

/* TEST_FILE(path) declares the path of a new empty file, which is removed when the block ends. */
void test_make_file(char *path);
void test_remove_file(void *path);
#define TEST_FILE(name)                                                                                      \
    CLEANUP(test_remove_file) char name[] = "/tmp/sumac-test-XXXXXX";                                        \
    test_make_file(name)

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts of test_formats.c share these helpers, which are a directory for files, and checks of statuses and
 * messages. */
#ifndef SUMAC_TESTS_FORMATS_SUPPORT_H
#define SUMAC_TESTS_FORMATS_SUPPORT_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/files.h"
#include "support/harness.h"

/* A temporary directory, which is removed with its files at the end. */
extern char directory[64];

const char *in_directory(const char *name);
size_t count_files(void);
void empty_directory(void);

/* Check that the status is the expected one, and that the message is one sentence that contains the path. Unless `part`
 * is null, the message must contain it, too. */
void expect(const sumac_context *context, sumac_status status, sumac_status expected, const char *path,
            const char *part);

/* Check that reading the file fails with this status, with a message that contains `part`, and without bases. */
void expect_bad(sumac_context *context, const sumac_group *group, const char *path, const char *format,
                sumac_check check, sumac_status expected, const char *part);
sumac_bases *expect_good(sumac_context *context, const sumac_group *group, const char *path,
                         const char *format, sumac_check check);
void expect_points(sumac_context *context, const sumac_bases *bases, const void *points, size_t n);

/* Check that two bases have the same points and multiples, and are for the same windows. */
void assert_same_bases(sumac_context *context, const sumac_bases *a, const sumac_bases *b);

/* Make n points of the subgroup, one of which is infinity. */
uint8_t *some_points(test_group *t, size_t n);

/* Make n points by repeating a few, because GMP is slow. They are for files that are read in several blocks. */
uint8_t *many_points(test_group *t, size_t n);

/* Return BLS12-381's G1 or G2. */
const sumac_group *bls12_381(int group);

/* Return the bytes of a file of known points in a format, and set *record_bytes to the size of a point in it. */
uint8_t *encoded_points(sumac_context *context, int group, const char *format, size_t n,
                        size_t *record_bytes);

/* Return the path of a file that another library wrote, FORM.CURVE of tests/data/formats.tar.xz. `group` may be
 * null. */
const char *library_file(const char *form, const sumac_group *info, const char *group);

/* Return the points of most of these files, which are multiples of the generator, with both signs, and infinity. */
enum { LIBRARY_POINTS = 12 };
uint8_t *library_points(const test_group *t);

/* Check that the format is refused for the curve before any file is opened. */
void expect_not_held(sumac_context *context, const sumac_group *group, const char *format);

/* Write a copy of the file in which `bytes` replace those at `offset`, and check that it is refused. */
void expect_changed(sumac_context *context, const sumac_group *group, const char *format, const uint8_t *file,
                    size_t size, size_t offset, const void *bytes, size_t count, sumac_status expected,
                    const char *part);

/* These are the tests of each part. */
void test_eip2537_valid(void), test_eip2537_failing(void), test_eip2537_g2(void), test_zcash_damage(void);
void test_eip2537_damage(void), test_trusted_setup(void), test_trusted_setup_damage(void);
void test_changing_file(void), test_records_arguments(void);
void test_checksum(void), test_table_bits(void), test_table_lengths(void), test_table_headers(void);
void test_table_names(void), test_table_configs(void), test_failing_writes(void), test_full_disk(void);
void test_descriptors(void), test_replacing(void);
void test_libraries(void **state), test_libraries_damage(void **state);
void test_libraries_counts(void **state), test_aztec(void **state), test_halo2(void **state);
void test_halo2_damage(void **state), test_ptau(void **state), test_ptau_damage(void **state);
void test_pipes(void **state), test_parts_of_pipes(void **state), test_limited_pipes(void **state);
void test_parts(void **state), test_part_damage(void **state), test_table_parts(void **state);
void test_tables(void **state), test_device_tables(void **state), test_device_multiples(void **state);
void test_device_memory(void **state), test_device_page_locked(void **state);
void test_table_windows(void **state);

#endif

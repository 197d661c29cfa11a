/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests MSMs that several processes compute by partial results. Partial results that are damaged or belong to
 * another curve are refused. If a table of bases can't be written, no file is left. Damaged tables are in
 * test_formats_table.c.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "support/harness.h"

enum { COUNT = 23, PARTS = 3 };

/* Make a directory for the test, which is removed with its files. */
static void make_directory(char path[64])
{
    snprintf(path, 64, "/tmp/sumac-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    char file[512];
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        (void)unlink(file);
    }
    closedir(directory);
    (void)rmdir(path);
}

static size_t count_files(const char *path)
{
    DIR *directory = opendir(path);
    size_t count = 0;
    assert_non_null(directory);
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count - 2; /* . and .. */
}

/* Compute part i of the sum, which has the bases [i*COUNT/PARTS, (i + 1)*COUNT/PARTS). */
static sumac_status make_part(const test_group *t, const test_sum *m, sumac_context *context, size_t i,
                              void *partial)
{
    const size_t first = i * COUNT / PARTS, n = (i + 1) * COUNT / PARTS - first;
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TRY(exact_create(context, t->group, m->points + first * t->info->point_bytes, n, NULL, &bases));
    return exact_partial(context, bases, m->scalars + first * t->info->scalar_bytes, n, NULL, partial);
}

/* This program runs again for each part, with the arguments PART BACKEND VARIANT CURVE GROUP INDEX. It reads points and
 * scalars from standard input and writes the partial result to standard output. A forked process is not used, because a
 * GPU's runtime does not survive a fork. */
#define PART "part"
enum { PART_ARGUMENTS = 7 };

static int read_all(int descriptor, uint8_t *bytes, size_t size)
{
    ssize_t got = 1;
    for (size_t done = 0; done < size && got > 0; done += (size_t)got) {
        got = read(descriptor, bytes + done, size - done);
    }
    return size == 0 || got > 0;
}

/* Run as one of the processes, and return the exit status. */
static int run_part(char **argv)
{
    test_group t = {.group = NULL};
    CLEANUP(test_sum_free) test_sum m = {.points = NULL};
    sumac_context_config config = {.size = sizeof config};
    config.backend = argv[2];
    config.tuning = argv[3][0] == '\0' ? NULL : test_tuning("variant=%s", argv[3]);
    config.threads = 1;
    if (sumac_group_find(argv[4], argv[5], &t.group) != SUMAC_OK ||
        sumac_context_create(&config, &m.context, NULL) != SUMAC_OK) {
        return 1;
    }
    t.info = t.group;
    const size_t bytes = sumac_partial_bytes(t.group, 1);
    m.points = malloc(COUNT * t.info->point_bytes);
    m.scalars = malloc(COUNT * t.info->scalar_bytes);
    AUTO_FREE uint8_t *partial = malloc(bytes);
    const int done = m.points != NULL && m.scalars != NULL && partial != NULL &&
                     read_all(STDIN_FILENO, m.points, COUNT * t.info->point_bytes) &&
                     read_all(STDIN_FILENO, m.scalars, COUNT * t.info->scalar_bytes) &&
                     make_part(&t, &m, m.context, (size_t)atoi(argv[6]), partial) == SUMAC_OK &&
                     write(STDOUT_FILENO, partial, bytes) == (ssize_t)bytes;
    return done ? 0 : 1;
}

/* Replace the child process by the program for a part, with these pipes as its standard input and output. */
__attribute__((noreturn)) static void become_part(const test_group *t, size_t i, int in, int out)
{
    char index[24], program[] = "/proc/self/exe", part[] = PART;
    snprintf(index, sizeof index, "%zu", i);
    const char *const arguments[PART_ARGUMENTS + 1] = {
        program,        part,          options.backend, options.variant == NULL ? "" : options.variant,
        t->info->curve, t->info->name, index,           NULL};
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
        execv(program, (char *const *)(uintptr_t)arguments);
    }
    _exit(1);
}

/* Each process computes one part and sends it through a pipe. */
static void test_processes(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, COUNT);
    const size_t bytes = sumac_partial_bytes(t->group, 1);
    const size_t point_bytes = COUNT * t->info->point_bytes, scalar_bytes = COUNT * t->info->scalar_bytes;
    uint8_t *partials[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        int to_child[2], from_child[2], exit_status;
        partials[i] = test_alloc(bytes);
        assert_int_equal(pipe(to_child), 0);
        assert_int_equal(pipe(from_child), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(to_child[1]); /* the input must end when the test's process ends */
            become_part(t, i, to_child[0], from_child[1]);
        }
        close(to_child[0]);
        close(from_child[1]); /* the output must end when the child ends */
        assert_int_equal(write(to_child[1], m.points, point_bytes), (ssize_t)point_bytes);
        assert_int_equal(write(to_child[1], m.scalars, scalar_bytes), (ssize_t)scalar_bytes);
        close(to_child[1]);
        assert_true(read_all(from_child[0], partials[i], bytes));
        assert_int_equal(waitpid(child, &exit_status, 0), child);
        assert_int_equal(exit_status, 0);
        close(from_child[0]);
    }
    AUTO_FREE uint8_t *result = test_alloc(t->info->point_bytes);
    TEST_OK(m.context, exact_combine(m.context, t->group, (const void *const *)partials, PARTS, 1, result));
    assert_memory_equal(result, m.expected, t->info->point_bytes);
    for (size_t i = 0; i < PARTS; i++) {
        free(partials[i]);
    }
}

/* Combine parts of a batch, the same part twice, opposite parts, and no part. */
static void test_sums_of_parts(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, COUNT);
    const size_t point = t->info->point_bytes;
    AUTO_FREE uint8_t *partial = test_alloc(sumac_partial_bytes(t->group, 2)),
                      *results = test_alloc(2 * point);
    AUTO_FREE uint8_t *expected = test_alloc(2 * point);
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(m.context, t, m.points, COUNT, NULL);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = 2;
    config.result_form = SUMAC_FORM_MONTGOMERY; /* partial results are canonical in any case */
    const size_t n = COUNT / 2;
    TEST_OK(m.context, exact_partial(m.context, bases, m.scalars, n, &config, partial));
    for (size_t j = 0; j < 2; j++) {
        ORACLE_POINT(sum);
        oracle_msm(&t->oracle, expected + j * point, m.points, m.scalars + j * n * t->info->scalar_bytes, n);
        oracle_point_from_raw(&t->oracle, &sum, expected + j * point);
        oracle_add(&t->oracle, &sum, &sum, &sum);
        oracle_point_to_raw(&t->oracle, expected + j * point, &sum);
    }
    const void *const twice[] = {partial, partial};
    TEST_OK(m.context, exact_combine(m.context, t->group, twice, 2, 2, results));
    assert_memory_equal(results, expected, 2 * point);
    memset(expected, 0, 2 * point);
    TEST_OK(m.context, exact_combine(m.context, t->group, NULL, 0, 2, results));
    assert_memory_equal(results, expected, 2 * point);
    test_status(m.context, exact_combine(m.context, t->group, twice, 2, 3, results), SUMAC_MISMATCH, "batch");
    TEST_BAD(m.context,
             exact_combine(m.context, t->group, (const void *const[]){partial, NULL}, 2, 2, results));
    assert_memory_equal(results, expected, 2 * point);
}

static void test_damaged_parts(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, COUNT);
    const size_t bytes = sumac_partial_bytes(t->group, 1);
    AUTO_FREE uint8_t *partial = test_alloc(bytes), *result = test_alloc(t->info->point_bytes);
    AUTO_FREE uint8_t *untouched = test_alloc(t->info->point_bytes);
    const void *const parts[] = {partial};
    TEST_OK(m.context, make_part(t, &m, m.context, 0, partial));
    memset(result, 0xa5, t->info->point_bytes);
    memset(untouched, 0xa5, t->info->point_bytes);
    for (size_t bit = 0; bit < 8 * bytes; bit += options.quick ? 7 : 1) {
        partial[bit / 8] ^= (uint8_t)(1u << bit % 8);
        const sumac_status status = exact_combine(m.context, t->group, parts, 1, 1, result);
        assert_true(status == SUMAC_BAD_FILE || status == SUMAC_BAD_CHECKSUM || status == SUMAC_MISMATCH);
        partial[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t i = 0; i < sumac_group_count(); i++) {
        if (sumac_group_at(i) != t->group && sumac_partial_bytes(sumac_group_at(i), 1) <= bytes) {
            test_status(m.context, exact_combine(m.context, sumac_group_at(i), parts, 1, 1, result),
                        SUMAC_MISMATCH, "a part of another curve");
        }
    }
    assert_memory_equal(result, untouched, t->info->point_bytes);
    TEST_OK(m.context, exact_combine(m.context, t->group, parts, 1, 1, result));
}

/* ---- tables ---- */

/* If a table can't be written, there is a message, and the old file stays. */
static void test_unwritable_tables(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, COUNT);
    char directory[64], path[96];
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(m.context, t, m.points, 3, NULL), *loaded = NULL;
    make_directory(directory);
    test_status(m.context, sumac_bases_save(m.context, bases, directory, NULL), SUMAC_CANNOT_OPEN,
                "a directory");
    assert_int_equal(count_files(directory), 0);
    snprintf(path, sizeof path, "%s/none/table", directory);
    test_status(m.context, sumac_bases_save(m.context, bases, path, NULL), SUMAC_CANNOT_OPEN, "no directory");
    test_status(m.context, sumac_bases_save(m.context, bases, "", NULL), SUMAC_CANNOT_OPEN, "no name");
    test_status(m.context, open_trusted(m.context, t->group, path, &loaded), SUMAC_CANNOT_OPEN, "no file");
    assert_null(loaded);
    test_status(m.context, open_trusted(m.context, t->group, directory, &loaded), SUMAC_CANNOT_OPEN,
                "a directory");
    assert_null(loaded);
    snprintf(path, sizeof path, "%s/table", directory);
    test_write_file(path, "precious", 8);
    if (geteuid() != 0) { /* root may do everything */
        assert_int_equal(chmod(directory, 0500), 0);
        test_status(m.context, sumac_bases_save(m.context, bases, path, NULL), SUMAC_CANNOT_OPEN,
                    "no permission");
        assert_int_equal(chmod(directory, 0700), 0);
        size_t file_size;
        uint8_t *file = test_read_file(path, &file_size);
        assert_int_equal(file_size, 8);
        free(file);
    }
    TEST_OK(m.context, sumac_bases_save(m.context, bases, path, NULL));
    TEST_OK(m.context, open_trusted(m.context, t->group, path, &loaded));
    assert_int_equal(count_files(directory), 1);
    remove_directory(directory);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"processes", test_processes, TEST_EVERY_AND_TINY},
        {"sums of parts", test_sums_of_parts, TEST_EVERY_AND_TINY},
        {"damaged parts", test_damaged_parts, TEST_EVERY_AND_TINY},
        {"unwritable tables", test_unwritable_tables, TEST_EVERY_GROUP},
    };
    if (argc == PART_ARGUMENTS && strcmp(argv[1], PART) == 0) {
        return run_part(argv);
    }
    return test_main("partial", entries, sizeof entries / sizeof *entries, argc, argv);
}

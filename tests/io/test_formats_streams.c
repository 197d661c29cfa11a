/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests files that change while they are read, pipes and devices. */
#include <pthread.h>

#include "test_formats_support.h"

/* This is a file that changes after its first block was read, as if another program had changed it. */
typedef struct changing_file {
    const char *path;
    off_t new_size; /* 0 if the file does not change */
    int blocks;
} changing_file;

static int change_file(void *user, double done)
{
    changing_file *file = user;
    assert_true(done > 0 && done <= 1);
    if (file->blocks++ == 0 && file->new_size != 0) {
        assert_int_equal(truncate(file->path, file->new_size), 0);
    }
    return 0;
}

void test_changing_file(void)
{
    const sumac_group *group = test_find_group("bn254", "g1");
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    CLEANUP(destroy_context) sumac_context *context = NULL;
    changing_file file = {.path = in_directory("changing")};
    sumac_context_config config = {.size = sizeof config};
    config.progress = change_file;
    config.user = &file;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    const size_t size = (size_t)3 << 20;
    AUTO_FREE uint8_t *zeros = test_alloc(size);
    memset(zeros, 0, size);
    test_write_file(file.path, zeros, size);
    TEST_OK(context, sumac_bases_open(context, group, file.path, "raw", 0, SUMAC_ALL, NULL, &bases));
    assert_int_equal(file.blocks, 3);
    file = (changing_file){file.path, (off_t)size + 1, 0};
    expect_bad(context, group, file.path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "too long");
    test_write_file(file.path, zeros, size);
    file = (changing_file){file.path, (off_t)size - 1, 0};
    expect_bad(context, group, file.path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_FILE,
               "truncated: it ends at byte 3145727");
    empty_directory();
}

typedef struct feeder {
    const char *path;
    const uint8_t *bytes;
    size_t size;
} feeder;

static void *feed(void *argument)
{
    const feeder *f = argument;
    test_write_file(f->path, f->bytes, f->size);
    return NULL;
}

/* Read bases from a named pipe, to which another thread writes these bytes. */
static sumac_status read_from_pipe(sumac_context *context, const sumac_group *group, const char *format,
                                   const uint8_t *bytes, size_t size, sumac_bases **bases)
{
    pthread_t thread;
    feeder f = {in_directory("pipe"), bytes, size};
    assert_int_equal(mkfifo(f.path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, feed, &f), 0);
    const sumac_status status = sumac_bases_open(context, group, f.path, format, 0, SUMAC_ALL, NULL, bases);
    assert_int_equal(pthread_join(thread, NULL), 0);
    empty_directory();
    return status;
}

/* Write bytes that fit into a pipe, and store the name of its descriptor in `path`. */
static int open_pipe(const uint8_t *bytes, size_t size, char path[32])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, size), size);
    assert_int_equal(close(ends[1]), 0);
    (void)snprintf(path, 32, "/dev/fd/%d", ends[0]);
    return ends[0];
}

/* If a part of a pipe is read, the records after it stay in the pipe. */
void test_parts_of_pipes(void **state)
{
    test_group *t = *state;
    enum { N = 20 };
    const size_t bytes = t->info->point_bytes;
    char path[32];
    uint8_t byte;
    sumac_bases *bases = NULL;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *points = many_points(t, N);
    for (size_t first = 0; first <= N; first += 4) {
        for (size_t n = 0; n <= N - first; n += 4) {
            const int end = open_pipe(points, N * bytes, path);
            TEST_OK(context, sumac_bases_open(context, t->group, path, "raw", first, n, NULL, &bases));
            expect_points(context, bases, points + first * bytes, n);
            sumac_bases_destroy(bases);
            size_t left = 0;
            while (read(end, &byte, 1) == 1) {
                left++;
            }
            assert_int_equal(left, (N - first - n) * bytes);
            (void)close(end);
        }
    }
    static const struct {
        size_t first, n, cut;
        sumac_status status;
        const char *part;
    } failures[] = {{0, N + 1, 0, SUMAC_BAD_LENGTH, "20 points, fewer than 0 + 21"},
                    {N + 1, 0, 0, SUMAC_BAD_LENGTH, "20 points, fewer than 21 + 0"},
                    {SIZE_MAX, 1, 0, SUMAC_BAD_LENGTH, "20 points"},
                    {0, N, 1, SUMAC_BAD_FILE, "cut off"},
                    {N, 1, 1, SUMAC_BAD_FILE, "cut off"}};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const int end = open_pipe(points, N * bytes - failures[i].cut, path);
        expect(
            context,
            sumac_bases_open(context, t->group, path, "raw", failures[i].first, failures[i].n, NULL, &bases),
            failures[i].status, path, failures[i].part);
        assert_null(bases);
        (void)close(end);
    }
}

/* On the CPU records are read from a pipe without knowing their number. This must keep exactly to the memory limit. */
void test_limited_pipes(void **state)
{
    test_group *t = *state;
    const size_t n = 20, bytes = n * t->info->point_bytes, scalars = bytes / t->info->scalar_bytes;
    char path[32];
    AUTO_FREE uint8_t *points = many_points(t, n);
    for (uint64_t limit = bytes - 1; limit <= bytes; limit++) {
        const sumac_status expected = limit < bytes ? SUMAC_MEMORY_LIMIT : SUMAC_OK;
        CLEANUP(destroy_context) sumac_context *context = test_context(1, limit);
        sumac_bases *bases = NULL;
        void *read = NULL;
        size_t count = 0;
        int end = open_pipe(points, bytes, path);
        if (test_describe(context).device_names[0][0] == '\0') {
            expect(context, sumac_bases_open(context, t->group, path, "raw", 0, SUMAC_ALL, NULL, &bases),
                   expected, path, limit < bytes ? "memory limit" : NULL);
            (void)close(end);
            end = open_pipe(points, bytes, path);
            expect(context, sumac_scalars_read(context, t->group, path, &read, &count), expected, path,
                   limit < bytes ? "memory limit" : NULL);
            assert_int_equal(count, limit < bytes ? 0 : scalars * t->info->scalar_bytes);
        }
        (void)close(end);
        sumac_free(read);
        sumac_bases_destroy(bases);
        test_write_file(in_directory("regular"), points, bytes);
        TEST_OK(context, sumac_bases_open(context, t->group, in_directory("regular"), "raw", 0, SUMAC_ALL,
                                          NULL, &bases));
        sumac_bases_destroy(bases);
        empty_directory();
    }
}

void test_pipes(void **state)
{
    test_group *t = *state;
    const size_t bytes = t->info->point_bytes, n = 3000;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE uint8_t *points = many_points(t, n);
    sumac_bases *bases = NULL;
    TEST_OK(context, read_from_pipe(context, t->group, "raw", points, n * bytes, &bases));
    expect_points(context, bases, points, n);
    const char *path = in_directory("table");
    TEST_OK(context, sumac_bases_save(context, bases, path, NULL));
    sumac_bases_destroy(bases);
    size_t size;
    AUTO_FREE uint8_t *table = test_read_file(path, &size);
    empty_directory();
    TEST_OK(context, read_from_pipe(context, t->group, "table", table, size, &bases));
    expect_points(context, bases, points, n);
    sumac_bases_destroy(bases);
    test_status(context, read_from_pipe(context, t->group, "table", table, size - 1, &bases), SUMAC_BAD_FILE,
                "pipe");
    table[size] = 0;
    test_status(context, read_from_pipe(context, t->group, "table", table, size + 1, &bases), SUMAC_BAD_FILE,
                "pipe");
    test_status(context, read_from_pipe(context, t->group, "raw", points, n * bytes - 1, &bases),
                SUMAC_BAD_FILE, "pipe");
    TEST_OK(context, sumac_bases_open(context, t->group, "/dev/null", "raw", 0, SUMAC_ALL, NULL, &bases));
    expect_points(context, bases, points, 0);
    sumac_bases_destroy(bases);
}

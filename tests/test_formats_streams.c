/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_formats.c: files that change while they are read, pipes and devices. */
#include <pthread.h>

#include "test_formats_support.h"

/* A file that another program changes while it is read, here after the first block. */
typedef struct changing_file {
    const char *path;
    off_t new_size; /* 0: it stays as it is */
    int blocks;
} changing_file;

static void change_file(void *user, double done)
{
    changing_file *file = user;
    assert_true(done > 0 && done <= 1);
    if (file->blocks++ == 0 && file->new_size != 0) {
        assert_int_equal(truncate(file->path, file->new_size), 0);
    }
}

void test_changing_file(void **state)
{
    (void)state;
    const sumac_curve *curve;
    sumac_bases *bases;
    sumac_context *context;
    changing_file file = {.path = in_directory("changing")};
    sumac_context_config config = sumac_context_config_default();
    config.progress = change_file;
    config.user = &file;
    assert_int_equal(sumac_context_create(&config, &context), SUMAC_OK);
    assert_int_equal(sumac_curve_find("bn254", "g1", &curve), SUMAC_OK);
    const size_t size = (size_t)3 << 20;
    uint8_t *zeros = test_alloc(size);
    memset(zeros, 0, size);
    write_file(file.path, zeros, size);
    expect(context, sumac_bases_read(context, curve, file.path, "raw", NULL, &bases), SUMAC_OK, file.path,
           NULL);
    assert_int_equal(file.blocks, 3);
    sumac_bases_destroy(bases);
    file = (changing_file){file.path, (off_t)size + 1, 0};
    expect_bad(context, curve, file.path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "too long");
    write_file(file.path, zeros, size);
    file = (changing_file){file.path, (off_t)size - 1, 0};
    expect_bad(context, curve, file.path, "raw", SUMAC_CHECK_NONE, SUMAC_BAD_FILE,
               "truncated: it ends at byte 3145727");
    free(zeros);
    empty_directory();
    sumac_context_destroy(context);
}

typedef struct feeder {
    const char *path;
    const uint8_t *bytes;
    size_t size;
} feeder;

static void *feed(void *argument)
{
    const feeder *f = argument;
    write_file(f->path, f->bytes, f->size);
    return NULL;
}

/* A named pipe that another thread writes this to. */
static sumac_status read_from_pipe(sumac_context *context, const sumac_curve *curve, const char *format,
                                   const uint8_t *bytes, size_t size, sumac_bases **bases)
{
    pthread_t thread;
    feeder f = {in_directory("pipe"), bytes, size};
    assert_int_equal(mkfifo(f.path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, feed, &f), 0);
    const sumac_status status = sumac_bases_read(context, curve, f.path, format, NULL, bases);
    assert_int_equal(pthread_join(thread, NULL), 0);
    empty_directory();
    return status;
}

void test_pipes(void **state)
{
    test_curve *t = *state;
    const size_t bytes = t->info->point_bytes, n = 3000;
    sumac_context *context = test_context(1, 0);
    uint8_t *points = many_points(t, n);
    sumac_bases *bases = NULL;
    test_status(context, read_from_pipe(context, t->curve, "raw", points, n * bytes, &bases), SUMAC_OK,
                "pipe");
    expect_points(context, bases, points, n);
    const char *path = in_directory("table");
    expect(context, sumac_bases_save(context, bases, path), SUMAC_OK, path, NULL);
    sumac_bases_destroy(bases);
    size_t size;
    uint8_t *table = read_file(path, &size);
    empty_directory();
    test_status(context, read_from_pipe(context, t->curve, "table", table, size, &bases), SUMAC_OK, "pipe");
    expect_points(context, bases, points, n);
    sumac_bases_destroy(bases);
    test_status(context, read_from_pipe(context, t->curve, "table", table, size - 1, &bases), SUMAC_BAD_FILE,
                "pipe");
    table[size] = 0;
    test_status(context, read_from_pipe(context, t->curve, "table", table, size + 1, &bases), SUMAC_BAD_FILE,
                "pipe");
    test_status(context, read_from_pipe(context, t->curve, "raw", points, n * bytes - 1, &bases),
                SUMAC_BAD_FILE, "pipe");
    expect(context, sumac_bases_read(context, t->curve, "/dev/null", "raw", NULL, &bases), SUMAC_OK,
           "/dev/null", NULL);
    expect_points(context, bases, points, 0);
    sumac_bases_destroy(bases);
    free(points);
    free(table);
    sumac_context_destroy(context);
}

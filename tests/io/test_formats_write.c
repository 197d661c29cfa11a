/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests writes that fail, and writes over existing files. */
#include <signal.h>
#include <sys/resource.h>

#include "test_formats_support.h"

void test_failing_writes(void)
{
    enum { N = 1000 };
    const sumac_group *group = bls12_381(1);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    assert_int_equal(sumac_known_bases_create(context, group, N, 1, NULL, &bases), SUMAC_OK);
    static const char *const formats[] = {"raw", "table", "zcash-compressed", "zcash-uncompressed",
                                          "eip2537"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const char *absent = in_directory("absent/points"), *kept = in_directory("kept");
        expect(context, sumac_bases_save(context, bases, "/dev/full", formats[i]), SUMAC_WRITE_FAILED,
               "/dev/full", strerror(ENOSPC));
        expect(context, sumac_bases_save(context, bases, directory, formats[i]), SUMAC_CANNOT_OPEN, directory,
               strerror(EISDIR));
        expect(context, sumac_bases_save(context, bases, absent, formats[i]), SUMAC_CANNOT_OPEN, absent,
               strerror(ENOENT));
        TEST_OK(context, sumac_bases_save(context, bases, "/dev/null", formats[i]));
        if (geteuid() != 0) { /* root may write everywhere */
            test_write_file(kept, "kept", 4);
            assert_int_equal(chmod(kept, 0400), 0);
            expect(context, sumac_bases_save(context, bases, kept, formats[i]), SUMAC_CANNOT_OPEN, kept,
                   strerror(EACCES));
            empty_directory();
        }
        assert_int_equal(count_files(), 0);
    }
    struct stat facts;
    assert_int_equal(stat("/dev/full", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

/* A limit on the size of files imitates a disk that becomes full. */
void test_full_disk(void)
{
    enum { N = 1000 };
    const sumac_group *group = bls12_381(1);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    size_t size;
    assert_int_equal(sumac_known_bases_create(context, group, N, 1, NULL, &bases), SUMAC_OK);
    const char *path = in_directory("old");
    test_write_file(path, "old content", 11);
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 40000;
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    static const char *const formats[] = {"raw", "table", "zcash-compressed"};
    sumac_status statuses[3];
    char messages[3][512];
    for (size_t i = 0; i < 3; i++) {
        statuses[i] = sumac_bases_save(context, bases, path, formats[i]);
        snprintf(messages[i], sizeof messages[i], "%s", sumac_context_message(context));
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(statuses[i], SUMAC_WRITE_FAILED);
        assert_non_null(strstr(messages[i], path));
        assert_non_null(strstr(messages[i], "byte 40000"));
    }
    assert_int_equal(count_files(), 1);
    AUTO_FREE uint8_t *bytes = test_read_file(path, &size);
    assert_int_equal(size, 11);
    assert_memory_equal(bytes, "old content", 11);
    empty_directory();
}

/* If a path names an open descriptor, the bytes are written at its position, and no file is replaced. */
void test_descriptors(void)
{
    const sumac_group *group = test_find_group("bn254", "g1");
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    size_t size;
    char name[64];
    assert_int_equal(sumac_known_bases_create(context, group, 3, 1, NULL, &bases), SUMAC_OK);
    const char *path = in_directory("log");
    static const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    for (size_t i = 0; i < 2; i++) {
        test_write_file(path, "head", 4);
        FILE *log = fopen(path, "ab+");
        assert_non_null(log);
        snprintf(name, sizeof name, forms[i], fileno(log));
        TEST_OK(context, sumac_bases_save(context, bases, name, "raw"));
        assert_int_equal(fclose(log), 0);
        AUTO_FREE uint8_t *bytes = test_read_file(path, &size);
        assert_int_equal(size, 4 + 3 * 64);
        assert_memory_equal(bytes, "head", 4);
        assert_int_equal(count_files(), 1);
    }
    expect(context, sumac_bases_save(context, bases, "/dev/fd/999", "raw"), SUMAC_CANNOT_OPEN, "/dev/fd/999",
           strerror(EBADF));
    empty_directory();
}

/* If a file is overwritten, it keeps its mode. If the path is a symbolic link, the file to which it points is
 * replaced. */
void test_replacing(void)
{
    const sumac_group *group = test_find_group("bn254", "g1");
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    struct stat facts;
    AUTO_FREE char *link_path = NULL;
    assert_int_equal(sumac_known_bases_create(context, group, 3, 1, NULL, &bases), SUMAC_OK);
    const char *path = in_directory("target");
    test_write_file(path, "old", 3);
    assert_int_equal(chmod(path, 0640), 0);
    link_path = strdup(in_directory("link"));
    assert_int_equal(symlink("target", link_path), 0);
    TEST_OK(context, sumac_bases_save(context, bases, link_path, "raw"));
    assert_int_equal(lstat(link_path, &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(lstat(path, &facts), 0);
    assert_int_equal(facts.st_size, 3 * 64);
    assert_int_equal(facts.st_mode & 07777, 0640);
    assert_int_equal(count_files(), 2);
    /* If the path is a dangling link, the file that it names is created, with umask's permissions. */
    assert_int_equal(unlink(path), 0);
    const mode_t mask = umask(027);
    TEST_OK(context, sumac_bases_save(context, bases, link_path, "raw"));
    umask(mask);
    assert_int_equal(lstat(link_path, &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(lstat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0640);
    assert_int_equal(count_files(), 2);
    empty_directory();
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests that MSMs of files in bounded memory give the same point as MSMs from memory, for all chunks, formats
 * and limits. Bad records, changing files and failing reads give a message and no point. If work was killed, it
 * continues from its checkpoint, from which no other MSM can continue.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/container.h"
#include "sumac/experimental.h"
#include "support/container.h"
#include "support/failing.h"
#include "support/files.h"
#include "support/harness.h"

static char directory[64];

/* ---- Failing reads; the linker redirects the library's pread() to this file ---- */

typedef enum read_fault { READ_WELL, READ_BYTES, READ_ERROR, READ_END } read_fault;

static struct {
    read_fault fault;
    long after; /* the number of calls that succeed first */
} reads;

ssize_t __real_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset);

ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    const long number = __atomic_fetch_sub(&reads.after, 1, __ATOMIC_RELAXED);
    switch (number > 0 ? READ_WELL : reads.fault) {
    case READ_BYTES: /* the call reads few bytes at a time, and is interrupted */
        errno = EINTR;
        return number % 2 == 0 ? -1 : __real_pread(descriptor, bytes, count < 1000 ? count : 1000, offset);
    case READ_ERROR:
        errno = EIO;
        return -1;
    case READ_END:
        return 0;
    default:
        return __real_pread(descriptor, bytes, count, offset);
    }
}

/* ---- Files ---- */

typedef struct scene {
    test_group *t;
    sumac_context *context;
    char bases[96], scalars[96], checkpoint[96];
    size_t n;
    uint8_t *points, *scalar_bytes, *expected, *result;
    sumac_files_config config;
    sumac_msm_config msm;
    sumac_files_report report;
    /* At report `at` the file `changed` is changed. If `cancels` is set, the call is cancelled instead. */
    void (*change)(const char *path);
    const char *changed;
    int at;
    int cancels;
    double last; /* the last report */
} scene;

static int on_progress(void *user, double done)
{
    scene *s = user;
    assert_true(done >= s->last && done <= 1.0 + 1e-9);
    s->last = done;
    if (s->at-- != 0) {
        return 0;
    }
    if (s->change != NULL) {
        s->change(s->changed);
    }
    return s->cancels;
}

static size_t file_size(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return (size_t)facts.st_size;
}

/* Create a context that names one device several times. */
static sumac_context *context_of(scene *s, uint32_t times)
{
    static const int32_t devices[3] = {0};
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = options.backend;
    config.tuning = options.tuning;
    /* A GPU's threads read files, and the tests count these reads. */
    config.threads = strcmp(options.backend, "cpu") == 0 ? 2 : 1;
    config.progress = on_progress;
    config.user = s;
    config.devices = times > 1 ? devices : NULL;
    config.device_count = times > 1 ? times : 0;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    return context;
}

static void write_inputs(const scene *s)
{
    test_write_file(s->bases, s->points, s->n * s->t->info->point_bytes);
    test_write_file(s->scalars, s->scalar_bytes, s->n * s->t->info->scalar_bytes);
}

/* Make n random points, some of which are infinity, and random scalars, some of which are 0. The caller makes large
 * arrays. */
static scene make_scene(test_group *t, size_t n)
{
    scene s = {.t = t, .n = n};
    strcpy(directory, "/tmp/sumac-stream-XXXXXX");
    assert_non_null(mkdtemp(directory));
    snprintf(s.bases, sizeof s.bases, "%s/bases", directory);
    snprintf(s.scalars, sizeof s.scalars, "%s/scalars", directory);
    snprintf(s.checkpoint, sizeof s.checkpoint, "%s/checkpoint", directory);
    s.points = test_alloc(n * t->info->point_bytes);
    s.scalar_bytes = test_alloc(n * t->info->scalar_bytes);
    s.expected = test_alloc(t->info->point_bytes);
    s.result = test_alloc(t->info->point_bytes);
    s.config = (sumac_files_config){.size = sizeof(sumac_files_config)};
    s.config.check = SUMAC_CHECK_CURVE;
    s.config.checkpoint_milliseconds = 1;
    s.msm = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    s.report = (sumac_files_report){.size = sizeof(sumac_files_report)};
    if (n > 100) {
        return s;
    }
    test_random_points(t, s.points, NULL, n);
    test_random_scalars(t, s.scalar_bytes, n);
    for (size_t i = 0; i < n; i += 4) {
        memset(s.points + i * t->info->point_bytes, 0, t->info->point_bytes);
    }
    for (size_t i = 3; i < n; i += 7) {
        memset(s.scalar_bytes + i * t->info->scalar_bytes, 0, t->info->scalar_bytes);
    }
    oracle_msm(&t->oracle, s.expected, s.points, s.scalar_bytes, n);
    return s;
}

/* Create the context, which keeps the scene's address. */
static void open_scene(scene *s)
{
    s->context = context_of(s, 1);
    write_inputs(s);
}

static void close_scene(scene *s)
{
    sumac_context_destroy(s->context);
    (void)remove(s->bases);
    (void)remove(s->scalars);
    (void)remove(s->checkpoint);
    assert_int_equal(rmdir(directory), 0);
    free(s->points);
    free(s->scalar_bytes);
    free(s->expected);
    free(s->result);
}

static sumac_status run(scene *s)
{
    memset(s->result, 0xa5, s->t->info->point_bytes);
    s->last = 0;
    return sumac_msm_files(s->context, s->t->group, s->bases, s->scalars, &s->config, &s->msm, s->result,
                           s->t->group->point_bytes, &s->report);
}

static void expect_result(scene *s, const char *label)
{
    TEST_OK(s->context, run(s));
    if (memcmp(s->result, s->expected, s->t->info->point_bytes) != 0) {
        test_abort("%s: a wrong point, chunks of %llu", label, (unsigned long long)s->report.chunk);
    }
}

/* Require a failure whose message contains `part`, and that nothing is written. */
static void expect_failure(scene *s, sumac_status expected, const char *part, const char *label)
{
    test_status(s->context, run(s), expected, label);
    if (strstr(sumac_context_message(s->context), part) == NULL) {
        test_abort("%s: \"%s\" does not say \"%s\"", label, sumac_context_message(s->context), part);
    }
    for (size_t i = 0; i < s->t->info->point_bytes; i++) {
        assert_int_equal(s->result[i], 0xa5);
    }
}

/* Write the bases in another format. */
static void write_bases(scene *s, const char *format, uint32_t factor)
{
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = factor;
    s->last = 0;
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(s->context, s->t, s->points, s->n, &config);
    s->last = 0; /* saving is another call, whose reports begin again */
    TEST_OK(s->context, sumac_bases_save(s->context, bases, s->bases, format == NULL ? "raw" : format));
}

/* ---- The same point ---- */

static void check_chunks(scene *s, const char *label)
{
    static const uint64_t chunks[] = {1, 2, 5, 12, 22, 23, 100, 0};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        s->config.chunk = chunks[i];
        expect_result(s, label);
        assert_int_equal(s->report.n, s->n);
        assert_int_equal(s->report.resumed, 0);
        assert_int_equal(s->report.chunk, chunks[i] == 0 || chunks[i] > s->n ? s->n : chunks[i]);
        assert_true(s->last > 0.999);
    }
    s->config.chunk = 0;
}

static void test_chunks(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    open_scene(&s);
    check_chunks(&s, "raw, found");
    s.config.format = "raw";
    check_chunks(&s, "raw");
    write_bases(&s, "table", 1);
    s.config.format = NULL;
    check_chunks(&s, "table, found");
    s.config.checkpoint = s.checkpoint;
    s.config.chunk = 3;
    expect_result(&s, "table, checkpoint");
    s.config.checkpoint = NULL;
    s.config.format = "table";
    s.config.check = SUMAC_CHECK_SUBGROUP;
    check_chunks(&s, "table");
    write_bases(&s, "arkworks-compressed", 1);
    s.config.format = "arkworks-compressed";
    check_chunks(&s, "arkworks-compressed");
    if (strcmp(s.t->info->curve, "bls12-381") == 0) {
        static const char *const formats[] = {"zcash-compressed", "zcash-uncompressed", "eip2537",
                                              "gnark-dump"};
        for (int i = 0; i < 4; i++) {
            write_bases(&s, formats[i], 1);
            s.config.format = formats[i];
            check_chunks(&s, formats[i]);
        }
    }
}

/* Use parts of both files, all forms of scalars and results, and no bases. */
static void test_parts(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 17);
    const sumac_group *info = s.t->info;
    open_scene(&s);
    for (size_t first = 0; first <= s.n; first += 3) {
        for (size_t n = 1; n <= s.n - first; n += 4) {
            oracle_msm(&s.t->oracle, s.expected, s.points + first * info->point_bytes,
                       s.scalar_bytes + first * info->scalar_bytes, n);
            s.config.first = first;
            s.config.n = n;
            s.config.chunk = 3;
            expect_result(&s, "a part");
            s.config.n = 0;
        }
    }
    s.config.first = 18;
    expect_failure(&s, SUMAC_BAD_LENGTH, "17", "beyond the end");
    s.config.first = 2;
    s.config.n = 16;
    expect_failure(&s, SUMAC_BAD_LENGTH, "2 + 16", "beyond the end");
    s.config.first = 0;
    s.config.n = 0;
    sumac_bases *bases = test_bases(s.context, s.t, s.points, s.n, NULL);
    s.msm.scalar_form = s.msm.result_form = SUMAC_FORM_MONTGOMERY;
    TEST_OK(s.context, exact_msm(s.context, bases, s.scalar_bytes, s.n, &s.msm, s.expected));
    expect_result(&s, "Montgomery");
    sumac_bases_destroy(bases);
    test_write_file(s.bases, "", 0);
    test_write_file(s.scalars, "", 0);
    memset(s.expected, 0, info->point_bytes);
    expect_result(&s, "no bases");
    s.config.checkpoint = s.checkpoint;
    expect_result(&s, "no bases, a checkpoint");
    expect_result(&s, "no bases, from a checkpoint");
}

/* Make a scene of known bases, which fill several blocks of a mebibyte. */
static scene make_large_scene(test_group *t)
{
    const size_t n = options.quick ? 7000 : 12000;
    scene s = make_scene(t, n);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *logarithms = test_alloc(n * t->info->scalar_bytes);
    test_random_scalars(t, s.scalar_bytes, n);
    TEST_OK(context, sumac_known_bases_create(context, t->group, n, 1, NULL, &bases));
    TEST_OK(context, test_known_logarithms(context, t->group, n, 1, logarithms));
    TEST_OK(context, test_known_answer(context, t->group, s.scalar_bytes, logarithms, n, s.expected));
    TEST_OK(context, exact_get(context, bases, 0, n, s.points));
    return s;
}

/* The message about a limit says how many bytes are missing. With these bytes the call succeeds, and takes no more. Return the
 * smallest sufficient limit. */
static uint64_t check_limits(scene *s)
{
    unsigned long long missing = 0;
    s->config.memory_limit = 1;
    expect_failure(s, SUMAC_MEMORY_LIMIT, "bytes is ", "a limit of 1");
    const char *number = strstr(sumac_context_message(s->context), "bytes is ");
    assert_int_equal(sscanf(number, "bytes is %llu bytes too small", &missing), 1);
    s->config.memory_limit = missing;
    expect_failure(s, SUMAC_MEMORY_LIMIT, " 1 bytes too small", "one byte less");
    s->report.chunk = 0;
    for (uint64_t limit = missing + 1; s->report.chunk < s->n; limit += limit / (options.quick ? 5 : 10)) {
        assert_true(limit < (uint64_t)64 << 20);
        s->config.memory_limit = limit;
        failing_begin(failing_none);
        expect_result(s, "a limit");
        const failing_report asked = failing_end();
        assert_true(s->report.memory_bytes <= limit);
        assert_true(s->last > 0.999);
        /* Memory that is freed during the call can be used again. Each chunk's buffer is, and so is the workspace if a
         * later one is larger. */
        const uint64_t chunks = (s->n - 1) / s->report.chunk + 1;
        const uint64_t again = (chunks * ((uint64_t)3 << 20)) + (s->n % s->report.chunk > 0 ? limit / 2 : 0);
        if (strcmp(options.backend, "cpu") == 0 && asked.bytes > limit + again) {
            test_abort("%llu bytes with a limit of %llu", (unsigned long long)asked.bytes,
                       (unsigned long long)limit);
        }
    }
    return missing + 1;
}

static void test_limits(void **state)
{
    CLEANUP(close_scene) scene s = make_large_scene(*state);
    open_scene(&s);
    const uint64_t least = check_limits(&s);
    static const uint64_t boundless[] = {UINT64_MAX, UINT64_MAX - 1, (uint64_t)1 << 63};
    for (size_t i = 0; i < sizeof boundless / sizeof *boundless; i++) {
        s.config.memory_limit = boundless[i];
        expect_result(&s, "a limit beyond all memory");
        assert_int_equal(s.report.chunk, s.n);
    }
    write_bases(&s, "table", 1);
    s.config.memory_limit = least - 1 + (2 << 20);
    expect_result(&s, "a table within a limit");
}

/* Limits also hold for several devices. On the CPU these share one memory. A call within a limit keeps no allocation
 * for the next one. */
static void test_limits_of_devices(void **state)
{
    CLEANUP(close_scene) scene s = make_large_scene(*state);
    write_inputs(&s);
    s.context = context_of(&s, 3);
    const uint64_t least = check_limits(&s);
    s.config.memory_limit = 0;
    expect_result(&s, "no limit");
    assert_int_equal(s.report.chunk, s.n);
    s.config.memory_limit = least;
    expect_result(&s, "the least limit");
    assert_true(s.report.chunk < s.n);
}

/* ---- Damage ---- */

static void test_bad_records(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    const size_t bytes = s.t->info->point_bytes, scalar = s.t->info->scalar_bytes;
    char part[64];
    open_scene(&s);
    for (size_t bad = 1; bad < s.n; bad += bad < 5 ? 1 : 5) {
        uint8_t *point = s.points + bad * bytes, kept[4 * 96];
        memcpy(kept, point, bytes);
        memset(point, 0, bytes);
        point[0] = 3; /* (3, 0) */
        write_inputs(&s);
        snprintf(part, sizeof part, "bases: the point at byte %zu ", bad * bytes);
        for (s.config.chunk = 1; s.config.chunk < 30; s.config.chunk += 2) {
            expect_failure(&s, SUMAC_NOT_ON_CURVE, part, "off the curve");
        }
        memset(point, 0xff, bytes);
        write_inputs(&s);
        expect_failure(&s, SUMAC_BAD_ENCODING, part, "not less than p");
        memcpy(point, kept, bytes);
    }
    s.msm.scalar_bits = 4;
    memset(s.scalar_bytes, 0, s.n * scalar);
    for (size_t bad = 0; bad < s.n; bad += 3) {
        s.scalar_bytes[bad * scalar] = 16;
        write_inputs(&s);
        snprintf(part, sizeof part, "scalars: scalar %zu ", bad);
        for (s.config.chunk = 1; s.config.chunk < 30; s.config.chunk += 3) {
            expect_failure(&s, SUMAC_SCALAR_TOO_LARGE, part, "a large scalar");
        }
        s.scalar_bytes[bad * scalar] = 15;
    }
}

/* A change of any byte of a table is found. */
static void test_table_damage(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 11);
    uint8_t byte;
    open_scene(&s);
    write_bases(&s, "table", 1);
    s.config.chunk = 4;
    s.config.check = SUMAC_CHECK_NONE;
    const size_t size = file_size(s.bases);
    const int descriptor = open(s.bases, O_RDWR);
    for (size_t at = 8; at < size; at += at < 128 || at > size - 9 ? 1 : 37) {
        assert_int_equal(__real_pread(descriptor, &byte, 1, (off_t)at), 1);
        byte ^= 1;
        assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)at), 1);
        const sumac_status status = run(&s);
        if (status != SUMAC_BAD_CHECKSUM && status != SUMAC_BAD_FILE && status != SUMAC_BAD_ENCODING) {
            test_abort("byte %zu: status %d", at, (int)status);
        }
        assert_int_equal(s.result[0], 0xa5);
        byte ^= 1;
        assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)at), 1);
    }
    expect_result(&s, "undamaged again");
    s.config.n = s.n - 1;
    expect_failure(&s, SUMAC_NOT_SUPPORTED, "in part", "a part of a table");
    s.config.n = s.n;
    expect_result(&s, "all of a table");
    close(descriptor);
    write_bases(&s, "table", 2);
    if (file_size(s.bases) > size) {
        expect_failure(&s, SUMAC_NOT_SUPPORTED, "multiples", "a table of multiples");
    }
}

/* ---- Files that change ---- */

static void cut(const char *path)
{
    assert_int_equal(truncate(path, (off_t)file_size(path) / 2), 0);
}

static void grow(const char *path)
{
    assert_int_equal(truncate(path, (off_t)file_size(path) + 1), 0);
}

/* The clock of a file system may stand still for some milliseconds. */
static void touch(const char *path)
{
    const struct timespec times[2] = {{1, 2}, {3, 4}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_changes(void **state)
{
    static void (*const changes[])(const char *path) = {cut, grow, touch};
    CLEANUP(close_scene) scene s = make_large_scene(*state);
    open_scene(&s);
    s.config.chunk = s.n / 3;
    for (size_t i = 0; i < 4 * (sizeof changes / sizeof *changes); i++) {
        s.change = changes[i / 4];
        s.changed = i % 2 == 0 ? s.bases : s.scalars;
        s.at = i / 2 % 2 == 0 ? 0 : 4;
        expect_failure(&s, SUMAC_BAD_FILE, i % 2 == 0 ? "bases: it changed" : "scalars: it changed",
                       "a file that changes");
        assert_true(s.at < 0);
        write_inputs(&s);
    }
    s.change = NULL;
    expect_result(&s, "as it was");
}

static void test_reads(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    open_scene(&s);
    s.config.chunk = 4;
    s.config.checkpoint = s.checkpoint;
    reads.fault = READ_BYTES;
    reads.after = 0;
    expect_result(&s, "short reads");
    for (long after = 0; after < 12; after++) {
        (void)remove(s.checkpoint);
        reads.after = after;
        reads.fault = READ_ERROR;
        expect_failure(&s, SUMAC_READ_FAILED, "failed: ", "a read fails");
        (void)remove(s.checkpoint);
        reads.after = after;
        reads.fault = READ_END;
        expect_failure(&s, SUMAC_BAD_FILE, "it ends at byte", "the file ends");
    }
    reads.fault = READ_WELL;
    s.config.checkpoint = NULL;
    expect_result(&s, "good reads");
}

/* ---- Checkpoints ---- */

/* If a call is cancelled at any report, nothing is written. The last checkpoint stays, and the next call continues from
 * it. */
static void check_cancelled(scene *s)
{
    uint64_t most = 0;
    int at = 0;
    for (;; at++) {
        s->config.checkpoint = NULL;
        s->at = at;
        const sumac_status status = run(s);
        if (status == SUMAC_OK) {
            break;
        }
        s->at = at;
        expect_failure(s, SUMAC_CANCELLED, "was cancelled", "cancelled");
        s->at = -1;
        expect_result(s, "after it was cancelled");
        s->config.checkpoint = s->checkpoint;
        s->at = at;
        expect_failure(s, SUMAC_CANCELLED, "was cancelled", "with a checkpoint");
        s->at = -1;
        s->config.chunk = 4; /* a chunk may have another size than before */
        expect_result(s, "from its checkpoint");
        assert_true(s->report.resumed % 5 == 0);
        most = s->report.resumed > most ? s->report.resumed : most;
        expect_result(s, "from the end");
        assert_int_equal(s->report.resumed, s->n);
        s->config.chunk = 5;
        (void)remove(s->checkpoint);
    }
    assert_true(at >= 10); /* five chunks report bases and a sum each */
    assert_int_equal(most, 20);
}

static void test_cancelled(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    open_scene(&s);
    s.config.chunk = 5;
    s.cancels = 1;
    check_cancelled(&s);
    s.at = -1;
    write_bases(&s, "table", 1);
    check_cancelled(&s);
}

/* Leave a checkpoint of the first chunks in s->checkpoint. */
static void leave_checkpoint(scene *s)
{
    s->config.checkpoint = s->checkpoint;
    s->config.chunk = 3;
    (void)remove(s->checkpoint);
    reads.fault = READ_END; /* the sixth read fails, which is for the third chunk's bases */
    reads.after = 5;
    expect_failure(s, SUMAC_BAD_FILE, "ends at", "interrupted");
    reads.fault = READ_WELL;
    s->config.chunk = 23;
}

static void test_other_checkpoints(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    const sumac_group *info = s.t->info;
    open_scene(&s);
    leave_checkpoint(&s);
    s.scalar_bytes[4 * info->scalar_bytes] ^= 1;
    write_inputs(&s);
    expect_failure(&s, SUMAC_MISMATCH, "the scalars that are done", "another scalar");
    s.scalar_bytes[4 * info->scalar_bytes] ^= 1;
    memcpy(s.points + info->point_bytes, s.points + 2 * info->point_bytes, info->point_bytes);
    write_inputs(&s);
    expect_failure(&s, SUMAC_MISMATCH, "the bases that are done", "another base");
    close_scene(&s);

    s = make_scene(*state, 23);
    open_scene(&s);
    leave_checkpoint(&s);
    s.config.check = SUMAC_CHECK_NONE;
    expect_failure(&s, SUMAC_MISMATCH, "check", "another check");
    s.config.check = SUMAC_CHECK_CURVE;
    s.config.first = 1;
    expect_failure(&s, SUMAC_MISMATCH, "first base", "another part");
    s.config.first = 0;
    s.config.n = 22;
    expect_failure(&s, SUMAC_MISMATCH, "number of bases", "another part");
    s.config.n = 23;
    s.msm.scalar_bits = info->scalar_bits;
    expect_failure(&s, SUMAC_MISMATCH, "scalar_bits", "other scalars");
    s.msm.scalar_bits = 0;
    s.msm.scalar_form = SUMAC_FORM_MONTGOMERY;
    expect_failure(&s, SUMAC_MISMATCH, "form", "another form");
    s.msm.scalar_form = SUMAC_FORM_CANONICAL;
    test_write_file(s.scalars, s.scalar_bytes, 22 * info->scalar_bytes);
    s.config.n = 22;
    expect_failure(&s, SUMAC_MISMATCH, "file of scalars", "a shorter file");
    s.config.n = 0;
    write_bases(&s, "table", 1);
    test_write_file(s.scalars, s.scalar_bytes, 23 * info->scalar_bytes);
    expect_failure(&s, SUMAC_MISMATCH, "format", "a table");
    /* Scalars that were not used yet may change. */
    memset(s.scalar_bytes + 20 * info->scalar_bytes, 7, info->scalar_bytes);
    write_inputs(&s);
    oracle_msm(&s.t->oracle, s.expected, s.points, s.scalar_bytes, s.n);
    expect_result(&s, "another rest");
    assert_int_equal(s.report.resumed, 6);
}

static void test_damaged_checkpoints(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    uint8_t bytes[1024];
    open_scene(&s);
    leave_checkpoint(&s);
    const size_t size = file_size(s.checkpoint);
    int descriptor = open(s.checkpoint, O_RDONLY);
    assert_true(size < sizeof bytes && __real_pread(descriptor, bytes, size, 0) == (ssize_t)size);
    close(descriptor);
    for (size_t at = 0; at < size; at++) {
        const int is_form = at < HEADER_CURVE || (at >= HEADER_SECTIONS && at < HEADER_RESERVED);
        bytes[at] ^= 0x10;
        test_write_file(s.checkpoint, bytes, size);
        expect_failure(&s, is_form ? SUMAC_BAD_FILE : SUMAC_BAD_CHECKSUM, s.checkpoint, "a damaged byte");
        bytes[at] ^= 0x10;
    }
    for (size_t less = 0; less < size; less += 5) {
        test_write_file(s.checkpoint, bytes, less);
        expect_failure(&s, SUMAC_BAD_FILE, "truncated", "a part of it");
        assert_int_equal(file_size(s.checkpoint), less);
    }
    test_write_file(s.checkpoint, bytes, size + 300);
    expect_failure(&s, SUMAC_BAD_FILE, "too long", "more behind it");
    bytes[HEADER_VERSION] = 1;
    test_write_file(s.checkpoint, bytes, size);
    expect_failure(&s, SUMAC_BAD_FILE, "version 1", "an older version");
    bytes[HEADER_VERSION] = 2;
    /* If a point is off the curve, or the count of bases that are done is too large, the checkpoint is refused even
     * with a correct checksum. */
    const file_section sum = file_section_of(bytes, SECTION_RESULTS);
    const size_t done = file_section_of(bytes, SECTION_PROGRESS).entry + ENTRY_COUNT;
    uint8_t kept[4 * 96];
    assert_int_equal(file_load(bytes + done, 8), 6);
    memcpy(kept, bytes + sum.offset, sum.size);
    memset(bytes + sum.offset, 0, sum.size);
    bytes[sum.offset] = 3;
    file_correct(bytes, size);
    test_write_file(s.checkpoint, bytes, size);
    expect_failure(&s, SUMAC_NOT_ON_CURVE, s.checkpoint, "a point off the curve");
    memcpy(bytes + sum.offset, kept, sum.size);
    file_store(bytes + done, 24, 8);
    file_correct(bytes, size);
    test_write_file(s.checkpoint, bytes, size);
    expect_failure(&s, SUMAC_BAD_FILE, "sizes", "more than all");
    /* A descriptor of a good checkpoint is refused. */
    file_store(bytes + done, 6, 8);
    file_correct(bytes, size);
    test_write_file(s.checkpoint, bytes, size);
    char name[32];
    const int opened = open(s.checkpoint, O_RDWR);
    assert_true(opened >= 0);
    (void)snprintf(name, sizeof name, "/dev/fd/%d", opened);
    s.config.checkpoint = name;
    expect_failure(&s, SUMAC_NOT_SUPPORTED, "regular file", "a descriptor");
    (void)close(opened);
    (void)remove(s.checkpoint);
    s.config.checkpoint = directory;
    expect_failure(&s, SUMAC_CANNOT_OPEN, directory, "a directory");
    s.config.checkpoint = "/nowhere/at/all";
    expect_failure(&s, SUMAC_CANNOT_OPEN, "/nowhere/at/all", "no directory");
}

/* Remove the checkpoint and its directory. */
static void remove_directory(const char *path)
{
    char parent[128];
    (void)remove(path);
    snprintf(parent, sizeof parent, "%.*s", (int)(strlen(path) - strlen("/kept")), path);
    assert_int_equal(rmdir(parent), 0);
}

/* If a checkpoint can't be written, the call ends, unless no work would be lost. */
static void test_unwritable_checkpoints(void **state)
{
    for (int last = 0; last < 2; last++) {
        CLEANUP(close_scene) scene s = make_scene(*state, 23);
        char path[sizeof s.checkpoint + 8];
        open_scene(&s);
        assert_int_equal(mkdir(s.checkpoint, 0700), 0);
        snprintf(path, sizeof path, "%s/kept", s.checkpoint);
        s.config.checkpoint = path;
        s.config.checkpoint_milliseconds = last ? 1000000000 : 1;
        s.config.chunk = 3;
        s.change = remove_directory;
        s.changed = path;
        s.at = 2;
        if (last) {
            expect_result(&s, "the last checkpoint");
            assert_string_equal(sumac_context_message(s.context), "");
        } else {
            expect_failure(&s, SUMAC_CANNOT_OPEN, path, "a checkpoint");
        }
        assert_true(s.at < 0);
    }
}

/* ---- Failing memory and threads ---- */

static void test_memory(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 23);
    open_scene(&s);
    s.config.chunk = 7;
    s.config.checkpoint = s.checkpoint;
    sumac_status status = SUMAC_OUT_OF_MEMORY;
    for (long k = 0; status != SUMAC_OK; k++) {
        assert_true(k < 1000);
        (void)remove(s.checkpoint);
        failing_begin((failing_plan){.allocation = k, .thread = -1, .from_then_on = (int)(k % 2)});
        status = run(&s);
        const failing_report report = failing_end();
        if (status != SUMAC_OK) {
            test_status(s.context, status, SUMAC_OUT_OF_MEMORY, "an allocation fails");
            assert_int_equal(s.result[0], 0xa5);
        } else if (report.allocations_failed > 0) {
            assert_memory_equal(s.result, s.expected, s.t->info->point_bytes);
            status = SUMAC_OUT_OF_MEMORY; /* that allocation was optional; continue */
        }
    }
    for (long k = 0; k < 3; k++) { /* there may be no thread that reads */
        (void)remove(s.checkpoint);
        failing_begin((failing_plan){.allocation = -1, .thread = k, .from_then_on = 1});
        expect_result(&s, "no threads");
        (void)failing_end();
    }
}

static void test_arguments(void **state)
{
    CLEANUP(close_scene) scene s = make_scene(*state, 9);
    const sumac_group *group = s.t->group;
    open_scene(&s);
    assert_int_equal(
        sumac_msm_files(NULL, group, s.bases, s.scalars, NULL, NULL, s.result, group->point_bytes, NULL),
        SUMAC_BAD_ARGUMENT);
    test_status(
        s.context,
        sumac_msm_files(s.context, NULL, s.bases, s.scalars, NULL, NULL, s.result, group->point_bytes, NULL),
        SUMAC_BAD_ARGUMENT, "no curve");
    test_status(
        s.context,
        sumac_msm_files(s.context, group, NULL, s.scalars, NULL, NULL, s.result, group->point_bytes, NULL),
        SUMAC_BAD_ARGUMENT, "no path");
    test_status(
        s.context,
        sumac_msm_files(s.context, group, s.bases, NULL, NULL, NULL, s.result, group->point_bytes, NULL),
        SUMAC_BAD_ARGUMENT, "no path");
    test_status(
        s.context,
        sumac_msm_files(s.context, group, s.bases, s.scalars, NULL, NULL, NULL, group->point_bytes, NULL),
        SUMAC_BAD_ARGUMENT, "no result");
    TEST_OK(s.context, sumac_msm_files(s.context, group, s.bases, s.scalars, NULL, NULL, s.result,
                                       group->point_bytes, NULL));
    assert_memory_equal(s.result, s.expected, s.t->info->point_bytes);
    s.config.check = 4;
    expect_failure(&s, SUMAC_BAD_ARGUMENT, "check", "no check");
    s.config.check = SUMAC_CHECK_SUBGROUP;
    s.config.outside_subgroup = 1;
    expect_failure(&s, SUMAC_BAD_ARGUMENT, "check", "outside and checked");
    s.config.check = SUMAC_CHECK_NONE;
    expect_result(&s, "outside");
    s.config.checkpoint_milliseconds = 1;
    s.msm.batch = 2;
    expect_failure(&s, SUMAC_NOT_SUPPORTED, "batch", "a batch");
    s.msm.batch = 1;
    s.msm.first = 1;
    expect_failure(&s, SUMAC_BAD_ARGUMENT, "first", "the MSM's first");
    s.msm.first = 0;
    s.msm.tuning = "c=25";
    expect_failure(&s, SUMAC_BAD_ARGUMENT, "c=25", "a window");
    s.msm.tuning = "plan=none";
    expect_failure(&s, SUMAC_UNKNOWN_PLAN, "none", "a plan");
    s.msm.tuning = NULL;
    s.config.format = "gif";
    expect_failure(&s, SUMAC_UNKNOWN_FORMAT, "gif", "a format");
    s.config.format = NULL;
    test_write_file(s.scalars, s.scalar_bytes, 8 * s.t->info->scalar_bytes);
    expect_failure(&s, SUMAC_BAD_LENGTH, "9 bases", "another length");
    test_write_file(s.scalars, s.scalar_bytes, 9 * s.t->info->scalar_bytes - 1);
    expect_failure(&s, SUMAC_BAD_LENGTH, "cut off", "cut off");
    test_write_file(s.bases, s.points, s.t->info->point_bytes + 1);
    expect_failure(&s, SUMAC_BAD_FILE, "cut off", "cut off");
    strcpy(s.bases + strlen(s.bases), "-none");
    expect_failure(&s, SUMAC_CANNOT_OPEN, s.bases, "no file");
    s.bases[strlen(s.bases) - 5] = '\0';
    write_inputs(&s);
    char kept[96];
    strcpy(kept, s.scalars);
    strcpy(s.scalars, "/dev/null");
    expect_failure(&s, SUMAC_NOT_SUPPORTED, "regular", "a device");
    strcpy(s.scalars, "/proc/self/comm");
    expect_failure(&s, SUMAC_NOT_SUPPORTED, "a kernel file can only be read as a whole",
                   "a file of the kernel");
    strcpy(s.scalars, kept);
    expect_result(&s, "as it was");
}

static const test_entry entries[] = {
    {"chunks", test_chunks, TEST_EVERY_AND_TINY},
    {"parts", test_parts, TEST_EVERY_AND_TINY},
    {"limits", test_limits, TEST_SOME_GROUPS},
    {"limits of devices", test_limits_of_devices, TEST_SOME_GROUPS},
    {"bad records", test_bad_records, TEST_EVERY_GROUP},
    {"damaged tables", test_table_damage, TEST_EVERY_GROUP},
    {"files that change", test_changes, TEST_SOME_GROUPS},
    {"reads", test_reads, TEST_EVERY_GROUP},
    {"cancelled", test_cancelled, TEST_EVERY_GROUP},
    {"other checkpoints", test_other_checkpoints, TEST_EVERY_GROUP},
    {"damaged checkpoints", test_damaged_checkpoints, TEST_EVERY_GROUP},
    {"checkpoints that cannot be written", test_unwritable_checkpoints, TEST_EVERY_GROUP},
    {"memory", test_memory, TEST_EVERY_GROUP},
    {"arguments", test_arguments, TEST_EVERY_GROUP},
};
TEST_MAIN("stream", entries)

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests MSMs of files on a device: several threads read blocks of several slices, from which the device takes
 * scalars and points. Points must agree with known logarithms, and messages must be right, even if the device lacks
 * memory for anything. Other tests read past the system's cache. With the backend cpu, support/device.h imitates the
 * device.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call.h"
#include "api/handles.h"
#include "io/direct_input.h"
#include "sumac/experimental.h"
#include "support/device.h"
#include "support/files.h"
#include "support/harness.h"

enum { FEW = 1000, THREADS = 5, SEED = 9, BLOCK = 8 << 20, SLICE = 1 << 20 };

/* ---- Reads of the bases fail from some byte on; the linker redirects the library's pread() to this file ---- */

static struct {
    off_t from; /* the first byte that can't be read; -1 if all can */
    int error;  /* the error number, or 0 if the file ends there */
    off_t larger_than;
} fault = {.from = -1};

ssize_t __real_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset);

ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    const off_t end = offset + (off_t)count;
    if (fault.from < 0 || end <= fault.from || lseek(descriptor, 0, SEEK_END) < fault.larger_than) {
        return __real_pread(descriptor, bytes, count, offset);
    }
    if (offset < fault.from) {
        return __real_pread(descriptor, bytes, (size_t)(fault.from - offset), offset);
    }
    errno = fault.error;
    return fault.error == 0 ? 0 : -1;
}

/* ---- Files, which repeat the same few points ---- */

typedef struct scene {
    test_group *t;
    sumac_context *context;
    test_device device;
    char directory[64], bases[96], scalars[96], checkpoint[96];
    size_t n, point;
    uint8_t *points, *scalar_bytes, *expected, *result;
    sumac_files_config config;
    sumac_msm_config msm;
    sumac_files_report report;
    int cancel_at; /* the number of the report that cancels; -1 if none does */
} scene;

static int on_progress(void *user, double done)
{
    scene *s = user;
    assert_true(done >= 0 && done <= 1 + 1e-9);
    return s->cancel_at-- == 0;
}

static int is_test_device(const scene *s)
{
    return s->context->executors.at->engine == &s->device;
}

static void write_scalars(const scene *s)
{
    test_write_file(s->scalars, s->scalar_bytes, s->n * s->t->info->scalar_bytes);
}

static void write_points(const scene *s)
{
    test_write_file(s->bases, s->points, s->n * s->point);
}

/* Repeat the points, and make scalars of 12 bits, some of which are 0. Longer scalars would take too long. */
static void make_inputs(scene *s, const uint8_t *points, const uint8_t *logarithms)
{
    const size_t scalar = s->t->info->scalar_bytes;
    AUTO_FREE uint8_t *all = test_alloc(s->n * scalar);
    memset(s->scalar_bytes, 0, s->n * scalar);
    for (size_t i = 0; i < s->n; i++) {
        const uint64_t value = i % 5 == 0 ? 0 : test_random_below(s->t, 1 << 12);
        s->scalar_bytes[i * scalar] = (uint8_t)value;
        s->scalar_bytes[i * scalar + 1] = (uint8_t)(value >> 8);
        memcpy(s->points + i * s->point, points + i % FEW * s->point, s->point);
        memcpy(all + i * scalar, logarithms + i % FEW * scalar, scalar);
    }
    TEST_OK(s->context, test_known_answer(s->context, s->t->group, s->scalar_bytes, all, s->n, s->expected));
}

/* Open a scene of two blocks of bases and a part of a third. The context keeps the scene's address. */
static void open_scene(scene *s, test_group *t)
{
    *s = (scene){.t = t, .point = t->info->point_bytes, .cancel_at = -1};
    const size_t scalar = t->info->scalar_bytes;
    s->n = 2 * (BLOCK / s->point) + FEW + 7;
    s->points = test_alloc(s->n * s->point);
    s->scalar_bytes = test_alloc(s->n * scalar);
    s->expected = test_alloc(s->point);
    s->result = test_alloc(s->point);
    s->config = (sumac_files_config){.size = sizeof(sumac_files_config)};
    s->config.check = SUMAC_CHECK_CURVE;
    s->config.checkpoint_milliseconds = 1;
    s->msm = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    s->msm.scalar_bits = 12;
    s->report = (sumac_files_report){.size = sizeof(sumac_files_report)};
    strcpy(s->directory, "/tmp/sumac-stream-device-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    snprintf(s->bases, sizeof s->bases, "%s/bases", s->directory);
    snprintf(s->scalars, sizeof s->scalars, "%s/scalars", s->directory);
    snprintf(s->checkpoint, sizeof s->checkpoint, "%s/checkpoint", s->directory);
    sumac_context_config asked = test_context_config(THREADS);
    asked.progress = on_progress;
    asked.user = s;
    assert_int_equal(sumac_context_create(&asked, &s->context, NULL), SUMAC_OK);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *points = test_alloc(FEW * s->point), *logarithms = test_alloc(FEW * scalar);
    TEST_OK(s->context, sumac_known_bases_create(s->context, t->group, FEW, SEED, NULL, &bases));
    TEST_OK(s->context, exact_get(s->context, bases, 0, FEW, points));
    TEST_OK(s->context, test_known_logarithms(s->context, t->group, FEW, SEED, logarithms));
    make_inputs(s, points, logarithms);
    write_points(s);
    write_scalars(s);
    device_install(&s->device, s->context, t->group);
}

static void close_scene(scene *s)
{
    device_remove(&s->device, s->context);
    sumac_context_destroy(s->context);
    (void)remove(s->bases);
    (void)remove(s->scalars);
    (void)remove(s->checkpoint);
    assert_int_equal(rmdir(s->directory), 0);
    free(s->points);
    free(s->scalar_bytes);
    free(s->expected);
    free(s->result);
}

static sumac_status run(scene *s)
{
    memset(s->result, 0xa5, s->point);
    s->device.sent = s->device.uploaded = 0;
    return sumac_msm_files(s->context, s->t->group, s->bases, s->scalars, &s->config, &s->msm, s->result,
                           s->t->group->point_bytes, &s->report);
}

/* Require the result, and that the test's device got `sent` points as records. */
static void expect_result(scene *s, uint64_t sent, const char *label)
{
    TEST_OK(s->context, run(s));
    if (memcmp(s->result, s->expected, s->point) != 0) {
        test_abort("%s: a wrong point, chunks of %llu", label, (unsigned long long)s->report.chunk);
    }
    if (is_test_device(s) && s->device.sent != sent) {
        test_abort("%s: %llu points were sent", label, (unsigned long long)s->device.sent);
    }
}

/* Require a failure whose message contains both parts, and that nothing is written. */
static void expect_failure(scene *s, sumac_status expected, const char *part, const char *other)
{
    test_sentence(s->context, run(s), expected, part);
    if (strstr(sumac_context_message(s->context), other) == NULL) {
        test_abort("\"%s\" does not say \"%s\"", sumac_context_message(s->context), other);
    }
    assert_int_equal(s->result[0], 0xa5);
}

/* ---- The same point ---- */

static void save_as(scene *s, const char *format)
{
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(s->context, s->t, s->points, s->n, NULL);
    TEST_OK(s->context, sumac_bases_save(s->context, bases, s->bases, format == NULL ? "raw" : format));
    s->config.format = format;
}

static void test_formats(void **state)
{
    static const char *const formats[] = {"table", "arkworks-compressed"};
    CLEANUP(close_scene) scene s = {0};
    open_scene(&s, *state);
    for (size_t f = 0; f <= sizeof formats / sizeof *formats; f++) {
        if (f > 0) {
            save_as(&s, formats[f - 1]);
        }
        const int is_slow = f == 2; /* decompression takes a square root for each point */
        s.config.chunk = s.n / 3 + 1;
        expect_result(&s, s.n, "chunks");
        s.config.chunk = 0;
        if (!is_slow) {
            expect_result(&s, s.n, "all in a chunk");
            s.config.chunk = s.n - 100;
            expect_result(&s, s.n - 100, "a few at last, which are not worth it");
            s.config.chunk = 0;
        }
    }
    s.config.format = "raw";
    write_points(&s);
    s.config.check = SUMAC_CHECK_NONE;
    expect_result(&s, s.n, "no check");
    if (s.point <= 128) { /* with larger points it takes a minute */
        s.config.check = SUMAC_CHECK_SUBGROUP;
        expect_result(&s, s.n, "the subgroup, too");
    }
}

/* If the device has too little memory, the host imports the bases, and with even less memory it also keeps the scalars. */
static void test_shortages(void **state)
{
    CLEANUP(close_scene) scene s = {0};
    open_scene(&s, *state);
    const uint64_t scalars = s.n * s.t->info->scalar_bytes, for_work = 2 << 20;
    s.config.memory_limit = (uint64_t)48 << 20;
    expect_result(&s, s.n, "small blocks");
    assert_true(s.report.memory_bytes <= s.config.memory_limit);
    s.config.memory_limit = 0;
    if (is_test_device(&s)) {
        s.device.allocatable = scalars + BLOCK + for_work;
        expect_result(&s, 0, "no room for bases");
        s.device.allocatable = scalars + for_work;
        expect_result(&s, 0, "no room for records");
        s.device.allocatable = scalars - 1;
        expect_result(&s, 0, "no room for scalars");
        assert_int_equal(s.device.uploaded, 0);
        s.device.allocatable = UINT64_MAX;
        s.device.no_pinned = 1;
        expect_failure(&s, SUMAC_OUT_OF_MEMORY, "bases", "of memory");
        s.device.no_pinned = 0;
        s.device.fails_upload = 1;
        expect_failure(&s, SUMAC_DEVICE_FAILED, "the device of a test has failed", "");
        s.device.fails_upload = 0;
    }
    expect_result(&s, s.n, "as it was");
}

/* ---- Damage ---- */

static void test_bad_inputs(void **state)
{
    CLEANUP(close_scene) scene s = {0};
    char part[64];
    open_scene(&s, *state);
    const size_t block = BLOCK / s.point, scalar = s.t->info->scalar_bytes;
    const size_t places[] = {0, SLICE / s.point, block - 1, block, s.n - 1};
    s.points[(s.n - 1) * s.point] ^= 1; /* the message must name the first bad point */
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t at = places[i] * s.point;
        s.points[at] ^= i < 4;
        write_points(&s);
        snprintf(part, sizeof part, "bases: the point at byte %zu ", at);
        expect_failure(&s, SUMAC_NOT_ON_CURVE, part, "is not on the curve");
        s.points[at] ^= 1;
    }
    write_points(&s);
    const size_t large[] = {s.n - 1, block + 3, 8192, 8191, 0};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        s.scalar_bytes[large[i] * scalar + 1] |= 0x10;
        write_scalars(&s);
        snprintf(part, sizeof part, "scalars: scalar %zu ", large[i]);
        expect_failure(&s, SUMAC_SCALAR_TOO_LARGE, part, "12 bits");
        s.config.chunk = s.n / 2;
        expect_failure(&s, SUMAC_SCALAR_TOO_LARGE, part, "12 bits");
        s.config.chunk = 0;
    }
}

/* The message names the first missing byte, even if another thread finds earlier that a later byte is missing. */
static void test_reads(void **state)
{
    CLEANUP(close_scene) scene s = {0};
    char part[64];
    open_scene(&s, *state);
    const off_t places[] = {0, 1, SLICE, SLICE + 1, BLOCK - 4, 2 * BLOCK, (off_t)(s.n * s.point) - 1};
    fault.larger_than = (off_t)(s.n * s.point);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        fault.from = places[i];
        fault.error = EIO;
        snprintf(part, sizeof part, "bases: reading at byte %lld failed: ", (long long)places[i]);
        expect_failure(&s, SUMAC_READ_FAILED, part, "nput/output");
        fault.error = 0;
        snprintf(part, sizeof part, "it ends at byte %lld", (long long)places[i]);
        expect_failure(&s, SUMAC_BAD_FILE, "bases: it changed while it was read", part);
    }
    fault.from = -1;
    expect_result(&s, s.n, "good reads");
}

/* A call is cancelled at each of its reports in turn. Then it resumes from its checkpoint. */
static void test_cancelled(void **state)
{
    CLEANUP(close_scene) scene s = {0};
    open_scene(&s, *state);
    s.config.checkpoint = s.checkpoint;
    s.config.chunk = s.n / 3 + 1;
    uint64_t most = 0;
    for (int at = 0, step = options.quick ? 5 : 2;; at += step) {
        (void)remove(s.checkpoint);
        s.cancel_at = at;
        if (run(&s) == SUMAC_OK) {
            break;
        }
        s.cancel_at = -1;
        const uint64_t before = s.report.resumed;
        TEST_OK(s.context, run(&s));
        assert_memory_equal(s.result, s.expected, s.point);
        assert_true(s.report.resumed >= before);
        most = s.report.resumed;
    }
    s.cancel_at = -1;
    assert_true(most > 2 * (s.n / 3));
}

/* ---- Past the cache ---- */

/* Read past the cache, compare the bytes, and return 1 if anything was read. */
static int read_past_cache(const direct_input *input, const uint8_t *expected, uint64_t offset, size_t count)
{
    const size_t before = (size_t)(offset % DIRECT_UNIT);
    AUTO_FREE uint8_t *memory = aligned_alloc(DIRECT_UNIT, (count / DIRECT_UNIT + 3) * DIRECT_UNIT);
    assert_non_null(memory);
    const size_t left = offset < input->size ? (size_t)(input->size - offset) : 0;
    const size_t available = count < left ? count : left;
    const size_t got = direct_read_at(input, offset, memory + before, count);
    assert_true(got == available || got == 0);
    assert_memory_equal(memory + before, expected + offset, got);
    return got > 0;
}

/* The cache contains the whole file, no page of it, or one page. */
static void test_direct(void)
{
    enum { SIZE = (5 << 20) + 1234 };
    static const size_t counts[] = {0, 1, 4095, 4096, 5000, SLICE, SLICE + 77, SIZE};
    static const uint64_t offsets[] = {0, 1, 4095, 4096, 12345, SLICE, SIZE - 5000, SIZE - 1, SIZE, SIZE + 1};
    char path[] = "/var/tmp/sumac-direct-XXXXXX";
    uint8_t *expected = test_alloc(SIZE + DIRECT_UNIT), byte;
    direct_input input;
    int direct[3] = {0}, all = 0;
    for (size_t i = 0; i < SIZE; i++) {
        expected[i] = (uint8_t)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
    }
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(write(descriptor, expected, SIZE), SIZE);
    assert_int_equal(fsync(descriptor), 0);
    direct_open(&input, descriptor, SIZE);
    const int has_direct = input.descriptor >= 0;
    for (int cached = 0; cached < 3; cached++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
                if (cached > 0) {
                    (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
                }
                if (cached > 1) {
                    assert_int_equal(__real_pread(descriptor, &byte, 1, SLICE), 1);
                }
                direct[cached] += read_past_cache(&input, expected, offsets[o], counts[c]);
                all += cached == 0 && counts[c] > 0 && offsets[o] < SIZE;
            }
        }
    }
    direct_close(&input);
    assert_int_equal(direct_read_at(&input, 0, expected, 10), 0);
    close(descriptor);
    free(expected);
    if (!has_direct || direct[0] > 0 || direct[1] == 0) { /* this file system does not support it */
        skip();
    }
    assert_int_equal(direct[1], all);
    assert_true(direct[2] > 0);
}

static const test_entry entries[] = {
    {"formats", test_formats, TEST_SOME_GROUPS},       {"shortages", test_shortages, TEST_SOME_GROUPS},
    {"bad inputs", test_bad_inputs, TEST_SOME_GROUPS}, {"reads", test_reads, TEST_SOME_GROUPS},
    {"cancelled", test_cancelled, TEST_SOME_GROUPS},   {"past the cache", TEST_ONCE(test_direct)},
};
TEST_MAIN("stream_device", entries)

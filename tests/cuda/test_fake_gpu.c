/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests calls on a GPU whose kernels do nothing (fake/fake.h). The engine's host code, its copies and plans
 * are the real ones, but results are meaningless. Each call is repeated while its first, second, third, ... call of
 * CUDA's runtime fails, then its allocations of the host's memory, then its threads, alone or with all later ones,
 * until it succeeds. A failed call must have a message, the same context must then succeed, and at the end nothing may
 * be left on any device. The sanitizers detect uses of freed memory, and missing waits.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"
#include "support/abort.h"
#include "support/calls.h"
#include "support/failing.h"
#include "support/tuning.h"

/* If a call waits for ever, an alarm ends the test after MOST_SECONDS. */
enum { COUNT = 64, MANY = 1 << 15, LARGE_BATCH = 100, MOST_NUMBERS = 20000, MOST_SECONDS = 900 };

void test_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "fake_gpu: FAILED: ");
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void must(sumac_status status, const sumac_context *context, const char *what)
{
    if (status != SUMAC_OK) {
        test_abort("%s: status %d, \"%s\"", what, (int)status,
                   context == NULL ? "" : sumac_context_message(context));
    }
}

/* ---- Everything that can fail fails in turn ---- */

typedef enum failure_kind { RUNTIME, ALLOCATION, THREAD, FAILURE_KINDS } failure_kind;

/* Make the call with a failure. If it makes fewer calls, allocations or threads than that number, return 0. */
static int fail_one(call_scene *s, const test_call *tested, failure_kind kind, long number, int from_then_on)
{
    failing_plan plan = failing_none;
    plan.from_then_on = from_then_on;
    plan.allocation = kind == ALLOCATION ? number : -1;
    plan.thread = kind == THREAD ? number : -1;
    (void)fake_fail(kind == RUNTIME ? number : -1, from_then_on);
    failing_begin(plan);
    const sumac_status status = tested->run(s, tested->kind);
    const failing_report report = failing_end();
    const long failed = fake_fail(-1, 0) + report.allocations_failed + report.threads_failed;
    if (status != SUMAC_OK && tested->run != call_context && sumac_context_message(s->context)[0] == '\0') {
        test_abort("%s fails with status %d and without a sentence", tested->name, (int)status);
    }
    if (status == SUMAC_INTERNAL || (failed == 0 && status != SUMAC_OK)) {
        test_abort("%s: status %d where %ld failures of kind %d were made from number %ld on: \"%s\"",
                   tested->name, (int)status, failed, (int)kind, number, sumac_context_message(s->context));
    }
    return failed != 0;
}

static void exhaust(call_scene *s, const test_call *tested)
{
    const sumac_status status = tested->run(s, tested->kind);
    if (status == SUMAC_NOT_SUPPORTED) {
        return; /* several devices do not support the call */
    }
    must(status, s->context, tested->name);
    for (int kind = 0; kind < 2 * FAILURE_KINDS; kind++) {
        for (long number = 0; fail_one(s, tested, (failure_kind)(kind / 2), number, kind % 2); number++) {
            must(tested->run(s, tested->kind), s->context, tested->name);
            if (number > MOST_NUMBERS) {
                test_abort("%s does not come to an end", tested->name);
            }
        }
    }
}

static void test_failures(const sumac_group *group, const sumac_context_config *config)
{
    call_scene s;
    cudaStream_t stream;
    call_scene_open(&s, group, config, COUNT, COUNT);
    if (cudaSetDevice(0) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) {
        test_abort("the test itself has no stream");
    }
    s.stream = stream;
    for (size_t i = 0; i < test_call_count; i++) {
        if (test_calls[i].on_fake) {
            exhaust(&s, &test_calls[i]);
        }
    }
    (void)cudaStreamDestroy(stream);
    call_scene_close(&s);
    fake_expect_nothing_left();
}

/* ---- Queued calls ---- */

/* If no memory is missing, queued calls call no function of the runtime that waits. */
static void test_queued(const sumac_group *group, const sumac_context_config *config, size_t count)
{
    call_scene s;
    cudaStream_t stream;
    call_scene_open(&s, group, config, count, count); /* many entries are added up in rounds, few are not */
    if (cudaSetDevice(0) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) {
        test_abort("the test itself has no stream");
    }
    must(sumac_context_set_stream(s.context, stream), s.context, "a stream");
    must(call_queued(&s), s.context, "queued calls");
    for (int turn = 0; turn < 3; turn++) {
        const uint64_t before = fake_waits();
        must(call_queued(&s), s.context, "queued calls");
        if (fake_waits() != before) {
            test_abort("queued calls wait %llu times", (unsigned long long)(fake_waits() - before));
        }
    }
    must(sumac_context_wait(s.context), s.context, "the wait");
    must(sumac_context_set_stream(s.context, NULL), s.context, "no stream");
    (void)cudaStreamDestroy(stream);
    call_scene_close(&s);
    fake_expect_nothing_left();
}

/* ---- A GPU without memory ---- */

/* Whatever tables are asked for, and however few the bases, either the bases stay on the host, or there is a
 * message. */
static void test_no_memory(const sumac_group *group, const sumac_context_config *config, const void *points)
{
    static const size_t counts[] = {0, 1, COUNT};
    sumac_context *context = NULL;
    must(sumac_context_create(config, &context, NULL), NULL, "a context");
    for (int i = 0; i < 3 * 3 * 2; i++) {
        const size_t count = counts[i % 3];
        sumac_bases *bases = NULL;
        sumac_bases_config of_bases = {.size = sizeof of_bases};
        of_bases.tables = (sumac_tables)(i / 3 % 3);
        of_bases.precompute_factor = of_bases.tables == SUMAC_TABLES_MULTIPLES ? 8 : 0;
        of_bases.table_bytes = i / 9 == 0 ? 0 : 1 << 20;
        fake_leave(0);
        const sumac_status status = exact_create(context, group, points, count, &of_bases, &bases);
        fake_leave((uint64_t)1 << 36);
        sumac_bases_destroy(bases); /* these are bases that stay on the host, or null */
        if ((status != SUMAC_OK || of_bases.tables == SUMAC_TABLES_WINDOWS) &&
            (status != SUMAC_OUT_OF_MEMORY || sumac_context_message(context)[0] == '\0')) {
            test_abort("%zu bases without memory, tables %d: status %d, \"%s\"", count, i / 3 % 3,
                       (int)status, sumac_context_message(context));
        }
        must(exact_create(context, group, points, count, &of_bases, &bases), context, "bases with memory");
        sumac_bases_destroy(bases);
    }
    sumac_context_destroy(context);
    fake_expect_nothing_left();
}

/* ---- A limit for a call's memory ---- */

/* Under a memory limit a small call takes at most 512 passes of some twenty kernels each. Otherwise it is refused with
 * a message that says how many more bytes it needs. */
static void test_launches(const sumac_group *group, sumac_context_config config, const void *points)
{
    enum { MOST_LAUNCHES = 20 * 512 };
    AUTO_FREE uint8_t *scalars = calloc((size_t)LARGE_BATCH * COUNT, group->scalar_bytes);
    AUTO_FREE uint8_t *results = calloc(LARGE_BATCH, group->point_bytes);
    uint64_t refused = 0;
    for (uint64_t limit = 1024; limit <= 1 << 22; limit *= 2) {
        CLEANUP(destroy_context) sumac_context *context = NULL;
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        config.memory_limit = limit;
        must(sumac_context_create(&config, &context, NULL), NULL, "a context with a limit");
        must(exact_create(context, group, points, COUNT, NULL, &bases), context, "bases");
        for (uint32_t batch = 1; batch <= LARGE_BATCH; batch *= LARGE_BATCH) {
            sumac_msm_config of_call = {.size = sizeof of_call};
            of_call.batch = batch;
            const uint64_t before = fake_launches();
            const sumac_status status = exact_msm(context, bases, scalars, COUNT, &of_call, results);
            const uint64_t launches = fake_launches() - before;
            if (launches > MOST_LAUNCHES) {
                test_abort("a limit of %llu bytes: %llu launches for %u MSMs of %d bases",
                           (unsigned long long)limit, (unsigned long long)launches, batch, COUNT);
            }
            if (status != SUMAC_OK && (status != SUMAC_MEMORY_LIMIT ||
                                       strstr(sumac_context_message(context), "too small") == NULL)) {
                test_abort("a limit of %llu bytes: status %d, \"%s\"", (unsigned long long)limit, (int)status,
                           sumac_context_message(context));
            }
            refused += status != SUMAC_OK;
        }
    }
    if (refused == 0) {
        test_abort("no limit is too small");
    }
    fake_expect_nothing_left();
}

/* ---- The window of multiples ---- */

/* Predict the milliseconds of a call of n bases with all multiples for windows of c bits. If c = 0, the planner chooses
 * the windows. */
static double predicted(sumac_context *context, const sumac_group *group, size_t n, uint32_t c,
                        uint32_t *planned)
{
    CLEANUP(free_memory) char *plan = NULL;
    sumac_bases_config of_bases = {.size = sizeof of_bases};
    of_bases.precompute_factor = 256;
    of_bases.tuning = test_tuning("c=%u", c);
    must(sumac_plan_create(context, group, n, &of_bases, NULL, &plan), context, "a plan");
    double milliseconds = 0;
    if (sscanf(strstr(plan, "\"milliseconds\""), "\"milliseconds\": %lf", &milliseconds) != 1 ||
        sscanf(strstr(plan, "\"c\""), "\"c\": %u", planned) != 1) {
        test_abort("a plan without a prediction: %s", plan);
    }
    return milliseconds;
}

/* Multiples are made for the window with which calls are predicted to be fastest. The predictions include waits for
 * copies. */
static void test_windows(const sumac_group *group, const sumac_context_config *config)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    must(sumac_context_create(config, &context, NULL), NULL, "a context");
    for (size_t n = 1 << 10; n <= 1 << 24; n *= 2) {
        uint32_t chosen, planned;
        const double milliseconds = predicted(context, group, n, 0, &chosen);
        for (uint32_t c = 8; c <= 24; c++) {
            const double other = predicted(context, group, n, c, &planned);
            if (other < milliseconds * 0.999999) {
                test_abort("all multiples of %zu bases are made for c = %u, and calls take %.3f ms: with c = "
                           "%u %.3f",
                           n, chosen, milliseconds, c, other);
            }
        }
    }
}

int main(void)
{
    static const int32_t both[] = {0, 1};
    static uint8_t points[COUNT * 128];
    const sumac_group *group;
    sumac_context_config one = {.size = sizeof one}, two = one;
    one.backend = two.backend = "cuda";
    one.threads = two.threads = 2;
    two.devices = both;
    two.device_count = 2;
    two.replica_limit = 1; /* bases are cut into shards */
    (void)alarm(MOST_SECONDS);
    must(sumac_group_find("bn254", "g1", &group), NULL, "the curve");
    for (size_t i = 0; i < COUNT; i++) {
        must(sumac_group_generator(group, points + i * group->point_bytes, group->point_bytes), NULL,
             "the generator");
    }
    test_no_memory(group, &one, points);
    test_no_memory(group, &two, points);
    test_windows(group, &one);
    test_launches(group, one, points);
    test_queued(group, &one, COUNT);
    test_queued(group, &one, MANY);
    test_failures(group, &one);
    test_failures(group, &two);
    (void)printf("fake_gpu: OK\n");
    return 0;
}

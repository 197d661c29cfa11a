/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Each call is repeated with its first, second, third, ... allocation failing, alone or with all later ones, until it
 * succeeds. A failed call must say how many bytes it lacked and change nothing. It must leak nothing, which
 * AddressSanitizer and valgrind check. The same context must then give the results of calls without failures. In the
 * same way the creation of threads fails. Then a call uses the threads that it got.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/kzg_calls.h"
#include "support/calls.h"
#include "support/failing.h"
#include "support/harness.h"

enum { COUNT = 64, SIZE = 8, MOST_CALLS = 1000, SHARED_COUNT = 3000, SHARED_THREADS = 4, SEED = 3 };

/* Return 1 if the message has a positive number before the word "bytes". */
static int names_bytes(const char *message)
{
    const char *bytes = strstr(message, " bytes");
    if (bytes == NULL || bytes == message || !isdigit((unsigned char)bytes[-1])) {
        return 0;
    }
    while (bytes > message && isdigit((unsigned char)bytes[-1])) {
        bytes--;
    }
    return strtoull(bytes, NULL, 10) > 0;
}

/* Check the status of a call with a failed allocation, and the message, which must say how many bytes are missing. */
static void check_status(const char *name, sumac_status status, const failing_report *report, long number,
                         const char *message)
{
    /* A call may succeed without memory that is optional. */
    if (status != SUMAC_OK && (status != SUMAC_OUT_OF_MEMORY || report->allocations_failed == 0)) {
        test_abort("%s: status %d, allocation %ld: \"%s\"", name, (int)status, number, message);
    }
    if (status != SUMAC_OK && !names_bytes(message)) {
        test_abort("%s: allocation %ld failed, and no bytes are named by \"%s\"", name, number, message);
    }
    if (number > MOST_CALLS) {
        test_abort("%s: it takes more than %d allocations", name, (int)MOST_CALLS);
    }
}

/* These are snapshots before a call, after a successful one, and after one that may have failed. */
typedef struct snapshots {
    uint8_t *before, *after, *now;
    size_t bytes;
} snapshots;

static void free_snapshots(const snapshots *seen)
{
    free(seen->before);
    free(seen->after);
    free(seen->now);
}

/* Run the call with another window, which needs another workspace. */
static sumac_status run_with_another_window(call_scene *s, const test_call *tested)
{
    s->msm.tuning = test_tuning("c=%u", 3 + TEST_WINDOW(&s->msm) % 5);
    return tested->run(s, tested->kind);
}

static void expect_snapshot(const call_scene *s, const snapshots *seen, const test_call *tested,
                            sumac_status status, long number)
{
    call_snapshot(s, seen->now);
    if (memcmp(seen->now, status == SUMAC_OK ? seen->after : seen->before, seen->bytes) != 0) {
        test_abort("%s: not the result, or not what was there, with allocation %ld and status %d",
                   tested->name, number, (int)status);
    }
    call_restore(s, seen->before);
}

/* Make a call with a failing allocation. If the call makes fewer allocations than that number, return 0. */
static int fail_one(call_scene *s, const snapshots *seen, const test_call *tested, failing_plan plan)
{
    failing_begin(plan);
    const sumac_status status = run_with_another_window(s, tested);
    const failing_report report = failing_end();
    check_status(tested->name, status, &report, plan.allocation,
                 tested->run == call_context ? s->reason.text : sumac_context_message(s->context));
    expect_snapshot(s, seen, tested, status, plan.allocation);
    if (status != SUMAC_OK) {
        expect_snapshot(s, seen, tested, run_with_another_window(s, tested), plan.allocation);
    }
    return report.allocations_failed != 0;
}

static void exhaust(call_scene *s, const snapshots *seen, const test_call *tested)
{
    const sumac_status status = tested->run(s, tested->kind);
    if (status == SUMAC_NOT_SUPPORTED) {
        return; /* this group does not support the call */
    }
    test_status(s->context, status, SUMAC_OK, tested->name);
    call_snapshot(s, seen->after);
    call_restore(s, seen->before);
    for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
        failing_plan plan = {0, -1, from_then_on};
        while (fail_one(s, seen, tested, plan)) {
            plan.allocation++;
        }
    }
}

/* Groups that are alike take a third of the calls each. */
static void test_every_allocation(void **state)
{
    const test_group *t = *state;
    const sumac_context_config config = test_context_config(1);
    CLEANUP(call_scene_close) call_scene s = {0};
    call_scene_open(&s, t->group, &config, COUNT, SIZE);
    const size_t bytes = call_snapshot_bytes(&s);
    CLEANUP(free_snapshots)
    const snapshots seen = {test_alloc(bytes), test_alloc(bytes), test_alloc(bytes), bytes};
    call_snapshot(&s, seen.before);
    for (size_t i = 0; i < test_call_count; i++) {
        if (test_has_case(t, i)) {
            exhaust(&s, &seen, &test_calls[i]);
        }
    }
    AUTO_FREE uint8_t *expected = test_alloc(t->info->point_bytes);
    oracle_msm(&t->oracle, expected, s.points, s.scalars, COUNT);
    test_msm(s.context, s.bases[PLAIN], s.scalars, COUNT, NULL, expected, "after all failures");
}

/* After each failure, commitments, proofs and cells must equal those from before it. */
static void test_every_allocation_kzg(void)
{
    CLEANUP(kzg_scene_close) kzg_scene *s = kzg_scene_open();
    if (s == NULL) {
        skip();
    }
    AUTO_FREE kzg_scene *before = test_alloc(sizeof *before);
    s->size = 1;
    for (size_t i = 0; i < kzg_call_count; i++) {
        const char *name = kzg_calls[i].name;
        if (kzg_calls[i].speed > (options.quick ? FAST : SLOW)) {
            continue;
        }
        memcpy(before, s, sizeof *before);
        failing_report report = {.allocations_failed = 1};
        for (failing_plan plan = {0, -1, 0}; report.allocations_failed != 0; plan.allocation++) {
            s->ok = 7;
            failing_begin(plan);
            const sumac_status status = kzg_calls[i].run(s);
            report = failing_end();
            check_status(name, status, &report, plan.allocation, sumac_context_message(s->context));
            assert_true(s->ok == 7 || (status == SUMAC_OK && s->ok == 1));
        }
        assert_memory_equal(s->commitments, before->commitments, sizeof s->commitments);
        assert_memory_equal(s->proofs, before->proofs, sizeof s->proofs);
        assert_memory_equal(s->cells, before->cells, sizeof s->cells);
        assert_memory_equal(s->cell_proofs, before->cell_proofs, sizeof s->cell_proofs);
    }
}

/* ---- threads ---- */

/* Make a context of several threads, bases, and an MSM whose answer is known. */
static void call_threads(const test_group *t, const uint8_t *scalars, const uint8_t *expected)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(SHARED_THREADS, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TEST_OK(context, sumac_known_bases_create(context, t->group, SHARED_COUNT, SEED, NULL, &bases));
    test_msm(context, bases, scalars, SHARED_COUNT, NULL, expected, "without threads");
    test_msm(context, bases, scalars, SHARED_COUNT, NULL, expected, "again");
}

static void test_every_thread(void **state)
{
    test_group *t = *state;
    AUTO_FREE uint8_t *scalars = test_alloc(SHARED_COUNT * t->info->scalar_bytes),
                      *logarithms = test_alloc(SHARED_COUNT * t->info->scalar_bytes),
                      *expected = test_alloc(t->info->point_bytes);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    test_random_scalars(t, scalars, SHARED_COUNT);
    TEST_OK(context, test_known_logarithms(context, t->group, SHARED_COUNT, SEED, logarithms));
    oracle_known_msm(&t->oracle, expected, logarithms, scalars, SHARED_COUNT);
    for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
        failing_report report;
        failing_plan plan = {-1, 0, from_then_on};
        do {
            failing_begin(plan);
            call_threads(t, scalars, expected);
            report = failing_end();
            if (report.threads == 0) {
                test_abort("%d threads were to work, and none was asked for", (int)SHARED_THREADS);
            }
            plan.thread++;
        } while (report.threads_failed > 0 && plan.thread < MOST_CALLS);
    }
}

static const test_entry entries[] = {
    {"every allocation", test_every_allocation, TEST_EVERY_GROUP},
    {"every allocation of KZG", TEST_ONCE(test_every_allocation_kzg)},
    {"every thread", test_every_thread, TEST_SOME_GROUPS},
};
TEST_MAIN("memory", entries)

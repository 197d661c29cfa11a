/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Each call is cancelled at each of its reports. Its progress function cancels it, or another thread does while that
 * function runs. In contexts without a progress function, it is cancelled at each of its spans of work. A cancelled
 * call must return SUMAC_CANCELLED and change nothing. The same call with the same context must then have the results
 * of a call that nobody cancelled.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "curves/group_code.h"
#include "groth16/groth16_calls.h"
#include "plonk/plonk_calls.h"
#include "support/calls.h"
#include "support/harness.h"
#include "sumac/pairing.h"

enum { NEVER = -1, SIZE = 32, MOST_REPORTS = 10000 };

/* This is a scene, and the number of the report at which its calls are cancelled. */
typedef struct scene {
    call_scene calls;
    int at; /* counts down */
    int reports;
    _Atomic int spans_left; /* spans before the call is cancelled; negative if it is not */
    int outside;            /* 1 if another thread cancels, and the progress function returns 0 */
    int traced; /* 1 if calls of proofs are cancelled at spans, and there is no progress function */
    uint8_t *before, *after, *now;
    size_t bytes; /* bytes of each snapshot */
} scene;

static void *cancel_context(void *context)
{
    sumac_context_cancel(context);
    return NULL;
}

static int on_progress(void *user, double done)
{
    scene *s = user;
    pthread_t thread;
    assert_true(done >= 0 && done <= 1);
    s->reports++;
    if (s->at-- != 0) {
        return 0;
    }
    if (s->outside) {
        assert_int_equal(pthread_create(&thread, NULL, cancel_context, s->calls.context), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    return s->outside ? 0 : -7;
}

/* Several threads may end a span at the same time. */
static void on_trace(void *user, const sumac_trace_event *event)
{
    scene *s = user;
    (void)event;
    if (atomic_fetch_sub(&s->spans_left, 1) == 0) {
        sumac_context_cancel(s->calls.context);
    }
}

static void open_scene(scene *s, const test_group *t, uint32_t threads, uint32_t devices,
                       uint64_t memory_limit, int traced)
{
    static const int32_t same[3];
    sumac_context_config config = test_context_config(threads);
    *s = (scene){.at = NEVER};
    atomic_store(&s->spans_left, NEVER);
    config.progress = traced ? NULL : on_progress;
    config.trace = traced ? on_trace : NULL;
    config.user = s;
    config.memory_limit = memory_limit;
    if (devices > 1) {
        config.devices = same;
        config.device_count = devices;
    }
    /* There are enough compressed points for a GPU to decode them. */
    call_scene_open(&s->calls, t->group, &config, strcmp(options.backend, "cpu") == 0 ? 256 : 1024, SIZE);
    s->bytes = call_snapshot_bytes(&s->calls);
    s->before = test_alloc(s->bytes);
    s->after = test_alloc(s->bytes);
    s->now = test_alloc(s->bytes);
    call_snapshot(&s->calls, s->before);
}

static void close_scene(scene *s)
{
    call_scene_close(&s->calls);
    free(s->before);
    free(s->after);
    free(s->now);
}

static void expect_snapshot(scene *s, const uint8_t *expected, const char *name)
{
    call_snapshot(&s->calls, s->now);
    if (memcmp(s->now, expected, s->bytes) != 0) {
        test_abort("%s: not the result, or not what was there, after %d reports", name, s->reports);
    }
    call_restore(&s->calls, s->before);
}

/* The tiny groups' calls are the shortest, and are cancelled at every report. Other groups' calls are cancelled at the
 * first reports and then at one of nine. In a build that is many times slower, all calls are cancelled like these. */
static int next_report(const scene *s, int at)
{
    const int leaves_out = options.quick || !registered(s->calls.group)->for_tests;
    return at + (leaves_out && at >= 8 ? 9 : 1);
}

/* Cancel a call at its first report, at its second, and so on until no report is left. */
static void cancel_everywhere(scene *s, const test_call *tested, int least)
{
    int at = 0;
    sumac_status status = tested->run(&s->calls, tested->kind);
    if (status == SUMAC_NOT_SUPPORTED) {
        return; /* this group does not support the call */
    }
    test_status(s->calls.context, status, SUMAC_OK, tested->name);
    call_snapshot(&s->calls, s->after);
    call_restore(&s->calls, s->before);
    for (;; at = next_report(s, at)) {
        assert_true(at < MOST_REPORTS);
        s->at = at;
        s->reports = 0;
        status = tested->run(&s->calls, tested->kind);
        const int reports = s->reports;
        s->at = NEVER;
        if (status == SUMAC_OK) {
            assert_true(reports <= at);
            expect_snapshot(s, s->after, tested->name);
            break;
        }
        test_sentence(s->calls.context, status, SUMAC_CANCELLED, "was cancelled");
        assert_true(reports >= at + 1 && reports <= at + 2); /* steps on several devices may ask once more */
        expect_snapshot(s, s->before, tested->name);
        if (at < 6 || at % 16 == 0) {
            test_status(s->calls.context, tested->run(&s->calls, tested->kind), SUMAC_OK, tested->name);
            expect_snapshot(s, s->after, tested->name);
        }
    }
    if (at < least) {
        test_abort("%s: it asks %d times, at least %d are expected", tested->name, at, least);
    }
}

/* Cancel from outside at each report. The call must end at its next report. If it reports no more, it must succeed. */
static void cancel_from_outside(scene *s, const test_call *tested, int least)
{
    int at = 0, cancelled = 0;
    sumac_status status = tested->run(&s->calls, tested->kind);
    if (status == SUMAC_NOT_SUPPORTED) {
        return;
    }
    test_status(s->calls.context, status, SUMAC_OK, tested->name);
    call_snapshot(&s->calls, s->after);
    call_restore(&s->calls, s->before);
    s->outside = 1;
    for (int comes = 1; comes; at = next_report(s, at)) {
        assert_true(at < MOST_REPORTS);
        s->at = at;
        s->reports = 0;
        status = tested->run(&s->calls, tested->kind);
        comes = s->at < 0; /* the call has made that report */
        s->at = NEVER;
        cancelled += status != SUMAC_OK;
        if (status != SUMAC_OK) {
            test_sentence(s->calls.context, status, SUMAC_CANCELLED, "the call was cancelled");
        }
        expect_snapshot(s, status == SUMAC_OK ? s->after : s->before, tested->name);
    }
    s->outside = 0;
    if (cancelled == 0 && least > 1) {
        test_abort("%s: it reports %d times, and nobody cancels it", tested->name, least);
    }
}

/* Cancel at the end of each span of work, without a progress function. Return how often the call was cancelled. */
static int cancel_at_spans(scene *s, const test_call *tested)
{
    enum { MOST_SPANS = 24 };
    int cancelled = 0;
    sumac_status status = tested->run(&s->calls, tested->kind);
    if (status == SUMAC_NOT_SUPPORTED) {
        return 0;
    }
    test_status(s->calls.context, status, SUMAC_OK, tested->name);
    call_snapshot(&s->calls, s->after);
    call_restore(&s->calls, s->before);
    for (int at = 0, comes = 1; comes && at < MOST_SPANS; at++) {
        atomic_store(&s->spans_left, at);
        status = tested->run(&s->calls, tested->kind);
        comes = atomic_exchange(&s->spans_left, NEVER) < 0;
        cancelled += status != SUMAC_OK;
        if (status != SUMAC_OK) {
            test_sentence(s->calls.context, status, SUMAC_CANCELLED, "the call was cancelled");
        }
        expect_snapshot(s, status == SUMAC_OK ? s->after : s->before, tested->name);
    }
    return cancelled;
}

/* Cancel calls in contexts of one thread, several threads and several devices. As the calls of larger groups take
 * longer, they are cancelled only in the last of these contexts. */
static void in_contexts(const test_group *t,
                        void (*cancel)(const test_group *t, uint32_t threads, uint32_t devices))
{
    if (registered(t->group)->for_tests || options.curve != NULL) {
        cancel(t, 1, 1);
        cancel(t, 3, 1);
    }
    cancel(t, 3, 3);
}

static void cancel_spans_of_calls(const test_group *t, uint32_t threads, uint32_t devices)
{
    int cancelled = 0;
    CLEANUP(close_scene) scene s;
    open_scene(&s, t, threads, devices, 0, 1);
    for (size_t i = 0; i < test_call_count; i++) {
        if (test_calls[i].run != call_context) {
            cancelled += cancel_at_spans(&s, &test_calls[i]) > 0;
        }
    }
    assert_true(cancelled >= 10); /* these calls include MSMs, bases, and points that are decoded */
}

/* Spans do not depend on the field, so that the group whose calls take longest is left out. */
static void test_outside(void **state)
{
    const test_group *t = *state;
    if (options.curve == NULL && strcmp(t->info->curve, "bw6-761") == 0) {
        skip();
    }
    in_contexts(*state, cancel_spans_of_calls);
}

static void cancel_calls(const test_group *t, uint32_t threads, uint32_t devices)
{
    CLEANUP(close_scene) scene s;
    open_scene(&s, t, threads, devices, 0, 0);
    for (size_t i = 0; i < test_call_count; i++) {
        if (test_calls[i].run != call_context) {
            cancel_everywhere(&s, &test_calls[i], test_calls[i].reports);
            cancel_from_outside(&s, &test_calls[i], test_calls[i].reports);
        }
    }
}

static void test_every_call(void **state)
{
    in_contexts(*state, cancel_calls);
}

/* ---- Calls of many steps ---- */

static sumac_status call_batch(call_scene *s, int kind)
{
    return exact_msm(s->context, s->bases[kind], s->scalars, SIZE, &s->msm, s->out);
}

/* Compute one batch in more and more sub-batches, and call `cancel` with each scene and the number of its sub-batches.
 * Return the largest number. */
static uint32_t for_sub_batches(const test_group *t, int traced,
                                void (*cancel)(scene *s, uint32_t sub_batches))
{
    uint32_t most = 0;
    for (uint64_t limit = 1 << 20; limit >= 1 << 12 && most < 4; limit -= limit / 4) {
        CLEANUP(close_scene) scene s;
        open_scene(&s, t, 1, 1, limit, traced);
        s.calls.msm.batch = 6;
        s.calls.msm.tuning = "c=6";
        if (call_batch(&s.calls, PLAIN) == SUMAC_OK) {
            const msm_plan *plan = &s.calls.context->executors.at->call.plan;
            const uint32_t sub_batches = (s.calls.msm.batch + plan->sub_batch - 1) / plan->sub_batch;
            most = sub_batches > most ? sub_batches : most;
            call_restore(&s.calls, s.before);
            cancel(&s, sub_batches);
        }
    }
    return most;
}

static const test_call batch_call = {"a batch in sub-batches", call_batch, PLAIN, 0, 0};

static void cancel_batch(scene *s, uint32_t sub_batches)
{
    cancel_everywhere(s, &batch_call, (int)sub_batches);
}

static void cancel_batch_outside(scene *s, uint32_t sub_batches)
{
    const int cancelled = cancel_at_spans(s, &batch_call);
    assert_true(sub_batches == 1 || cancelled > 0);
}

/* The first sub-batches have written results when a later one is cancelled. */
static void test_sub_batches(void **state)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip(); /* results on a device are written only at the end */
    }
    assert_true(for_sub_batches(*state, 0, cancel_batch) > 1);
    assert_true(for_sub_batches(*state, 1, cancel_batch_outside) > 1);
}

/* Between two reports there are more pairs than one thread gets at a time. Every factor is one. */
static sumac_status call_many_pairs(call_scene *s, int kind)
{
    enum { PAIRS = 33 * 32 };
    int is_one = 0;
    AUTO_FREE uint8_t *infinities = calloc(PAIRS, s->info->point_bytes);
    (void)kind;
    assert_non_null(infinities);
    TRY(s->g1_points == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    TRY(test_pairing_check(s->context, s->group, infinities, infinities, PAIRS, SUMAC_CHECK_SUBGROUP,
                           &is_one));
    assert_int_equal(is_one, 1);
    s->out[0] = 1;
    return SUMAC_OK;
}

static void test_pairings(void **state)
{
    static const test_call pairs = {"a check of many pairs", call_many_pairs, 0, 0, 0};
    CLEANUP(close_scene) scene s;
    open_scene(&s, *state, 1, 1, 0, 0);
    cancel_everywhere(&s, &pairs, 2);
}

/* ---- Groth16 and PLONK ---- */

enum { UNWRITTEN = 0xa5, MOST_SPANS_OF_PROOF = 12 };

/* This is a row of groth16_calls.h or plonk_calls.h, with the scene that it is for and what it writes there. */
typedef struct proof_call {
    const char *name;
    sumac_status (*run)(void *proofs, int row);
    void *proofs;
    int row;
    uint8_t *out;
    size_t out_bytes;
} proof_call;

/* Run a call, which is cancelled or not, and compare what it wrote. */
static sumac_status run_proofs(const scene *s, const proof_call *tested, const uint8_t *expected)
{
    memset(tested->out, UNWRITTEN, tested->out_bytes);
    const sumac_status status = tested->run(tested->proofs, tested->row);
    if (status != SUMAC_OK) {
        test_sentence(s->calls.context, status, SUMAC_CANCELLED, "was cancelled");
    }
    for (size_t i = 0; i < tested->out_bytes; i++) {
        if (tested->out[i] != (status == SUMAC_OK ? expected[i] : UNWRITTEN)) {
            test_abort("%s: byte %zu is not the result, or not what was there", tested->name, i);
        }
    }
    return status;
}

/* Cancel a call at its reports. Return how often it was cancelled. */
static int cancel_proofs(scene *s, const proof_call *tested, const uint8_t *expected)
{
    int cancelled = 0;
    for (int at = 0, comes = 1; comes; at += at < 8 ? 1 : 9) {
        assert_true(at < MOST_REPORTS);
        s->at = at;
        const sumac_status status = run_proofs(s, tested, expected);
        comes = s->at < 0;
        s->at = NEVER;
        cancelled += status != SUMAC_OK;
        assert_true(status != SUMAC_OK || !comes ||
                    s->outside); /* a call that is cancelled by its report ends */
    }
    assert_int_equal(run_proofs(s, tested, expected), SUMAC_OK);
    return cancelled;
}

/* Cancel a call at the end of its first spans of work, without a progress function. */
static int cancel_proofs_at_spans(scene *s, const proof_call *tested, const uint8_t *expected)
{
    int cancelled = 0;
    for (int at = 0, comes = 1; comes && at < MOST_SPANS_OF_PROOF; at++) {
        atomic_store(&s->spans_left, at);
        const sumac_status status = run_proofs(s, tested, expected);
        comes = atomic_exchange(&s->spans_left, NEVER) < 0;
        cancelled += status != SUMAC_OK;
    }
    assert_int_equal(run_proofs(s, tested, expected), SUMAC_OK);
    return cancelled;
}

/* Find what a call writes, and cancel it. Return 1 if it was cancelled at least once. */
static int cancel_row(scene *s, const proof_call *tested)
{
    AUTO_FREE uint8_t *expected = test_alloc(tested->out_bytes);
    memset(tested->out, UNWRITTEN, tested->out_bytes);
    test_status(s->calls.context, tested->run(tested->proofs, tested->row), SUMAC_OK, tested->name);
    memcpy(expected, tested->out, tested->out_bytes);
    return (s->traced ? cancel_proofs_at_spans : cancel_proofs)(s, tested, expected) > 0;
}

/* These are the ways in which calls are cancelled: by their progress function, by another thread, and at spans of work. */
typedef enum cancel_way { BY_PROGRESS, FROM_OUTSIDE, AT_SPANS, WAYS } cancel_way;

/* Make a scene with a context, which the scene of the proofs destroys. */
static void open_proofs(scene *s, cancel_way way)
{
    sumac_context_config config = test_context_config(3);
    *s = (scene){.at = NEVER, .outside = way == FROM_OUTSIDE, .traced = way == AT_SPANS};
    atomic_store(&s->spans_left, NEVER);
    config.progress = s->traced ? NULL : on_progress;
    config.trace = s->traced ? on_trace : NULL;
    config.user = s;
    assert_int_equal(sumac_context_create(&config, &s->calls.context, NULL), SUMAC_OK);
}

static sumac_status run_groth16(void *proofs, int row)
{
    return groth16_calls[row].run(proofs);
}

/* Cancel all calls of Groth16 in one context. Return the number of calls that were cancelled at least once. */
static int cancel_groth16(int which, cancel_way way)
{
    scene s;
    CLEANUP(groth16_scene_close) groth16_scene g = {.out = NULL};
    int cancelled = 0;
    open_proofs(&s, way);
    groth16_scene_open(&g, which, s.calls.context);
    for (size_t i = 0; i < groth16_call_count; i++) {
        cancelled +=
            cancel_row(&s, &(proof_call){groth16_calls[i].name, run_groth16, &g, (int)i, g.out, g.out_bytes});
    }
    return cancelled;
}

static void test_groth16(void)
{
    const int which = circuit_first();
    /* The three calls that only convert bytes report nothing. A GPU does small steps at once, between which it reports less. */
    const int least = strcmp(options.backend, "cpu") == 0 ? (int)groth16_call_count - 3 : 1;
    for (cancel_way way = BY_PROGRESS; way < WAYS; way++) {
        assert_true(cancel_groth16(which, way) >= least);
    }
}

static sumac_status run_plonk(void *proofs, int row)
{
    return plonk_calls[row].run(proofs);
}

/* Cancel all calls of a flavour of PLONK in one context. */
static void cancel_plonk(int which, cancel_way way)
{
    scene s;
    CLEANUP(plonk_scene_close) plonk_scene p = {.out = NULL};
    open_proofs(&s, way);
    plonk_scene_open(&p, which, s.calls.context);
    for (size_t i = 0; i < plonk_call_count; i++) {
        const plonk_call *call = &plonk_calls[i];
        if (plonk_scene_has(&p, call)) {
            const int cancelled =
                cancel_row(&s, &(proof_call){call->name, run_plonk, &p, (int)i, p.out, p.out_bytes});
            assert_true(cancelled || call->kind == PLONK_CONVERTS || strcmp(options.backend, "cpu") != 0);
        }
    }
}

/* Each flavour's calls are cancelled by their progress function, and those of two flavours also in another way each. */
static void cancel_flavour(int which)
{
    const cancel_way other = (cancel_way)(which % WAYS);
    cancel_plonk(which, BY_PROGRESS);
    if (other != BY_PROGRESS && !options.quick) {
        cancel_plonk(which, other);
    }
}

static void test_plonk(void)
{
    plonk_for_scenes(cancel_flavour);
}

static void test_status_itself(void)
{
    assert_int_equal(SUMAC_CANCELLED, 23);
    assert_int_equal(sumac_status_is_machine_fault(SUMAC_CANCELLED), 0);
    assert_string_equal(sumac_status_text(SUMAC_CANCELLED), "the call was cancelled");
}

static const test_entry entries[] = {
    {"status", TEST_ONCE(test_status_itself)},
    {"calls", test_every_call, TEST_SOME_AND_TINY},
    {"calls cancelled from outside", test_outside, TEST_SOME_AND_TINY},
    {"sub-batches", test_sub_batches, TEST_SOME_AND_TINY},
    {"pairings", test_pairings, TEST_EVERY_GROUP},
    {"groth16", TEST_ONCE(test_groth16)},
    {"plonk", TEST_ONCE(test_plonk)},
};
TEST_MAIN("cancel", entries)

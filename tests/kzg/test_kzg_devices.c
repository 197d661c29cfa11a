/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests calls on blobs over several devices, which are the same one unless --devices names three. They must
 * give the bytes and messages of one device, and write nothing if a device fails.
 */
#include <pthread.h>

#include "support/failing.h"
#include "support/files.h"
#include "test_kzg_support.h"

enum { BLOBS = 4, KNOWN = CELLS / 2, ALL_CELLS = CELLS * CELL_BYTES, ALL_PROOFS = CELLS * POINT };

/* These are calls on blobs, ordered by time. `sizes` has the bytes of cells (or values) and of proofs that each call
 * gives for a blob. */
typedef enum call_kind {
    COMMIT,
    PROVE,
    PROVE_BLOBS,
    MAKE_CELLS,
    RECOVER,
    MAKE_BOTH,
    MAKE_PROOFS,
    RECOVER_BOTH,
    KINDS,
    FAST_KINDS = MAKE_BOTH
} call_kind;

static const struct {
    size_t cells, proofs;
} sizes[KINDS] = {[COMMIT] = {0, POINT},           [PROVE] = {ELEMENT, POINT},
                  [PROVE_BLOBS] = {0, POINT},      [MAKE_CELLS] = {ALL_CELLS, 0},
                  [RECOVER] = {ALL_CELLS, 0},      [MAKE_BOTH] = {ALL_CELLS, ALL_PROOFS},
                  [MAKE_PROOFS] = {0, ALL_PROOFS}, [RECOVER_BOTH] = {ALL_CELLS, ALL_PROOFS}};

static const int32_t same[MOST_DEVICES];

/* This is the number of reports before one cancels the call of any context. If it is negative, no report does. */
static int cancelled_at = -1;

static int on_progress(void *unused, double done)
{
    (void)unused;
    assert_true(done >= 0 && done <= 1);
    return cancelled_at >= 0 && cancelled_at-- == 0;
}

/* These are the inputs of the calls. */
typedef struct inputs {
    sumac_blob blobs[BLOBS];
    sumac_bytes32 zs[BLOBS];
    sumac_cell known[BLOBS * KNOWN];
} inputs;

typedef struct outputs {
    uint8_t cells[BLOBS * ALL_CELLS], proofs[BLOBS * ALL_PROOFS];
} outputs;

/* These are one device, a pair, and three devices with unequal shares. Each group has its setup. */
typedef struct device_group {
    sumac_context *context;
    sumac_kzg_setup *setup;
} device_group;

/* All tests share this, and do not change it. */
static struct scene {
    device_group groups[3];
    char path[32]; /* the file of the setup, which one device saved */
    inputs in;
    uint64_t indices[KNOWN];
    outputs results[KINDS]; /* the outputs of one device */
} scene;

static void clear(outputs *o)
{
    memset(o, 0xa5, sizeof *o);
}

static outputs *new_outputs(void)
{
    outputs *o = test_alloc(sizeof *o);
    clear(o);
    return o;
}

static void expect_untouched(const outputs *o)
{
    AUTO_FREE outputs *untouched = new_outputs();
    assert_memory_equal(o, untouched, sizeof *o);
}

static sumac_status call(device_group g, call_kind kind, const inputs *in, size_t count, outputs *o)
{
    sumac_context *c = g.context;
    const sumac_kzg_setup *s = g.setup;
    const sumac_bytes48 *commitments = (const void *)scene.results[COMMIT].proofs;
    void *cells = o->cells, *proofs = o->proofs;
    switch (kind) {
    case COMMIT:
        return sumac_kzg_commit(c, s, in->blobs, count, proofs);
    case PROVE:
        return sumac_kzg_compute_proof(c, s, in->blobs, in->zs, count, proofs, cells);
    case PROVE_BLOBS:
        return sumac_kzg_compute_blob_proof(c, s, in->blobs, commitments, count, proofs);
    case MAKE_CELLS:
        return sumac_kzg_cells(c, s, in->blobs, count, cells, NULL);
    case MAKE_BOTH:
        return sumac_kzg_cells(c, s, in->blobs, count, cells, proofs);
    case MAKE_PROOFS:
        return sumac_kzg_cells(c, s, in->blobs, count, NULL, proofs);
    default: /* RECOVER_BOTH overwrites the known cells */
        memcpy(cells, in->known, kind == RECOVER_BOTH ? count * KNOWN * CELL_BYTES : 0);
        return sumac_kzg_recover(c, s, scene.indices, KNOWN, kind == RECOVER_BOTH ? cells : in->known, count,
                                 cells, kind == RECOVER_BOTH ? proofs : NULL, NULL);
    }
}

static sumac_status verify(device_group g, size_t count, int *ok)
{
    return sumac_kzg_verify_blob_proof(g.context, g.setup, scene.in.blobs,
                                       (const void *)scene.results[COMMIT].proofs,
                                       (const void *)scene.results[PROVE_BLOBS].proofs, count, ok);
}

static device_group create(uint32_t count, const uint32_t *shares)
{
    sumac_context_config config = test_context_config(3);
    device_group group = {NULL, NULL};
    config.devices = count == 1 ? NULL : options.device_count >= count ? options.devices : same;
    config.device_count = count == 1 ? 0 : count;
    config.device_weights = shares;
    config.progress = on_progress;
    config.replica_limit = shares == NULL ? 0 : 1; /* each device has the whole setup in any case */
    assert_int_equal(sumac_context_create(&config, &group.context, NULL), SUMAC_OK);
    return group;
}

static void close_group(device_group *g)
{
    sumac_kzg_destroy(g->setup);
    sumac_context_destroy(g->context);
}

static void close_scene(void)
{
    for (size_t i = 0; i < 3; i++) {
        close_group(&scene.groups[i]);
    }
    test_remove_file(scene.path);
}

/* Return how many blobs a call gets. If a call computes all proofs of cells, it gets fewer, because it takes
 * longest. */
static size_t with_proofs(call_kind kind)
{
    return kind < FAST_KINDS ? BLOBS : options.quick ? 2 : 3;
}

static void make_results(void)
{
    const device_group one = scene.groups[0];
    for (unsigned i = 0; i < BLOBS; i++) {
        make_blob(scene.in.blobs + i, i);
        memcpy(scene.in.zs + i, scene.in.blobs[0].bytes + (i + 9) * ELEMENT, ELEMENT);
    }
    for (call_kind kind = 0; kind < KINDS; kind++) {
        if (kind != RECOVER && kind != MAKE_BOTH && kind != RECOVER_BOTH) {
            TEST_OK(one.context, call(one, kind, &scene.in, with_proofs(kind), &scene.results[kind]));
        }
    }
    /* The inputs of these calls are the cells and proofs of the other calls. */
    for (call_kind kind = RECOVER; kind < KINDS; kind += kind == RECOVER ? 1 : 2) {
        memcpy(scene.results[kind].cells, scene.results[MAKE_CELLS].cells, BLOBS * ALL_CELLS);
        memcpy(scene.results[kind].proofs, scene.results[MAKE_PROOFS].proofs, BLOBS * ALL_PROOFS);
    }
    const sumac_cell *cells = (const void *)scene.results[MAKE_CELLS].cells;
    for (size_t i = 0; i < BLOBS * KNOWN; i++) {
        const size_t k = i % KNOWN;
        scene.indices[k] = 2 * k + (k > 40);
        scene.in.known[i] = cells[i / KNOWN * CELLS + scene.indices[k]];
    }
}

static void open_scene(void)
{
    static const uint32_t shares[] = {1, 1, 2};
    if (scene.groups[0].context != NULL) {
        return;
    }
    strcpy(scene.path, "/tmp/sumac-kzg-devices-XXXXXX");
    test_make_file(scene.path);
    assert_int_equal(atexit(close_scene), 0);
    device_group *g = scene.groups;
    g[0] = create(1, NULL);
    g[1] = create(2, NULL);
    g[2] = create(3, shares);
    TEST_OK(g[0].context,
            sumac_kzg_open(g[0].context, TRUSTED_SETUP,
                           KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1, .table_bytes = 1), &g[0].setup));
    TEST_OK(g[0].context, sumac_kzg_save(g[0].context, g[0].setup, scene.path));
    for (size_t i = 1; i < 3; i++) {
        TEST_OK(g[i].context,
                sumac_kzg_open(g[i].context, scene.path, KZG_CONFIG(.check = SUMAC_CHECK_NONE), &g[i].setup));
        assert_int_equal(sumac_kzg_table_bytes(g[i].setup), sumac_kzg_table_bytes(g[0].setup));
    }
    make_results();
}

/* ---- results ---- */

static void check(device_group g, call_kind kind, size_t count)
{
    AUTO_FREE outputs *o = new_outputs();
    TEST_OK(g.context, call(g, kind, &scene.in, count, o));
    assert_memory_equal(o->cells, scene.results[kind].cells, count * sizes[kind].cells);
    assert_memory_equal(o->proofs, scene.results[kind].proofs, count * sizes[kind].proofs);
}

static void check_blobs(device_group g, size_t count)
{
    int ok = -1;
    check(g, COMMIT, count);
    check(g, PROVE, count);
    check(g, PROVE_BLOBS, count);
    TEST_OK(g.context, verify(g, count, &ok));
    assert_int_equal(ok, 1);
}

static void check_cells(device_group g, size_t count, int proofs)
{
    check(g, MAKE_CELLS, count);
    check(g, proofs ? RECOVER_BOTH : RECOVER, count);
    if (proofs) {
        check(g, MAKE_BOTH, count);
        check(g, MAKE_PROOFS, 1);
    }
}

static void test_results(void)
{
    open_scene();
    for (size_t i = 1; i < 3; i++) {
        const device_group g = scene.groups[i];
        for (size_t count = 1; count <= BLOBS; count += options.quick ? BLOBS - 1 : 1) {
            check_cells(g, count, 0);
        }
        check_blobs(g, i); /* there may be fewer blobs than devices */
        check_blobs(g, BLOBS);
        check_cells(g, with_proofs(MAKE_BOTH), i == 2 && !options.quick);
    }
}

/* ---- setups ---- */

/* Every group saves the same file. Two devices derive the same tables from the text. */
static void test_setups(void)
{
    open_scene();
    size_t size, size_found;
    AUTO_FREE uint8_t *expected = test_read_file(scene.path, &size);
    assert_true(size > 1 << 20 && size < 1 << 22);
    for (size_t i = 1; i < 3; i++) {
        const device_group g = scene.groups[i];
        TEST_OK(g.context, sumac_kzg_save(g.context, g.setup, scene.path));
        AUTO_FREE uint8_t *found = test_read_file(scene.path, &size_found);
        assert_int_equal(size_found, size);
        assert_memory_equal(found, expected, size);
    }
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    const device_group pair = scene.groups[1];
    TEST_OK(pair.context,
            sumac_kzg_open(pair.context, TRUSTED_SETUP,
                           KZG_CONFIG(.check = SUMAC_CHECK_CURVE, .cells = 1, .table_bytes = 1), &setup));
    assert_int_equal(sumac_kzg_table_bytes(setup), sumac_kzg_table_bytes(pair.setup));
    check_cells((device_group){pair.context, setup}, 2, 1);
}

/* Every context can use a setup of one device. A setup of several devices needs a context of as many. */
static void test_other_contexts(void)
{
    open_scene();
    const device_group *g = scene.groups;
    check_blobs((device_group){g[2].context, g[0].setup}, 4);
    check_cells((device_group){g[2].context, g[0].setup}, 4, 0);
    AUTO_FREE outputs *o = new_outputs();
    int ok = -1;
    test_sentence(g[0].context, call((device_group){g[0].context, g[1].setup}, COMMIT, &scene.in, 1, o),
                  SUMAC_BAD_ARGUMENT, "over 2 devices, and the context has 1");
    const device_group mixed = {g[1].context, g[2].setup};
    test_sentence(mixed.context, call(mixed, MAKE_CELLS, &scene.in, 1, o), SUMAC_BAD_ARGUMENT,
                  "over 3 devices, and the context has 2");
    test_sentence(mixed.context, verify(mixed, 1, &ok), SUMAC_BAD_ARGUMENT, "over 3 devices");
    assert_int_equal(ok, -1);
    expect_untouched(o);
}

/* Make calls in a context, while another context uses the same setup. */
static void *call_again(void *argument)
{
    const device_group *g = argument;
    AUTO_FREE outputs *o = malloc(sizeof *o);
    int is_right = o != NULL;
    for (int turn = 0; turn < 3 && is_right; turn++) {
        is_right = call(*g, COMMIT, &scene.in, BLOBS, o) == SUMAC_OK &&
                   call(*g, MAKE_CELLS, &scene.in, BLOBS, o) == SUMAC_OK &&
                   memcmp(o->proofs, scene.results[COMMIT].proofs, BLOBS * POINT) == 0 &&
                   memcmp(o->cells, scene.results[MAKE_CELLS].cells, sizeof o->cells) == 0;
    }
    return is_right ? NULL : argument;
}

static void test_two_callers(void)
{
    open_scene();
    CLEANUP(close_group) device_group other = create(2, NULL);
    device_group callers[] = {scene.groups[1], {other.context, scene.groups[1].setup}};
    pthread_t thread;
    void *failed = NULL;
    assert_int_equal(pthread_create(&thread, NULL, call_again, &callers[1]), 0);
    assert_null(call_again(&callers[0]));
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
}

/* ---- failures ---- */

/* If bad blobs are in the first share, in another one or in two, status and message are those of one device. */
static void test_bad_blobs(void)
{
    static const size_t bad[][2] = {{3, 3}, {2, 1}, {3, 2}};
    open_scene();
    AUTO_FREE outputs *o = new_outputs();
    AUTO_FREE inputs *in = test_alloc(sizeof *in);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i += options.quick ? 2 : 1) {
        *in = scene.in;
        for (size_t j = 0; j < 2; j++) {
            memset(in->blobs[bad[i][j]].bytes + 7 * ELEMENT, 0xff, ELEMENT);
            memset(in->known[bad[i][j] * KNOWN + 3].bytes + ELEMENT, 0xff, ELEMENT);
        }
        for (call_kind kind = 0; kind < (i > 0 || options.quick ? FAST_KINDS : MAKE_PROOFS); kind++) {
            char part[64], expected[SUMAC_MESSAGE_BYTES] = "";
            snprintf(part, sizeof part, kind == RECOVER ? "cell %zu: element 1," : "blob %zu: element 7,",
                     kind == RECOVER ? bad[i][1] * KNOWN + 3 : bad[i][1]);
            for (size_t k = 0; k < 3; k++) {
                const device_group g = scene.groups[k];
                test_sentence(g.context, call(g, kind, in, BLOBS, o), SUMAC_BAD_ENCODING, part);
                if (k == 0) {
                    strcpy(expected, sumac_context_message(g.context));
                }
                assert_string_equal(sumac_context_message(g.context), expected);
            }
            expect_untouched(o);
        }
    }
    check(scene.groups[1], MAKE_CELLS, 2);
}

/* Each allocation of a call fails once, on any device. In long calls only some allocations fail. Among them are the
 * last ones, near the results. */
static void short_call(call_kind kind, outputs *o)
{
    enum { COUNT = 2, SOME = 4 };
    const device_group g = scene.groups[1];
    failing_begin(failing_none);
    TEST_OK(g.context, call(g, kind, &scene.in, COUNT, o));
    const long all = failing_end().allocations;
    const int is_fast = (kind == MAKE_CELLS || kind == RECOVER) && !options.quick;
    const long step = is_fast ? 1 : all / (kind == MAKE_BOTH ? SOME / 2 : SOME) + 1;
    assert_true(all > 2);
    clear(o);
    for (long number = all - 1; number >= 0; number -= step) {
        failing_begin((failing_plan){.allocation = number, .thread = -1});
        const sumac_status status = call(g, kind, &scene.in, COUNT, o);
        const long failed = failing_end().allocations_failed;
        assert_true(status == SUMAC_OK || (status == SUMAC_OUT_OF_MEMORY && failed > 0));
        if (status == SUMAC_OK) {
            clear(o);
        }
        assert_true(status == SUMAC_OK || sumac_context_message(g.context)[0] != '\0');
        expect_untouched(o);
    }
}

/* If an allocation fails, no setup is opened. */
static void short_read(void)
{
    enum { SOME = 60 };
    sumac_context *c = scene.groups[2].context;
    sumac_kzg_setup *setup = NULL;
    failing_begin(failing_none);
    TEST_OK(c, sumac_kzg_open(c, scene.path, KZG_CONFIG(.check = SUMAC_CHECK_NONE), &setup));
    const long all = failing_end().allocations;
    sumac_kzg_destroy(setup);
    for (long number = all - 1; number >= 0; number -= all / SOME + 1) {
        failing_begin((failing_plan){.allocation = number, .thread = -1});
        const sumac_status status =
            sumac_kzg_open(c, scene.path, KZG_CONFIG(.check = SUMAC_CHECK_NONE), &setup);
        const long failed = failing_end().allocations_failed;
        assert_true(status == SUMAC_OK || (status == SUMAC_OUT_OF_MEMORY && failed > 0));
        assert_true((status == SUMAC_OK) == (setup != NULL));
        sumac_kzg_destroy(setup);
    }
}

static void test_short_memory(void)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip(); /* allocations of the engine and the driver can't be made to fail */
    }
    open_scene();
    AUTO_FREE outputs *o = new_outputs();
    for (call_kind kind = 0; kind < (options.quick ? FAST_KINDS : MAKE_PROOFS); kind++) {
        short_call(kind, o);
    }
    short_read();
    failing_begin((failing_plan){.allocation = -1, .thread = 0, .from_then_on = 1});
    CLEANUP(close_group) device_group alone = create(2, NULL);
    check_cells((device_group){alone.context, scene.groups[1].setup}, 4, 0); /* the calling thread does all */
    assert_true(failing_end().threads_failed > 0);
}

/* ---- cancelled calls ---- */

/* Cancel a kind of call at each of its reports, from the first one on. Nothing must be written until a call is
 * completed. */
static void cancel_kind(size_t group, call_kind kind, outputs *o)
{
    enum { COUNT = 3, MOST = 10000 };
    const device_group g = scene.groups[group];
    int cancelled = 0;
    sumac_status status = SUMAC_CANCELLED;
    for (int at = 0; status != SUMAC_OK && at < MOST; at += 1 + at / 2) {
        cancelled_at = at;
        status = call(g, kind, &scene.in, COUNT, o);
        cancelled_at = -1;
        if (status != SUMAC_OK) {
            test_sentence(g.context, status, SUMAC_CANCELLED, "was cancelled");
            expect_untouched(o);
            cancelled++;
        }
    }
    assert_int_equal(status, SUMAC_OK);
    /* With several devices the calling thread may be too late to get a share and report. */
    assert_true(cancelled > 0 || group > 0);
    clear(o);
}

/* Return the least number of reports that these calls make. On a device only the first report is certain. */
static int sure_reports(void)
{
    return strcmp(options.backend, "cpu") == 0 ? 3 : 1;
}

static void cancel_verifications(device_group g)
{
    const void *commitments = scene.results[COMMIT].proofs;
    const uint64_t cell = 0;
    int ok = -1;
    for (int at = 0; at < sure_reports(); at++) {
        cancelled_at = at;
        test_sentence(g.context, verify(g, BLOBS, &ok), SUMAC_CANCELLED, "cancelled");
        cancelled_at = at;
        test_sentence(g.context,
                      sumac_kzg_verify_proof(g.context, g.setup, commitments, scene.in.zs,
                                             (const void *)scene.results[PROVE].cells,
                                             (const void *)scene.results[PROVE].proofs, BLOBS, &ok),
                      SUMAC_CANCELLED, "cancelled");
        cancelled_at = at;
        test_sentence(g.context,
                      sumac_kzg_verify_cells(g.context, g.setup, commitments, &cell,
                                             (const void *)scene.results[MAKE_CELLS].cells,
                                             (const void *)scene.results[MAKE_PROOFS].proofs, 1, &ok),
                      SUMAC_CANCELLED, "cancelled");
    }
    cancelled_at = -1;
    assert_int_equal(ok, -1);
}

/* If reading, preparing or saving a setup is cancelled, it has no effect. */
static void cancel_setups(void)
{
    sumac_context *c = scene.groups[0].context;
    const char *const paths[] = {scene.path, TRUSTED_SETUP};
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    for (int at = 0; at < 2 * sure_reports(); at++) {
        cancelled_at = at / 2;
        test_sentence(
            c, sumac_kzg_open(c, paths[at % 2], KZG_CONFIG(.check = SUMAC_CHECK_NONE, .cells = 1), &setup),
            SUMAC_CANCELLED, "cancelled");
        assert_null(setup);
    }
    cancelled_at = -1;
}

static void test_cancelled(void)
{
    open_scene();
    AUTO_FREE outputs *o = new_outputs();
    for (size_t i = 0; i < 3; i += options.quick ? 2 : 1) {
        for (call_kind kind = 0; kind < (options.quick || i > 0 ? FAST_KINDS : MAKE_PROOFS); kind++) {
            cancel_kind(i, kind, o);
        }
        cancel_verifications(scene.groups[i]);
        check_blobs(scene.groups[i], BLOBS);
        check_cells(scene.groups[i], 2, i == 0 && !options.quick);
    }
    cancel_setups();
}

static const test_entry entries[] = {
    {"blobs: results", TEST_ONCE(test_results)},
    {"blobs: setups", TEST_ONCE(test_setups)},
    {"blobs: other contexts", TEST_ONCE(test_other_contexts)},
    {"blobs: two callers", TEST_ONCE(test_two_callers)},
    {"failures: bad blobs", TEST_ONCE(test_bad_blobs)},
    {"failures: cancelled", TEST_ONCE(test_cancelled)},
    {"failures: short memory", TEST_ONCE(test_short_memory)},
};
TEST_MAIN("kzg_devices", entries)

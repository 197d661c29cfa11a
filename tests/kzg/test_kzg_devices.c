/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Blobs of a call over several devices, which are the same one unless --devices names three: the bytes of one
 * device, its sentences, and nothing written where a member fails.
 */
#include <pthread.h>
#include <unistd.h>

#include "support/failing.h"
#include "support/files.h"
#include "test_kzg_support.h"

enum { BLOBS = 4, KNOWN = CELLS / 2, ALL_CELLS = CELLS * CELL_BYTES, ALL_PROOFS = CELLS * POINT };

static const int32_t same[SUMAC_MAX_DEVICES];

/* Every context asks it: at which report, counted down, a call is cancelled. */
static int cancelled_at = -1;

static int on_progress(void *unused, double done)
{
    (void)unused;
    assert_true(done >= 0 && done <= 1);
    return cancelled_at >= 0 && cancelled_at-- == 0;
}

/* What the calls take, and what one device makes of it. */
typedef struct all_blobs {
    uint8_t *blobs, *zs, *known;
    uint64_t indices[KNOWN];
    uint8_t *commitments, *proofs, *ys, *blob_proofs, *cells, *cell_proofs;
} all_blobs;

/* One device, a pair, and three of unequal shares; each with its setup. */
typedef struct places {
    sumac_context *contexts[3];
    sumac_kzg_setup *setups[3];
    char path[32]; /* of the setup that one device saved */
    all_blobs all;
} places;

static places *the_places;

static sumac_context *create(uint32_t count, const uint32_t *shares)
{
    sumac_context_config config = test_context_config(3);
    sumac_context *context = NULL;
    config.devices = count == 1 ? NULL : options.device_count >= count ? options.devices : same;
    config.device_count = count == 1 ? 0 : count;
    config.device_weights = shares;
    config.progress = on_progress;
    config.replica_limit = shares == NULL ? 0 : 1; /* a setup is whole on each device all the same */
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    return context;
}

static void close_places(places *p)
{
    for (size_t i = 0; i < 3; i++) {
        sumac_kzg_setup_destroy(p->setups[i]);
        sumac_context_destroy(p->contexts[i]);
    }
    uint8_t *const made[] = {p->all.blobs,       p->all.zs,          p->all.known,
                             p->all.commitments, p->all.proofs,      p->all.ys,
                             p->all.cells,       p->all.blob_proofs, p->all.cell_proofs};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        free(made[i]);
    }
    (void)unlink(p->path);
}

/* Of so many blobs all proofs of cells are computed: they take longest. */
static size_t with_proofs(void)
{
    return options.quick ? 2 : 3;
}

static void make_all(const places *p, all_blobs *all)
{
    sumac_context *c = p->contexts[0];
    const sumac_kzg_setup *s = p->setups[0];
    *all = (all_blobs){.blobs = test_alloc((size_t)BLOBS * BLOB),
                       .zs = test_alloc((size_t)BLOBS * ELEMENT),
                       .known = test_alloc((size_t)BLOBS * KNOWN * CELL_BYTES),
                       .commitments = test_alloc((size_t)BLOBS * POINT),
                       .proofs = test_alloc((size_t)BLOBS * POINT),
                       .ys = test_alloc((size_t)BLOBS * ELEMENT),
                       .blob_proofs = test_alloc((size_t)BLOBS * POINT),
                       .cells = test_alloc((size_t)BLOBS * ALL_CELLS),
                       .cell_proofs = test_alloc((size_t)BLOBS * ALL_PROOFS)};
    for (unsigned i = 0; i < BLOBS; i++) {
        make_blob(all->blobs + (size_t)i * BLOB, i);
        memcpy(all->zs + (size_t)i * ELEMENT, all->blobs + (size_t)(i + 9) * ELEMENT, ELEMENT);
    }
    TEST_OK(c, sumac_kzg_commit_batch(c, s, (const sumac_blob *)all->blobs, BLOBS,
                                      (sumac_bytes48 *)all->commitments));
    TEST_OK(c, sumac_kzg_compute_proof_batch(c, s, (const sumac_blob *)all->blobs,
                                             (const sumac_bytes32 *)all->zs, BLOBS,
                                             (sumac_bytes48 *)all->proofs, (sumac_bytes32 *)all->ys));
    TEST_OK(c, sumac_kzg_compute_blob_proof_batch(c, s, (const sumac_blob *)all->blobs,
                                                  (const sumac_bytes48 *)all->commitments, BLOBS,
                                                  (sumac_bytes48 *)all->blob_proofs));
    TEST_OK(c, sumac_kzg_compute_cells_batch(c, s, (const sumac_blob *)all->blobs, BLOBS,
                                             (sumac_cell *)all->cells));
    TEST_OK(c, sumac_kzg_compute_cell_proofs_batch(c, s, (const sumac_blob *)all->blobs, with_proofs(),
                                                   (sumac_bytes48 *)all->cell_proofs));
    for (size_t k = 0; k < KNOWN; k++) {
        all->indices[k] = 2 * k + (k > 40);
        for (size_t i = 0; i < BLOBS; i++) {
            memcpy(all->known + (i * KNOWN + k) * CELL_BYTES,
                   all->cells + (i * CELLS + all->indices[k]) * CELL_BYTES, CELL_BYTES);
        }
    }
}

static places make_places(void)
{
    static const uint32_t shares[] = {1, 1, 2};
    places p = {.path = "/tmp/sumac-kzg-devices-XXXXXX"};
    close(mkstemp(p.path));
    p.contexts[0] = create(1, NULL);
    p.contexts[1] = create(2, NULL);
    p.contexts[2] = create(3, shares);
    sumac_context *one = p.contexts[0];
    TEST_OK(one, sumac_kzg_setup_open(one, TRUSTED_SETUP, SUMAC_CHECK_NONE, &p.setups[0]));
    TEST_OK(one, sumac_kzg_setup_make_tables(one, p.setups[0], 1));
    TEST_OK(one, sumac_kzg_setup_save(one, p.setups[0], p.path));
    for (size_t i = 1; i < 3; i++) {
        TEST_OK(p.contexts[i], sumac_kzg_setup_open(p.contexts[i], p.path, SUMAC_CHECK_NONE, &p.setups[i]));
        assert_int_equal(sumac_kzg_setup_table_bytes(p.setups[i]), sumac_kzg_setup_table_bytes(p.setups[0]));
    }
    make_all(&p, &p.all);
    return p;
}

/* The same for all tests, which leave them as they are. */
static places open_places(void)
{
    static places made;
    if (the_places == NULL) {
        made = make_places();
        the_places = &made;
    }
    return made;
}

/* ---- results ---- */

static void check_blobs(const places *p, size_t place, size_t count)
{
    sumac_context *c = p->contexts[place];
    const sumac_kzg_setup *s = p->setups[place];
    const all_blobs *all = &p->all;
    uint8_t points[BLOBS * POINT], ys[BLOBS * ELEMENT];
    TEST_OK(c, sumac_kzg_commit_batch(c, s, (const sumac_blob *)all->blobs, count, (sumac_bytes48 *)points));
    assert_memory_equal(points, all->commitments, count * POINT);
    TEST_OK(c, sumac_kzg_compute_proof_batch(c, s, (const sumac_blob *)all->blobs,
                                             (const sumac_bytes32 *)all->zs, count, (sumac_bytes48 *)points,
                                             (sumac_bytes32 *)ys));
    assert_memory_equal(points, all->proofs, count * POINT);
    assert_memory_equal(ys, all->ys, count * ELEMENT);
    TEST_OK(c, sumac_kzg_compute_blob_proof_batch(c, s, (const sumac_blob *)all->blobs,
                                                  (const sumac_bytes48 *)all->commitments, count,
                                                  (sumac_bytes48 *)points));
    assert_memory_equal(points, all->blob_proofs, count * POINT);
    int ok = -1;
    TEST_OK(c, sumac_kzg_verify_blob_proof_batch(c, s, (const sumac_blob *)all->blobs,
                                                 (const sumac_bytes48 *)all->commitments,
                                                 (const sumac_bytes48 *)points, count, &ok));
    assert_int_equal(ok, 1);
}

static void check_cells(const places *p, size_t place, size_t count, int proofs)
{
    sumac_context *c = p->contexts[place];
    const sumac_kzg_setup *s = p->setups[place];
    const all_blobs *all = &p->all;
    AUTO_FREE uint8_t *cells = test_alloc((size_t)BLOBS * ALL_CELLS);
    AUTO_FREE uint8_t *cell_proofs = test_alloc((size_t)BLOBS * ALL_PROOFS);
    memset(cell_proofs, 0, (size_t)BLOBS * ALL_PROOFS);
    TEST_OK(c,
            sumac_kzg_compute_cells_batch(c, s, (const sumac_blob *)all->blobs, count, (sumac_cell *)cells));
    assert_memory_equal(cells, all->cells, count * ALL_CELLS);
    memcpy(cells, all->known, count * KNOWN * CELL_BYTES);
    TEST_OK(c, sumac_kzg_recover_cells_and_proofs_batch(c, s, all->indices, KNOWN, (const sumac_cell *)cells,
                                                        count, (sumac_cell *)cells,
                                                        (sumac_bytes48 *)(proofs ? cell_proofs : NULL)));
    assert_memory_equal(cells, all->cells, count * ALL_CELLS);
    if (proofs) {
        assert_memory_equal(cell_proofs, all->cell_proofs, count * ALL_PROOFS);
        memset(cells, 0, count * ALL_CELLS);
        memset(cell_proofs, 0, count * ALL_PROOFS);
        TEST_OK(c,
                sumac_kzg_compute_cells_and_proofs_batch(c, s, (const sumac_blob *)all->blobs, count,
                                                         (sumac_cell *)cells, (sumac_bytes48 *)cell_proofs));
        assert_memory_equal(cells, all->cells, count * ALL_CELLS);
        assert_memory_equal(cell_proofs, all->cell_proofs, count * ALL_PROOFS);
        memset(cell_proofs, 0, count * ALL_PROOFS);
        TEST_OK(c, sumac_kzg_compute_cell_proofs_batch(c, s, (const sumac_blob *)all->blobs, 1,
                                                       (sumac_bytes48 *)cell_proofs));
        assert_memory_equal(cell_proofs, all->cell_proofs, ALL_PROOFS);
        test_status(c,
                    sumac_kzg_verify_cell_proof_batch(c, s, (const sumac_bytes48 *)all->commitments,
                                                      all->indices, (const sumac_cell *)all->known,
                                                      (const sumac_bytes48 *)all->cell_proofs, 0, &(int){0}),
                    SUMAC_OK, "verify");
    }
}

static void test_results(void)
{
    places p = open_places();
    for (size_t place = 1; place < 3; place++) {
        for (size_t count = 1; count <= BLOBS; count += options.quick ? BLOBS - 1 : 1) {
            check_cells(&p, place, count, 0);
        }
        check_blobs(&p, place, place); /* fewer than devices */
        check_blobs(&p, place, BLOBS);
        check_cells(&p, place, with_proofs(), place == 2 && !options.quick);
    }
}

/* ---- setups ---- */

/* The same file, whoever made the setup; prepared again, and read with every check. */
static void test_setups(void)
{
    places p = open_places();
    size_t size, size_found;
    AUTO_FREE uint8_t *expected = test_read_file(p.path, &size);
    assert_true(size > 1 << 20 && size < 1 << 22);
    for (size_t place = 1; place < 3; place++) {
        sumac_context *c = p.contexts[place];
        TEST_OK(c, sumac_kzg_setup_save(c, p.setups[place], p.path));
        AUTO_FREE uint8_t *found = test_read_file(p.path, &size_found);
        assert_int_equal(size_found, size);
        assert_memory_equal(found, expected, size);
    }
    sumac_kzg_setup *setup = NULL, *kept = p.setups[1];
    TEST_OK(p.contexts[1], sumac_kzg_setup_open(p.contexts[1], p.path, SUMAC_CHECK_CURVE, &setup));
    TEST_OK(p.contexts[1], sumac_kzg_setup_make_tables(p.contexts[1], setup, 1));
    assert_int_equal(sumac_kzg_setup_table_bytes(setup), sumac_kzg_setup_table_bytes(kept));
    p.setups[1] = setup;
    check_cells(&p, 1, 2, 1);
    p.setups[1] = kept;
    sumac_kzg_setup_destroy(setup);
}

/* A setup of one device serves every context; one of several, contexts of as many. */
static void test_other_contexts(void)
{
    places p = open_places();
    sumac_kzg_setup *own = p.setups[2];
    p.setups[2] = p.setups[0];
    check_blobs(&p, 2, 4);
    check_cells(&p, 2, 4, 0);
    p.setups[2] = own;
    uint8_t point[POINT];
    int ok = -1;
    test_sentence(p.contexts[0],
                  sumac_kzg_commit_batch(p.contexts[0], p.setups[1], (const sumac_blob *)p.all.blobs, 1,
                                         (sumac_bytes48 *)point),
                  SUMAC_BAD_ARGUMENT, "over 2 devices, and the context has 1");
    test_sentence(p.contexts[1],
                  sumac_kzg_compute_cells_batch(p.contexts[1], own, (const sumac_blob *)p.all.blobs, 1,
                                                (sumac_cell *)p.all.cells),
                  SUMAC_BAD_ARGUMENT, "over 3 devices, and the context has 2");
    test_sentence(p.contexts[1],
                  sumac_kzg_verify_blob_proof(p.contexts[1], own, (const sumac_blob *)p.all.blobs,
                                              (const sumac_bytes48 *)p.all.commitments,
                                              (const sumac_bytes48 *)p.all.blob_proofs, &ok),
                  SUMAC_BAD_ARGUMENT, "over 3 devices");
    assert_int_equal(ok, -1);
}

/* Two contexts at once with one setup. */
typedef struct caller {
    const places *places;
    sumac_context *context;
} caller;

static void *call_again(void *argument)
{
    const caller *c = argument;
    uint8_t commitments[BLOBS * POINT];
    AUTO_FREE uint8_t *cells = malloc((size_t)BLOBS * ALL_CELLS);
    sumac_status status = cells == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
    for (int turn = 0; turn < 3 && status == SUMAC_OK; turn++) {
        status =
            sumac_kzg_commit_batch(c->context, c->places->setups[1], (const sumac_blob *)c->places->all.blobs,
                                   BLOBS, (sumac_bytes48 *)commitments);
        if (status == SUMAC_OK) {
            status = sumac_kzg_compute_cells_batch(c->context, c->places->setups[1],
                                                   (const sumac_blob *)c->places->all.blobs, BLOBS,
                                                   (sumac_cell *)cells);
        }
        if (status == SUMAC_OK && (memcmp(commitments, c->places->all.commitments, sizeof commitments) != 0 ||
                                   memcmp(cells, c->places->all.cells, (size_t)BLOBS * ALL_CELLS) != 0)) {
            status = SUMAC_INTERNAL;
        }
    }
    return status == SUMAC_OK ? NULL : argument;
}

static void test_two_callers(void)
{
    places p = open_places();
    caller callers[] = {{&p, p.contexts[1]}, {&p, create(2, NULL)}};
    pthread_t thread;
    void *failed = NULL;
    assert_int_equal(pthread_create(&thread, NULL, call_again, &callers[1]), 0);
    assert_null(call_again(&callers[0]));
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    sumac_context_destroy(callers[1].context);
}

/* ---- failures ---- */

/* Every call on `count` blobs, of which some are bad; *kinds of them. */
enum { KINDS = 6 };
static sumac_status call_kind(size_t kind, sumac_context *c, const sumac_kzg_setup *s, const all_blobs *all,
                              const uint8_t *blobs, const uint8_t *known, size_t count, uint8_t *cells,
                              uint8_t *proofs)
{
    switch (kind) {
    case 0:
        return sumac_kzg_commit_batch(c, s, (const sumac_blob *)blobs, count, (sumac_bytes48 *)proofs);
    case 1:
        return sumac_kzg_compute_proof_batch(c, s, (const sumac_blob *)blobs, (const sumac_bytes32 *)all->zs,
                                             count, (sumac_bytes48 *)proofs, (sumac_bytes32 *)cells);
    case 2:
        return sumac_kzg_compute_blob_proof_batch(c, s, (const sumac_blob *)blobs,
                                                  (const sumac_bytes48 *)all->commitments, count,
                                                  (sumac_bytes48 *)proofs);
    case 3:
        return sumac_kzg_compute_cells_batch(c, s, (const sumac_blob *)blobs, count, (sumac_cell *)cells);
    case 4:
        return sumac_kzg_recover_cells_and_proofs_batch(c, s, all->indices, KNOWN, (const sumac_cell *)known,
                                                        count, (sumac_cell *)cells, NULL);
    default:
        return sumac_kzg_compute_cells_and_proofs_batch(c, s, (const sumac_blob *)blobs, count,
                                                        (sumac_cell *)cells, (sumac_bytes48 *)proofs);
    }
}

/* Outputs that no call has written to. */
typedef struct outputs {
    uint8_t *cells, *proofs, *untouched;
} outputs;

static outputs make_outputs(void)
{
    const outputs made = {test_alloc((size_t)BLOBS * ALL_CELLS), test_alloc((size_t)BLOBS * ALL_PROOFS),
                          test_alloc((size_t)BLOBS * ALL_CELLS)};
    memset(made.cells, 0xa5, (size_t)BLOBS * ALL_CELLS);
    memset(made.proofs, 0xa5, (size_t)BLOBS * ALL_PROOFS);
    memset(made.untouched, 0xa5, (size_t)BLOBS * ALL_CELLS);
    return made;
}

static void expect_untouched(const outputs *o)
{
    assert_memory_equal(o->cells, o->untouched, (size_t)BLOBS * ALL_CELLS);
    assert_memory_equal(o->proofs, o->untouched, (size_t)BLOBS * ALL_PROOFS);
}

static void free_outputs(const outputs *o)
{
    free(o->cells);
    free(o->proofs);
    free(o->untouched);
}

/* Bad blobs in the first, in another and in two shares: status and sentence are those of one device. */
static void test_bad_blobs(void)
{
    static const size_t bad[][2] = {{3, 3}, {2, 1}, {3, 2}};
    places p = open_places();
    const outputs o = make_outputs();
    AUTO_FREE uint8_t *blobs = test_alloc((size_t)BLOBS * BLOB),
                      *known = test_alloc((size_t)BLOBS * KNOWN * CELL_BYTES);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i += options.quick ? 2 : 1) {
        const size_t kinds = i > 0 || options.quick ? KINDS - 1 : KINDS; /* proofs of cells take longest */
        memcpy(blobs, p.all.blobs, (size_t)BLOBS * BLOB);
        memcpy(known, p.all.known, (size_t)BLOBS * KNOWN * CELL_BYTES);
        for (size_t j = 0; j < 2; j++) {
            memset(blobs + bad[i][j] * BLOB + 7 * ELEMENT, 0xff, ELEMENT);
            memset(known + (bad[i][j] * KNOWN + 3) * CELL_BYTES + ELEMENT, 0xff, ELEMENT);
        }
        for (size_t kind = 0; kind < kinds; kind++) {
            char place[64], expected[SUMAC_MESSAGE_BYTES];
            test_status(
                p.contexts[0],
                call_kind(kind, p.contexts[0], p.setups[0], &p.all, blobs, known, BLOBS, o.cells, o.proofs),
                SUMAC_BAD_ENCODING, "one device");
            snprintf(expected, sizeof expected, "%s", sumac_context_message(p.contexts[0]));
            snprintf(place, sizeof place, kind == 4 ? "cell %zu: element 1," : "blob %zu: element 7,",
                     kind == 4 ? bad[i][1] * KNOWN + 3 : bad[i][1]);
            assert_non_null(strstr(expected, place));
            for (size_t several = 1; several < 3; several++) {
                sumac_context *c = p.contexts[several];
                test_status(
                    c, call_kind(kind, c, p.setups[several], &p.all, blobs, known, BLOBS, o.cells, o.proofs),
                    SUMAC_BAD_ENCODING, "several devices");
                assert_string_equal(sumac_context_message(c), expected);
            }
            expect_untouched(&o);
        }
    }
    TEST_OK(p.contexts[1],
            call_kind(3, p.contexts[1], p.setups[1], &p.all, p.all.blobs, NULL, 2, o.cells, o.proofs));
    assert_memory_equal(o.cells, p.all.cells, 2 * ALL_CELLS);
    free_outputs(&o);
}

/* Each allocation of a call fails once, in whichever member it is; of one that takes long, some: the last
 * ones too, near to the results. */
static void short_call(const places *p, size_t kind, const outputs *o)
{
    enum { COUNT = 2, SOME = 4 };
    sumac_context *c = p->contexts[1];
    const sumac_kzg_setup *s = p->setups[1];
    failing_begin(failing_none);
    TEST_OK(c, call_kind(kind, c, s, &p->all, p->all.blobs, p->all.known, COUNT, o->cells, o->proofs));
    const long all = failing_end().allocations;
    const int is_fast = (kind == 3 || kind == 4) && !options.quick;
    const long step = is_fast ? 1 : all / (kind == 5 ? SOME / 2 : SOME) + 1;
    assert_true(all > 2);
    memset(o->cells, 0xa5, (size_t)BLOBS * ALL_CELLS);
    memset(o->proofs, 0xa5, (size_t)BLOBS * ALL_PROOFS);
    for (long number = all - 1; number >= 0; number -= step) {
        failing_begin((failing_plan){.allocation = number, .thread = -1});
        const sumac_status status =
            call_kind(kind, c, s, &p->all, p->all.blobs, p->all.known, COUNT, o->cells, o->proofs);
        const long failed = failing_end().allocations_failed;
        assert_true(status == SUMAC_OK || (status == SUMAC_OUT_OF_MEMORY && failed > 0));
        if (status == SUMAC_OK) {
            memset(o->cells, 0xa5, (size_t)BLOBS * ALL_CELLS);
            memset(o->proofs, 0xa5, (size_t)BLOBS * ALL_PROOFS);
        } else {
            assert_true(sumac_context_message(c)[0] != '\0');
            expect_untouched(o);
        }
    }
}

/* A setup is read whole or not at all. */
static void short_read(const places *p)
{
    enum { SOME = 60 };
    sumac_context *c = p->contexts[2];
    sumac_kzg_setup *setup = NULL;
    failing_begin(failing_none);
    TEST_OK(c, sumac_kzg_setup_open(c, p->path, SUMAC_CHECK_NONE, &setup));
    const long all = failing_end().allocations;
    sumac_kzg_setup_destroy(setup);
    for (long number = all - 1; number >= 0; number -= all / SOME + 1) {
        failing_begin((failing_plan){.allocation = number, .thread = -1});
        const sumac_status status = sumac_kzg_setup_open(c, p->path, SUMAC_CHECK_NONE, &setup);
        const long failed = failing_end().allocations_failed;
        assert_true(status == SUMAC_OK || (status == SUMAC_OUT_OF_MEMORY && failed > 0));
        assert_true((status == SUMAC_OK) == (setup != NULL));
        sumac_kzg_setup_destroy(setup);
    }
}

static void test_short_memory(void)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip(); /* the engine's and the driver's are their own */
    }
    places p = open_places();
    const outputs o = make_outputs();
    for (size_t kind = 0; kind < (options.quick ? KINDS - 1 : (size_t)KINDS); kind++) {
        short_call(&p, kind, &o);
    }
    short_read(&p);
    failing_begin((failing_plan){.allocation = -1, .thread = 0, .from_then_on = 1});
    CLEANUP(destroy_context) sumac_context *alone = create(2, NULL);
    sumac_context *kept = p.contexts[1];
    p.contexts[1] = alone;
    check_cells(&p, 1, 4, 0); /* the calling thread does all */
    assert_true(failing_end().threads_failed > 0);
    p.contexts[1] = kept;
    free_outputs(&o);
}

/* ---- cancelled calls ---- */

/* Each kind of call at its reports, from the first on: nothing is written until one is completed. */
static void cancel_kind(const places *p, size_t place, size_t kind, const outputs *o)
{
    enum { COUNT = 3, MOST = 10000 };
    sumac_context *c = p->contexts[place];
    int cancelled = 0;
    sumac_status status = SUMAC_CANCELLED;
    for (int at = 0; status != SUMAC_OK && at < MOST; at += 1 + at / 2) {
        cancelled_at = at;
        status = call_kind(kind, c, p->setups[place], &p->all, p->all.blobs, p->all.known, COUNT, o->cells,
                           o->proofs);
        cancelled_at = -1;
        if (status != SUMAC_OK) {
            test_sentence(c, status, SUMAC_CANCELLED, "cancelled by its progress function");
            expect_untouched(o);
            cancelled++;
        }
    }
    assert_int_equal(status, SUMAC_OK);
    assert_true(cancelled > 0 ||
                place > 0); /* of several, the calling thread may come too late for a share */
    memset(o->cells, 0xa5, (size_t)BLOBS * ALL_CELLS);
    memset(o->proofs, 0xa5, (size_t)BLOBS * ALL_PROOFS);
}

/* So many reports every one of these calls has: on a device the first is all that is sure. */
static int sure_reports(void)
{
    return strcmp(options.backend, "cpu") == 0 ? 3 : 1;
}

static void cancel_verifications(const places *p, size_t place)
{
    sumac_context *c = p->contexts[place];
    const sumac_kzg_setup *s = p->setups[place];
    const all_blobs *all = &p->all;
    for (int at = 0; at < sure_reports(); at++) {
        int ok = -1;
        cancelled_at = at;
        test_sentence(c,
                      sumac_kzg_verify_blob_proof_batch(c, s, (const sumac_blob *)all->blobs,
                                                        (const sumac_bytes48 *)all->commitments,
                                                        (const sumac_bytes48 *)all->blob_proofs, BLOBS, &ok),
                      SUMAC_CANCELLED, "cancelled");
        cancelled_at = at;
        test_sentence(c,
                      sumac_kzg_verify_proof_batch(
                          c, s, (const sumac_bytes48 *)all->commitments, (const sumac_bytes32 *)all->zs,
                          (const sumac_bytes32 *)all->ys, (const sumac_bytes48 *)all->proofs, BLOBS, &ok),
                      SUMAC_CANCELLED, "cancelled");
        cancelled_at = at;
        const uint64_t cell = 0;
        test_sentence(c,
                      sumac_kzg_verify_cell_proof_batch(c, s, (const sumac_bytes48 *)all->commitments, &cell,
                                                        (const sumac_cell *)all->cells,
                                                        (const sumac_bytes48 *)all->cell_proofs, 1, &ok),
                      SUMAC_CANCELLED, "cancelled");
        cancelled_at = -1;
        assert_int_equal(ok, -1);
    }
}

/* Setups are read, prepared and saved whole or not at all. */
static void cancel_setups(const places *p)
{
    sumac_context *c = p->contexts[0];
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    for (int at = 0; at < sure_reports(); at++) {
        cancelled_at = at;
        test_sentence(c, sumac_kzg_setup_open(c, p->path, SUMAC_CHECK_NONE, &setup), SUMAC_CANCELLED,
                      "cancelled");
        assert_null(setup);
        cancelled_at = at;
        test_sentence(c, sumac_kzg_setup_open(c, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup), SUMAC_CANCELLED,
                      "cancelled");
        assert_null(setup);
    }
    cancelled_at = -1;
    TEST_OK(c, sumac_kzg_setup_open(c, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup));
    for (int at = 0; at < sure_reports(); at++) {
        cancelled_at = at;
        test_sentence(c, sumac_kzg_setup_make_tables(c, setup, 1), SUMAC_CANCELLED, "cancelled");
        assert_int_equal(sumac_kzg_setup_has_tables(setup), 0);
    }
    cancelled_at = -1;
}

static void test_cancelled(void)
{
    places p = open_places();
    const outputs o = make_outputs();
    for (size_t place = 0; place < 3; place += options.quick ? 2 : 1) {
        for (size_t kind = 0; kind < (options.quick || place > 0 ? KINDS - 1 : (size_t)KINDS); kind++) {
            cancel_kind(&p, place, kind, &o);
        }
        cancel_verifications(&p, place);
        check_blobs(&p, place, BLOBS);
        check_cells(&p, place, 2, place == 0 && !options.quick);
    }
    cancel_setups(&p);
    free_outputs(&o);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"blobs: results", TEST_ONCE(test_results)},
        {"blobs: setups", TEST_ONCE(test_setups)},
        {"blobs: other contexts", TEST_ONCE(test_other_contexts)},
        {"blobs: two callers", TEST_ONCE(test_two_callers)},
        {"failures: bad blobs", TEST_ONCE(test_bad_blobs)},
        {"failures: cancelled", TEST_ONCE(test_cancelled)},
        {"failures: short memory", TEST_ONCE(test_short_memory)},
    };
    const int status = test_main("kzg_devices", entries, sizeof entries / sizeof *entries, argc, argv);
    if (the_places != NULL) {
        close_places(the_places);
    }
    return status;
}

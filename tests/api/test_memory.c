/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Memory runs out at every place where it can: each call is repeated with its first, second, third ..
 * allocation failing, alone or with all that follow, until it succeeds. Every failure has its status and its
 * sentence, which says how many bytes it was about, leaks nothing (AddressSanitizer and valgrind look),
 * changes no result, and the same context then does the call right. Threads run out likewise; a call then
 * goes on with those that it got.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/failing.h"
#include "support/harness.h"
#include "sumac/kzg.h"
#include "sumac/map.h"
#include "sumac/pairing.h"
#include "sumac/srs.h"

#define TRUSTED_SETUP SUMAC_TEST_DATA "/kzg/trusted_setup.txt"

enum { COUNT = 20, MOST_CALLS = 1000, SHARED_COUNT = 3000, SHARED_THREADS = 4, SEED = 3 };

/* A blob's cells and proofs, and room for others. */
typedef struct kzg_inputs {
    uint8_t *cells, *cell_proofs, *commitments, *new_cells, *new_proofs;
    uint64_t indices[SUMAC_KZG_CELLS];
    uint8_t z[SUMAC_KZG_ELEMENT_BYTES], proof[SUMAC_KZG_PROOF_BYTES];
} kzg_inputs;

typedef struct scene {
    const test_curve *t;
    sumac_context *context;
    sumac_bases *bases;
    sumac_fk20 *fk20;
    sumac_vector *polynomials, *places, *proofs;
    sumac_kzg_setup *setup;
    kzg_inputs kzg;
    uint8_t *points, *scalars, *expected, *result, *partial;
    char path[64];
    sumac_message reason; /* of a context */
} scene;

/* One call of the API; what it made is freed here. */
typedef sumac_status (*call)(scene *s);

static sumac_status call_context(scene *s)
{
    CLEANUP(destroy_context) sumac_context *context = s->context;
    sumac_context_config config = sumac_context_config_default();
    config.backend = options.backend;
    const sumac_status status = sumac_context_create(&config, &context, &s->reason);
    assert_true((status == SUMAC_OK) == (context != NULL));
    return status;
}

static sumac_status finish_bases(sumac_status status, sumac_bases *bases)
{
    assert_true((status == SUMAC_OK) == (bases != NULL));
    sumac_bases_destroy(bases);
    return status;
}

static sumac_status call_bases(scene *s)
{
    sumac_bases *bases = s->bases;
    sumac_bases_config config = sumac_bases_config_default();
    config.precompute_factor = 2;
    config.check = SUMAC_CHECK_CURVE;
    const sumac_status status =
        sumac_bases_create(s->context, s->t->curve, s->points, COUNT, &config, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_digits(scene *s)
{
    sumac_bases *bases = s->bases;
    sumac_bases_config config = sumac_bases_config_default();
    config.tables = SUMAC_TABLES_WINDOWS;
    config.c = 2;
    const sumac_status status =
        sumac_bases_create(s->context, s->t->curve, s->points, COUNT, &config, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_known_bases(scene *s)
{
    sumac_bases *bases = s->bases;
    const sumac_status status = sumac_known_bases_create(s->context, s->t->curve, COUNT, 1, NULL, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_msm(scene *s)
{
    sumac_msm_config config = sumac_msm_config_default();
    static uint32_t c = 0;
    config.c = 3 + c++ % 5; /* other workspaces than the one that is there */
    return sumac_msm(s->context, s->bases, s->scalars, COUNT, &config, s->result);
}

static sumac_status call_batch(scene *s)
{
    uint8_t *results = s->partial; /* large enough: two points */
    sumac_tuning tuning;
    sumac_msm_config config = test_tuned(&tuning);
    config.batch = 2;
    config.separate_bases = 1;
    tuning.chunks = 3;
    return sumac_msm(s->context, s->bases, s->scalars, COUNT / 2, &config, results);
}

static sumac_status call_partial(scene *s)
{
    return sumac_msm_partial(s->context, s->bases, s->scalars, COUNT, NULL, s->partial);
}

static sumac_status call_combine(scene *s)
{
    const void *const parts[] = {s->partial};
    return sumac_partial_combine(s->context, s->t->curve, parts, 1, 1, s->result);
}

static sumac_status call_answer(scene *s)
{
    uint8_t *answer = s->partial; /* large enough, and written again before it is used */
    return sumac_known_answer(s->context, s->t->curve, s->scalars, s->scalars, COUNT, answer);
}

static sumac_status call_save(scene *s)
{
    return sumac_bases_save(s->context, s->bases, s->path);
}

static sumac_status call_load(scene *s)
{
    sumac_bases *bases = s->bases;
    const sumac_status status = sumac_bases_open_table(s->context, s->t->curve, s->path, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_write(scene *s)
{
    return sumac_bases_save_as(s->context, s->bases, "raw", s->path);
}

static sumac_status call_read(scene *s)
{
    sumac_bases *bases = s->bases;
    const sumac_status status = sumac_bases_open(s->context, s->t->curve, s->path, "raw", NULL, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_setup(scene *s)
{
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = s->setup;
    const sumac_status status = sumac_kzg_setup_open(s->context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &setup);
    assert_true((status == SUMAC_OK) == (setup != NULL));
    return status;
}

static sumac_status call_commit(scene *s)
{
    return sumac_kzg_commit_batch(s->context, s->setup, (const sumac_blob *)s->points, 1,
                                  (sumac_bytes48 *)s->result);
}

/* A file of ours, which is read faster than text. */
static sumac_status call_saved_setup(scene *s)
{
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = s->setup;
    const sumac_status status = sumac_kzg_setup_open(s->context, s->path, SUMAC_CHECK_NONE, &setup);
    assert_true((status == SUMAC_OK) == (setup != NULL));
    return status;
}

static sumac_status call_save_setup(scene *s)
{
    return sumac_kzg_setup_save(s->context, s->setup, s->path);
}

static sumac_status call_prove(scene *s)
{
    return sumac_kzg_compute_proof_batch(s->context, s->setup, (const sumac_blob *)s->points,
                                         (const sumac_bytes32 *)s->kzg.z, 1,
                                         (sumac_bytes48 *)s->kzg.new_proofs, NULL);
}

static sumac_status call_verify_blob(scene *s)
{
    int ok = 7;
    const sumac_status status = sumac_kzg_verify_blob_proof(
        s->context, s->setup, (const sumac_blob *)s->points, (const sumac_bytes48 *)s->kzg.commitments,
        (const sumac_bytes48 *)s->kzg.proof, &ok);
    assert_int_equal(ok, status == SUMAC_OK ? 1 : 7);
    return status;
}

static sumac_status call_cells(scene *s)
{
    return sumac_kzg_compute_cells_batch(s->context, s->setup, (const sumac_blob *)s->points, 1,
                                         (sumac_cell *)s->kzg.new_cells);
}

static sumac_status call_cell_proofs(scene *s)
{
    return sumac_kzg_compute_cell_proofs_batch(s->context, s->setup, (const sumac_blob *)s->points, 1,
                                               (sumac_bytes48 *)s->kzg.new_proofs);
}

static sumac_status call_recover(scene *s)
{
    return sumac_kzg_recover_cells_and_proofs_batch(s->context, s->setup, s->kzg.indices, SUMAC_KZG_CELLS / 2,
                                                    (const sumac_cell *)s->kzg.cells, 1,
                                                    (sumac_cell *)s->kzg.new_cells, NULL);
}

static sumac_status call_verify_cells(scene *s)
{
    int ok = 7;
    const sumac_status status = sumac_kzg_verify_cell_proof_batch(
        s->context, s->setup, (const sumac_bytes48 *)s->kzg.commitments, s->kzg.indices,
        (const sumac_cell *)s->kzg.cells, (const sumac_bytes48 *)s->kzg.cell_proofs, 5, &ok);
    assert_int_equal(ok, status == SUMAC_OK ? 1 : 7);
    return status;
}

/* Polynomials over the scene's bases as an SRS: any points of the subgroup will do. */
enum { SRS_N = 8, SRS_L = 2, SRS_CELLS = 8, SRS_COUNT = 2 };

static sumac_status call_fk20(scene *s)
{
    CLEANUP(destroy_fk20) sumac_fk20 *fk20 = s->fk20;
    const sumac_status status = sumac_fk20_create(s->context, s->bases, SRS_N, SRS_L, 1 << 14, &fk20);
    assert_true((status == SUMAC_OK) == (fk20 != NULL));
    return status;
}

static sumac_status call_fk20_copy(scene *s)
{
    CLEANUP(destroy_fk20) sumac_fk20 *fk20 = s->fk20;
    const sumac_status status = sumac_fk20_copy(s->context, s->fk20, 1, &fk20);
    assert_true((status == SUMAC_OK) == (fk20 != NULL));
    return status;
}

static sumac_status call_fk20_save(scene *s)
{
    return sumac_fk20_save(s->context, s->fk20, s->path);
}

static sumac_status call_fk20_load(scene *s)
{
    CLEANUP(destroy_fk20) sumac_fk20 *fk20 = s->fk20;
    const sumac_status status = sumac_fk20_open(s->context, s->bases, SRS_N, SRS_L, s->path, &fk20);
    assert_true((status == SUMAC_OK) == (fk20 != NULL));
    return status;
}

static sumac_status call_fk20_prove(scene *s)
{
    return sumac_fk20_prove(s->context, s->fk20, s->polynomials, 2, SUMAC_ORDER_NATURAL, s->proofs);
}

static sumac_status call_open(scene *s)
{
    return sumac_srs_open(s->context, s->bases, s->polynomials, SRS_N, s->places, s->places, s->proofs);
}

/* The points are at infinity. */
static sumac_status call_pairing(scene *s)
{
    int is_one = 7;
    const sumac_curve *curve;
    assert_int_equal(sumac_curve_find("bls12-381", "g2", &curve), SUMAC_OK);
    const sumac_status status =
        sumac_pairing_check(s->context, curve, s->points, s->points, COUNT, SUMAC_CHECK_SUBGROUP, &is_one);
    assert_int_equal(is_one, status == SUMAC_OK ? 1 : 7);
    return status;
}

static sumac_status call_pairing_prepared(scene *s)
{
    int is_one = 7;
    const sumac_curve *curve;
    CLEANUP(destroy_pairing_points) sumac_pairing_points *prepared = NULL;
    assert_int_equal(sumac_curve_find("bls12-381", "g2", &curve), SUMAC_OK);
    sumac_status status =
        sumac_pairing_points_create(s->context, curve, s->points, COUNT, SUMAC_CHECK_SUBGROUP, &prepared);
    assert_int_equal(prepared == NULL, status != SUMAC_OK);
    if (status == SUMAC_OK) {
        status = sumac_pairing_check_prepared(s->context, prepared, s->points, NULL, COUNT,
                                              SUMAC_CHECK_SUBGROUP, &is_one);
    }
    assert_int_equal(is_one, status == SUMAC_OK ? 1 : 7);
    return status;
}

/* The elements are 0. */
static sumac_status call_map(scene *s)
{
    const sumac_curve *curve;
    uint8_t points[2 * 96];
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    points[0] = 0xaa;
    points[96] = 0xaa;
    const sumac_status status = sumac_map_to_group(s->context, curve, s->points, 2, points);
    assert_int_equal(points[0] == 0xaa && points[96] == 0xaa, status != SUMAC_OK);
    return status;
}

/* A positive number before the word "bytes". */
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

/* A call with an allocation that fails; 0 once it needs none of that number. */
static int fail_one(scene *s, call run, failing_plan plan, const char *label)
{
    failing_begin(plan);
    const sumac_status status = run(s);
    const failing_report report = failing_end();
    if (report.allocations_failed == 0) {
        if (status != SUMAC_OK) {
            test_abort("%s: status %d although no allocation failed", label, (int)status);
        }
        return 0;
    }
    /* A call may go on without memory that it can do without. */
    if (status != SUMAC_OK && status != SUMAC_OUT_OF_MEMORY) {
        test_abort("%s: status %d after allocation %ld failed", label, (int)status, plan.allocation);
    }
    if (run != call_context) {
        test_status(s->context, status, status, label);
    }
    const char *message = run == call_context ? s->reason.text : sumac_context_message(s->context);
    if (status == SUMAC_OUT_OF_MEMORY && !names_bytes(message)) {
        test_abort("%s: allocation %ld failed, and no bytes are named by \"%s\"", label, plan.allocation,
                   message);
    }
    return 1;
}

static void exhaust(scene *s, call run, const char *label)
{
    for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
        for (failing_plan plan = {0, -1, from_then_on}; fail_one(s, run, plan, label); plan.allocation++) {
            if (plan.allocation > MOST_CALLS) {
                test_abort("%s: it takes more than %d allocations", label, (int)MOST_CALLS);
            }
            if (s->bases != NULL) {
                test_msm(s->context, s->bases, s->scalars, COUNT, NULL, s->expected,
                         "after an allocation failed");
            }
        }
    }
}

static void test_every_allocation(void **state)
{
    test_curve *t = *state;
    const size_t point = t->info->point_bytes;
    scene s = {.t = t};
    s.points = test_alloc(COUNT * point);
    s.scalars = test_alloc(COUNT * t->info->scalar_bytes);
    s.expected = test_alloc(point);
    s.result = test_alloc(point);
    s.partial = test_alloc(sumac_partial_bytes(t->curve, 2));
    test_random_points(t, s.points, NULL, COUNT);
    test_random_scalars(t, s.scalars, COUNT);
    oracle_msm(&t->oracle, s.expected, s.points, s.scalars, COUNT);
    snprintf(s.path, sizeof s.path, "/tmp/sumac-test-XXXXXX");
    const int descriptor = mkstemp(s.path);
    assert_true(descriptor >= 0);
    close(descriptor);
    s.context = test_context(1, 0);
    s.bases = test_bases(s.context, t, s.points, COUNT, NULL);
    exhaust(&s, call_context, "sumac_context_create");
    exhaust(&s, call_bases, "sumac_bases_create");
    exhaust(&s, call_digits, "sumac_bases_create with window tables");
    exhaust(&s, call_known_bases, "sumac_known_bases_create");
    exhaust(&s, call_answer, "sumac_known_answer");
    for (int turn = 0; turn < 5; turn++) {
        exhaust(&s, call_msm, "sumac_msm");
        assert_memory_equal(s.result, s.expected, point);
    }
    exhaust(&s, call_batch, "sumac_msm, a batch");
    exhaust(&s, call_partial, "sumac_msm_partial");
    exhaust(&s, call_combine, "sumac_partial_combine");
    exhaust(&s, call_save, "sumac_bases_save");
    exhaust(&s, call_load, "sumac_bases_open_table");
    exhaust(&s, call_write, "sumac_bases_save_as");
    exhaust(&s, call_read, "sumac_bases_open");
    sumac_bases_destroy(s.bases);
    sumac_context_destroy(s.context);
    (void)unlink(s.path);
    free(s.points);
    free(s.scalars);
    free(s.expected);
    free(s.result);
    free(s.partial);
}

/* Proofs and cells: what comes out after every failure is what came out before. */
static void exhaust_proofs(scene *s, const uint8_t *commitment)
{
    const size_t cells_bytes = SUMAC_KZG_CELLS * SUMAC_KZG_CELL_BYTES;
    const size_t proofs_bytes = SUMAC_KZG_CELLS * SUMAC_KZG_PROOF_BYTES;
    kzg_inputs *kzg = &s->kzg;
    kzg->cells = test_alloc(cells_bytes);
    kzg->new_cells = test_alloc(cells_bytes);
    kzg->cell_proofs = test_alloc(proofs_bytes);
    kzg->new_proofs = test_alloc(proofs_bytes);
    kzg->commitments = test_alloc(proofs_bytes);
    for (size_t i = 0; i < SUMAC_KZG_CELLS; i++) {
        kzg->indices[i] = i;
        memcpy(kzg->commitments + i * SUMAC_KZG_COMMITMENT_BYTES, commitment, SUMAC_KZG_COMMITMENT_BYTES);
    }
    kzg->z[SUMAC_KZG_ELEMENT_BYTES - 1] = 1; /* a root of unity: all of the quotient's code */
    TEST_OK(s->context, sumac_kzg_setup_make_tables(s->context, s->setup, 1));
    TEST_OK(s->context, sumac_kzg_compute_cells_and_proofs_batch(
                            s->context, s->setup, (const sumac_blob *)s->points, 1, (sumac_cell *)kzg->cells,
                            (sumac_bytes48 *)kzg->cell_proofs));
    TEST_OK(s->context, sumac_kzg_compute_blob_proof_batch(
                            s->context, s->setup, (const sumac_blob *)s->points,
                            (const sumac_bytes48 *)commitment, 1, (sumac_bytes48 *)kzg->proof));
    snprintf(s->path, sizeof s->path, "/tmp/sumac-test-XXXXXX");
    close(mkstemp(s->path));
    exhaust(s, call_save_setup, "sumac_kzg_setup_save");
    exhaust(s, call_saved_setup, "sumac_kzg_setup_open");
    if (!options.quick) { /* half a second each time */
        exhaust(s, call_setup, "sumac_kzg_setup_open of text");
    }
    (void)unlink(s->path);
    exhaust(s, call_prove, "sumac_kzg_compute_proof_batch");
    exhaust(s, call_verify_blob, "sumac_kzg_verify_blob_proof");
    exhaust(s, call_cells, "sumac_kzg_compute_cells_batch");
    assert_memory_equal(kzg->new_cells, kzg->cells, cells_bytes);
    memset(kzg->new_cells, 0, cells_bytes);
    exhaust(s, call_recover, "sumac_kzg_recover_cells_and_proofs_batch");
    assert_memory_equal(kzg->new_cells, kzg->cells, cells_bytes);
    exhaust(s, call_verify_cells, "sumac_kzg_verify_cell_proof_batch");
    if (!options.quick) {
        exhaust(s, call_cell_proofs, "sumac_kzg_compute_cell_proofs_batch");
        assert_memory_equal(kzg->new_proofs, kzg->cell_proofs, proofs_bytes);
    }
    free(kzg->cells);
    free(kzg->new_cells);
    free(kzg->cell_proofs);
    free(kzg->new_proofs);
    free(kzg->commitments);
}

/* Commitments: the same blob gives the same one after every failure. */
static void test_every_allocation_kzg(void)
{
    uint8_t commitment[SUMAC_KZG_COMMITMENT_BYTES];
    const sumac_curve *curve; /* a setup has points of both groups */
    if (sumac_curve_find("bls12-381", "g1", &curve) != SUMAC_OK ||
        sumac_curve_find("bls12-381", "g2", &curve) != SUMAC_OK) {
        skip();
    }
    scene s = {.context = test_context(1, 0)};
    s.points = test_alloc(SUMAC_KZG_BLOB_BYTES); /* a blob: small numbers, big-endian */
    s.result = test_alloc(SUMAC_KZG_COMMITMENT_BYTES);
    memset(s.points, 0, SUMAC_KZG_BLOB_BYTES);
    for (size_t i = 0; i < SUMAC_KZG_FIELD_ELEMENTS; i++) {
        s.points[32 * i + 31] = (uint8_t)i;
    }
    TEST_OK(s.context, sumac_kzg_setup_open(s.context, TRUSTED_SETUP, SUMAC_CHECK_NONE, &s.setup));
    TEST_OK(s.context, sumac_kzg_commit_batch(s.context, s.setup, (const sumac_blob *)s.points, 1,
                                              (sumac_bytes48 *)commitment));
    exhaust(&s, call_commit, "sumac_kzg_commit_batch");
    TEST_OK(s.context, call_commit(&s));
    assert_memory_equal(s.result, commitment, sizeof commitment);
    exhaust_proofs(&s, commitment);
    sumac_kzg_setup_destroy(s.setup);
    sumac_context_destroy(s.context);
    free(s.points);
    free(s.result);
}

static void test_every_allocation_pairing(void)
{
    const sumac_curve *curve;
    if (sumac_curve_find("bls12-381", "g1", &curve) != SUMAC_OK ||
        sumac_curve_find("bls12-381", "g2", &curve) != SUMAC_OK) {
        skip();
    }
    const size_t bytes = COUNT * sumac_curve_describe(curve)->point_bytes;
    scene s = {.context = test_context(2, 0), .points = test_alloc(bytes)};
    memset(s.points, 0, bytes);
    exhaust(&s, call_pairing, "sumac_pairing_check");
    exhaust(&s, call_pairing_prepared, "sumac_pairing_check_prepared");
    exhaust(&s, call_map, "sumac_map_to_group");
    sumac_context_destroy(s.context);
    free(s.points);
}

/* A call that fails leaves the proofs as they were: points that no polynomial has. */
static void expect_untouched(scene *s, call run, size_t count)
{
    const size_t bytes = count * s->t->info->point_bytes;
    AUTO_FREE uint8_t *after = test_alloc(bytes);
    sumac_vector_destroy(s->proofs);
    s->proofs = test_vector_of(s->context, s->t, SUMAC_VECTOR_POINTS, count, s->points);
    for (failing_plan plan = {0, -1, 0}; fail_one(s, run, plan, "untouched"); plan.allocation++) {
        TEST_OK(s->context, sumac_vector_get(s->context, s->proofs, 0, count, NULL, after));
        assert_memory_equal(after, s->points, bytes);
    }
}

/* FK20 and openings; in a field without roots of unity, openings. */
static void test_every_allocation_srs(void **state)
{
    test_curve *t = *state;
    scene s = {.t = t, .context = test_context(1, 0)};
    s.points = test_alloc(SRS_COUNT * SRS_CELLS * t->info->point_bytes);
    s.scalars = test_alloc(SRS_COUNT * SRS_N * t->info->scalar_bytes);
    test_random_points(t, s.points, NULL, SRS_COUNT * SRS_CELLS);
    test_random_scalars(t, s.scalars, SRS_COUNT * SRS_N);
    CLEANUP(destroy_bases) sumac_bases *srs = test_bases(s.context, t, s.points, SRS_N, NULL);
    s.bases = srs;
    s.polynomials = test_vector_of(s.context, s.t, SUMAC_VECTOR_SCALARS, SRS_COUNT * SRS_N, s.scalars);
    s.places = test_vector_of(s.context, s.t, SUMAC_VECTOR_SCALARS, SRS_COUNT, s.scalars);
    expect_untouched(&s, call_open, SRS_COUNT);
    if (sumac_fk20_create(s.context, srs, SRS_N, SRS_L, 1, &s.fk20) == SUMAC_OK) {
        expect_untouched(&s, call_fk20_prove, SRS_COUNT * SRS_CELLS);
        snprintf(s.path, sizeof s.path, "/tmp/sumac-test-XXXXXX");
        close(mkstemp(s.path));
        static const struct {
            call run;
            const char *label;
        } calls[] = {{call_fk20, "sumac_fk20_create"},
                     {call_fk20_copy, "sumac_fk20_copy"},
                     {call_fk20_save, "sumac_fk20_save"},
                     {call_fk20_load, "sumac_fk20_open"}};
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            failing_plan plan = {0, -1, 0};
            while (fail_one(&s, calls[i].run, plan, calls[i].label)) {
                plan.allocation++;
            }
        }
        (void)unlink(s.path);
    }
    sumac_fk20_destroy(s.fk20);
    sumac_vector_destroy(s.polynomials);
    sumac_vector_destroy(s.places);
    sumac_vector_destroy(s.proofs);
    sumac_context_destroy(s.context);
    free(s.points);
    free(s.scalars);
}

/* ---- threads ---- */

/* A context of several threads, bases and an MSM, whose answer is known. */
static void call_threads(const test_curve *t, const uint8_t *scalars, const uint8_t *expected)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(SHARED_THREADS, 0);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TEST_OK(context, sumac_known_bases_create(context, t->curve, SHARED_COUNT, SEED, NULL, &bases));
    test_msm(context, bases, scalars, SHARED_COUNT, NULL, expected, "without threads");
    test_msm(context, bases, scalars, SHARED_COUNT, NULL, expected, "again");
}

static void expect_shared(test_curve *t, const uint8_t *scalars, uint8_t *expected)
{
    AUTO_FREE uint8_t *logarithms = test_alloc(SHARED_COUNT * t->info->scalar_bytes);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    TEST_OK(context, sumac_known_logarithms(context, t->curve, SHARED_COUNT, SEED, logarithms));
    oracle_known_msm(&t->oracle, expected, logarithms, scalars, SHARED_COUNT);
}

static void test_every_thread(void **state)
{
    test_curve *t = *state;
    AUTO_FREE uint8_t *scalars = test_alloc(SHARED_COUNT * t->info->scalar_bytes),
                      *expected = test_alloc(t->info->point_bytes);
    test_random_scalars(t, scalars, SHARED_COUNT);
    expect_shared(t, scalars, expected);
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

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"every allocation", test_every_allocation, TEST_SOME_CURVES},
        {"every allocation of KZG", TEST_ONCE(test_every_allocation_kzg)},
        {"every allocation of an SRS", test_every_allocation_srs, TEST_EVERY_CURVE},
        {"every allocation of a pairing", TEST_ONCE(test_every_allocation_pairing)},
        {"every thread", test_every_thread, TEST_SOME_CURVES}};
    return test_main("memory", entries, sizeof entries / sizeof *entries, argc, argv);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the drop-in for c-kzg-4844: sizes, setups, refused arguments, failing allocations, and many threads
 * on the same settings. Results are compared with those of sumac/kzg.h. test_ckzg_vectors.c has the specification's
 * vectors.
 */
#include <pthread.h>

#include "support/failing.h"
#include "support/files.h"
#include "test_ckzg.h"

enum { G1_BYTES = 4096 * 48, G2_BYTES = 65 * 96 };

static C_KZG_RET load_points(KZGSettings *settings, const setup_points *points, uint64_t precompute)
{
    return load_trusted_setup(settings, points->monomial->bytes, G1_BYTES, points->lagrange->bytes, G1_BYTES,
                              points->g2->bytes, G2_BYTES, precompute);
}

KZGSettings load_settings(void)
{
    KZGSettings settings;
    FILE *file = fopen(TRUSTED_SETUP, "r");
    assert_non_null(file);
    assert_int_equal(load_trusted_setup_file(&settings, file, 0), C_KZG_OK);
    fclose(file);
    return settings;
}

static void expect_nothing_loaded(const KZGSettings *settings)
{
    static const KZGSettings nothing;
    assert_memory_equal(settings, &nothing, sizeof nothing);
}

/* These are all outputs and arguments of calls. */
typedef struct memory {
    Blob blob;
    Cell cells[CELLS];
    KZGProof proofs[CELLS];
    KZGCommitment commitments[CELLS];
    KZGProof proof;
    Bytes32 z, y;
    uint64_t indices[CELLS];
} memory;

/* Make memory with valid indices, which a refused call must not change. */
static memory *make_memory(void)
{
    memory *m = test_alloc(sizeof *m);
    memset(m, 0xa5, sizeof *m);
    make_blob(&m->blob, 7);
    for (uint64_t i = 0; i < CELLS; i++) {
        m->indices[i] = i;
    }
    return m;
}

/* These sizes are those of an LP64 machine. */
static void test_layout(void)
{
    assert_int_equal(sizeof(KZGSettings), 80);
    assert_int_equal(_Alignof(KZGSettings), 8);
    assert_int_equal(offsetof(KZGSettings, handle), 0);
    assert_int_equal(offsetof(KZGSettings, unused_sizes), 64);
    assert_int_equal(sizeof(C_KZG_RET), 4);
    assert_int_equal(C_KZG_OK, 0);
    assert_int_equal(C_KZG_BADARGS, 1);
    assert_int_equal(C_KZG_ERROR, 2);
    assert_int_equal(C_KZG_MALLOC, 3);
    assert_int_equal(sizeof(Bytes32), 32);
    assert_int_equal(sizeof(Bytes48), 48);
    assert_int_equal(sizeof(KZGCommitment), 48);
    assert_int_equal(sizeof(KZGProof), 48);
    assert_int_equal(sizeof(Blob), 131072);
    assert_int_equal(sizeof(Cell), 2048);
    assert_int_equal(_Alignof(Blob), 1);
    assert_int_equal(_Alignof(Cell), 1);
    assert_int_equal(sizeof(fr_t), 32);
    assert_int_equal(sizeof(g1_t), 144);
    assert_int_equal(_Alignof(g1_t), 8);
    assert_int_equal(BYTES_PER_BLOB, 131072);
    assert_int_equal(BYTES_PER_CELL, 2048);
    assert_int_equal(FIELD_ELEMENTS_PER_EXT_BLOB, 8192);
    assert_int_equal(CELLS_PER_BLOB, 64);
    assert_int_equal(CELLS_PER_EXT_BLOB, 128);
}

/* Compare functions that use the setup's tables with those of kzg.h. */
static void expect_same_as_sumac(const KZGSettings *s, const kzg_fixture *f, unsigned blob_number)
{
    AUTO_FREE memory *m = make_memory(), *e = make_memory();
    const void *blob = &m->blob;
    bool ok = false;
    make_blob(&m->blob, blob_number);
    assert_int_equal(blob_to_kzg_commitment(m->commitments, &m->blob, s), C_KZG_OK);
    TEST_OK(f->context, sumac_kzg_commit(f->context, f->setup, blob, 1, (void *)e->commitments));
    assert_memory_equal(m->commitments, e->commitments, POINT);
    assert_int_equal(compute_blob_kzg_proof(&m->proof, &m->blob, m->commitments, s), C_KZG_OK);
    assert_int_equal(verify_blob_kzg_proof(&ok, &m->blob, m->commitments, &m->proof, s), C_KZG_OK);
    assert_true(ok);
    assert_int_equal(compute_cells_and_kzg_proofs(m->cells, m->proofs, &m->blob, s), C_KZG_OK);
    TEST_OK(f->context, sumac_kzg_cells(f->context, f->setup, blob, 1, (void *)e->cells, (void *)e->proofs));
    assert_memory_equal(m->cells, e->cells, sizeof m->cells);
    assert_memory_equal(m->proofs, e->proofs, sizeof m->proofs);
    /* All cells are recovered from the second half of them. */
    memset(e->cells, 0, sizeof e->cells);
    memset(e->proofs, 0, sizeof e->proofs);
    assert_int_equal(recover_cells_and_kzg_proofs(e->cells, e->proofs, m->indices + 64, m->cells + 64, 64, s),
                     C_KZG_OK);
    assert_memory_equal(m->cells, e->cells, sizeof m->cells);
    assert_memory_equal(m->proofs, e->proofs, sizeof m->proofs);
    for (size_t i = 1; i < CELLS; i++) {
        m->commitments[i] = m->commitments[0];
    }
    for (int is_right = 1; is_right >= 0; is_right--) {
        assert_int_equal(
            verify_cell_kzg_proof_batch(&ok, m->commitments, m->indices, m->cells, m->proofs, CELLS, s),
            C_KZG_OK);
        assert_int_equal(ok, is_right);
        m->proofs[5] = m->proofs[6];
    }
}

/* Load points from memory with each allowed size of tables, and use copies of the settings. */
static void test_precompute(void)
{
    static const uint64_t values[] = {1, 8, 15};
    const size_t count = options.quick ? 1 : sizeof values / sizeof *values;
    AUTO_FREE setup_points *points = read_setup_points();
    kzg_fixture f = fixture_open(1);
    for (size_t i = 0; i < count; i++) {
        KZGSettings settings;
        assert_int_equal(load_points(&settings, points, values[i]), C_KZG_OK);
        KZGSettings copy = settings;
        expect_same_as_sumac(&copy, &f, 9);
        free_trusted_setup(&copy);
        expect_nothing_loaded(&copy);
    }
    KZGSettings refused;
    memset(&refused, 0xa5, sizeof refused);
    assert_int_equal(load_points(&refused, points, 16), C_KZG_BADARGS);
    expect_nothing_loaded(&refused);
    assert_int_equal(load_points(&refused, points, UINT64_MAX), C_KZG_BADARGS);
}

/* Wrong lengths, null pointers, bytes that are no points, points outside the subgroup and uncompressed points are refused. */
static void test_wrong_points(void)
{
    KZGSettings s;
    AUTO_FREE setup_points *points = read_setup_points(), *wrong = test_alloc(sizeof *wrong);
    const uint8_t *m = points->monomial->bytes, *l = points->lagrange->bytes, *g = points->g2->bytes;
    assert_int_equal(load_trusted_setup(&s, m, G1_BYTES - 48, l, G1_BYTES, g, G2_BYTES, 0), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup(&s, m, G1_BYTES, l, G1_BYTES + 48, g, G2_BYTES, 0), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup(&s, m, G1_BYTES, l, G1_BYTES, g, 0, 0), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup(&s, NULL, G1_BYTES, l, G1_BYTES, g, G2_BYTES, 0), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup(&s, m, G1_BYTES, NULL, G1_BYTES, g, G2_BYTES, 0), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup(&s, m, G1_BYTES, l, G1_BYTES, NULL, G2_BYTES, 0), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup(NULL, m, G1_BYTES, l, G1_BYTES, g, G2_BYTES, 0), C_KZG_BADARGS);
    expect_nothing_loaded(&s);
    static const uint8_t x_0[96] = {0x80};
    const struct {
        void *to;
        const void *from;
        size_t size;
    } changes[] = {{wrong->monomial + 100, points->g2 + 1, 0}, /* the flag for compressed points is cleared */
                   {wrong->g2 + 1, x_0, 96},                   /* no point has x = 0 */
                   {wrong->lagrange + 4095, x_0, 48},          /* (0, 2) has order 3 */
                   {wrong->lagrange, points->monomial, G1_BYTES}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        *wrong = *points;
        *(uint8_t *)changes[i].to = 0;
        memcpy(changes[i].to, changes[i].from, changes[i].size);
        memset(&s, 0xa5, sizeof s);
        assert_int_equal(load_points(&s, wrong, 0), C_KZG_BADARGS);
        expect_nothing_loaded(&s);
    }
}

enum { WHOLE = 1 << 30 };

/* Make a temporary file of `before`, the first `length` characters of the setup's text, and `after`. */
static FILE *make_text(const char *before, size_t length, const char *after)
{
    size_t size;
    AUTO_FREE char *text = (char *)test_read_file(TRUSTED_SETUP, &size);
    FILE *file = tmpfile();
    const size_t kept = length < size ? length : size - 1; /* without the last newline */
    assert_non_null(file);
    assert_true(fprintf(file, "%s%.*s%s", before, (int)kept, text, after) >= (int)kept);
    rewind(file);
    return file;
}

static void expect_text_refused(FILE *file)
{
    KZGSettings settings;
    memset(&settings, 0xa5, sizeof settings);
    assert_non_null(file);
    assert_int_equal(load_trusted_setup_file(&settings, file, 0), C_KZG_BADARGS);
    expect_nothing_loaded(&settings);
    fclose(file);
}

/* The stream is read to the end of the setup and left open. Texts that are no setups are refused. */
static void test_files(void)
{
    KZGSettings settings;
    char rest[16] = "";
    FILE *file = make_text(" \r\n\t", WHOLE, "\nthe rest");
    assert_int_equal(load_trusted_setup_file(&settings, file, 0), C_KZG_OK);
    assert_non_null(settings.handle);
    assert_int_equal(fgetc(file), '\n');
    assert_non_null(fgets(rest, sizeof rest, file));
    assert_string_equal(rest, "the rest");
    assert_int_equal(fclose(file), 0);
    free_trusted_setup(&settings);

    expect_text_refused(make_text("", 1000, ""));
    expect_text_refused(make_text("", 1001, "g0"));
    expect_text_refused(make_text("1", WHOLE, ""));     /* the text claims 14096 points */
    expect_text_refused(make_text("4096 ", WHOLE, "")); /* the text claims 4096 points of G2 */
    expect_text_refused(make_text("none", WHOLE, ""));
    expect_text_refused(make_text("-", WHOLE, ""));
    expect_text_refused(tmpfile());
    assert_int_equal(load_trusted_setup_file(&settings, NULL, 0), C_KZG_BADARGS);
    file = make_text("", WHOLE, "");
    assert_int_equal(load_trusted_setup_file(&settings, file, 16), C_KZG_BADARGS);
    assert_int_equal(load_trusted_setup_file(NULL, file, 0), C_KZG_BADARGS);
    fclose(file);
}

static void test_freeing(void)
{
    KZGSettings settings = {0};
    free_trusted_setup(NULL);
    free_trusted_setup(&settings);
    settings = load_settings();
    free_trusted_setup(&settings);
    expect_nothing_loaded(&settings);
    free_trusted_setup(&settings);
}

/* Each call is refused, and sets its *ok to false if it has one. */
static void test_arguments(void)
{
    static const KZGSettings nothing;
    CLEANUP(free_trusted_setup) KZGSettings loaded = load_settings();
    const KZGSettings *s = &loaded;
    AUTO_FREE memory *m = make_memory(), *before = test_alloc(sizeof *before);
    uint64_t unsorted[CELLS], doubled[CELLS], large[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        unsorted[i] = doubled[i] = large[i] = i;
    }
    unsorted[3] = 4;
    unsorted[4] = 3;
    doubled[CELLS / 2 - 1] = CELLS / 2 - 2;
    large[CELLS / 2 - 1] = CELLS;
    memset(m->commitments, 0, sizeof m->commitments);
    memset(m->proofs, 0, sizeof m->proofs);
    memset(m->cells, 0, sizeof m->cells);
    for (size_t i = 0; i < CELLS; i++) {
        m->commitments[i].bytes[0] = m->proofs[i].bytes[0] = 0xc0; /* infinity */
    }
    Bytes32 zero = {{0}}, too_large;
    Bytes48 no_point = {{0}};
    memset(&too_large, 0xff, sizeof too_large);
    *before = *m;
    Bytes48 *c = m->commitments, *p = m->proofs;
    bool oks[18]; /* one for each call that has such an output */
    memset(oks, 1, sizeof oks);
    const C_KZG_RET results[] = {
        blob_to_kzg_commitment(NULL, &m->blob, s),
        blob_to_kzg_commitment(&m->proof, NULL, s),
        blob_to_kzg_commitment(&m->proof, &m->blob, NULL),
        blob_to_kzg_commitment(&m->proof, &m->blob, &nothing),
        compute_kzg_proof(NULL, &m->y, &m->blob, &zero, s),
        compute_kzg_proof(&m->proof, &m->y, NULL, &zero, s),
        compute_kzg_proof(&m->proof, &m->y, &m->blob, NULL, s),
        compute_kzg_proof(&m->proof, &m->y, &m->blob, &too_large, s),
        compute_kzg_proof(&m->proof, &m->y, &m->blob, &zero, &nothing),
        compute_blob_kzg_proof(&m->proof, &m->blob, NULL, s),
        compute_blob_kzg_proof(&m->proof, &m->blob, &no_point, s),
        compute_blob_kzg_proof(NULL, &m->blob, c, s),
        compute_blob_kzg_proof(&m->proof, &m->blob, c, &nothing),
        verify_kzg_proof(NULL, c, &zero, &zero, p, s),
        verify_kzg_proof(oks, NULL, &zero, &zero, p, s),
        verify_kzg_proof(oks + 1, c, &too_large, &zero, p, s),
        verify_kzg_proof(oks + 2, c, &zero, &too_large, p, s),
        verify_kzg_proof(oks + 3, c, &zero, &zero, &no_point, s),
        verify_kzg_proof(oks + 4, c, &zero, &zero, p, &nothing),
        verify_blob_kzg_proof(NULL, &m->blob, c, p, s),
        verify_blob_kzg_proof(oks + 5, NULL, c, p, s),
        verify_blob_kzg_proof(oks + 6, &m->blob, &no_point, p, s),
        verify_blob_kzg_proof(oks + 7, &m->blob, c, p, NULL),
        verify_blob_kzg_proof_batch(NULL, NULL, NULL, NULL, 0, s),
        verify_blob_kzg_proof_batch(oks + 8, NULL, c, p, 1, s),
        verify_blob_kzg_proof_batch(oks + 9, &m->blob, c, &no_point, 1, s),
        verify_blob_kzg_proof_batch(oks + 10, &m->blob, c, p, UINT64_MAX, s),
        verify_blob_kzg_proof_batch(oks + 11, &m->blob, c, p, 1, &nothing),
        compute_cells_and_kzg_proofs(NULL, NULL, &m->blob, s),
        compute_cells_and_kzg_proofs(m->cells, p, NULL, s),
        compute_cells_and_kzg_proofs(m->cells, p, &m->blob, &nothing),
        recover_cells_and_kzg_proofs(NULL, NULL, m->indices, m->cells, CELLS, s),
        recover_cells_and_kzg_proofs(m->cells, p, NULL, m->cells, CELLS, s),
        recover_cells_and_kzg_proofs(m->cells, p, m->indices, NULL, CELLS, s),
        recover_cells_and_kzg_proofs(m->cells, p, m->indices, m->cells, CELLS / 2 - 1, s),
        recover_cells_and_kzg_proofs(m->cells, p, m->indices, m->cells, CELLS + 1, s),
        recover_cells_and_kzg_proofs(m->cells, p, unsorted, m->cells, CELLS / 2, s),
        recover_cells_and_kzg_proofs(m->cells, p, doubled, m->cells, CELLS / 2, s),
        recover_cells_and_kzg_proofs(m->cells, p, large, m->cells, CELLS / 2, s),
        recover_cells_and_kzg_proofs(m->cells, p, m->indices, m->cells, CELLS, &nothing),
        verify_cell_kzg_proof_batch(NULL, NULL, NULL, NULL, NULL, 0, s),
        verify_cell_kzg_proof_batch(oks + 12, NULL, m->indices, m->cells, p, 1, s),
        verify_cell_kzg_proof_batch(oks + 13, &no_point, m->indices, m->cells, p, 1, s),
        verify_cell_kzg_proof_batch(oks + 14, c, large, m->cells, p, CELLS / 2, s),
        verify_cell_kzg_proof_batch(oks + 15, c, m->indices, m->cells, &no_point, 1, s),
        verify_cell_kzg_proof_batch(oks + 16, c, m->indices, m->cells, p, UINT64_MAX, s),
        verify_cell_kzg_proof_batch(oks + 17, c, m->indices, m->cells, p, 1, NULL),
        compute_verify_cell_kzg_proof_batch_challenge(NULL, c, 1, m->indices, m->indices, m->cells, p, 1),
        compute_verify_cell_kzg_proof_batch_challenge((fr_t *)(void *)m->indices, NULL, 1, m->indices,
                                                      m->indices, m->cells, p, 1),
        bytes_to_kzg_commitment(NULL, c),
        bytes_to_kzg_commitment((g1_t *)(void *)m->indices, NULL),
        bytes_to_kzg_commitment((g1_t *)(void *)m->indices, &no_point),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i] != C_KZG_BADARGS) {
            test_abort("call %zu: the result is %d", i, (int)results[i]);
        }
    }
    for (size_t i = 0; i < sizeof oks; i++) {
        assert_false(oks[i]);
    }
    assert_memory_equal(m, before, sizeof *m);
}

/* Optional outputs may be null, and there may be no blobs or cells. */
static void test_optional_outputs(void)
{
    CLEANUP(free_trusted_setup) KZGSettings settings = load_settings();
    const KZGSettings *s = &settings;
    AUTO_FREE memory *m = make_memory(), *e = make_memory();
    bool ok = false;
    assert_int_equal(compute_cells_and_kzg_proofs(e->cells, e->proofs, &e->blob, s), C_KZG_OK);
    assert_int_equal(compute_cells_and_kzg_proofs(m->cells, NULL, &m->blob, s), C_KZG_OK);
    assert_int_equal(compute_cells_and_kzg_proofs(NULL, m->proofs, &m->blob, s), C_KZG_OK);
    assert_memory_equal(m->cells, e->cells, sizeof m->cells);
    assert_memory_equal(m->proofs, e->proofs, sizeof m->proofs);
    memset(m->proofs, 0, sizeof m->proofs);
    memset(m->cells + 64, 0, sizeof m->cells / 2);
    assert_int_equal(recover_cells_and_kzg_proofs(NULL, m->proofs, m->indices, m->cells, 64, s), C_KZG_OK);
    assert_int_equal(recover_cells_and_kzg_proofs(m->cells, NULL, m->indices, m->cells, 64, s), C_KZG_OK);
    assert_memory_equal(m->cells, e->cells, sizeof m->cells);
    assert_memory_equal(m->proofs, e->proofs, sizeof m->proofs);
    memset(&m->z, 0, sizeof m->z);
    assert_int_equal(compute_kzg_proof(&m->proof, &m->y, &m->blob, &m->z, s), C_KZG_OK);
    assert_int_equal(compute_kzg_proof(&e->proof, NULL, &m->blob, &m->z, s), C_KZG_OK);
    assert_memory_equal(&m->proof, &e->proof, POINT);

    assert_int_equal(verify_blob_kzg_proof_batch(&ok, NULL, NULL, NULL, 0, s), C_KZG_OK);
    assert_true(ok);
    ok = false;
    assert_int_equal(verify_cell_kzg_proof_batch(&ok, NULL, NULL, NULL, NULL, 0, s), C_KZG_OK);
    assert_true(ok);
}

/* This is a thread, and what it works on. Each thread has another blob. */
typedef struct thread_work {
    pthread_t thread;
    pthread_barrier_t *start;
    const KZGSettings *settings;
    unsigned number;
    int calls;
    int cells; /* 1 if it also computes proofs of cells */
    const KZGCommitment *expected_commitment;
    const KZGProof *expected_proofs;
    int failed;
} thread_work;

static void *work_on(void *argument)
{
    thread_work *t = argument;
    AUTO_FREE memory *m = make_memory();
    bool ok = false;
    make_blob(&m->blob, t->number);
    pthread_barrier_wait(t->start);
    for (int i = 0; i < t->calls; i++) {
        t->failed |= blob_to_kzg_commitment(m->commitments, &m->blob, t->settings) != C_KZG_OK;
        t->failed |= memcmp(m->commitments, t->expected_commitment, POINT) != 0;
        t->failed |= compute_blob_kzg_proof(&m->proof, &m->blob, m->commitments, t->settings) != C_KZG_OK;
        t->failed |= verify_blob_kzg_proof(&ok, &m->blob, m->commitments, &m->proof, t->settings) != C_KZG_OK;
        t->failed |= !ok;
        t->failed |=
            compute_blob_kzg_proof(&m->proof, &m->blob, &(Bytes48){{0}}, t->settings) != C_KZG_BADARGS;
        if (t->cells) {
            t->failed |= compute_cells_and_kzg_proofs(m->cells, m->proofs, &m->blob, t->settings) != C_KZG_OK;
            t->failed |= memcmp(m->proofs, t->expected_proofs, sizeof m->proofs) != 0;
        }
    }
    return NULL;
}

/* Run `count` threads, each with its own blob, on the same settings. */
static void run_threads(const KZGSettings *settings, size_t count, int calls, int cells)
{
    AUTO_FREE thread_work *threads = test_alloc(count * sizeof *threads);
    AUTO_FREE memory *expected = test_alloc(count * sizeof *expected);
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, (unsigned)count), 0);
    for (size_t i = 0; i < count; i++) {
        memory *e = expected + i;
        make_blob(&e->blob, (unsigned)i);
        assert_int_equal(blob_to_kzg_commitment(e->commitments, &e->blob, settings), C_KZG_OK);
        if (cells) {
            assert_int_equal(compute_cells_and_kzg_proofs(NULL, e->proofs, &e->blob, settings), C_KZG_OK);
        }
        threads[i] = (thread_work){.start = &start,
                                   .settings = settings,
                                   .number = (unsigned)i,
                                   .calls = calls,
                                   .cells = cells,
                                   .expected_commitment = e->commitments,
                                   .expected_proofs = e->proofs};
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_create(&threads[i].thread, NULL, work_on, threads + i), 0);
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i].thread, NULL);
        assert_false(threads[i].failed);
    }
    pthread_barrier_destroy(&start);
}

/* There are two threads, and then more threads than contexts are kept. */
static void test_threads(void)
{
    CLEANUP(free_trusted_setup) KZGSettings settings = load_settings();
    run_threads(&settings, 2, options.quick ? 1 : 4, 1);
    run_threads(&settings, 20, 1, 0);
}

/* If any allocation of a call fails, it returns C_KZG_MALLOC, and the settings stay usable. In a load the first
 * allocations and some later ones fail. If memory that is optional is missing, the load succeeds. */
static void test_memory(void)
{
    AUTO_FREE setup_points *points = read_setup_points();
    CLEANUP(free_trusted_setup) KZGSettings settings = {0};
    const long step = options.quick ? 40 : 5;
    long tries = 0;
    for (long i = 0; tries < 12; i += tries < 4 ? 1 : step, tries++) {
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const C_KZG_RET result = load_points(&settings, points, 0);
        const failing_report report = failing_end();
        assert_true(result == C_KZG_OK || (result == C_KZG_MALLOC && report.allocations_failed > 0));
        free_trusted_setup(&settings);
    }

    settings = load_settings();
    AUTO_FREE memory *m = make_memory();
    KZGCommitment expected;
    assert_int_equal(blob_to_kzg_commitment(&expected, &m->blob, &settings), C_KZG_OK);
    /* The settings have no context at first, so that the call makes one. */
    free_trusted_setup(&settings);
    settings = load_settings();
    for (long i = 0, failed = 1; failed > 0; i++) {
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const C_KZG_RET result = blob_to_kzg_commitment(&m->proof, &m->blob, &settings);
        failed = failing_end().allocations_failed;
        assert_int_equal(result, failed > 0 ? C_KZG_MALLOC : C_KZG_OK);
    }
    assert_memory_equal(&m->proof, &expected, POINT);
}

static const test_entry entries[] = {
    {"layout", TEST_ONCE(test_layout)},
    {"precompute", TEST_ONCE(test_precompute)},
    {"wrong_points", TEST_ONCE(test_wrong_points)},
    {"files", TEST_ONCE(test_files)},
    {"freeing", TEST_ONCE(test_freeing)},
    {"arguments", TEST_ONCE(test_arguments)},
    {"optional_outputs", TEST_ONCE(test_optional_outputs)},
    {"threads", TEST_ONCE(test_threads)},
    {"memory", TEST_ONCE(test_memory)},
    {"challenges", TEST_ONCE(test_challenges)},
    {"vectors", TEST_ONCE(test_vectors)},
};
TEST_MAIN("test_ckzg", entries)

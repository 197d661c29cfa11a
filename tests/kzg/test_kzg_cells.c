/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_kzg.c: it tests cells of several blobs, their proofs, alone and together, and recovery. */
#include "test_kzg_support.h"

enum { ALL_CELLS = CELLS * CELL_BYTES, ALL_PROOFS = CELLS * POINT };

/* These are blobs with their commitments, cells and proofs. */
typedef struct extended_blobs {
    size_t count;
    sumac_blob *blobs;
    sumac_bytes48 *commitments; /* one for each cell */
    uint64_t *indices;
    sumac_cell *cells;
    sumac_bytes48 *proofs;
} extended_blobs;

static extended_blobs extend_blobs(const kzg_fixture *f, size_t count)
{
    extended_blobs all = {.count = count,
                          .blobs = test_alloc(count * BLOB),
                          .commitments = test_alloc(count * ALL_PROOFS),
                          .indices = test_alloc(count * CELLS * sizeof(uint64_t)),
                          .cells = test_alloc(count * ALL_CELLS),
                          .proofs = test_alloc(count * ALL_PROOFS)};
    for (size_t i = 0; i < count; i++) {
        sumac_bytes48 commitment;
        make_blob(all.blobs + i, (unsigned)i);
        TEST_OK(f->context, sumac_kzg_commit(f->context, f->setup, all.blobs + i, 1, &commitment));
        for (size_t j = 0; j < CELLS; j++) {
            all.commitments[i * CELLS + j] = commitment;
            all.indices[i * CELLS + j] = j;
        }
    }
    TEST_OK(f->context, sumac_kzg_cells(f->context, f->setup, all.blobs, count, all.cells, all.proofs));
    return all;
}

static void free_extended(extended_blobs *all)
{
    free(all->blobs);
    free(all->commitments);
    free(all->indices);
    free(all->cells);
    free(all->proofs);
}

static sumac_status verify(const kzg_fixture *f, const extended_blobs *all, size_t first, size_t count,
                           int *ok)
{
    return sumac_kzg_verify_cells(f->context, f->setup, all->commitments + first, all->indices + first,
                                  all->cells + first, all->proofs + first, count, ok);
}

/* Return 1 if the proofs of cells [first, first + count) hold. */
static int hold(const kzg_fixture *f, const extended_blobs *all, size_t first, size_t count)
{
    int ok = -1;
    TEST_OK(f->context, verify(f, all, first, count, &ok));
    return ok;
}

/* Verify FK20's proofs one by one, against a commitment for which a proof by a quotient also holds. */
void test_cells_against_quotients(void)
{
    const size_t step = options.quick ? 63 : 1;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, 1);
    sumac_bytes48 proof;
    int ok = -1;
    TEST_OK(f.context,
            sumac_kzg_compute_blob_proof(f.context, f.setup, all.blobs, all.commitments, 1, &proof));
    TEST_OK(f.context,
            sumac_kzg_verify_blob_proof(f.context, f.setup, all.blobs, all.commitments, &proof, 1, &ok));
    assert_int_equal(ok, 1);
    for (size_t i = 0; i < CELLS; i += step) {
        assert_int_equal(hold(&f, &all, i, 1), 1);
        all.indices[i] ^= 1; /* the index of another coset */
        assert_int_equal(hold(&f, &all, i, 1), 0);
        all.indices[i] ^= 1;
    }
}

/* Replace cell i, and all that belongs to it, by cell j of other blobs. */
static void copy_cell(extended_blobs *to, size_t i, const extended_blobs *from, size_t j)
{
    to->indices[i] = from->indices[j];
    to->commitments[i] = from->commitments[j];
    to->cells[i] = from->cells[j];
    to->proofs[i] = from->proofs[j];
}

/* Shuffle the cells of all blobs, and all that belongs to them, in the same way. */
static void shuffle(const kzg_fixture *f, extended_blobs *all)
{
    uint32_t random = 1;
    CLEANUP(free_extended) extended_blobs one = extend_blobs(f, 1);
    for (size_t i = all->count * CELLS - 1; i > 0; i--) {
        random = random * 1664525u + 1013904223u;
        const size_t j = (random >> 8) % (i + 1);
        copy_cell(&one, 0, all, i);
        copy_cell(all, i, all, j);
        copy_cell(all, j, &one, 0);
    }
}

/* Verify more cells than a sub-batch holds, in any order, with few and with many commitments. Then verify them with
 * something wrong. */
void test_cell_batches(void)
{
    const size_t count = options.quick ? 2 : 9;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, count), skewed = extend_blobs(&f, count);
    const size_t n = count * CELLS;
    assert_int_equal(hold(&f, &all, 0, n), 1);
    /* The call has all cells of one blob, one cell of each other blob, and one of them twice. */
    for (size_t i = 1; i < count; i++) {
        copy_cell(&skewed, CELLS + i - 1, &all, (i - (i + 1 == count)) * CELLS + 5 * i);
    }
    assert_int_equal(hold(&f, &skewed, 0, CELLS + count - 1), 1);
    skewed.cells[CELLS + count - 2].bytes[ELEMENT - 1] ^= 1;
    assert_int_equal(hold(&f, &skewed, 0, CELLS + count - 1), 0);

    shuffle(&f, &all);
    assert_int_equal(hold(&f, &all, 0, n), 1);
    assert_int_equal(hold(&f, &all, 3, 100), 1);
    all.cells[n - 1].bytes[CELL_BYTES - 1] ^= 1;
    assert_int_equal(hold(&f, &all, 0, n), 0);
    assert_int_equal(hold(&f, &all, 0, n - 1), 1);
    all.cells[n - 1].bytes[CELL_BYTES - 1] ^= 1;
    const sumac_bytes48 kept = all.proofs[0];
    all.proofs[0] = all.proofs[1];
    assert_int_equal(hold(&f, &all, 0, n), 0);
    all.proofs[0] = kept;
    all.commitments[0] = kept;
    assert_int_equal(hold(&f, &all, 0, n), 0);

    /* The message names a bad point by the cell to which it belongs. */
    int ok = -1;
    char place[64];
    memset(all.commitments + n - 2, 0xff, POINT);
    expect_refused(&f, verify(&f, &all, 0, n, &ok), "commitment");
    snprintf(place, sizeof place, "commitment %zu has", n - 2);
    assert_non_null(strstr(sumac_context_message(f.context), place));
    all.indices[n - 1] = CELLS;
    expect_refused(&f, verify(&f, &all, 0, n, &ok), "index");
    snprintf(place, sizeof place, "cell %zu: its index 128", n - 1);
    assert_non_null(strstr(sumac_context_message(f.context), place));
    assert_int_equal(ok, -1);
}

/* Choose `known` cells in ascending order. */
static void choose_cells(uint64_t *indices, size_t known, uint32_t *random)
{
    for (size_t c = 0, chosen = 0; chosen < known; c++) {
        *random = *random * 1664525u + 1013904223u;
        if ((*random >> 8) % (CELLS - c) < known - chosen) {
            indices[chosen++] = c;
        }
    }
}

/* Recover any number of missing cells of two blobs at once, sometimes with proofs. */
void test_recovery(void)
{
    enum { COUNT = 2 };
    const size_t step = options.quick ? 63 : 1;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, COUNT);
    AUTO_FREE sumac_cell *given = test_alloc(COUNT * ALL_CELLS), *cells = test_alloc(COUNT * ALL_CELLS);
    AUTO_FREE sumac_bytes48 *proofs = test_alloc(COUNT * ALL_PROOFS);
    uint32_t random = 7;
    for (size_t known = CELLS / 2; known <= CELLS; known += step) {
        uint64_t indices[CELLS];
        const int with_proofs = known % 32 == 0;
        choose_cells(indices, known, &random);
        for (size_t i = 0; i < COUNT * known; i++) {
            given[i] = all.cells[i / known * CELLS + indices[i % known]];
        }
        memset(cells, 0xa5, COUNT * ALL_CELLS);
        memset(proofs, 0xa5, COUNT * ALL_PROOFS);
        TEST_OK(f.context, sumac_kzg_recover(f.context, f.setup, indices, known, given, COUNT, cells,
                                             with_proofs ? proofs : NULL, NULL));
        assert_memory_equal(cells, all.cells, COUNT * ALL_CELLS);
        if (with_proofs) {
            assert_memory_equal(proofs, all.proofs, COUNT * ALL_PROOFS);
        }
    }
}

/* This is a call with wrong cells, and the cell that the message must name. */
typedef struct odd_cells {
    size_t known; /* the number of given cells, whose indices begin at `from` */
    size_t from;
    size_t blob;         /* the blob with the wrong cells */
    size_t first, count; /* the wrong cells are consecutive */
    uint64_t named;
    const char *part; /* part of the message */
} odd_cells;

static void expect_odd(const kzg_fixture *f, const extended_blobs *all, const odd_cells *odd, int with_cells)
{
    const size_t n = all->count, known = odd->known;
    AUTO_FREE sumac_cell *given = test_alloc(n * known * CELL_BYTES), *cells = test_alloc(n * ALL_CELLS);
    AUTO_FREE sumac_bytes48 *proofs = test_alloc(n * ALL_PROOFS);
    uint64_t indices[CELLS];
    sumac_kzg_wrong wrong = {999, 999};
    for (size_t i = 0; i < n * known; i++) {
        indices[i % known] = odd->from + i % known;
        given[i] = all->cells[i / known * CELLS + odd->from + i % known];
    }
    for (size_t j = 0; j < odd->count; j++) {
        ((uint8_t *)(given + odd->blob * known + odd->first - odd->from + j))[40 * j + 31] ^= 1;
    }
    memset(cells, 0xa5, n * ALL_CELLS);
    memset(proofs, 0xa5, n * ALL_PROOFS);
    const sumac_status status =
        sumac_kzg_recover(f->context, f->setup, indices, known, given, n, with_cells ? cells : NULL,
                          with_cells ? NULL : proofs, &wrong);
    const char *sentence = sumac_context_message(f->context);
    if (status != SUMAC_MISMATCH || wrong.blob != odd->blob || wrong.cell != odd->named ||
        strstr(sentence, odd->part) == NULL) {
        test_abort("%zu cells, %zu wrong: %s: blob %zu, cell %u: \"%s\"", known, odd->count,
                   sumac_status_text(status), wrong.blob, (unsigned)wrong.cell, sentence);
    }
    const uint8_t *c = cells->bytes, *p = proofs->bytes;
    assert_true(c[0] == 0xa5 && memcmp(c, c + 1, n * ALL_CELLS - 1) == 0);
    assert_true(p[0] == 0xa5 && memcmp(p, p + 1, n * ALL_PROOFS - 1) == 0);
    /* The specification's call accepts these cells, because any 64 cells are consistent. */
    TEST_OK(f->context, sumac_kzg_recover(f->context, f->setup, indices, known, given, n, cells, NULL, NULL));
    wrong = (sumac_kzg_wrong){999, 999};
    TEST_OK(f->context,
            sumac_kzg_recover(f->context, f->setup, indices, CELLS / 2, given, 1, cells, NULL, &wrong));
    assert_true(wrong.blob == 999 && wrong.cell == 999);
}

/* If cells do not fit each other, the message names the wrong one, and nothing is written. */
void test_recovery_checked(void)
{
    const size_t count = options.quick ? 2 : 17; /* 17 are more than a sub-batch */
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, count);
    AUTO_FREE sumac_cell *cells = test_alloc(count * ALL_CELLS);
    AUTO_FREE sumac_bytes48 *proofs = test_alloc(count * ALL_PROOFS);
    sumac_kzg_wrong wrong = {999, 999};
    memcpy(cells, all.cells, count * ALL_CELLS);
    TEST_OK(f.context,
            sumac_kzg_recover(f.context, f.setup, all.indices, CELLS, cells, count, cells, proofs, &wrong));
    assert_memory_equal(cells, all.cells, count * ALL_CELLS);
    assert_memory_equal(proofs, all.proofs, count * ALL_PROOFS);
    assert_true(wrong.blob == 999 && wrong.cell == 999);
    const odd_cells cases[] = {
        {CELLS, 0, 0, 0, 1, 0, "blob 0: cell 0 does not fit the others"},
        {CELLS, 0, 16, 77, 1, 77, "blob 16: cell 77 does not fit the others"},
        {CELLS, 0, 3, 50, 32, 50, "blob 3: cell 50 does not fit the others"},
        {CELLS, 0, 3, 96, 32, 96, "blob 3: cell 96 does not fit the others"},
        {CELLS, 0, 3, 40, 33, CELLS, "blob 3: its 128 cells do not fit each other; which"},
        {66, 30, 1, 95, 1, 95, "blob 1: cell 95 does not fit the others"},
        {65, 30, 1, 94, 1, CELLS, "blob 1: its 65 cells do not fit each other; which"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += options.quick ? 6 : 1) {
        assert_true(cases[i].blob < count);
        expect_odd(&f, &all, &cases[i], i % 2 == 0);
    }
}

void test_recovery_arguments(void)
{
    kzg_fixture f = fixture_open(0);
    uint64_t indices[CELLS + 1];
    AUTO_FREE sumac_cell *cells = test_alloc((CELLS + 1) * CELL_BYTES), *whole = test_alloc(ALL_CELLS);
    AUTO_FREE sumac_cell *out = test_alloc(ALL_CELLS), *untouched = test_alloc(ALL_CELLS);
    AUTO_FREE sumac_blob *blob = test_alloc(BLOB);
    static const struct {
        size_t count, changed; /* `changed` is the position of a wrong index */
        uint64_t index;
        const char *part;
    } cases[] = {{CELLS / 2 - 1, 0, 0, "63 cells"},
                 {CELLS + 1, 0, 0, "129 cells"},
                 {CELLS, 70, 69, "cell 70: its index 69"},
                 {CELLS, 70, 3, "cell 70: its index 3"},
                 {100, 99, UINT64_MAX, "cell 99: its index 18446744073709551615"},
                 {CELLS, 0, 0, "cell 80: element 5"}};
    make_blob(blob, 3);
    TEST_OK(f.context, sumac_kzg_cells(f.context, f.setup, blob, 1, whole, NULL));
    memcpy(cells, whole, ALL_CELLS);
    memset(cells[80].bytes + 5 * ELEMENT, 0xff, ELEMENT);
    memset(out, 0xa5, ALL_CELLS);
    memset(untouched, 0xa5, ALL_CELLS);
    for (size_t i = 0; i <= CELLS; i++) {
        indices[i] = i;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        indices[cases[i].changed] = cases[i].index;
        expect_refused(
            &f, sumac_kzg_recover(f.context, f.setup, indices, cases[i].count, cells, 1, out, NULL, NULL),
            cases[i].part);
        indices[cases[i].changed] = cases[i].changed;
        if (strstr(sumac_context_message(f.context), cases[i].part) == NULL) {
            test_abort("\"%s\" does not say \"%s\"", sumac_context_message(f.context), cases[i].part);
        }
        assert_memory_equal(out, untouched, ALL_CELLS);
    }
    TEST_OK(f.context, sumac_kzg_recover(f.context, f.setup, indices, 64, NULL, 0, NULL, NULL, NULL));
    /* The recovered cells may overwrite the given ones. */
    memset(cells, 0, ALL_CELLS);
    memcpy(cells, whole, 64 * CELL_BYTES);
    TEST_OK(f.context, sumac_kzg_recover(f.context, f.setup, indices, 64, cells, 1, cells, NULL, NULL));
    assert_memory_equal(cells, whole, ALL_CELLS);
}

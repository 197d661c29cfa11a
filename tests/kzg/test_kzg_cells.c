/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_kzg.c: cells of several blobs, their proofs one by one and together, and recovery. */
#include "test_kzg_support.h"

/* Blobs with everything that belongs to them. */
typedef struct extended_blobs {
    size_t count;
    uint8_t *blobs;
    uint8_t *commitments; /* one for each cell */
    uint64_t *indices;
    uint8_t *cells;
    uint8_t *proofs;
} extended_blobs;

static extended_blobs extend_blobs(const kzg_fixture *f, size_t count)
{
    extended_blobs made = {.count = count,
                           .blobs = test_alloc(count * BLOB),
                           .commitments = test_alloc(count * CELLS * POINT),
                           .indices = test_alloc(count * CELLS * sizeof(uint64_t)),
                           .cells = test_alloc(count * CELLS * CELL_BYTES),
                           .proofs = test_alloc(count * CELLS * POINT)};
    for (size_t i = 0; i < count; i++) {
        uint8_t commitment[POINT];
        make_blob(made.blobs + i * BLOB, (unsigned)i);
        TEST_OK(f->context,
                sumac_kzg_commit_batch(f->context, f->setup, (const sumac_blob *)(made.blobs + i * BLOB), 1,
                                       (sumac_bytes48 *)commitment));
        for (size_t j = 0; j < CELLS; j++) {
            memcpy(made.commitments + (i * CELLS + j) * POINT, commitment, POINT);
            made.indices[i * CELLS + j] = j;
        }
    }
    TEST_OK(f->context, sumac_kzg_compute_cells_and_proofs_batch(
                            f->context, f->setup, (const sumac_blob *)made.blobs, count,
                            (sumac_cell *)made.cells, (sumac_bytes48 *)made.proofs));
    return made;
}

static void free_extended(extended_blobs *made)
{
    free(made->blobs);
    free(made->commitments);
    free(made->indices);
    free(made->cells);
    free(made->proofs);
}

/* The answer for cells [first, first + count). */
static int verify(const kzg_fixture *f, const extended_blobs *all, size_t first, size_t count)
{
    int ok = -1;
    TEST_OK(f->context, sumac_kzg_verify_cell_proof_batch(
                            f->context, f->setup, (const sumac_bytes48 *)(all->commitments + first * POINT),
                            all->indices + first, (const sumac_cell *)(all->cells + first * CELL_BYTES),
                            (const sumac_bytes48 *)(all->proofs + first * POINT), count, &ok));
    return ok;
}

/* FK20's proofs, one by one, by the equation, against commitments that the quotients' proofs hold for, too.
 */
void test_cells_against_quotients(void)
{
    const size_t step = options.quick ? 63 : 1;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, 1);
    uint8_t proof[POINT];
    int ok = -1;
    TEST_OK(f.context, sumac_kzg_compute_blob_proof_batch(f.context, f.setup, (const sumac_blob *)all.blobs,
                                                          (const sumac_bytes48 *)all.commitments, 1,
                                                          (sumac_bytes48 *)proof));
    TEST_OK(f.context, sumac_kzg_verify_blob_proof(f.context, f.setup, (const sumac_blob *)all.blobs,
                                                   (const sumac_bytes48 *)all.commitments,
                                                   (const sumac_bytes48 *)proof, &ok));
    assert_int_equal(ok, 1);
    for (size_t i = 0; i < CELLS; i += step) {
        assert_int_equal(verify(&f, &all, i, 1), 1);
        all.indices[i] ^= 1; /* another coset */
        assert_int_equal(verify(&f, &all, i, 1), 0);
        all.indices[i] ^= 1;
    }
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const uint8_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Cells of all blobs in another order, the same for everything that belongs to them. */
static void shuffle(extended_blobs *all)
{
    uint32_t random = 1;
    for (size_t i = all->count * CELLS - 1; i > 0; i--) {
        random = random * 1664525u + 1013904223u;
        const size_t j = (random >> 8) % (i + 1);
        if (i != j) {
            const uint64_t index = all->indices[i];
            all->indices[i] = all->indices[j];
            all->indices[j] = index;
            swap_bytes(all->commitments + i * POINT, all->commitments + j * POINT, POINT);
            swap_bytes(all->cells + i * CELL_BYTES, all->cells + j * CELL_BYTES, CELL_BYTES);
            swap_bytes(all->proofs + i * POINT, all->proofs + j * POINT, POINT);
        }
    }
}

/* More cells than a sub-batch holds, in any order, of few and of many commitments; then something is wrong
 * somewhere. */
void test_cell_batches(void)
{
    const size_t count = options.quick ? 2 : 9;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, count);
    const size_t n = count * CELLS;
    assert_int_equal(verify(&f, &all, 0, n), 1);
    /* All of one blob, a cell of each of the others, and one of them twice. */
    extended_blobs skewed = extend_blobs(&f, count);
    for (size_t i = 1; i < count; i++) {
        const size_t from = (i - (i + 1 == count)) * CELLS + 5 * i, to = CELLS + i - 1;
        skewed.indices[to] = all.indices[from];
        memcpy(skewed.commitments + to * POINT, all.commitments + from * POINT, POINT);
        memcpy(skewed.cells + to * CELL_BYTES, all.cells + from * CELL_BYTES, CELL_BYTES);
        memcpy(skewed.proofs + to * POINT, all.proofs + from * POINT, POINT);
    }
    assert_int_equal(verify(&f, &skewed, 0, CELLS + count - 1), 1);
    skewed.cells[(CELLS + count - 2) * CELL_BYTES + ELEMENT - 1] ^= 1;
    assert_int_equal(verify(&f, &skewed, 0, CELLS + count - 1), 0);
    free_extended(&skewed);

    shuffle(&all);
    assert_int_equal(verify(&f, &all, 0, n), 1);
    assert_int_equal(verify(&f, &all, 3, 100), 1);
    all.cells[(n - 1) * CELL_BYTES + CELL_BYTES - 1] ^= 1;
    assert_int_equal(verify(&f, &all, 0, n), 0);
    assert_int_equal(verify(&f, &all, 0, n - 1), 1);
    all.cells[(n - 1) * CELL_BYTES + CELL_BYTES - 1] ^= 1;
    swap_bytes(all.proofs, all.proofs + POINT, POINT);
    assert_int_equal(verify(&f, &all, 0, n), 0);
    swap_bytes(all.proofs, all.proofs + POINT, POINT);
    memcpy(all.commitments, all.proofs, POINT);
    assert_int_equal(verify(&f, &all, 0, n), 0);

    /* Bad points are named by the cell that they came with. */
    int ok = -1;
    memset(all.commitments + (n - 2) * POINT, 0xff, POINT);
    expect_refused(&f,
                   sumac_kzg_verify_cell_proof_batch(
                       f.context, f.setup, (const sumac_bytes48 *)all.commitments, all.indices,
                       (const sumac_cell *)all.cells, (const sumac_bytes48 *)all.proofs, n, &ok),
                   "commitment");
    char place[64];
    snprintf(place, sizeof place, "commitment %zu has", n - 2);
    assert_non_null(strstr(sumac_context_message(f.context), place));
    all.indices[n - 1] = CELLS;
    expect_refused(&f,
                   sumac_kzg_verify_cell_proof_batch(
                       f.context, f.setup, (const sumac_bytes48 *)all.commitments, all.indices,
                       (const sumac_cell *)all.cells, (const sumac_bytes48 *)all.proofs, n, &ok),
                   "index");
    snprintf(place, sizeof place, "cell %zu: its index 128", n - 1);
    assert_non_null(strstr(sumac_context_message(f.context), place));
    assert_int_equal(ok, -1);
}

/* Choose `known` of the cells, ascending. */
static void choose_cells(uint64_t *indices, size_t known, uint32_t *random)
{
    for (size_t c = 0, chosen = 0; chosen < known; c++) {
        *random = *random * 1664525u + 1013904223u;
        if ((*random >> 8) % (CELLS - c) < known - chosen) {
            indices[chosen++] = c;
        }
    }
}

/* Every number of missing cells, of two blobs at once; proofs for some. */
void test_recovery(void)
{
    enum { COUNT = 2 };
    const size_t step = options.quick ? 63 : 1;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, COUNT);
    AUTO_FREE uint8_t *given = test_alloc(COUNT * CELLS * CELL_BYTES),
                      *cells = test_alloc(COUNT * CELLS * CELL_BYTES);
    AUTO_FREE uint8_t *proofs = test_alloc(COUNT * CELLS * POINT);
    uint32_t random = 7;
    for (size_t known = CELLS / 2; known <= CELLS; known += step) {
        uint64_t indices[CELLS];
        const int with_proofs = known % 32 == 0;
        choose_cells(indices, known, &random);
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t j = 0; j < known; j++) {
                memcpy(given + (i * known + j) * CELL_BYTES,
                       all.cells + (i * CELLS + indices[j]) * CELL_BYTES, CELL_BYTES);
            }
        }
        memset(cells, 0xa5, COUNT * CELLS * CELL_BYTES);
        memset(proofs, 0xa5, COUNT * CELLS * POINT);
        TEST_OK(f.context, sumac_kzg_recover_cells_and_proofs_batch(
                               f.context, f.setup, indices, known, (const sumac_cell *)given, COUNT,
                               (sumac_cell *)cells, (sumac_bytes48 *)(with_proofs ? proofs : NULL)));
        assert_memory_equal(cells, all.cells, COUNT * CELLS * CELL_BYTES);
        if (with_proofs) {
            assert_memory_equal(proofs, all.proofs, COUNT * CELLS * POINT);
        }
    }
}

/* A call with cells that are wrong, in the place of the good ones meanwhile; what it names. */
typedef struct odd_cells {
    size_t known; /* indices from `from` on */
    size_t from;
    size_t blob;         /* whose cells are wrong */
    size_t first, count; /* the wrong ones, beside each other */
    uint64_t named;
    const char *part; /* of the sentence */
} odd_cells;

static void expect_odd(const kzg_fixture *f, const extended_blobs *all, const odd_cells *odd, int with_cells)
{
    const size_t n = all->count * CELLS;
    AUTO_FREE uint8_t *given = test_alloc(all->count * odd->known * CELL_BYTES),
                      *cells = test_alloc(n * CELL_BYTES);
    AUTO_FREE uint8_t *proofs = test_alloc(n * POINT);
    uint64_t indices[CELLS], cell = 999;
    size_t blob = 999;
    for (size_t j = 0; j < odd->known; j++) {
        indices[j] = odd->from + j;
    }
    for (size_t i = 0; i < all->count; i++) {
        memcpy(given + i * odd->known * CELL_BYTES, all->cells + (i * CELLS + odd->from) * CELL_BYTES,
               odd->known * CELL_BYTES);
    }
    for (size_t j = 0; j < odd->count; j++) {
        given[(odd->blob * odd->known + odd->first - odd->from + j) * CELL_BYTES + 40 * j + 31] ^= 1;
    }
    memset(cells, 0xa5, n * CELL_BYTES);
    memset(proofs, 0xa5, n * POINT);
    const sumac_status status = sumac_kzg_recover_cells_and_proofs_batch_checked(
        f->context, f->setup, indices, odd->known, (const sumac_cell *)given, all->count,
        (sumac_cell *)(with_cells ? cells : NULL), (sumac_bytes48 *)(with_cells ? NULL : proofs), &blob,
        &cell);
    const char *sentence = sumac_context_message(f->context);
    if (status != SUMAC_MISMATCH || blob != odd->blob || cell != odd->named ||
        strstr(sentence, odd->part) == NULL) {
        test_abort("%zu cells, %zu wrong: %s: blob %zu, cell %u: \"%s\"", odd->known, odd->count,
                   sumac_status_text(status), blob, (unsigned)cell, sentence);
    }
    assert_true(cells[0] == 0xa5 && memcmp(cells, cells + 1, n * CELL_BYTES - 1) == 0);
    assert_true(proofs[0] == 0xa5 && memcmp(proofs, proofs + 1, n * POINT - 1) == 0);
    /* The specification's call takes them; and any 64 cells fit each other. */
    TEST_OK(f->context, sumac_kzg_recover_cells_and_proofs_batch(f->context, f->setup, indices, odd->known,
                                                                 (const sumac_cell *)given, all->count,
                                                                 (sumac_cell *)cells, NULL));
    TEST_OK(f->context, sumac_kzg_recover_cells_and_proofs_batch_checked(
                            f->context, f->setup, indices, CELLS / 2, (const sumac_cell *)given, 1,
                            (sumac_cell *)cells, NULL, NULL, NULL));
}

/* Cells that do not fit each other: the wrong one is named, and nothing is written. */
void test_recovery_checked(void)
{
    const size_t count = options.quick ? 2 : 17; /* 17 are more than a sub-batch */
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_extended) extended_blobs all = extend_blobs(&f, count);
    AUTO_FREE uint8_t *cells = test_alloc(count * CELLS * CELL_BYTES),
                      *proofs = test_alloc(count * CELLS * POINT);
    size_t blob = 999;
    uint64_t cell = 999;
    memcpy(cells, all.cells, count * CELLS * CELL_BYTES);
    TEST_OK(f.context, sumac_kzg_recover_cells_and_proofs_batch_checked(
                           f.context, f.setup, all.indices, CELLS, (const sumac_cell *)cells, count,
                           (sumac_cell *)cells, (sumac_bytes48 *)proofs, &blob, &cell));
    assert_memory_equal(cells, all.cells, count * CELLS * CELL_BYTES);
    assert_memory_equal(proofs, all.proofs, count * CELLS * POINT);
    assert_true(blob == 999 && cell == 999);
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

static void expect_refused_indices(const kzg_fixture *f, const uint64_t *indices, size_t count,
                                   const uint8_t *cells, const char *part)
{
    AUTO_FREE uint8_t *out = test_alloc(CELLS * CELL_BYTES);
    memset(out, 0xa5, CELLS * CELL_BYTES);
    expect_refused(f,
                   sumac_kzg_recover_cells_and_proofs_batch(f->context, f->setup, indices, count,
                                                            (const sumac_cell *)cells, 1, (sumac_cell *)out,
                                                            NULL),
                   part);
    if (strstr(sumac_context_message(f->context), part) == NULL) {
        test_abort("the sentence is \"%s\", without \"%s\"", sumac_context_message(f->context), part);
    }
    for (size_t i = 0; i < CELLS * CELL_BYTES; i++) {
        assert_int_equal(out[i], 0xa5);
    }
}

void test_recovery_arguments(void)
{
    kzg_fixture f = fixture_open(0);
    uint64_t indices[CELLS + 1];
    AUTO_FREE uint8_t *cells = test_alloc((CELLS + 1) * CELL_BYTES), *again = test_alloc(CELLS * CELL_BYTES);
    AUTO_FREE uint8_t *blob = test_alloc(BLOB);
    make_blob(blob, 3);
    TEST_OK(f.context, sumac_kzg_compute_cells_batch(f.context, f.setup, (const sumac_blob *)blob, 1,
                                                     (sumac_cell *)cells));
    for (size_t i = 0; i <= CELLS; i++) {
        indices[i] = i;
    }
    expect_refused_indices(&f, indices, CELLS / 2 - 1, cells, "63 cells");
    expect_refused_indices(&f, indices, CELLS + 1, cells, "129 cells");
    indices[70] = 69;
    expect_refused_indices(&f, indices, CELLS, cells, "cell 70: its index 69");
    indices[70] = 3;
    expect_refused_indices(&f, indices, CELLS, cells, "cell 70: its index 3");
    indices[70] = 70;
    indices[99] = UINT64_MAX;
    expect_refused_indices(&f, indices, 100, cells, "cell 99: its index 18446744073709551615");
    indices[99] = 99;
    memset(cells + 80 * CELL_BYTES + 5 * ELEMENT, 0xff, ELEMENT);
    expect_refused_indices(&f, indices, CELLS, cells, "cell 80: element 5");
    TEST_OK(f.context,
            sumac_kzg_recover_cells_and_proofs_batch(f.context, f.setup, indices, 64, NULL, 0, NULL, NULL));
    /* Into the memory of the cells that are there. */
    TEST_OK(f.context, sumac_kzg_compute_cells_batch(f.context, f.setup, (const sumac_blob *)blob, 1,
                                                     (sumac_cell *)again));
    memset(cells, 0, CELLS * CELL_BYTES);
    memcpy(cells, again, 64 * CELL_BYTES);
    TEST_OK(f.context, sumac_kzg_recover_cells_and_proofs_batch(f.context, f.setup, indices, 64,
                                                                (const sumac_cell *)cells, 1,
                                                                (sumac_cell *)cells, NULL));
    assert_memory_equal(cells, again, CELLS * CELL_BYTES);
}

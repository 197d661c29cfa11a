/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_kzg.c: it tests calls of several blobs, values at roots of unity, infinity, and
 * arguments. */
#include "sumac/experimental.h"
#include "test_kzg_support.h"

/* These are blobs with their commitments. */
typedef struct committed_blobs {
    size_t count;
    sumac_blob *blobs;
    sumac_bytes48 *commitments;
} committed_blobs;

static committed_blobs make_blobs(const kzg_fixture *f, size_t count)
{
    committed_blobs committed = {count, test_alloc(count * BLOB), test_alloc(count * POINT)};
    for (size_t i = 0; i < count; i++) {
        make_blob(committed.blobs + i, (unsigned)i);
    }
    TEST_OK(f->context,
            sumac_kzg_commit(f->context, f->setup, committed.blobs, count, committed.commitments));
    return committed;
}

static void free_blobs(committed_blobs *committed)
{
    free(committed->blobs);
    free(committed->commitments);
}

/* Require that the proofs of these blobs hold, or that they do not. */
static void expect_blobs(const kzg_fixture *f, const committed_blobs *committed, const sumac_bytes48 *proofs,
                         int expected)
{
    int ok = -1;
    TEST_OK(f->context, sumac_kzg_verify_blob_proof(f->context, f->setup, committed->blobs,
                                                    committed->commitments, proofs, committed->count, &ok));
    assert_int_equal(ok, expected);
}

/* Require that the proofs of the values ys at zs hold, or that they do not. */
static void expect_proofs(const kzg_fixture *f, const sumac_bytes48 *commitments, const sumac_bytes32 *zs,
                          const sumac_bytes32 *ys, const sumac_bytes48 *proofs, size_t count, int expected)
{
    int ok = -1;
    TEST_OK(f->context,
            sumac_kzg_verify_proof(f->context, f->setup, commitments, zs, ys, proofs, count, &ok));
    assert_int_equal(ok, expected);
}

/* A batch longer than a sub-batch gives the same proofs as single calls. The batch holds until one proof in it is
 * replaced by another one. */
void test_blobs_together(void)
{
    const size_t count = options.quick ? 2 : 18;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_blobs) committed_blobs committed = make_blobs(&f, count);
    AUTO_FREE sumac_bytes48 *proofs = test_alloc(count * POINT), *again = test_alloc(count * POINT);
    AUTO_FREE sumac_bytes32 *zs = test_alloc(count * ELEMENT), *ys = test_alloc(count * ELEMENT);
    sumac_bytes48 one_proof;
    TEST_OK(f.context, sumac_kzg_compute_blob_proof(f.context, f.setup, committed.blobs,
                                                    committed.commitments, count, proofs));
    for (size_t i = 0; i < count; i++) {
        int ok = -1;
        TEST_OK(f.context, sumac_kzg_compute_blob_proof(f.context, f.setup, committed.blobs + i,
                                                        committed.commitments + i, 1, &one_proof));
        assert_memory_equal(&one_proof, proofs + i, POINT);
        TEST_OK(f.context, sumac_kzg_verify_blob_proof(f.context, f.setup, committed.blobs + i,
                                                       committed.commitments + i, &one_proof, 1, &ok));
        assert_int_equal(ok, 1);
        TEST_OK(f.context,
                sumac_kzg_blob_challenge(f.context, committed.blobs + i, committed.commitments + i, zs + i));
    }
    expect_blobs(&f, &committed, proofs, 1);
    /* The call to which the evaluation points are given must make the same proofs. */
    TEST_OK(f.context, sumac_kzg_compute_proof(f.context, f.setup, committed.blobs, zs, count, again, ys));
    assert_memory_equal(again, proofs, count * POINT);
    expect_proofs(&f, committed.commitments, zs, ys, proofs, count, 1);
    ys[count - 1].bytes[0] ^= 1;
    expect_proofs(&f, committed.commitments, zs, ys, proofs, count, 0);
    proofs[count - 1] = proofs[0];
    expect_blobs(&f, &committed, proofs, 0);
    /* The values may be null. */
    TEST_OK(f.context, sumac_kzg_compute_proof(f.context, f.setup, committed.blobs, zs, 1, &one_proof, NULL));
    assert_memory_equal(&one_proof, again, POINT);
}

/* Compute the root of order 8192 to the power e with GMP, as big-endian bytes. */
static void root_power(size_t e, uint8_t *element)
{
    const sumac_group *group = test_find_group("bls12-381", "g1");
    uint8_t raw[ELEMENT];
    TEST_NUMBERS(root, order);
    assert_int_equal(test_root_of_unity(group, 13, raw), SUMAC_OK);
    mpz_import(root, ELEMENT, -1, 1, 0, 0, raw);
    mpz_import(order, 4, -1, 8, 0, 0, group->order);
    mpz_powm_ui(root, root, e, order);
    memset(element, 0, ELEMENT);
    const size_t bytes = (mpz_sizeinbase(root, 2) + 7) / 8;
    mpz_export(element + ELEMENT - bytes, NULL, 1, 1, 0, 0, root);
}

/* At a root of unity of the blob's domain the value is an element of the blob. At other roots of unity it is an element
 * of one of the cells. Proofs hold. */
void test_values_on_the_domain(void)
{
    static const size_t places[] = {0, 1, 2, 77, 4095, 4096, 5000, 8191};
    enum { PLACES = sizeof places / sizeof *places };
    kzg_fixture f = fixture_open(0);
    CLEANUP(free_blobs) committed_blobs committed = make_blobs(&f, 1);
    AUTO_FREE sumac_cell *cells = test_alloc(CELLS * CELL_BYTES);
    AUTO_FREE sumac_blob *blobs = test_alloc(PLACES * BLOB);
    sumac_bytes32 zs[PLACES], ys[PLACES];
    sumac_bytes48 proofs[PLACES], commitments[PLACES];
    TEST_OK(f.context, sumac_kzg_cells(f.context, f.setup, committed.blobs, 1, cells, NULL));
    assert_memory_equal(cells, committed.blobs, BLOB);
    for (size_t i = 0; i < PLACES; i++) {
        root_power(test_reversed(places[i], 13), zs[i].bytes);
        blobs[i] = committed.blobs[0];
        commitments[i] = committed.commitments[0];
    }
    TEST_OK(f.context, sumac_kzg_compute_proof(f.context, f.setup, blobs, zs, PLACES, proofs, ys));
    for (size_t i = 0; i < PLACES; i++) {
        assert_memory_equal(ys + i, (uint8_t *)cells + places[i] * ELEMENT, ELEMENT);
        expect_proofs(&f, commitments, zs + i, ys + i, proofs + i, 1, 1);
    }
    expect_proofs(&f, commitments, zs, ys, proofs, PLACES, 1);
}

/* The commitment to the polynomial 0, and all its proofs, are infinity. For a constant only the proofs are infinity. */
void test_infinity(void)
{
    static const sumac_bytes48 infinity = {{0xc0}};
    enum { ALL = 2 * CELLS };
    kzg_fixture f = fixture_open(1);
    AUTO_FREE sumac_blob *blobs = test_alloc(2 * BLOB);
    AUTO_FREE sumac_cell *cells = test_alloc(ALL * CELL_BYTES);
    AUTO_FREE sumac_bytes48 *cell_proofs = test_alloc(ALL * POINT),
                            *cell_commitments = test_alloc(ALL * POINT);
    uint64_t indices[ALL];
    sumac_bytes48 commitments[2], proofs[2];
    memset(blobs, 0, 2 * BLOB);
    for (size_t i = 0; i < SUMAC_KZG_FIELD_ELEMENTS; i++) {
        blobs[1].bytes[i * ELEMENT + ELEMENT - 1] = 9;
    }
    TEST_OK(f.context, sumac_kzg_commit(f.context, f.setup, blobs, 2, commitments));
    assert_memory_equal(commitments, &infinity, POINT);
    TEST_OK(f.context, sumac_kzg_compute_blob_proof(f.context, f.setup, blobs, commitments, 2, proofs));
    TEST_OK(f.context, sumac_kzg_cells(f.context, f.setup, blobs, 2, cells, cell_proofs));
    for (size_t i = 0; i < ALL; i++) {
        assert_memory_equal(cell_proofs + i, &infinity, POINT);
        assert_memory_equal(proofs + i / CELLS, &infinity, POINT);
        cell_commitments[i] = commitments[i / CELLS];
        indices[i] = i % CELLS;
    }
    const committed_blobs committed = {2, blobs, commitments};
    expect_blobs(&f, &committed, proofs, 1);
    int ok = -1;
    TEST_OK(f.context, sumac_kzg_verify_cells(f.context, f.setup, cell_commitments, indices, cells,
                                              cell_proofs, ALL, &ok));
    assert_int_equal(ok, 1);
}

/* Null pointers, too large counts and unprepared setups are refused. Empty calls succeed. */
void test_kzg_arguments(void)
{
    kzg_fixture f = fixture_open(0);
    const size_t much = SIZE_MAX / 2048;
    AUTO_FREE uint8_t *memory = test_alloc(2 * BLOB);
    uint64_t indices[CELLS];
    int ok = -1;
    memset(memory, 0, 2 * BLOB);
    for (size_t i = 0; i < CELLS; i++) {
        indices[i] = i;
    }
    void *b = memory; /* this replaces blobs, cells, scalars and points */
    sumac_context *c = f.context;
    const sumac_kzg_setup *s = f.setup;
    const struct {
        const char *what;
        sumac_status found;
    } calls[] = {
        {"context", sumac_kzg_compute_proof(NULL, s, b, b, 1, b, NULL)},
        {"setup", sumac_kzg_compute_proof(c, NULL, b, b, 1, b, NULL)},
        {"zs", sumac_kzg_compute_proof(c, s, b, NULL, 1, b, NULL)},
        {"much", sumac_kzg_compute_proof(c, s, b, b, much, b, NULL)},
        {"commitments", sumac_kzg_compute_blob_proof(c, s, b, NULL, 1, b)},
        {"ok", sumac_kzg_verify_proof(c, s, b, b, b, b, 1, NULL)},
        {"ys", sumac_kzg_verify_proof(c, s, b, b, NULL, b, 1, &ok)},
        {"blob", sumac_kzg_verify_blob_proof(c, s, NULL, b, b, 1, &ok)},
        {"much", sumac_kzg_verify_blob_proof(c, s, b, b, b, much, &ok)},
        {"challenge", sumac_kzg_blob_challenge(c, b, b, NULL)},
        {"challenge", sumac_kzg_blob_challenge(NULL, b, b, b)},
        {"cells and proofs", sumac_kzg_cells(c, s, b, 1, NULL, NULL)},
        {"unprepared", sumac_kzg_cells(c, s, b, 1, NULL, b)},
        {"unprepared", sumac_kzg_recover(c, s, indices, CELLS, b, 1, NULL, b, NULL)},
        {"cells", sumac_kzg_verify_cells(c, s, b, indices, NULL, b, 1, &ok)},
        {"much", sumac_kzg_verify_cells(c, s, b, indices, b, b, much, &ok)},
        {"challenge", sumac_kzg_cell_challenge(c, NULL, 1, NULL, NULL, NULL, NULL, 0, b)},
        {"save", sumac_kzg_save(c, s, NULL)},
        {"save", sumac_kzg_save(NULL, s, "/dev/null")},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].found != SUMAC_BAD_ARGUMENT) {
            test_abort("%s, call %zu: the status is %d", calls[i].what, i, (int)calls[i].found);
        }
    }
    assert_int_equal(ok, -1);
    assert_int_equal(sumac_kzg_table_bytes(s), 0);
    assert_int_equal(sumac_kzg_table_bytes(NULL), 0);
    TEST_OK(c, sumac_kzg_compute_proof(c, s, NULL, NULL, 0, NULL, NULL));
    TEST_OK(c, sumac_kzg_compute_blob_proof(c, s, NULL, NULL, 0, NULL));
    expect_blobs(&f, &(committed_blobs){0}, NULL, 1);
    expect_proofs(&f, NULL, NULL, NULL, NULL, 0, 1);
    TEST_OK(c, sumac_kzg_verify_cells(c, s, NULL, NULL, NULL, NULL, 0, &ok));
    assert_int_equal(ok, 1);
}

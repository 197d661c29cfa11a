/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_kzg.c: several blobs in a call, values at roots of unity, infinity, arguments. */
#include "test_kzg_support.h"

/* Blobs with their commitments. */
typedef struct committed_blobs {
    size_t count;
    uint8_t *blobs;
    uint8_t *commitments;
} committed_blobs;

static committed_blobs make_blobs(const kzg_fixture *f, size_t count)
{
    committed_blobs made = {count, test_alloc(count * BLOB), test_alloc(count * POINT)};
    for (size_t i = 0; i < count; i++) {
        make_blob(made.blobs + i * BLOB, (unsigned)i);
    }
    TEST_OK(f->context, sumac_kzg_commit_batch(f->context, f->setup, (const sumac_blob *)made.blobs, count,
                                               (sumac_bytes48 *)made.commitments));
    return made;
}

static void free_blobs(committed_blobs *made)
{
    free(made->blobs);
    free(made->commitments);
}

static int verify_batch(const kzg_fixture *f, const committed_blobs *made, const uint8_t *proofs)
{
    int ok = -1;
    TEST_OK(f->context,
            sumac_kzg_verify_blob_proof_batch(f->context, f->setup, (const sumac_blob *)made->blobs,
                                              (const sumac_bytes48 *)made->commitments,
                                              (const sumac_bytes48 *)proofs, made->count, &ok));
    return ok;
}

/* A batch longer than a sub-batch gives what single calls give, and is true until one proof is another's. */
void test_blobs_together(void)
{
    const size_t count = options.quick ? 2 : 18;
    kzg_fixture f = fixture_open(1);
    CLEANUP(free_blobs) committed_blobs made = make_blobs(&f, count);
    AUTO_FREE uint8_t *proofs = test_alloc(count * POINT), *zs = test_alloc(count * ELEMENT);
    uint8_t *ys = test_alloc(count * ELEMENT), one_proof[POINT], one_y[ELEMENT], z[ELEMENT];
    TEST_OK(f.context, sumac_kzg_compute_blob_proof_batch(f.context, f.setup, (const sumac_blob *)made.blobs,
                                                          (const sumac_bytes48 *)made.commitments, count,
                                                          (sumac_bytes48 *)proofs));
    for (size_t i = 0; i < count; i++) {
        const uint8_t *blob = made.blobs + i * BLOB, *commitment = made.commitments + i * POINT;
        int ok = -1;
        TEST_OK(f.context, sumac_kzg_compute_blob_proof_batch(f.context, f.setup, (const sumac_blob *)blob,
                                                              (const sumac_bytes48 *)commitment, 1,
                                                              (sumac_bytes48 *)one_proof));
        assert_memory_equal(one_proof, proofs + i * POINT, POINT);
        TEST_OK(f.context, sumac_kzg_verify_blob_proof(f.context, f.setup, (const sumac_blob *)blob,
                                                       (const sumac_bytes48 *)commitment,
                                                       (const sumac_bytes48 *)one_proof, &ok));
        assert_int_equal(ok, 1);
        TEST_OK(f.context, sumac_kzg_blob_challenge(f.context, (const sumac_blob *)blob,
                                                    (const sumac_bytes48 *)commitment,
                                                    (sumac_bytes32 *)(zs + i * ELEMENT)));
    }
    assert_int_equal(verify_batch(&f, &made, proofs), 1);
    /* The same places by the other way in. */
    AUTO_FREE uint8_t *again = test_alloc(count * POINT);
    TEST_OK(f.context, sumac_kzg_compute_proof_batch(f.context, f.setup, (const sumac_blob *)made.blobs,
                                                     (const sumac_bytes32 *)zs, count, (sumac_bytes48 *)again,
                                                     (sumac_bytes32 *)ys));
    assert_memory_equal(again, proofs, count * POINT);
    int ok = -1;
    TEST_OK(f.context,
            sumac_kzg_verify_proof_batch(f.context, f.setup, (const sumac_bytes48 *)made.commitments,
                                         (const sumac_bytes32 *)zs, (const sumac_bytes32 *)ys,
                                         (const sumac_bytes48 *)proofs, count, &ok));
    assert_int_equal(ok, 1);
    ys[count * ELEMENT - 1] ^= 1;
    TEST_OK(f.context,
            sumac_kzg_verify_proof_batch(f.context, f.setup, (const sumac_bytes48 *)made.commitments,
                                         (const sumac_bytes32 *)zs, (const sumac_bytes32 *)ys,
                                         (const sumac_bytes48 *)proofs, count, &ok));
    assert_int_equal(ok, 0);
    memcpy(proofs + (count - 1) * POINT, proofs, POINT);
    assert_int_equal(verify_batch(&f, &made, proofs), 0);
    /* A null for the values is allowed. */
    memcpy(z, zs, ELEMENT);
    TEST_OK(f.context,
            sumac_kzg_compute_proof_batch(f.context, f.setup, (const sumac_blob *)made.blobs,
                                          (const sumac_bytes32 *)z, 1, (sumac_bytes48 *)one_proof, NULL));
    assert_memory_equal(one_proof, again, POINT);
    (void)one_y;
    free(ys);
}

/* The root of order 8192 to the power e, as the field's own arithmetic has it: GMP. Big-endian. */
static void root_power(size_t e, uint8_t *element)
{
    const sumac_curve *curve;
    uint8_t raw[ELEMENT];
    TEST_NUMBERS(root, order);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    assert_int_equal(sumac_root_of_unity(curve, 13, raw), SUMAC_OK);
    mpz_import(root, ELEMENT, -1, 1, 0, 0, raw);
    mpz_import(order, 4, -1, 8, 0, 0, sumac_curve_describe(curve)->order);
    mpz_powm_ui(root, root, e, order);
    memset(element, 0, ELEMENT);
    const size_t bytes = (mpz_sizeinbase(root, 2) + 7) / 8;
    mpz_export(element + ELEMENT - bytes, NULL, 1, 1, 0, 0, root);
}

/* At a root of unity the value is the blob's own element, and beyond the blob the cells'; and the proofs
 * hold. */
void test_values_on_the_domain(void)
{
    static const size_t places[] = {0, 1, 2, 77, 4095, 4096, 5000, 8191};
    enum { PLACES = sizeof places / sizeof *places };
    kzg_fixture f = fixture_open(0);
    CLEANUP(free_blobs) committed_blobs made = make_blobs(&f, 1);
    AUTO_FREE uint8_t *cells = test_alloc(CELLS * CELL_BYTES), *blobs = test_alloc(PLACES * BLOB);
    uint8_t zs[PLACES * ELEMENT], ys[PLACES * ELEMENT], proofs[PLACES * POINT], commitments[PLACES * POINT];
    TEST_OK(f.context, sumac_kzg_compute_cells_batch(f.context, f.setup, (const sumac_blob *)made.blobs, 1,
                                                     (sumac_cell *)cells));
    assert_memory_equal(cells, made.blobs, BLOB);
    for (size_t i = 0; i < PLACES; i++) {
        root_power(test_reversed(places[i], 13), zs + i * ELEMENT);
        memcpy(blobs + i * BLOB, made.blobs, BLOB);
        memcpy(commitments + i * POINT, made.commitments, POINT);
    }
    TEST_OK(f.context, sumac_kzg_compute_proof_batch(f.context, f.setup, (const sumac_blob *)blobs,
                                                     (const sumac_bytes32 *)zs, PLACES,
                                                     (sumac_bytes48 *)proofs, (sumac_bytes32 *)ys));
    for (size_t i = 0; i < PLACES; i++) {
        int ok = -1;
        assert_memory_equal(ys + i * ELEMENT, cells + places[i] * ELEMENT, ELEMENT);
        TEST_OK(f.context,
                sumac_kzg_verify_proof_batch(f.context, f.setup, (const sumac_bytes48 *)made.commitments,
                                             (const sumac_bytes32 *)(zs + i * ELEMENT),
                                             (const sumac_bytes32 *)(ys + i * ELEMENT),
                                             (const sumac_bytes48 *)(proofs + i * POINT), 1, &ok));
        assert_int_equal(ok, 1);
    }
    int ok = -1;
    TEST_OK(f.context, sumac_kzg_verify_proof_batch(f.context, f.setup, (const sumac_bytes48 *)commitments,
                                                    (const sumac_bytes32 *)zs, (const sumac_bytes32 *)ys,
                                                    (const sumac_bytes48 *)proofs, PLACES, &ok));
    assert_int_equal(ok, 1);
}

/* The polynomial 0 has the commitment infinity, and every proof; a constant has the proofs. */
void test_infinity(void)
{
    static const uint8_t infinity[POINT] = {0xc0};
    kzg_fixture f = fixture_open(1);
    AUTO_FREE uint8_t *blobs = test_alloc(2 * BLOB), *cells = test_alloc(2 * CELLS * CELL_BYTES);
    AUTO_FREE uint8_t *cell_proofs = test_alloc(2 * CELLS * POINT),
                      *cell_commitments = test_alloc(2 * CELLS * POINT);
    uint64_t indices[2 * CELLS];
    uint8_t commitments[2 * POINT], proofs[2 * POINT];
    memset(blobs, 0, 2 * BLOB);
    for (size_t i = 0; i < SUMAC_KZG_FIELD_ELEMENTS; i++) {
        blobs[BLOB + i * ELEMENT + ELEMENT - 1] = 9;
    }
    TEST_OK(f.context, sumac_kzg_commit_batch(f.context, f.setup, (const sumac_blob *)blobs, 2,
                                              (sumac_bytes48 *)commitments));
    assert_memory_equal(commitments, infinity, POINT);
    TEST_OK(f.context, sumac_kzg_compute_blob_proof_batch(f.context, f.setup, (const sumac_blob *)blobs,
                                                          (const sumac_bytes48 *)commitments, 2,
                                                          (sumac_bytes48 *)proofs));
    TEST_OK(f.context,
            sumac_kzg_compute_cells_and_proofs_batch(f.context, f.setup, (const sumac_blob *)blobs, 2,
                                                     (sumac_cell *)cells, (sumac_bytes48 *)cell_proofs));
    for (size_t i = 0; i < 2 * CELLS; i++) {
        assert_memory_equal(cell_proofs + i * POINT, infinity, POINT);
        memcpy(cell_commitments + i * POINT, commitments + i / CELLS * POINT, POINT);
        indices[i] = i % CELLS;
    }
    assert_memory_equal(proofs, infinity, POINT);
    assert_memory_equal(proofs + POINT, infinity, POINT);
    int ok = -1;
    TEST_OK(f.context, sumac_kzg_verify_blob_proof_batch(f.context, f.setup, (const sumac_blob *)blobs,
                                                         (const sumac_bytes48 *)commitments,
                                                         (const sumac_bytes48 *)proofs, 2, &ok));
    assert_int_equal(ok, 1);
    ok = -1;
    TEST_OK(f.context, sumac_kzg_verify_cell_proof_batch(
                           f.context, f.setup, (const sumac_bytes48 *)cell_commitments, indices,
                           (const sumac_cell *)cells, (const sumac_bytes48 *)cell_proofs, 2 * CELLS, &ok));
    assert_int_equal(ok, 1);
}

/* Null pointers, nothing at all, too much, and setups that are not prepared. */
void test_kzg_arguments(void)
{
    kzg_fixture f = fixture_open(0);
    const size_t much = SIZE_MAX / 2048;
    uint8_t *b = test_alloc(2 * BLOB), p[POINT];
    uint64_t indices[CELLS];
    int ok = -1;
    memset(b, 0, 2 * BLOB);
    for (size_t i = 0; i < CELLS; i++) {
        indices[i] = i;
    }
    sumac_context *c = f.context;
    const sumac_kzg_setup *s = f.setup;
    const struct {
        const char *what;
        sumac_status found, expected;
    } calls[] = {
        {"context",
         sumac_kzg_compute_proof_batch(NULL, s, (const sumac_blob *)b, (const sumac_bytes32 *)b, 1,
                                       (sumac_bytes48 *)p, NULL),
         SUMAC_BAD_ARGUMENT},
        {"setup",
         sumac_kzg_compute_proof_batch(c, NULL, (const sumac_blob *)b, (const sumac_bytes32 *)b, 1,
                                       (sumac_bytes48 *)p, NULL),
         SUMAC_BAD_ARGUMENT},
        {"zs", sumac_kzg_compute_proof_batch(c, s, (const sumac_blob *)b, NULL, 1, (sumac_bytes48 *)p, NULL),
         SUMAC_BAD_ARGUMENT},
        {"none", sumac_kzg_compute_proof_batch(c, s, NULL, NULL, 0, NULL, NULL), SUMAC_OK},
        {"much",
         sumac_kzg_compute_proof_batch(c, s, (const sumac_blob *)b, (const sumac_bytes32 *)b, much,
                                       (sumac_bytes48 *)p, NULL),
         SUMAC_BAD_ARGUMENT},
        {"commitments",
         sumac_kzg_compute_blob_proof_batch(c, s, (const sumac_blob *)b, NULL, 1, (sumac_bytes48 *)p),
         SUMAC_BAD_ARGUMENT},
        {"none", sumac_kzg_compute_blob_proof_batch(c, s, NULL, NULL, 0, NULL), SUMAC_OK},
        {"ok",
         sumac_kzg_verify_proof_batch(c, s, (const sumac_bytes48 *)p, (const sumac_bytes32 *)b,
                                      (const sumac_bytes32 *)b, (const sumac_bytes48 *)p, 1, NULL),
         SUMAC_BAD_ARGUMENT},
        {"ys",
         sumac_kzg_verify_proof_batch(c, s, (const sumac_bytes48 *)p, (const sumac_bytes32 *)b, NULL,
                                      (const sumac_bytes48 *)p, 1, &ok),
         SUMAC_BAD_ARGUMENT},
        {"blob",
         sumac_kzg_verify_blob_proof(c, s, NULL, (const sumac_bytes48 *)p, (const sumac_bytes48 *)p, &ok),
         SUMAC_BAD_ARGUMENT},
        {"much",
         sumac_kzg_verify_blob_proof_batch(c, s, (const sumac_blob *)b, (const sumac_bytes48 *)p,
                                           (const sumac_bytes48 *)p, much, &ok),
         SUMAC_BAD_ARGUMENT},
        {"challenge", sumac_kzg_blob_challenge(c, (const sumac_blob *)b, (const sumac_bytes48 *)p, NULL),
         SUMAC_BAD_ARGUMENT},
        {"challenge",
         sumac_kzg_blob_challenge(NULL, (const sumac_blob *)b, (const sumac_bytes48 *)p, (sumac_bytes32 *)p),
         SUMAC_BAD_ARGUMENT},
        {"cells", sumac_kzg_compute_cells_batch(c, s, (const sumac_blob *)b, 1, NULL), SUMAC_BAD_ARGUMENT},
        {"proofs", sumac_kzg_compute_cell_proofs_batch(c, s, (const sumac_blob *)b, 1, NULL),
         SUMAC_BAD_ARGUMENT},
        {"both", sumac_kzg_compute_cells_and_proofs_batch(c, s, (const sumac_blob *)b, 1, NULL, NULL),
         SUMAC_BAD_ARGUMENT},
        {"unprepared",
         sumac_kzg_compute_cell_proofs_batch(c, s, (const sumac_blob *)b, 1, (sumac_bytes48 *)b),
         SUMAC_BAD_ARGUMENT},
        {"unprepared",
         sumac_kzg_recover_cells_and_proofs_batch(c, s, indices, CELLS, (const sumac_cell *)b, 1, NULL,
                                                  (sumac_bytes48 *)b),
         SUMAC_BAD_ARGUMENT},
        {"cells",
         sumac_kzg_verify_cell_proof_batch(c, s, (const sumac_bytes48 *)p, indices, NULL,
                                           (const sumac_bytes48 *)p, 1, &ok),
         SUMAC_BAD_ARGUMENT},
        {"much",
         sumac_kzg_verify_cell_proof_batch(c, s, (const sumac_bytes48 *)p, indices, (const sumac_cell *)b,
                                           (const sumac_bytes48 *)p, much, &ok),
         SUMAC_BAD_ARGUMENT},
        {"challenge",
         sumac_kzg_cell_batch_challenge(c, NULL, 1, NULL, NULL, NULL, NULL, 0, (sumac_bytes32 *)p),
         SUMAC_BAD_ARGUMENT},
        {"prepare", sumac_kzg_setup_make_tables(c, NULL, 0), SUMAC_BAD_ARGUMENT},
        {"prepare", sumac_kzg_setup_make_tables(NULL, f.setup, 0), SUMAC_BAD_ARGUMENT},
        {"save", sumac_kzg_setup_save(c, s, NULL), SUMAC_BAD_ARGUMENT},
        {"save", sumac_kzg_setup_save(NULL, s, "/dev/null"), SUMAC_BAD_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].found != calls[i].expected) {
            test_abort("%s, call %zu: the status is %d", calls[i].what, i, (int)calls[i].found);
        }
    }
    assert_int_equal(ok, -1);
    assert_int_equal(sumac_kzg_setup_has_tables(s), 0);
    assert_int_equal(sumac_kzg_setup_has_tables(NULL), 0);
    TEST_OK(c, sumac_kzg_verify_blob_proof_batch(c, s, NULL, NULL, NULL, 0, &ok));
    assert_int_equal(ok, 1);
    ok = -1;
    TEST_OK(c, sumac_kzg_verify_proof_batch(c, s, NULL, NULL, NULL, NULL, 0, &ok));
    assert_int_equal(ok, 1);
    ok = -1;
    TEST_OK(c, sumac_kzg_verify_cell_proof_batch(c, s, NULL, NULL, NULL, NULL, 0, &ok));
    assert_int_equal(ok, 1);
    free(b);
}

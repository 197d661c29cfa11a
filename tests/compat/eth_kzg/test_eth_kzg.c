/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the drop-in for rust-eth-kzg's C interface: constants, refused arguments, failing allocations, and
 * tables, which do not change the results. The consensus specification's vectors are the oracle.
 */
#include "eth_kzg.h"
#include "support/failing.h"
#include "kzg/test_kzg_support.h"

static void test_constants(void)
{
    assert_int_equal(eth_kzg_constant_bytes_per_cell(), 2048);
    assert_int_equal(eth_kzg_constant_bytes_per_proof(), 48);
    assert_int_equal(eth_kzg_constant_cells_per_ext_blob(), 128);
    assert_int_equal(sizeof(CResult), 16);
    assert_int_equal(Ok, 0);
    assert_int_equal(Err, 1);
    eth_kzg_das_context_free(NULL);
    eth_kzg_free_error_message(NULL);
}

static void expect_error(CResult result, const char *words)
{
    assert_int_equal(result.status, Err);
    if (strstr(result.error_msg, words) == NULL) {
        test_abort("\"%s\" says nothing about \"%s\"", result.error_msg, words);
    }
    eth_kzg_free_error_message(result.error_msg);
}

/* Check that a verifying call is refused and sets its answer to false. */
#define EXPECT_FALSE(call, words)                                                                            \
    do {                                                                                                     \
        bool verified = true;                                                                                \
        expect_error(call, words);                                                                           \
        assert_false(verified);                                                                              \
    } while (0)

/* Each refused call has a message, writes no output, and sets *verified to false if it has such an argument. */
static void test_arguments(void)
{
    DASContext *ctx = eth_kzg_das_context_new(false);
    assert_non_null(ctx);
    AUTO_FREE call_memory *m = test_alloc(sizeof *m), *before = test_alloc(sizeof *before);
    uint8_t *cells[CELLS], *proofs[CELLS], *missing[CELLS];
    const uint8_t *given[CELLS];
    const uint64_t *indices = m->indices;
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < CELLS; i++) {
        given[i] = missing[i] = cells[i] = m->cells[i].bytes;
        proofs[i] = m->proofs[i].bytes;
        m->proofs[i].bytes[0] = 0xc0; /* infinity */
        m->indices[i] = i;
    }
    missing[77] = NULL;
    *before = *m;
    const uint8_t *blob = m->blob.bytes, *z = m->z.bytes, *point = m->proofs[0].bytes;
    const uint8_t *const *points = (const uint8_t *const *)proofs, *const *holes =
                                                                       (const uint8_t *const *)missing;
    uint8_t *out = m->proof.bytes, *y = m->y.bytes;

    expect_error(eth_kzg_blob_to_kzg_commitment(NULL, blob, out), "context is null");
    expect_error(eth_kzg_blob_to_kzg_commitment(ctx, NULL, out), "null");
    expect_error(eth_kzg_blob_to_kzg_commitment(ctx, blob, NULL), "null");
    expect_error(eth_kzg_compute_kzg_proof(ctx, blob, z, out, NULL), "null");
    expect_error(eth_kzg_compute_kzg_proof(ctx, blob, NULL, out, y), "null");
    expect_error(eth_kzg_compute_blob_kzg_proof(ctx, blob, NULL, out), "null");
    expect_error(eth_kzg_compute_cells(ctx, blob, NULL), "null");
    expect_error(eth_kzg_compute_cells(ctx, blob, missing), "null");
    expect_error(eth_kzg_compute_cells(NULL, blob, cells), "context is null");
    expect_error(eth_kzg_compute_cells_and_kzg_proofs(ctx, blob, cells, missing), "null");
    expect_error(eth_kzg_compute_cells_and_kzg_proofs(ctx, NULL, cells, proofs), "null");
    expect_error(eth_kzg_recover_cells_and_proofs(ctx, 64, given, 63, indices, cells, proofs), "lengths");
    expect_error(eth_kzg_recover_cells_and_proofs(ctx, 128, holes, 128, indices, cells, proofs), "null");
    expect_error(eth_kzg_recover_cells_and_proofs(ctx, 64, NULL, 64, indices, cells, proofs), "null");
    expect_error(eth_kzg_recover_cells_and_proofs(ctx, 64, given, 64, NULL, cells, proofs), "null");
    expect_error(eth_kzg_recover_cells_and_proofs(ctx, 64, given, 64, indices, cells, missing), "null");
    expect_error(eth_kzg_recover_cells_and_proofs(ctx, 63, given, 63, indices, cells, proofs), "63");
    expect_error(eth_kzg_verify_kzg_proof(ctx, point, z, z, point, NULL), "null");
    EXPECT_FALSE(eth_kzg_verify_kzg_proof(ctx, point, z, NULL, point, &verified), "null");
    EXPECT_FALSE(eth_kzg_verify_blob_kzg_proof(ctx, blob, z, point, &verified), "commitment");
    EXPECT_FALSE(eth_kzg_verify_blob_kzg_proof_batch(ctx, 1, &blob, 2, points, 1, points, &verified),
                 "lengths");
    EXPECT_FALSE(eth_kzg_verify_blob_kzg_proof_batch(ctx, 1, NULL, 1, points, 1, points, &verified), "null");
    EXPECT_FALSE(
        eth_kzg_verify_cell_kzg_proof_batch(ctx, 2, points, 1, indices, 2, given, 2, points, &verified),
        "lengths");
    EXPECT_FALSE(eth_kzg_verify_cell_kzg_proof_batch(ctx, 128, points, 128, indices, 128, holes, 128, points,
                                                     &verified),
                 "null");
    EXPECT_FALSE(eth_kzg_verify_cell_kzg_proof_batch(ctx, UINT64_MAX, points, UINT64_MAX, indices, UINT64_MAX,
                                                     given, UINT64_MAX, points, &verified),
                 "memory");
    assert_memory_equal(m, before, sizeof *m);
    eth_kzg_das_context_free(ctx);
}

/* Proofs are the same with tables and without. */
static void test_tables(void)
{
    AUTO_FREE call_memory *m = test_alloc(2 * sizeof *m);
    for (int precomp = 0; precomp < 2; precomp++) {
        uint8_t *cells[CELLS], *proofs[CELLS];
        DASContext *ctx = eth_kzg_das_context_new(precomp);
        assert_non_null(ctx);
        make_blob(&m[precomp].blob, 5);
        for (size_t i = 0; i < CELLS; i++) {
            cells[i] = m[precomp].cells[i].bytes;
            proofs[i] = m[precomp].proofs[i].bytes;
        }
        const CResult result =
            eth_kzg_compute_cells_and_kzg_proofs(ctx, m[precomp].blob.bytes, cells, proofs);
        assert_int_equal(result.status, Ok);
        eth_kzg_das_context_free(ctx);
    }
    assert_memory_equal(m[0].cells, m[1].cells, sizeof m[0].cells);
    assert_memory_equal(m[0].proofs, m[1].proofs, sizeof m[0].proofs);
}

/* If an allocation of a call fails, even that of the message, the call returns an error with a message. A new context
 * may be null only if an allocation failed. */
static void test_memory(void)
{
    DASContext *ctx = eth_kzg_das_context_new(false);
    assert_non_null(ctx);
    uint8_t *cells[CELLS];
    AUTO_FREE call_memory *m = test_alloc(sizeof *m);
    make_blob(&m->blob, 3);
    for (size_t i = 0; i < CELLS; i++) {
        cells[i] = m->cells[i].bytes;
    }
    for (long i = 0, failed = 1; failed > 0; i++) {
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        const CResult result = eth_kzg_compute_cells(ctx, m->blob.bytes, cells);
        failed = failing_end().allocations_failed;
        assert_int_equal(result.status, failed > 0 ? Err : Ok);
        assert_true(failed == 0 || strstr(result.error_msg, "memory") != NULL);
        eth_kzg_free_error_message(result.error_msg);
    }
    failing_begin((failing_plan){.allocation = 0, .thread = -1});
    const CResult result = eth_kzg_compute_kzg_proof(ctx, m->blob.bytes, m->z.bytes, m->proof.bytes, NULL);
    assert_int_equal(failing_end().allocations_failed, 1);
    assert_string_equal(result.error_msg, "out of memory");
    eth_kzg_free_error_message(result.error_msg);
    for (long i = 0; i < (options.quick ? 3 : 12); i++) {
        failing_begin((failing_plan){.allocation = i, .thread = -1});
        DASContext *none = eth_kzg_das_context_new(false);
        const failing_report report = failing_end();
        assert_true(none != NULL || report.allocations_failed > 0);
        eth_kzg_das_context_free(none);
    }
    eth_kzg_das_context_free(ctx);
}

/* ---- Vectors ---- */

static DASContext *context;

/* Return 1 if the call succeeded. There must be a message exactly if it failed. */
static int has_result(CResult result)
{
    assert_int_equal(result.status == Ok, result.error_msg == NULL);
    assert_true(result.status == Ok || strlen(result.error_msg) > 5);
    eth_kzg_free_error_message(result.error_msg);
    return result.status == Ok;
}

/* Return 1 if the call succeeded. A refused call must set *ok to false. */
static int has_answer(CResult result, const bool *ok, spec_values *v)
{
    const int is_answered = has_result(result);
    assert_true(is_answered || !*ok);
    v->ok = is_answered ? *ok : -1;
    return is_answered;
}

/* Make pointers to the items of an array. */
static void *pointers_to(void *items, size_t bytes, size_t count)
{
    uint8_t **pointers = test_alloc(count * sizeof *pointers);
    for (size_t i = 0; i < count; i++) {
        pointers[i] = (uint8_t *)items + i * bytes;
    }
    return pointers;
}

static int commit(spec_values *v)
{
    return has_result(eth_kzg_blob_to_kzg_commitment(context, v->in[0], v->out[0]));
}

static int compute_proof(spec_values *v)
{
    return has_result(eth_kzg_compute_kzg_proof(context, v->in[0], v->in[1], v->out[0], v->out[1]));
}

static int compute_blob_proof(spec_values *v)
{
    return has_result(eth_kzg_compute_blob_kzg_proof(context, v->in[0], v->in[1], v->out[0]));
}

static int verify(spec_values *v)
{
    bool ok = true;
    return has_answer(eth_kzg_verify_kzg_proof(context, v->in[0], v->in[1], v->in[2], v->in[3], &ok), &ok, v);
}

static int verify_blob(spec_values *v)
{
    bool ok = true;
    return has_answer(eth_kzg_verify_blob_kzg_proof(context, v->in[0], v->in[1], v->in[2], &ok), &ok, v);
}

static int verify_blob_batch(spec_values *v)
{
    const size_t n = v->counts[0];
    bool ok = true;
    AUTO_FREE const uint8_t **blobs = pointers_to(v->in[0], BLOB, n),
                            **commitments = pointers_to(v->in[1], POINT, n),
                            **proofs = pointers_to(v->in[2], POINT, n);
    return has_answer(eth_kzg_verify_blob_kzg_proof_batch(context, n, blobs, n, commitments, n, proofs, &ok),
                      &ok, v);
}

static int compute_cells(spec_values *v)
{
    AUTO_FREE uint8_t **cells = pointers_to(v->out[0], CELL_BYTES, CELLS);
    return has_result(eth_kzg_compute_cells(context, v->in[0], cells));
}

static int compute_cells_and_proofs(spec_values *v)
{
    AUTO_FREE uint8_t **cells = pointers_to(v->out[0], CELL_BYTES, CELLS),
                      **proofs = pointers_to(v->out[1], POINT, CELLS);
    return has_result(eth_kzg_compute_cells_and_kzg_proofs(context, v->in[0], cells, proofs));
}

static int recover(spec_values *v)
{
    const size_t n = v->counts[0];
    AUTO_FREE const uint8_t **known = pointers_to(v->in[1], CELL_BYTES, n);
    AUTO_FREE uint8_t **cells = pointers_to(v->out[0], CELL_BYTES, CELLS),
                      **proofs = pointers_to(v->out[1], POINT, CELLS);
    return has_result(eth_kzg_recover_cells_and_proofs(context, n, known, n, v->in[0], cells, proofs));
}

static int verify_cells(spec_values *v)
{
    const size_t n = v->counts[0];
    bool ok = true;
    AUTO_FREE const uint8_t **commitments = pointers_to(v->in[0], POINT, n),
                            **cells = pointers_to(v->in[2], CELL_BYTES, n),
                            **proofs = pointers_to(v->in[3], POINT, n);
    return has_answer(
        eth_kzg_verify_cell_kzg_proof_batch(context, n, commitments, n, v->in[1], n, cells, n, proofs, &ok),
        &ok, v);
}

void test_vectors(void)
{
    static const spec_call calls[] = {{"blob_to_kzg_commitment", commit},
                                      {"compute_kzg_proof", compute_proof},
                                      {"compute_blob_kzg_proof", compute_blob_proof},
                                      {"verify_kzg_proof", verify},
                                      {"verify_blob_kzg_proof", verify_blob},
                                      {"verify_blob_kzg_proof_batch", verify_blob_batch},
                                      {"compute_cells", compute_cells},
                                      {"compute_cells_and_kzg_proofs", compute_cells_and_proofs},
                                      {"recover_cells_and_kzg_proofs", recover},
                                      {"verify_cell_kzg_proof_batch", verify_cells}};
    context = eth_kzg_das_context_new(false);
    assert_non_null(context);
    run_spec_calls(calls, sizeof calls / sizeof *calls);
    eth_kzg_das_context_free(context);
}

static const test_entry entries[] = {
    {"constants", TEST_ONCE(test_constants)}, {"arguments", TEST_ONCE(test_arguments)},
    {"tables", TEST_ONCE(test_tables)},       {"memory", TEST_ONCE(test_memory)},
    {"vectors", TEST_ONCE(test_vectors)},
};
TEST_MAIN("test_eth_kzg", entries)

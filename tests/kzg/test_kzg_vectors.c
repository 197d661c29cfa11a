/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_kzg.c: every function runs the consensus specification's vectors. */
#include "sumac/experimental.h"
#include "test_kzg_support.h"

static kzg_fixture f;

/* Return 1 if the call succeeded. Otherwise it must be a refusal with a message. */
static int has_result(sumac_status status)
{
    if (status != SUMAC_OK) {
        expect_refused(&f, status, "a vector");
    }
    return status == SUMAC_OK;
}

static int commit(spec_values *v)
{
    return has_result(sumac_kzg_commit(f.context, f.setup, v->in[0], 1, v->out[0]));
}

static int compute_proof(spec_values *v)
{
    return has_result(
        sumac_kzg_compute_proof(f.context, f.setup, v->in[0], v->in[1], 1, v->out[0], v->out[1]));
}

static int compute_blob_proof(spec_values *v)
{
    return has_result(sumac_kzg_compute_blob_proof(f.context, f.setup, v->in[0], v->in[1], 1, v->out[0]));
}

static int verify_proof(spec_values *v)
{
    return has_result(
        sumac_kzg_verify_proof(f.context, f.setup, v->in[0], v->in[1], v->in[2], v->in[3], 1, &v->ok));
}

static int verify_blob_proof(spec_values *v)
{
    return has_result(
        sumac_kzg_verify_blob_proof(f.context, f.setup, v->in[0], v->in[1], v->in[2], 1, &v->ok));
}

static int verify_blob_proof_batch(spec_values *v)
{
    return has_result(
        sumac_kzg_verify_blob_proof(f.context, f.setup, v->in[0], v->in[1], v->in[2], v->counts[0], &v->ok));
}

static int challenge(spec_values *v)
{
    return has_result(sumac_kzg_blob_challenge(f.context, v->in[0], v->in[1], v->out[0]));
}

static int compute_cells(spec_values *v)
{
    return has_result(sumac_kzg_cells(f.context, f.setup, v->in[0], 1, v->out[0], NULL));
}

/* The call that computes only proofs must give the same proofs. */
static int compute_cells_and_proofs(spec_values *v)
{
    AUTO_FREE uint8_t *proofs = test_alloc(CELLS * POINT);
    if (!has_result(sumac_kzg_cells(f.context, f.setup, v->in[0], 1, v->out[0], v->out[1]))) {
        return 0;
    }
    TEST_OK(f.context, sumac_kzg_cells(f.context, f.setup, v->in[0], 1, NULL, (sumac_bytes48 *)proofs));
    assert_memory_equal(proofs, v->out[1], CELLS * POINT);
    return 1;
}

static int recover(spec_values *v)
{
    return has_result(sumac_kzg_recover(f.context, f.setup, v->in[0], v->counts[0], v->in[1], 1, v->out[0],
                                        v->out[1], NULL));
}

static int verify_cells(spec_values *v)
{
    return has_result(sumac_kzg_verify_cells(f.context, f.setup, v->in[0], v->in[1], v->in[2], v->in[3],
                                             v->counts[0], &v->ok));
}

static int cells_challenge(spec_values *v)
{
    return has_result(sumac_kzg_cell_challenge(f.context, v->in[0], v->counts[0], v->in[1], v->in[2],
                                               v->in[3], v->in[4], v->counts[4], v->out[0]));
}

void test_vectors(void)
{
    static const spec_call calls[] = {{"blob_to_kzg_commitment", commit},
                                      {"compute_kzg_proof", compute_proof},
                                      {"compute_blob_kzg_proof", compute_blob_proof},
                                      {"verify_kzg_proof", verify_proof},
                                      {"verify_blob_kzg_proof", verify_blob_proof},
                                      {"verify_blob_kzg_proof_batch", verify_blob_proof_batch},
                                      {"compute_challenge", challenge},
                                      {"compute_cells", compute_cells},
                                      {"verify_cell_kzg_proof_batch", verify_cells},
                                      {"compute_verify_cell_kzg_proof_batch_challenge", cells_challenge}};
    f = fixture_open(0);
    run_spec_calls(calls, sizeof calls / sizeof *calls);
}

void test_cell_vectors(void)
{
    static const spec_call calls[] = {{"compute_cells_and_kzg_proofs", compute_cells_and_proofs},
                                      {"recover_cells_and_kzg_proofs", recover}};
    f = fixture_open(1);
    run_spec_calls(calls, sizeof calls / sizeof *calls);
}

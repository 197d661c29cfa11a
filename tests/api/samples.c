/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the three samples of docs/interface.md, as a user would write them: a node, a prover of circom's
 * circuits, and a prover whose data lie on a GPU. test_samples.c runs them. */
#include "api/samples.h"

#include <stdlib.h>

#define TRY(x)                                                                                               \
    do {                                                                                                     \
        sumac_status s_ = (x);                                                                               \
        if (s_ != SUMAC_OK)                                                                                  \
            return s_;                                                                                       \
    } while (0)

sumac_status node(sumac_pool *pool, const char *path, const sumac_blob *blobs, size_t count,
                  const uint64_t *half, const sumac_cell *have, sumac_cell *cells, sumac_bytes48 *proofs)
{
    sumac_context *context;
    sumac_kzg_setup *setup;
    sumac_kzg_wrong wrong;
    const sumac_kzg_config config = {.size = sizeof config, .cells = 1};
    TRY(sumac_pool_take(pool, &context, NULL));
    TRY(sumac_kzg_open(context, path, &config, &setup));
    TRY(sumac_kzg_cells(context, setup, blobs, count, cells, proofs));
    TRY(sumac_kzg_recover(context, setup, half, 64, have, count, cells, proofs, &wrong));
    sumac_kzg_destroy(setup);
    sumac_pool_give(pool, context);
    return SUMAC_OK;
}

sumac_status circom(sumac_context *context, const char *zkey, const char *wtns, void **proof_json,
                    void **public_json)
{
    sumac_groth16_key *key;
    sumac_groth16_info info = {.size = sizeof info};
    void *witness;
    size_t witness_bytes, bytes;
    TRY(sumac_groth16_key_open(context, zkey, NULL, &key));
    TRY(sumac_groth16_key_describe(key, &info));
    TRY(sumac_groth16_witness_open(context, key, wtns, &witness, &witness_bytes));
    void *proof = malloc(info.proof_bytes), *publics = malloc(info.publics_bytes);
    TRY(sumac_groth16_prove(context, key, witness, witness_bytes, 1, NULL, proof, info.proof_bytes));
    TRY(sumac_groth16_witness_publics(context, key, witness, witness_bytes, publics, info.publics_bytes));
    const sumac_groth16_verifying_key *vk = sumac_groth16_key_verifying(key);
    TRY(sumac_groth16_proof_encode(context, vk, proof, info.proof_bytes, "snarkjs", proof_json, &bytes));
    TRY(sumac_groth16_publics_encode(context, vk, publics, info.publics_bytes, "snarkjs", public_json,
                                     &bytes));
    free(proof);
    free(publics);
    sumac_free(witness);
    sumac_groth16_key_destroy(key);
    return SUMAC_OK;
}

sumac_status gpu(sumac_context *context, const sumac_group *g1, const sumac_bases *srs, void *d_a, void *d_b,
                 size_t n, void *stream, sumac_vector *commitment)
{
    sumac_vector *a, *b;
    const sumac_transform_config inverse = {.size = sizeof inverse, .inverse = 1};
    TRY(sumac_context_set_stream(context, stream));
    TRY(sumac_vector_wrap(context, g1, d_a, n, &a));
    TRY(sumac_vector_wrap(context, g1, d_b, n, &b));
    TRY(sumac_vector_multiply(context, a, b, 1, a));
    TRY(sumac_vector_ntt(context, a, &inverse));
    TRY(sumac_msm_vectors(context, srs, a, 0, n, NULL, commitment, 0));
    sumac_vector_destroy(
        a); /* d_a still belongs to the caller, and holds coefficients; your next kernel on the stream follows */
    sumac_vector_destroy(b);
    return SUMAC_OK;
}

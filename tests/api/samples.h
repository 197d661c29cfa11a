/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the samples of samples.c. Each returns the status of its first call that fails. */
#ifndef SUMAC_TESTS_SAMPLES_H
#define SUMAC_TESTS_SAMPLES_H

#include "sumac/groth16.h"
#include "sumac/kzg.h"
#include "sumac/pool.h"
#include "sumac/srs.h"

/* Compute the cells and proofs of blobs, and recover them from half of the cells, as a node does. */
sumac_status node(sumac_pool *pool, const char *path, const sumac_blob *blobs, size_t count,
                  const uint64_t *half, const sumac_cell *have, sumac_cell *cells, sumac_bytes48 *proofs);

/* Make snarkjs' proof.json and public.json from a .zkey and a .wtns, as a prover of circom's circuits does. The caller
 * frees the texts. */
sumac_status circom(sumac_context *context, const char *zkey, const char *wtns, void **proof_json,
                    void **public_json);

/* Multiply two polynomials' values in the caller's memory, and commit to the product, as a prover on a GPU does. */
sumac_status gpu(sumac_context *context, const sumac_group *g1, const sumac_bases *srs, void *d_a, void *d_b,
                 size_t n, void *stream, sumac_vector *commitment);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The samples of samples.c; each returns the status of its first call that fails. */
#ifndef SUMAC_TESTS_SAMPLES_H
#define SUMAC_TESTS_SAMPLES_H

#include "sumac/groth16.h"
#include "sumac/kzg.h"
#include "sumac/pool.h"
#include "sumac/srs.h"

/* As a node does, compute the cells and proofs of blobs, and recover them from half of the cells. */
sumac_status node(sumac_pool *pool, const char *path, const sumac_blob *blobs, size_t count,
                  const uint64_t *half, const sumac_cell *have, sumac_cell *cells, sumac_bytes48 *proofs);

/* As a prover of circom's circuits does, make snarkjs' proof.json and public.json, which are malloc'd, from a .zkey and
 * a .wtns. */
sumac_status circom(sumac_context *context, const char *zkey, const char *wtns, void **proof_json,
                    void **public_json);

/* As a prover on a GPU does, multiply two polynomials' values in the caller's memory, and commit to the product. */
sumac_status gpu(sumac_context *context, const sumac_group *g1, const sumac_bases *srs, void *d_a, void *d_b,
                 size_t n, void *stream, sumac_vector *commitment);

#endif

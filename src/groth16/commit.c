/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments of a proving key: for gnark's solver, which needs their values, and in proofs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/msm.h"
#include "base/try.h"
#include "groth16/prove_steps.h"
#include "io/memory.h"

/* The sums over a commitment's wires: D, or a part of P. */
typedef enum commitment_sum { SUM_COMMITMENT, SUM_KNOWLEDGE } commitment_sum;

/* Compute a sum over the wires of commitment k for each of `count` rows of raw values. */
static sumac_status add_up(sumac_context *context, const sumac_groth16_key *key, uint32_t k,
                           commitment_sum sum, const uint8_t *values, size_t count, uint8_t *sums)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)count;
    config.first = key->commitments[k].first + (sum == SUM_KNOWLEDGE ? key->committed_count : 0);
    return msm_within(context, key->commitment_bases, values, key->commitments[k].count, &config, 0, sums);
}

/* ---- For the solver ---- */

sumac_status sumac_groth16_commit(sumac_context *context, const sumac_groth16_key *key, size_t which,
                                  const void *values, size_t values_bytes, void *commitment,
                                  size_t commitment_bytes, void *hash, size_t hash_bytes)
{
    uint8_t point[MOST_POINT_BYTES], value[MOST_SCALAR_BYTES];
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && values != NULL && commitment != NULL && hash != NULL,
                "key, values, commitment and hash"));
    if (which >= key->commitment_count) {
        return fail(context, SUMAC_BAD_ARGUMENT, "there is no commitment %zu: the key has %" PRIu32, which,
                    key->commitment_count);
    }
    const sumac_group *g1 = key->verifying->groups.g1;
    const size_t count = values_bytes / g1->scalar_bytes, committed = key->commitments[which].count;
    if (values_bytes % g1->scalar_bytes != 0 || count < committed) {
        return fail(context, SUMAC_BAD_LENGTH,
                    "values has %zu bytes, which are not %" PRIu32
                    " for each of %zu committed wires, and before "
                    "them for each hashed value",
                    values_bytes, g1->scalar_bytes, committed);
    }
    TRY(bytes_require(context, "commitment", commitment_bytes, 1, g1->point_bytes));
    TRY(bytes_require(context, "hash", hash_bytes, 1, g1->scalar_bytes));
    TRY(bases_check_usable(context, key->commitment_bases));
    const size_t wrong = scalars_first_too_large(g1, values, count);
    if (wrong < count) {
        return fail(context, SUMAC_BAD_ENCODING, "value %zu is not less than r", wrong);
    }
    const uint8_t *wires = (const uint8_t *)values + (count - committed) * g1->scalar_bytes;
    TRY(add_up(context, key, (uint32_t)which, SUM_COMMITMENT, wires, 1, point));
    TRY(commitment_value(context, g1, key->verifying->hash, point, values, count - committed, value));
    memcpy(commitment, point, g1->point_bytes);
    memcpy(hash, value, g1->scalar_bytes);
    return SUMAC_OK;
}

/* ---- In proofs ---- */

/* This is the state of computing the commitments of some proofs. The sums are raw points: for one commitment after another,
 * the points of all proofs. */
typedef struct committing {
    sumac_context *context;
    const proof_batch *batch;
    const sumac_groth16_key *key;
    const sumac_group *g1;
    uint8_t *points;    /* D */
    uint8_t *knowledge; /* the parts of P, before the powers of c */
} committing;

static const uint8_t *wire_of(const committing *c, size_t proof, uint32_t wire)
{
    return c->batch->witnesses + proof * c->batch->witness_bytes + (size_t)wire * c->g1->scalar_bytes;
}

/* Compute both sums of commitment k, for all proofs. */
static sumac_status sum_committed(const committing *c, uint32_t k)
{
    const key_commitment *of = &c->key->commitments[k];
    const size_t each = c->g1->scalar_bytes, count = c->batch->count, at = k * count * c->g1->point_bytes;
    TAKE_MEMORY(uint8_t, values, c->context, "committed wires", count * of->count * each);
    for (size_t proof = 0; proof < count; proof++) {
        for (uint32_t i = 0; i < of->count; i++) {
            memcpy(values + (proof * of->count + i) * each,
                   wire_of(c, proof, c->key->committed[of->first + i]), each);
        }
    }
    TRY(add_up(c->context, c->key, k, SUM_COMMITMENT, values, count, c->points + at));
    return add_up(c->context, c->key, k, SUM_KNOWLEDGE, values, count, c->knowledge + at);
}

/* Check that a witness has the values of its commitments, whose points are given. */
static sumac_status check_values(const committing *c, size_t proof, const uint8_t *points)
{
    const sumac_groth16_verifying_key *verifying = c->key->verifying;
    uint8_t values[MOST_COMMITMENTS * MOST_SCALAR_BYTES];
    TRY(verifying_commitment_values(c->context, verifying, wire_of(c, proof, 1), points, values));
    for (uint32_t k = 0; k < c->key->commitment_count; k++) {
        const uint32_t wire = c->key->commitments[k].wire;
        if (memcmp(wire_of(c, proof, wire), values + k * c->g1->scalar_bytes, c->g1->scalar_bytes) != 0) {
            return fail(c->context, SUMAC_NOT_SATISFIED,
                        "witness %zu: wire %" PRIu32 " is not the hash of commitment %" PRIu32
                        ", %s: it was solved with another key or hash",
                        c->batch->first + proof, wire, k, verifying->hash->name);
        }
    }
    return SUMAC_OK;
}

/* Compute P = sum c^k <w, sigma_k basis_k> of a proof from the terms without powers of c. */
static sumac_status fold(const committing *c, size_t proof, const uint8_t *terms, uint8_t *folded)
{
    const uint32_t count = c->key->commitment_count;
    const size_t each = c->g1->scalar_bytes;
    executor *self = context_executor(c->context);
    uint8_t values[MOST_COMMITMENTS * MOST_SCALAR_BYTES], challenge[MOST_SCALAR_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config unchecked = {.size = sizeof unchecked};
    sumac_msm_config config = {.size = sizeof config};
    unchecked.check = SUMAC_CHECK_NONE; /* the terms are sums of the key's points */
    config.batch = 1;
    for (uint32_t k = 0; k < count; k++) {
        memcpy(values + k * each, wire_of(c, proof, c->key->commitments[k].wire), each);
    }
    commitments_challenge(c->g1, values, count, challenge);
    LOCAL_SCALARS(powers, self, c->g1, count);
    TRY(vector_fill_integer(self, powers, 1));
    TRY(vector_scale_powers(self, powers, count, NULL, challenge));
    TRY(vector_get(self, powers, 0, count, values, NULL));
    TRY(sumac_bases_create(c->context, c->g1, terms, count * c->g1->point_bytes, count, &unchecked, &bases));
    return msm_within(c->context, bases, values, count, &config, 0, folded);
}

static sumac_status finish_proof(const committing *c, size_t proof, uint8_t *points)
{
    const uint32_t count = c->key->commitment_count;
    const size_t g1 = c->g1->point_bytes;
    uint8_t terms[MOST_COMMITMENTS * MOST_POINT_BYTES];
    for (uint32_t k = 0; k < count; k++) {
        const size_t from = (k * c->batch->count + proof) * g1;
        memcpy(points + k * g1, c->points + from, g1);
        memcpy(terms + k * g1, c->knowledge + from, g1);
    }
    if (c->key->verifying->ic != NULL) {
        TRY(check_values(c, proof, points));
    }
    return fold(c, proof, terms, points + count * g1);
}

sumac_status proofs_commit(sumac_context *context, const proof_batch *batch, uint8_t *proofs)
{
    const sumac_groth16_key *key = batch->key;
    const sumac_group *g1 = key->verifying->groups.g1;
    const size_t bytes = batch->count * key->commitment_count * g1->point_bytes;
    TAKE_MEMORY(uint8_t, points, context, "commitments", 2 * bytes);
    const committing c = {.context = context,
                          .batch = batch,
                          .key = key,
                          .g1 = g1,
                          .points = points,
                          .knowledge = points + bytes};
    for (uint32_t k = 0; k < key->commitment_count; k++) {
        TRY(sum_committed(&c, k));
    }
    for (size_t proof = 0; proof < batch->count; proof++) {
        TRY(finish_proof(&c, proof, proofs + key->verifying->groups.proof_bytes));
        proofs += verifying_proof_bytes(key->verifying);
    }
    return SUMAC_OK;
}

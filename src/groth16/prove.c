/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes proofs and verifies them. If a proof does not hold, it is computed once more. */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/sizes.h"
#include "base/try.h"
#include "groth16/prove_steps.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/random.h"

/* A faulty machine may compute bad points. If verifying refused points, treat the proof as one that does not hold. */
static sumac_status settle(sumac_status status, int *holds)
{
    if (!point_is_refused(status)) {
        return status;
    }
    *holds = 0;
    return SUMAC_OK;
}

static sumac_status verify(sumac_context *context, const sumac_groth16_key *key, const uint8_t *witness,
                           const uint8_t *proof, int *holds)
{
    const groups *of = &key->verifying->groups;
    return settle(sumac_groth16_verify(context, key->verifying, witness + of->g1->scalar_bytes,
                                       verifying_publics_bytes(key->verifying), proof,
                                       verifying_proof_bytes(key->verifying), 1, holds),
                  holds);
}

/* Messages name the points A, B and C of a proof, and its commitments as D. */
enum { NAMED_POINTS = 4 };

/* Write the names of the points in which two proofs of one witness differ, for example " A C"; "" if they are equal. */
static void name_differences(const sumac_groth16_verifying_key *verifying, const uint8_t *one,
                             const uint8_t *other, char names[2 * NAMED_POINTS + 1])
{
    const size_t g1 = verifying->groups.g1->point_bytes, g2 = verifying->groups.g2->point_bytes;
    const size_t starts[] = {0, g1, g1 + g2, 2 * g1 + g2, verifying_proof_bytes(verifying)};
    size_t length = 0;
    for (int i = 0; i < NAMED_POINTS; i++) {
        if (memcmp(one + starts[i], other + starts[i], starts[i + 1] - starts[i]) != 0) {
            names[length++] = ' ';
            names[length++] = (char)('A' + i);
        }
    }
    names[length] = '\0';
}

/* Compute proofs, and what they have of commitments. If a witness has other values than these commitments, compute them
 * once more, because a faulty machine may have computed them. */
static sumac_status compute(sumac_context *context, const proof_batch *batch, uint8_t *proofs)
{
    TRY(proofs_compute(context, batch, proofs));
    if (batch->key->commitment_count == 0) {
        return SUMAC_OK;
    }
    const sumac_status status = proofs_commit(context, batch, proofs);
    return status == SUMAC_NOT_SATISFIED ? proofs_commit(context, batch, proofs) : status;
}

/* Compute a proof a second time, because it did not hold. */
static sumac_status repeat(sumac_context *context, const proof_batch *one, uint8_t *proof)
{
    const size_t bytes = verifying_proof_bytes(one->key->verifying);
    char differences[2 * NAMED_POINTS + 1];
    int holds = 0;
    AUTO_FREE uint8_t *again = malloc(bytes);
    if (again == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a proof", bytes);
    }
    TRY(compute(context, one, again));
    TRY(verify(context, one->key, one->witnesses, again, &holds));
    if (holds) {
        memcpy(proof, again, bytes);
        return SUMAC_OK;
    }
    name_differences(one->key->verifying, proof, again, differences);
    return differences[0] == '\0'
               ? fail(context, SUMAC_NOT_SATISFIED,
                      "witness %zu: its proof does not hold, computed twice with the same result: the "
                      "witness does not satisfy the constraints, or the key is another circuit's",
                      one->first)
               : fail(context, SUMAC_DEVICE_FAILED,
                      "witness %zu: its proof does not hold, computed twice with other points%s: the "
                      "machine computes wrongly",
                      one->first, differences);
}

/* Verify all proofs of a batch together. */
static sumac_status verify_all(sumac_context *context, const proof_batch *batch, const uint8_t *proofs,
                               int *hold)
{
    const sumac_groth16_verifying_key *verifying = batch->key->verifying;
    const groups *of = &verifying->groups;
    const size_t bytes = verifying_publics_bytes(verifying);
    TAKE_MEMORY(uint8_t, publics, context, "public inputs", batch->count * bytes);
    for (size_t i = 0; i < batch->count; i++) {
        memcpy(publics + i * bytes, batch->witnesses + i * batch->witness_bytes + of->g1->scalar_bytes,
               bytes);
    }
    return settle(sumac_groth16_verify(context, verifying, publics, batch->count * bytes, proofs,
                                       batch->count * verifying_proof_bytes(verifying), batch->count, hold),
                  hold);
}

/* Compute a batch, and verify its proofs together. If that fails, verify each proof separately. */
static sumac_status prove_batch(sumac_context *context, const proof_batch *batch, int unverified,
                                uint8_t *proofs)
{
    const size_t bytes = verifying_proof_bytes(batch->key->verifying);
    int hold = unverified;
    TRY(compute(context, batch, proofs));
    if (!unverified && batch->count > 1) {
        TRY(verify_all(context, batch, proofs, &hold));
    }
    for (size_t i = 0; i < batch->count && !hold; i++) {
        const proof_batch one = proof_batch_part(batch, i, 1);
        int holds = 0;
        TRY(verify(context, batch->key, one.witnesses, proofs + i * bytes, &holds));
        if (!holds) {
            TRY(repeat(context, &one, proofs + i * bytes));
        }
    }
    return SUMAC_OK;
}

/* Compute the proofs of a call, with the caller's randomness or the system's. If one fails, the caller gets none. */
static sumac_status prove(sumac_context *context, proof_batch *all, const sumac_groth16_prove_config *config,
                          void *proofs)
{
    const groups *of = &all->key->verifying->groups;
    const size_t pair = 2 * (size_t)of->g1->scalar_bytes, count = all->count;
    const size_t each = verifying_proof_bytes(all->key->verifying);
    const size_t together = proofs_together(context, all->key, count);
    uint64_t bytes;
    if (__builtin_mul_overflow(count, each + pair, &bytes)) {
        bytes = UINT64_MAX;
    }
    TAKE_MEMORY(uint8_t, results, context, "proofs", bytes);
    all->randomness = config->randomness;
    if (all->randomness == NULL) {
        uint8_t *drawn = results + count * each;
        TRY(random_scalars(context, of->g1, drawn, 2 * count));
        all->randomness = drawn;
    }
    for (size_t first = 0; first < count; first += together) {
        const proof_batch batch =
            proof_batch_part(all, first, count - first < together ? count - first : together);
        TRY(prove_batch(context, &batch, config->unverified != 0, results + first * each));
    }
    memcpy(proofs, results, count * each);
    return SUMAC_OK;
}

/* Begin a call of one of the two proving functions. */
static sumac_status begin(sumac_context *context, const sumac_groth16_key *key, int pointers_are_set,
                          size_t count, const sumac_groth16_prove_config *config, size_t proofs_bytes,
                          sumac_groth16_prove_config *full)
{
    TRY(require(context, key != NULL && pointers_are_set, "key, witnesses and proofs"));
    TRY(public_take(&public_groth16_prove_config, config, full, context_message(context)));
    const groups *of = &key->verifying->groups;
    if (full->randomness != NULL) {
        TRY(bytes_require(context, "randomness", full->randomness_bytes, count,
                          2 * (uint64_t)of->g1->scalar_bytes));
    }
    TRY(bytes_require(context, "proofs", proofs_bytes, count, verifying_proof_bytes(key->verifying)));
    TRY(bases_check_usable(context, key->a.bases));
    return full->unverified ? SUMAC_OK : verifying_check_usable(context, key->verifying);
}

sumac_status sumac_groth16_prove(sumac_context *context, const sumac_groth16_key *key, const void *witnesses,
                                 size_t witnesses_bytes, size_t count,
                                 const sumac_groth16_prove_config *config, void *proofs, size_t proofs_bytes)
{
    sumac_groth16_prove_config full;
    BEGIN_CALL(context);
    TRY(begin(context, key, count == 0 || (witnesses != NULL && proofs != NULL), count, config, proofs_bytes,
              &full));
    proof_batch all = {
        .key = key, .witnesses = witnesses, .witness_bytes = key_witness_bytes(key), .count = count};
    TRY(bytes_require(context, "witnesses", witnesses_bytes, count, all.witness_bytes));
    return count == 0 ? SUMAC_OK : prove(context, &all, &full, proofs);
}

static sumac_status check_vector(sumac_context *context, const sumac_groth16_key *key,
                                 const sumac_vector *witnesses, size_t count)
{
    if (key->takes_products) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "a key of gnark takes solved witnesses, which come from the host's memory");
    }
    if (sumac_vector_kind_of(witnesses) != SUMAC_VECTOR_SCALARS ||
        sumac_vector_group(witnesses) != key->verifying->groups.g1) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the witnesses are no scalars of %s %s",
                    key->verifying->groups.g1->curve, key->verifying->groups.g1->name);
    }
    return sumac_vector_count(witnesses) / key->wires >= count
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "a vector of %zu scalars has no %zu witnesses of %u wires",
                      sumac_vector_count(witnesses), count, (unsigned)key->wires);
}

sumac_status sumac_groth16_prove_vector(sumac_context *context, const sumac_groth16_key *key,
                                        const sumac_vector *witnesses, size_t count,
                                        const sumac_groth16_prove_config *config, void *proofs,
                                        size_t proofs_bytes)
{
    sumac_groth16_prove_config full;
    BEGIN_CALL(context);
    TRY(begin(context, key, witnesses != NULL && (proofs != NULL || count == 0), count, config, proofs_bytes,
              &full));
    TRY(check_vector(context, key, witnesses, count));
    if (count == 0) {
        return SUMAC_OK;
    }
    const size_t begins = 1 + (size_t)key->publics, bytes = key->verifying->groups.g1->scalar_bytes;
    /* The products can't overflow, because the vector in memory has `wires` elements for each witness. */
    TAKE_MEMORY(uint8_t, beginnings, context, "public inputs", count * begins * bytes);
    for (size_t i = 0; i < count; i++) { /* sumac_vector_get() checks where the vector lies */
        TRY(sumac_vector_get(context, witnesses, i * key->wires, begins, NULL,
                             beginnings + i * begins * bytes, begins * bytes));
    }
    proof_batch all = {.key = key,
                       .witnesses = beginnings,
                       .witness_bytes = begins * bytes,
                       .vector = witnesses,
                       .count = count};
    return prove(context, &all, &full, proofs);
}

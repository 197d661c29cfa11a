/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes proofs and verifies them. If a proof does not hold, it is computed once more. */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/sizes.h"
#include "base/try.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/random.h"
#include "plonk/prove_steps.h"

/* A faulty machine may compute bad points. If verifying refuses points, treat the proof as one that does not hold. */
static sumac_status verify(sumac_context *context, const proof_request *request, const uint8_t *proof,
                           int *holds)
{
    const sumac_plonk_verifying_key *key = request->key->verifying;
    const sumac_status status =
        sumac_plonk_verify(context, key, key_publics(request->key, request->witness),
                           plonk_publics_bytes(key), proof, plonk_proof_bytes(key), 1, holds);
    if (!point_is_refused(status)) {
        return status;
    }
    *holds = 0;
    return SUMAC_OK;
}

/* A proof does not hold, and was computed twice with the same result. Report why. */
static sumac_status explain(sumac_context *context, const proof_request *request, uint8_t *proof)
{
    size_t gate;
    TRY(plonk_find_bad_gate(context, request, proof, &gate));
    return gate < request->key->domain
               ? fail(context, SUMAC_NOT_SATISFIED, "witness %zu: gate %zu does not hold", request->number,
                      gate)
               : fail(context, SUMAC_NOT_SATISFIED,
                      "witness %zu: its proof does not hold, computed twice with the same result, though all "
                      "gates do: %sthe key does not fit itself",
                      request->number,
                      request->key->maps == NULL ? "values of one wire differ between gates, or " : "");
}

/* Compute a proof a second time, because it did not hold. */
static sumac_status repeat(sumac_context *context, const proof_request *request, uint8_t *proof)
{
    const size_t bytes = plonk_proof_bytes(request->key->verifying);
    int holds = 0;
    TAKE_MEMORY(uint8_t, again, context, "a proof", bytes);
    TRY(plonk_compute(context, request, again));
    TRY(verify(context, request, again, &holds));
    if (holds) {
        memcpy(proof, again, bytes);
        return SUMAC_OK;
    }
    return memcmp(proof, again, bytes) == 0
               ? explain(context, request, again)
               : fail(context, SUMAC_DEVICE_FAILED,
                      "witness %zu: its proof does not hold, computed twice with other results: the machine "
                      "computes wrongly",
                      request->number);
}

static sumac_status prove_one(sumac_context *context, const proof_request *request, int unverified,
                              uint8_t *proof)
{
    int holds = unverified;
    TRY(plonk_compute(context, request, proof));
    if (!unverified) {
        TRY(verify(context, request, proof, &holds));
    }
    return holds ? SUMAC_OK : repeat(context, request, proof);
}

/* Compute the proofs of a call, with the caller's random numbers or the system's. If one fails, the caller gets none. */
static sumac_status prove(sumac_context *context, const sumac_plonk_key *key, const uint8_t *witnesses,
                          size_t count, const sumac_plonk_prove_config *config, void *proofs)
{
    const sumac_plonk_verifying_key *verifying = key->verifying;
    const size_t each = plonk_proof_bytes(verifying), numbers = plonk_blinding_bytes(verifying);
    uint64_t bytes;
    if (__builtin_mul_overflow(count, each, &bytes)) {
        bytes = UINT64_MAX;
    }
    TAKE_MEMORY(uint8_t, results, context, "proofs", bytes);
    TAKE_MEMORY(uint8_t, drawn, context, "random numbers", numbers);
    for (size_t i = 0; i < count; i++) {
        const proof_request request = {
            .key = key,
            .witness = witnesses + i * key_witness_bytes(key),
            .blinding = config->blinding == NULL ? drawn : (const uint8_t *)config->blinding + i * numbers,
            .number = i};
        if (config->blinding == NULL) {
            TRY(random_scalars(context, verifying->groups.g1, drawn, verifying->flavour->blinding));
        }
        TRY(prove_one(context, &request, config->unverified != 0, results + i * each));
    }
    memcpy(proofs, results, count * each);
    return SUMAC_OK;
}

static sumac_status check_blinding(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                   size_t count, const sumac_plonk_prove_config *config)
{
    if (config->blinding == NULL) {
        return SUMAC_OK;
    }
    TRY(bytes_require(context, "blinding", config->blinding_bytes, count, plonk_blinding_bytes(verifying)));
    const size_t numbers = count * verifying->flavour->blinding;
    const size_t wrong = scalars_first_too_large(verifying->groups.g1, config->blinding, numbers);
    return wrong == numbers
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ENCODING, "random number %zu is not less than r", wrong);
}

sumac_status sumac_plonk_prove(sumac_context *context, const sumac_plonk_key *key, const void *witnesses,
                               size_t witnesses_bytes, size_t count, const sumac_plonk_prove_config *config,
                               void *proofs, size_t proofs_bytes)
{
    sumac_plonk_prove_config full;
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && (count == 0 || (witnesses != NULL && proofs != NULL)),
                "key, witnesses and proofs"));
    TRY(public_take(&public_plonk_prove_config, config, &full, context_message(context)));
    TRY(bytes_require(context, "witnesses", witnesses_bytes, count, key_witness_bytes(key)));
    TRY(bytes_require(context, "proofs", proofs_bytes, count, plonk_proof_bytes(key->verifying)));
    TRY(check_blinding(context, key->verifying, count, &full));
    TRY(bases_check_usable(context, key->powers));
    return count == 0 ? SUMAC_OK : prove(context, key, witnesses, count, &full, proofs);
}

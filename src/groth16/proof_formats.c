/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file encodes and decodes proofs and public inputs in a format that the caller names. */
#include "groth16/proof_formats.h"

#include <string.h>

#include "api/call.h"
#include "base/try.h"

static sumac_status find_format(sumac_context *context, const char *name, const proof_format **found)
{
    static const proof_format *const formats[] = {&snarkjs_proof_format, &gnark_proof_format,
                                                  &gnark_raw_proof_format};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(name, formats[i]->name) == 0) {
            *found = formats[i];
            return SUMAC_OK;
        }
    }
    return fail(context, SUMAC_UNKNOWN_FORMAT, "%s is no format of proofs, which are %s, %s and %s", name,
                formats[0]->name, formats[1]->name, formats[2]->name);
}

/* Check the arguments of a call that encodes or decodes a proof or public inputs, and find the format. If a key has no
 * public inputs, their address may be null. */
static sumac_status begin(sumac_context *context, const sumac_groth16_verifying_key *verifying, int is_proof,
                          const void *raw, size_t raw_bytes, const char *format, int others_are_set,
                          const proof_format **found)
{
    TRY(require(context,
                verifying != NULL && format != NULL && others_are_set &&
                    (is_proof ? raw != NULL : publics_are_set(verifying, raw)),
                "verifying, format, what is read and what is written"));
    TRY(is_proof ? bytes_require(context, "proof", raw_bytes, 1, verifying_proof_bytes(verifying))
                 : bytes_require(context, "publics", raw_bytes, 1, verifying_publics_bytes(verifying)));
    return find_format(context, format, found);
}

sumac_status sumac_groth16_proof_encode(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                        const void *proof, size_t proof_bytes, const char *format,
                                        void **encoded, size_t *encoded_bytes)
{
    const proof_format *found;
    BEGIN_MAKING(context, encoded);
    TRY(begin(context, verifying, 1, proof, proof_bytes, format, encoded_bytes != NULL, &found));
    return found->proof.encode(context, verifying, proof, encoded, encoded_bytes);
}

sumac_status sumac_groth16_publics_encode(sumac_context *context,
                                          const sumac_groth16_verifying_key *verifying, const void *publics,
                                          size_t publics_bytes, const char *format, void **encoded,
                                          size_t *encoded_bytes)
{
    const proof_format *found;
    BEGIN_MAKING(context, encoded);
    TRY(begin(context, verifying, 0, publics, publics_bytes, format, encoded_bytes != NULL, &found));
    return found->publics.encode(context, verifying, publics, encoded, encoded_bytes);
}

sumac_status sumac_groth16_proof_decode(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                        const void *encoded, size_t encoded_bytes, const char *format,
                                        const char *name, void *proof, size_t proof_bytes)
{
    const proof_format *found;
    BEGIN_CALL(context);
    TRY(begin(context, verifying, 1, proof, proof_bytes, format, encoded != NULL && name != NULL, &found));
    return found->proof.decode(context, verifying, encoded, encoded_bytes, name, proof);
}

sumac_status sumac_groth16_publics_decode(sumac_context *context,
                                          const sumac_groth16_verifying_key *verifying, const void *encoded,
                                          size_t encoded_bytes, const char *format, const char *name,
                                          void *publics, size_t publics_bytes)
{
    const proof_format *found;
    BEGIN_CALL(context);
    TRY(begin(context, verifying, 0, publics, publics_bytes, format, encoded != NULL && name != NULL,
              &found));
    return found->publics.decode(context, verifying, encoded, encoded_bytes, name, publics);
}

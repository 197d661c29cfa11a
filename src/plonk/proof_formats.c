/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file encodes and decodes proofs and public inputs in a format that the caller names. */
#include "plonk/proof_formats.h"

#include <string.h>

#include "api/call.h"
#include "base/try.h"

/* Find a format of the key's flavour. */
static sumac_status find_format(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                const char *name, const plonk_format **found)
{
    static const plonk_format *const formats[] = {&snarkjs_plonk_format, &snarkjs_fflonk_format,
                                                  &gnark_plonk_format, &gnark_raw_plonk_format};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (verifying->flavour == formats[i]->flavour && strcmp(name, formats[i]->name) == 0) {
            *found = formats[i];
            return SUMAC_OK;
        }
    }
    return fail(context, SUMAC_UNKNOWN_FORMAT, "%s is no format of this key's proofs, which is %s%s", name,
                verifying->flavour->name, verifying->flavour == &gnark_plonk ? " or gnark-raw" : "");
}

/* Check the arguments of a call that encodes or decodes a proof or public inputs, and find the format. */
static sumac_status begin(sumac_context *context, const sumac_plonk_verifying_key *verifying, int is_proof,
                          const void *raw, size_t raw_bytes, const char *format, int others_are_set,
                          const plonk_format **found)
{
    TRY(require(context,
                verifying != NULL && format != NULL && others_are_set &&
                    (is_proof ? raw != NULL : plonk_publics_are_set(verifying, raw)),
                "verifying, format, what is read and what is written"));
    TRY(is_proof ? bytes_require(context, "proof", raw_bytes, 1, plonk_proof_bytes(verifying))
                 : bytes_require(context, "publics", raw_bytes, 1, plonk_publics_bytes(verifying)));
    return find_format(context, verifying, format, found);
}

sumac_status sumac_plonk_proof_encode(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                      const void *proof, size_t proof_bytes, const char *format,
                                      void **encoded, size_t *encoded_bytes)
{
    const plonk_format *found;
    BEGIN_MAKING(context, encoded);
    TRY(begin(context, verifying, 1, proof, proof_bytes, format, encoded_bytes != NULL, &found));
    return found->proof.encode(context, verifying, proof, encoded, encoded_bytes);
}

sumac_status sumac_plonk_publics_encode(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                        const void *publics, size_t publics_bytes, const char *format,
                                        void **encoded, size_t *encoded_bytes)
{
    const plonk_format *found;
    BEGIN_MAKING(context, encoded);
    TRY(begin(context, verifying, 0, publics, publics_bytes, format, encoded_bytes != NULL, &found));
    return found->publics.encode(context, verifying, publics, encoded, encoded_bytes);
}

sumac_status sumac_plonk_proof_decode(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                      const void *encoded, size_t encoded_bytes, const char *format,
                                      const char *name, void *proof, size_t proof_bytes)
{
    const plonk_format *found;
    BEGIN_CALL(context);
    TRY(begin(context, verifying, 1, proof, proof_bytes, format, encoded != NULL && name != NULL, &found));
    return found->proof.decode(context, verifying, encoded, encoded_bytes, name, proof);
}

sumac_status sumac_plonk_publics_decode(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                        const void *encoded, size_t encoded_bytes, const char *format,
                                        const char *name, void *publics, size_t publics_bytes)
{
    const plonk_format *found;
    BEGIN_CALL(context);
    TRY(begin(context, verifying, 0, publics, publics_bytes, format, encoded != NULL && name != NULL,
              &found));
    return found->publics.decode(context, verifying, encoded, encoded_bytes, name, publics);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file declares the formats in which other programs write proofs and public inputs. */
#ifndef SUMAC_GROTH16_PROOF_FORMATS_H
#define SUMAC_GROTH16_PROOF_FORMATS_H

#include "groth16/verifying_key.h"

/* encode() stores bytes that the caller frees with free(). decode() writes to `raw` only if it succeeds; its messages
 * begin with `name`. */
typedef struct proof_codec {
    sumac_status (*encode)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                           const uint8_t *raw, void **encoded, size_t *encoded_bytes);
    sumac_status (*decode)(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                           const uint8_t *encoded, size_t encoded_bytes, const char *name, uint8_t *raw);
} proof_codec;

typedef struct proof_format {
    const char *name;
    proof_codec proof, publics;
} proof_format;

extern const proof_format snarkjs_proof_format;
extern const proof_format gnark_proof_format, gnark_raw_proof_format;

/* Read a verifying key from a text of snarkjs. Messages call the text `name`. */
sumac_status json_read_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                 sumac_groth16_verifying_key **verifying);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file declares the formats in which other programs write proofs and public inputs. */
#ifndef SUMAC_PLONK_PROOF_FORMATS_H
#define SUMAC_PLONK_PROOF_FORMATS_H

#include "plonk/verifying_key.h"

/* encode() stores bytes that the caller frees with free(). decode() writes to `raw` only if it succeeds; its messages begin with
 * `name`. */
typedef struct plonk_codec {
    sumac_status (*encode)(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                           const uint8_t *raw, void **encoded, size_t *encoded_bytes);
    sumac_status (*decode)(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                           const void *encoded, size_t encoded_bytes, const char *name, uint8_t *raw);
} plonk_codec;

/* A format has proofs of one flavour. */
typedef struct plonk_format {
    const char *name;
    const plonk_flavour *flavour;
    plonk_codec proof, publics;
} plonk_format;

extern const plonk_format snarkjs_plonk_format, snarkjs_fflonk_format, gnark_plonk_format,
    gnark_raw_plonk_format;

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_GROTH16_PROOF_JSON_H
#define SUMAC_GROTH16_PROOF_JSON_H

#include "groth16/verifying_key.h"

/* Read a verifying key from a text that messages call `name`. */
sumac_status json_read_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                 sumac_groth16_verifying_key **verifying);

#endif

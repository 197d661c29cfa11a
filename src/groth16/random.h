/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Numbers that nobody can guess. */
#ifndef SUMAC_GROTH16_RANDOM_H
#define SUMAC_GROTH16_RANDOM_H

#include "sumac/sumac.h"

/* Draw at most 256 bytes of the system's randomness. SUMAC_READ_FAILED: it gives none. */
sumac_status random_bytes(sumac_context *context, void *bytes, size_t count);

/* Draw n scalars of the curve, raw, each value less than r alike likely, from the system's randomness. */
sumac_status random_scalars(sumac_context *context, const sumac_curve *curve, uint8_t *scalars, size_t n);

#endif

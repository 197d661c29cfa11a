/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments and proofs as the consensus specification writes them: compressed points of G1. */
#ifndef SUMAC_KZG_POINTS_H
#define SUMAC_KZG_POINTS_H

#include "vector/calls.h"

/* Decode n points, each of which must be encoded as it should be, and be infinity or in the subgroup. Sentences call
 * point i "<noun> <i>". */
sumac_status points_decode(sumac_context *context, const sumac_curve *curve, const char *noun,
                           const uint8_t *compressed, size_t n, uint8_t *raw);

/* Encode points [0, n) of a vector. */
sumac_status points_encode(executor *self, const sumac_vector *points, size_t n, uint8_t *compressed);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Commitments and proofs as bytes: compressed points of G1. */
#ifndef SUMAC_KZG_POINTS_H
#define SUMAC_KZG_POINTS_H

#include "kzg/work.h"

/* Points that come in, in a work of the whole context, to raw ones: each encoded as it must be, and infinity or in the subgroup. Sentences
 * call point i "<noun> <i>". */
void points_decode(work *w, const char *noun, const uint8_t *compressed, size_t n, uint8_t *raw);

/* Points [0, n) of a vector to compressed ones. */
void points_encode(work *w, const sumac_vector *points, size_t n, uint8_t *compressed);

#endif

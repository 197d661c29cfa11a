/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decode and encode a call's compressed commitments and proofs, and make bases of raw points. */
#ifndef SUMAC_KZG_POINTS_H
#define SUMAC_KZG_POINTS_H

#include "vector/calls.h"

/* Decode n points, each of which must have a valid encoding and be infinity or in the subgroup. Messages call point i
 * "<noun> <i>". */
sumac_status points_decode(sumac_context *context, const sumac_group *group, const char *noun,
                           const uint8_t *compressed, size_t n, uint8_t *raw);

/* Encode points [0, n) of a vector. */
sumac_status points_encode(executor *self, const sumac_vector *points, size_t n, uint8_t *compressed);

/* Make bases of n raw points without checking them: the call has just decoded them, or opening the setup has checked
 * them as far as its caller asked. The caller destroys the bases. */
sumac_status points_make_bases(sumac_context *context, const sumac_group *group, const uint8_t *points,
                               size_t n, sumac_bases **bases);

#endif

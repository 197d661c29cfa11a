/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions decode and encode the compressed commitments and proofs of a call, and make bases of raw points. */
#ifndef SUMAC_KZG_POINTS_H
#define SUMAC_KZG_POINTS_H

#include "vector/calls.h"

/* Decode n points. Each must have a valid encoding, and must be infinity or lie in the subgroup. Messages call point i
 * "<noun> <i>". */
sumac_status points_decode(sumac_context *context, const sumac_group *group, const char *noun,
                           const uint8_t *compressed, size_t n, uint8_t *raw);

/* Encode points [0, n) of a vector as compressed points. */
sumac_status points_encode(executor *self, const sumac_vector *points, size_t n, uint8_t *compressed);

/* Make bases of n raw points, and do not check them. Either the call has just decoded the points, or they were checked
 * when the setup was opened, as far as its caller asked. The caller destroys the bases. */
sumac_status points_make_bases(sumac_context *context, const sumac_group *group, const uint8_t *points,
                               size_t n, sumac_bases **bases);

#endif

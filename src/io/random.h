/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions provide unpredictable random numbers. */
#ifndef SUMAC_IO_RANDOM_H
#define SUMAC_IO_RANDOM_H

#include "sumac/sumac.h"

/* Get at most 256 random bytes from the system. Returns SUMAC_READ_FAILED if the system provides none. */
sumac_status random_bytes(sumac_context *context, void *bytes, size_t count);

/* Draw n raw scalars of the group from the system's randomness, uniformly among the values less than r. */
sumac_status random_scalars(sumac_context *context, const sumac_group *group, uint8_t *scalars, size_t n);

enum { RANDOM_FACTOR_BITS = 128 };

/* Draw n raw scalars of RANDOM_FACTOR_BITS, to combine equations with. */
sumac_status random_factors(sumac_context *context, const sumac_group *group, uint8_t *scalars, size_t n);

#endif

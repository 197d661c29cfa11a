/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Protocols make scalars of digests: a big-endian integer is reduced modulo the order of a group. */
#ifndef SUMAC_CODEC_REDUCE_H
#define SUMAC_CODEC_REDUCE_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/sumac.h"

/* Reduce a big-endian integer of any length modulo r, and write it as a raw scalar. The two buffers may overlap. */
void integer_reduce(const sumac_group *group, const uint8_t *integer, size_t bytes, uint8_t *scalar);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The shape of bases, what is kept for them, and the memory for it. */
#ifndef SUMAC_API_BASES_SHAPE_H
#define SUMAC_API_BASES_SHAPE_H

#include "executor/bases.h"
#include "sumac/sumac.h"

/* Check a configuration and describe bases of n points: *shape has everything but the tables. On failure it has bases
 * without multiples: it is always written, as compilers do not see that fail() never returns SUMAC_OK. */
sumac_status bases_shape(sumac_context *context, const sumac_curve *curve, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape);

/* Set the number of points that each shard of a shape keeps for a base. */
void bases_set_tables(sumac_bases *shape, uint32_t factor, int all_digits, size_t affine_bytes);

/* Allocate bases whose table (count*factor*GLV terms points) is not filled; null, with a sentence, if memory is short or the
 * sizes overflow. */
sumac_status bases_allocate(sumac_context *context, const sumac_curve *curve, size_t n,
                            const sumac_bases_config *config, sumac_bases **bases);

/* Allocate bases of a known shape. With a device, `by_host` points of each base lie in the host's memory first; 0: all are
 * sent to the device, where the table must fit. */
sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, uint32_t by_host,
                                  size_t affine_bytes, sumac_bases **bases);

#endif

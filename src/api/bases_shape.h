/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is kept for bases, and the memory for it. */
#ifndef SUMAC_API_BASES_SHAPE_H
#define SUMAC_API_BASES_SHAPE_H

#include "executor/bases.h"
#include "sumac/sumac.h"

/* Check a configuration and fill in everything but the tables: what bases of n points would be. On failure,
 * bases without multiples: *shape is always written, as compilers do not see that fail() never returns
 * SUMAC_OK. */
sumac_status bases_shape(sumac_context *context, const sumac_curve *curve, size_t n,
                         const sumac_bases_config *config, sumac_bases *shape);

/* The shards of a shape with so many points of each base. */
void bases_set_tables(sumac_bases *shape, uint32_t factor, int all_digits, size_t affine_bytes);

/* Bases whose table is allocated (count*factor*GLV terms points) but not filled; null with the message set when
 * memory is short or the sizes overflow. */
sumac_status bases_allocate(sumac_context *context, const sumac_curve *curve, size_t n,
                            const sumac_bases_config *config, sumac_bases **bases);

/* The same for bases whose shape is known: a copy of *shape with a table of count*factor*GLV terms points. With a device,
 * `by_host` points of each base lie in the host's memory first; 0: all are sent to the device, where the table must be. */
sumac_status bases_allocate_table(sumac_context *context, const sumac_bases *shape, uint32_t by_host,
                                  size_t affine_bytes, sumac_bases **bases);

#endif

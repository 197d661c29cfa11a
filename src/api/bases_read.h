/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read bases, and check that a context can read them. */
#ifndef SUMAC_API_BASES_READ_H
#define SUMAC_API_BASES_READ_H

#include "executor/bases.h"

/* Find points [position, position + n) of the table of all bases. They begin in shard *k, at point *local of its table.
 * Return how many of them lie in that shard one after another. Replicas are read from the first shard. */
uint64_t bases_shard_run(const sumac_bases *bases, uint64_t position, uint64_t n, uint32_t *k,
                         uint64_t *local);

/* The first function returns the size of shard k in bytes, the second one that of all shards together. */
uint64_t bases_shard_bytes(const sumac_bases *bases, uint32_t k);
uint64_t bases_kept_bytes(const sumac_bases *bases);

/* Check that this context can read the points of the bases: only a context of a device reads points that lie there. */
sumac_status bases_check_readable(sumac_context *context, const sumac_bases *bases);

/* Check that this context can compute with the bases: they must belong to its backend and be readable. Call this before
 * any launch: if a kernel used memory of another device, this call and every later one of the process would fail. */
sumac_status bases_check_usable(sumac_context *context, const sumac_bases *bases);

/* Copy affine points [first, first + n) of the table, with its multiples, to host memory. The bases must be
 * readable. */
sumac_status bases_copy(sumac_context *context, const sumac_bases *bases, uint64_t first, uint64_t n,
                        void *points);

/* These are clean-up functions for CLEANUP (base/try.h). */
static inline void close_bases(sumac_bases **bases)
{
    sumac_bases_destroy(*bases);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions that read bases and check who may. */
#ifndef SUMAC_API_BASES_READ_H
#define SUMAC_API_BASES_READ_H

#include "executor/bases.h"

/* Find points [position, position + n) of the table of all bases: they begin in shard *k, at point *local of its table.
 * Returns how many of them lie there together. Replicas are read from the first shard. */
uint64_t bases_shard_run(const sumac_bases *bases, uint64_t position, uint64_t n, uint32_t *k,
                         uint64_t *local);

/* Return the bytes of shard k, and of all shards. */
uint64_t bases_shard_bytes(const sumac_bases *bases, uint32_t k);
uint64_t bases_kept_bytes(const sumac_bases *bases);

/* Check that this context can read the points of the bases: only a context of a device reads points that lie there. */
sumac_status bases_check_readable(sumac_context *context, const sumac_bases *bases);

/* Check that this context can compute with the bases: they must belong to its backend and be readable. Call this before
 * any launch, because memory of another device would fail the call and every later one of the process. */
sumac_status bases_check_usable(sumac_context *context, const sumac_bases *bases);

/* Copy affine points [first, first + n) of the table, with its multiples, to host memory. The bases are readable. */
sumac_status bases_copy(sumac_context *context, const sumac_bases *bases, uint64_t first, uint64_t n,
                        void *points);

/* Clean-up functions for CLEANUP (base/try.h). */
static inline void close_bases(sumac_bases **bases)
{
    sumac_bases_destroy(*bases);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file pool.h
 *  @brief Contexts that the threads of a server share: taken for a call, and given back.
 *
 *  A context serves one call at a time. A pool has at most so many of them, made when they are first wanted
 *  and kept. All functions may be called from any threads at the same time, but for sumac_pool_destroy(). Where
 *  a context is free it is taken and given back without a lock, so that no thread waits for another, and a
 *  process that is forked off meanwhile finds nothing locked: sumac_pool_try() never waits.
 */
#ifndef SUMAC_POOL_H
#define SUMAC_POOL_H

#include <stddef.h>

#include "sumac/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Contexts that are alike. */
typedef struct sumac_pool sumac_pool;

/** No pool has more contexts. */
#define SUMAC_MAX_POOL 4096

/** Create a pool, with its first context.
 *  @param config of all contexts; null for the defaults. Copied with its tuning; names and lists that they
 * point to outlive the pool
 *  @param most contexts, from 1 to SUMAC_MAX_POOL
 *  @param pool freed with sumac_pool_destroy(); null on failure
 *  @param reason one sentence on why there is no pool, "" if there is one; null: nowhere
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or as sumac_context_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_create(const sumac_context_config *config, size_t most,
                                                        sumac_pool **pool, sumac_message *reason);

/** Take a context, which is the caller's until it is given back; where all are taken, wait for one.
 *  @param context null on failure
 *  @param reason as for sumac_pool_create()
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, or as sumac_context_create() where another one is to be made */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_take(sumac_pool *pool, sumac_context **context,
                                                      sumac_message *reason);

/** The same, but where all contexts are taken it does not wait.
 *  @return as sumac_pool_take(), and SUMAC_BUSY where all are taken */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_try(sumac_pool *pool, sumac_context **context,
                                                     sumac_message *reason);

/** Give back a context that was taken from this pool, in which no call is going on; null is allowed. */
SUMAC_API void sumac_pool_give(sumac_pool *pool, sumac_context *context);

/** Destroy a context that was taken from this pool instead, as one that sumac_context_check() finds useless:
 * another one can be made in its place. Null is allowed. */
SUMAC_API void sumac_pool_discard(sumac_pool *pool, sumac_context *context);

/** Free a pool with its contexts, which have all been given back; null is allowed. */
SUMAC_API void sumac_pool_destroy(sumac_pool *pool);

#ifdef __cplusplus
}
#endif
#endif

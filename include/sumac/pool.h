/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file pool.h
 *  @brief Contexts that the threads of a server share: a thread takes one for a call, and gives it back.
 *
 *  A context serves one call at a time. A pool creates contexts when they are first needed, up to a limit, and
 *  keeps them. All functions but sumac_pool_destroy() may be called from any threads at the same time. Taking a
 *  free context and giving it back use no lock, so that no thread waits for another one, and a forked process
 *  never inherits a locked pool. sumac_pool_try() never waits.
 */
#ifndef SUMAC_POOL_H
#define SUMAC_POOL_H

#include <stddef.h>

#include "sumac/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A pool of contexts with the same configuration. */
typedef struct sumac_pool sumac_pool;

/** The most contexts that a pool can have. */
#define SUMAC_MAX_POOL 4096

/** Create a pool, with its first context.
 *  @param config the configuration of all contexts; null for the defaults. It is copied with its tuning; the names
 * and lists that they point to must outlive the pool
 *  @param most the largest number of contexts, from 1 to SUMAC_MAX_POOL
 *  @param pool the new pool, to be freed with sumac_pool_destroy(); null on failure
 *  @param message gets one sentence on a failure, or "" on success; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or a status of sumac_context_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_create(const sumac_context_config *config, size_t most,
                                                        sumac_pool **pool, sumac_message *message);

/** Take a context, which is the caller's until it is given back. If all are taken, wait for one.
 *  @param context null on failure
 *  @param message as for sumac_pool_create()
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, or a status of sumac_context_create() if a new context is needed */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_take(sumac_pool *pool, sumac_context **context,
                                                      sumac_message *message);

/** Take a context as sumac_pool_take() does, but without waiting if all are taken.
 *  @return as sumac_pool_take(), or SUMAC_BUSY if all are taken */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_try(sumac_pool *pool, sumac_context **context,
                                                     sumac_message *message);

/** Give back a context that was taken from this pool, and in which no call is running; null is allowed. This waits for work
 *  that it has queued on a stream, and takes the stream from it. */
SUMAC_API void sumac_pool_give(sumac_pool *pool, sumac_context *context);

/** Destroy a context that was taken from this pool, instead of giving it back, for example because
 *  sumac_context_check() reports that it cannot be used any more. The pool can create another one in its place.
 *  Null is allowed. */
SUMAC_API void sumac_pool_discard(sumac_pool *pool, sumac_context *context);

/** Free a pool and its contexts, all of which must have been given back; null is allowed. */
SUMAC_API void sumac_pool_destroy(sumac_pool *pool);

#ifdef __cplusplus
}
#endif
#endif

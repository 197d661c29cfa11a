/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file pool.h
 *  @brief Contexts that the threads of a server share: a thread takes one for a call, and gives it back.
 *
 *  A context serves one call at a time. A pool creates contexts when they are first needed, up to a limit, and
 *  keeps them. Any threads may call all functions at the same time, except sumac_pool_destroy(). Taking a free
 *  context and giving it back use no lock, so that no thread waits for another one, and a forked process never
 *  inherits a locked pool.
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
 *  @param config the configuration of all contexts; null for the defaults. The struct and its tuning are copied; the
 *  backend's name and the lists of devices and weights must outlive the pool
 *  @param most the largest number of contexts, from 1 to SUMAC_MAX_POOL
 *  @param pool the new pool, to be freed with sumac_pool_destroy(); null on failure
 *  @param message gets one sentence on a failure, or "" on success; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, or a status of sumac_context_create() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_create(const sumac_context_config *config, size_t most,
                                                        sumac_pool **pool, sumac_message *message);

/** Take a context, which is the caller's until sumac_pool_give() or sumac_pool_discard(). If all are taken, wait for one.
 *  @param context null on failure
 *  @param message as for sumac_pool_create()
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, or a status of sumac_context_create() if a new context is needed */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_take(sumac_pool *pool, sumac_context **context,
                                                      sumac_message *message);

/** Take a context as sumac_pool_take() does, but never wait for one.
 *  @return as sumac_pool_take(), or SUMAC_BUSY if all are taken */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_pool_try(sumac_pool *pool, sumac_context **context,
                                                     sumac_message *message);

/** Give back a context that was taken from this pool; null is allowed. No call with it may be running. This function waits
 *  for the work that the context has queued on a stream, drops its status, and takes the stream from the context. */
SUMAC_API void sumac_pool_give(sumac_pool *pool, sumac_context *context);

/** Destroy a context that was taken from this pool, instead of giving it back; null is allowed. Do so if
 *  sumac_context_check() reports that the context is not usable any more. The pool creates another one when it needs it. */
SUMAC_API void sumac_pool_discard(sumac_pool *pool, sumac_context *context);

/** Free a pool and its contexts; null is allowed. All contexts must have been given back, and no other call with the pool
 *  may be running. */
SUMAC_API void sumac_pool_destroy(sumac_pool *pool);

#ifdef __cplusplus
}
#endif
#endif

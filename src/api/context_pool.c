/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Whoever holds a context has a permit, of which there are as many as contexts at most. A place holds a
 * context that nobody has; contexts go in and out by single exchanges. There are never fewer places than
 * contexts, and a permit is given back after the context, so that who has a permit finds a context in the end, or
 * may make one.
 */
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "sumac/pool.h"

#include "base/sizes.h"

struct sumac_pool {
    sumac_context_config config; /* with its own tuning */
    sumac_tuning tuning;
    size_t most;
    sem_t permits;
    atomic_size_t made; /* contexts that there are, or that are being made */
    _Atomic(sumac_context *) idle[];
};

/* The status, and the sentence for the caller, where one is wanted. */
static sumac_status answer(sumac_message *reason, sumac_status status, const char *sentence)
{
    if (reason != NULL) {
        (void)snprintf(reason->text, sizeof reason->text, "%s", sentence);
    }
    return status;
}

/* A context that nobody has, or null. */
static sumac_context *pick(sumac_pool *pool)
{
    sumac_context *context = NULL;
    for (size_t i = 0; i < pool->most && context == NULL; i++) {
        if (atomic_load_explicit(&pool->idle[i], memory_order_relaxed) != NULL) {
            context = atomic_exchange(&pool->idle[i], NULL);
        }
    }
    return context;
}

/* Whether there may be one more, which is then counted. */
static int count_one(sumac_pool *pool)
{
    size_t made = atomic_load(&pool->made);
    while (made < pool->most) {
        if (atomic_compare_exchange_weak(&pool->made, &made, made + 1)) {
            return 1;
        }
    }
    return 0;
}

/* With a permit. Where no context is seen and there may not be one more, contexts have changed places
 * meanwhile. */
static sumac_status find(sumac_pool *pool, sumac_context **context, sumac_message *reason)
{
    while ((*context = pick(pool)) == NULL) {
        if (!count_one(pool)) {
            continue;
        }
        const sumac_status status = sumac_context_create(&pool->config, context, reason);
        if (status != SUMAC_OK) {
            atomic_fetch_sub(&pool->made, 1);
            (void)sem_post(&pool->permits);
        }
        return status;
    }
    return answer(reason, SUMAC_OK, "");
}

static sumac_status take(sumac_pool *pool, sumac_context **context, sumac_message *reason,
                         int (*permit)(sem_t *permits))
{
    if (context != NULL) {
        *context = NULL;
    }
    if (pool == NULL || context == NULL) {
        return answer(reason, SUMAC_BAD_ARGUMENT, "the pool or the context's address is null");
    }
    while (permit(&pool->permits) != 0) {
        if (errno != EINTR) {
            return answer(reason, SUMAC_BUSY, "all contexts of the pool are taken");
        }
    }
    return find(pool, context, reason);
}

sumac_status sumac_pool_take(sumac_pool *pool, sumac_context **context, sumac_message *reason)
{
    return take(pool, context, reason, sem_wait);
}

sumac_status sumac_pool_try(sumac_pool *pool, sumac_context **context, sumac_message *reason)
{
    return take(pool, context, reason, sem_trywait);
}

/* Among as many places as contexts, of which the caller has one, a place is free or will be. */
static void put(sumac_pool *pool, sumac_context *context)
{
    for (size_t i = 0;; i = (i + 1) % pool->most) {
        sumac_context *none = NULL;
        if (atomic_compare_exchange_strong(&pool->idle[i], &none, context)) {
            return;
        }
    }
}

void sumac_pool_give(sumac_pool *pool, sumac_context *context)
{
    if (pool != NULL && context != NULL) {
        put(pool, context);
        (void)sem_post(&pool->permits);
    }
}

void sumac_pool_discard(sumac_pool *pool, sumac_context *context)
{
    if (pool != NULL && context != NULL) {
        sumac_context_destroy(context);
        atomic_fetch_sub(&pool->made, 1);
        (void)sem_post(&pool->permits);
    }
}

sumac_status sumac_pool_create(const sumac_context_config *config, size_t most, sumac_pool **pool,
                               sumac_message *reason)
{
    sumac_message sentence;
    sumac_context_config own;
    sumac_context *first = NULL;
    if (pool != NULL) {
        *pool = NULL;
    }
    if (pool == NULL || most == 0 || most > SUMAC_MAX_POOL) {
        return answer(reason, SUMAC_BAD_ARGUMENT,
                      pool == NULL ? "the pool's address is null" : "a pool has from 1 to 4096 contexts");
    }
    sumac_status status = public_take(&public_context_config, config, &own, &sentence);
    if (status != SUMAC_OK) {
        return answer(reason, status, sentence.text);
    }
    status = sumac_context_create(&own, &first, reason);
    if (status != SUMAC_OK) {
        return status;
    }
    const size_t bytes = sizeof(sumac_pool) + most * sizeof(_Atomic(sumac_context *));
    sumac_pool *created = malloc(bytes);
    if (created == NULL) {
        sumac_context_destroy(first);
        (void)snprintf(sentence.text, sizeof sentence.text, "there is no memory of %zu bytes for a pool",
                       bytes);
        return answer(reason, SUMAC_OUT_OF_MEMORY, sentence.text);
    }
    created->config = own;
    created->tuning = sumac_tuning_default();
    if (own.tuning != NULL) { /* one that the first context took */
        public_copy(own.tuning, &created->tuning);
        created->config.tuning = &created->tuning;
    }
    created->most = most;
    (void)sem_init(&created->permits, 0, (unsigned)most);
    atomic_init(&created->made, 1);
    for (size_t i = 0; i < most; i++) {
        atomic_init(&created->idle[i], i == 0 ? first : NULL);
    }
    *pool = created;
    return SUMAC_OK;
}

void sumac_pool_destroy(sumac_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    for (size_t i = 0; i < pool->most; i++) {
        sumac_context_destroy(atomic_load(&pool->idle[i]));
    }
    (void)sem_destroy(&pool->permits);
    free(pool);
}

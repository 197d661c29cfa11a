/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A pool has a slot for each context that it may have. The thread that changes a slot's state to SLOT_TAKEN owns the slot and
 * its context until the slot is idle or empty again. Threads that find all slots taken sleep until `freed` changes.
 */
#define _GNU_SOURCE /* syscall */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "sumac/pool.h"

#include "base/refusal.h"
#include "base/sizes.h"
#include "base/sleep.h"
#include "base/try.h"
#include "base/tuning.h"

enum { SLOT_EMPTY, SLOT_IDLE, SLOT_TAKEN };

typedef struct pool_slot {
    _Atomic int state;
    _Atomic(sumac_context *) context; /* null in an empty slot */
} pool_slot;

struct sumac_pool {
    sumac_context_config config; /* config.tuning is null or points to `tuning` */
    char tuning[sizeof "variant=" + TUNING_NAME_BYTES];
    size_t most;
    _Atomic uint32_t freed;   /* changes whenever a slot is freed */
    _Atomic uint32_t waiting; /* threads that sleep on `freed` */
    pool_slot slots[];
};

static void free_slot(sumac_pool *pool, pool_slot *slot, int state)
{
    atomic_store(&slot->state, state);
    atomic_fetch_add(&pool->freed, 1);
    if (atomic_load(&pool->waiting) != 0) {
        wake(&pool->freed, 1);
    }
}

/* Take a slot of this state; return null if no slot has it. */
static pool_slot *take_slot(sumac_pool *pool, int state)
{
    for (size_t i = 0; i < pool->most; i++) {
        int seen = state;
        if (atomic_load_explicit(&pool->slots[i].state, memory_order_relaxed) == state &&
            atomic_compare_exchange_strong(&pool->slots[i].state, &seen, SLOT_TAKEN)) {
            return &pool->slots[i];
        }
    }
    return NULL;
}

/* Return the taken slot of a context, or null if the context is not the pool's or was given back before. */
static pool_slot *find_taken(sumac_pool *pool, const sumac_context *context)
{
    for (size_t i = 0; pool != NULL && context != NULL && i < pool->most; i++) {
        if (atomic_load(&pool->slots[i].context) == context) {
            return atomic_load(&pool->slots[i].state) == SLOT_TAKEN ? &pool->slots[i] : NULL;
        }
    }
    return NULL;
}

static sumac_status take(sumac_pool *pool, sumac_context **context, sumac_message *message, int waits)
{
    sumac_message unread = {""};
    message = message == NULL ? &unread : message;
    message->text[0] = '\0';
    if (context != NULL) {
        *context = NULL;
    }
    if (pool == NULL || context == NULL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the pool or the context's address is null");
    }
    for (;;) {
        const uint32_t freed = atomic_load(&pool->freed);
        pool_slot *slot = take_slot(pool, SLOT_IDLE);
        if (slot != NULL) {
            *context = atomic_load(&slot->context);
            return SUMAC_OK;
        }
        slot = take_slot(pool, SLOT_EMPTY);
        if (slot != NULL) {
            const sumac_status status = sumac_context_create(&pool->config, context, message);
            atomic_store(&slot->context, *context);
            if (status != SUMAC_OK) {
                free_slot(pool, slot, SLOT_EMPTY);
            }
            return status;
        }
        if (waits) {
            atomic_fetch_add(&pool->waiting, 1);
            sleep_on(&pool->freed, freed);
            atomic_fetch_sub(&pool->waiting, 1);
        } else if (atomic_load(&pool->freed) == freed) { /* no slot was freed while this thread looked */
            return refuse(message, SUMAC_BUSY, "all contexts of the pool are taken");
        }
    }
}

sumac_status sumac_pool_take(sumac_pool *pool, sumac_context **context, sumac_message *message)
{
    return take(pool, context, message, 1);
}

sumac_status sumac_pool_try(sumac_pool *pool, sumac_context **context, sumac_message *message)
{
    return take(pool, context, message, 0);
}

void sumac_pool_give(sumac_pool *pool, sumac_context *context)
{
    pool_slot *slot = find_taken(pool, context);
    if (slot == NULL) {
        return;
    }
    const sumac_status unread =
        sumac_context_wait(context); /* the next thread must not get a failure of calls that this one has
                                        queued */
    (void)unread;
    if (sumac_context_set_stream(context, NULL) == SUMAC_DEVICE_FAILED) {
        sumac_pool_discard(pool, context);
    } else {
        free_slot(pool, slot, SLOT_IDLE);
    }
}

void sumac_pool_discard(sumac_pool *pool, sumac_context *context)
{
    pool_slot *slot = find_taken(pool, context);
    if (slot != NULL) {
        sumac_context_destroy(context);
        atomic_store(&slot->context, NULL);
        free_slot(pool, slot, SLOT_EMPTY);
    }
}

sumac_status sumac_pool_create(const sumac_context_config *given, size_t most, sumac_pool **pool,
                               sumac_message *message)
{
    sumac_message unread = {""};
    sumac_context_config config;
    sumac_context *first;
    message = message == NULL ? &unread : message;
    message->text[0] = '\0';
    if (pool == NULL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the pool's address is null");
    }
    *pool = NULL;
    if (most == 0 || most > SUMAC_MAX_POOL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "a pool must have 1 to %d contexts", SUMAC_MAX_POOL);
    }
    TRY(public_take(&public_context_config, given, &config, message));
    TRY(sumac_context_create(&config, &first, message));
    const size_t bytes = sizeof(sumac_pool) + most * sizeof(pool_slot);
    sumac_pool *created = calloc(1, bytes);
    if (created == NULL) {
        sumac_context_destroy(first);
        return refuse(message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a pool", bytes);
    }
    created->config = config;
    tuning_values by_hand; /* the first context has checked the text */
    (void)tuning_read(config.tuning, &by_hand, message);
    if (by_hand.variant[0] != '\0') {
        snprintf(created->tuning, sizeof created->tuning, "variant=%s", by_hand.variant);
        created->config.tuning = created->tuning;
    } else {
        created->config.tuning = NULL;
    }
    created->most = most;
    atomic_init(&created->slots[0].context, first);
    atomic_init(&created->slots[0].state, SLOT_IDLE);
    *pool = created;
    return SUMAC_OK;
}

void sumac_pool_destroy(sumac_pool *pool)
{
    for (size_t i = 0; pool != NULL && i < pool->most; i++) {
        if (atomic_load(&pool->slots[i].state) == SLOT_IDLE) {
            sumac_context_destroy(atomic_load(&pool->slots[i].context));
        }
    }
    free(pool);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests a bounded pool of contexts that threads share. Each context is used by one thread at a time. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/harness.h"
#include "sumac/pool.h"

enum { MOST = 3, THREADS = 8 };

static sumac_pool *new_pool(size_t most)
{
    sumac_context_config config = test_context_config(1);
    char text[sizeof options.tuning];
    sumac_pool *pool;
    sumac_message reason;
    snprintf(text, sizeof text, "%s", options.tuning);
    config.tuning = text;
    if (sumac_pool_create(&config, most, &pool, &reason) != SUMAC_OK) {
        test_abort("no pool: %s", reason.text);
    }
    assert_string_equal(reason.text, "");
    memset(&config, 0x5a, sizeof config); /* the pool has its own copy, also of the tuning */
    memset(text, 0x5a, sizeof text);
    return pool;
}

static void test_arguments(void)
{
    sumac_context_config config = test_context_config(1);
    CLEANUP(destroy_pool) sumac_pool *pool = (sumac_pool *)&config;
    sumac_context *context = (sumac_context *)&config;
    sumac_message reason;
    assert_int_equal(sumac_pool_create(&config, 1, NULL, &reason), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(reason.text, "null"));
    for (size_t i = 0; i < 2; i++) {
        pool = (sumac_pool *)&config;
        assert_int_equal(sumac_pool_create(&config, i == 0 ? 0 : SUMAC_MAX_POOL + 1, &pool, &reason),
                         SUMAC_BAD_ARGUMENT);
        assert_null(pool);
        assert_non_null(strstr(reason.text, "4096"));
    }
    config.backend = "abacus";
    pool = (sumac_pool *)&config;
    assert_int_equal(sumac_pool_create(&config, 1, &pool, &reason), SUMAC_UNKNOWN_BACKEND);
    assert_null(pool);
    assert_non_null(strstr(reason.text, "abacus"));
    config.size = 3;
    assert_int_equal(sumac_pool_create(&config, 1, &pool, &reason), SUMAC_BAD_ARGUMENT);
    assert_non_null(strstr(reason.text, "sumac_context_config"));
    assert_int_equal(sumac_pool_take(NULL, &context, NULL), SUMAC_BAD_ARGUMENT);
    assert_null(context);
    pool = new_pool(1);
    assert_int_equal(sumac_pool_take(pool, NULL, &reason), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_pool_take(pool, &context, NULL), SUMAC_OK); /* the refused call took no context */
    sumac_pool_give(pool, context);
    sumac_pool_give(pool, NULL);
    sumac_pool_give(NULL, NULL);
    sumac_pool_discard(pool, NULL);
    sumac_pool_destroy(NULL);
}

/* A pool never has more contexts than its bound. It never hands a context out twice, but hands out those that were
 * given back. If a context is discarded, it is replaced. */
static void test_bound(void)
{
    CLEANUP(destroy_pool) sumac_pool *pool = new_pool(MOST);
    sumac_context *taken[MOST], *more = (sumac_context *)&taken, *again;
    sumac_message reason;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < MOST; i++) {
            assert_int_equal((i % 2 == 0 ? sumac_pool_take : sumac_pool_try)(pool, &taken[i], &reason),
                             SUMAC_OK);
            assert_string_equal(reason.text, "");
            assert_int_equal(test_describe(taken[i]).threads, 1);
            for (size_t j = 0; j < i; j++) {
                assert_ptr_not_equal(taken[i], taken[j]);
            }
        }
        more = (sumac_context *)&taken;
        assert_int_equal(sumac_pool_try(pool, &more, &reason), SUMAC_BUSY);
        assert_null(more);
        assert_non_null(strstr(reason.text, "taken"));
        sumac_pool_give(pool, taken[1]);
        assert_int_equal(sumac_pool_try(pool, &again, NULL), SUMAC_OK);
        assert_ptr_equal(again, taken[1]);
        for (size_t i = 0; i < MOST; i++) {
            (round == 1 ? sumac_pool_discard : sumac_pool_give)(pool, taken[i]);
        }
    }
}

typedef struct crowd {
    sumac_pool *pool;
    const test_sum *sum;
    size_t point_bytes;
    atomic_int inside, most_inside, wrong;
    int turns;
} crowd;

static void enter(crowd *c)
{
    const int inside = 1 + atomic_fetch_add(&c->inside, 1);
    int most = atomic_load(&c->most_inside);
    while (most < inside && !atomic_compare_exchange_weak(&c->most_inside, &most, inside)) {
    }
}

/* If two threads had the same context, a call would be refused. */
static void *work(void *argument)
{
    crowd *c = argument;
    uint8_t result[512];
    for (int turn = 0; turn < c->turns; turn++) {
        sumac_context *context;
        if (sumac_pool_take(c->pool, &context, NULL) != SUMAC_OK) {
            atomic_fetch_add(&c->wrong, 1);
            continue;
        }
        enter(c);
        const int right =
            exact_msm(context, c->sum->bases, c->sum->scalars, c->sum->n, NULL, result) == SUMAC_OK &&
            memcmp(result, c->sum->expected, c->point_bytes) == 0;
        atomic_fetch_add(&c->wrong, !right);
        atomic_fetch_sub(&c->inside, 1);
        (turn % 16 == 15 ? sumac_pool_discard : sumac_pool_give)(c->pool, context);
    }
    return NULL;
}

static void test_threads(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum sum = test_sum_make(t, 8);
    crowd c = {.pool = new_pool(MOST),
               .sum = &sum,
               .point_bytes = t->info->point_bytes,
               .turns = options.quick ? 60 : 400};
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, &c), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(atomic_load(&c.wrong), 0);
    assert_in_range(atomic_load(&c.most_inside), 1, MOST);
    sumac_pool_destroy(c.pool);
}

typedef struct waiter {
    sumac_pool *pool;
    sumac_context *context;
    atomic_int has_it;
} waiter;

static void *wait_for_one(void *argument)
{
    waiter *w = argument;
    if (sumac_pool_take(w->pool, &w->context, NULL) == SUMAC_OK) {
        atomic_store(&w->has_it, 1);
    }
    return NULL;
}

/* A thread that takes the only context must wait until the context is given back. */
static void test_waiting(void)
{
    waiter w = {.pool = new_pool(1)};
    sumac_context *only;
    pthread_t thread;
    assert_int_equal(sumac_pool_take(w.pool, &only, NULL), SUMAC_OK);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_one, &w), 0);
    usleep(20000);
    assert_int_equal(atomic_load(&w.has_it), 0);
    sumac_pool_give(w.pool, only);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load(&w.has_it), 1);
    assert_ptr_equal(w.context, only);
    sumac_pool_give(w.pool, w.context);
    sumac_pool_destroy(w.pool);
}

/* If a process is forked off while a context is taken, it finds the other contexts free. */
static void test_fork(void)
{
    if (strcmp(options.backend, "cpu") != 0) {
        skip(); /* a GPU's contexts do not survive a fork */
    }
    sumac_pool *pool = new_pool(2);
    sumac_context *taken, *other;
    int status = -1;
    assert_int_equal(sumac_pool_take(pool, &taken, NULL), SUMAC_OK);
    const pid_t child = fork();
    if (child == 0) {
        const int right = sumac_pool_try(pool, &other, NULL) == SUMAC_OK && other != taken &&
                          sumac_pool_try(pool, &other, NULL) == SUMAC_BUSY;
        _exit(right ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sumac_pool_give(pool, taken);
    sumac_pool_destroy(pool);
}

/* If a context is given back twice, or was never taken from the pool, this is ignored: nobody else gets it, and no
 * thread waits for a free slot. */
static void test_second_give(void)
{
    for (size_t most = 1; most <= MOST; most++) {
        CLEANUP(destroy_pool) sumac_pool *pool = new_pool(most), *other_pool = new_pool(1);
        sumac_context *context, *stranger, *taken[MOST], *more;
        assert_int_equal(sumac_pool_take(pool, &context, NULL), SUMAC_OK);
        assert_int_equal(sumac_pool_take(other_pool, &stranger, NULL), SUMAC_OK);
        sumac_pool_give(pool, context);
        sumac_pool_give(pool, context);
        sumac_pool_give(pool, stranger);
        for (size_t i = 0; i < most; i++) {
            assert_int_equal(sumac_pool_try(pool, &taken[i], NULL), SUMAC_OK);
            assert_ptr_not_equal(taken[i], stranger);
            for (size_t j = 0; j < i; j++) {
                assert_ptr_not_equal(taken[i], taken[j]);
            }
        }
        assert_int_equal(sumac_pool_try(pool, &more, NULL), SUMAC_BUSY);
        for (size_t i = 0; i < most; i++) {
            sumac_pool_give(pool, taken[i]);
        }
        sumac_pool_give(other_pool, stranger);
    }
}

static const test_entry entries[] = {
    {"arguments", TEST_ONCE(test_arguments)},     {"bound", TEST_ONCE(test_bound)},
    {"threads", test_threads, TEST_TINY},         {"waiting", TEST_ONCE(test_waiting)},
    {"second give", TEST_ONCE(test_second_give)}, {"fork", TEST_ONCE(test_fork)},
};
TEST_MAIN("pool", entries)

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The pool runs one job at a time. The word `state` has three fields:
 *   seats    the number of threads that may still join the job: set with the job, lowered by each thread that joins, and 0
 *            once any part has returned, because then no work is left to begin
 *   inside   the number of the pool's threads that have joined and not yet left
 *   waits    1 while the caller sleeps until no thread is inside
 * The job's fields are written while no thread is inside and no seat is free, and read by threads that have a seat:
 * taking a seat acquires what publishing the job released. Leaving releases what the part wrote, and the caller acquires
 * it when it sees that no thread is inside. The caller does not wait for a thread that has not been scheduled by then; a
 * thread that a fork has lost was never inside.
 *
 * `jobs` changes with each job and when the pool is destroyed; threads without work sleep on it. A thread reads it, looks
 * for a seat, counts itself among the sleepers, and reads it again; the caller changes it, and then looks for sleepers.
 * These accesses are sequentially consistent, so that the thread sees the change or the caller sees the sleeper.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "base/pool.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#include <link.h>
#endif

#include "base/clock.h"
#include "base/processors.h"
#include "base/sleep.h"

#define SEAT ((uint32_t)1)
#define SEATS (POOL_MOST_THREADS - 1)
#define INSIDE_ONE POOL_MOST_THREADS
#define INSIDE (SEATS * INSIDE_ONE)
#define WAITS ((uint32_t)1 << 31)

/* Words that different threads write lie this many bytes apart. */
#define CACHE_LINE 64

/* The size of a stack is a multiple of this, and so of the size of a page on any system. */
#define STACK_UNIT ((size_t)64 * 1024)

struct thread_pool {
    /* The following fields are the job: */
    void (*part)(void *arguments, uint32_t thread);
    void *arguments;
    uint32_t seats; /* the number of seats at the job's start */

    /* The following fields are used by the caller only. */
    uint32_t most;     /* the most threads besides the caller's */
    uint32_t started;  /* how many of these threads run */
    uint32_t patience; /* how many of the next runs start no threads */
    pid_t process;     /* the process that has the threads */

    _Alignas(CACHE_LINE) _Atomic uint32_t state;
    _Alignas(CACHE_LINE) _Atomic uint32_t jobs;
    _Atomic uint32_t sleepers;
    _Atomic uint32_t ends;
    _Atomic uint32_t crowded; /* 1: there are more threads than processors, so spinning would only hinder
                                 others */
    pthread_t threads[];
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Spin for a while; return 1 as soon as these bits of the word differ from the value. */
static int changes_soon(const thread_pool *pool, _Atomic uint32_t *word, uint32_t bits, uint32_t value)
{
    if (atomic_load_explicit(&pool->crowded, memory_order_relaxed) != 0) {
        return (atomic_load_explicit(word, memory_order_relaxed) & bits) != value;
    }
    const double end = clock_seconds() + 1e-9 * POOL_SPIN_NS;
    do {
        for (int i = 0; i < 16; i++) {
            if ((atomic_load_explicit(word, memory_order_relaxed) & bits) != value) {
                return 1;
            }
            relax();
        }
    } while (clock_seconds() < end);
    return 0;
}

/* ---- The pool's threads ---- */

/* Take a seat; return the number of the thread in the job, or 0 if no seat is free. */
static uint32_t take_seat(thread_pool *pool)
{
    uint32_t state = atomic_load_explicit(&pool->state, memory_order_relaxed);
    do {
        if ((state & SEATS) == 0) {
            return 0;
        }
    } while (!atomic_compare_exchange_weak_explicit(&pool->state, &state, state - SEAT + INSIDE_ONE,
                                                    memory_order_acquire, memory_order_relaxed));
    return pool->seats - (state & SEATS) + 1;
}

/* Leave, and wake the caller if it waits for this last thread. The pool exists until this thread is joined. */
static void leave(thread_pool *pool)
{
    uint32_t state = atomic_load_explicit(&pool->state, memory_order_relaxed);
    uint32_t left;
    do {
        left = (state & ~SEATS) - INSIDE_ONE;
    } while (!atomic_compare_exchange_weak_explicit(&pool->state, &state, left, memory_order_release,
                                                    memory_order_relaxed));
    if (left == WAITS) {
        wake(&pool->state, 1);
    }
}

static void await_job(thread_pool *pool, uint32_t seen)
{
    if (changes_soon(pool, &pool->jobs, UINT32_MAX, seen)) {
        return;
    }
    atomic_fetch_add(&pool->sleepers, 1);
    if (atomic_load(&pool->jobs) == seen) {
        sleep_on(&pool->jobs, seen);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
}

static void *serve(void *argument)
{
    thread_pool *pool = argument;
    for (;;) {
        const uint32_t seen = atomic_load(&pool->jobs);
        const uint32_t thread = take_seat(pool);
        if (thread != 0) {
            pool->part(pool->arguments, thread);
            leave(pool);
        } else if (atomic_load(&pool->ends) != 0) {
            return NULL;
        } else {
            await_job(pool, seen);
        }
    }
}

/* ---- The caller ---- */

/* Wake up to `count` threads for a new job or for the end of the pool. */
static void announce(thread_pool *pool, uint32_t count)
{
    atomic_fetch_add(&pool->jobs, 1);
    if (atomic_load(&pool->sleepers) != 0) {
        wake(&pool->jobs, count);
    }
}

#ifdef __linux__
/* Add the bytes of a loaded object's thread-local variables, which the C library takes from the threads' stacks. */
static int add_local_bytes(struct dl_phdr_info *object, size_t size, void *bytes)
{
    (void)size;
    for (ElfW(Half) i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_TLS) {
            *(size_t *)bytes += object->dlpi_phdr[i].p_memsz + object->dlpi_phdr[i].p_align;
        }
    }
    return 0;
}
#endif

/* Block all signals except those that a thread's own instructions raise, because signals are for the program's threads. */
static void block_signals(sigset_t *before)
{
    static const int raised[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    (void)sigfillset(&blocked);
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++) {
        (void)sigdelset(&blocked, raised[i]);
    }
    (void)pthread_sigmask(SIG_SETMASK, &blocked, before);
}

/* Start threads until there are `wanted` or the system refuses one. */
static void start_threads(thread_pool *pool, uint32_t wanted)
{
    pthread_attr_t attributes;
    sigset_t before;
    size_t local_bytes = 0;
    pool->patience = POOL_PATIENCE;
    if (pthread_attr_init(&attributes) != 0) {
        return;
    }
#ifdef __linux__
    (void)dl_iterate_phdr(add_local_bytes, &local_bytes);
#endif
    local_bytes += STACK_UNIT - local_bytes % STACK_UNIT;
    (void)pthread_attr_setstacksize(&attributes, POOL_STACK_BYTES + local_bytes);
    atomic_store_explicit(&pool->crowded, wanted >= processors_allowed(), memory_order_relaxed);
    block_signals(&before);
    while (pool->started < wanted &&
           pthread_create(&pool->threads[pool->started], &attributes, serve, pool) == 0) {
        pool->started++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    if (pool->started == wanted) {
        pool->patience = 0;
    }
}

/* Start threads of this process until `wanted` run, if the system allows. */
static void ask_for_threads(thread_pool *pool, uint32_t wanted)
{
    const pid_t process = getpid();
    if (pool->process != process) {
        /* This process was forked, and has only this thread. The threads that were counted belong to the parent
         * process. */
        pool->process = process;
        pool->started = 0;
        pool->patience = 0;
        atomic_init(&pool->state, 0);
        atomic_init(&pool->sleepers, 0);
    }
    if (pool->started < wanted) {
        if (pool->patience == 0) {
            start_threads(pool, wanted);
        } else {
            pool->patience--;
        }
    }
}

/* Let no other thread join, and wait until none is inside. */
static void await_parts(thread_pool *pool)
{
    uint32_t state = atomic_fetch_and_explicit(&pool->state, ~SEATS, memory_order_acquire);
    while ((state & INSIDE) != 0 && changes_soon(pool, &pool->state, INSIDE, state & INSIDE)) {
        state = atomic_load_explicit(&pool->state, memory_order_acquire);
    }
    if ((state & INSIDE) != 0) {
        state = atomic_fetch_or_explicit(&pool->state, WAITS, memory_order_acquire) | WAITS;
        while ((state & INSIDE) != 0) {
            sleep_on(&pool->state, state);
            state = atomic_load_explicit(&pool->state, memory_order_acquire);
        }
    }
}

void pool_run(thread_pool *pool, uint32_t wanted, void (*part)(void *arguments, uint32_t thread),
              void *arguments)
{
    const uint32_t most = wanted == 0 ? 0 : wanted - 1 < pool->most ? wanted - 1 : pool->most;
    if (most > 0) {
        ask_for_threads(pool, most);
    }
    pool->seats = most < pool->started ? most : pool->started;
    if (pool->seats == 0) {
        part(arguments, 0);
        return;
    }
    pool->part = part;
    pool->arguments = arguments;
    atomic_store_explicit(&pool->state, pool->seats, memory_order_release);
    announce(pool, pool->seats);
    part(arguments, 0);
    await_parts(pool);
}

thread_pool *pool_create(uint32_t threads)
{
    const uint32_t most = (threads < POOL_MOST_THREADS ? threads : POOL_MOST_THREADS) - 1;
    const size_t bytes = sizeof(thread_pool) + most * sizeof(pthread_t);
    /* aligned_alloc() requires a size that is a multiple of the alignment. */
    thread_pool *pool = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (pool != NULL) {
        pool->most = most;
        pool->started = 0;
        pool->patience = 0;
        pool->process = getpid();
        atomic_init(&pool->state, 0);
        atomic_init(&pool->jobs, 0);
        atomic_init(&pool->sleepers, 0);
        atomic_init(&pool->ends, 0);
        atomic_init(&pool->crowded, 0);
    }
    return pool;
}

void pool_destroy(thread_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    if (pool->started > 0 && pool->process == getpid()) {
        atomic_store(&pool->ends, 1);
        announce(pool, INT_MAX);
        for (uint32_t i = 0; i < pool->started; i++) {
            (void)pthread_join(pool->threads[i], NULL);
        }
    }
    free(pool);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pool starts the threads of a context when work first needs them, keeps them between calls, and joins them at its
 * end. */
#ifndef SUMAC_BASE_POOL_H
#define SUMAC_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * One caller at a time uses a pool, and its thread works, too. If the system refuses threads, the pool goes on with those
 * that it has. A forked process has none of its parent's threads, so its copy of a pool starts new ones. Destroying a pool
 * leaves no thread of it, and nothing that would run later.
 */
typedef struct thread_pool thread_pool;

/* Create a pool of at most `threads` >= 1 threads, the caller's included, and at most POOL_MOST_THREADS; no thread is
 * started yet. Return null when memory is short. The caller frees the pool with pool_destroy(). */
#define POOL_MOST_THREADS 4096u
thread_pool *pool_create(uint32_t threads);

/* Join the threads, unless they belong to the parent process, and free the pool; null is allowed. */
void pool_destroy(thread_pool *pool);

/*
 * Call part(arguments, 0) on the calling thread and, at the same time, part(arguments, thread) on up to wanted - 1
 * threads of the pool, each with a different 0 < thread < wanted. A part must return when no work is left to begin. If
 * a thread comes later than that, pool_run() does not wait for it, and its part is not called. pool_run() returns when
 * all parts have returned. What they wrote is then visible to the caller. A part must not use the pool.
 */
void pool_run(thread_pool *pool, uint32_t wanted, void (*part)(void *arguments, uint32_t thread),
              void *arguments);

/* A waiting thread spins for this many nanoseconds before it sleeps. */
#define POOL_SPIN_NS 20e3

/* A thread's stack has this many bytes besides the program's thread-local variables. */
#define POOL_STACK_BYTES ((size_t)512 * 1024)

/* After the system has refused to create a thread, this many runs do not try it again. */
#define POOL_PATIENCE 256u

#endif

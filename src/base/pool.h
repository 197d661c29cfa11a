/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The threads of a context are started when work first asks for them, kept between calls, and joined with the pool. */
#ifndef SUMAC_BASE_POOL_H
#define SUMAC_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * One caller at a time uses a pool, and its thread works, too. If the system refuses threads, the pool goes on with those
 * that it has. A forked process has none of its parent's threads, and its copy of a pool starts its own. No thread of a pool
 * that is destroyed is left, and nothing that would run later.
 */
typedef struct thread_pool thread_pool;

/* Create a pool of at most `threads` >= 1 threads, the caller's among them, and at most POOL_MOST_THREADS; none is started.
 * It is freed with pool_destroy(). Null when memory is short. */
#define POOL_MOST_THREADS 4096u
thread_pool *pool_create(uint32_t threads);

/* Join the threads, unless they are another process's, and free the pool; null is allowed. */
void pool_destroy(thread_pool *pool);

/*
 * Call part(arguments, 0) on the calling thread and, at the same time, part(arguments, thread) on up to wanted - 1 threads of
 * the pool, each with its own 0 < thread < wanted. A part returns when no work is left that could be begun: pool_run() does
 * not wait for a thread that comes later, and does not call its part. It returns when all parts have; what they wrote is then
 * visible to the caller. A part does not use the pool.
 */
void pool_run(thread_pool *pool, uint32_t wanted, void (*part)(void *arguments, uint32_t thread),
              void *arguments);

/* Nanoseconds for which a waiting thread spins before it sleeps. */
#define POOL_SPIN_NS 20e3

/* Bytes of a thread's stack, besides the thread-local variables of the program. */
#define POOL_STACK_BYTES ((size_t)512 * 1024)

/* After the system has refused to create a thread, this number of runs does not try it again. */
#define POOL_PATIENCE 256u

#endif

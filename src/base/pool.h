/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The threads of a context: started when work first asks for them, kept between calls, joined with it. */
#ifndef SUMAC_BASE_POOL_H
#define SUMAC_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * One caller at a time uses a pool, and is one of the team itself. The system may refuse threads: the pool
 * goes on with those that it has. A process that was forked has none of its parent's threads, and its copy of
 * a pool starts its own. Nothing is left of a pool that is destroyed: no thread, and nothing that would run
 * later.
 */
typedef struct thread_pool thread_pool;

/* A pool of at most `threads` >= 1 threads, the caller's counted, and of POOL_MOST_THREADS; none is started.
 * To be freed with pool_destroy(); null when memory is short. */
#define POOL_MOST_THREADS 4096u
thread_pool *pool_create(uint32_t threads);

/* Join the threads, unless they are another process's, and free the pool; null is allowed. */
void pool_destroy(thread_pool *pool);

/*
 * Call part(arguments, 0) on the calling thread and, at the same time, part(arguments, thread) on up to
 * wanted - 1 threads of the pool, where 0 < thread < wanted is another one for each. A part returns when
 * there is nothing left that could be begun: a thread that comes later is not waited for, and its part not
 * called. Returns when all parts have: what they wrote is then visible to the caller. A part does not use the
 * pool.
 */
void pool_run(thread_pool *pool, uint32_t wanted, void (*part)(void *arguments, uint32_t thread),
              void *arguments);

/* How long a thread that waits looks again and again before it sleeps, in nanoseconds. */
#define POOL_SPIN_NS 20e3

/* Stack of a thread in bytes, beside the thread-local variables of the program. */
#define POOL_STACK_BYTES ((size_t)512 * 1024)

/* After the system has refused a thread, so many runs go on without asking for one. */
#define POOL_PATIENCE 256u

#endif

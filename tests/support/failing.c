/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/failing.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
uint64_t __real_memory_missing(uint64_t bytes);
uint64_t __wrap_memory_missing(uint64_t bytes);

const failing_plan failing_none = {-1, -1, 0};

/* These variables change only before and after a call of the library, when no other thread reads them. All threads add
 * to the report's counters, which are therefore atomic. */
static int active;
static failing_plan plan;
static failing_report report;
static uint64_t memory_left = UINT64_MAX; /* UINT64_MAX means what the system reports */
static uint64_t last_query;               /* the bytes of the last call of memory_missing() */

static int fails(long wanted, long *calls, long *failed)
{
    if (!__atomic_load_n(&active, __ATOMIC_ACQUIRE)) {
        return 0;
    }
    const long number = __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
    if (wanted < 0 || (plan.from_then_on ? number < wanted : number != wanted)) {
        return 0;
    }
    __atomic_fetch_add(failed, 1, __ATOMIC_RELAXED);
    return 1;
}

static void note_largest(uint64_t *largest, uint64_t number)
{
    uint64_t known = __atomic_load_n(largest, __ATOMIC_RELAXED);
    while (number > known &&
           !__atomic_compare_exchange_n(largest, &known, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

int failing_allocation(size_t bytes)
{
    if (!fails(plan.allocation, &report.allocations, &report.allocations_failed)) {
        __atomic_fetch_add(&report.bytes, bytes, __ATOMIC_RELAXED);
        if (bytes > __atomic_exchange_n(&last_query, 0, __ATOMIC_RELAXED)) {
            note_largest(&report.unasked, bytes);
        }
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

void *__wrap_malloc(size_t bytes)
{
    return failing_allocation(bytes) ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return failing_allocation(count * bytes) ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return failing_allocation(bytes) ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return failing_allocation(bytes) ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    return fails(plan.thread, &report.threads, &report.threads_failed)
               ? EAGAIN
               : __real_pthread_create(thread, attributes, run, argument);
}

uint64_t __wrap_memory_missing(uint64_t bytes)
{
    if (!__atomic_load_n(&active, __ATOMIC_ACQUIRE)) {
        return __real_memory_missing(bytes);
    }
    __atomic_store_n(&last_query, bytes, __ATOMIC_RELAXED);
    return memory_left == UINT64_MAX ? __real_memory_missing(bytes)
           : bytes > memory_left     ? bytes - memory_left
                                     : 0;
}

void failing_leave(uint64_t bytes)
{
    memory_left = bytes;
}

void failing_begin(failing_plan wanted)
{
    const failing_report empty = {0};
    plan = wanted;
    report = empty;
    last_query = 0;
    __atomic_store_n(&active, 1, __ATOMIC_RELEASE);
}

failing_report failing_end(void)
{
    __atomic_store_n(&active, 0, __ATOMIC_RELEASE);
    memory_left = UINT64_MAX;
    return report;
}

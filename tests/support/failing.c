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

const failing_plan failing_none = {-1, -1, 0};

/* Written while no other thread looks: before a call begins and after it ended. The report is added to by
 * all. */
static int active;
static failing_plan plan;
static failing_report report;

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

int failing_allocation(size_t bytes)
{
    if (!fails(plan.allocation, &report.allocations, &report.allocations_failed)) {
        __atomic_fetch_add(&report.bytes, bytes, __ATOMIC_RELAXED);
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

void failing_begin(failing_plan wanted)
{
    const failing_report empty = {0};
    plan = wanted;
    report = empty;
    __atomic_store_n(&active, 1, __ATOMIC_RELEASE);
}

failing_report failing_end(void)
{
    __atomic_store_n(&active, 0, __ATOMIC_RELEASE);
    return report;
}

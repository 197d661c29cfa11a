/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A library to be preloaded (LD_PRELOAD): one allocation or thread of a whole process fails, those of the C
 * library and of others among them. tests/test_failures.py runs the program with it.
 *
 *   FAIL_ALLOCATION=k   allocation number k fails, from 0
 *   FAIL_THREAD=k       pthread_create() number k fails
 *   FAIL_FROM_THEN_ON=1 and all that follow
 *   FAIL_REPORT=PATH    at the end how many allocations and threads were asked for is written there
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/* glibc's own names: dlsym() would allocate. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
EXPORTED void *memalign(size_t alignment, size_t bytes);

enum { UNREAD = -2, NONE = -1 };

static long allocations, threads;
static long failing_allocation = UNREAD, failing_thread = UNREAD;

static int fails(long *counted, long *failing, const char *name)
{
    if (*failing == UNREAD) {
        const char *text = getenv(name);
        *failing = text == NULL ? NONE : strtol(text, NULL, 10);
    }
    const long number = __atomic_fetch_add(counted, 1, __ATOMIC_RELAXED);
    return *failing >= 0 &&
           (number == *failing || (number > *failing && getenv("FAIL_FROM_THEN_ON") != NULL));
}

static int allocation_fails(void)
{
    if (!fails(&allocations, &failing_allocation, "FAIL_ALLOCATION")) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

EXPORTED void *malloc(size_t bytes)
{
    return allocation_fails() ? NULL : __libc_malloc(bytes);
}

EXPORTED void *calloc(size_t count, size_t bytes)
{
    return allocation_fails() ? NULL : __libc_calloc(count, bytes);
}

EXPORTED void *realloc(void *memory, size_t bytes)
{
    return allocation_fails() ? NULL : __libc_realloc(memory, bytes);
}

EXPORTED void *memalign(size_t alignment, size_t bytes)
{
    return allocation_fails() ? NULL : __libc_memalign(alignment, bytes);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
    return allocation_fails() ? NULL : __libc_memalign(alignment, bytes);
}

EXPORTED int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    void *made = allocation_fails() ? NULL : __libc_memalign(alignment, bytes);
    if (made == NULL) {
        return ENOMEM;
    }
    *memory = made;
    return 0;
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                            void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (fails(&threads, &failing_thread, "FAIL_THREAD")) {
        return EAGAIN;
    }
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&next, &symbol, sizeof next); /* ISO C has no cast from an object to a function */
    return next(thread, attributes, run, argument);
}

__attribute__((destructor)) static void report(void)
{
    char text[64];
    const char *path = getenv("FAIL_REPORT");
    const int length = snprintf(text, sizeof text, "%ld %ld\n", allocations, threads);
    const int descriptor = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        if (write(descriptor, text, (size_t)length) != length) {
            _exit(99);
        }
        close(descriptor);
    }
}

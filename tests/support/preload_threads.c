/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * If this library is loaded with LD_PRELOAD, call number FAIL_THREAD of pthread_create() fails, counted from 0, and
 * with FAIL_FROM_THEN_ON all later ones fail, too. If COUNT_THREADS names a file, the library writes the number of
 * calls there at the end.
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

static long threads;

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*run)(void *), void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    const char *text = getenv("FAIL_THREAD");
    const long failing = text == NULL ? -1 : strtol(text, NULL, 10);
    const long number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    if (failing >= 0 && (number == failing || (number > failing && getenv("FAIL_FROM_THEN_ON") != NULL))) {
        return EAGAIN;
    }
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&next, &symbol, sizeof next); /* ISO C has no cast from an object to a function */
    return next(thread, attributes, run, argument);
}

__attribute__((destructor)) static void report(void)
{
    char text[32];
    const char *path = getenv("COUNT_THREADS");
    const int length = snprintf(text, sizeof text, "%ld\n", threads);
    const int descriptor = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        if (write(descriptor, text, (size_t)length) != length) {
            _exit(99);
        }
        close(descriptor);
    }
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * If this library is loaded with LD_PRELOAD, the FAIL_ALLOCATION-th allocation of the process fails, and with
 * FAIL_ALL_AFTER all later ones, too. If COUNT_ALLOCATIONS names a file, the library writes the number of allocations
 * there at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long allocations, failing = -1;
static atomic_int fail_all_after;

static int this_one_fails(void)
{
    if (failing < 0) {
        const char *number = getenv("FAIL_ALLOCATION");
        failing = number != NULL ? atol(number) : 0;
        fail_all_after = getenv("FAIL_ALL_AFTER") != NULL;
    }
    const long index = ++allocations;
    const int fails = failing > 0 && (index == failing || (fail_all_after && index > failing));
    if (fails) {
        errno = ENOMEM;
    }
    return fails;
}

void *malloc(size_t bytes)
{
    return this_one_fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return this_one_fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return this_one_fails() ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return this_one_fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    void *got = this_one_fails() ? NULL : __libc_memalign(alignment, bytes);
    if (got == NULL) {
        return ENOMEM;
    }
    *memory = got;
    return 0;
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("COUNT_ALLOCATIONS");
    char text[24];
    size_t first = sizeof text;
    long left = allocations;
    const int descriptor = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (descriptor < 0) {
        return;
    }
    do {
        text[--first] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    (void)!write(descriptor, text + first, sizeof text - first);
    close(descriptor);
}

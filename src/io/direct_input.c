/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* O_DIRECT, mincore() */

#include "io/direct_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/integers.h"

#if defined(O_DIRECT) && defined(__linux__)

void direct_open(direct_input *input, int descriptor, uint64_t size)
{
    char path[32]; /* the path of the open descriptor, because the file may have been renamed */
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    *input = (direct_input){.descriptor = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC), .size = size};
    input->pages =
        input->descriptor < 0 ? MAP_FAILED : mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (input->pages == MAP_FAILED) {
        input->pages = NULL;
        direct_close(input);
    }
}

/* Return 1 if the bytes are cached, or if mincore() is not permitted. Reading without waiting (RWF_NOWAIT) would also
 * show whether they are cached. But it makes the system read ahead into its cache, so that the bytes would be read
 * twice. */
static int is_cached(const direct_input *input, uint64_t offset, size_t count)
{
    enum { PAGES = 256 };
    unsigned char cached[PAGES];
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = smaller(input->size, offset + count);
    int all = 1;
    for (uint64_t at = offset - offset % page; all && at < end; at += PAGES * page) {
        const uint64_t bytes = smaller(PAGES * page, end - at);
        all = mincore((char *)input->pages + at, (size_t)bytes, cached) == 0;
        for (uint64_t i = 0; all && i < ceil_divide(bytes, page); i++) {
            all = cached[i] & 1;
        }
    }
    return all;
}

#else

void direct_open(direct_input *input, int descriptor, uint64_t size)
{
    (void)descriptor, (void)size;
    *input = (direct_input){.descriptor = -1};
}

static int is_cached(const direct_input *input, uint64_t offset, size_t count)
{
    (void)input, (void)offset, (void)count;
    return 1;
}

#endif

void direct_close(direct_input *input)
{
    if (input->pages != NULL) {
        (void)munmap(input->pages, (size_t)input->size);
    }
    if (input->descriptor >= 0) {
        (void)close(input->descriptor);
    }
    *input = (direct_input){.descriptor = -1};
}

size_t direct_read_at(const direct_input *input, uint64_t offset, uint8_t *bytes, size_t count)
{
    size_t got = 0;
    if (input->descriptor < 0 || is_cached(input, offset, count)) {
        return 0;
    }
    while (got < count) {
        const size_t before = (size_t)((offset + got) % DIRECT_UNIT);
        const uint64_t first = offset + got - before;
        const size_t wanted = (size_t)ceil_divide(before + count - got, DIRECT_UNIT) * DIRECT_UNIT;
        const ssize_t more = pread(input->descriptor, bytes + got - before, wanted, (off_t)first);
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= (ssize_t)before) {
            break;
        }
        got = (size_t)smaller(count, got + (size_t)more - before);
    }
    return got;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* O_DIRECT, preadv2() */

#include "io/direct_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/integers.h"

#if defined(O_DIRECT) && defined(RWF_NOWAIT)

/* The file that is open, whatever its path is now. */
int direct_open(int descriptor)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
}

/* From the cache alone; fewer where something is not in it. */
static size_t read_cached(int descriptor, uint64_t offset, uint8_t *bytes, size_t count)
{
    size_t got = 0;
    ssize_t more = 1;
    while (got < count && more > 0) {
        const struct iovec rest = {bytes + got, count - got};
        more = preadv2(descriptor, &rest, 1, (off_t)(offset + got), RWF_NOWAIT);
        got += more > 0 ? (size_t)more : 0;
    }
    return got;
}

size_t direct_read_at(int descriptor, int direct, uint64_t offset, uint8_t *bytes, size_t count)
{
    size_t got = read_cached(descriptor, offset, bytes, count);
    while (got < count) {
        const size_t before = (size_t)((offset + got) % DIRECT_UNIT);
        const uint64_t first = offset + got - before;
        const size_t wanted = (size_t)ceil_divide(before + count - got, DIRECT_UNIT) * DIRECT_UNIT;
        const ssize_t more = pread(direct, bytes + got - before, wanted, (off_t)first);
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

#else

int direct_open(int descriptor)
{
    (void)descriptor;
    return -1;
}

size_t direct_read_at(int descriptor, int direct, uint64_t offset, uint8_t *bytes, size_t count)
{
    (void)descriptor;
    (void)direct;
    (void)offset;
    (void)bytes;
    (void)count;
    return 0;
}

#endif

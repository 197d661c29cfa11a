/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* syscall; with it macOS has getentropy(), too */

#include "base/random.h"

#include <errno.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#else
#include <sys/random.h>
#endif

int system_random(void *bytes, size_t count)
{
#ifdef __linux__
    /* Use the system call, because glibc has getrandom() only from 2.25 on and packaged libraries must run with older
     * ones. The kernel waits until it has randomness; a signal may interrupt this wait. After that it gives up to 256
     * bytes at once. */
    long got;
    do {
        got = syscall(SYS_getrandom, bytes, count, 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return errno;
    }
    return (size_t)got == count ? 0 : EIO;
#else
    return getentropy(bytes, count) == 0 ? 0 : errno;
#endif
}

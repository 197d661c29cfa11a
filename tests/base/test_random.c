/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file tests calls for the system's randomness. If a signal interrupts the call, it is repeated. Failures and
 * short answers are errors. */
#define _GNU_SOURCE /* SYS_getrandom */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/random.h"
#include "support/harness.h"

/* These are the number of calls to interrupt, and the error of the call after them. If the error is 0, the kernel
 * answers. */
static int interruptions, calls, error;
static int is_short;

long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (number == SYS_getrandom) {
        calls++;
        if (interruptions > 0 || error != 0) {
            errno = interruptions > 0 ? EINTR : error;
            interruptions -= interruptions > 0;
            return -1;
        }
        b -= is_short;
    }
    return __real_syscall(number, a, b, c, d, e, f);
}

static void test_random(void)
{
    uint8_t bytes[256], before[256] = {0};
    for (int i = 0; i < 3; i++) {
        memset(bytes, 0, sizeof bytes);
        assert_int_equal(system_random(bytes, sizeof bytes), 0);
        /* With probability 2^-128 a correct call fails one of these checks, because 16 bytes are 0 or equal to those of
         * the last call. */
        assert_memory_not_equal(bytes, before, 16);
        assert_memory_not_equal(bytes + 240, before + 240, 16);
        assert_memory_not_equal(bytes, (uint8_t[16]){0}, 16);
        assert_memory_not_equal(bytes + 240, (uint8_t[16]){0}, 16);
        memcpy(before, bytes, sizeof bytes);
    }
    /* Bytes after the requested ones must not change. */
    memset(bytes, 0x5a, sizeof bytes);
    assert_int_equal(system_random(bytes, 128), 0);
    for (size_t i = 128; i < sizeof bytes; i++) {
        assert_int_equal(bytes[i], 0x5a);
    }
}

static void test_failures(void)
{
    uint8_t bytes[32];
    interruptions = 3;
    calls = 0;
    assert_int_equal(system_random(bytes, sizeof bytes), 0);
    assert_int_equal(calls, 4);
    error = ENOSYS;
    assert_int_equal(system_random(bytes, sizeof bytes), ENOSYS);
    error = 0;
    is_short = 1;
    assert_int_equal(system_random(bytes, sizeof bytes), EIO);
    is_short = 0;
}

static const test_entry entries[] = {
    {"random", TEST_ONCE(test_random)},
    {"failures", TEST_ONCE(test_failures)},
};
TEST_MAIN("random", entries)

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Threads sleep on a word of 32 bits until another thread changes it. Sources define _GNU_SOURCE before they include
 * this. */
#ifndef SUMAC_BASE_SLEEP_H
#define SUMAC_BASE_SLEEP_H

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

#ifdef __APPLE__
/* The C and C++ libraries of macOS use these functions to wait, but no header of its SDK declares them. */
#define COMPARE_AND_WAIT 1
#define WAKE_ALL 0x100
int __ulock_wait(uint32_t operation, void *word, uint64_t value, uint32_t microseconds);
int __ulock_wake(uint32_t operation, void *word, uint64_t value);
#endif

/* Sleep while the word has this value. The function may also return earlier. */
static inline void sleep_on(_Atomic uint32_t *word, uint32_t value)
{
#ifdef __APPLE__
    (void)__ulock_wait(COMPARE_AND_WAIT, word, value, 0);
#else
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
#endif
}

/* Wake up to `count` threads that sleep on the word, which was changed before. */
static inline void wake(_Atomic uint32_t *word, uint32_t count)
{
#ifdef __APPLE__
    (void)__ulock_wake(COMPARE_AND_WAIT | (count > 1 ? WAKE_ALL : 0), word, 0);
#else
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
#endif
}

#endif

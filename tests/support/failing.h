/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This header makes allocations and threads fail on demand. It counts them, and checks whether the library first asked
 * how much memory is left. The linker redirects the library's calls of malloc(), calloc(), realloc(), aligned_alloc(),
 * pthread_create() and memory_missing() to failing.c, in programs for which CMake calls sumac_link_failing()
 * (support/failing.cmake). Calls within the C library are not redirected.
 */
#ifndef SUMAC_TESTS_FAILING_H
#define SUMAC_TESTS_FAILING_H

#include <stddef.h>
#include <stdint.h>

/* These are the numbers of the calls that fail between failing_begin() and failing_end(), counted from 0. A negative
 * number means none. */
typedef struct failing_plan {
    long allocation;
    long thread;
    int from_then_on; /* 1 if all later calls fail, too */
} failing_plan;

extern const failing_plan failing_none;

/* This was counted between failing_begin() and failing_end(). */
typedef struct failing_report {
    long allocations; /* including those that failed */
    long threads;
    long allocations_failed;
    long threads_failed;
    uint64_t bytes;   /* the sum over allocations that succeeded; freeing does not lower it */
    uint64_t unasked; /* the largest allocation without a memory_missing() just before it */
} failing_report;

/* Begin to count and to fail calls of all threads. Calls of this function must not be nested. */
void failing_begin(failing_plan plan);
failing_report failing_end(void);

/* Let memory_missing() report this many bytes as left from failing_begin() to failing_end(), whatever was allocated.
 * Call it before failing_begin(). */
void failing_leave(uint64_t bytes);

/* Count an allocation of another allocator, and return 1 if it must fail. */
int failing_allocation(size_t bytes);

#endif

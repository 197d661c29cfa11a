/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Allocations and threads that fail when a test says so, how much was asked for, and whether the library first asked
 * what memory is left. The linker sends the library's calls of malloc(), calloc(), realloc(), aligned_alloc(),
 * pthread_create() and memory_missing() to failing.c: a program that links it is made with sumac_link_failing() of
 * support/failing.cmake. The C library's own calls stay as they are.
 */
#ifndef SUMAC_TESTS_FAILING_H
#define SUMAC_TESTS_FAILING_H

#include <stddef.h>
#include <stdint.h>

/* Which calls fail between failing_begin() and failing_end(), counted from 0; negative: none. */
typedef struct failing_plan {
    long allocation;
    long thread;
    int from_then_on; /* 1: all after that one, too */
} failing_plan;

extern const failing_plan failing_none;

/* The calls between failing_begin() and failing_end(). */
typedef struct failing_report {
    long allocations; /* asked for */
    long threads;
    long allocations_failed;
    long threads_failed;
    uint64_t bytes; /* asked for, of all allocations together; what was freed is not taken off */
    /* The largest allocation that the last call of memory_missing(), with no other allocation in between, did not ask about.
     */
    uint64_t unasked;
} failing_report;

/* Begin to count and to fail calls of all threads. It must not be nested. */
void failing_begin(failing_plan plan);
failing_report failing_end(void);

/* Let memory_missing() report this many bytes as left from failing_begin() to failing_end(), whatever was allocated.
 * Call it before failing_begin(). */
void failing_leave(uint64_t bytes);

/* For other allocators: count an allocation, and return 1 if it must fail. */
int failing_allocation(size_t bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Allocations and threads that fail when a test says so, and how much was asked for. The linker sends the
 * library's calls of malloc(), calloc(), realloc(), aligned_alloc() and pthread_create() to failing.c: a
 * program that links it is made with sumac_link_failing() of support/failing.cmake. The C library's own calls
 * stay as they are.
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

/* What happened in between. */
typedef struct failing_report {
    long allocations; /* asked for */
    long threads;
    long allocations_failed;
    long threads_failed;
    uint64_t bytes; /* asked for, of all allocations together; what was freed is not taken off */
} failing_report;

/* Not nested; calls from any thread are counted. */
void failing_begin(failing_plan plan);
failing_report failing_end(void);

/* For other ways to allocate: whether this one is to fail. It is counted. */
int failing_allocation(size_t bytes);

#endif

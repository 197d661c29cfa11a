/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions run tasks on ranges of neighbouring elements, for the CPU's stages and vectors. */
#ifndef SUMAC_CPU_RANGES_H
#define SUMAC_CPU_RANGES_H

#include "pipeline/parallel.h"
#include "vector/vector.h"

/* A range has elements [first, end), and the number of the thread that works on them, which is less than
 * team.threads. */
typedef struct index_range {
    uint64_t first, end;
    uint32_t thread;
} index_range;

/* Cut n elements into ranges of `block` elements; the last one may be shorter. Call the task for each range on the
 * team's threads, and return when all tasks are done. */
void parallel_ranges(const parallel_team *team, uint64_t n, uint64_t block,
                     void (*task)(void *arguments, index_range range), void *arguments);

/* Do the work of parallel_ranges() with the threads of an operation on vectors, which has this name in a trace. */
void vector_ranges(const vector_run *run, const char *name, uint64_t n, uint64_t block,
                   void (*task)(void *arguments, index_range range), void *arguments);

parallel_team vector_team(const vector_run *run, const char *name);

#endif

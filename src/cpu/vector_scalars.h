/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sources of the CPU's vectors of scalars, which are compiled once for each scalar field and variant, share this
 * file. */
#ifndef SUMAC_CPU_VECTOR_SCALARS_H
#define SUMAC_CPU_VECTOR_SCALARS_H

#include <stdlib.h>
#include <string.h>

#include "math/fr.h"

#include "cpu/ranges.h"

/* Lanes support all fields except those of a single limb, whose quotients would not be exact enough. */
#if defined(SUMAC_LISTS_IN_LANES) && FP_BITS > 64
#define SUMAC_SCALAR_LANES
#include "lanes/scalars.h"
#endif

/* Convert an element to the form that transforms multiply by: with lanes S replaces R (lanes/scalars.h). */
static inline void scalar_to_factor(fp *a)
{
#ifdef SUMAC_SCALAR_LANES
    for (int i = 0; i < FACTOR_SHIFT; i++) {
        fp_double(a, a);
    }
#else
    (void)a;
#endif
}

#ifdef SUMAC_SCALAR_LANES

/* A task that computes in lanes runs between vec_begin() and vec_end(). It is called by its address, because a compiler that
 * inlined it could move its arithmetic past these two. */
typedef struct lanes_work {
    void (*range_task)(void *arguments, index_range range);
    void (*task)(void *arguments, size_t index, uint32_t thread);
    void *arguments;
} lanes_work;

static void run_range_in_lanes(void *arguments, index_range range)
{
    const lanes_work *work = arguments;
    const uint32_t saved = vec_begin();
    work->range_task(work->arguments, range);
    vec_end(saved);
}

static void run_task_in_lanes(void *arguments, size_t index, uint32_t thread)
{
    const lanes_work *work = arguments;
    const uint32_t saved = vec_begin();
    work->task(work->arguments, index, thread);
    vec_end(saved);
}

/* Do what vector_ranges() and parallel_for() do, with a task that may compute in lanes. */
static inline void lanes_ranges(const vector_run *run, uint64_t n, uint64_t block,
                                void (*task)(void *arguments, index_range range), void *arguments)
{
    lanes_work work = {.range_task = task, .arguments = arguments};
    vector_ranges(run, "scalars", n, block, run_range_in_lanes, &work);
}

static inline void lanes_for(const parallel_team *team, uint64_t count,
                             void (*task)(void *arguments, size_t index, uint32_t thread), void *arguments)
{
    lanes_work work = {.task = task, .arguments = arguments};
    parallel_for(team, (size_t)count, run_task_in_lanes, &work);
}

#else

static inline void lanes_ranges(const vector_run *run, uint64_t n, uint64_t block,
                                void (*task)(void *arguments, index_range range), void *arguments)
{
    vector_ranges(run, "scalars", n, block, task, arguments);
}

#endif

/* A task has this many elements, a multiple of the lanes. */
#define SCALARS_TASK ((uint64_t)1 << 10)

/* Each of these implements the operation of its name in scalar_vector_ops; vector_scalars.c has the others, and the table. */
sumac_status SUMAC_SCALARS_SYMBOL(export_scalars)(const vector_run *run, uint8_t *bytes, const void *a,
                                                  uint64_t n, sumac_form form, sumac_byte_order order);
sumac_status SUMAC_SCALARS_SYMBOL(multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b);
sumac_status SUMAC_SCALARS_SYMBOL(invert)(const vector_run *run, void *r, uint64_t n);
sumac_status SUMAC_SCALARS_SYMBOL(evaluate)(const vector_run *run, void *r, void *values, uint64_t rows,
                                            const vector_evaluation *evaluation);
sumac_status SUMAC_SCALARS_SYMBOL(scan)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                        const vector_scan *scan);
sumac_status SUMAC_SCALARS_SYMBOL(multiply_sparse)(const vector_run *run, void *r, const void *a,
                                                   const sparse_rows *matrix);
void SUMAC_SCALARS_SYMBOL(root)(uint8_t *raw, uint32_t log2);
sumac_status SUMAC_SCALARS_SYMBOL(roots)(const vector_run *run, void *roots, uint32_t log2, const void *root);
sumac_status SUMAC_SCALARS_SYMBOL(factors)(const vector_run *run, void *factors, uint32_t log2,
                                           const void *root);
sumac_status SUMAC_SCALARS_SYMBOL(scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                                const void *factor, const void *ratio);
sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform);

extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);

#endif

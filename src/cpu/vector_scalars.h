/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU's vectors of scalars: what its sources share. Compiled once a scalar field and variant. */
#ifndef SUMAC_CPU_VECTOR_SCALARS_H
#define SUMAC_CPU_VECTOR_SCALARS_H

#include <stdlib.h>
#include <string.h>

#include "math/fr.h"

#include "pipeline/parallel.h"
#include "cpu/vector_moves.h"
#include "vector/vector.h"

/* Lanes have room for fields of every size but the tiniest, whose quotients would not be exact enough. */
#if defined(SUMAC_VARIANT_AVX512) && FP_BITS > 64
#define SUMAC_SCALAR_LANES
#include "lanes/scalars.h"
#endif

/* An element as transforms multiply by it: with lanes S in place of R, see scalars.h; else itself. */
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

/* Elements of a task. A multiple of the lanes. */
#define SCALARS_TASK ((uint64_t)1 << 10)

static inline void scalars_run_tasks(const vector_run *run, uint64_t n,
                                     void (*task)(void *arguments, size_t index, uint32_t thread), void *work)
{
    const parallel_team team = vector_team(run, "scalars");
    parallel_for(&team, (size_t)((n + SCALARS_TASK - 1) / SCALARS_TASK), task, work);
}

/* Return where the task that begins with element `first` of n ends. */
static inline uint64_t scalars_task_end(uint64_t n, uint64_t first)
{
    return n - first < SCALARS_TASK ? n : first + SCALARS_TASK;
}

/* Each of these implements the operation of its name in scalar_vector_ops; vector_scalars_table.c fills the table in. */
sumac_status SUMAC_SCALARS_SYMBOL(import_scalars)(const vector_run *run, void *r, const uint8_t *bytes,
                                                  uint64_t n, sumac_form form, sumac_byte_order order,
                                                  uint64_t *bad);
sumac_status SUMAC_SCALARS_SYMBOL(export_scalars)(const vector_run *run, uint8_t *bytes, const void *a,
                                                  uint64_t n, sumac_form form, sumac_byte_order order);
sumac_status SUMAC_SCALARS_SYMBOL(add)(const vector_run *run, void *r, const void *a, uint64_t n,
                                       const vector_operand *b);
sumac_status SUMAC_SCALARS_SYMBOL(subtract)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b);
sumac_status SUMAC_SCALARS_SYMBOL(multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b);
sumac_status SUMAC_SCALARS_SYMBOL(invert)(const vector_run *run, void *r, uint64_t n);
sumac_status SUMAC_SCALARS_SYMBOL(sum)(const vector_run *run, void *r, const void *a, uint64_t rows,
                                       uint64_t length);
sumac_status SUMAC_SCALARS_SYMBOL(multiply_sparse)(const vector_run *run, void *r, const void *a,
                                                   const sparse_rows *matrix);
void SUMAC_SCALARS_SYMBOL(root)(uint8_t *raw, uint32_t log2);
sumac_status SUMAC_SCALARS_SYMBOL(roots)(const vector_run *run, void *roots, uint32_t log2);
sumac_status SUMAC_SCALARS_SYMBOL(factors)(const vector_run *run, void *factors, uint32_t log2);
sumac_status SUMAC_SCALARS_SYMBOL(scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                                const void *factor, const void *ratio);
sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform);

extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);

#endif

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
#if defined(SUMAC_VARIANT_AVX512) && FP_BITS > 64
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

/* A task has this many elements, a multiple of the lanes. */
#define SCALARS_TASK ((uint64_t)1 << 10)

/* Each of these implements the operation of its name in scalar_vector_ops; vector_scalars.c has the others, and the table. */
sumac_status SUMAC_SCALARS_SYMBOL(export_scalars)(const vector_run *run, uint8_t *bytes, const void *a,
                                                  uint64_t n, sumac_form form, sumac_byte_order order);
sumac_status SUMAC_SCALARS_SYMBOL(multiply)(const vector_run *run, void *r, const void *a, uint64_t n,
                                            const vector_operand *b);
sumac_status SUMAC_SCALARS_SYMBOL(invert)(const vector_run *run, void *r, uint64_t n);
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

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU's vectors of scalars: what its two sources share. Compiled once a scalar field and variant. */
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
#include "avx512/scalar_lanes.h"
#endif

/* An element as transforms multiply by it: with lanes S in place of R, see scalar_lanes.h; else itself. */
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

/* As scalar_vector_ops.scale_powers and transform. */
sumac_status SUMAC_SCALARS_SYMBOL(scale_powers)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                                const void *factor, const void *ratio);
sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform);

extern const scalar_vector_ops SUMAC_SCALARS_SYMBOL(scalar_vectors);

#endif

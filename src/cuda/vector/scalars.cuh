/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sources of the GPU's vectors of scalars share this header. They are compiled once for each scalar field; fp is
 * the integers modulo r. */
#ifndef SUMAC_CUDA_VECTOR_SCALARS_CUH
#define SUMAC_CUDA_VECTOR_SCALARS_CUH

#include "math/fr.h"

#include "cuda/vector/vectors.h"

/* Elements are read and written 16 bytes at a time, or 8 if they have an odd number of limbs. */
#if FP_LIMBS % 2 == 0
typedef uint4 fp_chunk;
#else
typedef uint2 fp_chunk;
#endif
enum { FP_CHUNKS = sizeof(fp) / sizeof(fp_chunk), FP_CHUNK_WORDS = sizeof(fp_chunk) / 4 };

SUMAC_FN void fp_load(fp *r, const fp *from)
{
    const fp_chunk *source = (const fp_chunk *)from;
    fp_chunk *words = (fp_chunk *)r;
    SUMAC_UNROLL
    for (int i = 0; i < FP_CHUNKS; i++) {
        words[i] = source[i];
    }
}

SUMAC_FN void fp_store(fp *to, const fp *a)
{
    const fp_chunk *words = (const fp_chunk *)a;
    fp_chunk *target = (fp_chunk *)to;
    SUMAC_UNROLL
    for (int i = 0; i < FP_CHUNKS; i++) {
        target[i] = words[i];
    }
}

/* Multiply r[i] by factor * ratio^(i % length). This does not wait. */
sumac_status SUMAC_SCALARS_SYMBOL(scale_rows)(const vector_run *run, fp *r, uint64_t n, uint64_t length,
                                              const fp *factor, const fp *ratio);

/* scalar_vector_ops has functions of these names, and describes them. */
sumac_status SUMAC_SCALARS_SYMBOL(scan)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                        const vector_scan *scan);

sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform);

#endif

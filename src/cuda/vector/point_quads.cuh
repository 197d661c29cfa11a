/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels over vectors of points share. */
#ifndef SUMAC_CUDA_VECTOR_POINT_QUADS_CUH
#define SUMAC_CUDA_VECTOR_POINT_QUADS_CUH

#include "cuda/device/curve.h"
#include "cuda/device/quads.cuh"

enum { POINTS_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 /* for the registers */ };

/* Whether point_transforms_twice.cu is compiled: proofs of FK20 lie in groups over prime fields with an endomorphism, and in others its
 * kernels would be a tenth of the engine's code, which nobody calls. */
#define POINT_TWICE (FE_DEGREE == 1 && FR_BITS > 64 && CURVE_HAS_GLV)

static __device__ __forceinline__ uint64_t quad_number(void)
{
    return (blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x) / QUAD;
}

#endif

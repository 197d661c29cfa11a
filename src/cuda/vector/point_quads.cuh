/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels over vectors of points share. */
#ifndef SUMAC_CUDA_VECTOR_POINT_QUADS_CUH
#define SUMAC_CUDA_VECTOR_POINT_QUADS_CUH

#include "cuda/device/curve.h"
#include "cuda/device/quads.cuh"

enum { POINTS_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 /* for the registers */ };

static __device__ __forceinline__ uint64_t quad_number(void)
{
    return (blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x) / QUAD;
}

#endif

/* Loads, stores and shared inversions for the kernels that are compiled per curve. */
#ifndef SUMAC_CUDA_PAIRS_CUH
#define SUMAC_CUDA_PAIRS_CUH

#include "math/pair.h"

/* Threads of a block of every per-curve kernel, and how many blocks an SM shall hold: so many registers a
 * thread. */
enum { PAIR_BLOCK = 128 };
#if FE_DEGREE == 2 || FP_LIMBS > 6
enum { PAIR_BLOCKS_PER_SM = 2 };
#elif FP_LIMBS > 4
enum { PAIR_BLOCKS_PER_SM = 4 };
#else
enum { PAIR_BLOCKS_PER_SM = 6 };
#endif

SUMAC_STATIC_ASSERT(sizeof(fe) % 16 == 0, "elements are read and written 16 bytes at a time");

SUMAC_FN void fe_load(fe *r, const fe *from)
{
    const uint4 *source = (const uint4 *)from;
    uint4 *words = (uint4 *)r;
    SUMAC_UNROLL
    for (int i = 0; i < (int)(sizeof(fe) / 16); i++) {
        words[i] = source[i];
    }
}

SUMAC_FN void fe_store(fe *to, const fe *a)
{
    const uint4 *words = (const uint4 *)a;
    uint4 *target = (uint4 *)to;
    SUMAC_UNROLL
    for (int i = 0; i < (int)(sizeof(fe) / 16); i++) {
        target[i] = words[i];
    }
}

/*
 * *value = 1 / *value for every thread of the block, none of them 0: one warp inverts, each lane the product
 * of the values of its column, one value a warp. All threads of the block call it.
 *
 * Warp w of a block runs on quarter w mod 4 of the SM. So that not all inversions of the blocks on an SM fall
 * to one quarter, the warp that inverts follows from the place that the block's first warp has on the SM.
 */
static __device__ __forceinline__ void block_inverse(fe *value)
{
    enum { ROWS = PAIR_BLOCK / 32 };
    __shared__ __align__(16) unsigned char memory[PAIR_BLOCK * sizeof(fe)];
    fe *shared = (fe *)memory;
    __syncthreads();
    __shared__ uint32_t inverting_warp;
    const uint32_t lane = threadIdx.x % 32;
    fe_store(&shared[threadIdx.x], value);
    if (threadIdx.x == 0) {
        uint32_t place;
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(place));
        inverting_warp = place / ROWS % ROWS;
    }
    __syncthreads();
    if (threadIdx.x / 32 == inverting_warp) {
        fe prefix[ROWS], inverse;
        fe_load(&prefix[0], &shared[lane]);
#pragma unroll
        for (int row = 1; row < ROWS; row++) {
            fe next;
            fe_load(&next, &shared[row * 32 + lane]);
            fe_mul(&prefix[row], &prefix[row - 1], &next);
        }
        fe_inv(&inverse, &prefix[ROWS - 1]);
#pragma unroll
        for (int row = ROWS - 1; row > 0; row--) {
            fe own, next;
            fe_load(&next, &shared[row * 32 + lane]);
            fe_mul(&own, &inverse, &prefix[row - 1]);
            fe_mul(&inverse, &inverse, &next);
            fe_store(&shared[row * 32 + lane], &own);
        }
        fe_store(&shared[lane], &inverse);
    }
    __syncthreads();
    fe_load(value, &shared[threadIdx.x]);
}

#endif

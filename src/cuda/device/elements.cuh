/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has loads, stores and shared inversions for the kernels that are compiled per group. */
#ifndef SUMAC_CUDA_DEVICE_ELEMENTS_CUH
#define SUMAC_CUDA_DEVICE_ELEMENTS_CUH

#include "cuda/device/symbols.h"
#include "math/pair.h"

/* An SM must hold PAIR_BLOCKS_PER_SM blocks of PAIR_BLOCK threads, which limits the registers of a thread. */
#if FE_DEGREE == 2 || FP_LIMBS > 6
enum { PAIR_BLOCKS_PER_SM = 2 };
#elif FP_LIMBS > 4
enum { PAIR_BLOCKS_PER_SM = 4 };
#else
enum { PAIR_BLOCKS_PER_SM = 5 };
#endif

/*
 * Elements are read and written 16 bytes at a time, or 8 if they have an odd number of limbs, because the second
 * coordinate of a point is then not aligned to 16. Points always begin at a multiple of 16 bytes.
 */
#if FE_DEGREE * FP_LIMBS % 2 == 0
typedef uint4 fe_chunk;
#else
typedef uint2 fe_chunk;
#endif
enum { FE_CHUNKS = sizeof(fe) / sizeof(fe_chunk) };

SUMAC_STATIC_ASSERT(sizeof(fe) % sizeof(fe_chunk) == 0 && sizeof(affine) % 16 == 0, "whole chunks");

SUMAC_FN void fe_load(fe *r, const fe *from)
{
    const fe_chunk *source = (const fe_chunk *)from;
    fe_chunk *words = (fe_chunk *)r;
    SUMAC_UNROLL
    for (int i = 0; i < FE_CHUNKS; i++) {
        words[i] = source[i];
    }
}

SUMAC_FN void fe_store(fe *to, const fe *a)
{
    const fe_chunk *words = (const fe_chunk *)a;
    fe_chunk *target = (fe_chunk *)to;
    SUMAC_UNROLL
    for (int i = 0; i < FE_CHUNKS; i++) {
        target[i] = words[i];
    }
}

/*
 * Compute r = a * b by a function that is not inlined. A product has some 400 instructions, and a loop with five
 * inlined products would exceed the instruction cache. Arguments are passed by value, so that they stay in registers.
 */
static __device__ __noinline__ fe product_of(fe a, fe b)
{
    fe r;
    fe_mul(&r, &a, &b);
    return r;
}

static __device__ __forceinline__ void fe_mul_called(fe *r, const fe *a, const fe *b)
{
    *r = product_of(*a, *b);
}

static __device__ __forceinline__ void affine_load(affine *r, const affine *from)
{
    fe_load(&r->x, &from->x);
    fe_load(&r->y, &from->y);
}

static __device__ __forceinline__ void affine_store(affine *to, const affine *a)
{
    fe_store(&to->x, &a->x);
    fe_store(&to->y, &a->y);
}

/* Set r to the a of another lane, word by word. shuffle() exchanges one word. */
template <class shuffler>
static __device__ __forceinline__ void fe_shuffle(fe *r, const fe *a, const shuffler &shuffle)
{
    const uint32_t *words = (const uint32_t *)a;
    uint32_t *target = (uint32_t *)r;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(fe) / 4); i++) {
        target[i] = shuffle(words[i]);
    }
}

/* Set r to the a of the lane whose number is this lane's number xor mask. */
static __device__ __forceinline__ void fe_exchange(fe *r, const fe *a, int mask)
{
    fe_shuffle(r, a, [=](uint32_t word) { return __shfl_xor_sync(0xffffffff, word, mask); });
}

/* INVERSE_SHARE threads share an inversion. Each of INVERSE_LEVELS levels doubles the number of threads that share one.
 * After QUAD_LEVELS levels the four lanes of a quad share one. A block needs INVERSES elements of shared memory. */
enum {
    QUAD_LEVELS = 2,
    INVERSE_LEVELS = 4,
    INVERSE_SHARE = 1 << INVERSE_LEVELS,
    INVERSES = PAIR_BLOCK / INVERSE_SHARE
};

SUMAC_STATIC_ASSERT(INVERSES * 4 <= 32, "the quads of one warp invert for the block");

/*
 * Replace *value by 1 / *value, for all threads of a block of PAIR_BLOCK. No value may be 0. In each level neighbours
 * multiply their values, and each keeps the other's as a factor. Warp `inverting` then inverts the products, one for
 * each of its quads, while the other warps wait and leave the SM to other blocks. Every thread multiplies the inverse
 * by its factors, in reverse order. If a block has the SM to itself (`alone`), each warp inverts the products of its
 * quads instead, which takes less time. FIRST_LEVEL is 0, or QUAD_LEVELS if the four lanes of each quad have the same
 * value.
 */
template <int FIRST_LEVEL>
static __device__ __forceinline__ void block_inverse(fe *value, fe *products, uint32_t inverting, bool alone)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    fe siblings[INVERSE_LEVELS];
    __syncthreads(); /* the inverses of an earlier call have been read */
#pragma unroll
    for (int level = FIRST_LEVEL; level < INVERSE_LEVELS; level++) {
        if (level < QUAD_LEVELS || !alone) {
            fe_exchange(&siblings[level], value, 1 << level);
            fe_mul_called(value, value, &siblings[level]);
        }
    }
    if (lane % INVERSE_SHARE == 0) {
        fe_store(&products[threadIdx.x / INVERSE_SHARE], value);
    }
    __syncthreads();
    if (warp == inverting || alone) {
        const uint32_t quad = lane / 4 % INVERSES;
        if (!alone) {
            fe_load(value, &products[quad]);
        }
        fe_inv(value, value);
        if (!alone && lane % 4 == 0 && lane / 4 < INVERSES) {
            fe_store(&products[quad], value);
        }
    }
    __syncthreads();
    if (!alone) {
        fe_load(value, &products[threadIdx.x / INVERSE_SHARE]);
    }
#pragma unroll
    for (int level = INVERSE_LEVELS - 1; level >= FIRST_LEVEL; level--) {
        if (level < QUAD_LEVELS || !alone) {
            fe_mul_called(value, value, &siblings[level]);
        }
    }
}

/* Negate y if `negative` is 1. */
static __device__ __forceinline__ void apply_sign(fe *y, uint32_t negative)
{
    fe opposite;
    fe_neg(&opposite, y);
    fe_cmov(y, &opposite, (int)negative);
}

#endif

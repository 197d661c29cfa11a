/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes multiples of the bases in a table, and their images under the endomorphism; it is compiled per
 * curve. */
#include "cuda/device/kernels.cuh"
#include "cuda/device/elements.cuh"

/* The blocks on an SM limit the registers of a thread, which has one point. With 12-word elements 4 blocks are 5%
 * faster than 2 (multiples of 2^24 bases: 1424 ms against 1499, BLS12-381, H200, 2026-11-21). */
enum { MULTIPLES_BLOCKS_PER_SM = FE_DEGREE == 1 && FP_LIMBS <= 6 ? 4 : 2 };

/* Set table[t*digits*count + i] to 2^(shift*t) * table[i] for first <= i < first + n. The threads of a block share
 * inversions; a thread that has no point, or infinity, contributes the element 1. */
static __global__ void __launch_bounds__(PAIR_BLOCK, MULTIPLES_BLOCKS_PER_SM)
    multiples_kernel(const __grid_constant__ table_slice slice)
{
    __shared__ __align__(16) unsigned char inverse_products[INVERSES * sizeof(fe)];
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    affine *target = (affine *)slice.table + slice.first + i; /* the address of the next multiple */
    affine point;
    affine_set_infinity(&point);
    if (i < slice.n) {
        point = *target;
    }
    for (uint32_t t = 1; t < slice.factor; t++) {
        jacobian multiple;
        fe inverse, square;
        multiple.x = point.x;
        fe_double(&multiple.y, &point.y);
        fe_set_one(&multiple.z);
        if (affine_is_infinity(&point)) {
            fe_set_zero(&multiple.z);
        }
#pragma unroll 1
        for (uint32_t doubling = 0; doubling < slice.shift; doubling++) {
            jacobian_double(&multiple, &multiple);
        }
        const int infinity = fe_is_zero(&multiple.z);
        inverse = multiple.z;
        if (infinity) {
            fe_set_one(&inverse);
        }
        block_inverse<0>(&inverse, (fe *)inverse_products, blockIdx.x % (PAIR_BLOCK / 32), false);
        fe_sqr(&square, &inverse);
        fe_mul(&point.x, &multiple.x, &square);
        fe_mul(&square, &square, &inverse);
        fe_mul(&point.y, &multiple.y, &square);
        fe_halve(&point.y, &point.y);
        if (infinity) {
            affine_set_infinity(&point);
        }
        target += slice.count * slice.digits;
        if (i < slice.n) {
            *target = point;
        }
    }
}

sumac_status SUMAC_SYMBOL(multiples)(cuda_engine *engine, const table_slice *slice)
{
    return slice->factor > 1 ? cuda_launch(engine, engine->stream, multiples_kernel,
                                           blocks_for(slice->n, PAIR_BLOCK), PAIR_BLOCK, *slice)
                             : SUMAC_OK;
}

#if CURVE_HAS_GLV

SUMAC_CONST fe endomorphism_beta = CURVE_BETA;

/* For first <= i < first + n let table[i] = (x, y). Set table[count + i] to (beta*x, y). Infinity stays infinity. */
static __global__ void __launch_bounds__(PAIR_BLOCK)
    endomorphism_kernel(const __grid_constant__ table_slice slice)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i < slice.n) {
        affine *table = (affine *)slice.table + slice.first + i;
        affine mapped = *table;
        const fe beta = endomorphism_beta;
        fe_mul(&mapped.x, &mapped.x, &beta);
        table[slice.count] = mapped;
    }
}

sumac_status SUMAC_SYMBOL(endomorphism_images)(cuda_engine *engine, const table_slice *slice)
{
    return cuda_launch(engine, engine->stream, endomorphism_kernel, blocks_for(slice->n, PAIR_BLOCK),
                       PAIR_BLOCK, *slice);
}

#else

/* This is never called, because the curve has no endomorphism. */
sumac_status SUMAC_SYMBOL(endomorphism_images)(cuda_engine *engine, const table_slice *slice)
{
    (void)engine;
    (void)slice;
    return SUMAC_NOT_SUPPORTED;
}

#endif

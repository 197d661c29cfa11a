/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file applies Horner's rule to the parts of modules and to the modules of an MSM, and converts results to raw
 * points; it is compiled per curve. A sum is a chain of doublings that cannot be shortened, so a quad (quads.cuh)
 * computes it, and the sums of all MSMs are computed at once.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/device/quads.cuh"

enum { HORNER_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 + 1 /* limits the registers of a thread */ };

static __global__ void __launch_bounds__(PAIR_BLOCK, HORNER_BLOCKS_PER_SM)
    horner_kernel(const __grid_constant__ horner_sums sums)
{
    const uint64_t g = quad_number();
    const bool exists = g < sums.count;
    /* Quads behind the last sum compute the first sum, and do not store it. */
    xyzz *point = (xyzz *)sums.points + (exists ? g * sums.terms * sums.stride : 0);
    fe sum, term;
    load_coordinate(&sum, point + (sums.terms - 1) * (uint64_t)sums.stride);
#pragma unroll 1
    for (uint32_t t = sums.terms - 1; t-- > 0;) {
        load_coordinate(&term, point + t * (uint64_t)sums.stride);
#pragma unroll 1
        for (uint32_t i = 0; i < sums.doublings; i++) {
            quad_twice(&sum);
        }
        quad_add_unless_infinity(&sum, &term);
    }
    if (exists) {
        store_coordinate(point, &sum);
    }
}

sumac_status SUMAC_SYMBOL(horner)(cuda_engine *engine, const horner_sums *sums)
{
    return cuda_launch(engine, engine->stream, horner_kernel, blocks_for(sums->count * QUAD, PAIR_BLOCK),
                       PAIR_BLOCK, *sums);
}

/* Convert a coordinate in Montgomery form to the integer. */
static __device__ __forceinline__ void to_integer(fe *a)
{
    fp *elements = (fp *)a;
#pragma unroll
    for (int i = 0; i < FE_DEGREE; i++) {
        fp_from_mont(&elements[i], &elements[i]);
    }
}

/* Each thread converts a point. The threads of a block share inversions; a thread without a point contributes 1. */
static __global__ void __launch_bounds__(PAIR_BLOCK)
    export_kernel(xyzz *points, uint64_t count, uint64_t stride, int to_integers)
{
    __shared__ __align__(16) unsigned char inverse_products[INVERSES * sizeof(fe)];
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    xyzz *point = points + i * stride;
    xyzz sum;
    affine raw;
    fe inverse;
    xyzz_set_infinity(&sum);
    if (i < count) {
        fe_load(&sum.x, &point->x);
        fe_load(&sum.y, &point->y);
        fe_load(&sum.zz, &point->zz);
        fe_load(&sum.zzz, &point->zzz);
    }
    const int infinity = fe_is_zero(&sum.zz);
    inverse = sum.zzz;
    if (infinity) {
        fe_set_one(&inverse);
    }
    block_inverse<0>(&inverse, (fe *)inverse_products, blockIdx.x % (PAIR_BLOCK / 32), false);
    fe_mul_called(&raw.y, &sum.y, &inverse);
    fe_mul_called(&sum.zz, &sum.zz, &inverse); /* 1/Z */
    fe_mul_called(&sum.zz, &sum.zz, &sum.zz);
    fe_mul_called(&raw.x, &sum.x, &sum.zz);
    if (to_integers) {
        to_integer(&raw.x);
        to_integer(&raw.y);
    }
    if (infinity) {
        affine_set_infinity(&raw);
    }
    if (i < count) {
        affine_store((affine *)point, &raw);
    }
}

sumac_status SUMAC_SYMBOL(export_points)(cuda_engine *engine, void *points, uint64_t count, uint64_t stride,
                                         sumac_form form)
{
    return cuda_launch(engine, engine->stream, export_kernel, blocks_for(count, PAIR_BLOCK), PAIR_BLOCK,
                       (xyzz *)points, count, stride, form == SUMAC_FORM_CANONICAL);
}

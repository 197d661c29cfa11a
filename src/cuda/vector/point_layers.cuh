/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels of a transform of points, a layer at a time: by quads, and forward by lanes; and products with
 * scalars. */
#ifndef SUMAC_CUDA_VECTOR_POINT_LAYERS_CUH
#define SUMAC_CUDA_VECTOR_POINT_LAYERS_CUH

#include "cuda/device/curve.h"
#include "cuda/vector/point_multiples.cuh"

static __device__ __forceinline__ quad_chain chain_of(const point_digits *digits, const sparse_digits *sparse,
                                                      uint64_t number, uint32_t positions)
{
    return {&digits[number], sparse == NULL ? NULL : &sparse[number], positions, 0, POINT_DIGIT_HALVES};
}

/* A layer of all rows, as src/cpu/vector_point_transforms.c explains it; or the products with scalars before or after
 * the layers. */
struct point_layer {
    xyzz *points;
    const point_digits *digits;  /* of the roots; of the scalars */
    const sparse_digits *sparse; /* of the roots; null: a warp has several of them */
    uint64_t items;              /* butterflies, or points */
    uint64_t rows;
    uint64_t half;  /* of a block */
    uint64_t count; /* of scalars: 1, or one for each of the first so many points of a row */
    uint32_t log2;
    uint32_t positions;
};

/* 1/w of block b is -w of another block: the difference is turned round. Blocks one after another, so that a
 * warp's quads have one root. */
template <bool inverse>
static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    butterflies_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t number = quad_number();
    const bool exists = number < layer.items;
    const uint64_t i = exists ? number : layer.items - 1;
    const uint64_t offset = i % layer.half, row = i / layer.half % layer.rows;
    const uint64_t block = i / layer.half / layer.rows;
    xyzz *lower = layer.points + (row << layer.log2) + 2 * layer.half * block + offset;
    xyzz *upper = lower + layer.half;
    const uint64_t other = block == 0 ? 0 : ((uint64_t)3 << (63 - __clzll((long long)block))) - 1 - block;
    fe u, v, difference;
    load_coordinate(&u, lower);
    load_coordinate(&v, upper);
    if (!inverse) {
        quad_multiply(&v, chain_of(layer.digits, layer.sparse, block, layer.positions), block != 0);
    }
    fe minuend = u, subtrahend = v;
    if (inverse && block != 0) {
        minuend = v;
        subtrahend = u;
    }
    apply_sign(&subtrahend, quad_lane() == QUAD_Y);
    difference = quad_sum(minuend, subtrahend);
    u = quad_sum(u, v);
    if (inverse) {
        quad_multiply(&difference, chain_of(layer.digits, layer.sparse, other, layer.positions), block != 0);
    }
    if (exists) {
        store_coordinate(lower, &u);
        store_coordinate(upper, &difference);
    }
}

#if POINT_LANES
static __device__ __noinline__ void lane_sum(xyzz *r, const xyzz *a, const xyzz *b)
{
    xyzz_add(r, a, b);
}

/* Forward, a lane for each butterfly. */
static __global__ void __launch_bounds__(PAIR_BLOCK, LANES_BLOCKS_PER_SM)
    lanes_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (i >= layer.items) {
        return;
    }
    const uint64_t offset = i % layer.half, row = i / layer.half % layer.rows;
    const uint64_t block = i / layer.half / layer.rows;
    xyzz *lower = layer.points + (row << layer.log2) + 2 * layer.half * block + offset;
    xyzz *upper = lower + layer.half;
    xyzz u, v = *upper, sum;
    if (block != 0 && !xyzz_is_infinity(&v)) {
        lane_multiply(&v, &layer.sparse[block]);
    }
    u = *lower;
    lane_sum(&sum, &u, &v);
    *lower = sum;
    fe_neg(&v.y, &v.y);
    lane_sum(&sum, &u, &v);
    *upper = sum;
}
#endif

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    multiply_kernel(const __grid_constant__ point_layer layer)
{
    const uint64_t number = quad_number();
    const bool exists = number < layer.items;
    const uint64_t i = exists ? number : layer.items - 1, each = layer.items / layer.rows;
    const uint64_t row = i / each, place = i % each;
    xyzz *point = layer.points + (row << layer.log2) + place;
    fe a;
    load_coordinate(&a, point);
    quad_multiply(&a, chain_of(layer.digits, NULL, layer.count == 1 ? 0 : place, layer.positions), true);
    if (exists) {
        store_coordinate(point, &a);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels of a transform of points: a layer at a time, by quads, and forward by lanes; several layers at once, forward;
 * and products with scalars. */
#ifndef SUMAC_CUDA_VECTOR_POINT_LAYERS_CUH
#define SUMAC_CUDA_VECTOR_POINT_LAYERS_CUH

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
    const uint64_t row = i / each, index = i % each;
    xyzz *point = layer.points + (row << layer.log2) + index;
    fe a;
    load_coordinate(&a, point);
    quad_multiply(&a, chain_of(layer.digits, NULL, layer.count == 1 ? 0 : index, layer.positions), true);
    if (exists) {
        store_coordinate(point, &a);
    }
}

/* ---- Several layers at once, forward ---- */

/*
 * Layers first .. first + merged - 1 of all rows. In block b of 2^first every 2^merged points x_k, `spacing`
 * apart, become
 *   y_j = sum over k of x_k z_j^k,  z_j = z_0 w^(rev(j) n/2^merged),
 * where w has order n = 2^log2, rev reverses `merged` bits, and z_0 is root number b*2^(merged - 1). So an
 * x_k with k = 2^v*odd meets 2^(merged - v) factors, half of which are the other half's opposites: one
 * product for each of 2^(merged - 1 - v), numbered v after v, k after k. x_0 itself is the last "product".
 */
struct merged_layers {
    xyzz *points;
    xyzz *products;
    const point_digits *digits;  /* of the roots */
    const sparse_digits *sparse; /* likewise; null: a warp has several roots */
    uint64_t items;              /* products, or parts of sums */
    uint64_t rows;
    uint64_t spacing;
    uint32_t log2, merged;
    uint32_t positions;
    uint32_t terms; /* products of 2^merged points, x_0 among them */
    uint32_t parts; /* quads for each sum, next to each other: a divisor of a warp's and of 2^merged */
};

enum { MOST_MERGED = 7 };

/* Products of the x_k with k = 2^v*odd. */
static __host__ __device__ __forceinline__ uint32_t terms_of_power(uint32_t merged, uint32_t v)
{
    return 1u << 2 * (merged - 1 - v);
}

static uint32_t terms_of(uint32_t merged)
{
    uint32_t terms = 1;
    for (uint32_t v = 0; v < merged; v++) {
        terms += terms_of_power(merged, v);
    }
    return terms;
}

/* Quads that add up a sum. */
static uint32_t parts_of(uint32_t merged)
{
    return merged < 4 ? 1 : WARP_QUADS;
}

static __device__ __forceinline__ uint64_t reversed(uint64_t i, uint32_t bits)
{
    return bits == 0 ? 0 : __brevll(i) >> (64 - bits);
}

/* The exponent of w in product `term` of block b, and its k. */
static __device__ __forceinline__ uint64_t term_exponent(const merged_layers &m, uint64_t block,
                                                         uint32_t term, uint32_t *k)
{
    uint32_t v = 0;
    for (; v < m.merged && term >= terms_of_power(m.merged, v); v++) {
        term -= terms_of_power(m.merged, v);
    }
    if (v == m.merged) { /* x_0 */
        *k = 0;
        return 0;
    }
    const uint32_t factors = 1u << (m.merged - 1 - v);
    const uint64_t n = (uint64_t)1 << m.log2;
    *k = (2 * (term / factors) + 1) << v;
    const uint64_t first = reversed(block << (m.merged - 1), m.log2 - 1);
    return (*k * first + (((uint64_t)(term % factors) << v) * n >> m.merged)) & (n - 1);
}

/* The number of x_k's product in y_j; *negative tells whether it is subtracted. */
static __device__ __forceinline__ uint32_t term_of(const merged_layers &m, uint32_t j, uint32_t k,
                                                   bool *negative)
{
    *negative = false;
    if (k == 0) {
        return m.terms - 1;
    }
    const uint32_t v = (uint32_t)__ffs((int)k) - 1;
    uint32_t before = 0;
    for (uint32_t smaller = 0; smaller < v; smaller++) {
        before += terms_of_power(m.merged, smaller);
    }
    const uint32_t turn = (k * (uint32_t)reversed(j, m.merged) & ((1u << m.merged) - 1)) >> v;
    const uint32_t factors = 1u << (m.merged - 1 - v);
    *negative = turn >= factors;
    return before + (k >> (v + 1)) * factors + turn % factors;
}

/* Terms one after another, so that a warp's quads have one root where they can. */
static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    products_kernel(const __grid_constant__ merged_layers m)
{
    const uint64_t number = quad_number();
    const bool exists = number < m.items;
    const uint64_t i = exists ? number : m.items - 1;
    const uint64_t offset = i % m.spacing, row = i / m.spacing % m.rows, rest = i / m.spacing / m.rows;
    const uint64_t block = rest / m.terms, half = (uint64_t)1 << (m.log2 - 1);
    uint32_t k;
    const uint64_t exponent = term_exponent(m, block, (uint32_t)(rest % m.terms), &k);
    const uint64_t root = reversed(exponent & (half - 1), m.log2 - 1);
    fe a;
    load_coordinate(&a, &m.points[(row << m.log2) + ((block << m.merged) + k) * m.spacing + offset]);
    quad_multiply(&a, chain_of(m.digits, m.sparse, root, m.positions), root != 0);
    apply_sign(&a, exponent >= half && quad_lane() == QUAD_Y);
    if (exists) {
        store_coordinate(&m.products[i], &a);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK, POINTS_BLOCKS_PER_SM)
    merged_sums_kernel(const __grid_constant__ merged_layers m)
{
    const uint64_t number = quad_number();
    const bool exists = number < m.items;
    const uint64_t i = (exists ? number : m.items - 1) / m.parts;
    const uint64_t offset = i % m.spacing, row = i / m.spacing % m.rows, rest = i / m.spacing / m.rows;
    const uint64_t block = rest >> m.merged;
    const uint32_t j = (uint32_t)rest & ((1u << m.merged) - 1);
    fe sum, term;
    fe_set_zero(&sum);
#pragma unroll 1
    for (uint32_t k = (uint32_t)number % m.parts; k < 1u << m.merged; k += m.parts) {
        bool negative;
        const uint64_t number_of_term = block * m.terms + term_of(m, j, k, &negative);
        load_coordinate(&term, &m.products[(number_of_term * m.rows + row) * m.spacing + offset]);
        apply_sign(&term, negative && quad_lane() == QUAD_Y);
        sum = quad_sum(sum, term);
    }
#pragma unroll 1
    for (uint32_t distance = m.parts / 2; distance > 0; distance /= 2) {
        fe_from_lane_above(&term, &sum, (int)(distance * QUAD));
        sum = quad_sum(sum, term);
    }
    if (exists && number % m.parts == 0) {
        store_coordinate(&m.points[(row << m.log2) + ((block << m.merged) + j) * m.spacing + offset], &sum);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels of a transform of points, several layers at once, forward. */
#ifndef SUMAC_CUDA_VECTOR_POINT_MERGED_LAYERS_CUH
#define SUMAC_CUDA_VECTOR_POINT_MERGED_LAYERS_CUH

#include "cuda/device/curve.h"
#include "cuda/vector/point_layers.cuh"

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

enum { MOST_MERGED = 7, WARP_QUADS = 32 / QUAD };

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

/* Which product is x_k's in y_j, and whether it is subtracted. */
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

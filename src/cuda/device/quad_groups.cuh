/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Sums of many points by groups of 2^level quads (quads.cuh), at most all of a block: a quad adds one point after
 * another, and then a tree adds what the group's quads have.
 */
#ifndef SUMAC_CUDA_DEVICE_QUAD_GROUPS_CUH
#define SUMAC_CUDA_DEVICE_QUAD_GROUPS_CUH

#include "cuda/device/quads.cuh"

enum {
    QUADS = (unsigned)PAIR_BLOCK / QUAD,
    WARPS = PAIR_BLOCK / 32,
    WARP_LEVELS = 3, /* of the tree within a warp */
    WARP_QUADS = 1 << WARP_LEVELS,
    QUADS_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 + 1 /* for the registers */
};

SUMAC_STATIC_ASSERT(QUADS == 1 << QUAD_GROUP_LEVELS, "the largest group has all quads of a block");
SUMAC_STATIC_ASSERT(WARPS <= WARP_QUADS, "one warp adds what the warps of a block have");

/* The quad's number in its group. */
static __device__ __forceinline__ uint32_t quad_of(uint32_t level)
{
    return threadIdx.x / QUAD & ((1u << level) - 1);
}

/* The sums that the group's warps have, one a quad of its first warp; infinity for the other quads. */
static __device__ __forceinline__ void gather_warps(fe *sum, fe *warp_sums, uint32_t level)
{
    const uint32_t warp = threadIdx.x / 32, quad = threadIdx.x % 32 / QUAD;
    const uint32_t warps = 1u << (level - WARP_LEVELS); /* of a group */
    if (quad == 0) {
        fe_store(&warp_sums[warp * QUAD + quad_lane()], sum);
    }
    __syncthreads();
    fe_set_zero(sum);
    if (warp % warps == 0 && quad < warps) {
        fe_load(sum, &warp_sums[(warp + quad) * QUAD + quad_lane()]);
    }
}

/*
 * In the group's first quad, the sum of what its quads have and of its points from number `first` << level on.
 * points.fetch(r, k) begins to read this lane's part of point k, nothing where there is none, and returns
 * what points.complete(r, that) needs to make the coordinate of it: so the next point comes while one is
 * added. All quads of a warp take `steps` - first of them, and the block has one level; warp_sums is shared
 * memory for WARPS * QUAD elements.
 */
template <typename group_points>
static __device__ __forceinline__ void add_group(fe *sum, const group_points &points, uint32_t first,
                                                 uint32_t steps, uint32_t level, fe *warp_sums)
{
    fe next;
    uint32_t fetched = points.fetch(&next, quad_of(level) + (first << level));
#pragma unroll 1
    for (uint32_t step = first; step < steps + level; step++) {
        fe other;
        if (step < steps) {
            other = next;
            points.complete(&other, fetched);
            fetched = points.fetch(&next, quad_of(level) + ((step + 1) << level));
        } else {
            const uint32_t tree_level = step - steps;
            if (tree_level == WARP_LEVELS) {
                gather_warps(sum, warp_sums, level);
            }
            fe_exchange(&other, sum, QUAD << tree_level % WARP_LEVELS);
        }
        quad_add_unless_infinity(sum, &other);
    }
}

#endif

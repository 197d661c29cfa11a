/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The last additions of accumulate, compiled per curve. Where a bucket's L points are few, a group of quads
 * adds them as XYZZ points (quads.cuh), and one inversion for the block's sums makes them affine again: a few
 * additions and one inversion to wait for, where every round would wait for one.
 *
 * Class j has the buckets of 2^j quads, so that a group never lies in two blocks. 2^j is the largest power of
 * two below L, and at most 2^(FINISH_CLASSES - 1), all quads of a block: a quad has one point or two, and
 * more only in the last class, where a block has one bucket. Then a tree adds what the group's quads have. So
 * all quads of a block take the same steps.
 */
#include "cuda/device/engine.h"
#include "cuda/device/errors.h"
#include "cuda/device/quads.cuh"
#include "cuda/device/symbols.h"

enum {
    QUADS = (unsigned)PAIR_BLOCK / QUAD,
    WARPS = PAIR_BLOCK / 32,
    WARP_LEVELS = 3, /* of the tree within a warp */
    WARP_QUADS = 1 << WARP_LEVELS,
    FINISH_BLOCKS_PER_SM = PAIR_BLOCKS_PER_SM / 2 + 1 /* for the registers */
};

SUMAC_STATIC_ASSERT(QUADS == 1 << (FINISH_CLASSES - 1), "the last class has all quads of a block");
SUMAC_STATIC_ASSERT(WARPS <= WARP_QUADS, "one warp adds what the warps of a block have");

/* What a quad is there for. */
struct quad_place {
    uint32_t level;  /* the bucket has 2^level quads */
    uint32_t steps;  /* in which quads add one point after another; the same for the block */
    uint32_t points; /* of the bucket; 0 where there is none */
    uint32_t slot;   /* its first */
};

/* False where the block has nothing to do. Buckets of more quads take longer, and come first. */
static __device__ __forceinline__ bool find_place(quad_place *place, const finish_lists &lists)
{
    uint32_t counts[FINISH_CLASSES]; /* all read at once */
#pragma unroll
    for (int j = 0; j < FINISH_CLASSES; j++) {
        counts[j] = lists.counts[j];
    }
    uint32_t block = blockIdx.x, level = FINISH_CLASSES, count = 0;
#pragma unroll
    for (int j = FINISH_CLASSES - 1; j >= 0; j--) {
        const uint32_t blocks = ((counts[j] << j) + QUADS - 1) / QUADS;
        if (level == FINISH_CLASSES && block < blocks) {
            level = (uint32_t)j;
            count = counts[j];
        }
        block -= level == FINISH_CLASSES ? blocks : 0;
    }
    if (level == FINISH_CLASSES) {
        return false;
    }
    const uint2 *entries = lists.entries + lists.first[level];
    const uint32_t bucket = (block * QUADS + threadIdx.x / QUAD) >> level;
    const bool exists = bucket < count;
    const uint2 entry = exists ? entries[bucket] : make_uint2(0, 0);
    place->level = level;
    place->steps = entries[(block * QUADS) >> level].y >> *lists.shift >> level;
    place->points = exists ? 1 + (entry.y >> *lists.shift) : 0;
    place->slot = entry.x;
    return true;
}

/* The quad's number among the bucket's. */
static __device__ __forceinline__ uint32_t quad_of(const quad_place &place)
{
    return threadIdx.x / QUAD & ((1u << place.level) - 1);
}

/* This lane's coordinate of point k of the bucket. */
static __device__ __forceinline__ void load_point(fe *r, const finish_lists &lists, const quad_place &place,
                                                  uint32_t k)
{
    const affine *first = (const affine *)lists.slot_points + place.slot;
    quad_load_affine(r, k < place.points ? first + ((uint64_t)k << *lists.shift) : NULL);
}

/* The sums that the bucket's warps have, one a quad of its first warp; infinity for the other quads. */
static __device__ __forceinline__ void gather_warps(fe *sum, fe *warp_sums, uint32_t level)
{
    const uint32_t warp = threadIdx.x / 32, quad = threadIdx.x % 32 / QUAD;
    const uint32_t warps = 1u << (level - WARP_LEVELS); /* of a bucket */
    if (quad == 0) {
        fe_store(&warp_sums[warp * QUAD + quad_lane()], sum);
    }
    __syncthreads();
    fe_set_zero(sum);
    if (warp % warps == 0 && quad < warps) {
        fe_load(sum, &warp_sums[(warp + quad) * QUAD + quad_lane()]);
    }
}

/* The bucket's sum, in its first quad. */
static __device__ __forceinline__ void add_points(fe *sum, const finish_lists &lists, const quad_place &place,
                                                  fe *warp_sums)
{
    load_point(sum, lists, place, quad_of(place));
#pragma unroll 1
    for (uint32_t step = 0; step < place.steps + place.level; step++) {
        fe other;
        if (step < place.steps) {
            load_point(&other, lists, place, quad_of(place) + ((step + 1) << place.level));
        } else {
            const uint32_t level = step - place.steps;
            if (level == WARP_LEVELS) {
                gather_warps(sum, warp_sums, place.level);
            }
            fe_exchange(&other, sum, QUAD << level % WARP_LEVELS);
        }
        quad_add_unless_infinity(sum, &other);
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK, FINISH_BLOCKS_PER_SM)
    finish_kernel(const __grid_constant__ finish_lists lists)
{
    __shared__ __align__(16) unsigned char inverse_products[INVERSES * sizeof(fe)];
    __shared__ __align__(16) unsigned char warp_sums[WARPS * QUAD * sizeof(fe)];
    quad_place place;
    if (!find_place(&place, lists)) {
        return; /* the whole block */
    }
    fe sum, inverse, factor;
    add_points(&sum, lists, place, (fe *)warp_sums);
    /* All lanes of a quad invert its ZZZ, those without a sum 1. */
    const bool is_first = quad_of(place) == 0 && place.points > 0;
    fe_from_lane(&inverse, &sum, QUAD_ZZZ);
    fe_from_lane(&factor, &sum, QUAD_ZZ);
    const bool infinity = fe_is_zero(&factor) != 0;
    if (!is_first || infinity) {
        fe_set_one(&inverse);
    }
    block_inverse<QUAD_LEVELS>(&inverse, (fe *)inverse_products, blockIdx.x % WARPS, false);
    fe_mul_called(&factor, &factor, &inverse); /* 1/Z */
    fe_mul_called(&factor, &factor, &factor);
    factor = quad_lane() == QUAD_X ? factor : inverse;
    fe_mul_called(&sum, &sum, &factor);
    if (infinity) {
        fe_set_zero(&sum);
    }
    if (is_first && quad_lane() < QUAD_ZZ) {
        fe_store((fe *)((affine *)lists.slot_points + place.slot) + quad_lane(), &sum);
    }
}

sumac_status SUMAC_SYMBOL(finish)(cuda_engine *engine, cudaStream_t stream, const finish_lists *lists)
{
    if (lists->additions > 0) {
        /* Of every class the last block may have less than all of its quads to do. */
        const unsigned blocks = static_cast<unsigned>(lists->additions / QUADS) + FINISH_CLASSES;
        finish_kernel<<<blocks, PAIR_BLOCK, 0, stream>>>(*lists);
        CUDA_TRY(engine, cudaGetLastError());
    }
    return SUMAC_OK;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file does the last additions of accumulate; it is compiled per curve. If a bucket has few points left, L of them, a
 * group of quads adds them as XYZZ points (quads.cuh), and one inversion for the block's sums makes the sums affine again.
 * That takes the time of a few additions and one inversion, while every round would wait for an inversion.
 *
 * Class j has the buckets of 2^j quads, so that a group never lies in two blocks. 2^j is the largest power of two below
 * L, and at most 2^(FINISH_CLASSES - 1), all quads of a block. A quad has one point or two, and more only in the last
 * class, where a block has one bucket. Then a tree adds the quads' sums. So all quads of a block take the same steps.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/device/quads.cuh"

/* This is the work of a quad. */
struct quad_work {
    uint32_t level;  /* the bucket has 2^level quads */
    uint32_t steps;  /* the quads of the block each add this number of points one after another */
    uint32_t points; /* the bucket's number of points; 0: no bucket */
    uint32_t slot;   /* the bucket's first slot */
};

/* Return false if the block has nothing to do. Buckets of more quads take longer, so the first blocks have them. */
static __device__ __forceinline__ bool find_work(quad_work *work, const finish_lists &lists)
{
    uint32_t counts[FINISH_CLASSES]; /* all counts are read at once */
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
    work->level = level;
    work->steps = entries[(block * QUADS) >> level].y >> *lists.shift >> level;
    work->points = exists ? 1 + (entry.y >> *lists.shift) : 0;
    work->slot = entry.x;
    return true;
}

/* This struct gives add_group() the bucket's points. */
struct slot_group {
    const affine *first;
    uint32_t count;
    uint32_t shift;

    __device__ __forceinline__ uint32_t fetch(fe *r, uint32_t k) const
    {
        quad_fetch_affine(r, k < count ? first + ((uint64_t)k << shift) : NULL);
        return 0;
    }

    __device__ __forceinline__ void complete(fe *r, uint32_t) const
    {
        quad_complete_affine(r);
    }
};

static __global__ void __launch_bounds__(PAIR_BLOCK, QUADS_BLOCKS_PER_SM)
    finish_kernel(const __grid_constant__ finish_lists lists)
{
    __shared__ __align__(16) unsigned char inverse_products[INVERSES * sizeof(fe)];
    __shared__ __align__(16) unsigned char warp_sums[WARPS * QUAD * sizeof(fe)];
    quad_work work;
    if (!find_work(&work, lists)) {
        return; /* this holds for the whole block */
    }
    const slot_group points = {(const affine *)lists.slot_points + work.slot, work.points, *lists.shift};
    fe sum, inverse, factor;
    points.complete(&sum, points.fetch(&sum, quad_of(work.level)));
    add_group(&sum, points, 1, 1 + work.steps, work.level, (fe *)warp_sums);
    /* All lanes of a quad invert its ZZZ, or 1 if the quad has no sum. */
    const bool is_first = quad_of(work.level) == 0 && work.points > 0;
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
        fe_store((fe *)((affine *)lists.slot_points + work.slot) + quad_lane(), &sum);
    }
}

sumac_status SUMAC_SYMBOL(finish)(cuda_engine *engine, cudaStream_t stream, const finish_lists *lists)
{
    if (lists->additions > 0) {
        /* The last block of each class may have work for only some of its quads. */
        const unsigned blocks = static_cast<unsigned>(lists->additions / QUADS) + FINISH_CLASSES;
        TRY(cuda_launch(engine, stream, finish_kernel, blocks, PAIR_BLOCK, *lists));
    }
    return SUMAC_OK;
}

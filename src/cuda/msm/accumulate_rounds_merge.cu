/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The bucket sums of later copy slices, added to those of the copy slices before: compiled per curve. What is to be
 * added comes behind the sums that are there, bucket by bucket; one round of pairwise additions then adds the pairs.
 * Where one of the two is infinity there is nothing to add, so that such buckets never slow a round down.
 */
#include "cuda/device/errors.h"
#include "cuda/device/launch.h"
#include "cuda/device/elements.cuh"
#include "cuda/device/symbols.h"

static __global__ void __launch_bounds__(PAIR_BLOCK)
    merge_kernel(const slot_map map, const affine *slot_points, affine *sums, affine *behind, uint32_t *lefts,
                 uint32_t *count)
{
    __shared__ uint32_t next;
    const uint64_t b = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    bool both = false;
    if (threadIdx.x == 0) {
        next = 0;
    }
    __syncthreads();
    if (b < map.buckets && map.starts[b + 1] != map.starts[b]) {
        const affine *slot = &slot_points[first_slot(b, map.starts[b])];
        affine before, sum;
        fe_load(&before.x, &sums[b].x);
        fe_load(&before.y, &sums[b].y);
        fe_load(&sum.x, &slot->x);
        fe_load(&sum.y, &slot->y);
        both = !affine_is_infinity(&before);
        affine *out = both ? &behind[b] : &sums[b];
        fe_store(&out->x, &sum.x);
        fe_store(&out->y, &sum.y);
    }
    /* The block's pairs take a range of the list. */
    const uint32_t own = both ? atomicAdd(&next, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        next = next == 0 ? 0 : atomicAdd(count, next);
    }
    __syncthreads();
    if (both) {
        lefts[next + own] = (uint32_t)b;
    }
}

sumac_status SUMAC_SYMBOL(merge)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                                 const void *slot_points, const merge_lists *lists, const bucket_sums *sums)
{
    affine *there = (affine *)sums->points, *behind = (affine *)sums->behind;
    CUDA_TRY(engine, cudaMemsetAsync(lists->count, 0, sizeof *lists->count, stream));
    merge_kernel<<<blocks_for(map->buckets, PAIR_BLOCK), PAIR_BLOCK, 0, stream>>>(
        *map, (const affine *)slot_points, there, behind, lists->lefts, lists->count);
    CUDA_TRY(engine, cudaGetLastError());
    pair_round round = {};
    round.points = there;
    round.out = there;
    round.lefts = lists->lefts;
    round.count = lists->count;
    round.limit = map->buckets;
    round.stride = (uint32_t)(behind - there);
    round.products = lists->products;
    return SUMAC_SYMBOL(sum_pairs)(engine, stream, &round);
}

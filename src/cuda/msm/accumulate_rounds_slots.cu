/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file begins and ends accumulate by rounds; it is compiled per curve. The point of an entry without a partner in
 * round 1 is copied to its slot. After the last round each bucket's sum is copied from its first slot, or added to the
 * sum of earlier copy slices.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/device/elements.cuh"

enum { POINT_CHUNKS = sizeof(affine) / 16 };

/* Neighbouring lanes read and write neighbouring 16 bytes of a point, so that accesses are coalesced. */
static __global__ void __launch_bounds__(PAIR_BLOCK)
    singles_kernel(const affine *table, const uint2 *singles, const uint32_t *count, affine *out)
{
    __shared__ __align__(16) affine points[PAIR_BLOCK];
    __shared__ uint2 block_singles[PAIR_BLOCK];
    const uint64_t first = blockIdx.x * (uint64_t)PAIR_BLOCK;
    if (first >= *count) {
        return; /* this holds for the whole block */
    }
    const uint32_t here = *count - first < PAIR_BLOCK ? (uint32_t)(*count - first) : PAIR_BLOCK;
    if (threadIdx.x < here) {
        block_singles[threadIdx.x] = singles[first + threadIdx.x];
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < here * POINT_CHUNKS; i += PAIR_BLOCK) {
        const uint4 *from = (const uint4 *)&table[block_singles[i / POINT_CHUNKS].y >> 1];
        ((uint4 *)points)[i] = from[i % POINT_CHUNKS];
    }
    __syncthreads();
    if (threadIdx.x < here && (block_singles[threadIdx.x].y & 1) != 0) {
        fe y;
        fe_load(&y, &points[threadIdx.x].y);
        apply_sign(&y, 1);
        fe_store(&points[threadIdx.x].y, &y);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < here * POINT_CHUNKS; i += PAIR_BLOCK) {
        ((uint4 *)&out[block_singles[i / POINT_CHUNKS].x])[i % POINT_CHUNKS] = ((const uint4 *)points)[i];
    }
}

sumac_status SUMAC_SYMBOL(copy_singles)(cuda_engine *engine, cudaStream_t stream, const void *table,
                                        const uint2 *singles, const uint32_t *count, uint64_t limit,
                                        void *out)
{
    return cuda_launch(engine, stream, singles_kernel, blocks_for(limit, PAIR_BLOCK), PAIR_BLOCK,
                       (const affine *)table, singles, count, (affine *)out);
}

/* Each thread copies one chunk of a sum. */
static __global__ void __launch_bounds__(PAIR_BLOCK)
    collect_kernel(const slot_map map, const affine *slot_points, uint4 *sums)
{
    const uint64_t i = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    const uint64_t b = i / POINT_CHUNKS;
    if (b >= map.buckets) {
        return;
    }
    const uint32_t start = map.starts[b];
    uint4 chunk = make_uint4(0, 0, 0, 0); /* infinity */
    if (map.starts[b + 1] != start) {
        chunk = ((const uint4 *)&slot_points[first_slot(b, start)])[i % POINT_CHUNKS];
    }
    sums[i] = chunk;
}

sumac_status SUMAC_SYMBOL(collect)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                                   const void *slot_points, void *sums)
{
    return cuda_launch(engine, stream, collect_kernel, blocks_for(map->buckets * POINT_CHUNKS, PAIR_BLOCK),
                       PAIR_BLOCK, *map, (const affine *)slot_points, (uint4 *)sums);
}

/* ---- Later copy slices ---- */

/* The bucket sums of a later copy slice are added to the earlier sums. For this they are written behind the earlier
 * sums, and one round of pairwise additions adds the pairs. If one sum of a pair is infinity, the pair is not listed,
 * and costs no addition. */
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
    /* Reserve a range of the list for the block's pairs. */
    const uint32_t rank = both ? atomicAdd(&next, 1) : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        next = next == 0 ? 0 : atomicAdd(count, next);
    }
    __syncthreads();
    if (both) {
        lefts[next + rank] = (uint32_t)b;
    }
}

sumac_status SUMAC_SYMBOL(merge)(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                                 const void *slot_points, const merge_lists *lists, const bucket_sums *sums)
{
    affine *points = (affine *)sums->points, *behind = (affine *)sums->behind;
    CUDA_TRY(engine, cudaMemsetAsync(lists->count, 0, sizeof *lists->count, stream));
    TRY(cuda_launch(engine, stream, merge_kernel, blocks_for(map->buckets, PAIR_BLOCK), PAIR_BLOCK, *map,
                    (const affine *)slot_points, points, behind, lists->lefts, lists->count));
    pair_round round = {};
    round.points = points;
    round.out = points;
    round.lefts = lists->lefts;
    round.count = lists->count;
    round.limit = map->buckets;
    round.stride = (uint32_t)(behind - points);
    round.products = lists->products;
    return SUMAC_SYMBOL(sum_pairs)(engine, stream, &round);
}

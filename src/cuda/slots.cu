/*
 * The ends of accumulate, compiled per curve: entries that have no partner in round 1 become their slot's
 * point, and after the last round every bucket's sum is collected from its first slot.
 */
#include "cuda/engine.h"
#include "cuda/pairs.cuh"
#include "cuda/symbols.h"

static __global__ void __launch_bounds__(PAIR_BLOCK)
    singles_kernel(const slot_map map, const affine *table, const uint32_t *pairs, uint64_t slots,
                   affine *out)
{
    const uint64_t slot = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (slot >= slots) {
        return;
    }
    const uint32_t b = map.owners[slot];
    const uint32_t entry = map.starts[b] + 2 * ((uint32_t)slot - map.slots[b]);
    if (entry + 1 != map.starts[b + 1]) {
        return;
    }
    const uint32_t pair = pairs[entry];
    fe x, y;
    fe_load(&x, &table[pair >> 1].x);
    fe_load(&y, &table[pair >> 1].y);
    apply_sign(&y, pair & 1);
    fe_store(&out[slot].x, &x);
    fe_store(&out[slot].y, &y);
}

sumac_status SUMAC_SYMBOL(copy_singles)(cuda_engine *engine, const slot_map *map, const void *table,
                                        const uint32_t *pairs, uint64_t slots, void *out)
{
    singles_kernel<<<blocks_for(slots, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        *map, (const affine *)table, pairs, slots, (affine *)out);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

static __global__ void __launch_bounds__(PAIR_BLOCK)
    collect_kernel(const slot_map map, const affine *slot_points, affine *sums)
{
    const uint64_t b = blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
    if (b >= map.buckets) {
        return;
    }
    affine sum;
    affine_set_infinity(&sum);
    if (map.slots[b + 1] != map.slots[b]) {
        fe_load(&sum.x, &slot_points[map.slots[b]].x);
        fe_load(&sum.y, &slot_points[map.slots[b]].y);
    }
    fe_store(&sums[b].x, &sum.x);
    fe_store(&sums[b].y, &sum.y);
}

sumac_status SUMAC_SYMBOL(collect)(cuda_engine *engine, const slot_map *map, const void *slot_points,
                                   void *sums)
{
    collect_kernel<<<blocks_for(map->buckets, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        *map, (const affine *)slot_points, (affine *)sums);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/*
 * One round of pairwise additions, compiled per curve: pair_round in engine.h says which pairs. A thread
 * takes up to `depth` pairs, a block's pairs lie together.
 *
 * - Forwards over the pairs: products[k] = product of the denominators of the thread's earlier pairs.
 *
 * - One inversion a thread, shared by the block.
 *
 * - Backwards: the inverse of each denominator, slope, sum.
 *
 * An addition is 5M + 1S and its share of the inversion.
 */
#include "cuda/engine.h"
#include "cuda/pairs.cuh"
#include "cuda/symbols.h"

/* A thread's chain: long enough to make its share of an inversion cheap. */
enum { MAX_DEPTH = 64 };

/* The two points of a pair: gathered as 2*index + negative, in place as indices. */
struct pair_entries {
    uint32_t first;
    uint32_t second;
};

/* reduce's pair k: list 0 begins at 0, list q at 2^(q - 1); element e of a list is e * 2^(level + 1) further
 * on. */
static __device__ uint32_t vector_left(const pair_round *round, uint64_t k)
{
    const uint32_t element_bits = round->vector_bits - round->level - 1;
    const uint32_t element = (uint32_t)k & ((1u << element_bits) - 1);
    const uint32_t row = (uint32_t)(k >> element_bits);
    const uint32_t vector = row % round->vectors;
    const uint32_t list = row / round->vectors;
    const uint32_t first = list == 0 ? 0 : 1u << (list - 1);
    return (vector << round->vector_bits) + first + (element << (round->level + 1));
}

template <bool gathered>
static __device__ __forceinline__ pair_entries entries_of(const pair_round *round, uint64_t k)
{
    pair_entries entries;
    if (gathered) {
        const uint32_t left = round->lefts[k];
        entries.first = round->pairs[left];
        entries.second = round->pairs[left + 1];
    } else {
        entries.first = round->lefts != NULL ? round->lefts[k] : vector_left(round, k);
        entries.second = entries.first + round->stride;
    }
    return entries;
}

template <bool gathered>
static __device__ __forceinline__ const affine *point_of(const pair_round *round, uint32_t entry)
{
    return (const affine *)round->points + (gathered ? entry >> 1 : entry);
}

/* Ask for a point that will be read in the next step, sector by sector. */
static __device__ __forceinline__ void prefetch_point(const affine *point)
{
    SUMAC_UNROLL
    for (int offset = 0; offset < (int)sizeof(affine); offset += 32) {
        asm volatile("prefetch.global.L2 [%0];" : : "l"((const char *)point + offset));
    }
}

template <bool gathered>
static __device__ __forceinline__ void load_y(fe *y, const affine *point, uint32_t entry)
{
    fe_load(y, &point->y);
    if (gathered) {
        fe opposite;
        fe_neg(&opposite, y);
        fe_cmov(y, &opposite, (int)(entry & 1));
    }
}

template <bool gathered>
static __device__ __forceinline__ void load_point(affine *point, const pair_round *round, uint32_t entry)
{
    const affine *from = point_of<gathered>(round, entry);
    fe_load(&point->x, &from->x);
    load_y<gathered>(&point->y, from, entry);
}

/* The denominator of a pair that is not known to be plain. */
template <bool gathered>
static __device__ __noinline__ void rare_denominator(fe *denominator, const pair_round *round,
                                                     pair_entries entries)
{
    affine a, b;
    load_point<gathered>(&a, round, entries.first);
    load_point<gathered>(&b, round, entries.second);
    pair_rare_denominator(denominator, &a, &b);
}

template <bool gathered>
static __device__ __noinline__ void rare_sum(affine *out, const pair_round *round, pair_entries entries,
                                             const fe *inverse)
{
    affine a, b, sum;
    load_point<gathered>(&a, round, entries.first);
    load_point<gathered>(&b, round, entries.second);
    pair_rare_sum(&sum, &a, &b, inverse);
    fe_store(&out->x, &sum.x);
    fe_store(&out->y, &sum.y);
}

/* The pair's denominator from its x; 1 when the pair is plain. */
template <bool gathered>
static __device__ __forceinline__ int denominator_of(fe *denominator, const pair_round *round,
                                                     pair_entries entries, const fe *x1, const fe *x2)
{
    const int plain = pair_is_plain(denominator, x1, x2);
    if (SUMAC_UNLIKELY(!plain)) {
        fe rare; /* what a call gets by address lives in memory: not the denominator itself */
        rare_denominator<gathered>(&rare, round, entries);
        *denominator = rare;
    }
    return plain;
}

/* The backward step of one pair. *inverse is 1/(product of the denominators up to and with this pair's), and
 * after it of those before; product is that of those before. */
template <bool gathered>
static __device__ __forceinline__ void add_pair(const pair_round *round, uint64_t k, pair_entries entries,
                                                fe *inverse)
{
    const affine *a = point_of<gathered>(round, entries.first);
    const affine *b = point_of<gathered>(round, entries.second);
    affine *out = (affine *)round->out + (gathered ? round->targets[k] : entries.first);
    fe x1, x2, denominator, slope, y;
    fe_load(&x1, &a->x);
    fe_load(&x2, &b->x);
    fe_load(&slope, (const fe *)round->products + k);
    const int plain = denominator_of<gathered>(&denominator, round, entries, &x1, &x2);
    fe_mul(&slope, &slope, inverse);
    fe_mul(inverse, inverse, &denominator);
    if (SUMAC_UNLIKELY(!plain)) {
        const fe own = slope;
        rare_sum<gathered>(out, round, entries, &own);
        return;
    }
    load_y<gathered>(&y, a, entries.first);
    load_y<gathered>(&denominator, b, entries.second);
    fe_sub(&denominator, &denominator, &y);
    fe_mul(&slope, &slope, &denominator);
    fe_sqr(&denominator, &slope);
    fe_sub(&denominator, &denominator, &x1);
    fe_sub(&denominator, &denominator, &x2);
    fe_sub(&x1, &x1, &denominator);
    fe_mul(&slope, &x1, &slope);
    fe_sub(&y, &slope, &y);
    fe_store(&out->x, &denominator);
    fe_store(&out->y, &y);
}

/* Pairs a thread. The blocks then fill the device a whole number of times. */
static __host__ __device__ uint32_t depth_for(uint64_t count, uint32_t resident_threads)
{
    const uint64_t fills =
        (count + (uint64_t)resident_threads * MAX_DEPTH - 1) / ((uint64_t)resident_threads * MAX_DEPTH);
    return fills == 0 ? 1 : (uint32_t)((count + resident_threads * fills - 1) / (resident_threads * fills));
}

template <bool gathered>
static __global__ void __launch_bounds__(PAIR_BLOCK, PAIR_BLOCKS_PER_SM)
    pair_kernel(const __grid_constant__ pair_round round, uint32_t resident_threads)
{
    const uint64_t count = round.count != NULL ? *round.count : round.limit;
    const uint32_t depth = depth_for(count, resident_threads);
    const uint64_t first = blockIdx.x * (uint64_t)PAIR_BLOCK * depth + threadIdx.x;
    const uint64_t end =
        first + (uint64_t)PAIR_BLOCK * depth < count ? first + (uint64_t)PAIR_BLOCK * depth : count;
    fe *products = (fe *)round.products;
    if (first - threadIdx.x >= count) {
        return; /* the whole block */
    }
    fe chain;
    fe_set_one(&chain);
    uint64_t k = first;
    if (first < end) {
        /* Entries are read two steps ahead of their use, coordinates one. */
        pair_entries entries = entries_of<gathered>(&round, k);
        pair_entries next = k + PAIR_BLOCK < end ? entries_of<gathered>(&round, k + PAIR_BLOCK) : entries;
        fe x1, x2;
        fe_load(&x1, &point_of<gathered>(&round, entries.first)->x);
        fe_load(&x2, &point_of<gathered>(&round, entries.second)->x);
#pragma unroll 1
        for (; k < end; k += PAIR_BLOCK) {
            fe denominator;
            (void)denominator_of<gathered>(&denominator, &round, entries, &x1, &x2);
            entries = next;
            fe_load(&x1, &point_of<gathered>(&round, entries.first)->x);
            fe_load(&x2, &point_of<gathered>(&round, entries.second)->x);
            if (k + 2 * PAIR_BLOCK < end) {
                next = entries_of<gathered>(&round, k + 2 * PAIR_BLOCK);
            }
            fe_store(&products[k], &chain);
            fe_mul(&chain, &chain, &denominator);
        }
    }
    if (gridDim.x * 2 <= resident_threads / PAIR_BLOCK) {
        /* The device is not half full: every thread for itself is the shorter wait. */
        const fe product = chain;
        fe inverse;
        fe_inv(&inverse, &product);
        chain = inverse;
    } else {
        block_inverse(&chain);
    }
    if (first >= end) {
        return;
    }
    /* k is the first step behind the thread's last. */
    pair_entries next = entries_of<gathered>(&round, k - PAIR_BLOCK);
#pragma unroll 1
    while (k > first) {
        k -= PAIR_BLOCK;
        const pair_entries entries = next;
        if (k > first) {
            next = entries_of<gathered>(&round, k - PAIR_BLOCK);
            if (!gathered) { /* the gathering round is bound by memory, and a prefetch fetches more than the
                                point */
                prefetch_point(point_of<gathered>(&round, next.first));
                prefetch_point(point_of<gathered>(&round, next.second));
            }
        }
        add_pair<gathered>(&round, k, entries, &chain);
    }
}

sumac_status SUMAC_SYMBOL(sum_pairs)(cuda_engine *engine, const pair_round *round)
{
    /* The count may be less than the limit, and the depth with it: never more blocks than this have pairs. */
    const uint64_t resident = (uint64_t)engine->multiprocessors * PAIR_BLOCKS_PER_SM;
    const uint32_t threads = (uint32_t)resident * PAIR_BLOCK;
    const uint64_t filling =
        (round->limit + threads * (uint64_t)MAX_DEPTH - 1) / (threads * (uint64_t)MAX_DEPTH) * resident;
    const uint64_t shallow = blocks_for(round->limit, PAIR_BLOCK);
    const unsigned blocks = (unsigned)(shallow < filling ? shallow : filling);
    if (blocks == 0) {
        return SUMAC_OK;
    }
    if (round->pairs != NULL) {
        pair_kernel<true><<<blocks, PAIR_BLOCK, 0, engine->stream>>>(*round, threads);
    } else {
        pair_kernel<false><<<blocks, PAIR_BLOCK, 0, engine->stream>>>(*round, threads);
    }
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

/* ---- The ends of accumulate ---- */

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
    load_y<true>(&y, &table[pair >> 1], pair & 1);
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

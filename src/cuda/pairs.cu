/*
 * One round of pairwise additions, compiled per curve: pair_round in engine.h says which pairs. A thread takes up to
 * `depth` pairs, a block's pairs lie together:
 *   forwards over the pairs: products[k] = product of the denominators of the thread's earlier pairs
 *   one inversion a thread, shared by the block
 *   backwards: the inverse of each denominator, slope, sum
 * An addition is 5M + 1S and its share of the inversion.
 */
#include "cuda/engine.h"
#include "cuda/pairs.cuh"
#include "cuda/symbols.h"

/* A thread's chain: long enough to make the inversion cheap, short enough to give every SM its blocks. */
enum { MAX_DEPTH = 32 };

/* Pair k as addresses; the signs are 1 where y counts as -y. */
struct pair_place {
    const affine *a;
    const affine *b;
    affine *out;
    uint32_t a_negative;
    uint32_t b_negative;
};

/* reduce's pair k: list 0 begins at 0, list q at 2^(q - 1); element e of a list is e * 2^(level + 1) further on. */
static __device__ uint64_t vector_left(const pair_round *round, uint64_t k)
{
    const uint32_t element_bits = round->vector_bits - round->level - 1;
    const uint32_t element = (uint32_t)k & ((1u << element_bits) - 1);
    const uint32_t row = (uint32_t)(k >> element_bits);
    const uint32_t vector = row % round->vectors;
    const uint32_t list = row / round->vectors;
    const uint32_t first = list == 0 ? 0 : 1u << (list - 1);
    return ((uint64_t)vector << round->vector_bits) + first + ((uint64_t)element << (round->level + 1));
}

template <bool gathered> static __device__ __forceinline__ pair_place place_of(const pair_round *round, uint64_t k)
{
    pair_place place;
    const affine *points = (const affine *)round->points;
    affine *out = (affine *)round->out;
    if (gathered) {
        const uint32_t left = round->lefts[k];
        const uint32_t first = round->pairs[left], second = round->pairs[left + 1];
        place.a = &points[first >> 1];
        place.b = &points[second >> 1];
        place.a_negative = first & 1;
        place.b_negative = second & 1;
        place.out = &out[round->targets[k]];
    } else {
        const uint64_t left = round->lefts != NULL ? round->lefts[k] : vector_left(round, k);
        place.a = &points[left];
        place.b = &points[left + round->stride];
        place.a_negative = 0;
        place.b_negative = 0;
        place.out = &out[left];
    }
    return place;
}

template <bool gathered> static __device__ __forceinline__ void load_y(fe *y, const affine *point, uint32_t negative)
{
    fe_load(y, &point->y);
    if (gathered) {
        fe opposite;
        fe_neg(&opposite, y);
        fe_cmov(y, &opposite, (int)negative);
    }
}

/* Both points of a pair that is not known to be plain. */
template <bool gathered>
static __device__ __noinline__ void rare_denominator(fe *denominator, const pair_place *place)
{
    affine a, b;
    fe_load(&a.x, &place->a->x);
    fe_load(&b.x, &place->b->x);
    load_y<gathered>(&a.y, place->a, place->a_negative);
    load_y<gathered>(&b.y, place->b, place->b_negative);
    pair_rare_denominator(denominator, &a, &b);
}

template <bool gathered> static __device__ __noinline__ void rare_sum(const pair_place *place, const fe *inverse)
{
    affine a, b, sum;
    fe_load(&a.x, &place->a->x);
    fe_load(&b.x, &place->b->x);
    load_y<gathered>(&a.y, place->a, place->a_negative);
    load_y<gathered>(&b.y, place->b, place->b_negative);
    pair_rare_sum(&sum, &a, &b, inverse);
    fe_store(&place->out->x, &sum.x);
    fe_store(&place->out->y, &sum.y);
}

/* The pair's denominator; 1 when the pair is plain. */
template <bool gathered> static __device__ __forceinline__ int denominator_of(fe *denominator, const pair_place *place)
{
    fe x1, x2;
    fe_load(&x1, &place->a->x);
    fe_load(&x2, &place->b->x);
    const int plain = pair_is_plain(denominator, &x1, &x2);
    if (SUMAC_UNLIKELY(!plain)) {
        const pair_place copy = *place;
        fe rare;
        rare_denominator<gathered>(&rare, &copy);
        *denominator = rare;
    }
    return plain;
}

/* The backward step of one pair. *inverse is 1/(product of the denominators up to and with this pair's), and after it
 * of those before; product is that of those before. */
template <bool gathered>
static __device__ __forceinline__ void add_pair(const pair_place *place, const fe *product, fe *inverse)
{
    fe denominator, slope, x3, y;
    const int plain = denominator_of<gathered>(&denominator, place);
    fe_load(&slope, product);
    fe_mul(&slope, &slope, inverse);
    fe_mul(inverse, inverse, &denominator);
    if (SUMAC_UNLIKELY(!plain)) {
        const pair_place copy = *place;
        const fe own = slope;
        rare_sum<gathered>(&copy, &own);
        return;
    }
    load_y<gathered>(&y, place->a, place->a_negative);
    load_y<gathered>(&x3, place->b, place->b_negative);
    fe_sub(&x3, &x3, &y);
    fe_mul(&slope, &slope, &x3);
    fe_sqr(&x3, &slope);
    fe_load(&denominator, &place->a->x);
    fe_sub(&x3, &x3, &denominator);
    fe other;
    fe_load(&other, &place->b->x);
    fe_sub(&x3, &x3, &other);
    fe_sub(&denominator, &denominator, &x3);
    fe_mul(&denominator, &denominator, &slope);
    fe_sub(&y, &denominator, &y);
    fe_store(&place->out->x, &x3);
    fe_store(&place->out->y, &y);
}

/* Pairs a thread: enough to make the inversion cheap, but no more than fill the device once. */
static __host__ __device__ uint32_t depth_for(uint64_t count, uint32_t resident_threads)
{
    const uint64_t wanted = (count + resident_threads - 1) / resident_threads;
    return wanted == 0 ? 1 : wanted < MAX_DEPTH ? (uint32_t)wanted : MAX_DEPTH;
}

template <bool gathered>
static __global__ void __launch_bounds__(PAIR_BLOCK, PAIR_BLOCKS_PER_SM)
    pair_kernel(const __grid_constant__ pair_round round, uint32_t resident_threads)
{
    const uint64_t count = round.count != NULL ? *round.count : round.limit;
    const uint32_t depth = depth_for(count, resident_threads);
    const uint64_t first = blockIdx.x * (uint64_t)PAIR_BLOCK * depth + threadIdx.x;
    fe *products = (fe *)round.products;
    if (first - threadIdx.x >= count) {
        return; /* the whole block */
    }
    fe chain;
    fe_set_one(&chain);
    uint64_t k = first;
#pragma unroll 1
    for (uint32_t step = 0; step < depth && k < count; step++, k += PAIR_BLOCK) {
        const pair_place place = place_of<gathered>(&round, k);
        fe denominator;
        (void)denominator_of<gathered>(&denominator, &place);
        fe_store(&products[k], &chain);
        fe_mul(&chain, &chain, &denominator);
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
#pragma unroll 1
    while (k > first) {
        k -= PAIR_BLOCK;
        const pair_place place = place_of<gathered>(&round, k);
        add_pair<gathered>(&place, &products[k], &chain);
    }
}

sumac_status SUMAC_SYMBOL(sum_pairs)(cuda_engine *engine, const pair_round *round)
{
    /* The count may be less than the limit, and the depth with it: at most so many blocks have pairs. */
    const uint32_t resident = (uint32_t)engine->multiprocessors * PAIR_BLOCKS_PER_SM;
    const uint32_t threads = resident * PAIR_BLOCK;
    const unsigned most = blocks_for(round->limit, PAIR_BLOCK);
    const unsigned deep = blocks_for(round->limit, PAIR_BLOCK * MAX_DEPTH);
    const unsigned blocks = deep > resident ? deep : most < resident ? most : resident;
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
    singles_kernel(const slot_map map, const affine *table, const uint32_t *pairs, uint64_t slots, affine *out)
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
    singles_kernel<<<blocks_for(slots, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(*map, (const affine *)table, pairs,
                                                                                    slots, (affine *)out);
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

sumac_status SUMAC_SYMBOL(collect)(cuda_engine *engine, const slot_map *map, const void *slot_points, void *sums)
{
    collect_kernel<<<blocks_for(map->buckets, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(
        *map, (const affine *)slot_points, (affine *)sums);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

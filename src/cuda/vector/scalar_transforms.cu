/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file does number-theoretic transforms on the GPU. As on the CPU the core goes from coefficients in natural order
 * to values in bit-reversed order and back, layer by layer, and block b of a layer multiplies by root b of a table in
 * bit-reversed order: docs/internals/transforms.md.
 *
 * A *pass* does several layers of all rows. A block of threads has a *tile* of 2^TILE_LOG2 elements in shared memory,
 * on which it does the pass's layers, two at a time: a thread takes four elements of a block; the first layer combines
 * elements 0 and 2, 1 and 3, and the second 0 and 1, 2 and 3. In the last pass a tile is 2^TILE_LOG2 neighbours. In
 * earlier passes it is a few neighbouring columns of a large block: 2^columns neighbours lie together, and the next
 * ones 2^stride further on.
 */
#include "cuda/vector/scalars.cuh"
#include "curves/group_code.h"

/* A thread has four elements, a root and a product, for which it needs 80 registers if elements have 4 limbs, and 168
 * if they are larger. */
#if FP_LIMBS > 4
enum { TILES_PER_SM = 3 };
#else
enum { TILES_PER_SM = 6 };
#endif
enum {
    TILE_LOG2 = 9,
    TILE = 1 << TILE_LOG2,
    TILE_THREADS = TILE / 4,
    COLUMNS_LOG2 = 1, /* at least; two elements of 4 limbs are two sectors of memory */
};

SUMAC_STATIC_ASSERT(sizeof(fp) << TILE_LOG2 <= 48 << 10, "a tile is what every block can have");

struct ntt_pass {
    fp *elements;
    const fp *roots;
    uint64_t total;   /* elements of all rows */
    uint32_t layers;  /* the number of the pass's layers */
    uint32_t before;  /* layers before, for an inverse after, the pass; its first layer has 2^before blocks */
    uint32_t top;     /* log2 of a tile's elements of one block of the first layer */
    uint32_t columns; /* log2 of the elements that lie together */
    uint32_t stride;  /* log2 of the distance from these to the next ones */
    uint32_t tiles;   /* log2 of the tiles of a block */
    int scales;       /* multiply by `scale` at the end */
    fp scale;
};

/*
 * In shared memory word w of a tile's element e lies at w*TILE + tile_position(e). A warp's elements of a step differ
 * in five of the bits of e: in the low q bits, and in bits q + 2 .. 6 for quarters of 2^q elements, or q + 1 .. 5 for
 * halves. Bit 5 is xored to all of the low five bits, and bit 6 to the even ones, so that these give 32 different banks
 * for each q.
 */
static __device__ __forceinline__ uint32_t tile_position(uint32_t e)
{
    return e ^ (0 - (e >> 5 & 1) & 31) ^ (0 - (e >> 6 & 1) & 21);
}

static __device__ __forceinline__ void tile_read(fp *r, const uint32_t *tile, uint32_t e)
{
    const uint32_t position = tile_position(e);
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        r->l[i] = tile[2 * i * TILE + position] | (uint64_t)tile[(2 * i + 1) * TILE + position] << 32;
    }
}

static __device__ __forceinline__ void tile_write(uint32_t *tile, uint32_t e, const fp *a)
{
    const uint32_t position = tile_position(e);
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        tile[2 * i * TILE + position] = (uint32_t)a->l[i];
        tile[(2 * i + 1) * TILE + position] = (uint32_t)(a->l[i] >> 32);
    }
}

/* Return the index in the vector of a tile's element e. */
static __device__ __forceinline__ uint64_t element_number(const ntt_pass &pass, uint32_t e)
{
    const uint64_t block = blockIdx.x >> pass.tiles, tile = blockIdx.x & ((1u << pass.tiles) - 1);
    return (block << (TILE_LOG2 + pass.tiles)) + (tile << pass.columns) +
           ((uint64_t)(e >> pass.columns) << pass.stride) + (e & ((1u << pass.columns) - 1));
}

/* Copy the tile from or to the vector; neighbouring threads copy neighbouring chunks. Rows may end before the tile does. */
template <bool to_tile> static __device__ __forceinline__ void move_tile(const ntt_pass &pass, uint32_t *tile)
{
    fp_chunk *elements = (fp_chunk *)pass.elements;
    SUMAC_UNROLL
    for (int k = 0; k < TILE * FP_CHUNKS / TILE_THREADS; k++) {
        const uint32_t id = k * TILE_THREADS + threadIdx.x, e = id / FP_CHUNKS, part = id % FP_CHUNKS;
        const uint64_t number = element_number(pass, e);
        uint32_t *words = tile + part * FP_CHUNK_WORDS * TILE + tile_position(e);
        if (number < pass.total) {
            fp_chunk chunk;
            uint32_t *values = (uint32_t *)&chunk;
            if (to_tile) {
                chunk = elements[number * FP_CHUNKS + part];
            }
            SUMAC_UNROLL
            for (int w = 0; w < FP_CHUNK_WORDS; w++) {
                if (to_tile) {
                    words[w * TILE] = values[w];
                } else {
                    values[w] = words[w * TILE];
                }
            }
            if (!to_tile) {
                elements[number * FP_CHUNKS + part] = chunk;
            }
        } else if (to_tile) {
            SUMAC_UNROLL
            for (int w = 0; w < FP_CHUNK_WORDS; w++) {
                words[w * TILE] = 0;
            }
        }
    }
}

/* Return the number, in its layer and row, of the block that contains e; it has 2^size of the tile's elements. */
static __device__ __forceinline__ uint32_t block_number(const ntt_pass &pass, uint32_t e, uint32_t size)
{
    const uint32_t block = blockIdx.x >> pass.tiles, within = pass.top - size;
    return (block << within | e >> size) & (uint32_t)(((uint64_t)1 << (pass.before + within)) - 1);
}

/* (u, v) -> (u + w v, u - w v), or for an inverse (u + v, (u - v)/w), where 1/w = -roots[3*2^j - 1 - block] for
 * 2^j <= block < 2^(j + 1). Block 0 has w = 1. */
template <bool inverse>
static __device__ __forceinline__ void butterfly(fp *u, fp *v, uint32_t block, const fp *root)
{
    if (inverse) {
        fp difference;
        if (block == 0) {
            fp_sub(&difference, u, v);
        } else {
            fp_sub(&difference, v, u);
        }
        fp_add(u, u, v);
        *v = difference;
    }
    if (block != 0) {
        fp_mul(v, v, root);
    }
    if (!inverse) {
        fp product = *v;
        fp_sub(v, u, &product);
        fp_add(u, u, &product);
    }
}

template <bool inverse>
static __device__ __forceinline__ void load_root(fp *root, const ntt_pass &pass, uint32_t block)
{
    const uint32_t other = block == 0 ? 0 : (3u << (31 - __clz((int)block))) - 1 - block;
    fp_load(root, &pass.roots[inverse ? other : block]);
}

/* Do the layer of blocks of 2^size elements, then that of 2^(size - 1); for an inverse in reverse order. */
template <bool inverse>
static __device__ __forceinline__ void two_layers(const ntt_pass &pass, uint32_t *tile, uint32_t size)
{
    const uint32_t quarter = 1u << (size - 2), i = threadIdx.x;
    const uint32_t first = (i >> (size - 2)) << size | (i & (quarter - 1));
    const uint32_t block = block_number(pass, first, size);
    fp x[4], root;
    SUMAC_UNROLL
    for (int j = 0; j < 4; j++) {
        tile_read(&x[j], tile, first + j * quarter);
    }
    if (inverse) {
        load_root<inverse>(&root, pass, 2 * block);
        butterfly<inverse>(&x[0], &x[1], 2 * block, &root);
        load_root<inverse>(&root, pass, 2 * block + 1);
        butterfly<inverse>(&x[2], &x[3], 2 * block + 1, &root);
    }
    load_root<inverse>(&root, pass, block);
    butterfly<inverse>(&x[0], &x[2], block, &root);
    butterfly<inverse>(&x[1], &x[3], block, &root);
    if (!inverse) {
        load_root<inverse>(&root, pass, 2 * block);
        butterfly<inverse>(&x[0], &x[1], 2 * block, &root);
        load_root<inverse>(&root, pass, 2 * block + 1);
        butterfly<inverse>(&x[2], &x[3], 2 * block + 1, &root);
    }
    SUMAC_UNROLL
    for (int j = 0; j < 4; j++) {
        tile_write(tile, first + j * quarter, &x[j]);
    }
}

/* Do one layer of blocks of 2^size elements; each thread does two butterflies. */
template <bool inverse>
static __device__ __forceinline__ void one_layer(const ntt_pass &pass, uint32_t *tile, uint32_t size)
{
    const uint32_t half = 1u << (size - 1);
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < TILE / 2; i += TILE_THREADS) {
        const uint32_t first = (i >> (size - 1)) << size | (i & (half - 1));
        const uint32_t block = block_number(pass, first, size);
        fp u, v, root;
        load_root<inverse>(&root, pass, block);
        tile_read(&u, tile, first);
        tile_read(&v, tile, first + half);
        butterfly<inverse>(&u, &v, block, &root);
        tile_write(tile, first, &u);
        tile_write(tile, first + half, &v);
    }
}

static __device__ __forceinline__ void scale_tile(const ntt_pass &pass, uint32_t *tile)
{
#pragma unroll 1
    for (uint32_t e = threadIdx.x; e < TILE; e += TILE_THREADS) {
        fp element;
        tile_read(&element, tile, e);
        fp_mul(&element, &element, &pass.scale);
        tile_write(tile, e, &element);
    }
}

/* If the number of layers is odd, the layer of the largest blocks is done alone. */
template <bool inverse>
static __global__ void __launch_bounds__(TILE_THREADS, TILES_PER_SM)
    ntt_kernel(const __grid_constant__ ntt_pass pass)
{
    __shared__ uint32_t tile[TILE * FP_LIMBS * 2];
    const uint32_t odd = pass.layers & 1, last = pass.top - pass.layers;
    move_tile<true>(pass, tile);
    __syncthreads();
    if (!inverse && odd) {
        one_layer<inverse>(pass, tile, pass.top);
        __syncthreads();
    }
#pragma unroll 1
    for (uint32_t k = 0; k < pass.layers / 2; k++) {
        two_layers<inverse>(pass, tile, inverse ? last + 2 * k + 2 : pass.top - odd - 2 * k);
        __syncthreads();
    }
    if (inverse && odd) {
        one_layer<inverse>(pass, tile, pass.top);
        __syncthreads();
    }
    if (inverse && pass.scales) {
        scale_tile(pass, tile);
        __syncthreads();
    }
    move_tile<false>(pass, tile);
}

/* ---- The whole ---- */

enum { MOST_PASSES = 8 };

/* List the passes of rows of 2^log2 elements in a forward transform's order, and return their number. */
static uint32_t plan_passes(ntt_pass *passes, const ntt_pass *all, uint32_t log2)
{
    const uint32_t most = (uint32_t)TILE_LOG2 - COLUMNS_LOG2, rest = log2 > TILE_LOG2 ? log2 - TILE_LOG2 : 0;
    const uint32_t count = (rest + most - 1) / most;
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t layers = (rest - before) / (count - i), size = log2 - before;
        passes[i] = *all;
        passes[i].layers = layers;
        passes[i].before = before;
        passes[i].top = TILE_LOG2;
        passes[i].columns = TILE_LOG2 - layers;
        passes[i].stride = size - layers;
        passes[i].tiles = size - TILE_LOG2;
        before += layers;
    }
    passes[count] = *all;
    passes[count].layers = log2 - before;
    passes[count].before = before;
    passes[count].top = log2 - before;
    return count + 1;
}

static sumac_status run_core(cuda_engine *engine, const ntt_pass *all, uint32_t log2, int inverse)
{
    ntt_pass passes[MOST_PASSES];
    const uint32_t count = plan_passes(passes, all, log2);
    const unsigned blocks = blocks_for(all->total, TILE);
    for (uint32_t i = 0; i < count; i++) {
        ntt_pass *pass = &passes[inverse ? count - 1 - i : i];
        pass->scales = inverse && all->scales && i + 1 == count;
        TRY(cuda_launch(engine, engine->stream, inverse ? ntt_kernel<true> : ntt_kernel<false>, blocks,
                        TILE_THREADS, *pass));
    }
    return SUMAC_OK;
}

sumac_status SUMAC_SCALARS_SYMBOL(transform)(const vector_run *run, void *r,
                                             const vector_transform *transform)
{
    cuda_engine *engine = engine_of_run(run);
    const uint64_t length = (uint64_t)1 << transform->log2;
    ntt_pass all = {};
    fp ratio;
    all.elements = static_cast<fp *>(r);
    all.roots = static_cast<const fp *>(transform->roots);
    all.total = transform->rows << transform->log2;
    all.scales = transform->inverse && transform->shift == NULL;
    if (all.total == 0) {
        return SUMAC_OK;
    }
    TRY(vector_scale_numbers(run, transform, all.scale.l, ratio.l));
    const auto scale = [&]() {
        return transform->shift == NULL ? SUMAC_OK
                                        : SUMAC_SCALARS_SYMBOL(scale_rows)(run, all.elements, all.total,
                                                                           length, &all.scale, &ratio);
    };
    return vector_transform_by(engine, r, sizeof(fp), transform, scale,
                               [&]() { return run_core(engine, &all, transform->log2, transform->inverse); });
}

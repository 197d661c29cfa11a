/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file does one round of pairwise additions; it is compiled per curve. pair_round in device/group.h defines the pairs.
 * A row is PAIR_BLOCK pairs, one for each thread of a block. A block goes through a range of rows forwards, then backwards:
 * - forwards: products[k] = the product of the denominators of the thread's earlier pairs;
 * - then four lanes do one inversion for 16 threads;
 * - backwards: each pair's inverse denominator, slope and sum.
 * An addition costs 5M + 1S and its share of the inversion.
 *
 * Points and products are copied to shared memory while earlier steps compute: forwards the x of AHEAD steps, backwards
 * the points of one step. The forward pass mostly waits for memory, and the backward pass mostly multiplies. row_plan
 * describes how the blocks of an SM are kept from doing the same at the same time.
 */
#include "cuda/device/elements.cuh"
#include "cuda/device/kernels.cuh"
#include "cuda/msm/accumulate_rounds_staging.cuh"

/* ---- Distribution of a round's rows among blocks ---- */

/* These numbers were chosen by bench_cuda_msm on an H200 (2026-11-21). accumulate of BLS12-381 at 2^22 takes 16.4 ms
 * with a MAX_DEPTH of 32, 15.3 with 64, 14.9 with 128, and the same with 256. With few blocks for few rows, 2^16 takes
 * 0.71 ms instead of 0.86, and 2^18 takes 1.70 instead of 1.91. */
enum {
    MAX_DEPTH = 128,   /* the most rows of a block; with so many an inversion costs little for each pair */
    SPARSE_DEPTH = 4,  /* with at most this many rows for each block, an SM has one block */
    PAIRED_DEPTH = 30, /* with at most this many, an SM has two blocks; with more rows, it has all that it can
                          hold */
    FAR_DEPTH = 24,    /* replaces PAIRED_DEPTH if the points of a pair lie FAR_STRIDE or more apart */
    FAR_STRIDE = 4,
    SINGLE_DEPTH = 20 /* with at most this many, all blocks run at once; with more rows, there are several
                         fills */
};

struct row_range {
    uint32_t first;
    uint32_t end;
};

/* Return whether the rows are so few that no SM has more than one block. */
static __host__ __device__ bool rows_are_few(uint32_t rows, uint32_t multiprocessors)
{
    return rows <= multiprocessors * SPARSE_DEPTH;
}

/*
 * A row_plan is the number of blocks that have rows, and the distribution of rows among them. A block takes as long as
 * one inversion and its rows' additions. With few rows the inversions dominate, and compete for the SM, so there are
 * few blocks. With more rows an SM has all the blocks that it holds, B = PAIR_BLOCKS_PER_SM; with many rows it has them
 * `fills` times. A block that waits for points and one that multiplies disturb each other less than two that do the
 * same. So the first B blocks of an SM have 1/B, 2/B, .. B/B of the usual number of rows. The last B blocks have the
 * rest: (B - 1)/B, .. 0/B.
 *
 * If two in-flight passes share the device, each takes two blocks of an SM: while one waits, the other multiplies.
 */
struct row_plan {
    uint32_t blocks;
    uint32_t fills; /* 0: every block has the same number of rows */
};

static __host__ __device__ row_plan plan_rows(uint32_t rows, uint32_t stride, bool shares,
                                              uint32_t multiprocessors)
{
    enum { B = PAIR_BLOCKS_PER_SM };
    const uint32_t paired_depth = shares ? MAX_DEPTH : stride < FAR_STRIDE ? PAIRED_DEPTH : FAR_DEPTH;
    const uint32_t resident = multiprocessors * B;
    row_plan plan = {0, 0};
    if (rows_are_few(rows, multiprocessors)) {
        plan.blocks = rows < multiprocessors ? rows : multiprocessors;
    } else if (rows <= multiprocessors * 2 * paired_depth) {
        plan.blocks = multiprocessors * 2;
    } else if (rows <= resident * SINGLE_DEPTH) {
        plan.blocks = resident;
    } else {
        plan.fills = (rows + resident * MAX_DEPTH - 1) / (resident * MAX_DEPTH);
        plan.blocks = (plan.fills + 1) * resident;
    }
    return plan;
}

static __device__ row_range rows_of(uint32_t block, uint32_t rows, uint32_t stride, bool shares,
                                    uint32_t multiprocessors)
{
    enum { B = PAIR_BLOCKS_PER_SM };
    const row_plan plan = plan_rows(rows, stride, shares, multiprocessors);
    const uint32_t resident = multiprocessors * B;
    uint64_t before, parts,
        total; /* the block has `parts` of `total` parts of the rows; `before` parts belong to earlier
                  blocks */
    if (block >= plan.blocks) {
        before = parts = 0;
        total = 1;
    } else if (plan.fills == 0) {
        before = block;
        parts = 1;
        total = plan.blocks;
    } else {
        const uint32_t fill = block / resident;
        const uint32_t phase = block % resident / multiprocessors;
        const uint32_t multiprocessor = block % multiprocessors;
        total = (uint64_t)resident * B * plan.fills;
        if (fill == 0) {
            parts = phase + 1;
            before = (uint64_t)multiprocessors * (phase * (phase + 1) / 2) + multiprocessor * parts;
        } else if (fill < plan.fills) {
            parts = B;
            before = (uint64_t)multiprocessors * (B * (B + 1) / 2) + (block - resident) * (uint64_t)B;
        } else {
            parts = B - 1 - phase;
            before = total - (uint64_t)multiprocessors * ((parts + 1) * parts / 2) + multiprocessor * parts;
        }
    }
    const row_range range = {(uint32_t)(before * rows / total), (uint32_t)((before + parts) * rows / total)};
    return range;
}

/* ---- Pairs ---- */

/* Points are copied AHEAD steps before they are used. With this, 0.6 of 16 warps wait for memory on average; with plain
 * loads 4.2 of 14 warps did. accumulate at 2^22 takes 15.3 ms instead of 17.1 (bench_cuda_msm, BLS12-381, H200,
 * 2026-11-21). */
enum {
    X_CHUNKS = (sizeof(fe) + 15) / 16, /* the chunks of a point that contain its x */
    POINT_CHUNKS = sizeof(affine) / 16,
    AHEAD = 3,
    /* A warp's records are the left and right x of AHEAD + 1 steps forwards, and both points of two steps and one
     * product backwards, in the same memory. */
    STAGED_X = 32 * 16 * X_CHUNKS,
    STAGED_POINTS = 32 * sizeof(affine),
    FORWARD_BYTES = (AHEAD + 1) * 2 * STAGED_X,
    BACKWARD_BYTES = 4 * STAGED_POINTS + 32 * sizeof(fe),
    WARP_BYTES = FORWARD_BYTES > BACKWARD_BYTES ? FORWARD_BYTES : BACKWARD_BYTES,
    STAGED_BYTES = PAIR_BLOCK / 32 * WARP_BYTES
};

SUMAC_STATIC_ASSERT((STAGED_BYTES + INVERSES * (int)sizeof(fe) + 1024) * PAIR_BLOCKS_PER_SM <= 228 * 1024,
                    "the blocks of an SM have its memory");

/* The two points of a pair are given as 2*index + negative if gathered, and as indices if added in place. */
struct pair_entries {
    uint32_t first;
    uint32_t second;
};

template <bool gathered>
static __device__ __forceinline__ pair_entries entries_of(const pair_round *round, uint64_t k)
{
    pair_entries entries;
    if (gathered) {
        const uint2 both = ((const uint2 *)round->entries)[k];
        entries.first = both.x;
        entries.second = both.y;
    } else {
        entries.first = round->lefts[k];
        entries.second = entries.first + round->stride;
    }
    return entries;
}

template <bool gathered> static __device__ __forceinline__ uint32_t index_of(uint32_t entry)
{
    return gathered ? entry >> 1 : entry;
}

template <bool gathered>
static __device__ __forceinline__ const affine *point_of(const pair_round *round, uint32_t entry)
{
    return (const affine *)round->points + index_of<gathered>(entry);
}

template <bool gathered>
static __device__ __forceinline__ void load_point(affine *point, const pair_round *round, uint32_t entry)
{
    affine_load(point, point_of<gathered>(round, entry));
    if (gathered) {
        apply_sign(&point->y, entry & 1);
    }
}

template <bool gathered>
static __device__ __forceinline__ void load_pair(affine *a, affine *b, const pair_round *round, uint64_t k)
{
    const pair_entries entries = entries_of<gathered>(round, k);
    load_point<gathered>(a, round, entries.first);
    load_point<gathered>(b, round, entries.second);
}

/* Compute the denominator of a pair that is not plain. */
template <bool gathered>
static __device__ __noinline__ void rare_denominator(fe *denominator, const pair_round *round, uint64_t k)
{
    affine a, b;
    load_pair<gathered>(&a, &b, round, k);
    pair_rare_denominator(denominator, &a, &b);
}

template <bool gathered>
static __device__ __noinline__ void rare_sum(affine *out, const pair_round *round, uint64_t k,
                                             const fe *inverse)
{
    affine a, b, sum;
    load_pair<gathered>(&a, &b, round, k);
    pair_rare_sum(&sum, &a, &b, inverse);
    affine_store(out, &sum);
}

/* Compute the pair's denominator from its x; return 1 if the pair is plain. */
template <bool gathered>
static __device__ __forceinline__ int denominator_of(fe *denominator, const pair_round *round, uint64_t k,
                                                     const fe *x1, const fe *x2)
{
    const int plain = pair_is_plain(denominator, x1, x2);
    if (SUMAC_UNLIKELY(!plain)) {
        fe rare; /* passed by address, so it lies in memory; *denominator stays in registers */
        rare_denominator<gathered>(&rare, round, k);
        *denominator = rare;
    }
    return plain;
}

/* ---- A thread's pair of a row ---- */

/* The last row may be short. A thread without a pair reads the last pair, and writes nothing. */
struct row_item {
    uint64_t k;
    bool exists;
};

static __device__ __forceinline__ row_item item_of(uint32_t row, uint64_t count)
{
    const uint64_t k = row * (uint64_t)PAIR_BLOCK + threadIdx.x;
    const row_item item = {k < count ? k : count - 1, k < count};
    return item;
}

/* Return the address of chunk i of the thread's product. The chunks i of all threads of a row lie next to each
 * other. */
static __device__ __forceinline__ fe_chunk *product_chunk(const pair_round *round, uint32_t row, int i)
{
    return (fe_chunk *)round->products + ((uint64_t)row * FE_CHUNKS + i) * PAIR_BLOCK + threadIdx.x;
}

/* ---- Forwards ---- */

template <bool gathered>
static __device__ __forceinline__ void multiply_step(fe *chain, const pair_round *round, uint32_t row,
                                                     row_item item, const fe *x1, const fe *x2)
{
    if (item.exists) {
        fe denominator;
        (void)denominator_of<gathered>(&denominator, round, item.k, x1, x2);
        const fe_chunk *words = (const fe_chunk *)chain;
#pragma unroll
        for (int i = 0; i < FE_CHUNKS; i++) {
            *product_chunk(round, row, i) = words[i];
        }
        fe_mul(chain, chain, &denominator);
    }
}

#if PAIRS_STAGED

template <bool gathered>
static __device__ __forceinline__ void copy_x(unsigned char *to, const pair_round *round,
                                              pair_entries entries)
{
    const unsigned char *points = (const unsigned char *)round->points;
    copy_records<X_CHUNKS>(to, points, sizeof(affine), index_of<gathered>(entries.first));
    copy_records<X_CHUNKS>(to + STAGED_X, points, sizeof(affine), index_of<gathered>(entries.second));
}

template <bool gathered>
static __device__ __forceinline__ void multiply_rows(fe *chain, const pair_round *round, row_range rows,
                                                     uint64_t count, unsigned char *staged)
{
    pair_entries next = entries_of<gathered>(round, item_of(rows.first, count).k);
#pragma unroll 1
    for (uint32_t row = rows.first; row < rows.first + AHEAD; row++) {
        if (row < rows.end) {
            copy_x<gathered>(staged + (row - rows.first) % (AHEAD + 1) * 2 * STAGED_X, round, next);
            next = entries_of<gathered>(round, item_of(row + 1, count).k);
        }
        copy_commit();
    }
#pragma unroll 1
    for (uint32_t row = rows.first; row < rows.end; row++) {
        const row_item item = item_of(row, count);
        __syncwarp(); /* the records of row - 1 have been read */
        if (row + AHEAD < rows.end) {
            copy_x<gathered>(staged + (row + AHEAD - rows.first) % (AHEAD + 1) * 2 * STAGED_X, round, next);
            next = entries_of<gathered>(round, item_of(row + AHEAD + 1, count).k);
        }
        copy_commit();
        copy_wait<AHEAD>();
        const unsigned char *records = staged + (row - rows.first) % (AHEAD + 1) * 2 * STAGED_X;
        fe x1, x2;
        load_staged<X_CHUNKS, 0>(&x1, records);
        load_staged<X_CHUNKS, 0>(&x2, records + STAGED_X);
        multiply_step<gathered>(chain, round, row, item, &x1, &x2);
    }
    copy_wait<0>();
}

#else

template <bool gathered>
static __device__ __forceinline__ void multiply_rows(fe *chain, const pair_round *round, row_range rows,
                                                     uint64_t count, unsigned char *)
{
#pragma unroll 1
    for (uint32_t row = rows.first; row < rows.end; row++) {
        const row_item item = item_of(row, count);
        const pair_entries entries = entries_of<gathered>(round, item.k);
        fe x1, x2;
        fe_load(&x1, &point_of<gathered>(round, entries.first)->x);
        fe_load(&x2, &point_of<gathered>(round, entries.second)->x);
        multiply_step<gathered>(chain, round, row, item, &x1, &x2);
    }
}

#endif

/* ---- Backwards ---- */

/* The records are a pair's points, in shared memory if PAIRS_STAGED, else in the table. */
struct pair_records {
    const unsigned char *first;
    const unsigned char *second;
};

static __device__ __forceinline__ void load_x(fe *x, const unsigned char *record)
{
#if PAIRS_STAGED
    load_staged<POINT_CHUNKS, 0>(x, record);
#else
    fe_load(x, (const fe *)record);
#endif
}

static __device__ __forceinline__ void load_y(fe *y, const unsigned char *record)
{
#if PAIRS_STAGED
    load_staged<POINT_CHUNKS, sizeof(fe) / 8>(y, record);
#else
    fe_load(y, (const fe *)record + 1);
#endif
}

/* Load the y of a pair's point, and apply its sign. */
template <bool gathered>
static __device__ __forceinline__ void load_signed_y(fe *y, const unsigned char *record, uint32_t negative)
{
    load_y(y, record);
    if (gathered) {
        apply_sign(y, negative);
    }
}

static __device__ __forceinline__ uint32_t signs_of(pair_entries entries)
{
    return (entries.first & 1) | (entries.second & 1) << 1;
}

template <bool gathered>
static __device__ __forceinline__ affine *target_of(const pair_round *round, row_item item)
{
    return (affine *)round->out +
           (gathered ? round->targets[item.k] : entries_of<false>(round, item.k).first);
}

/*
 * Do the step of one pair. On entry *inverse is 1/(product of the denominators up to this pair's, inclusive), and
 * *product is the product of the denominators before this pair's. On return *inverse is 1/(*product). One piece of code
 * in a loop computes the four products, because four copies of it would exceed the SM's instruction cache.
 */
template <bool gathered>
static __device__ __forceinline__ void add_step(fe *inverse, const fe *product, const pair_round *round,
                                                row_item item, pair_records records, uint32_t signs,
                                                affine *out)
{
    fe left = *product, right = *inverse, kept, result;
    int plain = 1;
#pragma unroll 1
    for (uint32_t i = 0; i < 4; i++) {
        asm volatile("" : "+r"(i)); /* keeps the compiler from unrolling the loop */
        fe_mul(&result, &left, &right);
        if (i == 0) { /* result = 1/denominator */
            fe x1, x2;
            load_x(&x1, records.first);
            load_x(&x2, records.second);
            kept = result;
            plain = denominator_of<gathered>(&left, round, item.k, &x1, &x2);
        } else if (i == 1) { /* result = *inverse for the earlier pairs */
            if (SUMAC_UNLIKELY(!plain)) {
                const fe pair_inverse = kept;
                kept = result;
                rare_sum<gathered>(out, round, item.k, &pair_inverse);
                break;
            }
            right = kept;
            kept = result;
            load_signed_y<gathered>(&result, records.first, signs & 1);
            load_signed_y<gathered>(&left, records.second, signs >> 1);
            fe_sub(&left, &left, &result);
        } else if (i == 2) { /* result = slope; coordinates are loaded again to save registers */
            right = result;
            fe_sqr(&result, &right);
            load_x(&left, records.second);
            fe_sub(&result, &result, &left);
            load_x(&left, records.first);
            fe_sub(&result, &result, &left);
            fe_store(&out->x, &result);
            fe_sub(&left, &left, &result);
        } else { /* result = slope * (x1 - x3) */
            load_signed_y<gathered>(&left, records.first, signs & 1);
            fe_sub(&result, &result, &left);
            fe_store(&out->y, &result);
        }
    }
    *inverse = kept;
}

#if PAIRS_STAGED

template <bool gathered>
static __device__ __forceinline__ void copy_pair(unsigned char *staged, const pair_round *round, uint32_t row,
                                                 pair_entries entries)
{
    const unsigned char *points = (const unsigned char *)round->points;
    unsigned char *to = staged + row % 2 * 2 * STAGED_POINTS;
    copy_records<POINT_CHUNKS>(to, points, sizeof(affine), index_of<gathered>(entries.first));
    copy_records<POINT_CHUNKS>(to + STAGED_POINTS, points, sizeof(affine),
                               index_of<gathered>(entries.second));
}

/* Return the address to which chunk i of the lane's product is copied. */
static __device__ __forceinline__ fe_chunk *staged_product_chunk(unsigned char *staged, int i)
{
    return (fe_chunk *)(staged + 4 * STAGED_POINTS) + i * 32 + threadIdx.x % 32;
}

static __device__ __forceinline__ void copy_product(unsigned char *staged, const pair_round *round,
                                                    uint32_t row)
{
#pragma unroll
    for (int i = 0; i < FE_CHUNKS; i++) {
        copy_fe_chunk(staged_product_chunk(staged, i), product_chunk(round, row, i));
    }
}

template <bool gathered>
static __device__ __forceinline__ void add_rows(fe *inverse, const pair_round *round, row_range rows,
                                                uint64_t count, unsigned char *staged)
{
    uint32_t row = rows.end - 1;
    pair_entries next = entries_of<gathered>(round, item_of(row, count).k);
    uint32_t signs = signs_of(next);
    affine *out = target_of<gathered>(round, item_of(row, count));
    copy_pair<gathered>(staged, round, row, next);
    copy_product(staged, round, row);
    copy_commit();
    if (row > rows.first) {
        next = entries_of<gathered>(round, item_of(row - 1, count).k);
    }
#pragma unroll 1
    for (;; row--) {
        const row_item item = item_of(row, count);
        const unsigned char *records = staged + row % 2 * 2 * STAGED_POINTS;
        fe product;
        copy_wait<0>();
        fe_chunk *words = (fe_chunk *)&product;
#pragma unroll
        for (int i = 0; i < FE_CHUNKS; i++) {
            words[i] = *staged_product_chunk(staged, i);
        }
        __syncwarp(); /* this row's product and the points of row + 1 have been read */
        const uint32_t row_signs = signs;
        affine *const row_out = out;
        if (row > rows.first) {
            copy_pair<gathered>(staged, round, row - 1, next);
            copy_product(staged, round, row - 1);
            signs = signs_of(next);
            out = gathered ? target_of<true>(round, item_of(row - 1, count))
                           : (affine *)round->out + next.first;
            if (row - 1 > rows.first) {
                next = entries_of<gathered>(round, item_of(row - 2, count).k);
            }
        }
        copy_commit();
        if (item.exists) {
            const pair_records pair = {records, records + STAGED_POINTS};
            add_step<gathered>(inverse, &product, round, item, pair, row_signs, row_out);
        }
        if (row == rows.first) {
            return;
        }
    }
}

#else

template <bool gathered>
static __device__ __forceinline__ void add_rows(fe *inverse, const pair_round *round, row_range rows,
                                                uint64_t count, unsigned char *)
{
#pragma unroll 1
    for (uint32_t row = rows.end; row-- > rows.first;) {
        const row_item item = item_of(row, count);
        const pair_entries entries = entries_of<gathered>(round, item.k);
        const pair_records pair = {(const unsigned char *)point_of<gathered>(round, entries.first),
                                   (const unsigned char *)point_of<gathered>(round, entries.second)};
        fe product;
        fe_chunk *words = (fe_chunk *)&product;
#pragma unroll
        for (int i = 0; i < FE_CHUNKS; i++) {
            words[i] = *product_chunk(round, row, i);
        }
        if (item.exists) {
            add_step<gathered>(inverse, &product, round, item, pair, signs_of(entries),
                               target_of<gathered>(round, item));
        }
    }
}

#endif

template <bool gathered>
static __global__ void __launch_bounds__(PAIR_BLOCK, PAIR_BLOCKS_PER_SM)
    pair_kernel(const __grid_constant__ pair_round round, uint32_t multiprocessors)
{
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ __align__(16) unsigned char inverse_products[INVERSES * sizeof(fe)];
    const uint64_t count = round.count != NULL ? *round.count : round.limit;
    const uint32_t row_count = (uint32_t)((count + PAIR_BLOCK - 1) / PAIR_BLOCK);
    const row_range rows = rows_of(blockIdx.x, row_count, round.stride, round.shares, multiprocessors);
    if (rows.first == rows.end) {
        return; /* this holds for the whole block */
    }
    unsigned char *staged = shared + threadIdx.x / 32 * WARP_BYTES;
    fe chain;
    fe_set_one(&chain);
    multiply_rows<gathered>(&chain, &round, rows, count, staged);
    block_inverse<0>(&chain, (fe *)inverse_products, blockIdx.x / multiprocessors % (PAIR_BLOCK / 32),
                     !round.shares && rows_are_few(row_count, multiprocessors));
    add_rows<gathered>(&chain, &round, rows, count, staged);
}

/* Set how much shared memory a block of the kernel needs. If the kernel was compiled for a GPU that does not have
   enough, it needs none. */
template <bool gathered> static sumac_status prepare(cuda_engine *engine)
{
    const void *kernel = (const void *)pair_kernel<gathered>;
    if (engine->pair_kernels[gathered] != kernel) {
        cudaFuncAttributes attributes;
        CUDA_TRY(engine, cudaFuncGetAttributes(&attributes, kernel));
        engine->pair_shared_bytes[gathered] = staged_on(attributes.ptxVersion * 10) ? STAGED_BYTES : 0;
        CUDA_TRY(engine, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              (int)engine->pair_shared_bytes[gathered]));
        engine->pair_kernels[gathered] = kernel;
    }
    return SUMAC_OK;
}

/* If the count on the device is less than the limit, some blocks have nothing to do. */
template <bool gathered>
static sumac_status launch(cuda_engine *engine, cudaStream_t stream, const pair_round *round)
{
    const uint32_t multiprocessors = (uint32_t)engine->multiprocessors;
    const uint32_t blocks = plan_rows((uint32_t)((round->limit + PAIR_BLOCK - 1) / PAIR_BLOCK), round->stride,
                                      round->shares, multiprocessors)
                                .blocks;
    TRY(prepare<gathered>(engine));
    return launch_with_shared(engine, stream, pair_kernel<gathered>, blocks, PAIR_BLOCK,
                              engine->pair_shared_bytes[gathered], *round, multiprocessors);
}

sumac_status SUMAC_SYMBOL(sum_pairs)(cuda_engine *engine, cudaStream_t stream, const pair_round *round)
{
    return round->entries != NULL ? launch<true>(engine, stream, round)
                                  : launch<false>(engine, stream, round);
}

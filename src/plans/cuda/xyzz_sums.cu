/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes sums in XYZZ, each by one thread (xyzz.h); it is compiled per curve. An addition of an affine
 * point takes ten products, and keeps its sum in registers. An addition of two XYZZ points takes 14, and is a function
 * on memory, so that the kernels stay small; that costs a few percent of an addition.
 */
#include "plans/cuda/xyzz.h"

#include "cuda/device/elements.cuh"

/* The blocks of PAIR_BLOCK threads on an SM limit the registers of a thread. */
enum { XYZZ_BLOCKS_PER_SM = FE_DEGREE == 2 || FP_LIMBS > 6 ? 2 : FP_LIMBS > 4 ? 4 : 5 };

/* A thread of differences_kernel() queues up to QUEUE differences of digits. */
enum { QUEUE = 10 };

static __device__ __forceinline__ uint64_t thread_index(void)
{
    return blockIdx.x * (uint64_t)PAIR_BLOCK + threadIdx.x;
}

/* Compute r = a^2 by a function that is not inlined, like product_of(). A square costs three quarters of a product. */
static __device__ __noinline__ fe square_of(fe a)
{
    fe r;
    fe_sqr(&r, &a);
    return r;
}

static __device__ __forceinline__ void fe_sqr_called(fe *r, const fe *a)
{
    *r = square_of(*a);
}

/* Double a by the formulas of xyzz_double(), dbl-2008-s-1. */
static __device__ __noinline__ void twice(xyzz *a)
{
    fe u, v, w, m, x3;
    fe_double(&u, &a->y);
    fe_sqr_called(&v, &u);
    fe_mul_called(&w, &u, &v);
    fe_sqr_called(&m, &a->x);
    fe_triple(&m, &m);
    fe_mul_called(&u, &a->x, &v); /* S */
    fe_sqr_called(&x3, &m);
    fe_sub(&x3, &x3, &u);
    fe_sub(&x3, &x3, &u);
    fe_sub(&u, &u, &x3);
    fe_mul_called(&u, &m, &u);
    fe_mul_called(&m, &w, &a->y);
    fe_sub(&a->y, &u, &m);
    a->x = x3;
    fe_mul_called(&a->zz, &v, &a->zz);
    fe_mul_called(&a->zzz, &w, &a->zzz);
}

/* Add `other` to the sum by the formulas of xyzz_add(), add-2008-s. */
static __device__ __noinline__ void add_point(xyzz *sum, const xyzz *other)
{
    fe u, s1, p, r, pp;
    if (fe_is_zero(&other->zz)) {
        return;
    }
    if (fe_is_zero(&sum->zz)) {
        *sum = *other;
        return;
    }
    fe_mul_called(&u, &sum->x, &other->zz);
    fe_mul_called(&s1, &sum->y, &other->zzz);
    fe_mul_called(&p, &other->x, &sum->zz);
    fe_mul_called(&r, &other->y, &sum->zzz);
    fe_sub(&p, &p, &u);
    fe_sub(&r, &r, &s1);
    if (SUMAC_UNLIKELY(fe_is_zero(&p))) {
        if (fe_is_zero(&r)) {
            twice(sum);
        } else {
            xyzz_set_infinity(sum);
        }
        return;
    }
    fe_sqr_called(&pp, &p);
    fe_mul_called(&p, &p, &pp); /* PPP */
    fe_mul_called(&u, &u, &pp); /* Q */
    fe_mul_called(&pp, &pp, &other->zz);
    fe_mul_called(&sum->zz, &sum->zz, &pp);
    fe_mul_called(&s1, &s1, &p);
    fe_sqr_called(&pp, &r);
    fe_sub(&pp, &pp, &p);
    fe_sub(&pp, &pp, &u);
    fe_sub(&pp, &pp, &u); /* X3 */
    fe_mul_called(&p, &p, &other->zzz);
    fe_mul_called(&sum->zzz, &sum->zzz, &p);
    fe_sub(&u, &u, &pp);
    fe_mul_called(&u, &r, &u);
    fe_sub(&sum->y, &u, &s1);
    sum->x = pp;
}

/* Add b to the sum by the formulas of xyzz_add_affine(), madd-2008-s. */
static __device__ __forceinline__ void add_affine(xyzz *sum, const affine *b)
{
    fe p, r, pp, q;
    if (affine_is_infinity(b)) {
        return;
    }
    if (fe_is_zero(&sum->zz)) {
        sum->x = b->x;
        sum->y = b->y;
        fe_set_one(&sum->zz);
        fe_set_one(&sum->zzz);
        return;
    }
    fe_mul_called(&p, &b->x, &sum->zz);
    fe_mul_called(&r, &b->y, &sum->zzz);
    fe_sub(&p, &p, &sum->x);
    fe_sub(&r, &r, &sum->y);
    if (SUMAC_UNLIKELY(fe_is_zero(&p))) {
        xyzz other; /* passed by address, so it lies in memory; *sum stays in registers */
        xyzz_set_infinity(&other);
        if (fe_is_zero(&r)) {
            other = *sum;
            twice(&other);
        }
        *sum = other;
        return;
    }
    fe_sqr_called(&pp, &p);
    fe_mul_called(&p, &p, &pp); /* PPP */
    fe_mul_called(&q, &sum->x, &pp);
    fe_mul_called(&sum->zz, &sum->zz, &pp);
    fe_mul_called(&sum->zzz, &sum->zzz, &p);
    fe_mul_called(&sum->y, &sum->y, &p);
    fe_sqr_called(&pp, &r);
    fe_sub(&pp, &pp, &p);
    fe_sub(&pp, &pp, &q);
    fe_sub(&pp, &pp, &q); /* X3 */
    fe_sub(&q, &q, &pp);
    fe_mul_called(&q, &r, &q);
    fe_sub(&sum->y, &q, &sum->y);
    sum->x = pp;
}

/* Add the point of an entry to the sum. */
static __device__ __forceinline__ void add_entry(xyzz *sum, const void *table, uint32_t entry)
{
    const affine *source = (const affine *)table + (entry >> 1);
    affine point;
    affine_load(&point, source);
    apply_sign(&point.y, entry & 1);
    add_affine(sum, &point);
}

static __device__ __forceinline__ void store_point(xyzz *to, const xyzz *a)
{
    fe_store(&to->x, &a->x);
    fe_store(&to->y, &a->y);
    fe_store(&to->zz, &a->zz);
    fe_store(&to->zzz, &a->zzz);
}

/* Set a sum to its initial value: the earlier chunks' sum if `adds`, else infinity. */
static __device__ __forceinline__ void begin_sum(xyzz *sum, const xyzz *earlier, bool adds)
{
    xyzz_set_infinity(sum);
    if (adds) {
        fe_load(&sum->x, &earlier->x);
        fe_load(&sum->y, &earlier->y);
        fe_load(&sum->zz, &earlier->zz);
        fe_load(&sum->zzz, &earlier->zzz);
    }
}

/* Compute r = k*a by doublings and additions, from the highest bit on. */
static __device__ void times(xyzz *r, const xyzz *a, uint32_t k)
{
    xyzz_set_infinity(r);
#pragma unroll 1
    for (int bit = 31 - __clz((int)k); bit >= 0; bit--) {
        twice(r);
        if (k >> bit & 1) {
            add_point(r, a);
        }
    }
}

/* ---- Sums of entries ---- */

static __global__ void __launch_bounds__(PAIR_BLOCK, XYZZ_BLOCKS_PER_SM)
    entries_kernel(const __grid_constant__ entry_sums lists)
{
    const uint64_t t = thread_index();
    if (t >= lists.lists) {
        return;
    }
    const uint2 range = lists.ranges[t];
    if (lists.adds && range.x == range.y) {
        return;
    }
    xyzz *out = (xyzz *)lists.sums + (lists.targets == NULL ? t : lists.targets[t]);
    xyzz sum;
    begin_sum(&sum, out, lists.adds);
#pragma unroll 1
    for (uint32_t i = range.x; i < range.y; i++) {
        add_entry(&sum, lists.table, lists.entries[i]);
    }
    store_point(out, &sum);
}

static sumac_status sum_entries(cuda_engine *engine, cudaStream_t stream, const entry_sums *lists)
{
    return cuda_launch(engine, stream, entries_kernel, blocks_for(lists->lists, PAIR_BLOCK), PAIR_BLOCK,
                       *lists);
}

/* Return the index of the first of count + 1 non-decreasing words that is at least `least`. Required: words[count] >= least. */
static __device__ __forceinline__ uint64_t first_at_least(const uint32_t *words, uint64_t count,
                                                          uint32_t least)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (words[middle] < least) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Return the largest b with starts[b] <= position; bucket b contains the position. Required: starts[0] <= position <
 * starts[buckets]. */
static __device__ __forceinline__ uint64_t bucket_at(const uint32_t *starts, uint64_t buckets,
                                                     uint32_t position)
{
    return first_at_least(starts, buckets, position + 1) - 1;
}

/* Return what bucket_at() returns, by a search whose steps double. The result is mostly bucket 0. But if a window has
 * few entries, or fewer bits than its module has buckets for, many empty buckets may come first. */
static __device__ __forceinline__ uint64_t bucket_near(const uint32_t *starts, uint64_t buckets,
                                                       uint32_t position)
{
    uint64_t low = 0, step = 1;
    while (low + step < buckets && starts[low + step] <= position) {
        low += step;
        step *= 2;
    }
    return low + bucket_at(starts + low, step < buckets - low ? step : buckets - low, position);
}

/* Empty buckets keep their value, which is infinity or the sum of an earlier copy slice. Every step of the loop is an
 * addition, so that the lanes of a warp stay together for all lengths of buckets. */
static __global__ void __launch_bounds__(PAIR_BLOCK, XYZZ_BLOCKS_PER_SM)
    walk_kernel(const __grid_constant__ bucket_walk walk)
{
    const uint64_t t = thread_index();
    const uint64_t module = t / walk.threads, share = t - module * walk.threads;
    if (module >= walk.modules || (walk.skip_period > 0 && module % walk.skip_period == walk.skipped)) {
        return;
    }
    const uint32_t *starts = walk.starts + module * walk.buckets;
    xyzz *sums = (xyzz *)walk.sums + module * walk.buckets;
    const uint64_t begin = starts[0], count = starts[walk.buckets] - begin;
    uint32_t position = (uint32_t)(begin + count * share / walk.threads);
    uint32_t stop = (uint32_t)(begin + count * (share + 1) / walk.threads);
    /* `first` is the first bucket that begins in the share, or after it. */
    const uint64_t first = first_at_least(starts, walk.buckets, position);
    const bool has_head = walk.heads != NULL && position < starts[first];
    if (walk.heads == NULL) {
        position = starts[first];
        stop = starts[first_at_least(starts, walk.buckets, stop)];
    } else {
        walk.keys[t] = 2 * (uint32_t)(module * walk.buckets + first) - (has_head ? 1 : 0);
    }
    xyzz sum;
    xyzz *target = (xyzz *)walk.heads + t;
    if (position == stop) {
        if (has_head) {
            xyzz_set_infinity(&sum);
            store_point(target, &sum);
        }
        return;
    }
    /* The current list ends at `next`: at the start of the next bucket, or at the end of the share. */
    uint64_t bucket = has_head ? first - 1 : bucket_at(starts, walk.buckets, position);
    if (!has_head) {
        target = &sums[bucket];
    }
    uint32_t next = starts[bucket + 1];
    next = next < stop ? next : stop;
    begin_sum(&sum, target, walk.adds && !has_head);
    for (;;) {
        __syncwarp();
        add_entry(&sum, walk.table, walk.entries[position++]);
        if (position == next) {
            store_point(target, &sum);
            if (position == stop) {
                return;
            }
            bucket++;
            bucket += bucket_near(starts + bucket, walk.buckets - bucket, position);
            target = &sums[bucket];
            next = starts[bucket + 1];
            next = next < stop ? next : stop;
            begin_sum(&sum, target, walk.adds);
        }
    }
}

static sumac_status walk_buckets(cuda_engine *engine, cudaStream_t stream, const bucket_walk *walk)
{
    if (!walk->adds) { /* zeros are infinity */
        CUDA_TRY(engine,
                 cudaMemsetAsync(walk->sums, 0, walk->modules * walk->buckets * sizeof(xyzz), stream));
    }
    return cuda_launch(engine, stream, walk_kernel, blocks_for(walk->modules * walk->threads, PAIR_BLOCK),
                       PAIR_BLOCK, *walk);
}

/* From the largest digit of a range down, t is the sum of the points so far, and s the sum of (the point's digit minus the
 * current digit) times the point, over these points: s += (d_i - d_(i-1))*t. Differences are queued. When a lane's queue is
 * full, all lanes of the warp process their queues, so that they multiply at the same time. */
static __global__ void __launch_bounds__(PAIR_BLOCK, XYZZ_BLOCKS_PER_SM)
    differences_kernel(const __grid_constant__ range_differences work)
{
    const uint64_t index = thread_index();
    const uint64_t module = index / work.ranges, range = index - module * work.ranges;
    const bool exists = module < work.modules;
    const uint32_t *starts = work.starts + (exists ? module * work.buckets : 0);
    const uint64_t start = starts[0], count = exists ? starts[work.buckets] - start : 0;
    const uint32_t begin = (uint32_t)(start + count * range / work.ranges);
    uint32_t position = (uint32_t)(start + count * (range + 1) / work.ranges);
    uint32_t seen = position; /* entries from here on are in the queue or done */
    uint32_t queued = 0, ends[QUEUE], differences[QUEUE];
    uint64_t bucket = begin < position ? bucket_at(starts, work.buckets, position - 1) : 0;
    xyzz t, s;
    xyzz_set_infinity(&t);
    begin_sum(&s, (const xyzz *)work.sums + (exists ? index : 0), work.adds);
    for (;;) {
        while (__all_sync(0xffffffff, queued < QUEUE) && __any_sync(0xffffffff, seen > begin)) {
            if (seen > begin) {
                seen = starts[bucket] > begin ? starts[bucket] : begin;
                const uint64_t below = seen > begin ? bucket_at(starts, bucket, seen - 1) + 1 : 0;
                ends[queued] = seen;
                differences[queued] = (uint32_t)(bucket + 1 - below); /* bucket b has the digit b + 1 */
                queued++;
                bucket = below - 1; /* not used again unless there is a bucket below */
            }
        }
        const uint32_t most = __reduce_max_sync(0xffffffff, queued);
        if (most == 0) {
            break;
        }
#pragma unroll 1
        for (uint32_t k = 0; k < most; k++) {
            while (k < queued && position > ends[k]) {
                add_entry(&t, work.table, work.entries[--position]);
            }
            __syncwarp();
            if (k < queued) {
                xyzz product = t;
                if (differences[k] > 1) {
                    const xyzz point = t;
                    times(&product, &point, differences[k]);
                }
                add_point(&s, &product);
            }
            __syncwarp();
        }
        queued = 0;
    }
    if (exists) {
        ((xyzz *)work.sums)[index] = s;
    }
}

static sumac_status sum_differences(cuda_engine *engine, cudaStream_t stream, const range_differences *work)
{
    return cuda_launch(engine, stream, differences_kernel,
                       blocks_for(work->modules * work->ranges, PAIR_BLOCK), PAIR_BLOCK, *work);
}

/* ---- Sums of points ---- */

static __global__ void __launch_bounds__(PAIR_BLOCK)
    runs_step_kernel(const __grid_constant__ point_runs runs, uint64_t step)
{
    const uint64_t i = thread_index();
    if (i + step < runs.count) {
        const uint32_t key = runs.keys[i];
        if ((key & 1) != 0 && runs.keys[i + step] == key && (i - runs.firsts[i]) % (2 * step) == 0) {
            xyzz *points = (xyzz *)runs.points;
            add_point(&points[i], &points[i + step]);
        }
    }
}

static __global__ void __launch_bounds__(PAIR_BLOCK) runs_end_kernel(const __grid_constant__ point_runs runs)
{
    const uint64_t i = thread_index();
    if (i < runs.count && (runs.keys[i] & 1) != 0 && runs.firsts[i] == i) {
        add_point((xyzz *)runs.sums + (runs.keys[i] >> 1), (const xyzz *)runs.points + i);
    }
}

static sumac_status join_runs(cuda_engine *engine, cudaStream_t stream, const point_runs *runs)
{
    const unsigned blocks = blocks_for(runs->count, PAIR_BLOCK);
    for (uint64_t step = 1; step < runs->count; step *= 2) {
        TRY(cuda_launch(engine, stream, runs_step_kernel, blocks, PAIR_BLOCK, *runs, step));
    }
    return cuda_launch(engine, stream, runs_end_kernel, blocks, PAIR_BLOCK, *runs);
}

static __global__ void __launch_bounds__(PAIR_BLOCK, XYZZ_BLOCKS_PER_SM)
    strided_kernel(const __grid_constant__ strided_sums sums)
{
    const uint64_t index = thread_index();
    const uint64_t row = index / sums.parts, part = index - row * sums.parts;
    const uint64_t group = row / sums.width, column = row - group * sums.width;
    if (group >= sums.groups) {
        return;
    }
    const xyzz *points = (const xyzz *)sums.points + group * sums.group_points;
    xyzz sum;
    begin_sum(&sum, (const xyzz *)sums.out + index, sums.adds);
#pragma unroll 1
    for (uint64_t k = part; k < sums.count; k += sums.parts) {
        const uint64_t position = column * sums.step + k * sums.stride;
        if (position >= sums.limit) {
            break;
        }
        if (position >= sums.shift) {
            add_point(&sum, points + (position - sums.shift));
        }
    }
    ((xyzz *)sums.out)[index] = sum;
}

static sumac_status sum_strided(cuda_engine *engine, cudaStream_t stream, const strided_sums *sums)
{
    const uint64_t threads = sums->groups * sums->width * sums->parts;
    return cuda_launch(engine, stream, strided_kernel, blocks_for(threads, PAIR_BLOCK), PAIR_BLOCK, *sums);
}

static __global__ void __launch_bounds__(PAIR_BLOCK) pick_kernel(const __grid_constant__ picked_points picked)
{
    const uint64_t index = thread_index();
    const uint64_t group = index / picked.count;
    if (group >= picked.groups) {
        return;
    }
    const xyzz *point = (const xyzz *)picked.points + group * picked.group_points +
                        picked.positions[index - group * picked.count];
    xyzz *out = (xyzz *)picked.out + index;
    if (picked.adds) {
        add_point(out, point);
    } else {
        *out = *point;
    }
}

static sumac_status pick(cuda_engine *engine, cudaStream_t stream, const picked_points *picked)
{
    const uint64_t threads = picked->groups * picked->count;
    return cuda_launch(engine, stream, pick_kernel, blocks_for(threads, PAIR_BLOCK), PAIR_BLOCK, *picked);
}

/* A running sum counts the bucket at offset i of a chunk i + 1 times. To correct this, the chunk's total times the
 * number of its first bucket is added. */
static __global__ void __launch_bounds__(PAIR_BLOCK, XYZZ_BLOCKS_PER_SM)
    chunks_kernel(const __grid_constant__ chunk_sums chunks)
{
    const uint64_t t = thread_index();
    const uint32_t length_bits = chunks.bits - chunks.chunk_bits;
    if (t >> chunks.chunk_bits >= chunks.groups) {
        return;
    }
    const xyzz *buckets = (const xyzz *)chunks.buckets + (t << length_bits);
    const uint64_t first = (t & (((uint64_t)1 << chunks.chunk_bits) - 1)) << length_bits;
    xyzz run, sum, correction;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&sum);
#pragma unroll 1
    for (uint64_t b = (uint64_t)1 << length_bits; b-- > 0;) {
        add_point(&run, &buckets[b]);
        add_point(&sum, &run);
    }
    times(&correction, &run, (uint32_t)first);
    add_point(&sum, &correction);
    ((xyzz *)chunks.sums)[t] = sum;
}

static sumac_status sum_chunks(cuda_engine *engine, cudaStream_t stream, const chunk_sums *chunks)
{
    const uint64_t threads = chunks->groups << chunks->chunk_bits;
    return cuda_launch(engine, stream, chunks_kernel, blocks_for(threads, PAIR_BLOCK), PAIR_BLOCK, *chunks);
}

/* The generated list xyzz_groups contains this table. */
extern const xyzz_ops SUMAC_SYMBOL(xyzz) = {
    .sum_entries = sum_entries,
    .walk_buckets = walk_buckets,
    .join_runs = join_runs,
    .sum_strided = sum_strided,
    .pick = pick,
    .sum_chunks = sum_chunks,
    .sum_differences = sum_differences,
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates by size. The buckets of all modules of the pass are put in order, the fullest first, and one
 * thread adds up a bucket in XYZZ. So the lanes of a warp have about the same work, and no thread begins a large bucket
 * when the others are done. The order is found by counting. Sizes that differ by less than a sixteenth count as equal.
 *
 * "by-size" divides buckets of more than large_bucket_factor times the mean into parts of at most that length, which
 * have separate threads and are added up as a tree; "fullest-first" does not.
 */
#include "base/integers.h"
#include "cuda/msm/sort_common.cuh"
#include "plans/cuda/xyzz.h"

/* If the caller sets no large_bucket_factor, this is the factor. */
static const uint64_t LARGE_BUCKET_FACTOR = 10;

enum {
    ORDER_BLOCK = 256,
    ORDER_ITEMS = 8, /* buckets of a thread */
    EXACT_BITS =
        4, /* each size below 2^(EXACT_BITS + 1) is a class; larger ones share one if the EXACT_BITS bits below
                       the highest are equal, too */
    CLASSES = (32 - EXACT_BITS + 1) << EXACT_BITS,
    PARTS_SHARE = 64, /* the least mean number of entries of a part */
};

/* order_work.counts has for each class the number of its buckets, then the index of its next bucket; these words follow. */
enum { NEXT_PART = CLASSES, LONGEST, ORDER_WORDS };

struct order_work {
    const uint32_t *starts;
    uint64_t buckets;
    uint64_t factor; /* 0: no bucket is cut */
    uint64_t parts;  /* the number of parts of large buckets, at most */
    uint32_t *counts;
    uint32_t *order;
    uint2 *ranges; /* the buckets' ranges, in that order */
    uint2 *part_ranges;
    uint32_t *part_keys;
    uint32_t *part_firsts;
};

/* Return the class of a size; class 0 has the largest sizes. */
static __device__ __forceinline__ uint32_t class_of(uint32_t size)
{
    if (size < 2u << EXACT_BITS) {
        return CLASSES - 1 - size;
    }
    const uint32_t shift = 31 - (uint32_t)__clz((int)size) - EXACT_BITS;
    return CLASSES - 1 - ((shift << EXACT_BITS) + (size >> shift));
}

static __device__ __forceinline__ uint64_t bucket_of_item(int item)
{
    return ((uint64_t)blockIdx.x * ORDER_ITEMS + item) * ORDER_BLOCK + threadIdx.x;
}

static __global__ void __launch_bounds__(ORDER_BLOCK) size_kernel(const __grid_constant__ order_work work)
{
    __shared__ uint32_t counts[CLASSES];
    clear_counts(counts, CLASSES);
    for (int item = 0; item < ORDER_ITEMS; item++) {
        const uint64_t b = bucket_of_item(item);
        const bool exists = b < work.buckets;
        const uint32_t size = exists ? work.starts[b + 1] - work.starts[b] : 0;
        (void)take_rank(counts, class_of(size), exists);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CLASSES; i += ORDER_BLOCK) {
        if (counts[i] != 0) {
            atomicAdd(&work.counts[i], counts[i]);
        }
    }
}

/* Compute the start of each class. Also compute how many entries a bucket may have without being divided: so many that
 * the larger buckets have at most work.parts parts in all. */
static __global__ void __launch_bounds__(ORDER_BLOCK) classes_kernel(const __grid_constant__ order_work work)
{
    (void)scan_counts(work.counts, CLASSES);
    if (threadIdx.x == 0) {
        const uint64_t entries = work.starts[work.buckets];
        const uint64_t mean = (entries + work.buckets - 1) / work.buckets;
        const uint64_t least = 2 * entries / work.parts + 1;
        const uint64_t wanted = work.factor * (mean > 0 ? mean : 1);
        const uint64_t longest = wanted > least ? wanted : least;
        work.counts[LONGEST] = work.factor == 0 || longest > UINT32_MAX ? UINT32_MAX : (uint32_t)longest;
    }
}

/* List the parts of a large bucket. */
static __device__ void cut_bucket(const order_work &work, uint64_t bucket, uint32_t size, uint32_t longest)
{
    const uint32_t parts = (size - 1) / longest + 1;
    const uint32_t first = atomicAdd(&work.counts[NEXT_PART], parts);
    const uint64_t start = work.starts[bucket];
    for (uint32_t i = 0; i < parts; i++) {
        work.part_ranges[first + i] = make_uint2((uint32_t)(start + (uint64_t)size * i / parts),
                                                 (uint32_t)(start + (uint64_t)size * (i + 1) / parts));
        work.part_keys[first + i] = 2 * (uint32_t)bucket + 1;
        work.part_firsts[first + i] = first;
    }
}

/* Put every bucket into the order. A large one has no entries in it; its parts have them. */
static __global__ void __launch_bounds__(ORDER_BLOCK) order_kernel(const __grid_constant__ order_work work)
{
    __shared__ uint32_t next[CLASSES]; /* the next index of each class */
    uint32_t rank[ORDER_ITEMS];
    const uint32_t longest = work.counts[LONGEST];
    clear_counts(next, CLASSES);
#pragma unroll
    for (int item = 0; item < ORDER_ITEMS; item++) {
        const uint64_t b = bucket_of_item(item);
        const bool exists = b < work.buckets;
        const uint32_t size = exists ? work.starts[b + 1] - work.starts[b] : 0;
        rank[item] = take_rank(next, class_of(size), exists);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < CLASSES; i += ORDER_BLOCK) {
        if (next[i] != 0) {
            next[i] = atomicAdd(&work.counts[i], next[i]);
        }
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < ORDER_ITEMS; item++) {
        const uint64_t b = bucket_of_item(item);
        if (b < work.buckets) {
            const uint32_t start = work.starts[b], size = work.starts[b + 1] - start;
            const uint32_t index = next[class_of(size)] + rank[item];
            const bool is_large = size > longest;
            work.order[index] = (uint32_t)b;
            work.ranges[index] = make_uint2(start, is_large ? start : start + size);
            if (is_large) {
                cut_bucket(work, b, size, longest);
            }
        }
    }
}

/* Return how many parts the large buckets have at most. A large bucket has more than 2/parts of the entries. */
static uint64_t most_parts(const msm_plan *plan)
{
    return larger(4, smaller(XYZZ_THREADS, 2 * plan_pass_entries(plan) / PARTS_SHARE));
}

struct order_arrays {
    order_work work;
    char *part_sums; /* XYZZ points */
};

static order_arrays lay_out(const group_code *code, const msm_plan *plan, scratch_block *scratch)
{
    order_arrays arrays = {};
    order_work *work = &arrays.work;
    const uint64_t buckets = plan->modules_per_pass * plan->buckets;
    work->parts = most_parts(plan);
    work->counts = scratch->take<uint32_t>(ORDER_WORDS);
    work->order = scratch->take<uint32_t>(buckets);
    work->ranges = scratch->take<uint2>(buckets);
    work->part_ranges = scratch->take<uint2>(work->parts);
    work->part_keys = scratch->take<uint32_t>(work->parts);
    work->part_firsts = scratch->take<uint32_t>(work->parts);
    arrays.part_sums = scratch->take<char>(work->parts * code->xyzz_bytes);
    return arrays;
}

static sumac_status put_in_order(cuda_engine *engine, cudaStream_t stream, const order_work *work)
{
    const unsigned blocks = blocks_for(work->buckets, ORDER_BLOCK * ORDER_ITEMS);
    CUDA_TRY(engine, cudaMemsetAsync(work->counts, 0, ORDER_WORDS * sizeof(uint32_t), stream));
    TRY(cuda_launch(engine, stream, size_kernel, blocks, ORDER_BLOCK, *work));
    TRY(cuda_launch(engine, stream, classes_kernel, 1, ORDER_BLOCK, *work));
    if (work->factor > 0) { /* unused parts are empty, and belong to no run */
        CUDA_TRY(engine, cudaMemsetAsync(work->part_ranges, 0, work->parts * sizeof(uint2), stream));
        CUDA_TRY(engine, cudaMemsetAsync(work->part_keys, 0, work->parts * sizeof(uint32_t), stream));
    }
    return cuda_launch(engine, stream, order_kernel, blocks, ORDER_BLOCK, *work);
}

static sumac_status accumulate(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                               bucket_sums *sums, void *memory, uint64_t factor)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    scratch_block scratch = {static_cast<char *>(memory), 0};
    order_arrays arrays = lay_out(job->code, job->plan, &scratch);
    order_work &work = arrays.work;
    work.starts = lists->starts;
    work.buckets = pass->modules * job->plan->buckets;
    work.factor = factor;
    TRY(put_in_order(engine, stream, &work));
    if (factor > 0) { /* parts come first, because they are longer than other buckets */
        const entry_sums parts = {pass->inputs.bases, lists->entries, work.part_ranges, NULL, work.parts,
                                  arrays.part_sums,   false};
        TRY(xyzz_of(group)->sum_entries(engine, stream, &parts));
    }
    const entry_sums buckets = {pass->inputs.bases,
                                lists->entries,
                                work.ranges,
                                work.order,
                                work.buckets,
                                sums->points,
                                pass->first != pass->chunk_first};
    TRY(xyzz_of(group)->sum_entries(engine, stream, &buckets));
    if (factor > 0) {
        const point_runs runs = {arrays.part_sums, work.part_keys, work.part_firsts, work.parts,
                                 sums->points};
        TRY(xyzz_of(group)->join_runs(engine, stream, &runs));
    }
    return SUMAC_OK;
}

static sumac_status run_by_size(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                bucket_sums *sums, void *scratch)
{
    const uint64_t factor = job->large_bucket_factor == 0 ? LARGE_BUCKET_FACTOR : job->large_bucket_factor;
    return accumulate(job, pass, lists, sums, scratch, factor);
}

static sumac_status run_fullest_first(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                      bucket_sums *sums, void *scratch)
{
    return accumulate(job, pass, lists, sums, scratch, 0);
}

static stage_cost cost_by_size(const plan_request *request, const msm_plan *plan)
{
    return xyzz_cost_of_whole_buckets(request, plan, true);
}

static stage_cost cost_fullest_first(const plan_request *request, const msm_plan *plan)
{
    return xyzz_cost_of_whole_buckets(request, plan, false);
}

extern const stage_kind cuda_accumulate_by_size = {
    .stage = STAGE_ACCUMULATE,
    .name = "by-size",
    .about =
        "takes the buckets of all modules, the largest first, each a thread's, in XYZZ; those of more than "
        "large_bucket_factor times the mean are shared out among the threads",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cost_by_size,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run_by_size>},
};

extern const stage_kind cuda_accumulate_fullest_first = {
    .stage = STAGE_ACCUMULATE,
    .name = "fullest-first",
    .about = "takes the buckets of all modules, the fullest first, each a thread's, in XYZZ",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cost_fullest_first,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run_fullest_first>},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * accumulate as a product of a sparse matrix, whose rows are buckets and whose elements are their points,
 * with the vector of ones. The elements of all rows are shared out equally among the threads, wherever a row
 * is cut by that; what a thread has of a row that began in another's share is added to the row afterwards, as
 * a tree over neighbouring threads. So no distribution of the scalars makes one thread work for all.
 */
#include "base/integers.h"
#include "plans/cuda/xyzz.h"

enum { BALANCED_BLOCK = 128 };

/* firsts[i] = the first of the threads with thread i's key. */
static __global__ void __launch_bounds__(BALANCED_BLOCK)
    firsts_kernel(uint32_t *firsts, const uint32_t *keys, uint32_t count)
{
    const uint32_t i = blockIdx.x * (uint32_t)BALANCED_BLOCK + threadIdx.x;
    if (i >= count) {
        return;
    }
    const uint32_t key = keys[i];
    uint32_t low = 0, high = i;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    firsts[i] = low;
}

/* Byte offsets into the scratch block. */
struct balanced_layout {
    uint64_t heads; /* XYZZ points */
    uint64_t keys;
    uint64_t firsts;
    uint64_t threads;
    uint64_t bytes;
};

static balanced_layout layout_of(const msm_plan *plan, size_t xyzz_bytes)
{
    balanced_layout layout = {};
    layout.threads = larger(1, smaller(XYZZ_THREADS, plan_pass_entries(plan) / XYZZ_LEAST_ENTRIES));
    layout.heads = scratch_take(&layout.bytes, layout.threads * xyzz_bytes);
    layout.keys = scratch_take(&layout.bytes, layout.threads * sizeof(uint32_t));
    layout.firsts = scratch_take(&layout.bytes, layout.threads * sizeof(uint32_t));
    return layout;
}

static uint64_t scratch_bytes(const curve_code *code, const msm_plan *plan)
{
    return layout_of(plan, code->xyzz_bytes).bytes;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const double begin = cuda_stage_begin(job);
    const balanced_layout layout = layout_of(job->plan, curve->xyzz_bytes);
    char *memory = static_cast<char *>(scratch);
    uint32_t *firsts = reinterpret_cast<uint32_t *>(memory + layout.firsts);
    bucket_walk walk = {};
    walk.table = pass->inputs.bases;
    walk.entries = lists->entries;
    walk.starts = lists->starts;
    walk.modules = 1; /* all rows of the pass are one matrix */
    walk.buckets = pass->modules * job->plan->buckets;
    walk.threads = layout.threads;
    walk.sums = sums->points;
    walk.heads = memory + layout.heads;
    walk.keys = reinterpret_cast<uint32_t *>(memory + layout.keys);
    walk.adds = pass->first != pass->chunk_first;
    TRY(xyzz_of(curve)->walk_buckets(engine, stream, &walk));
    firsts_kernel<<<blocks_for(layout.threads, BALANCED_BLOCK), BALANCED_BLOCK, 0, stream>>>(
        firsts, walk.keys, static_cast<uint32_t>(layout.threads));
    CUDA_TRY(engine, cudaGetLastError());
    const point_runs runs = {walk.heads, walk.keys, firsts, layout.threads, sums->points};
    TRY(xyzz_of(curve)->join_runs(engine, stream, &runs));
    return cuda_stage_end(job, pass, "accumulate", begin);
}

extern const stage_kind cuda_accumulate_balanced = {
    .stage = STAGE_ACCUMULATE,
    .name = "balanced",
    .about = "shares the entries of all buckets out equally among threads, which add them up in XYZZ; what a "
             "thread has of a bucket that began in another's share is added to it afterwards",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = scratch_bytes,
    .cost = xyzz_cost_of_buckets,
    .run = {.accumulate = run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates as a product of a sparse matrix, whose rows are buckets and whose elements are their points,
 * with the vector of ones. The elements of all rows are divided equally among the threads, even if that cuts a row. A
 * thread's part of a row that begins in an earlier thread's share is added to the row afterwards, by a tree over
 * neighbouring threads. So no distribution of the scalars makes one thread work for all.
 */
#include "base/integers.h"
#include "plans/cuda/xyzz.h"

enum { BALANCED_BLOCK = 128 };

/* firsts[i] = the number of the first thread that has thread i's key. */
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

struct balanced_arrays {
    uint64_t threads;
    char *heads; /* XYZZ points */
    uint32_t *keys, *firsts;
};

static balanced_arrays lay_out(const group_code *code, const msm_plan *plan, scratch_block *scratch)
{
    balanced_arrays arrays = {};
    arrays.threads = larger(1, smaller(XYZZ_THREADS, plan_pass_entries(plan) / XYZZ_LEAST_ENTRIES));
    arrays.heads = scratch->take<char>(arrays.threads * code->xyzz_bytes);
    arrays.keys = scratch->take<uint32_t>(arrays.threads);
    arrays.firsts = scratch->take<uint32_t>(arrays.threads);
    return arrays;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    scratch_block scratch = {static_cast<char *>(memory), 0};
    const balanced_arrays arrays = lay_out(job->code, job->plan, &scratch);
    bucket_walk walk = {};
    walk.table = pass->inputs.bases;
    walk.entries = lists->entries;
    walk.starts = lists->starts;
    walk.modules = 1; /* all rows of the pass are one matrix */
    walk.buckets = pass->modules * job->plan->buckets;
    walk.threads = arrays.threads;
    walk.sums = sums->points;
    walk.heads = arrays.heads;
    walk.keys = arrays.keys;
    walk.adds = pass->first != pass->chunk_first;
    TRY(xyzz_of(group)->walk_buckets(engine, stream, &walk));
    TRY(cuda_launch(engine, stream, firsts_kernel, blocks_for(arrays.threads, BALANCED_BLOCK), BALANCED_BLOCK,
                    arrays.firsts, walk.keys, static_cast<uint32_t>(arrays.threads)));
    const point_runs runs = {walk.heads, walk.keys, arrays.firsts, arrays.threads, sums->points};
    return xyzz_of(group)->join_runs(engine, stream, &runs);
}

extern const stage_kind cuda_accumulate_balanced = {
    .stage = STAGE_ACCUMULATE,
    .name = "balanced",
    .about = "shares the entries of all buckets out equally among threads, which add them up in XYZZ; what a "
             "thread has of a bucket that began in another's share is added to it afterwards",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .by_name = 1,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = xyzz_cost_of_buckets,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};

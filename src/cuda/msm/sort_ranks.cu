/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file sorts few entries by their ranks. An atomic addition gives each entry its rank in its bucket, the last
 * block computes the starts of buckets, and a second launch writes the entries to their buckets. These are two
 * launches; sort_counting.cu needs four or five, but reads and writes memory in longer runs. */
#include "cuda/msm/sort_common.cuh"

enum { RANK_BLOCK = 512, SCAN_ITEMS = 4 /* buckets that a thread adds up at a time */ };

struct rank_work {
    digit_rows rows;
    uint64_t buckets;
    uint32_t *counts; /* entries of each bucket, initially 0; then the number of finished blocks */
    uint32_t *ranks;  /* the rank of each code that is not 0 */
    uint32_t *entries;
    uint32_t *starts;
};

/* A single block computes the starts of buckets from their counts. */
static __device__ void add_up_counts(const rank_work &w)
{
    uint32_t start = 0;
    for (uint64_t first = 0; first < w.buckets; first += RANK_BLOCK * SCAN_ITEMS) {
        const uint64_t bucket = first + threadIdx.x * SCAN_ITEMS;
        uint32_t counts[SCAN_ITEMS], sum = 0, all;
#pragma unroll
        for (int i = 0; i < SCAN_ITEMS; i++) {
            counts[i] = bucket + i < w.buckets ? __ldcg(&w.counts[bucket + i]) : 0;
            sum += counts[i];
        }
        uint32_t next = start + block_scan(sum, &all);
#pragma unroll
        for (int i = 0; i < SCAN_ITEMS; i++) {
            if (bucket + i < w.buckets) {
                w.starts[bucket + i] = next;
            }
            next += counts[i];
        }
        start += all;
    }
    if (threadIdx.x == 0) {
        w.starts[w.buckets] = start;
    }
}

static __global__ void __launch_bounds__(RANK_BLOCK) rank_kernel(const __grid_constant__ rank_work w)
{
    const uint64_t i = blockIdx.x * (uint64_t)RANK_BLOCK + threadIdx.x;
    const uint32_t code = i < w.rows.total ? w.rows.codes[i] : 0;
    const uint32_t bucket = code == 0 ? 0 : bucket_of(w.rows, (uint32_t)i, code);
    const uint32_t rank = take_rank(w.counts, bucket, code != 0);
    if (code != 0) {
        w.ranks[i] = rank;
    }
    if (is_last(&w.counts[w.buckets], gridDim.x)) {
        add_up_counts(w);
    }
}

static __global__ void __launch_bounds__(RANK_BLOCK) place_kernel(const __grid_constant__ rank_work w)
{
    await_kernel_before();
    const uint64_t i = blockIdx.x * (uint64_t)RANK_BLOCK + threadIdx.x;
    const uint32_t code = i < w.rows.total ? w.rows.codes[i] : 0;
    if (code != 0) {
        const uint32_t start = w.starts[bucket_of(w.rows, (uint32_t)i, code)];
        w.entries[start + w.ranks[i]] = entry_of(w.rows, (uint32_t)i, code);
    }
}

static rank_work lay_out(const group_code *, const msm_plan *plan, scratch_block *scratch)
{
    rank_work work = {};
    work.counts = scratch->take<uint32_t>(plan->modules_per_pass * plan->buckets + 1);
    work.ranks = scratch->take<uint32_t>(plan_pass_entries(plan));
    return work;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    scratch_block scratch = {static_cast<char *>(memory), 0};
    rank_work work = lay_out(job->code, job->plan, &scratch);
    work.rows = digit_rows_of(job, pass, digits);
    work.buckets = pass->modules * job->plan->buckets;
    work.entries = lists->entries;
    work.starts = lists->starts;
    const unsigned blocks = blocks_for(work.rows.total, RANK_BLOCK);
    CUDA_TRY(engine, cudaMemsetAsync(work.counts, 0, (work.buckets + 1) * sizeof(uint32_t), stream));
    TRY(cuda_launch(engine, stream, rank_kernel, blocks, RANK_BLOCK, work));
    return launch_early(engine, stream, place_kernel, blocks, RANK_BLOCK, work);
}

const stage_kind cuda_sort_ranks = {
    .stage = STAGE_SORT,
    .name = "ranks",
    .about = "ranks each entry in its bucket by atomic additions, and writes it to that position",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .accepts = cuda_sorts,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_ranks,
    .run = {.sort = cuda_run<STAGE_SORT, run>},
};

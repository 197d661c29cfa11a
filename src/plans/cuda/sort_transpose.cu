/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind sorts by transposing a sparse matrix, whose rows are the threads and whose columns are the buckets. An
 * element is an entry that a thread has for a bucket. Each thread counts its elements in their columns, which gives
 * every element its rank in its column. Prefix sums of the counts give the columns' starts. The entries of a bucket
 * have no particular order.
 */
#include <cub/device/device_scan.cuh>

#include "cuda/msm/sort_common.cuh"

enum { TRANSPOSE_BLOCK = 256, ROW_ELEMENTS = 8 };

struct transpose_arrays {
    uint32_t *counts; /* a word for each bucket, and one more */
    uint32_t *ranks;  /* the rank of each element in its column */
    char *temporary;
    size_t temporary_bytes;
};

static transpose_arrays lay_out(const group_code *, const msm_plan *plan, scratch_block *scratch)
{
    const uint64_t buckets = plan->modules_per_pass * plan->buckets;
    const uint32_t *in = NULL;
    uint32_t *out = NULL;
    transpose_arrays arrays = {};
    (void)cub::DeviceScan::ExclusiveSum(NULL, arrays.temporary_bytes, in, out, buckets + 1);
    arrays.counts = scratch->take<uint32_t>(buckets + 1);
    arrays.ranks = scratch->take<uint32_t>(plan_pass_entries(plan));
    arrays.temporary = scratch->take<char>(arrays.temporary_bytes);
    return arrays;
}

/* Return the position of element `item` of a thread's row. The elements of a warp are neighbours. */
static __device__ __forceinline__ uint64_t position_of(int item)
{
    return ((uint64_t)blockIdx.x * ROW_ELEMENTS + item) * TRANSPOSE_BLOCK + threadIdx.x;
}

static __global__ void __launch_bounds__(TRANSPOSE_BLOCK)
    columns_kernel(const __grid_constant__ digit_rows rows, uint32_t *counts, uint32_t *ranks)
{
    for (int item = 0; item < ROW_ELEMENTS; item++) {
        const uint64_t position = position_of(item);
        const uint32_t code = position < rows.total ? rows.codes[position] : 0;
        const uint32_t bucket = code == 0 ? 0 : bucket_of(rows, (uint32_t)position, code);
        const uint32_t rank = take_rank(counts, bucket, code != 0);
        if (code != 0) {
            ranks[position] = rank;
        }
    }
}

static __global__ void __launch_bounds__(TRANSPOSE_BLOCK)
    transpose_kernel(const __grid_constant__ digit_rows rows, const uint32_t *starts, const uint32_t *ranks,
                     uint32_t *entries)
{
    for (int item = 0; item < ROW_ELEMENTS; item++) {
        const uint64_t position = position_of(item);
        const uint32_t code = position < rows.total ? rows.codes[position] : 0;
        if (code != 0) {
            entries[starts[bucket_of(rows, (uint32_t)position, code)] + ranks[position]] =
                entry_of(rows, (uint32_t)position, code);
        }
    }
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    scratch_block scratch = {static_cast<char *>(memory), 0};
    transpose_arrays arrays = lay_out(job->code, job->plan, &scratch);
    const digit_rows rows = digit_rows_of(job, pass, digits);
    const uint64_t buckets = pass->modules * job->plan->buckets;
    const unsigned blocks = blocks_for(rows.total, TRANSPOSE_BLOCK * ROW_ELEMENTS);
    CUDA_TRY(engine, cudaMemsetAsync(arrays.counts, 0, (buckets + 1) * sizeof(uint32_t), stream));
    TRY(cuda_launch(engine, stream, columns_kernel, blocks, TRANSPOSE_BLOCK, rows, arrays.counts,
                    arrays.ranks));
    CUDA_TRY(engine, cub::DeviceScan::ExclusiveSum(arrays.temporary, arrays.temporary_bytes, arrays.counts,
                                                   lists->starts, buckets + 1, stream));
    return cuda_launch(engine, stream, transpose_kernel, blocks, TRANSPOSE_BLOCK, rows, lists->starts,
                       arrays.ranks, lists->entries);
}

extern const stage_kind cuda_sort_transpose = {
    .stage = STAGE_SORT,
    .name = "transpose",
    .about = "has the threads' entries as the rows of a sparse matrix, with a column for each bucket, and "
             "transposes it",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .by_name = 1,
    .accepts = cuda_sorts,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_sort,
    .run = {.sort = cuda_run<STAGE_SORT, run>},
};

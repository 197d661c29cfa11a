/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * sort as the transposition of a sparse matrix: its rows are the threads, its columns the buckets, and an
 * element is an entry that a thread has for a bucket. Each thread counts its elements' columns, which gives
 * every element its place in its column; columns begin where a sum over the counts says. Entries of a bucket
 * are in no order.
 */
#include <cub/device/device_scan.cuh>

#include "cuda/msm/sort_common.cuh"

enum { TRANSPOSE_BLOCK = 256, ROW_ELEMENTS = 8 };

/* Byte offsets into the scratch block. */
struct transpose_layout {
    uint64_t counts; /* a word for each bucket, and one more */
    uint64_t places; /* a word for each element: its place in its column */
    uint64_t temporary;
    uint64_t temporary_bytes;
    uint64_t bytes;
};

static transpose_layout layout_of(const msm_plan *plan)
{
    transpose_layout layout = {};
    const uint64_t buckets = plan->modules_per_pass * plan->buckets;
    const uint32_t *in = NULL;
    uint32_t *out = NULL;
    size_t temporary_bytes = 0;
    (void)cub::DeviceScan::ExclusiveSum(NULL, temporary_bytes, in, out, buckets + 1);
    layout.counts = scratch_take(&layout.bytes, (buckets + 1) * sizeof(uint32_t));
    layout.places = scratch_take(&layout.bytes, plan_pass_entries(plan) * sizeof(uint32_t));
    layout.temporary_bytes = temporary_bytes;
    layout.temporary = scratch_take(&layout.bytes, temporary_bytes);
    return layout;
}

static uint64_t scratch_bytes(const curve_code *code, const msm_plan *plan)
{
    (void)code;
    return layout_of(plan).bytes;
}

/* Element `item` of a thread's row; a warp's elements are neighbours. */
static __device__ __forceinline__ uint64_t position_of(int item)
{
    return ((uint64_t)blockIdx.x * ROW_ELEMENTS + item) * TRANSPOSE_BLOCK + threadIdx.x;
}

static __global__ void __launch_bounds__(TRANSPOSE_BLOCK)
    columns_kernel(const __grid_constant__ digit_rows rows, uint32_t *counts, uint32_t *places)
{
    for (int item = 0; item < ROW_ELEMENTS; item++) {
        const uint64_t position = position_of(item);
        const uint32_t code = position < rows.total ? rows.codes[position] : 0;
        const uint32_t bucket = code == 0 ? 0 : bucket_of(rows, (uint32_t)position, code);
        const uint32_t place = take_rank(counts, bucket, code != 0);
        if (code != 0) {
            places[position] = place;
        }
    }
}

static __global__ void __launch_bounds__(TRANSPOSE_BLOCK)
    transpose_kernel(const __grid_constant__ digit_rows rows, const uint32_t *starts, const uint32_t *places,
                     uint32_t *entries)
{
    for (int item = 0; item < ROW_ELEMENTS; item++) {
        const uint64_t position = position_of(item);
        const uint32_t code = position < rows.total ? rows.codes[position] : 0;
        if (code != 0) {
            entries[starts[bucket_of(rows, (uint32_t)position, code)] + places[position]] =
                entry_of(rows, (uint32_t)position, code);
        }
    }
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const double begin = cuda_stage_begin(job);
    const transpose_layout layout = layout_of(job->plan);
    const digit_rows rows = digit_rows_of(job, pass, digits);
    const uint64_t buckets = pass->modules * job->plan->buckets;
    const unsigned blocks = blocks_for(rows.total, TRANSPOSE_BLOCK * ROW_ELEMENTS);
    char *memory = static_cast<char *>(scratch);
    uint32_t *counts = reinterpret_cast<uint32_t *>(memory + layout.counts);
    uint32_t *places = reinterpret_cast<uint32_t *>(memory + layout.places);
    size_t temporary_bytes = layout.temporary_bytes;
    CUDA_TRY(engine, cudaMemsetAsync(counts, 0, (buckets + 1) * sizeof(uint32_t), stream));
    columns_kernel<<<blocks, TRANSPOSE_BLOCK, 0, stream>>>(rows, counts, places);
    CUDA_TRY(engine, cudaGetLastError());
    CUDA_TRY(engine, cub::DeviceScan::ExclusiveSum(memory + layout.temporary, temporary_bytes, counts,
                                                   lists->starts, buckets + 1, stream));
    transpose_kernel<<<blocks, TRANSPOSE_BLOCK, 0, stream>>>(rows, lists->starts, places, lists->entries);
    CUDA_TRY(engine, cudaGetLastError());
    return cuda_stage_end(job, pass, "sort", begin);
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
    .scratch_bytes = scratch_bytes,
    .cost = cuda_cost_of_sort,
    .run = {.sort = run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file sorts if there are window tables. A digit then says which point of its base's table is added, so that
 * nothing has to be sorted. The entries of a module are its digits without those that are 0, in the same order. The
 * modules follow each other in the entries as in the codes of digits, so that a module's entries start at the number of
 * codes before it that are not 0.
 *
 * The codes are cut into slices, one for each block. The first kernel counts the codes of each slice that are not 0. In
 * the second kernel a block adds up the counts of the slices before its own, and then writes the entries of its slice,
 * tile after tile. The result does not depend on the order in which blocks run.
 */
#include "base/integers.h"
#include "cuda/msm/sort_common.cuh"

enum {
    LOOKUP_BLOCK = 256,
    LOOKUP_WARPS = LOOKUP_BLOCK / 32,
    LOOKUP_ITEMS = 8, /* codes that a thread reads at a time */
    LOOKUP_TILE = LOOKUP_BLOCK * LOOKUP_ITEMS,
    LOOKUP_BLOCKS = 5,   /* blocks on an SM */
    LOOKUP_SLICES = 2048 /* at most; somewhat more than the blocks that an H200 runs at once */
};

struct lookup_work {
    digit_rows rows;
    uint32_t slice_codes; /* whole tiles */
    uint32_t *counts;     /* entries of each slice */
    uint32_t *entries;
    uint32_t *starts;
};

struct code_range {
    uint64_t first;
    uint64_t end;
};

static __device__ __forceinline__ code_range range_of_slice(const lookup_work &w)
{
    const uint64_t first = blockIdx.x * (uint64_t)w.slice_codes, end = first + w.slice_codes;
    return {first, end < w.rows.total ? end : w.rows.total};
}

/* Return the position of this thread's item i of a tile. The items of a warp are neighbours. */
static __device__ __forceinline__ uint64_t position_of(uint64_t tile, int i)
{
    return tile + threadIdx.x / 32 * (32 * LOOKUP_ITEMS) + i * 32 + threadIdx.x % 32;
}

static __device__ __forceinline__ void load_codes(uint32_t *codes, const lookup_work &w, uint64_t tile,
                                                  uint64_t end)
{
#pragma unroll
    for (int i = 0; i < LOOKUP_ITEMS; i++) {
        const uint64_t position = position_of(tile, i);
        codes[i] = position < end ? w.rows.codes[position] : 0;
    }
}

/* Return the sum of the values of all threads of the block, all of which must call this. */
static __device__ uint32_t block_sum(uint32_t value)
{
    __shared__ uint32_t sums[LOOKUP_WARPS];
    const uint32_t warp_sum = __reduce_add_sync(0xffffffff, value);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = warp_sum;
    }
    __syncthreads();
    uint32_t sum = 0;
#pragma unroll
    for (int warp = 0; warp < LOOKUP_WARPS; warp++) {
        sum += sums[warp];
    }
    return sum;
}

static __global__ void __launch_bounds__(LOOKUP_BLOCK, LOOKUP_BLOCKS)
    count_digits_kernel(const __grid_constant__ lookup_work w)
{
    const code_range range = range_of_slice(w);
    uint32_t count = 0;
    for (uint64_t tile = range.first; tile < range.end; tile += LOOKUP_TILE) {
        uint32_t codes[LOOKUP_ITEMS];
        load_codes(codes, w, tile, range.end);
#pragma unroll
        for (int i = 0; i < LOOKUP_ITEMS; i++) {
            count += codes[i] != 0;
        }
    }
    count = block_sum(count);
    if (threadIdx.x == 0) {
        w.counts[blockIdx.x] = count;
    }
}

/* Return the number of entries of all slices before the block's. */
static __device__ uint32_t entries_before(const lookup_work &w)
{
    uint32_t sum = 0;
    for (uint32_t slice = threadIdx.x; slice < blockIdx.x; slice += LOOKUP_BLOCK) {
        sum += w.counts[slice];
    }
    return block_sum(sum);
}

static __global__ void __launch_bounds__(LOOKUP_BLOCK, LOOKUP_BLOCKS)
    look_up_kernel(const __grid_constant__ lookup_work w)
{
    /* Tiles use the two rows in turn, because slow warps may still read the sums of the previous tile. */
    __shared__ uint32_t sums[2][LOOKUP_WARPS];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, lower = (1u << lane) - 1;
    const code_range range = range_of_slice(w);
    uint32_t begin = entries_before(w), turn = 0;
    for (uint64_t tile = range.first; tile < range.end; tile += LOOKUP_TILE, turn ^= 1) {
        uint32_t codes[LOOKUP_ITEMS], ballots[LOOKUP_ITEMS], count = 0;
        load_codes(codes, w, tile, range.end);
#pragma unroll
        for (int i = 0; i < LOOKUP_ITEMS; i++) {
            ballots[i] = __ballot_sync(0xffffffff, codes[i] != 0);
            count += __popc(ballots[i]);
        }
        if (lane == 0) {
            sums[turn][warp] = count;
        }
        __syncthreads();
        uint32_t next = begin; /* the index of the warp's next entry */
#pragma unroll
        for (uint32_t other = 0; other < LOOKUP_WARPS; other++) {
            next += other < warp ? sums[turn][other] : 0;
            begin += sums[turn][other];
        }
#pragma unroll
        for (int i = 0; i < LOOKUP_ITEMS; i++) {
            const uint64_t position = position_of(tile, i);
            const uint32_t position_of_entry = next + __popc(ballots[i] & lower);
            if (position < range.end) {
                const uint32_t module = divide((uint32_t)position, w.rows.module_codes);
                if (module * w.rows.module_codes.divisor == position) {
                    w.starts[module] = position_of_entry;
                }
            }
            if (codes[i] != 0) {
                w.entries[position_of_entry] = digits_entry_of(w.rows, (uint32_t)position, codes[i]);
            }
            next += __popc(ballots[i]);
        }
    }
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) {
        w.starts[w.rows.total / w.rows.module_codes.divisor] = begin;
    }
}

static uint64_t scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code, (void)plan;
    return LOOKUP_SLICES * sizeof(uint32_t);
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const digit_rows rows = digit_rows_of(job, pass, digits);
    const uint64_t tiles = ceil_divide(rows.total, LOOKUP_TILE);
    const uint64_t slice_tiles = ceil_divide(tiles, LOOKUP_SLICES);
    const lookup_work work = {
        .rows = rows,
        .slice_codes = static_cast<uint32_t>(slice_tiles * LOOKUP_TILE),
        .counts = static_cast<uint32_t *>(scratch),
        .entries = lists->entries,
        .starts = lists->starts,
    };
    const unsigned slices = static_cast<unsigned>(ceil_divide(tiles, slice_tiles));
    TRY(cuda_launch(engine, stream, count_digits_kernel, slices, LOOKUP_BLOCK, work));
    return cuda_launch(engine, stream, look_up_kernel, slices, LOOKUP_BLOCK, work);
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    (void)plan;
    return request->all_digits;
}

const stage_kind cuda_sort_lookup = {
    .stage = STAGE_SORT,
    .name = "lookup",
    .about = "looks up the point of each digit in the tables, so that nothing is sorted",
    .takes = DIGIT_ROWS,
    .leaves = LOOKED_UP_LISTS,
    .accepts = accepts,
    .scratch_bytes = scratch_bytes,
    .cost = cuda_cost_of_lookup,
    .run = {.sort = cuda_run<STAGE_SORT, run>},
};

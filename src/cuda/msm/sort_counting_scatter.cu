/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The second half of the counting partition (sort_counting.cu): the entries of each bin to their buckets,
 * slice by slice.
 */
#include "cuda/device/engine.h"
#include "cuda/device/errors.h"
#include "cuda/msm/sort_partition.cuh"

enum {
    SCATTER_BLOCK_MAX = 1024,
    SCATTER_BATCH = 4 /* words that a thread asks for at a time */
};

struct slice_range {
    uint32_t first;
    uint32_t end;
};

static __device__ slice_range range_of(const partition_work &w, bin_slice slice)
{
    const uint64_t first = w.bin_starts[slice.bin] + (uint64_t)slice.slice * w.capacity;
    const uint32_t bin_end = w.bin_starts[slice.bin + 1];
    const uint64_t end = first + w.capacity < bin_end ? first + w.capacity : bin_end;
    return {(uint32_t)first, (uint32_t)end};
}

/* Low bits are read two at a time: word v has those of entries 2v and 2v + 1. */
static __device__ uint32_t words_end(slice_range range)
{
    return range.end / 2 + range.end % 2;
}

static __device__ void count_lows(uint32_t *counts, const partition_work &w, slice_range range)
{
    const uint32_t *words = reinterpret_cast<const uint32_t *>(w.fine.rests);
    const uint32_t end = words_end(range);
    for (uint32_t v = range.first / 2 + threadIdx.x; v < end; v += SCATTER_BATCH * blockDim.x) {
        uint32_t two[SCATTER_BATCH];
#pragma unroll
        for (uint32_t j = 0; j < SCATTER_BATCH; j++) {
            const uint32_t own = v + j * blockDim.x;
            two[j] = own < end ? words[own] : 0;
        }
#pragma unroll
        for (uint32_t j = 0; j < SCATTER_BATCH; j++) {
            const uint64_t entry = 2 * (uint64_t)(v + j * blockDim.x);
            if (entry >= range.first && entry < range.end) {
                atomicAdd(&counts[two[j] & 0xffff], 1u);
            }
            if (entry + 1 < range.end) {
                atomicAdd(&counts[two[j] >> 16], 1u);
            }
        }
    }
    __syncthreads();
}

static __global__ void __launch_bounds__(COUNT_BLOCK)
    count_large_kernel(const __grid_constant__ partition_work w)
{
    extern __shared__ uint32_t counts[];
    const uint32_t width = 1u << w.low_bits;
    const uint32_t slices = w.found[1];
    for (uint32_t k = blockIdx.x; k < slices; k += gridDim.x) {
        const bin_slice slice = w.list[k];
        uint32_t *cursors = w.cursors + ((uint64_t)slice.large << w.low_bits);
        clear_counts(counts, width);
        count_lows(counts, w, range_of(w, slice));
        for (uint32_t low = threadIdx.x; low < width; low += COUNT_BLOCK) {
            if (counts[low] != 0) {
                atomicAdd(&cursors[low], counts[low]);
            }
        }
        if (is_last(&w.tickets[1 + slice.large], slice.slices)) {
            for (uint32_t low = threadIdx.x; low < width; low += COUNT_BLOCK) {
                counts[low] = __ldcg(&cursors[low]);
            }
            __syncthreads();
            (void)scan_counts(counts, width);
            for (uint32_t low = threadIdx.x; low < width; low += COUNT_BLOCK) {
                const uint64_t bucket = ((uint64_t)slice.bin << w.low_bits) + low;
                const uint32_t start = w.bin_starts[slice.bin] + counts[low];
                cursors[low] = start;
                if (bucket < w.buckets) {
                    w.starts[bucket] = start;
                }
            }
        }
        __syncthreads();
    }
}

/* Each entry of the slice to the next place of its bucket in `out`. */
static __device__ void scatter_entries(uint32_t *places, const partition_work &w, slice_range range,
                                       uint32_t *out)
{
    const uint32_t *words = reinterpret_cast<const uint32_t *>(w.fine.rests);
    const uint2 *entries = reinterpret_cast<const uint2 *>(w.fine.entries);
    const uint32_t end = words_end(range);
    const uint32_t lane = threadIdx.x % 32;
    /* Whole warps go round: take_place needs all lanes. */
    for (uint32_t v = range.first / 2 + threadIdx.x; v - lane < end; v += SCATTER_BATCH * blockDim.x) {
        uint32_t two[SCATTER_BATCH];
        uint2 entry[SCATTER_BATCH];
#pragma unroll
        for (uint32_t j = 0; j < SCATTER_BATCH; j++) {
            const uint32_t own = v + j * blockDim.x;
            two[j] = own < end ? words[own] : 0;
            entry[j] = own < end ? entries[own] : make_uint2(0, 0);
        }
#pragma unroll
        for (uint32_t j = 0; j < SCATTER_BATCH; j++) {
            const uint64_t number = 2 * (uint64_t)(v + j * blockDim.x);
            const bool first = number >= range.first && number < range.end, second = number + 1 < range.end;
            const uint32_t first_place = take_place(places, two[j] & 0xffff, first);
            const uint32_t second_place = take_place(places, two[j] >> 16, second);
            if (first) {
                out[first_place] = entry[j].x;
            }
            if (second) {
                out[second_place] = entry[j].y;
            }
        }
    }
}

/* With `staged` there is shared memory for the entries of a slice. */
static __global__ void __launch_bounds__(SCATTER_BLOCK_MAX)
    scatter_kernel(const __grid_constant__ partition_work w, uint32_t staged)
{
    extern __shared__ uint32_t places[];
    const uint32_t width = 1u << w.low_bits;
    uint32_t *sorted = places + width;
    if (blockIdx.x >= w.found[0]) {
        return; /* the whole block */
    }
    const bin_slice slice = w.list[blockIdx.x];
    const slice_range range = range_of(w, slice);
    clear_counts(places, width);
    count_lows(places, w, range);
    if (slice.slices > 1) {
        uint32_t *cursors = w.cursors + ((uint64_t)slice.large << w.low_bits);
        for (uint32_t low = threadIdx.x; low < width; low += blockDim.x) {
            places[low] = places[low] == 0 ? 0 : atomicAdd(&cursors[low], places[low]);
        }
        __syncthreads();
        scatter_entries(places, w, range, w.entries);
        return;
    }
    (void)scan_counts(places, width);
    const uint64_t first_bucket = (uint64_t)slice.bin << w.low_bits;
    for (uint32_t low = threadIdx.x; low < width && first_bucket + low < w.buckets; low += blockDim.x) {
        w.starts[first_bucket + low] = range.first + places[low];
    }
    __syncthreads();
    if (!staged) {
        scatter_entries(places, w, range, w.entries + range.first);
        return;
    }
    scatter_entries(places, w, range, sorted);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < range.end - range.first; i += blockDim.x) {
        w.entries[range.first + i] = sorted[i];
    }
}

sumac_status scatter_all(cuda_engine *engine, cudaStream_t stream, const partition_work &work)
{
    const size_t width_bytes = sizeof(uint32_t) << work.low_bits;
    const size_t sorted_bytes = work.capacity * sizeof(uint32_t);
    const bool staged = width_bytes + sorted_bytes + 1024 <= engine->shared_bytes;
    const size_t bytes = width_bytes + (staged ? sorted_bytes : 0);
    const unsigned threads = work.capacity > 28672 ? SCATTER_BLOCK_MAX : work.capacity > 4096 ? 512 : 256;
    const unsigned large = static_cast<unsigned>(engine->multiprocessors) * 2;
    TRY(allow_shared(engine, reinterpret_cast<const void *>(count_large_kernel), width_bytes));
    TRY(allow_shared(engine, reinterpret_cast<const void *>(scatter_kernel), bytes));
    count_large_kernel<<<large, COUNT_BLOCK, width_bytes, stream>>>(work);
    CUDA_TRY(engine, cudaGetLastError());
    scatter_kernel<<<work.bins + work.rows.total / work.capacity, threads, bytes, stream>>>(work, staged);
    CUDA_TRY(engine, cudaGetLastError());
    return SUMAC_OK;
}

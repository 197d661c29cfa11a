/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of the counting partition share: sort_counting.cu has the way into the bins,
 * sort_counting_scatter.cu that to the buckets. */
#ifndef SUMAC_CUDA_MSM_SORT_PARTITION_CUH
#define SUMAC_CUDA_MSM_SORT_PARTITION_CUH

#include "cuda/device/engine.h"
#include "cuda/device/errors.h"
#include "cuda/msm/sort_digits.cuh"

/* Threads of a block that counts, and how many lanes have to want the same word to be worth a vote. */
enum { COUNT_BLOCK = 512, FEW_ALIKE = 4 };

/*
 * Buckets are taken together in bins of 2^low_bits of them, and the entries of a bin in slices of at most
 * `capacity`. Where there are many bins, 2^sub_bits of them are a coarse bin, and the partition has two
 * steps. The same for all passes of a plan; a pass may have fewer entries and buckets.
 */
struct bin_shape {
    uint32_t low_bits;
    uint32_t sub_bits; /* low_bits + sub_bits <= 16 */
    uint32_t bins;
    uint32_t coarse_bins;
    uint32_t capacity;
    uint64_t slices; /* of all bins together, at most */
    uint64_t large;  /* bins of more than one slice, at most */
};

/* A slice of a bin. `large` numbers the bins of more than one slice. */
struct bin_slice {
    uint32_t bin;
    uint32_t slice;
    uint32_t slices; /* of its bin */
    uint32_t large;
};

/* Entries bin by bin, the rest of their buckets' numbers beside them, and where the next one of each bin
 * goes.
 */
struct binned_entries {
    uint32_t *entries;
    uint16_t *rests;
    uint32_t *next;
    uint32_t shift; /* the bits of a rest: a bin is the bits above */
};

/* What the kernels work on. */
struct partition_work {
    digit_rows rows;
    uint64_t buckets; /* of the pass */
    uint32_t low_bits;
    uint32_t sub_bits;
    uint32_t bins;
    uint32_t coarse_bins; /* as many as bins where the partition has one step */
    uint32_t capacity;
    binned_entries coarse;
    binned_entries fine; /* the same as coarse, or the second step's */
    uint32_t *totals;
    uint32_t *tickets; /* [0]: of the count; [1 + large] */
    uint32_t *cursors; /* [large << low_bits | low] */
    uint32_t *bin_starts;
    uint32_t *coarse_tiles;
    bin_slice *list;
    uint32_t *found;
    uint32_t *entries; /* the stage's output */
    uint32_t *starts;
};

/* Steps 3 and 4: every entry of a bin to its bucket, and where the buckets begin. */
sumac_status scatter_all(cuda_engine *engine, cudaStream_t stream, const partition_work &work);

/*
 * Let blocks of the kernel have so much shared memory beside what it declares. More than 48 KiB are allowed
 * only on demand, and for all threads of the process at once: so always as much as there is.
 */
static inline sumac_status allow_shared(cuda_engine *engine, const void *kernel, size_t bytes)
{
    if (bytes > 47 * 1024) {
        CUDA_TRY(engine, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              static_cast<int>(engine->shared_bytes - 1024)));
    }
    return SUMAC_OK;
}

/* The sum of the values of the threads before this one, and of all. */
static __device__ uint32_t block_scan(uint32_t value, uint32_t *total)
{
    __shared__ uint32_t sums[33];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    uint32_t inclusive = value;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const uint32_t before = __shfl_up_sync(0xffffffff, inclusive, step);
        inclusive += lane >= step ? before : 0;
    }
    __syncthreads(); /* the sums of the scan before have been read */
    if (lane == 31) {
        sums[warp] = inclusive;
    }
    __syncthreads();
    if (warp == 0) {
        const uint32_t own = lane < warps ? sums[lane] : 0;
        uint32_t all = own;
        for (uint32_t step = 1; step < 32; step *= 2) {
            const uint32_t before = __shfl_up_sync(0xffffffff, all, step);
            all += lane >= step ? before : 0;
        }
        sums[lane] = all - own;
        if (lane == 31) {
            sums[32] = all;
        }
    }
    __syncthreads();
    *total = sums[32];
    return sums[warp] + inclusive - value;
}

/* counts[i] = the sum of those before i; returns the sum of all. */
static __device__ uint32_t scan_counts(uint32_t *counts, uint32_t n)
{
    const uint32_t each = (n + blockDim.x - 1) / blockDim.x;
    const uint32_t first = threadIdx.x * each;
    const uint32_t end = first + each < n ? first + each : n;
    uint32_t sum = 0, total;
    for (uint32_t i = first; i < end; i++) {
        sum += counts[i];
    }
    uint32_t before = block_scan(sum, &total);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t count = counts[i];
        counts[i] = before;
        before += count;
    }
    __syncthreads();
    return total;
}

static __device__ void clear_counts(uint32_t *counts, uint32_t n)
{
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        counts[i] = 0;
    }
    __syncthreads();
}

/*
 * counters[which]++ for each active lane; its value before. All lanes of a warp come here together. Additions
 * to one word are made one after another: where many lanes have the same as the first, they share one.
 */
static __device__ __forceinline__ uint32_t take_place(uint32_t *counters, uint32_t which, bool active)
{
    const uint32_t some = __ballot_sync(0xffffffff, active);
    if (some == 0) {
        return 0;
    }
    const int first = __ffs((int)some) - 1;
    const uint32_t leading = __shfl_sync(0xffffffff, which, first);
    const bool same = active && which == leading;
    const uint32_t alike = __ballot_sync(0xffffffff, same);
    const bool together = __popc(alike) > FEW_ALIKE;
    const uint32_t lane = threadIdx.x % 32;
    uint32_t place = 0;
    if (together) {
        if (lane == (uint32_t)first) {
            place = atomicAdd(&counters[which], (uint32_t)__popc(alike));
        }
        place = __shfl_sync(0xffffffff, place, first) + __popc(alike & ((1u << lane) - 1));
    }
    if (active && !(together && same)) {
        place = atomicAdd(&counters[which], 1u);
    }
    return place;
}

/* Whether this block is the last of `blocks` that come here; then it sees what the others have written. */
static __device__ bool is_last(uint32_t *ticket, uint32_t blocks)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(ticket, 1u) == blocks - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
    }
    return last;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kinds of sort share this code: the digits of a pass, the entries that the digits stand for, and counters. */
#ifndef SUMAC_CUDA_MSM_SORT_COMMON_CUH
#define SUMAC_CUDA_MSM_SORT_COMMON_CUH

#include "cuda/device/kernels.cuh"
#include "cuda/msm/stage.h"

/* ---- Digits, row after row ---- */

/* The digits of a pass are codes[(module*factor + multiple)*n + i]. All numbers stay below 2^32: the planner limits the
 * codes and buckets of a pass, and an index into the bases has 31 bits. */
struct digit_rows {
    const uint32_t *codes;
    uint32_t total;        /* modules * factor * n */
    divider n;             /* codes of a row */
    divider factor;        /* rows of a module */
    divider module_codes;  /* factor * n */
    divider modules;       /* modules of an MSM */
    uint32_t buckets;      /* buckets of a module */
    uint32_t table_digits; /* plan.table_digits: points of the table for each multiple */
    uint32_t first_module; /* the number, in its MSM, of the pass's first module */
    uint32_t first_set;    /* the set of bases of the pass's first MSM */
    uint32_t table_count;
    uint32_t first_base;
    divider sets;       /* sets of bases */
    uint32_t set_bases; /* bases from one set to the next */
};

static inline digit_rows digit_rows_of(const msm_job *job, const msm_pass *pass, const digit_table *digits)
{
    const msm_plan *plan = job->plan;
    const uint64_t module_codes = pass->n * plan_multiples(plan);
    return {
        .codes = digits->codes,
        .total = static_cast<uint32_t>(pass->modules * module_codes),
        .n = divider_of(pass->n),
        .factor = divider_of(plan_multiples(plan)),
        .module_codes = divider_of(module_codes),
        .modules = divider_of(plan->modules),
        .buckets = static_cast<uint32_t>(plan->buckets),
        .table_digits = static_cast<uint32_t>(plan->table_digits),
        .first_module = static_cast<uint32_t>(pass->first_module % plan->modules),
        .first_set =
            static_cast<uint32_t>((job->first_set + pass->first_module / plan->modules) % job->base_sets),
        .table_count = static_cast<uint32_t>(job->bases.count),
        .first_base = static_cast<uint32_t>(pass->inputs.first_base),
        .sets = divider_of(job->base_sets),
        .set_bases = static_cast<uint32_t>(pass->inputs.set_bases),
    };
}

/* This is stage_kind.accepts of the kinds that make lists of buckets, which window tables do not need. */
static inline int cuda_sorts(const plan_request *request, msm_plan *plan)
{
    (void)plan;
    return !request->all_digits;
}

/* Return the bucket of the code at a position; the code must not be 0. */
static __device__ __forceinline__ uint32_t bucket_of(const digit_rows &rows, uint32_t position, uint32_t code)
{
    const uint32_t module = rows.module_codes.divisor == rows.total ? 0 : divide(position, rows.module_codes);
    return module * rows.buckets + (code >> 1) - 1;
}

/* A code is a digit of this multiple of this base. */
struct code_base {
    uint32_t multiple;
    uint32_t base;
};

static __device__ __forceinline__ code_base base_of_code(const digit_rows &rows, uint32_t position)
{
    const uint32_t row = divide(position, rows.n);
    const uint32_t module = divide(row, rows.factor);
    code_base from = {row - module * rows.factor.divisor, rows.first_base + position - row * rows.n.divisor};
    if (rows.sets.divisor > 1) {
        const uint32_t set = rows.first_set + divide(rows.first_module + module, rows.modules);
        from.base += (set - divide(set, rows.sets) * rows.sets.divisor) * rows.set_bases;
    }
    return from;
}

/* Return the entry, 2 * (index into the bases' table) + (d < 0), of the code at a position. */
static __device__ __forceinline__ uint32_t entry_of(const digit_rows &rows, uint32_t position, uint32_t code)
{
    const code_base from = base_of_code(rows, position);
    return (from.multiple * rows.table_count + from.base) << 1 | (code & 1);
}

/* Return the entry of the code at a position if there are window tables. The entry's point is the one that the digit
 * selects. The code must not be 0. */
static __device__ __forceinline__ uint32_t digits_entry_of(const digit_rows &rows, uint32_t position,
                                                           uint32_t code)
{
    const code_base from = base_of_code(rows, position);
    const uint32_t multiple = from.multiple * rows.table_digits + (code >> 1) - 1;
    return (multiple * rows.table_count + from.base) << 1 | (code & 1);
}

/* ---- Counters ---- */

/* Lanes share one atomic addition if more than FEW_ALIKE of them add to the same word. */
enum { FEW_ALIKE = 4 };

/* Return the sum of the values of the threads before this one. *total becomes the sum of all values. */
static __device__ uint32_t block_scan(uint32_t value, uint32_t *total)
{
    __shared__ uint32_t sums[33];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    uint32_t inclusive = value;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const uint32_t before = __shfl_up_sync(0xffffffff, inclusive, step);
        inclusive += lane >= step ? before : 0;
    }
    __syncthreads(); /* the sums of the previous scan have been read */
    if (lane == 31) {
        sums[warp] = inclusive;
    }
    __syncthreads();
    if (warp == 0) {
        const uint32_t warp_sum = lane < warps ? sums[lane] : 0;
        uint32_t all = warp_sum;
        for (uint32_t step = 1; step < 32; step *= 2) {
            const uint32_t before = __shfl_up_sync(0xffffffff, all, step);
            all += lane >= step ? before : 0;
        }
        sums[lane] = all - warp_sum;
        if (lane == 31) {
            sums[32] = all;
        }
    }
    __syncthreads();
    *total = sums[32];
    return sums[warp] + inclusive - value;
}

/* Set each counts[i] to the sum of the counts before it, and return the sum of all. */
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
 * Do counters[which]++ for each active lane, and return the counter's value before that. All lanes of a warp must call
 * this together. Atomic additions to one word are serialized, so if many lanes have the first active lane's word, they
 * share one addition.
 */
static __device__ __forceinline__ uint32_t take_rank(uint32_t *counters, uint32_t which, bool active)
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
    uint32_t rank = 0;
    if (together) {
        if (lane == (uint32_t)first) {
            rank = atomicAdd(&counters[which], (uint32_t)__popc(alike));
        }
        rank = __shfl_sync(0xffffffff, rank, first) + __popc(alike & ((1u << lane) - 1));
    }
    if (active && !(together && same)) {
        rank = atomicAdd(&counters[which], 1u);
    }
    return rank;
}

/* Return whether this block is the last of `blocks` blocks that call this. The last block sees what the others have
 * written. */
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

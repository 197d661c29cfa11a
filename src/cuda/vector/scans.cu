/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes running sums and products of rows on the GPU, by levels. An item of level 0 is an element. An item
 * of a higher level covers SCAN_EACH items of the level below, and is their total from the last start of a row in it
 * on. From the bottom up, one thread for each item computes these totals. From the top down, it replaces each of the
 * items below by the total of what precedes it in its row.
 */
#include "cuda/vector/scalars.cuh"

enum { SCAN_EACH = 32, SCAN_BLOCK = 128, SCAN_LEVELS = 13 };

/* These are the items of one level. */
struct scan_level {
    fp *items;
    uint64_t count;
    uint64_t span; /* elements that an item covers */
};

struct scan_rows {
    uint64_t n, length; /* elements of all rows, and of one row */
    int multiplies;
};

static __device__ __forceinline__ void set_identity(fp *r, int multiplies)
{
    if (multiplies) {
        fp_set_one(r);
    } else {
        fp_set_zero(r);
    }
}

static __device__ __forceinline__ void accumulate(fp *r, const fp *item, int multiplies)
{
    if (multiplies) {
        fp_mul(r, r, item);
    } else {
        fp_add(r, r, item);
    }
}

/* These say whether a row begins at the first element of an item, and whether one begins at any other element. */
struct row_starts {
    bool at_first, inside;
};

static __device__ __forceinline__ row_starts starts_of(const scan_rows &rows, uint64_t span, uint64_t k)
{
    const uint64_t first = k * span;
    const uint64_t last = rows.n - first < span ? rows.n - 1 : first + span - 1;
    const uint64_t row = last - last % rows.length;
    return {first % rows.length == 0, row > first};
}

static __global__ void __launch_bounds__(SCAN_BLOCK)
    totals_kernel(const __grid_constant__ scan_rows rows, const __grid_constant__ scan_level below,
                  fp *totals)
{
    const uint64_t k = blockIdx.x * (uint64_t)SCAN_BLOCK + threadIdx.x, first = k * SCAN_EACH;
    if (first >= below.count) {
        return;
    }
    const uint64_t end = below.count - first < SCAN_EACH ? below.count : first + SCAN_EACH;
    fp total, item;
    set_identity(&total, rows.multiplies);
#pragma unroll 1
    for (uint64_t i = first; i < end; i++) {
        const row_starts starts = starts_of(rows, below.span, i);
        if (starts.at_first || starts.inside) {
            set_identity(&total, rows.multiplies);
        }
        fp_load(&item, &below.items[i]);
        accumulate(&total, &item, rows.multiplies);
    }
    fp_store(&totals[k], &total);
}

/* Replace each item below by the total of what precedes it in its row; if `inclusive`, the item itself is included. */
static __global__ void __launch_bounds__(SCAN_BLOCK)
    carries_kernel(const __grid_constant__ scan_rows rows, const __grid_constant__ scan_level below,
                   const fp *carries, int inclusive)
{
    const uint64_t k = blockIdx.x * (uint64_t)SCAN_BLOCK + threadIdx.x, first = k * SCAN_EACH;
    if (first >= below.count) {
        return;
    }
    const uint64_t end = below.count - first < SCAN_EACH ? below.count : first + SCAN_EACH;
    fp before, item, upto;
    if (carries == NULL) {
        set_identity(&before, rows.multiplies);
    } else {
        fp_load(&before, &carries[k]);
    }
#pragma unroll 1
    for (uint64_t i = first; i < end; i++) {
        const row_starts starts = starts_of(rows, below.span, i);
        if (starts.at_first) {
            set_identity(&before, rows.multiplies);
        }
        fp_load(&item, &below.items[i]);
        upto = before;
        if (starts.inside) {
            upto = item;
        } else {
            accumulate(&upto, &item, rows.multiplies);
        }
        item = before;
        if (inclusive) {
            item = upto;
        }
        fp_store(&below.items[i], &item);
        before = upto;
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(scan)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                        const vector_scan *scan)
{
    cuda_engine *engine = engine_of_run(run);
    const scan_rows rows = {n, length, scan->multiplies};
    scan_level levels[SCAN_LEVELS] = {{static_cast<fp *>(r), n, 1}};
    uint32_t top = 0; /* the level whose items one thread covers */
    uint64_t bytes = 0;
    if (n == 0) {
        return SUMAC_OK;
    }
    for (; levels[top].count > SCAN_EACH; top++) {
        levels[top + 1].count = (levels[top].count + SCAN_EACH - 1) / SCAN_EACH;
        levels[top + 1].span = levels[top].span * SCAN_EACH;
        bytes += levels[top + 1].count * sizeof(fp);
    }
    TRY(buffer_want(engine, &engine->vector_scratch, bytes > VECTOR_SCRATCH ? bytes : VECTOR_SCRATCH,
                    "vectors"));
    fp *items = reinterpret_cast<fp *>(engine->vector_scratch.memory);
    for (uint32_t level = 0; level < top; level++) {
        levels[level + 1].items = items;
        TRY(cuda_launch(engine, engine->stream, totals_kernel,
                        blocks_for(levels[level + 1].count, SCAN_BLOCK), SCAN_BLOCK, rows, levels[level],
                        items));
        items += levels[level + 1].count;
    }
    for (uint32_t level = top + 1; level-- > 0;) {
        TRY(cuda_launch(engine, engine->stream, carries_kernel,
                        blocks_for((levels[level].count + SCAN_EACH - 1) / SCAN_EACH, SCAN_BLOCK), SCAN_BLOCK,
                        rows, levels[level], level == top ? NULL : levels[level + 1].items,
                        level == 0 && !scan->exclusive));
    }
    return cuda_finished(engine);
}

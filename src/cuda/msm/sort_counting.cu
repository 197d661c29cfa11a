/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file sorts by counting: it makes bucket lists of digits. A bin is the buckets whose numbers have the same high
 * bits. The steps are:
 *   1. count       counts the entries of each bin, and lists the bins' starts and slices
 *   2. partition   moves every entry and the low bits of its bucket's number to the entry's bin; with many bins, to the
 *                  coarse bin first, so that a block writes long runs
 *   3. count_large counts the entries of the buckets of bins that have more than one slice
 *   4. scatter     moves every entry of a bin to its bucket, slice by slice, and writes the buckets' starts
 * Digits that are 0 are dropped in step 1. A tile of the partition is first put in the order of bins in shared memory,
 * and a bin of one slice in the order of its buckets, so that neighbouring lanes write neighbouring words. A bin with
 * too many entries for that has several slices, each of which reserves its part of a bucket by one atomic addition.
 * That is slower for each entry, but all blocks share the work, even if all scalars are equal.
 *
 * The order of a bucket's entries depends on timing. The results do not depend on it, as the affine coordinates of a
 * sum are unique.
 */
#include "cuda/msm/sort_common.cuh"

/* These numbers were chosen by bench_cuda_msm on an H200 (2026-11-21). The sort of 2^24 scalars of BLS12-381 takes 3.54
 * ms with a partition in two steps. With one step it takes 4.98 ms to 4096 bins, and 6.08 to 8192. CUB's radix sort
 * takes 5.2 ms. */
enum {
    COUNT_BLOCK = 512,
    PARTITION_BLOCK = 512,
    PARTITION_ITEMS = 16, /* items of a thread, a multiple of 4 */
    PARTITION_TILE = PARTITION_BLOCK * PARTITION_ITEMS,
    PARTITION_BLOCKS = 2, /* blocks of an SM */
    BINS_MAX = 8192,
    BINS_FEW = 256,          /* with at most this many bins, the partition writes long runs */
    BIN_ENTRIES_FEW = 4096,  /* the least mean entries of a bin with at most BINS_FEW bins, */
    BIN_ENTRIES_MANY = 8192, /* and the least mean entries with more bins; bins are enlarged until they have
                                so many */
    LOW_BITS_SMALL = 11,     /* or until they have 2^LOW_BITS_SMALL buckets */
    LOW_BITS_MAX = 14,       /* a word for each bucket of a bin fits shared memory */
    SUB_BITS_MAX = 5,
    REST_BITS = 16, /* low bits of a bucket's number, in an array parallel to the entries */
    COARSE_MAX = BINS_MAX >> (REST_BITS - LOW_BITS_MAX),
    BINS_A_THREAD = COARSE_MAX / PARTITION_BLOCK,
    CAPACITY_MAX = 53248,  /* entries of a slice */
    CAPACITY_LARGE = 16384 /* entries of a slice, if even mean bins need several slices */
};

/* ---- Layout ---- */

/* All passes of a plan share this shape of the partition; a pass may have fewer entries and buckets. A bin is
 * 2^low_bits buckets, and its entries are divided into slices of at most `capacity`. If there are many bins, 2^sub_bits
 * of them are a coarse bin, and the partition has two steps. */
struct bin_shape {
    uint32_t low_bits;
    uint32_t sub_bits; /* low_bits + sub_bits <= 16 */
    uint32_t bins;
    uint32_t coarse_bins;
    uint32_t capacity;
    uint64_t slices; /* slices of all bins together, at most */
    uint64_t large;  /* bins of more than one slice, at most */
};

/* A slice is part of a bin's entries. `large` numbers the bins of more than one slice. */
struct bin_slice {
    uint32_t bin;
    uint32_t slice;
    uint32_t slices; /* slices of its bin */
    uint32_t large;
};

/* The entries lie bin by bin; rests[i] is the low bits of the bucket's number of entries[i], and next[b] the index of
 * bin b's next entry. */
struct binned_entries {
    uint32_t *entries;
    uint16_t *rests;
    uint32_t *next;
    uint32_t shift; /* the bits of a rest; the bits above them are the bin's number */
};

/* The kernels' arguments are numbers of the pass, arrays in the scratch block, and the stage's output. */
struct partition_work {
    digit_rows rows;
    uint64_t buckets; /* buckets of the pass */
    uint32_t low_bits;
    uint32_t sub_bits;
    uint32_t bins;
    uint32_t coarse_bins; /* equals `bins` if the partition has one step */
    uint32_t capacity;
    binned_entries coarse;
    binned_entries fine;    /* the second step's output, or equal to coarse */
    uint32_t *totals;       /* the entries of each bin */
    uint32_t *tickets;      /* numbers of finished blocks: [0] of count, [1 + large] of count_large */
    uint32_t *cursors;      /* [large << low_bits | low]: a bucket's entries, then its next index */
    uint32_t *bin_starts;   /* bins + 1 indices */
    uint32_t *coarse_tiles; /* coarse_bins + 1 sums of the tiles of earlier bins */
    bin_slice *list;        /* all slices, those of large bins first */
    uint32_t *found;        /* the number of slices, and of those of large bins */
    uint32_t *entries;      /* the stage's output */
    uint32_t *starts;
};

static uint32_t bins_of(uint64_t buckets, uint32_t low_bits)
{
    return static_cast<uint32_t>((buckets + ((uint64_t)1 << low_bits) - 1) >> low_bits);
}

static bool is_too_fine(uint64_t entries, uint64_t buckets, uint32_t low_bits)
{
    const uint32_t bins = bins_of(buckets, low_bits);
    return bins > 1 && low_bits < LOW_BITS_SMALL &&
           entries / bins < (bins > BINS_FEW ? BIN_ENTRIES_MANY : BIN_ENTRIES_FEW);
}

static bin_shape shape_of(uint64_t entries, uint64_t buckets)
{
    bin_shape shape = {};
    while ((buckets >> shape.low_bits) > BINS_MAX || bins_of(buckets, shape.low_bits) > BINS_MAX ||
           is_too_fine(entries, buckets, shape.low_bits)) {
        shape.low_bits++;
    }
    shape.bins = bins_of(buckets, shape.low_bits);
    if (shape.bins > BINS_FEW) {
        const uint32_t bits_left = REST_BITS - shape.low_bits;
        shape.sub_bits = bits_left < SUB_BITS_MAX ? bits_left : SUB_BITS_MAX;
    }
    shape.coarse_bins = bins_of(buckets, shape.low_bits + shape.sub_bits);
    const uint64_t mean = entries / shape.bins;
    /* A bin of random scalars practically never has more entries than this. */
    const uint64_t capacity = (mean + mean / 8 + 1024 + 255) / 256 * 256;
    shape.capacity = capacity <= CAPACITY_MAX ? (uint32_t)capacity : (uint32_t)CAPACITY_LARGE;
    shape.slices = shape.bins + entries / shape.capacity;
    shape.large = entries / shape.capacity < shape.bins ? entries / shape.capacity : shape.bins;
    return shape;
}

/* Set the numbers, and take the arrays, of a plan's passes. The arrays from totals up to bin_starts must start as zeros. */
static partition_work lay_out(const group_code *, const msm_plan *plan, scratch_block *scratch)
{
    const uint64_t entries = plan_pass_entries(plan);
    const bin_shape shape = shape_of(entries, plan->modules_per_pass * plan->buckets);
    const uint64_t coarse_entries = shape.sub_bits > 0 ? entries : 0;
    partition_work work = {};
    work.low_bits = shape.low_bits;
    work.sub_bits = shape.sub_bits;
    work.capacity = shape.capacity;
    work.fine.shift = shape.low_bits;
    work.fine.entries = scratch->take<uint32_t>(entries);
    work.fine.rests = scratch->take<uint16_t>(entries);
    work.coarse.shift = shape.low_bits + shape.sub_bits;
    work.coarse.entries = scratch->take<uint32_t>(coarse_entries);
    work.coarse.rests = scratch->take<uint16_t>(coarse_entries);
    work.totals = scratch->take<uint32_t>(shape.bins);
    work.tickets = scratch->take<uint32_t>(1 + shape.large);
    work.cursors = scratch->take<uint32_t>(shape.large << shape.low_bits);
    work.bin_starts = scratch->take<uint32_t>(shape.bins + 1);
    work.fine.next = scratch->take<uint32_t>(shape.bins);
    work.coarse.next = scratch->take<uint32_t>(shape.coarse_bins);
    work.coarse_tiles = scratch->take<uint32_t>(shape.coarse_bins + 1);
    work.list = scratch->take<bin_slice>(shape.slices);
    work.found = scratch->take<uint32_t>(2);
    if (shape.sub_bits == 0) {
        work.coarse = work.fine;
    }
    return work;
}

/* ---- 1. Count ---- */

static __device__ __forceinline__ void count_code(uint32_t *counts, const partition_work &w,
                                                  uint64_t position, uint32_t code)
{
    if (code != 0) {
        atomicAdd(&counts[bucket_of(w.rows, (uint32_t)position, code) >> w.low_bits], 1u);
    }
}

/* Return the first bin of a coarse bin, or the number of bins if the coarse bin is behind the last one. */
static __device__ uint32_t first_bin(const partition_work &w, uint32_t coarse)
{
    const uint32_t bin = coarse << w.sub_bits;
    return bin < w.bins ? bin : w.bins;
}

/* A single block lists the starts of coarse bins, and the sums of the tiles of earlier ones; list_slices() ran before. */
static __device__ void list_tiles(const partition_work &w)
{
    const uint32_t each = (w.coarse_bins + blockDim.x - 1) / blockDim.x;
    const uint32_t first = threadIdx.x * each;
    const uint32_t end = first + each < w.coarse_bins ? first + each : w.coarse_bins;
    uint32_t tiles = 0, all;
    for (uint32_t c = first; c < end; c++) {
        const uint32_t size = w.bin_starts[first_bin(w, c + 1)] - w.bin_starts[first_bin(w, c)];
        tiles += size / PARTITION_TILE + (size % PARTITION_TILE != 0);
    }
    uint32_t before = block_scan(tiles, &all);
    for (uint32_t c = first; c < end; c++) {
        const uint32_t start = w.bin_starts[first_bin(w, c)];
        const uint32_t size = w.bin_starts[first_bin(w, c + 1)] - start;
        w.coarse.next[c] = start;
        w.coarse_tiles[c] = before;
        before += size / PARTITION_TILE + (size % PARTITION_TILE != 0);
    }
    if (threadIdx.x == 0) {
        w.coarse_tiles[w.coarse_bins] = all;
    }
}

/* A single block lists the starts of bins, and their slices, from the bins' totals. */
static __device__ void list_slices(const partition_work &w)
{
    const uint32_t each = (w.bins + blockDim.x - 1) / blockDim.x;
    const uint32_t first = threadIdx.x * each;
    const uint32_t end = first + each < w.bins ? first + each : w.bins;
    uint32_t entries = 0, slices = 0, bins = 0; /* slices and bins count large bins only */
    for (uint32_t b = first; b < end; b++) {
        const uint32_t size = __ldcg(&w.totals[b]);
        entries += size;
        if (size > w.capacity) {
            slices += (size - 1) / w.capacity + 1;
            bins++;
        }
    }
    uint32_t all_entries, large_slices, large_bins;
    uint32_t start = block_scan(entries, &all_entries);
    uint32_t slice = block_scan(slices, &large_slices);
    uint32_t large = block_scan(bins, &large_bins);
    for (uint32_t b = first; b < end; b++) {
        const uint32_t size = __ldcg(&w.totals[b]);
        w.bin_starts[b] = start;
        w.fine.next[b] = start;
        start += size;
        if (size > w.capacity) {
            const uint32_t count = (size - 1) / w.capacity + 1;
            for (uint32_t p = 0; p < count; p++) {
                w.list[slice++] = {b, p, count, large};
            }
            large++;
        } else {
            w.list[large_slices + b - large] = {b, 0, 1, 0};
        }
    }
    if (threadIdx.x == 0) {
        w.bin_starts[w.bins] = all_entries;
        w.starts[w.buckets] = all_entries;
        w.found[0] = large_slices + w.bins - large_bins;
        w.found[1] = large_slices;
    }
}

static __global__ void __launch_bounds__(COUNT_BLOCK) count_kernel(const __grid_constant__ partition_work w)
{
    extern __shared__ uint32_t counts[];
    const uint64_t quads = w.rows.total / 4;
    clear_counts(counts, w.bins);
    for (uint64_t quad = blockIdx.x * (uint64_t)COUNT_BLOCK + threadIdx.x; quad < quads;
         quad += (uint64_t)gridDim.x * COUNT_BLOCK) {
        const uint4 codes = reinterpret_cast<const uint4 *>(w.rows.codes)[quad];
        count_code(counts, w, 4 * quad, codes.x);
        count_code(counts, w, 4 * quad + 1, codes.y);
        count_code(counts, w, 4 * quad + 2, codes.z);
        count_code(counts, w, 4 * quad + 3, codes.w);
    }
    if (blockIdx.x == 0 && threadIdx.x < w.rows.total % 4) {
        count_code(counts, w, 4 * quads + threadIdx.x, w.rows.codes[4 * quads + threadIdx.x]);
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < w.bins; b += COUNT_BLOCK) {
        if (counts[b] != 0) {
            atomicAdd(&w.totals[b], counts[b]);
        }
    }
    if (is_last(&w.tickets[0], gridDim.x)) {
        list_slices(w);
        if (w.sub_bits > 0) {
            __syncthreads();
            list_tiles(w);
        }
    }
}

/* ---- 2. Partition ---- */

/* A tile is a part of all codes in the first step, and of one coarse bin's entries in the second. An item is a code,
 * or 1 + the low bits of an entry's bucket's number; 0 is no item. */
struct tile {
    uint64_t first; /* position of its first item */
    uint32_t end;   /* the positions of items end here */
    uint32_t bins;
    uint32_t *next; /* the next index of each of its bins */
};

static __device__ tile coarse_tile(const partition_work &w)
{
    return {blockIdx.x * (uint64_t)PARTITION_TILE, w.rows.total, w.coarse_bins, w.coarse.next};
}

/* The second step's tiles are numbered coarse bin by coarse bin; more blocks than tiles may be launched. */
static __device__ tile fine_tile(const partition_work &w)
{
    uint32_t low = 0, high = w.coarse_bins;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        const bool holds = w.coarse_tiles[middle] <= blockIdx.x;
        low = holds ? middle : low;
        high = holds ? high : middle;
    }
    const uint64_t number = blockIdx.x - w.coarse_tiles[low];
    const uint64_t first = w.bin_starts[first_bin(w, low)] + number * PARTITION_TILE;
    const uint32_t bin_end = w.bin_starts[first_bin(w, low + 1)];
    const uint64_t end = first + PARTITION_TILE < bin_end ? first + PARTITION_TILE : bin_end;
    return {first, (uint32_t)end, 1u << w.sub_bits, w.fine.next + (low << w.sub_bits)};
}

/* Return the position of this thread's item i of a tile; codes are read four at a time. */
template <bool fine> static __device__ __forceinline__ uint64_t position_of(const tile &t, int i)
{
    return fine ? t.first + i * PARTITION_BLOCK + threadIdx.x
                : t.first + i / 4 * (PARTITION_BLOCK * 4) + threadIdx.x * 4 + i % 4;
}

template <bool fine>
static __device__ __forceinline__ void load_items(uint32_t *items, const partition_work &w, const tile &t)
{
#pragma unroll
    for (int i = 0; i < PARTITION_ITEMS; i += fine ? 1 : 4) {
        const uint64_t position = position_of<fine>(t, i);
        if (fine) {
            items[i] = position < t.end ? 1 + w.coarse.rests[position] : 0;
        } else if (position + 3 < t.end) {
            const uint4 four = *reinterpret_cast<const uint4 *>(w.rows.codes + position);
            items[i] = four.x;
            items[i + 1] = four.y;
            items[i + 2] = four.z;
            items[i + 3] = four.w;
        } else {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                items[i + j] = position + j < t.end ? w.rows.codes[position + j] : 0;
            }
        }
    }
}

/* Return the number of an item's bucket, in the second step only the bits below the coarse bin's. */
template <bool fine>
static __device__ __forceinline__ uint32_t number_of(const partition_work &w, uint64_t position,
                                                     uint32_t item)
{
    return fine ? item - 1 : bucket_of(w.rows, (uint32_t)position, item);
}

/* An entry and its bucket's number, in shared memory. */
struct staged_entry {
    uint32_t entry;
    uint32_t number;
};

template <bool fine>
static __global__ void __launch_bounds__(PARTITION_BLOCK, PARTITION_BLOCKS)
    partition_kernel(const __grid_constant__ partition_work w)
{
    extern __shared__ uint4 shared[];
    staged_entry *staged = reinterpret_cast<staged_entry *>(shared);
    uint32_t *counts = reinterpret_cast<uint32_t *>(staged + PARTITION_TILE);
    const binned_entries &out = fine ? w.fine : w.coarse;
    uint32_t item[PARTITION_ITEMS], rank[PARTITION_ITEMS], shift[BINS_A_THREAD];
    uint32_t any = 0;
    if (fine && blockIdx.x >= w.coarse_tiles[w.coarse_bins]) {
        return; /* the whole block */
    }
    const tile t = fine ? fine_tile(w) : coarse_tile(w);
    load_items<fine>(item, w, t);
#pragma unroll
    for (int i = 0; i < PARTITION_ITEMS; i++) {
        any |= item[i];
    }
    if (!__syncthreads_or(any != 0)) {
        return; /* the whole block */
    }
    clear_counts(counts, t.bins);
#pragma unroll
    for (int i = 0; i < PARTITION_ITEMS; i++) {
        const uint32_t number = number_of<fine>(w, position_of<fine>(t, i), item[i]);
        rank[i] = take_rank(counts, number >> out.shift, item[i] != 0);
    }
    __syncthreads();
    const uint32_t total = scan_counts(counts, t.bins);
    /* Entry i of the tile, in the order of bins, goes to index i + (its bin's shift). */
#pragma unroll
    for (int k = 0; k < BINS_A_THREAD; k++) {
        const uint32_t b = k * PARTITION_BLOCK + threadIdx.x;
        const uint32_t count = b < t.bins ? (b + 1 < t.bins ? counts[b + 1] : total) - counts[b] : 0;
        shift[k] = count == 0 ? 0 : atomicAdd(&t.next[b], count) - counts[b];
    }
#pragma unroll
    for (int i = 0; i < PARTITION_ITEMS; i++) {
        if (item[i] != 0) {
            const uint64_t position = position_of<fine>(t, i);
            const uint32_t number = number_of<fine>(w, position, item[i]);
            const uint32_t entry =
                fine ? w.coarse.entries[position] : entry_of(w.rows, (uint32_t)position, item[i]);
            staged[counts[number >> out.shift] + rank[i]] = {entry, number};
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BINS_A_THREAD; k++) {
        const uint32_t b = k * PARTITION_BLOCK + threadIdx.x;
        if (b < t.bins) {
            counts[b] = shift[k];
        }
    }
    __syncthreads();
    const uint32_t mask = (1u << out.shift) - 1;
    for (uint32_t i = threadIdx.x; i < total; i += PARTITION_BLOCK) {
        const staged_entry entry = staged[i];
        const uint32_t to = counts[entry.number >> out.shift] + i;
        out.entries[to] = entry.entry;
        out.rests[to] = (uint16_t)(entry.number & mask);
    }
}

/* ---- 3. and 4.: Move the entries of each bin to their buckets, slice by slice ---- */

enum {
    SCATTER_BLOCK_MAX = 1024,
    SCATTER_BATCH = 4 /* words that a thread loads at a time */
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
            const uint32_t word = v + j * blockDim.x;
            two[j] = word < end ? words[word] : 0;
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

/* Write each entry of the slice to its bucket's next index in `out`. */
static __device__ void scatter_entries(uint32_t *next_of, const partition_work &w, slice_range range,
                                       uint32_t *out)
{
    const uint32_t *words = reinterpret_cast<const uint32_t *>(w.fine.rests);
    const uint2 *entries = reinterpret_cast<const uint2 *>(w.fine.entries);
    const uint32_t end = words_end(range);
    const uint32_t lane = threadIdx.x % 32;
    /* Whole warps do each step, as take_rank() needs all lanes. */
    for (uint32_t v = range.first / 2 + threadIdx.x; v - lane < end; v += SCATTER_BATCH * blockDim.x) {
        uint32_t two[SCATTER_BATCH];
        uint2 entry[SCATTER_BATCH];
#pragma unroll
        for (uint32_t j = 0; j < SCATTER_BATCH; j++) {
            const uint32_t word = v + j * blockDim.x;
            two[j] = word < end ? words[word] : 0;
            entry[j] = word < end ? entries[word] : make_uint2(0, 0);
        }
#pragma unroll
        for (uint32_t j = 0; j < SCATTER_BATCH; j++) {
            const uint64_t number = 2 * (uint64_t)(v + j * blockDim.x);
            const bool first = number >= range.first && number < range.end, second = number + 1 < range.end;
            const uint32_t first_index = take_rank(next_of, two[j] & 0xffff, first);
            const uint32_t second_index = take_rank(next_of, two[j] >> 16, second);
            if (first) {
                out[first_index] = entry[j].x;
            }
            if (second) {
                out[second_index] = entry[j].y;
            }
        }
    }
}

/* If `staged`, the entries of a slice fit into shared memory, where they are put in order first. */
static __global__ void __launch_bounds__(SCATTER_BLOCK_MAX)
    scatter_kernel(const __grid_constant__ partition_work w, uint32_t staged)
{
    extern __shared__ uint32_t next_of[];
    const uint32_t width = 1u << w.low_bits;
    uint32_t *sorted = next_of + width;
    if (blockIdx.x >= w.found[0]) {
        return; /* the whole block */
    }
    const bin_slice slice = w.list[blockIdx.x];
    const slice_range range = range_of(w, slice);
    clear_counts(next_of, width);
    count_lows(next_of, w, range);
    if (slice.slices > 1) {
        uint32_t *cursors = w.cursors + ((uint64_t)slice.large << w.low_bits);
        for (uint32_t low = threadIdx.x; low < width; low += blockDim.x) {
            next_of[low] = next_of[low] == 0 ? 0 : atomicAdd(&cursors[low], next_of[low]);
        }
        __syncthreads();
        scatter_entries(next_of, w, range, w.entries);
        return;
    }
    (void)scan_counts(next_of, width);
    const uint64_t first_bucket = (uint64_t)slice.bin << w.low_bits;
    for (uint32_t low = threadIdx.x; low < width && first_bucket + low < w.buckets; low += blockDim.x) {
        w.starts[first_bucket + low] = range.first + next_of[low];
    }
    __syncthreads();
    if (!staged) {
        scatter_entries(next_of, w, range, w.entries + range.first);
        return;
    }
    scatter_entries(next_of, w, range, sorted);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < range.end - range.first; i += blockDim.x) {
        w.entries[range.first + i] = sorted[i];
    }
}

/* ---- The whole ---- */

/* Launch a kernel with `shared` bytes of shared memory in addition to its static shared memory. More than 48 KiB must be
 * requested. The limit applies to all threads of the process, so it is always set to the most that a block can have. */
template <class... parameters>
static sumac_status launch(cuda_engine *engine, cudaStream_t stream, void (*kernel)(parameters...),
                           unsigned blocks, unsigned threads, size_t shared,
                           typename exactly<parameters>::type... arguments)
{
    if (shared > 47 * 1024) {
        CUDA_TRY(engine, cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              static_cast<int>(engine->shared_bytes - 1024)));
    }
    return launch_with_shared(engine, stream, kernel, blocks, threads, shared, arguments...);
}

static sumac_status scatter(cuda_engine *engine, cudaStream_t stream, const partition_work &work)
{
    const size_t width_bytes = sizeof(uint32_t) << work.low_bits;
    const size_t sorted_bytes = work.capacity * sizeof(uint32_t);
    const bool staged = width_bytes + sorted_bytes + 1024 <= engine->shared_bytes;
    const unsigned threads = work.capacity > 28672 ? SCATTER_BLOCK_MAX : work.capacity > 4096 ? 512 : 256;
    const unsigned large = static_cast<unsigned>(engine->multiprocessors) * 2;
    TRY(launch(engine, stream, count_large_kernel, large, COUNT_BLOCK, width_bytes, work));
    return launch(engine, stream, scatter_kernel, work.bins + work.rows.total / work.capacity, threads,
                  width_bytes + (staged ? sorted_bytes : 0), work, staged);
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    scratch_block scratch = {static_cast<char *>(memory), 0};
    partition_work work = lay_out(job->code, job->plan, &scratch);
    work.rows = digit_rows_of(job, pass, digits);
    work.buckets = pass->modules * job->plan->buckets;
    work.bins = bins_of(work.buckets, work.low_bits);
    work.coarse_bins = bins_of(work.buckets, work.low_bits + work.sub_bits);
    work.entries = lists->entries;
    work.starts = lists->starts;
    const size_t tile_bytes = PARTITION_TILE * sizeof(staged_entry);
    const unsigned blocks = blocks_to_fill(engine, 3, work.rows.total, COUNT_BLOCK * 4);
    const unsigned tiles = blocks_for(work.rows.total, PARTITION_TILE);
    CUDA_TRY(engine,
             cudaMemsetAsync(work.totals, 0, (work.bin_starts - work.totals) * sizeof *work.totals, stream));
    TRY(launch(engine, stream, count_kernel, blocks, COUNT_BLOCK, work.bins * sizeof(uint32_t), work));
    TRY(launch(engine, stream, partition_kernel<false>, tiles, PARTITION_BLOCK,
               tile_bytes + work.coarse_bins * sizeof(uint32_t), work));
    if (work.sub_bits > 0) {
        TRY(launch(engine, stream, partition_kernel<true>, tiles + work.coarse_bins, PARTITION_BLOCK,
                   tile_bytes + (sizeof(uint32_t) << work.sub_bits), work));
    }
    return scatter(engine, stream, work);
}

const stage_kind cuda_sort_counting = {
    .stage = STAGE_SORT,
    .name = "counting",
    .about = "counts the digits, partitions the entries by the high bits of their buckets, and puts each "
             "part in order in shared memory",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .accepts = cuda_sorts,
    .most_buckets = static_cast<uint64_t>(BINS_MAX) << LOW_BITS_MAX,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_sort,
    .run = {.sort = cuda_run<STAGE_SORT, run>},
};

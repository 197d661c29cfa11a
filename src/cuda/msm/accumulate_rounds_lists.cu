/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes the lists that accumulate by rounds works through: for each round the slots that are the left ones of
 * its pairs, the slots with one entry, and the buckets that accumulate_rounds_finish.cu completes. The head of
 * accumulate_rounds.cu defines slots.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/msm/accumulate_rounds_lists.h"

#include "cuda/device/group.h"

enum {
    LIST_BLOCK = 256,
    LIST_BLOCKS = 5, /* blocks on an SM, which limits the registers of a thread */
    LIST_WARPS = LIST_BLOCK / 32,
    LIST_ITEMS = LIST_SLOTS / LIST_BLOCK,
    LIST_BUCKETS = 2 * LIST_SLOTS + 2, /* most buckets that LIST_SLOTS slots belong to, and one more */
    MEASURE_BLOCK = 512,
    NEAR_ROUNDS = 8 /* the first rounds are counted in registers, as most buckets have additions in them */
};

/* Set counts[COUNT_LARGEST] to the largest m_b, counts[COUNT_ENTRIES] to the number of all entries, and
 * counts[COUNT_LEFT + shift] to the number of additions that are left before the round of stride 2^shift. Set
 * first_buckets[i] to the bucket to which slot i * LIST_SLOTS belongs; if it belongs to none, to the bucket before the
 * slot. */
static __global__ void __launch_bounds__(MEASURE_BLOCK)
    measure_kernel(uint32_t *counts, uint32_t *first_buckets, const slot_map map)
{
    __shared__ uint32_t left[ROUNDS - 1];
    uint32_t most = 0;
    uint32_t near[NEAR_ROUNDS] = {};
    if (threadIdx.x < ROUNDS - 1) {
        left[threadIdx.x] = 0;
    }
    __syncthreads();
    for (uint64_t b = blockIdx.x * (uint64_t)MEASURE_BLOCK + threadIdx.x; b < map.buckets;
         b += (uint64_t)gridDim.x * MEASURE_BLOCK) {
        const uint32_t start = map.starts[b], end = map.starts[b + 1];
        const uint32_t next = first_slot(b + 1, end);
        const uint32_t additions = additions_of(end - start);
        most = end - start > most ? end - start : most;
#pragma unroll
        for (uint32_t shift = 0; shift < NEAR_ROUNDS; shift++) {
            near[shift] += additions >> shift;
        }
        for (uint32_t shift = NEAR_ROUNDS; additions >> shift != 0; shift++) {
            atomicAdd(&left[shift], additions >> shift);
        }
        uint64_t i = ((uint64_t)first_slot(b, start) + LIST_SLOTS - 1) / LIST_SLOTS;
        for (; i * LIST_SLOTS < next; i++) {
            first_buckets[i] = (uint32_t)b;
        }
    }
    most = __reduce_max_sync(0xffffffff, most);
    if (threadIdx.x % 32 == 0 && most > 0) {
        atomicMax(&counts[COUNT_LARGEST], most);
    }
#pragma unroll
    for (uint32_t shift = 0; shift < NEAR_ROUNDS; shift++) {
        const uint32_t sum = __reduce_add_sync(0xffffffff, near[shift]);
        if (threadIdx.x % 32 == 0 && sum > 0) {
            atomicAdd(&left[shift], sum);
        }
    }
    __syncthreads();
    if (threadIdx.x < ROUNDS - 1 && left[threadIdx.x] > 0) {
        atomicAdd(&counts[COUNT_LEFT + threadIdx.x], left[threadIdx.x]);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        counts[COUNT_ENTRIES] = map.starts[map.buckets];
    }
}

/*
 * Return the number of rounds after the first in which slot t of a bucket's S slots is the left one of a pair. In round
 * r it is one if 2^(r - 1) divides t and t + 2^(r - 2) < S. Both hold for all r up to some limit, so that the rounds
 * are 2, 3, .. without a gap.
 */
static __device__ uint32_t later_rounds(uint32_t t, uint32_t slots)
{
    const uint32_t reach = 32 - __clz((int)(slots - 1 - t));
    const uint32_t alignment = t == 0 ? 32 : __ffs((int)t) - 1;
    return reach < alignment ? reach : alignment;
}

/* Return the first shift at which accumulate_rounds_finish.cu can replace the remaining rounds. All lanes of the warp
 * call this. */
static __device__ uint32_t finishing_shift(const uint32_t *counts, uint32_t finish_largest)
{
    const uint32_t shift = threadIdx.x % 32;
    const bool can = can_finish(counts[COUNT_LEFT + shift], counts[COUNT_LARGEST], shift, finish_largest);
    return (uint32_t)__ffs((int)__ballot_sync(0xffffffff, can)) - 1;
}

/* Return 1 + the class of a bucket that has `additions` left, or 0 if none are left. The class is
 * floor(log2(additions)), at most FINISH_CLASSES - 1. */
static __device__ uint32_t class_number(uint32_t additions)
{
    const uint32_t bits = 32 - (uint32_t)__clz((int)additions);
    return bits < FINISH_CLASSES ? bits : FINISH_CLASSES;
}

/* Load the starts of the buckets that the block's slots belong to: starts[j] is the start of bucket first + j, up to
 * the first bucket whose slots all come after the block's. Return the number of starts that were loaded. */
static __device__ uint32_t load_starts(uint32_t *starts, const slot_map &map, uint64_t first,
                                       uint64_t block_slot)
{
    uint32_t loaded = 0;
    bool behind = false;
    while (!__syncthreads_or(behind)) {
        const uint32_t j = loaded + threadIdx.x;
        const uint64_t b = first + j;
        if (b <= map.buckets) {
            starts[j] = map.starts[b];
        }
        behind = b >= map.buckets || starts[j] + b > 2 * (block_slot + LIST_SLOTS - 1);
        loaded += LIST_BLOCK;
    }
    return first + loaded <= map.buckets ? loaded : (uint32_t)(map.buckets - first) + 1;
}

/* Set owners[i] to the largest j for which bucket first + j begins at or before slot i of the block. A thread searches
 * for the bucket of its first slot; from there it goes on to its other slots. */
static __device__ void find_owners(uint16_t *owners, const uint32_t *starts, uint32_t loaded,
                                   const slot_map &map, uint64_t first, uint64_t block_slot)
{
    const uint32_t thread_slot = threadIdx.x * LIST_ITEMS;
    uint32_t j = 0, high = loaded;
    while (high - j > 1) {
        const uint32_t middle = (j + high) / 2;
        const bool holds = first_slot(first + middle, starts[middle]) <= block_slot + thread_slot;
        j = holds ? middle : j;
        high = holds ? high : middle;
    }
    for (uint32_t i = thread_slot; i < thread_slot + LIST_ITEMS; i++) {
        while (first + j < map.buckets && first_slot(first + j + 1, starts[j + 1]) <= block_slot + i) {
            j++;
        }
        owners[i] = (uint16_t)j;
    }
    __syncthreads();
}

/* Return the number, within the block, of this thread's slot i. */
static __device__ __forceinline__ uint32_t list_item(int i)
{
    return threadIdx.x / 32 * (32 * LIST_ITEMS) + i * 32 + threadIdx.x % 32;
}

/* A block lists these slots: LIST_SLOTS slots from `slot` on, which belong to the buckets from `first` on. */
struct listed_block {
    const slot_map *map;
    uint64_t slot;
    uint64_t first;
    const uint32_t *starts; /* the starts of the buckets */
    const uint16_t *owners; /* the bucket of each slot */
};

/* This says on which lists a thread's slots are. Slot i is on the lists of rounds 1 to rank[i]. If bit i of `single` is
 * set, it is on the list of singles. Bits 4i to 4i + 3 of `classes` are a class_number(); if it is not 0, the slot is
 * on the list of this class. */
struct thread_slots {
    uint32_t rank[LIST_ITEMS];
    uint32_t single;
    uint32_t classes;
};

static_assert(LIST_ITEMS * 4 <= 32 && FINISH_CLASSES < 16, "a class number has 4 bits");

/* Return whether slot i is on the list of a round; round 0 is the list of singles. */
static __device__ __forceinline__ bool in_round(const thread_slots &slots, int i, uint32_t round)
{
    return round == 0 ? slots.single >> i & 1 : slots.rank[i] >= round;
}

/* Return whether a bucket of class j begins at slot i. */
static __device__ __forceinline__ bool begins_class(const thread_slots &slots, int i, uint32_t j)
{
    return (slots.classes >> (4 * i) & 15) == j + 1;
}

/* Find the lists of each slot. A slot with one entry is a single. A slot with two entries is on the list of round 1,
 * and on those of the later rounds in which it is the left one of a pair. But only the first `shift` later rounds have
 * lists, because then accumulate_rounds_finish.cu replaces the rounds. If a bucket then has additions left, its first
 * slot is on its class's list. */
static __device__ __forceinline__ void find_lists(thread_slots *slots, const listed_block &block,
                                                  uint32_t shift)
{
    slots->single = slots->classes = 0;
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint32_t j = block.owners[list_item(i)];
        slots->rank[i] = 0;
        if (block.first + j < block.map->buckets) {
            const uint32_t start = block.starts[j], count = block.starts[j + 1] - start;
            const uint32_t t = (uint32_t)block.slot + list_item(i) - first_slot(block.first + j, start);
            if (2 * t + 1 < count) {
                const uint32_t later = later_rounds(t, count / 2 + count % 2);
                slots->rank[i] = 1 + (later < shift ? later : shift);
            }
            if (t == 0) {
                slots->classes |= class_number(additions_of(count) >> shift) << (4 * i);
            }
            slots->single |= (uint32_t)(2 * t + 1 == count) << i;
        }
    }
}

/* Return the last round whose list has one of the warp's slots. */
static __device__ __forceinline__ uint32_t last_round(const thread_slots &slots)
{
    uint32_t most = 0;
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        most = slots.rank[i] > most ? slots.rank[i] : most;
    }
    return __reduce_max_sync(0xffffffff, most);
}

/* Count the warp's slots on each list: list number l has the length lengths[l]. */
static __device__ __forceinline__ void count_slots(uint32_t *lengths, const thread_slots &slots,
                                                   uint32_t rounds, uint32_t classes)
{
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t list = lane; list < LISTS; list += 32) {
        lengths[list] = 0;
    }
    __syncwarp();
    for (uint32_t round = 0; round <= rounds; round++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            total += __popc(__ballot_sync(0xffffffff, in_round(slots, i, round)));
        }
        if (lane == 0) {
            lengths[round] = total;
        }
    }
    for (uint32_t j = 0; j < classes; j++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            total += __popc(__ballot_sync(0xffffffff, begins_class(slots, i, j)));
        }
        if (lane == 0) {
            lengths[COUNT_FINISHING + j] = total;
        }
    }
}

/* Reserve a range of each list for the block by one atomic addition, and divide it among the warps. lengths[w][l] is
 * first the number of entries that warp w has for list l, and becomes the index of the first of these entries. */
static __device__ __forceinline__ void take_ranges(uint32_t (*lengths)[LISTS], uint32_t *counts)
{
    __syncthreads();
    if (threadIdx.x < LISTS) {
        uint32_t all = 0;
        for (int w = 0; w < LIST_WARPS; w++) {
            all += lengths[w][threadIdx.x];
        }
        uint32_t next = all == 0 ? 0 : atomicAdd(&counts[threadIdx.x], all);
        for (int w = 0; w < LIST_WARPS; w++) {
            const uint32_t count = lengths[w][threadIdx.x];
            lengths[w][threadIdx.x] = next;
            next += count;
        }
    }
    __syncthreads();
}

/* Write slot i to index `to` of a round's list. */
static __device__ __forceinline__ void write_slot(const pair_lists &lists, const listed_block &block,
                                                  const uint32_t *sorted, uint32_t round, uint32_t to, int i)
{
    const uint32_t slot = (uint32_t)block.slot + list_item(i);
    if (round > 1) {
        lists.lefts[lists.first[round] + to] = slot;
        return;
    }
    const uint32_t j = block.owners[list_item(i)];
    const uint32_t left = block.starts[j] + 2 * (slot - first_slot(block.first + j, block.starts[j]));
    if (round == 0) {
        lists.singles[to] = make_uint2(slot, sorted[left]);
    } else {
        lists.entries[to] = make_uint2(sorted[left], sorted[left + 1]);
        lists.targets[to] = slot;
    }
}

static __device__ __forceinline__ void write_rounds(const pair_lists &lists, const listed_block &block,
                                                    const uint32_t *sorted, const thread_slots &slots,
                                                    const uint32_t *end, uint32_t rounds)
{
    const uint32_t before = (1u << threadIdx.x % 32) - 1;
    for (uint32_t round = 0; round <= rounds; round++) {
        uint32_t next = end[round];
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            const bool listed = in_round(slots, i, round);
            const uint32_t ballot = __ballot_sync(0xffffffff, listed);
            if (listed) {
                write_slot(lists, block, sorted, round, next + __popc(ballot & before), i);
            }
            next += __popc(ballot);
        }
    }
}

static __device__ __forceinline__ void write_classes(const pair_lists &lists, const listed_block &block,
                                                     const thread_slots &slots, const uint32_t *end,
                                                     uint32_t classes)
{
    const uint32_t before = (1u << threadIdx.x % 32) - 1;
    for (uint32_t j = 0; j < classes; j++) {
        uint32_t next = end[COUNT_FINISHING + j];
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            const bool listed = begins_class(slots, i, j);
            const uint32_t ballot = __ballot_sync(0xffffffff, listed);
            if (listed) {
                const uint32_t owner = block.owners[list_item(i)];
                lists.finishing[lists.first_finishing[j] + next + __popc(ballot & before)] =
                    make_uint2((uint32_t)block.slot + list_item(i),
                               additions_of(block.starts[owner + 1] - block.starts[owner]));
            }
            next += __popc(ballot);
        }
    }
}

/* Write all lists; a block lists LIST_SLOTS slots. */
static __global__ void __launch_bounds__(LIST_BLOCK, LIST_BLOCKS)
    list_kernel(const slot_map map, const uint32_t *sorted, const __grid_constant__ pair_lists lists)
{
    __shared__ uint32_t end[LIST_WARPS][LISTS];
    __shared__ uint32_t starts[LIST_BUCKETS + LIST_BLOCK];
    __shared__ uint16_t owners[LIST_SLOTS];
    const uint32_t warp = threadIdx.x / 32;
    const uint64_t block_slot = blockIdx.x * (uint64_t)LIST_SLOTS;
    if (block_slot >= first_slot(map.buckets, map.starts[map.buckets])) {
        return; /* this holds for the whole block */
    }
    const uint32_t shift = finishing_shift(lists.counts, lists.finish_largest);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        lists.counts[COUNT_SHIFT] = shift;
    }
    const listed_block block = {&map, block_slot, lists.first_buckets[blockIdx.x], starts, owners};
    const uint32_t loaded = load_starts(starts, map, block.first, block_slot);
    find_owners(owners, starts, loaded, map, block.first, block_slot);
    thread_slots slots;
    find_lists(&slots, block, shift);
    const uint32_t rounds = last_round(slots);
    const uint32_t classes = __any_sync(0xffffffff, slots.classes != 0) ? FINISH_CLASSES : 0;
    count_slots(end[warp], slots, rounds, classes);
    take_ranges(end, lists.counts);
    write_rounds(lists, block, sorted, slots, end[warp], rounds);
    write_classes(lists, block, slots, end[warp], classes);
}

sumac_status cuda_make_lists(cuda_engine *engine, cudaStream_t stream, const slot_map *map,
                             const uint32_t *sorted, uint64_t entries, const pair_lists *lists,
                             uint32_t *mailbox, cudaEvent_t measured)
{
    const unsigned blocks = blocks_to_fill(engine, 4, map->buckets, MEASURE_BLOCK);
    const unsigned list_blocks = blocks_for(cuda_slot_end(entries, map->buckets), LIST_SLOTS);
    CUDA_TRY(engine, cudaMemsetAsync(lists->counts, 0, COUNTERS * sizeof(uint32_t), stream));
    TRY(cuda_launch(engine, stream, measure_kernel, blocks, MEASURE_BLOCK, lists->counts,
                    lists->first_buckets, *map));
    if (measured != NULL) {
        CUDA_TRY(engine, cudaMemcpyAsync(mailbox, &lists->counts[COUNT_LARGEST],
                                         (COUNT_SHIFT - COUNT_LARGEST) * sizeof(uint32_t),
                                         cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(engine, cudaEventRecord(measured, stream));
    }
    return cuda_launch(engine, stream, list_kernel, list_blocks, LIST_BLOCK, *map, sorted, *lists);
}

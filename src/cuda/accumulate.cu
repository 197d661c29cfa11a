/*
 * accumulate: bucket lists -> bucket sums, by rounds of pairwise affine additions over all buckets at once.
 *
 * Bucket b has count m_b and S_b = ceil(m_b/2) slots, points of an array of their own; slot u_b + t gets
 * entries 2t and 2t + 1 of the bucket in round 1. Round r + 1 adds slots whose t differ by 2^(r - 1), in
 * place, so that the sum of all ends in slot u_b and what is left over stays where it is. Every round is one
 * launch over the pairs of all buckets together: how long one bucket is makes no difference to the work's
 * balance, only to the number of rounds.
 */
#include <cub/device/device_scan.cuh>

#include "cuda/scratch.h"

enum { LIST_BLOCK = 256, LIST_ITEMS = 8, LIST_WARPS = LIST_BLOCK / 32 };

struct larger_of {
    __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return a > b ? a : b;
    }
};

size_t cuda_scan_temporary_bytes(uint64_t items)
{
    size_t sum_bytes = 0, largest_bytes = 0;
    uint32_t *words = NULL;
    (void)cub::DeviceScan::ExclusiveSum(NULL, sum_bytes, words, words, items);
    (void)cub::DeviceScan::InclusiveScan(NULL, largest_bytes, words, words, larger_of(), items);
    return sum_bytes > largest_bytes ? sum_bytes : largest_bytes;
}

/* slots[b] = ceil(m_b/2), 0 behind the last; *largest = the largest m_b. */
static __global__ void __launch_bounds__(LIST_BLOCK)
    measure_kernel(uint32_t *slots, uint32_t *largest, const uint32_t *starts, uint64_t buckets)
{
    const uint64_t b = blockIdx.x * (uint64_t)LIST_BLOCK + threadIdx.x;
    const uint32_t count = b < buckets ? starts[b + 1] - starts[b] : 0;
    if (b <= buckets) {
        slots[b] = count / 2 + count % 2;
    }
    const uint32_t most = __reduce_max_sync(0xffffffff, count);
    if (threadIdx.x % 32 == 0 && most > 0) {
        atomicMax(largest, most);
    }
}

/* owners[u_b] = b for buckets that are not empty; a running maximum then fills the other slots. */
static __global__ void __launch_bounds__(LIST_BLOCK)
    heads_kernel(uint32_t *owners, const uint32_t *slots, uint64_t buckets)
{
    const uint64_t b = blockIdx.x * (uint64_t)LIST_BLOCK + threadIdx.x;
    if (b < buckets && slots[b + 1] != slots[b]) {
        owners[slots[b]] = (uint32_t)b;
    }
}

/* Where a thread's selected items of a block go: the block takes a range of the list by one atomic addition.
 */
struct list_position {
    uint32_t next;
    uint32_t ballots[LIST_ITEMS];
};

/* selected[i]: whether item i of this thread, item (warp, i, lane) of the block, is on the list. */
static __device__ list_position list_reserve(uint32_t *counter, const bool *selected)
{
    __shared__ uint32_t warp_next[LIST_WARPS];
    list_position position;
    uint32_t total = 0;
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        position.ballots[i] = __ballot_sync(0xffffffff, selected[i]);
        total += __popc(position.ballots[i]);
    }
    if (threadIdx.x % 32 == 0) {
        warp_next[threadIdx.x / 32] = total;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t all = 0;
        for (int warp = 0; warp < LIST_WARPS; warp++) {
            all += warp_next[warp];
        }
        uint32_t next = all == 0 ? 0 : atomicAdd(counter, all);
        for (int warp = 0; warp < LIST_WARPS; warp++) {
            const uint32_t count = warp_next[warp];
            warp_next[warp] = next;
            next += count;
        }
    }
    __syncthreads();
    position.next = warp_next[threadIdx.x / 32];
    return position;
}

/* The place of item i, to be asked for in order. */
static __device__ uint32_t list_place(list_position *position, int i)
{
    const uint32_t below = position->ballots[i] & ((1u << (threadIdx.x % 32)) - 1);
    const uint32_t place = position->next + __popc(below);
    position->next += __popc(position->ballots[i]);
    return place;
}

static __device__ uint64_t list_item(int i)
{
    return blockIdx.x * (uint64_t)(LIST_BLOCK * LIST_ITEMS) + threadIdx.x / 32 * (32 * LIST_ITEMS) + i * 32 +
           threadIdx.x % 32;
}

/* Round 1's pairs: their entries, and the slot for the sum. */
static __global__ void __launch_bounds__(LIST_BLOCK)
    first_list_kernel(const slot_map map, const uint32_t *pairs, uint64_t slots, uint2 *entries, uint32_t *targets,
                      uint32_t *counter)
{
    bool selected[LIST_ITEMS];
    uint32_t left[LIST_ITEMS];
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint64_t slot = list_item(i);
        selected[i] = false;
        left[i] = 0;
        if (slot < slots) {
            const uint32_t b = map.owners[slot];
            left[i] = map.starts[b] + 2 * ((uint32_t)slot - map.slots[b]);
            selected[i] = left[i] + 1 < map.starts[b + 1];
        }
    }
    list_position position = list_reserve(counter, selected);
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint32_t place = list_place(&position, i);
        if (selected[i]) {
            entries[place] = make_uint2(pairs[left[i]], pairs[left[i] + 1]);
            targets[place] = (uint32_t)list_item(i);
        }
    }
}

/* The pairs of slots t, t + stride with t a multiple of 2 * stride. Each of these t is the left one of a pair of the round
 * before, too: those are the candidates. */
static __global__ void __launch_bounds__(LIST_BLOCK)
    next_list_kernel(const slot_map map, const uint32_t *candidates, const uint32_t *candidate_count, uint32_t stride,
                     uint32_t *lefts, uint32_t *counter)
{
    const uint64_t count = *candidate_count;
    if (blockIdx.x * (uint64_t)(LIST_BLOCK * LIST_ITEMS) >= count) {
        return;
    }
    bool selected[LIST_ITEMS];
    uint32_t left[LIST_ITEMS];
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint64_t item = list_item(i);
        selected[i] = false;
        left[i] = 0;
        if (item < count) {
            left[i] = candidates[item];
            const uint32_t b = map.owners[left[i]];
            const uint32_t t = left[i] - map.slots[b];
            selected[i] = t % (2 * stride) == 0 && left[i] + stride < map.slots[b + 1];
        }
    }
    list_position position = list_reserve(counter, selected);
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint32_t place = list_place(&position, i);
        if (selected[i]) {
            lefts[place] = left[i];
        }
    }
}

/* What a call works on, in the scratch block. */
struct accumulate_work {
    cuda_engine *engine;
    bool waits_for_nothing;
    const cuda_curve *curve;
    slot_map map;
    uint32_t *slots; /* map.slots and map.owners, to be written */
    uint32_t *owners;
    uint32_t *entries; /* round 1: two words a pair; the lists of rounds 2, 4, .. lie here, too */
    uint32_t *targets; /* round 1; and the lists of rounds 3, 5, .. */
    uint32_t *counters; /* [0]: the largest count; [r]: the pairs of round r */
    void *scan;
    size_t scan_bytes;
    char *slot_points;
    void *products;
};

/* The slots' numbers and owners; *slots and *largest come to the host, unless it waits for nothing: then they
 * stay what they are, upper bounds. Slots behind the last belong to the last bucket that is not empty, and
 * hold none of its entries; rounds behind the last have no pairs. */
static sumac_status lay_out_slots(accumulate_work *work, uint64_t *slots, uint32_t *largest)
{
    cuda_engine *engine = work->engine;
    const uint64_t buckets = work->map.buckets;
    const unsigned blocks = blocks_for(buckets + 1, LIST_BLOCK);
    CUDA_TRY(engine, cudaMemsetAsync(work->counters, 0, COUNTERS * sizeof(uint32_t), engine->stream));
    measure_kernel<<<blocks, LIST_BLOCK, 0, engine->stream>>>(work->slots, work->counters, work->map.starts,
                                                              buckets);
    CUDA_TRY(engine, cudaGetLastError());
    size_t bytes = work->scan_bytes;
    CUDA_TRY(engine, cub::DeviceScan::ExclusiveSum(work->scan, bytes, work->slots, work->slots, buckets + 1,
                                                   engine->stream));
    if (!work->waits_for_nothing) {
        CUDA_TRY(engine, cudaMemcpyAsync(&engine->mailbox[MAIL_SLOTS], work->slots + buckets,
                                         sizeof(uint32_t), cudaMemcpyDeviceToHost, engine->stream));
        CUDA_TRY(engine, cudaMemcpyAsync(&engine->mailbox[MAIL_LARGEST], work->counters, sizeof(uint32_t),
                                         cudaMemcpyDeviceToHost, engine->stream));
        CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
        *slots = engine->mailbox[MAIL_SLOTS];
        *largest = engine->mailbox[MAIL_LARGEST];
    }
    if (*slots == 0) {
        return SUMAC_OK;
    }
    CUDA_TRY(engine, cudaMemsetAsync(work->owners, 0, *slots * sizeof(uint32_t), engine->stream));
    heads_kernel<<<blocks, LIST_BLOCK, 0, engine->stream>>>(work->owners, work->slots, buckets);
    CUDA_TRY(engine, cudaGetLastError());
    bytes = work->scan_bytes;
    CUDA_TRY(engine, cub::DeviceScan::InclusiveScan(work->scan, bytes, work->owners, work->owners,
                                                    larger_of(), *slots, engine->stream));
    return SUMAC_OK;
}

/*
 * The most pairs that round number can have. From round 2 on a bucket of S slots has floor(ceil(S/s)/2)
 * pairs, s the stride: none where S <= s, else at most S/(s + 1), as for S = s + 1.
 */
static uint64_t round_limit(uint64_t slots, uint32_t number)
{
    return number == 1 ? slots : slots / (((uint64_t)1 << (number - 2)) + 1);
}

static sumac_status run_rounds(accumulate_work *work, const void *table, const uint32_t *pairs,
                               uint64_t slots, uint32_t largest)
{
    cuda_engine *engine = work->engine;
    pair_round round = {};
    round.out = work->slot_points;
    round.products = work->products;
    STATUS_TRY(work->curve->copy_singles(engine, &work->map, table, pairs, slots, work->slot_points));
    /* left is the number of points of the largest bucket before round number. */
    uint64_t left = largest;
    for (uint32_t number = 1; left > 1; number++, left = (left + 1) / 2) {
        if (number == 1) {
            first_list_kernel<<<blocks_for(slots, LIST_BLOCK * LIST_ITEMS), LIST_BLOCK, 0, engine->stream>>>(
                work->map, pairs, slots, reinterpret_cast<uint2 *>(work->entries), work->targets,
                work->counters + number);
            round.points = table;
            round.entries = work->entries;
            round.targets = work->targets;
        } else {
            const unsigned blocks = blocks_for(round.limit, LIST_BLOCK * LIST_ITEMS);
            uint32_t *candidates = number % 2 == 0 ? work->targets : work->entries;
            uint32_t *lefts = number % 2 == 0 ? work->entries : work->targets;
            round.stride = (uint32_t)1 << (number - 2);
            next_list_kernel<<<blocks, LIST_BLOCK, 0, engine->stream>>>(work->map, candidates,
                                                                       work->counters + number - 1, round.stride, lefts,
                                                                       work->counters + number);
            round.points = work->slot_points;
            round.entries = NULL;
            round.lefts = lefts;
        }
        CUDA_TRY(engine, cudaGetLastError());
        round.count = work->counters + number;
        round.limit = round_limit(slots, number);
        STATUS_TRY(work->curve->sum_pairs(engine, &round));
    }
    return SUMAC_OK;
}

sumac_status cuda_accumulate(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                             bucket_sums *sums, void *scratch)
{
    const double begin = cuda_stage_begin(job);
    const cuda_scratch layout = cuda_scratch_of(job->plan, job->code->affine_bytes);
    char *memory = static_cast<char *>(scratch);
    accumulate_work work = {};
    work.engine = engine_of(job);
    work.curve = cuda_curve_of(job->curve);
    work.slots = reinterpret_cast<uint32_t *>(memory + layout.slot_starts);
    work.owners = reinterpret_cast<uint32_t *>(memory + layout.owners);
    work.entries = reinterpret_cast<uint32_t *>(memory + layout.entries);
    work.targets = reinterpret_cast<uint32_t *>(memory + layout.targets);
    work.counters = reinterpret_cast<uint32_t *>(memory + layout.counters);
    work.scan = memory + layout.scan_temporary;
    work.scan_bytes = layout.scan_temporary_bytes;
    work.slot_points = memory + layout.slot_points;
    work.products = memory + layout.products;
    work.map = {lists->starts, work.slots, work.owners, pass->modules * job->plan->buckets};
    const uint64_t pairs = pass->modules * job->plan->precompute_factor * pass->n;
    uint64_t slots = (pairs + (pairs < work.map.buckets ? pairs : work.map.buckets)) / 2;
    uint32_t largest = static_cast<uint32_t>(job->plan->precompute_factor * pass->n);
    work.waits_for_nothing = job->status_later != NULL;
    STATUS_TRY(lay_out_slots(&work, &slots, &largest));
    if (slots > 0) {
        STATUS_TRY(run_rounds(&work, work.engine->bases, lists->pairs, slots, largest));
    }
    if (pass->first == pass->chunk_first) {
        STATUS_TRY(work.curve->collect(work.engine, &work.map, work.slot_points, sums->points));
    } else if (slots > 0) {
        const merge_lists merges = {
            .lefts = reinterpret_cast<uint32_t *>(memory + layout.merges),
            .count = work.counters,
            .products = work.products,
        };
        STATUS_TRY(work.curve->merge(work.engine, &work.map, work.slot_points, &merges, sums->points));
    }
    return cuda_stage_end(job, pass, "accumulate", begin);
}

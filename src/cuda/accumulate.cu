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

/* The pairs of round 1, and for each later round the slots that are the left ones of its pairs. */
struct pair_lists {
    uint2 *entries;
    uint32_t *targets;
    uint32_t *lefts;
    uint32_t first[ROUNDS + 1]; /* round r's list of left slots begins at lefts[first[r]] */
    uint32_t *counts;           /* [r]: its pairs */
    uint32_t rounds;
};

/*
 * In how many rounds from the second on slot t of S is the left one of a pair: in round r it is if 2^(r - 1)
 * divides t and t + 2^(r - 2) < S, so in rounds 2, 3, .. without a gap.
 */
static __device__ uint32_t later_rounds(uint32_t t, uint32_t slots)
{
    const uint32_t reach = 32 - __clz((int)(slots - 1 - t));
    const uint32_t alignment = t == 0 ? 32 : __ffs((int)t) - 1;
    return reach < alignment ? reach : alignment;
}

static __device__ uint64_t list_item(int i)
{
    return blockIdx.x * (uint64_t)(LIST_BLOCK * LIST_ITEMS) + threadIdx.x / 32 * (32 * LIST_ITEMS) + i * 32 +
           threadIdx.x % 32;
}

/*
 * All lists at once. A slot that is the left one in `rank` rounds is on the lists of rounds 1 to rank; a slot
 * with one entry has rank 0. Of each list a block takes a range by one atomic addition.
 */
static __global__ void __launch_bounds__(LIST_BLOCK)
    list_kernel(const slot_map map, const uint32_t *pairs, uint64_t slots,
                const __grid_constant__ pair_lists lists)
{
    __shared__ uint32_t next[LIST_WARPS][ROUNDS + 1];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t rank[LIST_ITEMS], left[LIST_ITEMS];
    uint32_t most = 0;
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint64_t slot = list_item(i);
        rank[i] = 0;
        left[i] = 0;
        if (slot < slots) {
            const uint32_t b = map.owners[slot];
            const uint32_t first = map.slots[b];
            const uint32_t t = (uint32_t)slot - first;
            const uint32_t count = map.slots[b + 1] - first; /* slots may be a bound: t < count need not be */
            left[i] = map.starts[b] + 2 * t;
            if (t < count && left[i] + 1 < map.starts[b + 1]) {
                rank[i] = 1 + later_rounds(t, count);
            }
        }
        most = rank[i] > most ? rank[i] : most;
    }
    most = __reduce_max_sync(0xffffffff, most);
    for (uint32_t round = lane; round <= ROUNDS; round += 32) {
        next[warp][round] = 0;
    }
    __syncwarp();
    for (uint32_t round = 1; round <= most; round++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            total += __popc(__ballot_sync(0xffffffff, rank[i] >= round));
        }
        if (lane == 0) {
            next[warp][round] = total;
        }
    }
    __syncthreads();
    if (threadIdx.x >= 1 && threadIdx.x <= lists.rounds) {
        uint32_t all = 0;
        for (int w = 0; w < LIST_WARPS; w++) {
            all += next[w][threadIdx.x];
        }
        uint32_t place = all == 0 ? 0 : atomicAdd(&lists.counts[threadIdx.x], all);
        for (int w = 0; w < LIST_WARPS; w++) {
            const uint32_t count = next[w][threadIdx.x];
            next[w][threadIdx.x] = place;
            place += count;
        }
    }
    __syncthreads();
    for (uint32_t round = 1; round <= most; round++) {
        uint32_t place = next[warp][round];
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            const uint32_t ballot = __ballot_sync(0xffffffff, rank[i] >= round);
            const uint32_t own = place + __popc(ballot & ((1u << lane) - 1));
            place += __popc(ballot);
            if (rank[i] >= round && round == 1) {
                lists.entries[own] = make_uint2(pairs[left[i]], pairs[left[i] + 1]);
                lists.targets[own] = (uint32_t)list_item(i);
            } else if (rank[i] >= round) {
                lists.lefts[lists.first[round] + own] = (uint32_t)list_item(i);
            }
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
    uint32_t *entries;  /* round 1: two words a pair */
    uint32_t *targets;  /* round 1 */
    uint32_t *lefts;    /* later rounds, one list after another */
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

uint64_t cuda_round_limit(uint64_t slots, uint32_t number)
{
    return number == 1 ? slots : slots / (((uint64_t)1 << (number - 2)) + 1);
}

static sumac_status run_rounds(accumulate_work *work, const void *table, const uint32_t *pairs,
                               uint64_t slots, uint32_t largest)
{
    cuda_engine *engine = work->engine;
    pair_lists lists = {};
    lists.entries = reinterpret_cast<uint2 *>(work->entries);
    lists.targets = work->targets;
    lists.lefts = work->lefts;
    lists.counts = work->counters;
    uint64_t end = 0;
    /* left is the number of points of the largest bucket before the next round. */
    for (uint64_t left = largest; left > 1; left = (left + 1) / 2) {
        lists.rounds++;
        lists.first[lists.rounds] = static_cast<uint32_t>(end);
        end += lists.rounds == 1 ? 0 : cuda_round_limit(slots, lists.rounds);
    }
    STATUS_TRY(work->curve->copy_singles(engine, &work->map, table, pairs, slots, work->slot_points));
    if (lists.rounds == 0) {
        return SUMAC_OK;
    }
    list_kernel<<<blocks_for(slots, LIST_BLOCK * LIST_ITEMS), LIST_BLOCK, 0, engine->stream>>>(
        work->map, pairs, slots, lists);
    CUDA_TRY(engine, cudaGetLastError());
    pair_round round = {};
    round.out = work->slot_points;
    round.products = work->products;
    round.points = table;
    round.entries = work->entries;
    round.targets = work->targets;
    for (uint32_t number = 1; number <= lists.rounds; number++) {
        if (number > 1) {
            round.points = work->slot_points;
            round.entries = NULL;
            round.lefts = work->lefts + lists.first[number];
            round.stride = (uint32_t)1 << (number - 2);
        }
        round.count = work->counters + number;
        round.limit = cuda_round_limit(slots, number);
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
    work.lefts = reinterpret_cast<uint32_t *>(memory + layout.lefts);
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

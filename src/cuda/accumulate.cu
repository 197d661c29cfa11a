/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * accumulate: bucket lists -> bucket sums, by rounds of pairwise affine additions over all buckets at once.
 *
 * Bucket b has count m_b and S_b = ceil(m_b/2) slots, points of an array of their own; slot u_b + t gets
 * entries 2t and 2t + 1 of the bucket in round 1. Round r + 1 adds slots whose t differ by 2^(r - 1), in
 * place, so that the sum of all ends in slot u_b and what is left over stays where it is. Every round is one
 * launch over the pairs of all buckets together: how long one bucket is makes no difference to the work's
 * balance, only to the number of rounds.
 *
 * A round with few pairs takes as long as an inversion, and halves what is left. So when little is left, one
 * launch adds it up (finish.cu) instead of the rounds from there on. When that is follows from the buckets'
 * lengths: before round r, of stride 2^shift with shift = r - 2, a bucket has 1 + (S_b - 1 >> shift) points
 * left, so that measure_kernel can add up what is left before every round. The lists end where finish.cu
 * takes over, and the host needn't know where that is: if it doesn't, it launches rounds without pairs.
 *
 * u_b = floor((start_b + b + 1)/2): u_(b+1) - u_b >= floor((m_b + 1)/2), so that slots follow from where the
 * buckets begin, without a sum over them; some belong to no bucket, up to half as many as there are buckets.
 */
#include "cuda/scratch.h"

enum {
    LIST_BLOCK = 256,
    LIST_BLOCKS = 5, /* of an SM */
    LIST_WARPS = LIST_BLOCK / 32,
    LIST_ITEMS = LIST_SLOTS / LIST_BLOCK,
    LIST_BUCKETS = 2 * LIST_SLOTS + 2, /* that LIST_SLOTS slots can lie in, and one more */
    MEASURE_BLOCK = 512,
    NEAR_ROUNDS = 8 /* whose additions are added up in registers, as they have many buckets */
};

/* How many additions a bucket's slots need before round 2. */
static __host__ __device__ uint32_t additions_of(uint32_t entries)
{
    return entries == 0 ? 0 : (entries - 1) / 2;
}

/* Whether finish.cu takes what is left before the round of stride 2^shift. It does where nothing is. */
static __host__ __device__ bool can_finish(uint32_t additions_left, uint32_t largest, uint32_t shift,
                                           uint32_t finish_largest)
{
    const uint32_t most = additions_of(largest) >> shift; /* of one bucket: less than 2^(rounds left) */
    return most == 0 || additions_left <= cuda_finish_room(most, finish_largest);
}

/* counts[COUNT_LARGEST] = the largest m_b, counts[COUNT_PAIRS] = all pairs, counts[COUNT_LEFT + shift] = the
 * additions left before the round of stride 2^shift; first_buckets[i] = the bucket that slot i * LIST_SLOTS
 * belongs to or lies behind. */
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
        counts[COUNT_PAIRS] = map.starts[map.buckets];
    }
}

/* The pairs of round 1 and what has no partner in it; for each later round the slots that are the left ones
 * of its pairs; for each class of finish.cu its buckets. */
struct pair_lists {
    uint2 *entries;
    uint32_t *targets;
    uint2 *singles; /* slot and pair */
    uint32_t *lefts;
    uint32_t first[ROUNDS + 1]; /* round r's list of left slots begins at lefts[first[r]] */
    uint2 *finishing;           /* finish_lists' entries, and where those of a class begin */
    uint32_t first_finishing[FINISH_CLASSES];
    uint32_t finish_largest; /* points that one of these buckets may have left */
    uint32_t *counts;        /* COUNTERS words */
    uint32_t *first_buckets; /* for every LIST_SLOTS slots */
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

/* The first shift from which finish.cu can take over; all lanes of the warp call it. */
static __device__ uint32_t finishing_shift(const uint32_t *counts, uint32_t finish_largest)
{
    const uint32_t shift = threadIdx.x % 32;
    const bool can = can_finish(counts[COUNT_LEFT + shift], counts[COUNT_LARGEST], shift, finish_largest);
    return (uint32_t)__ffs((int)__ballot_sync(0xffffffff, can)) - 1;
}

/* 1 + the class of a bucket which has so many additions left: 2^class is the largest power of two that
 * additions are enough for. 0 where nothing is left. */
static __device__ uint32_t class_number(uint32_t additions)
{
    const uint32_t bits = 32 - (uint32_t)__clz((int)additions);
    return bits < FINISH_CLASSES ? bits : FINISH_CLASSES;
}

/* Where the buckets begin that the block's slots lie in: starts[j] is that of bucket first + j, up to and
 * with the first one behind the slots. Returns how many there are. */
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

/* owners[i] = the j of the bucket first + j that the block's slot i belongs to or lies behind: a thread finds
 * that of one slot and goes on from there to its neighbours. */
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

/* Slot i of this thread, of the block's. */
static __device__ __forceinline__ uint32_t list_item(int i)
{
    return threadIdx.x / 32 * (32 * LIST_ITEMS) + i * 32 + threadIdx.x % 32;
}

/* Whether a bucket of class j begins at slot i of this thread; `classes` has a class_number() of 4 bits for
 * each slot. */
static __device__ __forceinline__ bool begins_class(uint32_t classes, int i, uint32_t j)
{
    return (classes >> (4 * i) & 15) == j + 1;
}

static_assert(LIST_ITEMS * 4 <= 32 && FINISH_CLASSES < 16, "a class number has 4 bits");

/*
 * All lists at once; list number l has the length counts[l]. A slot that is the left one in `rank` rounds is
 * on the lists of rounds 1 to rank; a slot with one entry is on the list of singles; a bucket of which
 * something is left is on the list of its class. Of each list a block takes a range by one atomic addition.
 */
static __global__ void __launch_bounds__(LIST_BLOCK, LIST_BLOCKS)
    list_kernel(const slot_map map, const uint32_t *pairs, const __grid_constant__ pair_lists lists)
{
    __shared__ uint32_t next[LIST_WARPS][LISTS];
    __shared__ uint32_t starts[LIST_BUCKETS + LIST_BLOCK];
    __shared__ uint16_t owners[LIST_SLOTS];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint64_t block_slot = blockIdx.x * (uint64_t)LIST_SLOTS;
    if (block_slot >= first_slot(map.buckets, map.starts[map.buckets])) {
        return; /* the whole block */
    }
    const uint32_t shift = finishing_shift(lists.counts, lists.finish_largest);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        lists.counts[COUNT_SHIFT] = shift;
    }
    const uint64_t first = lists.first_buckets[blockIdx.x];
    const uint32_t loaded = load_starts(starts, map, first, block_slot);
    find_owners(owners, starts, loaded, map, first, block_slot);
    uint32_t rank[LIST_ITEMS];
    uint32_t most = 0, single = 0, classes = 0;
#pragma unroll
    for (int i = 0; i < LIST_ITEMS; i++) {
        const uint32_t j = owners[list_item(i)];
        rank[i] = 0;
        if (first + j < map.buckets) {
            const uint32_t start = starts[j], count = starts[j + 1] - start;
            const uint32_t t = (uint32_t)block_slot + list_item(i) - first_slot(first + j, start);
            if (2 * t + 1 < count) {
                const uint32_t later = later_rounds(t, count / 2 + count % 2);
                rank[i] = 1 + (later < shift ? later : shift);
            }
            if (t == 0) {
                classes |= class_number(additions_of(count) >> shift) << (4 * i);
            }
            single |= (uint32_t)(2 * t + 1 == count) << i;
        }
        most = rank[i] > most ? rank[i] : most;
    }
    most = __reduce_max_sync(0xffffffff, most);
    const uint32_t own_classes = __any_sync(0xffffffff, classes != 0) ? FINISH_CLASSES : 0;
    for (uint32_t list = lane; list < LISTS; list += 32) {
        next[warp][list] = 0;
    }
    __syncwarp();
    for (uint32_t round = 0; round <= most; round++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            const bool listed = round == 0 ? single >> i & 1 : rank[i] >= round;
            total += __popc(__ballot_sync(0xffffffff, listed));
        }
        if (lane == 0) {
            next[warp][round] = total;
        }
    }
    for (uint32_t j = 0; j < own_classes; j++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            total += __popc(__ballot_sync(0xffffffff, begins_class(classes, i, j)));
        }
        if (lane == 0) {
            next[warp][COUNT_FINISHING + j] = total;
        }
    }
    __syncthreads();
    if (threadIdx.x < LISTS) {
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
    for (uint32_t round = 0; round <= most; round++) {
        uint32_t place = next[warp][round];
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            const bool listed = round == 0 ? single >> i & 1 : rank[i] >= round;
            const uint32_t ballot = __ballot_sync(0xffffffff, listed);
            const uint32_t own = place + __popc(ballot & ((1u << lane) - 1));
            const uint32_t slot = (uint32_t)block_slot + list_item(i);
            place += __popc(ballot);
            if (listed && round <= 1) {
                const uint32_t j = owners[list_item(i)];
                const uint32_t left = starts[j] + 2 * (slot - first_slot(first + j, starts[j]));
                if (round == 0) {
                    lists.singles[own] = make_uint2(slot, pairs[left]);
                } else {
                    lists.entries[own] = make_uint2(pairs[left], pairs[left + 1]);
                    lists.targets[own] = slot;
                }
            } else if (listed) {
                lists.lefts[lists.first[round] + own] = slot;
            }
        }
    }
    for (uint32_t j = 0; j < own_classes; j++) {
        uint32_t place = next[warp][COUNT_FINISHING + j];
#pragma unroll
        for (int i = 0; i < LIST_ITEMS; i++) {
            const bool listed = begins_class(classes, i, j);
            const uint32_t ballot = __ballot_sync(0xffffffff, listed);
            if (listed) {
                const uint32_t owner = owners[list_item(i)];
                const uint32_t own = place + __popc(ballot & ((1u << lane) - 1));
                lists.finishing[lists.first_finishing[j] + own] = make_uint2(
                    (uint32_t)block_slot + list_item(i), additions_of(starts[owner + 1] - starts[owner]));
            }
            place += __popc(ballot);
        }
    }
}

/* What a call works on, in the scratch block. */
struct accumulate_work {
    cuda_engine *engine;
    bool waits_for_nothing;
    bool shares; /* the device works on another pass as well */
    const cuda_curve *curve;
    slot_map map;
    const uint32_t *sorted; /* the pairs, in the order of buckets */
    uint64_t pairs;         /* how many there are at most */
    uint64_t largest;       /* and how many in one bucket */
    uint32_t plain_rounds;  /* rounds before finish.cu takes over, at most */
    uint64_t additions;     /* that are left to it, at most */
    pair_lists lists;
    char *slot_points;
    void *products;
};

/* What the host waits for: how much there is to do, and when finish.cu takes over. */
static void read_mailbox(accumulate_work *work)
{
    const uint32_t *mailbox = work->engine->track->mailbox;
    const uint32_t *left = &mailbox[MAIL_LEFT];
    uint32_t shift = 0;
    while (!can_finish(left[shift], mailbox[MAIL_LARGEST], shift, work->lists.finish_largest)) {
        shift++; /* the last has nothing left */
    }
    work->largest = mailbox[MAIL_LARGEST];
    work->pairs = mailbox[MAIL_PAIRS];
    work->plain_rounds = 1 + shift;
    work->additions = left[shift];
}

static_assert(MAIL_PAIRS - MAIL_LARGEST == COUNT_PAIRS - COUNT_LARGEST &&
                  MAIL_LEFT - MAIL_LARGEST == COUNT_LEFT - COUNT_LARGEST &&
                  MAIL_TOO_LARGE - MAIL_LEFT == ROUNDS - 1,
              "the mailbox has accumulate's counts in their order");

/* All lists; what is at most so much in *work becomes what it is, while the lists are being made, unless the
 * host waits for nothing. Then rounds behind the last have no pairs. */
static sumac_status make_lists(accumulate_work *work)
{
    cuda_engine *engine = work->engine;
    uint32_t *counts = work->lists.counts;
    const unsigned blocks = blocks_to_fill(engine, 4, work->map.buckets, MEASURE_BLOCK);
    const unsigned list_blocks = blocks_for(cuda_slot_places(work->pairs, work->map.buckets), LIST_SLOTS);
    const uint64_t slots = cuda_slots(work->pairs, work->map.buckets);
    uint64_t end = 0;
    for (uint32_t round = 2; round <= ROUNDS; round++) {
        work->lists.first[round] = static_cast<uint32_t>(end);
        end += cuda_round_limit(slots, round);
    }
    for (uint32_t j = 0; j < FINISH_CLASSES; j++) {
        work->lists.first_finishing[j] = static_cast<uint32_t>(cuda_finish_places(work->pairs, j));
    }
    work->plain_rounds = ROUNDS;
    work->additions = work->largest > 2 ? cuda_finish_limit(work->pairs) : 0;
    CUDA_TRY(engine, cudaMemsetAsync(counts, 0, COUNTERS * sizeof(uint32_t), engine->stream));
    measure_kernel<<<blocks, MEASURE_BLOCK, 0, engine->stream>>>(counts, work->lists.first_buckets,
                                                                 work->map);
    CUDA_TRY(engine, cudaGetLastError());
    if (!work->waits_for_nothing) {
        CUDA_TRY(engine, cudaMemcpyAsync(&engine->track->mailbox[MAIL_LARGEST], &counts[COUNT_LARGEST],
                                         (MAIL_TOO_LARGE - MAIL_LARGEST) * sizeof(uint32_t),
                                         cudaMemcpyDeviceToHost, engine->stream));
        CUDA_TRY(engine, cudaEventRecord(engine->track->counted, engine->stream));
    }
    list_kernel<<<list_blocks, LIST_BLOCK, 0, engine->stream>>>(work->map, work->sorted, work->lists);
    CUDA_TRY(engine, cudaGetLastError());
    if (!work->waits_for_nothing) {
        CUDA_TRY(engine, cudaEventSynchronize(engine->track->counted));
        read_mailbox(work);
    }
    return SUMAC_OK;
}

uint64_t cuda_round_limit(uint64_t slots, uint32_t number)
{
    return number == 1 ? slots : slots / (((uint64_t)1 << (number - 2)) + 1);
}

static sumac_status run_rounds(const accumulate_work *work, const void *table)
{
    cuda_engine *engine = work->engine;
    const pair_lists *lists = &work->lists;
    const uint64_t singles = work->pairs < work->map.buckets ? work->pairs : work->map.buckets;
    const uint64_t slots = cuda_slots(work->pairs, work->map.buckets);
    pair_round round = {};
    round.out = work->slot_points;
    round.shares = work->shares;
    round.products = work->products;
    round.points = table;
    round.entries = reinterpret_cast<const uint32_t *>(lists->entries);
    round.targets = lists->targets;
    STATUS_TRY(work->curve->copy_singles(engine, table, lists->singles, &lists->counts[COUNT_SINGLES],
                                         singles, work->slot_points));
    uint32_t number = 1;
    /* left is the number of points of the largest bucket before the round. */
    for (uint64_t left = work->largest; left > 1 && number <= work->plain_rounds; left = (left + 1) / 2) {
        if (number > 1) {
            round.points = work->slot_points;
            round.entries = NULL;
            round.lefts = lists->lefts + lists->first[number];
            round.stride = (uint32_t)1 << (number - 2);
        }
        round.count = &lists->counts[number];
        round.limit = number == 1 ? work->pairs / 2 : cuda_round_limit(slots, number);
        STATUS_TRY(work->curve->sum_pairs(engine, &round));
        number++;
    }
    return SUMAC_OK;
}

static sumac_status finish(const accumulate_work *work)
{
    const pair_lists *lists = &work->lists;
    finish_lists finishing = {};
    finishing.entries = lists->finishing;
    for (uint32_t j = 0; j < FINISH_CLASSES; j++) {
        finishing.first[j] = lists->first_finishing[j];
    }
    finishing.counts = &lists->counts[COUNT_FINISHING];
    finishing.shift = &lists->counts[COUNT_SHIFT];
    finishing.additions = work->additions;
    finishing.slot_points = work->slot_points;
    return work->curve->finish(work->engine, &finishing);
}

/* The points that a bucket of finish.cu may have left. The mean is that of a pass without digits that are 0.
 */
static uint32_t finish_largest(const msm_job *job, const accumulate_work *work)
{
    const uint64_t points = job->large_bucket_factor * work->pairs / work->map.buckets;
    return job->large_bucket_factor == 0 ? FINISH_LARGEST
           : points < UINT32_MAX         ? static_cast<uint32_t>(points)
                                         : UINT32_MAX;
}

sumac_status cuda_accumulate(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                             bucket_sums *sums, void *scratch)
{
    const double begin = cuda_stage_begin(job);
    const cuda_scratch layout = cuda_scratch_of(job->plan, job->code->affine_bytes);
    char *memory = static_cast<char *>(scratch);
    accumulate_work work = {};
    work.engine = engine_of(job);
    work.waits_for_nothing = job->status_later != NULL;
    work.shares = job->plan->tracks > 1;
    work.curve = cuda_curve_of(job->curve);
    work.map = {lists->starts, pass->modules * job->plan->buckets};
    work.sorted = lists->pairs;
    work.pairs = pass->modules * plan_multiples(job->plan) * pass->n;
    work.largest = plan_multiples(job->plan) * pass->n;
    work.lists.entries = reinterpret_cast<uint2 *>(memory + layout.entries);
    work.lists.targets = reinterpret_cast<uint32_t *>(memory + layout.targets);
    work.lists.singles = reinterpret_cast<uint2 *>(memory + layout.singles);
    work.lists.lefts = reinterpret_cast<uint32_t *>(memory + layout.lefts);
    work.lists.finishing = reinterpret_cast<uint2 *>(memory + layout.finishing);
    work.lists.finish_largest = finish_largest(job, &work);
    work.lists.first_buckets = reinterpret_cast<uint32_t *>(memory + layout.first_buckets);
    work.lists.counts = reinterpret_cast<uint32_t *>(memory + layout.counters);
    work.slot_points = memory + layout.slot_points;
    work.products = memory + layout.products;
    STATUS_TRY(make_lists(&work));
    if (work.pairs > 0) {
        STATUS_TRY(run_rounds(&work, work.engine->bases));
        STATUS_TRY(finish(&work));
    }
    if (pass->first == pass->chunk_first) {
        STATUS_TRY(work.curve->collect(work.engine, &work.map, work.slot_points, sums->points));
    } else if (work.pairs > 0) {
        const merge_lists merges = {
            .lefts = reinterpret_cast<uint32_t *>(memory + layout.merges),
            .count = work.lists.counts,
            .products = work.products,
        };
        STATUS_TRY(work.curve->merge(work.engine, &work.map, work.slot_points, &merges, sums->points));
    }
    return cuda_stage_end(job, pass, "accumulate", begin);
}

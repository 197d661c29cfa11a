/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file reduces by halving: it makes module parts of bucket sums, in as many rounds as a bucket's number has bits.
 *
 * For a module's K = 2^k bucket sums P_0 .. P_(K-1) the sum of (i + 1)*P_i is needed. Round r adds, in place, the point
 * at left + 2^r to the point at left, for left = first + e*2^(r+1), e < K/2^(r+1), and for two kinds of `first`:
 *
 * - 0, the tree of totals: after round r every multiple of 2^(r+1) holds the total of the 2^(r+1) points from it on.
 *
 * - 2^l with l < r: a position whose lowest set bit is l was last written in round l - 1, and holds the total of the 2^l
 *   points from it on, all of which have bit l set in their number.
 *
 * In the end position 0 holds the total T of all points, and position 2^l the sum S_l of the points with bit l in their
 * number, so that the sum of (i + 1)*P_i = T + the sum of 2^l*S_l. That takes 2K additions, all independent within a
 * round. The parts are S_0 + T, S_1, .. S_(k-1) and infinity, which are c = k + 1 parts; combine doubles and adds them.
 *
 * If a round has too few pairs to fill the device, it takes as long as one inversion and a few successive
 * multiplications, which is longer than an addition without an inversion. Then the points that are still needed are
 * copied as XYZZ, and the remaining rounds (the tail) use these: class 0 is the tree of totals, every 2^level-th point,
 * and class q is the list that begins at 2^(q - 1). Bucket sums that are XYZZ points already have only the tail's
 * rounds.
 *
 * A point at infinity costs no addition: a byte for each position tells whether its point may be finite ("live"), and
 * each round lists the pairs of two live points. If only the right point is live, it is copied to the left. So scalars
 * that fill few buckets cost few additions.
 */
#include "base/integers.h"
#include "cuda/device/kernels.cuh"
#include "cuda/msm/stage.h"
#include "pipeline/plan_sizes.h"

enum { REDUCE_BLOCK = 256, REDUCE_ITEMS = 4 };

/* A round of at most TAIL_PAIRS pairs is done in XYZZ, where both ways take about the same time on an H200: reduce at
 * 2^20 takes 0.695 ms with this number and with half of it, and 0.737 with twice of it (BLS12-381, 2026-11-21). */
static const uint64_t TAIL_PAIRS = 65536;

static bool are_xyzz(const msm_plan *plan)
{
    return plan->kinds[STAGE_ACCUMULATE]->leaves == XYZZ_BUCKETS;
}

uint32_t cuda_tail_level(const msm_plan *plan, uint64_t modules)
{
    const uint32_t bits = plan_bucket_bits(plan);
    uint32_t level = 0;
    while (!are_xyzz(plan) && level < bits && ((level + 1) * modules) << (bits - level - 1) > TAIL_PAIRS) {
        level++;
    }
    return level;
}

/* These are the vectors, in which rounds add in place, and a byte for each point that says whether it is live. */
struct live_vectors {
    uint4 *points;
    uint8_t *live;
    uint32_t *lefts;
    uint32_t *count;      /* the number of this round's listed pairs */
    divider point_chunks; /* chunks of 16 bytes of a point */
    divider vectors;
    uint32_t bits;
    uint32_t level;
    uint64_t pairs; /* all pairs of this round, live or not */
};

/* Copy the sums, and mark those as live that are not infinity, which is all zeros. */
static __global__ void __launch_bounds__(REDUCE_BLOCK)
    copy_kernel(const live_vectors v, const uint4 *sums, uint64_t points)
{
    __shared__ uint8_t live[REDUCE_BLOCK];
    const uint64_t first = blockIdx.x * (uint64_t)REDUCE_BLOCK;
    const uint32_t count = points - first < REDUCE_BLOCK ? (uint32_t)(points - first) : REDUCE_BLOCK;
    const uint32_t chunks = v.point_chunks.divisor;
    live[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count * chunks; i += REDUCE_BLOCK) {
        const uint32_t point = divide(i, v.point_chunks);
        const uint4 chunk = sums[first * chunks + i];
        v.points[first * chunks + i] = chunk;
        if ((chunk.x | chunk.y | chunk.z | chunk.w) != 0) {
            live[point] = 1; /* all threads that write this write the same value */
        }
    }
    __syncthreads();
    if (threadIdx.x < count) {
        v.live[first + threadIdx.x] = live[threadIdx.x];
    }
}

/* Return the index of the left point of pair k. List 0 begins at 0, and list q at 2^(q - 1); element e of a list lies
 * e * 2^(level + 1) further on. */
static __device__ uint32_t left_of(const live_vectors &v, uint64_t k)
{
    const uint32_t element_bits = v.bits - v.level - 1;
    const uint32_t element = (uint32_t)k & ((1u << element_bits) - 1);
    const uint32_t row = (uint32_t)(k >> element_bits);
    const uint32_t list = divide(row, v.vectors);
    const uint32_t vector = row - list * v.vectors.divisor;
    const uint32_t first = list == 0 ? 0 : 1u << (list - 1);
    return (vector << v.bits) + first + (element << (v.level + 1));
}

/* List a round's pairs of two live points. If only the right point of a pair is live, copy it to the left. */
static __global__ void __launch_bounds__(REDUCE_BLOCK) live_kernel(const live_vectors v)
{
    __shared__ uint32_t next;
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t first = blockIdx.x * (uint64_t)(REDUCE_BLOCK * REDUCE_ITEMS);
    uint32_t left[REDUCE_ITEMS], ballot[REDUCE_ITEMS];
    uint32_t listed = 0;
    if (threadIdx.x == 0) {
        next = 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < REDUCE_ITEMS; i++) {
        const uint64_t k = first + i * REDUCE_BLOCK + threadIdx.x;
        bool both = false;
        left[i] = 0;
        if (k < v.pairs) {
            left[i] = left_of(v, k);
            const uint32_t right = left[i] + (1u << v.level);
            if (v.live[right]) {
                both = v.live[left[i]];
                if (!both) {
                    const uint32_t chunks = v.point_chunks.divisor;
                    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
                        v.points[(uint64_t)left[i] * chunks + chunk] =
                            v.points[(uint64_t)right * chunks + chunk];
                    }
                    v.live[left[i]] = 1;
                }
            }
        }
        ballot[i] = __ballot_sync(0xffffffff, both);
        listed += __popc(ballot[i]);
    }
    uint32_t position = 0; /* the warp's first position among the block's pairs, then on the list */
    if (lane == 0) {
        position = atomicAdd(&next, listed);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        next = next == 0 ? 0 : atomicAdd(v.count, next);
    }
    __syncthreads();
    position = __shfl_sync(0xffffffff, position, 0) + next;
#pragma unroll
    for (int i = 0; i < REDUCE_ITEMS; i++) {
        if (ballot[i] >> lane & 1) {
            v.lefts[position + __popc(ballot[i] & ((1u << lane) - 1))] = left[i];
        }
        position += __popc(ballot[i]);
    }
}

/* The arrays of a pass are the vectors, the field elements for products of pairs, and in XYZZ the points that are
 * needed after cuda_tail_level() rounds. */
struct halving_arrays {
    live_vectors vectors;
    void *products;
    void *tail;
};

/* Do `levels` rounds in a copy of the sums. */
static sumac_status run_levels(cuda_engine *engine, cudaStream_t stream, const cuda_group *group,
                               const halving_arrays &arrays, uint32_t levels, const void *sums)
{
    live_vectors v = arrays.vectors;
    const uint64_t points = (uint64_t)v.vectors.divisor << v.bits;
    pair_round round = {};
    round.points = v.points;
    round.out = v.points;
    round.products = arrays.products;
    round.lefts = v.lefts;
    CUDA_TRY(engine, cudaMemsetAsync(v.count, 0, v.bits * sizeof(uint32_t), stream));
    TRY(cuda_launch(engine, stream, copy_kernel, blocks_for(points, REDUCE_BLOCK), REDUCE_BLOCK, v,
                    static_cast<const uint4 *>(sums), points));
    for (; v.level < levels; v.level++, v.count++) {
        v.pairs = ((uint64_t)v.vectors.divisor * (v.level + 1)) << (v.bits - v.level - 1);
        TRY(cuda_launch(engine, stream, live_kernel, blocks_for(v.pairs, REDUCE_BLOCK * REDUCE_ITEMS),
                        REDUCE_BLOCK, v));
        round.stride = static_cast<uint32_t>(1) << v.level;
        round.count = v.count;
        round.limit = v.pairs;
        TRY(group->sum_pairs(engine, stream, &round));
    }
    return SUMAC_OK;
}

/* Take the arrays of a plan's passes from the scratch block. */
static halving_arrays lay_out(const group_code *code, const msm_plan *plan, scratch_block *scratch)
{
    halving_arrays arrays = {};
    live_vectors *v = &arrays.vectors;
    const size_t affine_bytes = code->affine_bytes;
    const uint32_t bits = plan_bucket_bits(plan);
    const uint64_t positions = are_xyzz(plan) ? 0 : static_cast<uint64_t>(plan->modules_per_pass) << bits;
    v->points = reinterpret_cast<uint4 *>(scratch->take<char>(positions * affine_bytes));
    v->live = scratch->take<uint8_t>(positions);
    /* Round r has (r + 1) * K/2^(r + 1) pairs a module: at most K/2. */
    v->lefts = scratch->take<uint32_t>(positions / 2);
    v->count = scratch->take<uint32_t>(bits + 1); /* a word for each round */
    arrays.products = scratch->take<char>((positions / 2 + PAIR_BLOCK) * (affine_bytes / 2));
    /* A pass of fewer modules may begin its tail at an earlier level. For a number of modules between two powers of
     * two, the larger power's points at the smaller power's level are an upper bound. */
    uint64_t tail_points = 0;
    for (uint64_t modules = 1; modules <= plan->modules_per_pass; modules = modules * 2) {
        const uint64_t most = smaller(modules * 2, plan->modules_per_pass);
        const uint32_t level = cuda_tail_level(plan, modules);
        tail_points = larger(tail_points, ((level + 1) * most) << (bits - level));
    }
    arrays.tail = scratch->take<char>(tail_points * 2 * affine_bytes);
    return arrays;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                        module_sums *modules, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    const msm_plan *plan = job->plan;
    scratch_block scratch = {static_cast<char *>(memory), 0};
    halving_arrays arrays = lay_out(job->code, plan, &scratch);
    live_vectors &vectors = arrays.vectors;
    vectors.point_chunks = divider_of(group->affine_bytes / sizeof(uint4));
    vectors.vectors = divider_of(pass->modules);
    vectors.bits = plan_bucket_bits(plan);
    char *parts =
        static_cast<char *>(modules->points) + pass->first_module * plan->module_parts * group->xyzz_bytes;
    const uint32_t last_level = cuda_tail_level(plan, pass->modules);
    if (last_level > 0) {
        TRY(run_levels(engine, stream, group, arrays, last_level, sums->points));
    }
    const vector_tail tail = {
        .points = last_level > 0 ? vectors.points : sums->points,
        .are_xyzz = are_xyzz(plan),
        .tail = arrays.tail,
        .bits = vectors.bits,
        .level = last_level,
        .vectors = static_cast<uint32_t>(pass->modules),
    };
    return group->reduce_tail(engine, stream, &tail, pass_adds_to_parts(plan, pass), parts);
}

/* The parts are one for each bit of a bucket's number, and one more. With unsigned digits they would be c + 1, too many. */
static int accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = plan_bucket_bits(plan) + 1;
    return plan->module_parts <= plan->c && request->reduction != REDUCTION_RUNNING_SUM &&
           !request->all_digits;
}

const stage_kind cuda_reduce_halving = {
    .stage = STAGE_REDUCE,
    .name = "halving",
    .about = "adds up halves of the buckets, round by round in place, until for each bit there is the sum of "
             "those that have it in their number",
    .takes = AFFINE_BUCKETS | XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_HALVING,
    .accepts = accepts,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cuda_cost_of_halving,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run>},
};

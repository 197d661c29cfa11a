/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind reduces by running sums in independent chunks. A chunk has the buckets s .. e-1 of a module. For each
 * bucket b, from the last one down, run += B_b and sum += run. Then sum counts B_b b - s + 1 times, and sum + s*run
 * counts it b + 1 times, as required. The chunks' sums are added up as a tree, which leaves one part for each module.
 */
#include "pipeline/parallel.h"
#include "cpu/reduce.h"
#include "cpu/stages.h"
#include "plans/cpu/xyzz_sums.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

/* A module has at most 2^CHUNK_BITS chunks, of at least 2^CHUNK_LENGTH_BITS buckets, so that a chunk's correction costs
 * less than half of the chunk's additions. */
#define CHUNK_BITS 5u
#define CHUNK_LENGTH_BITS 4u

typedef struct chunks_work {
    const xyzz *buckets;
    xyzz *sums;          /* [module << chunk_bits | chunk] */
    uint32_t bits;       /* log2 of a module's buckets */
    uint32_t chunk_bits; /* log2 of a module's chunks */
    module_target target;
} chunks_work;

static uint32_t chunk_bits_of(const msm_plan *plan)
{
    const uint32_t bits = plan_bucket_bits(plan);
    const uint32_t most = bits < CHUNK_LENGTH_BITS ? 0 : bits - CHUNK_LENGTH_BITS;
    return most < CHUNK_BITS ? most : CHUNK_BITS;
}

static void chunk_task(void *arguments, size_t index, uint32_t thread)
{
    const chunks_work *work = arguments;
    const uint64_t length = (uint64_t)1 << (work->bits - work->chunk_bits);
    const uint64_t first = (index & (((uint64_t)1 << work->chunk_bits) - 1)) * length;
    const xyzz *buckets = work->buckets + index * length;
    xyzz run, sum;
    (void)thread;
    xyzz_set_infinity(&run);
    xyzz_set_infinity(&sum);
    for (uint64_t b = length; b-- > 0;) {
        xyzz_add(&run, &run, &buckets[b]);
        xyzz_add(&sum, &sum, &run);
    }
    xyzz_times(&run, &run, (uint32_t)first);
    xyzz_add(&work->sums[index], &sum, &run);
}

static void chunk_join_task(void *arguments, size_t module, uint32_t thread)
{
    const chunks_work *work = arguments;
    xyzz *sums = work->sums + ((uint64_t)module << work->chunk_bits);
    (void)thread;
    xyzz_tree_sum(sums, (uint64_t)1 << work->chunk_bits);
    add_part(&work->target, module, &sums[0]);
}

static uint64_t chunks_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    return ((uint64_t)plan->modules_per_pass << chunk_bits_of(plan)) * code->xyzz_bytes;
}

static sumac_status chunks_run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                               module_sums *modules, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    chunks_work work = {sums->points, scratch, plan_bucket_bits(job->plan), chunk_bits_of(job->plan),
                        module_target_of(job->plan, pass, modules)};
    parallel_for(&team, (size_t)(pass->modules << work.chunk_bits), chunk_task, &work);
    parallel_for(&team, pass->modules, chunk_join_task, &work);
    return SUMAC_OK;
}

static int chunks_accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->reduction != REDUCTION_HALVING;
}

/* A bucket costs two additions; a chunk costs those of the tree, and about 1.5 for each bit of its first bucket's
 * number. */
static stage_cost chunks_cost(const plan_request *request, const msm_plan *plan)
{
    const double modules = plan_counts_of(plan).modules, bits = plan_bucket_bits(plan);
    const double chunks = modules * (double)((uint64_t)1 << chunk_bits_of(plan));
    const double additions = 2 * modules * (double)plan->buckets + chunks * (2 + 1.5 * bits);
    const stage_cost cost = {.work = additions * request->code->costs->xyzz_addition * 1e-6,
                             .additions = additions};
    return cost;
}

const stage_kind SUMAC_SYMBOL(reduce_chunks) = {
    .stage = STAGE_REDUCE,
    .name = "chunks",
    .about =
        "adds up running sums of chunks of a module's buckets, two additions a bucket, corrects each by the "
        "chunk's total times where it begins, and adds the chunks up as a tree",
    .takes = XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = chunks_accepts,
    .scratch_bytes = chunks_scratch_bytes,
    .cost = chunks_cost,
    .run = {.reduce = chunks_run},
};

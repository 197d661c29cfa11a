/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind reduces by running sums in independent chunks, like src/plans/cpu/reduce_chunks.c. A thread computes the
 * running sum of a chunk, and corrects it by (s - 1) times the chunk's total, where s is the chunk's first digit. The
 * chunks' sums are added up as a tree, which leaves one part for each module. With one chunk for each module this is
 * the "big triangle".
 */
#include <cmath>

#include "plans/cuda/xyzz.h"
#include "pipeline/counts.h"

/* A chunk has at least this many buckets, because its correction takes about 1.5 additions for each bit of its number. */
enum { CHUNK_LENGTH_BITS = 5 };

/* Choose the chunks for a plan's largest passes; a smaller pass has the same chunks. */
static uint32_t chunk_bits_of(const msm_plan *plan)
{
    const uint32_t bits = plan_bucket_bits(plan);
    uint32_t chunk_bits = 0;
    while (chunk_bits + CHUNK_LENGTH_BITS < bits &&
           static_cast<uint64_t>(plan->modules_per_pass) << (chunk_bits + 1) <= XYZZ_THREADS) {
        chunk_bits++;
    }
    return chunk_bits;
}

static sumac_status reduce(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                           module_sums *modules, void *scratch, uint32_t chunk_bits)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    const uint64_t chunks = static_cast<uint64_t>(1) << chunk_bits;
    const chunk_sums work = {sums->points, scratch, pass->modules, plan_bucket_bits(job->plan), chunk_bits};
    TRY(xyzz_of(group)->sum_chunks(engine, stream, &work));
    strided_sums all = {};
    all.points = scratch;
    all.out = xyzz_module_parts(job, pass, modules);
    all.groups = pass->modules;
    all.group_points = all.count = all.limit = chunks;
    all.width = all.stride = 1;
    all.adds = pass_adds_to_parts(job->plan, pass);
    char *tree = static_cast<char *>(scratch) + pass->modules * chunks * group->xyzz_bytes;
    return xyzz_tree_sums(engine, stream, group, &all, tree);
}

static sumac_status run_chunks(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                               module_sums *modules, void *scratch)
{
    return reduce(job, pass, sums, modules, scratch, chunk_bits_of(job->plan));
}

static sumac_status run_triangle(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                 module_sums *modules, void *scratch)
{
    return reduce(job, pass, sums, modules, scratch, 0);
}

/* Return how many bytes the sums of the chunks take together with those of the tree, which lie behind them. */
static uint64_t bytes_of(const group_code *code, const msm_plan *plan, uint32_t chunk_bits)
{
    const uint64_t chunks = static_cast<uint64_t>(plan->modules_per_pass) << chunk_bits;
    return (chunks + xyzz_tree_points(chunks)) * code->xyzz_bytes;
}

static uint64_t chunks_bytes(const group_code *code, const msm_plan *plan)
{
    return bytes_of(code, plan, chunk_bits_of(plan));
}

static uint64_t triangle_bytes(const group_code *code, const msm_plan *plan)
{
    return bytes_of(code, plan, 0);
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = 1;
    return request->reduction != REDUCTION_HALVING;
}

/* A bucket costs two additions; a chunk costs those of the tree, and about 1.5 for each bit of its first bucket's
 * number. */
static stage_cost cost_of(const plan_request *request, const msm_plan *plan, uint32_t chunk_bits)
{
    const plan_counts counts = plan_counts_of(plan);
    const double buckets = static_cast<double>(plan->buckets), bits = plan_bucket_bits(plan);
    const double chunks = ldexp(1, static_cast<int>(chunk_bits));
    const double correction = chunk_bits > 0 ? 1.5 * bits + 2 : 0;
    return xyzz_cost_of_points(request, counts.modules * (2 * buckets + chunks * correction),
                               counts.passes * (2 * buckets / chunks + correction));
}

static stage_cost chunks_cost(const plan_request *request, const msm_plan *plan)
{
    return cost_of(request, plan, chunk_bits_of(plan));
}

static stage_cost triangle_cost(const plan_request *request, const msm_plan *plan)
{
    return cost_of(request, plan, 0);
}

extern const stage_kind cuda_reduce_chunks = {
    .stage = STAGE_REDUCE,
    .name = "chunks",
    .about =
        "adds up running sums of chunks of a module's buckets, two additions a bucket, corrects each by the "
        "chunk's total times where it begins, and adds the chunks up as a tree",
    .takes = XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = accepts,
    .scratch_bytes = chunks_bytes,
    .cost = chunks_cost,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run_chunks>},
};

extern const stage_kind cuda_reduce_triangle = {
    .stage = STAGE_REDUCE,
    .name = "triangle",
    .about = "adds up the sums of all buckets from each one on, two additions a bucket, a module a thread",
    .takes = XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_RUNNING_SUM,
    .accepts = accepts,
    .scratch_bytes = triangle_bytes,
    .cost = triangle_cost,
    .run = {.reduce = cuda_run<STAGE_REDUCE, run_triangle>},
};

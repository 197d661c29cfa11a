/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * accumulate for few entries: bucket lists -> bucket sums in XYZZ, by quads from the first addition on
 * (accumulate_xyzz_quads_sums.cu). A round of affine additions waits for an inversion, in which a quad makes four additions
 * or more, and needs lists, for which the host waits. Here an addition takes twice the products, and one launch
 * does it all: how much work it is follows from the lists alone.
 */
#include <cmath>

#include "base/integers.h"
#include "cuda/msm/stage.h"

/* log2 of the entries of a task: what random scalars exceed about never, so that a bucket has one, and those of
 * other scalars are cut into tasks of about twice the mean. */
static uint32_t task_bits_of(double load, uint32_t level)
{
    const double most = fmax(load + 6 * sqrt(load) + 8, 4u << level);
    uint32_t bits = 1;
    while (bits < 31 && ldexp(1, static_cast<int>(bits)) < most) {
        bits++;
    }
    return bits;
}

/* Tasks of so many entries, as accumulate_xyzz_quads_sums.cu numbers them. */
static quad_tasks tasks_of(uint64_t entries, uint64_t buckets)
{
    const double load = static_cast<double>(entries) / static_cast<double>(buckets);
    quad_tasks tasks = {};
    tasks.buckets = buckets;
    tasks.level = cuda_quad_level(load, static_cast<double>(buckets));
    tasks.task_bits = task_bits_of(load, tasks.level);
    tasks.count = (entries >> tasks.task_bits) + buckets;
    return tasks;
}

/* A task holds at least a bucket's mean, so that tasks are at most twice as many as buckets. */
static uint64_t scratch_bytes(const curve_code *code, const msm_plan *plan)
{
    return 2 * plan->modules_per_pass * plan->buckets * code->xyzz_bytes;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *scratch)
{
    const uint64_t module_entries = plan_multiples(job->plan) * pass->n;
    quad_tasks tasks = tasks_of(pass->modules * module_entries, pass->modules * job->plan->buckets);
    tasks.table = pass->inputs.bases;
    tasks.entries = lists->entries;
    tasks.starts = lists->starts;
    tasks.several = module_entries >> tasks.task_bits > 0;
    tasks.adds = pass->first != pass->chunk_first;
    tasks.parts = scratch;
    tasks.sums = sums->points;
    return cuda_curve_of(job->curve)->sum_buckets(engine_of(job), stream_of(pass), &tasks);
}

const stage_kind cuda_accumulate_xyzz_quads = {
    .stage = STAGE_ACCUMULATE,
    .name = "xyzz-quads",
    .about = "adds up each bucket's points in XYZZ, by as many quads of lanes as fill the device",
    .takes = BUCKET_LISTS,
    .leaves = XYZZ_BUCKETS,
    .scratch_bytes = scratch_bytes,
    .cost = cuda_cost_of_xyzz_quads,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates few entries: it makes bucket sums in XYZZ of bucket lists, by quads of lanes
 * (accumulate_xyzz_quads_sums.cu). Accumulating by rounds is slow for few entries: each round waits for an inversion,
 * which takes as long as four additions of a quad or more, and the host waits for the lengths of the lists. An addition
 * in XYZZ takes twice as many products as an affine one, but one launch does all additions, and its size follows from
 * the numbers of entries and buckets, so that the host waits for nothing.
 */
#include <cmath>

#include "base/integers.h"
#include "cuda/msm/stage.h"

/* Return log2 of the largest number of entries of a task. Buckets of random scalars almost never have more entries, so
 * each of them is one task. If other scalars make larger buckets, these are cut into tasks of about twice the mean of a
 * bucket. */
static uint32_t task_bits_of(double load, uint32_t level)
{
    const double largest = fmax(load + 6 * sqrt(load) + 8, 4u << level);
    uint32_t bits = 1;
    while (bits < 31 && ldexp(1, static_cast<int>(bits)) < largest) {
        bits++;
    }
    return bits;
}

/* Describe the tasks for `entries` entries; the head of accumulate_xyzz_quads_sums.cu says how they are numbered. */
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

/* 2^task_bits is at least the mean number of entries of a bucket, so there are at most 2 * buckets tasks. */
static uint64_t scratch_bytes(const group_code *code, const msm_plan *plan)
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
    return cuda_group_of(job->group)->sum_buckets(engine_of(job), stream_of(pass), &tasks);
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

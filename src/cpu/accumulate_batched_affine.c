/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file accumulates: it makes bucket sums of bucket lists.
 *
 * The sorted entries are cut into tasks of equal length, even within buckets, so that a bucket with half of all points
 * becomes many tasks, and no thread must wait for it. A bucket inside a task is summed by that task; a bucket that a
 * border cuts leaves a partial sum at the edge of each task that it touches, and these are added up last.
 */
#include <string.h>

#include "base/integers.h"
#include "cpu/engine.h"
#include "cpu/ranges.h"
#include "cpu/stages.h"
#include "cpu/thread_scratch.h"
#include "pipeline/plan_sizes.h"

#define NO_BUCKET UINT32_MAX

/* A thread adds up this many bytes of bases at a time, so that the points after the first additions, half as many, and
 * their products stay in a second-level cache of 1 to 2 MiB. By `sumac bench` on BLS12-381 at 2^16, 2^11 .. 2^14 points
 * of 96 bytes differ by 2% in scalar code, and in lanes 2^14 is faster than 2^13 (docs/internals/log.md). */
#define TASK_BYTES ((uint64_t)1536 * 1024)

/* Each thread has at least this many tasks. With fewer tasks, threads wait for the slowest one; with more, fewer
 * additions share an inversion. A Groth16 proof of BN254, 2^14, on 16 threads of a Xeon with AVX-512 IFMA took 18.4,
 * 18.7, 17.0, 17.5, 17.2 ms with 2, 3, 4, 6, 8 tasks (least of 15 in three runs, 2026-11-25). Sizes are multiples of
 * TASK_STEP. */
#define TASKS_OF_THREAD ((uint64_t)4)
#define TASK_STEP ((uint64_t)16)

typedef struct accumulate_work {
    const affine *table;
    const bucket_lists *lists;
    affine *sums;
    uint64_t buckets; /* the buckets of all modules of the pass */
    uint64_t capacity;
    uint64_t tasks;
    task_layout layout;
    void *scratch;
    affine *edge_points; /* for task t: [2t] belongs to the bucket within which the task begins, [2t + 1] to
                            the one within which it ends */
    uint32_t *edge_buckets;
} accumulate_work;

/* Return the bucket to which a position belongs. This is the largest b with starts[b] <= position. Required: starts[0]
 * <= position < starts[buckets]. */
static uint64_t bucket_of(const uint32_t *starts, uint64_t buckets, uint64_t position)
{
    uint64_t low = 0, high = buckets; /* starts[low] <= position < starts[high] */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (starts[middle] <= position) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void accumulate_task(void *arguments, size_t task, uint32_t thread)
{
    const accumulate_work *work = arguments;
    const uint32_t *starts = work->lists->starts;
    const uint64_t total = starts[work->buckets];
    const uint64_t begin = task * work->capacity;
    const uint64_t end = smaller(begin + work->capacity, total);
    const task_scratch scratch = thread_scratch(&work->layout, work->scratch, thread);
    uint32_t segments = 0;
    uint64_t position = begin;
    for (uint64_t b = bucket_of(starts, work->buckets, begin); position < end; b++) {
        const uint64_t bucket_end = smaller(starts[b + 1], end);
        if (bucket_end == position) {
            continue;
        }
        scratch.starts[segments] = (uint32_t)position;
        scratch.targets[segments] = (uint32_t)b;
        segments++;
        position = bucket_end;
    }
    scratch.starts[segments] = (uint32_t)end;
    task_sum_lists(&scratch, work->table, work->lists->entries, segments);

    work->edge_buckets[2 * task] = NO_BUCKET;
    work->edge_buckets[2 * task + 1] = NO_BUCKET;
    for (uint32_t s = 0; s < segments; s++) {
        const uint32_t b = scratch.targets[s];
        const int begins_before = starts[b] < begin;
        if (!begins_before && starts[b + 1] <= end) {
            work->sums[b] = scratch.items[s];
            continue;
        }
        const size_t edge = 2 * task + (begins_before ? 0 : 1);
        work->edge_buckets[edge] = b;
        work->edge_points[edge] = scratch.items[s];
    }
}

/* Add up the parts of the bucket that begins within a task and ends in a later one. Its parts are neighbours, because the
 * edges are in the order of their buckets. */
static void edge_task(void *arguments, size_t task, uint32_t thread)
{
    const accumulate_work *work = arguments;
    const uint32_t bucket = work->edge_buckets[2 * task + 1];
    xyzz sum;
    (void)thread;
    if (bucket == NO_BUCKET) {
        return;
    }
    xyzz_from_affine(&sum, &work->edge_points[2 * task + 1]);
    /* Each later task up to the bucket's last has its part of this bucket at its front edge. */
    for (size_t part = task + 1; part < work->tasks && work->edge_buckets[2 * part] == bucket; part++) {
        xyzz_add_affine(&sum, &sum, &work->edge_points[2 * part]);
    }
    xyzz_to_affine(&work->sums[bucket], &sum);
}

#define CLEAR_BLOCK ((uint64_t)4096)

static void clear_task(void *arguments, index_range range)
{
    const accumulate_work *work = arguments;
    memset(&work->sums[range.first], 0, (range.end - range.first) * sizeof(affine));
}

/* These are byte offsets into the scratch block, behind the parts of the threads. Each task has two points and two
 * words. */
typedef struct edge_layout {
    uint64_t points;
    uint64_t buckets;
    uint64_t bytes;
} edge_layout;

static edge_layout edge_layout_of(const msm_plan *plan)
{
    const uint64_t tasks = ceil_divide(plan_pass_entries(plan), plan->task_entries);
    edge_layout layout = {.bytes = task_layout_of(plan).bytes};
    layout.points = scratch_take(&layout.bytes, 2 * tasks * sizeof(affine));
    layout.buckets = scratch_take(&layout.bytes, 2 * tasks * sizeof(uint32_t));
    return layout;
}

static uint64_t accumulate_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return edge_layout_of(plan).bytes;
}

static sumac_status accumulate_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                                   bucket_sums *sums, void *scratch)
{
    const edge_layout edges = edge_layout_of(job->plan);
    const uint64_t buckets = pass->modules * job->plan->buckets;
    const uint64_t total = lists->starts[buckets];
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    accumulate_work work = {
        .table = pass->inputs.bases,
        .lists = lists,
        .sums = sums->points,
        .buckets = buckets,
        .capacity = job->plan->task_entries,
        .tasks = ceil_divide(total, job->plan->task_entries),
        .layout = task_layout_of(job->plan),
        .scratch = scratch,
        .edge_points = (affine *)(void *)((char *)scratch + edges.points),
        .edge_buckets = (uint32_t *)(void *)((char *)scratch + edges.buckets),
    };
    parallel_ranges(&team, buckets, CLEAR_BLOCK, clear_task, &work);
    parallel_for(&team, work.tasks, accumulate_task, &work);
    parallel_for(&team, work.tasks, edge_task, &work);
    return SUMAC_OK;
}

/* Accept any plan, and choose its tasks. If there is not enough work for all threads, tasks are smaller. All threads
 * have the same number of tasks. */
static int accumulate_accepts(const plan_request *request, msm_plan *plan)
{
    const uint64_t entries = plan->n * plan->windows * plan->batch;
    uint64_t most = TASK_MIN_ENTRIES;
    (void)request;
    while (2 * most * sizeof(affine) <= TASK_BYTES) {
        most *= 2;
    }
    plan->task_entries = most;
    if (plan->threads > 1) {
        const uint64_t tasks = larger(TASKS_OF_THREAD, ceil_divide(entries, plan->threads * most));
        const uint64_t even = ceil_divide(entries, plan->threads * tasks);
        plan->task_entries = larger(TASK_MIN_ENTRIES, ceil_divide(even, TASK_STEP) * TASK_STEP);
    }
    plan->task_entries = larger(plan->task_entries, plan_least_task(plan));
    return 1;
}

const stage_kind SUMAC_SYMBOL(accumulate_batched_affine) = {
    .stage = STAGE_ACCUMULATE,
    .name = "batched-affine",
    .about = "cuts the entries into tasks of equal length and adds up the lists in each by rounds of affine "
             "additions that share one inversion: 6 products an addition instead of 10",
    .takes = BUCKET_LISTS | LOOKED_UP_LISTS,
    .leaves = AFFINE_BUCKETS,
    .accepts = accumulate_accepts,
    .scratch_bytes = accumulate_scratch_bytes,
    .cost = cpu_cost_of_accumulate,
    .run = {.accumulate = accumulate_run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has trees of strided sums, and other common code of the kinds in XYZZ that does not depend on a curve. */
#include "base/integers.h"
#include "plans/cuda/xyzz.h"

const xyzz_ops *xyzz_of(const cuda_group *group)
{
    const xyzz_group *entry = xyzz_groups;
    while (entry->group != group) {
        entry++;
    }
    return entry->ops;
}

/* If there are enough threads, a thread of a tree adds up at most TREE_CHAIN points. */
static const uint64_t TREE_CHAIN = 8;

/* A level has at most TREE_THREADS threads, several times what the device holds, so that its last wave is a small part. */
static const uint64_t TREE_THREADS = 4 * XYZZ_THREADS;

/* Return how many threads compute each of `sums` sums of `count` points. At the root of the tree it is one thread. */
static uint64_t parts_of(uint64_t sums, uint64_t count)
{
    uint64_t parts = 1;
    while (count / parts > TREE_CHAIN && sums * parts * 2 <= TREE_THREADS) {
        parts *= 2;
    }
    return parts;
}

/* parts_of() > 1 is at most a quarter of `count`, so each level has at most a quarter of the points of the level
 * before. */
uint64_t xyzz_tree_points(uint64_t points)
{
    return 2 * smaller(TREE_THREADS, points / 4);
}

sumac_status xyzz_tree_sums(cuda_engine *engine, cudaStream_t stream, const cuda_group *group,
                            const strided_sums *sums, void *memory)
{
    const uint64_t rows = sums->groups * sums->width;
    char *end = static_cast<char *>(memory);
    strided_sums level = *sums;
    level.parts = parts_of(rows, sums->count);
    while (level.parts > 1) {
        level.out = end;
        level.adds = false;
        TRY(xyzz_of(group)->sum_strided(engine, stream, &level));
        const uint64_t parts = level.parts;
        level = {};
        level.points = end;
        level.groups = rows;
        level.group_points = level.count = level.limit = parts;
        level.width = level.stride = 1;
        level.parts = parts_of(rows, parts);
        end += rows * parts * group->xyzz_bytes;
    }
    level.out = sums->out;
    level.adds = sums->adds;
    return xyzz_of(group)->sum_strided(engine, stream, &level);
}

uint64_t xyzz_module_threads(const msm_plan *plan)
{
    const uint64_t entries = plan_multiples(plan) * plan_copy_slice(plan);
    return larger(1, smaller(entries / XYZZ_LEAST_ENTRIES, XYZZ_THREADS / plan->modules_per_pass));
}

void *xyzz_module_parts(const msm_job *job, const msm_pass *pass, const module_sums *modules)
{
    const uint64_t first = pass->first_module * job->plan->module_parts;
    return static_cast<char *>(modules->points) + first * job->code->xyzz_bytes;
}

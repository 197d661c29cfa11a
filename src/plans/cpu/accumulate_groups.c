/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates by groups. It is for windows of one bit. A module has one bucket, whose entries are the bases
 * whose scalars have that bit. A group is 128 neighbouring bases; those of its bases that have an entry are added up in
 * XYZZ. The stage `reduce` adds up the groups' sums. Entries must have the order of the bases.
 */
#include "base/integers.h"
#include "pipeline/parallel.h"
#include "cpu/stages.h"
#include "plans/cpu/xyzz_sums.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

#define GROUP_BASES ((uint64_t)128)

/* A task adds up GROUPS_OF_TASK groups. */
#define GROUPS_OF_TASK ((uint64_t)64)

typedef struct groups_work {
    const msm_job *job;
    const msm_pass *pass;
    const bucket_lists *lists;
    xyzz *sums;
    uint64_t groups; /* groups of one multiple's bases */
    uint64_t tasks;  /* tasks of a module */
} groups_work;

/* Return the first entry in [begin, end) whose base has at least this index in the table, or `end`. */
static uint64_t groups_find(const uint32_t *entries, uint64_t begin, uint64_t end, uint64_t index)
{
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (entries[middle] >> 1 < index) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

static void groups_task(void *arguments, size_t task, uint32_t thread)
{
    const groups_work *work = arguments;
    const msm_plan *plan = work->job->plan;
    const uint64_t module = task / work->tasks, n = work->pass->n;
    const uint64_t all = plan_multiples(plan) * work->groups;
    const uint64_t first = task % work->tasks * GROUPS_OF_TASK;
    const uint64_t first_base = pass_first_base(work->job, work->pass, module);
    const uint64_t end = work->lists->starts[module + 1];
    uint64_t position = work->lists->starts[module];
    (void)thread;
    for (uint64_t g = first; g < smaller(first + GROUPS_OF_TASK, all); g++) {
        xyzz *sum = &work->sums[module * plan_module_sums(plan) + g];
        const uint64_t multiple = g / work->groups, group = g % work->groups;
        const uint64_t base = multiple * work->job->bases.count + first_base;
        const uint64_t group_end = base + smaller(n, (group + 1) * GROUP_BASES);
        if (g == first) {
            position = groups_find(work->lists->entries, position, end, base + group * GROUP_BASES);
        }
        xyzz_set_infinity(sum);
        for (; position < end && work->lists->entries[position] >> 1 < group_end; position++) {
            xyzz_add_entry(sum, work->pass->inputs.bases, work->lists->entries[position]);
        }
    }
}

static uint64_t groups_module_sums(const msm_plan *plan)
{
    return plan_multiples(plan) * larger(1, ceil_divide(plan_copy_slice(plan), GROUP_BASES));
}

/* Set the sums that a smaller chunk does not use to infinity. */
static void groups_clear(const msm_plan *plan, const msm_pass *pass, xyzz *sums, uint64_t used)
{
    const uint64_t capacity = plan_module_sums(plan);
    for (uint64_t module = 0; module < pass->modules; module++) {
        for (uint64_t i = used; i < capacity; i++) {
            xyzz_set_infinity(&sums[module * capacity + i]);
        }
    }
}

static sumac_status groups_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                               bucket_sums *sums, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    const uint64_t groups = ceil_divide(pass->n, GROUP_BASES);
    const uint64_t used = plan_multiples(job->plan) * groups;
    groups_work work = {job, pass, lists, sums->points, groups, ceil_divide(used, GROUPS_OF_TASK)};
    (void)scratch;
    groups_clear(job->plan, pass, sums->points, used);
    parallel_for(&team, pass->modules * work.tasks, groups_task, &work);
    return SUMAC_OK;
}

static int groups_accepts(const plan_request *request, msm_plan *plan)
{
    (void)request;
    return plan->c == 1;
}

static stage_cost groups_cost(const plan_request *request, const msm_plan *plan)
{
    return xyzz_mixed_cost(request, plan_counts_of(plan).entries);
}

const stage_kind SUMAC_SYMBOL(accumulate_groups) = {
    .stage = STAGE_ACCUMULATE,
    .name = "groups",
    .about =
        "adds up, one after another in XYZZ, those of each 128 neighbouring bases whose scalars have the bit",
    .takes = BUCKET_LISTS,
    .leaves = RANGE_SUMS,
    .by_name = 1,
    .sums_of_module = groups_module_sums,
    .accepts = groups_accepts,
    .cost = groups_cost,
    .run = {.accumulate = groups_run},
};

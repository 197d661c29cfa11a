/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file sorts if there are window tables. A digit then selects the point of its base's table that is added, so
 * nothing must be sorted. The entries of a module are the digits that are not 0, in their order. If a pass has fewer
 * modules than threads, the digits of a module are cut into slices.
 */
#include "base/integers.h"
#include "cpu/engine.h"
#include "pipeline/parallel.h"

typedef struct lookup_work {
    const msm_job *job;
    const msm_pass *pass;
    const uint32_t *codes;
    bucket_lists *lists;
    uint32_t *begins;      /* the number of entries of each slice; later the position of its first entry */
    uint64_t module_codes; /* windows * n */
    uint32_t slices;       /* slices per module */
} lookup_work;

static uint32_t slices_of(const msm_plan *plan)
{
    return (uint32_t)ceil_divide(plan->threads, plan->modules_per_pass);
}

static uint64_t scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return (uint64_t)plan->modules_per_pass * slices_of(plan) * sizeof(uint32_t);
}

/* Return the index of a slice's first code among the codes of its module. */
static uint64_t slice_begin(const lookup_work *work, uint64_t slice)
{
    return work->module_codes * slice / work->slices;
}

static void count_task(void *arguments, size_t index, uint32_t thread)
{
    const lookup_work *work = arguments;
    const uint64_t slice = index % work->slices;
    const uint32_t *codes = work->codes + index / work->slices * work->module_codes;
    uint32_t count = 0;
    (void)thread;
    for (uint64_t i = slice_begin(work, slice); i < slice_begin(work, slice + 1); i++) {
        count += codes[i] != 0;
    }
    work->begins[index] = count;
}

/* Code i of a module belongs to base i - w*n in window w. */
static void look_up_task(void *arguments, size_t index, uint32_t thread)
{
    const lookup_work *work = arguments;
    const msm_plan *plan = work->job->plan;
    const uint64_t slice = index % work->slices, module = index / work->slices, n = work->pass->n;
    const uint32_t *codes = work->codes + module * work->module_codes;
    const uint64_t first_base = pass_first_base(work->job, work->pass, module);
    uint32_t *entries = work->lists->entries + work->begins[index];
    (void)thread;
    for (uint64_t i = slice_begin(work, slice); i < slice_begin(work, slice + 1); i++) {
        const uint64_t window = i / n;
        const uint64_t multiple = window * plan->table_digits + (codes[i] >> 1) - 1;
        if (codes[i] != 0) {
            const uint64_t point = multiple * work->job->bases.count + first_base + i - window * n;
            *entries++ = (uint32_t)(point << 1) | (codes[i] & 1);
        }
    }
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "sort");
    lookup_work work = {
        .job = job,
        .pass = pass,
        .codes = digits->codes,
        .lists = lists,
        .begins = scratch,
        .module_codes = pass->n * plan_multiples(job->plan),
        .slices = slices_of(job->plan),
    };
    uint32_t begin = 0;
    parallel_for(&team, pass->modules * work.slices, count_task, &work);
    for (uint64_t index = 0; index < pass->modules * work.slices; index++) {
        const uint32_t count = work.begins[index];
        if (index % work.slices == 0) {
            lists->starts[index / work.slices] = begin;
        }
        work.begins[index] = begin;
        begin += count;
    }
    lists->starts[pass->modules] = begin;
    parallel_for(&team, pass->modules * work.slices, look_up_task, &work);
    return SUMAC_OK;
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    (void)plan;
    return request->all_digits;
}

const stage_kind cpu_sort_lookup = {
    .stage = STAGE_SORT,
    .name = "lookup",
    .about = "looks up the point of each digit in the tables, so that nothing is sorted",
    .takes = DIGIT_ROWS,
    .leaves = LOOKED_UP_LISTS,
    .accepts = accepts,
    .scratch_bytes = scratch_bytes,
    .cost = cpu_cost_of_sort,
    .run = {.sort = run},
};

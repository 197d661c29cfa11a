/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind accumulates by groups. It is for windows of one bit, like src/plans/cpu/accumulate_groups.c. A module has
 * one bucket, whose entries are the bases whose scalars have that bit. For one bit and 128 neighbouring bases a thread
 * computes the sum of the bases that have an entry. Entries must have the order of the bases.
 */
#include "base/integers.h"
#include "plans/cuda/xyzz.h"
#include "pipeline/counts.h"

enum { GROUP_BASES = 128, GROUPS_BLOCK = 128 };

/* The entries of a group are the range ranges[t]. Its sum is written to sums[module*module_sums + multiple*groups +
 * group]. */
struct groups_work {
    const uint32_t *entries;
    const uint32_t *starts;
    uint64_t modules;
    uint64_t groups; /* groups of one multiple's bases */
    uint32_t multiples;
    uint64_t module_sums; /* sums of a module, at most */
    uint64_t n;
    uint64_t table_count;
    uint64_t first_base;
    uint64_t base_sets; /* msm_job.base_sets */
    uint64_t first_set;
    uint64_t set_bases;
    uint64_t first_module;
    uint32_t msm_modules;
    uint2 *ranges;
    uint32_t *targets;
};

/* Return the first entry in [begin, end) whose base has at least this index in the table, or `end`. */
static __device__ __forceinline__ uint32_t find_entry(const uint32_t *entries, uint32_t begin, uint32_t end,
                                                      uint64_t index)
{
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (entries[middle] >> 1 < index) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

static __global__ void __launch_bounds__(GROUPS_BLOCK) groups_kernel(const __grid_constant__ groups_work work)
{
    const uint64_t t = blockIdx.x * (uint64_t)GROUPS_BLOCK + threadIdx.x;
    const uint64_t all = work.multiples * work.groups;
    const uint64_t module = t / all, g = t - module * all;
    if (module >= work.modules) {
        return;
    }
    const uint64_t multiple = g / work.groups, group = g - multiple * work.groups;
    const uint64_t msm = (work.first_module + module) / work.msm_modules;
    const uint64_t set = (work.first_set + msm) % work.base_sets;
    const uint64_t base = multiple * work.table_count + work.first_base + set * work.set_bases;
    const uint64_t first = group * GROUP_BASES;
    const uint64_t end = first + GROUP_BASES < work.n ? first + GROUP_BASES : work.n;
    const uint32_t begin = work.starts[module], stop = work.starts[module + 1];
    const uint32_t from = find_entry(work.entries, begin, stop, base + first);
    work.ranges[t] = make_uint2(from, find_entry(work.entries, from, stop, base + end));
    work.targets[t] = (uint32_t)(module * work.module_sums + g);
}

static uint64_t sums_of_groups(const msm_plan *plan)
{
    return plan_multiples(plan) * larger(1, ceil_divide(plan_copy_slice(plan), GROUP_BASES));
}

static groups_work lay_out(const group_code *, const msm_plan *plan, scratch_block *scratch)
{
    const uint64_t lists = plan->modules_per_pass * sums_of_groups(plan);
    groups_work work = {};
    work.ranges = scratch->take<uint2>(lists);
    work.targets = scratch->take<uint32_t>(lists);
    return work;
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                        bucket_sums *sums, void *memory)
{
    cuda_engine *engine = engine_of(job);
    const cudaStream_t stream = stream_of(pass);
    const cuda_group *group = cuda_group_of(job->group);
    const msm_plan *plan = job->plan;
    const bool adds = pass->first != pass->chunk_first;
    scratch_block scratch = {static_cast<char *>(memory), 0};
    groups_work work = lay_out(job->code, plan, &scratch);
    work.entries = lists->entries;
    work.starts = lists->starts;
    work.modules = pass->modules;
    work.groups = ceil_divide(pass->n, GROUP_BASES);
    work.multiples = plan_multiples(plan);
    work.module_sums = sums_of_groups(plan);
    work.n = pass->n;
    work.table_count = job->bases.count;
    work.first_base = pass->inputs.first_base;
    work.base_sets = job->base_sets;
    work.first_set = job->first_set;
    work.set_bases = pass->inputs.set_bases;
    work.first_module = pass->first_module;
    work.msm_modules = plan->modules;
    const uint64_t all = work.modules * work.multiples * work.groups;
    if (!adds) { /* a smaller copy slice has fewer groups than the memory holds; all zeros are infinity */
        CUDA_TRY(engine, cudaMemsetAsync(sums->points, 0,
                                         pass->modules * work.module_sums * group->xyzz_bytes, stream));
    }
    TRY(cuda_launch(engine, stream, groups_kernel, blocks_for(all, GROUPS_BLOCK), GROUPS_BLOCK, work));
    const entry_sums groups = {
        pass->inputs.bases, lists->entries, work.ranges, work.targets, all, sums->points, adds};
    return xyzz_of(group)->sum_entries(engine, stream, &groups);
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    (void)request;
    return plan->c == 1;
}

static stage_cost cost(const plan_request *request, const msm_plan *plan)
{
    return xyzz_cost_of_entries(request, plan_counts_of(plan).entries, GROUP_BASES / 2);
}

extern const stage_kind cuda_accumulate_groups = {
    .stage = STAGE_ACCUMULATE,
    .name = "groups",
    .about =
        "adds up, one after another in XYZZ, those of each 128 neighbouring bases whose scalars have the bit",
    .takes = BUCKET_LISTS,
    .leaves = RANGE_SUMS,
    .by_name = 1,
    .sums_of_module = sums_of_groups,
    .accepts = accepts,
    .scratch_bytes = cuda_scratch_bytes<lay_out>,
    .cost = cost,
    .run = {.accumulate = cuda_run<STAGE_ACCUMULATE, run>},
};

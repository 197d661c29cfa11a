/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind makes bucket lists of digits by a radix sort of each module's pairs (digit, entry). It sorts by eight bits
 * at a time, from the lowest bits of the digit up. Then it finds where each run of equal digits starts. Within a bucket
 * the entries keep the order of the bases. One thread sorts a module.
 */
#include "base/integers.h"
#include "cpu/engine.h"
#include "pipeline/parallel.h"
#include "pipeline/plan_sizes.h"

#define RADIX_BITS 8u
#define RADIX (1u << RADIX_BITS)

typedef struct sort_pair {
    uint32_t digit; /* |d| - 1, the bucket in its module */
    uint32_t entry;
} sort_pair;

typedef struct radix_work {
    const msm_job *job;
    const msm_pass *pass;
    const uint32_t *codes;
    bucket_lists *lists;
    sort_pair *pairs;      /* 2 * most_codes for each module */
    uint32_t *begins;      /* for each module its number of entries, then their start */
    uint64_t module_codes; /* f*n */
    uint64_t most_codes;   /* module_codes of the largest copy slice */
} radix_work;

static uint64_t module_capacity(const msm_plan *plan)
{
    return plan_multiples(plan) * plan_copy_slice(plan);
}

/* Return the offset of the pairs in the scratch memory, which `begins` precedes. */
static uint64_t pairs_offset(const msm_plan *plan)
{
    return (plan->modules_per_pass * sizeof(uint32_t) + 63) / 64 * 64;
}

static uint64_t scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return pairs_offset(plan) + plan->modules_per_pass * 2 * module_capacity(plan) * sizeof(sort_pair);
}

/* Write the pairs of a module's digits that are not 0, in the order of the bases, and return their number. */
static uint64_t select_pairs(const radix_work *work, uint64_t module, sort_pair *pairs)
{
    const uint32_t *codes = work->codes + module * work->module_codes;
    const uint64_t first_base = pass_first_base(work->job, work->pass, module);
    const uint64_t n = work->pass->n;
    uint64_t count = 0;
    for (uint64_t i = 0, t = 0; i < work->module_codes; t++) {
        const uint64_t base = t * work->job->bases.count + first_base;
        for (uint64_t j = 0; j < n; j++, i++) {
            if (codes[i] != 0) {
                pairs[count++] =
                    (sort_pair){(codes[i] >> 1) - 1, (uint32_t)((base + j) << 1) | (codes[i] & 1)};
            }
        }
    }
    return count;
}

/* Sort by RADIX_BITS bits from bit `shift` on; entries with equal bits keep their order. */
static void sort_by_bits(sort_pair *to, const sort_pair *from, uint64_t count, uint32_t shift)
{
    uint32_t places[RADIX] = {0};
    uint32_t begin = 0;
    for (uint64_t i = 0; i < count; i++) {
        places[from[i].digit >> shift & (RADIX - 1)]++;
    }
    for (uint32_t value = 0; value < RADIX; value++) {
        const uint32_t here = places[value];
        places[value] = begin;
        begin += here;
    }
    for (uint64_t i = 0; i < count; i++) {
        to[places[from[i].digit >> shift & (RADIX - 1)]++] = from[i];
    }
}

static void count_task(void *arguments, size_t module, uint32_t thread)
{
    const radix_work *work = arguments;
    const uint32_t *codes = work->codes + module * work->module_codes;
    uint32_t count = 0;
    (void)thread;
    for (uint64_t i = 0; i < work->module_codes; i++) {
        count += codes[i] != 0;
    }
    work->begins[module] = count;
}

static void sort_task(void *arguments, size_t module, uint32_t thread)
{
    const radix_work *work = arguments;
    const msm_plan *plan = work->job->plan;
    sort_pair *from = work->pairs + module * 2 * work->most_codes, *to = from + work->most_codes;
    const uint64_t count = select_pairs(work, module, from);
    const uint32_t begin = work->begins[module];
    uint32_t *starts = work->lists->starts + module * plan->buckets;
    uint64_t next = 0; /* the first bucket whose start is not known yet */
    (void)thread;
    for (uint32_t shift = 0; shift < plan_bucket_bits(plan); shift += RADIX_BITS) {
        sort_pair *const sorted = to;
        sort_by_bits(sorted, from, count, shift);
        to = from;
        from = sorted;
    }
    for (uint64_t i = 0; i < count; i++) {
        work->lists->entries[begin + i] = from[i].entry;
        for (; next <= from[i].digit; next++) {
            starts[next] = begin + (uint32_t)i;
        }
    }
    for (; next < plan->buckets; next++) {
        starts[next] = begin + (uint32_t)count;
    }
}

static sumac_status run(const msm_job *job, const msm_pass *pass, const digit_table *digits,
                        bucket_lists *lists, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "sort");
    radix_work work = {
        .job = job,
        .pass = pass,
        .codes = digits->codes,
        .lists = lists,
        .pairs = (sort_pair *)(void *)((char *)scratch + pairs_offset(job->plan)),
        .begins = scratch,
        .module_codes = pass->n * plan_multiples(job->plan),
        .most_codes = module_capacity(job->plan),
    };
    uint32_t begin = 0;
    parallel_for(&team, pass->modules, count_task, &work);
    for (uint64_t module = 0; module < pass->modules; module++) {
        const uint32_t count = work.begins[module];
        work.begins[module] = begin;
        begin += count;
    }
    lists->starts[pass->modules * job->plan->buckets] = begin;
    parallel_for(&team, pass->modules, sort_task, &work);
    return SUMAC_OK;
}

static int accepts(const plan_request *request, msm_plan *plan)
{
    (void)plan;
    return !request->all_digits;
}

/* For every eight bits there is one pass over the pairs. One more pass selects the pairs. */
static stage_cost cost(const plan_request *request, const msm_plan *plan)
{
    stage_cost counting = cpu_cost_of_sort(request, plan);
    counting.work *= 1 + (double)ceil_divide(plan_bucket_bits(plan), RADIX_BITS);
    return counting;
}

const stage_kind cpu_sort_radix = {
    .stage = STAGE_SORT,
    .name = "radix",
    .about = "sorts the pairs (digit, base) of each module by their digit, from its lowest bits up, and "
             "finds the runs "
             "of equal ones",
    .takes = DIGIT_ROWS,
    .leaves = BUCKET_LISTS,
    .by_name = 1,
    .accepts = accepts,
    .scratch_bytes = scratch_bytes,
    .cost = cost,
    .run = {.sort = run},
};

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This kind adds up few bases by Straus' interleaving: for each base it computes the multiples 1 .. K that digits can
 * select, and then from the highest module down it doubles the sum c times and adds the digits' multiples. Fewer than
 * some 30 bases leave so few points in a bucket that sums of buckets would save nothing, and the many short lists of
 * other kinds would each wait for inversions.
 *
 * The sum of all modules of an MSM that lie in the pass is left in the lowest of these modules, and infinity in the
 * others. So combine has nothing left to double, unless an MSM's modules lie in several passes.
 */
#include "base/integers.h"
#include "cpu/normalize.h"
#include "cpu/engine.h"
#include "cpu/stages.h"
#include "pipeline/parallel.h"
#include "pipeline/plan_sizes.h"

/* A base has at most this many multiples, which share one inversion with those of other bases. */
#define STRAUS_MOST_MULTIPLES 16
#define STRAUS_MOST_BASES ((uint64_t)64)

typedef struct straus_work {
    const msm_job *job;
    const msm_pass *pass;
    const bucket_lists *lists;
    xyzz *sums;
    affine *tables;
    uint64_t first_msm;
} straus_work;

/* Return how many points the table of one thread has: `buckets` multiples of each base and, after those of all bases, of
 * lambda times each base. */
static uint64_t table_points(const msm_plan *plan)
{
    return plan->glv_terms * plan_chunk(plan) * plan->buckets;
}

/* Compute multiples 1 .. count of a base. */
static void multiples_of(xyzz *multiples, const affine *base, uint32_t count)
{
    xyzz_from_affine(&multiples[0], base);
    for (uint32_t k = 1; k < count; k++) {
        if (k % 2 == 1) {
            xyzz_double(&multiples[k], &multiples[k / 2]);
        } else {
            xyzz_add_affine(&multiples[k], &multiples[k - 1], base);
        }
    }
}

/* Fill the table for n bases. It is not inlined, so that its stack memory is free while the table is used. */
static __attribute__((noinline)) void fill_table(affine *table, const affine *bases, uint64_t n,
                                                 uint32_t count)
{
    xyzz multiples[NORMALIZE_BLOCK];
    const uint64_t block = NORMALIZE_BLOCK / count;
    for (uint64_t first = 0; first < n; first += block) {
        const uint64_t end = smaller(first + block, n);
        for (uint64_t i = first; i < end; i++) {
            multiples_of(&multiples[(i - first) * count], &bases[i], count);
        }
        normalize_block(table + first * count, multiples, (uint32_t)((end - first) * count));
    }
}

/* Add to `sum` the multiples that the lists of a module name. `first` is the index of the MSM's first base. */
static void add_module(xyzz *sum, const straus_work *work, uint64_t module, const affine *table,
                       uint64_t first)
{
    const msm_plan *plan = work->job->plan;
    const uint32_t *starts = work->lists->starts + module * plan->buckets;
    for (uint64_t b = 0; b < plan->buckets; b++) {
        for (uint32_t e = starts[b]; e < starts[b + 1]; e++) {
            const uint32_t entry = work->lists->entries[e];
            const uint64_t term = (entry >> 1) / work->job->bases.count;
            const uint64_t base = (entry >> 1) - term * work->job->bases.count - first;
            affine point = table[(term * work->pass->n + base) * plan->buckets + b];
            if (entry & 1) {
                affine_neg(&point, &point);
            }
            xyzz_add_affine(sum, sum, &point);
        }
    }
}

static void straus_task(void *arguments, size_t index, uint32_t thread)
{
    const straus_work *work = arguments;
    const msm_pass *pass = work->pass;
    const msm_plan *plan = work->job->plan;
    const uint64_t msm = work->first_msm + index;
    const uint64_t begin = larger(msm * plan->modules, pass->first_module) - pass->first_module;
    const uint64_t end = smaller((msm + 1) * plan->modules - pass->first_module, pass->modules);
    const uint64_t first = pass_first_base(work->job, pass, begin);
    affine *table = work->tables + thread * table_points(plan);
    xyzz sum;
    const uint64_t points = pass->n * plan->buckets;
    fill_table(table, (const affine *)pass->inputs.bases + first, pass->n, (uint32_t)plan->buckets);
    if (plan->glv_terms > 1) {
        work->job->code->points->endomorphism_images(table, points, 0, points);
    }
    xyzz_set_infinity(&sum);
    for (uint64_t module = end; module-- > begin;) {
        xyzz_set_infinity(&work->sums[module]);
        if (!xyzz_is_infinity(&sum)) {
            xyzz_double_times(&sum, &sum, plan->c);
        }
        add_module(&sum, work, module, table, first);
    }
    work->sums[begin] = sum;
}

static sumac_status straus_run(const msm_job *job, const msm_pass *pass, const bucket_lists *lists,
                               bucket_sums *sums, void *scratch)
{
    const parallel_team team = parallel_team_of(job, pass, "accumulate");
    const uint64_t first_msm = pass->first_module / job->plan->modules;
    const uint64_t end_msm = (pass->first_module + pass->modules - 1) / job->plan->modules + 1;
    straus_work work = {job, pass, lists, sums->points, scratch, first_msm};
    parallel_for(&team, end_msm - first_msm, straus_task, &work);
    return SUMAC_OK;
}

static uint64_t straus_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    (void)code;
    return plan->threads * table_points(plan) * sizeof(affine);
}

static uint64_t one_sum(const msm_plan *plan)
{
    (void)plan;
    return 1;
}

/* An MSM is one task. */
static int straus_accepts(const plan_request *request, msm_plan *plan)
{
    plan->task_entries = plan->n * plan->windows;
    return !request->all_digits && plan->precompute_factor == 1 && plan->n <= STRAUS_MOST_BASES &&
           plan->buckets <= STRAUS_MOST_MULTIPLES;
}

const stage_kind SUMAC_NON_MSM_SYMBOL(accumulate_straus) = {
    .stage = STAGE_ACCUMULATE,
    .name = "straus",
    .about =
        "computes the multiples of each base that digits select, and adds these up from the highest module "
        "down, doubling the sum c times between modules: for few bases",
    .takes = BUCKET_LISTS,
    .leaves = RANGE_SUMS,
    .sums_of_module = one_sum,
    .accepts = straus_accepts,
    .scratch_bytes = straus_scratch_bytes,
    .cost = cpu_cost_of_straus,
    .run = {.accumulate = straus_run},
};

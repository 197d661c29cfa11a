/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This kind reduces by splitting windows into two of half as many bits (plans/window_splits.h). It needs unsigned digits,
 * which fit in c bits. It leaves c parts for each module. */
#include "plans/window_splits.h"

#include "pipeline/parallel.h"
#include "cpu/reduce.h"
#include "cpu/stages.h"
#include "math/point.h"
#include "pipeline/counts.h"

/* A split of `groups` windows writes both halves to `out`, in the order [half][group][component]. */
typedef struct split_work {
    const xyzz *points; /* position p of group g is points[g*group_points + p - shift] */
    uint64_t group_points;
    uint64_t groups;
    uint32_t shift; /* 1: position 0 is infinity */
    uint32_t bits;
    xyzz *out;
} split_work;

static void split_task(void *arguments, size_t index, uint32_t thread)
{
    const split_work *work = arguments;
    const uint32_t low_bits = split_bits(work->bits);
    const uint64_t width = (uint64_t)1 << low_bits, limit = (uint64_t)1 << work->bits;
    const uint64_t digit = index % width, group = index / width % work->groups;
    const int second = index / width >= work->groups;
    const uint64_t step = second ? 1 : width, first = second ? digit * width : digit;
    const uint64_t end = second && first + width < limit ? first + width : limit;
    const xyzz *points = work->points + group * work->group_points;
    xyzz sum;
    (void)thread;
    xyzz_set_infinity(&sum);
    for (uint64_t position = first; position < end; position += step) {
        if (position >= work->shift) {
            xyzz_add(&sum, &sum, &points[position - work->shift]);
        }
    }
    work->out[index] = sum;
}

static uint64_t splitting_scratch_bytes(const group_code *code, const msm_plan *plan)
{
    return 2 * split_points(plan->modules_per_pass, plan->c) * code->xyzz_bytes;
}

static sumac_status splitting_run(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                                  module_sums *modules, void *scratch)
{
    const msm_plan *plan = job->plan;
    const parallel_team team = parallel_team_of(job, pass, "reduce");
    const module_target target = module_target_of(plan, pass, modules);
    xyzz *const halves[] = {scratch, (xyzz *)scratch + split_points(plan->modules_per_pass, plan->c)};
    split_work work = {sums->points, plan->buckets, pass->modules, 1, plan->c, halves[0]};
    for (uint32_t number = 1; work.bits > 1; number++) {
        parallel_for(&team, 2 * work.groups << split_bits(work.bits), split_task, &work);
        work.points = work.out;
        work.out = halves[number % 2];
        work.groups *= 2;
        work.shift = 0;
        work.bits = split_bits(work.bits);
        work.group_points = (uint64_t)1 << work.bits;
    }
    for (uint64_t module = 0; module < pass->modules; module++) {
        for (uint32_t bit = 0; bit < plan->c; bit++) {
            const uint64_t window = split_path_of(plan->c, bit).window * pass->modules + module;
            add_part(&target, module * plan->c + bit,
                     &work.points[window * work.group_points + 1 - work.shift]);
        }
    }
    return SUMAC_OK;
}

static int splitting_accepts(const plan_request *request, msm_plan *plan)
{
    plan->module_parts = plan->c;
    return plan->kinds[STAGE_RECODE]->unsigned_digits && request->reduction != REDUCTION_RUNNING_SUM;
}

/* The first split costs two additions for each bucket; later windows, of half as many bits, have few components. */
static stage_cost splitting_cost(const plan_request *request, const msm_plan *plan)
{
    const double additions = 2 * plan_counts_of(plan).modules * (double)plan->buckets;
    const stage_cost cost = {.work = additions * request->code->costs->xyzz_addition * 1e-6,
                             .additions = additions};
    return cost;
}

const stage_kind SUMAC_SYMBOL(reduce_splitting) = {
    .stage = STAGE_REDUCE,
    .name = "splitting",
    .about = "splits each window into two of half as many bits, again and again, until there is one for each "
             "bit of the digits",
    .takes = XYZZ_BUCKETS,
    .leaves = MODULE_PARTS,
    .by_name = 1,
    .reduction = REDUCTION_HALVING,
    .accepts = splitting_accepts,
    .scratch_bytes = splitting_scratch_bytes,
    .cost = splitting_cost,
    .run = {.reduce = splitting_run},
};

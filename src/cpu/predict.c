/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cpu/engine.h"

#include <math.h>

#include "base/integers.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

/* A pass wakes threads and waits for them about 14 times. On an idle machine one such round with two threads takes 1 us
 * while the pool's threads still spin, and 5 to 8 us when they sleep; waking 15 takes 12 us
 * (docs/internals/pipeline.md). If other programs use the processors, a thread with a task may be a time slice late; a
 * thread without one is not waited for. */
#define PARALLEL_REGIONS 14.0
#define PARALLEL_REGION_MS 5e-3
#define PARALLEL_REGION_THREAD_MS 0.5e-3

/* These are the costs of clearing and counting in the four tasks of sort, for each bucket, full or empty, and for each
 * module. They are similar on all curves, as half of them is memory traffic. */
#define BUCKET_NS 8.0
#define MODULE_NS 80.0

/* combine does this many MSMs together in lanes. */
#define COMBINE_LANES 16

#define MS_PER_NS 1e-6

/* Lists are added up in tasks. These are the number of their points, the number of lists that are not empty, and the
 * number of rounds of the longest list. */
typedef struct list_counts {
    double points;
    double lists;
    double rounds;
} list_counts;

/* Count lists of `count` points each. The fraction `finite` of these points is not infinity. */
static list_counts lists_of(double lists, double count, double finite)
{
    return (list_counts){lists * count * finite, lists * -expm1(-count * finite), ceil(log2(count + 1))};
}

/* Return the cost of work that threads share. The argument is in nanoseconds, like the rows of the CPU. */
static stage_cost shared_work(double nanoseconds, double additions)
{
    return (stage_cost){.work = nanoseconds * MS_PER_NS, .additions = additions};
}

/* Halves of scalars are recoded one by one in all variants, in nanoseconds for each scalar and digit. */
#define SPLIT_NS 120.0
#define HALF_DIGIT_NS 6.4

stage_cost cpu_cost_of_recode(const plan_request *request, const msm_plan *plan)
{
    const double digit =
        plan->glv_terms > 1 ? HALF_DIGIT_NS + SPLIT_NS / plan->windows : request->code->costs->recode;
    return shared_work(cost_of_row((cost_row){.digit = digit}, plan), 0);
}

stage_cost cpu_cost_of_sort(const plan_request *request, const msm_plan *plan)
{
    const cost_row row = {.entry = request->code->costs->sort, .module = MODULE_NS, .bucket = BUCKET_NS};
    return shared_work(cost_of_row(row, plan), 0);
}

/* Return the cost of lists that are summed in `passes` passes. */
static stage_cost lists_cost(const plan_request *request, const msm_plan *plan, const list_counts *counts,
                             double passes)
{
    const stage_costs *costs = request->code->costs;
    const double tasks = passes * ceil(counts->points / passes / (double)plan->task_entries);
    const double additions = counts->points - counts->lists;
    return shared_work(additions * costs->affine_addition + counts->lists * costs->list +
                           tasks * counts->rounds * costs->inversion,
                       additions);
}

stage_cost cpu_cost_of_accumulate(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double buckets = (double)plan->buckets;
    const double mean = fmin(counts.module_entries, buckets * (double)plan->task_entries) / buckets;
    const list_counts lists = {
        .points = counts.entries,
        .lists = counts.modules * buckets * counts.finite,
        .rounds = ceil(log2(mean + 4 * sqrt(mean) + 2)), /* few buckets hold more than mean + 4 deviations */
    };
    return lists_cost(request, plan, &lists, counts.passes);
}

/* Straus' sums cost these fractions of adding a point in XYZZ, for each digit that is not 0, one of six, and for each of a
 * base's multiples. By measurement each further base took 24 us, which would be 1.15 for a digit; but lists are as fast from ten
 * bases on, where they are expected to take a sixth more (bls12-381 g1, avx2, AMD EPYC of Zen 3, 2026-11-29). */
#define MIXED_PART 1.3
#define MULTIPLE_PART 0.9
#define MULTIPLES 8

/* Return the cost of the tables of multiples and of the additions. The doublings are in the cost of combine, which
 * counts an addition for each module that it then does not do. */
stage_cost cpu_cost_of_straus(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double bases = (double)plan->batch * (double)plan->n;
    const double multiples = bases * MULTIPLES * plan->chunks;
    const double digits = bases * plan->glv_terms * plan->modules * plan->c / 6;
    const double products = multiples * MULTIPLE_PART + digits * MIXED_PART - counts.modules;
    const double milliseconds = products * request->code->costs->xyzz_addition * MS_PER_NS;
    return (stage_cost){
        .work = plan->batch > 1 ? milliseconds : 0,
        .alone = plan->batch > 1 ? 0 : milliseconds,
        .additions = multiples + digits,
    };
}

/* Return the cost of the lists of all modules' parts. Buckets that are infinity are not in the lists. */
stage_cost cpu_cost_of_halving(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double buckets = (double)plan->buckets;
    const double bits = plan_bucket_bits(plan);
    if (bits <= REDUCE_DIRECT_BITS) {
        const list_counts parts =
            lists_of(counts.modules * (bits + 1), (bits * buckets / 2 + 1) / (bits + 1), counts.finite);
        return lists_cost(request, plan, &parts, counts.passes);
    }
    const double lines = sqrt(buckets); /* as many columns as rows */
    const list_counts lines_lists = lists_of(counts.modules * 2 * lines, lines, counts.finite);
    const list_counts parts = lists_of(counts.modules * bits, lines / 2, -expm1(-lines * counts.finite));
    stage_cost cost = lists_cost(request, plan, &lines_lists, counts.passes);
    const stage_cost parts_cost = lists_cost(request, plan, &parts, counts.passes);
    cost.work += parts_cost.work;
    cost.additions += parts_cost.additions;
    return cost;
}

/* Return the cost of Horner's rule. It is done for one MSM at a time, or in lanes, some of which may be idle. */
stage_cost cpu_cost_of_combine(const plan_request *request, const msm_plan *plan)
{
    const stage_costs *costs = request->code->costs;
    const double positions = (double)plan->modules * plan->c;
    const double additions = (double)plan->modules * plan->module_parts;
    const double lanes = (double)smaller(ceil_divide(plan->sub_batch, plan->threads), COMBINE_LANES);
    const double one = plan->module_parts == 1
                           ? positions * costs->doubling + additions * costs->xyzz_addition
                           : positions * costs->combine;
    const double together = positions * costs->combine_lanes * COMBINE_LANES / lanes;
    const int affine_parts =
        plan->kinds[STAGE_REDUCE]->reduction != REDUCTION_RUNNING_SUM && plan->chunks == 1;
    const double all = plan->batch * (affine_parts && costs->combine_lanes > 0 ? fmin(one, together) : one);
    const double inversions = 2 * ceil((double)plan->batch / COMBINE_LANES) * costs->inversion;
    return (stage_cost){
        .work = plan->batch > 1 ? all * MS_PER_NS : 0,
        .alone = (inversions + (plan->batch > 1 ? 0 : all)) * MS_PER_NS,
        .additions = plan->batch * (positions + additions),
    };
}

double cpu_elapsed(msm_plan *plan, const stage_cost *sum)
{
    const double region = PARALLEL_REGION_MS + plan->threads * PARALLEL_REGION_THREAD_MS;
    const double regions = plan_counts_of(plan).passes * PARALLEL_REGIONS * region;
    if (plan->threads > 1 && sum->work <= sum->work / plan->threads + regions) {
        plan->threads = 1;
    }
    return sum->alone + (plan->threads == 1 ? sum->work : sum->work / plan->threads + regions);
}

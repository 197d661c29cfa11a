/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file predicts the costs of sums in XYZZ by one thread each, in milliseconds on an H200, from its 27 G products
 * of 6-limb elements a second, and from the latency of a product. Kinds with these costs do not compete with other
 * kinds in the planner's search. The costs are used to choose the windows of the named plans.
 */
#include <cmath>

#include "plans/cuda/xyzz.h"
#include "pipeline/counts.h"
#include "pipeline/plan_sizes.h"

static const double PRODUCT = 1 / 27e6;
static const double PRODUCT_LATENCY = 0.9e-3;
/* An addition takes `products` products, and reaches the fraction `rate` of their rate if all threads are busy: MIXED,
 * of an affine point, keeps its sum in registers; FULL, of two XYZZ points, works on memory. */
struct addition_cost {
    double products;
    double rate;
};
static const addition_cost MIXED = {10, 0.92}, FULL = {14, 0.72};

/* Return the number of products of 6 limbs that a product of the curve's field costs; see `work` in costs.cu. */
static double work_of(const sumac_group *group)
{
    const double words = (group->field_bits + 63) / 64 / 6.0;
    return (group->degree == 2 ? 3 : 1) * pow(words, 1.4);
}

/* If the additions of the longest thread take longer than all additions take together, the difference counts as
 * waiting. */
static stage_cost cost_of(const plan_request *request, addition_cost addition, double additions,
                          double longest)
{
    const double product = addition.products * work_of(request->group);
    const double all = additions * product * PRODUCT / addition.rate;
    return {
        .work = all, .waiting = fmax(0, longest * product * PRODUCT_LATENCY - all), .additions = additions};
}

stage_cost xyzz_cost_of_entries(const plan_request *request, double additions, double longest)
{
    return cost_of(request, MIXED, additions, longest);
}

stage_cost xyzz_cost_of_points(const plan_request *request, double additions, double longest)
{
    return cost_of(request, FULL, additions, longest);
}

static stage_cost cost_of_buckets(const plan_request *request, const msm_plan *plan, double longest)
{
    const plan_counts counts = plan_counts_of(plan);
    const double buckets = counts.modules * static_cast<double>(plan->buckets);
    stage_cost cost = xyzz_cost_of_entries(request, counts.entries - buckets * counts.finite, longest);
    cost.work += buckets * 192 * 2 / 3e9; /* written, and read again, at 3 TB a second */
    return cost;
}

stage_cost xyzz_cost_of_buckets(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    const double threads = counts.passes * static_cast<double>(XYZZ_THREADS);
    return cost_of_buckets(request, plan, counts.passes * fmin(16, counts.entries / threads));
}

/* Return the entries of the largest bucket, if a window's digits are equally likely. The last window has the remaining
 * bits. Unless it is handled separately, perhaps only half of their values occur, or there is only a carry. */
static double largest_bucket(const msm_plan *plan, bool last_apart)
{
    const double scalars = static_cast<double>(plan_copy_slice(plan));
    const double mean = scalars * plan_multiples(plan) / static_cast<double>(plan->buckets);
    const int left = static_cast<int>(plan->scalar_bits) - static_cast<int>((plan->windows - 1) * plan->c);
    return last_apart ? mean : fmax(mean, ldexp(scalars, left > 1 ? 1 - left : -1));
}

/* Passes run one after another, so the largest bucket of each pass counts. */
stage_cost xyzz_cost_of_whole_buckets(const plan_request *request, const msm_plan *plan, bool last_apart)
{
    return cost_of_buckets(request, plan, plan_counts_of(plan).passes * largest_bucket(plan, last_apart));
}

/* A share is longer than the mean by at most the bucket at its end. All threads are busy at once, so the longest share
 * takes its additions at the rate of all threads. */
stage_cost xyzz_cost_of_ranges(const plan_request *request, const msm_plan *plan, bool last_apart)
{
    const plan_counts counts = plan_counts_of(plan);
    const double threads = static_cast<double>(xyzz_module_threads(plan) * plan->modules_per_pass);
    const double share = counts.entries / counts.passes / threads;
    const double longest = share + largest_bucket(plan, last_apart);
    stage_cost cost = cost_of_buckets(request, plan, counts.passes * longest);
    cost.waiting = fmax(cost.waiting, cost.work * (longest / share - 1));
    return cost;
}

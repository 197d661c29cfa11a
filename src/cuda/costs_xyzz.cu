/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Costs of sums in XYZZ by one thread each, in milliseconds on an H200: from its 27 G products of 6-limb
 * elements a second, and from what a product takes a thread that waits for it (docs/gpu-log.md). No kind that
 * has them competes with the others in the planner's search: they choose the windows of the named plans.
 */
#include <cmath>

#include "cuda/xyzz.h"
#include "pipeline/counts.h"
#include "pipeline/portions.h"

static const double PRODUCT = 1 / 27e6 / 0.85; /* with all threads at work; the rest of an addition is 15% */
static const double PRODUCT_LATENCY = 0.9e-3;
static const double MIXED_PRODUCTS = 10, FULL_PRODUCTS = 14;

/* Products of 6 limbs that one of the curve's is like: as costs.cu's `work` and `element`. */
static double work_of(const sumac_curve *curve)
{
    const double words = (curve->info.field_bits + 63) / 64 / 6.0;
    return (curve->info.degree == 2 ? 3 : 1) * pow(words, 1.4);
}

/* The longest thread's additions are waited for where they take longer than all together. */
static stage_cost cost_of(const plan_request *request, double products, double additions, double longest)
{
    const double product = products * work_of(request->curve);
    const double all = additions * product * PRODUCT;
    return {
        .work = all, .waiting = fmax(0, longest * product * PRODUCT_LATENCY - all), .additions = additions};
}

stage_cost xyzz_cost_of_entries(const plan_request *request, double additions, double longest)
{
    return cost_of(request, MIXED_PRODUCTS, additions, longest);
}

stage_cost xyzz_cost_of_points(const plan_request *request, double additions, double longest)
{
    return cost_of(request, FULL_PRODUCTS, additions, longest);
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

/* A window's digits are alike likely, but for the last one's: it has the bits that are left, or only a carry.
 * Passes follow each other. */
stage_cost xyzz_cost_of_whole_buckets(const plan_request *request, const msm_plan *plan, bool last_apart)
{
    const double scalars = static_cast<double>(plan_portion(plan));
    const int left = static_cast<int>(plan->scalar_bits) - static_cast<int>((plan->windows - 1) * plan->c);
    const double mean = scalars * plan_multiples(plan) / static_cast<double>(plan->buckets);
    const double last = ldexp(scalars, left > 1 ? -left : -1);
    return cost_of_buckets(request, plan,
                           plan_counts_of(plan).passes * (last_apart ? mean : fmax(mean, last)));
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several kinds of stages use these sums in XYZZ coordinates. */
#ifndef SUMAC_PLANS_CPU_XYZZ_SUMS_H
#define SUMAC_PLANS_CPU_XYZZ_SUMS_H

#include "math/point.h"
#include "curves/group_code.h"
#include "pipeline/kinds.h"
#include "pipeline/counts.h"

/* Adding an affine point costs this fraction of adding one in XYZZ: 10 products to 14 (math/point.h). */
#define XYZZ_MIXED_PART (10.0 / 14.0)

/* Return the cost of `additions` successive additions of affine points. */
static inline stage_cost xyzz_mixed_cost(const plan_request *request, double additions)
{
    const stage_cost cost = {
        .work = additions * XYZZ_MIXED_PART * request->code->costs->xyzz_addition * 1e-6,
        .additions = additions,
    };
    return cost;
}

/* Return the cost of a kind that adds up every bucket's entries; the first entry of a bucket needs no addition. */
static inline stage_cost xyzz_cost_of_buckets(const plan_request *request, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    return xyzz_mixed_cost(request, counts.entries - counts.modules * (double)plan->buckets * counts.finite);
}

/* Compute r = k*a by doublings and additions, from the highest bit on. */
static inline void xyzz_times(xyzz *r, const xyzz *a, uint32_t k)
{
    const xyzz point = *a;
    if (k == 0) {
        xyzz_set_infinity(r);
        return;
    }
    *r = point;
    for (uint32_t bit = 31 - (uint32_t)__builtin_clz(k); bit-- > 0;) {
        xyzz_double(r, r);
        if (k >> bit & 1) {
            xyzz_add(r, r, &point);
        }
    }
}

/* Set points[0] to the sum of count > 0 points, by a tree over neighbours. The other points are overwritten. */
static inline void xyzz_tree_sum(xyzz *points, uint64_t count)
{
    for (uint64_t step = 1; step < count; step *= 2) {
        for (uint64_t i = 0; i + step < count; i += 2 * step) {
            xyzz_add(&points[i], &points[i], &points[i + step]);
        }
    }
}

/* Add the point of an entry, which is 2*index + negative, to the sum. */
static inline void xyzz_add_entry(xyzz *sum, const affine *table, uint32_t entry)
{
    affine point = table[entry >> 1];
    if (entry & 1) {
        affine_neg(&point, &point);
    }
    xyzz_add_affine(sum, sum, &point);
}

/* Return the bucket that contains `position`: the largest b with starts[b] <= position. Required: starts[0] <= position
 * < starts[buckets]. */
static inline uint64_t xyzz_bucket_of(const uint32_t *starts, uint64_t buckets, uint64_t position)
{
    uint64_t low = 0, high = buckets; /* starts[low] <= position < starts[high] */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (starts[middle] <= position) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

#endif

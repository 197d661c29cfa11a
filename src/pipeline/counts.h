/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes the expected numbers of a plan's digits, entries and buckets for uniform scalars, which the costs
 * of all kinds are based on, and defines cost rows, which say how long a stage takes for each of them. Each engine's
 * file of costs says on which machine, when and by which command its rows were measured. The library and its engines
 * use this file.
 */
#ifndef SUMAC_PIPELINE_COUNTS_H
#define SUMAC_PIPELINE_COUNTS_H

#include <math.h>

#include "pipeline/pipeline.h"

/* These numbers are sums over all MSMs, chunks and passes of a call. */
typedef struct plan_counts {
    double digits;
    double entries; /* digits that are not 0 */
    double modules; /* each module counts once for every chunk */
    double module_entries;
    double finite; /* the fraction of buckets that have an entry */
    double passes;
} plan_counts;

static inline plan_counts plan_counts_of(const msm_plan *plan)
{
    plan_counts counts = {0, 0, 0, 0, 0, 0};
    counts.digits = (double)plan->batch * (double)plan->n * plan->windows;
    counts.entries = counts.digits * (1.0 - ldexp(1, -(int)plan->c));
    counts.modules = (double)plan->batch * plan->modules * plan->chunks;
    counts.module_entries = counts.modules > 0 ? counts.entries / counts.modules : 0;
    counts.finite = -expm1(-counts.module_entries / (double)plan->buckets);
    counts.passes = ceil((double)plan->batch / plan->sub_batch) * plan->passes * plan->chunks;
    return counts;
}

/* A row says how many milliseconds a stage takes for each call, digit, entry, module, bucket and pass. */
typedef struct cost_row {
    double fixed, digit, entry, module, bucket, pass;
} cost_row;

/* Return the milliseconds that a row predicts for a plan. */
static inline double cost_of_row(cost_row row, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    return row.fixed + counts.digits * row.digit + counts.entries * row.entry + counts.modules * row.module +
           counts.modules * (double)plan->buckets * row.bucket + counts.passes * row.pass;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Expected numbers of a plan's digits, entries and buckets for uniform scalars, with which the costs of all kinds begin, and
 * costs as rows: what a stage takes for each of them. Every engine's file of costs says on which machine, when and by which
 * command its rows were measured. The library and its engines use this file.
 */
#ifndef SUMAC_PIPELINE_COUNTS_H
#define SUMAC_PIPELINE_COUNTS_H

#include <math.h>

#include "pipeline/pipeline.h"

/* The numbers are those of all MSMs, chunks and passes of a call together. */
typedef struct plan_counts {
    double digits;
    double entries; /* digits that are not 0 */
    double modules; /* counted once for each chunk that they are reduced for */
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

/* Milliseconds for a call, and for each digit, entry, module, bucket and pass of it. */
typedef struct cost_row {
    double fixed, digit, entry, module, bucket, pass;
} cost_row;

/* The milliseconds that a row gives for a plan. */
static inline double cost_of_row(cost_row row, const msm_plan *plan)
{
    const plan_counts counts = plan_counts_of(plan);
    return row.fixed + counts.digits * row.digit + counts.entries * row.entry + counts.modules * row.module +
           counts.modules * (double)plan->buckets * row.bucket + counts.passes * row.pass;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Costs as rows of numbers: what a stage takes for each thing that a plan has. Every engine's file of costs says on which
 * machine, when and by which command its rows were measured. Common to the library and its engines.
 */
#ifndef SUMAC_PIPELINE_COSTS_H
#define SUMAC_PIPELINE_COSTS_H

#include "pipeline/counts.h"
#include "pipeline/kinds.h"

/* Milliseconds for a call, and for each digit, entry (a digit that is not 0), module, bucket and pass of it. */
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

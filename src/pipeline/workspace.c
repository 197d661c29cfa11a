/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The same walk over all arrays measures the workspace and lays it out, so that the two can't disagree. */
#include "pipeline/plan.h"

#include "base/integers.h"
#include "pipeline/plan_sizes.h"

size_t plan_sum_bytes(const msm_plan *plan, const group_code *code)
{
    return plan->kinds[STAGE_ACCUMULATE]->leaves == AFFINE_BUCKETS ? code->affine_bytes : code->xyzz_bytes;
}

typedef struct walk {
    char *memory; /* null: the walk only measures */
    uint64_t end;
} walk;

static void *take(walk *w, uint64_t bytes, uint64_t *counted)
{
    const uint64_t rounded = (bytes + 63) / 64 * 64;
    void *array = w->memory == NULL ? NULL : w->memory + w->end;
    w->end += rounded;
    *counted += rounded;
    return array;
}

/* Lay out the arrays of the next in-flight pass. */
static void lay_out_in_flight_pass(walk *w, msm_plan *plan, const group_code *code, uint64_t scratch_bytes,
                                   workspace *space)
{
    const uint64_t entries = plan_pass_entries(plan);
    const uint64_t buckets = plan->modules_per_pass * plan->buckets;
    const uint64_t sum_bytes = plan_module_sums(plan) * plan_sum_bytes(plan, code); /* bytes per module */
    const uint64_t kept =
        plan->keeps_buckets ? (uint64_t)plan->sub_batch * plan->modules : plan->modules_per_pass;
    space->digits.codes = take(w, entries * sizeof(uint32_t), &plan->bytes_digits);
    space->lists.entries = take(w, entries * sizeof(uint32_t), &plan->bytes_entries);
    space->lists.starts = take(w, (buckets + 1) * sizeof(uint32_t), &plan->bytes_entries);
    /* The sums of a later copy slice are added to the kept sums. They lie behind these, at a distance of a whole number
     * of points. */
    space->buckets.points =
        take(w, (kept + (plan_merges(plan) ? plan->modules_per_pass : 0)) * sum_bytes, &plan->bytes_buckets);
    space->buckets.behind =
        plan_merges(plan) && w->memory != NULL ? (char *)space->buckets.points + kept * sum_bytes : NULL;
    space->scratch = take(w, scratch_bytes, &plan->bytes_scratch);
}

/* Lay out all arrays, and return those of one in-flight pass. */
static workspace lay_out(msm_plan *plan, const group_code *code, void *memory, uint32_t in_flight_pass)
{
    workspace space = {{NULL, NULL}, {NULL}, {NULL, NULL}, {NULL, NULL}, {NULL}, NULL}, seen;
    walk w = {memory, 0};
    const uint64_t scratch_bytes = plan->bytes_scratch / plan->in_flight_passes;
    const uint64_t staging_bytes = plan->bytes_staging;
    const uint64_t host_resident_bytes = plan->bytes_host_resident;
    plan->bytes_host_resident = plan->bytes_staging = plan->bytes_digits = plan->bytes_entries =
        plan->bytes_buckets = plan->bytes_scratch = 0;
    space.feed.scalars = take(&w, staging_bytes, &plan->bytes_staging);
    space.feed.bases = take(&w, host_resident_bytes, &plan->bytes_host_resident);
    space.modules.points =
        take(&w, (uint64_t)plan->sub_batch * plan->modules * plan->module_parts * code->xyzz_bytes,
             &plan->bytes_buckets);
    seen = space;
    for (uint32_t t = 0; t < plan->in_flight_passes; t++) {
        lay_out_in_flight_pass(&w, plan, code, scratch_bytes, t == in_flight_pass ? &seen : &space);
    }
    plan->bytes_workspace = w.end;
    return seen;
}

void workspace_measure(msm_plan *plan, const group_code *code)
{
    uint64_t scratch_bytes = 0; /* combine, which runs after all passes, has no scratch memory */
    for (int s = 0; s < STAGE_COMBINE; s++) {
        const stage_kind *kind = plan->kinds[s];
        scratch_bytes = kind->scratch_bytes == NULL ? scratch_bytes
                                                    : larger(scratch_bytes, kind->scratch_bytes(code, plan));
    }
    plan->bytes_scratch = scratch_bytes * plan->in_flight_passes;
    (void)lay_out(plan, code, NULL, 0);
    plan->bytes_total = plan->bytes_bases + plan->bytes_scalars + plan->bytes_workspace;
}

workspace workspace_at(const msm_plan *plan, const group_code *code, void *memory, uint32_t in_flight_pass)
{
    msm_plan copy = *plan;
    return lay_out(&copy, code, memory, in_flight_pass);
}
